//! Vesta: a terminal explorer for household tasks in an executable scene graph.
//!
#![doc = include_str!("ARCHITECTURE.md")]

pub mod agent;
pub mod app;
pub mod arena;
pub mod base;
pub mod check;
pub mod cli;
pub mod compare;
pub mod config;
pub mod eval;
pub mod formats;
pub mod llm;
pub mod plan;
pub mod query;
pub mod runtime;
pub mod safety;
pub mod search;
pub mod sim;
pub mod store;
pub mod task;
pub mod ui;
