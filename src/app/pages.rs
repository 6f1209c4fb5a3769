//! Files to look at: what can be asked for, what the readers of files answer.

use std::path::PathBuf;
use std::sync::Arc;

use crate::formats::page::{Body, Index, Window};
use crate::formats::syntax::Piece;

/// A text somebody wants to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// A file, or the one of that name inside the program; at a line, from 1.
    Path(PathBuf, Option<u64>),
    /// The file of a task, at what is wrong with it.
    Task(String),
    /// The file of a task's scene.
    Scene(String),
    /// What another tool recorded, as a text: a file, or the folder of a run that was made from one.
    Recording(PathBuf),
    /// A file of a run: the end of its id or its folder, the file's part in it, a line.
    Run(String, RunPart, Option<u64>),
}

/// The files of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RunPart {
    /// Its events, one a line.
    #[default]
    Events,
    /// Its header, with the task.
    Header,
    /// What was said about it.
    Notes,
    /// The scene kept with it.
    Scene,
}

impl RunPart {
    /// All of them, with the words commands use.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Events, "events"),
        (Self::Header, "header"),
        (Self::Notes, "notes"),
        (Self::Scene, "scene"),
    ];

    /// The part of that name; the events where none is named.
    ///
    /// # Errors
    /// There is no such part.
    pub fn parse(word: &str) -> Result<Self, String> {
        if word.is_empty() {
            return Ok(Self::default());
        }
        let found = Self::ALL.into_iter().find(|(_, name)| *name == word);
        found.map(|(part, _)| part).ok_or_else(|| {
            format!("a run has no file {word:?}: write events, header, notes or scene")
        })
    }
}

impl Ask {
    /// What is asked for in words: `task V022`, `run b2d4 notes`, `tasks/mine/a.json:14`.
    ///
    /// # Errors
    /// Nothing is named.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err(
                "file: name one, as in file tasks/mine/a.json:14, file task V022".to_owned(),
            );
        }
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        match kind {
            "task" if !rest.is_empty() => return Ok(Self::Task(rest.to_owned())),
            "recording" if !rest.is_empty() => {
                return Ok(Self::Recording(PathBuf::from(rest.trim_matches('"'))));
            }
            "scene" if !rest.is_empty() => return Ok(Self::Scene(rest.to_owned())),
            "run" if !rest.is_empty() => {
                let (name, part) = match rest.rsplit_once(' ') {
                    Some((name, last)) => (name.trim(), RunPart::parse(last)?),
                    None => (rest, RunPart::default()),
                };
                return Ok(Self::Run(name.to_owned(), part, None));
            }
            _ => {}
        }
        let at_line = text.rsplit_once(':').and_then(|(path, line)| {
            let line = line.parse().ok().filter(|line| *line > 0)?;
            Some(Self::Path(PathBuf::from(path), Some(line)))
        });
        Ok(at_line.unwrap_or_else(|| Self::Path(PathBuf::from(text), None)))
    }

    /// It in a few words, while it is not open.
    pub fn words(&self) -> String {
        match self {
            Self::Path(path, _) => path.display().to_string(),
            Self::Recording(path) => format!("recording {}", path.display()),
            Self::Task(name) => format!("task {name}"),
            Self::Scene(name) => format!("scene of {name}"),
            Self::Run(name, part, _) => {
                let word = RunPart::ALL.iter().find(|(known, _)| known == part);
                format!("run {name} {}", word.map_or("", |(_, word)| word))
            }
        }
    }
}

/// Work about a text.
#[derive(Clone, Debug, PartialEq)]
pub enum PageJob {
    /// Find it and read the lines around the one asked for.
    Open(Ask),
    /// Read lines.
    Read {
        /// Where the text is.
        body: Body,
        /// Where its lines begin, as far as that is known.
        index: Option<Arc<Index>>,
        /// The first line, from 0.
        first: u64,
    },
    /// Count the lines.
    Index(Body),
    /// Look for words.
    Find {
        /// Where the text is.
        body: Body,
        /// The words.
        words: String,
        /// The line to begin at.
        from: u64,
        /// Whether towards the end.
        forward: bool,
    },
    /// Say what the words of some lines are.
    Paint {
        /// The language.
        language: &'static str,
        /// The lines.
        window: Arc<Window>,
    },
}

/// A text that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub body: Body,
    /// Its size in bytes.
    pub size: u64,
    /// The line asked for, from 0.
    pub line: u64,
    /// What is wrong there.
    pub fault: Option<String>,
    /// The lines around it.
    pub window: Arc<Window>,
}

/// The answer to a [`PageJob`].
#[derive(Clone, Debug, PartialEq)]
pub enum PageReply {
    /// It is open.
    Opened(Box<Opened>),
    /// Lines.
    Read(Arc<Window>),
    /// How many lines there are.
    Indexed(Arc<Index>),
    /// The line the words were found in.
    Found(Option<u64>),
    /// The pieces of the lines of a window.
    Painted(Arc<Vec<Vec<Piece>>>),
}

/// Lines read at once.
pub const WINDOW: usize = 600;

/// The first line of the window around a line.
pub const fn around(line: u64) -> u64 {
    line.saturating_sub(WINDOW as u64 / 2)
}
