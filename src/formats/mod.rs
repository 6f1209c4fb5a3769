//! File formats: bytes to values and back, with every loss and fault reported. Opens no files.

pub mod run;
