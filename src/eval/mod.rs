//! How runs of whole suites are scored: runs in, numbers and tables out.
//!
//! A [`case::Case`] is what one run came to. [`metrics`] counts over cases as the paper and its published code define
//! it (specs: VestaBench §6, BEHAVIOR §6), [`resample`] gives intervals and paired comparisons, [`report`] lays out
//! tables, and [`write`](mod@write) turns a table into CSV, Markdown, LaTeX, SVG or HTML; [`told`] is a report with the runs behind it. [`class`]
//! proposes what went wrong, [`agreement`] tells how far people who judged it agree. Nothing here reads a file or a clock, and latency
//! stays out: the same runs give the same bytes.

pub mod agreement;
pub mod case;
pub mod class;
pub mod failure;
pub mod fault;
pub mod formula;
pub mod metrics;
pub mod published;
pub mod report;
pub mod resample;
pub mod table;
pub mod told;
pub mod write;

#[cfg(test)]
mod tests;
