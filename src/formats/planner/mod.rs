//! A task of the virtualhome dialect as PDDL for planners and validators (Fast Downward, VAL), and their plans back.
//!
//! The domain says what the strict semantics say for the acts it has (`acts`): distance, closed containers and doors, two
//! hands, loads that move with what carries them. Deeds that a goal asks for are facts that acts leave behind; what must
//! never hold stops every act. What has no place in it, a rule, a happening, a tracked fact, is a [`Loss`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::base::diag::Diagnostic;
use crate::formats::trace::{Loss, Trace, Written, name_of};
use crate::plan::fact::{Body, Fact};
use crate::plan::goal::{Ask, Deed, Goal};
use crate::sim::graph::Graph;
use crate::sim::scene::Scene;
use crate::sim::virtualhome::DIALECT;
use crate::sim::virtualhome::actions::cut::is_blade;
use crate::sim::virtualhome::actions::open::INTERLOCKED;
use crate::sim::virtualhome::actions::pour;
use crate::sim::virtualhome::strict::hold::{carries, contents, flows, graspable, takes};
use crate::sim::virtualhome::strict::reach::{is_floor, is_with, place, supports};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{Ix, Profile, Prop, State};
use crate::sim::world::{Action, World};
use crate::task::setup::Setup;

mod acts;

use acts::{ACTS, BESIDE, DERIVED, PREDICATES};

/// States that the domain knows.
const STATES: &[State] = &[
    state::OPEN,
    state::CLOSED,
    state::ON,
    state::OFF,
    state::PLUGGED_IN,
    state::PLUGGED_OUT,
    state::CLEAN,
    state::DIRTY,
    state::CUT,
    state::POURED,
    state::SPILLED,
];

/// The task as `domain.pddl` and `problem.pddl`.
///
/// # Errors
/// The task is of another dialect, or nobody acts in its scene.
pub fn write(setup: &Setup) -> Result<Written, Diagnostic> {
    if setup.scene.dialect().id != DIALECT.id {
        let what = format!("PDDL is written for {} only so far", DIALECT.id);
        return Err(Diagnostic::error("", what)
            .help("export a task of that dialect, such as V022")
            .in_file(&setup.task.id));
    }
    let world = setup.world(Profile::Strict)?;
    let mut writer = Writer {
        things: relevant(setup, &world),
        beside: asks_beside(setup),
        setup,
        world,
        losses: BTreeMap::new(),
        danger: Vec::new(),
        deeds: Vec::new(),
        init: BTreeSet::new(),
    };
    let goals = writer.goals();
    writer.start();
    writer.name_losses();
    let id = name_of(&setup.task.id);
    Ok(Written {
        files: vec![
            (
                "problem.pddl".to_owned(),
                writer.problem(&id, &goals).into_bytes(),
            ),
            ("domain.pddl".to_owned(), writer.domain(&id).into_bytes()),
        ],
        losses: writer
            .losses
            .into_iter()
            .map(|(field, count)| Loss {
                field,
                count,
                kept: None,
            })
            .collect(),
    })
}

/// The steps of a plan as lines of a script for `vesta play`, `GRAB bowl.203`.
///
/// # Errors
/// A step is no act of the domain, or names nothing in the scene.
pub fn script(scene: &Scene, plan: &Trace) -> Result<Vec<String>, Diagnostic> {
    let names: BTreeMap<String, Ix> = scene
        .indices()
        .map(|ix| (name_of(&scene.node(ix).name()), ix))
        .collect();
    let mut lines = Vec::new();
    for (i, call) in plan.turns.iter().flat_map(|t| &t.calls).enumerate() {
        let wrong = |what: String, help: &str| {
            Diagnostic::error(format!("step {}", i + 1), what).help(help)
        };
        let verb = call.name.to_ascii_lowercase();
        let known = ACTS.iter().find(|a| a.name == verb).map(|a| a.verb);
        let upper = verb.to_uppercase();
        let action = known.map_or_else(
            || scene.dialect().action(&upper),
            |v| scene.dialect().action(v),
        );
        let Some((_, def)) = action else {
            return Err(wrong(
                format!("no action is called {verb}"),
                "plan with the domain that vesta export --format pddl writes",
            ));
        };
        let given: Vec<String> =
            serde_json::from_str::<BTreeMap<String, Vec<String>>>(&call.arguments)
                .ok()
                .and_then(|mut all| all.remove("objects"))
                .unwrap_or_default();
        let mut line = def.name.to_owned();
        for at in 0..usize::from(def.arity) {
            let Some(object) = given.get(at) else {
                return Err(wrong(
                    format!("{verb} lacks an object"),
                    "write (action object ...)",
                ));
            };
            let Some(&ix) = names.get(&object.to_ascii_lowercase()) else {
                return Err(wrong(
                    format!("nothing is called {object} in the scene of the task"),
                    "name the task the plan is for with --task",
                ));
            };
            let _ = write!(line, " {}", scene.node(ix).name());
        }
        lines.push(line);
    }
    Ok(lines)
}

/// What the problem speaks of: nodes of goals, start facts and plans; what carries or contains those; what is in
/// their vessels; doors that are closed; the floors.
fn relevant(setup: &Setup, world: &World) -> BTreeSet<Ix> {
    let (g, me) = (world.graph(), world.me());
    let mut found = BTreeSet::new();
    for goal in &setup.goals.goals {
        found.extend(g.scene().indices().filter(|&ix| goal.mentions(ix)));
        if let Ask::Done(deed) = &goal.ask {
            for fact in &deed.given {
                found.extend(nodes(fact));
            }
        }
    }
    found.extend(setup.amiss());
    for action in setup.reference.iter().chain(&setup.naive) {
        found.extend([action.a, action.b]);
    }
    found.extend(
        g.base()
            .passages
            .iter()
            .map(|p| p.door)
            .filter(|&d| is_closed(g, d)),
    );
    found.extend(
        g.targets(me, rel::HOLDS_RH)
            .chain(g.targets(me, rel::HOLDS_LH)),
    );
    let mut all = BTreeSet::new();
    let mut open: Vec<Ix> = found.into_iter().collect();
    while let Some(ix) = open.pop() {
        let skip =
            !ix.is_some() || ix == me || g.hot(ix).room || g.hot(ix).props.has(prop::BODY_PART);
        if skip || g.has(ix, rel::ON, me) || !all.insert(ix) {
            continue;
        }
        open.extend(supports(g, ix));
        open.extend(contents(g, ix));
    }
    all
}

/// Whether a goal is about things that are near each other.
fn asks_beside(setup: &Setup) -> bool {
    let mut facts = setup.goals.goals.iter().flat_map(Goal::facts);
    facts.any(|f| matches!(f.body, Body::Edge(_, rel::CLOSE, _)))
}

/// The nodes a fact names.
fn nodes(fact: &Fact) -> Vec<Ix> {
    match &fact.body {
        Body::State(of, _) => of.clone(),
        Body::Edge(from, _, to) | Body::Tracked(_, from, to) => [from.as_slice(), to].concat(),
    }
}

fn is_closed(g: &Graph, n: Ix) -> bool {
    g.states(n).has(state::CLOSED)
}

/// A deed that a goal asks for.
struct Asked {
    /// What else must hold as it is done, with the acts that see to it themselves.
    deed: Deed,
    /// The acts that may do it, by number, each with a predicate of its targets where it matters.
    by: BTreeSet<usize>,
}

/// A problem being written.
struct Writer<'s> {
    setup: &'s Setup,
    world: World,
    things: BTreeSet<Ix>,
    /// Whether a goal asks for things that are near each other, or not.
    beside: bool,
    losses: BTreeMap<String, usize>,
    /// What must never hold.
    danger: Vec<String>,
    deeds: Vec<Asked>,
    init: BTreeSet<String>,
}

impl Writer<'_> {
    fn name(&self, ix: Ix) -> String {
        name_of(&self.world.scene().node(ix).name())
    }

    fn lost(&mut self, what: &str, count: usize) {
        if count > 0 {
            *self.losses.entry(what.to_owned()).or_default() += count;
        }
    }

    /// The goals, in order; fills in the deeds and the dangers.
    fn goals(&mut self) -> Vec<String> {
        let mut out = Vec::new();
        for goal in &self.setup.goals.goals {
            let facts: &[Fact] = match &goal.ask {
                Ask::Fact(fact) => std::slice::from_ref(fact),
                Ask::All(facts) | Ask::Never(facts) => facts,
                Ask::Formula(_) | Ask::Done(_) => &[],
            };
            let told: Option<Vec<String>> = facts.iter().map(|f| self.fact(f)).collect();
            let done = match (&goal.ask, told) {
                (Ask::Done(deed), _) => self.deed(deed).map(|n| format!("(done_{n})")),
                (Ask::Never(_), Some(told)) => {
                    self.danger.push(format!("(and {})", told.join(" ")));
                    continue;
                }
                (Ask::Fact(_) | Ask::All(_), Some(told)) => Some(told.join(" ")),
                _ => None,
            };
            match done {
                Some(text) => out.push(text),
                None => self.lost(&format!("goal {}", goal.text), 1),
            }
        }
        if !self.danger.is_empty() {
            out.push("(not (danger))".to_owned());
        }
        out
    }

    /// A fact as a formula: of several nodes any will do. `None` where the domain has no word for it.
    fn fact(&self, fact: &Fact) -> Option<String> {
        let g = self.world.graph();
        let known = |ix: &Ix| self.things.contains(ix);
        let mut any = Vec::new();
        match &fact.body {
            Body::State(of, what) => {
                if !STATES.contains(what) {
                    return None;
                }
                let of = of.iter().filter(|n| known(n));
                any.extend(of.map(|&n| format!("({} {})", self.is(*what), self.name(n))));
            }
            Body::Edge(from, how, to) => {
                for (&a, &b) in from.iter().flat_map(|a| to.iter().map(move |b| (a, b))) {
                    let told = match *how {
                        rel::INSIDE if g.hot(b).room && a == self.world.me() => {
                            format!("(at_room {})", self.name(b))
                        }
                        rel::INSIDE if g.hot(b).room && known(&a) => {
                            format!("(in_room {} {})", self.name(a), self.name(b))
                        }
                        rel::ON if known(&a) && known(&b) => {
                            format!("(on {} {})", self.name(a), self.name(b))
                        }
                        rel::INSIDE if known(&a) && known(&b) => {
                            format!("(in {} {})", self.name(a), self.name(b))
                        }
                        rel::HOLDS_RH if a == self.world.me() && known(&b) => {
                            format!("(holds rh {})", self.name(b))
                        }
                        rel::HOLDS_LH if a == self.world.me() && known(&b) => {
                            format!("(holds lh {})", self.name(b))
                        }
                        rel::CLOSE if a == self.world.me() && known(&b) => {
                            format!("(near {})", self.name(b))
                        }
                        rel::CLOSE if known(&a) && known(&b) => {
                            format!("(beside {} {})", self.name(a), self.name(b))
                        }
                        _ => return None,
                    };
                    any.push(told);
                }
            }
            Body::Tracked(..) => return None,
        }
        let some = match any.as_slice() {
            [] => return None,
            [one] => one.clone(),
            all => format!("(or {})", all.join(" ")),
        };
        Some(if fact.negated {
            format!("(not {some})")
        } else {
            some
        })
    }

    /// The predicate of a state.
    fn is(&self, what: State) -> String {
        format!("is_{}", name_of(self.world.dialect().state_name(what)))
    }

    /// Notes a deed: which acts do it with which targets. `None` where no act does.
    fn deed(&mut self, deed: &Deed) -> Option<usize> {
        if deed.given.iter().any(|f| self.fact(f).is_none()) {
            return None;
        }
        let n = self.deeds.len();
        let (g, mut by) = (self.world.graph(), BTreeSet::new());
        let rooms = g.scene().indices().filter(|&r| g.hot(r).room);
        let targets: Vec<Ix> = self.things.iter().copied().chain(rooms).collect();
        let mut facts = Vec::new();
        for (i, act) in ACTS.iter().enumerate() {
            let Some((verb, def)) = self.world.dialect().action(act.verb) else {
                continue;
            };
            let room_act = act.name == "walk_room";
            let mut note = |a: Ix, b: Ix| {
                let line = self.world.line(Action { verb, a, b });
                if !deed.texts.iter().any(|t| line.contains(t.as_str())) {
                    return;
                }
                by.insert(i);
                let mut fact = format!("(asked_{n}_{}", act.name);
                for ix in [a, b].into_iter().filter(|ix| ix.is_some()) {
                    let _ = write!(fact, " {}", self.name(ix));
                }
                facts.push(fact + ")");
            };
            match def.arity {
                0 => note(Ix::NONE, Ix::NONE),
                1 => targets
                    .iter()
                    .filter(|&&a| g.hot(a).room == room_act)
                    .for_each(|&a| note(a, Ix::NONE)),
                _ => {
                    for &a in &self.things {
                        self.things.iter().for_each(|&b| note(a, b));
                    }
                }
            }
        }
        if by.is_empty() {
            return None;
        }
        self.init.extend(facts);
        self.deeds.push(Asked {
            deed: deed.clone(),
            by,
        });
        Some(n)
    }

    /// The facts at the start.
    fn start(&mut self) {
        let (g, me) = (self.world.graph(), self.world.me());
        let mut init = std::mem::take(&mut self.init);
        let name = |ix: Ix| self.name(ix);
        if let Some(room) = place(g, me) {
            init.insert(format!("(at_room {})", name(room)));
        }
        if g.states(me).has(state::SITTING) || g.states(me).has(state::LYING) {
            init.insert("(resting)".to_owned());
        }
        for (hand, how) in [("rh", rel::HOLDS_RH), ("lh", rel::HOLDS_LH)] {
            match g.first_target(me, how) {
                Some(held) => init.insert(format!("(holds {hand} {})", name(held))),
                None => init.insert(format!("(empty {hand})")),
            };
        }
        for &x in &self.things {
            let hot = g.hot(x);
            let mut is = |word: &str, so: bool| {
                if so {
                    init.insert(format!("({word} {})", name(x)));
                }
            };
            for &what in STATES {
                is(&self.is(what), hot.states.has(what));
            }
            let has = |p: Prop| hot.props.has(p);
            let class = g.class(x);
            is("near", g.has(me, rel::CLOSE, x));
            is(
                "graspable",
                graspable(g, x) && !is_with(g, me, x)
                    || g.rels(me, x).has(rel::HOLDS_RH)
                    || g.rels(me, x).has(rel::HOLDS_LH),
            );
            is(
                "openable",
                has(prop::CAN_OPEN) || ["desk", "window"].contains(&class),
            );
            is("interlocked", INTERLOCKED.contains(&class));
            is("switched", has(prop::HAS_SWITCH));
            is("plugged", has(prop::HAS_PLUG));
            is("cuttable", has(prop::EATABLE) && has(prop::CUTTABLE));
            is("blade", is_blade(class));
            is("flows", flows(g, x));
            is("vessel", has(prop::RECIPIENT));
            is("basin", pour::takes(g, x));
            is("floor", is_floor(g, x));
            let passage = g.base().passages.iter().find(|p| p.door == x);
            is("door", passage.is_some() && hot.door);
            for (i, &room) in passage.iter().flat_map(|p| p.rooms.iter().enumerate()) {
                init.insert(format!("(side {} {})", name(x), name(room)));
                if i == 0 {
                    init.insert(format!("(first_side {} {})", name(x), name(room)));
                }
            }
            let mut up = supports(g, x)
                .filter(|s| self.things.contains(s))
                .peekable();
            if up.peek().is_none()
                && let Some(room) = place(g, x)
            {
                init.insert(format!("(stands {} {})", name(x), name(room)));
            }
            for &y in self.things.iter().filter(|&&y| y != x) {
                for (word, so) in [
                    ("on", g.has(x, rel::ON, y)),
                    ("in", g.has(x, rel::INSIDE, y)),
                    ("beside", self.beside && g.has(x, rel::CLOSE, y)),
                    ("carries", graspable(g, x) && carries(g, x, y)),
                    ("takes", graspable(g, x) && takes(g, x, y)),
                ] {
                    if so {
                        init.insert(format!("({word} {} {})", name(x), name(y)));
                    }
                }
            }
        }
        self.rooms(&mut init);
        self.init = init;
    }

    /// How rooms hang together: by doors that are not among the things and stay open, and by no doors at all.
    fn rooms(&self, init: &mut BTreeSet<String>) {
        let g = self.world.graph();
        let rooms: Vec<Ix> = g.scene().indices().filter(|&r| g.hot(r).room).collect();
        let mut group: BTreeMap<Ix, Ix> = rooms.iter().map(|&r| (r, r)).collect();
        for passage in &g.base().passages {
            let [a, b] = passage.rooms;
            let (Some(&one), Some(&other)) = (group.get(&a), group.get(&b)) else {
                continue;
            };
            group
                .values_mut()
                .filter(|v| **v == other)
                .for_each(|v| *v = one);
            if !self.things.contains(&passage.door) && !is_closed(g, passage.door) {
                init.insert(format!("(joined {} {})", self.name(a), self.name(b)));
                init.insert(format!("(joined {} {})", self.name(b), self.name(a)));
            }
        }
        for &a in &rooms {
            for &b in rooms.iter().filter(|&&b| b != a) {
                if group.get(&a) != group.get(&b) {
                    init.insert(format!("(apart {} {})", self.name(a), self.name(b)));
                }
            }
        }
    }

    /// Names what the files do not say.
    fn name_losses(&mut self) {
        let setup = self.setup;
        for rule in &setup.task.process_rules {
            self.lost(&format!("rule {rule}"), 1);
        }
        self.lost("happening", setup.happenings.len());
        let rooms = self
            .world
            .scene()
            .indices()
            .filter(|&r| self.world.graph().hot(r).room)
            .count();
        let left = self
            .world
            .scene()
            .len()
            .saturating_sub(self.things.len() + rooms + 1);
        self.lost("node that no goal, start fact or plan needs", left);
        let known: BTreeSet<&str> = ACTS.iter().map(|a| a.verb).collect();
        let actions = self.world.dialect().actions.iter();
        let unsaid = actions.filter(|a| !known.contains(a.name)).count();
        self.lost("action that the domain does not have", unsaid);
    }

    /// The domain: acts with what this task's deeds and dangers add to them.
    fn domain(&self, id: &str) -> String {
        let mut out = format!(
            "; the strict semantics of virtualhome as far as task {id} needs them\n(define (domain {id}_house)\n  (:requirements :adl :derived-predicates)\n  (:types thing room hand)\n  (:constants rh lh - hand)\n  (:predicates{PREDICATES}"
        );
        if self.beside {
            out.push_str(BESIDE);
        }
        for (n, asked) in self.deeds.iter().enumerate() {
            let _ = write!(out, "\n    (done_{n})");
            for act in asked.by.iter().filter_map(|&i| ACTS.get(i)) {
                let _ = write!(out, " (asked_{n}_{}{})", act.name, targets(act).1);
            }
        }
        if !self.danger.is_empty() {
            out.push_str(" (danger)");
        }
        let _ = write!(out, ")\n{DERIVED}");
        if !self.danger.is_empty() {
            // It names things, which the domain must declare itself: see the constants below.
            let _ = writeln!(out, "  (:derived (danger) (or {}))", self.danger.join(" "));
        }
        for (i, act) in ACTS.iter().enumerate() {
            let guard = if self.danger.is_empty() {
                ""
            } else {
                " (not (danger))"
            };
            let _ = write!(
                out,
                "\n  (:action {}\n    :parameters ({})\n    :precondition (and {}{guard})\n    :effect (and {}",
                act.name, act.parameters, act.needs, act.does
            );
            if self.beside {
                out.extend(acts::beside(act).iter().copied());
            }
            for (n, asked) in self
                .deeds
                .iter()
                .enumerate()
                .filter(|(_, d)| d.by.contains(&i))
            {
                let names = targets(act).0;
                let mut when = format!("(asked_{n}_{}{names})", act.name);
                if n > 0 {
                    let _ = write!(when, " (done_{})", n - 1);
                }
                for given in asked.deed.given.iter().filter_map(|f| self.after(act, f)) {
                    let _ = write!(when, " {given}");
                }
                let _ = write!(out, "\n      (when (and {when}) (done_{n}))");
            }
            out.push_str("))\n");
        }
        let named = format!("{}{}", self.danger.join(" "), self.givens());
        if !named.trim().is_empty() {
            let used: Vec<String> = self
                .things
                .iter()
                .map(|&x| self.name(x))
                .filter(|n| speaks(&named, n))
                .collect();
            let rooms = self.rooms_named().into_iter().filter(|n| speaks(&named, n));
            let constants = format!(
                "(:constants rh lh - hand {}{})",
                listed(&used, "thing"),
                listed(&rooms.collect::<Vec<_>>(), "room")
            );
            out = out.replacen("(:constants rh lh - hand)", &constants, 1);
        }
        out.push_str(")\n");
        out
    }

    /// All that deeds want beside themselves.
    fn givens(&self) -> String {
        let all = self.deeds.iter().flat_map(|d| &d.deed.given);
        all.filter_map(|f| self.fact(f))
            .fold(String::new(), |t, f| t + " " + &f)
    }

    /// What must hold before an act so that a fact holds after it; nothing where the act sees to it for its target.
    fn after(&self, act: &acts::Act, fact: &Fact) -> Option<String> {
        let before = self.fact(fact)?;
        let one = match (&fact.body, fact.negated) {
            (Body::State(of, what), false) => {
                let sets = act.does.contains(&format!("({} ?x)", self.is(*what)))
                    && !act.does.contains(&format!("(not ({} ?x))", self.is(*what)));
                let same = of.iter().map(|&n| format!("(= ?x {})", self.name(n)));
                sets.then(|| same.collect::<Vec<_>>().join(" "))
            }
            (Body::Edge(from, how, to), false) => {
                let puts = (act.verb == "PUTIN" && *how == rel::INSIDE)
                    || (act.verb == "PUTBACK" && *how == rel::ON);
                let pairs = from.iter().flat_map(|a| to.iter().map(move |b| (a, b)));
                let same = pairs.map(|(&a, &b)| {
                    format!("(and (= ?x {}) (= ?b {}))", self.name(a), self.name(b))
                });
                puts.then(|| same.collect::<Vec<_>>().join(" "))
            }
            _ => None,
        };
        Some(one.map_or(before.clone(), |one| format!("(or {before} {one})")))
    }

    fn rooms_named(&self) -> Vec<String> {
        let g = self.world.graph();
        let rooms = g.scene().indices().filter(|&r| g.hot(r).room);
        rooms.map(|r| self.name(r)).collect()
    }

    fn problem(&self, id: &str, goals: &[String]) -> String {
        let named = format!("{}{}", self.danger.join(" "), self.givens());
        let things: Vec<String> = self.things.iter().map(|&x| self.name(x)).collect();
        let fresh = |all: Vec<String>| -> Vec<String> {
            all.into_iter().filter(|n| !speaks(&named, n)).collect()
        };
        let mut out = format!(
            "(define (problem {id})\n  (:domain {id}_house)\n  (:objects {}{})\n  (:init",
            listed(&fresh(things), "thing"),
            listed(&fresh(self.rooms_named()), "room")
        );
        for fact in &self.init {
            let _ = write!(out, "\n    {fact}");
        }
        let _ = writeln!(out, ")\n  (:goal (and {})))", goals.join("\n    "));
        out
    }
}

/// The names of an act's targets as its deeds take them, and the same with their types.
fn targets(act: &acts::Act) -> (String, String) {
    let arity = DIALECT
        .action(act.verb)
        .map_or(0, |(_, def)| usize::from(def.arity));
    let (mut names, mut typed) = (String::new(), String::new());
    let mut words = act.parameters.split_whitespace();
    for _ in 0..arity {
        let (Some(name), Some(_), Some(kind)) = (words.next(), words.next(), words.next()) else {
            break;
        };
        let _ = write!(names, " {name}");
        let _ = write!(typed, " {name} - {kind}");
    }
    (names, typed)
}

/// Whether a formula speaks of a name.
fn speaks(text: &str, name: &str) -> bool {
    text.split([' ', '(', ')']).any(|word| word == name)
}

fn listed(names: &[String], kind: &str) -> String {
    if names.is_empty() {
        String::new()
    } else {
        format!("{} - {kind} ", names.join(" "))
    }
}
