//! Playing several lines of text at once, as they are pasted: actions in either notation, and the moves of a script.

use crate::app::layer::Act;
use crate::app::notice::Notice;
use crate::app::overlays::Overlay;
use crate::app::overlays::check::{Check, Over};
use crate::app::overlays::patch::Patch;
use crate::app::state::Shared;
use crate::formats::run::Fault;
use crate::formats::task::patch::Edit;
use crate::sim::timeline::Pos;
use crate::sim::world::Action;
use crate::task::episode::{Ending, Event, Outcome};

use super::game::Game;
use super::run::READ_ONLY;

/// Why a line was not played.
enum Stopped {
    /// The world rejected it, or it is no action; it is recorded.
    Refused(String),
    /// It is a move that cannot be made here; there is nothing to record.
    Cannot(String),
}

impl Game {
    /// Plays steps from the start on a branch of their own and goes back to one of them.
    pub(super) fn show_witness(&mut self, steps: &[String], at: usize) -> Vec<Act> {
        let mut acts = Vec::new();
        if let Some(event) = self.episode.goto(Pos::START) {
            acts.extend(self.went(Some(event), None));
        }
        if !steps.is_empty() {
            acts.extend(self.play_lines(&steps.join("\n")));
        }
        let path = self.episode.timeline().path(self.episode.here());
        if let Some(&pos) = path.get(at)
            && let Some(event) = self.episode.goto(pos)
        {
            acts.extend(self.went(Some(event), None));
        }
        acts
    }

    /// `witness s7 open fridge; grab milk`: the steps, and after which of them to look; the last where none is named.
    pub(super) fn run_witness(&mut self, args: &str) -> Vec<Act> {
        let (first, rest) = args.split_once(' ').unwrap_or((args, ""));
        let named = first.strip_prefix('s').and_then(|n| n.parse().ok());
        let lines = if named.is_some() { rest } else { args };
        let steps: Vec<String> = lines
            .split(';')
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect();
        self.show_witness(&steps, named.unwrap_or(steps.len()))
    }

    /// The change to the task file that mends what was annotated, or else what the check found.
    pub(super) fn patch(&self, shared: &Shared) -> Vec<Act> {
        let task = &self.episode.setup().task;
        let name = format!("{}/{}", task.suite, task.id);
        let mut edits = self.edits();
        if edits.is_empty()
            && let Some(report) = shared.library.checks.of(&name)
        {
            for (_, found) in report.findings() {
                for edit in crate::app::checks::edits(found) {
                    if !edits.contains(&edit) {
                        edits.push(edit);
                    }
                }
            }
        }
        if edits.is_empty() {
            let text = "nothing to change: a annotates a goal as wrong, c checks the task";
            return vec![Act::Notice(Notice::info(text))];
        }
        vec![Act::Show(Overlay::Patch(Box::new(Patch::of(&name, edits))))]
    }

    /// Goals annotated as wrong go; steps done after the whole reference plan are added to it.
    fn edits(&self) -> Vec<Edit> {
        let setup = self.episode.setup();
        let (success, safety) = (setup.goals.success, setup.task.safety.len());
        let wrong = self
            .draft
            .faults
            .iter()
            .filter(|(_, fault)| **fault == Fault::Wrong);
        let mut edits: Vec<Edit> = wrong
            .map(|(&goal, _)| match goal.checked_sub(success) {
                None => Edit::Drop("success".to_owned(), goal),
                Some(at) if at < safety => Edit::Drop("safety".to_owned(), at),
                Some(at) => Edit::Drop("never".to_owned(), at - safety),
            })
            .collect();
        let timeline = self.episode.timeline();
        let way = timeline.path(self.episode.here());
        let done: Vec<Action> = way.into_iter().filter_map(|p| timeline.action(p)).collect();
        let plan = &setup.reference;
        if let Some(more) = done
            .strip_prefix(plan.as_slice())
            .filter(|_| !plan.is_empty())
        {
            let line = |&action| timeline.world().line(action);
            let more = more.iter().map(line);
            edits.extend(more.map(|line| Edit::Append("reference".to_owned(), line)));
        }
        edits
    }

    /// The panel that checks the task.
    pub(super) fn check(&self) -> Act {
        let task = &self.episode.setup().task;
        let name = format!("{}/{}", task.suite, task.id);
        let profile = self.episode.timeline().world().profile();
        let check = Check::of(&name, Some(profile), Over::Game);
        Act::Show(Overlay::Check(Box::new(check)))
    }

    /// Plays lines of text in order; stops at the first that is refused and says which.
    pub(super) fn play_lines(&mut self, text: &str) -> Vec<Act> {
        if self.saver.read_only.is_some() {
            return vec![Act::Notice(Notice::info(READ_ONLY))];
        }
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect();
        if let [line] = lines.as_slice()
            && moves(line).is_none()
        {
            return self.act_text(line);
        }
        let before = self.goals.clone();
        let mut events = Vec::new();
        let mut stopped = None;
        for (at, line) in lines.iter().enumerate() {
            if let Err(why) = self.play_line(line, &mut events) {
                stopped = Some((at, why));
                break;
            }
        }
        // Everything is handed over and looked at once, however many lines there were.
        let mut acts = self.saver.add(events);
        self.moved(None);
        acts.extend(self.told(&before));
        if let Some((at, why)) = stopped {
            let line = lines.get(at).copied().unwrap_or_default();
            let (verb, why) = match why {
                Stopped::Refused(why) => ("was refused", why),
                Stopped::Cannot(why) => ("cannot be played", why),
            };
            let left = lines.len() - at - 1;
            let text = format!(
                "line {} of {} {verb}: {line}: {why}; {left} after it not played",
                at + 1,
                lines.len()
            );
            acts.push(Act::Notice(Notice::warn(text)));
        }
        acts
    }

    fn play_line(&mut self, line: &str, events: &mut Vec<Event>) -> Result<(), Stopped> {
        let cannot = |what: &str| Stopped::Cannot(what.to_owned());
        let Some(order) = moves(line) else {
            let turn = self.episode.act_text(line);
            events.extend(turn.events);
            return match turn.outcome {
                Outcome::Stepped(_) => Ok(()),
                Outcome::Refused(refusal) => Err(Stopped::Refused(self.episode.reason(&refusal))),
                Outcome::Unreadable(error) => Err(Stopped::Refused(error.to_string())),
            };
        };
        let event = match order {
            Order::Undo => self
                .episode
                .undo()
                .ok_or_else(|| cannot("this is the start"))?,
            Order::Redo => self
                .episode
                .redo()
                .ok_or_else(|| cannot("no step was taken back here"))?,
            Order::Goto(pos) if pos == self.episode.here() => return Ok(()),
            Order::Goto(pos) => self
                .episode
                .goto(pos)
                .ok_or_else(|| cannot("there is no such step"))?,
            Order::End(Ending::Done) => self.episode.finish(),
            Order::End(Ending::Avoided(why)) if why.is_empty() => {
                return Err(cannot("say why: avoid REASON"));
            }
            Order::End(Ending::Avoided(why)) => self.episode.avoid(&why),
            Order::End(Ending::Stopped { cause, text }) => self.episode.stop(&cause, &text),
        };
        events.push(event);
        Ok(())
    }
}

/// A line that is no action.
enum Order {
    Undo,
    Redo,
    Goto(Pos),
    End(Ending),
}

fn moves(line: &str) -> Option<Order> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    let alone = rest.is_empty();
    Some(match word.to_lowercase().as_str() {
        "undo" if alone => Order::Undo,
        "redo" if alone => Order::Redo,
        "goto" => Order::Goto(super::moves::step_number(rest)?),
        "done" if alone => Order::End(Ending::Done),
        "avoid" => Order::End(Ending::Avoided(rest.to_owned())),
        _ => return None,
    })
}
