//! `vesta plan`: searches for a plan, replays it in a fresh world, or says how strongly there is none.

use anyhow::{Result, anyhow};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use crate::base::diag::Diagnostic;
use crate::base::text;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, tasks};
use crate::plan::goal::Goal;
use crate::plan::script;
use crate::safety::rule::Grade;
use crate::search::answer::{Answer, Found, Plan, Proof, Strength};
use crate::search::careless::{Breach, Careless, Known, Means, careless};
use crate::search::control::{Control, EVERY, Limits};
use crate::search::engine::{Engine, Problem};
use crate::search::judge::judge;
use crate::search::rules::{Demand, Rules};
use crate::search::watch::Watcher;
use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, Profile};
use crate::sim::world::{Action, World};
use crate::store::library::{Library, TaskRow};
use crate::task::Environment;
use crate::task::setup::Setup;

/// Flags of `vesta plan`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Tasks to plan: ids, suite/id, or a whole suite; without any, all there are. Tasks that ask for a refusal have
    /// nothing to reach and are planned only when named
    #[arg(value_name = "TASK")]
    tasks: Vec<String>,
    #[command(flatten)]
    source: Source,
    /// The semantics to plan in, instead of those the task is meant for
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// Leave the hazard rules out; they count where the semantics are strict
    #[arg(long)]
    no_rules: bool,
    /// Also look for a plan that succeeds and is unsafe
    #[arg(long)]
    careless: bool,
    /// Decides between equally good states; the same number gives the same plan
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// States a search may keep
    #[arg(long, default_value_t = Limits::default().nodes)]
    nodes: usize,
    /// Print a JSON array, one object and line a task, the figures last
    #[arg(long)]
    json: bool,
}

/// Plans and prints. A task without a plan is a finding.
///
/// # Errors
/// A task cannot be read, or nobody can plan in its world.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    super::tell_rules(out);
    let library = tasks::open(&args.source, out)?;
    let profile = args.profile.as_deref().map(named).transpose()?;
    let rows = rows(&library, &args.tasks)?;
    let few = !args.tasks.is_empty() && rows.len() <= FEW;
    let limits = Limits {
        nodes: args.nodes,
        seed: args.seed,
        ..Limits::default()
    };
    let mut done = Vec::new();
    let mut all = Vec::new();
    for row in rows {
        let outcome = one(&library, row, (profile, args), limits);
        if args.json {
            all.push(object(row, &outcome));
        } else {
            print(row, &outcome, few, out)?;
        }
        done.push(outcome);
    }
    let figures = Figures::of(&done);
    if args.json {
        all.push(figures.json());
        out.json_list(&all)?;
    } else {
        figures.print(out)?;
    }
    Ok(if figures.solved == done.len() {
        Exit::Fine
    } else {
        Exit::Finding
    })
}

fn named(profile: &str) -> Result<Profile> {
    Profile::parse(profile).ok_or_else(|| {
        let known: Vec<&str> = Profile::ALL.iter().map(|p| p.id()).collect();
        anyhow!(
            "no profile is called {profile}: write one of {}",
            known.join(", ")
        )
    })
}

fn rows<'l>(library: &'l Library, names: &[String]) -> Result<Vec<&'l TaskRow>> {
    let all = || {
        let refusal = Environment::AdversarialInstruction;
        let rows = library.rows().iter();
        rows.filter(move |row| row.environment != refusal)
    };
    if names.is_empty() {
        return Ok(all().collect());
    }
    let mut rows = Vec::new();
    for name in names {
        let before = rows.len();
        rows.extend(all().filter(|row| row.suite == *name));
        if rows.len() == before {
            rows.push(library.find(name).map_err(|d| anyhow!("{d}"))?);
        }
    }
    Ok(rows)
}

/// Up to so many tasks the steps of the plans are printed.
const FEW: usize = 10;

/// One task's search.
struct Done {
    found: Found,
    setup: Setup,
    /// CPU time of the search in microseconds, reading the task and building its world left out.
    micros: f64,
    /// Steps of the reference plan that do anything.
    reference: usize,
    /// Whether the plan was replayed in a fresh world, met every goal and broke no rule.
    replayed: bool,
    /// A plan that succeeds and is unsafe, if it was asked for.
    careless: Option<Careless>,
}

type Outcome = Result<Done, String>;

fn one(
    library: &Library,
    row: &TaskRow,
    (profile, args): (Option<Profile>, &Args),
    limits: Limits,
) -> Outcome {
    let setup = library
        .load(&format!("{}/{}", row.suite, row.id))
        .map_err(|wrong| first(&wrong))?;
    let profile = profile.unwrap_or_else(|| setup.task.profile());
    let goals = setup.goals_in(profile);
    let world = || setup.world(profile).map_err(|d| d.to_string());
    let watched = profile == Profile::Strict && !args.no_rules;
    // Goals that read what only rules keep need them, if only for that.
    let demand = match watched {
        true => Some(Demand::Kept(Grade::Advisory)),
        false if setup.goals.goals.iter().any(Goal::is_tracked) => Some(Demand::Nothing),
        false => None,
    };
    let rules = |world: &World| demand.map(|demand| Rules::new(setup.lookout(world), demand));
    let problem = Problem {
        world: world()?,
        goals: goals.clone(),
    };
    let mut watcher = rules(&problem.world);
    let start = cpu_ns();
    let mut engine = Engine::new(problem, limits)
        .ok_or_else(|| format!("nobody can plan in {} yet", row.dialect))?;
    let mut tell = |_| true;
    let mut control = Control {
        every: EVERY,
        tell: &mut tell,
    };
    let lent = watcher.as_mut().map(|w| w as &mut dyn Watcher);
    let found = engine.run_with(lent, &mut control);
    let micros = (cpu_ns() - start) / 1e3;
    let mut fresh = world()?;
    let mut fresh_rules = rules(&fresh);
    let replayed = found.plan().is_some_and(|plan| {
        judge(&mut fresh, fresh_rules.as_mut(), &goals, &plan.actions)
            .is_some_and(|v| v.is_clean() && v.hash == plan.hash && v.since == plan.since)
    });
    let careless = args.careless.then(|| {
        let known = Known {
            safe: found.plan().map_or(&[][..], |p| &p.actions),
            written: &[&setup.naive, &setup.reference],
        };
        careless(
            &fresh,
            fresh_rules.as_mut(),
            &goals,
            known,
            (limits, &mut control),
        )
        .0
    });
    let reference = engine.effective(&setup.reference);
    Ok(Done {
        found,
        setup,
        micros,
        reference,
        replayed,
        careless: careless.flatten(),
    })
}

fn first(wrong: &[Diagnostic]) -> String {
    wrong.first().map(ToString::to_string).unwrap_or_default()
}

/// CPU time of this thread in nanoseconds.
fn cpu_ns() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 * 1e9 + t.tv_nsec as f64
}

/// Totals over all tasks.
struct Figures {
    tasks: usize,
    solved: usize,
    replayed: usize,
    none: usize,
    careless: usize,
    /// Of these, how many are no more than what the task's author wrote down.
    written: usize,
    times: [f64; 3],
    nodes_per_s: f64,
    tried_per_s: f64,
    ratio: f64,
    within: usize,
}

impl Figures {
    fn of(done: &[Outcome]) -> Self {
        let fine: Vec<&Done> = done.iter().flatten().collect();
        let mut times: Vec<f64> = fine.iter().map(|d| d.micros).collect();
        times.sort_by(f64::total_cmp);
        let at = |percent: usize| {
            let i = (percent * times.len()).div_ceil(100);
            times.get(i.saturating_sub(1)).copied().unwrap_or(0.0)
        };
        let seconds = times.iter().sum::<f64>() / 1e6;
        let total = |f: fn(&Done) -> u64| fine.iter().map(|d| f(d)).sum::<u64>() as f64;
        let pairs: Vec<(usize, usize)> = fine
            .iter()
            .filter_map(|d| Some((d.found.plan()?.actions.len(), d.reference)))
            .collect();
        let (ours, theirs) = pairs
            .iter()
            .fold((0, 0), |(a, b), (ours, theirs)| (a + ours, b + theirs));
        Self {
            tasks: done.len(),
            solved: pairs.len(),
            replayed: fine.iter().filter(|d| d.replayed).count(),
            none: fine
                .iter()
                .filter(|d| matches!(d.found.answer, Answer::None(_)))
                .count(),
            careless: fine.iter().filter(|d| d.careless.is_some()).count(),
            written: fine
                .iter()
                .filter_map(|d| d.careless.as_ref())
                .filter(|c| c.by == Means::Written)
                .count(),
            times: [at(50), at(95), at(100)],
            nodes_per_s: total(|d| d.found.stats.generated) / seconds,
            tried_per_s: total(|d| d.found.stats.tried) / seconds,
            ratio: f64::from(ours as u32) / f64::from(theirs.max(1) as u32),
            within: pairs
                .iter()
                .filter(|(ours, theirs)| *ours as f64 <= 1.3 * *theirs as f64)
                .count(),
        }
    }

    fn print(&self, out: &mut Out) -> std::io::Result<()> {
        let [p50, p95, max] = self.times;
        out.line(&format!(
            "{} of {} solved, {} replayed in a fresh world, {} proven impossible, {}",
            self.solved,
            self.tasks,
            self.replayed,
            self.none,
            match (self.careless, self.written) {
                (n, 0) => format!("{n} unsafe twins"),
                (n, written) => format!("{n} unsafe twins, {written} of them the author's"),
            }
        ))?;
        out.line(&format!(
            "p50 {p50:.1} µs   p95 {p95:.1} µs   max {max:.1} µs   {:.2} million nodes a second ({:.2} million actions tried)",
            self.nodes_per_s / 1e6,
            self.tried_per_s / 1e6
        ))?;
        out.line(&format!(
            "length {:.2} of the references'; within 1.3 in {} of {}",
            self.ratio, self.within, self.solved
        ))
    }

    fn json(&self) -> Value {
        let [p50, p95, max] = self.times;
        json!({
            "tasks": self.tasks, "solved": self.solved, "replayed": self.replayed, "none": self.none, "careless": self.careless, "careless_written": self.written,
            "p50_us": p50, "p95_us": p95, "max_us": max,
            "nodes_per_s": self.nodes_per_s, "tried_per_s": self.tried_per_s,
            "length_ratio": self.ratio, "within_1_3": self.within,
        })
    }
}

fn print(row: &TaskRow, outcome: &Outcome, few: bool, out: &mut Out) -> std::io::Result<()> {
    let id = text::pad(&row.id, 8);
    let done = match outcome {
        Err(why) => return out.line(&format!("{id} ✗ {why}")),
        Ok(done) => done,
    };
    let scene = &done.setup.scene;
    let stats = done.found.stats;
    let cost = format!(
        "{:.1} µs, {} expanded, {} nodes",
        done.micros, stats.expanded, stats.generated
    );
    match &done.found.answer {
        Answer::Plan(plan) => {
            let mark = if done.replayed {
                "✓"
            } else {
                "✗ not replayed:"
            };
            out.line(&format!(
                "{id} {mark} {} steps (reference {}) by {}, {cost}",
                plan.actions.len(),
                done.reference,
                plan.stage.words()
            ))?;
            if few {
                for (i, &action) in plan.actions.iter().enumerate() {
                    out.line(&step(scene, &done.setup, plan, i, action))?;
                }
            }
        }
        Answer::None(proof) => {
            out.line(&format!("{id} ✗ none: {}, {cost}", why(scene, proof)))?;
        }
        Answer::Spent => out.line(&format!("{id} ✗ budget spent, {cost}"))?,
        Answer::Cancelled => out.line(&format!("{id} ✗ stopped, {cost}"))?,
    }
    done.careless
        .as_ref()
        .map_or(Ok(()), |found| unsafe_twin(done, found, few, out))
}

/// A plan that succeeds and is unsafe, with what it breaks.
fn unsafe_twin(done: &Done, found: &Careless, few: bool, out: &mut Out) -> std::io::Result<()> {
    let what = match &found.breach {
        Breach::Goal(i) => done.setup.goals.goals[*i].words(),
        Breach::Rule(at, instance) => {
            let rule = done.setup.book.rules.get(usize::from(instance.rule.0));
            let id = rule.map_or("a rule", |r| r.id.as_str());
            format!("{id} at step {at}")
        }
    };
    out.line(&format!(
        "           unsafe in {} steps ({}), breaks {what}",
        found.actions.len(),
        found.by.words()
    ))?;
    if few {
        for (i, &action) in found.actions.iter().enumerate() {
            let text = script::say(&done.setup.scene, action);
            out.line(&format!("{:>12} {text}", i + 1))?;
        }
    }
    Ok(())
}

/// A step with the goals that it made true.
fn step(scene: &Scene, setup: &Setup, plan: &Plan, i: usize, action: Action) -> String {
    let met: Vec<String> = setup
        .goals
        .goals
        .iter()
        .zip(&plan.since)
        .filter(|(_, since)| **since == i + 1)
        .map(|(goal, _)| goal.words())
        .collect();
    let text = script::say(scene, action);
    if met.is_empty() {
        format!("{:>12} {text}", i + 1)
    } else {
        format!(
            "{:>12} {}   ○→✓ {}",
            i + 1,
            text::pad(&text, 34),
            met.join(", ")
        )
    }
}

/// How strongly there is no plan.
fn why(scene: &Scene, proof: &Proof) -> String {
    let states: u64 = proof.layers.iter().sum();
    let over = if proof.whole {
        "all objects".to_owned()
    } else {
        format!(
            "{} objects ({})",
            proof.objects.len(),
            names(scene, &proof.objects)
        )
    };
    match proof.strength {
        Strength::Contradictory => "two goals can never hold together".to_owned(),
        Strength::Relaxed => "a goal is out of reach whatever is done".to_owned(),
        Strength::Exhausted => {
            format!(
                "all {states} states over {over} were looked at, hash {}",
                proof.hash
            )
        }
    }
}

fn names(scene: &Scene, objects: &[Ix]) -> String {
    let mut names: Vec<&str> = objects
        .iter()
        .take(8)
        .map(|&n| scene.short_name(n))
        .collect();
    if objects.len() > names.len() {
        names.push("…");
    }
    names.join(", ")
}

fn object(row: &TaskRow, outcome: &Outcome) -> Value {
    let done = match outcome {
        Err(why) => return json!({"id": row.id, "suite": row.suite, "error": why}),
        Ok(done) => done,
    };
    let stats = done.found.stats;
    let mut value = json!({
        "id": row.id, "suite": row.suite, "us": done.micros, "reference": done.reference,
        "expanded": stats.expanded, "nodes": stats.generated, "tried": stats.tried, "kept": stats.kept,
    });
    let scene = &done.setup.scene;
    match &done.found.answer {
        Answer::Plan(plan) => {
            let steps: Vec<String> = plan
                .actions
                .iter()
                .map(|&a| script::print_published(scene, a))
                .collect();
            value["answer"] = "plan".into();
            value["stage"] = plan.stage.words().into();
            value["plan"] = steps.into();
            value["since"] = plan.since.clone().into();
            value["hash"] = plan.hash.to_string().into();
            value["replayed"] = done.replayed.into();
        }
        Answer::None(proof) => {
            let strength = match proof.strength {
                Strength::Contradictory => "contradictory",
                Strength::Relaxed => "relaxed",
                Strength::Exhausted => "exhausted",
            };
            let ids: Vec<i64> = proof.objects.iter().map(|&n| scene.node(n).id.0).collect();
            value["answer"] = "none".into();
            value["proof"] = json!({
                "strength": strength, "objects": ids, "whole": proof.whole,
                "layers": proof.layers, "hash": proof.hash.to_string(),
            });
        }
        Answer::Spent => value["answer"] = "spent".into(),
        Answer::Cancelled => value["answer"] = "cancelled".into(),
    }
    if let Some(careless) = &done.careless {
        let steps = careless.actions.iter();
        let steps: Vec<String> = steps.map(|&a| script::print_published(scene, a)).collect();
        value["careless"] = steps.into();
        value["careless_by"] = careless.by.words().into();
    }
    value
}
