//! The arena in every state there is to look at.

use super::Sample;
use crate::support::{self, arena, council};

/// What there is.
pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        name: "council",
        make: |shape, _| council::played(shape, "arena urban-100", "j j j j j"),
    },
    Sample {
        name: "council-list",
        make: |shape, _| council::played(shape, "arena", "j j"),
    },
    Sample {
        name: "council-filter",
        make: |shape, _| council::played(shape, "arena", "/ g i f t : d e c"),
    },
    Sample {
        name: "council-nothing",
        make: |shape, _| council::played(shape, "arena", "/ q q q q Enter"),
    },
    Sample {
        name: "council-first-round",
        make: |shape, _| council::played(shape, "arena urban-100", "< Tab j"),
    },
    Sample {
        name: "council-no-gifts",
        make: |shape, _| council::played(shape, "arena urban-100", "t W j"),
    },
    Sample {
        name: "council-critic",
        make: |shape, _| council::played(shape, "arena urban-100", "C j"),
    },
    Sample {
        name: "council-budget",
        make: |shape, _| council::played(shape, "arena urban-100", "B"),
    },
    Sample {
        name: "council-steps",
        make: |shape, _| council::played(shape, "arena urban-100", "Enter"),
    },
    Sample {
        name: "council-figure",
        make: |shape, _| council::played(shape, "arena urban-100", "l Enter"),
    },
    Sample {
        name: "council-doubt",
        make: |shape, _| council::played(shape, "arena urban-100", "C j Enter"),
    },
    Sample {
        name: "council-plans",
        make: |shape, _| council::plans(shape, "j"),
    },
    Sample {
        name: "council-playing",
        make: |shape, _| council::playing(shape, 112, 150),
    },
    Sample {
        name: "council-unknown",
        make: |shape, _| support::shipped(shape, &["arena urban-x"]),
    },
];

/// The household arena.
pub(super) const ARENAS: &[Sample] = &[
    Sample {
        name: "arena",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j"),
    },
    Sample {
        name: "arena-trace",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j Tab Tab k k k"),
    },
    Sample {
        name: "arena-beside",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j ="),
    },
    Sample {
        name: "arena-broken",
        make: |shape, _| arena::broken(shape, "M"),
    },
    Sample {
        name: "arena-broken-why",
        make: |shape, _| arena::broken(shape, "Enter"),
    },
    Sample {
        name: "arena-level",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j i"),
    },
    Sample {
        name: "arena-add",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j a"),
    },
    Sample {
        name: "arena-help",
        make: |shape, _| arena::held(shape, arena::record(), false, "?"),
    },
    Sample {
        name: "arena-red",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j Tab j"),
    },
    Sample {
        name: "arena-critic",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j C"),
    },
    Sample {
        name: "arena-claim",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j C Enter"),
    },
    Sample {
        name: "arena-why",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j W"),
    },
    Sample {
        name: "arena-first-round",
        make: |shape, _| arena::held(shape, arena::record(), false, "<"),
    },
    Sample {
        name: "arena-matrix",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j M l"),
    },
    Sample {
        name: "arena-frontier",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j P"),
    },
    Sample {
        name: "arena-axes",
        make: |shape, _| arena::held(shape, arena::record(), false, "j j P x x y o"),
    },
    Sample {
        name: "arena-two",
        make: |shape, _| arena::held(shape, arena::two(), true, ""),
    },
    Sample {
        name: "arena-two-matrix",
        make: |shape, _| arena::held(shape, arena::two(), true, "M"),
    },
    Sample {
        name: "arena-many",
        make: |shape, _| arena::held(shape, arena::many(), false, "j j"),
    },
    Sample {
        name: "arena-many-matrix",
        make: |shape, _| arena::held(shape, arena::many(), false, "M s j j l l l l l l l l l l"),
    },
    Sample {
        name: "arena-many-frontier",
        make: |shape, _| arena::held(shape, arena::many(), false, "P j"),
    },
    Sample {
        name: "arena-hostile",
        make: |shape, _| arena::held(shape, arena::hostile(), false, "j"),
    },
    Sample {
        name: "arena-hostile-frontier",
        make: |shape, _| arena::held(shape, arena::hostile(), false, "P"),
    },
    Sample {
        name: "arena-reading",
        make: |shape, _| arena::waiting(shape).0,
    },
    Sample {
        name: "arena-failed",
        make: |shape, _| support::shipped(shape, &["arena nosuchtask"]),
    },
];
