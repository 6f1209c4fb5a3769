//! `vesta bench library`: what it costs to have thousands of runs in the library: the index made and read again, the first
//! answer, a key of a query, memory; beside what it costs to list the folder at all.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde_json::json;

use crate::cli::Exit;
use crate::cli::out::Out;
use crate::query::row::Stage;
use crate::query::shelf::{Group, Shelf, Sort, grouped};
use crate::query::{complete, read};
use crate::store::index::Indexer;

pub mod made;

/// Flags of `vesta bench library`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many runs are made up
    #[arg(long, value_name = "N", default_value_t = 5000)]
    runs: usize,
    /// The suite whose tasks they play
    #[arg(long, default_value = "vh")]
    suite: String,
    /// Also ask which acts would break a rule, step by step
    #[arg(long)]
    armed: bool,
    /// Keep the runs in this folder, or use those that are there
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Queries that are typed key by key.
const TYPED: [&str; 6] = [
    "violates(F05) before step 10 and not goal(\"bowl ON table\") and model ~ qwen",
    "did(\"switchon microwave\") after state(\"microwave OPEN\")",
    "refused(M) within 3 of lost and cost > 0.01",
    "not success and (risk = fire or risk = water) and steps < 12",
    "\"microwave\" label = none first_bad < 9",
    "(violates(!3) or refused) after s4 strategy ~ critic",
];

/// What was measured, in milliseconds but for what is named otherwise.
struct Figures {
    ls: f64,
    first: f64,
    listed: f64,
    read: f64,
    judged: f64,
    armed: Option<f64>,
    again: f64,
    checked: f64,
    keys: Vec<f64>,
    bytes: usize,
    file: u64,
    rows: usize,
}

/// Measures and prints.
///
/// # Errors
/// The runs cannot be made or read.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let temporary = std::env::temp_dir().join(format!("vesta-library-{}", std::process::id()));
    let root = args.keep.clone().unwrap_or_else(|| temporary.clone());
    let cache = temporary.with_extension("index");
    let is_there = std::fs::read_dir(&root).is_ok_and(|mut all| all.next().is_some());
    if !is_there {
        made::make(&root, args.runs, &args.suite, 7)?;
    }
    let measured = measure(args, &root, &cache);
    // What is left behind is only room.
    let _ = std::fs::remove_dir_all(&cache);
    if args.keep.is_none() {
        let _ = std::fs::remove_dir_all(&temporary);
    }
    tell(args, &measured?, out)
}

#[expect(clippy::disallowed_methods, reason = "times are what is measured")]
fn measure(args: &Args, root: &std::path::Path, cache: &std::path::Path) -> Result<Figures> {
    let wrong = |d: crate::base::diag::Diagnostic| anyhow!("{d}");
    let ms = |from: Instant| from.elapsed().as_secs_f64() * 1000.0;
    let start = Instant::now();
    let n = std::fs::read_dir(root)?.count();
    let ls = ms(start);
    // The first start: nothing is kept yet.
    let start = Instant::now();
    let (mut indexer, _) = Indexer::open(vec![root.to_owned()], Some(cache));
    indexer.list().map_err(wrong)?;
    let mut shelf = Shelf::default();
    shelf.take(indexer.news());
    let _ = grouped(
        &shelf,
        &shelf.matching(&read("").map_err(|e| anyhow!("{e}"))?).rows,
        Group::Class,
        "",
    );
    let listed = ms(start);
    let go_on = || true;
    while indexer.is_reading() && indexer.advance(500, &go_on) {}
    let read_all = ms(start);
    while !indexer.is_arming() && indexer.advance(500, &go_on) {}
    let judged = ms(start);
    let armed = if args.armed {
        while indexer.advance(500, &go_on) {}
        Some(ms(start))
    } else {
        None
    };
    indexer.save().map_err(wrong)?;
    drop(indexer);
    let file = std::fs::read_dir(cache)?.filter_map(|it| it.ok()?.metadata().ok());
    let file = file.map(|meta| meta.len()).sum();
    // The second start: what was kept is shown, then looked after.
    let start = Instant::now();
    let (mut indexer, _) = Indexer::open(vec![root.to_owned()], Some(cache));
    let mut shelf = Shelf::default();
    shelf.take(indexer.news());
    let mut rows = shelf.matching(&read("").map_err(|e| anyhow!("{e}"))?).rows;
    Sort::New.sort(&shelf, &mut rows);
    let _ = grouped(&shelf, &rows, Group::Class, "");
    let again = ms(start);
    let first = again;
    indexer.list().map_err(wrong)?;
    while indexer.is_reading() && indexer.advance(500, &go_on) {}
    let checked = ms(start);
    if shelf
        .rows
        .iter()
        .any(|row| row.stage < Stage::Judged && !row.stuck)
    {
        return Err(anyhow!(
            "the second start did not find what the first had kept"
        ));
    }
    Ok(Figures {
        ls,
        first,
        listed,
        read: read_all,
        judged,
        armed,
        again,
        checked,
        keys: keys(&shelf),
        bytes: shelf.bytes(),
        file,
        rows: n,
    })
}

/// Every key of every query that asks something new: read, ask every run, sort, group, offer what could come next.
#[expect(clippy::disallowed_methods, reason = "times are what is measured")]
fn keys(shelf: &Shelf) -> Vec<f64> {
    let mut all = Vec::new();
    for text in TYPED {
        let mut last = crate::query::Query::All;
        for n in 1..=text.chars().count() {
            let typed: String = text.chars().take(n).collect();
            let start = Instant::now();
            let mut asks = false;
            if let Ok(query) = read(&typed)
                && query != last
            {
                let mut rows = shelf.matching(&query).rows;
                Sort::New.sort(shelf, &mut rows);
                if rows.is_empty() {
                    let _ = shelf.blame(&query);
                }
                let _ = grouped(shelf, &rows, Group::Class, "");
                last = query;
                asks = true;
            }
            let _ = complete::offers(&typed, shelf);
            let ms = start.elapsed().as_secs_f64() * 1000.0;
            // A key that leaves a text that cannot be read, or asks the same, costs next to nothing and says little.
            if asks {
                all.push(ms);
            }
        }
    }
    all.sort_by(f64::total_cmp);
    all
}

/// The value below which so many per cent of ascending values lie.
fn quantile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(at).copied().unwrap_or(0.0)
}

fn tell(args: &Args, it: &Figures, out: &mut Out) -> Result<Exit> {
    let (p50, p99) = (quantile(&it.keys, 50), quantile(&it.keys, 99));
    let max = it.keys.last().copied().unwrap_or(0.0);
    if args.json {
        out.json(&json!({
            "runs": it.rows, "ls_ms": it.ls, "first_listed_ms": it.listed, "first_read_ms": it.read,
            "first_judged_ms": it.judged, "first_armed_ms": it.armed, "again_ms": it.again,
            "again_checked_ms": it.checked, "keys": it.keys.len(), "key_p50_ms": p50, "key_p99_ms": p99,
            "key_max_ms": max, "memory_bytes": it.bytes, "index_bytes": it.file,
        }))?;
        return Ok(Exit::Fine);
    }
    out.line(&format!(
        "{} runs; to list the folder alone takes {:.1} ms",
        it.rows, it.ls
    ))?;
    out.line(&format!(
        "first start: listed {:.1} ms ({:.1} x), read {:.0} ms, played again {:.0} ms{}",
        it.listed,
        it.listed / it.ls,
        it.read,
        it.judged,
        it.armed
            .map_or_else(String::new, |ms| format!(", every act asked {ms:.0} ms"))
    ))?;
    out.line(&format!(
        "second start: all shown {:.1} ms ({:.1} x), checked against the folder {:.1} ms",
        it.first,
        it.again / it.ls,
        it.checked
    ))?;
    out.line(&format!(
        "{} keys of {} queries that ask something new: p50 {p50:.2}  p99 {p99:.2}  max {max:.2} ms",
        it.keys.len(),
        TYPED.len()
    ))?;
    out.line(&format!(
        "memory {:.1} MiB ({} bytes a run), index {:.1} MiB on disk",
        it.bytes as f64 / f64::from(1 << 20),
        it.bytes / it.rows.max(1),
        it.file as f64 / f64::from(1 << 20)
    ))?;
    Ok(Exit::Fine)
}
