//! The wall and the attached run, in every state there is to look at.

use super::Sample;
use crate::support::{self, watched};

/// What is watched.
pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        name: "watch",
        make: |shape, _| watched::wall(shape, watched::rows(), ""),
    },
    Sample {
        name: "watch-many",
        make: |shape, _| watched::wall(shape, watched::many(), "j j"),
    },
    Sample {
        name: "watch-filter",
        make: |shape, _| watched::wall(shape, watched::many(), "/ s t a t e : h e l d"),
    },
    Sample {
        name: "watch-veto",
        make: |shape, _| watched::wall(shape, watched::rows(), "x"),
    },
    Sample {
        name: "watch-empty",
        make: |shape, _| watched::wall(shape, Vec::new(), ""),
    },
    Sample {
        name: "watch-reading",
        make: |shape, library| super::command(shape, library, "watch"),
    },
    Sample {
        name: "watch-failed",
        make: |shape, _| support::shipped(shape, &["watch nosuchrun"]),
    },
    Sample {
        name: "watch-hostile",
        make: |shape, _| watched::wall(shape, watched::hostile(), "j"),
    },
    Sample {
        name: "new-run",
        make: |shape, _| watched::wall(shape, watched::rows(), "n Down Ctrl-U p"),
    },
    Sample {
        name: "new-run-model",
        make: |shape, _| {
            let keys = "n Down Ctrl-U o p e n a i Down q w e n Down c Tab";
            watched::wall(shape, watched::rows(), keys)
        },
    },
    Sample {
        name: "watch-pins",
        make: |shape, _| watched::pinned(shape, 4),
    },
    Sample {
        name: "watch-pins-keys",
        make: |shape, _| {
            let mut state = watched::pinned(shape, 2);
            vesta::app::update::drive(&mut state, "Tab");
            state
        },
    },
    Sample {
        name: "attach",
        make: |shape, _| watched::attach(shape, watched::held(), ""),
    },
    Sample {
        name: "attach-veto",
        make: |shape, _| watched::attach(shape, watched::held(), "x"),
    },
    Sample {
        name: "attach-why",
        make: |shape, _| watched::attach(shape, watched::held(), "W j"),
    },
    Sample {
        name: "attach-back",
        make: |shape, _| watched::attach(shape, watched::held(), ", , Tab Tab"),
    },
    Sample {
        name: "attach-stream",
        make: |shape, _| watched::attach(shape, watched::streaming(), ""),
    },
    Sample {
        name: "attach-hand",
        make: |shape, _| watched::attach(shape, watched::by_hand(), "Tab j"),
    },
    Sample {
        name: "attach-critic",
        make: |shape, _| watched::attach(shape, watched::criticised(), ""),
    },
    Sample {
        name: "attach-ended",
        make: |shape, _| watched::attach(shape, watched::ended(), "Tab Tab Tab"),
    },
    Sample {
        name: "attach-hostile",
        make: |shape, _| watched::attach(shape, watched::hostile_words(), "k"),
    },
    Sample {
        name: "attach-failed",
        make: |shape, _| support::shipped(shape, &["attach nosuchrun"]),
    },
];
