//! What a council's S is made of beside another's, and what can be proven to make it worth less than it seems (§14).
//!
//! Everything is recomputed from a scenario that was played; nothing is asserted that the numbers at hand do not show.

use std::sync::Arc;

use crate::arena::advplan::audit::{EDITS, Edit, read_by_red, red_counts};
use crate::arena::advplan::council::{Candidate, Council, Parts, WEIGHTS};
use crate::arena::advplan::model::{Plan, capability};
use crate::arena::advplan::payoff::{payoff, play};
use crate::arena::advplan::rubric::{PROXY, Rubric, TERMS, proxy_terms};
use crate::arena::advplan::sets::pareto;
use crate::arena::advplan::study::Played;
use crate::base::figures::{figure, signed};

/// The names of the terms of S, in the order of [`WEIGHTS`], with the letter each has in tables.
pub const NAMES: [(&str, &str); 4] = [
    ("quality", "p"),
    ("doctrine", "d"),
    ("variety", "V"),
    ("pressure", "P"),
];

impl Council {
    /// What a candidate is called: `B1` the first proposal, `B1r2` the revision of it that was made second.
    pub fn name(&self, at: usize) -> String {
        match self.candidates.get(at) {
            Some(c) if c.round > 0 => {
                let rank = at.saturating_sub(self.proposals) + 1;
                format!("B{}r{rank}", c.origin + 1)
            }
            _ => format!("B{}", at + 1),
        }
    }

    /// The quality a candidate was given: for its role, and for a revision that of its proposal's role as well.
    pub fn gift(&self, at: usize) -> f64 {
        let Some(c) = self.candidates.get(at) else {
            return 0.0;
        };
        let before = self.candidates.get(c.origin).filter(|_| c.round > 0);
        c.bonus + before.map_or(0.0, |b| b.bonus)
    }

    /// The parts of a candidate's score, without what it was given if so asked.
    pub fn parts(&self, at: usize, gifts: bool) -> Option<Parts> {
        let c = self.candidates.get(at)?;
        Some(if gifts {
            c.parts
        } else {
            Parts {
                quality: payoff(c.plan.quality_score - self.gift(at)),
                ..c.parts
            }
        })
    }

    /// S of a candidate, without what it was given if so asked.
    pub fn score(&self, at: usize, gifts: bool) -> f64 {
        match self.candidates.get(at) {
            Some(c) if gifts => c.score,
            _ => self.parts(at, gifts).map_or(f64::NAN, |p| p.score()),
        }
    }

    /// The candidates up to a round, by falling S; those that are equal stay in order.
    pub fn ranking(&self, round: u32, gifts: bool) -> Vec<usize> {
        self.ranked_by(round, |at| self.score(at, gifts))
    }

    fn ranked_by(&self, round: u32, score: impl Fn(usize) -> f64) -> Vec<usize> {
        let all = self.candidates.iter().enumerate();
        let mut order: Vec<usize> = all
            .filter(|(_, c)| c.round <= round)
            .map(|(at, _)| at)
            .collect();
        order.sort_by(|a, b| score(*b).total_cmp(&score(*a)));
        order
    }

    /// The candidates up to a round that no other is as good as in p and d and better in one.
    pub fn front(&self, round: u32) -> Vec<usize> {
        let all = self.candidates.iter().enumerate();
        let shown: Vec<(usize, &Candidate)> = all.filter(|(_, c)| c.round <= round).collect();
        let points: Vec<(f64, f64)> = shown
            .iter()
            .map(|(_, c)| (c.parts.quality, c.parts.rubric))
            .collect();
        let free = pareto(&points).into_iter();
        free.filter_map(|i| Some(shown.get(i)?.0)).collect()
    }

    /// The last round.
    pub fn last_round(&self) -> u32 {
        self.candidates.iter().map(|c| c.round).max().unwrap_or(0)
    }
}

/// One term of S, of two candidates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// Its name.
    pub name: &'static str,
    /// Its letter.
    pub letter: &'static str,
    /// Its weight; below 0 for what is taken off.
    pub weight: f64,
    /// Of the one.
    pub own: f64,
    /// Of the other.
    pub other: f64,
}

impl Term {
    /// By how much the one is ahead in it.
    pub fn ahead(&self) -> f64 {
        self.own - self.other
    }

    /// What that adds to the difference of both S.
    pub fn share(&self) -> f64 {
        self.weight * self.ahead()
    }
}

/// The four terms of S of the one beside the other.
pub fn terms(own: &Parts, other: &Parts) -> [Term; 4] {
    let [alpha, beta, gamma, rho] = WEIGHTS;
    let values = |p: &Parts| [p.quality, p.rubric, p.variety, p.pressure];
    let (own, other) = (values(own), values(other));
    let weights = [alpha, beta, gamma, -rho];
    std::array::from_fn(|i| Term {
        name: NAMES[i].0,
        letter: NAMES[i].1,
        weight: weights[i],
        own: own[i],
        other: other[i],
    })
}

/// The terms of d in which two plans differ: the name, the weight, both values.
pub fn doctrine(own: &Plan, other: &Plan) -> Vec<(&'static str, f64, f64, f64)> {
    let values = proxy_terms(own).into_iter().zip(proxy_terms(other));
    let all = PROXY.into_iter().zip(values);
    all.filter(|(_, (a, b))| a.to_bits() != b.to_bits())
        .map(|((name, weight), (a, b))| (name, weight, a, b))
        .collect()
}

/// A doubt about what was selected, and whether it is proven for this scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// Its id.
    pub id: &'static str,
    /// What is doubted, in a few words.
    pub claim: &'static str,
    /// Whether it holds here.
    pub holds: bool,
    /// What shows it, in a line.
    pub shows: String,
    /// The figures behind it: what, and how much.
    pub evidence: Vec<(String, String)>,
}

/// Every doubt, of a scenario that was played, in a fixed order.
pub fn doubts(played: &Played) -> Vec<Doubt> {
    vec![
        blind(played),
        gifts(played),
        luck(played),
        saturated(played),
        branches(played),
        strength(played),
        rounds(played),
    ]
}

/// RED reads nothing of the plan but how many actions it has.
fn blind(played: &Played) -> Doubt {
    let read = read_by_red(played.base, &played.scenario);
    let counts = red_counts(played.base, &played.scenario);
    let moves = |edit: &'static Edit| {
        let word = if read.iter().any(|r| std::ptr::eq(*r, edit)) {
            "moves RED"
        } else {
            "RED stays"
        };
        (edit.doc.to_owned(), word.to_owned())
    };
    let mut evidence: Vec<(String, String)> = EDITS.iter().map(moves).collect();
    let word = if counts { "moves RED" } else { "RED stays" };
    evidence.push(("one action more".to_owned(), word.to_owned()));
    Doubt {
        id: "blind",
        claim: "RED does not read the plan",
        holds: read.is_empty(),
        shows: format!("{} of {} edits moved RED", read.len(), EDITS.len()),
        evidence,
    }
}

/// Another candidate would have been selected without the quality that was given.
fn gifts(played: &Played) -> Doubt {
    let council = &played.council;
    let round = council.last_round();
    let order = council.ranking(round, false);
    let first = order.first().copied().unwrap_or(council.selected);
    let figures = |&at: &usize| {
        let (gift, bare) = (council.gift(at), council.score(at, false));
        let words = format!("S {} less the gift {}", figure(bare, 4), signed(gift, 3));
        (council.name(at), words)
    };
    let gift = signed(council.gift(council.selected), 3);
    let name = council.name(first);
    let holds = first != council.selected;
    Doubt {
        id: "gifts",
        claim: "the gift decides",
        holds,
        shows: if holds {
            format!("without its {gift} gift {name} wins")
        } else {
            format!("without its {gift} gift it still wins")
        },
        evidence: order.iter().map(figures).collect(),
    }
}

/// With the same pressure on all, another would have been selected: pressures are draws of a blind RED.
fn luck(played: &Played) -> Doubt {
    let council = &played.council;
    let rho = WEIGHTS[3];
    let bare = |at: usize| {
        let c = council.candidates.get(at);
        c.map_or(f64::NAN, |c| c.score + rho * c.parts.pressure)
    };
    let order = council.ranked_by(council.last_round(), bare);
    let first = order.first().copied().unwrap_or(council.selected);
    let figures = |&at: &usize| {
        let c = council.candidates.get(at);
        let pressure = c.map_or(f64::NAN, |c| c.parts.pressure);
        let words = format!("S + ρP {}   P {}", figure(bare(at), 4), figure(pressure, 4));
        (council.name(at), words)
    };
    let holds = first != council.selected;
    Doubt {
        id: "luck",
        claim: "RED’s luck decides",
        holds,
        shows: if holds {
            format!("with equal P {} wins", council.name(first))
        } else {
            "with equal P it still wins".to_owned()
        },
        evidence: order.iter().map(figures).collect(),
    }
}

/// Terms that are the same for every candidate decide nothing.
fn saturated(played: &Played) -> Doubt {
    let candidates = &played.council.candidates;
    let same = |values: Vec<f64>| {
        let first = values.first().copied()?;
        let equal = values.iter().all(|v| v.to_bits() == first.to_bits());
        equal.then_some(first)
    };
    let n = candidates.len();
    let mut evidence = Vec::new();
    for (i, (name, weight)) in PROXY.into_iter().enumerate() {
        let values = candidates.iter().map(|c| proxy_terms(&c.plan)[i]);
        if let Some(value) = same(values.collect()) {
            let words = format!(
                "{} in {n} of {n}, weight {}",
                figure(value, 3),
                figure(weight, 2)
            );
            evidence.push((format!("d: {name}"), words));
        }
    }
    let of_d = evidence.len();
    for (i, name) in TERMS.into_iter().enumerate() {
        let values = candidates.iter().map(|c| Rubric::of(&c.plan).0[i]);
        if let Some(value) = same(values.collect()) {
            evidence.push((
                format!("D: {name}"),
                format!("{} in {n} of {n}", figure(value, 3)),
            ));
        }
    }
    let of_rubric = evidence.len() - of_d;
    Doubt {
        id: "saturated",
        claim: "terms are saturated",
        holds: !evidence.is_empty(),
        shows: format!(
            "{of_d} of {} terms of d, {of_rubric} of {} of D are the same in all",
            PROXY.len(),
            TERMS.len()
        ),
        evidence,
    }
}

/// Proposals lose the branches of the plans they are made of.
fn branches(played: &Played) -> Doubt {
    let council = &played.council;
    let count = |plan: &Plan| plan.chain.iter().filter(|s| s.branch.is_some()).count();
    let seeds = &played.scenario.seed_coas;
    let mut lost = 0;
    let mut evidence = Vec::new();
    for (at, c) in council.candidates.iter().enumerate() {
        let seed = match c.round {
            0 => seeds.get(c.origin),
            _ => council
                .candidates
                .get(c.origin)
                .and_then(|p| seeds.get(p.origin)),
        };
        let (had, has) = (seed.map_or(0, count), count(&c.plan));
        lost += usize::from(has < had);
        let words = format!("{had} in the seed plan, {has} in the candidate");
        evidence.push((council.name(at), words));
    }
    Doubt {
        id: "branches",
        claim: "branches are lost",
        holds: lost > 0,
        shows: format!("in {lost} of {} candidates", council.candidates.len()),
        evidence,
    }
}

/// The wargame comes out the same with the forces alone.
fn strength(played: &Played) -> Doubt {
    let state = &played.scenario.game_state;
    let forces = (
        capability(&state.blue_assets),
        capability(&state.red_assets),
    );
    let raw = play(forces, (0.0, 0.0), (0.0, 0.0));
    let outcome = &played.selected.answer.outcome;
    let ends =
        |blue: f64, red: f64| format!("BLUE {}, RED {} left", figure(blue, 3), figure(red, 3));
    Doubt {
        id: "strength",
        claim: "the forces decide the wargame",
        holds: raw.winner == outcome.winner,
        shows: format!(
            "BLUE {:.2} to RED {:.2} alone: {} wins",
            forces.0,
            forces.1,
            raw.word()
        ),
        evidence: vec![
            (
                "with plans".to_owned(),
                format!(
                    "{} wins, {}",
                    outcome.word(),
                    ends(outcome.blue_remaining, outcome.red_remaining)
                ),
            ),
            (
                "forces alone".to_owned(),
                format!(
                    "{} wins, {}",
                    raw.word(),
                    ends(raw.blue_remaining, raw.red_remaining)
                ),
            ),
        ],
    }
}

/// V is taken against the others of a round: four in the first, one in the second.
fn rounds(played: &Played) -> Doubt {
    let council = &played.council;
    let mut evidence = Vec::new();
    for round in 0..=council.last_round() {
        let own = council.candidates.iter().filter(|c| c.round == round);
        let v: Vec<f64> = own.map(|c| c.parts.variety).collect();
        let mean = v.iter().sum::<f64>() / v.len().max(1) as f64;
        let words = format!(
            "V against {} others, {} on average",
            v.len().saturating_sub(1),
            figure(mean, 4)
        );
        evidence.push((format!("round {round}"), words));
    }
    let (first, rest) = (
        council.proposals,
        council.candidates.len().saturating_sub(council.proposals),
    );
    Doubt {
        id: "rounds",
        claim: "rounds are not comparable",
        holds: rest > 0 && rest != first,
        shows: format!(
            "V against {} others in round 0, {} in round 1",
            first.saturating_sub(1),
            rest.saturating_sub(1)
        ),
        evidence,
    }
}

/// The words both plans of a difference share or not, for V: the types of all actions, each once.
pub fn words(plan: &Plan) -> Vec<&str> {
    let mut words: Vec<&str> = plan.every_action().map(|a| &*a.action_type).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The types of a plan's flat actions in their order.
pub fn spoken(plan: &Plan) -> String {
    let words: Vec<&str> = plan
        .actions
        .iter()
        .map(|a| &*Arc::as_ref(a).action_type)
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::advplan::traces::replay;

    fn urban() -> Played {
        replay("urban-100").unwrap()
    }

    #[test]
    fn a_candidate_is_named_after_its_proposal() {
        let council = urban().council;
        let names: Vec<String> = (0..7).map(|at| council.name(at)).collect();
        assert_eq!(names, ["B1", "B2", "B3", "B4", "B5", "B1r1", "B4r2"]);
        let order: Vec<String> = council
            .ranking(1, true)
            .iter()
            .map(|at| council.name(*at))
            .collect();
        assert_eq!(order, ["B1r1", "B1", "B4", "B4r2", "B5", "B3", "B2"]);
        // Without the gifts the first two change places.
        let bare: Vec<String> = council
            .ranking(1, false)
            .iter()
            .map(|at| council.name(*at))
            .collect();
        assert_eq!(bare.first().map(String::as_str), Some("B1"));
        assert!((council.gift(5) - 0.055).abs() < 1e-12);
    }

    #[test]
    fn the_terms_add_up_to_the_difference() {
        let council = urban().council;
        for a in 0..7 {
            for b in 0..7 {
                let (x, y) = (
                    council.parts(a, true).unwrap(),
                    council.parts(b, true).unwrap(),
                );
                let sum: f64 = terms(&x, &y).iter().map(Term::share).sum();
                assert!((sum - (x.score() - y.score())).abs() < 1e-12);
            }
        }
        let doctrine = doctrine(&council.candidates[2].plan, &council.candidates[5].plan);
        let sum: f64 = doctrine.iter().map(|(_, w, a, b)| w * (a - b)).sum();
        let d = |at: usize| council.candidates[at].parts.rubric;
        assert!((sum - (d(2) - d(5))).abs() < 1e-12);
    }

    #[test]
    fn doubts_are_proven_or_not() {
        let told: Vec<(&str, bool, String)> = doubts(&urban())
            .into_iter()
            .map(|d| (d.id, d.holds, d.shows))
            .collect();
        let told: Vec<(&str, bool, &str)> =
            told.iter().map(|(a, b, c)| (*a, *b, c.as_str())).collect();
        insta::assert_debug_snapshot!(told);
    }
}
