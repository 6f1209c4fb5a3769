//! Vesta.

pub mod base;
pub mod sim;
