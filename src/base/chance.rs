//! Chance that comes out the same on every machine: one seed, one sequence.

/// A small generator (splitmix64, Steele et al. 2014).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// A generator that begins at a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `n`, each equally likely but for a bias of at most n / 2^64; 0 where `n` is 0.
    pub const fn below(&mut self, n: usize) -> usize {
        ((self.bits() as u128 * n as u128) >> 64) as usize
    }
}
