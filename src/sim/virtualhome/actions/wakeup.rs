//! Waking up (Evolving Graph §4 WAKEUP); it does not need a sleep before.

use crate::sim::virtualhome::actions::{nothing, sleep};
use crate::sim::world::{ActionDef, Unknown};

/// Wake up, sitting or lying.
pub(super) const WAKEUP: ActionDef = ActionDef {
    name: "WAKEUP",
    arity: 0,
    doc: "Wake up, sitting or lying.",
    unknown: Unknown::Coded,
    check: sleep::check,
    effects: nothing,
};
