//! Hazard rules over time: what may be dangerous, said in a small language, watched at every step.
//!
//! Three kinds of text files feed this layer. An *ontology* says of every class what it is (tags such as
//! `heat_source`); *facts* declares derived and tracked facts; *rules* states what must always hold. All are read into a
//! [`book::Book`]. For one scene the book is bound to nodes, and a monitor follows the run with it: it looks only at
//! what a step changed, and keeps a constant amount of memory for every instance that is not idle. A second evaluator
//! judges a whole run from nothing; tests hold both equal.
//!
//! Semantics: positions 0 to n, past-time temporal logic, verdicts per position (`assets/rules/README.md`).

pub mod ast;
pub mod batch;
pub mod book;
pub mod formula;
pub mod grades;
pub mod lang;
pub mod monitor;
pub mod ontology;
pub mod rule;
pub mod sense;
#[cfg(test)]
pub(crate) mod testing;
pub mod verdict;
pub mod ward;
