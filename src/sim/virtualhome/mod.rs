//! The `virtualhome` dialect: the Evolving Graph simulator of VirtualHome as shipped with the Embodied Agent Interface
//! (eai-eval 1.0.5), in profile `eai` bug for bug, in profile `strict` with its holes closed ([`strict`]). "The first"
//! of a set is the lowest id.
//!
//! A new action is one file in [`actions`] and one line in its table.

pub mod actions;
mod explain;
pub mod facts;
mod reading;
pub mod strict;
pub mod words;

pub use words::DIALECT;

#[cfg(test)]
mod tests;
