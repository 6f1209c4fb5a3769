//! The suites.

mod eai;
mod episodes;
mod pty;
mod screens;
mod tidy;
