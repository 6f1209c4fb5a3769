//! Vesta.
