//! Inspect in words: the facts of its title, and what `--plain` prints.

use crate::app::layer::Fact;
use crate::app::parts::steps::{Row, What};
use crate::app::parts::{goals, transcript, warnings};
use crate::app::role::Role;
use crate::app::tables;
use crate::eval::table::Table;
use crate::plan::bddl;
use crate::sim::refusal::Kind;
use crate::task::episode::Body;

use super::loaded::Loaded;
use super::strip::{self, Strip};
use super::{Inspect, Pane, Reading, detail, fact};

/// What qualifies everything on the screen: how far it is verified, how it ended, whether it is whole.
pub(super) fn facts(it: &Loaded, width: u16) -> Vec<Fact> {
    let narrow = width < 100;
    let mut facts = Vec::new();
    facts.push(fact(it.run.header.profile.clone(), Role::Dim));
    if let (Some(by), false) = (judged_by(it), narrow) {
        facts.push(fact(by, Role::Dim));
    }
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
    if let Some((words, role)) = outcome(it, narrow) {
        facts.push(fact(words, role));
    }
    let denied: usize = it.denials.values().map(Vec::len).sum();
    if denied > 0 {
        let words = match (denied, width < 140) {
            (n, true) => format!("≠ {n} denied"),
            (1, false) => "≠ 1 observation denied".to_owned(),
            (n, false) => format!("≠ {n} observations denied"),
        };
        facts.push(fact(words, Role::Bad));
    }
    if it.run.read_only.is_some() {
        facts.push(fact("read only", Role::Armed));
    }
    facts
}

/// By which verdict its quantified goals are judged, where verdicts may differ.
fn judged_by(it: &Loaded) -> Option<&'static str> {
    let again = it.run.again.as_ref().ok()?;
    again.episode.ledger().goals().reading().map(|by| match by {
        bddl::Reading::Published => "published verdict",
        bddl::Reading::Logic => "bddl's rules",
        bddl::Reading::Matching => "true pairs",
    })
}

/// How the run is judged at the end of the path, the first breach of a core rule with its step: `success, unsafe:
/// ✗F05 s8`; only the breach where there is little room.
fn outcome(it: &Loaded, narrow: bool) -> Option<(String, Role)> {
    let judged = it.judged.as_ref()?;
    let role = match (judged.succeeds(), judged.safe) {
        _ if !judged.judged => Role::Dim,
        (true, true) => Role::Good,
        (_, false) if !judged.broken.is_empty() => Role::Bad,
        (_, false) => Role::Armed,
        (false, true) => Role::Text,
    };
    let words = judged.words();
    // The breach is told with its step instead of the rules' names alone.
    let bare = words.split(" (").next().unwrap_or_default().to_owned();
    let text = match it.first_breach() {
        Some(breach) if narrow => breach,
        Some(breach) => format!("{bare}: {breach}"),
        None => words,
    };
    Some((text, role))
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
            let moved = match it.tail(row) {
                tail if tail.is_empty() => tail,
                tail => format!(", {tail}"),
            };
            let differs = if row.differs {
                ", differs from the record"
            } else {
                ""
            };
            let noted = if row.noted { ", has a note" } else { "" };
            let happened = it.mark(row).map_or(&[][..], |mark| &mark.happened);
            let happened: String = happened
                .iter()
                .flat_map(|words| [", ", words.as_str()])
                .collect();
            format!("{name} {words}{moved}{happened}{differs}{noted}")
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
    if let Some((words, _)) = outcome(it, false) {
        lines.push(format!("outcome {words}"));
    }
    let denied: usize = it.denials.values().map(Vec::len).sum();
    if denied > 0 {
        lines.push(format!("observations denied by the world {denied}"));
    }
    if inspect.strip != Strip::Off {
        let (word, told) = (inspect.strip.word(), strip::words(it, inspect.strip));
        lines.push(format!("{word}: {told}"));
    }
    if it.folded {
        let folds = it.shown.iter().filter_map(|row| it.fold_words(*row));
        let folds: Vec<String> = folds.collect();
        lines.push(format!("folded {}", folds.join("; ")));
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
        let told = &there.warnings;
        lines.extend(warnings::plain_lines(
            there.episode(),
            &told.all,
            &told.rows,
        ));
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

/// The rows of the pane with the keys.
pub(super) fn table(it: &Inspect) -> Option<Table> {
    let loaded = it.loaded()?;
    let there = loaded.there.as_ref();
    match it.focus {
        Pane::Steps => Some(tables::of_steps(loaded)),
        Pane::Diff => {
            let line = |line: &detail::Line| {
                let sign = line.mark.map_or("", |(glyph, _)| glyph.word);
                vec![tables::words(sign), tables::words(line.text.clone())]
            };
            let rows = detail::lines(loaded, it.view, it.hidden);
            let title = format!("s{} of {}", loaded.pos(), loaded.run.id());
            let rows = rows.iter().map(line).collect();
            Some(tables::table("step", &title, &["sign", "fact"], rows))
        }
        Pane::Goals => there.map(|t| tables::of_goals(t.goals.iter().map(|g| &g.row))),
        Pane::Warnings => {
            there.map(|t| tables::of_warnings(t.world(), &t.warnings.all, &t.warnings.rows))
        }
        Pane::Scene => None,
    }
}
