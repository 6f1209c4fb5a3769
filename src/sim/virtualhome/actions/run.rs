//! Running: the same as walking (Evolving Graph §4 RUN).

use crate::sim::virtualhome::actions::walk;
use crate::sim::world::{ActionDef, Law, Unknown};

/// Run to a room or a thing; the same as walking.
pub(super) const RUN: ActionDef = ActionDef {
    name: "RUN",
    arity: 1,
    doc: "Run to a room or a thing; the same as walking.",
    unknown: Unknown::Crash,
    eai: Law {
        check: walk::check,
        effects: walk::effects,
    },
    strict: Law {
        check: walk::strict,
        effects: walk::strict_effects,
    },
};
