//! Labels of many runs as one table, comma-separated, for spreadsheets and for other reviewers.
//!
//! Columns, found by name in any order: `run`, `task`, `by`, `class`, `proposed`, `about`, `first`, `cause`, `tags`, `text`,
//! `created`. Only `run` and `class` must be there. Lists are written with `;` between their members. Steps are the `seq`
//! of their events.

use crate::base::diag::Diagnostic;

use super::label::{Class, Label, class_id, parse_class};

/// A label and the run it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labelled {
    /// The run's id.
    pub run: String,
    /// The task's id.
    pub task: String,
    /// When it was written, RFC 3339 in UTC; empty when unknown.
    pub created: String,
    /// The label.
    pub label: Label,
}

const COLUMNS: [&str; 11] = [
    "run", "task", "by", "class", "proposed", "about", "first", "cause", "tags", "text", "created",
];

/// The table. A cell that a spreadsheet would take for a formula is kept as it is: the file is for reading back.
pub fn write_labels(all: &[Labelled]) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    let number = |n: Option<u32>| n.map_or_else(String::new, |n| n.to_string());
    // Writing into memory does not fail.
    let _ = out.write_record(COLUMNS);
    for one in all {
        let label = &one.label;
        let _ = out.write_record([
            one.run.as_str(),
            &one.task,
            &label.by,
            class_id(label.class),
            label.proposed.map_or("", Class::id),
            &label.about.join(";"),
            &number(label.first),
            &number(label.cause),
            &label.tags.join(";"),
            &label.text,
            &one.created,
        ]);
    }
    let bytes = out.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// Reads a table of labels; what cannot be used is skipped and named with its line.
///
/// # Errors
/// A column that must be there is missing, or nothing can be read at all.
pub fn read_labels(
    file: &str,
    bytes: &[u8],
) -> Result<(Vec<Labelled>, Vec<Diagnostic>), Diagnostic> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let headers = reader.headers().map_err(|e| broken(file, &e))?.clone();
    let column = |name: &str| headers.iter().position(|h| h.trim() == name);
    for name in ["run", "class"] {
        if column(name).is_none() {
            let message = format!("there is no column {name:?}");
            let help = format!("the first line names the columns: {}", COLUMNS.join(","));
            return Err(Diagnostic::error(name, message)
                .in_file(file)
                .at(1, None)
                .help(help));
        }
    }
    let mut findings: Vec<Diagnostic> = headers
        .iter()
        .filter(|h| !COLUMNS.contains(&h.trim()))
        .map(|h| {
            let message = "is no column of labels; it is left out";
            Diagnostic::warning(h, message).in_file(file).at(1, None)
        })
        .collect();
    let mut all = Vec::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(e) => {
                findings.push(broken(file, &e));
                continue;
            }
        };
        let line = line_of(bytes, record.position().map_or(0, csv::Position::byte));
        let text = |name: &str| column(name).and_then(|i| record.get(i)).unwrap_or_default();
        match labelled(&text) {
            Ok(one) => all.push(one),
            Err((field, message)) => findings.push(
                Diagnostic::error(field, message)
                    .in_file(file)
                    .at(line, None),
            ),
        }
    }
    Ok((all, findings))
}

/// The line a record begins on: the reader's own count lags behind where lines end with a carriage return.
fn line_of(bytes: &[u8], at: u64) -> u32 {
    let (before, rest) = bytes.split_at_checked(at as usize).unwrap_or((bytes, &[]));
    let blank = rest.iter().take_while(|b| matches!(b, b'\r' | b'\n'));
    let lines = before.iter().chain(blank).filter(|b| **b == b'\n').count();
    lines as u32 + 1
}

fn broken(file: &str, e: &csv::Error) -> Diagnostic {
    let line = e.position().map_or(1, |p| p.line() as u32);
    Diagnostic::error("", format!("not a table: {e}"))
        .in_file(file)
        .at(line, None)
        .help("save it as comma-separated UTF-8")
}

fn labelled<'r>(text: &dyn Fn(&str) -> &'r str) -> Result<Labelled, (&'static str, String)> {
    let run = text("run").trim();
    if run.is_empty() {
        return Err(("run", "is empty; it should be the id of a run".to_owned()));
    }
    let class = parse_class(text("class").trim()).map_err(|why| ("class", why))?;
    let proposed = match text("proposed").trim() {
        "" => None,
        word => parse_class(word).map_err(|why| ("proposed", why))?,
    };
    let step = |name: &'static str| match text(name).trim() {
        "" => Ok(None),
        word => word.parse::<u32>().map(Some).map_err(|_| {
            let message = format!("is {word:?}; it should be the seq of an event or nothing");
            (name, message)
        }),
    };
    let list = |name: &str| -> Vec<String> {
        let words = text(name).split(';').map(str::trim);
        words.filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    Ok(Labelled {
        run: run.to_owned(),
        task: text("task").trim().to_owned(),
        created: text("created").trim().to_owned(),
        label: Label {
            by: text("by").trim().to_owned(),
            class,
            proposed,
            about: list("about"),
            first: step("first")?,
            cause: step("cause")?,
            tags: list("tags"),
            text: text("text").to_owned(),
        },
    })
}
