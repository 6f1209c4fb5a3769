//! The suites.

mod episodes;
