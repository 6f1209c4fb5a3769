//! View models that several screens share: what changed, how the goals and rules stand, the scene as a tree, the rail.
//!
//! They are values made from the world, never text with colours: `ui/parts` draws them, `plain()` prints them.

pub mod cause;
pub mod diff;
pub mod goals;
pub mod map;
pub mod node;
pub mod rail;
pub mod recording;
pub mod rule;
pub mod scene_tree;
pub mod steps;
pub mod transcript;
pub mod verdict;
pub mod warnings;
pub mod web;
pub mod why;

use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

/// How screens call a node: `you` for the acting one, else the shortest name that means it alone.
pub fn name(world: &World, ix: Ix) -> &str {
    if ix == world.me() {
        "you"
    } else if ix.is_some() {
        world.scene().short_name(ix)
    } else {
        "?"
    }
}

/// An action as screens write it: `putin bowl → microwave`.
pub fn action(world: &World, action: Action) -> String {
    let mut text = verb(world, action);
    for (ix, joint) in [(action.a, " "), (action.b, " → ")] {
        if ix.is_some() {
            text.push_str(joint);
            text.push_str(name(world, ix));
        }
    }
    text
}

/// The action's word alone: `putin`.
pub fn verb(world: &World, action: Action) -> String {
    world.def(action).name.to_lowercase()
}

#[cfg(test)]
mod tests;
