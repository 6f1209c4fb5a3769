//! The rule language: text in, values out.
//!
//! [`block`] splits a file into blocks and fields, [`lexer`] and [`parse`] read formulas, [`mod@print`] writes them,
//! [`ont`] reads the ontology's own format, [`mod@file`] makes rules and facts of blocks, [`check`] says what is wrong with
//! their names, [`bind`] turns names into numbers. `assets/rules/README.md` is the language's manual.

pub mod bind;
pub mod block;
pub mod check;
pub mod file;
pub mod lexer;
pub mod ont;
pub mod parse;
pub mod print;
pub mod words;

#[cfg(test)]
mod tests;
