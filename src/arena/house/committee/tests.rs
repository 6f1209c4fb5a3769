//! Terms and varieties against small inputs.

use super::score::{Terms, Weights, kept, terms, varieties};
use crate::arena::house::model::{Broken, Cell, Outcome, Payoffs, Red, Share};
use crate::base::fold::StateHash;
use crate::sim::vocab::Ix;
use crate::sim::world::Action;

fn outcome(succeeds: bool, safety: (u32, u32), broken: &[&str]) -> Outcome {
    Outcome {
        success: Share {
            held: u32::from(succeeds),
            of: 1,
        },
        safety: Share {
            held: safety.0,
            of: safety.1,
        },
        broken: broken
            .iter()
            .map(|rule| Broken {
                rule: (*rule).to_owned(),
                step: 1,
                words: String::new(),
            })
            .collect(),
        steps: 3,
        refused: None,
        avoided: None,
        succeeds,
        hash: StateHash::default(),
    }
}

fn cell(outcome: Outcome) -> Cell {
    Cell {
        candidate: "B1".to_owned(),
        response: "R1".to_owned(),
        outcome,
        red: Red::Acted,
        certificates: Vec::new(),
    }
}

#[test]
fn every_term_is_what_was_played() {
    let good = outcome(true, (2, 2), &[]);
    let half = cell(outcome(false, (1, 2), &[]));
    let bad = cell(outcome(true, (2, 2), &["F05"]));
    let found = terms(&Payoffs::default(), &good, &[&half, &bad], 0.25);
    let wanted = Terms {
        quality: 1.0,
        discipline: 0.5,
        variety: 0.25,
        pressure: 1.0,
    };
    assert_eq!(found, wanted);
    let score = Weights::default().score(&found);
    assert!((score - (0.45 + 0.125 + 0.025 - 0.2)).abs() < 1e-12);
    let alone = terms(&Payoffs::default(), &good, &[], 0.0);
    assert_eq!((alone.discipline, alone.pressure), (1.0, 0.0));
}

#[test]
fn a_broken_rule_leaves_nothing_kept() {
    assert!((kept(&outcome(true, (1, 4), &[])) - 0.25).abs() < 1e-12);
    assert!(kept(&outcome(true, (4, 4), &["P24"])).abs() < 1e-12);
    assert!((kept(&outcome(false, (0, 0), &[])) - 1.0).abs() < 1e-12);
}

#[test]
fn a_plan_among_copies_of_itself_has_no_variety() {
    let step = |verb| Action {
        verb,
        a: Ix::NONE,
        b: Ix::NONE,
    };
    let (one, other) = (vec![step(0), step(1)], vec![step(2)]);
    assert_eq!(varieties(&[one.clone(), one.clone()]), [0.0, 0.0]);
    assert_eq!(varieties(std::slice::from_ref(&one)), [0.0]);
    let found = varieties(&[one.clone(), one, other]);
    assert!(found[2] > found[0] && found[0] > 0.0, "{found:?}");
}
