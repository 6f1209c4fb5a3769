//! Tests of program text, names and facts.
