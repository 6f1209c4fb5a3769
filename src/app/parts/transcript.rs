//! A whole run as text, in the order it was recorded: what `vesta show` and `--plain` print.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::app::parts::goals;
use crate::app::parts::warnings::{self, title};
use crate::app::runs::{Again, LoadedRun};
use crate::formats::run::{Note, NoteBody};
use crate::plan::ledger::Standing as GoalStanding;
use crate::safety::verdict::Standing;
use crate::sim::refusal::Kind;
use crate::task::episode::{Body, Episode, Event, Shift, Warning};

/// How many changed facts of a step are printed.
const FACTS: usize = 8;

/// The whole run, one fact a line, in the order it was recorded.
pub fn lines(run: &LoadedRun) -> Vec<String> {
    let h = &run.header;
    let mut lines = vec![
        format!("run {}", h.id),
        format!("task {}", h.task_id().unwrap_or_default()),
        format!(
            "agent {}, profile {}, engine {}, begun {}",
            h.agent, h.profile, h.engine, h.created
        ),
    ];
    if let Some(from) = &h.forked_from {
        lines.push(format!("forked from {} at event {}", from.run, from.at));
    }
    if let Ok(again) = &run.again {
        let task = &again.episode.setup().task;
        lines.push(format!("instruction {}", task.instruction));
        let judged = again.episode.ledger().goals().reading();
        lines.extend(judged.map(|by| format!("judged {}", by.words())));
        let drifts = again.drifts.iter().skip(1);
        lines.push(run.verified_words());
        lines.extend(drifts.map(|d| format!("  ✗ {d}")));
    } else {
        lines.push(run.verified_words());
    }
    lines.extend(run.findings.iter().map(|d| format!("! {d}")));
    lines.push(String::new());
    let labels = labels(&run.events);
    let again = run.again.as_ref().ok();
    let mut before: &[u32] = &[];
    for event in &run.events {
        lines.push(step(event, &labels));
        let words = goal_words(event, before, again);
        before = event.body.goals().unwrap_or(before);
        let words = words + &rule_words(event, again);
        if let (Some(last), false) = (lines.last_mut(), words.is_empty()) {
            last.push_str(&words);
        }
        lines.extend(facts(event, FACTS));
    }
    if let Some(again) = again {
        lines.push(String::new());
        lines.push(format!("judged {}", again.episode.judgement().words()));
        lines.extend(goals(&again.episode));
        lines.extend(rules(&again.episode, &again.episode.clone().warnings()));
    }
    if !run.notes.is_empty() {
        lines.push(String::new());
        lines.extend(run.notes.iter().map(|n| note(n, &labels)));
    }
    lines
}

/// The name people use for the position an event made: `s4`, by `seq`.
pub(super) fn labels(events: &[Event]) -> Vec<String> {
    let mut next = 0;
    let label = |event: &Event| {
        if !event.body.makes_position() {
            return String::new();
        }
        next += 1;
        format!("s{}", next - 1)
    };
    events.iter().map(label).collect()
}

/// The name of the position an event made, `?` for none.
pub(super) fn at(seq: Option<u32>, labels: &[String]) -> &str {
    seq.and_then(|s| labels.get(s as usize))
        .map_or("?", String::as_str)
}

fn step(event: &Event, labels: &[String]) -> String {
    let here = at(Some(event.seq), labels);
    let parent = at(event.parent, labels);
    match &event.body {
        Body::Start { .. } => format!("{here} start"),
        Body::Step { action, .. } => format!("{here} {action}"),
        Body::Refused {
            action,
            refusal,
            message,
        } => {
            let letter = Kind::parse(refusal).map_or('?', Kind::letter);
            format!("{parent} ✗{letter} {action}: {message}")
        }
        Body::Goto { to, .. } if event.parent == Some(*to) => format!("{parent} goes on"),
        Body::Goto { to, how } => format!("{parent} {} to {}", how.id(), at(Some(*to), labels)),
        Body::Branch => format!("{parent} branch {}", event.branch),
        Body::Done { score } => format!(
            "{parent} done, goals {}/{} · safety {}/{}",
            score.success, score.success_of, score.safety, score.safety_of
        ),
        Body::Avoid { reason } => format!("{parent} avoided {reason}"),
        Body::Stopped { text, .. } => format!("{parent} stopped: {text}"),
        Body::Remark(said) => {
            let by = if said.by.is_empty() { "" } else { " " };
            let kind = said.kind.id();
            format!("{parent} {kind}{by}{} {}", said.by, said.text)
        }
    }
}

/// Goals that a step gained or lost, after its action.
fn goal_words(event: &Event, before: &[u32], again: Option<&Again>) -> String {
    let (Body::Step { goals, .. }, Some(again)) = (&event.body, again) else {
        return String::new();
    };
    // The step before in the file need not be the one it was done after; the parent's goals are what counts.
    let parent = event
        .parent
        .and_then(|seq| again.episode.pos(seq))
        .map_or_else(|| before.to_vec(), |pos| again.episode.holding(pos));
    let all = &again.episode.ledger().goals().goals;
    let words = |mark: &str, list: &[u32], other: &[u32]| -> String {
        list.iter()
            .filter(|g| !other.contains(g))
            .filter_map(|&g| all.get(g as usize))
            .fold(String::new(), |mut text, g| {
                let _ = write!(text, "   {mark} {}", g.words());
                text
            })
    };
    words("✓", goals, &parent) + &words("lost", &parent, goals)
}

/// Rules that a step broke, and what came to pass with it, after its action.
fn rule_words(event: &Event, again: Option<&Again>) -> String {
    let (Body::Step { .. } | Body::Start { .. }, Some(again)) = (&event.body, again) else {
        return String::new();
    };
    let turns = again
        .episode
        .pos(event.seq)
        .map(|pos| again.episode.turns(pos));
    let broke = |shift: &&Shift| shift.to == Standing::Violated;
    let turns = turns.unwrap_or_default();
    turns
        .iter()
        .filter(broke)
        .fold(String::new(), |mut text, shift| {
            let rule = &shift.rule;
            let _ = write!(text, "   ✗ {} !{} {}", rule.id, rule.severity, title(rule));
            text
        })
}

/// These warnings where the episode stands, a line each.
pub fn rules(episode: &Episode, all: &[Warning]) -> Vec<String> {
    let rows = warnings::rows(all, &BTreeSet::new());
    let lines = warnings::plain_lines(episode, all, &rows);
    lines.into_iter().map(|line| format!("  {line}")).collect()
}

/// What a step changed, so many facts. Of a relation that began or ended both ways, one is shown.
pub(super) fn facts(event: &Event, most: usize) -> Vec<String> {
    let Body::Step { diff, .. } = &event.body else {
        return Vec::new();
    };
    let mut shown: Vec<&str> = Vec::new();
    for fact in diff {
        if !mirror(fact).is_some_and(|m| shown.contains(&&*m)) {
            shown.push(fact);
        }
    }
    let mut lines: Vec<String> = shown
        .iter()
        .take(most)
        .map(|f| format!("    {f}"))
        .collect();
    if shown.len() > most {
        lines.push(format!(
            "    and {} more (--json has all)",
            shown.len() - most
        ));
    }
    lines
}

/// `+b CLOSE a` for `+a CLOSE b`.
fn mirror(fact: &str) -> Option<String> {
    let (sign, rest) = fact.split_at_checked(1)?;
    match rest.split(' ').collect::<Vec<_>>().as_slice() {
        [from, rel, to] => Some(format!("{sign}{to} {rel} {from}")),
        _ => None,
    }
}

fn goals(episode: &Episode) -> Vec<String> {
    let (score, here) = (episode.score(), episode.here());
    let mut lines = vec![format!(
        "goals {}/{} · safety {}/{} at s{} on {}",
        score.success,
        score.success_of,
        score.safety,
        score.safety_of,
        here.0,
        episode.branch().name
    )];
    lines.extend(goal_lines(episode));
    lines
}

/// A note in one line.
pub(super) fn note(note: &Note, labels: &[String]) -> String {
    match &note.body {
        NoteBody::Comment { at: seq, text } => {
            let place = seq.map_or_else(String::new, |s| format!(" at {}", at(Some(s), labels)));
            format!("comment{place}: {text}")
        }
        NoteBody::Verdict(v) => {
            let mut goals = String::new();
            for g in &v.goals {
                let _ = write!(goals, ", {} {} ({})", g.goal, g.fault.id(), g.text);
            }
            let witness = v.witness.as_ref().map_or_else(String::new, |w| {
                format!(", witness {} at {}", w.branch, at(Some(w.at), labels))
            });
            format!("verdict {}: {}{goals}{witness}", v.verdict.id(), v.reason)
        }
        NoteBody::Label(label) => {
            let step = |seq: Option<u32>, what: &str| {
                seq.map_or_else(String::new, |s| format!(", {what} {}", at(Some(s), labels)))
            };
            let (first, cause) = (step(label.first, "shows at"), step(label.cause, "cause"));
            format!("label {}{first}{cause}", label.words())
        }
        NoteBody::Other(kind) => {
            let fields: Vec<String> = note.extra.iter().map(|(n, j)| format!("{n} {j}")).collect();
            format!("{kind}: {}", fields.join(", "))
        }
    }
}

/// How each goal stands where the episode stands, a line a goal, below it how far it has come and where the verdicts on it
/// differ.
pub fn goal_lines(episode: &Episode) -> Vec<String> {
    let rows = goals::rows(episode.ledger(), episode.timeline(), episode.here());
    let mut lines = Vec::new();
    for row in rows {
        let sign = row.mark.glyph().sign;
        let kind = if row.success { "" } else { "safety " };
        let words = &row.words;
        let when = match (row.standing, row.success) {
            (GoalStanding::Never, true) => "never".to_owned(),
            (GoalStanding::Never, false) => "since s0".to_owned(),
            (GoalStanding::Lost(p), true) => format!("lost at s{}", p.0),
            (GoalStanding::Since(p) | GoalStanding::Lost(p), _) => format!("since s{}", p.0),
        };
        lines.push(format!("  {sign} {kind}{words}   {when}"));
        lines.extend(
            row.more
                .iter()
                .map(|more| format!("      {}", more.signed())),
        );
    }
    lines
}
