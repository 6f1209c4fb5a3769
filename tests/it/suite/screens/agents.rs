//! What there is to look at about agents: reports and prompts.

use vesta::app::msg::Msg;
use vesta::app::update::update;

use super::{Sample, drive_on, keys};
use crate::support::{self, reported};

/// Reports and prompts.
pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        name: "report",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "j"),
    },
    Sample {
        name: "report-risk",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "] ] ] G l l"),
    },
    Sample {
        name: "report-bars",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "p l l j"),
    },
    Sample {
        name: "report-notes",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "[ j"),
    },
    Sample {
        name: "report-runs",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "Enter j"),
    },
    Sample {
        name: "report-hostile",
        make: |shape, library| reported::open(shape, library, &reported::hostile(), "Enter"),
    },
    Sample {
        name: "report-empty",
        make: |shape, library| reported::open(shape, library, &[], ""),
    },
    Sample {
        name: "report-loading",
        make: |shape, library| keys(shape, library, "g p"),
    },
    Sample {
        name: "report-failed",
        make: |shape, _| support::shipped(shape, &["report no/such/folder"]),
    },
    Sample {
        name: "prompts",
        make: |shape, _| support::shipped(shape, &["prompt", "keys j j"]),
    },
    Sample {
        name: "prompt",
        make: |shape, _| support::shipped(shape, &["prompt react V022"]),
    },
    Sample {
        name: "prompt-fault",
        make: |shape, _| {
            let mut state = support::shipped(shape, &["prompt common V022"]);
            update(&mut state, Msg::Paste("See {{histroy}}.\n".to_owned()));
            state
        },
    },
    Sample {
        name: "prompt-diff",
        make: |shape, _| {
            let mut state = support::shipped(shape, &["prompt react V022"]);
            update(&mut state, Msg::Paste("Be brief.\n".to_owned()));
            drive_on(state, "Ctrl-D")
        },
    },
];
