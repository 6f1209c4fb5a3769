//! Waking up (Evolving Graph §4 WAKEUP); it does not need a sleep before.

use crate::sim::virtualhome::actions::{nothing, sleep};
use crate::sim::world::{ActionDef, Law, Unknown};

/// Wake up, sitting or lying.
pub(super) const WAKEUP: ActionDef = ActionDef {
    name: "WAKEUP",
    arity: 0,
    doc: "Wake up, sitting or lying.",
    unknown: Unknown::Coded,
    eai: Law {
        check: sleep::check,
        effects: nothing,
    },
    strict: Law {
        check: sleep::check,
        effects: nothing,
    },
};
