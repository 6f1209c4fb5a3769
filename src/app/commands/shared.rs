//! Commands several screens understand alike: panes, lists, trees, steps, filter and text lines.

use super::Command;

/// A task is in front.
pub const PROOF: &[Command] = &[Command::new(
    "check",
    "check",
    "Prove the task sound, or show what is wrong with it; --all fills the column of the task list.",
)
.with("[--all]")];

/// A row of panes of which one has the focus.
pub const PANE: &[Command] = &[
    Command::new("next-pane", "pane", "Give the keys to the next pane."),
    Command::new(
        "previous-pane",
        "pane before",
        "Give the keys to the pane before.",
    ),
    Command::new(
        "out",
        "out",
        "Go one step out: clear, fold, or leave what is open.",
    ),
    Command::new("zoom-in", "zoom", "Give the focused pane more room."),
    Command::new(
        "zoom-out",
        "zoom back",
        "Give the other panes their room back.",
    ),
];

/// A list with a cursor.
pub const LIST: &[Command] = &[
    Command::new("cursor-down", "down", "Move the cursor one row down."),
    Command::new("cursor-up", "up", "Move the cursor one row up."),
    Command::new(
        "half-page-down",
        "half page down",
        "Move the cursor half a page down.",
    ),
    Command::new(
        "half-page-up",
        "half page up",
        "Move the cursor half a page up.",
    ),
    Command::new("page-down", "page down", "Move the cursor a page down."),
    Command::new("page-up", "page up", "Move the cursor a page up."),
    Command::new("cursor-top", "top", "Move the cursor to the first row."),
    Command::new(
        "cursor-bottom",
        "bottom",
        "Move the cursor to the last row.",
    ),
    Command::new("filter", "filter", "Narrow the list by a few words."),
];

/// A tree with a cursor; its rows also form a list.
pub const TREE: &[Command] = &[
    Command::new("unfold", "unfold", "Unfold the row or go into it."),
    Command::new("fold", "fold", "Fold the row or go up to the row above it."),
    Command::new(
        "unfold-all",
        "unfold all",
        "Unfold everything below the row.",
    ),
    Command::new("pin", "pin", "Keep the row on top of the tree."),
];

/// The kinds of step one can walk to.
const KINDS: &str = "violation|warning|refusal|goal|branch|note";

/// A run of steps with a position.
pub const STEPS: &[Command] = &[
    Command::new("step-next", "next step", "Look at the step after."),
    Command::new("step-previous", "step before", "Look at the step before."),
    Command::new("next", "next", "Go to the next step of a kind.").with(KINDS),
    Command::new(
        "previous",
        "previous",
        "Go to the step of a kind before this one.",
    )
    .with(KINDS),
    Command::new("goto", "go to", "Go to a step by its number.").with("STEP"),
];

/// The files behind what is shown.
pub const FILES: &[Command] = &[
    Command::new("task-file", "task file", "Show the file of the task."),
    Command::new(
        "scene-file",
        "scene file",
        "Show the file of the task's scene.",
    ),
    Command::new(
        "run-file",
        "run file",
        "Show a file of the run, its events if none is named.",
    )
    .with("events|header|notes|scene"),
];

/// The filter line of a pane while it is typed into.
pub const FILTER: &[Command] = &[
    Command::new(
        "filter-keep",
        "keep",
        "Keep the filter and go back to the rows.",
    ),
    Command::new(
        "filter-clear",
        "clear",
        "Drop the filter and show every row.",
    ),
];

/// A line of text that is being edited.
pub const INPUT: &[Command] = &[
    Command::new(
        "text-start",
        "start",
        "Move the caret to the start of the line.",
    ),
    Command::new("text-end", "end", "Move the caret to the end of the line."),
    Command::new("text-left", "left", "Move the caret one character left."),
    Command::new("text-right", "right", "Move the caret one character right."),
    Command::new(
        "text-delete-back",
        "delete",
        "Delete the character before the caret.",
    ),
    Command::new(
        "text-delete",
        "delete right",
        "Delete the character under the caret.",
    ),
    Command::new(
        "text-delete-word",
        "delete word",
        "Delete the word before the caret.",
    ),
    Command::new(
        "text-delete-start",
        "delete to start",
        "Delete everything before the caret.",
    ),
    Command::new(
        "text-delete-end",
        "delete to end",
        "Delete everything after the caret.",
    ),
];
