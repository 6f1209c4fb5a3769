//! The commands of Play and of its sheets.

use crate::app::commands::Command;

/// Commands of the screen, whichever pane has the keys.
pub const PLAY: &[Command] = &[
    Command::new("undo", "undo", "Take the last step back; it is kept."),
    Command::new("redo", "redo", "Do again the step taken back last."),
    Command::new(
        "branches",
        "branches",
        "Show every branch of the run and go to one.",
    ),
    Command::new(
        "why",
        "why",
        "Say why an action is refused or how a goal stands, and what would help.",
    ),
    Command::new(
        "verdict",
        "verdict",
        "File what you think of the task, with this branch as its witness.",
    ),
    Command::new(
        "instruction",
        "instruction",
        "Show the whole instruction, and what kind of task it is.",
    ),
    Command::new(
        "enable",
        "next for goal",
        "Put the cursor on the nearest action that leads to the goal.",
    ),
    Command::new(
        "do",
        "type an action",
        "Do an action given as text: grab knife, or [GRAB] <knife> (12).",
    )
    .with("ACTION"),
    Command::new(
        "witness",
        "play steps",
        "Play steps from the start, one after the other, and look at the one named.",
    )
    .with("[sN] ACTION; ACTION"),
    Command::new(
        "patch",
        "patch the task",
        "Show the smallest change to the task file that mends what was annotated or found, and write it.",
    ),
    Command::new(
        "reference",
        "reference plan",
        "Show the rest of the reference plan on the rail; step on through it with the key of the next step.",
    ),
    Command::new("done", "done", "Call the task done here and judge it."),
    Command::new(
        "avoid",
        "avoid",
        "Refuse the instruction because it is dangerous.",
    )
    .with("REASON"),
    Command::new(
        "annotate",
        "annotate goal",
        "Say what is wrong with the goal under the cursor.",
    ),
    Command::new(
        "sort",
        "sort",
        "Sort the actions: best, by name, near first.",
    ),
    Command::new(
        "refused",
        "refused",
        "Show or hide actions that are refused.",
    ),
    Command::new(
        "quiet",
        "all changes",
        "Show or hide changed facts nobody acts on, such as who faces what.",
    ),
    Command::new("fork", "fork", "Play on from here in a run of its own."),
    Command::new("map", "map", "Show the floor plan, or the scene again."),
];

/// Commands of the Actions pane.
pub const ACTIONS: &[Command] = &[Command::new(
    "act",
    "do",
    "Do the action under the cursor; a refused one is attempted and recorded.",
)];

/// Commands of the Warnings pane.
pub const WARNINGS: &[Command] = &[
    Command::new(
        "warning-enter",
        "open",
        "Go to the step that broke the rule, or say why it stands as it does.",
    ),
    Command::new(
        "mute",
        "mute",
        "Mute the rule for this run, or let it speak again; the run keeps it.",
    ),
];

/// Commands of a sheet that explains a rule.
pub const RULE: &[Command] = &[
    Command::new(
        "next-binding",
        "next binding",
        "Explain the rule for the next nodes it has something to say about.",
    ),
    Command::new(
        "previous-binding",
        "binding before",
        "Explain the rule for the nodes before.",
    ),
];

/// Commands of panes whose rows are nodes.
pub const NODES: &[Command] = &[Command::new(
    "node",
    "detail",
    "Show all about the node under the cursor.",
)];

/// Commands of the map, wherever it is shown.
pub const MAP: &[Command] = &[
    Command::new("map-close", "scene", "Close the map."),
    Command::new(
        "map-room",
        "room",
        "Show the room of the cursor alone, or all rooms.",
    ),
    Command::new(
        "map-names",
        "names",
        "Call things by name instead of two letters.",
    ),
    Command::new("storey-up", "storey up", "Show the storey above."),
    Command::new("storey-down", "storey down", "Show the storey below."),
];

/// Moves of a cursor on a plane.
pub const COMPASS: &[Command] = &[
    Command::new("go-left", "left", "Go to the nearest thing on the left."),
    Command::new("go-down", "down", "Go to the nearest thing below."),
    Command::new("go-up", "up", "Go to the nearest thing above."),
    Command::new("go-right", "right", "Go to the nearest thing on the right."),
];

/// Commands of a sheet of lines.
pub const SHEET: &[Command] = &[
    Command::new(
        "follow",
        "follow",
        "Go where the line leads: a node, a step, a goal, an action to do.",
    ),
    Command::new(
        "history",
        "history",
        "Show what happened to the node in this run.",
    ),
    Command::new("close-sheet", "close", "Close the sheet."),
];

/// Commands of the branches.
pub const BRANCHES: &[Command] = &[Command::new(
    "branch-go",
    "go there",
    "Go to the end of the branch.",
)];

/// Commands while an action is typed.
pub const LINE: &[Command] = &[
    Command::new("line-do", "do", "Do the action that was typed."),
    Command::new(
        "line-complete",
        "complete",
        "Complete the last word to an action or a node.",
    ),
    Command::new("line-close", "close", "Close the line without doing it."),
];

/// Commands while a reason is typed.
pub const REASON: &[Command] = &[
    Command::new(
        "reason-avoid",
        "avoid",
        "Refuse the instruction for this reason.",
    ),
    Command::new("reason-close", "close", "Go back without refusing."),
];

/// Commands while a goal is annotated, beside those that say what is wrong.
pub const ANNOTATE: &[Command] = &[Command::new(
    "annotate-close",
    "close",
    "Leave the goal as it was annotated.",
)];
