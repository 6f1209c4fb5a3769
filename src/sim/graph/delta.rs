//! A state told by what differs from another one: small, because little of a home changes however long a run is.

use super::Graph;
use super::pair::pair_key;
use crate::sim::vocab::Ix;

/// In what a state differs from the start of its world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// Two nodes and their relations as XOR.
    pairs: Vec<(u32, u32, u16)>,
    /// A node and its states as XOR.
    states: Vec<(u32, u16)>,
    /// A node and what is remembered of it as XOR.
    memory: Vec<(u32, u32)>,
    /// Every clock, as it stands.
    clocks: Vec<u32>,
}

impl Delta {
    /// Bytes it takes, about.
    pub const fn bytes(&self) -> usize {
        self.pairs.len() * 12 + self.states.len() * 8 + self.memory.len() * 8
    }
}

impl Graph {
    /// In what it differs from a start of the same scene.
    pub fn delta(&self, start: &Self) -> Delta {
        let mut delta = Delta {
            clocks: self.clocks.clone(),
            ..Delta::default()
        };
        // Pairs are only ever added, so that the start's are among these.
        for pair in &self.pairs {
            let (key, _) = pair_key(Ix(pair.a), Ix(pair.b));
            let before = start.find(key).map_or(0, |p| start.pairs[p].bits);
            if pair.bits != before {
                delta.pairs.push((pair.a, pair.b, pair.bits ^ before));
            }
        }
        for (node, (now, then)) in (0..).zip(self.hot.iter().zip(&start.hot)) {
            let xor = now.states.0 ^ then.states.0;
            if xor != 0 {
                delta.states.push((node, xor));
            }
        }
        for (node, (now, then)) in (0..).zip(self.memory.iter().zip(&start.memory)) {
            if now != then {
                delta.memory.push((node, now ^ then));
            }
        }
        delta
    }

    /// The state that differs so from this start.
    #[must_use]
    pub fn with_delta(&self, delta: &Delta) -> Self {
        let mut graph = self.clone();
        for &(a, b, xor) in &delta.pairs {
            let p = graph.pair(pair_key(Ix(a), Ix(b)).0);
            graph.pairs[p].bits ^= xor;
            graph.relist(p);
        }
        for &(node, xor) in &delta.states {
            graph.hot[node as usize].states.0 ^= xor;
        }
        for &(node, xor) in &delta.memory {
            graph.flip_memory(node as usize, xor);
        }
        graph.clocks.clone_from(&delta.clocks);
        graph.rezone();
        graph.hash = graph.hash_from_scratch();
        graph
    }
}
