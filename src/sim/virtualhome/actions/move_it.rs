//! Moving (Evolving Graph §4 MOVE).

use crate::sim::virtualhome::actions::{nothing, shove};
use crate::sim::world::{ActionDef, Law, Unknown};

/// Move a near movable thing.
pub(super) const MOVE: ActionDef = ActionDef {
    name: "MOVE",
    arity: 1,
    doc: "Move a near movable thing.",
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
