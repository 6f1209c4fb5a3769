//! Words kept once: a run names tasks, actions, rules and goals by number, so that thousands of runs fit into memory and
//! a word of a query is compared once, not once a run.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// The number of a word; 0 is the empty word, which stands for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(pub u32);

impl Sym {
    /// No word.
    pub const NONE: Self = Self(0);

    /// Whether it is a word.
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }
}

/// The words, by number.
#[derive(Clone, Debug)]
pub struct Pool {
    words: Vec<Arc<str>>,
    known: FxHashMap<Arc<str>, Sym>,
}

impl Default for Pool {
    fn default() -> Self {
        let none: Arc<str> = Arc::from("");
        Self {
            known: std::iter::once((Arc::clone(&none), Sym::NONE)).collect(),
            words: vec![none],
        }
    }
}

impl Pool {
    /// The number of a word; a new one is added.
    pub fn sym(&mut self, word: &str) -> Sym {
        if let Some(sym) = self.known.get(word) {
            return *sym;
        }
        let sym = Sym(u32::try_from(self.words.len()).unwrap_or(0));
        let word: Arc<str> = Arc::from(word);
        self.known.insert(Arc::clone(&word), sym);
        self.words.push(word);
        sym
    }

    /// The number of a word that is known.
    pub fn get(&self, word: &str) -> Option<Sym> {
        self.known.get(word).copied()
    }

    /// A word.
    pub fn word(&self, sym: Sym) -> &str {
        self.words.get(sym.0 as usize).map_or("", |word| word)
    }

    /// How many there are, the empty one included.
    pub const fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is none but the empty one.
    pub const fn is_empty(&self) -> bool {
        self.words.len() <= 1
    }

    /// The words from a number on, for whoever keeps a copy.
    pub fn from(&self, at: usize) -> &[Arc<str>] {
        self.words.get(at..).unwrap_or_default()
    }

    /// Takes over the next words of the pool this is a copy of.
    pub fn extend(&mut self, words: &[Arc<str>]) {
        for word in words {
            let sym = Sym(u32::try_from(self.words.len()).unwrap_or(0));
            self.known.entry(Arc::clone(word)).or_insert(sym);
            self.words.push(Arc::clone(word));
        }
    }

    /// Those that fit.
    pub fn set(&self, mut fits: impl FnMut(&str) -> bool) -> SymSet {
        let mut set = SymSet {
            bits: vec![0; self.words.len().div_ceil(64)],
        };
        for (at, word) in self.words.iter().enumerate().skip(1) {
            if fits(word)
                && let Some(bits) = set.bits.get_mut(at / 64)
            {
                *bits |= 1 << (at % 64);
            }
        }
        set
    }
}

/// Some words of a pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymSet {
    bits: Vec<u64>,
}

impl SymSet {
    /// Whether a word is among them.
    pub fn has(&self, sym: Sym) -> bool {
        let at = sym.0 as usize;
        let bits = self.bits.get(at / 64);
        bits.is_some_and(|bits| bits >> (at % 64) & 1 == 1)
    }
}
