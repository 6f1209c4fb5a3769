//! In what `strict` differs from `eai`. Each entry is run under both profiles by a test and must show its difference.

use crate::sim::profile::Difference;

/// All differences, in the order people read them.
pub const DIFFERENCES: &[Difference] = &[];
