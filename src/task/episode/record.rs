//! Recorded events as a tree of positions, without playing them again.
//!
//! Everything here is read from the record alone, so a run whose scene is lost can still be looked through. Positions
//! are numbered as they were recorded: `s4` is the fourth step ever done.

use super::event::{Body, Event};

/// Events in a row, found by their numbers: all of a run, or a window of a long one.
#[derive(Clone, Copy, Debug)]
pub struct Events<'a> {
    /// The number of the first.
    first: u32,
    all: &'a [Event],
}

impl<'a> Events<'a> {
    /// The events from the one of that number on.
    pub const fn from(first: u32, all: &'a [Event]) -> Self {
        Self { first, all }
    }

    /// The event of a number.
    pub fn get(self, seq: u32) -> Option<&'a Event> {
        self.all.get(seq.checked_sub(self.first)? as usize)
    }

    /// Those before the event of a number.
    pub fn before(self, seq: u32) -> &'a [Event] {
        let at = seq.saturating_sub(self.first) as usize;
        self.all.get(..at).unwrap_or(self.all)
    }

    /// All of them.
    pub const fn all(self) -> &'a [Event] {
        self.all
    }
}

impl<'a> From<&'a [Event]> for Events<'a> {
    fn from(all: &'a [Event]) -> Self {
        Self::from(0, all)
    }
}

impl<'a> From<&'a Vec<Event>> for Events<'a> {
    fn from(all: &'a Vec<Event>) -> Self {
        Self::from(0, all)
    }
}

/// One position of the record.
#[derive(Clone, Debug)]
pub struct Node {
    /// The number of its event.
    pub seq: u32,
    /// The position before it; `None` for the start, and where it came before the window.
    pub parent: Option<u32>,
    /// The positions after it, in the order they were made.
    pub children: Vec<u32>,
    /// The numbers of the events that happened at it and made no position.
    pub at: Vec<u32>,
}

/// A run's events as a tree of positions.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Positions made before the window.
    before: u32,
    /// Events before the window.
    events: u32,
    nodes: Vec<Node>,
    /// Per event: the position it made.
    made: Vec<Option<u32>>,
    stands: u32,
}

impl Record {
    /// The record of these events; what they name must be named before, as readers of runs make sure.
    pub fn new(events: &[Event]) -> Self {
        Self::window(events.into(), 0)
    }

    /// The record of a window of a run, before which so many positions were made. What its events name may have been made
    /// before it.
    pub fn window(events: Events<'_>, before: u32) -> Self {
        let mut record = Self {
            before,
            events: events.first,
            stands: before,
            ..Self::default()
        };
        for event in events.all {
            let parent = event.parent.and_then(|seq| record.position(seq));
            if event.body.makes_position() {
                let pos = record.len() as u32;
                if let Some(up) = parent.and_then(|p| record.node_mut(p)) {
                    up.children.push(pos);
                }
                record.nodes.push(Node {
                    seq: event.seq,
                    parent,
                    children: Vec::new(),
                    at: Vec::new(),
                });
                record.made.push(Some(pos));
                record.stands = pos;
                continue;
            }
            record.made.push(None);
            match &event.body {
                Body::Goto { to, .. } => record.stands = record.position(*to).unwrap_or(before),
                Body::Branch => {}
                _ => {
                    if let Some(node) = parent.and_then(|p| record.node_mut(p)) {
                        node.at.push(event.seq);
                    }
                }
            }
        }
        record
    }

    /// The position that an event made.
    pub fn position(&self, seq: u32) -> Option<u32> {
        let at = seq.checked_sub(self.events)? as usize;
        self.made.get(at).copied().flatten()
    }

    /// The index of a position's node.
    fn at(&self, pos: u32) -> Option<usize> {
        Some(pos.checked_sub(self.before)? as usize)
    }

    fn node_mut(&mut self, pos: u32) -> Option<&mut Node> {
        let at = self.at(pos)?;
        self.nodes.get_mut(at)
    }

    /// The event that made a position.
    pub fn seq(&self, pos: u32) -> Option<u32> {
        self.node(pos).map(|node| node.seq)
    }

    /// The position before one.
    pub fn parent(&self, pos: u32) -> Option<u32> {
        self.node(pos)?.parent
    }

    /// A position.
    pub fn node(&self, pos: u32) -> Option<&Node> {
        self.nodes.get(self.at(pos)?)
    }

    /// How many positions there are up to its end, the start and those before the window included.
    pub const fn len(&self) -> usize {
        self.before as usize + self.nodes.len()
    }

    /// The first position of the window: the start where nothing came before it.
    pub const fn first(&self) -> u32 {
        self.before
    }

    /// Whether nothing was recorded.
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Where the run stood when it was left.
    pub const fn stands(&self) -> u32 {
        self.stands
    }

    /// The end of the branch that a position is on: along the steps done first, which is how branches go on.
    pub fn tip(&self, pos: u32) -> u32 {
        let mut tip = pos;
        while let Some(&next) = self.node(tip).and_then(|n| n.children.first()) {
            tip = next;
        }
        tip
    }

    /// The ends of all branches, in the order the branches were opened.
    pub fn tips(&self) -> Vec<u32> {
        let ends = |pos: &u32| {
            let node = self.node(*pos);
            node.is_some_and(|node| node.children.is_empty())
        };
        (self.before..self.len() as u32).filter(ends).collect()
    }

    /// The positions from the start to one, both included.
    pub fn path(&self, pos: u32) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = Some(pos).filter(|p| self.node(*p).is_some());
        while let Some(here) = at {
            path.push(here);
            at = self.parent(here);
        }
        path.reverse();
        path
    }
}
