//! `vesta check`: what can be proven about tasks, with every finding of a kind that scripts can count.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use serde_json::{Value, json};

use crate::app::checks::Asked;
use crate::base::text;
use crate::check::finding::{Finding, Kind, Outcome, Weight, Witness};
use crate::check::{Effort, Line, Report};
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, certificates, tasks};
use crate::runtime::jobs;
use crate::sim::vocab::Profile;
use crate::store::durable;
use crate::store::library::{Library, TaskRow};

/// Flags of `vesta check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Tasks: V022, or suite/V022
    #[arg(value_name = "TASK")]
    tasks: Vec<String>,
    /// Check every task there is
    #[arg(long, conflicts_with = "tasks")]
    all: bool,
    #[command(flatten)]
    source: Source,
    /// Judge in this world instead of the one the task is meant for
    #[arg(long, value_parser = profile, value_name = "PROFILE")]
    profile: Option<Profile>,
    /// Write the safe plans that were found, with the hash of every state, into this file
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    write: Option<PathBuf>,
    /// Only play the plans of such a file again and compare every hash
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tasks", "json"])]
    verify: Option<PathBuf>,
    /// Print a JSON array, one object and line a task
    #[arg(long)]
    json: bool,
}

fn profile(text: &str) -> Result<Profile, String> {
    let known: Vec<&str> = Profile::ALL.iter().map(|p| p.id()).collect();
    Profile::parse(text).ok_or_else(|| format!("profiles are {}", known.join(", ")))
}

/// Checks and prints. A fault is a finding; a doubt is not.
///
/// # Errors
/// Nothing can be listed, or a task that is named does not exist.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    super::tell_rules(out);
    let named = !args.tasks.is_empty() || args.all || args.source.from.is_some();
    if !named && args.verify.is_none() {
        bail!("name tasks to check, or write --all");
    }
    let library = tasks::open(&args.source, out)?;
    if let Some(file) = &args.verify {
        return Ok(if certificates::verify(file, &library, out)? {
            Exit::Fine
        } else {
            Exit::Finding
        });
    }
    if let Some(file) = &args.write {
        durable::can_save(file)?;
    }
    let rows = chosen(args, &library)?;
    let alone = rows.len() == 1;
    let (mut all, mut tally) = (Vec::new(), Tally::default());
    let mut reports = Vec::new();
    for row in rows {
        let name = format!("{}/{}", row.suite, row.id);
        let asked = Asked {
            task: name,
            profile: args.profile,
            effort: Effort::default(),
        };
        let report = jobs::check(&library, &asked, &|| false, &mut |_| ());
        tally.add(&report);
        if args.json {
            all.push(object(&report));
        } else {
            print(&report, row, alone, out)?;
        }
        if args.write.is_some() {
            reports.push(report);
        }
    }
    if let Some(file) = &args.write {
        let n = certificates::write(file, &reports)?;
        if !args.json {
            out.line(&format!("{n} certificates written to {}", file.display()))?;
        }
    }
    if args.json {
        out.json_list(&all)?;
    } else if !alone {
        tally.print(out)?;
    }
    Ok(if tally.faulty > 0 {
        Exit::Finding
    } else {
        Exit::Fine
    })
}

fn chosen<'l>(args: &Args, library: &'l Library) -> anyhow::Result<Vec<&'l TaskRow>> {
    if args.tasks.is_empty() {
        return Ok(library.rows().iter().collect());
    }
    let mut rows = Vec::new();
    for name in &args.tasks {
        rows.push(library.find(name)?);
    }
    Ok(rows)
}

fn print(report: &Report, row: &TaskRow, whole: bool, out: &mut Out) -> std::io::Result<()> {
    let (sign, words) = verdict(report);
    // An id is never cut: it is what one asks for next.
    let wide = text::width(&row.id).max(ID);
    out.line(&format!(
        "{} {} {sign} {words}",
        text::pad(&row.id, wide),
        text::pad(report.profile.id(), 6)
    ))?;
    for line in report.sorted() {
        print_line(line, whole, out)?;
    }
    Ok(())
}

/// One check: findings always, the rest only where there is room for it.
fn print_line(line: &Line, whole: bool, out: &mut Out) -> std::io::Result<()> {
    let told = |sign: &str, note: &str| {
        let colon = if note.is_empty() { "" } else { ": " };
        format!("{INDENT}{sign} {}{colon}{note}", line.title)
    };
    match &line.outcome {
        Outcome::Found(all) => {
            for found in all {
                let sign = sign(found.kind.weight());
                let (kind, sentence) = (found.kind.id(), &found.sentence);
                out.line(&format!("{INDENT}{sign} {kind}: {sentence}"))?;
                if whole {
                    steps(found, out)?;
                }
            }
            Ok(())
        }
        Outcome::Unproven(note) => out.line(&told("?", note)),
        Outcome::Holds(note, _) if whole => out.line(&told("✓", note)),
        Outcome::NotAsked(note) if whole => out.line(&told("–", note)),
        Outcome::Holds(..) | Outcome::NotAsked(_) => Ok(()),
    }
}

fn steps(found: &Finding, out: &mut Out) -> std::io::Result<()> {
    let Some(witness) = &found.witness else {
        return Ok(());
    };
    let at = witness.at;
    out.line(&format!("{INDENT}  witness: {}, at s{at}", witness.of))?;
    let all = witness.steps.len();
    for (i, line) in witness.steps.iter().enumerate() {
        // Of a very long plan its beginning, its end, and the steps around the one that is meant.
        let near = i < LONGEST || i + LONGEST / 10 >= all || i.abs_diff(at) <= LONGEST / 10;
        if !near {
            if i == LONGEST {
                out.line(&format!("{INDENT}    … of {all} steps"))?;
            }
            continue;
        }
        let mark = if i + 1 == at { "●" } else { " " };
        out.line(&format!("{INDENT}  {mark} {:>3} {line}", i + 1))?;
    }
    Ok(())
}

/// Steps of a witness that are printed at its beginning.
const LONGEST: usize = 100;

fn object(report: &Report) -> Value {
    let checks: Vec<Value> = report.lines.iter().map(check_json).collect();
    let findings: Vec<Value> = report
        .findings()
        .map(|(line, found)| {
            json!({
                "kind": found.kind.id(),
                "weight": found.kind.weight().id(),
                "check": line.id,
                "sentence": found.sentence,
                "fields": found.fields,
                "witness": found.witness.as_ref().map(witness_json),
                "mend": found.mend,
            })
        })
        .collect();
    json!({
        "task": report.task,
        "profile": report.profile.id(),
        "sound": report.count(Weight::Fault) == 0,
        "findings": findings,
        "checks": checks,
    })
}

fn witness_json(witness: &Witness) -> Value {
    let mut value = json!({"of": witness.of, "steps": witness.steps, "at": witness.at});
    if !witness.hashes.is_empty() {
        let hashes: Vec<String> = witness.hashes.iter().map(ToString::to_string).collect();
        value["hashes"] = json!(hashes);
    }
    value
}

fn check_json(line: &Line) -> Value {
    let (outcome, note) = match &line.outcome {
        Outcome::Holds(note, _) => ("holds", note.as_str()),
        Outcome::Found(_) => ("found", ""),
        Outcome::Unproven(note) => ("unproven", note.as_str()),
        Outcome::NotAsked(note) => ("not_asked", note.as_str()),
    };
    let witness = match &line.outcome {
        Outcome::Holds(_, Some(by)) => witness_json(by),
        _ => Value::Null,
    };
    json!({"id": line.id, "title": line.title, "outcome": outcome, "note": note, "witness": witness})
}

/// Columns of the id.
const ID: usize = 8;

/// What stands before the lines of a task.
const INDENT: &str = "         ";

const fn sign(weight: Weight) -> &'static str {
    match weight {
        Weight::Fault => "✗",
        Weight::Doubt => "!",
    }
}

/// `✗ 2 faults`, `! 1 doubt`, `✓ 12 of 14 checks hold`.
fn verdict(report: &Report) -> (&'static str, String) {
    for (weight, word) in [(Weight::Fault, "fault"), (Weight::Doubt, "doubt")] {
        let n = report.count(weight);
        if n > 0 {
            let s = if n == 1 { "" } else { "s" };
            return (sign(weight), format!("{n} {word}{s}"));
        }
    }
    let holds = |line: &&Line| matches!(line.outcome, Outcome::Holds(..));
    let n = report.lines.iter().filter(holds).count();
    let asked = report
        .lines
        .iter()
        .filter(|line| !matches!(line.outcome, Outcome::NotAsked(_)));
    let asked = asked.count();
    let sign = if n == asked { "✓" } else { "?" };
    (sign, format!("{n} of {asked} checks hold"))
}

/// What was found over all tasks.
#[derive(Default)]
struct Tally {
    tasks: usize,
    faulty: usize,
    doubtful: usize,
    open: usize,
    /// Per kind: how many findings, in which tasks.
    kinds: BTreeMap<Kind, (usize, Vec<String>)>,
}

impl Tally {
    fn add(&mut self, report: &Report) {
        self.tasks += 1;
        self.open += usize::from(report.unproven() > 0);
        if report.count(Weight::Fault) > 0 {
            self.faulty += 1;
        } else if report.count(Weight::Doubt) > 0 {
            self.doubtful += 1;
        }
        let id = report.task.rsplit('/').next().unwrap_or_default();
        for (_, found) in report.findings() {
            let (count, tasks) = self.kinds.entry(found.kind).or_default();
            *count += 1;
            if tasks.last().is_none_or(|last| last != id) {
                tasks.push(id.to_owned());
            }
        }
    }

    fn print(&self, out: &mut Out) -> std::io::Result<()> {
        let Self {
            tasks,
            faulty,
            doubtful,
            open,
            ..
        } = self;
        out.line(&format!(
            "{tasks} tasks: {faulty} with faults, {doubtful} with doubts only, {} without; something unproven in {open}",
            tasks - faulty - doubtful
        ))?;
        for (kind, (count, tasks)) in &self.kinds {
            let shown: Vec<&str> = tasks.iter().take(SHOWN).map(String::as_str).collect();
            let more = if tasks.len() > SHOWN { ", …" } else { "" };
            out.line(&format!(
                "  {} {}: {count} in {} of them ({}{more})",
                sign(kind.weight()),
                kind.id(),
                tasks.len(),
                shown.join(", ")
            ))?;
        }
        Ok(())
    }
}

/// Tasks named for one kind.
const SHOWN: usize = 12;
