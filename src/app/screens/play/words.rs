//! Play in words: its title, its text form, what was filed.

use std::fmt::Write as _;

use crate::app::layer::{Fact, Title};
use crate::app::notice::Notice;
use crate::app::parts::diff::Sign;
use crate::app::parts::verdict::{Draft, witness_words};
use crate::app::parts::warnings::{self, Told};
use crate::app::parts::why::{Line, labelled};
use crate::app::parts::{action, goals, name, verb};
use crate::app::role::Role;
use crate::app::tables;
use crate::base::text;
use crate::eval::table::{Cell, Table};
use crate::formats::run::{Note, NoteBody};
use crate::plan::options::Candidate;
use crate::sim::reading;
use crate::task::episode::{Ending, Episode};
use crate::task::{Environment, Task};

use super::actions::{Actions, Row};
use super::ahead::{self, Ahead};
use super::game::{Game, Pane};
use super::sheets::{Sheet, branches};
use super::warnings::Warnings;

/// The title bar; shorter on narrow screens.
pub(super) fn title(game: &Game, narrow: bool) -> Title {
    let task = &game.episode.setup().task;
    let instruction = task.instruction.trim();
    let view = if game.map.is_some() { "map  " } else { "" };
    let subject = if instruction.is_empty() {
        format!("{view}{}", task.id)
    } else {
        format!("{view}{} “{instruction}”", task.id)
    };
    // What the task asks needs the room of a narrow screen more than what it is like.
    let about = if narrow {
        let place = match task.environment {
            Environment::Normal => "",
            Environment::Adversarial => "adv",
            Environment::AdversarialInstruction => "adv instr",
        };
        vec![
            task.risk.first().cloned().unwrap_or_default(),
            place.to_owned(),
        ]
    } else {
        let length = task.complexity.map(|c| c.id().to_owned());
        vec![
            task.risk.join(" "),
            length.unwrap_or_default(),
            task.environment.id().replace('_', " "),
        ]
    };
    let words: Vec<&str> = about
        .iter()
        .map(String::as_str)
        .filter(|w| !w.is_empty())
        .collect();
    let joint = if narrow { " " } else { " · " };
    let mut facts = vec![Fact::new(words.join(joint), Role::Text)];
    if let Some(ending) = game.episode.ending() {
        let word = match ending {
            Ending::Done => "■ Done",
            Ending::Avoided(_) => "■ Avoided",
            Ending::Stopped { .. } => "■ Stopped",
        };
        let text = if narrow {
            word.to_owned()
        } else {
            format!("{word}  {}", game.episode.judgement().words())
        };
        facts.push(Fact::new(text, Role::Title));
    }
    // A broken core rule is named until one goes back; where it has ended and there is room, the judgement names it.
    let grave = Warnings::grave(&game.episode);
    if !grave.is_empty() && (narrow || game.episode.ending().is_none()) {
        facts.push(Fact::new(format!("✗{}", grave.join(" ✗")), Role::Bad));
    }
    if game.saver.failed.is_some() {
        facts.push(Fact::new("not saved", Role::Error));
    }
    if game.saver.read_only.is_some() {
        facts.push(Fact::new("read only", Role::Paused));
    }
    let profile = game.episode.timeline().world().profile();
    facts.push(Fact::new(profile.id(), Role::Text));
    Title { subject, facts }
}

/// Columns of the instruction in its sheet, so that no line is cut on 80 columns.
const WIDE: usize = 62;

/// What the task asks for, whole, and what kind it is.
pub(super) fn task_lines(task: &Task) -> Vec<Line> {
    let asked = text::wrap(task.instruction.trim(), WIDE).into_iter();
    let mut lines = labelled("asks", asked.map(|line| Line::new("", line)));
    let kind = [
        task.environment.id().replace('_', " "),
        task.env_kind.clone(),
    ];
    let kind: Vec<String> = kind.into_iter().filter(|word| !word.is_empty()).collect();
    lines.push(Line::new("kind", kind.join(" · ")));
    if !task.risk.is_empty() {
        lines.push(Line::new("risk", task.risk.join(" ")));
    }
    lines.extend(task.complexity.map(|c| Line::new("size", c.id())));
    lines.extend(labelled(
        "never",
        task.never.iter().map(|fact| Line::new("", fact.clone())),
    ));
    lines
}

/// `kitchen · R bowl · L –`: where one is and what one holds.
pub fn you(episode: &Episode) -> String {
    let world = episode.timeline().world();
    let room = reading::room(world.graph(), world.me());
    let mut text = room.map_or("nowhere", |room| name(world, room)).to_owned();
    for (hand, letter) in world.dialect().rules.hands.iter().zip(["R", "L"]) {
        let held = world.graph().first_target(world.me(), *hand);
        let held = held.map_or("–", |ix| name(world, ix));
        let _ = write!(text, " · {letter} {held}");
    }
    text
}

/// The facts of the screen, one a line, worst first inside each part.
pub(super) fn plain(game: &Game) -> Vec<String> {
    let mut lines = vec![standing(game)];
    if let Some(ending) = game.episode.ending() {
        let reason = match ending {
            Ending::Avoided(reason) if !reason.is_empty() => format!(", because {reason}"),
            Ending::Stopped { text, .. } => format!(", stopped: {text}"),
            _ => String::new(),
        };
        lines.push(format!("ended: {}{reason}", ahead::outcome(&game.episode)));
    }
    if let Some(why) = &game.saver.read_only {
        lines.push(format!("read only: {why}"));
    }
    if let Some(why) = &game.saver.failed {
        lines.push(format!("not saved: {why}"));
    }
    match (game.sheets.last(), &game.map) {
        (Some(sheet), _) => lines.extend(sheet_lines(game, sheet)),
        (None, Some(floor)) => lines.extend(floor.view.plain()),
        (None, None) => lines.extend(ahead_lines(game)),
    }
    let said = warnings::plain_lines(&game.episode, &game.warnings.all, &game.warnings.rows);
    lines.extend(said);
    if game.warnings.watched.rules > 0 {
        let watched = game.warnings.watched;
        lines.push(format!(
            "rules {} watch, {} idle, {} silenced",
            watched.rules, watched.idle, watched.silenced
        ));
    }
    let of = |success: bool| game.goals.iter().filter(|g| g.success == success).count();
    lines.extend(
        goals::worst_first(&game.goals)
            .into_iter()
            .map(|row| row.plain(of(row.success))),
    );
    if let Some(hint) = game.hint {
        let world = game.episode.timeline().world();
        let next = action(world, hint.next);
        lines.extend(
            game.goals
                .get(hint.goal)
                .map(|row| format!("{} {} needs next: {next}", row.kind(), row.number)),
        );
    }
    if game.map.is_none() {
        lines.extend(action_lines(game));
    }
    lines
}

fn standing(game: &Game) -> String {
    let episode = &game.episode;
    let world = episode.timeline().world();
    let pos = episode.here();
    let did = episode
        .timeline()
        .action(pos)
        .map_or_else(|| "start".to_owned(), |a| verb(world, a));
    let saved = match game.saver.unsaved(episode.events()) {
        Some(_) if game.saver.run.is_some() || pos.0 > 0 => ", not saved yet",
        _ => "",
    };
    format!(
        "play {}, step {} ({did}){saved}, branch {}, profile {}, you: {}",
        episode.setup().task.id,
        pos.0,
        episode.branch().name,
        world.profile().id(),
        you(episode)
    )
}

fn ahead_lines(game: &Game) -> Vec<String> {
    match &game.ahead {
        Ahead::Nothing => Vec::new(),
        Ahead::End(end) => {
            let mut lines = vec![format!("if you do this: {}", end.words)];
            let open = end.open.iter();
            lines.extend(open.map(|rule| format!("left open by the end: {rule}")));
            lines
        }
        Ahead::Refused(r) => {
            let cures = if r.cures.is_empty() {
                String::new()
            } else {
                format!("; cure: {}", r.cures.join(", or "))
            };
            vec![format!(
                "if you do \"{}\": refused, {}: {}{cures}{}",
                r.words,
                r.kind,
                r.reason,
                told(&r.told)
            )]
        }
        Ahead::Would(would) => {
            let shown = would.rows.iter().filter(|row| game.quiet || !row.quiet);
            let mut parts: Vec<String> = [Sign::Added, Sign::Removed, Sign::Changed]
                .into_iter()
                .filter_map(|sign| {
                    let facts: Vec<&str> = shown
                        .clone()
                        .filter(|row| row.sign == sign)
                        .map(|row| row.text.as_str())
                        .collect();
                    (!facts.is_empty()).then(|| format!("{} {}", sign.word(), facts.join(", ")))
                })
                .collect();
            if parts.is_empty() {
                parts.push("changes nothing".to_owned());
            }
            for (word, list) in [("gains", &would.gained), ("loses", &would.lost)] {
                parts.extend(list.iter().map(|goal| format!("{word} goal {goal}")));
            }
            if would.gained.is_empty() && would.lost.is_empty() {
                parts.push("goals, safety same".to_owned());
            }
            let happens = would.happens.iter();
            parts.extend(happens.map(|words| format!("by itself {words}")));
            parts.extend(
                would
                    .note
                    .iter()
                    .map(|note| format!("published note: {note}")),
            );
            vec![format!(
                "if you do \"{}\": {}{}",
                would.words,
                parts.join("; "),
                told(&would.told)
            )]
        }
    }
}

/// `; F05 armed → violated, critical core: no metal in …; cure: grab fork`.
fn told(told: &[Told]) -> String {
    let each = told.iter().map(|t| format!("; {}", t.plain()));
    each.collect()
}

fn action_lines(game: &Game) -> Vec<String> {
    let actions: &Actions = &game.actions;
    let filter = actions.filter.edit.text();
    let filter = if filter.is_empty() {
        String::new()
    } else {
        format!(", filter \"{filter}\"")
    };
    let world = game.episode.timeline().world();
    let mut lines = vec![format!(
        "actions {} shown of {}, {} allowed{filter}",
        actions.shown(),
        actions.all.len(),
        actions.allowed()
    )];
    for &row in actions.rows() {
        let (line, cursor) = match (row, actions.candidate(row)) {
            (Row::Done, _) => ("action \"Done\"".to_owned(), actions.row() == Some(row)),
            (Row::Avoid, _) => ("action \"[Avoid]\"".to_owned(), actions.row() == Some(row)),
            (Row::Action(_), None) => continue,
            (Row::Action(_), Some(c)) => {
                let words = action(world, c.action);
                let danger =
                    danger(game, c).map_or_else(String::new, |d| format!(", would break {d}"));
                let text = match &c.refusal {
                    None => format!("action \"{words}\"{}{danger}", effect(c.gain, c.safety)),
                    Some(r) => format!(
                        "refused \"{words}\", {}: {}{danger}",
                        r.kind.words(),
                        crate::app::parts::why::reason(world, r)
                    ),
                };
                (text, actions.row() == Some(row))
            }
        };
        lines.push(if cursor {
            format!("{line} (cursor)")
        } else {
            line
        });
    }
    lines
}

/// `F05 !4 +1`: the worst rule an action would break, unless it is muted, and how many more.
pub fn danger(game: &Game, candidate: &Candidate) -> Option<String> {
    let danger = candidate.danger.as_ref()?;
    let rule = game.episode.rule(&danger.instance)?;
    let muted = game.warnings.muted.contains(&rule.id);
    let more = match danger.more {
        0 => String::new(),
        n => format!(" +{n}"),
    };
    (!muted).then(|| format!("{} !{}{more}", rule.id, danger.severity))
}

fn effect(goals: i32, safety: i32) -> String {
    match (goals, safety) {
        (0, 0) => String::new(),
        (g, 0) => format!(", {g:+} goals"),
        (0, s) => format!(", {s:+} safety"),
        (g, s) => format!(", {g:+} goals, {s:+} safety"),
    }
}

fn sheet_lines(game: &Game, sheet: &Sheet) -> Vec<String> {
    match sheet {
        Sheet::Lines(lines) => {
            let mut label = "";
            let mut out = vec![lines.heading.clone()];
            for line in &lines.lines {
                if !line.label.is_empty() {
                    label = line.label;
                }
                out.push(
                    crate::app::parts::why::Line {
                        label,
                        ..line.clone()
                    }
                    .plain(),
                );
            }
            out
        }
        Sheet::Branches(_) => branches(&game.episode)
            .into_iter()
            .map(|row| {
                let here = if row.here { ", here" } else { "" };
                format!(
                    "branch {}{here}: {}, goals {}",
                    row.name, row.words, row.goals
                )
            })
            .collect(),
        Sheet::Line(line) => vec![format!("do: {}", line.text())],
        Sheet::Reason(line) => vec![format!("refuse the instruction because: {}", line.text())],
        Sheet::Annotate(goal) => game
            .goals
            .get(*goal)
            .map(|row| format!("annotate {} {}: {}", row.kind(), row.number, row.words))
            .into_iter()
            .collect(),
        Sheet::Verdict => verdict_lines(game, &game.draft),
    }
}

fn verdict_lines(game: &Game, draft: &Draft) -> Vec<String> {
    let mut lines = vec![format!("verdict: {}", draft.judgement().id())];
    lines.extend(game.goals.iter().map(|row| {
        let fault = draft.faults.get(&row.goal).map_or("–", |f| f.id());
        format!(
            "verdict on {} {} ({}): {fault}",
            row.kind(),
            row.number,
            row.words
        )
    }));
    lines.push(format!("reason: {}", draft.reason.text()));
    lines.push(format!("witness: {}", witness_words(&game.episode)));
    lines
}

impl Game {
    /// A note is on the disk: what to say about it.
    pub(super) fn filed(&mut self, note: Note) -> Notice {
        let text = match &note.body {
            NoteBody::Verdict(v) => {
                let witness = witness_words(&self.episode);
                self.draft = Draft::default();
                format!("saved: verdict {}, witness {witness}", v.verdict.id())
            }
            _ => "saved: comment".to_owned(),
        };
        self.notes.push(note);
        if matches!(self.sheets.last(), Some(Sheet::Verdict)) {
            self.sheets.pop();
        }
        Notice::info(text)
    }
}

/// The rows of the pane with the keys.
pub(super) fn table(game: &Game) -> Option<Table> {
    let world = game.episode.timeline().world();
    match game.focus {
        Pane::Actions => Some(actions_table(game)),
        Pane::Goals => Some(tables::of_goals(&game.goals)),
        Pane::Warnings => Some(tables::of_warnings(
            world,
            &game.warnings.all,
            &game.warnings.rows,
        )),
        Pane::Ahead => {
            let rows = game.ahead_rows();
            let rows = rows.iter().map(|row| {
                vec![
                    tables::words(row.sign.word()),
                    tables::words(row.text.clone()),
                ]
            });
            let heads = ["would", "fact"];
            let title = "What the action would change";
            Some(tables::table("ahead", title, &heads, rows.collect()))
        }
        Pane::Scene => None,
    }
}

/// What can be done, and what is refused with its reason.
fn actions_table(game: &Game) -> Table {
    let world = game.episode.timeline().world();
    let signed = |n: i32| Cell::Number(f64::from(n), 0);
    let row = |row: &Row| {
        let c = game.actions.candidate(*row)?;
        let kind = c.refusal.as_ref().map_or("", |r| r.kind.words());
        let why = c.refusal.as_ref();
        let why = why.map_or_else(String::new, |r| crate::app::parts::why::reason(world, r));
        Some(vec![
            tables::words(action(world, c.action)),
            tables::words(kind),
            tables::words(why),
            signed(c.gain),
            signed(c.safety),
            tables::words(danger(game, c).unwrap_or_default()),
        ])
    };
    let rows = game.actions.rows().iter().filter_map(row).collect();
    let heads = [
        "action",
        "refused",
        "reason",
        "#goals",
        "#safety",
        "would break",
    ];
    let title = format!("Actions at s{}", game.episode.here().0);
    tables::table("actions", &title, &heads, rows)
}
