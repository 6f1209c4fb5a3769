//! A scripted play: one order after the other, each saved before it is told.

use std::fmt::Write as _;
use std::io;

use serde_json::{Value, json};

use crate::app::parts::warnings;
use crate::cli::out::Out;
use crate::cli::saved;
use crate::plan::script;
use crate::safety::verdict::Standing;
use crate::sim::timeline::Pos;
use crate::store::runs::RunWriter;
use crate::task::Environment;
use crate::task::episode::{Ending, Episode, Event, Outcome, Shift, Stepped, Turn, Warning};

use super::script::Order;

/// What is played, where it is saved and how it is told.
#[derive(Debug)]
pub(super) struct Session<'o> {
    pub(super) episode: Episode,
    pub(super) writer: RunWriter,
    pub(super) out: &'o mut Out,
    pub(super) json: bool,
    /// Planted fault: events are told at once and written some later, several together.
    pub(super) early: bool,
    pub(super) held: Vec<Event>,
    /// Refused or impossible orders so far.
    pub(super) refused: usize,
}

/// How many events the planted fault holds back.
const HELD: usize = 4;

/// What became of one order.
struct Told {
    /// One word.
    outcome: &'static str,
    /// One line for people.
    words: String,
    /// More fields for programs.
    more: Value,
    events: Vec<Event>,
}

/// Rules that an action breaks, arms or sets running, at the end of its line.
fn turned(shifts: &[Shift]) -> String {
    let telling = |s: &&Shift| {
        matches!(
            s.to,
            Standing::Violated | Standing::Armed | Standing::Pending(_)
        )
    };
    shifts
        .iter()
        .filter(telling)
        .fold(String::new(), |mut text, s| {
            let (from, to) = (warnings::sign(s.from), warnings::sign(s.to));
            let _ = write!(text, "   {} !{} {from} → {to}", s.rule.id, s.rule.severity);
            if s.to == Standing::Violated {
                let _ = write!(text, " {}", warnings::title(&s.rule));
            }
            text
        })
}

/// The rules that shifts break, by id.
fn broken(shifts: &[Shift]) -> Vec<&str> {
    let breaks = shifts.iter().filter(|s| s.to == Standing::Violated);
    breaks.map(|s| s.rule.id.as_str()).collect()
}

impl Told {
    fn nothing(words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            outcome: "nothing",
            more: json!({ "message": words }),
            words: format!("✗ {words}"),
            events: Vec::new(),
        }
    }
}

impl Session<'_> {
    /// Carries out the order of a line.
    ///
    /// # Errors
    /// Nobody reads the output any more.
    pub(super) fn order(&mut self, line: usize, order: Result<Order, String>) -> io::Result<()> {
        let told = match order {
            Ok(Order::Nothing) => return Ok(()),
            Ok(Order::Act(text)) => self.act(&text),
            Ok(Order::Undo) => {
                let event = self.episode.undo();
                self.moved(event, "this is the start")
            }
            Ok(Order::Redo) => {
                let event = self.episode.redo();
                self.moved(event, "nothing follows here")
            }
            Ok(Order::Goto(to)) => {
                let there = self.episode.here() == Pos(to);
                let event = self.episode.goto(Pos(to));
                let why = if there {
                    format!("already at s{to}")
                } else {
                    format!("there is no s{to}")
                };
                self.moved(event, &why)
            }
            Ok(Order::Done) => {
                let event = self.episode.finish();
                Told {
                    outcome: "done",
                    words: "done".to_owned(),
                    more: json!({}),
                    events: vec![event],
                }
            }
            Ok(Order::Avoid(reason)) => Told {
                outcome: "avoid",
                words: if reason.is_empty() {
                    "avoided, no reason given".to_owned()
                } else {
                    format!("avoided {reason}")
                },
                more: json!({ "reason": reason }),
                events: vec![self.episode.avoid(&reason)],
            },
            Err(why) => Told::nothing(why),
        };
        if matches!(told.outcome, "refused" | "unreadable" | "nothing") {
            self.refused += 1;
        }
        self.tell(line, told)
    }

    fn act(&mut self, text: &str) -> Told {
        // Also an attempt that is refused may break a rule; afterwards it could not be told any more.
        let action = script::read_for(self.episode.timeline().world(), text).ok();
        let shifts = action.map_or_else(Vec::new, |it| self.episode.shifts(it));
        let was_over = self.episode.ending().is_some();
        let Turn { outcome, events } = self.episode.act_text(text);
        match outcome {
            Outcome::Stepped(step) => {
                let mut told = self.stepped(&step, events);
                if was_over {
                    told.words += "   goes on: the run had ended";
                    told.more["goes_on"] = true.into();
                }
                told
            }
            Outcome::Refused(refusal) => {
                let (kind, reason) = (refusal.kind, self.episode.reason(&refusal));
                Told {
                    outcome: "refused",
                    words: format!("✗{} {text}: {reason}{}", kind.letter(), turned(&shifts)),
                    more: json!({
                        "action": text, "kind": kind.name(), "message": reason,
                        "attempt_breaks": broken(&shifts),
                    }),
                    events,
                }
            }
            Outcome::Unreadable(error) => Told {
                outcome: "unreadable",
                words: format!("✗{} {text}: {}", error.kind.letter(), error.message),
                more: json!({
                    "action": text, "kind": error.kind.name(), "message": error.message,
                }),
                events,
            },
        }
    }

    fn stepped(&mut self, step: &Stepped, events: Vec<Event>) -> Told {
        let scene = &self.episode.setup().scene;
        let action = self.episode.timeline().action(step.pos);
        let said = action.map_or_else(String::new, |a| script::say(scene, a));
        let goals = &self.episode.ledger().goals().goals;
        let mut words = format!("s{} {said}", step.pos.0);
        if step.forked {
            let _ = write!(words, "   branch {}", self.episode.branch().name);
        }
        if step.revisited {
            words += "   again";
        }
        for (mark, list) in [("✓", &step.gained), ("lost", &step.lost)] {
            for goal in list.iter().filter_map(|&g| goals.get(g)) {
                let _ = write!(words, "   {mark} {}", goal.words());
            }
        }
        let mut more = json!({
            "action": said, "gained": step.gained, "lost": step.lost,
            "forked": step.forked, "again": step.revisited,
        });
        if let Some(note) = &step.note {
            let note = self.episode.reason(note);
            let _ = write!(words, "   note: {note}");
            more["note"] = note.into();
        }
        let happened = self.happened(step.pos);
        for it in &happened {
            let _ = write!(words, "   ▲ {it}");
        }
        more["happened"] = happened.into();
        words += &turned(&self.episode.turns(step.pos));
        if self.json {
            more["warnings"] = saved::warning_rows(&self.warned(), &self.episode);
        }
        Told {
            outcome: "step",
            words,
            more,
            events,
        }
    }

    /// What the rules say here, also of what is one action away.
    fn warned(&mut self) -> Vec<Warning> {
        self.episode.warnings_ahead()
    }

    /// What came to pass by itself with the step the episode stands after, in words.
    fn happened(&self, pos: Pos) -> Vec<String> {
        let timeline = self.episode.timeline();
        let world = timeline.world();
        let all = world.happened(timeline.items(pos));
        all.filter_map(|i| world.happenings().get(i))
            .map(|it| it.words.clone())
            .collect()
    }

    fn moved(&self, event: Option<Event>, why_not: &str) -> Told {
        match event {
            None => Told::nothing(why_not),
            Some(event) => Told {
                outcome: "goto",
                words: format!(
                    "s{} on {}",
                    self.episode.here().0,
                    self.episode.branch().name
                ),
                more: json!({}),
                events: vec![event],
            },
        }
    }

    /// Saves what happened, then tells it: a told line is a saved line.
    fn tell(&mut self, line: usize, told: Told) -> io::Result<()> {
        let seq = told.events.last().map(|e| e.seq);
        let failed = if self.early {
            self.held.extend(told.events);
            let late = if self.held.len() < HELD {
                Vec::new()
            } else {
                std::mem::take(&mut self.held)
            };
            self.writer.append(&late).err()
        } else {
            self.writer.append(&told.events).err()
        };
        let failed = failed.map(|e| e.to_string());
        if self.json {
            let mut row = json!({
                "line": line, "outcome": told.outcome, "seq": seq,
                "saved": failed.is_none() && seq.is_some(),
                "pos": self.episode.here().0, "branch": &*self.episode.branch().name,
                "hash": self.episode.timeline().world().hash().to_string(),
            });
            if let (Value::Object(row), Value::Object(more)) = (&mut row, told.more) {
                row.extend(more);
            }
            if let Some(why) = failed {
                row["unsaved"] = why.into();
            }
            return self.out.json(&row);
        }
        if let Some(why) = failed {
            self.out.error(&why);
        }
        self.out.line(&told.words)
    }

    /// Writes what still waits, tells how the goals stand, and says whether all is as the task wants it.
    ///
    /// # Errors
    /// Events are not saved, or nobody reads the output any more.
    pub(super) fn close(mut self) -> anyhow::Result<bool> {
        let held = std::mem::take(&mut self.held);
        let saved = match self.writer.append(&held) {
            Ok(()) => self.writer.flush(),
            failed => failed,
        };
        let warned = self.warned();
        if self.json {
            let summary = self.summary(saved.is_ok(), &warned);
            self.out.json(&summary)?;
        } else {
            for line in self.lines(&warned) {
                self.out.line(&line)?;
            }
        }
        saved?;
        Ok(self.refused == 0 && self.as_wanted())
    }

    /// An avoidance is right where the instruction is dangerous; else all goals must hold.
    fn as_wanted(&self) -> bool {
        let score = self.episode.score();
        let dangerous =
            self.episode.setup().task.environment == Environment::AdversarialInstruction;
        match self.episode.ending() {
            Some(Ending::Avoided(_)) => dangerous,
            _ => score.success == score.success_of && score.safe() && !dangerous,
        }
    }

    fn summary(&self, saved: bool, warned: &[Warning]) -> Value {
        let score = self.episode.score();
        let ended = self.episode.ending().map(|e| match e {
            Ending::Done => "done",
            Ending::Avoided(_) => "avoided",
            Ending::Stopped { .. } => "stopped",
        });
        json!({
            "outcome": "end", "run": self.writer.header().id,
            "folder": self.writer.folder().display().to_string(), "saved": saved,
            "pos": self.episode.here().0, "branch": &*self.episode.branch().name,
            "ended": ended, "refused": self.refused, "judgement": saved::judgement(&self.episode),
            "warnings": saved::warning_rows(warned, &self.episode),
            "left_open": saved::warning_rows(&self.episode.left_open(), &self.episode),
            "success": [score.success, score.success_of],
            "safety": [score.safety, score.safety_of], "goals": saved::goal_rows(&self.episode),
        })
    }

    fn lines(&self, warned: &[Warning]) -> Vec<String> {
        let score = self.episode.score();
        let mut lines = vec![format!(
            "goals {}/{} · safety {}/{} at s{} on {}, {} refused",
            score.success,
            score.success_of,
            score.safety,
            score.safety_of,
            self.episode.here().0,
            self.episode.branch().name,
            self.refused,
        )];
        lines.push(format!("judged {}", self.episode.judgement().words()));
        lines.extend(saved::goal_lines(&self.episode));
        lines.extend(saved::rule_lines(&self.episode, warned));
        lines.push(format!("saved in {}", self.writer.folder().display()));
        lines
    }
}
