//! A running step: writes go to the graph at once, and the log keeps what is needed to take them back.

use crate::sim::graph::item::{KIND_CLOCK, KIND_MEMORY, KIND_PAIR, KIND_STATE};
use crate::sim::graph::pair::{IN, NEAR, OUT, Pair, mask, pair_key, place};
use crate::sim::graph::{Graph, Item, Origin};
use crate::sim::vocab::{Ix, Rel, Rels, State};

/// Collects the changes of one step. Dropping it without [`Tx::finish`] is a mistake the type cannot prevent, so only
/// [`crate::sim::world::World`] makes one.
#[derive(Debug)]
pub struct Tx<'g> {
    graph: &'g mut Graph,
}

impl<'g> Tx<'g> {
    pub(super) const fn new(graph: &'g mut Graph) -> Self {
        Self { graph }
    }

    /// The facts as they stand inside the step.
    pub const fn graph(&self) -> &Graph {
        self.graph
    }

    /// Makes `from rel to` hold.
    #[inline]
    pub fn add(&mut self, from: Ix, rel: Rel, to: Ix) {
        let (key, flipped) = pair_key(from, to);
        self.write(key, |bits| bits | mask(rel, flipped));
    }

    /// Makes `a rel b` and `b rel a` hold.
    #[inline]
    pub fn add_both(&mut self, a: Ix, rel: Rel, b: Ix) {
        let (key, _) = pair_key(a, b);
        let both = if a == b {
            mask(rel, false)
        } else {
            mask(rel, false) | mask(rel, true)
        };
        self.write(key, |bits| bits | both);
    }

    /// Makes `from rel to` not hold.
    #[inline]
    pub fn remove(&mut self, from: Ix, rel: Rel, to: Ix) {
        let (key, flipped) = pair_key(from, to);
        if self.graph.find(key).is_some() {
            self.write(key, |bits| bits & !mask(rel, flipped));
        }
    }

    #[inline]
    fn write(&mut self, key: u64, f: impl Fn(u16) -> u16) {
        let p = self.graph.pair(key);
        let old = self.graph.pairs[p].bits;
        let new = f(old);
        if new != old {
            self.touch(p, old);
            self.graph.pairs[p].bits = new;
            self.graph.relist(p);
        }
    }

    /// Remembers a pair's bits before its first change in this step.
    #[inline]
    fn touch(&mut self, p: usize, old: u16) {
        let g = &mut *self.graph;
        if g.pairs[p].touched == 0 {
            g.log.push(Item::new(KIND_PAIR, p as u32, u32::from(old)));
            g.pairs[p].touched = g.log.len() as u32;
        }
    }

    /// Ends all of these relations between `node` and every node, both ways.
    pub fn clear_all(&mut self, node: Ix, rels: Rels) {
        let near = self.graph.near_rel;
        if rels.has(near) {
            self.clear_list(node, rels, NEAR);
        }
        if rels.without(near) != Rels::EMPTY {
            self.clear_list(node, rels, OUT);
            self.clear_list(node, rels, IN);
        }
    }

    fn clear_list(&mut self, node: Ix, rels: Rels, list: usize) {
        let keep = !(u16::from(rels.0) | u16::from(rels.0) << 8);
        let mut i = 0;
        while i < self.graph.lists[list].len(node.0) {
            let p = self.graph.lists[list].get(node.0, i) as usize;
            let old = self.graph.pairs[p].bits;
            let new = old & keep;
            if new != old {
                self.touch(p, old);
                self.graph.pairs[p].bits = new;
            }
            let second = of_second(&self.graph.pairs[p], node, list);
            if new & self.graph.bits_of(list, second) == 0 {
                self.unlist(node, p, list, i);
            } else {
                i += 1;
            }
        }
    }

    /// Drops a pair without bits from `node`'s list; the other node's list keeps it until it is cleared itself.
    #[inline]
    fn unlist(&mut self, node: Ix, p: usize, list: usize, i: u32) {
        let pair = &mut self.graph.pairs[p];
        // A pair of a node with itself stands in OUT as its first and in IN as its second node.
        let second = if pair.a == pair.b {
            list == IN
        } else {
            pair.a != node.0
        };
        pair.listed &= !place(list, second);
        if pair.a == pair.b && list == NEAR {
            pair.listed &= !place(NEAR, true);
        }
        self.graph.lists[list].swap_remove(node.0, i);
    }

    /// Ends `from rel x` for every x (outgoing only).
    pub fn clear_out(&mut self, from: Ix, rel: Rel) {
        let list = if rel == self.graph.near_rel {
            NEAR
        } else {
            OUT
        };
        for i in 0..self.graph.lists[list].len(from.0) {
            let p = self.graph.lists[list].get(from.0, i) as usize;
            let pair = self.graph.pairs[p];
            let new = pair.bits & !mask(rel, pair.a != from.0);
            if new != pair.bits {
                self.touch(p, pair.bits);
                self.graph.pairs[p].bits = new;
            }
        }
    }

    /// Gives a node a state, or takes it away.
    #[inline]
    pub fn set(&mut self, node: Ix, state: State, on: bool) {
        let old = self.graph.hot[node.at()].states;
        let new = if on {
            old.with(state)
        } else {
            old.without(state)
        };
        if new != old {
            let hot = &mut self.graph.hot[node.at()];
            hot.states = new;
            let door = hot.door;
            self.graph
                .log
                .push(Item::new(KIND_STATE, node.0, u32::from(old.0 ^ new.0)));
            if door {
                self.graph.rezone();
            }
        }
    }

    /// Remembers or forgets where the character took a thing from.
    #[inline]
    pub fn remember(&mut self, node: Ix, origin: Option<Origin>) {
        self.memo(
            node,
            origin.map_or(0, |o| (o.at.0 << 3 | u32::from(o.rel.0)) + 1),
        );
    }

    /// Sets what is remembered about a node beside the facts, see [`Graph::memo`].
    #[inline]
    pub fn memo(&mut self, node: Ix, memo: u32) {
        let xor = self.graph.memory[node.at()] ^ memo;
        if xor != 0 {
            self.graph.flip_memory(node.at(), xor);
            self.graph.log.push(Item::new(KIND_MEMORY, node.0, xor));
        }
    }

    /// Sets how far a happening has come.
    pub fn tick(&mut self, happening: usize, clock: u32) {
        if let Some(old) = self.graph.clocks.get_mut(happening) {
            let xor = *old ^ clock;
            *old = clock;
            if xor != 0 {
                let item = Item::new(KIND_CLOCK, happening as u32, xor);
                self.graph.log.push(item);
            }
        }
    }

    /// Whether a happening's counter moved in this step.
    pub fn ticked(&self, happening: usize) -> bool {
        let moved = |i: &Item| i.kind() == KIND_CLOCK && i.index() == happening;
        self.graph.log.iter().any(moved)
    }

    /// Ends the step: the log keeps the net changes only, and the hash follows them.
    pub fn finish(self) {
        let g = self.graph;
        let mut kept = 0;
        for i in 0..g.log.len() {
            let mut item = g.log[i];
            if item.kind() == KIND_PAIR {
                let p = item.index();
                g.pairs[p].touched = 0;
                let xor = item.payload() as u16 ^ g.pairs[p].bits;
                if xor == 0 {
                    continue;
                }
                item = Item::new(KIND_PAIR, p as u32, u32::from(xor));
            }
            g.log[kept] = item;
            kept += 1;
            g.hash_item(item);
        }
        g.log.truncate(kept);
    }
}

/// Whether `node`'s list is that of the pair's second node. A pair of a node with itself stands in OUT as its first
/// and in IN as its second node.
#[inline]
const fn of_second(pair: &Pair, node: Ix, list: usize) -> bool {
    if pair.a == pair.b {
        list == IN
    } else {
        pair.a != node.0
    }
}
