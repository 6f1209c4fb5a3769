//! An agent that does anything the world allows: the yardstick below all others.

use crate::base::chance::Chance;
use crate::sim::reading::held;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

use super::player::{Deed, Happening, Player, Standpoint, Want};

/// Chooses uniformly among all actions that are allowed, until the session ends it; it never calls a task done. The same seed
/// chooses the same.
#[derive(Clone, Debug)]
pub struct Random {
    chance: Chance,
    /// What it wants, until it is told something.
    want: Option<Want>,
}

/// From how many nodes on an action with two things is tried only with a held one first.
const PAIRS: usize = 128;

impl Random {
    /// One with this seed.
    pub const fn new(seed: u64) -> Self {
        Self {
            chance: Chance::new(seed),
            want: None,
        }
    }
}

/// All actions that are allowed where the world stands, in the order of the table and of the nodes.
pub fn legal(world: &World) -> Vec<Action> {
    let me = world.me();
    let nodes: Vec<Ix> = world.scene().indices().filter(|&n| n != me).collect();
    let firsts: Vec<Ix> = if nodes.len() <= PAIRS {
        nodes.clone()
    } else {
        held(world.graph(), me).collect()
    };
    let mut all = Vec::new();
    for (verb, def) in world.dialect().actions.iter().enumerate() {
        let verb = verb as u8;
        let one = |a, b| Action { verb, a, b };
        match def.arity {
            0 => all.push(one(Ix::NONE, Ix::NONE)),
            1 => all.extend(nodes.iter().map(|&a| one(a, Ix::NONE))),
            _ => {
                for &a in &firsts {
                    all.extend(nodes.iter().filter(|&&b| b != a).map(|&b| one(a, b)));
                }
            }
        }
    }
    all.retain(|&action| world.check(action).is_ok());
    all
}

impl Player for Random {
    fn next(&mut self, at: &mut Standpoint<'_>) -> Want {
        if let Some(want) = &self.want {
            return want.clone();
        }
        let all = legal(at.episode.timeline().world());
        let want = if all.is_empty() {
            Want::Stop {
                cause: "nothing_allowed".to_owned(),
                text: "nothing can be done here".to_owned(),
            }
        } else {
            Want::Do(Deed::Act(all[self.chance.below(all.len())]))
        };
        self.want.insert(want).clone()
    }

    fn happened(&mut self, _: &mut Standpoint<'_>, what: &Happening) {
        match what {
            Happening::Message(_) => {}
            Happening::TrialEnded(_) => self.want = Some(Want::Begin),
            _ => self.want = None,
        }
    }
}
