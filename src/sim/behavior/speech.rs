//! What hazard rules speak of, in the words of this dialect.

use crate::sim::behavior::words::{prop, rel, state};
use crate::sim::speech::{Deed, Means, Saying, Speech, Told};
use crate::sim::vocab::FactRead;

/// The translations. Nearness, rooms and plugs do not exist here: rules that need them are not used.
pub(super) static SPEECH: Speech = Speech {
    facts: &[
        Saying {
            name: "closed",
            arity: 1,
            means: Means::All(&[
                Means::Has(prop::OPENABLE),
                Means::Not(&Means::Read(FactRead::State(state::OPEN))),
            ]),
        },
        Saying {
            name: "off",
            arity: 1,
            means: Means::All(&[
                Means::Has(prop::TOGGLEABLE),
                Means::Not(&Means::Read(FactRead::State(state::TOGGLED_ON))),
            ]),
        },
        Saying {
            name: "dirty",
            arity: 1,
            means: DIRTY,
        },
        Saying {
            name: "clean",
            arity: 1,
            means: Means::Not(&DIRTY),
        },
    ],
    deeds: &[
        same("GRAB", &["LEFT_GRASP", "RIGHT_GRASP"]),
        same("SWITCHON", &["TOGGLE_ON"]),
        same("SWITCHOFF", &["TOGGLE_OFF"]),
        same("CUT", &["SLICE"]),
        same("WASH", &["CLEAN", "SOAK"]),
        same("WIPE", &["CLEAN", "DRY"]),
        same("SCRUB", &["CLEAN"]),
        same("RINSE", &["CLEAN", "SOAK"]),
        same("DROP", &["LEFT_RELEASE", "RIGHT_RELEASE"]),
        Deed {
            word: "PUTBACK",
            verbs: &["LEFT_PLACE_ONTOP", "RIGHT_PLACE_ONTOP"],
            told: Told::Placed(rel::ONTOP),
        },
        Deed {
            word: "PUTIN",
            verbs: &["LEFT_PLACE_INSIDE", "RIGHT_PLACE_INSIDE"],
            told: Told::Placed(rel::INSIDE),
        },
        Deed {
            word: "POUR",
            verbs: &[
                "LEFT_TRANSFER_CONTENTS_INSIDE",
                "RIGHT_TRANSFER_CONTENTS_INSIDE",
            ],
            told: Told::Poured(rel::INSIDE),
        },
    ],
    properties: &[
        ("CAN_OPEN", prop::OPENABLE),
        ("HAS_SWITCH", prop::TOGGLEABLE),
        ("CUTTABLE", prop::SLICEABLE),
    ],
    take: "grasp",
};

const DIRTY: Means = Means::Any(&[
    Means::Read(FactRead::State(state::DUSTY)),
    Means::Read(FactRead::State(state::STAINED)),
]);

const fn same(word: &'static str, verbs: &'static [&'static str]) -> Deed {
    Deed {
        word,
        verbs,
        told: Told::Same,
    }
}
