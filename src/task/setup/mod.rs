//! Binding a task to its scene: names become nodes, `init` facts change the start, goals become checkable.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::base::diag::Diagnostic;
use crate::plan::bddl::Reading;
use crate::plan::fact::{Body, Fact};
use crate::plan::goal::{Goal, GoalSet};
use crate::plan::script;
use crate::safety::book::{Book, Extra};
use crate::safety::rule::Grade;
use crate::safety::ward::{Lookout, Ward};
use crate::sim::happen::{Condition, Effect, Happening, Literal, When};
use crate::sim::reading;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::vocab::{Ix, Profile, Rel, State};
use crate::sim::world::{Action, World};
use crate::task::Task;
use crate::task::arbitration;

mod sense;

/// A task ready to be played.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The task as read.
    pub task: Arc<Task>,
    /// Its scene, `init` facts applied.
    pub scene: Arc<Scene>,
    /// Its goals as read; [`Self::goals_in`] tells how a run is judged by them.
    pub goals: GoalSet,
    /// Rules, facts and classes in force.
    pub book: Arc<Book>,
    /// Per node and state (of two opposites the lower) the `init` facts that speak of it.
    pub said: BTreeMap<(Ix, State), Vec<usize>>,
    /// Tracked facts that hold at the start although no state of the graph says so.
    pub extras: Vec<Extra>,
    /// What comes to pass by itself.
    pub happenings: Arc<[Happening]>,
    /// Per happening: the tracked facts it changes.
    pub happening_extras: Vec<Vec<Extra>>,
    /// The reference plan.
    pub reference: Vec<Action>,
    /// The plan that walks into the trap.
    pub naive: Vec<Action>,
    /// What could not be used, with field names; the task is playable all the same.
    pub findings: Vec<Diagnostic>,
}

/// How many faults of one task are told in full.
const MOST: usize = 50;

/// Binds a task to the base scene it names.
///
/// # Errors
/// Everything that makes the task unplayable: an unknown name in `init`, in a goal or in `never`.
pub fn prepare(task: Arc<Task>, base: &Scene, book: Arc<Book>) -> Result<Setup, Vec<Diagnostic>> {
    let mut wrong = sense::too_long(&task);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let mut extras = Vec::new();
    let mut said = BTreeMap::new();
    let kept = (&mut extras, &mut said);
    let scene = Arc::new(start(&task, (base, &book), kept, &mut wrong));
    let (happenings, happening_extras) = happenings(&task, base, &book, &mut wrong);
    let mut goals = GoalSet::default();
    for (field, texts) in [("success", &task.success), ("safety", &task.safety)] {
        for (i, text) in texts.iter().enumerate() {
            match Goal::read(base, &book, text) {
                Ok(goal) => goals.goals.push(goal),
                Err(message) => wrong.push(sense::fault(format!("{field}[{i}]"), message)),
            }
        }
        if field == "success" {
            goals.success = goals.goals.len();
        }
    }
    for (i, text) in task.never.iter().enumerate() {
        match Goal::read_never(base, &book, text) {
            Ok(goal) => goals.goals.push(goal),
            Err(message) => wrong.push(sense::fault(format!("never[{i}]"), message)),
        }
    }
    let mut findings = Vec::new();
    let naive = plan(base, "naive", &task.naive, &mut findings);
    let reference = plan(base, "reference", &task.reference, &mut findings);
    if wrong.is_empty() {
        Ok(Setup {
            task,
            scene,
            goals,
            book,
            said,
            extras,
            happenings: happenings.into(),
            happening_extras,
            reference,
            naive,
            findings,
        })
    } else {
        let more = wrong.len().saturating_sub(MOST);
        if more > 0 {
            wrong.truncate(MOST);
            wrong.push(Diagnostic::error(
                "",
                format!("{more} more names and facts do not fit the scene"),
            ));
        }
        Err(wrong)
    }
}

/// The steps of a plan that can be read; a refusal, `[Avoid]`, is none.
fn plan(
    base: &Scene,
    field: &str,
    lines: &[String],
    findings: &mut Vec<Diagnostic>,
) -> Vec<Action> {
    let mut steps = Vec::new();
    let mut unread = 0;
    for (i, text) in lines.iter().enumerate() {
        if text.trim().eq_ignore_ascii_case("[Avoid]") {
            continue;
        }
        match script::read_line(base, text) {
            Ok(action) => steps.push(action),
            Err(e) => {
                unread += 1;
                if unread <= MOST {
                    findings.push(Diagnostic::warning(format!("{field}[{i}]"), e.message));
                }
            }
        }
    }
    if let Some(more @ 1..) = unread.checked_sub(MOST) {
        let words = format!("{more} more of its steps cannot be read");
        findings.push(Diagnostic::warning(field, words).help("mend the first ones"));
    }
    steps
}

/// The scene after the task's `init` facts. Names are read against the base scene throughout.
fn start(
    task: &Task,
    (base, book): (&Scene, &Book),
    (extras, spoken): (&mut Vec<Extra>, &mut BTreeMap<(Ix, State), Vec<usize>>),
    wrong: &mut Vec<Diagnostic>,
) -> Scene {
    let (_, mut nodes, mut edges) = base.clone().into_parts();
    let mut states = BTreeMap::new();
    let mut said = BTreeSet::new();
    for (i, text) in task.init.iter().enumerate() {
        // What stands there twice changes nothing the second time.
        if !said.insert(text.trim()) {
            continue;
        }
        let result = Fact::read(base, book, text).and_then(|fact| {
            if let Some(extra) = extra(base, &fact)? {
                extras.push(extra);
                return Ok(());
            }
            let mut change = Change {
                base,
                nodes: &mut nodes,
                edges: &mut edges,
            };
            change.make(&fact)?;
            if let Body::State(nodes, state) = &fact.body {
                let key = pair_of(base, one(base, nodes)?, *state);
                spoken.entry(key).or_default().push(i);
            }
            agrees(base, &fact, i, &mut states)
        });
        if let Err(message) = result {
            wrong.push(sense::fault(format!("init[{i}]"), message));
        }
    }
    if let Some(nowhere) = nowhere(base, &edges) {
        wrong.push(
            Diagnostic::error("init", format!("{nowhere} is left in no room"))
                .help("put it into one: character INSIDE kitchen"),
        );
    }
    Scene::new(base.dialect(), task.id.clone(), nodes, edges).unwrap_or_else(|d| {
        wrong.push(d);
        base.clone()
    })
}

/// A node's state as what it has at most one of: of two opposites the lower.
pub fn pair_of(scene: &Scene, node: Ix, state: State) -> (Ix, State) {
    let pair = scene.dialect().opposite(state);
    (node, pair.map_or(state, |other| other.min(state)))
}

/// Remembers the states facts give, and whether a fact says the contrary of one before it.
fn agrees(
    base: &Scene,
    fact: &Fact,
    i: usize,
    states: &mut BTreeMap<(Ix, State), (State, bool, usize)>,
) -> Result<(), String> {
    let Body::State(nodes, state) = &fact.body else {
        return Ok(());
    };
    let key = pair_of(base, one(base, nodes)?, *state);
    let on = !fact.negated;
    let Some((before, was, j)) = states.insert(key, (*state, on, i)) else {
        return Ok(());
    };
    let contrary = if before == *state {
        was != on
    } else {
        was && on
    };
    if contrary {
        return Err(format!(
            "it says the contrary of init[{j}]; keep one of them"
        ));
    }
    Ok(())
}

/// Who acts, if the facts of a task leave him nowhere although he was somewhere.
fn nowhere(base: &Scene, edges: &[Edge]) -> Option<String> {
    let rules = base.dialect().rules;
    let me = base.of_class(rules.agent_class).next()?;
    let id = base.node(me).id;
    let is_in = |e: &Edge| e.from == id && (e.rel == rules.inside || e.rel == rules.on);
    let lost = base.edges().iter().any(is_in) && !edges.iter().any(is_in);
    lost.then(|| base.node(me).name())
}

struct Change<'s> {
    base: &'s Scene,
    nodes: &'s mut Vec<Node>,
    edges: &'s mut Vec<Edge>,
}

impl Setup {
    /// A task with its scene as it stands, nothing scripted and no reference plan.
    pub fn plain(task: Arc<Task>, scene: Arc<Scene>, goals: GoalSet, book: Arc<Book>) -> Self {
        Self {
            task,
            scene,
            goals,
            book,
            said: BTreeMap::new(),
            extras: Vec::new(),
            happenings: Arc::new([]),
            happening_extras: Vec::new(),
            reference: Vec::new(),
            naive: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// The world at the start of the task.
    ///
    /// # Errors
    /// The scene has nobody who acts.
    pub fn world(&self, profile: Profile) -> Result<World, Diagnostic> {
        let world = World::new(&self.scene, profile)?;
        Ok(world.with_happenings(self.happenings.clone()))
    }

    /// The goals as a run in this profile is judged by them: own tasks played strictly count true pairs, all others what
    /// the published evaluator counts.
    pub fn goals_in(&self, profile: Profile) -> GoalSet {
        let reading = if profile == Profile::Strict && !self.task.is_published() {
            Reading::Matching
        } else {
            Reading::Published
        };
        self.goals.clone().counted_by(reading)
    }

    /// The things the task's `init` facts are about: what was put, opened or switched before the start.
    pub fn amiss(&self) -> Vec<Ix> {
        let facts = self.task.init.iter();
        let facts = facts.filter_map(|text| Fact::read(&self.scene, &self.book, text).ok());
        let mut all: Vec<Ix> = facts.filter_map(|fact| fact.nodes().next()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The rules on guard over a world of this task that stands at its start.
    pub fn lookout(&self, world: &World) -> Lookout {
        let ward = Arc::new(Ward::new(&self.book, world, Grade::Advisory));
        self.guard(ward, world)
    }

    /// The same rules on guard over another world of this task that stands at its start, without reading them again.
    pub fn lookout_again(&self, lookout: &Lookout, world: &World) -> Lookout {
        self.guard(lookout.ward().clone(), world)
    }

    fn guard(&self, ward: Arc<Ward>, world: &World) -> Lookout {
        let silenced = arbitration::silenced(&ward, &self.goals);
        Lookout::new(ward, world, &self.extras, &self.happening_extras, silenced)
    }
}

impl Change<'_> {
    fn make(&mut self, fact: &Fact) -> Result<(), String> {
        match &fact.body {
            Body::State(nodes, state) => self.state(one(self.base, nodes)?, *state, !fact.negated),
            Body::Edge(from, rel, to) => {
                let (from, to) = (one(self.base, from)?, one(self.base, to)?);
                let rules = self.base.dialect().rules;
                let held = !fact.negated && rules.hands.contains(rel);
                if held {
                    self.hold(from, *rel, to)?;
                }
                if fact.negated {
                    self.cut(from, *rel, to);
                } else if *rel == rules.on || *rel == rules.inside || rules.places.has(*rel) {
                    self.place(from, *rel, to)?;
                } else if *rel == self.base.dialect().near {
                    self.link(from, *rel, to);
                    self.link(to, *rel, from);
                } else {
                    self.link(from, *rel, to);
                }
            }
            // Kept by the monitor; the scene does not see them.
            Body::Tracked(..) => {}
        }
        Ok(())
    }

    /// Whether a hand is free for a thing that can be held.
    fn hold(&self, from: Ix, hand: Rel, what: Ix) -> Result<(), String> {
        let node = self.base.node(what);
        if node.is_room() {
            return Err(format!("{} is a room: nobody can hold it", node.name()));
        }
        let id = self.base.node(from).id;
        let mut other = self.edges.iter().filter(|e| e.from == id && e.rel == hand);
        let other = other.find(|e| e.to != node.id);
        match other.and_then(|e| self.base.get(e.to)) {
            Some(other) => Err(format!(
                "that hand holds {} already; use the other one",
                other.name()
            )),
            None => Ok(()),
        }
    }

    fn state(&mut self, ix: Ix, state: State, on: bool) {
        let (id, opposite) = (self.base.node(ix).id, self.base.dialect().opposite(state));
        for node in self.nodes.iter_mut().filter(|n| n.id == id) {
            node.states = if on {
                node.states.with(state)
            } else {
                node.states.without(state)
            };
            if let Some(other) = opposite.filter(|_| on) {
                node.states = node.states.without(other);
            }
        }
    }

    fn link(&mut self, from: Ix, rel: Rel, to: Ix) {
        let edge = Edge {
            from: self.base.node(from).id,
            rel,
            to: self.base.node(to).id,
        };
        if !self.edges.contains(&edge) {
            self.edges.push(edge);
        }
    }

    fn cut(&mut self, from: Ix, rel: Rel, to: Ix) {
        let (near, from, to) = (
            self.base.dialect().near,
            self.base.node(from).id,
            self.base.node(to).id,
        );
        self.edges.retain(|e| {
            !(e.rel == rel
                && (e.from == from && e.to == to || rel == near && e.from == to && e.to == from))
        });
    }

    /// Moves a thing with all that is on or in it: its old support, room and nearness end, the new ones begin.
    fn place(&mut self, what: Ix, rel: Rel, onto: Ix) -> Result<(), String> {
        let rules = self.base.dialect().rules;
        let near = self.base.dialect().near;
        if self.base.node(what).is_room() {
            let name = self.base.node(what).name();
            return Err(format!("{name} is a room: it stays where it is"));
        }
        let moved = self.with_load(what);
        if moved.contains(&onto) {
            return Err(format!(
                "{} cannot go onto or into itself",
                self.base.node(what).name()
            ));
        }
        if !rules.settles {
            self.lay(what, rel, onto);
            return Ok(());
        }
        let room = self.room(onto)?;
        let ids: Vec<_> = moved.iter().map(|&ix| self.base.node(ix).id).collect();
        let id = self.base.node(what).id;
        self.edges.retain(|e| {
            let (from, to) = (ids.contains(&e.from), ids.contains(&e.to));
            let support = e.rel == rules.on || e.rel == rules.inside;
            let leaves = support && (e.from == id || from && !to) || e.rel == near && from != to;
            !leaves
        });
        self.link(what, rel, onto);
        self.link(what, near, onto);
        self.link(onto, near, what);
        if let Some(room) = room {
            for ix in moved {
                self.link(ix, rules.inside, room);
            }
        }
        Ok(())
    }

    /// Puts a thing somewhere in a dialect where it then is in that one place alone. Beside and under something it may be
    /// as well.
    fn lay(&mut self, what: Ix, rel: Rel, onto: Ix) {
        let rules = self.base.dialect().rules;
        let near = self.base.dialect().near;
        let id = self.base.node(what).id;
        let place = |r: Rel| r == rules.on || r == rules.inside;
        if place(rel) {
            let moved = |e: &Edge| {
                e.from == id && (place(e.rel) || rules.places.has(e.rel))
                    || e.to == id && e.rel == near
            };
            self.edges.retain(|e| !moved(e));
        }
        self.link(what, rel, onto);
        if rel == near {
            self.link(onto, near, what);
        }
    }

    fn with_load(&self, what: Ix) -> Vec<Ix> {
        let rules = self.base.dialect().rules;
        let mut all = vec![what];
        let mut i = 0;
        while i < all.len() {
            let id = self.base.node(all[i]).id;
            for e in self
                .edges
                .iter()
                .filter(|e| e.to == id && (e.rel == rules.on || e.rel == rules.inside))
            {
                if let Some(ix) = self.base.find(e.from).filter(|ix| !all.contains(ix)) {
                    all.push(ix);
                }
            }
            i += 1;
        }
        all
    }

    fn room(&self, ix: Ix) -> Result<Option<Ix>, String> {
        let scene = Scene::new(
            self.base.dialect(),
            "",
            self.nodes.clone(),
            self.edges.clone(),
        )
        .map_err(|d| d.message)?;
        let world = World::new(&Arc::new(scene), Profile::Eai).map_err(|d| d.message)?;
        Ok(reading::room(world.graph(), ix))
    }
}

/// The tracked fact that a fact makes true or false, if it is one.
fn extra(scene: &Scene, fact: &Fact) -> Result<Option<Extra>, String> {
    let Body::Tracked(id, from, to) = &fact.body else {
        return Ok(None);
    };
    let node = |list: &[Ix]| match list {
        [] => Ok(Ix::NONE),
        list => one(scene, list),
    };
    Ok(Some(Extra {
        fact: *id,
        of: [node(from)?, node(to)?],
        on: !fact.negated,
    }))
}

/// Binds what comes to pass by itself: the scene's first, then the task's.
fn happenings(
    task: &Task,
    base: &Scene,
    book: &Book,
    wrong: &mut Vec<Diagnostic>,
) -> (Vec<Happening>, Vec<Vec<Extra>>) {
    let (mut all, mut extras): (Vec<Happening>, Vec<Vec<Extra>>) = (Vec::new(), Vec::new());
    let scripted = base.events().iter().chain(&task.events);
    for (i, it) in scripted.enumerate() {
        let field = match i.checked_sub(base.events().len()) {
            Some(i) => format!("events[{i}]"),
            None => format!("the scene's events[{i}]"),
        };
        let mut fail = |part: &str, message: String| {
            wrong.push(sense::fault(format!("{field}{part}"), message));
        };
        if all.iter().any(|h| h.id == it.id) {
            fail(".id", format!("\"{}\" is used twice", it.id));
        }
        let mut effects = Vec::new();
        let mut changes = Vec::new();
        for (n, text) in it.then.iter().enumerate() {
            let read = takes(base, book, text, (&mut effects, &mut changes));
            if let Err(message) = read {
                fail(&format!(".then[{n}]"), message);
            }
        }
        let mut conditions = Vec::new();
        for (n, text) in it.when.iter().enumerate() {
            match Fact::read(base, book, text).and_then(condition) {
                Ok(condition) => conditions.push(condition),
                Err(message) => fail(&format!(".when[{n}]"), message),
            }
        }
        if let Some((part, message)) = sense::event(it) {
            fail(part, message.to_owned());
            continue;
        }
        let when = match it.at {
            Some(n) => When::Step(n),
            // What was to be waited for cannot be read, and that was told.
            None if conditions.is_empty() => continue,
            None => When::All(conditions, it.after),
        };
        all.push(Happening {
            id: it.id.clone(),
            words: it.words.clone(),
            when,
            effects,
        });
        extras.push(changes);
    }
    (all, extras)
}

/// Adds what a fact changes, in the graph or among tracked facts.
fn takes(
    scene: &Scene,
    book: &Book,
    text: &str,
    (effects, changes): (&mut Vec<Effect>, &mut Vec<Extra>),
) -> Result<(), String> {
    let fact = Fact::read(scene, book, text)?;
    if let Some(extra) = extra(scene, &fact)? {
        changes.push(extra);
        return Ok(());
    }
    let new = effect(scene, &fact)?;
    if effects.iter().any(|e| sense::contradict(scene, e, &new)) {
        return Err("it undoes what the event does before it; keep one".to_owned());
    }
    effects.push(new);
    Ok(())
}

/// What facts change when they come to pass together: in the graph, and among tracked facts.
///
/// # Errors
/// What is wrong with one of them.
pub fn changes(
    scene: &Scene,
    book: &Book,
    facts: &[String],
) -> Result<(Vec<Effect>, Vec<Extra>), String> {
    let (mut effects, mut extras) = (Vec::new(), Vec::new());
    for text in facts {
        takes(scene, book, text, (&mut effects, &mut extras))
            .map_err(|why| format!("{text}: {why}"))?;
    }
    Ok((effects, extras))
}

/// A fact as something that can be waited for.
fn condition(fact: Fact) -> Result<Condition, String> {
    let any = match fact.body {
        Body::State(nodes, state) => nodes
            .into_iter()
            .map(|n| Literal::State(n, state))
            .collect(),
        Body::Edge(from, rel, to) => from
            .into_iter()
            .flat_map(|f| to.iter().map(move |&t| Literal::Edge(f, rel, t)))
            .collect(),
        Body::Tracked(..) => {
            return Err("a tracked fact cannot be waited for; name a state or a place".to_owned());
        }
    };
    Ok(Condition {
        any,
        negated: fact.negated,
    })
}

/// A fact as a change.
fn effect(scene: &Scene, fact: &Fact) -> Result<Effect, String> {
    let rules = scene.dialect().rules;
    let effect = match &fact.body {
        Body::State(nodes, state) => Effect::State(one(scene, nodes)?, *state, !fact.negated),
        Body::Edge(from, rel, to) => {
            let (from, to) = (one(scene, from)?, one(scene, to)?);
            if fact.negated {
                Effect::Cut(from, *rel, to)
            } else if *rel == rules.on || *rel == rules.inside {
                Effect::Place(from, *rel, to)
            } else {
                Effect::Link(from, *rel, to)
            }
        }
        Body::Tracked(..) => return Err("is kept by the monitor".to_owned()),
    };
    match sense::impossible(scene, &effect) {
        Some(why) => Err(why),
        None => Ok(effect),
    }
}

fn one(scene: &Scene, nodes: &[Ix]) -> Result<Ix, String> {
    match nodes {
        [one] => Ok(*one),
        many => {
            let list: Vec<String> = many
                .iter()
                .take(6)
                .map(|&ix| scene.node(ix).name())
                .collect();
            Err(format!(
                "the name may be any of {}; write one of them",
                list.join(", ")
            ))
        }
    }
}

#[cfg(test)]
mod tests;
