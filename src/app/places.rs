//! The screens one can go back and forward through; there is always one in front.

use crate::app::screens::Screen;

/// Places kept behind the front one; the oldest goes first.
const KEPT: usize = 64;

/// A layer with the number that tells it from others of its kind.
#[derive(Debug)]
pub struct Numbered<T> {
    /// The number.
    pub id: u64,
    /// The layer.
    pub it: T,
}

/// A row of places with one in front.
#[derive(Debug)]
pub struct Places {
    before: Vec<Numbered<Screen>>,
    here: Numbered<Screen>,
    after: Vec<Numbered<Screen>>,
}

impl Places {
    /// A row of one place.
    pub const fn new(here: Numbered<Screen>) -> Self {
        Self {
            before: Vec::new(),
            here,
            after: Vec::new(),
        }
    }

    /// The place in front.
    pub const fn here(&self) -> &Numbered<Screen> {
        &self.here
    }

    /// The place in front, to be changed.
    pub const fn here_mut(&mut self) -> &mut Numbered<Screen> {
        &mut self.here
    }

    /// The place with that number.
    pub fn find_mut(&mut self, id: u64) -> Option<&mut Numbered<Screen>> {
        let here = std::iter::once(&mut self.here);
        here.chain(&mut self.before)
            .chain(&mut self.after)
            .find(|place| place.id == id)
    }

    /// Whether there is a place to go back to.
    pub const fn can_go_back(&self) -> bool {
        !self.before.is_empty()
    }

    /// Whether there is a place to go forward to.
    pub const fn can_go_forward(&self) -> bool {
        !self.after.is_empty()
    }

    /// The place in front, and all others.
    pub fn behind_mut(&mut self) -> (&Screen, impl Iterator<Item = &mut Numbered<Screen>>) {
        let behind = self.before.iter_mut().chain(&mut self.after);
        (&self.here.it, behind)
    }

    /// Puts a new place in front; the places after the old one are gone, and so is the oldest of too
    /// many. They are returned.
    pub fn open(&mut self, place: Numbered<Screen>) -> Vec<Numbered<Screen>> {
        let mut gone: Vec<Numbered<Screen>> = self.after.drain(..).collect();
        self.before.push(std::mem::replace(&mut self.here, place));
        if self.before.len() > KEPT {
            gone.push(self.before.remove(0));
        }
        gone
    }

    /// Goes one place back. Whether there was one.
    pub fn back(&mut self) -> bool {
        let Some(place) = self.before.pop() else {
            return false;
        };
        self.after.push(std::mem::replace(&mut self.here, place));
        true
    }

    /// Goes one place forward. Whether there was one.
    pub fn forward(&mut self) -> bool {
        let Some(place) = self.after.pop() else {
            return false;
        };
        self.before.push(std::mem::replace(&mut self.here, place));
        true
    }

    /// Leaves the place in front for the one before it; the place that is gone.
    pub fn leave(&mut self) -> Option<Numbered<Screen>> {
        let place = self.before.pop()?;
        Some(std::mem::replace(&mut self.here, place))
    }
}
