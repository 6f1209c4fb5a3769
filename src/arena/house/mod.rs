//! The household arena: BLUE's plans and RED's disturbances in one executable world.
//!
//! A scenario is a task. What RED does is a scripted happening ([`crate::sim::happen`]) or an `init` fact of the task, so
//! a cell, a plan under a response, is the same task with added facts and events, played in the same simulator: nothing
//! here has a second model of the world, and every cell can be played again as an ordinary run.
//!
//! [`model`] names the parts; [`ground`] plays a plan under a response, twenty thousand times a second; [`disturb`] is what RED
//! can do, [`fair`] whether it may, [`red`] what it knows and chooses; [`blue`] proposes,
//! [`agents`] may be asked instead; [`committee`] scores plans, revises and chooses; [`record`] keeps a whole arena, [`mod@file`] writes and reads it, [`replay`]
//! plays it again, [`weigh`] tells what its cells come to, [`lost`] what cost a plan its objective, [`audit`] what each
//! control moves, [`study`] what many arenas say together.

pub mod agents;
pub mod audit;
pub mod blue;
pub mod committee;
pub mod disturb;
pub mod fair;
pub mod file;
pub mod ground;
pub mod lost;
pub mod model;
pub mod number;
pub mod record;
pub mod red;
pub mod replay;
pub mod study;
pub mod weigh;
