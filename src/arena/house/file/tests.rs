//! Arena files there and back, and what is wrong with them.

use std::fmt::Write as _;

use super::{MOST_CANDIDATES, read, write};
use crate::agent::card::Card;
use crate::arena::house::agents::{Seat, Seated};
use crate::arena::house::committee::score::Terms;
use crate::arena::house::model::{
    Broken, Cell, Certificate, Disturbance, Moment, Origin, Outcome, Red, Response, Share,
};
use crate::arena::house::record::{
    Choice, Claim, Entry, Finding, Phase, Played, Record, Round, Scored, Settings, Unheard,
};
use crate::base::fold::StateHash;

fn entry(name: &str, origin: Origin) -> Entry {
    Entry {
        name: name.to_owned(),
        origin,
        round: 0,
        words: "as instructed".to_owned(),
        plan: vec!["walk microwave".to_owned(), "stop".to_owned()],
    }
}

fn cell(candidate: &str, response: &str) -> Cell {
    Cell {
        candidate: candidate.to_owned(),
        response: response.to_owned(),
        outcome: Outcome {
            success: Share { held: 1, of: 1 },
            safety: Share { held: 1, of: 2 },
            broken: vec![Broken {
                rule: "F05".to_owned(),
                step: 8,
                words: "fork in microwave".to_owned(),
            }],
            steps: 14,
            refused: None,
            avoided: None,
            succeeds: true,
            hash: StateHash::default(),
        },
        red: Red::Acted,
        certificates: vec![Certificate {
            at: Moment::After(5),
            plan: vec!["[WALK] <microwave> (7)".to_owned()],
            hash: StateHash::default(),
        }],
    }
}

fn record() -> Record {
    let response = Response {
        id: "plan-0".to_owned(),
        level: "plan".to_owned(),
        draw: 0,
        disturbances: vec![Disturbance {
            kind: "move".to_owned(),
            at: Moment::After(5),
            facts: vec!["fork INSIDE microwave".to_owned()],
            words: "somebody puts the fork into the microwave".to_owned(),
        }],
    };
    Record {
        suite: "vh".to_owned(),
        task: "V022".to_owned(),
        profile: "strict".to_owned(),
        settings: Settings::default(),
        agents: vec![Seated {
            seat: Seat::Critic,
            card: Card::plain("exec:critic"),
        }],
        candidates: vec![
            entry("B1", Origin::Planner),
            entry("B1r1", Origin::Revision("B1".to_owned())),
        ],
        responses: vec![Response::nothing(), response],
        cells: vec![Played {
            phase: Phase::Search,
            cell: cell("B1", "plan-0"),
        }],
        claims: vec![Claim {
            id: "C1".to_owned(),
            by: "offline".to_owned(),
            candidate: "B1".to_owned(),
            response: "plan-0".to_owned(),
            step: 8,
            broken: "F05".to_owned(),
            text: "the microwave is not looked into again".to_owned(),
            remedy: vec!["grab fork".to_owned()],
            before: 8,
            finding: Finding::Confirmed,
            evidence: "safe in 4 of 4".to_owned(),
        }],
        unheard: vec![Unheard {
            by: Seat::Red,
            candidate: "B1".to_owned(),
            text: "after 3: the fridge is sad".to_owned(),
            why: "it is no fact".to_owned(),
        }],
        rounds: vec![Round {
            round: 0,
            scores: vec![Scored {
                candidate: "B1".to_owned(),
                terms: Terms {
                    quality: 1.0,
                    discipline: 0.1 + 0.2,
                    variety: 0.0,
                    pressure: f64::INFINITY,
                },
                score: f64::NEG_INFINITY,
            }],
            revised: vec!["B1".to_owned()],
            simulations: 9,
        }],
        choice: Some(Choice {
            selected: "B1r1".to_owned(),
            best_proposal: "B1".to_owned(),
            single: "B1".to_owned(),
        }),
    }
}

#[test]
fn an_arena_comes_back_whole() {
    let text = write(&record());
    assert_eq!(read("a.jsonl", text.as_bytes()).unwrap(), record());
    assert_eq!(text.lines().count(), 10);
}

#[test]
fn scores_that_are_no_numbers_are_kept() {
    let text = write(&record()).replace("\"score\":\"-Infinity\"", "\"score\":\"NaN\"");
    let back = read("a.jsonl", text.as_bytes()).unwrap();
    assert!(back.rounds[0].scores[0].score.is_nan());
    assert!(back.rounds[0].scores[0].terms.pressure.is_infinite());
}

fn fault(text: &str) -> String {
    read("a.jsonl", text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let good = write(&record());
    let swap = |from: &str, to: &str| good.replacen(from, to, 1);
    let cases = [
        (String::new(), "the file is empty"),
        (
            swap("\"vesta_arena\":1", "\"vesta_arena\":9"),
            "version 9 is not known",
        ),
        (swap("{\"candidate\":", "{\"candidat\":"), "a.jsonl line 2"),
        (
            swap("\"name\":\"B1r1\"", "\"name\":\"B1\""),
            "a.jsonl line 3",
        ),
        (
            swap(
                "\"cell\":{\"candidate\":\"B1\"",
                "\"cell\":{\"candidate\":\"B7\"",
            ),
            "a.jsonl line 6",
        ),
        (
            swap("\"selected\":\"B1r1\"", "\"selected\":\"\\u001b[2J\""),
            "nothing here is called",
        ),
        (
            swap("\"score\":\"-Infinity\"", "\"score\":\"much\""),
            "a score is a number",
        ),
        (swap("\"alpha\":0.45", "\"alpha\":1e999"), "a.jsonl line 1"),
        (
            format!(
                "{good}{{\"choice\":{{\"selected\":\"B1\",\"best_proposal\":\"B1\",\"single\":\"B1\"}}}}\n"
            ),
            "one choice",
        ),
        (good.replace('}', ""), "a.jsonl line 1"),
    ];
    for (text, wanted) in cases {
        let said = fault(&text);
        assert!(said.contains(wanted), "{said}\nlacks {wanted}");
        assert!(!said.contains('\u{1b}'), "{said:?}");
    }
}

#[test]
fn a_million_candidates_are_too_many_and_that_is_said() {
    let mut text = write(&Record {
        candidates: Vec::new(),
        cells: Vec::new(),
        claims: Vec::new(),
        rounds: Vec::new(),
        choice: None,
        ..record()
    });
    for i in 0..=MOST_CANDIDATES {
        let _ = writeln!(
            text,
            "{{\"candidate\":{{\"name\":\"B{i}\",\"origin\":\"planner\",\"round\":0,\"words\":\"\",\"plan\":[]}}}}"
        );
    }
    let said = fault(&text);
    assert!(said.contains("at most 100000"), "{said}");
}

#[test]
fn any_bytes_are_read_or_refused() {
    let good = write(&record()).into_bytes();
    for i in 0..good.len() {
        for byte in [0, b'"', b'}', 0xff] {
            let mut bytes = good.clone();
            bytes[i] = byte;
            let _ = read("a.jsonl", &bytes);
        }
        let _ = read("a.jsonl", &good[..i]);
    }
}
