//! The words of BEHAVIOR's evolving graph: eight states, three plain relations, two links of the placement forest, two
//! hands; and the trace of an object that a failed move lost.

use crate::sim::behavior::actions::ACTIONS;
use crate::sim::behavior::plain;
use crate::sim::behavior::reading::READING;
use crate::sim::behavior::speech::SPEECH;
use crate::sim::behavior::strict::DIFFERENCES;
use crate::sim::vocab::{Dialect, FactRead, FactWord, Prop, Rel, SceneRules, State, words};

/// The dialect descriptor.
pub static DIALECT: Dialect = Dialect {
    id: "behavior",
    states: &[
        "COOKED",
        "DUSTY",
        "FROZEN",
        "OPEN",
        "SLICED",
        "SOAKED",
        "STAINED",
        "TOGGLED_ON",
        "LOST",
    ],
    published_states: 8,
    relations: &[
        "ONTOP", "INSIDE", "ONFLOOR", "UNDER", "NEXTTO", "HOLDS_RH", "HOLDS_LH", "PART_OF",
    ],
    properties: &[
        "COOKABLE",
        "DUSTYABLE",
        "FREEZABLE",
        "OPENABLE",
        "SLICEABLE",
        "SOAKABLE",
        "STAINABLE",
        "TOGGLEABLE",
        "SLICER",
        "CLEANING_TOOL",
        "FLOOR",
        "PART",
    ],
    near: rel::NEXTTO,
    opposites: &[],
    actions: ACTIONS,
    rules: &SceneRules {
        agent_class: "agent",
        carried_near: None,
        hands: &[rel::HOLDS_RH, rel::HOLDS_LH],
        inside: rel::INSIDE,
        on: rel::ONTOP,
        between: None,
        places: plain::LABELS,
        settles: false,
    },
    reading: &READING,
    facts: FACTS,
    speech: &SPEECH,
    sample: "nook",
    differences: DIFFERENCES,
};

/// A base fact of rules.
const fn fact(name: &'static str, arity: u8, read: FactRead) -> FactWord {
    FactWord { name, arity, read }
}

const FACTS: &[FactWord] = &[
    fact("open", 1, FactRead::State(state::OPEN)),
    fact("on", 1, FactRead::State(state::TOGGLED_ON)),
    fact("held", 1, FactRead::Held),
    fact("ontop", 2, FactRead::Edge(rel::ONTOP)),
    fact("inside", 2, FactRead::Edge(rel::INSIDE)),
    fact("within", 2, FactRead::Within),
];

words!(
    /// States by name; bits follow [`DIALECT`].
    state, State, COOKED DUSTY FROZEN OPEN SLICED SOAKED STAINED TOGGLED_ON LOST
);
words!(
    /// Relations by name.
    rel, Rel, ONTOP INSIDE ONFLOOR UNDER NEXTTO HOLDS_RH HOLDS_LH PART_OF
);
words!(
    /// Properties by name. The first eight say which states an object has, bit for bit.
    prop, Prop,
    COOKABLE DUSTYABLE FREEZABLE OPENABLE SLICEABLE SOAKABLE STAINABLE TOGGLEABLE SLICER CLEANING_TOOL FLOOR PART
);
