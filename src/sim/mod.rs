//! The simulator: an executable scene graph with checked actions, typed refusals, exact diffs and an undo that costs
//! what the step changed.
//!
//! Layers inside, each using only those above it: [`vocab`] (words of a dialect), [`profile`] (whose semantics) and [`scene`] (a graph as loaded),
//! [`graph`] (the mutable facts), [`refusal`], [`world`] (actions on facts), [`timeline`] (positions and branches),
//! and one folder per dialect ([`virtualhome`], [`behavior`]). Nothing here opens files, reads clocks or knows of screens.
//!
//! Start with [`world::World`] for single steps and [`timeline::Timeline`] for a run with history.

pub mod behavior;
pub mod digest;
pub mod explain;
pub mod graph;
pub mod happen;
pub mod profile;
pub mod reading;
pub mod refusal;
pub mod scene;
pub mod speech;
pub mod timeline;
pub mod virtualhome;
pub mod vocab;
pub mod world;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
