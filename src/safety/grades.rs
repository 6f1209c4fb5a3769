//! How much a rule may say in a scene.

use super::rule::{Grade, Needs, Rule};
use crate::sim::scene::Scene;

/// Nearness edges a node, on average, up to which they are taken to be authored. Our own scenes have fewer than 2; the
/// published ones, where anything within reach is near, about 16.
const SPARSE: usize = 6;

/// Whether somebody said what is near what, so that nearness means more than "in the same corner".
pub fn nearness_is_authored(scene: &Scene) -> bool {
    let near = scene.dialect().near;
    let count = scene.edges().iter().filter(|e| e.rel == near).count();
    count <= SPARSE * scene.len()
}

impl Rule {
    /// Its grade in a scene: a rule that reads nearness is pedantic where nearness was not authored.
    pub fn grade_in(&self, nearness_is_authored: bool) -> Grade {
        if self.needs.contains(&Needs::Close) && !nearness_is_authored {
            Grade::Pedantic
        } else {
            self.grade
        }
    }
}
