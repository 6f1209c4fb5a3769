//! Prompt: the files that tell models how to play. One is edited beside what a model would be told by the part at the
//! caret, filled in from a task.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::agent::prompt::{self, Prompts, SHIPPED, part_at};
use crate::agent::strategy::preview;
use crate::app::commands::Command;
use crate::app::edit_text::TextEdit;
use crate::app::glyph;
use crate::app::list::List;
use crate::app::msg::Millis;
use crate::app::prompts::PromptFile;
use crate::app::screens::{Screen, ScreenDesc};
use crate::app::tries::Tried;
use crate::base::diag::Diagnostic;
use crate::formats::task::patch::{DiffLine, diff};
use crate::task::episode::Episode;

mod layer;
mod tries;

/// The slot of the job that tries a turn.
const TRY: &str = "try";

/// The task a preview is filled in from where none is named.
const USUAL: &str = "vh/V022";

/// Commands of the list of files.
pub const FILES: &[Command] = &[
    Command::new("prompt-edit", "edit", "Edit the file of the row."),
    Command::new(
        "prompt-diff",
        "diff",
        "Show in what the file differs from the shipped one, or the file again.",
    ),
    Command::new(
        "prompt-try",
        "try",
        "Edit the file of the row and try it for one turn.",
    ),
];

/// Commands of the text that is edited.
pub const EDITOR: &[Command] = &[
    Command::new(
        "editor-save",
        "save",
        "Write the file; what it held before is kept under versions.",
    ),
    Command::new("editor-out", "out", "Leave the text; the draft is kept."),
    Command::new(
        "editor-fault",
        "fault",
        "Go to the next place that is wrong.",
    ),
    Command::new(
        "editor-diff",
        "diff",
        "Show in what the text differs from the shipped one, or what a model is told again.",
    ),
    Command::new(
        "editor-task",
        "task",
        "Fill the preview in from another task.",
    )
    .with("TASK"),
    Command::new(
        "editor-try",
        "try a turn",
        "Send what is told first to a model, and show its reply and what was understood.",
    )
    .with("[AGENT MODEL]"),
    Command::new(
        "editor-outside",
        "$EDITOR",
        "Edit the text in the editor that VISUAL or EDITOR names.",
    ),
    Command::new("editor-undo", "undo", "Take the last change back."),
    Command::new("editor-redo", "redo", "Make it again."),
    Command::new("editor-more", "more", "Show what follows in the preview."),
    Command::new("editor-less", "less", "Show what comes before it."),
    Command::new("editor-newline", "new line", "Begin a new line."),
    Command::new("editor-up", "up", "Move the caret a line up."),
    Command::new("editor-down", "down", "Move the caret a line down."),
    Command::new("editor-page-up", "page up", "Move the caret a page up."),
    Command::new(
        "editor-page-down",
        "page down",
        "Move the caret a page down.",
    ),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new(
        "prompt",
        "prompts",
        "Show and edit what models are told: prompt react.",
    )
    .with("[NAME [TASK]]"),
    open: |args, _| {
        let (name, task) = args.trim().split_once(' ').unwrap_or((args.trim(), ""));
        if !name.is_empty() && !SHIPPED.iter().any(|(known, _)| *known == name) {
            let known: Vec<&str> = SHIPPED.iter().map(|(known, _)| *known).collect();
            return Err(format!(
                "prompt {name}: no such file; there are {}",
                known.join(", ")
            ));
        }
        Ok(Screen::Prompt(Box::new(Editor {
            wanted: Some(name.to_owned()).filter(|name| !name.is_empty()),
            task: Some(task.trim().to_owned()).filter(|task| !task.is_empty()),
            ..Editor::default()
        })))
    },
    contexts: &[&["prompts", "pane", "list"], &["editor", "input"]],
    glyphs: &[glyph::CURSOR, glyph::NOTE],
    fields: &[],
    example: "prompt react V022 edits the file react and fills its preview in from V022; Ctrl-S saves.",
};

/// How far reading is.
#[derive(Clone, Debug, Default)]
pub enum Stage {
    /// Being read.
    #[default]
    Reading,
    /// The files.
    Done(Vec<PromptFile>),
    /// They cannot be read: why.
    Failed(String),
}

/// The screen.
#[derive(Debug, Default)]
pub struct Editor {
    /// The file to open at.
    wanted: Option<String>,
    /// The task the preview is filled in from.
    pub task: Option<String>,
    /// How far reading is.
    pub stage: Stage,
    /// The file under the cursor.
    pub list: List,
    /// Whether a file is edited.
    pub editing: bool,
    /// The text that is or was edited, of the file under the cursor.
    pub draft: Option<Draft>,
    /// Whether the differences from the shipped file are shown.
    pub diff: bool,
    /// Rows of the preview that are passed over.
    pub below: usize,
    /// A turn that is or was tried.
    pub tried: Option<Trial>,
    ticked: Millis,
    /// Where the preview's task begins, or why it cannot be opened.
    episode: Option<Result<Box<Episode>, String>>,
}

/// A turn that is tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Who is asked.
    pub who: String,
    /// How far it is.
    pub stage: Trying,
}

/// How far the trying of a turn is.
#[derive(Clone, Debug, PartialEq)]
pub enum Trying {
    /// The model was asked then; so many characters have come.
    Asking(Millis, u64),
    /// What came of it.
    Done(Box<Tried>),
    /// It gave no reply: why.
    Failed(String),
}

/// A text that is edited.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The name of its file.
    pub name: String,
    /// The text.
    pub edit: TextEdit,
    /// What is wrong with it.
    pub faults: Vec<Diagnostic>,
    /// What a model would be told; of the last text without faults.
    pub told: String,
    /// The part that is shown there.
    pub part: String,
}

impl Editor {
    /// The files, once they are read.
    pub fn files(&self) -> &[PromptFile] {
        match &self.stage {
            Stage::Done(files) => files,
            _ => &[],
        }
    }

    /// The file under the cursor.
    pub fn file(&self) -> Option<&PromptFile> {
        self.files().get(self.list.cursor)
    }

    /// Whether the draft of a file differs from the file.
    pub fn is_changed(&self, file: &PromptFile) -> bool {
        let draft = self.draft.as_ref().filter(|draft| draft.name == file.name);
        draft.is_some_and(|draft| draft.edit.text() != file.text)
    }

    /// Keeps the draft for the time after this screen, or forgets it where it says what the file says.
    fn keep(&self, drafts: &mut BTreeMap<String, String>) {
        let Some(draft) = &self.draft else {
            return;
        };
        let file = self.files().iter().find(|file| file.name == draft.name);
        if file.is_some_and(|file| self.is_changed(file)) {
            drafts.insert(draft.name.clone(), draft.edit.text());
        } else {
            drafts.remove(&draft.name);
        }
    }

    /// In what the text under the cursor differs from the shipped one.
    pub fn differences(&self) -> Vec<DiffLine> {
        let Some(file) = self.file() else {
            return Vec::new();
        };
        let shipped = SHIPPED.iter().find(|(name, _)| *name == file.name);
        let shipped = shipped.map_or("", |(_, text)| *text);
        match self.draft.as_ref().filter(|draft| draft.name == file.name) {
            Some(draft) => diff(shipped, &draft.edit.text()),
            None => diff(shipped, &file.text),
        }
    }

    /// Why the preview cannot be filled in; what the task is otherwise.
    pub fn filled_from(&self) -> Result<&str, &str> {
        match &self.episode {
            None => Err("opening the task …"),
            Some(Err(reason)) => Err(reason),
            Some(Ok(episode)) => Ok(&episode.setup().task.id),
        }
    }

    /// Looks what the text means now: what is wrong with it, and what a model would be told by it.
    fn look(&mut self) {
        let files = match &self.stage {
            Stage::Done(files) => files.as_slice(),
            _ => &[],
        };
        let Some(draft) = &mut self.draft else {
            return;
        };
        let text = draft.edit.text();
        draft.faults = prompt::read(&draft.name, &text).err().unwrap_or_default();
        let part = part_at(&text, draft.edit.caret().0).unwrap_or_default();
        part.clone_into(&mut draft.part);
        if !draft.faults.is_empty() {
            return;
        }
        let others = files.iter().filter(|file| file.name != draft.name);
        let others = others.map(|file| (file.name.as_str(), file.text.as_str()));
        let all = Prompts::with(others.chain([(draft.name.as_str(), text.as_str())]));
        if let (Ok(prompts), Some(Ok(episode))) = (all, &self.episode) {
            draft.told = preview(episode, Arc::new(prompts), &draft.name, &draft.part);
        }
    }

    /// Begins to edit the file under the cursor, or goes on with its draft.
    fn edit(&mut self, drafts: &BTreeMap<String, String>) {
        let Some(file) = self.file() else {
            return;
        };
        let text = drafts.get(&file.name).unwrap_or(&file.text);
        if self.draft.as_ref().is_none_or(|d| d.name != file.name) {
            let mut edit = TextEdit::new(text);
            let first = text.lines().position(|line| line.starts_with('['));
            edit.go(first.map_or(0, |at| at + 1), 0);
            self.draft = Some(Draft {
                name: file.name.clone(),
                edit,
                faults: Vec::new(),
                told: String::new(),
                part: String::new(),
            });
        }
        self.below = 0;
        self.editing = true;
        self.look();
    }
}

/// A fault in a line: `14:3 {{histroy}} unknown: {{history}}?`.
pub fn fault_words(fault: &Diagnostic) -> String {
    let place = match (fault.line, fault.column) {
        (Some(line), Some(column)) => format!("{line}:{column} "),
        (Some(line), None) => format!("{line} "),
        _ => String::new(),
    };
    let help = if fault.help.is_empty() {
        String::new()
    } else {
        format!(": {}", fault.help)
    };
    format!("{place}{}{help}", fault.message)
}
