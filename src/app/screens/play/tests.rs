//! Play by keys.
