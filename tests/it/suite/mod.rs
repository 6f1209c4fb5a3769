//! The suites.

mod episodes;
mod pty;
mod screens;
mod tidy;
