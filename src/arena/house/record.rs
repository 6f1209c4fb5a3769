//! An arena as it is kept: its settings, everybody's moves, every cell, what the critic said, and the choice.
//!
//! Values only, names and plans as text, so that a record can be read without its scene; playing it again needs the task.

use serde::{Deserialize, Serialize};

use crate::arena::house::agents::{Seat, Seated};
use crate::arena::house::committee::score::{Terms, Weights};
use crate::arena::house::model::{Cell, Origin, Payoffs, Response};

/// Everything that decides what an arena comes to, besides the task and the rules in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What all draws come from.
    pub seed: u64,
    /// What RED knows, by id.
    pub level: String,
    /// Responses RED may simulate against a candidate: the response budget.
    pub budget: u32,
    /// Disturbances in one response.
    pub events: u32,
    /// How often the committee revises.
    pub rounds: u32,
    /// How many candidates it revises each time.
    pub width: u32,
    /// How many plans the planner proposes at most.
    pub proposals: u32,
    /// Responses that the held-out RED may simulate.
    pub held_out: u32,
    /// The weights of S.
    pub weights: Weights,
    /// What outcomes are worth to BLUE.
    pub payoffs: Payoffs,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 0,
            level: "plan".to_owned(),
            budget: 8,
            events: 1,
            rounds: 2,
            width: 2,
            proposals: 3,
            held_out: 16,
            weights: Weights::default(),
            payoffs: Payoffs::default(),
        }
    }
}

/// The bounds of the whole numbers among the settings, by name.
pub const BOUNDS: &[(&str, std::ops::RangeInclusive<u32>)] = &[
    ("budget", 1..=4096),
    ("events", 1..=8),
    ("rounds", 0..=16),
    ("width", 1..=64),
    ("proposals", 0..=64),
    ("held_out", 0..=4096),
];

/// The largest weight or payoff, above 0 and below: with more, sums would drown what they are made of.
pub const LARGEST: f64 = 1e6;

impl Settings {
    /// The weights and payoffs with their names.
    const fn numbers(&self) -> [(&'static str, f64); 7] {
        let (w, p) = (&self.weights, &self.payoffs);
        [
            ("weights.alpha", w.alpha),
            ("weights.beta", w.beta),
            ("weights.gamma", w.gamma),
            ("weights.rho", w.rho),
            ("payoffs.good", p.good),
            ("payoffs.safe", p.safe),
            ("payoffs.not_safe", p.not_safe),
        ]
    }

    /// The first weight or payoff that no arena can be held with, and what is wrong with it.
    pub fn wrong(&self) -> Option<(&'static str, String)> {
        let numbers = self.numbers();
        let wild = numbers
            .iter()
            .find(|(_, x)| !x.is_finite() || x.abs() > LARGEST);
        if let Some((name, x)) = wild {
            let what = format!("{x:e} is no number from -{LARGEST} to {LARGEST}");
            return Some((name, what));
        }
        let nothing = numbers.iter().take(4).all(|(_, x)| *x == 0.0);
        nothing.then(|| {
            let what = "all weights are 0, so that every plan has the same S".to_owned();
            ("weights", what)
        })
    }

    /// What is odd about weights and payoffs although an arena can be held with them, a sentence each. Told wherever the arena
    /// is.
    pub fn odd(&self) -> Vec<String> {
        const TERMS: [&str; 4] = ["quality", "discipline", "variety", "pressure"];
        let mut all = Vec::new();
        for ((name, x), term) in self.numbers().iter().zip(TERMS) {
            if *x < 0.0 {
                let more = if term == "pressure" { "more" } else { "less" };
                all.push(format!(
                    "{name} is negative: {more} {term} makes a plan better"
                ));
            }
        }
        let p = &self.payoffs;
        if p.most() <= p.least() {
            all.push("all payoffs are the same: no response costs a plan anything".to_owned());
        } else if p.not_safe > p.good {
            all.push("payoffs are reversed: what is not safe is worth more than safe success, and RED works for safety".to_owned());
        } else if p.not_safe > p.safe {
            all.push(
                "what is not safe is worth more than safety without success: a plan gains by risk"
                    .to_owned(),
            );
        } else if p.safe > p.good {
            all.push("safety without success is worth more than safe success: a plan gains by doing nothing".to_owned());
        }
        all
    }

    /// The first setting that is out of its bounds, with them.
    pub fn out_of_bounds(&self) -> Option<(&'static str, u32, u32)> {
        let numbers = [
            self.budget,
            self.events,
            self.rounds,
            self.width,
            self.proposals,
            self.held_out,
        ];
        let mut all = BOUNDS.iter().zip(numbers);
        let ((name, bounds), _) = all.find(|((_, bounds), n)| !bounds.contains(n))?;
        Some((name, *bounds.start(), *bounds.end()))
    }
}

/// A household arena.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The suite of its task.
    pub suite: String,
    /// The task.
    pub task: String,
    /// The profile of its world, by id.
    pub profile: String,
    /// Its settings.
    pub settings: Settings,
    /// The agents that took part; empty where nobody was asked.
    pub agents: Vec<Seated>,
    /// The candidates, proposals first, then revisions in the order they were made.
    pub candidates: Vec<Entry>,
    /// All responses that occur in a cell.
    pub responses: Vec<Response>,
    /// All cells, in the order they were played.
    pub cells: Vec<Played>,
    /// What the critic says.
    pub claims: Vec<Claim>,
    /// What agents said that does not count.
    pub unheard: Vec<Unheard>,
    /// What each round came to.
    pub rounds: Vec<Round>,
    /// What was chosen; `None` while it goes on.
    pub choice: Option<Choice>,
}

/// A candidate in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Unique in its arena: `B1`, a revision of it `B1r1`.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// In which round it came, from 0.
    pub round: u32,
    /// What it does, in a few words.
    pub words: String,
    /// The plan, a line a step.
    pub plan: Vec<String>,
}

/// Why a cell was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// RED looked for an answer to this candidate.
    Search,
    /// Every plan against every response that beat some plan: the payoff matrix.
    Matrix,
    /// The final figure: a RED whose draws no plan was made against.
    HeldOut,
}

/// A cell, and why it was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Why.
    pub phase: Phase,
    /// The cell.
    pub cell: Cell,
}

/// What a simulation said of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// It holds.
    Confirmed,
    /// It does not.
    Refuted,
    /// Nothing here can tell.
    Unverifiable,
}

/// Something the critic says about a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Unique in its arena: `C1`.
    pub id: String,
    /// Who says so: `offline`, or an agent.
    pub by: String,
    /// About which candidate.
    pub candidate: String,
    /// Under which response; empty for a claim about the plan alone.
    pub response: String,
    /// The step that costs the objective, by executed steps from 1; 0 for none.
    pub step: u32,
    /// The rule broken there, or the goal not met; empty for none.
    pub broken: String,
    /// The claim in words.
    pub text: String,
    /// What is proposed instead, a line a step; empty for nothing.
    pub remedy: Vec<String>,
    /// Before which step the remedy goes, by executed steps from 1.
    pub before: u32,
    /// What a simulation said.
    pub finding: Finding,
    /// What that rests on: `safe in 4 of 4`.
    pub evidence: String,
}

/// What an agent said that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unheard {
    /// Who said it.
    pub by: Seat,
    /// About which candidate; empty where it was to become one.
    pub candidate: String,
    /// As it was said, cut where it is long.
    pub text: String,
    /// Why it does not count.
    pub why: String,
}

/// What the committee held of the candidates in one round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Its number, from 0.
    pub round: u32,
    /// Each candidate's terms and S, the best first.
    pub scores: Vec<Scored>,
    /// The names of those revised next.
    pub revised: Vec<String>,
    /// Simulations made up to its end.
    pub simulations: u64,
}

/// A candidate's score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scored {
    /// The candidate.
    pub candidate: String,
    /// What S is made of.
    pub terms: Terms,
    /// S.
    #[serde(with = "crate::arena::house::number")]
    pub score: f64,
}

/// What was chosen, and what that is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The candidate with the best S over the matrix, the first of equals.
    pub selected: String,
    /// The best of the proposals by the same S: what choosing alone would have brought.
    pub best_proposal: String,
    /// The first proposal: what no committee would have brought.
    pub single: String,
}

impl Record {
    /// The candidate of that name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.candidates.iter().find(|e| e.name == name)
    }

    /// The response with that id.
    pub fn response(&self, id: &str) -> Option<&Response> {
        self.responses.iter().find(|r| r.id == id)
    }

    /// The cells of a phase.
    pub fn cells(&self, phase: Phase) -> impl Iterator<Item = &Cell> {
        let those = self.cells.iter().filter(move |p| p.phase == phase);
        those.map(|p| &p.cell)
    }

    /// The cell of a candidate and a response, wherever it was played.
    pub fn cell(&self, candidate: &str, response: &str) -> Option<&Cell> {
        let is = |c: &&Played| c.cell.candidate == candidate && c.cell.response == response;
        self.cells.iter().find(is).map(|p| &p.cell)
    }

    /// The last round's scores; empty before the first.
    pub fn scores(&self) -> &[Scored] {
        self.rounds.last().map_or(&[], |r| r.scores.as_slice())
    }
}
