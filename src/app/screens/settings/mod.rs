//! Settings: each value, where it comes from, what it changes; beside them in what the profiles differ, each difference
//! with its example played under both.

use std::sync::Arc;

use crate::app::commands::{Availability, Command};
use crate::app::glyph;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Title};
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::profiles::Contrast;
use crate::app::role::Role;
use crate::app::screens::{Screen, ScreenDesc};
use crate::app::settings::{FILE, Row, choices};
use crate::app::state::Shared;

#[cfg(test)]
mod tests;

/// Commands of Settings alone.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "setting-change",
        "change",
        "Go on to the next value there is; it acts at once, until the program ends.",
    ),
    Command::new(
        "setting-back",
        "change back",
        "Go back to the value before.",
    ),
    Command::new(
        "setting-type",
        "type",
        "Type the value on the command line.",
    ),
    Command::new(
        "setting-keep",
        "keep",
        "Write what was chosen here into the file of settings; comments and other keys stay.",
    ),
    Command::new(
        "setting-file",
        "file",
        "Show the file of settings, at the line of the value.",
    ),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new(
        "settings",
        "settings",
        "Show what is set, where it comes from, and how the profiles differ.",
    )
    .with("[DIFFERENCE]"),
    open: |args, _| {
        let screen = Settings {
            wanted: Some(args.trim().to_owned()).filter(|id| !id.is_empty()),
            ..Settings::default()
        };
        Ok(Screen::Settings(Box::new(screen)))
    },
    contexts: &[&["settings", "pane", "list"]],
    glyphs: &[glyph::CURSOR, glyph::HOLDS, glyph::FALSE, glyph::GOAL_OPEN],
    fields: &[],
    example: "Enter on the profile chooses the one new runs follow, Ctrl-S keeps it; Tab goes to what differs.",
};

/// The panes, in the order of the Tab key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pane {
    /// The values.
    #[default]
    Values,
    /// In what the profiles differ.
    Profiles,
}

/// How far the examples are.
#[derive(Clone, Debug, Default)]
pub enum Reading {
    /// Being played.
    #[default]
    Running,
    /// Played.
    Done(Arc<Vec<Contrast>>),
    /// They cannot be: why.
    Failed(String),
}

/// The screen.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The difference to open at.
    wanted: Option<String>,
    /// Which pane has the keys.
    pub focus: Pane,
    /// Whether it has the whole body.
    pub zoomed: bool,
    /// The value under the cursor.
    pub values: List,
    /// The difference under the cursor.
    pub list: List,
    /// In what the profiles differ.
    pub reading: Reading,
}

impl Settings {
    /// In what the profiles differ, as far as that is read.
    pub fn contrasts(&self) -> &[Contrast] {
        match &self.reading {
            Reading::Done(all) => all,
            _ => &[],
        }
    }

    /// The difference under the cursor.
    pub fn contrast(&self) -> Option<&Contrast> {
        self.contrasts().get(self.list.cursor)
    }

    /// Puts the cursor on the difference the screen was opened at.
    fn point(&mut self) -> Vec<Act> {
        let Some(wanted) = self.wanted.take() else {
            return Vec::new();
        };
        if let Some(at) = self.contrasts().iter().position(|it| it.id == wanted) {
            self.list.cursor = at;
            self.focus = Pane::Profiles;
            return Vec::new();
        }
        let text = format!("no difference is called {wanted:?}");
        vec![Act::Notice(Notice::warn(text))]
    }

    fn row(&self, shared: &Shared) -> Option<Row> {
        shared.settings.rows().into_iter().nth(self.values.cursor)
    }

    fn when_change(&self, shared: &Shared) -> Availability {
        match (self.focus, self.row(shared)) {
            (Pane::Values, Some(row)) if choices(row.key).is_empty() => {
                let how = if row.write.starts_with("--") {
                    "chosen at the start"
                } else {
                    "read at the start"
                };
                Availability::blocked(format!("it is {how}: {}", row.write))
            }
            (Pane::Values, Some(_)) => Availability::Ready,
            _ => Availability::blocked("Tab goes to the values"),
        }
    }

    /// The value under the cursor, moved on by `by` among those there are, as a command line.
    fn moved(&self, by: isize, shared: &Shared) -> Option<Act> {
        let key = self.row(shared)?.key;
        let all = choices(key);
        let now = shared.settings.text(key);
        let at = all.iter().position(|text| **text == now).unwrap_or(0);
        let len = isize::try_from(all.len()).ok()?;
        let to = (isize::try_from(at).ok()? + by).rem_euclid(len);
        let text = all.get(usize::try_from(to).ok()?)?;
        Some(Act::Run(format!("set {key} {text}")))
    }

    /// The file, at the line that is wrong or sets the value.
    fn file(&self, shared: &Shared) -> Option<String> {
        let settings = &shared.settings;
        let path = settings.file.as_ref().filter(|_| settings.has_file)?;
        let fault = settings.faults.first();
        if let Some(place) = fault.and_then(|fault| settings.place(fault)) {
            return Some(format!("file {place}"));
        }
        let set = self.row(shared).and_then(|row| {
            let (_, line) = row.source.split_once(" line ")?;
            line.parse::<u32>().ok()
        });
        let line = set.unwrap_or(1);
        Some(format!("file {path}:{line}"))
    }
}

/// What was kept and where; what is chosen still goes before, if anything.
fn told(lines: &[(String, u32)], shared: &Shared) -> String {
    let settings = &shared.settings;
    let file = settings.file.as_deref().unwrap_or_default();
    let each: Vec<String> = lines
        .iter()
        .map(|(text, line)| format!("{text} at line {line}"))
        .collect();
    let mut told = format!("{file}: kept {}", each.join(", "));
    let unchosen = settings.unchosen();
    for (key, _) in settings.chosen() {
        let rows = unchosen.rows();
        let stronger = |row: &&Row| row.key == key && !row.source.starts_with(FILE);
        if let Some(row) = rows.iter().find(stronger) {
            told = format!("{told}; at the next start {} goes before {key}", row.source);
        }
    }
    told
}

impl Layer for Settings {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["settings", "pane", "list"]
    }

    fn when(&self, command: &str, _args: &str, shared: &Shared) -> Availability {
        match command {
            "setting-change" | "setting-back" | "setting-type" => self.when_change(shared),
            "setting-keep" => Availability::when(
                !shared.settings.chosen().is_empty(),
                "nothing was chosen here that is not kept",
            ),
            "setting-file" => Availability::when(
                self.file(shared).is_some(),
                "there is no file of settings yet",
            ),
            "filter" => Availability::blocked("there is little to narrow here"),
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "setting-change" => return Some(self.moved(1, shared).into_iter().collect()),
            "setting-back" => return Some(self.moved(-1, shared).into_iter().collect()),
            "setting-type" => {
                let line = self.row(shared).map(|row| {
                    let now = shared.settings.text(row.key);
                    Act::Run(format!("command-line set {} {now}", row.key))
                });
                return Some(line.into_iter().collect());
            }
            "setting-keep" => {
                let unchosen = Box::new(shared.settings.unchosen());
                let job = Job::KeepSettings(unchosen, shared.settings.chosen());
                return Some(vec![Act::Job("keep", job)]);
            }
            "setting-file" => {
                let line = self.file(shared);
                return Some(line.map(Act::Run).into_iter().collect());
            }
            "next-pane" | "previous-pane" => {
                self.focus = match self.focus {
                    Pane::Values => Pane::Profiles,
                    Pane::Profiles => Pane::Values,
                };
            }
            "out" if self.zoomed => self.zoomed = false,
            "out" if self.focus == Pane::Profiles => self.focus = Pane::Values,
            "out" => return Some(vec![Act::Leave]),
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            "filter" => {}
            _ => {
                let (list, len) = match self.focus {
                    Pane::Values => (&mut self.values, shared.settings.rows().len()),
                    Pane::Profiles => {
                        let len = self.contrasts().len();
                        (&mut self.list, len)
                    }
                };
                return list.run(command, len, shared.page()).then(Vec::new);
            }
        }
        Some(Vec::new())
    }

    fn on_open(&mut self, shared: &mut Shared) -> Vec<Act> {
        // The file may have been written to since.
        let read = Act::Job(
            "settings",
            Job::ReadSettings(Box::new(shared.settings.unchosen())),
        );
        let mut acts = vec![read];
        if !matches!(self.reading, Reading::Done(_)) {
            acts.push(Act::Job("profiles", Job::ContrastProfiles));
        }
        acts
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        match event {
            JobEvent::Progress { .. } | JobEvent::Part(_) => {}
            JobEvent::Failed(reason) if slot == "profiles" => {
                self.reading = Reading::Failed(reason);
            }
            JobEvent::Failed(reason) => return vec![Act::Notice(Notice::error(reason))],
            JobEvent::Done(reply) => match *reply {
                Reply::Settings(read) => shared.reset(|settings| settings.follow(*read)),
                Reply::Kept(read, lines) => {
                    shared.reset(|settings| settings.kept(*read));
                    return vec![Act::Notice(Notice::info(told(&lines, shared)))];
                }
                Reply::Contrasts(all) => {
                    self.reading = Reading::Done(all);
                    return self.point();
                }
                _ => {}
            },
        }
        Vec::new()
    }

    fn row_text(&self, shared: &Shared) -> Option<String> {
        match self.focus {
            Pane::Values => self
                .row(shared)
                .map(|row| format!("{} {}", row.key, row.value)),
            Pane::Profiles => self.contrast().map(|it| it.id.to_owned()),
        }
    }

    fn plain(&self, shared: &Shared) -> Vec<String> {
        let settings = &shared.settings;
        let mut lines: Vec<String> = settings.faults.clone();
        let rules = settings.rules.as_ref();
        lines.extend(rules.into_iter().flat_map(|rules| rules.faults.clone()));
        lines.extend(settings.rows().into_iter().map(|row| {
            format!(
                "{} is {} from {}: {}",
                row.key, row.value, row.source, row.changes
            )
        }));
        if let Some(file) = &settings.file {
            let state = if settings.has_file {
                "read"
            } else {
                "not there"
            };
            lines.push(format!("file {file}, {state}"));
        }
        match &self.reading {
            Reading::Running => lines.push("profiles: playing the examples …".to_owned()),
            Reading::Failed(reason) => lines.push(format!("profiles: {reason}")),
            Reading::Done(all) => {
                lines.push(format!("strict differs from eai in {} points", all.len()));
                lines.extend(all.iter().flat_map(Contrast::lines));
            }
        }
        lines
    }
}

impl Place for Settings {
    fn title(&self, shared: &Shared) -> Title {
        let settings = &shared.settings;
        let mut facts = Vec::new();
        if !settings.faults.is_empty() {
            let n = settings.faults.len();
            let ending = if n == 1 { "" } else { "s" };
            facts.push(Fact::new(
                format!("{n} fault{ending} in the file"),
                Role::Error,
            ));
        }
        let profile = settings.profile.value;
        facts.push(Fact::new(
            profile.map_or("usual profile", |p| p.id()),
            Role::Text,
        ));
        Title {
            subject: settings.file.clone().unwrap_or_default(),
            facts,
        }
    }
}
