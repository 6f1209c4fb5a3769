//! The relations between two nodes in one word, and the lists that find them.

use crate::sim::vocab::{Ix, Rel, Rels};

/// The relations between two nodes, both ways. `a <= b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) a: u32,
    pub(super) b: u32,
    /// Low byte: relations a→b; high byte: relations b→a.
    pub(super) bits: u16,
    /// In which lists the pair stands, see [`place`].
    pub(super) listed: u8,
    /// Position in the running step's item log plus one; 0 when untouched.
    pub(super) touched: u32,
}

/// The list of pairs with the near relation, either way.
pub(super) const NEAR: usize = 0;
/// The list of pairs with another relation from the owner.
pub(super) const OUT: usize = 1;
/// The list of pairs with another relation to the owner.
pub(super) const IN: usize = 2;

/// The flag of "stands in this list of the pair's first (second) node".
pub(super) const fn place(list: usize, second: bool) -> u8 {
    1 << (list * 2 + second as usize)
}

/// Stands where two nodes were never related.
pub(super) const NO_PAIR: u32 = u32::MAX;

/// The key of an unordered pair, and whether `from` is its second node.
#[inline]
pub(super) const fn pair_key(from: Ix, to: Ix) -> (u64, bool) {
    if from.0 <= to.0 {
        ((from.0 as u64) << 32 | to.0 as u64, false)
    } else {
        ((to.0 as u64) << 32 | from.0 as u64, true)
    }
}

/// The relations of one direction: a→b, or b→a when `flipped`.
#[inline]
pub(super) const fn direction(bits: u16, flipped: bool) -> Rels {
    Rels(if flipped {
        (bits >> 8) as u8
    } else {
        bits as u8
    })
}

#[inline]
pub(super) const fn mask(rel: Rel, flipped: bool) -> u16 {
    (1 << rel.0) << if flipped { 8 } else { 0 }
}
