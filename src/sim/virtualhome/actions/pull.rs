//! Pulling (Evolving Graph §4 PULL).

use crate::sim::virtualhome::actions::{nothing, shove};
use crate::sim::world::{ActionDef, Law, Unknown};

/// Pull a near movable thing.
pub(super) const PULL: ActionDef = ActionDef {
    name: "PULL",
    arity: 1,
    doc: "Pull a near movable thing.",
    unknown: Unknown::Coded,
    eai: Law {
        check: shove::check_move,
        effects: nothing,
    },
    strict: Law {
        check: shove::strict,
        effects: nothing,
    },
};
