//! What a format could not keep.

use std::collections::BTreeMap;
use std::fmt;

/// Something that readers of a format do not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The field, in our words.
    pub field: String,
    /// How many times.
    pub count: usize,
    /// Where it is kept for this program alone; `None` where it is gone.
    pub kept: Option<String>,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = if self.count == 1 {
            String::new()
        } else {
            format!(" ({} times)", self.count)
        };
        match &self.kept {
            Some(place) => write!(
                f,
                "{}{times}: no place for it; kept for Vesta alone, in {place}",
                self.field
            ),
            None => write!(f, "{}{times}: left out", self.field),
        }
    }
}

/// Losses being counted.
#[derive(Debug, Default)]
pub(super) struct Losses(BTreeMap<(String, Option<String>), usize>);

impl Losses {
    /// Something other readers do not see.
    pub(super) fn kept(&mut self, field: &str, count: usize, place: &str) {
        self.add(field, count, Some(place.to_owned()));
    }

    /// Something that is gone.
    pub(super) fn gone(&mut self, field: &str, count: usize) {
        self.add(field, count, None);
    }

    fn add(&mut self, field: &str, count: usize, kept: Option<String>) {
        if count > 0 {
            *self.0.entry((field.to_owned(), kept)).or_default() += count;
        }
    }

    /// In the order of their names.
    pub(super) fn list(self) -> Vec<Loss> {
        let all = self.0.into_iter();
        all.map(|((field, kept), count)| Loss { field, count, kept })
            .collect()
    }
}
