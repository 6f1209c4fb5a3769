//! Everything that is read from or written to disk.
//!
//! The only layer besides `runtime`, `cli` and `config` that does I/O. It knows paths and bytes; what the bytes mean is
//! told by [`crate::formats`].

pub mod arenas;
pub mod b50;
pub mod bddl;
pub mod book;
pub mod clock;
pub mod definitions;
pub mod disk;
pub mod durable;
pub mod eai;
pub mod files;
pub mod import;
pub mod index;
pub mod library;
mod log;
pub mod pages;
pub mod patch;
pub mod power;
pub mod prompts;
pub mod recordings;
pub mod reports;
pub mod runs;
pub mod shipped;
pub mod source;
pub mod typed;
