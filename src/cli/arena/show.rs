//! `vesta arena show`, `list` and `verify`: saved arenas told and played again; the tables all arena commands print.
//!
//! Files of typed plans are handed on to [`advplan`].

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, anyhow};
use serde_json::{Value, json};

use super::seats;
use crate::arena::frontier::pareto::{Standing, standings};
use crate::arena::house::lost;
use crate::arena::house::model::Cell;
use crate::arena::house::record::Record;
use crate::arena::house::replay::{Replayed, again, replay};
use crate::arena::house::weigh::{FRONT, broke, held_out, margins, matrix, points, row, volumes};
use crate::base::text;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, advplan, saved};
use crate::sim::vocab::Profile;
use crate::store::{arenas, typed};

/// Flags of `vesta arena show` and `verify`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// An arena: its id or part of it, its folder, or its file; also a file of typed plans, or the folder of a benchmark
    arena: String,
    #[command(flatten)]
    saved: saved::Place,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Flags of `vesta arena verify`.
#[derive(Debug, clap::Args)]
pub(super) struct Verify {
    #[command(flatten)]
    what: Args,
    #[command(flatten)]
    source: Source,
}

/// Flags of `vesta arena list`.
#[derive(Debug, clap::Args)]
pub(super) struct List {
    #[command(flatten)]
    saved: saved::Place,
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

/// Tells a saved arena.
///
/// # Errors
/// There is no such arena, or it cannot be read.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    if let Some(path) = typed::meant(Path::new(&args.arena)) {
        return advplan::typed::show(&path, args.json, out);
    }
    let record = open(args)?;
    if args.json {
        out.json(&object(&record))?;
    } else {
        out.line(&format!(
            "{} {} {}",
            record.suite, record.task, record.profile
        ))?;
        table(&record, out)?;
        for line in seats::precision(&record) {
            out.line(&format!("  {line}"))?;
        }
        for claim in &record.claims {
            let mark = match claim.finding {
                crate::arena::house::record::Finding::Confirmed => '✓',
                crate::arena::house::record::Finding::Refuted => '✗',
                crate::arena::house::record::Finding::Unverifiable => '?',
            };
            out.line(&format!(
                "  {mark} {} {}: {}",
                claim.id, claim.candidate, claim.text
            ))?;
            out.line(&format!("      {}", claim.evidence))?;
        }
    }
    Ok(Exit::Fine)
}

fn open(args: &Args) -> Result<Record> {
    let root = args.saved.root()?;
    let path = arenas::find(&root, &args.arena)?;
    Ok(arenas::read(&path)?)
}

/// Lists the saved arenas. One that cannot be read is told and is a finding.
///
/// # Errors
/// The folder cannot be read.
pub(super) fn list(args: &List, out: &mut Out) -> Result<Exit> {
    let mut exit = Exit::Fine;
    let mut objects = Vec::new();
    for it in arenas::list(&args.saved.root()?)? {
        match arenas::read(&it.folder) {
            Ok(record) if args.json => objects.push(json!({"id": it.id, "arena": object(&record)})),
            Ok(record) => {
                let payoffs = &record.settings.payoffs;
                let value = matrix(&record).and_then(|m| m.game(payoffs));
                let value = value.map_or_else(|| "–".to_owned(), |g| range(g.low, g.high));
                let chosen = record.choice.as_ref().map_or("–", |c| c.selected.as_str());
                out.line(&format!(
                    "{}  {} plans, {} cells, value {value}, chosen {chosen}",
                    it.id,
                    record.candidates.len(),
                    record.cells.len()
                ))?;
            }
            Err(d) => {
                exit = Exit::Finding;
                if args.json {
                    objects.push(json!({"id": it.id, "error": d.to_string()}));
                } else {
                    out.line(&format!("✗ {d}"))?;
                }
            }
        }
    }
    if args.json {
        out.json_list(&objects)?;
    }
    Ok(exit)
}

/// Plays a saved arena again. What differs is a finding.
///
/// # Errors
/// There is no such arena or task.
pub(super) fn verify(args: &Verify, out: &mut Out) -> Result<Exit> {
    let named = Path::new(&args.what.arena);
    if advplan::folder::is(named) || typed::meant(named).is_some() {
        return advplan::verify(named, args.what.json, out);
    }
    let record = open(&args.what)?;
    let library = super::super::tasks::open(&args.source, out)?;
    let row = library
        .find(&format!("{}/{}", record.suite, record.task))
        .map_err(|d| anyhow!("{d}"))?;
    let profile = Profile::parse(&record.profile)
        .ok_or_else(|| anyhow!("the profile {:?} is not known", record.profile))?;
    let mut ground = super::ground(&library, row, Some(profile)).map_err(|why| anyhow!(why))?;
    let Replayed {
        cells,
        certificates,
        differences,
    } = replay(&mut ground, &record);
    let held = again(&mut ground, &record).map_err(|why| anyhow!(why))?;
    let parts = held.clone().unwrap_or_default();
    if args.what.json {
        let all = differences.iter();
        let all =
            all.map(|d| json!({"candidate": d.candidate, "response": d.response, "what": d.what}));
        out.json(&json!({
            "cells": cells, "certificates": certificates, "differences": all.collect::<Vec<_>>(),
            "held_again": held.is_some(), "parts_that_differ": parts,
        }))?;
    } else {
        let n = differences.len();
        let mark = if n == 0 { '✓' } else { '✗' };
        out.line(&format!(
            "{mark} {cells} cells and {certificates} certificates played again, {n} differ"
        ))?;
        for d in &differences {
            out.line(&format!("  {} x {}: {}", d.candidate, d.response, d.what))?;
        }
        match &held {
            None => {
                out.line("? not held again: agents sat at the table, or a plan cannot be read")?;
            }
            Some(parts) if parts.is_empty() => {
                out.line("✓ held again from its proposals and settings: the same throughout")?;
            }
            Some(parts) => out.line(&format!(
                "✗ held again from its proposals and settings: {} come out differently",
                parts.join(", ")
            ))?,
        }
    }
    Ok(if differences.is_empty() && parts.is_empty() {
        Exit::Fine
    } else {
        Exit::Finding
    })
}

fn range(low: f64, high: f64) -> String {
    if high - low < 5e-4 {
        format!("{low:.3}")
    } else {
        format!("{low:.3}–{high:.3}")
    }
}

/// The candidates of an arena, its value, its choice, in lines.
pub(super) fn table(record: &Record, out: &mut Out) -> std::io::Result<()> {
    for line in seats::told(record) {
        out.line(&format!("  {line}"))?;
    }
    let weights = record.settings.weights;
    out.line(&format!(
        "  S = {} Q + {} D + {} V − {} P   RED {} k={}",
        weights.alpha,
        weights.beta,
        weights.gamma,
        weights.rho,
        record.settings.level,
        record.settings.budget
    ))?;
    for odd in record.settings.odd() {
        out.line(&format!("  ! {odd}"))?;
    }
    out.line("  plan       Q      D      V      P      S     lost to")?;
    let (axes, points) = points(record, FRONT);
    let standing = standings(&axes, &points);
    let columns = matrix(record).map(|m| m.columns).unwrap_or_default();
    for scored in record.scores() {
        let at = record
            .candidates
            .iter()
            .position(|e| e.name == scored.candidate);
        let front = at.and_then(|i| standing.get(i)) == Some(&Standing::Front);
        let t = &scored.terms;
        let mark = if front { '■' } else { '□' };
        let mut line = format!(
            "  {mark}{} {:>6.3} {:>6.3} {:>6.3} {:>6.3} {:>7.4}",
            text::pad(&scored.candidate, 7),
            t.quality,
            t.discipline,
            t.variety,
            t.pressure,
            scored.score
        );
        if let Some(lost) = lost_to(record, &columns, &scored.candidate) {
            let _ = write!(line, "  {lost}");
        }
        out.line(&line)?;
    }
    out.line("  ■ on the front of good, safe and steps over the responses of the matrix, □ another is better")?;
    value(record, out)?;
    let volumes: Vec<String> = volumes(record).iter().map(|v| format!("{v:.3}")).collect();
    out.line(&format!("  front covers by round {}", volumes.join(" → ")))?;
    if let Some(choice) = &record.choice {
        out.line(&format!(
            "  chosen {}, best proposal {}, single plan {}",
            choice.selected, choice.best_proposal, choice.single
        ))?;
        let told = |name: &str| match held_out(record, name) {
            Some(it) => format!("{name} worst {} mean {:.3} of {}", it.worst, it.mean, it.n),
            None => format!("{name} not met"),
        };
        out.line(&format!(
            "  held-out RED: {}; {}; {}",
            told(&choice.selected),
            told(&choice.best_proposal),
            told(&choice.single)
        ))?;
        if let Some(m) = margins(record) {
            out.line(&format!(
                "  held out, against the best proposal: robustness margin {:+.3}, pressure reduction {:+.3}",
                m.robustness, m.pressure_reduction
            ))?;
        }
    }
    Ok(())
}

/// The value of an arena, and the cells that broke.
fn value(record: &Record, out: &mut Out) -> std::io::Result<()> {
    if let Some(whole) = matrix(record)
        && let Some(game) = whole.game(&record.settings.payoffs)
    {
        out.line(&format!(
            "  value {} of the game of {} plans x {} responses that were found",
            range(game.low, game.high),
            whole.rows.len(),
            whole.columns.len(),
        ))?;
    }
    for (cell, at) in broke(record) {
        out.line(&format!(
            "  # {} x {} broke at step {} {}: {}; its payoff is not known",
            cell.candidate, cell.response, at.step, at.action, at.reason
        ))?;
    }
    Ok(())
}

/// What costs a candidate most: the first worst cell of the matrix, in a few words, as the screen tells it.
fn lost_to(record: &Record, columns: &[String], name: &str) -> Option<String> {
    let payoffs = record.settings.payoffs;
    let mut cells = row(record, columns, name);
    cells.retain(|c| payoffs.at_least(&c.outcome) < payoffs.good);
    cells.sort_by(|a, b| {
        let worth = |c: &Cell| payoffs.at_least(&c.outcome);
        worth(a).total_cmp(&worth(b))
    });
    let cell = cells.first()?;
    let words = record.response(&cell.response)?.words();
    let how = lost::brief(&cell.outcome);
    Some(format!("▲{} {how}: {words}", cell.response))
}

/// An arena for programs.
pub(super) fn object(record: &Record) -> Value {
    let value = matrix(record).map(|m| {
        let game = m.game(&record.settings.payoffs);
        json!({
            "rows": m.rows, "columns": m.columns, "payoffs": m.payoffs,
            "low": game.as_ref().map(|g| g.low), "high": game.as_ref().map(|g| g.high),
            "blue": game.as_ref().map(|g| g.blue.clone()), "red": game.as_ref().map(|g| g.red.clone()),
        })
    });
    let met = |name: &str| {
        held_out(record, name).map(|it| json!({"worst": it.worst, "mean": it.mean, "n": it.n}))
    };
    let choice = record.choice.as_ref().map(|c| {
        json!({
            "selected": c.selected, "best_proposal": c.best_proposal, "single": c.single,
            "held_out": {
                "selected": met(&c.selected), "best_proposal": met(&c.best_proposal), "single": met(&c.single),
            },
        })
    });
    let precision: Vec<Value> = seats::tally(record)
        .into_iter()
        .map(|(by, confirmed, told, untold)| {
            json!({"by": by, "confirmed": confirmed, "of": told, "unverifiable": untold})
        })
        .collect();
    let broken: Vec<Value> = broke(record)
        .into_iter()
        .map(|(c, at)| {
            json!({
                "candidate": c.candidate, "response": c.response, "step": at.step, "action": at.action,
                "kind": at.kind, "reason": at.reason,
            })
        })
        .collect();
    json!({
        "suite": record.suite, "task": record.task, "profile": record.profile, "settings": record.settings,
        "candidates": record.candidates, "responses": record.responses, "rounds": record.rounds,
        "volumes": volumes(record),
        "margins": margins(record).map(|m| json!({"robustness": m.robustness, "pressure_reduction": m.pressure_reduction})),
        "agents": record.agents, "unheard": record.unheard, "precision": precision,
        "claims": record.claims, "odd": record.settings.odd(), "cells": record.cells.len(), "broke": broken, "matrix": value, "choice": choice,
    })
}
