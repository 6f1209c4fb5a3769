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

/// Everything that a hostile file may hold, each told in one sentence with file and line.
#[expect(clippy::too_many_lines, reason = "one table of all that may be wrong")]
#[test]
fn every_hostile_arena_is_refused_in_a_sentence() {
    let good = write(&record());
    let line = |n: usize| good.lines().nth(n - 1).unwrap().to_owned();
    let with = |n: usize, text: String| -> String {
        let mut all: Vec<String> = good.lines().map(str::to_owned).collect();
        all[n - 1] = text;
        all.join("\n")
    };
    let plan = |lines: &[&str]| {
        let mut it = record();
        it.candidates[1].plan = lines.iter().map(|l| (*l).to_owned()).collect();
        write(&it)
    };
    let origins = |a: &str, b: &str| {
        let mut it = record();
        it.candidates[0].origin = Origin::Revision(a.to_owned());
        it.candidates[1].origin = Origin::Revision(b.to_owned());
        write(&it)
    };
    let set = |change: fn(&mut Settings)| {
        let mut it = record();
        change(&mut it.settings);
        write(&it)
    };
    let many = 40;
    let deep: Vec<&str> = std::iter::repeat_n("if a ON b then", many)
        .chain(std::iter::repeat_n("end", many))
        .collect();
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let cases: Vec<(&str, String, u32, &str)> = vec![
        (
            "a weight that is no number",
            set(|s| s.weights.beta = f64::NAN),
            1,
            "settings.weights.beta: NaN is no number",
        ),
        (
            "a weight without end",
            set(|s| s.weights.rho = f64::INFINITY),
            1,
            "settings.weights.rho",
        ),
        (
            "a weight that drowns the rest",
            set(|s| s.weights.alpha = 1e308),
            1,
            "1e308 is no number from",
        ),
        (
            "a payoff that is no number",
            set(|s| s.payoffs.safe = f64::NAN),
            1,
            "settings.payoffs.safe",
        ),
        (
            "no weight at all",
            set(|s| {
                (
                    s.weights.alpha,
                    s.weights.beta,
                    s.weights.gamma,
                    s.weights.rho,
                ) = (0.0, 0.0, 0.0, 0.0);
            }),
            1,
            "all weights are 0",
        ),
        (
            "a budget beyond bounds",
            good.replacen("\"budget\":8", "\"budget\":4294967295", 1),
            1,
            "settings.budget",
        ),
        (
            "a huge number",
            good.replacen("\"budget\":8", "\"budget\":1e400", 1),
            1,
            "",
        ),
        (
            "a negative count",
            good.replacen("\"budget\":8", "\"budget\":-1", 1),
            1,
            "",
        ),
        (
            "a plan that descends from itself",
            origins("B1", "B1"),
            2,
            "is a revision of",
        ),
        (
            "plans that descend from each other",
            origins("B1r1", "B1"),
            2,
            "no candidate above it is called so",
        ),
        (
            "a plan that descends from nobody",
            good.replacen("{\"revision\":\"B1\"}", "{\"revision\":\"B9\"}", 1),
            3,
            "B9",
        ),
        (
            "a branch without end",
            plan(&["if fork INSIDE microwave then", "grab fork"]),
            3,
            "candidate.plan[0]: this if is never closed",
        ),
        (
            "an end without branch",
            plan(&["walk microwave", "end"]),
            3,
            "candidate.plan[1]: there is no if to this end",
        ),
        (
            "an else without branch",
            plan(&["else"]),
            3,
            "there is no if to this else",
        ),
        (
            "branches in branches without end",
            plan(&deep),
            3,
            "more than 32 deep",
        ),
        (
            "two candidates of one name",
            with(3, line(2)),
            3,
            "two of these are called",
        ),
        (
            "two responses of one id",
            with(5, line(4)),
            5,
            "two of these are called",
        ),
        (
            "a cell of nobody",
            with(
                6,
                line(6).replacen("\"candidate\":\"B1\"", "\"candidate\":\"\"", 1),
            ),
            6,
            "cell.candidate",
        ),
        ("lists in lists", with(6, nested), 6, ""),
        (
            "a line that breaks off",
            with(6, line(6).chars().take(60).collect()),
            6,
            "",
        ),
        (
            "a file that breaks off in a line",
            good.chars().take(good.chars().count() - 20).collect(),
            10,
            "",
        ),
        (
            "bytes that act on a terminal",
            with(2, line(2).replacen("B1", "B\\u001b[2J", 1)),
            3,
            "",
        ),
        (
            "a field nobody knows",
            with(2, line(2).replacen("\"round\"", "\"rond\"", 1)),
            2,
            "rond",
        ),
        (
            "a field twice",
            with(
                2,
                line(2).replacen("\"round\":0", "\"round\":0,\"round\":1", 1),
            ),
            2,
            "",
        ),
        (
            "a hash that is none",
            good.replacen(&"0".repeat(32), "f00", 1),
            6,
            "32 hex digits",
        ),
    ];
    for (what, text, at, wanted) in cases {
        assert_ne!(text, good, "{what}: nothing was changed");
        let said = fault(&text);
        assert!(
            said.starts_with(&format!("a.jsonl line {at}")),
            "{what}: {said}"
        );
        assert!(said.contains(wanted), "{what}: {said}\nlacks {wanted}");
        assert_eq!(said.lines().count(), 1, "{what}: {said}");
        assert!(
            said.len() < 700 && !said.contains('\u{1b}'),
            "{what}: {said:?}"
        );
    }
}

#[test]
fn odd_settings_are_read_and_told() {
    let told = |change: fn(&mut Settings)| {
        let mut it = record();
        change(&mut it.settings);
        let back = read("a.jsonl", write(&it).as_bytes()).unwrap();
        back.settings.odd()
    };
    assert_eq!(told(|_| ()), [] as [String; 0]);
    let all = told(|s| {
        s.weights.alpha = -1.0;
        s.weights.rho = -0.5;
        (s.payoffs.good, s.payoffs.not_safe) = (0.0, 1.0);
    });
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(
        all[0].starts_with("weights.alpha is negative: less quality"),
        "{all:?}"
    );
    assert!(
        all[1].contains("more pressure makes a plan better"),
        "{all:?}"
    );
    assert!(all[2].starts_with("payoffs are reversed"), "{all:?}");
    assert!(told(|s| s.payoffs.not_safe = 0.7)[0].contains("gains by risk"));
    assert!(told(|s| s.payoffs.safe = 2.0)[0].contains("gains by doing nothing"));
    let same = |s: &mut Settings| (s.payoffs.good, s.payoffs.safe) = (0.0, 0.0);
    assert!(told(same)[0].starts_with("all payoffs are the same"));
}
