//! A look of medium length: the same as LOOKAT (Evolving Graph §2).

use crate::sim::virtualhome::actions::{lookat, nothing};
use crate::sim::world::{ActionDef, Law, Unknown};

/// Look at a thing one faces, for a while; the same as LOOKAT.
pub(super) const LOOKAT_MEDIUM: ActionDef = ActionDef {
    name: "LOOKAT_MEDIUM",
    arity: 1,
    doc: "Look at a thing one faces, for a while; the same as LOOKAT.",
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
