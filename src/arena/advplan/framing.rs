//! The framing ablation (§10): D of the first plan told from three sides. The seed never matters, and the words that are
//! added are among those the rubric searches (§14.15).

use crate::arena::advplan::corpus::TEMPLATES;
use crate::arena::advplan::model::Framing;
use crate::arena::advplan::python::Dice;
use crate::arena::advplan::rubric::alignment;

/// One seed and template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framed {
    /// The seed.
    pub seed: u64,
    /// The template's terrain.
    pub terrain: &'static str,
    /// D told by BLUE, by nobody, by the adversary.
    pub alignment: [f64; 3],
}

impl Framed {
    /// Greatest minus least.
    pub fn delta(&self) -> f64 {
        let [a, b, c] = self.alignment;
        a.max(b).max(c) - a.min(b).min(c)
    }
}

/// All seeds, 200 to 209, and templates.
pub fn study(dice: &Dice) -> Vec<Framed> {
    let one = |seed: u64| {
        TEMPLATES.iter().map(move |t| Framed {
            seed,
            terrain: t.terrain,
            alignment: Framing::ALL.map(|framing| {
                let scenario = t.scenario(dice, seed, framing);
                scenario.seed_coas.first().map_or(0.0, alignment)
            }),
        })
    };
    (200..210).flat_map(one).collect()
}
