//! `vesta runs`: every run under some folders, narrowed by a query, grouped and counted.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{anyhow, bail};
use serde_json::json;

use crate::base::diag::Diagnostic;
use crate::cli::out::{Out, complain};
use crate::cli::source::Source;
use crate::cli::{Exit, explore};
use crate::config::Env;
use crate::eval::table::Table;
use crate::eval::write;
use crate::query::row::Stage;
use crate::query::shelf::{Group, Shelf, Sort, grouped};
use crate::query::{Plan, Query, read, tell};
use crate::store::index::{Indexer, usual_place};
use crate::store::runs;

/// Flags of `vesta runs`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Args {
    /// What is asked for: violates(F05) before s10 and model ~ qwen; `index` alone reads everything that is new
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    /// A folder of runs, may be given several times; else the usual folder
    #[arg(long, value_name = "DIR")]
    runs: Vec<PathBuf>,
    /// Count by class, task, risk, complexity, model, strategy, outcome, error, rule, suite, profile or label
    #[arg(long, value_name = "BY", value_parser = group)]
    group: Option<Group>,
    /// The order: new, task, who, bad, `first_bad`, steps or cost
    #[arg(long, value_name = "BY", value_parser = sort)]
    sort: Option<Sort>,
    /// At most so many rows
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// One JSON value a row, as a list
    #[arg(long, conflicts_with_all = ["csv", "plain"])]
    json: bool,
    /// Comma-separated values
    #[arg(long, conflicts_with = "plain")]
    csv: bool,
    /// Text instead of the explorer
    #[arg(long)]
    plain: bool,
    /// Keep nothing between calls: read every run anew
    #[arg(long)]
    no_index: bool,
    #[command(flatten)]
    source: Source,
}

fn group(text: &str) -> Result<Group, String> {
    let all: Vec<&str> = Group::ALL.iter().map(|it| it.id()).collect();
    Group::parse(text).ok_or_else(|| format!("write one of {}", all.join(", ")))
}

fn sort(text: &str) -> Result<Sort, String> {
    let all: Vec<&str> = Sort::ALL.iter().map(|it| it.id()).collect();
    Sort::parse(text).ok_or_else(|| format!("write one of {}", all.join(", ")))
}

/// Lists runs. [`Exit::Finding`] where nothing fits.
///
/// # Errors
/// The query cannot be read, or a folder.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    let text = args.query.join(" ");
    let roots = roots(&args.runs)?;
    if text == "index" {
        return index(args, roots, out);
    }
    let query = match read(&text) {
        Ok(query) => query,
        Err(wrong) => {
            out.error(&wrong.to_string());
            out.error(&format!("  {text}"));
            out.error(&format!("  {}", caret(&wrong)));
            return Ok(Exit::Code(2));
        }
    };
    let terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    let prints =
        args.json || args.csv || args.plain || args.group.is_some() || args.limit.is_some();
    if terminal && !prints {
        return explore::library(&text, &args.runs, args.source.clone(), env, out);
    }
    super::tell_rules(out);
    let shelf = known(args, roots, query.needs().max(Stage::Judged))?;
    let found = shelf.matching(&query);
    let mut rows = found.rows;
    args.sort.unwrap_or_default().sort(&shelf, &mut rows);
    if let Some(by) = args.group {
        groups(args, &shelf, &rows, by, out)?;
    } else {
        list(args, &shelf, &rows, &query, out)?;
    }
    if found.untold > 0 {
        complain(&format!(
            "of {} it cannot be told: they cannot be read or played again",
            many(found.untold)
        ));
    }
    if rows.is_empty() && !args.json && !args.csv {
        out.line(&nothing(&shelf, &query))?;
    }
    Ok(if rows.is_empty() {
        Exit::Finding
    } else {
        Exit::Fine
    })
}

/// What to say when nothing fits: `0 of 412: "before s10" removes 14, drop it`.
fn nothing(shelf: &Shelf, query: &Query) -> String {
    let all = shelf.rows.len();
    match shelf.blame(query) {
        _ if all == 0 => {
            "there are no runs here: play a task, or name a folder with --runs".to_owned()
        }
        Some((part, n)) => format!("0 of {all}: \"{part}\" removes {n}, drop it"),
        None => format!("0 of {all}"),
    }
}

/// A mark under the part that is wrong.
fn caret(wrong: &crate::query::Wrong) -> String {
    let marks = wrong.to.saturating_sub(wrong.from).max(1);
    format!("{}{}", " ".repeat(wrong.from), "^".repeat(marks.min(200)))
}

fn many(n: usize) -> String {
    if n == 1 {
        "1 run".to_owned()
    } else {
        format!("{n} runs")
    }
}

fn roots(named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    if named.is_empty() {
        return Ok(vec![runs::usual_root()?]);
    }
    for folder in named {
        if !folder.is_dir() {
            bail!(
                "--runs {}: there is no such folder; check the name",
                folder.display()
            );
        }
    }
    Ok(named.to_vec())
}

fn open(args: &Args, roots: Vec<PathBuf>) -> Result<Indexer, Diagnostic> {
    let cache = if args.no_index { None } else { usual_place() };
    let (mut indexer, wrong) = Indexer::open(roots, cache.as_deref());
    for d in wrong {
        complain(&d.to_string());
    }
    indexer.list()?;
    Ok(indexer)
}

/// Runs done between two looks at how far it is.
const AT_ONCE: usize = 64;

/// Everything that must be known.
fn known(args: &Args, roots: Vec<PathBuf>, needs: Stage) -> Result<Shelf, Diagnostic> {
    let mut indexer = open(args, roots)?;
    advance(&mut indexer, needs);
    Ok(indexer.shelf())
}

fn advance(indexer: &mut Indexer, needs: Stage) {
    while (needs == Stage::Armed || !indexer.is_arming()) && indexer.advance(AT_ONCE, &|| true) {}
    if let Err(d) = indexer.save() {
        complain(&d.to_string());
    }
}

fn list(
    args: &Args,
    shelf: &Shelf,
    rows: &[u32],
    query: &Query,
    out: &mut Out,
) -> anyhow::Result<()> {
    let shown = rows
        .get(..args.limit.unwrap_or(usize::MAX).min(rows.len()))
        .unwrap_or_default();
    if args.csv {
        return table(&tell::table(shelf, shown), out);
    }
    let plan = Plan::new(query, &shelf.pool);
    let steps = |at: u32| {
        let row = shelf.rows.get(at as usize);
        row.map_or_else(Vec::new, |row| plan.outcome(row, &shelf.starts).steps)
    };
    if args.json {
        let values: Vec<_> = shown
            .iter()
            .map(|at| tell::value(shelf, *at as usize, &steps(*at)))
            .collect();
        out.json_list(&values)?;
        return Ok(());
    }
    for at in shown {
        out.line(&tell::line(shelf, *at as usize, &steps(*at)))?;
    }
    if !rows.is_empty() {
        let cut = rows.len() - shown.len();
        let more = if cut > 0 {
            format!(", {cut} not shown")
        } else {
            String::new()
        };
        out.line(&format!(
            "{} of {}{more}",
            rows.len(),
            many(shelf.rows.len())
        ))?;
    }
    Ok(())
}

fn groups(
    args: &Args,
    shelf: &Shelf,
    rows: &[u32],
    by: Group,
    out: &mut Out,
) -> anyhow::Result<()> {
    let mut groups = grouped(shelf, rows, by, "");
    groups.truncate(args.limit.unwrap_or(usize::MAX));
    if args.csv {
        return table(&tell::groups_table(by.id(), &groups), out);
    }
    if args.json {
        let value = |group: &crate::query::shelf::Grouped| {
            let who: serde_json::Map<_, _> = group
                .who
                .iter()
                .map(|(name, n)| (name.clone(), (*n).into()))
                .collect();
            json!({by.id(): group.key, "runs": group.rows.len(), "by_model": who})
        };
        let values: Vec<_> = groups.iter().map(value).collect();
        out.json_list(&values)?;
        return Ok(());
    }
    let width = groups
        .iter()
        .map(|it| crate::base::text::width(&it.key))
        .max()
        .unwrap_or(0);
    for group in &groups {
        let name = crate::base::text::pad(&group.key, width);
        out.line(&format!(
            "{name} {:>6}   {}",
            group.rows.len(),
            tell::who(group, 6)
        ))?;
    }
    if !rows.is_empty() {
        out.line(&format!("{} of {}", rows.len(), many(shelf.rows.len())))?;
    }
    Ok(())
}

fn table(table: &Table, out: &mut Out) -> anyhow::Result<()> {
    let format = write::find("csv").ok_or_else(|| anyhow!("no such format"))?;
    for line in (format.write)(table).lines() {
        out.line(line.trim_end_matches('\r'))?;
    }
    Ok(())
}

/// Reads everything that is new or changed, and keeps it.
#[expect(
    clippy::disallowed_methods,
    reason = "the time it takes is what is told"
)]
fn index(args: &Args, roots: Vec<PathBuf>, out: &mut Out) -> anyhow::Result<Exit> {
    super::tell_rules(out);
    let start = Instant::now();
    let mut indexer = open(args, roots)?;
    let (known, judged, all) = indexer.counts();
    advance(&mut indexer, Stage::Armed);
    let seconds = start.elapsed().as_secs_f64();
    let damaged = indexer
        .shelf()
        .matching(&read("damaged").unwrap_or_default());
    let keeps = indexer.keeps();
    if args.json {
        out.json(&json!({
            "runs": all, "known": known, "judged": judged, "damaged": damaged.rows.len(),
            "seconds": seconds, "kept": keeps,
        }))?;
    } else {
        out.line(&format!(
            "{}: {} read, {} played again, {seconds:.2} s",
            many(all),
            all - known,
            all - judged
        ))?;
        if !damaged.rows.is_empty() {
            out.line(&format!(
                "damaged: {}; vesta runs damaged lists them",
                damaged.rows.len()
            ))?;
        }
        if !keeps {
            out.line(
                "nothing is kept: another program holds the index, or there is no cache folder",
            )?;
        }
    }
    Ok(Exit::Fine)
}
