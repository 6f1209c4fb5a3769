//! Tests of the index on disk.
