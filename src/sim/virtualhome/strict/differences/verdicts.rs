//! Looking, and how a refusal is called.

use crate::sim::profile::{Difference, Example};

pub(super) const VERDICTS: &[Difference] = &[
    Difference {
        id: "looking-works",
        title: "Short and long looks work",
        quirks: &[10],
        eai: "LOOKAT_SHORT and LOOKAT_LONG crash.",
        strict: "They do what LOOKAT does.",
        why: "Published lists offer them as actions.",
        example: Example {
            init: &[],
            steps: &[
                "walk television",
                "turnto television",
                "lookat_long television",
            ],
            tell: &[],
        },
    },
    Difference {
        id: "turn-in-the-room",
        title: "One turns to what is in the room",
        quirks: &[20],
        eai: "One can turn to anything anywhere.",
        strict: "It has to be in the same room, or near; greeting asks for the same.",
        why: "There are walls.",
        example: Example {
            init: &[],
            steps: &["turnto microwave"],
            tell: &["character FACING microwave"],
        },
    },
    Difference {
        id: "see-straight",
        title: "One sees what one faces",
        quirks: &[],
        eai: "Whatever is faced by something faced is faced too.",
        strict: "One looks at what one faces oneself, and not into closed things.",
        why: "Seeing the couch does not show what stands before it.",
        example: Example {
            init: &["couch FACING television"],
            steps: &["turnto couch", "lookat television"],
            tell: &[],
        },
    },
    Difference {
        id: "unplugged-is-a-missing-step",
        title: "Unplugged means a step is missing",
        quirks: &[14],
        eai: "Switching on an unplugged device is called an additional step, and runners skip it.",
        strict: "It is a missing step: plug it in first.",
        why: "A skipped step would count as done.",
        example: Example {
            init: &["lamp@bedroom:PLUGGED_OUT"],
            steps: &["walk lamp@bedroom", "switchon lamp@bedroom"],
            tell: &[],
        },
    },
    Difference {
        id: "closed-is-a-missing-step",
        title: "Closed means a step is missing",
        quirks: &[15],
        eai: "Putting something into a closed thing is called an affordance error.",
        strict: "It is a missing step: open it first.",
        why: "The thing can be used in this way; it only is not open.",
        example: Example {
            init: &[],
            steps: &[
                "walk keys",
                "grab keys",
                "walk drawer@living_room",
                "putin keys drawer@living_room",
            ],
            tell: &[],
        },
    },
    Difference {
        id: "elsewhere-is-a-missing-step",
        title: "Being elsewhere means a step is missing",
        quirks: &[],
        eai: "Watching from another room is called an affordance error.",
        strict: "It is a missing step: walk there.",
        why: "The television can be watched.",
        example: Example {
            init: &[],
            steps: &["walk microwave", "watch television"],
            tell: &[],
        },
    },
    Difference {
        id: "full-hands-are-no-wrong-order",
        title: "Full hands are no wrong order",
        quirks: &[22],
        eai: "Hands were empty once, so full hands are always called a wrong order of steps.",
        strict: "Full hands are a missing step: put something down.",
        why: "Nothing was undone that should have stayed.",
        example: Example {
            init: &[],
            steps: &[
                "walk coffee_table",
                "grab vase",
                "grab newspaper",
                "grab candle@living_room",
            ],
            tell: &[],
        },
    },
    Difference {
        id: "the-container-is-missing",
        title: "The closed container is what is recorded",
        quirks: &[13],
        eai: "The record of a closed container names the thing inside, so a box that was open itself makes it a wrong order.",
        strict: "The record names the container to open.",
        why: "Whether the order was wrong depends on whether the container was open before.",
        example: Example {
            init: &["box INSIDE closet@bedroom", "box:OPEN"],
            steps: &["walk box", "grab box"],
            tell: &[],
        },
    },
];
