//! Sets of nodes that never change in a scene: the ranges of variables.

use rustc_hash::FxHashMap;

use crate::sim::vocab::Ix;

use super::atom::DomId;

/// A set as a sorted list and as bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Dom {
    pub(super) list: Vec<Ix>,
    bits: Vec<u64>,
}

impl Dom {
    #[inline]
    pub(super) fn has(&self, n: Ix) -> bool {
        let i = n.at();
        self.bits
            .get(i / 64)
            .is_some_and(|w| w >> (i % 64) & 1 == 1)
    }
}

/// All sets, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Doms {
    all: Vec<Dom>,
    index: FxHashMap<Vec<Ix>, DomId>,
}

impl Doms {
    /// The number of a set given as an ascending list.
    pub(super) fn put(&mut self, list: Vec<Ix>) -> DomId {
        if let Some(&id) = self.index.get(&list) {
            return id;
        }
        let id = self.all.len() as DomId;
        let mut bits = vec![0; list.last().map_or(0, |n| n.at() / 64 + 1)];
        for n in &list {
            bits[n.at() / 64] |= 1_u64 << (n.at() % 64);
        }
        self.index.insert(list.clone(), id);
        self.all.push(Dom { list, bits });
        id
    }

    #[inline]
    pub(super) fn get(&self, id: DomId) -> &Dom {
        &self.all[usize::from(id)]
    }

    pub(super) fn len(&self, id: DomId) -> usize {
        self.get(id).list.len()
    }

    /// The members of `a` that are (or are not) in `b`.
    pub(super) fn narrow(&mut self, a: DomId, b: DomId, keep: bool) -> DomId {
        let list = self
            .get(a)
            .list
            .iter()
            .copied()
            .filter(|&n| self.get(b).has(n) == keep)
            .collect();
        self.put(list)
    }
}
