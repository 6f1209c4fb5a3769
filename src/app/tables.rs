//! What a screen lists, as a table to be written into a file: whole values from the state, every row the filter leaves.
//!
//! A screen answers [`crate::app::layer::Place::table`] for the pane with the keys; the parts several screens share are
//! made here, and so is what the command `export` does with it.

use std::path::{Path, PathBuf};

use crate::app::commands::Availability;
use crate::app::compare::quoted;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::Act;
use crate::app::notice::Notice;
use crate::app::overlays::computed;
use crate::app::parts::steps::What;
use crate::app::parts::{action, goals, warnings};
use crate::app::screens::inspect::loaded::Loaded;
use crate::app::state::State;
use crate::eval::table::{Cell, Column, Row, Table};
use crate::eval::write::{self, FORMATS};
use crate::sim::refusal::Kind;
use crate::sim::world::World;
use crate::task::episode::{Body, Event, Warning};

/// The slot of the job that writes.
pub(super) const SLOT: &str = "export";

/// A table of these columns; a head that begins with `#` stands over numbers.
pub fn table(id: &str, title: &str, heads: &[&str], rows: Vec<Vec<Cell>>) -> Table {
    let column = |head: &&str| match head.strip_prefix('#') {
        Some(head) => Column::number(head),
        None => Column::words(head),
    };
    let row = |cells| Row {
        cells,
        runs: Vec::new(),
        few: false,
    };
    Table {
        id: id.to_owned(),
        title: title.to_owned(),
        columns: heads.iter().map(column).collect(),
        rows: rows.into_iter().map(row).collect(),
        notes: Vec::new(),
    }
}

/// A cell of words; nothing where there are none.
pub fn words(text: impl Into<String>) -> Cell {
    let text: String = text.into();
    if text.is_empty() {
        Cell::Empty
    } else {
        Cell::Words(text)
    }
}

/// A cell with a count.
pub fn count(n: usize) -> Cell {
    Cell::Number(n as f64, 0)
}

/// A cell with a figure, so many digits after the point; nothing where it is not known.
pub fn figure(x: Option<f64>, digits: usize) -> Cell {
    match x {
        Some(x) if x.is_finite() => Cell::Number(x, digits),
        _ => Cell::Empty,
    }
}

/// The goals of a task as they stand.
pub fn of_goals<'r>(rows: impl IntoIterator<Item = &'r goals::Row>) -> Table {
    let row = |row: &goals::Row| {
        let more: Vec<String> = row.more.iter().map(goals::More::plain).collect();
        vec![
            words(row.kind()),
            count(row.number),
            words(row.words.clone()),
            words(row.mark.glyph().word),
            words(row.when()),
            words(more.join("; ")),
        ]
    };
    let heads = ["kind", "#number", "goal", "stands", "when", "more"];
    table(
        "goals",
        "Goals",
        &heads,
        rows.into_iter().map(row).collect(),
    )
}

/// What the rules say, a row for every binding of a rule, in the order of the pane.
pub fn of_warnings(world: &World, all: &[Warning], rows: &[warnings::Row]) -> Table {
    let members = rows.iter().flat_map(|row| {
        let each = row.members.iter().filter_map(|&at| all.get(at));
        each.map(move |warning| (row, warning))
    });
    let row = |(row, it): (&warnings::Row, &Warning)| {
        let steps: Vec<String> = it.witness.iter().map(|p| format!("s{}", p.0)).collect();
        let breaks: Vec<String> = it.breaks.iter().map(|a| action(world, *a)).collect();
        vec![
            words(it.rule.id.clone()),
            words(warnings::title(&it.rule)),
            count(usize::from(it.rule.severity)),
            words(it.grade.id()),
            words(warnings::word(it.standing)),
            words(format!("s{}", it.since.0)),
            words(warnings::bound(world, &it.bindings)),
            words(steps.join(" ")),
            words(breaks.join("; ")),
            words(if row.muted { "muted" } else { "" }),
        ]
    };
    let heads = [
        "rule",
        "title",
        "#severity",
        "grade",
        "stands",
        "since",
        "things",
        "witness",
        "would break at",
        "muted",
    ];
    table("warnings", "Warnings", &heads, members.map(row).collect())
}

/// The steps of a run that its filter leaves.
pub fn of_steps(loaded: &Loaded) -> Table {
    let rows = loaded.shown.iter().filter_map(|at| loaded.rows.get(*at));
    let row = |row: &crate::app::parts::steps::Row| {
        let event = loaded.event(row);
        let (name, said) = loaded.words(row);
        let mark = loaded.mark(row);
        let rules = |list: Option<&Vec<warnings::Broken>>| {
            let each = list.into_iter().flatten();
            each.map(|r| format!("{} !{}", r.id, r.severity))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let number = |n: u16| match n {
            0 => Cell::Empty,
            n => count(usize::from(n)),
        };
        let happened = mark.map_or_else(String::new, |m| m.happened.join("; "));
        vec![
            words(name),
            words(match row.what {
                What::Branch(_) => "branch",
                _ => event.map_or("", |e| e.body.kind()),
            }),
            words(match (&row.what, event.map(|e| &e.body)) {
                (What::Remark, Some(Body::Remark(said))) => said.text.clone(),
                _ => said,
            }),
            words(event.map_or_else(String::new, recorded)),
            words(event.map_or_else(String::new, refusal)),
            words(event.map_or_else(String::new, changes)),
            words(happened),
            words(rules(mark.map(|m| &m.broke))),
            words(rules(mark.map(|m| &m.warned))),
            number(row.gained),
            number(row.lost),
        ]
    };
    let heads = [
        "step",
        "event",
        "what",
        "as recorded",
        "refused",
        "changes",
        "came to pass",
        "rules broken",
        "advice",
        "#goals gained",
        "#goals lost",
    ];
    let title = format!("Steps of {}", loaded.run.id());
    table("steps", &title, &heads, rows.map(row).collect())
}

fn recorded(event: &Event) -> String {
    match &event.body {
        Body::Step { action, .. } | Body::Refused { action, .. } => action.clone(),
        _ => String::new(),
    }
}

fn refusal(event: &Event) -> String {
    match &event.body {
        Body::Refused {
            refusal, message, ..
        } => {
            let kind = match Kind::parse(refusal) {
                Some(kind) => kind.words(),
                None => refusal,
            };
            format!("{kind}: {message}")
        }
        _ => String::new(),
    }
}

fn changes(event: &Event) -> String {
    match &event.body {
        Body::Step { diff, .. } => diff.join("; "),
        _ => String::new(),
    }
}

/// Rows of facts with what they are and a figure.
pub fn of_facts(id: &str, title: &str, rows: &[computed::Row]) -> Table {
    let row = |row: &computed::Row| {
        vec![
            words(row.label.clone()),
            words(row.text.clone()),
            words(row.note.clone()),
        ]
    };
    table(
        id,
        title,
        &["name", "what", "figure"],
        rows.iter().map(row).collect(),
    )
}

/// The ending of a name, in small letters.
fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_lowercase()
}

fn file(args: &str) -> PathBuf {
    PathBuf::from(args.trim().trim_matches('"'))
}

/// Whether a file of that name can be written.
pub(super) fn when(args: &str) -> Availability {
    let ids: Vec<&str> = FORMATS.iter().map(|f| f.id).collect();
    if args.trim().is_empty() || ids.contains(&ending(&file(args)).as_str()) {
        return Availability::Ready;
    }
    Availability::blocked(format!("name a file that ends in .{}", ids.join(", .")))
}

/// Asks for the name of a file, or writes into the one that is named.
pub(super) fn run(state: &State, args: &str) -> Vec<Act> {
    let place = state.screen().place();
    let table = || place.table(&state.shared);
    if !args.trim().is_empty() {
        let path = file(args);
        let ending = ending(&path);
        let page = if ending == "html" { place.page() } else { None };
        let made = || Some((write::find(&ending)?.write)(&table()?));
        if let Some(text) = page.or_else(made) {
            return vec![Act::Job(SLOT, Job::Export(path, text))];
        }
    }
    let page = place
        .page_name()
        .map(|name| format!("{}.html", plain(&name)));
    let name = page.or_else(|| Some(format!("{}.csv", plain(&table()?.id))));
    vec![match name {
        Some(name) => Act::Run(format!("command-line export {}", quoted(&name))),
        None => Act::Notice(Notice::info(
            "export: no list is in this pane; Tab goes to another one",
        )),
    }]
}

/// A name as a file may have it anywhere.
fn plain(name: &str) -> String {
    let fine = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '-'
        }
    };
    name.chars().map(fine).collect()
}

/// What came of writing.
pub(super) fn told(event: JobEvent) -> Option<Notice> {
    match event {
        JobEvent::Done(reply) => match *reply {
            Reply::Exported(file) => Some(Notice::info(format!("written to {}", file.display()))),
            _ => None,
        },
        JobEvent::Failed(reason) => Some(Notice::error(reason)),
        JobEvent::Progress { .. } | JobEvent::Part(_) => None,
    }
}
