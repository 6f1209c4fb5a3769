//! How whole suites are scored: values from runs in, tables out. Pure.
