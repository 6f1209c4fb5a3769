//! What an agent is told of the world: no more than it could perceive, always in the same order.
//!
//! A [`View`] is what can be perceived at one position; [`View::text`] tells all of it, [`View::since`] what is new since
//! an earlier one. Which world it is nobody asks here: words, rooms and nearness come from the dialect's descriptions.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::safety::verdict::{Instance, Standing};
use crate::sim::graph::Graph;
use crate::sim::reading::{self, is_shut, near, room};
use crate::sim::scene::Scene;
use crate::sim::speech::Means;
use crate::sim::vocab::{FactRead, Ix, Prop, Rel, State};
use crate::sim::world::World;
use crate::task::episode::{Episode, Warning};

pub mod heard;
mod tell;
#[cfg(test)]
mod tests;

/// How far an agent perceives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everything, as the published runners tell it.
    #[default]
    Full,
    /// What is in the agent's room and not shut away, and which rooms there are.
    Room,
    /// What is within reach and not shut away, and which rooms there are.
    Near,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 3] = [Self::Full, Self::Room, Self::Near];

    /// The name used in files and flags.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Room => "room",
            Self::Near => "near",
        }
    }

    /// The scope of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.id() == text)
    }
}

/// In what form it is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// Lines of words, room by room.
    #[default]
    Text,
    /// One fact a line, as task files write facts.
    Facts,
    /// One JSON object.
    Json,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Text, Self::Facts, Self::Json];

    /// The name used in files and flags.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Facts => "facts",
            Self::Json => "json",
        }
    }

    /// The form of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.id() == text)
    }
}

/// How an agent is told what it perceives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Observing {
    /// How far it perceives.
    pub scope: Scope,
    /// In what form.
    pub form: Form,
    /// Whether after a step only what is new is told, instead of everything.
    pub diffs: bool,
}

/// One fact that is perceived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact {
    /// A thing has the state; or visibly lacks it, where it could have it: a door that is not open.
    State(Ix, State, bool),
    /// A relation holds.
    Edge(Ix, Rel, Ix),
}

impl Fact {
    /// The things it speaks of.
    fn nodes(self) -> [Ix; 2] {
        match self {
            Self::State(n, ..) => [n, n],
            Self::Edge(from, _, to) => [from, to],
        }
    }
}

/// What is perceived at one position.
#[derive(Clone, Debug)]
pub struct View {
    scene: Arc<Scene>,
    me: Ix,
    /// The room the agent is in.
    room: Option<Ix>,
    /// Per node: its room.
    rooms: Vec<Option<Ix>>,
    /// Per node: whether it is perceived.
    seen: Vec<bool>,
    /// Ascending.
    facts: BTreeSet<Fact>,
}

impl View {
    /// What is perceived where the world stands.
    pub fn of(world: &World, scope: Scope) -> Self {
        let (graph, scene, me) = (world.graph(), world.scene(), world.me());
        let seen = perceived(world, scope);
        let dialect = world.dialect();
        let mut facts = BTreeSet::new();
        let lacks = visible_lacks(world);
        for ix in scene.indices().filter(|ix| seen[ix.at()]) {
            let states = (0..dialect.states.len() as u8).map(State);
            facts.extend(
                states
                    .filter(|&s| reading::has_state(graph, ix, s))
                    .map(|s| Fact::State(ix, s, true)),
            );
            let props = graph.hot(ix).props;
            facts.extend(lacks.iter().filter_map(|&(prop, state)| {
                let lacking = props.has(prop) && !reading::has_state(graph, ix, state);
                lacking.then_some(Fact::State(ix, state, false))
            }));
        }
        for (from, rel, to) in graph.edges() {
            // Nearness is told of the agent alone; of all other things it can be concluded.
            let told = rel != dialect.near || from == me || dialect.reading.approach.is_none();
            let known = seen[from.at()] && seen[to.at()];
            if told && known && reading::has_edge(graph, from, rel, to) {
                facts.insert(Fact::Edge(from, rel, to));
            }
        }
        Self {
            scene: scene.clone(),
            me,
            room: room(graph, me),
            rooms: scene.indices().map(|ix| room(graph, ix)).collect(),
            seen,
            facts,
        }
    }

    /// The facts, ascending by the things they speak of.
    pub fn facts(&self) -> impl Iterator<Item = Fact> + '_ {
        self.facts.iter().copied()
    }

    /// Whether a thing is perceived.
    pub fn sees(&self, ix: Ix) -> bool {
        self.seen.get(ix.at()).copied().unwrap_or(false)
    }

    /// What is new here since an earlier view: facts that hold now and did not, and facts that held and do not although
    /// what they speak of is still perceived. What merely went out of sight is not told.
    pub fn since(&self, earlier: &Self) -> News {
        let gained = self.facts.difference(&earlier.facts).copied().collect();
        let lost = earlier.facts.difference(&self.facts);
        let lost = lost.filter(|f| f.nodes().iter().all(|&n| self.sees(n)));
        let all = self.scene.indices();
        News {
            seen: all
                .filter(|&ix| self.sees(ix) && !earlier.sees(ix))
                .collect(),
            gained,
            lost: lost.copied().collect(),
        }
    }
}

/// What is new between two views.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Things that were not perceived before, ascending.
    pub seen: Vec<Ix>,
    /// Facts that hold now, ascending.
    pub gained: Vec<Fact>,
    /// Facts that do not hold any more, ascending.
    pub lost: Vec<Fact>,
}

impl News {
    /// Whether nothing is new.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.gained.is_empty() && self.lost.is_empty()
    }
}

/// Per node: whether an agent perceives it. Itself, what it holds and the rooms of the house it always does.
pub fn perceived(world: &World, scope: Scope) -> Vec<bool> {
    let (graph, scene, me) = (world.graph(), world.scene(), world.me());
    // Parts of its own body are no things to an agent.
    let own = world.dialect().rules.carried_near;
    let is_own = |ix: Ix| own.is_some_and(|part| graph.hot(ix).props.has(part));
    if scope == Scope::Full {
        return scene.indices().map(|ix| !is_own(ix)).collect();
    }
    let here = room(graph, me);
    let reach = near(&world.ctx());
    let inside = world.dialect().rules.inside;
    let held: Vec<Ix> = reading::held(graph, me).collect();
    scene
        .indices()
        .map(|ix| {
            if is_own(ix) {
                return false;
            }
            if ix == me || graph.hot(ix).room || held.contains(&ix) {
                return true;
            }
            let around = match scope {
                Scope::Near => above(graph, ix, &[inside])
                    .into_iter()
                    .any(|up| reach.get(up.at()).copied().unwrap_or(false)),
                Scope::Full | Scope::Room => true,
            };
            around
                && (here.is_none() || room(graph, ix) == here || is_way_out(world, here, ix))
                && !is_shut_away(graph, ix)
        })
        .collect()
}

/// Whether a thing is a door of the room, which may be booked in the room behind it.
fn is_way_out(world: &World, here: Option<Ix>, ix: Ix) -> bool {
    let between = world.dialect().rules.between;
    let (Some(rel), Some(here)) = (between, here) else {
        return false;
    };
    world.graph().has(ix, rel, here)
}

/// How far up a thing is followed.
const HIGHEST: usize = 32;

/// A thing and all it is in such a relation to, at any height, rooms left out.
fn above(graph: &Graph, ix: Ix, by: &[Rel]) -> Vec<Ix> {
    let mut all = vec![ix];
    let mut i = 0;
    while let Some(&at) = all.get(i) {
        i += 1;
        let ups = by.iter().flat_map(|&rel| graph.targets(at, rel));
        for up in ups {
            if all.len() < HIGHEST && !graph.hot(up).room && !all.contains(&up) {
                all.push(up);
            }
        }
    }
    all
}

/// Whether a thing is inside something shut, at any depth.
fn is_shut_away(graph: &Graph, ix: Ix) -> bool {
    let (inside, on) = (graph.dialect().rules.inside, graph.dialect().rules.on);
    let shut = |at: Ix| {
        graph
            .targets(at, inside)
            .any(|up| !graph.hot(up).room && is_shut(graph, up))
    };
    above(graph, ix, &[inside, on]).into_iter().any(shut)
}

/// States whose absence is seen, with what a thing needs to have them: what rules call closed or off where the dialect
/// has no such state.
fn visible_lacks(world: &World) -> Vec<(Prop, State)> {
    let sayings = world.dialect().speech.facts.iter();
    sayings
        .filter(|s| s.arity == 1)
        .filter_map(|s| match s.means {
            Means::All(
                [
                    Means::Has(prop),
                    Means::Not(Means::Read(FactRead::State(state))),
                ],
            ) => Some((*prop, *state)),
            _ => None,
        })
        .collect()
}

/// Whether an agent could perceive what an instance of a rule is about: all its things are in its room and not shut
/// away, whatever it is told otherwise; else a warning would give a trap away.
pub fn could_perceive(world: &World, instance: &Instance) -> bool {
    let seen = perceived(world, Scope::Room);
    let mut nodes = instance.tuple.iter().filter(|n| n.is_some());
    nodes.all(|n| seen.get(n.at()).copied().unwrap_or(false))
}

/// The warnings an agent may be told where the episode stands: of what was so before its first step only what it could
/// perceive now, and nothing that is silenced.
pub fn warnings(episode: &mut Episode) -> Vec<Warning> {
    let all = episode.warnings();
    let world = episode.timeline().world();
    let told = |w: &Warning| match w.standing {
        Standing::StandingHazard => could_perceive(world, &w.instance),
        Standing::Silenced | Standing::Idle | Standing::Discharged => false,
        Standing::Armed | Standing::Pending(_) | Standing::Violated => true,
    };
    all.into_iter().filter(told).collect()
}
