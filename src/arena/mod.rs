//! Two sides over the same scenario: candidates, responses, critics, and what their scores are worth.
//!
//! [`advplan`] is the published benchmark to the last digit (spec: `AdvPlan-Bench`). Nothing here reads a file or a
//! clock: the same settings give the same bytes. [`frontier`] is what both arenas are weighed by.

pub mod advplan;
pub mod frontier;
