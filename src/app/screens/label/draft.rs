//! What is being written about a run before it is saved; it stays while other runs are looked at.

use std::collections::BTreeSet;

use crate::app::edit::LineEdit;
use crate::app::labels::Item;
use crate::formats::run::Class;

/// A line that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Why.
    Note,
    /// Tags.
    Tags,
    /// The reviewer's name.
    Name,
}

/// What is being written; `None` of a part where it was not touched.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// The class; `Some(None)` says that nothing is wrong.
    pub class: Option<Option<Class>>,
    /// The event that caused it; `Some(None)` says that none did.
    pub cause: Option<Option<u32>>,
    /// Tags, apart by blanks.
    pub tags: Option<LineEdit>,
    /// Why.
    pub note: Option<LineEdit>,
}

/// The rest of the tag that is being written, if just one that was used goes on so.
pub(super) fn completion(line: &LineEdit, items: &[Item]) -> Option<String> {
    let (before, _) = line.halves();
    let begun = before.rsplit(char::is_whitespace).next()?;
    let begun = begun.trim_start_matches('+');
    if begun.is_empty() {
        return None;
    }
    let labels = items.iter().flat_map(|it| it.labels.values());
    let used: BTreeSet<&String> = labels.flat_map(|label| &label.tags).collect();
    let mut fits = used.into_iter().filter_map(|tag| tag.strip_prefix(begun));
    let first = fits.next().filter(|rest| !rest.is_empty())?;
    fits.next().is_none().then(|| first.to_owned())
}
