//! Runs side by side: which steps belong together, where runs part and meet again, and what would have saved one.
//!
//! Steps are matched by what they did to the world, then by what was done, then by goals and rules, never by their number
//! or name alone: the state hash tells whether two runs stand in the same place ([`lane`], [`align`]). Two to six runs lie
//! side by side as rows of one table ([`table`]); [`state`] tells in what two states differ; [`repair`](mod@repair) looks for the smallest change that makes a run
//! reach its goals and break nothing.

pub mod align;
pub mod lane;
pub mod repair;
pub mod state;
pub mod table;
#[cfg(test)]
mod tests;

pub use align::{Alignment, Likeness, Pair};
pub use lane::{Beat, Kind, Lane, Names};
pub use table::{Parting, Relation, Row, Table};
