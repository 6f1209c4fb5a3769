//! The words of VirtualHome's evolving graph: ten states, eight relations, twenty-three properties; and five
//! traces of what was done, which the published graph does not know.

use crate::sim::speech::PLAIN;
use crate::sim::virtualhome::actions::ACTIONS;
use crate::sim::virtualhome::reading::READING;
use crate::sim::virtualhome::strict::DIFFERENCES;
use crate::sim::vocab::{Dialect, FactRead, FactWord, Prop, Rel, Rels, SceneRules, State, words};

/// The dialect descriptor.
pub static DIALECT: Dialect = Dialect {
    id: "virtualhome",
    states: &[
        "CLOSED",
        "OPEN",
        "ON",
        "OFF",
        "SITTING",
        "DIRTY",
        "CLEAN",
        "LYING",
        "PLUGGED_IN",
        "PLUGGED_OUT",
        "EATEN",
        "DRUNK",
        "CUT",
        "POURED",
        "SPILLED",
    ],
    published_states: 10,
    relations: &[
        "ON", "INSIDE", "BETWEEN", "CLOSE", "FACING", "HOLDS_RH", "HOLDS_LH", "SITTING",
    ],
    properties: &[
        "SURFACES",
        "GRABBABLE",
        "SITTABLE",
        "LIEABLE",
        "HANGABLE",
        "DRINKABLE",
        "EATABLE",
        "RECIPIENT",
        "CUTTABLE",
        "POURABLE",
        "CAN_OPEN",
        "HAS_SWITCH",
        "READABLE",
        "LOOKABLE",
        "CONTAINERS",
        "CLOTHES",
        "PERSON",
        "BODY_PART",
        "COVER_OBJECT",
        "HAS_PLUG",
        "HAS_PAPER",
        "MOVABLE",
        "CREAM",
    ],
    near: rel::CLOSE,
    opposites: &[
        (state::CLOSED, state::OPEN),
        (state::ON, state::OFF),
        (state::DIRTY, state::CLEAN),
        (state::PLUGGED_IN, state::PLUGGED_OUT),
        (state::SITTING, state::LYING),
    ],
    actions: ACTIONS,
    rules: &SceneRules {
        agent_class: "character",
        carried_near: Some(prop::BODY_PART),
        hands: &[rel::HOLDS_RH, rel::HOLDS_LH],
        inside: rel::INSIDE,
        on: rel::ON,
        between: Some(rel::BETWEEN),
        places: Rels::EMPTY,
        settles: true,
    },
    reading: &READING,
    facts: FACTS,
    speech: &PLAIN,
    sample: "flat",
    differences: DIFFERENCES,
};

/// A base fact of rules.
const fn fact(name: &'static str, arity: u8, read: FactRead) -> FactWord {
    FactWord { name, arity, read }
}

const FACTS: &[FactWord] = &[
    fact("open", 1, FactRead::State(state::OPEN)),
    fact("closed", 1, FactRead::State(state::CLOSED)),
    fact("on", 1, FactRead::State(state::ON)),
    fact("off", 1, FactRead::State(state::OFF)),
    fact("plugged", 1, FactRead::State(state::PLUGGED_IN)),
    fact("unplugged", 1, FactRead::State(state::PLUGGED_OUT)),
    fact("dirty", 1, FactRead::State(state::DIRTY)),
    fact("clean", 1, FactRead::State(state::CLEAN)),
    fact("sitting", 0, FactRead::Mine(state::SITTING)),
    fact("lying", 0, FactRead::Mine(state::LYING)),
    fact("held", 1, FactRead::Held),
    fact("ontop", 2, FactRead::Edge(rel::ON)),
    fact("inside", 2, FactRead::Edge(rel::INSIDE)),
    fact("near", 2, FactRead::Near),
    fact("in_room", 2, FactRead::InRoom),
    fact("sameroom", 2, FactRead::SameRoom),
    fact("within", 2, FactRead::Within),
];

words!(
    /// States by name; bits follow [`DIALECT`].
    state, State, CLOSED OPEN ON OFF SITTING DIRTY CLEAN LYING PLUGGED_IN PLUGGED_OUT
    EATEN DRUNK CUT POURED SPILLED
);
words!(
    /// Relations by name.
    rel, Rel, ON INSIDE BETWEEN CLOSE FACING HOLDS_RH HOLDS_LH SITTING
);
words!(
    /// Properties by name.
    prop, Prop,
    SURFACES GRABBABLE SITTABLE LIEABLE HANGABLE DRINKABLE EATABLE RECIPIENT CUTTABLE POURABLE CAN_OPEN HAS_SWITCH
    READABLE LOOKABLE CONTAINERS CLOTHES PERSON BODY_PART COVER_OBJECT HAS_PLUG HAS_PAPER MOVABLE CREAM
);
