//! The profile `strict`: what the published simulator leaves open is closed, physics and not morals. Dangerous acts stay
//! possible, impossible ones are refused with a reason and a cure.
//!
//! [`reach`] says where things are and what can be touched, [`ways`] which doors block, [`hold`] how things are taken,
//! carried and placed; what an action does with them stands in its own file. [`DIFFERENCES`] lists what is different and
//! shows each with an example.

mod differences;
pub mod hold;
pub mod reach;
pub mod ways;

pub use differences::DIFFERENCES;
