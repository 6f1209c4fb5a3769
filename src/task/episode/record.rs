//! Recorded events as a tree of positions, without playing them again.
//!
//! Everything here is read from the record alone, so a run whose scene is lost can still be looked through. Positions
//! are numbered as they were recorded: `s4` is the fourth step ever done.

use super::event::{Body, Event};

/// One position of the record.
#[derive(Clone, Debug)]
pub struct Node {
    /// The number of its event.
    pub seq: u32,
    /// The position before it; `None` for the start.
    pub parent: Option<u32>,
    /// The positions after it, in the order they were made.
    pub children: Vec<u32>,
    /// The numbers of the events that happened at it and made no position.
    pub at: Vec<u32>,
}

/// A run's events as a tree of positions.
#[derive(Clone, Debug, Default)]
pub struct Record {
    nodes: Vec<Node>,
    /// Per event: the position it made.
    made: Vec<Option<u32>>,
    stands: u32,
}

impl Record {
    /// The record of these events; what they name must be named before, as readers of runs make sure.
    pub fn new(events: &[Event]) -> Self {
        let mut record = Self::default();
        for event in events {
            let parent = event.parent.and_then(|seq| record.position(seq));
            if event.body.makes_position() {
                let pos = record.nodes.len() as u32;
                if let Some(up) = parent.and_then(|p| record.nodes.get_mut(p as usize)) {
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
                Body::Goto { to, .. } => record.stands = record.position(*to).unwrap_or_default(),
                Body::Branch => {}
                _ => {
                    if let Some(node) = parent.and_then(|p| record.nodes.get_mut(p as usize)) {
                        node.at.push(event.seq);
                    }
                }
            }
        }
        record
    }

    /// The position that an event made.
    pub fn position(&self, seq: u32) -> Option<u32> {
        self.made.get(seq as usize).copied().flatten()
    }

    /// The event that made a position.
    pub fn seq(&self, pos: u32) -> Option<u32> {
        self.nodes.get(pos as usize).map(|node| node.seq)
    }

    /// The position before one.
    pub fn parent(&self, pos: u32) -> Option<u32> {
        self.nodes.get(pos as usize)?.parent
    }

    /// A position.
    pub fn node(&self, pos: u32) -> Option<&Node> {
        self.nodes.get(pos as usize)
    }

    /// How many positions there are, the start included.
    pub const fn len(&self) -> usize {
        self.nodes.len()
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
        while let Some(&next) = self
            .nodes
            .get(tip as usize)
            .and_then(|n| n.children.first())
        {
            tip = next;
        }
        tip
    }

    /// The ends of all branches, in the order the branches were opened.
    pub fn tips(&self) -> Vec<u32> {
        let ends = |pos: &u32| {
            let node = self.nodes.get(*pos as usize);
            node.is_some_and(|node| node.children.is_empty())
        };
        (0..self.nodes.len() as u32).filter(ends).collect()
    }

    /// The positions from the start to one, both included.
    pub fn path(&self, pos: u32) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = Some(pos).filter(|p| (*p as usize) < self.nodes.len());
        while let Some(here) = at {
            path.push(here);
            at = self.parent(here);
        }
        path.reverse();
        path
    }
}
