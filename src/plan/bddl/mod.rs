//! Goals in BDDL, BEHAVIOR's definition language: formulas as text, bound to a scene, and judged in three ways.
//!
//! [`sexp`] reads brackets and words with their places, [`parse()`] makes a [`Formula`] of them, and [`Bound`] is a formula
//! whose names and types were looked up in a scene. A bound formula has three verdicts on a state ([`Reading`]):
//!
//! - *published*: the evaluator of EAI never evaluates a formula. It expands each goal once into options, lists of facts,
//!   and accepts a state in which all facts of some option hold. The expansion is cut short (`expand`), so that it
//!   may miss states that meet the goal: of four cubes in four stockings, 10 of the 24 ways to share them out pass.
//! - *logic*: the rules by which the `bddl` package itself evaluates a formula: `forn` wants exactly so many, and `forpairs`
//!   wants enough rows and enough columns with some true pair, which is not yet one partner for each.
//! - *matching*: as logic, with `forpairs` and `fornpairs` as they read: so many pairs, no object in two of them. This is
//!   the plain meaning, and the strictest of the three where no pairs are denied.
//!
//! Each says what it says about the same view of a state that all goals have (`sim::reading`), so that formulas work in
//! every dialect, with its states and relations in lower case.

mod bind;
mod expand;
mod formula;
mod judge;
mod pairings;
mod parse;
mod progress;
mod scope;
pub mod sexp;
mod words;

pub use bind::{Bound, Literal};
pub use formula::{Formula, Term, Typed};
pub use judge::{Disagreement, Reading, Verdicts};
pub use pairings::{Pairing, Pairings};
pub use parse::{of_sexp, parse};
pub use progress::Progress;
pub use scope::Scope;
pub use words::{KNOWN, is_known, judged_unary, judges};

#[cfg(test)]
mod tests;
