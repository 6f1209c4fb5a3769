//! VestaBench-B50: the fifty BEHAVIOR tasks in their published form.
//!
//! [`record`] reads the lines of the task file, [`graph`] the initial graph of a task, [`task`] makes both into a task of
//! ours. Where there is no graph, [`build`](mod@build) makes one of what the public packages tell: [`prompts`] names the
//! objects, [`definition`] says how they start, [`abilities`] what they can be. [`alone`] makes a task of a definition that no
//! published task belongs to.

pub mod abilities;
pub mod alone;
pub mod build;
pub mod definition;
pub mod graph;
pub mod prompts;
pub mod record;
pub mod task;
pub mod volumes;

#[cfg(test)]
mod tests;
