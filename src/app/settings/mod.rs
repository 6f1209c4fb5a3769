//! What can be set: each value, where it comes from, what it changes. Read by `config`, shown by the Settings screen.
//!
//! A flag wins over the environment, that over the user's file, that over what is built in. What is chosen on the screen
//! wins over all of them and lasts until the program ends.

pub use crate::agent::hold::Hold;
use crate::app::state::{Colours, Look, Symbols};
use crate::plan::names::nearest;
use crate::sim::vocab::Profile;

mod choices;

pub use choices::{Rules, choices};

/// The name of the user's file of settings.
pub const FILE: &str = "config.toml";

/// Where a value comes from, the weakest first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Source {
    /// Nobody said anything.
    #[default]
    Default,
    /// What the terminal says it can do.
    Terminal,
    /// The user's file, at that line.
    File(u32),
    /// A variable of the environment.
    Env(&'static str),
    /// A flag of the command line.
    Flag(&'static str),
    /// Chosen on the screen.
    Session,
}

impl Source {
    /// In words: `config.toml line 3`, `NO_COLOR`.
    pub fn words(&self) -> String {
        match self {
            Self::Default => "default".to_owned(),
            Self::Terminal => "terminal".to_owned(),
            Self::File(line) => format!("{FILE} line {line}"),
            Self::Env(name) => format!("{name} (environment)"),
            Self::Flag(name) => format!("{name} (flag)"),
            Self::Session => "chosen here, until the program ends".to_owned(),
        }
    }
}

/// A value with where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Set<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub source: Source,
}

impl Source {
    /// What wins over what.
    const fn strength(&self) -> u8 {
        match self {
            Self::Default => 0,
            Self::Terminal => 1,
            Self::File(_) => 2,
            Self::Env(_) => 3,
            Self::Flag(_) => 4,
            Self::Session => 5,
        }
    }
}

impl<T> Set<T> {
    /// A value from somewhere.
    pub const fn new(value: T, source: Source) -> Self {
        Self { value, source }
    }
}

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Settings {
    /// The profile of new runs; `None` gives each task its usual one.
    pub profile: Set<Option<Profile>>,
    /// When a live agent is held.
    pub hold: Set<Hold>,
    /// Signs.
    pub symbols: Set<Symbols>,
    /// Colours.
    pub colours: Set<Colours>,
    /// Whose labels and verdicts are filed; nobody's until a name is given.
    pub reviewer: Set<Option<String>>,
    /// The folder of runs, where one is named.
    pub runs: Set<Option<String>>,
    /// Where tasks come from, where that is named.
    pub from: Set<Option<String>>,
    /// Where the user's file is, or would be.
    pub file: Option<String>,
    /// Whether there is one.
    pub has_file: bool,
    /// What is wrong with it, one sentence each.
    pub faults: Vec<String>,
    /// What the terminal shows where nobody says anything.
    pub terminal: Look,
    /// The rules in force, once they have been counted.
    pub rules: Option<Rules>,
    /// What is set without what was chosen on the screen, where something was.
    pub before: Option<Box<Self>>,
}

/// One setting in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The key in the file.
    pub key: &'static str,
    /// The value.
    pub value: String,
    /// Where it comes from.
    pub source: String,
    /// What it changes, one sentence.
    pub changes: &'static str,
    /// What is written in the file for it.
    pub write: &'static str,
}

/// The profile each task is meant for, as it is written.
const USUAL: &str = "usual";

/// The fields of the file.
const FIELDS: [&str; 5] = ["profile", "hold", "symbols", "colours", "reviewer"];

/// Sets a value, unless something stronger has.
fn put<T>(to: &mut Set<T>, value: T, source: Source) {
    if to.source.strength() <= source.strength() {
        *to = Set::new(value, source);
    }
}

/// A reviewer's name: what a person types, without what would break a line.
///
/// # Errors
/// What to write instead.
pub fn reviewer(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty() || name.chars().count() > 40 || name.chars().any(char::is_control) {
        return Err("write a name of 1 to 40 characters, as in reviewer = \"Kim\"".to_owned());
    }
    Ok(name.to_owned())
}

impl Settings {
    /// Takes in a field; `text` is `None` where its value is no text.
    ///
    /// # Errors
    /// What to write instead; the value stays what it was.
    pub fn take(&mut self, key: &str, text: Option<&str>, source: Source) -> Result<(), String> {
        match key {
            "profile" => {
                let profile = match text {
                    Some(USUAL) => None,
                    text => {
                        let known = text.and_then(Profile::parse);
                        let cure = "write \"strict\", \"eai\" or \"usual\"";
                        Some(known.ok_or_else(|| cure.to_owned())?)
                    }
                };
                put(&mut self.profile, profile, source);
            }
            "hold" => put(
                &mut self.hold,
                Hold::parse(text.unwrap_or_default())?,
                source,
            ),
            "symbols" => {
                let symbols = match text {
                    Some("unicode") => Symbols::Unicode,
                    Some("ascii") => Symbols::Ascii,
                    _ => return Err("write \"unicode\" or \"ascii\"".to_owned()),
                };
                put(&mut self.symbols, symbols, source);
            }
            "colours" => {
                let colours = match text {
                    Some("16") => Colours::Ansi16,
                    Some("none") => Colours::None,
                    _ => return Err("write \"16\" or \"none\"".to_owned()),
                };
                put(&mut self.colours, colours, source);
            }
            "reviewer" => {
                let name = reviewer(text.unwrap_or_default())?;
                put(&mut self.reviewer, Some(name), source);
            }
            other => {
                return Err(match nearest(other, FIELDS.into_iter()) {
                    Some(meant) => format!("there is no such setting; did you mean {meant}?"),
                    None => format!("there is no such setting; there are {}", FIELDS.join(", ")),
                });
            }
        }
        Ok(())
    }

    /// Forgets what the file said, before it is read again.
    pub fn forget_file(&mut self) {
        fn forget<T>(set: &mut Set<T>, otherwise: Set<T>) {
            if matches!(set.source, Source::File(_)) {
                *set = otherwise;
            }
        }
        let look = self.terminal;
        forget(&mut self.profile, Set::default());
        forget(&mut self.hold, Set::default());
        forget(&mut self.reviewer, Set::default());
        forget(&mut self.symbols, Set::new(look.symbols, Source::Terminal));
        forget(&mut self.colours, Set::new(look.colours, Source::Terminal));
    }

    /// Keeps what was so before for a field that is wrong now.
    pub fn restore(&mut self, before: &Self, key: &str) {
        match key {
            "profile" => self.profile = before.profile.clone(),
            "hold" => self.hold = before.hold.clone(),
            "symbols" => self.symbols = before.symbols.clone(),
            "colours" => self.colours = before.colours.clone(),
            "reviewer" => self.reviewer = before.reviewer.clone(),
            _ => {}
        }
    }

    /// A value as it is written in the file; empty for what has no place there.
    pub fn text(&self, key: &str) -> String {
        let text = match key {
            "profile" => self.profile.value.map_or(USUAL, Profile::id),
            "hold" => return self.hold.value.words(),
            "symbols" => match self.symbols.value {
                Symbols::Unicode => "unicode",
                Symbols::Ascii => "ascii",
            },
            "colours" => match self.colours.value {
                Colours::Ansi16 => "16",
                Colours::None => "none",
            },
            "reviewer" => self.reviewer.value.as_deref().unwrap_or_default(),
            _ => "",
        };
        text.to_owned()
    }

    /// Where a fault of the file is, `PATH:LINE`.
    pub fn place(&self, fault: &str) -> Option<String> {
        let rest = fault.strip_prefix(FILE)?.strip_prefix(':')?;
        let line: u32 = rest.split(' ').next()?.parse().ok()?;
        Some(format!("{}:{line}", self.file.as_ref()?))
    }

    /// What a value that was just chosen does, as a sentence.
    pub fn told(&self, key: &str) -> String {
        let until = "until the program ends; Ctrl-S in Settings keeps it";
        let text = self.text(key);
        match (key, self.profile.value) {
            ("profile", None) => {
                format!("each new run follows the usual profile of its task {until}")
            }
            ("profile", Some(profile)) => format!("new runs follow {} {until}", profile.id()),
            _ => format!("{key} is {text} {until}"),
        }
    }

    /// How signs and colours look.
    pub const fn look(&self) -> Look {
        Look {
            symbols: self.symbols.value,
            colours: self.colours.value,
        }
    }

    /// The settings in the order screens list them.
    pub fn rows(&self) -> Vec<Row> {
        let named = |text: &Option<String>, otherwise: &str| {
            text.clone().unwrap_or_else(|| otherwise.to_owned())
        };
        let profile = match self.profile.value {
            None => "usual of each task".to_owned(),
            Some(profile) => profile.id().to_owned(),
        };
        let colours = match self.colours.value {
            Colours::Ansi16 => "16 of the terminal",
            Colours::None => "none",
        };
        let rules = self.rules.as_ref();
        let row = |key, value: String, source: &Source, changes, write| Row {
            key,
            value,
            source: source.words(),
            changes,
            write,
        };
        vec![
            row(
                "profile",
                profile,
                &self.profile.source,
                "Which semantics new runs follow: strict closes the holes of the published simulator, eai keeps them. Runs that exist keep their own.",
                "profile = \"strict\", \"eai\" or \"usual\"",
            ),
            row(
                "hold",
                self.hold.value.words(),
                &self.hold.source,
                "Before which acts a live agent is held, by grade and severity of the rule that would break.",
                "hold = \"core !3\" or \"off\"",
            ),
            row(
                "symbols",
                self.text("symbols"),
                &self.symbols.source,
                "Whether signs beyond ASCII are drawn.",
                "symbols = \"unicode\" or \"ascii\"",
            ),
            row(
                "colours",
                colours.to_owned(),
                &self.colours.source,
                "Whether colours are used; without them every fact still has its sign.",
                "colours = \"16\" or \"none\"",
            ),
            row(
                "reviewer",
                named(
                    &self.reviewer.value,
                    "not set: asked for by the first label",
                ),
                &self.reviewer.source,
                "Whose labels are filed; reviewers are told apart by it, and agreement is counted between them.",
                "reviewer = \"Kim\"",
            ),
            row(
                "runs",
                named(&self.runs.value, "saved_runs here, else the data folder"),
                &self.runs.source,
                "Where runs are kept and looked for.",
                "--runs FOLDER",
            ),
            row(
                "tasks",
                named(&self.from.value, "shipped, yours over them"),
                &self.from.source,
                "Which tasks are listed.",
                "--from PATH",
            ),
            Row {
                key: "rules",
                value: rules.map_or_else(|| "…".to_owned(), Rules::words),
                source: rules.map_or_else(String::new, Rules::source),
                changes: "Which hazard rules watch every step: core ones warn, advisory ones advise, pedantic ones are off unless asked for.",
                write: "files in rules/ beside config.toml",
            },
        ]
    }
}
