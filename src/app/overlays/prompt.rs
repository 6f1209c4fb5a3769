//! The command line: `:` takes every command with its arguments, completes and remembers.

use crate::app::commands::Command;
use crate::app::edit::LineEdit;
use crate::app::hints;
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::state::{Shared, State};

/// Commands of the command line alone.
pub const COMMANDS: &[Command] = &[
    Command::new("prompt-run", "run", "Run the line."),
    Command::new(
        "prompt-complete",
        "complete",
        "Complete the command to the next that fits.",
    ),
    Command::new("prompt-older", "older", "Take the line run before."),
    Command::new("prompt-newer", "newer", "Take the line run after."),
    Command::new(
        "prompt-close",
        "close",
        "Close the command line; the draft is kept.",
    ),
];

/// The state of the command line.
#[derive(Debug, Clone)]
pub struct Prompt {
    commands: Vec<(String, &'static str)>,
    /// What was typed.
    pub edit: LineEdit,
    typed: String,
    tab: usize,
    history: Option<usize>,
}

impl Prompt {
    /// A command line that knows the commands of where we are; `draft` is what was left in it.
    pub fn of(state: &State, draft: &str) -> Self {
        let rows = hints::all(state)
            .into_iter()
            .filter(|row| row.available.is_ready());
        Self {
            commands: rows.map(|row| (row.run, row.doc)).collect(),
            edit: LineEdit::new(draft),
            typed: draft.to_owned(),
            tab: 0,
            history: None,
        }
    }

    /// Commands that begin with what was typed, with their sentences.
    pub fn matches(&self) -> Vec<&(String, &'static str)> {
        self.commands
            .iter()
            .filter(|(id, _)| id.starts_with(&self.typed))
            .collect()
    }

    fn complete(&mut self) {
        let matches = self.matches();
        let Some((id, _)) = matches.get(self.tab % matches.len().max(1)) else {
            return;
        };
        let edit = LineEdit::new(id);
        self.tab += 1;
        self.edit = edit;
    }

    fn recall(&mut self, older: bool, history: &[String]) {
        let at = self.history.unwrap_or(history.len());
        let to = if older {
            at.saturating_sub(1)
        } else {
            (at + 1).min(history.len())
        };
        self.history = Some(to);
        self.edit = LineEdit::new(history.get(to).map_or("", String::as_str));
        self.changed();
    }

    fn changed(&mut self) {
        self.typed = self.edit.text();
        self.tab = 0;
    }
}

impl Layer for Prompt {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["prompt", "input"]
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "prompt-run" => {
                let line = self.edit.text().trim().to_owned();
                shared.draft.clear();
                if line.is_empty() {
                    return Some(vec![Act::Close]);
                }
                shared.history.retain(|old| *old != line);
                shared.history.push(line.clone());
                return Some(vec![Act::Close, Act::Run(line)]);
            }
            "prompt-close" => {
                shared.draft = self.edit.text();
                return Some(vec![Act::Close]);
            }
            "prompt-complete" => self.complete(),
            "prompt-older" => self.recall(true, &shared.history),
            "prompt-newer" => self.recall(false, &shared.history),
            _ if self.edit.run(command) => self.changed(),
            _ => return None,
        }
        Some(Vec::new())
    }

    fn takes_text(&self) -> bool {
        true
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        self.edit.insert(text);
        self.changed();
        Vec::new()
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        self.matches()
            .into_iter()
            .map(|(id, doc)| format!("{id}: {doc}"))
            .collect()
    }
}

impl Overlaid for Prompt {
    fn heading(&self) -> String {
        "Command".to_owned()
    }
}
