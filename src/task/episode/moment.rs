//! A long run picked up in its middle: what its past has left behind at an event, so that a window of it can be played
//! again without all that came before.
//!
//! What can be told of the past is what lasts: the state, the goals, what the rules remember. How a thing stood before the
//! window, and since when, is not known there; the first position stands for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::branches::Branches;
use super::chronicle::Chronicle;
use super::{Drift, DriftKind, Episode, Event};
use crate::base::diag::Diagnostic;
use crate::plan::ledger::Ledger;
use crate::safety::monitor::Memory;
use crate::sim::graph::Delta;
use crate::sim::timeline::{Pos, Timeline};

/// What the past of a run has left behind at one of its events.
#[derive(Clone, Debug)]
pub struct Moment {
    /// How many events there were.
    pub events: u32,
    /// The position the run stood at, the newest of all.
    pub pos: Pos,
    /// Steps that led there.
    led: u32,
    /// The event that made it.
    made: u32,
    branch: Arc<str>,
    delta: Delta,
    memory: Memory,
    goals: (Vec<u64>, u32),
    muted: BTreeSet<String>,
}

impl Moment {
    /// The event that made its position, at which a window begins that is played again from here.
    pub const fn made(&self) -> u32 {
        self.made
    }

    /// Bytes it takes, about.
    pub const fn bytes(&self) -> usize {
        size_of::<Self>() + self.delta.bytes() + self.memory.bytes() + self.goals.0.len() * 8
    }
}

impl Episode {
    /// What has been left behind here; `start` is this episode at its start. `None` where the run has ended or gone back:
    /// only at its newest position can it be picked up.
    pub fn moment(&self, start: &Self) -> Option<Moment> {
        let here = self.here();
        if self.ending.is_some() || here.0 as usize + 1 != self.timeline.len() {
            return None;
        }
        let graph = self.timeline.world().graph();
        Some(Moment {
            events: self.events(),
            pos: here,
            led: self.timeline.depth(here) as u32,
            made: self.seq(here)?,
            branch: self.branch().name.clone(),
            delta: graph.delta(start.timeline.world().graph()),
            memory: self.lookout.monitor().memory(),
            goals: self.ledger.told(here),
            muted: self.muted.clone(),
        })
    }

    /// An episode picked up there, which knows nothing older; this one must stand at the start of the same task.
    #[must_use]
    pub fn at_moment(&self, moment: &Moment) -> Self {
        let world = self.timeline.world().with_delta(&moment.delta);
        let lookout = self.lookout.remembering(&world, &moment.memory);
        let goals = self.ledger.goals().clone();
        Self {
            setup: self.setup.clone(),
            ledger: Ledger::from(goals, moment.pos, moment.goals.clone()),
            lookout,
            timeline: Timeline::from(world, moment.pos, moment.led),
            open_at_start: self.open_at_start.clone(),
            amiss: self.amiss.clone(),
            logs: Vec::new(),
            branches: Branches::from(moment.pos, &moment.branch),
            attempts: Vec::new(),
            ending: None,
            chronicle: Chronicle::default(),
            muted: moment.muted.clone(),
            seqs: vec![moment.made],
            before: moment.made,
            positions: std::iter::once(Some(moment.pos))
                .chain((moment.made + 1..moment.events).map(|_| None))
                .collect(),
        }
    }
}

/// Plays a window of a long run again from the moment before it, or from the start where there is none; `events` follow without
/// a gap, and `start` has seen no event yet.
///
/// # Errors
/// The window goes back to what was before the moment.
pub fn replay_from(
    start: &Episode,
    moment: Option<&Moment>,
    events: &[Event],
) -> Result<(Episode, Vec<Drift>), Diagnostic> {
    let mut episode = moment.map_or_else(|| start.clone(), |moment| start.at_moment(moment));
    let mut drifts = Vec::new();
    for event in events {
        episode.again(event, &mut drifts);
        if drifts
            .iter()
            .any(|drift| matches!(drift.kind, DriftKind::Unreached(_)))
        {
            return Err(Diagnostic::error(
                "",
                format!("event {} goes back to a step long before", event.seq),
            )
            .help("vesta verify plays the whole run"));
        }
    }
    // Whether what lacks was there once is asked of the whole past, of which a window does not know all.
    drifts.retain(|drift| !matches!(drift.kind, DriftKind::OtherKind(..)));
    Ok((episode, drifts))
}
