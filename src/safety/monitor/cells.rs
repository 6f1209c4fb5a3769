//! Which cells of a family hold, and since when: a short sorted list, because nearly all do not.

/// The value of a cell that does not hold.
pub(super) const ABSENT: u32 = u32::MAX;
/// The value of a cell that is being held up right now.
pub(super) const ACTIVE: u32 = u32::MAX - 1;

/// The cells of a family that hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    keys: Vec<u128>,
    values: Vec<u32>,
}

impl Cells {
    /// The value, or [`ABSENT`].
    #[inline]
    pub(super) fn get(&self, key: u128) -> u32 {
        if self.keys.is_empty() {
            return ABSENT;
        }
        self.keys
            .binary_search(&key)
            .map_or(ABSENT, |i| self.values[i])
    }

    /// Gives a cell a value and tells the old one.
    pub(super) fn set(&mut self, key: u128, value: u32) -> u32 {
        match self.keys.binary_search(&key) {
            Ok(i) if value == ABSENT => {
                self.keys.remove(i);
                self.values.remove(i)
            }
            Ok(i) => std::mem::replace(&mut self.values[i], value),
            Err(_) if value == ABSENT => ABSENT,
            Err(i) => {
                self.keys.insert(i, key);
                self.values.insert(i, value);
                ABSENT
            }
        }
    }

    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The `i`-th cell.
    #[inline]
    pub(super) fn at(&self, i: usize) -> (u128, u32) {
        (self.keys[i], self.values[i])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u128, u32)> + '_ {
        self.keys.iter().copied().zip(self.values.iter().copied())
    }

    #[inline]
    pub(super) fn values(&self) -> &[u32] {
        &self.values
    }
}
