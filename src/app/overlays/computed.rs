//! What something is made of: a number's formula with its inputs, a plan's steps, the figures behind a claim. A row that
//! was itself computed from something leads there.

use crate::app::commands::{Availability, Command};
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::list::List;
use crate::app::role::Role;
use crate::app::state::Shared;

/// Commands of this list alone.
pub const COMMANDS: &[Command] = &[
    Command::new("computed-open", "open", "Open what the row was made of."),
    Command::new("computed-close", "close", "Close the list."),
];

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What it is, in a word; may be empty.
    pub label: String,
    /// The fact.
    pub text: String,
    /// What stands at the right end: a figure.
    pub note: String,
    /// What the fact is.
    pub role: Role,
    /// The command line that opens what it was made of.
    pub run: Option<String>,
}

impl Row {
    /// A row without figure or link.
    pub fn new(label: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            text: text.into(),
            ..Self::default()
        }
    }

    /// The same row with a figure at the right end.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Self {
            note: note.into(),
            ..self
        }
    }

    /// The same row of another role.
    #[must_use]
    pub fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// The same row leading somewhere.
    #[must_use]
    pub fn run(self, line: impl Into<String>) -> Self {
        Self {
            run: Some(line.into()),
            ..self
        }
    }

    /// The row as words.
    pub fn words(&self) -> String {
        let parts = [&self.label, &self.text, &self.note];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join("  ")
    }
}

/// The state of the list.
#[derive(Clone, Debug, Default)]
pub struct Computed {
    /// Its heading.
    heading: String,
    /// The rows.
    pub rows: Vec<Row>,
    /// The row under the cursor.
    pub list: List,
}

impl Computed {
    /// Rows under a heading.
    pub fn new(heading: impl Into<String>, rows: Vec<Row>) -> Self {
        Self {
            heading: heading.into(),
            rows,
            list: List::default(),
        }
    }

    /// Where the row under the cursor leads.
    fn leads(&self) -> Option<&String> {
        self.rows.get(self.list.cursor)?.run.as_ref()
    }
}

impl Layer for Computed {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["computed", "list"]
    }

    fn when(&self, command: &str, _args: &str, _shared: &Shared) -> Availability {
        match command {
            "filter" => Availability::blocked("this list has no filter"),
            "computed-open" => {
                Availability::when(self.leads().is_some(), "the row is made of nothing else")
            }
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "computed-open" => {
                let leads = self.leads().cloned();
                let open = leads.map(|line| vec![Act::Close, Act::Run(line)]);
                Some(open.unwrap_or_default())
            }
            "computed-close" => Some(vec![Act::Close]),
            "filter" => Some(Vec::new()),
            _ => {
                let len = self.rows.len();
                self.list.run(command, len, shared.page()).then(Vec::new)
            }
        }
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        Some(self.rows.get(self.list.cursor)?.words())
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        let rows = self.rows.iter().map(Row::words);
        std::iter::once(self.heading.clone()).chain(rows).collect()
    }
}

impl Overlaid for Computed {
    fn heading(&self) -> String {
        self.heading.clone()
    }
}
