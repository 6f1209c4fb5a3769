//! What is said to models: text files with named parts, in which words in double braces are filled in.
//!
//! A *prompt file* has parts, each headed by its name in square brackets on a line of its own. Text above the first part is a
//! note to whoever edits it. A backslash before a bracket keeps it text. `{{name}}` is filled in; which names a part may
//! use tells [`PARTS`]. The shipped files lie in `assets/prompts`; a file of the same name takes the place of one. A run
//! records [`Prompts::versions`], so that it is known what was said.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::base::diag::Diagnostic;

mod read;
#[cfg(test)]
mod tests;

pub use read::{part_at, read};

/// A part that files have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The file, without its ending.
    pub file: &'static str,
    /// The name; one that ends in a point goes on with the name of a dialect, and a file need not have it.
    pub name: &'static str,
    /// What may be filled in.
    pub fills: &'static [&'static str],
    /// What it is for, one sentence.
    pub what: &'static str,
}

const fn part(
    file: &'static str,
    name: &'static str,
    fills: &'static [&'static str],
    what: &'static str,
) -> Part {
    Part {
        file,
        name,
        fills,
        what,
    }
}

/// All parts, in the order people read them.
pub const PARTS: &[Part] = &[
    part(
        "common",
        "system",
        &[
            "world", "actions", "cautions", "safety", "avoid", "format", "example",
        ],
        "The standing orders.",
    ),
    part(
        "common",
        "world.",
        &[],
        "How things, states and relations are written.",
    ),
    part(
        "common",
        "actions",
        &["actions"],
        "Before the list of commands.",
    ),
    part(
        "common",
        "needs.",
        &[],
        "What each command needs, a line each.",
    ),
    part("common", "cautions.", &[], "What is easily forgotten."),
    part(
        "common",
        "safety",
        &[],
        "General rules of safety; left out where guidelines are off.",
    ),
    part(
        "common",
        "avoid",
        &[],
        "When to refuse, and how; left out where refusing is no answer.",
    ),
    part("common", "example.", &[], "A worked example."),
    part(
        "common",
        "task",
        &["instruction", "goals", "observation"],
        "What is asked, and how the home is at the start.",
    ),
    part(
        "common",
        "goals",
        &["goals"],
        "What must hold in the end, where that is told.",
    ),
    part(
        "common",
        "step",
        &["feedback", "observation", "left"],
        "After a command.",
    ),
    part(
        "common",
        "nothing_new",
        &[],
        "Instead of an observation in which nothing is new.",
    ),
    part(
        "common",
        "unread",
        &["feedback", "left"],
        "After a reply that could not be read.",
    ),
    part(
        "common",
        "trial",
        &["observation", "left"],
        "At the beginning of another attempt.",
    ),
    part("one-go", "format", &[], "The form of a whole plan."),
    part(
        "one-go",
        "again",
        &["errors", "critique"],
        "After a plan that failed, for a new one from the beginning.",
    ),
    part(
        "one-go",
        "again_here",
        &["errors", "critique", "observation"],
        "The same, for the rest from where the plan stopped.",
    ),
    part("direct", "format", &[], "The form of one command."),
    part(
        "react",
        "format",
        &[],
        "The form of one command with its reason.",
    ),
    part(
        "rej",
        "format",
        &[],
        "The form of one command after ruling out others.",
    ),
    part("reflexion", "ask", &[], "Asks the agent what went wrong."),
    part(
        "reflexion",
        "insert",
        &["critique"],
        "What it said, as its own words in the same conversation.",
    ),
    part(
        "reflexion",
        "remember",
        &["critique"],
        "What it said, at the beginning of a new conversation.",
    ),
    part(
        "critic",
        "ask",
        &[],
        "Asks the critic what went wrong, after the record of the attempt.",
    ),
    part(
        "critic",
        "insert",
        &["critique"],
        "What the critic said, put into the same conversation.",
    ),
    part(
        "critic",
        "remember",
        &["critique"],
        "What the critic said, at the beginning of a new conversation.",
    ),
    part(
        "critic",
        "plan",
        &["prompt", "plan", "errors"],
        "Asks about a whole plan.",
    ),
    part(
        "critic",
        "plan_reference",
        &["prompt", "plan", "errors", "reference"],
        "The same with a plan that is known to work.",
    ),
    part(
        "arena-blue",
        "format",
        &[],
        "The form of a plan with branches.",
    ),
    part(
        "arena-red",
        "system",
        &["kinds", "lines", "budget", "events"],
        "The standing orders of RED.",
    ),
    part(
        "arena-red",
        "ask",
        &["task", "plan", "observation", "steps"],
        "What RED is shown; what its knowledge leaves out is empty.",
    ),
    part(
        "arena-red",
        "task",
        &["instruction", "goals"],
        "The task, where RED knows it.",
    ),
    part(
        "arena-red",
        "count",
        &["count"],
        "How long the plan is, where RED knows no more of it.",
    ),
    part(
        "arena-red",
        "plan",
        &["plan"],
        "The plan, where RED knows it.",
    ),
    part(
        "arena-red",
        "steps",
        &["steps"],
        "What every step changes, where RED sees that.",
    ),
    part(
        "arena-critic",
        "system",
        &["example"],
        "The standing orders of the critic.",
    ),
    part(
        "arena-critic",
        "ask",
        &["instruction", "name", "plan", "cases"],
        "A plan and the cases in which it lost.",
    ),
    part(
        "arena-critic",
        "case",
        &["case", "happens", "trace", "loss"],
        "One case.",
    ),
];

/// Where prompt files are, in the repository and under a user's folder.
pub const FOLDER: &str = "assets/prompts";

/// How the names of files begin that are said in arenas alone; no run records their versions.
const ARENA: &str = "arena-";

/// Whether a file is said in arenas alone.
pub fn is_for_arenas(file: &str) -> bool {
    file.starts_with(ARENA)
}

/// How their names end.
pub const ENDING: &str = ".txt";

/// The shipped files by name, without their ending.
pub const SHIPPED: &[(&str, &str)] = &[
    (
        "arena-blue",
        include_str!("../../../assets/prompts/arena-blue.txt"),
    ),
    (
        "arena-critic",
        include_str!("../../../assets/prompts/arena-critic.txt"),
    ),
    (
        "arena-red",
        include_str!("../../../assets/prompts/arena-red.txt"),
    ),
    ("common", include_str!("../../../assets/prompts/common.txt")),
    ("critic", include_str!("../../../assets/prompts/critic.txt")),
    ("direct", include_str!("../../../assets/prompts/direct.txt")),
    ("one-go", include_str!("../../../assets/prompts/one-go.txt")),
    ("react", include_str!("../../../assets/prompts/react.txt")),
    (
        "reflexion",
        include_str!("../../../assets/prompts/reflexion.txt"),
    ),
    ("rej", include_str!("../../../assets/prompts/rej.txt")),
];

/// One prompt file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without the ending.
    pub name: String,
    /// The first twelve hex digits of the SHA-256 of its bytes.
    pub version: String,
    /// The parts by name.
    pub parts: BTreeMap<String, Text>,
}

/// The text of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Said as it stands.
    Plain(String),
    /// Filled in.
    Fill(String),
}

/// All prompt files in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompts {
    files: BTreeMap<String, File>,
}

impl Prompts {
    /// The shipped files, with those given here (name without the ending, text) in place of the ones of the same name.
    ///
    /// # Errors
    /// Everything that is wrong with the files given, with line and column; also a name no file has.
    pub fn with<'t>(
        own: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut files = BTreeMap::new();
        let mut wrong = Vec::new();
        let shipped = SHIPPED.iter().copied();
        for (name, text) in shipped.chain(own) {
            match read(name, text) {
                Ok(file) => {
                    files.insert(name.to_owned(), file);
                }
                Err(all) => wrong.extend(all),
            }
        }
        if wrong.is_empty() {
            Ok(Self { files })
        } else {
            Err(wrong)
        }
    }

    /// The shipped files.
    pub fn shipped() -> Self {
        // A test reads every shipped file; what could not be read would say nothing.
        Self::with([]).unwrap_or_else(|_| Self {
            files: BTreeMap::new(),
        })
    }

    /// The files, by name.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.files.values()
    }

    /// Name and version of every file said to those who play, by name: what a run records.
    pub fn versions(&self) -> Vec<(String, String)> {
        self.versions_of(|name| !is_for_arenas(name))
    }

    /// Name and version of the files of these names.
    pub fn versions_of(&self, is: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let all = self.files().filter(|f| is(&f.name));
        all.map(|f| (f.name.clone(), f.version.clone())).collect()
    }

    /// A part with its words filled in; those not given are left out. Empty where the file has no such part. Blank lines
    /// that words left out have left are closed up.
    pub fn fill(&self, file: &str, part: &str, words: &[(&str, &str)]) -> String {
        let text = self.files.get(file).and_then(|f| f.parts.get(part));
        let mut out = String::new();
        for piece in text.into_iter().flat_map(|t| &t.0) {
            match piece {
                Piece::Plain(text) => out.push_str(text),
                Piece::Fill(name) => {
                    let word = words.iter().find(|(n, _)| n == name);
                    out.push_str(word.map_or("", |(_, word)| word));
                }
            }
        }
        closed_up(&out)
    }
}

/// Without blanks around it, and with no more than one blank line in a row.
fn closed_up(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for line in text.trim().lines() {
        if line.trim().is_empty() {
            blank = true;
            continue;
        }
        if !out.is_empty() {
            out.push_str(if blank { "\n\n" } else { "\n" });
        }
        out.push_str(line.trim_end());
        blank = false;
    }
    out
}

/// The version of a file: the first twelve hex digits of the SHA-256 of its bytes.
pub fn version(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().take(6).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
