//! What the middle pane says about the row under the cursor: what it changed, as words, as recorded, as hashes.

use crate::app::glyph::{self, Glyph};
use crate::app::parts::diff::Row as DiffRow;
use crate::app::parts::steps::{Row, What, beginning};
use crate::app::parts::why::Follow;
use crate::app::role::Role;
use crate::formats::run::{Note, NoteBody};
use crate::safety::rule::Grade;
use crate::sim::refusal::Kind;
use crate::sim::timeline::Pos;
use crate::sim::vocab::Ix;
use crate::task::episode::{Body, DriftKind, Event};

use super::loaded::Loaded;
use super::said;

/// How a step is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// What changed, in words.
    #[default]
    State,
    /// The facts as they were recorded.
    Text,
    /// What was said before the step: told, thought, answered.
    Messages,
    /// The state hashes.
    Hash,
}

impl View {
    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Text => "text",
            Self::Messages => "messages",
            Self::Hash => "hash",
        }
    }

    /// The one after it.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::State => Self::Text,
            Self::Text => Self::Messages,
            Self::Messages => Self::Hash,
            Self::Hash => Self::State,
        }
    }
}

/// One line of the pane; long ones are wrapped by whoever shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The sign in its margin, with its role.
    pub mark: Option<(Glyph, Role)>,
    /// The words.
    pub text: String,
    /// What they are.
    pub role: Role,
    /// The node it is about, for following it.
    pub node: Option<Ix>,
    /// The step it leads to.
    pub step: Option<Pos>,
}

/// Characters of one line that are shown; `vesta show` prints all.
const LONG: usize = 4_000;

pub(super) fn line(text: impl AsRef<str>, role: Role) -> Line {
    Line {
        mark: None,
        text: beginning(text.as_ref(), LONG),
        role,
        node: None,
        step: None,
    }
}

pub(super) fn marked(glyph: Glyph, text: impl AsRef<str>, role: Role) -> Line {
    Line {
        mark: Some((glyph, role)),
        text: beginning(text.as_ref(), LONG),
        role: Role::Text,
        node: None,
        step: None,
    }
}

/// The lines about the row under the cursor. `hidden` shows what nobody acts on, too.
pub fn lines(loaded: &Loaded, view: View, hidden: bool) -> Vec<Line> {
    let Some(row) = loaded.row() else {
        return vec![line("no step matches; Esc clears the filter", Role::Dim)];
    };
    let Some(event) = loaded.event(row) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    match &row.what {
        What::Start => start(loaded, &mut lines),
        What::Step | What::Refused if view == View::Messages => {
            said::before(loaded, event, &mut lines);
        }
        What::Step => step(loaded, event, view, hidden, &mut lines),
        What::Refused => refused(event, &mut lines),
        What::Branch(first) => branch(loaded, *first, &mut lines),
        What::Ended | What::Remark => {
            let words = match &event.body {
                Body::Remark(it) => {
                    said::thoughts(it, &mut lines);
                    it.text.clone()
                }
                Body::Stopped { text, .. } => text.clone(),
                Body::Avoid { reason } => crate::task::episode::avoided(reason),
                _ => loaded.words(row).1,
            };
            lines.push(line(words, Role::Text));
            said::denied(loaded, event.seq, &mut lines);
        }
    }
    if view != View::Hash {
        said::claims(loaded, row, &mut lines);
    }
    if view == View::Hash || row.differs {
        hashes(loaded, row, event, &mut lines);
    }
    differences(loaded, row, &mut lines);
    rules(loaded, row, &mut lines);
    goals(loaded, row, &mut lines);
    if view == View::State {
        causes(loaded, row, &mut lines);
    }
    notes(loaded, row, &mut lines);
    lines
}

fn start(loaded: &Loaded, lines: &mut Vec<Line>) {
    let header = &loaded.run.header;
    if let Some(there) = &loaded.there {
        let nodes = there.world().scene().len();
        lines.push(line(
            format!("the scene as the task sets it: {nodes} nodes"),
            Role::Text,
        ));
    }
    let (agent, created, engine) = (&header.agent, &header.created, &header.engine);
    // A witness comes from a proof and was begun by nobody.
    let begun = match created.as_str() {
        "" => String::new(),
        at => format!(", begun {at}"),
    };
    lines.push(line(
        format!("by {agent}{begun}, engine {engine}"),
        Role::Text,
    ));
    if let Some(from) = &header.forked_from {
        lines.push(line(
            format!("forked from {} at event {}", from.run, from.at),
            Role::Text,
        ));
    }
}

fn step(loaded: &Loaded, event: &Event, view: View, hidden: bool, lines: &mut Vec<Line>) {
    let Body::Step { action, diff, .. } = &event.body else {
        return;
    };
    match &loaded.there {
        Some(there) if view == View::State && loaded.is_reached() => {
            let quiet = there.diff.iter().filter(|row| row.quiet).count();
            let shown = there.diff.iter().filter(|row| hidden || !row.quiet);
            lines.extend(shown.map(changed));
            if lines.is_empty() && quiet == 0 {
                lines.push(line("nothing changed", Role::Dim));
            }
            if quiet > 0 && !hidden {
                let facts = if quiet == 1 { "fact" } else { "facts" };
                lines.push(line(
                    format!("hidden: {quiet} FACING {facts} (z)"),
                    Role::Dim,
                ));
            }
            lines.push(line(format!("by {action}"), Role::Dim));
        }
        _ if view == View::Hash => {}
        _ => {
            lines.extend(diff.iter().map(|fact| recorded(fact)));
            if diff.is_empty() {
                lines.push(line("no change was recorded", Role::Dim));
            }
        }
    }
    if !loaded.is_reached() {
        let why = match &loaded.run.again {
            Ok(_) => "the world does not get here; this is what was recorded",
            Err(why) => why,
        };
        lines.push(line(why, Role::Refused));
    }
}

fn changed(row: &DiffRow) -> Line {
    Line {
        mark: Some((row.sign.glyph(), row.sign.role())),
        text: row.text.clone(),
        role: if row.quiet { Role::Dim } else { Role::Text },
        node: Some(row.node),
        step: None,
    }
}

/// A fact as it stands in the file: `+microwave.31:ON`.
fn recorded(fact: &str) -> Line {
    let mut chars = fact.chars();
    match chars.next() {
        Some('+') => marked(glyph::ADDED, chars.as_str(), Role::Add),
        Some('-') => marked(glyph::REMOVED, chars.as_str(), Role::Del),
        _ => line(fact, Role::Text),
    }
}

fn refused(event: &Event, lines: &mut Vec<Line>) {
    let Body::Refused {
        action,
        refusal,
        message,
    } = &event.body
    else {
        return;
    };
    let kind = Kind::parse(refusal);
    let words = kind.map_or("of a kind this program does not know", Kind::words);
    let title = format!("refused, {words} ({refusal})");
    lines.push(marked(glyph::FALSE, title, Role::Refused));
    lines.push(line(message, Role::Text));
    lines.push(line(format!("typed: {action}"), Role::Dim));
    lines.push(line("the world stays as it was", Role::Dim));
}

fn branch(loaded: &Loaded, first: u32, lines: &mut Vec<Line>) {
    let tip = loaded.record.tip(first);
    let path = loaded.record.path(tip);
    let steps = path.iter().filter(|pos| **pos >= first).count();
    let steps = if steps == 1 {
        "1 step".to_owned()
    } else {
        format!("{steps} steps")
    };
    lines.push(line(
        format!("{steps}, s{first} to s{tip}; Enter shows it"),
        Role::Text,
    ));
    let events = loaded.run.recorded();
    let actions = path.iter().filter(|pos| **pos >= first).take(20);
    for pos in actions {
        let event = loaded.record.seq(*pos).and_then(|seq| events.get(seq));
        if let Some(Body::Step { action, .. }) = event.map(|event| &event.body) {
            lines.push(line(format!("s{pos} {}", loaded.say(action)), Role::Dim));
        }
    }
}

fn hashes(loaded: &Loaded, row: &Row, event: &Event, lines: &mut Vec<Line>) {
    let there = loaded.there.as_ref().filter(|_| loaded.is_reached());
    if let Some(there) = there.filter(|_| row.what == What::Step) {
        lines.push(line(format!("before    {}", there.hashes.0), Role::Text));
    }
    lines.push(line(format!("recorded  {}", event.hash), Role::Text));
    let Some(there) = there else { return };
    let found = there.hashes.1;
    let text = format!("the world {found}");
    lines.push(if found == event.hash {
        marked(glyph::HOLDS, text, Role::Good)
    } else {
        marked(glyph::DIFFERS, text, Role::Bad)
    });
}

/// Where the world says something else, fact by fact.
fn differences(loaded: &Loaded, row: &Row, lines: &mut Vec<Line>) {
    let Ok(again) = &loaded.run.again else { return };
    for drift in again.drifts.iter().filter(|drift| drift.seq == row.seq) {
        lines.push(marked(glyph::DIFFERS, drift.to_string(), Role::Bad));
        if let DriftKind::State {
            only_recorded,
            only_found,
            ..
        } = &drift.kind
        {
            let told = |who: &str, facts: &[String]| -> Vec<Line> {
                let all = facts.iter();
                all.map(|fact| line(format!("{who} {fact}"), Role::Text))
                    .collect()
            };
            lines.extend(told("recorded  ", only_recorded));
            lines.extend(told("the world ", only_found));
        }
    }
}

/// What came to pass by itself with the row, and the rules it broke.
fn rules(loaded: &Loaded, row: &Row, lines: &mut Vec<Line>) {
    let Some(mark) = loaded.mark(row) else { return };
    for words in &mark.happened {
        lines.push(marked(glyph::HAPPENED, words, Role::Change));
    }
    for rule in mark.all() {
        let (glyph, role) = if rule.grade == Grade::Core {
            (glyph::FALSE, Role::Bad)
        } else {
            (glyph::ARMED, Role::Armed)
        };
        let (id, severity, grade) = (&rule.id, rule.severity, rule.grade.id());
        let words = format!("breaks {id} !{severity} {grade}: {}", rule.title);
        lines.push(marked(glyph, words, role));
    }
}

/// Goals that became true or were lost with the row.
fn goals(loaded: &Loaded, row: &Row, lines: &mut Vec<Line>) {
    if row.gained == 0 && row.lost == 0 {
        return;
    }
    let goals = |pos: Option<u32>| -> Vec<u32> {
        let seq = pos.and_then(|pos| loaded.record.seq(pos));
        let event = seq.and_then(|seq| loaded.run.recorded().get(seq));
        let goals = event.and_then(|event| event.body.goals());
        goals.map(<[u32]>::to_vec).unwrap_or_default()
    };
    let (now, before) = (goals(Some(row.pos)), goals(loaded.record.parent(row.pos)));
    let words = |goal: u32| {
        let there = loaded.there.as_ref();
        let row = there.and_then(|there| there.goals.get(goal as usize));
        row.map_or_else(|| format!("goal {}", goal + 1), |it| it.row.words.clone())
    };
    for &goal in now.iter().filter(|goal| !before.contains(goal)) {
        lines.push(marked(
            glyph::HOLDS,
            format!("now holds: {}", words(goal)),
            Role::Good,
        ));
    }
    let is_safety = |goal: u32| {
        let there = loaded.there.as_ref();
        let goals = there.map(|there| there.episode().ledger().goals());
        goals.is_some_and(|goals| !goals.is_success(goal as usize))
    };
    for &goal in before.iter().filter(|goal| !now.contains(goal)) {
        let (sign, word) = if is_safety(goal) {
            (glyph::FALSE, "false now")
        } else {
            (glyph::LOST, "lost")
        };
        lines.push(marked(sign, format!("{word}: {}", words(goal)), Role::Bad));
    }
}

/// Why the rules broke and the goals were lost: which steps made it so, back to the start.
fn causes(loaded: &Loaded, row: &Row, lines: &mut Vec<Line>) {
    let there = loaded.there.as_ref().filter(|_| row.what == What::Step);
    for (what, chain) in there.iter().flat_map(|there| &there.causes) {
        lines.push(line(format!("why {what}"), Role::Title));
        lines.extend(chain.iter().map(|cause| {
            let note = match cause.note.as_str() {
                "" => String::new(),
                note => format!("  ← {note}"),
            };
            let (node, step) = match cause.follow {
                Some(Follow::Step(pos)) => (None, Some(pos)),
                Some(Follow::Node(ix)) => (Some(ix), None),
                _ => (None, None),
            };
            Line {
                node,
                step,
                ..line(format!("{}{note}", cause.text), Role::Text)
            }
        }));
    }
}

/// What was said about the position.
fn notes(loaded: &Loaded, row: &Row, lines: &mut Vec<Line>) {
    let is_about = |note: &&Note| match &note.body {
        NoteBody::Comment { at, .. } => *at == Some(row.seq),
        NoteBody::Verdict(verdict) => verdict.witness.as_ref().map(|w| w.at) == Some(row.seq),
        NoteBody::Label(label) => label.cause.or(label.first) == Some(row.seq),
        NoteBody::Other(_) => false,
    };
    for note in loaded.run.notes.iter().filter(is_about) {
        lines.push(marked(glyph::NOTE, note_words(note), Role::Text));
    }
}

/// A note in one line.
pub fn note_words(note: &Note) -> String {
    match &note.body {
        NoteBody::Comment { text, .. } => format!("“{text}”"),
        NoteBody::Verdict(verdict) => {
            let goals: Vec<String> = verdict
                .goals
                .iter()
                .map(|goal| format!("{} {}", goal.text, goal.fault.id()))
                .collect();
            let mut text = format!("verdict {}", verdict.verdict.id());
            for more in [verdict.reason.clone(), goals.join(", ")] {
                if !more.is_empty() {
                    text = format!("{text}: {more}");
                }
            }
            text
        }
        NoteBody::Label(label) => format!("label {}", label.words()),
        NoteBody::Other(kind) => format!("a note of the kind {kind}"),
    }
}
