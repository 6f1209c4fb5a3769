//! `vesta arena study`: many arenas, by what RED knows and how much it may simulate, and whether the committee's robustness
//! survives a RED it never met.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use crate::arena::house::blue;
use crate::arena::house::committee::Committee;
use crate::arena::house::record::Settings;
use crate::arena::house::red::Level;
use crate::arena::house::study::{Sample, sample, tables};
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::eval::write;
use crate::runtime::spread;
use crate::store::arenas::STUDY_FILE;
use crate::store::durable;
use crate::store::library::{Library, TaskRow};

/// Flags of `vesta arena study`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Tasks or suites; dangerous instructions, which have nothing to achieve, are left out
    #[arg(value_name = "TASK", default_value = "vh")]
    tasks: Vec<String>,
    #[command(flatten)]
    source: Source,
    /// What RED knows, in each arena and in its held-out RED
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', default_values = ["blind", "count", "task", "plan", "reactive"], value_parser = super::play::level)]
    red: Vec<&'static Level>,
    /// Response budgets the committee meets
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1, 4, 16], value_parser = clap::value_parser!(u32).range(1..=4096))]
    budget: Vec<u32>,
    /// Response budgets of the held-out RED, points of one curve
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1, 2, 4, 8, 16], value_parser = clap::value_parser!(u32).range(1..=4096))]
    held_out: Vec<u32>,
    /// Where all streams of chance begin
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Threads; the output is the same
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,
    /// Where the tables go, as CSV and Markdown, with what made them
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the tables as one JSON object
    #[arg(long)]
    json: bool,
}

/// Holds all arenas, computes, writes, prints. A task that cannot be played is a finding.
///
/// # Errors
/// No such task, or the disk refuses.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let library = super::super::tasks::open(&args.source, out)?;
    let rows = super::rows(&library, &args.tasks)?;
    let mut budgets = args.held_out.clone();
    budgets.sort_unstable();
    budgets.dedup();
    let answers = spread::each(args.threads.get(), &rows, |row| {
        one(&library, row, args, &budgets)
    });
    let mut samples: Vec<Sample> = Vec::new();
    let mut exit = Exit::Fine;
    for (row, answer) in rows.iter().zip(answers) {
        match answer {
            Ok(more) => samples.extend(more),
            Err(why) => {
                exit = Exit::Finding;
                out.error(&format!("{} ✗ {why}", row.id));
            }
        }
    }
    // One block a level and budget, tasks in their order inside.
    let level = |s: &Sample| args.red.iter().position(|l| l.id == s.level);
    samples.sort_by_key(|s| (level(s), s.budget));
    let tables = tables(&samples, &budgets);
    if let Some(dir) = &args.out {
        let mut page = String::new();
        for table in &tables {
            for format in write::FORMATS
                .iter()
                .filter(|f| ["csv", "md"].contains(&f.id))
            {
                let text = (format.write)(table);
                let path = dir.join(format!("{}.{}", table.id, format.id));
                durable::make_room(&path)?;
                durable::save(&path, text.as_bytes())?;
                if format.id == "md" && table.id != "arenas" {
                    page.push_str(&text);
                    page.push('\n');
                }
            }
        }
        let made = json!({
            "command": "vesta arena study", "engine": env!("CARGO_PKG_VERSION"), "tasks": args.tasks,
            "red": args.red.iter().map(|l| l.id).collect::<Vec<_>>(), "budget": args.budget,
            "held_out": budgets, "seed": args.seed, "settings": Settings::default(),
        });
        let text = serde_json::to_string_pretty(&made)? + "\n";
        durable::save(&dir.join(STUDY_FILE), text.as_bytes())?;
        durable::save(&dir.join("README.md"), page.as_bytes())?;
    }
    if args.json {
        let all = tables.iter().map(|t| {
            let heads: Vec<&str> = t.columns.iter().map(|c| c.head.as_str()).collect();
            let rows: Vec<Vec<String>> = t
                .rows
                .iter()
                .map(|r| r.cells.iter().map(crate::eval::table::Cell::text).collect())
                .collect();
            json!({"id": t.id, "title": t.title, "columns": heads, "rows": rows, "notes": t.notes})
        });
        out.json(&json!({"tables": all.collect::<Vec<_>>()}))?;
    } else {
        for table in tables.iter().filter(|t| t.id != "arenas") {
            for line in &write::text(table) {
                out.line(line)?;
            }
            out.line("")?;
        }
    }
    Ok(exit)
}

/// All arenas of one task.
fn one(
    library: &Library,
    row: &TaskRow,
    args: &Args,
    budgets: &[u32],
) -> Result<Vec<Sample>, String> {
    let mut ground = super::ground(library, row, None)?;
    let plain = Settings::default();
    let proposals = blue::proposals(&ground, plain.proposals as usize);
    if proposals.is_empty() {
        return Err("there is no plan to play: the task brings none and none was found".to_owned());
    }
    let mut all = Vec::new();
    for level in &args.red {
        for &budget in &args.budget {
            let settings = Settings {
                seed: args.seed,
                level: level.id.to_owned(),
                budget,
                held_out: budgets.last().copied().unwrap_or_default(),
                ..plain.clone()
            };
            let committee = Committee::new(&mut ground, &settings, level);
            let record = committee.hold(proposals.clone(), &mut |_| true);
            all.push(sample(&record, budgets));
        }
    }
    Ok(all)
}
