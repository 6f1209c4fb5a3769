//! Tiny foundations every layer may use: diagnostics and stable hashing.
//!
//! Must not know what a scene, a file or a screen is.

pub mod diag;
pub mod fold;
