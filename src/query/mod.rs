//! Questions about runs: one language for filter, jump and headless selection, over header, state and time.
//!
//! ```text
//! violates(F05) before step 10 and not goal("bowl ON table") and model ~ qwen
//! ```
//!
//! # The language
//! - **Words** are joined by `and`, `or`, `not` and brackets; two words beside each other mean both. `not` binds closest,
//!   then `and`, then `or`.
//! - **Of the whole run**: `success`, `safe`, `done`, `avoided` …; fields that are compared, `model ~ qwen` (holds the text),
//!   `task = V022` (is it, in any case), `!~`, `!=`; numbers with `<`, `<=`, `>`, `>=`; `created > 2026-11-01`, of which
//!   only as much is compared as is written; `label = none` where there is none. A text in quotes looks in id, task,
//!   instruction, labels and who played.
//! - **At steps**: `violates(F05)`, `(core)`, `(!3)` or alone for any; `armed`, `pending`, `discharged` alike; `refused(M)`;
//!   `goal("bowl ON table")` became true, `lost(…)` was lost, `holds(…)` was true; `did("switchon microwave")`;
//!   `state("microwave ON")`. What is in brackets is words in their order, others may stand between.
//!   Such a word fits a run in which it happens at least once, on the way from the start to where the run stands.
//! - **Times** follow what happens: `before s10` (or `step 10`), `after`, `at`, `within 3 of`, told of a step, of `start` or
//!   `end`, or of something else that happens: `lost("microwave OFF") within 3 of violates(F05)`. `X before Y` means
//!   earlier than some Y. A time told of several words in brackets is told of each.
//!
//! [`words`] has every word; [`parse::read`] reads, the tree prints itself, [`eval`] answers, [`complete`] offers what could
//! come next. A run is a [`row::Row`], filled by [`gather`] in passes: while one is missing, answers that need it are
//! [`eval::Truth::Unknown`], so that a list can be shown at once and its counts fill in.
//!
//! # Adding a word
//! A row in [`words::WORDS`] and an arm in [`eval`]; completion, help and the manual follow.

pub mod ast;
pub mod complete;
pub mod eval;
pub mod gather;
pub mod kinds;
pub mod parse;
pub mod pool;
pub mod row;
pub mod shelf;
pub mod tell;
#[cfg(test)]
mod tests;
pub mod words;

pub use ast::Query;
pub use eval::{Outcome, Plan, Truth};
pub use parse::{Wrong, read};
