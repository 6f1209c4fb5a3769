//! VestaBench-B50: the fifty BEHAVIOR tasks in their published form.
//!
//! [`graph`] reads the initial graph of a task.

pub mod graph;
