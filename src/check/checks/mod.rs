//! The checks: one file each, one line each in [`super::CHECKS`].

pub mod certificate;
pub mod complexity;
pub mod consistent;
pub mod goals;
pub mod harm;
pub mod independent;
pub mod limit;
pub mod naive;
pub mod process;
pub mod published;
pub mod risk;
pub mod rules;
pub mod runs;
pub mod safe;
pub mod start;
pub mod succeeds;
pub mod text;
pub mod trap;
pub mod valid;
pub mod verdicts;

use super::finding::Outcome;

/// The answer where a task has no plan of its own to try.
fn no_plan() -> Outcome {
    Outcome::NotAsked("there is no reference plan".to_owned())
}

/// `1 goal`, `2 goals`.
fn counted(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}
