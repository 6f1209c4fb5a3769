//! Help: the keys of the screen below in the footer's order, its signs, its filter fields, an example.
//! `/` narrows, `Enter` runs the row, a second `?` shows every command there is.

use crate::app::commands::{Availability, Command};
use crate::app::filter_line::{Change, FilterLine};
use crate::app::fuzzy::Filter;
use crate::app::glyph::Glyph;
use crate::app::hints::{self, CommandRow};
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::list::List;
use crate::app::screens::ScreenDesc;
use crate::app::state::{Shared, State};

/// Commands of help alone.
pub const COMMANDS: &[Command] = &[
    Command::new("help-run", "run", "Run the command of the row."),
    Command::new(
        "help-all",
        "all commands",
        "Show every command, or only the keys of the screen.",
    ),
    Command::new("help-close", "close", "Close help."),
];

/// One row of help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// A heading.
    Heading(String),
    /// A command.
    Command(CommandRow),
    /// A sign and its meaning.
    Sign(Glyph),
    /// A word and its explanation.
    Word(String, String),
}

/// The state of help: what it knows of the layer below, and where the cursor is.
#[derive(Debug, Clone)]
pub struct Help {
    subject: &'static str,
    here: Vec<Row>,
    everything: Vec<Row>,
    /// Whether every command is shown.
    pub all: bool,
    /// The row under the cursor.
    pub list: List,
    /// What narrows the rows.
    pub filter: FilterLine,
}

impl Help {
    /// Help for what is in front now.
    pub fn of(state: &State) -> Self {
        let desc = state.screen().desc();
        let mut here = with_headings(hints::bound(state));
        about(desc, &mut here);
        Self {
            subject: desc.id(),
            here,
            everything: with_headings(hints::all(state)),
            all: false,
            list: List { cursor: 1 },
            filter: FilterLine::default(),
        }
    }

    /// The rows shown now.
    pub fn rows(&self) -> Vec<&Row> {
        let rows = if self.all {
            &self.everything
        } else {
            &self.here
        };
        if self.filter.is_empty() {
            return rows.iter().collect();
        }
        let mut filter = Filter::exact(&self.filter.edit.text());
        rows.iter()
            .filter(|row| match row {
                Row::Heading(_) => false,
                row => filter.score(&text(row), &|_| None).is_some(),
            })
            .collect()
    }
}

fn about(desc: &ScreenDesc, rows: &mut Vec<Row>) {
    if !desc.glyphs.is_empty() {
        rows.push(Row::Heading("Signs".to_owned()));
        rows.extend(desc.glyphs.iter().copied().map(Row::Sign));
    }
    if !desc.fields.is_empty() {
        rows.push(Row::Heading("Filter fields".to_owned()));
        rows.extend(
            desc.fields
                .iter()
                .map(|(name, doc)| Row::Word(format!("{name}:"), (*doc).to_owned())),
        );
    }
    if !desc.example.is_empty() {
        rows.push(Row::Heading("Try".to_owned()));
        rows.push(Row::Word(String::new(), desc.example.to_owned()));
    }
}

fn with_headings(commands: Vec<CommandRow>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut group = "";
    for command in commands {
        if command.group != group {
            group = command.group;
            rows.push(Row::Heading(group.to_owned()));
        }
        rows.push(Row::Command(command));
    }
    rows
}

/// A row as one line of text.
fn text(row: &Row) -> String {
    match row {
        Row::Heading(text) => text.clone(),
        Row::Command(row) => {
            let keys = row.keys.join(" or ");
            let reason = row
                .available
                .reason()
                .map_or(String::new(), |why| format!(" (not now: {why})"));
            format!("{keys}: {}. {} :{}{reason}", row.title, row.doc, row.run)
        }
        Row::Sign(glyph) => format!("{} {}", glyph.sign, glyph.word),
        Row::Word(word, doc) => format!("{word} {doc}"),
    }
}

impl Layer for Help {
    fn contexts(&self) -> Vec<&'static str> {
        if self.filter.editing {
            FilterLine::contexts().to_vec()
        } else {
            vec!["help", "list"]
        }
    }

    fn when(&self, command: &str, _args: &str, _shared: &Shared) -> Availability {
        if command != "help-run" {
            return Availability::Ready;
        }
        match self.rows().get(self.list.cursor) {
            Some(Row::Command(row)) => row.available.clone(),
            _ => Availability::blocked("this row is no command"),
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "help-close" if !self.filter.is_empty() => self.filter = FilterLine::default(),
            "help-close" => return Some(vec![Act::Close]),
            "help-all" => {
                self.all = !self.all;
                self.list.cursor = 0;
            }
            "help-run" => {
                let line = match self.rows().get(self.list.cursor) {
                    Some(Row::Command(row)) => Some(row.run.clone()),
                    _ => None,
                };
                return Some(line.map_or_else(Vec::new, |line| vec![Act::Close, Act::Run(line)]));
            }
            _ => {
                let len = self.rows().len();
                if !self.list.run(command, len, shared.page())
                    && self.filter.run(command)? == Change::Rows
                {
                    self.list.cursor = 0;
                }
            }
        }
        self.list.clamp(self.rows().len());
        Some(Vec::new())
    }

    fn takes_text(&self) -> bool {
        self.filter.editing
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        self.filter.insert(text);
        self.list.cursor = 0;
        Vec::new()
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        self.rows().into_iter().map(text).collect()
    }
}

impl Overlaid for Help {
    fn heading(&self) -> String {
        if self.all {
            "Help  every command".to_owned()
        } else {
            format!("Help  {}", self.subject)
        }
    }
}
