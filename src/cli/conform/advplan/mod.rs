//! Recordings of `AdvPlan-Bench`: every cell of every table as text, every field of the plans, every draw.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::arena::advplan::audit::audit;
use crate::arena::advplan::study::Study;
use crate::arena::advplan::tables::Tables;
use crate::arena::advplan::traces;
use crate::cli::conform::{Report, Section};

mod draws;
mod plans;
mod sheets;

/// The base seeds of the published run.
const PUBLISHED: usize = 30;

/// Counts of one file.
#[derive(Debug, Default)]
struct Count {
    agree: usize,
    total: usize,
}

impl Count {
    /// Counts one comparison; whether it agreed.
    fn add(&mut self, same: bool) -> bool {
        self.total += 1;
        self.agree += usize::from(same);
        same
    }

    /// Adds the counts to the report.
    fn told(self, report: &mut Report, file: &str, note: &str) {
        report.sections.push(Section {
            name: file.to_owned(),
            agree: self.agree,
            total: self.total,
            counts: true,
            note: note.to_owned(),
        });
    }
}

/// Compares all files of a folder.
pub(super) fn run(dir: &Path, n_seeds: Option<usize>, report: &mut Report) -> Result<()> {
    let recorded = sheets::base_seeds(&dir.join("rows.csv"))?;
    let n = n_seeds.or(recorded).unwrap_or(PUBLISHED);
    let study = Study::new(n);
    let tables = Tables::of(&study);
    let all_of_it = recorded.is_none_or(|r| r == n);
    let intermediates = traces::intermediates(&study);
    for table in [
        &tables.rows,
        &tables.budget_curve,
        &tables.council_rows,
        &tables.rubric_validation,
        &intermediates,
        &tables.framing,
    ] {
        sheets::compare(dir, table, report)?;
    }
    let whole = [
        &tables.terrain_summary,
        &tables.summary,
        &tables.budget_boot,
    ];
    if all_of_it {
        for table in whole {
            sheets::compare(dir, table, report)?;
        }
        sheets::wins(dir, &tables.rows, report)?;
    } else {
        let names = whole.map(|t| t.file).into_iter().chain(["wins.json"]);
        let why = format!(
            "made with {} base seeds, compared are {n}",
            recorded.unwrap_or(0)
        );
        for name in names {
            report.note(format!("{}: {why}", dir.join(name).display()));
        }
    }
    plans::compare(dir, &study, report)?;
    draws::generator(dir, report)?;
    draws::resampling(dir, report)?;
    draws::calls(dir, report)?;
    moves(dir, report)
}

/// The base seeds of the recorded audit.
const AUDITED: usize = 4;

/// Compares `noop_audit.json`: per edited field the metrics that move. Fields that only we edit are left out.
fn moves(dir: &Path, report: &mut Report) -> Result<()> {
    let Some((shown, value)) = json(dir, "noop_audit.json", report)? else {
        return Ok(());
    };
    let (mut count, ours) = (Count::default(), audit(AUDITED));
    for (field, theirs) in value.as_object().into_iter().flatten() {
        let own = ours.iter().find(|m| m.edit.id == field);
        let own = own.map(|m| m.metrics.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        let own = serde_json::to_value(own)?;
        if !count.add(own == *theirs) {
            report.differ(|| format!("{shown} {field}: recorded {theirs}, got {own}"));
        }
    }
    count.told(
        report,
        "noop_audit.json",
        "fields with the metrics they move",
    );
    Ok(())
}

/// The JSON of a file; `None`, and told, where it is not there.
fn json(dir: &Path, name: &str, report: &mut Report) -> Result<Option<(String, Value)>> {
    let path = dir.join(name);
    let shown = path.display().to_string();
    if !path.is_file() {
        report.absent(&path);
        return Ok(None);
    }
    let bytes = fs_err::read(&path)?;
    let value = serde_json::from_slice(&bytes).with_context(|| shown.clone())?;
    Ok(Some((shown, value)))
}
