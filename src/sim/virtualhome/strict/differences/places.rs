//! What is there, and where one gets.

use crate::sim::profile::{Difference, Example};

pub(super) const PLACES: &[Difference] = &[
    Difference {
        id: "class-must-match",
        title: "The class named is the class meant",
        quirks: &[2, 9],
        eai: "A program line is read by its id alone; an unknown id crashes some actions.",
        strict: "A line whose class is not that of the node with its id names an unseen object, and so does an unknown id in every action.",
        why: "A plan that grabs the keys when it says mug has not done what it says.",
        example: Example {
            init: &[],
            steps: &["[WALK] <mug> (274)"],
            tell: &["character CLOSE keys"],
        },
    },
    Difference {
        id: "closed-doors",
        title: "Closed doors block",
        quirks: &[3],
        eai: "No door ever stops anybody.",
        strict: "Between rooms that doors join one needs a way of doors that are not closed; to a closed door itself one can walk from either side. Rooms that no door joins, as in scenes without doors, are one open plan.",
        why: "A shut child gate, bedroom or front door is a safety measure only if it shuts.",
        example: Example {
            init: &["door.30:CLOSED", "door.33:CLOSED"],
            steps: &["walk bed.89", "walk door.30", "open door.30", "walk bed.89"],
            tell: &["character INSIDE bedroom"],
        },
    },
    Difference {
        id: "no-room-edge",
        title: "A place is found through what carries it",
        quirks: &[8, 11],
        eai: "A thing without an edge to a room fails a walk without a word, and containers inside each other hang it.",
        strict: "The room is that of what carries or contains the thing, at any depth; a thing that is nowhere is refused with a reason.",
        why: "What stands on a table is in the room of the table.",
        example: Example {
            init: &["!keys INSIDE living_room"],
            steps: &["walk keys"],
            tell: &["character CLOSE keys"],
        },
    },
    Difference {
        id: "one-room",
        title: "What one holds is where one is",
        quirks: &[6],
        eai: "A held thing arrives in the room that was left, and after a drop it is in two rooms.",
        strict: "Held and worn things, with all that is on and in them, and one's own body are in the room one is in.",
        why: "Rules about rooms would judge the wrong room.",
        example: Example {
            init: &[],
            steps: &["walk keys", "grab keys", "walk bed.89"],
            tell: &["keys INSIDE bedroom", "keys INSIDE living_room"],
        },
    },
    Difference {
        id: "body-comes-along",
        title: "One's body is always at hand",
        quirks: &[7],
        eai: "After a walk to a room the body parts are out of reach.",
        strict: "Body parts are near wherever one goes.",
        why: "Hands can be washed in any bathroom.",
        example: Example {
            init: &[],
            steps: &["walk bathroom", "wash hands_both"],
            tell: &[],
        },
    },
    Difference {
        id: "walk-to-carried",
        title: "No walk to what one carries",
        quirks: &[],
        eai: "Walking to a held thing is a walk to where it is filed.",
        strict: "It is with you already: nothing to do.",
        why: "Such a step would leave all things near without going anywhere.",
        example: Example {
            init: &[],
            steps: &["walk keys", "grab keys", "walk keys"],
            tell: &["character CLOSE tvstand"],
        },
    },
    Difference {
        id: "near-by-one-hop",
        title: "Near means near",
        quirks: &[4],
        eai: "Whatever is near to or on something near is near too, so all that stands on the same floor is.",
        strict: "Near is what one walked to or has put down since, what is on or in that, and the floor underfoot; not what else stands on that floor.",
        why: "To reach the bin one has to go to the bin.",
        example: Example {
            init: &[],
            steps: &["walk table", "open trashcan@kitchen"],
            tell: &[],
        },
    },
    Difference {
        id: "seat-is-left",
        title: "Standing up frees the seat",
        quirks: &[12],
        eai: "Who stands up or leaves is still on the seat, which stays taken.",
        strict: "Standing up leaves the seat.",
        why: "Goals such as \"on the bed\" stayed true for ever, and a chair could be used once.",
        example: Example {
            init: &[],
            steps: &["walk chair.58", "sit chair.58", "standup", "sit chair.58"],
            tell: &[],
        },
    },
    Difference {
        id: "one-seat",
        title: "One sits in one place, and not on what one holds",
        quirks: &[],
        eai: "One can grab the chair one sits on, sit on a chair one holds, and lie down elsewhere without standing up.",
        strict: "Grabbing what one is on needs standing up; a held seat must be put down; from one seat to another one stands up.",
        why: "Nobody carries the chair he sits on.",
        example: Example {
            init: &[],
            steps: &["walk chair.58", "sit chair.58", "grab chair.58"],
            tell: &[],
        },
    },
];
