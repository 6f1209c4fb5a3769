//! Scores of a pair of plans (§4): advantage, the so-called Nash gap, and the strength ratio played out as a wargame.

use crate::arena::advplan::model::{Force, GameState, Plan, capability};

/// p: a quality from -1 to 1 as a payoff from 0 to 1.
pub const fn payoff(quality: f64) -> f64 {
    0.5 * (quality + 1.0)
}

/// BLUE's advantage, from 0 to 1.
pub const fn advantage(blue: f64, red: f64) -> f64 {
    ((blue - red) + 2.0) / 4.0
}

/// The published "Nash gap" of two qualities: how far the payoffs are from adding up to 1. It is no exploitability.
pub const fn nash_gap(blue: f64, red: f64) -> f64 {
    (payoff(blue) + payoff(red) - 1.0).abs()
}

/// The end of the wargame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// BLUE's remaining strength.
    pub blue_remaining: f64,
    /// RED's.
    pub red_remaining: f64,
    /// BLUE's D.
    pub blue_alignment: f64,
    /// RED's D.
    pub red_alignment: f64,
    /// Whoever has more left; [`Force::Neutral`] for a draw.
    pub winner: Force,
}

impl Outcome {
    /// Whether BLUE wins.
    pub fn blue_wins(&self) -> bool {
        self.winner == Force::Blue
    }

    /// The winner's name, `draw` for none.
    pub fn word(&self) -> &'static str {
        match self.winner {
            Force::Neutral => "draw",
            side => side.name(),
        }
    }
}

/// Rounds of fire.
const ROUNDS: u32 = 10;

/// Losses a round per strength of the other side.
const RATE: f64 = 0.03;

/// Plays Lanchester's equations with the capabilities of both sides, sped up by q + D of their plans.
pub fn wargame(state: &GameState, blue: (&Plan, f64), red: (&Plan, f64)) -> Outcome {
    let strengths = (
        capability(&state.blue_assets),
        capability(&state.red_assets),
    );
    play(
        strengths,
        (blue.0.quality_score, blue.1),
        (red.0.quality_score, red.1),
    )
}

/// The same from bare numbers: the strengths, and (q, D) of both sides.
pub fn play(strengths: (f64, f64), blue: (f64, f64), red: (f64, f64)) -> Outcome {
    let effect = |(q, d): (f64, f64)| (1.0 + q + d).max(0.05);
    let (blue_effect, red_effect) = (effect(blue), effect(red));
    let (mut b, mut r) = strengths;
    for _ in 0..ROUNDS {
        let blue_loss = RATE * r * red_effect;
        let red_loss = RATE * b * blue_effect;
        b = (b - blue_loss).max(0.0);
        r = (r - red_loss).max(0.0);
        if b == 0.0 || r == 0.0 {
            break;
        }
    }
    Outcome {
        blue_remaining: b,
        red_remaining: r,
        blue_alignment: blue.1,
        red_alignment: red.1,
        winner: if b > r {
            Force::Blue
        } else if r > b {
            Force::Red
        } else {
            Force::Neutral
        },
    }
}
