//! A task's own plan, tried out: which steps the world refuses, and which goals hold at the end.
//!
//! Pure: [`rehearse`] takes a bound task and gives counts. Used to check tasks before anybody plays them.

use crate::base::diag::Diagnostic;
use crate::plan::fact::Body;
use crate::plan::goal::{Ask, GoalSet};
use crate::plan::ledger::{Ledger, Score};
use crate::sim::explain::sentence;
use crate::sim::refusal::Kind;
use crate::sim::timeline::Timeline;
use crate::sim::vocab::Profile;
use crate::task::setup::Setup;

/// What became of the reference plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearsal {
    /// Steps that were refused, in order.
    pub refused: Vec<Refused>,
    /// Steps that were done.
    pub done: usize,
    /// Goals at the end.
    pub score: Score,
    /// Whether all success goals held before the first step.
    pub solved_at_start: bool,
    /// Goals about states, relations and actions: how many hold at the end, of how many.
    pub kinds: [(usize, usize); 3],
}

/// A refused step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its number in the plan, from 1.
    pub step: usize,
    /// The published program line.
    pub line: String,
    /// The published kind.
    pub kind: Kind,
    /// Why, in words.
    pub reason: String,
}

impl Rehearsal {
    /// Nothing was refused and every goal holds.
    pub const fn is_clean(&self) -> bool {
        self.refused.is_empty() && self.score.success == self.score.success_of && self.score.safe()
    }
}

/// Runs the reference plan. As the published runner does, it skips a step that finds the world already so, and stops at
/// any other refusal.
///
/// # Errors
/// The scene has nobody to act.
pub fn rehearse(setup: &Setup, profile: Profile) -> Result<Rehearsal, Diagnostic> {
    let mut timeline = Timeline::new(setup.world(profile)?);
    let mut ledger = Ledger::new(setup.goals_in(profile), &timeline, &());
    let solved_at_start = ledger.score(timeline.here()).succeeds();
    let mut refused = Vec::new();
    let mut done = 0;
    for (i, &action) in setup.reference.iter().enumerate() {
        match timeline.step(action) {
            Ok(_) => {
                done += 1;
                ledger.record(&timeline, &());
            }
            Err(refusal) => {
                let world = timeline.world();
                let name = |ix| world.scene().short_name(ix).to_owned();
                refused.push(Refused {
                    step: i + 1,
                    line: world.line(action),
                    kind: refusal.kind,
                    reason: sentence(world, &refusal, &name),
                });
                if refusal.kind != Kind::AlreadySo {
                    break;
                }
            }
        }
    }
    let here = timeline.here();
    Ok(Rehearsal {
        refused,
        done,
        score: ledger.score(here),
        solved_at_start,
        kinds: kinds(&setup.goals, |i| ledger.holds(i, here)),
    })
}

fn kinds(goals: &GoalSet, holds: impl Fn(usize) -> bool) -> [(usize, usize); 3] {
    let mut counts = [(0, 0); 3];
    for (i, goal) in goals.goals.iter().enumerate() {
        let kind = match &goal.ask {
            Ask::Fact(fact) if matches!(fact.body, Body::State(..)) => 0,
            Ask::Fact(_) | Ask::All(_) | Ask::Never(_) | Ask::Formula(_) => 1,
            Ask::Done(_) => 2,
        };
        counts[kind].0 += usize::from(holds(i));
        counts[kind].1 += 1;
    }
    counts
}
