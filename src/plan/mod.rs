//! Plans and goals: program lines, the names people use for nodes, facts as text, goals and when they held.
//!
//! Knows scenes and worlds, not files. Start with [`script::read_line`] for an action as text, [`fact::Fact`] for a
//! fact as text, [`bddl::Bound`] for a goal as a formula, [`goal::GoalSet`] for what a task asks and [`ledger::Ledger`] for when it became true.

pub mod bddl;
pub mod branching;
pub mod enable;
pub mod fact;
pub mod goal;
pub mod ledger;
pub mod names;
pub mod options;
pub mod script;

#[cfg(test)]
mod tests;
