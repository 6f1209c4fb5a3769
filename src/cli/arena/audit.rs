//! `vesta arena audit`: what each field of plan, scenario and settings moves; a control that moves nothing is a finding.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use serde_json::json;

use crate::arena::house::audit::{Case, EDITS, Edit, LABELS, Moved, audit};
use crate::arena::house::record::Settings;
use crate::arena::house::red::Level;
use crate::arena::house::replay;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::plan::branching::{Branching, Guard, Step};
use crate::plan::fact::Fact;
use crate::store::library::{Library, TaskRow};

/// Flags of `vesta arena audit`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Tasks or suites whose arenas are held with each field changed
    #[arg(value_name = "TASK", default_values = ["V004", "V018", "V022"])]
    tasks: Vec<String>,
    #[command(flatten)]
    source: Source,
    /// What RED knows: each task's arena is held at each of these levels, because what only one of them reads moves nothing
    /// at the others
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', default_values = ["plan", "task"], value_parser = super::play::level)]
    red: Vec<&'static Level>,
    /// How many responses RED may simulate, also when it is held out
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=4096))]
    budget: u32,
    /// How often the committee revises
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    rounds: u32,
    /// Only the fields that begin so, such as plan or settings.weights
    #[arg(long, value_name = "FIELD", default_value = "")]
    field: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Audits and prints. An inert control, and a case that could not be played, are findings.
///
/// # Errors
/// No such task, or its arena cannot be held as it is.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let library = super::super::tasks::open(&args.source, out)?;
    let rows = super::rows(&library, &args.tasks)?;
    let mut cases = Vec::new();
    for row in &rows {
        for level in &args.red {
            let settings = Settings {
                level: level.id.to_owned(),
                budget: args.budget,
                held_out: args.budget,
                rounds: args.rounds,
                width: 1,
                ..Settings::default()
            };
            cases.push(case(&library, row, settings)?);
        }
    }
    let edits = EDITS.iter().filter(|e| e.id.starts_with(&args.field));
    let edits: Vec<&'static Edit> = edits.collect();
    if edits.is_empty() {
        let known: Vec<&str> = EDITS.iter().map(|e| e.id).collect();
        anyhow::bail!(
            "no field begins with {:?}; they are {}",
            args.field,
            known.join(", ")
        );
    }
    let all = audit(&cases, &edits).map_err(|why| anyhow!(why))?;
    let found = all.iter().any(|m| m.is_inert() || !m.faults.is_empty());
    if args.json {
        let edits = all.iter().map(|m| {
            let moves: serde_json::Map<String, serde_json::Value> = m
                .metrics
                .iter()
                .map(|(name, n)| ((*name).to_owned(), (*n).into()))
                .collect();
            json!({
                "field": m.edit.id, "change": m.edit.doc, "cases": m.cases, "moves": moves,
                "inert": m.is_inert(), "faults": m.faults,
            })
        });
        out.json(&json!({"edits": edits.collect::<Vec<_>>(), "labels": LABELS}))?;
    } else {
        let names: Vec<&str> = rows.iter().map(|r| r.id.as_str()).collect();
        out.line(&format!(
            "in how many of {} arenas ({}) each metric moves",
            rows.len(),
            names.join(" ")
        ))?;
        for m in &all {
            out.line(&format!("{:<26} {}  ({})", m.edit.id, told(m), m.edit.doc))?;
            for fault in &m.faults {
                out.line(&format!("{:<26} ✗ {fault}", ""))?;
            }
        }
        let inert = all.iter().filter(|m| m.is_inert()).count();
        let missing = all.iter().filter(|m| m.cases == 0).count();
        out.line(&format!(
            "{} controls, {inert} inert, {missing} that none of these tasks has; labels, read by no score: {}",
            all.len(),
            LABELS.join(", ")
        ))?;
    }
    Ok(if found { Exit::Finding } else { Exit::Fine })
}

fn told(m: &Moved) -> String {
    if m.cases == 0 {
        return "none of these tasks has it".to_owned();
    }
    if m.metrics.is_empty() {
        return "nothing moves".to_owned();
    }
    let all: Vec<String> = m
        .metrics
        .iter()
        .map(|(name, n)| format!("{name} {n}"))
        .collect();
    all.join(", ")
}

/// The arena of a task with a plan that has a branch.
fn case(library: &Library, row: &TaskRow, settings: Settings) -> Result<Case> {
    let loaded = library
        .load_whole(&format!("{}/{}", row.suite, row.id))
        .map_err(|all| {
            anyhow!(
                "{}",
                all.first().map(ToString::to_string).unwrap_or_default()
            )
        })?;
    let setup = loaded.setup;
    let mut case = Case {
        task: setup.task.as_ref().clone(),
        base: Arc::new(loaded.base.scene.clone()),
        book: setup.book.clone(),
        profile: setup.task.profile(),
        settings,
        plan: Branching::linear(&setup.reference),
    };
    let record = case.hold().map_err(|why| anyhow!(why))?;
    let ground = super::ground(library, row, None).map_err(|why| anyhow!(why))?;
    let revised = record.candidates.iter().filter(|e| e.round > 0);
    let plans = revised.filter_map(|e| replay::candidate(&ground, e).ok());
    let mut plans = plans.map(|c| c.plan);
    case.plan = match plans.find(|p| p.steps.iter().any(|s| matches!(s, Step::If { .. }))) {
        Some(plan) => plan,
        None => watchful(&setup, &case.plan),
    };
    Ok(case)
}

/// A plan that first looks whether the task's first fact still holds, and stops where it does not.
fn watchful(setup: &crate::task::setup::Setup, plan: &Branching) -> Branching {
    let facts = setup.task.init.iter();
    let guard = facts.filter_map(|text| {
        let text = format!("!{text}");
        let fact = Fact::read(&setup.scene, &setup.book, &text).ok()?;
        Some(Guard { text, fact })
    });
    let mut plan = plan.clone();
    if let Some(guard) = guard.take(1).next() {
        plan.steps.insert(
            0,
            Step::If {
                all: vec![guard],
                then: vec![Step::Stop],
                otherwise: Vec::new(),
            },
        );
    }
    plan
}
