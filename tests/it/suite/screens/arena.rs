//! The arena in every state there is to look at.

use super::Sample;
use crate::support::{self, arena, contest};

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
        make: |shape, _| support::shipped(shape, &["arena urban-x"]),
    },
];

/// The household arena.
pub(super) const CONTESTS: &[Sample] = &[
    Sample {
        name: "contest",
        make: |shape, _| contest::held(shape, contest::record(), false, "j j"),
    },
    Sample {
        name: "contest-trace",
        make: |shape, _| contest::held(shape, contest::record(), false, "j j Tab Tab k k k"),
    },
    Sample {
        name: "contest-red",
        make: |shape, _| contest::held(shape, contest::record(), false, "j j Tab j"),
    },
    Sample {
        name: "contest-critic",
        make: |shape, _| contest::held(shape, contest::record(), false, "j j C"),
    },
    Sample {
        name: "contest-claim",
        make: |shape, _| contest::held(shape, contest::record(), false, "j j C Enter"),
    },
    Sample {
        name: "contest-why",
        make: |shape, _| contest::held(shape, contest::record(), false, "j j W"),
    },
    Sample {
        name: "contest-first-round",
        make: |shape, _| contest::held(shape, contest::record(), false, "<"),
    },
    Sample {
        name: "contest-matrix",
        make: |shape, _| contest::held(shape, contest::record(), false, "j j M l"),
    },
    Sample {
        name: "contest-frontier",
        make: |shape, _| contest::held(shape, contest::record(), false, "j j P"),
    },
    Sample {
        name: "contest-axes",
        make: |shape, _| contest::held(shape, contest::record(), false, "j j P x x y o"),
    },
    Sample {
        name: "contest-two",
        make: |shape, _| contest::held(shape, contest::two(), true, ""),
    },
    Sample {
        name: "contest-two-matrix",
        make: |shape, _| contest::held(shape, contest::two(), true, "M"),
    },
    Sample {
        name: "contest-many",
        make: |shape, _| contest::held(shape, contest::many(), false, "j j"),
    },
    Sample {
        name: "contest-many-matrix",
        make: |shape, _| {
            contest::held(shape, contest::many(), false, "M s j j l l l l l l l l l l")
        },
    },
    Sample {
        name: "contest-many-frontier",
        make: |shape, _| contest::held(shape, contest::many(), false, "P j"),
    },
    Sample {
        name: "contest-hostile",
        make: |shape, _| contest::held(shape, contest::hostile(), false, "j"),
    },
    Sample {
        name: "contest-hostile-frontier",
        make: |shape, _| contest::held(shape, contest::hostile(), false, "P"),
    },
    Sample {
        name: "contest-reading",
        make: |shape, _| contest::waiting(shape).0,
    },
    Sample {
        name: "contest-failed",
        make: |shape, _| support::shipped(shape, &["contest nosuchtask"]),
    },
];
