//! Tiny foundations every layer may use: diagnostics, stable hashing, safe text.
//!
//! Must not know what a scene, a file or a screen is.

pub mod chance;
pub mod diag;
pub mod figures;
pub mod fold;
pub mod html;
pub mod nearest;
pub mod resample;
pub mod text;
