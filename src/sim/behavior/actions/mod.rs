//! The actions of the dialect, one file each; those of a hand are there for both. The order of [`ACTIONS`] is their number
//! in logs: append only.

use crate::sim::graph::Tx;
use crate::sim::refusal::Refusal;
use crate::sim::vocab::Ix;
use crate::sim::world::{ActionDef, Ctx, Law, Pass, Unknown};

mod clean;
mod close;
mod cook;
mod dry;
mod freeze;
mod grasp;
mod open;
mod place_inside;
mod place_nextto;
mod place_nextto_ontop;
mod place_ontop;
mod place_under;
mod release;
mod slice;
mod soak;
mod toggle_off;
mod toggle_on;
mod transfer_inside;
mod transfer_ontop;
mod unfreeze;

/// The registry: a new action is its file and its line here.
pub const ACTIONS: &[&ActionDef] = &[
    &grasp::LEFT,
    &grasp::RIGHT,
    &place_ontop::LEFT,
    &place_ontop::RIGHT,
    &place_inside::LEFT,
    &place_inside::RIGHT,
    &release::LEFT,
    &release::RIGHT,
    &open::OPEN,
    &close::CLOSE,
    &cook::COOK,
    &clean::CLEAN,
    &freeze::FREEZE,
    &unfreeze::UNFREEZE,
    &slice::SLICE,
    &soak::SOAK,
    &dry::DRY,
    &toggle_on::TOGGLE_ON,
    &toggle_off::TOGGLE_OFF,
    &place_nextto::LEFT,
    &place_nextto::RIGHT,
    &transfer_inside::LEFT,
    &transfer_inside::RIGHT,
    &transfer_ontop::LEFT,
    &transfer_ontop::RIGHT,
    &place_nextto_ontop::LEFT,
    &place_nextto_ontop::RIGHT,
    &place_under::LEFT,
    &place_under::RIGHT,
];

pub use slice::parts;

type Check = fn(&Ctx<'_>, Ix, Ix) -> Result<Pass, Refusal>;
type Effects = fn(&mut Tx<'_>, Ix, Ix, Ix);

/// An action that reads and does the same in both profiles, as far as [`crate::sim::behavior::strict`] does not say otherwise.
const fn action(
    name: &'static str,
    arity: u8,
    doc: &'static str,
    check: Check,
    effects: Effects,
) -> ActionDef {
    let law = Law { check, effects };
    ActionDef {
        name,
        arity,
        doc,
        unknown: Unknown::Crash,
        eai: law,
        strict: law,
    }
}

/// An action that means something else in `strict`.
#[expect(
    clippy::needless_pass_by_value,
    reason = "an action is built where it is named"
)]
const fn differing(action: ActionDef, check: Check, effects: Effects) -> ActionDef {
    ActionDef {
        strict: Law { check, effects },
        ..action
    }
}

/// Allowed, leaving this behind.
const fn but(note: Option<Refusal>) -> Pass {
    Pass { note, idle: false }
}
