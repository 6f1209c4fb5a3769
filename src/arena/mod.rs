//! Two sides over the same scenario: candidates, responses, critics, and what their scores are worth.
//!
//! [`advplan`] is the published benchmark to the last digit (spec: `AdvPlan-Bench`); [`house`] plays household tasks against
//! an adversary that acts in the world; [`frontier`] is what both are weighed by. Nothing here reads a file or a clock: the
//! same settings give the same bytes.

pub mod advplan;
pub mod frontier;
pub mod house;
