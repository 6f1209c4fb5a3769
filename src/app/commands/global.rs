//! Commands of the program itself: places, overlays, leaving.

use super::Command;

/// Commands that work on every screen while no overlay has the keys.
pub const COMMANDS: &[Command] = &[
    Command::new("help", "help", "Show the keys of this screen."),
    Command::new("command-line", "command", "Open the command line."),
    Command::new(
        "palette",
        "palette",
        "Find a command, a task or a run by a few letters.",
    ),
    Command::new(
        "leave",
        "leave",
        "Leave this screen; on Home, leave the program.",
    ),
    Command::new("back", "back", "Go back to the place before."),
    Command::new("forward", "forward", "Go forward to the place after."),
    Command::new(
        "copy-row",
        "copy row",
        "Copy the row under the cursor to the terminal's clipboard.",
    ),
    Command::new(
        "picture",
        "picture",
        "Write the screen as it stands into a file: a picture (svg) or text (txt), by its ending.",
    )
    .with("FILE"),
    Command::new(
        "export",
        "export",
        "Write the rows of the focused pane into a file: csv, md, tex, svg or html by its ending; of a run also its page.",
    )
    .with("[FILE]"),
    Command::new(
        "set",
        "set",
        "Set profile, hold, symbols or colours until the program ends: set hold core !3.",
    )
    .with("KEY VALUE"),
    Command::new("log", "log", "Show what was reported since the start."),
    Command::new(
        "open-reported",
        "reported file",
        "Open the file the last report speaks of, at its line.",
    ),
    Command::new("quit", "quit", "Leave the program."),
];

/// Commands that work even while an overlay has the keys.
pub const ALWAYS: &[Command] = &[
    Command::new("redraw", "redraw", "Draw the whole screen again."),
    Command::new(
        "suspend",
        "suspend",
        "Give the terminal back to the shell until it says fg.",
    ),
];
