//! Recordings of BEHAVIOR's evolving graph: every step's verdict, error kinds and reasons in order, the facts added and
//! removed, and the verdicts on goals.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use serde::Deserialize;
use serde_json::Value;

use crate::cli::conform::recording::lines;
use crate::cli::conform::verdict::{self, Goals};
use crate::cli::conform::{Report, Section};
use crate::formats::b50::graph;
use crate::formats::b50::record::{self, Record};
use crate::sim::behavior::words::state;
use crate::sim::behavior::{DIALECT, forest, plain, published};
use crate::sim::graph::{Change, Graph};
use crate::sim::refusal::{Kind, Refusal};
use crate::sim::timeline::Timeline;
use crate::sim::vocab::{Ix, Profile, Prop, Rel, State};
use crate::sim::world::World;

#[derive(Debug, Deserialize)]
struct Run {
    task_id: String,
    steps: Vec<Step>,
    n_history: Option<usize>,
    init_facts: Option<Vec<Value>>,
    init_verdict: Option<Value>,
    /// The first step at which a plan that was made in one go ends, if it does before its end.
    onego_stop: Option<usize>,
    onego_verdict: Option<Value>,
    final_verdict: Option<Value>,
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

impl Outcome {
    /// Whether a plan that was made in one go ends here: at a failure other than a step too many (§6).
    fn stops(&self) -> bool {
        let too_many = self.err.iter().any(|(kind, _)| kind == verdict::TOO_MANY);
        self.exc.is_some() || (!self.ok && !too_many)
    }
}

/// The recordings of a folder.
const FILES: [&str; 5] = ["ground_truth", "repaired", "quirks", "mutants", "walks"];

/// The published tasks, of which recordings take their safety goals: beside the recordings, or where data lies beside them.
const TASKS: [&str; 2] = ["vestabench-b50.jsonl", "../../data/vestabench-b50.jsonl"];

/// A task at its start, with its goals.
type Start = (World, Goals);

/// Compares all files of a folder.
pub(super) fn run(dir: &Path, report: &mut Report) -> Result<()> {
    let records = records(dir, report)?;
    let mut starts = BTreeMap::new();
    for name in FILES {
        let path = dir.join(format!("{name}.jsonl.gz"));
        if !path.exists() {
            report.absent(&path);
            continue;
        }
        let (mut agree, mut total) = (0, 0);
        lines(&path, |number, run: Run| {
            total += 1;
            let told = compare(start(&mut starts, dir, &records, &run.task_id)?, &run);
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
            note: "every field of every step and all verdicts".to_owned(),
        });
    }
    Ok(())
}

fn records(dir: &Path, report: &mut Report) -> Result<Vec<Record>> {
    let Some(path) = TASKS.iter().map(|t| dir.join(t)).find(|p| p.is_file()) else {
        let wanted = dir.join(TASKS[0]);
        report
            .skipped
            .push(format!("{} (safety flags): not there", wanted.display()));
        return Ok(Vec::new());
    };
    let bytes = fs_err::read(&path)?;
    let (records, _) =
        record::read(&path.display().to_string(), &bytes).map_err(|d| anyhow!("{d}"))?;
    Ok(records)
}

fn start<'s>(
    starts: &'s mut BTreeMap<String, Start>,
    dir: &Path,
    records: &[Record],
    task: &str,
) -> Result<&'s Start> {
    let slot = match starts.entry(task.to_owned()) {
        Entry::Occupied(known) => return Ok(known.into_mut()),
        Entry::Vacant(slot) => slot,
    };
    let path = dir.join("graphs").join(format!("{task}.json"));
    let bytes = fs_err::read(&path)?;
    let (file, _) = graph::read(&path.display().to_string(), &bytes).map_err(|d| anyhow!("{d}"))?;
    let record = records.iter().find(|r| r.task_id == task);
    let goals = Goals::new(&file, record).map_err(|d| anyhow!("{}: {d}", path.display()))?;
    let world = World::new(&Arc::new(file.scene), Profile::Eai).map_err(|d| anyhow!("{d}"))?;
    Ok(slot.insert((world, goals)))
}

fn compare((world, goals): &Start, run: &Run) -> Vec<String> {
    let mut told = Vec::new();
    let mut timeline = Timeline::new(world.clone());
    if let Some(theirs) = &run.init_facts {
        told.extend(differ(
            "init_facts",
            &texts(theirs),
            &facts(timeline.world().graph()),
        ));
    }
    let judge = |timeline: &Timeline, hung: bool| goals.judge(timeline.world().graph(), hung);
    if let Some(theirs) = &run.init_verdict {
        let ours = judge(&timeline, false);
        told.extend(differ("init_verdict", &goals.known(theirs), &ours));
    }
    let (mut good, mut hung, mut stop) = (0, false, None);
    for (i, step) in run.steps.iter().enumerate() {
        let (theirs, ours) = (recorded(step), execute(&mut timeline, step));
        good += usize::from(ours.ok);
        hung |= ours.cycle;
        if theirs != ours {
            told.push(format!(
                "step {i} {} {}: recorded {theirs:?}, got {ours:?}",
                step.a, step.o
            ));
        }
        if stop.is_none() && ours.stops() {
            stop = Some((i, judge(&timeline, hung)));
        }
    }
    if run.n_history.is_some_and(|n| n != good) {
        told.push(format!(
            "n_history: recorded {:?}, got {good}",
            run.n_history
        ));
    }
    let end = judge(&timeline, hung);
    if let Some(theirs) = &run.onego_verdict {
        let (at, ours) = stop.map_or((None, end.clone()), |(i, verdict)| (Some(i), verdict));
        told.extend(differ("onego_stop", &run.onego_stop, &at));
        told.extend(differ("onego_verdict", &goals.known(theirs), &ours));
    }
    if let Some(theirs) = &run.final_verdict {
        told.extend(differ("final_verdict", &goals.known(theirs), &end));
    }
    told
}

fn differ<T: PartialEq + std::fmt::Debug>(what: &str, theirs: &T, ours: &T) -> Option<String> {
    (theirs != ours).then(|| format!("{what}: recorded {theirs:?}, got {ours:?}"))
}

/// Facts as text, sorted.
fn texts(facts: &[Value]) -> Vec<String> {
    let mut all: Vec<String> = facts.iter().map(Value::to_string).collect();
    all.sort();
    all
}

fn recorded(step: &Step) -> Outcome {
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
            Change::Edge(from, rel, to, on) => {
                if let Some(fact) = edge(g, from, rel, to) {
                    add(on, fact, &mut outcome);
                }
            }
        }
    }
    outcome.add.sort();
    outcome.del.sort();
    outcome
}

/// A relation as a recording writes it; none for rooms and for what a thing is a part of, which are ours.
fn edge(g: &Graph, from: Ix, rel: Rel, to: Ix) -> Option<String> {
    let name = |ix| g.scene().node(ix).name();
    let word = DIALECT.rel_name(rel).to_lowercase();
    let fact = if plain::LABELS.has(rel) {
        serde_json::json!(["e", name(from), word, name(to)])
    } else if let Some(hand) = DIALECT.rules.hands.iter().position(|&h| h == rel) {
        let side = ["right", "left"].get(hand).copied().unwrap_or("right");
        serde_json::json!(["h", side, name(to)])
    } else if forest::LINKS.contains(&rel) && !g.hot(to).room {
        serde_json::json!(["t", name(from), word, name(to)])
    } else {
        return None;
    };
    Some(fact.to_string())
}

/// All facts of a state, sorted.
fn facts(g: &Graph) -> Vec<String> {
    let scene = g.scene();
    let mut all = Vec::new();
    for ix in scene.indices() {
        for number in 0..DIALECT.published_states {
            if g.hot(ix).props.has(Prop(number)) {
                let word = DIALECT.state_name(State(number)).to_lowercase();
                let has = g.states(ix).has(State(number));
                let fact = serde_json::json!(["u", scene.node(ix).name(), word, has]);
                all.push(fact.to_string());
            }
        }
    }
    let edges = g.edges().into_iter();
    all.extend(edges.filter_map(|(from, rel, to)| edge(g, from, rel, to)));
    all.sort();
    all
}
