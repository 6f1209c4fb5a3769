//! The household arena: BLUE's plans and RED's disturbances in one executable world.
//!
//! A scenario is a task. What RED does is a scripted happening ([`crate::sim::happen`]) or an `init` fact of the task, so
//! a cell, a plan under a response, is the same task with added facts and events, played in the same simulator: nothing
//! here has a second model of the world, and every cell can be played again as an ordinary run.
//!
//! [`model`] names the parts; [`ground`] plays a plan under a response, twenty thousand times a second.

pub mod blue;
pub mod disturb;
pub mod fair;
pub mod ground;
pub mod model;
pub mod red;
