//! Queries by chance, about what the runs hold.

use vesta::base::chance::Chance;
use vesta::query::Query;
use vesta::query::ast::{Anchor, Term, Time};
use vesta::query::row::{Row, What};
use vesta::query::shelf::Shelf;
use vesta::query::words::{Call, Field, Flag, Op};
use vesta::sim::refusal::Kind;

fn pick<T: Copy>(chance: &mut Chance, all: &[T]) -> T {
    all[chance.below(all.len())]
}

/// A word that some run has something happen with.
fn word(chance: &mut Chance, shelf: &Shelf, wanted: &[What]) -> String {
    for _ in 0..50 {
        let row = &shelf.rows[chance.below(shelf.rows.len())];
        let moments: Vec<_> = row
            .moments
            .iter()
            .filter(|m| wanted.contains(&m.what))
            .collect();
        if !moments.is_empty() {
            return shelf
                .pool
                .word(moments[chance.below(moments.len())].word)
                .to_owned();
        }
    }
    "F05".to_owned()
}

/// A part of a text, in words.
fn part(chance: &mut Chance, text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        return "table".to_owned();
    }
    let from = chance.below(words.len());
    let some = 1 + chance.below(words.len() - from);
    words[from..from + some].join(" ")
}

/// Something that happens.
fn event(chance: &mut Chance, shelf: &Shelf) -> Query {
    let rules = [Call::Violates, Call::Discharged, Call::Armed, Call::Pending];
    let (call, of) = match chance.below(12) {
        0..=3 => {
            let call = pick(chance, &rules);
            let of = match chance.below(6) {
                0 => None,
                1 => Some(pick(chance, &["core", "advisory"]).to_owned()),
                2 => Some(format!("!{}", 1 + chance.below(4))),
                _ => Some(word(
                    chance,
                    shelf,
                    &[What::Violated, What::ArmedOn, What::PendingOn],
                )),
            };
            (call, of)
        }
        4 => {
            let kind = pick(chance, &Kind::ALL);
            (
                Call::Refused,
                (chance.below(3) > 0).then(|| kind.letter().to_string()),
            )
        }
        5..=7 => {
            let call = pick(chance, &[Call::Goal, Call::Lost, Call::Holds]);
            let goal = word(chance, shelf, &[What::GoalTrue, What::GoalLost]);
            (call, (chance.below(4) > 0).then(|| part(chance, &goal)))
        }
        8 => {
            let act = word(chance, shelf, &[What::Did]);
            (Call::Did, Some(part(chance, &act)))
        }
        9 => (Call::Note, None),
        _ => {
            let fact = word(chance, shelf, &[What::FactOn, What::FactOff]);
            (Call::State, Some(part(chance, &fact)))
        }
    };
    Query::Term(Term::Call(call, of))
}

fn field(chance: &mut Chance, shelf: &Shelf) -> Query {
    let texts = [
        Field::Task,
        Field::Suite,
        Field::Agent,
        Field::Model,
        Field::Strategy,
        Field::Risk,
        Field::Complexity,
        Field::Env,
        Field::Label,
        Field::Verdict,
        Field::Error,
        Field::Outcome,
        Field::Ended,
    ];
    let numbers = [
        Field::Steps,
        Field::RefusedCount,
        Field::Tokens,
        Field::FirstBad,
        Field::Violations,
    ];
    let row: &Row = &shelf.rows[chance.below(shelf.rows.len())];
    if chance.below(3) == 0 {
        let field = pick(chance, &numbers);
        let op = pick(
            chance,
            &[
                Op::Less,
                Op::AtMost,
                Op::More,
                Op::AtLeast,
                Op::Is,
                Op::IsNot,
            ],
        );
        let n = match field {
            Field::Steps => row.steps,
            Field::Tokens => (row.tokens.0 + row.tokens.1) as u32,
            _ => chance.below(12) as u32,
        };
        return Query::Term(Term::Field(field, op, n.to_string()));
    }
    let field = pick(chance, &texts);
    let value = match field {
        Field::Error => pick(
            chance,
            &["missing_step", "wrong_order", "hallucination", "none"],
        )
        .to_owned(),
        Field::Outcome => pick(chance, &["success", "failure", "avoided", "obeyed"]).to_owned(),
        Field::Ended => pick(chance, &["done", "open", "avoided", "limit"]).to_owned(),
        _ => match shelf.pool.word(row.word(field)) {
            "" => "none".to_owned(),
            word => word.to_owned(),
        },
    };
    let op = pick(chance, &[Op::Is, Op::IsNot, Op::Like, Op::Unlike]);
    Query::Term(Term::Field(field, op, value))
}

fn time(chance: &mut Chance, shelf: &Shelf) -> Time {
    let anchor = match chance.below(4) {
        0 => Anchor::Event(Box::new(event(chance, shelf))),
        1 if chance.below(3) == 0 => Anchor::End,
        _ => Anchor::Step(chance.below(14) as u32),
    };
    match chance.below(4) {
        0 => Time::Before(anchor),
        1 => Time::After(anchor),
        2 => Time::Within(chance.below(4) as u32, anchor),
        _ => Time::At(anchor),
    }
}

/// A query, so many levels deep at most.
pub(super) fn query(chance: &mut Chance, shelf: &Shelf, deep: usize) -> Query {
    let deeper = |chance: &mut Chance| query(chance, shelf, deep.saturating_sub(1));
    match chance.below(if deep == 0 { 4 } else { 9 }) {
        0 | 1 => event(chance, shelf),
        2 => field(chance, shelf),
        3 => Query::Term(Term::Flag(pick(
            chance,
            &[
                Flag::Success,
                Flag::Safe,
                Flag::Done,
                Flag::Avoided,
                Flag::Stopped,
                Flag::Open,
                Flag::Obeyed,
                Flag::Human,
                Flag::Watched,
                Flag::Damaged,
            ],
        ))),
        4 => Query::any(vec![deeper(chance), deeper(chance)]),
        5 => Query::both(vec![deeper(chance), deeper(chance)]),
        6 => Query::Not(Box::new(deeper(chance))),
        _ => {
            let inner = deeper(chance);
            if inner.happens() {
                Query::Timed(Box::new(inner), time(chance, shelf))
            } else {
                inner
            }
        }
    }
}
