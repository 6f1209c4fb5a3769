//! The suites.

mod episodes;
mod screens;
