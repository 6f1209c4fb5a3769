//! One command a reply, nothing else.

use super::Entry;
use super::stepwise::Stepwise;

/// The strategy.
pub(super) const DIRECT: Entry = Entry {
    id: "direct",
    title: "stepwise direct",
    what: "Gives one command at a time, without saying why.",
    rounds: None,
    one_go: false,
    critic: false,
    make: |settings| Box::new(Stepwise::new(settings, "direct", false, None)),
};
