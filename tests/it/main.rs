//! One integration binary; every suite is a module.
