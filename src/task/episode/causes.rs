//! Why a fact stands as it does: the step that made it so, then what made that step possible, and so on back to the start.
//!
//! What a step needed is found with the simulator itself, for any action of any dialect: a fact is needed when the action
//! would be refused in the same world without it. Facts that stand in for each other are therefore not named.

use std::collections::BTreeSet;

use crate::plan::fact::{self, Fact};
use crate::plan::ledger::Standing;
use crate::safety::monitor::About;
use crate::safety::verdict::Instance;
use crate::sim::graph::{Change, Graph};
use crate::sim::happen::Effect;
use crate::sim::reading::{self, Literal};
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::vocab::{Ix, State};
use crate::sim::world::{Action, World};

use super::{Episode, Part};

/// How many steps back a chain goes before it is folded.
const DEEPEST: usize = 3;
/// How many steps one answer explains.
const MOST: usize = 12;
/// How many facts a step is said to have needed.
const NEEDS: usize = 6;
/// How many earlier changes are tried as what a step needed, the latest first.
const TRIED: usize = 400;

/// A fact with where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What is so.
    pub told: Told,
    /// The position whose step made it so; the start, if it was so before the first step.
    pub since: Pos,
    /// The action of that step.
    pub did: Option<Action>,
    /// What that step changed about the nodes the fact speaks of, sorted.
    pub effects: Vec<Change>,
    /// Which happenings came to pass with that step, by index.
    pub happened: Vec<usize>,
    /// What the step needed.
    pub needs: Vec<Self>,
    /// Whether there is more that is not told here: it is told above, or too far back.
    pub folded: Option<Folded>,
}

/// What is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Said by a rule or goal in its own words, with the nodes it speaks of.
    Words(String, Vec<Ix>),
    /// A state or a relation, or its absence.
    Fact(Literal),
}

/// Why a chain ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folded {
    /// The step is explained above.
    Above,
    /// It goes on further back.
    Deep,
}

impl Told {
    /// The nodes it speaks of.
    pub fn nodes(&self) -> Vec<Ix> {
        match self {
            Self::Words(_, nodes) => nodes.clone(),
            Self::Fact(Literal::State(n, ..)) => vec![*n],
            Self::Fact(Literal::Edge(from, _, to, _)) => vec![*from, *to],
        }
    }
}

impl Episode {
    /// Why an instance of a rule is broken where the episode stands, or what of it is so by now: each fact with the steps
    /// behind it. Of a rule that a step of the way here broke, the facts are those of that step.
    pub fn causes_of_rule(&mut self, instance: &Instance) -> Vec<Cause> {
        let here = self.here();
        let way = self.timeline.path(here);
        let broke = way
            .iter()
            .rev()
            .copied()
            .find(|&pos| self.broken_at(pos).contains(instance));
        let at = broke.unwrap_or(here);
        // Of a rule about an act, the facts are those the act was done in.
        let before = broke.and_then(|pos| self.timeline.parent(pos));
        let mut best: Option<(usize, Vec<Part>)> = None;
        for pos in [Some(at), before].into_iter().flatten() {
            self.move_to(pos);
            let ways = self.parts(instance);
            let found = ways
                .into_iter()
                .filter(|way| !way.is_empty())
                .map(|way| (lacking(&way), way))
                .min_by_key(|(lacking, _)| *lacking);
            if let Some(found) = found
                && best.as_ref().is_none_or(|(least, _)| found.0 < *least)
            {
                best = Some(found);
            }
        }
        self.move_to(here);
        let mut roots = Vec::new();
        for part in best.into_iter().flat_map(|(_, way)| way) {
            let since = match (part.about, broke) {
                (About::Facts, _) if part.value => part.since.unwrap_or(Pos::START),
                (About::Act, Some(broke)) => broke,
                _ => continue,
            };
            roots.push((Told::Words(part.words, part.nodes), since));
        }
        self.explain(roots)
    }

    /// Why a goal stands as it does where the episode stands: each of its facts that is as it is, and the steps behind it.
    pub fn causes_of_goal(&mut self, index: usize) -> Vec<Cause> {
        let here = self.here();
        let Some(goal) = self.ledger.goals().goals.get(index) else {
            return Vec::new();
        };
        let holds = self.ledger.holds(index, here);
        let since = match self.ledger.standing(index, here, &self.timeline) {
            Standing::Never => Pos::START,
            Standing::Since(pos) | Standing::Lost(pos) => pos,
        };
        let graph = self.timeline.world().graph();
        let facts = goal.facts();
        let mut told: Vec<Literal> = Vec::new();
        for fact in facts {
            // A goal that does not hold is explained by what it lacks.
            if facts.len() > 1 && fact.holds(graph, &()) != holds {
                continue;
            }
            told.extend(literals(graph, fact));
        }
        let mut roots: Vec<(Told, Pos)> = told
            .into_iter()
            .take(NEEDS)
            .map(|literal| said(self.timeline.world(), literal, graph))
            .map(|literal| (Told::Fact(literal), since_of(&self.timeline, literal)))
            .collect();
        if roots.is_empty() {
            let mut nodes: Vec<Ix> = facts.iter().flat_map(Fact::nodes).collect();
            nodes.sort_unstable();
            nodes.dedup();
            roots.push((Told::Words(goal.text.clone(), nodes), since));
        }
        self.explain(roots)
    }

    fn explain(&mut self, roots: Vec<(Told, Pos)>) -> Vec<Cause> {
        let here = self.here();
        let mut seen = BTreeSet::new();
        let causes = roots
            .into_iter()
            .map(|(told, since)| cause(&mut self.timeline, told, since, DEEPEST, &mut seen))
            .collect();
        // The monitors never moved; only the world goes back to where they stand.
        self.timeline.goto(here);
        causes
    }
}

/// How many facts of a way are missing; what is done is not a fact.
fn lacking(way: &[Part]) -> usize {
    let facts = way.iter().filter(|part| part.about == About::Facts);
    facts.filter(|part| !part.value).count()
}

/// A fact of a goal as what is so now: of several nodes it may speak of, those that make it so, else all.
fn literals(graph: &Graph, fact: &Fact) -> Vec<Literal> {
    let all: Vec<Literal> = match &fact.body {
        fact::Body::State(nodes, state) => nodes
            .iter()
            .map(|&n| Literal::State(n, *state, reading::has_state(graph, n, *state)))
            .collect(),
        fact::Body::Edge(from, rel, to) => from
            .iter()
            .flat_map(|&f| to.iter().map(move |&t| (f, t)))
            .map(|(f, t)| Literal::Edge(f, *rel, t, reading::has_edge(graph, f, *rel, t)))
            .collect(),
        fact::Body::Tracked(..) => Vec::new(),
    };
    let so: Vec<Literal> = all.iter().copied().filter(|l| is_so(*l)).collect();
    if so.is_empty() { all } else { so }
}

const fn is_so(literal: Literal) -> bool {
    match literal {
        Literal::State(.., on) | Literal::Edge(.., on) => on,
    }
}

/// Since which position of the path to where the timeline stands a fact has been as it is.
fn since_of(timeline: &Timeline, literal: Literal) -> Pos {
    let near = timeline.world().dialect().near;
    timeline.last_touch(|change| match (*change, literal) {
        (Change::State(n, s, _), Literal::State(node, state, _)) => n == node && s == state,
        (Change::Edge(f, r, t, _), Literal::Edge(from, rel, to, _)) => {
            r == rel && (f == from && t == to || rel == near && f == to && t == from)
        }
        _ => false,
    })
}

/// A fact with the step that made it so and what that step needed. The timeline may stand elsewhere afterwards.
fn cause(
    timeline: &mut Timeline,
    told: Told,
    since: Pos,
    deep: usize,
    seen: &mut BTreeSet<Pos>,
) -> Cause {
    let nodes = told.nodes();
    let mut cause = Cause {
        told,
        since,
        did: timeline.action(since),
        effects: Vec::new(),
        happened: Vec::new(),
        needs: Vec::new(),
        folded: None,
    };
    let (Some(did), Some(before)) = (cause.did, timeline.parent(since)) else {
        return cause;
    };
    timeline.goto(since);
    let opposite = |state| timeline.world().dialect().opposite(state);
    let concerns = |change: &Change| match (&cause.told, change) {
        (Told::Words(..), Change::State(n, ..)) => nodes.contains(n),
        (Told::Words(..), Change::Edge(from, _, to, _)) => {
            nodes.contains(from) || nodes.contains(to)
        }
        (Told::Fact(Literal::State(n, s, _)), Change::State(m, t, _)) => {
            n == m && (s == t || opposite(*s) == Some(*t))
        }
        (Told::Fact(Literal::Edge(from, rel, to, _)), Change::Edge(f, r, t, _)) => {
            // Of where a thing is now, where it was tells more.
            rel == r && (from == f || from == t && to == f)
        }
        _ => false,
    };
    cause.effects = timeline.changes_here();
    cause.effects.retain(concerns);
    let world = timeline.world();
    cause.happened = world.happened(timeline.items(since)).collect();
    if seen.contains(&since) {
        cause.folded = Some(Folded::Above);
        return cause;
    }
    timeline.goto(before);
    let needs = needs(timeline, did);
    if (deep == 0 || seen.len() >= MOST) && needs.iter().any(|(_, pos)| *pos != Pos::START) {
        cause.folded = Some(Folded::Deep);
        return cause;
    }
    seen.insert(since);
    cause.needs = needs
        .into_iter()
        .map(|(literal, pos)| {
            self::cause(
                timeline,
                Told::Fact(literal),
                pos,
                deep.saturating_sub(1),
                seen,
            )
        })
        .collect();
    cause
}

/// The facts without which an action would be refused where the timeline stands, and since when each is so; the latest first.
fn needs(timeline: &Timeline, action: Action) -> Vec<(Literal, Pos)> {
    let mut world = timeline.world().clone();
    let mut needed: Vec<(Literal, Pos)> = Vec::new();
    if world.check(action).is_err() {
        return needed;
    }
    let mut tried: Vec<Literal> = Vec::new();
    let near = world.dialect().near;
    for literal in candidates(timeline, action) {
        let turned = match literal {
            Literal::Edge(from, rel, to, on) if rel == near => Literal::Edge(to, rel, from, on),
            same => same,
        };
        if tried.contains(&literal) || tried.contains(&turned) {
            continue;
        }
        tried.push(literal);
        let hash = world.hash();
        world.bring(&[opposite(literal)]);
        if world.check(action).is_err() {
            let literal = said(&world, literal, timeline.world().graph());
            needed.push((literal, since_of(timeline, literal)));
        }
        let items = world.graph().last_items().to_vec();
        world.take_back(&items, hash);
    }
    needed.extend(reach(timeline, action, &needed));
    // What never was so explains nothing.
    needed.retain(|(literal, pos)| is_so(*literal) || *pos != Pos::START);
    // That a thing is open and that it is not closed is one fact.
    let mut kept: Vec<(Literal, Pos)> = Vec::new();
    needed.sort_by_key(|(literal, pos)| (std::cmp::Reverse(*pos), !is_so(*literal)));
    for (literal, pos) in needed {
        let said = kept
            .iter()
            .any(|(known, _)| same_said(&world, *known, literal));
        if !said {
            kept.push((literal, pos));
        }
    }
    kept.truncate(NEEDS);
    kept
}

/// A lacking state as the opposite one that a thing has instead: closed is what people call not open.
fn said(world: &World, literal: Literal, graph: &Graph) -> Literal {
    let Literal::State(n, state, false) = literal else {
        return literal;
    };
    let opposite = world.dialect().opposite(state);
    let has = opposite.filter(|other| graph.states(n).has(*other));
    has.map_or(literal, |other| Literal::State(n, other, true))
}

/// Whoever acts may be within reach of a thing in several ways at once, of which each alone would do: then all of them are
/// what is needed, and the thing that the action is about is named.
fn reach(timeline: &Timeline, action: Action, needed: &[(Literal, Pos)]) -> Option<(Literal, Pos)> {
    let near = timeline.world().dialect().near;
    let is_near = |(literal, _): &(Literal, Pos)| matches!(literal, Literal::Edge(_, rel, ..) if *rel == near);
    if needed.iter().any(is_near) {
        return None;
    }
    let mut world = timeline.world().clone();
    let me = world.me();
    let all: Vec<Effect> = world
        .graph()
        .around(me)
        .map(|(other, ..)| Effect::Cut(me, near, other))
        .collect();
    world.bring(&all);
    world.check(action).err()?;
    let graph = timeline.world().graph();
    let close = |ix: &Ix| graph.has(me, near, *ix) || graph.has(*ix, near, me);
    let to = [action.a, action.b]
        .into_iter()
        .filter(|ix| ix.is_some())
        .find(close)?;
    let literal = Literal::Edge(me, near, to, true);
    Some((literal, since_of(timeline, literal)))
}

/// Whether two facts say the same of a node by two opposite states.
fn same_said(world: &World, known: Literal, more: Literal) -> bool {
    match (known, more) {
        (Literal::State(one, state, on), Literal::State(two, other, off)) => {
            one == two
                && (state == other || on != off && world.dialect().opposite(state) == Some(other))
        }
        _ => false,
    }
}

/// What takes a fact back.
const fn opposite(literal: Literal) -> Effect {
    match literal {
        Literal::State(n, state, on) => Effect::State(n, state, !on),
        Literal::Edge(from, rel, to, true) => Effect::Cut(from, rel, to),
        Literal::Edge(from, rel, to, false) => Effect::Link(from, rel, to),
    }
}

/// Facts that an action may need: those about its targets and whoever acts, and those that changed on the way.
fn candidates(timeline: &Timeline, action: Action) -> Vec<Literal> {
    let world = timeline.world();
    let (graph, me, dialect) = (world.graph(), world.me(), world.dialect());
    let mut nodes: Vec<Ix> = [me, action.a, action.b]
        .into_iter()
        .filter(|ix| ix.is_some())
        .collect();
    // What a target is in or on may shut it away; what is in the hand may be a tool.
    let (inside, on) = (dialect.rules.inside, dialect.rules.on);
    let mut i = 1;
    while let Some(&at) = nodes.get(i) {
        i += 1;
        for up in [inside, on]
            .into_iter()
            .flat_map(|rel| graph.targets(at, rel))
        {
            if nodes.len() < 12 && !nodes.contains(&up) {
                nodes.push(up);
            }
        }
    }
    let held: Vec<Ix> = reading::held(graph, me).collect();
    nodes.extend(
        held.into_iter()
            .filter(|held| *held != action.a && *held != action.b),
    );
    let targets = [action.a, action.b];
    let mut all = Vec::new();
    for &n in nodes.iter().filter(|n| !graph.hot(**n).room) {
        let states = (0..dialect.states.len() as u8).map(State);
        all.extend(states.map(|s| Literal::State(n, s, graph.states(n).has(s))));
        for (other, out, _) in graph.around(n) {
            let concerns = n == me || targets.contains(&n) || nodes.contains(&other);
            // Of all that is near whoever acts, only what the action is about counts.
            let counts = nodes.contains(&other) || n != me;
            if concerns && counts {
                all.extend(out.iter().map(|rel| Literal::Edge(n, rel, other, true)));
            }
        }
    }
    let mut changed: Vec<Literal> = Vec::new();
    let mut at = timeline.here();
    while let Some(up) = timeline.parent(at) {
        graph.each_change(timeline.items(at), |change| {
            changed.push(match change {
                Change::State(n, s, _) => Literal::State(n, s, graph.states(n).has(s)),
                Change::Edge(from, rel, to, _) => {
                    Literal::Edge(from, rel, to, graph.has(from, rel, to))
                }
            });
        });
        if changed.len() > TRIED {
            break;
        }
        at = up;
    }
    changed.truncate(TRIED);
    // Nearness to what the action is not about never decides.
    changed.retain(|literal| match *literal {
        Literal::Edge(from, rel, to, _) if rel == dialect.near => {
            nodes.contains(&from) && nodes.contains(&to)
        }
        _ => true,
    });
    all.extend(changed);
    all
}
