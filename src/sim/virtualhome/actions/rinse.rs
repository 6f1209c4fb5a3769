//! The same as washing (Evolving Graph §4 RINSE).

use crate::sim::virtualhome::actions::wash;
use crate::sim::world::{ActionDef, Law, Unknown};

/// Rinse a near thing; the same as washing.
pub(super) const RINSE: ActionDef = ActionDef {
    name: "RINSE",
    arity: 1,
    doc: "Rinse a near thing; the same as washing.",
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
