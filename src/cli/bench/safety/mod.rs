//! `vesta bench safety`: what the hazard rules cost on top of the simulator, a step and a look ahead at a time.
//!
//! A measured step is all that follows from an action that is done: the world's change and its log, the diff that
//! people see, every rule, and the goal ledger. Taking it back is measured by itself. A look ahead does an action,
//! asks the rules for the worst it would break, and takes it back. The figures are CPU time of this thread.
//!
//! For the growth the same walk is done in a scene and in sixteen copies of it side by side. Neither the agent's body
//! nor what the goals name is copied: walking brings every body part near, and a goal about any cup would ask about
//! sixteen times as many cups, so the work itself would grow.

use std::sync::Arc;

use anyhow::{Result, anyhow};

use crate::cli::Exit;
use crate::cli::bench::sim::replicate;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::plan::goal::{Ask, Goal, GoalSet};
use crate::sim::scene::Scene;
use crate::store::book;
use crate::store::library::Library;

mod lane;

use lane::{Ahead, Lane, Times};

/// Flags of `vesta bench safety`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// The scene whose steps and looks ahead are measured
    #[arg(long, default_value = "house")]
    scene: String,
    /// The scene whose growth is measured
    #[arg(long, default_value = "flat")]
    small: String,
    /// Steps of the walk
    #[arg(long, default_value_t = 200)]
    steps: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How many goals the ledger keeps: more than any shipped task has.
const GOALS: usize = 8;

/// Measures.
///
/// # Errors
/// A scene cannot be read or has nothing to do in it.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let library = args.source.library();
    let scene = scene(&library, &args.scene)?;
    let goals = goals(&library, &scene);
    let mut lane = Lane::new(&scene, args.steps, (&scene, &goals))?;
    let times = lane.steps();
    let ahead = lane.ahead();
    let small = self::scene(&library, &args.small)?;
    let few = self::goals(&library, &small);
    let mut sizes = Vec::new();
    for copies in [1, 16] {
        let large = Arc::new(replicate(&small, copies)?);
        sizes.push(Lane::new(&large, args.steps, (&small, &few))?);
    }
    let (mut one, mut many) = (f64::INFINITY, f64::INFINITY);
    // In turns, so that a busy neighbour slows both alike.
    for _ in 0..3 {
        one = one.min(sizes[0].steps().step);
        many = many.min(sizes[1].steps().step);
    }
    print(args, out, (&lane, times, ahead, many / one))?;
    Ok(Exit::Fine)
}

fn print(args: &Args, out: &mut Out, figures: (&Lane, Times, Ahead, f64)) -> Result<()> {
    let (lane, times, ahead, growth) = figures;
    let us = |ns: f64| ns / 1e3;
    let (nodes, goals) = (lane.scene().len(), lane.goals());
    if args.json {
        return Ok(out.json(&serde_json::json!({
            "nodes": nodes, "rules": lane.rules, "goals": goals, "step_us": us(times.step),
            "step_without_rules_us": us(times.floor), "undo_us": us(times.undo),
            "allocations_per_step": times.allocations, "preview_all_ms": ahead.mean / 1e6,
            "preview_worst_ms": ahead.worst / 1e6, "preview_without_rules_ms": ahead.floor / 1e6,
            "previews": ahead.actions, "growth_16x": growth,
        }))?);
    }
    out.line(&format!(
        "{nodes} nodes, {} rules, {goals} goals, a walk of {} steps",
        lane.rules,
        lane.steps_done()
    ))?;
    out.line(&format!(
        "step {:.2} us with diff, ledger and all rules ({:.2} us the world alone), undo {:.2} us, rules allocate {:.3} times a step",
        us(times.step),
        us(times.floor),
        us(times.undo),
        times.allocations
    ))?;
    out.line(&format!(
        "looking at every possible action: {:.2} ms for {} of them ({:.2} ms without rules), at the worst place {:.2} ms",
        ahead.mean / 1e6,
        ahead.actions,
        ahead.floor / 1e6,
        ahead.worst / 1e6
    ))?;
    out.line(&format!("growth x16 {growth:.2}"))?;
    Ok(())
}

fn scene(library: &Library, name: &str) -> Result<Arc<Scene>> {
    let loaded = library.load(name).map_err(|all| {
        let first = all.first().map(ToString::to_string);
        anyhow!(first.unwrap_or_else(|| format!("{name} cannot be read")))
    })?;
    Ok(loaded.scene)
}

/// The first goals of tasks that can be asked in this scene, too.
fn goals(library: &Library, scene: &Scene) -> GoalSet {
    let book = book::book();
    let mut found: Vec<Goal> = Vec::new();
    for row in library.rows() {
        let Ok(setup) = library.load(&row.id) else {
            continue;
        };
        for goal in &setup.goals.goals {
            let known = found.iter().any(|g| g.text == goal.text);
            if !known
                && found.len() < GOALS
                && let Ok(goal) = Goal::read(scene, &book, &goal.text)
                && matches!(goal.ask, Ask::Fact(_))
            {
                found.push(goal);
            }
        }
        if found.len() == GOALS {
            break;
        }
    }
    GoalSet {
        success: found.len(),
        goals: found,
    }
}
