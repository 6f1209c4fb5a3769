//! A new run: which task or suite, who plays, which strategy; or the runs that a suite misses.
//!
//! Every row is a line that can be typed into; `Tab` takes what fits one after the other.

use crate::agent::players::{self, KINDS};
use crate::agent::strategy::{Choice, STRATEGIES};
use crate::app::commands::{Availability, Command};
use crate::app::edit::LineEdit;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::launch::{Launch as Wanted, Who};
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::library::Library;
use crate::app::notice::Notice;
use crate::app::state::Shared;

/// Commands of the overlay.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "launch-start",
        "start",
        "Start it; a runner of its own plays.",
    ),
    Command::new(
        "launch-next",
        "fits",
        "Take the next of those that fit what was typed.",
    ),
    Command::new("launch-down", "row", "Go to the next row."),
    Command::new("launch-up", "row above", "Go to the row above."),
    Command::new("launch-close", "close", "Start nothing."),
];

/// The slot of its job.
const START: &str = "start";

/// Agents that play by themselves; the others need somebody at the other end.
fn kinds() -> impl Iterator<Item = &'static players::Kind> {
    KINDS.iter().filter(|k| !matches!(k.id, "client" | "human"))
}

/// A row of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What it asks for.
    pub label: &'static str,
    /// What is typed.
    pub line: LineEdit,
    /// What was typed before `Tab` changed it, and how often it did.
    typed: Option<(String, usize)>,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// What is played and who plays.
    Form(Vec<Field>),
    /// Whether the missing runs are to be played: what is started, and words about it.
    Sure(Wanted, Vec<String>),
}

/// The state of the overlay.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What is asked.
    pub ask: Ask,
    /// The row with the caret.
    pub row: usize,
    /// Whether it is being started.
    pub starting: bool,
    /// Why it could not be started.
    pub fault: Option<String>,
}

/// The place of each row of the form.
const WHAT: usize = 0;
const AGENT: usize = 1;
const MODEL: usize = 2;
const STRATEGY: usize = 3;

impl Launch {
    fn of(ask: Ask) -> Self {
        Self {
            ask,
            row: 0,
            starting: false,
            fault: None,
        }
    }

    /// A form, filled in with a task or suite.
    pub fn form(what: &str) -> Self {
        let rows = [
            ("task or suite", what),
            ("agent", "planner"),
            ("model", ""),
            ("strategy", ""),
        ];
        let field = |(label, text): (&'static str, &str)| Field {
            label,
            line: LineEdit::new(text),
            typed: None,
        };
        Self::of(Ask::Form(rows.map(field).into()))
    }

    /// The question whether these are to be started; `about` tells of them, a sentence each.
    pub fn sure(wanted: Wanted, about: Vec<String>) -> Self {
        Self::of(Ask::Sure(wanted, about))
    }

    /// The text of a row of the form.
    fn text(&self, row: usize) -> String {
        match &self.ask {
            Ask::Form(fields) => fields
                .get(row)
                .map_or_else(String::new, |f| f.line.text().trim().to_owned()),
            Ask::Sure(..) => String::new(),
        }
    }

    /// Whether the agent that is typed is a chat model.
    pub fn talks(&self) -> bool {
        players::find(&self.text(AGENT)).is_ok_and(|kind| kind.talks)
    }

    /// What would be started.
    ///
    /// # Errors
    /// What is missing or wrong.
    pub fn wanted(&self, library: &Library) -> Result<Wanted, String> {
        if let Ask::Sure(wanted, _) = &self.ask {
            return Ok(wanted.clone());
        }
        let what = self.text(WHAT);
        let agent = self.text(AGENT);
        let kind = players::find(&agent)?;
        let mut who = Who {
            agent,
            ..Who::default()
        };
        if kind.talks {
            who.model = self.text(MODEL);
            if who.model.is_empty() {
                return Err(format!("{} needs the name of a model", kind.id));
            }
            let strategy = self.text(STRATEGY);
            if !strategy.is_empty() {
                who.strategy = Choice::parse(&strategy)?.to_string();
            }
        }
        if library.tasks.iter().any(|row| row.suite == what) {
            return Ok(Wanted::Suite(what, who));
        }
        let named = |row: &&crate::app::library::TaskRow| row.id == what || row.name() == what;
        match library.tasks.iter().find(named) {
            Some(row) => match &row.fault {
                Some(fault) => Err(format!("{what} cannot be opened: {fault}")),
                None => Ok(Wanted::Task(what, who)),
            },
            None if what.is_empty() => Err("name a task or a suite".to_owned()),
            None => Err(format!("there is no task and no suite {what}")),
        }
    }

    /// What fits the row with the caret, with a word about each.
    pub fn fits(&self, library: &Library) -> Vec<(String, String)> {
        let Ask::Form(fields) = &self.ask else {
            return Vec::new();
        };
        let Some(field) = fields.get(self.row) else {
            return Vec::new();
        };
        let typed = field
            .typed
            .as_ref()
            .map_or_else(|| field.line.text(), |(typed, _)| typed.clone());
        let typed = typed.trim().to_lowercase();
        let all: Vec<(String, String)> = match self.row {
            WHAT => {
                let mut suites: Vec<&str> = Vec::new();
                for row in &library.tasks {
                    if !suites.contains(&row.suite.as_str()) {
                        suites.push(&row.suite);
                    }
                }
                let count = |suite: &str| library.tasks.iter().filter(|t| t.suite == suite).count();
                let suites = suites
                    .into_iter()
                    .map(|s| (s.to_owned(), format!("suite of {}", count(s))));
                let tasks = library.tasks.iter();
                let tasks = tasks.map(|row| (row.id.clone(), row.instruction.clone()));
                suites.chain(tasks).collect()
            }
            AGENT => kinds()
                .map(|kind| match kind.takes {
                    Some(takes) => (format!("{}:{takes}", kind.id), kind.what.to_owned()),
                    None => (kind.id.to_owned(), kind.what.to_owned()),
                })
                .collect(),
            STRATEGY if self.talks() => STRATEGIES
                .iter()
                .map(|entry| (entry.id.to_owned(), entry.what.to_owned()))
                .collect(),
            _ => Vec::new(),
        };
        // What begins so comes before what only holds it.
        let (begins, holds): (Vec<_>, Vec<_>) = all
            .into_iter()
            .filter(|(id, _)| id.to_lowercase().contains(&typed))
            .partition(|(id, _)| id.to_lowercase().starts_with(&typed));
        begins.into_iter().chain(holds).collect()
    }

    fn complete(&mut self, library: &Library) {
        let fits = self.fits(library);
        let row = self.row;
        let Ask::Form(fields) = &mut self.ask else {
            return;
        };
        let Some(field) = fields.get_mut(row) else {
            return;
        };
        let (typed, at) = field.typed.take().unwrap_or_else(|| (field.line.text(), 0));
        if let Some((id, _)) = fits.get(at % fits.len().max(1)) {
            field.line = LineEdit::new(id);
        }
        field.typed = Some((typed, at + 1));
    }

    const fn rows(&self) -> usize {
        match &self.ask {
            Ask::Form(fields) => fields.len(),
            Ask::Sure(..) => 1,
        }
    }

    /// The command that does the same from a shell.
    pub fn command(&self, library: &Library) -> Option<String> {
        let words = |flags: Vec<String>| flags.join(" ");
        match self.wanted(library).ok()? {
            Wanted::Task(task, who) => Some(format!("vesta run {task} {}", words(who.flags()))),
            Wanted::Suite(suite, who) => {
                Some(format!("vesta eval --suite {suite} {}", words(who.flags())))
            }
            Wanted::Missing { .. } => None,
        }
    }
}

impl Layer for Launch {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["launch", "input"]
    }

    fn when(&self, command: &str, _args: &str, shared: &Shared) -> Availability {
        match command {
            "launch-start" if self.starting => Availability::blocked("it is being started"),
            "launch-start" => match self.wanted(&shared.library) {
                Ok(_) => Availability::Ready,
                Err(why) => Availability::blocked(why),
            },
            "launch-next" => Availability::when(
                !self.fits(&shared.library).is_empty(),
                "nothing known fits here",
            ),
            "launch-down" | "launch-up" => Availability::when(self.rows() > 1, "there is one row"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        let row = self.row;
        match command {
            "launch-start" => {
                let wanted = self.wanted(&shared.library).ok()?;
                self.starting = true;
                self.fault = None;
                return Some(vec![Act::Job(START, Job::Launch(wanted))]);
            }
            "launch-next" => self.complete(&shared.library),
            "launch-down" => self.row = (row + 1) % self.rows().max(1),
            "launch-up" => self.row = (row + self.rows() - 1) % self.rows().max(1),
            "launch-close" => return Some(vec![Act::Close]),
            _ => {
                let Ask::Form(fields) = &mut self.ask else {
                    return Some(Vec::new());
                };
                let field = fields.get_mut(row)?;
                field.typed = None;
                return field.line.run(command).then(Vec::new);
            }
        }
        Some(Vec::new())
    }

    fn takes_text(&self) -> bool {
        matches!(self.ask, Ask::Form(_))
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        let row = self.row;
        if let Ask::Form(fields) = &mut self.ask
            && let Some(field) = fields.get_mut(row)
        {
            field.typed = None;
            field.line.insert(text);
        }
        Vec::new()
    }

    fn on_job(&mut self, _slot: &'static str, event: JobEvent, _shared: &mut Shared) -> Vec<Act> {
        match event {
            JobEvent::Done(reply) => {
                let Reply::Launched(told) = *reply else {
                    return Vec::new();
                };
                vec![Act::Close, Act::Notice(Notice::info(told)), Act::Reload]
            }
            JobEvent::Failed(reason) => {
                self.starting = false;
                self.fault = Some(reason);
                Vec::new()
            }
            JobEvent::Progress { .. } | JobEvent::Part(_) => Vec::new(),
        }
    }

    fn plain(&self, shared: &Shared) -> Vec<String> {
        let mut lines = vec![self.heading()];
        match &self.ask {
            Ask::Form(fields) => {
                let row = |f: &Field| format!("{}: {}", f.label, f.line.text());
                lines.extend(fields.iter().map(row));
                match self.wanted(&shared.library) {
                    Ok(_) => lines.extend(self.command(&shared.library)),
                    Err(why) => lines.push(why),
                }
            }
            Ask::Sure(_, about) => lines.extend(about.iter().cloned()),
        }
        lines.extend(self.fault.clone());
        lines
    }
}

impl Overlaid for Launch {
    fn heading(&self) -> String {
        match (&self.ask, self.starting) {
            (_, true) => "Starting …".to_owned(),
            (Ask::Form(_), false) => "New run".to_owned(),
            (Ask::Sure(wanted, _), false) => format!("Start {}", wanted.words()),
        }
    }
}
