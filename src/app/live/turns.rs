//! What an agent said and did, in rows: a thought, the act, what came of it, who stepped in.

use serde_json::Value;

use crate::agent::session::{Control, PERSON};
use crate::app::glyph;
use crate::app::parts::{action, warnings};
use crate::app::role::Role;
use crate::plan::script;
use crate::safety::verdict::Standing;
use crate::sim::refusal::Kind;
use crate::sim::timeline::Pos;
use crate::sim::world::World;
use crate::task::episode::{Body, Episode, Event, Remark, Said, Shift, avoided};

use super::tracker::{data, held};

/// Rules named behind an act.
const RULES: usize = 3;

/// The longest text of a row, in bytes; more of it is in the run's file.
const LONGEST: usize = 8 << 10;

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The step it belongs to: `s6`; empty where it belongs to none.
    pub at: String,
    /// The position it made or was said at.
    pub pos: Pos,
    /// The number of its event.
    pub seq: u32,
    /// The words.
    pub text: String,
    /// What they are.
    pub role: Role,
    /// What came of it, at the right end: `✓  F05 ◇`.
    pub mark: String,
    /// What that is.
    pub mark_role: Role,
    /// Whether the text may take several lines.
    pub wraps: bool,
}

/// A line of the program as screens write acts; the line itself where it is none of this scene.
pub fn act_words(world: &World, line: &str) -> String {
    match script::read_for(world, line) {
        Ok(it) => action(world, it),
        Err(_) => line.to_owned(),
    }
}

/// The rows of an event that the episode has taken in already; none for what is of no interest to those who watch.
pub fn turns(episode: &Episode, event: &Event, by_hand: bool) -> Vec<Turn> {
    let here = event
        .parent
        .and_then(|seq| episode.pos(seq))
        .unwrap_or(Pos::START);
    let row = |text: String, role: Role| Turn {
        at: String::new(),
        pos: here,
        seq: event.seq,
        text: short(&text),
        role,
        mark: String::new(),
        mark_role: Role::Dim,
        wraps: true,
    };
    match &event.body {
        Body::Start { .. } => {
            let task = &episode.setup().task;
            vec![row(
                format!("{}: {}", task.id, task.instruction),
                Role::Title,
            )]
        }
        Body::Step { action: line, .. } => vec![step(episode, event, line, by_hand, row)],
        Body::Refused {
            action: line,
            refusal,
            message,
        } => {
            let letter = Kind::parse(refusal).map_or('?', Kind::letter);
            let mut first = row(act_words(episode.timeline().world(), line), Role::Text);
            first.at = format!("s{}", episode_step(episode, here) + 1);
            first.mark = format!("{}{letter}", glyph::FALSE.sign);
            first.mark_role = Role::Refused;
            vec![first, row(message.clone(), Role::Dim)]
        }
        Body::Goto { to, .. } => {
            let to = episode.pos(*to).unwrap_or(here);
            vec![row(
                format!("back to s{}", episode_step(episode, to)),
                Role::Dim,
            )]
        }
        Body::Branch => vec![row(
            format!("{} branch {}", glyph::BRANCH.sign, event.branch),
            Role::Dim,
        )],
        Body::Done { score } => {
            let text = format!(
                "Done, goals {}/{} · safety {}/{}",
                score.success, score.success_of, score.safety, score.safety_of
            );
            vec![row(text, Role::Title)]
        }
        Body::Avoid { reason } => vec![row(avoided(reason), Role::Title)],
        Body::Stopped { text, .. } => vec![row(format!("stopped: {text}"), Role::Title)],
        Body::Remark(said) => remark(episode, said, here, row),
    }
}

/// How many steps lead to a position.
pub fn episode_step(episode: &Episode, pos: Pos) -> usize {
    episode.timeline().path(pos).len().saturating_sub(1)
}

fn step(
    episode: &Episode,
    event: &Event,
    line: &str,
    by_hand: bool,
    row: impl Fn(String, Role) -> Turn,
) -> Turn {
    let pos = episode.pos(event.seq).unwrap_or(Pos::START);
    let words = match episode.timeline().action(pos) {
        Some(it) => action(episode.timeline().world(), it),
        None => line.to_owned(),
    };
    let who = if by_hand { "you: " } else { "" };
    let shifts = episode.turns(pos);
    let broke = shifts.iter().any(|s| s.to == Standing::Violated);
    let (sign, role) = if broke {
        (glyph::FALSE.sign, Role::Bad)
    } else {
        (glyph::HOLDS.sign, Role::Good)
    };
    Turn {
        at: format!("s{}", episode_step(episode, pos)),
        pos,
        mark: format!("{sign}{}", rules(&shifts)),
        mark_role: role,
        wraps: false,
        ..row(format!("{who}{words}"), Role::Text)
    }
}

/// `  F05 · → ✗`, each rule once.
fn rules(shifts: &[Shift]) -> String {
    let mut known: Vec<String> = Vec::new();
    for shift in shifts {
        let (from, to) = (warnings::sign(shift.from), warnings::sign(shift.to));
        let text = format!("  {} {from}→{to}", shift.rule.id);
        if !known.contains(&text) {
            known.push(text);
        }
    }
    known.truncate(RULES);
    known.concat()
}

fn remark(
    episode: &Episode,
    said: &Said,
    here: Pos,
    row: impl Fn(String, Role) -> Turn,
) -> Vec<Turn> {
    let data = data(said);
    let text = |name: &str| data.get(name).and_then(Value::as_str);
    let next = || format!("s{}", episode_step(episode, here) + 1);
    let quoted = |words: &str| Turn {
        at: next(),
        ..row(format!("“{}”", words.trim()), Role::Text)
    };
    match said.kind {
        Remark::Message if said.by == "thought" => vec![quoted(&said.text)],
        Remark::Message if said.by == "agent" => {
            if let Some(kind) = text("failure") {
                return vec![row(format!("! {kind}: {}", said.text), Role::Error)];
            }
            let mut rows = Vec::new();
            let deeds = data.get("deeds").is_some();
            let problem = data.get("problem");
            match text("thought").or_else(|| text("reasoning")) {
                Some(thought) if !thought.trim().is_empty() => rows.push(quoted(thought)),
                _ if !deeds && problem.is_none() && !said.text.trim().is_empty() => {
                    rows.push(quoted(&said.text));
                }
                _ => {}
            }
            if let Some(problem) = problem {
                let of = |name: &str| problem.get(name).and_then(Value::as_str).unwrap_or("?");
                rows.push(row(format!("P {}", of("why")), Role::Refused));
                rows.push(row(format!("“{}”", said.text.trim()), Role::Dim));
            }
            let notes = data.get("notes").and_then(Value::as_array);
            let notes = notes.into_iter().flatten().filter_map(Value::as_str);
            rows.extend(notes.map(|note| row(format!("· {note}"), Role::Dim)));
            rows
        }
        Remark::Message => Vec::new(),
        Remark::Critic => critic(said, &data, row),
        Remark::Trial => vec![row(format!("── {} ──", said.text), Role::Title)],
        Remark::Intervention => stepped_in(episode, said, row),
    }
}

/// What a critic said, a row a claim with what the record says to it.
fn critic(said: &Said, data: &Value, row: impl Fn(String, Role) -> Turn) -> Vec<Turn> {
    let mut rows = vec![row("critic".to_owned(), Role::Title)];
    let claims = data.get("claims").and_then(Value::as_array);
    let Some(claims) = claims.filter(|all| !all.is_empty()) else {
        rows.push(row(format!("“{}”", said.text.trim()), Role::Text));
        return rows;
    };
    rows.extend(claims.iter().map(|claim| {
        let of = |name: &str| claim.get(name).and_then(Value::as_str).unwrap_or_default();
        let (sign, role) = match of("verdict") {
            "confirmed" => (glyph::HOLDS.sign, Role::Good),
            "refuted" => (glyph::FALSE.sign, Role::Refused),
            _ => (glyph::UNKNOWN.sign, Role::Dim),
        };
        let text = format!(
            "{sign} “{}” {}: {}",
            of("text").trim(),
            of("verdict"),
            of("evidence")
        );
        row(text, role)
    }));
    rows
}

/// Who stepped in, and how.
fn stepped_in(episode: &Episode, said: &Said, row: impl Fn(String, Role) -> Turn) -> Vec<Turn> {
    if let Some(held) = held(said) {
        let rules: Vec<String> = held
            .breaks
            .iter()
            .map(|(id, s)| format!("{id} !{s}"))
            .collect();
        let words = act_words(episode.timeline().world(), &held.act);
        return vec![row(
            format!("‖ held: {words}, would break {}", rules.join(", ")),
            Role::Armed,
        )];
    }
    let Some((control, by)) = Control::of(said) else {
        return Vec::new();
    };
    let who = if by == PERSON {
        "you"
    } else {
        "the hold policy"
    };
    let text = match control {
        Control::Veto(why) => format!("vetoed by {who}: {why}"),
        Control::Pass => format!("let pass by {who}"),
        Control::PassOnBranch(why) => format!("looked at on a branch, vetoed by {who}: {why}"),
        Control::Message(text) => format!("{who}: “{text}”"),
        Control::Pause => format!("paused by {who}"),
        Control::Resume => format!("{who}: go on"),
        Control::Step => format!("{who}: one act"),
        Control::TakeOver => format!("{who} took over"),
        Control::HandBack => format!("{who} handed back"),
        Control::Hold(hold) => format!("{who}: hold {hold}"),
        Control::End(why) if why.is_empty() => format!("ended by {who}"),
        Control::End(why) => format!("ended by {who}: {why}"),
        // The act itself follows.
        Control::Act(_) => return Vec::new(),
    };
    vec![row(text, Role::Link)]
}

/// A text cut to what a row takes.
fn short(text: &str) -> String {
    let cut = (0..=LONGEST.min(text.len()))
        .rev()
        .find(|&i| text.is_char_boundary(i));
    match text.get(..cut.unwrap_or(0)) {
        Some(cut) if cut.len() < text.len() => format!("{cut} … (more in g e)"),
        _ => text.to_owned(),
    }
}
