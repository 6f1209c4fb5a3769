//! Inspect in words: the facts of its title, and what `--plain` prints.

use crate::app::layer::Fact;
use crate::app::parts::steps::{self, Row, What};
use crate::app::parts::{goals, transcript};
use crate::app::role::Role;
use crate::sim::refusal::Kind;
use crate::task::episode::Body;

use super::loaded::Loaded;
use super::{Inspect, Reading, fact};

/// What qualifies everything on the screen: how far it is verified, how it ended, whether it is whole.
pub(super) fn facts(it: &Loaded, narrow: bool) -> Vec<Fact> {
    let mut facts = Vec::new();
    facts.push(fact(it.run.header.profile.clone(), Role::Dim));
    match it.run.verified() {
        Err(_) => facts.push(fact("✗ not verified", Role::Bad)),
        Ok(found) if found.agrees() => {
            let (agree, events) = (found.agree, found.events);
            let words = if narrow || it.run.is_cut {
                format!("✓ {agree}/{events}")
            } else {
                format!("✓ verified {agree}/{events} hashes")
            };
            facts.push(fact(words, Role::Good));
        }
        Ok(found) => {
            let words = format!("✗ verified to s{}", found.to.0);
            facts.push(fact(words, Role::Bad));
        }
    }
    if it.run.is_cut {
        let words = match it.run.events.len().checked_sub(1) {
            Some(last) => format!("cut after event {last}"),
            None => "no event can be used".to_owned(),
        };
        facts.push(fact(words, Role::Refused));
    }
    if let Some((words, role)) = outcome(it) {
        facts.push(fact(words, role));
    }
    if it.run.read_only.is_some() {
        facts.push(fact("read only", Role::Armed));
    }
    facts
}

/// How the goals stand at the end of the path: `success, unsafe`, `1/2, safe`.
fn outcome(it: &Loaded) -> Option<(String, Role)> {
    let again = it.run.again.as_ref().ok()?;
    let seq = it.record.seq(it.tip())?;
    let score = again.episode.ledger().score(again.episode.pos(seq)?);
    if score.success_of == 0 {
        return Some(("no goals".to_owned(), Role::Dim));
    }
    let success = if score.succeeds() {
        "success".to_owned()
    } else {
        format!("goals {}/{}", score.success, score.success_of)
    };
    let (safety, role) = match (score.safety_of, score.safe()) {
        (0, _) => ("", Role::Text),
        (_, true) => (", safe", Role::Text),
        (_, false) => (", unsafe", Role::Armed),
    };
    let role = if score.succeeds() && score.safe() {
        Role::Good
    } else {
        role
    };
    Some((format!("{success}{safety}"), role))
}

/// A row as a sentence.
fn step(it: &Loaded, row: &Row) -> String {
    let event = it.event(row);
    let (name, words) = it.words(row);
    let pos = row.pos;
    match (row.what, event.map(|event| &event.body)) {
        (
            What::Refused,
            Some(Body::Refused {
                refusal, message, ..
            }),
        ) => {
            let kind = match Kind::parse(refusal) {
                Some(kind) => kind.words(),
                None => refusal,
            };
            format!("refused at s{pos}, {kind}: {words}: {message}")
        }
        (What::Branch(_), _) => format!("branch at s{pos}: {words}"),
        (What::Ended | What::Remark, _) => format!("at s{pos}: {words}"),
        _ => {
            let moved = match steps::tail(row, event) {
                tail if tail.is_empty() => tail,
                tail => format!(", {tail}"),
            };
            let differs = if row.differs {
                ", differs from the record"
            } else {
                ""
            };
            let noted = if row.noted { ", has a note" } else { "" };
            format!("{name} {words}{moved}{differs}{noted}")
        }
    }
}

/// The facts as text, one a line.
pub(super) fn lines(inspect: &Inspect) -> Vec<String> {
    let it = match &inspect.reading {
        Reading::Running => return vec![format!("inspect {}, reading …", inspect.name)],
        Reading::Failed(reason) => {
            return vec![format!("inspect {}, error: {reason}", inspect.name)];
        }
        Reading::Done(it) => it,
    };
    let mut lines = vec![format!(
        "inspect {}, step {}, branch {}, profile {}",
        it.run.id(),
        it.pos(),
        it.branch(),
        it.run.header.profile
    )];
    let read_only = it.run.read_only.iter();
    lines.extend(read_only.map(|why| format!("read only: {why}")));
    if let Some((words, _)) = outcome(it) {
        lines.push(format!("outcome {words}"));
    }
    lines.extend(it.row().map(|row| format!("looking at {}", step(it, row))));
    if let Some(map) = &inspect.map {
        lines.extend(map.view.plain());
        return lines;
    }
    lines.extend(inspect.lines().into_iter().map(|line| {
        let mark = line
            .mark
            .map_or_else(String::new, |(glyph, _)| format!("{} ", glyph.word));
        format!("{mark}{}", line.text)
    }));
    if let Some(there) = &it.there {
        let rows: Vec<_> = there.goals.iter().map(|goal| goal.row.clone()).collect();
        let worst = goals::worst_first(&rows);
        lines.extend(worst.into_iter().map(|row| {
            let same = rows.iter().filter(|other| other.success == row.success);
            row.plain(same.count())
        }));
    }
    lines.push(String::new());
    lines.extend(transcript::lines(&it.run));
    lines
}
