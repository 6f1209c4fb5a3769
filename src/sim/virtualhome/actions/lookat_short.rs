//! An action that parses but has no executor (Evolving Graph §2, Q10).

use crate::sim::virtualhome::actions::{lookat, no_executor, nothing};
use crate::sim::world::{ActionDef, Law, Unknown};

/// Look at a thing shortly; under eai it crashes, as published.
pub(super) const LOOKAT_SHORT: ActionDef = ActionDef {
    name: "LOOKAT_SHORT",
    arity: 1,
    doc: "Look at a thing shortly; under eai it crashes, as published.",
    unknown: Unknown::Crash,
    eai: Law {
        check: no_executor,
        effects: nothing,
    },
    strict: Law {
        check: lookat::strict,
        effects: nothing,
    },
};
