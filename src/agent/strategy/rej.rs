//! One command a reply, after naming commands that would be wrong.

use super::Entry;
use super::stepwise::Stepwise;

/// The strategy.
pub(super) const REJ: Entry = Entry {
    id: "rej",
    title: "ReAct with rejected alternatives",
    what: "Gives one command at a time and says first which others would be wrong.",
    rounds: None,
    one_go: false,
    critic: false,
    make: |settings| Box::new(Stepwise::new(settings, "rej", true, None)),
};
