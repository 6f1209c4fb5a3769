//! `AdvPlan-Bench` (arXiv 2608.00832), reproduced: the same scenarios, plans, policies, scores and tables, cell by cell.
//!
//! From bottom to top: [`python`] has the numbers of `CPython` on which the last digits depend; [`model`] the typed plans;
//! [`seeds`] and [`corpus`] the five scenario templates; [`rubric`], [`structure`], [`sets`] and [`payoff`] the scores;
//! [`respond`], [`offline`] and [`council`] the policies; [`study`] plays a scenario under all of them; [`raters`],
//! [`framing`] and [`bootstrap`] are the side studies; [`tables`], [`details`] and [`traces`] lay out what is published,
//! and what the published artifacts lack; [`audit`] asks which fields matter at all, [`doubts`] what of a
//! council can be proven to be less than it seems. Section numbers in the docs are those of our specification of the benchmark.
//!
//! What the scores mean, and do not, is the benchmark's own: several of its controls move nothing, and its "Nash gap"
//! is no exploitability (§14). Nothing here repairs that.

pub mod audit;
pub mod bootstrap;
pub mod corpus;
pub mod council;
pub mod details;
pub mod doubts;
pub mod file;
pub mod framing;
pub mod model;
pub mod offline;
pub mod payoff;
pub mod python;
pub mod raters;
pub mod respond;
mod rows;
pub mod rubric;
pub mod seeds;
pub mod sets;
pub mod structure;
pub mod study;
pub mod table;
pub mod tables;
pub mod traces;

#[cfg(test)]
mod tests;
