//! Many short lists of numbers in one allocation, so that cloning a graph is a copy and growing one is rare.

/// A list of `u32` per owner. Order inside a list is not meaningful.
#[derive(Clone, Debug)]
pub struct Lists {
    heads: Vec<Head>,
    data: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Head {
    start: u32,
    len: u32,
    room: u32,
}

impl Lists {
    /// Empty lists for `n` owners.
    pub fn new(n: usize) -> Self {
        Self {
            heads: vec![Head::default(); n],
            data: Vec::new(),
        }
    }

    /// The list of an owner.
    #[inline]
    pub fn of(&self, owner: u32) -> &[u32] {
        let h = self.heads[owner as usize];
        &self.data[h.start as usize..(h.start + h.len) as usize]
    }

    /// Appends to an owner's list, moving it to a larger place when it is full.
    #[inline]
    pub fn push(&mut self, owner: u32, value: u32) {
        let h = self.heads[owner as usize];
        if h.len == h.room {
            self.grow(owner);
        }
        let h = &mut self.heads[owner as usize];
        self.data[(h.start + h.len) as usize] = value;
        h.len += 1;
    }

    #[cold]
    fn grow(&mut self, owner: u32) {
        let h = self.heads[owner as usize];
        let room = (h.room * 2).max(4);
        let start = self.data.len() as u32;
        self.data
            .extend_from_within(h.start as usize..(h.start + h.len) as usize);
        self.data.resize((start + room) as usize, 0);
        self.heads[owner as usize] = Head {
            start,
            len: h.len,
            room,
        };
    }

    /// The `i`-th value of an owner's list.
    #[inline]
    pub fn get(&self, owner: u32, i: u32) -> u32 {
        self.data[(self.heads[owner as usize].start + i) as usize]
    }

    /// The length of an owner's list.
    #[inline]
    pub fn len(&self, owner: u32) -> u32 {
        self.heads[owner as usize].len
    }

    /// Removes the `i`-th value; the last one takes its place.
    #[inline]
    pub fn swap_remove(&mut self, owner: u32, i: u32) {
        let h = &mut self.heads[owner as usize];
        h.len -= 1;
        let (at, last) = ((h.start + i) as usize, (h.start + h.len) as usize);
        self.data.swap(at, last);
    }
}
