//! Re-executing recorded events: the same episode again, or every difference by name.

use std::fmt;
use std::sync::Arc;

use crate::base::diag::Diagnostic;
use crate::base::fold::StateHash;
use crate::plan::script;
use crate::sim::timeline::Pos;
use crate::sim::vocab::Profile;
use crate::task::setup::Setup;

use super::event::{self, Body, Event};
use super::{Attempt, Ending, Episode};

/// A place where a recorded run and its re-execution differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The number of the event.
    pub seq: u32,
    /// The position, where the event made or names one that exists.
    pub pos: Option<Pos>,
    /// What differs.
    pub kind: DriftKind,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriftKind {
    /// The state.
    State {
        /// The recorded hash.
        recorded: StateHash,
        /// The hash the world has now.
        found: StateHash,
        /// Facts the record has and the world lacks.
        only_recorded: Vec<String>,
        /// Facts the world has and the record lacks.
        only_found: Vec<String>,
    },
    /// The goals that hold, by index.
    Goals {
        /// As recorded.
        recorded: Vec<u32>,
        /// As the world has it.
        found: Vec<u32>,
    },
    /// A recorded step is refused now.
    Refused(String),
    /// A recorded refusal is none any more.
    Allowed(String),
    /// A refusal has another kind now: recorded, found.
    OtherKind(String, String),
    /// A recorded action cannot be read against the scene.
    Unreadable(String),
    /// The event speaks of a position that re-execution did not reach.
    Unreached(u32),
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pos {
            Some(pos) => write!(f, "s{} (event {}): ", pos.0, self.seq)?,
            None => write!(f, "event {}: ", self.seq)?,
        }
        match &self.kind {
            DriftKind::State {
                recorded,
                found,
                only_recorded,
                only_found,
            } => {
                if only_recorded.is_empty() && only_found.is_empty() {
                    return write!(f, "recorded state {recorded}, the world has {found}");
                }
                let list = |facts: &[String]| match facts {
                    [] => "nothing".to_owned(),
                    [one] => one.clone(),
                    [one, rest @ ..] => format!("{one} and {} more", rest.len()),
                };
                write!(
                    f,
                    "recorded {}, the world says {}",
                    list(only_recorded),
                    list(only_found)
                )
            }
            DriftKind::Goals { recorded, found } => {
                let goals = |list: &[u32]| -> String {
                    let list: Vec<String> = list.iter().map(|g| (g + 1).to_string()).collect();
                    if list.is_empty() {
                        "none".to_owned()
                    } else {
                        list.join(" ")
                    }
                };
                let (recorded, found) = (goals(recorded), goals(found));
                write!(
                    f,
                    "recorded goals {recorded} as met, the world meets {found}"
                )
            }
            DriftKind::Refused(why) => write!(f, "recorded as done, the world refuses: {why}"),
            DriftKind::Allowed(action) => {
                write!(f, "recorded as refused, the world allows {action}")
            }
            DriftKind::OtherKind(recorded, found) => {
                write!(f, "recorded as {recorded}, the world says {found}")
            }
            DriftKind::Unreadable(why) => {
                write!(f, "the recorded action cannot be read: {why}")
            }
            DriftKind::Unreached(seq) => {
                write!(f, "event {seq} made no position in this world; skipped")
            }
        }
    }
}

/// Re-executes events and compares every hash. What cannot be re-executed is skipped and named; the episode holds
/// everything else.
///
/// # Errors
/// The scene has nobody who acts.
pub fn replay(
    setup: Arc<Setup>,
    profile: Profile,
    events: &[Event],
) -> Result<(Episode, Vec<Drift>), Diagnostic> {
    let mut episode = Episode::awaiting(setup, profile)?;
    let mut drifts = Vec::new();
    for event in events {
        episode.again(event, &mut drifts);
    }
    Ok((episode, drifts))
}

impl Episode {
    /// An episode at its start that has seen no event yet, for [`Self::again`].
    ///
    /// # Errors
    /// The scene has nobody who acts.
    pub fn awaiting(setup: Arc<Setup>, profile: Profile) -> Result<Self, Diagnostic> {
        let (mut episode, _) = Self::start(setup, profile)?;
        episode.positions.clear();
        Ok(episode)
    }

    /// Re-executes the next recorded event and adds every difference. Events come in their order, from the start.
    pub fn again(&mut self, event: &Event, drifts: &mut Vec<Drift>) {
        let mut drift = |pos, kind| {
            drifts.push(Drift {
                seq: event.seq,
                pos,
                kind,
            });
        };
        self.positions.push(None);
        if let Some(parent) = event.parent {
            match self.pos(parent) {
                Some(pos) => self.go(pos),
                None => return drift(None, DriftKind::Unreached(parent)),
            }
        }
        let mut facts = [Vec::new(), Vec::new()];
        let result = match &event.body {
            Body::Start { .. } => {
                self.positions.pop();
                self.positions.push(Some(Pos::START));
                Ok(())
            }
            Body::Step { action, diff, .. } => self.step_again(event, action).map(|found| {
                facts = [diff.clone(), found];
            }),
            Body::Refused {
                action,
                refusal,
                message,
            } => self.refused_again(event.seq, action, refusal, message),
            Body::Goto { to, .. } => self.goto_again(*to),
            Body::Branch => {
                self.branches.open(&event.branch, self.here());
                Ok(())
            }
            Body::Done { .. } => {
                self.ending = Some(Ending::Done);
                Ok(())
            }
            Body::Avoid { reason } => {
                self.ending = Some(Ending::Avoided(reason.clone()));
                Ok(())
            }
            Body::Stopped { cause, text } => {
                self.ending = Some(Ending::Stopped {
                    cause: cause.clone(),
                    text: text.clone(),
                });
                Ok(())
            }
            Body::Remark(said) => {
                self.take_remark(said);
                Ok(())
            }
        };
        if let Err(kind) = result {
            let pos = event.parent.and_then(|p| self.pos(p));
            return drift(pos, kind);
        }
        let here = self.here();
        let found = self.timeline.world().hash();
        if found != event.hash {
            let [recorded, world] = facts;
            let lacks = |a: &[String], b: &[String]| -> Vec<String> {
                a.iter().filter(|f| !b.contains(f)).cloned().collect()
            };
            let kind = DriftKind::State {
                recorded: event.hash,
                found,
                only_recorded: lacks(&recorded, &world),
                only_found: lacks(&world, &recorded),
            };
            drift(Some(here), kind);
        } else if let Some(goals) = event.body.goals() {
            let found = self.holding(here);
            if found != goals {
                let recorded = goals.to_vec();
                drift(Some(here), DriftKind::Goals { recorded, found });
            }
        }
    }

    /// Does a recorded step; yields what it changed.
    fn step_again(&mut self, event: &Event, action: &str) -> Result<Vec<String>, DriftKind> {
        let from = self.here();
        let read = script::read_for(self.timeline.world(), action)
            .map_err(|e| DriftKind::Unreadable(e.message))?;
        let done = self
            .timeline
            .step(read)
            .map_err(|r| DriftKind::Refused(self.reason(&r)))?;
        self.ending = None;
        self.follow(from);
        self.ledger.record(&self.timeline, self.lookout.monitor());
        self.branches.own(done.pos, &event.branch, from);
        if !done.revisited {
            self.seqs.push(event.seq);
        }
        self.positions.pop();
        self.positions.push(Some(done.pos));
        let changes = self.timeline.changes_here();
        Ok(event::facts(&self.setup.scene, &changes))
    }

    fn refused_again(
        &mut self,
        seq: u32,
        action: &str,
        refusal: &str,
        message: &str,
    ) -> Result<(), DriftKind> {
        self.attempts.push(Attempt {
            seq,
            at: self.here(),
            action: action.to_owned(),
            refusal: refusal.to_owned(),
            message: message.to_owned(),
            broken: Vec::new(),
        });
        let found = match script::read_for(self.timeline.world(), action) {
            Ok(read) => match self.timeline.judge(read) {
                Ok(_) => return Err(DriftKind::Allowed(action.to_owned())),
                Err(found) => found.kind,
            },
            Err(found) => found.kind,
        };
        if found.name() == refusal {
            Ok(())
        } else {
            let found = found.name().to_owned();
            Err(DriftKind::OtherKind(refusal.to_owned(), found))
        }
    }

    fn goto_again(&mut self, to: u32) -> Result<(), DriftKind> {
        let pos = self.pos(to).ok_or(DriftKind::Unreached(to))?;
        self.ending = None;
        self.go(pos);
        Ok(())
    }

    fn go(&mut self, pos: Pos) {
        let from = self.here();
        self.timeline.goto(pos);
        self.follow(from);
    }
}
