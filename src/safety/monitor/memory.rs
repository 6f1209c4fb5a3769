//! What a monitor remembers, apart from what can be read off the world: enough to go on from there.

use std::sync::Arc;

use super::atom::FamIx;
use super::cells::Cells;
use super::lists::Lists;
use super::log::Next;
use super::{Monitor, Program, Spare, view};
use crate::sim::world::{Action, World};

/// What is remembered at a position.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    depth: u32,
    last: Option<Action>,
    cells: Vec<(FamIx, u128, u32)>,
    next: Next,
}

impl Memory {
    /// Bytes it takes, about.
    pub const fn bytes(&self) -> usize {
        let next = &self.next;
        (self.cells.len() + next.work.len() + next.again.len()) * 32 + next.stale.len() * 2
    }
}

impl Monitor {
    /// What it remembers now.
    pub fn memory(&self) -> Memory {
        let cells = (0..).zip(&self.cells).flat_map(|(fam, cells)| {
            let all = cells.iter();
            all.map(move |(key, value)| (fam, key, value))
        });
        Memory {
            depth: self.depth,
            last: self.last,
            cells: cells.collect(),
            next: self.next.clone(),
        }
    }

    /// A monitor that remembers this, over a world that stands where it was.
    pub fn remembering(program: Arc<Program>, world: &World, memory: &Memory) -> Self {
        let graph = world.graph();
        let rooms = view::rooms(graph, program.words, world.me());
        let lists = Lists::new(&program.listed, &program.doms, (graph, &rooms));
        let families = program.families.len();
        let mut monitor = Self {
            depth: memory.depth,
            last: memory.last,
            cells: vec![Cells::default(); families],
            lists,
            rooms,
            live: vec![0; families / 64 + 1],
            next: memory.next.clone(),
            spare: Spare::new(families),
            program,
        };
        for &(fam, key, value) in &memory.cells {
            monitor.put(fam, key, value);
        }
        monitor
    }
}
