//! Walking through the run: undo, redo, go to, next and previous of a kind, the reference plan.

use crate::app::commands::Availability;
use crate::app::layer::Act;
use crate::app::parts::rail::way;
use crate::formats::run::NoteBody;
use crate::sim::timeline::Pos;

use super::game::Game;
use super::run::HAS_ENDED;

/// Kinds of steps one can walk to.
const KINDS: [&str; 6] = ["violation", "warning", "goal", "refusal", "branch", "note"];

impl Game {
    /// Whether a move can be made.
    pub(super) fn when_move(&self, command: &str, args: &str) -> Availability {
        let timeline = self.episode.timeline();
        let here = self.episode.here();
        match command {
            "undo" | "step-previous" => {
                let ended = command == "undo" && self.has_ended();
                let back = ended || timeline.parent(here).is_some();
                Availability::when(back, "this is the start")
            }
            "redo" => Availability::when(timeline.next().is_some(), "no step was taken back here"),
            "step-next" if timeline.next().is_none() && self.has_ended() => {
                Availability::blocked(HAS_ENDED)
            }
            "step-next" => Availability::when(
                timeline.next().is_some() || !self.ghosts().is_empty(),
                "no step follows: o shows the reference plan",
            ),
            "goto" => match step_number(args) {
                Some(pos) => Availability::when(
                    timeline.exists(pos),
                    &format!(
                        "there is no such step: the last one is s{}",
                        timeline.len() - 1
                    ),
                ),
                None if args.is_empty() => Availability::blocked("write the step: goto 4"),
                None => Availability::blocked("a step is a number: goto 4"),
            },
            "next" | "previous" => {
                if !args.is_empty() && !KINDS.contains(&args) {
                    return Availability::blocked(format!("write one of {}", KINDS.join(", ")));
                }
                let found = self.walk_to(command == "next", args).is_some();
                Availability::when(found, "there is none that way")
            }
            _ => Availability::Ready,
        }
    }

    /// Makes a move; `None` if the command is none.
    pub(super) fn run_move(&mut self, command: &str, args: &str) -> Option<Vec<Act>> {
        let here = self.episode.here();
        let did = self.episode.timeline().action(here);
        let (event, keep) = match command {
            "undo" if self.has_ended() => (self.episode.undo(), None),
            "undo" => (self.episode.undo(), did),
            "redo" => (self.episode.redo(), None),
            "step-previous" => {
                let to = self.episode.timeline().parent(here);
                (to.and_then(|pos| self.episode.goto(pos)), did)
            }
            "step-next" => {
                let Some(pos) = self.episode.timeline().next() else {
                    let next = self.ghosts().first().copied();
                    return Some(next.map_or_else(Vec::new, |action| self.act(action)));
                };
                (self.episode.goto(pos), None)
            }
            "goto" => {
                let to = step_number(args);
                (to.and_then(|pos| self.episode.goto(pos)), None)
            }
            "next" | "previous" => {
                let to = self.walk_to(command == "next", args);
                (to.and_then(|pos| self.episode.goto(pos)), None)
            }
            _ => return None,
        };
        Some(self.went(event, keep))
    }

    /// The next step of a kind on the way, either way; of any kind where none is named.
    fn walk_to(&self, forward: bool, kind: &str) -> Option<Pos> {
        let way = way(&self.episode, self.episode.here());
        let now = way.iter().position(|&pos| pos == self.episode.here())?;
        let (before, after) = way.split_at(now);
        let is_one = |pos: &&Pos| {
            KINDS
                .iter()
                .any(|k| (kind.is_empty() || *k == kind) && self.is_kind(**pos, k))
        };
        if forward {
            after.iter().skip(1).find(is_one).copied()
        } else {
            before.iter().rev().find(is_one).copied()
        }
    }

    fn is_kind(&self, pos: Pos, kind: &str) -> bool {
        let timeline = self.episode.timeline();
        let mark = self.warnings.trail.mark(pos);
        match kind {
            "violation" => mark.is_some_and(|mark| !mark.broke.is_empty()),
            "warning" => mark.is_some_and(|mark| !mark.warned.is_empty()),
            "goal" => timeline.parent(pos).is_some_and(|up| {
                let (gained, lost) = self.episode.moved(up, pos);
                !gained.is_empty() || !lost.is_empty()
            }),
            "refusal" => self.episode.attempts().iter().any(|a| a.at == pos),
            "branch" => timeline.children(pos).len() > 1,
            _ => self.notes.iter().any(|note| {
                let at = match &note.body {
                    NoteBody::Verdict(v) => v.witness.as_ref().map(|w| w.at),
                    NoteBody::Comment { at, .. } => *at,
                    NoteBody::Label(label) => label.cause.or(label.first),
                    NoteBody::Other(_) => None,
                };
                at.is_some() && at == self.episode.seq(pos)
            }),
        }
    }
}

/// `4` or `s4`.
pub(super) fn step_number(text: &str) -> Option<Pos> {
    let text = text.trim();
    text.strip_prefix('s').unwrap_or(text).parse().ok().map(Pos)
}
