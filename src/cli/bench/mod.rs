//! `vesta bench KIND`: measures what this program promises, on what it ships. Figures, never assertions.

pub mod sim;
