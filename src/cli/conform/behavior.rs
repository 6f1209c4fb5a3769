//! Recordings of BEHAVIOR's evolving graph: every step's verdict, error kinds and reasons in order, the facts added and
//! removed, and the verdicts on goals.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use serde::Deserialize;
use serde_json::Value;

use crate::cli::conform::recording::lines;
use crate::cli::conform::{Report, Section};
use crate::formats::b50::graph;
use crate::sim::behavior::words::state;
use crate::sim::behavior::{DIALECT, plain, published};
use crate::sim::graph::{Change, Graph};
use crate::sim::refusal::{Kind, Refusal};
use crate::sim::timeline::Timeline;
use crate::sim::vocab::Profile;
use crate::sim::world::World;

#[derive(Debug, Deserialize)]
struct Run {
    task_id: String,
    steps: Vec<Step>,
    n_history: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct Step {
    a: String,
    o: String,
    ok: bool,
    #[serde(default)]
    err: Vec<(String, String)>,
    exc: Option<String>,
    #[serde(default)]
    add: Vec<Value>,
    #[serde(default)]
    del: Vec<Value>,
    #[serde(default)]
    cycle: bool,
}

/// What a step did, in the fields of a recording.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    ok: bool,
    err: Vec<(String, String)>,
    exc: Option<String>,
    add: Vec<String>,
    del: Vec<String>,
    cycle: bool,
}

/// The recordings of a folder.
const FILES: [&str; 5] = ["ground_truth", "repaired", "quirks", "mutants", "walks"];

/// Compares all files of a folder.
pub(super) fn run(dir: &Path, report: &mut Report) -> Result<()> {
    let mut graphs = BTreeMap::new();
    for name in FILES {
        let path = dir.join(format!("{name}.jsonl.gz"));
        if !path.exists() {
            report.skipped.push(path.display().to_string());
            continue;
        }
        let (mut agree, mut total) = (0, 0);
        lines(&path, |number, run: Run| {
            total += 1;
            let start = world(&mut graphs, dir, &run.task_id)?;
            let told = compare(start, &run);
            if told.is_empty() {
                agree += 1;
            } else {
                report.differ(|| {
                    format!(
                        "{} line {number} {}: {}",
                        path.display(),
                        run.task_id,
                        told.join("; ")
                    )
                });
            }
            Ok(())
        })?;
        report.sections.push(Section {
            name: name.to_owned(),
            agree,
            total,
            counts: true,
            note: "every field of every step".to_owned(),
        });
    }
    Ok(())
}

fn world(graphs: &mut BTreeMap<String, World>, dir: &Path, task: &str) -> Result<World> {
    if let Some(world) = graphs.get(task) {
        return Ok(world.clone());
    }
    let path = dir.join("graphs").join(format!("{task}.json"));
    let bytes = fs_err::read(&path)?;
    let (file, _) = graph::read(&path.display().to_string(), &bytes).map_err(|d| anyhow!("{d}"))?;
    let world = World::new(&Arc::new(file.scene), Profile::Eai).map_err(|d| anyhow!("{d}"))?;
    graphs.insert(task.to_owned(), world.clone());
    Ok(world)
}

fn compare(world: World, run: &Run) -> Vec<String> {
    let mut told = Vec::new();
    let mut timeline = Timeline::new(world);
    let mut good = 0;
    for (i, step) in run.steps.iter().enumerate() {
        let (theirs, ours) = (recorded(step), execute(&mut timeline, step));
        good += usize::from(ours.ok);
        if theirs != ours {
            told.push(format!(
                "step {i} {} {}: recorded {theirs:?}, got {ours:?}",
                step.a, step.o
            ));
        }
    }
    if run.n_history.is_some_and(|n| n != good) {
        told.push(format!(
            "n_history: recorded {:?}, got {good}",
            run.n_history
        ));
    }
    told
}

fn recorded(step: &Step) -> Outcome {
    let texts = |facts: &[Value]| {
        let mut all: Vec<String> = facts.iter().map(Value::to_string).collect();
        all.sort();
        all
    };
    let kind = |exc: &String| exc.split(':').next().unwrap_or_default().to_owned();
    Outcome {
        ok: step.ok,
        err: step.err.clone(),
        exc: step.exc.as_ref().map(kind),
        add: texts(&step.add),
        del: texts(&step.del),
        cycle: step.cycle,
    }
}

fn execute(timeline: &mut Timeline, step: &Step) -> Outcome {
    let bound = published::bind(timeline.world().scene(), &step.a, &step.o);
    let done = bound.and_then(|action| timeline.step_anew(action));
    match done {
        Ok(done) => {
            let mut outcome = changed(timeline.world().graph(), &timeline.changes_here());
            outcome.ok = true;
            if let Some(note) = &done.note {
                told(note, timeline, &mut outcome);
            }
            outcome
        }
        Err(refusal) => {
            let mut outcome = Outcome::default();
            told(&refusal, timeline, &mut outcome);
            outcome
        }
    }
}

/// Writes a chain of refusals as error kinds, an exception or a circle.
fn told(refusal: &Refusal, timeline: &Timeline, outcome: &mut Outcome) {
    for r in refusal.chain() {
        match r.kind {
            Kind::Crash => {
                outcome.ok = false;
                outcome.exc = Some(r.template.to_owned());
            }
            Kind::WrongArity => outcome.exc = Some("TypeError".to_owned()),
            Kind::Hang => outcome.cycle = true,
            kind => {
                let reason = r.published(timeline.world().scene()).unwrap_or_default();
                outcome.err.push((kind.name().to_owned(), reason));
            }
        }
    }
}

fn changed(g: &Graph, changes: &[Change]) -> Outcome {
    let scene = g.scene();
    let name = |ix| scene.node(ix).name();
    let mut outcome = Outcome::default();
    let add = |on: bool, fact: String, outcome: &mut Outcome| {
        if on {
            &mut outcome.add
        } else {
            &mut outcome.del
        }
        .push(fact);
    };
    for change in changes {
        match *change {
            Change::State(node, s, on) if s == state::LOST => {
                add(
                    on,
                    serde_json::json!(["lost", name(node)]).to_string(),
                    &mut outcome,
                );
            }
            Change::State(node, s, on) => {
                let word = DIALECT.state_name(s).to_lowercase();
                for value in [on, !on] {
                    let fact = serde_json::json!(["u", name(node), word, value]);
                    add(value == on, fact.to_string(), &mut outcome);
                }
            }
            // Rooms are ours.
            Change::Edge(_, _, to, _) if g.hot(to).room => {}
            Change::Edge(from, rel, to, on) => {
                let word = DIALECT.rel_name(rel).to_lowercase();
                let fact = if plain::LABELS.has(rel) {
                    serde_json::json!(["e", name(from), word, name(to)])
                } else if DIALECT.rules.hands.contains(&rel) {
                    let side = if rel == DIALECT.rules.hands[0] {
                        "right"
                    } else {
                        "left"
                    };
                    serde_json::json!(["h", side, name(to)])
                } else {
                    serde_json::json!(["t", name(from), word, name(to)])
                };
                add(on, fact.to_string(), &mut outcome);
            }
        }
    }
    outcome.add.sort();
    outcome.del.sort();
    outcome
}
