//! Vesta.

pub mod base;
pub mod plan;
pub mod sim;
pub mod task;
