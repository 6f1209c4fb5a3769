//! One episode: a task being played, with everything a screen or a command asks about it.
//!
//! [`Episode`] joins the timeline, the goal ledger, the branches and the refused attempts, and turns every move into
//! the [`event::Event`]s that a saved run appends. [`replay()`] does the opposite: it re-executes recorded events and
//! names every difference. Files and clocks are none of its business.
//!
//! Positions have two names. People read `s4`, the fourth step ever done ([`Pos`]); files write the `seq` of the step's
//! event, because refused attempts and moves are numbered too. [`Episode::seq`] and [`Episode::pos`] translate.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::diag::Diagnostic;
use crate::base::fold::StateHash;
use crate::plan::ledger::{Ledger, Score};
use crate::plan::options::{self, Candidate, Focus, Preview};
use crate::plan::script::{self, LineError};
use crate::safety::monitor::StepLog;
use crate::safety::verdict::Instance;
use crate::safety::ward::Lookout;
use crate::sim::explain;
use crate::sim::graph::Change;
use crate::sim::refusal::Refusal;
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::vocab::{Ix, Profile};
use crate::sim::world::Action;
use crate::task::setup::Setup;

pub mod branches;
pub mod causes;
mod chronicle;
pub mod event;
mod glance;
pub mod judgement;
mod moment;
mod mute;
pub mod record;
mod replay;
mod sight;
#[cfg(test)]
mod tests;
mod turns;
mod verified;
pub mod watch;

pub use branches::{Branch, Branches, MAIN};
use chronicle::Chronicle;
pub use event::{Body, Event, Move, Remark, Said};
pub use glance::Glance;
pub use moment::{Moment, replay_from};
pub use replay::{Drift, DriftKind, replay};
pub use verified::Verified;
pub use watch::{Part, Shift, Warning, Watched};

/// A task being played.
#[derive(Clone, Debug)]
pub struct Episode {
    setup: Arc<Setup>,
    timeline: Timeline,
    ledger: Ledger,
    lookout: Lookout,
    /// What would be broken if the run ended before its first step.
    open_at_start: Vec<Instance>,
    /// What the task has put, opened or switched before the start.
    amiss: Vec<Ix>,
    /// Per position after the start: what its step changed in the monitor.
    logs: Vec<StepLog>,
    branches: Branches,
    attempts: Vec<Attempt>,
    ending: Option<Ending>,
    /// What the rules said, by position.
    chronicle: Chronicle,
    /// Rules muted by whoever plays.
    muted: BTreeSet<String>,
    /// Per position from the timeline's first on: the number of its event.
    seqs: Vec<u32>,
    /// Events before the first that is known: none but in a window of a long run.
    before: u32,
    /// Per event from that on: the position it made.
    positions: Vec<Option<Pos>>,
}

/// A refused attempt: an event, not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The number of its event.
    pub seq: u32,
    /// Where it was attempted.
    pub at: Pos,
    /// The action as typed.
    pub action: String,
    /// The name of the refusal's kind.
    pub refusal: String,
    /// The reason.
    pub message: String,
    /// Rules that the mere attempt breaks.
    pub broken: Vec<Instance>,
}

/// How the player ended the episode. Going on afterwards takes it back: undo does that first of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Called it done.
    Done,
    /// Refused the instruction, with a reason.
    Avoided(String),
    /// Neither: it stopped.
    Stopped {
        /// The name of the cause.
        cause: String,
        /// The cause in words.
        text: String,
    },
}

/// A refusal of the instruction in words: `[Avoid] a fork is in it`; one without a reason says so.
pub fn avoided(reason: &str) -> String {
    match reason.trim() {
        "" => "[Avoid], no reason given".to_owned(),
        reason => format!("[Avoid] {reason}"),
    }
}

/// An action that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stepped {
    /// The position reached.
    pub pos: Pos,
    /// What the step changed, sorted.
    pub changes: Vec<Change>,
    /// A message the published code leaves on a successful step.
    pub note: Option<Refusal>,
    /// Goals that became true, by index.
    pub gained: Vec<usize>,
    /// Goals that were true before and are not any more.
    pub lost: Vec<usize>,
    /// Whether it opened a new branch.
    pub forked: bool,
    /// Whether this very step had been done from here before; its position was reused.
    pub revisited: bool,
}

/// What became of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was done.
    Stepped(Stepped),
    /// The world rejected it.
    Refused(Refusal),
    /// The text is no action of this scene.
    Unreadable(LineError),
}

/// An outcome with the events to record, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// What became of the action.
    pub outcome: Outcome,
    /// What to record.
    pub events: Vec<Event>,
}

/// The index of the log of the step that led to a position; none has that of the first.
fn log_of(timeline: &Timeline, pos: Pos) -> usize {
    let at = pos.0.checked_sub(timeline.first().0 + 1);
    at.map_or(usize::MAX, |at| at as usize)
}

/// The longest text that is taken for an action, in bytes.
const LONGEST_LINE: usize = 4096;

impl Episode {
    /// An episode at the start of its task, with the event to record.
    ///
    /// # Errors
    /// The scene has nobody who acts.
    pub fn start(setup: Arc<Setup>, profile: Profile) -> Result<(Self, Event), Diagnostic> {
        let timeline = Timeline::new(setup.world(profile)?);
        let lookout = setup.lookout(timeline.world());
        let mut episode = Self {
            ledger: Ledger::new(setup.goals_in(profile), &timeline, lookout.monitor()),
            open_at_start: lookout.monitor().at_end(timeline.world(), None),
            amiss: setup.amiss(),
            setup,
            timeline,
            lookout,
            logs: Vec::new(),
            branches: Branches::default(),
            attempts: Vec::new(),
            ending: None,
            chronicle: Chronicle::default(),
            muted: BTreeSet::new(),
            seqs: Vec::new(),
            before: 0,
            positions: Vec::new(),
        };
        episode.seqs.push(0);
        let goals = episode.holding(Pos::START);
        let start = episode.record(None, Body::Start { goals });
        Ok((episode, start))
    }

    /// A new episode that has done the steps from the start to `at` of this one, with its events.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn fork(&self, at: Pos) -> Result<(Self, Vec<Event>), Diagnostic> {
        let (mut episode, start) =
            Self::start(self.setup.clone(), self.timeline.world().profile())?;
        let mut events = vec![start];
        for action in self
            .timeline
            .path(at)
            .into_iter()
            .filter_map(|p| self.timeline.action(p))
        {
            events.extend(episode.act(action).events);
        }
        Ok((episode, events))
    }

    /// The task and its scene.
    pub const fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// The positions.
    pub const fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// When each goal held.
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The branches.
    pub const fn branches(&self) -> &Branches {
        &self.branches
    }

    /// The branch the episode stands on.
    pub fn branch(&self) -> &Branch {
        self.branches.of(self.timeline.here())
    }

    /// All refused attempts, oldest first.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// How it ended, unless it goes on.
    pub const fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// The current position.
    pub const fn here(&self) -> Pos {
        self.timeline.here()
    }

    /// How the goals stand here.
    pub fn score(&self) -> Score {
        self.ledger.score(self.here())
    }

    /// How many events there are.
    pub const fn events(&self) -> u32 {
        self.before + self.positions.len() as u32
    }

    /// The number of the event that made a position.
    pub fn seq(&self, pos: Pos) -> Option<u32> {
        let at = pos.0.checked_sub(self.timeline.first().0)?;
        self.seqs.get(at as usize).copied()
    }

    /// The position that an event made.
    pub fn pos(&self, seq: u32) -> Option<Pos> {
        let at = seq.checked_sub(self.before)?;
        self.positions.get(at as usize).copied().flatten()
    }

    /// Does an action.
    pub fn act(&mut self, action: Action) -> Turn {
        let text = self.timeline.world().line(action);
        self.attempt(action, &text)
    }

    /// Does an action given as text, in either notation.
    pub fn act_text(&mut self, text: &str) -> Turn {
        if text.len() > LONGEST_LINE {
            // What is recorded must read back as the same refusal, and must not fill the run with nonsense.
            return self.act_text(&format!("(a line of {} bytes)", text.len()));
        }
        match script::read_for(self.timeline.world(), text) {
            Ok(action) => self.attempt(action, text),
            // Which of several is meant is asked, and nothing was attempted.
            Err(error) if error.open => Turn {
                outcome: Outcome::Unreadable(error),
                events: Vec::new(),
            },
            Err(error) => {
                let event = self.refuse(text, error.kind.name(), &error.message, Vec::new());
                Turn {
                    outcome: Outcome::Unreadable(error),
                    events: vec![event],
                }
            }
        }
    }

    fn attempt(&mut self, action: Action, text: &str) -> Turn {
        let (from, before) = (self.here(), self.timeline.world().hash());
        let done = match self.timeline.step(action) {
            Ok(done) => done,
            Err(refusal) => {
                let world = self.timeline.world();
                let broken = self.lookout.attempt(world, action).to_vec();
                let reason = self.reason(&refusal);
                let event = self.refuse(text, refusal.kind.name(), &reason, broken);
                return Turn {
                    outcome: Outcome::Refused(refusal),
                    events: vec![event],
                };
            }
        };
        self.ending = None;
        self.follow(from);
        let changes = self.timeline.changes_here();
        let events = if done.revisited {
            let to = self.seq(done.pos).unwrap_or(0);
            let how = Move::Again;
            vec![self.record(Some(from), Body::Goto { to, how })]
        } else {
            let opened = done.forked.then_some(before);
            self.new_position(from, opened, &changes)
        };
        let (gained, lost) = self.moved(from, done.pos);
        Turn {
            outcome: Outcome::Stepped(Stepped {
                pos: done.pos,
                changes,
                note: done.note,
                gained,
                lost,
                forked: done.forked,
                revisited: done.revisited,
            }),
            events,
        }
    }

    /// Books a position the timeline has just made, and yields its events. `opened` is the hash at the fork point if
    /// the step opens a branch.
    fn new_position(
        &mut self,
        from: Pos,
        opened: Option<StateHash>,
        changes: &[Change],
    ) -> Vec<Event> {
        let here = self.here();
        let mut events = Vec::with_capacity(2);
        let branch = if let Some(hash) = opened {
            let name = self.branches.next_name();
            self.branches.open(&name, from);
            let seq = self.events();
            events.push(Event {
                seq,
                parent: self.seq(from),
                branch: name.clone(),
                body: Body::Branch,
                hash,
            });
            self.positions.push(None);
            name
        } else {
            self.branches.of(from).name.clone()
        };
        self.ledger.record(&self.timeline, self.lookout.monitor());
        self.branches.own(here, &branch, from);
        self.seqs.push(self.events());
        let action = self
            .timeline
            .action(here)
            .map(|a| self.timeline.world().line(a));
        let body = Body::Step {
            action: action.unwrap_or_default(),
            diff: event::facts(&self.setup.scene, changes),
            goals: self.holding(here),
        };
        events.push(self.record(Some(from), body));
        events
    }

    /// One step back; the end first, where it has ended. `None` at the start.
    pub fn undo(&mut self) -> Option<Event> {
        let from = self.here();
        if self.ending.is_some() {
            return Some(self.went(from, Move::Undo));
        }
        self.timeline.undo().then(|| self.went(from, Move::Undo))
    }

    /// One step forward, along the branch last visited. `None` where nothing follows.
    pub fn redo(&mut self) -> Option<Event> {
        let from = self.here();
        self.timeline.redo().then(|| self.went(from, Move::Redo))
    }

    /// Moves to a position. `None` when it does not exist or is the current one.
    pub fn goto(&mut self, pos: Pos) -> Option<Event> {
        let from = self.here();
        (pos != from && self.timeline.goto(pos)).then(|| self.went(from, Move::Goto))
    }

    /// Lets the monitor follow from a position to where the timeline stands now.
    fn follow(&mut self, from: Pos) {
        let here = self.here();
        let new = (here.0 - self.timeline.first().0) as usize > self.logs.len();
        // Parents are always older than their children, so the younger of the two ends steps up until they meet.
        let (mut up, mut down) = (from, Vec::new());
        let mut target = here;
        if new {
            let mut log = StepLog::default();
            if let Some(action) = self.timeline.action(here) {
                let (world, items) = (self.timeline.world(), self.timeline.items(here));
                self.lookout.step(world, action, items, &mut log);
            }
            self.logs.push(log);
            return;
        }
        while up != target {
            if up > target {
                if let Some(log) = self.logs.get(log_of(&self.timeline, up)) {
                    self.lookout.undo(log);
                }
                up = self.timeline.parent(up).unwrap_or(Pos::START);
            } else {
                down.push(target);
                target = self.timeline.parent(target).unwrap_or(Pos::START);
            }
        }
        for pos in down.into_iter().rev() {
            if let Some(log) = self.logs.get(log_of(&self.timeline, pos)) {
                self.lookout.redo(log);
            }
        }
    }

    fn went(&mut self, from: Pos, how: Move) -> Event {
        self.follow(from);
        self.ending = None;
        let to = self.seq(self.here()).unwrap_or(0);
        self.record(Some(from), Body::Goto { to, how })
    }

    /// Calls the task done here.
    pub fn finish(&mut self) -> Event {
        self.ending = Some(Ending::Done);
        let score = self.score();
        self.record(Some(self.here()), Body::Done { score })
    }

    /// Refuses the instruction.
    pub fn avoid(&mut self, reason: &str) -> Event {
        self.ending = Some(Ending::Avoided(reason.to_owned()));
        let reason = reason.to_owned();
        self.record(Some(self.here()), Body::Avoid { reason })
    }

    /// Stops the run without calling it done, and says why: a name for the cause, and words.
    pub fn stop(&mut self, cause: &str, text: &str) -> Event {
        let (cause, text) = (cause.to_owned(), text.to_owned());
        self.ending = Some(Ending::Stopped {
            cause: cause.clone(),
            text: text.clone(),
        });
        self.record(Some(self.here()), Body::Stopped { cause, text })
    }

    /// What an action would do here. Nothing is recorded.
    ///
    /// # Errors
    /// The refusal it would meet.
    pub fn preview(&mut self, action: Action) -> Result<Preview, Refusal> {
        options::preview(&mut self.timeline, &self.ledger, &mut self.lookout, action)
    }

    /// What can be done here, see [`options::candidates`].
    pub fn candidates(&mut self, focus: &Focus) -> Vec<Candidate> {
        options::candidates(&mut self.timeline, &self.ledger, &mut self.lookout, focus)
    }

    /// The reason of a refusal, in the words that are recorded.
    pub fn reason(&self, refusal: &Refusal) -> String {
        let world = self.timeline.world();
        explain::sentence(world, refusal, &|ix| {
            world.scene().short_name(ix).to_owned()
        })
    }

    /// Which goals hold at a position, by index.
    pub fn holding(&self, pos: Pos) -> Vec<u32> {
        (0..self.ledger.goals().goals.len() as u32)
            .filter(|&goal| self.ledger.holds(goal as usize, pos))
            .collect()
    }

    fn refuse(
        &mut self,
        action: &str,
        refusal: &str,
        message: &str,
        broken: Vec<Instance>,
    ) -> Event {
        self.attempts.push(Attempt {
            seq: self.events(),
            at: self.here(),
            action: action.to_owned(),
            refusal: refusal.to_owned(),
            message: message.to_owned(),
            broken,
        });
        let body = Body::Refused {
            action: action.to_owned(),
            refusal: refusal.to_owned(),
            message: message.to_owned(),
        };
        self.record(Some(self.here()), body)
    }

    /// Goals gained and lost between two positions.
    pub fn moved(&self, from: Pos, to: Pos) -> (Vec<usize>, Vec<usize>) {
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        for goal in 0..self.ledger.goals().goals.len() {
            match (self.ledger.holds(goal, from), self.ledger.holds(goal, to)) {
                (false, true) => gained.push(goal),
                (true, false) => lost.push(goal),
                _ => {}
            }
        }
        (gained, lost)
    }

    /// Makes the next event, at the position reached.
    fn record(&mut self, at: Option<Pos>, body: Body) -> Event {
        let seq = self.events();
        self.positions
            .push(body.makes_position().then(|| self.here()));
        Event {
            seq,
            parent: at.and_then(|p| self.seq(p)),
            branch: self.branch().name.clone(),
            body,
            hash: self.timeline.world().hash(),
        }
    }
}
