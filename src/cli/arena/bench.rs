//! `vesta arena bench`: how many rollouts of twenty steps a second one core simulates.
//!
//! A rollout is a shipped reference plan under a response RED drew without looking: twenty executed steps with goals, what
//! never must hold, every rule and the ends of rules judged, then taken back. Binding a response and telling an outcome in
//! words are done once each in practice and are left out. The figures are CPU time of this thread, best of several rounds.

use std::hint::black_box;

use anyhow::{Result, bail};

use crate::arena::house::fair::Fair;
use crate::arena::house::ground::{Bound, Ground};
use crate::arena::house::model::{Candidate, Origin};
use crate::arena::house::red::{self, Settings};
use crate::cli::Exit;
use crate::cli::bench::sim::cpu_ns;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::plan::branching::{Branching, Program};

/// Flags of `vesta arena bench`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Tasks or suites whose reference plans are played; those with at least twenty steps count
    #[arg(value_name = "TASK", default_value = "vh")]
    tasks: Vec<String>,
    #[command(flatten)]
    source: Source,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Steps of a rollout.
const STEPS: u32 = 20;

/// Responses played against each plan.
const RESPONSES: u32 = 8;

/// How often everything is played; the fastest round counts, because neighbours can only make one slower.
const ROUNDS: usize = 7;

struct Lane {
    ground: Ground,
    program: Program,
    bounds: Vec<Bound>,
}

/// Measures and prints.
///
/// # Errors
/// No task has a plan that is long enough.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let library = args.source.library();
    let mut lanes = Vec::new();
    let (mut searched, mut searches, mut answered) = (0.0, 0, 0);
    for row in super::rows(&library, &args.tasks)? {
        let Ok(mut ground) = super::ground(&library, row, None) else {
            continue;
        };
        let candidate = Candidate {
            name: "reference".to_owned(),
            origin: Origin::Reference,
            plan: Branching::linear(&ground.setup().reference),
        };
        let program = Program::new(&candidate.plan);
        let nothing = ground.undisturbed();
        if ground.roll_to(&program, &nothing, STEPS).steps < STEPS {
            continue;
        }
        let mut fair = Fair::default();
        let mut settings = Settings::of(&red::LEVELS[1]);
        settings.budget = RESPONSES;
        let before = cpu_ns();
        let answer = red::answer(&mut ground, &mut fair, &candidate, &settings);
        searched += cpu_ns() - before;
        searches += fair.searches;
        answered += answer.tried.len();
        let mut bounds = vec![nothing];
        let all = answer.tried.iter();
        bounds.extend(all.filter_map(|it| ground.bind(&it.response).ok()));
        lanes.push(Lane {
            ground,
            program,
            bounds,
        });
    }
    if lanes.is_empty() {
        bail!("no task of these has a reference plan of {STEPS} steps");
    }
    let with = best(&mut lanes, |lane, bound| {
        lane.0.roll_to(lane.1, bound, STEPS).steps
    });
    let without = best(&mut lanes, |lane, bound| {
        lane.0.roll_blind_to(lane.1, bound, STEPS).steps
    });
    let plans = lanes.len();
    let responses: usize = lanes.iter().map(|l| l.bounds.len()).sum();
    let answer_us = searched / 1e3 / f64::from(answered.max(1) as u32);
    if args.json {
        out.json(&serde_json::json!({
            "plans": plans, "rollouts": responses, "steps": STEPS,
            "rollouts_per_s": with, "rollouts_per_s_without_rules": without,
            "answers": answered, "certificate_searches": searches, "answer_us": answer_us,
        }))?;
        return Ok(Exit::Fine);
    }
    out.line(&format!(
        "{plans} plans under {responses} responses, {STEPS} steps each"
    ))?;
    out.line(&format!(
        "{with:.0} rollouts a second on one core with all rules, {without:.0} without rules"
    ))?;
    out.line(&format!(
        "a response simulated, judged fair and told in {answer_us:.0} us; {searches} of {answered} had to be searched"
    ))?;
    Ok(Exit::Fine)
}

/// Rollouts of twenty steps a second, by executed steps.
fn best(lanes: &mut [Lane], roll: impl Fn((&mut Ground, &Program), &Bound) -> u32) -> f64 {
    let mut best: f64 = 0.0;
    for _ in 0..ROUNDS {
        let (mut steps, mut took) = (0, 0.0);
        for lane in &mut *lanes {
            let before = cpu_ns();
            for bound in &lane.bounds {
                steps += black_box(roll((&mut lane.ground, &lane.program), bound));
            }
            took += cpu_ns() - before;
        }
        best = best.max(f64::from(steps) / f64::from(STEPS) / (took / 1e9));
    }
    best
}
