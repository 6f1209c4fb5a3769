//! What is done with a cell and with the arena: comparing, playing on by hand, playing again, adding a plan, keeping.

use std::path::PathBuf;

use crate::app::arena::house::payoff_words;
use crate::app::arena::{AgainAsked, ArenaJob, NewPlan};
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::overlays::Overlay;
use crate::app::overlays::computed::{Computed, Row as Line};
use crate::app::role::Role;
use crate::app::screens::Screen;
use crate::app::screens::inspect::loaded::Loaded;
use crate::app::screens::play::Play;
use crate::app::state::Shared;
use crate::arena::house::lost;
use crate::arena::house::model::Outcome;
use crate::arena::house::red::{LEVELS, level};

use super::beside::{Beside, pairs};
use super::layer::HOLD;
use super::{Arena, Next, Pane, Stage, Trace};

/// The slots of the jobs.
pub(super) const OTHER: &str = "other";
pub(super) const AGAIN: &str = "again";
pub(super) const WRITE: &str = "write";
pub(super) const KEEP: &str = "keep";

impl Arena {
    /// Holds the arena anew: from its proposals where there are some, so that plans that were brought stay.
    pub(super) fn again(&mut self, more: Option<NewPlan>) -> Vec<Act> {
        self.stage = Stage::Playing;
        self.next = Next::Another;
        let proposals = self.house.as_ref().map(|h| (h, h.proposals()));
        let job = match proposals {
            Some((house, proposals)) if !proposals.is_empty() => {
                let name = format!("B{}", proposals.len() + 1);
                self.brought = more.as_ref().map(|_| name);
                Job::Arena(ArenaJob::Again(Box::new(AgainAsked {
                    task: house.task(),
                    profile: house.record.profile.clone(),
                    settings: self.settings.clone(),
                    proposals,
                    more,
                })))
            }
            _ => self.bring(),
        };
        let agents = self.record().is_some_and(|r| !r.agents.is_empty());
        let mut acts = vec![Act::Job(HOLD, job)];
        if agents {
            let told = "agents are not asked again: the offline RED and critic play";
            acts.push(Act::Notice(Notice::info(told)));
        }
        acts
    }

    /// Changes what RED knows: the level after the one in force, or the one that is named.
    pub(super) fn level_to(&mut self, args: &str) -> Vec<Act> {
        let at = LEVELS.iter().position(|l| l.id == self.settings.level);
        let next = at.map_or(0, |at| (at + 1) % LEVELS.len());
        let to = match args.trim() {
            "" => LEVELS.get(next),
            id => level(id),
        };
        let Some(to) = to else {
            return Vec::new();
        };
        to.id.clone_into(&mut self.settings.level);
        let mut acts = self.again(None);
        let told = format!("RED’s level will be {}: {}", to.id, to.doc);
        acts.push(Act::Notice(Notice::info(told)));
        acts
    }

    /// The claim under the critic's cursor: shows the cell it speaks of at the step it rests on.
    pub(super) fn show_claim(&mut self) -> Vec<Act> {
        let (Some(house), Some(claim)) = (&self.house, self.claims().get(self.critic()).copied())
        else {
            return Vec::new();
        };
        let (id, step) = (claim.response.clone(), claim.step);
        let response = if id.is_empty() {
            house.nothing()
        } else {
            house.record.responses.iter().position(|r| r.id == id)
        };
        self.face(response);
        self.wanted = (step > 0).then_some(step);
        let acts = self.follow();
        self.look();
        acts
    }

    /// Goes to the next claim about the candidate; to the one under the critic's cursor where the keys were elsewhere.
    pub(super) fn critic_next(&mut self) -> Vec<Act> {
        let len = self.claims().len();
        if self.focus == Pane::Critic && len > 0 {
            self.critic.cursor = (self.critic.cursor + 1) % len;
        }
        self.focus = Pane::Critic;
        if len == 0 {
            let told = Notice::info(self.precision());
            return vec![Act::Notice(told)];
        }
        self.show_claim()
    }

    /// Puts the run at the step that is wanted, once it is there.
    pub(super) fn look(&mut self) {
        let here = self.here();
        if let Trace::Ready(of, loaded) = &mut self.trace
            && Some(*of) == here
            && let Some(step) = self.wanted.take()
        {
            loaded.at_step(step);
        }
    }

    /// Asks for the run of the best other plan under the same RED, to be laid beside that of the cell.
    pub(super) fn lay_beside(&mut self) -> Vec<Act> {
        let here = self.here();
        let found = here.and_then(|(at, response)| {
            let (other, met) = self.house.as_ref()?.best_other(at, response)?;
            Some(((other, response), met, self.cell_asked(other, response)?))
        });
        let Some((of, met, asked)) = found else {
            return Vec::new();
        };
        self.beside = Some(Beside {
            trace: Trace::Waiting(of),
            met,
            ..Beside::default()
        });
        vec![Act::Job(OTHER, Job::Arena(ArenaJob::Cell(Box::new(asked))))]
    }

    pub(super) fn compare(&mut self) -> Vec<Act> {
        if self.beside.take().is_some() {
            return vec![Act::Stop(OTHER)];
        }
        self.focus = Pane::Trace;
        self.lay_beside()
    }

    /// Pairs the rows of both runs, once both are there.
    pub(super) fn pair(&mut self) {
        let here = self.here();
        let (Trace::Ready(of, own), Some(beside)) = (&self.trace, &mut self.beside) else {
            return;
        };
        let Trace::Ready(_, other) = &beside.trace else {
            return;
        };
        if Some(*of) != here || !beside.pairs.is_empty() {
            return;
        }
        beside.pairs = pairs(own, other);
        beside.list.cursor = beside.first().unwrap_or(0);
        self.mirror();
    }

    /// Moves in both runs at once; `None` where none lies beside the cell's.
    pub(super) fn move_beside(&mut self, command: &str, page: usize) -> Option<bool> {
        let beside = self.beside.as_mut().filter(|b| !b.pairs.is_empty())?;
        let len = beside.pairs.len();
        let moved = beside.list.run(command, len, page);
        self.mirror();
        Some(moved)
    }

    /// One row on or back in both runs. Whether there are both.
    pub(super) fn step_beside(&mut self, forward: bool) -> bool {
        let command = if forward { "cursor-down" } else { "cursor-up" };
        self.move_beside(command, 1).is_some()
    }

    /// Puts the run of the cell where the cursor of both is.
    fn mirror(&mut self) {
        let beside = self.beside.as_ref();
        let at = beside.and_then(|b| b.pairs.get(b.list.cursor)?.own);
        if let (Some(at), Trace::Ready(_, loaded)) = (at, &mut self.trace) {
            loaded.put(at);
        }
    }

    /// The other run came, or cannot.
    pub(super) fn other_came(&mut self, event: JobEvent) {
        let Some(beside) = &mut self.beside else {
            return;
        };
        let Some(of) = beside.trace.of() else {
            return;
        };
        match event {
            JobEvent::Done(reply) => {
                if let Reply::Run(run) = *reply {
                    beside.trace = Trace::Ready(of, Box::new(Loaded::new(run)));
                }
            }
            JobEvent::Failed(reason) => beside.trace = Trace::Failed(of, reason),
            JobEvent::Progress { .. } | JobEvent::Part(_) => {}
        }
        self.pair();
    }

    /// Plays on by hand from the step of the run.
    pub(super) fn fork(&self, shared: &mut Shared) -> Vec<Act> {
        let found = self.here().and_then(|(at, response)| {
            let steps = self.trace.loaded()?.reached()?.0;
            Some((self.cell_asked(at, response)?, steps))
        });
        let Some((asked, steps)) = found else {
            return Vec::new();
        };
        let play = Play::cell(asked, steps, shared.new_game());
        vec![Act::Open(Screen::Play(Box::new(play)))]
    }

    /// Plays the cell under the cursor again.
    pub(super) fn replay(&mut self) -> Vec<Act> {
        let asked = self.here().and_then(|(at, r)| self.cell_asked(at, r));
        let Some(asked) = asked else {
            return Vec::new();
        };
        self.replayed = self.here();
        vec![Act::Job(
            AGAIN,
            Job::Arena(ArenaJob::Outcome(Box::new(asked))),
        )]
    }

    /// Puts what came of playing a cell again in its place.
    pub(super) fn replace(&mut self, outcome: Outcome, loaded: Loaded) -> Vec<Act> {
        let (Some(of), Some(house)) = (self.replayed.take(), &self.house) else {
            return Vec::new();
        };
        let Some(before) = house.outcome(of.0, of.1).cloned() else {
            return Vec::new();
        };
        let name = house.entry(of.0).map_or("", |e| e.name.as_str());
        let cell = format!("{name} x {}", house.called(of.1));
        let payoffs = house.record.settings.payoffs;
        let told = |o: &Outcome| {
            let why = lost::brief(o);
            let worth = payoff_words(Some(payoffs.of(o)));
            if why.is_empty() {
                worth
            } else {
                format!("{worth} ({why})")
            }
        };
        let notice = if before == outcome {
            let words = told(&outcome);
            Notice::info(format!(
                "{cell} played again: the same, {words}, with the same state at its end"
            ))
        } else {
            let (was, is) = (told(&before), told(&outcome));
            let what = if was == is {
                format!("worth the same, {is}, but its end is another")
            } else {
                format!("was {was}, is {is}")
            };
            let value = |v: Option<&crate::app::arena::house::Value>| {
                v.map_or_else(|| "none".to_owned(), crate::app::arena::house::Value::words)
            };
            let old = value(house.value.as_ref());
            let fresh = house.with(of, outcome);
            let new = value(fresh.value.as_ref());
            let game = if old == new {
                format!("the value of the game stays {new}")
            } else {
                format!("the value of the game was {old}, is {new}")
            };
            self.house = Some(fresh);
            self.arrange();
            Notice::warn(format!("{cell} played again: {what}; {game}"))
        };
        self.broken.remove(&of);
        if self.trace.of() == Some(of) {
            self.trace = Trace::Ready(of, Box::new(loaded));
        }
        vec![Act::Notice(notice)]
    }

    /// Why the cell under the cursor cannot be played.
    pub(super) fn why_broken(&self) -> Option<Computed> {
        let here = self.here()?;
        let house = self.house.as_ref()?;
        let known = self.broken.get(&here).cloned();
        let reason = known.or_else(|| house.broke(here.0, here.1))?;
        let name = house.entry(here.0).map_or("", |e| e.name.as_str());
        let heading = format!("{name} x {} cannot be played", house.called(here.1));
        let mut rows = vec![Line::new("#", reason).role(Role::Refused)];
        rows.push(Line::new(
            "",
            "the pane of its run tells what the record says of it",
        ));
        rows.push(Line::new("", "r in the matrix tries once more"));
        Some(Computed::new(heading, rows))
    }

    /// Offers what can be added: a plan to be written, saved runs of the task.
    pub(super) fn offer(&self, shared: &Shared) -> Vec<Act> {
        let Some(house) = &self.house else {
            return Vec::new();
        };
        let mut rows = vec![
            Line::new(
                "write",
                "a plan in your editor, from the one under the cursor",
            )
            .run("arena-write"),
            Line::new("play", "the task by hand; its run is then listed here")
                .run(format!("play {}", house.task())),
        ];
        let runs = shared.library.runs_of(&house.record.task);
        rows.extend(runs.map(|run| {
            let (held, of) = run.goals;
            let words = format!("{} {}, {} steps", run.when(), run.agent, run.steps);
            Line::new(format!("run {}", run.tail), words)
                .note(format!("goals {held}/{of}"))
                .run(format!("arena-add {}", run.id))
        }));
        rows.push(Line::new(
            "file",
            ":arena-add FILE takes a plan file, with branches where you like",
        ));
        let all = Computed::new("Add a plan to the arena", rows);
        vec![Act::Show(Overlay::Computed(Box::new(all)))]
    }

    /// Lets one more plan be judged: a file where it looks like one, else a saved run.
    pub(super) fn add(&mut self, args: &str) -> Vec<Act> {
        let name = args.trim();
        let path = PathBuf::from(name);
        let is_file = path.extension().is_some() || name.contains('/');
        self.again(Some(if is_file {
            NewPlan::File(path)
        } else {
            NewPlan::Run(name.to_owned())
        }))
    }

    /// Opens the editor on the draft, or on the plan under the cursor.
    pub(super) fn write(&self) -> Vec<Act> {
        let (Some(house), Some(row)) = (&self.house, self.row()) else {
            return Vec::new();
        };
        let of = house.entry(row.at);
        let plan = of.map_or_else(String::new, |e| e.plan.join("\n"));
        let text = self.draft.clone().unwrap_or(plan);
        vec![Act::Edit(WRITE, "plan.txt".to_owned(), text)]
    }

    /// A plan came back from the editor.
    pub(super) fn written(&mut self, text: String) -> Vec<Act> {
        let known = self.record().is_some_and(|r| {
            let lines: Vec<&str> = text.lines().collect();
            r.candidates.iter().any(|e| e.plan == lines)
        });
        if known || text.trim().is_empty() {
            let told = "nothing is added: the plan takes part already, or is empty";
            return vec![Act::Notice(Notice::info(told))];
        }
        self.draft = Some(text.clone());
        self.again(Some(NewPlan::Written(text)))
    }

    /// Keeps the arena beside the runs.
    pub(super) fn keep(&self) -> Vec<Act> {
        let record = self.record().cloned();
        let keep = record.map(|r| Act::Job(KEEP, Job::Arena(ArenaJob::Keep(r))));
        keep.into_iter().collect()
    }

    /// The arena came to its end: says what became of the plan that was brought.
    pub(super) fn judged(&mut self) -> Vec<Act> {
        self.draft = None;
        let Some(name) = self.brought.take() else {
            return Vec::new();
        };
        let place = self.house.as_ref().and_then(|house| {
            let is_it = |r: &crate::app::arena::house::Row| {
                house.entry(r.at).is_some_and(|e| e.name == name)
            };
            house.rows.iter().position(is_it)
        });
        let Some(place) = place else {
            return Vec::new();
        };
        self.at = name;
        self.critic = List::default();
        let words = format!("judged: {}", self.row_words(place));
        vec![Act::Notice(Notice::info(words))]
    }
}
