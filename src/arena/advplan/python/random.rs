//! `random.Random`: the Mersenne twister MT19937 with `CPython`'s seeding and its ways to make numbers of words (§1).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Words of state.
const N: usize = 624;

/// The offset of the recurrence.
const M: usize = 397;

/// What was asked of a generator, and what it gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// It was opened with a seed.
    Seed(u64),
    /// A float between two ends.
    Uniform(f64, f64, f64),
    /// One of so many, by index.
    Choice(u32, u32),
    /// A whole number between two ends, both included.
    Randint(u32, u32, u32),
}

/// One entry of a log: which generator, in order of opening, and the call.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// The generator, counted from 0.
    pub generator: usize,
    /// What it was asked.
    pub call: Call,
}

/// Where draws are written down.
type Log = Rc<RefCell<Vec<Draw>>>;

/// How many seeded states are kept: the policies of a scenario open the same few seeds again and again.
const KEPT: usize = 64;

/// Opens generators. One that listens keeps every draw, to be compared with recordings.
#[derive(Debug, Default)]
pub struct Dice {
    log: Option<Log>,
    opened: Cell<usize>,
    known: RefCell<Known>,
}

/// States as they are after seeding and the first refill, the oldest given up first.
#[derive(Debug, Default)]
struct Known {
    seeds: Vec<u64>,
    states: Vec<[u32; N]>,
    oldest: usize,
}

impl Known {
    fn open(&mut self, seed: u64) -> Random {
        if let Some(at) = self.seeds.iter().position(|s| *s == seed) {
            return Random {
                state: Box::new(self.states[at]),
                at: 0,
                log: None,
            };
        }
        let mut random = Random::new(seed);
        random.refill();
        if self.seeds.len() < KEPT {
            self.seeds.push(seed);
            self.states.push(*random.state);
        } else {
            self.seeds[self.oldest] = seed;
            self.states[self.oldest] = *random.state;
            self.oldest = (self.oldest + 1) % KEPT;
        }
        random
    }
}

impl Dice {
    /// Dice that keep every draw.
    pub fn listening() -> Self {
        Self {
            log: Some(Log::default()),
            ..Self::default()
        }
    }

    /// A fresh generator.
    pub fn open(&self, seed: u64) -> Random {
        let mut random = self.known.borrow_mut().open(seed);
        if let Some(log) = &self.log {
            let number = self.opened.get();
            self.opened.set(number + 1);
            random.log = Some((number, Rc::clone(log)));
            random.note(|| Call::Seed(seed));
        }
        random
    }

    /// The draws since the last call, in order.
    pub fn heard(&self) -> Vec<Draw> {
        self.log
            .as_ref()
            .map(|log| std::mem::take(&mut *log.borrow_mut()))
            .unwrap_or_default()
    }
}

/// A generator.
#[derive(Debug)]
pub struct Random {
    state: Box<[u32; N]>,
    at: usize,
    log: Option<(usize, Log)>,
}

/// What seeding begins with, whatever the seed.
const FIRST: [u32; N] = {
    let mut s = [0_u32; N];
    s[0] = 19_650_218;
    let mut i = 1;
    while i < N {
        let before = s[i - 1];
        s[i] = 1_812_433_253_u32
            .wrapping_mul(before ^ (before >> 30))
            .wrapping_add(i as u32);
        i += 1;
    }
    s
};

const fn temper(mut y: u32) -> u32 {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c_5680;
    y ^= (y << 15) & 0xefc6_0000;
    y ^ (y >> 18)
}

impl Random {
    /// Seeded as `random.Random(seed)` is by a whole number.
    pub fn new(seed: u64) -> Self {
        let low = seed as u32;
        let high = (seed >> 32) as u32;
        let key: &[u32] = if high == 0 { &[low] } else { &[low, high] };
        let mut s = Box::new(FIRST);
        let (mut i, mut j) = (1, 0);
        for _ in 0..N {
            let before = s[i - 1];
            s[i] = (s[i] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            i += 1;
            j += 1;
            if i >= N {
                s[0] = s[N - 1];
                i = 1;
            }
            if j >= key.len() {
                j = 0;
            }
        }
        for _ in 1..N {
            let before = s[i - 1];
            s[i] = (s[i] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941))
                .wrapping_sub(i as u32);
            i += 1;
            if i >= N {
                s[0] = s[N - 1];
                i = 1;
            }
        }
        s[0] = 0x8000_0000;
        Self {
            state: s,
            at: N,
            log: None,
        }
    }

    fn refill(&mut self) {
        let s = &mut self.state;
        let twist = |u: u32, v: u32| {
            let y = (u & 0x8000_0000) | (v & 0x7fff_ffff);
            (y >> 1) ^ ((y & 1).wrapping_neg() & 0x9908_b0df)
        };
        for i in 0..N - M {
            s[i] = s[i + M] ^ twist(s[i], s[i + 1]);
        }
        for i in N - M..N - 1 {
            s[i] = s[i + M - N] ^ twist(s[i], s[i + 1]);
        }
        s[N - 1] = s[M - 1] ^ twist(s[N - 1], s[0]);
        self.at = 0;
    }

    /// The next 32 bits.
    pub fn word(&mut self) -> u32 {
        if self.at >= N {
            self.refill();
        }
        let y = self.state[self.at];
        self.at += 1;
        temper(y)
    }

    /// `random()`: 53 bits in `[0, 1)`, from two words.
    pub fn random(&mut self) -> f64 {
        let a = f64::from(self.word() >> 5);
        let b = f64::from(self.word() >> 6);
        (a * 67_108_864.0 + b) / 9_007_199_254_740_992.0
    }

    /// A whole number below `n`, by drawing as many bits as `n` has until one fits; 0 for nothing to choose from.
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        let shift = n.leading_zeros();
        loop {
            let drawn = self.word() >> shift;
            if drawn < n {
                return drawn;
            }
        }
    }

    /// So many whole numbers below `n`, as [`Self::below`] gives them one after the other.
    pub fn many_below(&mut self, n: u32, count: usize) -> Vec<u32> {
        let mut all = vec![0; count];
        if n == 0 {
            return all;
        }
        let shift = n.leading_zeros();
        let mut kept = 0;
        while kept < count {
            if self.at >= N {
                self.refill();
            }
            // What does not fit is written over: no branch that nobody can foresee.
            for &y in &self.state[self.at..] {
                let Some(place) = all.get_mut(kept) else {
                    break;
                };
                let drawn = temper(y) >> shift;
                *place = drawn;
                kept += usize::from(drawn < n);
                self.at += 1;
            }
        }
        all
    }

    /// `uniform(a, b)`.
    pub fn uniform(&mut self, a: f64, b: f64) -> f64 {
        let x = a + (b - a) * self.random();
        self.note(|| Call::Uniform(a, b, x));
        x
    }

    /// The index `choice` takes of a sequence of `len`.
    pub fn choice(&mut self, len: usize) -> usize {
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        let index = self.below(len);
        self.note(|| Call::Choice(len, index));
        index as usize
    }

    /// `randint(a, b)`, both ends included; `a` where `b` is below it.
    pub fn randint(&mut self, a: u32, b: u32) -> u32 {
        let x = a + self.below(b.saturating_sub(a).saturating_add(1));
        self.note(|| Call::Randint(a, b, x));
        x
    }

    /// `shuffle`, in place.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i as u32 + 1) as usize;
            items.swap(i, j);
        }
    }

    /// `sample(range(n), k)`; at most `n` of them.
    pub fn sample(&mut self, n: u32, k: u32) -> Vec<u32> {
        let k = k.min(n);
        let mut few = 21_u64;
        if k > 5 {
            let mut table = 4_u64;
            while table < 3 * u64::from(k) {
                table *= 4;
            }
            few += table;
        }
        if u64::from(n) <= few {
            let mut pool: Vec<u32> = (0..n).collect();
            let draw = |i: u32| {
                let j = self.below(n - i) as usize;
                let taken = pool[j];
                pool[j] = pool[(n - i - 1) as usize];
                taken
            };
            return (0..k).map(draw).collect();
        }
        let mut taken = Vec::new();
        while taken.len() < k as usize {
            let j = self.below(n);
            if !taken.contains(&j) {
                taken.push(j);
            }
        }
        taken
    }

    fn note(&self, call: impl FnOnce() -> Call) {
        if let Some((generator, log)) = &self.log {
            log.borrow_mut().push(Draw {
                generator: *generator,
                call: call(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::float_cmp,
        reason = "equal to the last bit is what is promised"
    )]

    use super::*;

    /// The values below were printed by `CPython` 3.11; its generator is that of 3.12.
    #[test]
    fn words_and_floats_are_those_of_cpython() {
        let mut g = Random::new(0);
        assert_eq!(
            [g.word(), g.word(), g.word()],
            [3_626_764_237, 1_654_615_998, 3_255_389_356]
        );
        let mut g = Random::new(100);
        assert_eq!(g.random(), 0.145_669_255_104_130_3);
        assert_eq!(g.uniform(-0.015, 0.015), -0.001_352_189_864_579_359_7);
        // Beyond the first refill, and a seed of two words.
        let mut g = Random::new(1_099_511_627_783);
        let far = (0..1000).map(|_| g.word()).last();
        assert_eq!(far, Some(3_133_584_645));
    }

    #[test]
    fn whole_numbers_are_drawn_by_bits() {
        let mut g = Random::new(42);
        let drawn: Vec<u32> = (0..8).map(|_| g.randint(0, 149)).collect();
        assert_eq!(drawn, [28, 6, 70, 62, 57, 35, 26, 139]);
        let drawn: Vec<usize> = (0..8).map(|_| g.choice(4)).collect();
        assert_eq!(drawn, [0, 3, 0, 0, 0, 1, 1, 0]);
        assert_eq!((g.below(0), g.randint(5, 3)), (0, 5));
    }

    #[test]
    fn samples_and_shuffles() {
        let mut g = Random::new(7);
        assert_eq!(g.sample(20, 5), [10, 4, 12, 1, 2]);
        assert_eq!(g.sample(1000, 8), [840, 548, 96, 374, 596, 59, 931, 519]);
        assert_eq!(g.sample(2, 5).len(), 2);
        let mut items: Vec<u32> = (0..10).collect();
        g.shuffle(&mut items);
        assert_eq!(items, [5, 2, 4, 3, 7, 9, 0, 8, 6, 1]);
    }

    #[test]
    fn dice_keep_what_was_drawn() {
        let dice = Dice::listening();
        let _ = dice.open(1);
        let x = dice.open(2).choice(6) as u32;
        let entry = |generator, call| Draw { generator, call };
        assert_eq!(
            dice.heard(),
            [
                entry(0, Call::Seed(1)),
                entry(1, Call::Seed(2)),
                entry(1, Call::Choice(6, x))
            ]
        );
        assert_eq!(dice.heard(), []);
        let silent = Dice::default();
        silent.open(1).choice(6);
        assert_eq!(silent.heard(), []);
    }
}
