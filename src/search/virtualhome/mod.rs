//! The achiever table of VirtualHome: which action makes which fact true, and what each action needs.
//!
//! The rows follow the simulator's checks (Evolving Graph §4). They are held to them by a test: in random states, every
//! row's action is accepted once its needs hold.

use crate::search::need::Need;
use crate::search::table::{Table, View};
use crate::sim::world::Action;

mod fits;
mod needs;
mod state;
mod strict;
mod verbs;
mod ways;

/// What an action needs under the profile in force.
fn needs(view: &View<'_>, action: Action, out: &mut Vec<Need>) -> bool {
    if !fits::fits(view.world, action) {
        return false;
    }
    if state::strict(view.world) {
        strict::needs(view, action, out)
    } else {
        needs::needs(view, action, out)
    }
}

/// The table.
pub static TABLE: Table = Table {
    dialect: "virtualhome",
    role: verbs::role,
    fits: fits::fits,
    holds: state::holds,
    ways: ways::ways,
    needs,
    rank: state::rank,
    firsts: state::firsts,
    wait: state::wait,
    around: state::around,
    duties: None,
};

#[cfg(test)]
mod tests;
