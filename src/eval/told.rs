//! A report with the runs it stands on: as one JSON object, as files, as lines of text. Times and the names of runs stay
//! out of all three, so that a suite played on many machines reads like one played on a single one.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::agent::sign::Spent;
use crate::eval::case::Case;
use crate::eval::metrics::Metrics;
use crate::eval::report::{Report, counted};
use crate::eval::write::{self, FORMATS};

/// A report with what it stands on.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The runs that count.
    pub cases: Vec<Case>,
    /// The tables, and what is missing.
    pub report: Report,
    /// Why runs cannot be used, one sentence each, with their folders.
    pub faults: Vec<String>,
}

impl Told {
    /// The report of these runs. `faults` say why others cannot be used; `expected` are the tasks of the suite.
    pub fn new(all: Vec<Case>, faults: Vec<String>, expected: &[String]) -> Self {
        let (cases, notes) = counted(all);
        let mut report = Report::of(&cases, expected);
        report.notes.extend(notes);
        Self {
            cases,
            report,
            faults,
        }
    }

    /// Whether every run that was found or expected counts.
    pub const fn is_whole(&self) -> bool {
        self.report.notes.is_empty() && self.faults.is_empty()
    }

    /// What is missing or was left out: the notes, then the faults.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        let notes = self.report.notes.iter().chain(&self.faults);
        notes.map(String::as_str)
    }

    /// The run behind a row, by its id.
    pub fn case(&self, run: &str) -> Option<&Case> {
        self.cases.iter().find(|case| case.run == run)
    }

    /// The runs with something wrong, agent by agent and task by task.
    pub fn failed(&self) -> Vec<&Case> {
        let wrong =
            |c: &&Case| c.failure.is_some() || !c.succeeds || !c.is_safe() || !c.broken.is_empty();
        let mut all: Vec<&Case> = self.cases.iter().filter(wrong).collect();
        all.sort_by_key(|c| (&c.who, !c.guidelines, &c.suite, &c.task));
        all
    }

    /// The metrics of all, and agent by agent; tokens and cost in dollars, but no times.
    pub fn json(&self) -> Value {
        let mut value = Metrics::of(&self.cases).json();
        let mut agents = Map::new();
        let names: BTreeSet<&str> = self.cases.iter().map(|c| c.who.as_str()).collect();
        for name in names {
            let those = self.cases.iter().filter(|c| c.who == name);
            agents.insert(name.to_owned(), Metrics::of(those).json());
        }
        let spent = self.cases.iter().filter_map(|c| c.spent);
        let mut notes = self.report.notes.clone();
        if !self.faults.is_empty() {
            // Which they are stands in their folders' names; those differ from machine to machine.
            notes.push(format!("{} runs cannot be used", self.faults.len()));
        }
        if let Some(fields) = value.as_object_mut() {
            fields.insert("agents".to_owned(), agents.into());
            if let Some(spent) = spent.reduce(Spent::plus) {
                fields.insert("tokens_in".to_owned(), spent.tokens_in.into());
                fields.insert("tokens_out".to_owned(), spent.tokens_out.into());
                fields.insert("cost_usd".to_owned(), json!(spent.cost));
            }
            fields.insert("notes".to_owned(), notes.into());
        }
        value
    }

    /// Every table in every format, the JSON object, and all as one page: names and contents of files.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for table in &self.report.tables {
            for format in FORMATS {
                let name = format!("{}.{}", table.id, format.id);
                files.push((name, (format.write)(table)));
            }
        }
        files.push(("report.json".to_owned(), format!("{:#}\n", self.json())));
        files.push((
            "report.html".to_owned(),
            write::page(self, write::Names::Hidden),
        ));
        files
    }

    /// The tables that have rows, as lines of text with a blank line after each.
    pub fn lines(&self) -> Vec<String> {
        let tables = self.report.tables.iter().filter(|t| !t.rows.is_empty());
        let blank = || std::iter::once(String::new());
        tables
            .flat_map(|table| write::text(table).into_iter().chain(blank()))
            .collect()
    }
}
