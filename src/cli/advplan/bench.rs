//! `vesta advplan bench`: computes the benchmark, writes it, says what came of it.

use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::Result;
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

use crate::arena::advplan::details::details;
use crate::arena::advplan::study::Study;
use crate::arena::advplan::tables::Tables;
use crate::arena::advplan::traces;
use crate::cli::Exit;
use crate::cli::out::Out;

/// Flags of `vesta advplan bench`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Base seeds, five scenarios each
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=1000))]
    n_seeds: u16,
    /// Where the tables and plans go; else nothing is written
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// One JSON object, with the CPU time
    #[arg(long)]
    json: bool,
}

/// The time this thread has computed, in milliseconds.
fn cpu_ms() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 * 1e3 + t.tv_nsec as f64 / 1e6
}

/// Computes, writes, prints.
///
/// # Errors
/// The folder cannot be written.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let begun = cpu_ms();
    let study = Study::new(usize::from(args.n_seeds));
    let tables = Tables::of(&study);
    let details = details(&study, &tables);
    let spent = cpu_ms() - begun;
    let mut written = Vec::new();
    if let Some(dir) = &args.out {
        fs_err::create_dir_all(dir)?;
        let more = [
            traces::candidates(&study),
            traces::choices(&study),
            traces::intermediates(&study),
        ];
        for table in tables.all().into_iter().chain(&more) {
            fs_err::write(dir.join(table.file), table.csv())?;
            written.push(table.file);
        }
        let text = serde_json::to_string_pretty(&details)? + "\n";
        fs_err::write(dir.join("details.json"), text)?;
        // Some 150 kB a scenario: never all at once.
        let mut plans = BufWriter::new(fs_err::File::create(dir.join("plans.jsonl"))?);
        for played in &study.played {
            plans.write_all(traces::plan_lines(played).as_bytes())?;
        }
        plans.flush()?;
        written.extend(["details.json", "plans.jsonl"]);
    }
    if args.json {
        out.json(&json!({
            "n_seeds": study.n_seeds,
            "n_scenarios": study.played.len(),
            "cpu_ms": spent,
            "files": written,
            "details": details,
        }))?;
        return Ok(Exit::Fine);
    }
    let (n, seeds) = (study.played.len(), study.n_seeds);
    out.line(&format!(
        "{n} scenarios, {seeds} base seeds, {spent:.0} ms of CPU"
    ))?;
    for row in &tables.summary.rows {
        let [metric, mean, lower, upper] = [0, 1, 2, 3].map(|i| row.get(i));
        let (Some(metric), Some(mean), Some(lower), Some(upper)) = (metric, mean, lower, upper)
        else {
            continue;
        };
        let [mean, lower, upper] = [mean, lower, upper].map(|cell| cell.number().get());
        let metric = metric.text();
        out.line(&format!("{metric:<40} {mean:.4} [{lower:.4}, {upper:.4}]"))?;
    }
    if let Some(dir) = &args.out {
        out.line(&format!(
            "written to {}: {}",
            dir.display(),
            written.join(", ")
        ))?;
    }
    Ok(Exit::Fine)
}
