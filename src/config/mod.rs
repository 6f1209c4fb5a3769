//! What the environment and the user's files say: read once, here, and nowhere else.

use std::path::{Path, PathBuf};

use crate::app::keymap::{self, Keymap};
use crate::app::notice::Notice;
use crate::app::settings::{FILE, Set, Settings, Source};
use crate::app::state::{Colours, Look, Symbols};

mod file;
mod keep;

pub use keep::{Kept, kept};

/// What flags say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--profile`.
    pub profile: Option<String>,
    /// `--runs`.
    pub runs: Option<PathBuf>,
    /// `--from`.
    pub from: Option<PathBuf>,
}

/// A variable of the environment that somebody's settings name: a model's key, a setting of its endpoint.
#[expect(
    clippy::disallowed_methods,
    reason = "the name is only known when a model is reached"
)]
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The parts of the environment Vesta looks at, as they were when it started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Env {
    /// `TERM`.
    pub term: Option<String>,
    /// The locale in force: `LC_ALL`, else `LC_CTYPE`, else `LANG`.
    pub locale: Option<String>,
    /// `NO_COLOR`, set and not empty.
    pub no_color: bool,
    /// `VESTA_CONFIG_DIR`, in place of the usual configuration folder.
    pub config_dir: Option<PathBuf>,
    /// `VESTA_REVIEWER`, whose labels are filed.
    pub reviewer: Option<String>,
}

impl Env {
    /// Reads the environment of the process.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the environment"
    )]
    pub fn read() -> Self {
        let var = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            term: var("TERM"),
            locale: var("LC_ALL")
                .or_else(|| var("LC_CTYPE"))
                .or_else(|| var("LANG")),
            no_color: var("NO_COLOR").is_some(),
            config_dir: var("VESTA_CONFIG_DIR").map(PathBuf::from),
            reviewer: var("VESTA_REVIEWER"),
        }
    }

    /// Signs and colours this terminal can show. No question is put to the terminal: the first frame
    /// must not wait for an answer.
    pub fn look(&self) -> Look {
        let term = self.term.as_deref().unwrap_or("dumb");
        let utf8 = self.locale.as_deref().is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let symbols = if utf8 && term != "linux" && term != "dumb" {
            Symbols::Unicode
        } else {
            Symbols::Ascii
        };
        let colours = if self.no_color || term == "dumb" || term.ends_with("-m") || term == "vt100"
        {
            Colours::None
        } else {
            Colours::Ansi16
        };
        Look { symbols, colours }
    }

    /// Everything that is set: flags over the environment over the user's file over what is built in.
    pub fn settings(&self, flags: &Flags) -> Settings {
        let named = |path: &Option<PathBuf>, flag| match path {
            Some(path) => Set::new(Some(path.display().to_string()), Source::Flag(flag)),
            None => Set::default(),
        };
        let look = self.look();
        let colours = if self.no_color {
            Source::Env("NO_COLOR")
        } else {
            Source::Terminal
        };
        let path = self.config_folder().map(|folder| folder.join(FILE));
        let mut settings = Settings {
            symbols: Set::new(look.symbols, Source::Terminal),
            colours: Set::new(look.colours, colours),
            runs: named(&flags.runs, "--runs"),
            from: named(&flags.from, "--from"),
            file: path.map(|path| path.display().to_string()),
            terminal: look,
            ..Settings::default()
        };
        if let Some(profile) = &flags.profile {
            // The flag has been checked where it was read.
            let _ = settings.take("profile", Some(profile), Source::Flag("--profile"));
        }
        if let Some(name) = &self.reviewer {
            // One that is no name leaves the file's.
            let _ = settings.take("reviewer", Some(name), Source::Env("VESTA_REVIEWER"));
        }
        reread(&mut settings);
        settings
    }

    /// The folder of the user's own files, if there can be one.
    pub fn config_folder(&self) -> Option<PathBuf> {
        use etcetera::BaseStrategy as _;
        self.config_dir.clone().or_else(|| {
            etcetera::choose_base_strategy()
                .ok()
                .map(|base| base.config_dir().join("vesta"))
        })
    }

    /// The shipped keys with the user's `keymap.toml` over them. A file with a fault is left out whole and
    /// said so: half a key map would surprise more than none.
    pub fn keymap(&self) -> (Keymap, Vec<Notice>) {
        let mut notices = Vec::new();
        let shipped = match Keymap::parse(keymap::SHIPPED, "keymap.toml") {
            Ok(keymap) => keymap,
            Err(err) => {
                notices.push(Notice::error(err.to_string()));
                Keymap::default()
            }
        };
        let Some(path) = self
            .config_folder()
            .map(|folder| folder.join("keymap.toml"))
        else {
            return (shipped, notices);
        };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => return (shipped, notices),
            Err(err) => {
                notices.push(Notice::error(format!(
                    "{}: {err}; the shipped keys are used",
                    path.display()
                )));
                return (shipped, notices);
            }
        };
        match Keymap::parse(&text, &path.display().to_string()) {
            Ok(user) => {
                let merged = shipped.clone().overridden(user);
                let conflicts = merged.conflicts();
                if let Some(first) = conflicts.first() {
                    let text = format!("{}: {first}; the shipped keys are used", path.display());
                    notices.push(Notice::error(text));
                    return (shipped, notices);
                }
                (merged, notices)
            }
            Err(err) => {
                notices.push(Notice::error(format!("{err}; the shipped keys are used")));
                (shipped, notices)
            }
        }
    }
}

/// Reads the user's file of settings again. What is wrong in it leaves the last good value.
pub fn reread(settings: &mut Settings) {
    let Some(path) = settings.file.clone() else {
        return;
    };
    settings.has_file = true;
    match std::fs::read_to_string(Path::new(&path)) {
        Ok(text) => file::read(&text, settings),
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => {
            settings.has_file = false;
            file::read("", settings);
        }
        Err(err) => {
            settings.faults = vec![format!("{FILE}: {err}; the settings stay as they were")];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(term: &str, locale: &str, no_color: bool) -> Env {
        Env {
            term: Some(term.into()),
            locale: Some(locale.into()),
            no_color,
            config_dir: None,
            reviewer: None,
        }
    }

    #[test]
    fn look_follows_the_terminal() {
        let look = |symbols, colours| Look { symbols, colours };
        for (env, expected) in [
            (
                env("xterm-256color", "en_GB.UTF-8", false),
                look(Symbols::Unicode, Colours::Ansi16),
            ),
            (
                env("xterm", "C.utf8", true),
                look(Symbols::Unicode, Colours::None),
            ),
            (
                env("xterm", "C", false),
                look(Symbols::Ascii, Colours::Ansi16),
            ),
            (
                env("linux", "C.UTF-8", false),
                look(Symbols::Ascii, Colours::Ansi16),
            ),
            (Env::default(), look(Symbols::Ascii, Colours::None)),
        ] {
            assert_eq!(env.look(), expected, "{env:?}");
        }
    }

    #[test]
    fn a_faulty_key_map_is_named_and_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let env = Env {
            config_dir: Some(folder.path().to_owned()),
            ..Env::default()
        };
        let (shipped, notices) = env.keymap();
        assert_eq!(notices, []);
        std::fs::write(
            folder.path().join("keymap.toml"),
            "[[list]]\non = \"Entr\"\nrun = \"cursor-up\"\n",
        )
        .unwrap();
        let (keymap, notices) = env.keymap();
        assert_eq!(keymap, shipped);
        let text = &notices.first().unwrap().text;
        assert!(
            text.contains("keymap.toml line 2: unknown key \"Entr\""),
            "{text}"
        );
    }
}
