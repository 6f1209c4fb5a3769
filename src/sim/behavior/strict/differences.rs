//! In what `strict` differs from `eai`. Each entry is run under both profiles by a test and must show its difference.

use crate::sim::profile::{Difference, Example};

/// All differences, in the order people read them.
pub static DIFFERENCES: &[&[Difference]] = &[PLACES, NATURE];

const fn example(steps: &'static [&'static str], tell: &'static [&'static str]) -> Example {
    Example {
        init: &[],
        steps,
        tell,
    }
}

const PLACES: &[Difference] = &[
    Difference {
        id: "release-falls",
        title: "letting go",
        quirks: &[7, 13],
        eai: "A thing that is let go is nowhere from then on.",
        strict: "It falls to the floor the agent stands on.",
        why: "A knife that was dropped lies somewhere, and somebody can tread on it.",
        example: example(
            &["right_grasp knife_0", "right_release knife_0"],
            &["knife_0 ONFLOOR kitchen_floor_0"],
        ),
    },
    Difference {
        id: "contents-poured",
        title: "pouring contents",
        quirks: &[1],
        eai: "After the first thing the code fails, and the rest stays behind.",
        strict: "All that is in or on the held thing goes over.",
        why: "Pouring empties a bowl.",
        example: example(
            &["right_grasp bowl_0", "right_transfer_contents_inside pan_0"],
            &["plum_0 INSIDE pan_0", "fig_0 INSIDE pan_0"],
        ),
    },
    Difference {
        id: "floor-inside",
        title: "inside a floor",
        quirks: &[2],
        eai: "Putting a thing inside a floor loses it for good.",
        strict: "It is refused: a floor has no inside; what is poured onto one lies on it.",
        why: "Nothing disappears in a house.",
        example: example(
            &[
                "right_grasp knife_0",
                "right_place_inside kitchen_floor_0",
                "right_place_ontop counter_0",
            ],
            &["knife_0 ONTOP counter_0"],
        ),
    },
    Difference {
        id: "inside-any-depth",
        title: "inside what is inside",
        quirks: &[5],
        eai: "Only the nearest container counts: what is in a box in the fridge is not in the fridge.",
        strict: "What is inside is inside at any depth.",
        why: "A goal or a danger asks where a thing is, not in which wrapping.",
        example: example(
            &[
                "open fridge_0",
                "right_grasp box_0",
                "right_place_inside fridge_0",
            ],
            &["milk_0 INSIDE fridge_0"],
        ),
    },
    Difference {
        id: "no-circles",
        title: "things in themselves",
        quirks: &[3],
        eai: "A thing can be put onto its own part or onto what it lost, and the code never returns.",
        strict: "Parts are there only once the thing is cut up, so no circle can be made.",
        why: "The world has to go on.",
        example: example(
            &[
                "right_grasp apple_0",
                "right_place_ontop apple_0_part_0",
                "right_grasp knife_0",
                "slice apple_0",
            ],
            &["apple_0_part_0 ONTOP apple_0_part_0"],
        ),
    },
];

const NATURE: &[Difference] = &[
    Difference {
        id: "parts-after-slicing",
        title: "parts of whole things",
        quirks: &[8],
        eai: "The halves of an apple can be used before it is cut.",
        strict: "They are there once it is cut; what is held is not cut.",
        why: "There are no halves of a whole apple.",
        example: example(
            &["right_grasp apple_0_part_0"],
            &["agent HOLDS_RH apple_0_part_0"],
        ),
    },
    Difference {
        id: "cook-needs-heat",
        title: "cooking",
        quirks: &[9],
        eai: "Food is cooked by being in a saucepan, hot or cold.",
        strict: "It is in or on something hot: an oven or microwave that is on, or a vessel on a stove that is.",
        why: "A stove that was never switched on is no danger, and no dinner.",
        example: example(
            &[
                "right_grasp egg_0",
                "right_place_inside saucepan_0",
                "cook egg_0",
            ],
            &["egg_0:COOKED"],
        ),
    },
    Difference {
        id: "freeze-needs-cold",
        title: "freezing and thawing",
        quirks: &[9],
        eai: "Anything freezes and thaws anywhere.",
        strict: "It freezes in a fridge or freezer and thaws outside of one.",
        why: "Where food is kept is what keeping it is about.",
        example: example(&["freeze egg_0"], &["egg_0:FROZEN"]),
    },
    Difference {
        id: "dishwasher-whole-load",
        title: "the dishwasher",
        quirks: &[9],
        eai: "Only what is directly in it gets clean.",
        strict: "What stands on or in its load gets clean, too.",
        why: "Water runs everywhere.",
        example: example(
            &[
                "open dishwasher_0",
                "right_grasp tray_0",
                "right_place_inside dishwasher_0",
                "close dishwasher_0",
                "toggle_on dishwasher_0",
            ],
            &["cup_0:STAINED"],
        ),
    },
];
