//! Pointing (Evolving Graph §4 POINTAT).

use crate::sim::virtualhome::actions::{lookat, nothing};
use crate::sim::world::{ActionDef, Law, Unknown};

/// Point at a thing one faces.
pub(super) const POINTAT: ActionDef = ActionDef {
    name: "POINTAT",
    arity: 1,
    doc: "Point at a thing one faces.",
    unknown: Unknown::Coded,
    eai: Law {
        check: lookat::check,
        effects: nothing,
    },
    strict: Law {
        check: lookat::strict,
        effects: nothing,
    },
};
