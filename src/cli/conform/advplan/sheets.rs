//! Recorded tables, cell by cell as text.

use std::path::Path;

use anyhow::{Result, bail};

use crate::arena::advplan::python::mean_of;
use crate::arena::advplan::table::Table;
use crate::cli::conform::Report;
use crate::cli::conform::advplan::{Count, json};

/// Columns that are random in the recordings.
const RANDOM: [&str; 2] = ["selected_blue_id", "selected_red_id"];

/// How many base seeds a recorded `rows.csv` has; `None` where there is none.
pub(super) fn base_seeds(path: &Path) -> Result<Option<usize>> {
    if !path.is_file() {
        return Ok(None);
    }
    let rows = fs_err::read_to_string(path)?
        .lines()
        .count()
        .saturating_sub(1);
    if rows == 0 || !rows.is_multiple_of(5) || rows > 5000 {
        bail!(
            "{}: has {rows} rows; five for each of 1 to 1000 base seeds are expected",
            path.display()
        );
    }
    Ok(Some(rows / 5))
}

/// The fields of a line. No field of the recordings is quoted.
fn fields(line: &str) -> Vec<&str> {
    line.trim_end_matches('\r').split(',').collect()
}

/// Compares the recorded table of the same file name: the heads, then our rows with as many of theirs.
pub(super) fn compare(dir: &Path, table: &Table, report: &mut Report) -> Result<()> {
    let path = dir.join(table.file);
    if !path.is_file() {
        report.absent(&path);
        return Ok(());
    }
    let text = fs_err::read_to_string(&path)?;
    let shown = path.display();
    let mut lines = text.lines();
    let heads = fields(lines.next().unwrap_or_default());
    if heads != table.columns {
        report.differ(|| {
            format!(
                "{shown} line 1: recorded {heads:?}, got {:?}",
                table.columns
            )
        });
    }
    let mut count = Count::default();
    let mut left_out = 0;
    for (number, row) in (2..).zip(&table.rows) {
        let theirs = lines.next().map(fields).unwrap_or_default();
        if theirs.len() != row.len() {
            report.differ(|| {
                format!(
                    "{shown} line {number}: {} fields, got {}",
                    theirs.len(),
                    row.len()
                )
            });
        }
        for (i, (head, cell)) in table.columns.iter().zip(row).enumerate() {
            if RANDOM.contains(head) {
                left_out += 1;
                continue;
            }
            let (ours, theirs) = (cell.text(), theirs.get(i).copied().unwrap_or_default());
            if !count.add(ours == theirs && heads.get(i) == Some(head)) {
                report.differ(|| {
                    format!("{shown} line {number} {head}: recorded {theirs:?}, got {ours:?}")
                });
            }
        }
    }
    let rows = table.rows.len();
    let mut note = format!("cells of {rows} rows x {} columns", table.columns.len());
    if left_out > 0 {
        note += ", without the ids, which are random there";
    }
    count.told(report, table.file, &note);
    Ok(())
}

/// Compares `wins.json`: means of columns of `rows.csv`.
pub(super) fn wins(dir: &Path, rows: &Table, report: &mut Report) -> Result<()> {
    let Some((shown, value)) = json(dir, "wins.json", report)? else {
        return Ok(());
    };
    let mut count = Count::default();
    for (name, theirs) in value.as_object().into_iter().flatten() {
        let ours = mean_of(rows.numbers(name)).get();
        if !count.add(theirs.as_f64() == Some(ours)) {
            report.differ(|| format!("{shown} {name}: recorded {theirs}, got {ours}"));
        }
    }
    count.told(report, "wins.json", "means");
    Ok(())
}
