//! VestaBench-B50: the fifty BEHAVIOR tasks in their published form.
//!
//! [`record`] reads the lines of the task file, [`graph`] the initial graph of a task, [`task`] makes both into a task of
//! ours.

pub mod graph;
pub mod record;
pub mod task;
