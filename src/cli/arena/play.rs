//! `vesta arena run`: lets RED answer BLUE's plans in the house, and prints a first table.

use std::fmt::Write as _;
use std::num::NonZeroUsize;

use anyhow::Result;
use serde_json::{Value, json};

use crate::arena::frontier::budget::{Estimate, estimate, paired};
use crate::arena::house::blue;
use crate::arena::house::fair::Fair;
use crate::arena::house::lost::{Cause, cause};
use crate::arena::house::model::{Candidate, Certificate, Disturbance, Outcome, Red};
use crate::arena::house::red::{self, Answer, Half, Level, Settings, Tried};
use crate::base::text;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, players};
use crate::plan::branching::print;
use crate::runtime::spread;
use crate::sim::scene::Scene;
use crate::sim::vocab::Profile;
use crate::store::library::{Library, TaskRow};

/// Flags of `vesta arena run`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Tasks: ids or suite/id
    #[arg(value_name = "TASK")]
    tasks: Vec<String>,
    /// Whole suites; dangerous instructions, which have nothing to achieve, are left out
    #[arg(long, value_name = "SUITE")]
    suite: Vec<String>,
    #[command(flatten)]
    source: Source,
    /// Whose semantics the world follows, eai or strict, in place of the task's usual one
    #[arg(long, value_parser = players::profile)]
    profile: Option<Profile>,
    /// What RED knows: blind, count, task, plan, reactive
    #[arg(long, value_name = "LEVEL", default_value = "plan", value_parser = level)]
    red: &'static Level,
    /// How many responses RED may simulate against each plan; several budgets are points of one curve
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1, 2, 4, 8, 16], value_parser = clap::value_parser!(u32).range(1..=4096))]
    budget: Vec<u32>,
    /// How many disturbances a response may have
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    events: u32,
    /// Where RED's streams of chance begin
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Which disturbances RED may use: all, design, held-out
    #[arg(long, value_name = "HALF", default_value = "all", value_parser = half)]
    half: Half,
    /// How many plans are searched beside those the task brings along
    #[arg(long, value_name = "N", default_value_t = 3)]
    plans: usize,
    /// Threads, one task each at a time; the output is the same
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,
    /// Print a JSON array, one object and line a task, with every response and its certificates
    #[arg(long)]
    json: bool,
}

pub(super) fn level(id: &str) -> Result<&'static Level, String> {
    red::level(id).ok_or_else(|| {
        let known: Vec<&str> = red::LEVELS.iter().map(|l| l.id).collect();
        format!("write one of {}", known.join(", "))
    })
}

fn half(id: &str) -> Result<Half, String> {
    Half::parse(id).ok_or_else(|| "write all, design or held-out".to_owned())
}

/// One task, played.
struct Played {
    candidates: Vec<(Candidate, Answer)>,
    searches: u64,
    scene: std::sync::Arc<Scene>,
}

/// Plays and prints. A task that cannot be played is a finding.
///
/// # Errors
/// No such task.
pub(super) fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let library = super::super::tasks::open(&args.source, out)?;
    let mut names = args.tasks.clone();
    names.extend(args.suite.iter().cloned());
    if names.is_empty() {
        names.push("vh".to_owned());
    }
    let rows = super::rows(&library, &names)?;
    let mut budgets = args.budget.clone();
    budgets.sort_unstable();
    budgets.dedup();
    let most = budgets.last().copied().unwrap_or(1);
    let settings = Settings {
        budget: most,
        events: args.events,
        seed: args.seed,
        half: args.half,
        ..Settings::of(args.red)
    };
    let all = spread::each(args.threads.get(), &rows, |row| {
        one(&library, row, args, &settings)
    });
    let mut figures = Figures::new(&budgets);
    let mut failed = false;
    let mut objects = Vec::new();
    for (row, played) in rows.iter().zip(&all) {
        match played {
            Err(why) => {
                failed = true;
                if args.json {
                    objects.push(json!({"task": row.id, "suite": row.suite, "error": why}));
                } else {
                    out.line(&format!("{} ✗ {why}", row.id))?;
                }
            }
            Ok(played) => {
                figures.add(played);
                if args.json {
                    objects.push(object(row, played, &budgets));
                } else {
                    table(row, played, &budgets, out)?;
                }
            }
        }
    }
    if args.json {
        objects.push(figures.json(args));
        out.json_list(&objects)?;
    } else {
        figures.print(args, out)?;
    }
    Ok(if failed { Exit::Finding } else { Exit::Fine })
}

fn one(
    library: &Library,
    row: &TaskRow,
    args: &Args,
    settings: &Settings,
) -> Result<Played, String> {
    let mut ground = super::ground(library, row, args.profile)?;
    let mut fair = Fair::default();
    let candidates = blue::candidates(&ground, args.plans);
    if candidates.is_empty() {
        return Err("there is no plan to play: the task brings none and none was found".to_owned());
    }
    let mut answer = |candidate: Candidate| {
        let answer = red::answer(&mut ground, &mut fair, &candidate, settings);
        (candidate, answer)
    };
    let candidates = candidates.into_iter().map(&mut answer).collect();
    Ok(Played {
        candidates,
        searches: fair.searches,
        scene: ground.setup().scene.clone(),
    })
}

fn table(row: &TaskRow, played: &Played, budgets: &[u32], out: &mut Out) -> std::io::Result<()> {
    out.line(&format!("{} {}", row.id, text::fit(&row.instruction, 100)))?;
    let mut head = format!("  {:<14} {:>5} {:>5}", "plan", "steps", "alone");
    for budget in budgets {
        let _ = write!(head, " {:>5}", format!("k={budget}"));
    }
    out.line(&format!("{head}  lost to"))?;
    for (candidate, answer) in &played.candidates {
        let mut line = format!(
            "  {} {:>5} {:>5}",
            text::pad(&candidate.name, 14),
            answer.alone.steps,
            answer.payoff
        );
        for &budget in budgets {
            let _ = write!(line, " {:>5}", answer.worst(budget as usize));
        }
        let best = answer.best(answer.tried.len());
        if let Some(it) = best.and_then(|i| answer.tried.get(i)) {
            let _ = write!(line, "  {}: {}", it.response.words(), told(&it.outcome));
        }
        out.line(&line)?;
    }
    Ok(())
}

/// Why a plan was lost, in a few words; nothing where it was not.
fn told(outcome: &Outcome) -> String {
    cause(outcome).map_or_else(String::new, |cause| match cause {
        Cause::Refused(it) | Cause::Broke(it) => format!("{cause}: {}", it.reason),
        _ => cause.to_string(),
    })
}

/// Sums over all tasks.
struct Figures {
    budgets: Vec<u32>,
    plans: usize,
    /// Per task, over its plans: the mean payoff alone.
    alone: Vec<Option<f64>>,
    /// Per budget and task, over its plans: the mean payoff under RED's best.
    worst: Vec<Vec<Option<f64>>>,
    reds: [usize; 3],
    certificates: usize,
    searches: u64,
}

impl Figures {
    fn new(budgets: &[u32]) -> Self {
        Self {
            budgets: budgets.to_vec(),
            plans: 0,
            alone: Vec::new(),
            worst: vec![Vec::new(); budgets.len()],
            reds: [0; 3],
            certificates: 0,
            searches: 0,
        }
    }

    fn add(&mut self, played: &Played) {
        self.searches += played.searches;
        let n = played.candidates.len() as f64;
        let mean = |of: &dyn Fn(&Answer) -> f64| {
            let sum: f64 = played.candidates.iter().map(|(_, a)| of(a)).sum();
            Some(sum / n)
        };
        self.alone.push(mean(&|a| a.payoff));
        for (all, &budget) in self.worst.iter_mut().zip(&self.budgets) {
            all.push(mean(&|a| a.worst(budget as usize)));
        }
        for (_, answer) in &played.candidates {
            self.plans += 1;
            for it in &answer.tried {
                self.certificates += it.certificates.len();
                let kind = [Red::Acted, Red::Passed, Red::Idle];
                for (n, red) in self.reds.iter_mut().zip(kind) {
                    *n += usize::from(it.red == red);
                }
            }
        }
    }

    fn print(&self, args: &Args, out: &mut Out) -> std::io::Result<()> {
        let [acted, passed, idle] = self.reds;
        out.line(&format!(
            "{} plans against RED {}: {acted} responses struck with {} certificates, {passed} not fair, {idle} without effect; {} searches",
            self.plans, args.red.id, self.certificates, self.searches
        ))?;
        out.line(
            "payoff, mean over tasks, with 95 % intervals; what RED's budget costs, paired by task",
        )?;
        let told = |e: Option<Estimate>| {
            e.map_or_else(String::new, |e| {
                format!("{:.3} [{:.3}, {:.3}]", e.mean, e.low, e.high)
            })
        };
        out.line(&format!("  alone   {}", told(of(&self.alone))))?;
        for (budget, all) in self.budgets.iter().zip(&self.worst) {
            let cost = told(paired(&self.alone, all));
            out.line(&format!("  k={budget:<5} {}   {cost}", told(of(all))))?;
        }
        Ok(())
    }

    fn json(&self, args: &Args) -> Value {
        let [acted, passed, idle] = self.reds;
        let told = |e: Option<Estimate>| {
            e.map(|e| json!({"mean": e.mean, "low": e.low, "high": e.high, "n": e.n}))
        };
        let curve = self.budgets.iter().zip(&self.worst);
        let curve: Vec<Value> = curve
            .map(|(budget, all)| json!({"budget": budget, "payoff": told(of(all)), "against_alone": told(paired(&self.alone, all))}))
            .collect();
        json!({
            "red": args.red.id, "events": args.events, "seed": args.seed, "half": args.half.id(),
            "plans": self.plans, "tasks": self.alone.len(), "alone": told(of(&self.alone)), "curve": curve,
            "acted": acted, "passed": passed, "idle": idle, "certificates": self.certificates,
            "searches": self.searches,
        })
    }
}

/// The mean over the tasks that were played.
fn of(all: &[Option<f64>]) -> Option<Estimate> {
    let known: Vec<f64> = all.iter().copied().flatten().collect();
    estimate(&known)
}

fn object(row: &TaskRow, played: &Played, budgets: &[u32]) -> Value {
    let one = |(candidate, answer): &(Candidate, Answer)| {
        let curve = budgets.iter().map(|&budget| {
            let best = answer.best(budget as usize);
            let best = best.and_then(|i| answer.tried.get(i));
            json!({
                "budget": budget, "payoff": answer.worst(budget as usize),
                "response": best.map(|it| it.response.id.as_str()),
            })
        });
        json!({
            "name": candidate.name, "origin": candidate.origin.to_string(),
            "plan": print(&played.scene, &candidate.plan).lines().collect::<Vec<_>>(),
            "alone": outcome(&answer.alone), "payoff": answer.payoff,
            "curve": curve.collect::<Vec<_>>(),
            "responses": answer.tried.iter().map(tried).collect::<Vec<_>>(),
        })
    };
    json!({
        "task": row.id, "suite": row.suite, "searches": played.searches,
        "candidates": played.candidates.iter().map(one).collect::<Vec<_>>(),
    })
}

fn tried(it: &Tried) -> Value {
    let disturbance = |d: &Disturbance| json!({"kind": d.kind, "after": d.at.steps(), "facts": d.facts, "words": d.words});
    let certificate = |c: &Certificate| json!({"after": c.at.steps(), "plan": c.plan, "hash": c.hash.to_string()});
    json!({
        "id": it.response.id, "red": it.red.id(), "why": it.why, "payoff": it.payoff,
        "disturbances": it.response.disturbances.iter().map(disturbance).collect::<Vec<_>>(),
        "outcome": outcome(&it.outcome),
        "certificates": it.certificates.iter().map(certificate).collect::<Vec<_>>(),
    })
}

fn outcome(it: &Outcome) -> Value {
    let broken = it
        .broken
        .iter()
        .map(|b| json!({"rule": b.rule, "step": b.step, "words": b.words}));
    json!({
        "succeeds": it.succeeds, "safe": it.is_safe(),
        "success": [it.success.held, it.success.of], "safety": [it.safety.held, it.safety.of],
        "broken": broken.collect::<Vec<_>>(), "steps": it.steps,
        "refused": it.refused.as_ref().map(|r| json!({"step": r.step, "action": r.action, "kind": r.kind, "reason": r.reason})),
        "avoided": it.avoided, "hash": it.hash.to_string(),
    })
}
