//! The same as washing (Evolving Graph §4 SCRUB).

use crate::sim::virtualhome::actions::wash;
use crate::sim::world::{ActionDef, Law, Unknown};

/// Scrub a near thing; the same as washing.
pub(super) const SCRUB: ActionDef = ActionDef {
    name: "SCRUB",
    arity: 1,
    doc: "Scrub a near thing; the same as washing.",
    unknown: Unknown::Coded,
    eai: Law {
        check: wash::check,
        effects: wash::effects,
    },
    strict: Law {
        check: wash::strict,
        effects: wash::effects,
    },
};
