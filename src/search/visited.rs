//! Which states were seen: an open table of node numbers, 16 bytes a state.

use crate::base::fold::StateHash;

/// From state keys to node numbers.
#[derive(Debug)]
pub(super) struct Visited {
    /// Half of a key, and the node's number plus one; 0 where nothing is.
    cells: Vec<(u32, u32)>,
    len: usize,
}

impl Visited {
    pub(super) fn new() -> Self {
        Self {
            cells: vec![(0, 0); 256],
            len: 0,
        }
    }

    /// The node with that key, or room for it: `Err` with the place to [`Self::put`] it.
    #[inline]
    pub(super) fn find(
        &self,
        key: StateHash,
        key_of: impl Fn(u32) -> StateHash,
    ) -> Result<u32, usize> {
        let mask = self.cells.len() - 1;
        let bucket = key.bucket();
        let tag = (bucket >> 32) as u32;
        let mut at = bucket as usize & mask;
        loop {
            let (t, n) = self.cells[at];
            if n == 0 {
                return Err(at);
            }
            if t == tag && key_of(n - 1) == key {
                return Ok(n - 1);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a node at the place that [`Self::find`] gave.
    #[inline]
    pub(super) fn put(
        &mut self,
        at: usize,
        key: StateHash,
        node: u32,
        key_of: impl Fn(u32) -> StateHash,
    ) {
        self.cells[at] = ((key.bucket() >> 32) as u32, node + 1);
        self.len += 1;
        if self.len * 3 > self.cells.len() * 2 {
            self.grow(key_of);
        }
    }

    #[cold]
    fn grow(&mut self, key_of: impl Fn(u32) -> StateHash) {
        let old = std::mem::take(&mut self.cells);
        self.cells = vec![(0, 0); old.len() * 2];
        let mask = self.cells.len() - 1;
        for (tag, n) in old.into_iter().filter(|(_, n)| *n != 0) {
            let mut at = key_of(n - 1).bucket() as usize & mask;
            while self.cells[at].1 != 0 {
                at = (at + 1) & mask;
            }
            self.cells[at] = (tag, n);
        }
    }
}
