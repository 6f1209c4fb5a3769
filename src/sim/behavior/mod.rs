//! The `behavior` dialect: the evolving graph of the Embodied Agent Interface for BEHAVIOR (eai-eval 1.0.5), in profile
//! `eai` bug for bug, its crashes half-way included, in profile `strict` with the holes closed ([`strict`]).
//!
//! Objects have unary states, plain edges with one label a pair ([`plain`]), one place each in a placement forest
//! ([`forest`]), and there are two hands ([`facts`]). Distance and rooms play no part. What goals and people see of it is
//! told by [`view`]. A new action is one file in [`actions`] and one line in its table.

pub mod actions;
mod explain;
pub mod facts;
pub mod forest;
pub mod plain;
pub mod published;
mod reading;
mod speech;
pub mod strict;
#[cfg(test)]
mod tests;
pub mod view;
pub mod words;

pub use words::DIALECT;
