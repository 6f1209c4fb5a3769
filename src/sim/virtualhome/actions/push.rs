//! Pushing (Evolving Graph §4 PUSH): accepts every object, as published.

use crate::sim::virtualhome::actions::{nothing, shove};
use crate::sim::world::{ActionDef, Law, Unknown};

/// Push a near thing.
pub(super) const PUSH: ActionDef = ActionDef {
    name: "PUSH",
    arity: 1,
    doc: "Push a near thing.",
    unknown: Unknown::Coded,
    eai: Law {
        check: shove::check_push,
        effects: nothing,
    },
    strict: Law {
        check: shove::strict,
        effects: nothing,
    },
};
