//! What candidates are worth beside each other: who is dominated, how much a set covers, what the game of all plans
//! against all responses is worth, and how sure a mean is.
//!
//! Numbers in, numbers out: the same for the published arena and the household one. A score that is not finite is kept
//! and takes no part: it neither dominates nor is dominated, and a game with one has no value.

pub mod budget;
pub mod game;
pub mod pareto;
pub mod volume;
