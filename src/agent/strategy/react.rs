//! One command a reply, with the reason for it.

use super::Entry;
use super::stepwise::Stepwise;

/// The strategy.
pub(super) const REACT: Entry = Entry {
    id: "react",
    title: "ReAct",
    what: "Gives one command at a time and says first why.",
    rounds: None,
    one_go: false,
    critic: false,
    make: |settings| Box::new(Stepwise::new(settings, "react", true, None)),
};
