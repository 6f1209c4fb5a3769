//! The graph now and one position earlier: the earlier one is the current one with the step's changes taken back.

use crate::sim::graph::{Graph, Item, Word};
use crate::sim::reading;
use crate::sim::vocab::{DEEPEST, Ix, Rel, Rels, State};

/// What stands for "no room".
pub(super) const NOWHERE: u32 = u32::MAX;

/// The relations of a dialect that facts read by more than name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) near: Rel,
    pub(super) inside: Rel,
    /// On or in.
    pub(super) at: Rels,
    /// In a hand.
    pub(super) hands: Rels,
}

/// What a step changed, net.
#[derive(Clone, Debug, Default)]
pub(super) struct Diff {
    pub(super) states: Vec<(Ix, u16)>,
    /// Directed relations other than nearness.
    pub(super) far: Vec<(Ix, Ix, u8)>,
    /// Nearness between two nodes: 1 from the first to the second, 2 back.
    pub(super) near: Vec<(Ix, Ix, u8)>,
}

impl Diff {
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.far.clear();
        self.near.clear();
    }

    /// Takes in a step's items; the graph stands after them. Items of several changes of one position may repeat.
    pub(super) fn read(&mut self, graph: &Graph, items: &[Item], near: Rel, repeats: bool) {
        self.clear();
        let near = 1_u8 << near.0;
        graph.each_word(items, |word| match word {
            Word::Node(n, xor) => self.states.push((n, xor.0)),
            Word::Pair(a, b, there, back) => {
                // What is near itself is so both ways, though it is written once.
                let back_too = back.0 & near != 0 || a == b && there.0 & near != 0;
                let close = u8::from(there.0 & near != 0) | u8::from(back_too) << 1;
                if close != 0 {
                    self.near.push((a, b, close));
                }
                for (from, to, xor) in [(a, b, there.0 & !near), (b, a, back.0 & !near)] {
                    if xor != 0 {
                        self.far.push((from, to, xor));
                    }
                }
            }
        });
        if repeats {
            self.join();
        }
    }

    /// Makes one entry of several about the same nodes. A pair always comes the same way round.
    fn join(&mut self) {
        join(&mut self.states, |s| s.0, |s, more| s.1 ^= more.1);
        join(&mut self.far, |e| (e.0, e.1), |e, more| e.2 ^= more.2);
        join(&mut self.near, |e| (e.0, e.1), |e, more| e.2 ^= more.2);
        self.states.retain(|s| s.1 != 0);
        self.far.retain(|e| e.2 != 0);
        self.near.retain(|e| e.2 != 0);
    }
}

fn join<T: Copy, K: PartialEq>(all: &mut Vec<T>, key: impl Fn(&T) -> K, add: impl Fn(&mut T, &T)) {
    let mut kept = 0;
    for i in 0..all.len() {
        let one = all[i];
        if let Some(known) = all[..kept].iter_mut().find(|k| key(k) == key(&one)) {
            add(known, &one);
        } else {
            all[kept] = one;
            kept += 1;
        }
    }
    all.truncate(kept);
}

/// The graph at one of the two positions.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) graph: &'a Graph,
    pub(super) words: Words,
    pub(super) me: Ix,
    /// What to take back; nothing for the position itself.
    pub(super) back: Option<&'a Diff>,
}

impl View<'_> {
    #[inline]
    pub(super) fn state(&self, n: Ix, s: State) -> bool {
        let mut bits = self.graph.states(n).0;
        if let Some(diff) = self.back
            && let Some((_, xor)) = diff.states.iter().find(|(m, _)| *m == n)
        {
            bits ^= xor;
        }
        bits >> s.0 & 1 == 1
    }

    /// The relations from `a` to `b`, nearness aside where the view looks back.
    #[inline]
    fn rels(&self, a: Ix, b: Ix) -> Rels {
        let mut rels = self.graph.rels(a, b);
        if let Some(diff) = self.back
            && let Some((.., xor)) = diff.far.iter().find(|(x, y, _)| (*x, *y) == (a, b))
        {
            rels.0 ^= xor;
        }
        rels
    }

    #[inline]
    pub(super) fn related(&self, mask: Rels, a: Ix, b: Ix) -> bool {
        !self.graph.hot(b).room && self.rels(a, b).0 & mask.0 != 0
    }

    #[inline]
    pub(super) fn near(&self, a: Ix, b: Ix) -> bool {
        let mut bits = u8::from(self.graph.has(a, self.words.near, b))
            | u8::from(self.graph.has(b, self.words.near, a)) << 1;
        if let Some(diff) = self.back {
            for &(x, y, xor) in &diff.near {
                if (x, y) == (a, b) {
                    bits ^= xor;
                } else if (x, y) == (b, a) {
                    bits ^= xor >> 1 | xor << 1 & 2;
                }
            }
        }
        bits != 0
    }

    #[inline]
    pub(super) fn held(&self, n: Ix) -> bool {
        self.rels(self.me, n).0 & self.words.hands.0 != 0
    }

    /// Calls `f` with everything `a` is related to (or what is related to it) until it says stop.
    #[inline]
    pub(super) fn each(
        &self,
        mask: Rels,
        node: Ix,
        incoming: bool,
        f: &mut dyn FnMut(Ix) -> bool,
    ) -> bool {
        let Some(rel) = mask.iter().next() else {
            return false;
        };
        let rooms = self.words.hands.0 & mask.0 != 0;
        let far = !(1 << self.words.near.0);
        let fits = |to: Ix| rooms || !self.graph.hot(to).room;
        let mut i = 0;
        while let Some((other, now)) = self.graph.neighbour_at(node, rel, incoming, i) {
            i += 1;
            let (from, to) = if incoming {
                (other, node)
            } else {
                (node, other)
            };
            let bits = match self.back {
                None => now,
                Some(_) => self.rels(from, to),
            };
            if now.0 & far != 0 && bits.0 & mask.0 != 0 && fits(to) && f(other) {
                return true;
            }
        }
        let Some(diff) = self.back else {
            return false;
        };
        for &(from, to, xor) in &diff.far {
            let (own, other) = if incoming { (to, from) } else { (from, to) };
            let now = self.graph.rels(from, to).0;
            // Those that have no relation at all any more stand in no list.
            let gone = now & far == 0;
            if own == node && gone && (now ^ xor) & mask.0 != 0 && fits(to) && f(other) {
                return true;
            }
        }
        false
    }

    /// Calls `f` with everything near a node until it says stop.
    pub(super) fn each_near(&self, node: Ix, f: &mut dyn FnMut(Ix) -> bool) -> bool {
        let near = self.words.near;
        let mut i = 0;
        while let Some((other, _)) = self.graph.neighbour_at(node, near, false, i) {
            i += 1;
            if self.near(node, other) && f(other) {
                return true;
            }
        }
        let Some(diff) = self.back else {
            return false;
        };
        for &(a, b, _) in &diff.near {
            let other = if a == node {
                b
            } else if b == node {
                a
            } else {
                continue;
            };
            let now = self.graph.has(a, near, b) || self.graph.has(b, near, a);
            if !now && self.near(node, other) && f(other) {
                return true;
            }
        }
        false
    }

    /// Whether `x` is on or in `s` at any depth.
    pub(super) fn within(&self, x: Ix, s: Ix) -> bool {
        self.climb(x, DEEPEST, &mut |y| y == s)
    }

    /// Calls `f` with all that a node is on or in, at any depth, until it says stop.
    pub(super) fn climb(&self, x: Ix, left: usize, f: &mut dyn FnMut(Ix) -> bool) -> bool {
        left > 0
            && self.each(self.words.at, x, false, &mut |y| {
                f(y) || self.climb(y, left - 1, f)
            })
    }

    /// Calls `f` with all that is on or in a node, at any depth, until it says stop.
    pub(super) fn descend(&self, s: Ix, left: usize, f: &mut dyn FnMut(Ix) -> bool) -> bool {
        left > 0
            && !self.graph.hot(s).room
            && self.each(self.words.at, s, true, &mut |y| {
                f(y) || self.descend(y, left - 1, f)
            })
    }
}

/// The room of every node now.
pub(super) fn rooms(graph: &Graph, words: Words, me: Ix) -> Vec<u32> {
    let nodes = graph.scene().indices();
    nodes.map(|n| room_of(graph, words, me, n)).collect()
}

/// The room of a node now; that of a held thing is the agent's.
pub(super) fn room_of(graph: &Graph, words: Words, me: Ix, n: Ix) -> u32 {
    let held = graph.rels(me, n).0 & words.hands.0 != 0;
    reading::room(graph, if held { me } else { n }).map_or(NOWHERE, |r| r.0)
}
