//! The achiever table of BEHAVIOR: which action makes which fact true, and what each action needs.
//!
//! The rows follow the simulator's checks (Evolving Graph for BEHAVIOR, §4). They are held to them by a test: in random
//! states, every row's action is accepted once its needs hold.

use crate::search::table::Table;

mod duties;
mod fits;
mod needs;
mod state;
mod verbs;
mod ways;

/// The table.
pub static TABLE: Table = Table {
    dialect: "behavior",
    role: verbs::role,
    fits: fits::fits,
    holds: state::holds,
    ways: ways::ways,
    needs: needs::needs,
    rank: state::rank,
    firsts: |_, _| {},
    wait: state::wait,
    around: state::around,
    duties: Some(duties::duties),
};

#[cfg(test)]
mod tests;
