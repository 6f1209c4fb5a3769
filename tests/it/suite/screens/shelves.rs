//! The library of runs to look at.

use super::Sample;
use crate::support::shelved;

/// Runs: all known, unfolded, asked, wrongly asked, completed, partly known, damaged, many, none.
pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        name: "runs",
        make: |shape, library| shelved::known(shape, library, "", "l j j"),
    },
    Sample {
        name: "runs-group",
        make: |shape, library| shelved::known(shape, library, "", "S S j"),
    },
    Sample {
        name: "runs-matches",
        make: |shape, library| {
            shelved::known(
                shape,
                library,
                "violates before step 10 and not success",
                "l j Space Space",
            )
        },
    },
    Sample {
        name: "runs-detail",
        make: |shape, library| shelved::known(shape, library, "refused(M)", "l j Tab"),
    },
    Sample {
        name: "runs-offers",
        make: |shape, library| shelved::known(shape, library, "", "/ v i o l a t e s ( Down"),
    },
    Sample {
        name: "runs-views",
        make: |shape, library| shelved::known(shape, library, "", "/"),
    },
    Sample {
        name: "runs-wrong",
        make: |shape, library| {
            shelved::known(shape, library, "", "/ s a f e Space b e f o r e Space s 3")
        },
    },
    Sample {
        name: "runs-wrong-left",
        make: |shape, library| shelved::known(shape, library, "succes and done", ""),
    },
    Sample {
        name: "runs-nothing",
        make: |shape, library| {
            shelved::known(shape, library, "not success and violates before s1", "")
        },
    },
    Sample {
        name: "runs-loading",
        make: |shape, library| shelved::partly(shape, library, "", "l j j"),
    },
    Sample {
        name: "runs-pending",
        make: |shape, library| shelved::partly(shape, library, "violates(core)", ""),
    },
    Sample {
        name: "runs-damaged",
        make: |shape, library| shelved::known(shape, library, "damaged", "l j"),
    },
    Sample {
        name: "runs-many",
        make: |shape, library| shelved::many(shape, library, "", "l Ctrl-D Ctrl-D"),
    },
    Sample {
        name: "runs-empty",
        make: shelved::empty,
    },
    Sample {
        name: "runs-failed",
        make: shelved::failed,
    },
    Sample {
        name: "runs-hostile",
        make: |shape, library| shelved::hostile(shape, library, "l j"),
    },
];
