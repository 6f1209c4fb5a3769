//! Every formula on plans small enough to be reckoned by hand.

#![expect(
    clippy::float_cmp,
    reason = "equal to the last bit is what is promised"
)]

use std::sync::Arc;

use super::audit::{METRICS, audit};
use super::bootstrap::Resampler;
use super::corpus::{TEMPLATES, corpus};
use super::council::{Parts, hold};
use super::model::{Action, Category, Force, Framing, Plan};
use super::payoff::{advantage, nash_gap, play};
use super::python::{Column, Dice, Num, Random};
use super::raters::rate;
use super::respond::{Responder, by_constraint, by_quality};
use super::rubric::{Rubric, proxy};
use super::sets::{WordSet, diversity, pareto, spread, tradeoff};
use super::structure::Structure;
use super::study::{BUDGETS, Played};
use super::table::Table;
use super::{framing, offline, seeds, traces};

use Category::{Cyber, Intelligence, Kinetic, Logistics};

/// A BLUE plan of these (type, category, asset), of which the last so many have a precondition.
fn plan(objective: &str, actions: &[(&'static str, Category, &str)], prepared: usize) -> Plan {
    let n = actions.len();
    let action = |(i, &(what, category, asset)): (usize, &(&'static str, Category, &str))| {
        let mut action = Action::new(what, category, asset.into());
        if i + prepared >= n {
            action.preconditions.push("ready".into());
        }
        Arc::new(action)
    };
    let actions = actions.iter().enumerate().map(action).collect();
    Plan::linear(Force::Blue, actions, objective.into(), 0.2, "test")
}

fn two() -> Plan {
    let actions = [("recon", Intelligence, "a"), ("strike", Kinetic, "b")];
    plan("Protect the old bridge now, quickly", &actions, 1)
}

#[test]
fn the_rubric_has_six_terms() {
    // Long words: protect, bridge, now-comma, quickly. Categories: two of four.
    let rubric = Rubric::of(&two());
    assert_eq!(rubric.0, [4.0 / 6.0, 1.0, 0.5, 0.0, 1.0, 1.0]);
    let by_hand = 0.2 * (4.0 / 6.0) + 0.18 + 0.09 + 0.15 + 0.15;
    assert!((rubric.alignment() - by_hand).abs() < 1e-15);
    assert_eq!(proxy(&two()), 0.35 * 0.5 + 0.30 + 0.20 * 0.5 + 0.15);

    // Nothing searched for: care by preconditions, of which two are enough.
    let actions = [
        ("jam", Cyber, "a"),
        ("jam", Cyber, "a"),
        ("jam", Cyber, "a"),
    ];
    let terms = |prepared| Rubric::of(&plan("win", &actions, prepared)).0;
    assert_eq!(terms(0), [0.0, 0.0, 0.25, 0.0, 0.0, 1.0]);
    assert_eq!(terms(1)[4], 0.5);
    assert_eq!(terms(3)[4], 1.0);
    // Words count in any case and within words; those of actions count too.
    let terms = |what| Rubric::of(&plan("win", &[(what, Kinetic, "a")], 0)).0;
    assert_eq!(terms("Catalogue"), [0.0, 0.0, 0.25, 1.0, 0.0, 0.0]);
    assert_eq!(terms("WITHDRAW_é"), [0.0, 0.0, 0.25, 0.0, 1.0, 0.0]);
    assert_eq!(Rubric::of(&plan("", &[], 0)).alignment(), 0.0);
}

#[test]
fn structure_counts_branches_repetitions_and_words() {
    let plan_of = |p: &Plan| {
        let s = Structure::of(p);
        (
            s.path_optionality,
            s.vertex_parsimony,
            s.worldline_completion,
        )
    };
    assert_eq!(plan_of(&two()), (0.0, 0.5, 0.0));
    assert_eq!(plan_of(&plan("", &[], 0)), (0.0, 0.0, 0.0));
    let branch = seeds::branch(&Dice::default(), 100, "x");
    // Four places, three different actions; the withdrawal is no flat action.
    assert_eq!(plan_of(&branch), (0.5, 0.75, 0.0));
    let there_and_back = [
        ("network_scan", Cyber, "a"),
        ("harm_mitigation", Cyber, "a"),
        ("recon", Cyber, "b"),
    ];
    assert_eq!(plan_of(&plan("", &there_and_back, 0)), (0.0, 0.5, 0.5));
}

#[test]
fn payoffs_of_pairs() {
    assert_eq!(advantage(0.2, -0.1), 0.575);
    assert_eq!(nash_gap(0.2, -0.1), 0.050_000_000_000_000_044);
    assert_eq!(nash_gap(0.25, -0.25), 0.0);
}

#[test]
fn the_wargame_is_a_ratio_of_strengths() {
    let even = play((1.0, 1.0), (0.0, 0.0), (0.0, 0.0));
    assert_eq!((even.winner, even.word()), (Force::Neutral, "draw"));
    assert!((even.blue_remaining - 0.97_f64.powi(10)).abs() < 1e-12);
    let crushed = play((10.0, 0.1), (0.0, 0.0), (0.0, 0.0));
    assert_eq!(
        (crushed.blue_remaining, crushed.red_remaining),
        (9.997, 0.0)
    );
    assert!(crushed.blue_wins());
    // The effect never falls below 0.05, so that the first round costs RED 0.0015.
    let weak = play((1.0, 1.0), (-1.0, -1.0), (0.0, 0.0));
    assert_eq!(weak.word(), "red");
    assert!(weak.red_remaining < 1.0 - 0.0015 && weak.red_remaining > 0.98);
}

#[test]
fn sets_of_plans() {
    let of = |words: &[&'static str]| WordSet::new(words.iter().copied());
    assert_eq!(
        of(&["a", "b", "b"]).distance(&of(&["b", "c"])),
        1.0 - 1.0 / 3.0
    );
    assert_eq!(of(&[]).distance(&of(&[])), 0.0);
    let one = |what| plan("", &[(what, Cyber, "a")], 0);
    assert_eq!(diversity(&[one("x")]), 0.0);
    assert_eq!(diversity(&[one("x"), one("x"), one("y")]), 2.0 / 3.0);
    assert_eq!(spread(&[0.25, -0.5, 0.0]), 0.75);
    assert_eq!(spread(&[]), 0.0);
    let points = [(0.5, 0.1), (0.4, 0.9), (0.4, 0.5), (0.5, 0.1), (0.1, 0.9)];
    assert_eq!(pareto(&points), [0, 1, 3]);
    let told = tradeoff(&points).unwrap();
    assert_eq!((told.by_quality, told.by_both), (0, 1));
    assert_eq!((told.quality_regret, told.doctrinal_gain), (0.5 - 0.4, 0.8));
    assert_eq!(tradeoff(&[]), None);
}

#[test]
fn red_reads_only_how_many_actions_there_are() {
    let scenario = corpus(&Dice::default(), 100).swap_remove(0);
    let red = &scenario.game_state.red_assets;
    let sample = |blue: &Plan, n| Responder::new(blue, red).samples(&mut Random::new(5), n);
    let qualities =
        |blue: &Plan| -> Vec<f64> { sample(blue, 4).iter().map(|p| p.quality_score).collect() };
    let other = [("feed", Logistics, "z"), ("sleep", Logistics, "y")];
    assert_eq!(qualities(&two()), qualities(&plan("peace", &other, 2)));
    assert_ne!(qualities(&two()), qualities(&plan("peace", &other[..1], 0)));
    let few = sample(&two(), 2);
    assert_eq!(few, sample(&two(), 8)[..2]);
    assert_eq!((few[0].actions.len(), few[0].chain.len()), (2, 2));
    assert_eq!(
        &*few[0].objective,
        "counter: Protect the old bridge now, quickly"
    );
    // Nobody to act.
    let none = Responder::new(&two(), &[]).sample(&mut Random::new(5));
    assert_eq!(
        (none.actions.len(), &*none.actions[0].action_type),
        (1, "hold")
    );
}

#[test]
fn choices_take_the_first_best() {
    let with = |q: f64, objective: &str| Plan {
        quality_score: q,
        ..plan(objective, &[("jam", Cyber, "a")], 0)
    };
    let plans = [
        with(0.1, ""),
        with(0.3, ""),
        with(0.3, ""),
        with(0.29, "protect"),
    ];
    assert_eq!((by_quality(&plans), by_constraint(&plans)), (1, 3));
    assert_eq!((by_quality(&[]), by_constraint(&[])), (0, 0));
}

#[test]
fn replies_are_read_or_replaced() {
    let scenario = corpus(&Dice::default(), 100).swap_remove(1);
    let red = &scenario.game_state.red_assets;
    let text = r#"```json
{"objective": "hold", "actions": [
 {"action_type": "dig", "category": "magic", "asset_id": "nobody", "priority": 99, "target_location": [1, 2.5]},
 {"asset_id": "red-mar-002", "category": "cyber", "priority": -3}],
 "quality_components": {"effectiveness": 1.0}}
```"#;
    let read = offline::parse(text, red);
    let told: Vec<_> = read
        .actions
        .iter()
        .map(|a| {
            (
                &*a.action_type,
                a.category,
                &*a.asset_id,
                a.priority,
                a.target_location,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("dig", Kinetic, "red-mar-000", 10, Some((1.0, 2.5))),
            ("maneuver", Cyber, "red-mar-002", 1, None)
        ]
    );
    assert_eq!(read.quality_score, 0.5 * 1.0 - 0.3 * 0.3 - 0.2 * 0.2);
    for broken in [
        "",
        "null",
        "[1]",
        r#"{"actions": 3}"#,
        r#"{"actions": [3]}"#,
    ] {
        let plan = offline::parse(broken, red);
        let first = &plan.actions[0];
        assert_eq!(
            (&*first.action_type, first.priority),
            ("defend", 5),
            "{broken}"
        );
        assert_eq!(
            plan.quality_score,
            0.5 * 0.4 - 0.3 * 0.3 - 0.2 * 0.3,
            "{broken}"
        );
    }
    assert_eq!(&*offline::parse("{}", &[]).actions[0].action_type, "hold");
}

#[test]
fn the_council_adds_up() {
    let parts = Parts {
        quality: 0.6,
        rubric: 0.8,
        variety: 0.5,
        pressure: 0.65,
    };
    assert!((parts.score() - (0.27 + 0.2 + 0.05 - 0.13)).abs() < 1e-15);
    for scenario in corpus(&Dice::default(), 103) {
        let red = &scenario.game_state.red_assets;
        let council = hold(&Dice::default(), 103, &scenario.seed_coas, red).unwrap();
        assert_eq!((council.proposals, council.candidates.len()), (5, 7));
        let best = council
            .candidates
            .iter()
            .map(|c| c.score)
            .fold(f64::MIN, f64::max);
        assert_eq!(council.chosen().unwrap().score, best);
        assert!(council.robustness_margin >= 0.0 && council.consensus_gap >= 0.0);
        for (rank, (revised, &of)) in council.candidates[5..]
            .iter()
            .zip(&council.shortlist)
            .enumerate()
        {
            let origin = &council.candidates[of];
            assert_eq!(revised.origin, of);
            assert_eq!(
                revised.plan.quality_score,
                origin.plan.quality_score + 0.025
            );
            let last = revised.plan.actions.last().unwrap();
            assert!(last.action_type.ends_with(&format!("_r{}", rank + 1)));
        }
    }
    assert_eq!(hold(&Dice::default(), 1, &[], &[]), None);
}

#[test]
fn three_raters_are_arithmetic() {
    let told = |terms| {
        let rating = rate(&Rubric(terms));
        (rating.agreement, rating.deviation)
    };
    assert_eq!(
        told([1.0; 6]),
        (0.983_333_333_333_333_4, 0.008_333_333_333_333_335)
    );
    let sampled = [1.0, 0.0, 0.5, 0.0, 1.0, 1.0];
    assert_eq!(
        told(sampled),
        (0.972_222_222_222_222_3, 0.013_888_888_888_888_888)
    );
}

#[test]
fn framing_adds_words_and_one_action() {
    let urban = |framing| {
        TEMPLATES[0]
            .scenario(&Dice::default(), 7, framing)
            .seed_coas
            .swap_remove(0)
    };
    let blue = urban(Framing::Blue);
    assert_eq!((blue.actions.len(), blue.chain.len()), (2, 2));
    assert_eq!(blue.actions[1].category, Category::Information);
    assert_eq!(urban(Framing::Neutral).actions.len(), 1);
    let all = framing::study(&Dice::default());
    assert_eq!(all.len(), 50);
    let deltas: Vec<f64> = all.iter().take(5).map(framing::Framed::delta).collect();
    assert_eq!(
        deltas,
        [
            0.044_999_999_999_999_93,
            0.045_000_000_000_000_04,
            0.045_000_000_000_000_04,
            0.194_999_999_999_999_95,
            0.0
        ]
    );
}

#[test]
fn resampling_starts_anew() {
    let mut resampler = Resampler::default();
    assert_eq!(resampler.draws(50)[..4], [24, 48, 26, 2]);
    assert_eq!(resampler.draws(150)[..4], [98, 107, 10, 66]);
    assert_eq!(resampler.draws(50).len(), 50_000);
    let same = resampler.interval(&Column::floats([0.1; 7]));
    assert_eq!((same.lower, same.upper), (Num::Float(0.1), Num::Float(0.1)));
    let whole = resampler.interval(&Column::new(vec![Num::Int(2); 3]));
    assert_eq!((whole.mean, whole.lower), (2.0, Num::Int(2)));
    assert_eq!(resampler.interval(&Column::floats([])).mean, 0.0);
}

#[test]
fn tables_are_written_as_csv() {
    let rows = [
        vec![
            ("name", "a,\"b\"".into()),
            ("n", 3_usize.into()),
            ("yes", true.into()),
        ],
        vec![
            ("name", "c".into()),
            ("n", 0.5.into()),
            ("yes", false.into()),
        ],
    ];
    let table = Table::new("t.csv", rows);
    assert_eq!(
        table.csv(),
        "name,n,yes\r\n\"a,\"\"b\"\"\",3,True\r\nc,0.5,False\r\n"
    );
    assert_eq!(table.numbers("n"), [Num::Int(3), Num::Float(0.5)]);
    assert_eq!(table.numbers("yes"), [Num::Int(1), Num::Int(0)]);
    assert_eq!(table.numbers("none"), []);
}

#[test]
fn an_id_makes_its_plan_again() {
    let dice = Dice::default();
    let scenario = corpus(&dice, 106).swap_remove(3);
    let played = Played::new(&dice, 106, scenario).unwrap();
    assert_eq!(
        played.budgets.iter().map(|b| b.k).collect::<Vec<_>>(),
        BUDGETS
    );
    assert_eq!(
        traces::replay("air-defense-109/red/3"),
        Some(played.clone())
    );
    let plans = traces::plans(&played);
    let ids: std::collections::BTreeSet<_> = plans.iter().map(|(id, _)| id).collect();
    assert_eq!(
        (ids.len(), plans.len()),
        (1 + 16 + 1 + 7 + 28, 1 + 16 + 1 + 7 + 28)
    );
    assert!(ids.contains(&traces::selected_red_id(&played)));
    for odd in [
        "",
        "urban",
        "urban-",
        "moon-100",
        "maritime-0",
        "urban-99999999999999999999",
    ] {
        assert_eq!(traces::replay(odd), None, "{odd}");
    }
    assert!(traces::replay("urban-18446744073709551615").is_none());
}

#[test]
fn the_audit_finds_what_moves_nothing() {
    let all = audit(1);
    let moves = |id: &str| -> Vec<&str> {
        let own = all.iter().find(|m| m.edit.id == id).unwrap();
        own.metrics.iter().map(|(name, _)| *name).collect()
    };
    for inert in [
        "target", "dur", "tool", "order", "deps", "branch", "domain", "profile",
    ] {
        assert_eq!(moves(inert), [""; 0], "{inert}");
    }
    assert_eq!(moves("loc"), ["adv_llm"]);
    assert_eq!(moves("cap"), ["lanch_margin"]);
    assert!(moves("nobranch").contains(&"O"));
    let mut sorted = METRICS;
    sorted.sort_unstable();
    assert_eq!(sorted, METRICS);
}
