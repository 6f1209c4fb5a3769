//! The arena in every state there is to look at.

use super::Sample;
use crate::support::{self, arena};

/// What there is.
pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        name: "arena",
        make: |shape, _| arena::played(shape, "arena urban-100", "j j j j j"),
    },
    Sample {
        name: "arena-list",
        make: |shape, _| arena::played(shape, "arena", "j j"),
    },
    Sample {
        name: "arena-filter",
        make: |shape, _| arena::played(shape, "arena", "/ g i f t : d e c"),
    },
    Sample {
        name: "arena-nothing",
        make: |shape, _| arena::played(shape, "arena", "/ q q q q Enter"),
    },
    Sample {
        name: "arena-first-round",
        make: |shape, _| arena::played(shape, "arena urban-100", "< Tab j"),
    },
    Sample {
        name: "arena-no-gifts",
        make: |shape, _| arena::played(shape, "arena urban-100", "t W j"),
    },
    Sample {
        name: "arena-critic",
        make: |shape, _| arena::played(shape, "arena urban-100", "C j"),
    },
    Sample {
        name: "arena-budget",
        make: |shape, _| arena::played(shape, "arena urban-100", "B"),
    },
    Sample {
        name: "arena-steps",
        make: |shape, _| arena::played(shape, "arena urban-100", "Enter"),
    },
    Sample {
        name: "arena-figure",
        make: |shape, _| arena::played(shape, "arena urban-100", "l Enter"),
    },
    Sample {
        name: "arena-doubt",
        make: |shape, _| arena::played(shape, "arena urban-100", "C j Enter"),
    },
    Sample {
        name: "arena-playing",
        make: |shape, _| arena::playing(shape, 112, 150),
    },
    Sample {
        name: "arena-unknown",
        make: |shape, _| support::shipped(shape, &["arena nosuch-1"]),
    },
];
