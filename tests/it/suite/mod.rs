//! The suites.

mod episodes;
mod screens;
mod tidy;
