//! Stable 128-bit keys for facts, folded together by XOR into a state hash.
//!
//! Keys depend on text only, so they are the same on every machine, in every run and whatever the load order was.
//! They are not cryptographic: they tell states apart, they do not defend against somebody who builds collisions.

use std::fmt;

/// A 128-bit key of a piece of text or of a fact made of such pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    lo: u64,
    hi: u64,
}

const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// The finaliser of `splitmix64`: every input bit reaches every output bit.
const fn finish(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Key {
    /// The key of a text: two differently seeded FNV-1a passes, each finalised.
    pub fn of(text: &str) -> Self {
        let (mut lo, mut hi) = (0xcbf2_9ce4_8422_2325_u64, 0x6c62_272e_07bb_0142_u64);
        for &byte in text.as_bytes() {
            lo = (lo ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
            hi = (hi.rotate_left(5) ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        }
        Self {
            lo: finish(lo),
            hi: finish(hi ^ lo.rotate_left(32)),
        }
    }

    /// The key of a number, for what has no text of its own: a monitor's memory, a counter.
    pub const fn of_number(number: u64) -> Self {
        let lo = finish(number ^ 0x9e37_79b9_7f4a_7c15);
        Self {
            lo,
            hi: finish(lo ^ number.rotate_left(32) ^ 0x2545_f491_4f6c_dd1d),
        }
    }

    /// The key of the ordered pair `(self, word)`, in one widening multiplication.
    #[inline]
    #[must_use]
    pub fn with(self, word: Self) -> Self {
        let p = u128::from((self.lo ^ word.hi.rotate_left(17)) | 1)
            * u128::from((word.lo ^ self.hi.rotate_left(41)) | 1);
        let (lo, hi) = (p as u64, (p >> 64) as u64);
        Self {
            lo: lo ^ hi.rotate_left(29) ^ self.hi,
            hi: hi.wrapping_add(lo.rotate_left(31)) ^ word.hi.rotate_left(9),
        }
    }
}

impl std::ops::BitXor for Key {
    type Output = Self;

    /// The key of two facts that come and go together.
    fn bitxor(self, other: Self) -> Self {
        Self {
            lo: self.lo ^ other.lo,
            hi: self.hi ^ other.hi,
        }
    }
}

/// The XOR of the keys of all facts that hold: adding and removing a fact are the same operation.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateHash(Key);

impl StateHash {
    /// Adds or removes a fact.
    #[inline]
    pub fn toggle(&mut self, key: Key) {
        self.0.lo ^= key.lo;
        self.0.hi ^= key.hi;
    }

    /// A number that spreads states evenly over a table.
    #[inline]
    pub const fn bucket(self) -> u64 {
        self.0.lo
    }

    /// Reads the 32 hex digits that [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 32 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let value = u128::from_str_radix(text, 16).ok()?;
        Some(Self(Key {
            lo: value as u64,
            hi: (value >> 64) as u64,
        }))
    }
}

impl std::ops::BitXor for StateHash {
    type Output = Self;

    /// The hash of two sets of facts that share none.
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.0.hi, self.0.lo)
    }
}

impl fmt::Debug for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, StateHash};
    use std::collections::BTreeSet;

    #[test]
    fn pairs_are_ordered_and_do_not_collide() {
        let words: Vec<Key> = (0..600).map(|i| Key::of(&format!("node.{i}"))).collect();
        let mut seen = BTreeSet::new();
        for &a in &words {
            for &b in &words {
                assert!(seen.insert(a.with(b)), "two facts share a key");
            }
        }
    }

    #[test]
    fn toggling_twice_is_identity_and_text_round_trips() {
        let mut h = StateHash::default();
        h.toggle(Key::of("a"));
        let one = h;
        h.toggle(Key::of("b"));
        h.toggle(Key::of("b"));
        assert_eq!(h, one);
        assert_eq!(StateHash::parse(&h.to_string()), Some(h));
        assert_eq!(StateHash::parse("zz"), None);
    }

    /// The written form is part of every saved run, so it must never change.
    #[test]
    fn keys_are_stable() {
        let mut h = StateHash::default();
        h.toggle(Key::of("a").with(Key::of("ON")));
        assert_eq!(h.to_string(), "7bd89f6bba6f607e4ba35d6882af1427");
    }
}
