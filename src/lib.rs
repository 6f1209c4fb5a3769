//! Vesta.

pub mod base;
pub mod formats;
pub mod plan;
pub mod sim;
pub mod store;
pub mod task;
/// Commands.
pub mod cli {
    pub mod bench;
    pub mod conform;
}
