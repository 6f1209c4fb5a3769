//! What re-executing a run came to, in one line.

use std::collections::BTreeSet;

use crate::sim::timeline::Pos;

use super::{Drift, Episode, Event};

/// How far record and world agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Events that re-executed to the recorded hash.
    pub agree: usize,
    /// Events that can be used.
    pub events: usize,
    /// The last position before the first difference.
    pub to: Pos,
    /// The first difference in words.
    pub first: Option<String>,
}

impl Verified {
    /// What a replay of these events came to.
    pub fn of(episode: &Episode, events: &[Event], drifts: &[Drift]) -> Self {
        let off: BTreeSet<u32> = drifts.iter().map(|drift| drift.seq).collect();
        let first = off.first().copied().unwrap_or(u32::MAX);
        let to = (0..first.min(events.len() as u32))
            .rev()
            .find_map(|seq| episode.pos(seq))
            .unwrap_or(Pos::START);
        Self {
            agree: events.len() - off.len().min(events.len()),
            events: events.len(),
            to,
            first: drifts.first().map(ToString::to_string),
        }
    }

    /// Whether every hash agrees and there is any.
    pub const fn agrees(&self) -> bool {
        self.first.is_none() && self.events > 0
    }

    /// `✓ verified 14/14 hashes`, or how far and what differs first; `engine` is the version that recorded it, should
    /// it be another than this one.
    pub fn words(&self, engine: Option<&str>) -> String {
        let (agree, events) = (self.agree, self.events);
        match &self.first {
            None if self.agrees() => format!("✓ verified {agree}/{events} hashes"),
            None => "✗ nothing to verify".to_owned(),
            Some(first) => {
                let engine = engine.map_or_else(String::new, |engine| {
                    format!(" (engine {engine} → {})", env!("CARGO_PKG_VERSION"))
                });
                let to = self.to.0;
                format!("✗ verified to s{to}, {agree}/{events} hashes; {first}{engine}")
            }
        }
    }
}
