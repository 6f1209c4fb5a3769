//! The planner: plans over the real simulator, shortest repairs, diverse plans, and the proof that none exists.
//!
//! No second model of the world and no grounding. Every step goes through [`crate::sim::world::World`]; a dialect's
//! [`table`] only says which action makes what true and what it needs, and from that come which objects matter
//! ([`moves`]), how far the goals are and which actions help ([`relax`]). [`engine`] runs the stages: helpful actions
//! alone, then everything on the objects that matter, then more objects, then breadth-first with nothing left out.
//! Budgets count states, never time, so the same input gives the same answer on every machine.
//!
//! Begin at [`engine::Engine`]. A new dialect brings one table and its line in [`table_of`].

pub mod aims;
pub mod answer;
pub mod behavior;
pub mod careless;
pub mod control;
pub mod deeds;
pub mod diverse;
pub mod engine;
mod exhaust;
mod greedy;
pub mod judge;
pub mod least;
pub mod mend;
pub mod moves;
pub mod need;
pub mod relax;
pub mod repair;
pub mod rules;
mod shorten;
mod space;
pub mod table;
pub mod virtualhome;
mod visited;
pub mod watch;

#[cfg(test)]
mod tests;

use crate::search::table::Table;
use crate::sim::vocab::Dialect;

/// The table of a dialect, if there is one.
pub fn table_of(dialect: &Dialect) -> Option<&'static Table> {
    TABLES.iter().copied().find(|t| t.dialect == dialect.id)
}

/// All tables.
const TABLES: &[&Table] = &[&virtualhome::TABLE, &behavior::TABLE];
