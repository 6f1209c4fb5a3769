//! The floor plan: rooms, doors, the things worth a place on it, the acting one and the way it took.
//!
//! [`Plan`] is what a scene gives once: boxes of rooms, where each thing stood, the letters it is drawn with. [`Map`]
//! is the plan at one position of a run. Both are in metres; only `ui` knows columns and rows. [`view::MapView`] is
//! what a screen keeps: the cursor, the storey, whether one room is shown alone.

use crate::app::glyph::Glyph;
use crate::app::parts::goals;
use crate::app::parts::name;
use crate::app::parts::scene_tree::states;
use crate::app::role::Role;
use crate::sim::reading;
use crate::sim::vocab::Ix;
use crate::sim::world::World;
use crate::task::episode::Episode;

mod labels;
mod path;
mod plan;
#[cfg(test)]
mod tests;
pub mod view;

pub use path::{Stop, Stops};
pub use plan::{Plan, RoomBox, Spot};

/// How much a thing matters on the map: the first ones get their place first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// The acting one.
    You,
    /// Something a warning speaks of.
    Warned,
    /// Something a goal speaks of.
    Goal,
    /// A person or a pet.
    Being,
    /// Something open or on.
    Active,
    /// What cannot be carried away.
    Furniture,
    /// What lies about or hangs overhead; shown where one room is shown alone.
    Small,
}

impl Rank {
    /// Why it is on the map, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::You => "you",
            Self::Warned => "warning",
            Self::Goal => "goal",
            Self::Being => "being",
            Self::Active => "open or on",
            Self::Furniture => "furniture",
            Self::Small => "small",
        }
    }
}

/// A sign beside a thing: a warning or a goal that speaks of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The sign.
    pub glyph: Glyph,
    /// What follows it: `F05`.
    pub text: String,
    /// What it is.
    pub role: Role,
}

/// A thing on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    /// The node.
    pub node: Ix,
    /// Where it is.
    pub spot: Spot,
    /// The room it is in.
    pub room: Option<Ix>,
    /// How much it matters.
    pub rank: Rank,
    /// Its two letters.
    pub label: String,
    /// Its name.
    pub name: String,
    /// The states worth telling.
    pub states: String,
    /// Warnings and goals.
    pub mark: Option<Mark>,
    /// The door it is: whether it is open.
    pub door: Option<bool>,
}

/// The plan at one position.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// What is on it, the most important first.
    pub things: Vec<Thing>,
    /// Where the agent stopped on its way, first to last.
    pub stops: Vec<Stop>,
    /// Where the agent is.
    pub me: Spot,
}

/// Whether a warning speaks of a node, and how it is drawn.
pub type Warned<'a> = &'a dyn Fn(Ix) -> Option<Mark>;

impl Map {
    /// The plan where the episode stands.
    pub fn of(plan: &Plan, stops: &mut Stops, episode: &Episode, warned: Warned<'_>) -> Self {
        let timeline = episode.timeline();
        let world = timeline.world();
        let stops = stops.on_way(plan, timeline);
        let me = stops
            .last()
            .map_or_else(|| plan.home(world.me()), |s| s.spot);
        let rows = goals::rows(episode.ledger(), timeline, episode.here());
        let set = &episode.ledger().goals().goals;
        let goal = |node: Ix| {
            let row = goals::worst_first(&rows)
                .into_iter()
                .find(|row| set.get(row.goal).is_some_and(|goal| goal.mentions(node)))?;
            Some(Mark {
                glyph: row.mark.glyph(),
                text: String::new(),
                role: row.mark.role(),
            })
        };
        let mut things: Vec<Thing> = world
            .scene()
            .indices()
            .filter_map(|node| {
                let warning = warned(node);
                let asked = goal(node);
                let rank = rank(plan, world, node, (warning.is_some(), asked.is_some()))?;
                Some(Thing {
                    node,
                    spot: plan.spot(world, node, me),
                    room: reading::room(world.graph(), node),
                    rank,
                    label: plan.label(node).to_owned(),
                    name: name(world, node).to_owned(),
                    states: states(world, world.graph().states(node)),
                    mark: warning.or(asked),
                    door: plan
                        .is_door(node)
                        .then(|| !reading::is_shut(world.graph(), node)),
                })
            })
            .collect();
        things.sort_by(|a, b| {
            let size = |t: &Thing| plan.prominence(t.node);
            let by_size = size(b).total_cmp(&size(a));
            a.rank.cmp(&b.rank).then(by_size).then(a.node.cmp(&b.node))
        });
        Self { things, stops, me }
    }

    /// The thing of a node.
    pub fn thing(&self, node: Ix) -> Option<&Thing> {
        self.things.iter().find(|thing| thing.node == node)
    }
}

/// How much a node matters, `None` if it has no place on the map: rooms, what they are built of, what is shut away.
fn rank(plan: &Plan, world: &World, node: Ix, (warned, goal): (bool, bool)) -> Option<Rank> {
    let hot = world.graph().hot(node);
    if node == world.me() {
        return Some(Rank::You);
    }
    if hot.room || world.graph().base().carried_near.contains(&node) {
        return None;
    }
    if warned {
        return Some(Rank::Warned);
    }
    if goal {
        return Some(Rank::Goal);
    }
    if plan.is_structure(node) || plan::is_inside(world, node) {
        return None;
    }
    if plan.is_being(node) {
        return Some(Rank::Being);
    }
    if plan.is_door(node) {
        return Some(Rank::Furniture);
    }
    let reading = world.dialect().reading;
    if hot.states.0 & reading.active.0 != 0 {
        return Some(Rank::Active);
    }
    // A lamp under the ceiling stands in nobody's way; the floor below it is for others.
    if reading.carried.is_some_and(|p| hot.props.has(p)) || plan.prominence(node) < 0.0 {
        return Some(Rank::Small);
    }
    Some(Rank::Furniture)
}
