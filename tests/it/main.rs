//! One integration binary; every suite is a module.

// The attribute tells clippy that helpers are test code too.
#[cfg(test)]
mod suite;
#[cfg(test)]
mod support;
