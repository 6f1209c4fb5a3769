//! Runs side by side in every state there is to look at.

use super::Sample;
use crate::support::{self, compared};

/// What there is.
pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        name: "compare",
        make: |shape, _| compared::shown(shape, compared::two(), ""),
    },
    Sample {
        name: "compare-violation",
        make: |shape, _| compared::shown(shape, compared::two(), "] v Tab Tab"),
    },
    Sample {
        name: "compare-why",
        make: |shape, _| compared::shown(shape, compared::two(), "] v Tab Tab j j j W"),
    },
    Sample {
        name: "compare-node",
        make: |shape, _| compared::shown(shape, compared::two(), "] v Tab Tab W"),
    },
    Sample {
        name: "compare-text",
        make: |shape, _| compared::shown(shape, compared::two(), "d d x"),
    },
    Sample {
        name: "compare-hash",
        make: |shape, _| compared::shown(shape, compared::two(), "d d d g g"),
    },
    Sample {
        name: "compare-repaired",
        make: |shape, _| compared::shown(shape, compared::repaired(), ""),
    },
    Sample {
        name: "compare-branches",
        make: |shape, _| compared::shown(shape, compared::branches(), ""),
    },
    Sample {
        name: "compare-six",
        make: |shape, _| compared::shown(shape, compared::six(), "4 a j"),
    },
    Sample {
        name: "compare-equal",
        make: |shape, _| compared::shown(shape, compared::equal(), "z"),
    },
    Sample {
        name: "compare-tasks",
        make: |shape, _| compared::shown(shape, compared::tasks(), "! Esc"),
    },
    Sample {
        name: "compare-damaged",
        make: |shape, _| compared::shown(shape, compared::damaged(), ""),
    },
    Sample {
        name: "compare-hostile",
        make: |shape, _| compared::shown(shape, compared::hostile(), "! Esc"),
    },
    Sample {
        name: "compare-reading",
        make: |shape, _| compared::waiting(shape).0,
    },
    Sample {
        name: "compare-failed",
        make: |shape, _| support::shipped(shape, &["compare nosuchrun alsonot", "keys ! Esc"]),
    },
];
