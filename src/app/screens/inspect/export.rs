//! What Inspect writes: the steps as a table, or the whole run as a page.

use crate::app::jobs::Job;
use crate::app::layer::Act;
use crate::app::notice::Notice;
use crate::app::parts::run_page;
use crate::app::parts::steps::What;
use crate::eval::table::{Cell, Column, Row, Table};
use crate::eval::write;

use super::Inspect;
use super::loaded::Loaded;

/// The slot of the job that writes.
pub(super) const WRITE: &str = "write";

/// The rows that are shown, each in whole words.
fn table(it: &Loaded) -> Table {
    let heads = ["step", "what", "happened", "goals and rules"];
    let rows = it.shown.iter().filter_map(|at| it.rows.get(*at));
    let rows = rows.map(|row| {
        let (_, words) = it.words(row);
        let what = match row.what {
            What::Start => "start",
            What::Step => "done",
            What::Refused => "refused",
            What::Ended => "ended",
            What::Remark => "said",
            What::Branch(_) => "branch",
        };
        let cells = [
            format!("s{}", row.pos),
            what.to_owned(),
            words,
            it.tail(row),
        ];
        Row {
            cells: cells.into_iter().map(Cell::Words).collect(),
            runs: vec![it.run.id()],
            few: false,
        }
    });
    Table {
        id: "steps".to_owned(),
        title: format!("Steps of {}", it.run.id()),
        columns: heads.iter().map(|head| Column::words(head)).collect(),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

impl Inspect {
    /// Writes a file of this name, whose ending says the format.
    pub(super) fn save(&self, path: &str) -> Vec<Act> {
        let path = path.trim_matches('"');
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let (Some(it), Some(format)) = (self.loaded(), write::find(ending)) else {
            let known: Vec<&str> = write::FORMATS.iter().map(|it| it.id).collect();
            let told = format!("{path}: the ending says the format: {}", known.join(", "));
            return vec![Act::Notice(Notice::warn(told))];
        };
        let text = if format.id == "html" {
            run_page::write(it.clone())
        } else {
            (format.write)(&table(it))
        };
        vec![Act::Job(WRITE, Job::SaveText(path.into(), text))]
    }
}
