//! The command table: everything a key, the palette, the `:` line or a script can ask for.
//!
//! Owns the descriptors only; what a command *does* is decided by the layer (screen, overlay, program)
//! that lists the command's context among its own, see [`crate::app::layer::Layer::run`]. Footer, help,
//! palette, which-key and the `:` line are made from this table and the key map, never by hand.
//!
//! # Adding a command
//! 1. A row in the group of its context: [`global`] for the program, [`shared`] for what several
//!    screens understand alike, or the `COMMANDS` const of one screen or overlay.
//! 2. A row in `assets/keymap.toml` if it deserves a key.
//! 3. An arm in `run` (and in `when`, if it is not always possible) of the layers with that context.
//!    A test runs every command in every layer that claims its context, so an arm cannot be forgotten.
//!
//! A new context is a row in [`CONTEXTS`].

pub mod global;
pub mod shared;

use crate::app::overlays::{
    behind, check, computed, formula, help, launch, log, palette, patch, prompt, runs,
};
use crate::app::parts::verdict;
use crate::app::screens;
use crate::app::screens::play::commands as play;

/// A thing that can be asked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// The name on the `:` line and in key maps: kebab-case, unique.
    pub id: &'static str,
    /// The word or two shown in the footer and the palette.
    pub title: &'static str,
    /// One sentence for help and the manual, with a full stop.
    pub doc: &'static str,
    /// The words shown for its arguments, empty if it takes none.
    pub args: &'static str,
}

impl Command {
    /// A command without arguments.
    pub const fn new(id: &'static str, title: &'static str, doc: &'static str) -> Self {
        Self {
            id,
            title,
            doc,
            args: "",
        }
    }

    /// The same command with arguments, named as the user should type them.
    #[must_use]
    pub const fn with(self, args: &'static str) -> Self {
        Self { args, ..self }
    }
}

/// Whether a command can be run now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// It can.
    Ready,
    /// It cannot; why, as a sentence fragment a person can act on.
    Blocked(String),
}

impl Availability {
    /// Blocked for a reason.
    pub fn blocked(reason: impl Into<String>) -> Self {
        Self::Blocked(reason.into())
    }

    /// Ready if the condition holds, otherwise blocked for the reason.
    pub fn when(condition: bool, reason: &str) -> Self {
        if condition {
            Self::Ready
        } else {
            Self::blocked(reason)
        }
    }

    /// The reason it is blocked for.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Ready => None,
            Self::Blocked(reason) => Some(reason),
        }
    }

    /// Whether it can be run.
    pub const fn is_ready(&self) -> bool {
        matches!(self, Self::Ready)
    }
}

/// A named set of commands that are active together, and of keys bound together in the key map.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// The name key maps and layers use.
    pub id: &'static str,
    /// Its heading in help.
    pub title: &'static str,
    /// Its commands, in the order help and palette list them.
    pub commands: &'static [Command],
    /// What kind of set it is.
    pub kind: Kind,
}

/// What a context belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One screen: its keys fill the footer.
    Screen,
    /// An overlay or a line of text: its keys fill the footer, its commands are not offered elsewhere.
    Inner,
    /// Several screens, or all: known keys that need no reminder in the footer.
    Common,
}

const fn screen(id: &'static str, title: &'static str, commands: &'static [Command]) -> Context {
    Context {
        id,
        title,
        commands,
        kind: Kind::Screen,
    }
}

const fn inner(id: &'static str, title: &'static str, commands: &'static [Command]) -> Context {
    Context {
        id,
        title,
        commands,
        kind: Kind::Inner,
    }
}

const fn common(id: &'static str, title: &'static str, commands: &'static [Command]) -> Context {
    Context {
        id,
        title,
        commands,
        kind: Kind::Common,
    }
}

/// Every context. Screens and overlays first: help lists the nearest keys first.
pub const CONTEXTS: &[Context] = &[
    screen("home", "Home", screens::home::COMMANDS),
    screen("tasks", "Tasks", screens::tasks::COMMANDS),
    screen("inspect", "Inspect", screens::inspect::COMMANDS),
    screen("compare", "Compare", screens::compare::COMMANDS),
    screen("actions", "Actions", play::ACTIONS),
    screen("goal", "Goals", &[]),
    screen("warning", "Warnings", play::WARNINGS),
    screen("scene", "Scene", play::NODES),
    screen("ahead", "If you do this", &[]),
    screen("map", "Map", play::MAP),
    screen("play", "Play", play::PLAY),
    screen("proof", "Check", shared::PROOF),
    screen("page", "File", screens::page::COMMANDS),
    screen("report", "Report", screens::report::COMMANDS),
    screen("council", "Council", screens::council::COMMANDS),
    screen("matrix", "Payoff matrix", screens::arena::MATRIX),
    screen("frontier", "Frontier", screens::arena::FRONTIER),
    screen("library", "Runs", screens::runs::COMMANDS),
    screen("labels", "Label queue", screens::label::COMMANDS),
    screen("arena", "Arena", screens::arena::COMMANDS),
    screen("prompts", "Prompts", screens::prompt::FILES),
    screen("settings", "Settings", screens::settings::COMMANDS),
    screen("wall", "Wall", screens::watch::COMMANDS),
    screen("steer", "Step in", crate::app::steer::COMMANDS),
    screen("attached", "Attached", screens::attach::COMMANDS),
    inner("say", "To the run", crate::app::steer::SAY),
    inner("told", "Explained", screens::attach::WHY),
    inner("editor", "A prompt", screens::prompt::EDITOR),
    inner("rule", "A rule", play::RULE),
    inner("sheet", "Detail", play::SHEET),
    inner("branches", "Branches", play::BRANCHES),
    inner("line", "An action", play::LINE),
    inner("reason", "A reason", play::REASON),
    inner("annotate", "Annotate", play::ANNOTATE),
    inner("verdict", "Verdict", verdict::SHEET),
    inner("judgement", "Judgement", verdict::JUDGEMENT),
    inner("fault", "A goal's fault", verdict::FAULT),
    inner("help", "Help", help::COMMANDS),
    inner("palette", "Palette", palette::COMMANDS),
    inner("prompt", "Command line", prompt::COMMANDS),
    inner("log", "Log", log::COMMANDS),
    inner("runs", "Runs of a task", runs::COMMANDS),
    inner("check", "Check", check::COMMANDS),
    inner("behind", "Runs behind a row", behind::COMMANDS),
    inner("computed", "Made of", computed::COMMANDS),
    inner("launch", "A new run", launch::COMMANDS),
    inner("formula", "A formula", formula::COMMANDS),
    inner("patch", "Patch", patch::COMMANDS),
    inner("labelling", "A line of a label", screens::label::LINE),
    inner("question", "A query", screens::runs::QUESTION),
    inner("filter", "Filter line", shared::FILTER),
    common("files", "Files", shared::FILES),
    common("compass", "Map moves", play::COMPASS),
    common("steps", "Steps", shared::STEPS),
    common("list", "List", shared::LIST),
    common("tree", "Tree", shared::TREE),
    common("pane", "Panes", shared::PANE),
    inner("input", "Text", shared::INPUT),
    common("global", "Everywhere", global::COMMANDS),
    common("always", "Always", global::ALWAYS),
];

/// The context of that name.
pub fn context(id: &str) -> Option<&'static Context> {
    CONTEXTS.iter().find(|context| context.id == id)
}

/// The command of that name, with the context it belongs to. Screens that can be opened by name are
/// commands of `global`.
pub fn find(id: &str) -> Option<(&'static Context, Command)> {
    CONTEXTS
        .iter()
        .find_map(|context| {
            context
                .commands
                .iter()
                .find(|c| c.id == id)
                .map(|c| (context, *c))
        })
        .or_else(|| {
            let screen = screens::SCREENS
                .iter()
                .find(|screen| screen.command.id == id)?;
            Some((context("global")?, screen.command))
        })
}

/// Every command with its context, the screens' own openers included.
pub fn all() -> impl Iterator<Item = (&'static Context, Command)> {
    let openers = context("global").into_iter().flat_map(|global| {
        screens::SCREENS
            .iter()
            .map(move |screen| (global, screen.command))
    });
    CONTEXTS
        .iter()
        .flat_map(|context| context.commands.iter().map(move |c| (context, *c)))
        .chain(openers)
}

#[cfg(test)]
mod tests;
