//! The language: reading and printing are inverse, mistakes are told at their place, and answers are right on a run made
//! by hand.

use pretty_assertions::assert_eq;
use proptest::prelude::*;

use super::ast::{Anchor, Query, Term, Time};
use super::eval::{Plan, Truth};
use super::gather::{Start, act};
use super::row::{Bad, End, Moment, Row, Stage, What, weight};
use super::shelf::{Group, Shelf, Sort, grouped};
use super::words::{Call, Field, Flag, Kind, Op, WORDS};
use super::{complete, read};
use std::sync::Arc;

fn printed(text: &str) -> String {
    read(text)
        .unwrap_or_else(|e| panic!("{text}: {e}"))
        .to_string()
}

#[test]
fn what_is_read_is_printed_in_one_way() {
    for (text, canonical) in [
        ("", ""),
        ("success  SAFE", "success and safe"),
        (
            "violates(F05) before step 10 and not goal(\"bowl ON table\") and model ~ qwen",
            "violates(F05) before s10 and not goal(\"bowl ON table\") and model ~ qwen",
        ),
        ("violated or not success", "violates or not success"),
        ("(success or safe) done", "(success or safe) and done"),
        (
            "not (refused(M) or lost) at s7",
            "not (refused(M) or lost) at s7",
        ),
        ("(not refused) at s7", "(not refused) at s7"),
        (
            "did( grab bowl ) within 3 of (violates or armed(\"!3\"))",
            "did(\"grab bowl\") within 3 of (violates or armed(!3))",
        ),
        ("risk:fire cost>=0.01", "risk ~ fire and cost >= 0.01"),
        (
            "label = \"wrong \\\"order\\\"\" \"a \\\\ b\"",
            "label = \"wrong \\\"order\\\"\" and \"a \\\\ b\"",
        ),
        (
            "did(walk) before end after start",
            "did(walk) before end after s0",
        ),
    ] {
        assert_eq!(printed(text), canonical, "{text}");
        assert_eq!(printed(canonical), canonical, "{text}");
    }
}

/// Texts and what is wrong with them.
const WRONG: &[(&str, &str)] = &[
    (
        "succes",
        "column 1: succes means nothing here; did you mean success?",
    ),
    (
        "success and qwen",
        "column 13: qwen means nothing here; quote it to look for it: \"qwen\"",
    ),
    (
        "model",
        "column 1: model must be compared: model = …, model ~ …",
    ),
    ("model > 3", "column 7: model is a text; write ~ or ="),
    ("cost ~ 3", "column 6: cost is a number; write =, < or >"),
    ("cost > much", "column 8: much is no number; write cost > 3"),
    (
        "created > May",
        "column 11: May is no date; write created > 2026-11-01",
    ),
    (
        "error = WRONG_ODER",
        "column 9: no error is called WRONG_ODER; did you mean wrong_order?",
    ),
    (
        "refused(Z)",
        "column 9: no refusal is of the kind Z; there are O M A U = # P N",
    ),
    (
        "violates(!7)",
        "column 10: !7 is no severity; write !1 to !4",
    ),
    ("(success", "column 1: this bracket is not closed"),
    (
        "success)",
        "column 8: this bracket closes nothing; leave it out",
    ),
    ("violates(F05", "column 9: this bracket is not closed"),
    (
        "goal()",
        "column 5: nothing stands in the brackets; leave them out or name what is meant",
    ),
    ("\"bowl", "column 1: this quotation mark is not closed"),
    (
        "violates before",
        "column 16: before what? such as before s10 or before violates(F05)",
    ),
    ("violates before 10", "column 17: a step is written s10"),
    (
        "violates within s3",
        "column 17: within 3 of …: how many steps?",
    ),
    (
        "violates within 3 s3",
        "column 19: of is missing here: within 3 of s10",
    ),
    (
        "safe before s10",
        "column 1: safe is so for the whole run; a time is told of what happens at a step, such as violates(F05)",
    ),
    (
        "violates before safe",
        "column 17: safe tells no time; name a step (s10) or what happens at one",
    ),
    (
        "and success",
        "column 1: and joins two parts; one is missing before it",
    ),
    (
        "success and",
        "column 12: something is missing here; write a word, such as success",
    ),
    (
        "not",
        "column 4: something is missing here; write a word, such as success",
    ),
];

#[test]
fn what_is_wrong_is_told_with_its_column_and_a_cure() {
    for (text, wrong) in WRONG {
        assert_eq!(read(text).unwrap_err().to_string(), *wrong, "{text}");
    }
    let deep = format!("{}success{}", "(".repeat(200), ")".repeat(200));
    assert!(
        read(&deep)
            .unwrap_err()
            .message
            .starts_with("this is nested too deeply")
    );
}

fn a_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9_]{1,6}",
        "[ -~é]{1,8}".prop_map(|text| text.trim().to_owned())
    ]
    .prop_filter("empty", |text| !text.is_empty())
}

fn a_term() -> impl Strategy<Value = Term> {
    let flags: Vec<Flag> = WORDS
        .iter()
        .filter_map(|word| {
            if let Kind::Flag(it) = word.kind {
                Some(it)
            } else {
                None
            }
        })
        .collect();
    let calls = [
        Call::Goal,
        Call::Lost,
        Call::Holds,
        Call::Did,
        Call::State,
        Call::Violates,
    ];
    let texts = [
        Field::Task,
        Field::Model,
        Field::Label,
        Field::Comment,
        Field::Run,
    ];
    prop_oneof![
        proptest::sample::select(flags).prop_map(Term::Flag),
        (
            proptest::sample::select(calls.to_vec()),
            proptest::option::of(a_text())
        )
            .prop_filter("a severity", |(_, of)| of
                .as_ref()
                .is_none_or(|of| !of.starts_with('!')))
            .prop_map(|(call, of)| Term::Call(call, of)),
        proptest::sample::select(&["M", "wrong_order", "="][..])
            .prop_map(|kind| Term::Call(Call::Refused, Some(kind.to_owned()))),
        (
            proptest::sample::select(texts.to_vec()),
            proptest::sample::select(&[Op::Like, Op::Unlike, Op::Is, Op::IsNot][..]),
            a_text()
        )
            .prop_map(|(field, op, value)| Term::Field(field, op, value)),
        (
            proptest::sample::select(&[Field::Cost, Field::Steps, Field::FirstBad][..]),
            proptest::sample::select(&[Op::Less, Op::AtMost, Op::More, Op::AtLeast, Op::Is][..]),
            0..100_u32
        )
            .prop_map(|(field, op, n)| Term::Field(field, op, n.to_string())),
        a_text().prop_map(Term::Text),
    ]
}

fn an_anchor(event: Query) -> impl Strategy<Value = Anchor> {
    let is_event = event.is_event();
    (0..3, 0..99_u32).prop_map(move |(kind, n)| match kind {
        0 if is_event => Anchor::Event(Box::new(event.clone())),
        1 => Anchor::End,
        _ => Anchor::Step(n),
    })
}

pub(super) fn a_query() -> impl Strategy<Value = Query> {
    a_term()
        .prop_map(Query::Term)
        .prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 2..4).prop_map(Query::any),
                proptest::collection::vec(inner.clone(), 2..4).prop_map(Query::both),
                inner.clone().prop_map(|it| Query::Not(Box::new(it))),
                (inner.clone(), inner, 0..4, 0..9_u32).prop_flat_map(|(of, event, kind, n)| {
                    an_anchor(event).prop_map(move |anchor| {
                        if !of.happens() {
                            return of.clone();
                        }
                        let time = match kind {
                            0 => Time::Before(anchor),
                            1 => Time::After(anchor),
                            2 => Time::Within(n, anchor),
                            _ => Time::At(anchor),
                        };
                        Query::Timed(Box::new(of.clone()), time)
                    })
                }),
            ]
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn reading_what_was_printed_gives_the_same(query in a_query()) {
        let text = query.to_string();
        let again = read(&text).map_err(|e| TestCaseError::fail(format!("{text}: {e}")))?;
        prop_assert_eq!(&again, &query, "{}", text);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn nothing_that_is_typed_harms(text in "[ -~é\n]{0,40}") {
        if let Err(wrong) = read(&text) {
            prop_assert!(wrong.from < wrong.to, "{}", text);
            prop_assert!(wrong.from <= text.chars().count(), "{}", text);
        }
        for n in 0..text.chars().count() {
            let before: String = text.chars().take(n).collect();
            let _ = complete::offers(&before, &Shelf::default());
        }
    }
}

/// A run of twelve steps: a rule is armed from s2 to s4 and broken at s5, a goal comes at s3 and goes at s7, the microwave is
/// on from s4 to s8, an attempt is refused at s6; the bowl was on the table until s9.
fn a_run(shelf: &mut Shelf) -> Row {
    let pool = &mut shelf.pool;
    let mut row = Row::listed("V022-qwen-20261101T101010-abcdef", 0, 1);
    row.set(Field::Task, pool.sym("V022"));
    row.set(Field::Model, pool.sym("Qwen3-32b"));
    row.who = pool.sym("Qwen3-32b react");
    row.risks = [pool.sym("fire"), pool.sym("physical")].into();
    row.created = Arc::from("2026-11-01T10:10:10Z");
    row.goals = [pool.sym("bowl ON table"), pool.sym("microwave:OFF")].into();
    row.success = (0, 1);
    row.safety = (1, 1);
    row.outcome = 1;
    row.end = End::Done;
    row.steps = 12;
    row.last = 12;
    row.cost = Some(0.02);
    row.safe = Some(false);
    row.first_bad = Some((5, Bad::Violation));
    row.faults = [(3, 1)].into();
    row.stage = Stage::Armed;
    let mut moment = |pos, what, word: &str, more| Moment {
        pos,
        what,
        word: pool.sym(word),
        more,
    };
    row.moments = vec![
        moment(1, What::Did, "walk microwave", 0),
        moment(2, What::Did, "open microwave", 0),
        moment(2, What::ArmedOn, "F05", weight(4, 0)),
        moment(3, What::GoalTrue, "bowl ON table", 0),
        moment(4, What::FactOn, "microwave ON", 0),
        moment(5, What::ArmedOff, "F05", weight(4, 0)),
        moment(5, What::Violated, "F05", weight(4, 0)),
        moment(6, What::Refused, "grab fork", 1),
        moment(7, What::GoalLost, "bowl ON table", 0),
        moment(8, What::Discharged, "F05", weight(4, 0)),
        moment(9, What::FactOff, "microwave ON", 0),
        moment(9, What::FactOff, "bowl ON table", 0),
        moment(12, What::Violated, "P12", weight(3, 1)),
    ]
    .into();
    shelf.starts.push(Start {
        facts: vec![(pool.sym("bowl ON table"), 1)],
    });
    row.start = 1;
    row
}

/// What is asked of that run, and where it is so; nothing where it does not fit.
const ANSWERS: &[(&str, Option<&[u32]>)] = &[
    ("", Some(&[])),
    ("violates(F05)", Some(&[5])),
    ("violates", Some(&[5, 12])),
    ("violates(core)", Some(&[5])),
    ("violates(advisory)", Some(&[12])),
    ("violates(!4)", Some(&[5])),
    ("violates(F07)", None),
    ("violates(F05) before s5", None),
    ("violates(F05) before s6", Some(&[5])),
    ("violates(F05) after s5", None),
    ("violates(F05) at s5 and model ~ qwen", Some(&[5])),
    ("violates(F05) before refused(M)", Some(&[5])),
    ("refused(M) before violates(F05)", None),
    ("refused(M) before violates", Some(&[6])),
    ("refused(O)", None),
    (
        "refused(missing_step) within 1 of violates(F05)",
        Some(&[6]),
    ),
    ("lost within 1 of violates(F05)", None),
    ("lost within 2 of violates(F05)", Some(&[7])),
    ("armed(F05)", Some(&[2])),
    ("armed(F05) after s3", Some(&[4])),
    ("armed(F05) after s4", None),
    ("did(\"OPEN microwave\")", Some(&[2])),
    ("did(microwave)", Some(&[1, 2])),
    ("goal(\"bowl table\")", Some(&[3])),
    ("holds(bowl) after s5", Some(&[6])),
    ("holds(bowl) at end", None),
    ("state(\"microwave on\")", Some(&[4])),
    ("state(\"microwave on\") at s8", Some(&[8])),
    ("state(\"microwave on\") at s9", None),
    ("state(\"bowl on table\") before s3", Some(&[0])),
    ("state(\"bowl on table\") after s8", None),
    ("violates(F05) at state(\"microwave on\")", Some(&[5])),
    ("discharged(F05) after violates(F05)", Some(&[8])),
    ("(violates(F05) or refused) before s7", Some(&[5, 6])),
    ("(violates(F05) and refused) before s6", None),
    ("(violates(F05) and refused) before s7", Some(&[5, 6])),
    ("violates(F05) and not violates(F05) before s3", Some(&[5])),
    ("done at end", Some(&[12])),
    ("done before s12", None),
    ("success", None),
    ("not success and not safe", Some(&[])),
    ("task = v022 risk = FIRE model ~ qwen", Some(&[])),
    ("task != V022", None),
    ("risk !~ water", Some(&[])),
    ("label = none", Some(&[])),
    ("model = none", None),
    ("rule = F05", Some(&[5])),
    ("rule != F05", None),
    (
        "ended = done outcome = failure error = missing_step",
        Some(&[]),
    ),
    (
        "created > 2026-10 created < 2026-11-02 created = 2026-11-01",
        Some(&[]),
    ),
    ("created > 2026-11", None),
    (
        "cost > 0.01 steps = 12 first_bad < 10 violations = 1",
        Some(&[]),
    ),
    ("tokens > 0", None),
    ("\"v022\" and \"abcdef\" and \"react\"", Some(&[])),
    ("\"nobody\"", None),
];

#[test]
fn a_run_answers_with_the_steps_that_matched() {
    let mut shelf = Shelf::default();
    let row = a_run(&mut shelf);
    for (text, steps) in ANSWERS {
        let query = read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let found = Plan::new(&query, &shelf.pool).outcome(&row, &shelf.starts);
        let wanted = match steps {
            Some(steps) => (Truth::Yes, steps.to_vec()),
            None => (Truth::No, Vec::new()),
        };
        assert_eq!((found.truth, found.steps), wanted, "{text}");
        let truth = Plan::new(&query, &shelf.pool).truth(&row, &shelf.starts);
        assert_eq!(truth, wanted.0, "{text}");
    }
}

#[test]
fn what_is_not_known_yet_is_told_apart() {
    let mut shelf = Shelf::default();
    let mut row = a_run(&mut shelf);
    let ask = |row: &Row, text: &str| {
        let plan = Plan::new(&read(text).unwrap(), &shelf.pool);
        plan.truth(row, &shelf.starts)
    };
    row.stage = Stage::Judged;
    assert_eq!(ask(&row, "armed(F05)"), Truth::Unknown);
    assert_eq!(ask(&row, "armed(F05) and task = V001"), Truth::No);
    assert_eq!(ask(&row, "armed(F05) or violates(F05)"), Truth::Yes);
    assert_eq!(ask(&row, "violates(F05) before armed(F05)"), Truth::Unknown);
    row.stage = Stage::Read;
    row.safe = None;
    assert_eq!(ask(&row, "violates(F05)"), Truth::Unknown);
    assert_eq!(ask(&row, "not violates(F05)"), Truth::Unknown);
    assert_eq!(ask(&row, "safe"), Truth::Unknown);
    assert_eq!(ask(&row, "refused(M)"), Truth::Yes);
    row.stage = Stage::Listed;
    assert_eq!(ask(&row, "refused(M)"), Truth::Unknown);
    assert_eq!(ask(&row, "\"abcdef\""), Truth::Yes);
    assert_eq!(ask(&row, "run ~ zzz"), Truth::No);
}

#[test]
fn runs_are_grouped_counted_and_sorted() {
    let mut shelf = Shelf::default();
    let first = a_run(&mut shelf);
    let mut second = Row {
        id: Arc::from("V001-human-20261103T000000-aaaaaa"),
        created: Arc::from("2026-11-03T00:00:00Z"),
        moments: Box::default(),
        risks: [shelf.pool.sym("fire")].into(),
        steps: 3,
        outcome: 0,
        safe: Some(true),
        first_bad: None,
        cost: None,
        ..first.clone()
    };
    second.set(Field::Task, shelf.pool.sym("V001"));
    shelf.rows = vec![Arc::new(first), Arc::new(second)];
    let groups = |by| -> Vec<(String, Vec<u32>, usize)> {
        let all = grouped(&shelf, &[0, 1], by, "2026-11-02T00:00:00Z");
        all.into_iter()
            .map(|it| (it.key, it.rows, it.new))
            .collect()
    };
    assert_eq!(
        groups(Group::Risk),
        [
            ("fire".to_owned(), vec![0, 1], 1),
            ("physical".to_owned(), vec![0], 0)
        ]
    );
    assert_eq!(
        groups(Group::Class),
        [
            ("safe success".to_owned(), vec![1], 1),
            ("unsafe act".to_owned(), vec![0], 0)
        ]
    );
    let sorted = |by: Sort| {
        let mut rows = vec![0, 1];
        by.sort(&shelf, &mut rows);
        rows
    };
    assert_eq!(sorted(Sort::New), [1, 0]);
    assert_eq!(sorted(Sort::Bad), [0, 1]);
    assert_eq!(sorted(Sort::Task), [1, 0]);
    let query = read("task = V022 and violates(F05) before s3").unwrap();
    assert_eq!(shelf.matching(&query).rows, [0_u32; 0]);
    assert_eq!(shelf.blame(&query), Some(("before s3".to_owned(), 1)));
}

#[test]
fn what_could_come_next_is_offered() {
    let mut shelf = Shelf::default();
    let row = a_run(&mut shelf);
    shelf.rows = vec![Arc::new(row)];
    let texts = |before: &str| -> Vec<String> {
        let all = complete::offers(before, &shelf);
        all.iter()
            .map(|offer| complete::take(before, offer))
            .collect()
    };
    assert_eq!(texts("not viol"), ["not violates(", "not violations > "]);
    assert_eq!(texts("violates(f"), ["violates(F05)"]);
    assert_eq!(texts("goal(\"bo"), ["goal(\"bowl ON table\")"]);
    assert_eq!(texts("model ~ q"), ["model ~ Qwen3-32b"]);
    assert_eq!(texts("error = miss"), ["error = missing_step"]);
    assert_eq!(
        texts("complexity = "),
        [
            "complexity = low",
            "complexity = medium",
            "complexity = high"
        ]
    );
    assert_eq!(texts("success bef"), ["success before "]);
    assert_eq!(texts("\"viol"), Vec::<String>::new());
}

#[test]
fn actions_lose_the_numbers_of_their_things() {
    assert_eq!(act("[SWITCHON] <microwave> (105)"), "switchon microwave");
    assert_eq!(
        act("[PUTIN] <bowl> (203) <microwave> (105)"),
        "putin bowl microwave"
    );
    assert_eq!(act("grab knife.12"), "grab knife");
    assert_eq!(act("OPEN fridge_40"), "open fridge_40");
}
