//! Releasing: the same as dropping (Evolving Graph §4 RELEASE).

use crate::sim::virtualhome::actions::drop;
use crate::sim::world::{ActionDef, Law, Unknown};

/// Release a held thing; the same as dropping.
pub(super) const RELEASE: ActionDef = ActionDef {
    name: "RELEASE",
    arity: 1,
    doc: "Release a held thing; the same as dropping.",
    unknown: Unknown::Coded,
    eai: Law {
        check: drop::check,
        effects: drop::effects,
    },
    strict: Law {
        check: drop::strict,
        effects: drop::strict_effects,
    },
};
