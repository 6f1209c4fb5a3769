//! In what `strict` differs from `eai`. Each entry is run under both profiles by a test and must show its difference.
//!
//! A new one is one entry in the file of its subject.

use crate::sim::profile::Difference;

mod hands;
mod places;
mod things;
mod verdicts;

/// All differences by subject, in the order people read them.
pub static DIFFERENCES: &[&[Difference]] = &[
    places::PLACES,
    hands::HANDS,
    things::THINGS,
    verdicts::VERDICTS,
];
