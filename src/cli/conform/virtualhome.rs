//! VirtualHome recordings: every field of every step, the final states, and the goal counts.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use crate::cli::conform::graphs::Graphs;
use crate::cli::conform::recording::{Goals, MutantScore, Program, Step, lines};
use crate::cli::conform::{Report, Section};
use crate::plan::script::read_published;
use crate::sim::digest::digest;
use crate::sim::graph::{Change, Graph};
use crate::sim::refusal::{Kind, Refusal};
use crate::sim::timeline::Timeline;
use crate::sim::virtualhome::DIALECT;
use crate::sim::vocab::NodeId;

/// What a line did, in the fields of a recording.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    ok: bool,
    code: Option<u8>,
    code_t: Option<u8>,
    msg: Vec<String>,
    parse: Option<String>,
    crashed: bool,
    n: Vec<(i64, Vec<String>, Vec<String>)>,
    added: Vec<(i64, String, i64)>,
    removed: Vec<(i64, String, i64)>,
}

/// A program that was executed: the state reached and each line's outcome.
struct Run {
    timeline: Timeline,
    outcomes: Vec<Outcome>,
}

/// Compares all files of a folder.
pub(super) fn run(dir: &Path, report: &mut Report) -> Result<()> {
    let mut replay = Replay {
        graphs: Graphs::open(&dir.join("graphs"))?,
        report,
    };
    let runs = replay.programs(&dir.join("programs.jsonl.gz"), "programs", true)?;
    goals(dir, &runs, replay.report)?;
    let mutants = replay.programs(&dir.join("mutants.jsonl.gz"), "mutants", true)?;
    scores(dir, &mutants, replay.report)?;
    drop((runs, mutants));
    for kind in ["programs", "mutants"] {
        let path = dir.join("python-order").join(format!("{kind}.jsonl.gz"));
        replay.programs(&path, &format!("python-order {kind}"), false)?;
    }
    Ok(())
}

struct Replay<'r> {
    graphs: Graphs,
    report: &'r mut Report,
}

/// What is kept of an executed program for the goal counts.
struct Kept {
    timeline: Timeline,
    oks: Vec<bool>,
    codes: Vec<Option<u8>>,
    parsed: Vec<bool>,
}

impl Replay<'_> {
    /// Executes every program of a file and compares; `counts` as in [`Section::counts`].
    fn programs(
        &mut self,
        path: &Path,
        name: &str,
        counts: bool,
    ) -> Result<BTreeMap<String, Kept>> {
        let mut kept = BTreeMap::new();
        if !path.exists() {
            self.report.absent(path);
            return Ok(kept);
        }
        let (mut agree, mut total, mut same_outcome) = (0, 0, 0);
        lines(path, |number, program: Program| {
            total += 1;
            let world = self.graphs.world(&program.graph)?;
            let start = program.init_hash.as_ref().map(|_| digest(world.graph()));
            let run = execute(Timeline::new(world), &program.steps);
            let Differences { mut told, outcomes } = compare(&program, &run);
            if start != program.init_hash {
                told.push("the graph's own hash".to_owned());
            }
            same_outcome += usize::from(!outcomes);
            if told.is_empty() {
                agree += 1;
            } else if counts {
                let place = || {
                    format!(
                        "{} line {number} {}: {}",
                        path.display(),
                        program.id,
                        told.join("; ")
                    )
                };
                self.report.differ(place);
            }
            kept.insert(program.id, Kept::from(run));
            Ok(())
        })?;
        let note = if counts {
            "every field of every step, and the final hash".to_owned()
        } else {
            format!(
                "as CPython's set order gives them; same outcome of every step in {same_outcome}/{total}"
            )
        };
        self.report.sections.push(Section {
            name: name.to_owned(),
            agree,
            total,
            counts,
            note,
        });
        Ok(kept)
    }
}

struct Differences {
    /// Every difference, in words.
    told: Vec<String>,
    /// Whether any step's outcome (ok, code, message) differs, not only what it changed.
    outcomes: bool,
}

fn compare(program: &Program, run: &Run) -> Differences {
    let mut found = Differences {
        told: Vec::new(),
        outcomes: false,
    };
    for (i, (step, ours)) in program.steps.iter().zip(&run.outcomes).enumerate() {
        let theirs = recorded(step);
        if theirs != *ours {
            found.told.push(format!(
                "step {} {}: recorded {theirs:?}, got {ours:?}",
                i + 1,
                step.a
            ));
            found.outcomes |=
                theirs.ok != ours.ok || theirs.code != ours.code || theirs.msg != ours.msg;
        }
    }
    if digest(run.timeline.world().graph()) != program.final_hash {
        found.told.push("the final hash".to_owned());
    }
    found
}

impl From<Run> for Kept {
    fn from(run: Run) -> Self {
        let oks = run.outcomes.iter().map(|o| o.ok).collect();
        let codes = run.outcomes.iter().map(|o| o.code).collect();
        let parsed = run.outcomes.iter().map(|o| o.parse.is_none()).collect();
        Self {
            timeline: run.timeline,
            oks,
            codes,
            parsed,
        }
    }
}

fn execute(mut timeline: Timeline, steps: &[Step]) -> Run {
    let outcomes = steps.iter().map(|s| line(&mut timeline, &s.a)).collect();
    Run { timeline, outcomes }
}

fn line(timeline: &mut Timeline, text: &str) -> Outcome {
    let line = match read_published(&DIALECT, text) {
        Ok(line) => line,
        Err(e) => {
            return Outcome {
                parse: Some(e.exception.to_owned()),
                msg: vec![e.message],
                ..Outcome::default()
            };
        }
    };
    let action = match timeline.world().bind(line.verb, &line.targets) {
        Ok(action) => action,
        Err(r) => return refused(&r, r.kind.code(), timeline),
    };
    // The code before the wrong-order test is what the check itself says.
    let raw = timeline
        .world()
        .check(action)
        .err()
        .and_then(|r| r.kind.code());
    match timeline.step_anew(action) {
        Ok(done) => {
            let mut outcome = changed(timeline.world().graph(), &timeline.changes_here());
            outcome.ok = true;
            if let Some(note) = done.note {
                outcome.code = note.kind.code();
                outcome.msg = note
                    .published(timeline.world().scene())
                    .into_iter()
                    .collect();
            }
            outcome
        }
        Err(r) => refused(&r, raw, timeline),
    }
}

fn refused(r: &Refusal, raw: Option<u8>, timeline: &Timeline) -> Outcome {
    let msg = r.published(timeline.world().scene()).into_iter().collect();
    let code_t = r.kind.code().filter(|_| r.kind == Kind::WrongOrder);
    Outcome {
        code: raw,
        code_t,
        msg,
        crashed: r.kind == Kind::Crash,
        ..Outcome::default()
    }
}

fn changed(graph: &Graph, changes: &[Change]) -> Outcome {
    let (scene, dialect) = (graph.scene(), graph.dialect());
    let mut states: BTreeMap<i64, (Vec<String>, Vec<String>)> = BTreeMap::new();
    let mut outcome = Outcome::default();
    for change in changes {
        match *change {
            Change::State(node, state, on) => {
                let entry = states.entry(scene.node(node).id.0).or_default();
                let list = if on { &mut entry.0 } else { &mut entry.1 };
                list.push(dialect.state_name(state).to_owned());
            }
            Change::Edge(from, rel, to, on) => {
                let edge = (
                    scene.node(from).id.0,
                    dialect.rel_name(rel).to_owned(),
                    scene.node(to).id.0,
                );
                if on {
                    &mut outcome.added
                } else {
                    &mut outcome.removed
                }
                .push(edge);
            }
        }
    }
    outcome.added.sort();
    outcome.removed.sort();
    for (node, (mut on, mut off)) in states {
        on.sort();
        off.sort();
        outcome.n.push((node, on, off));
    }
    outcome
}

fn recorded(step: &Step) -> Outcome {
    let mut n = step.n.clone();
    for (_, on, off) in &mut n {
        on.sort();
        off.sort();
    }
    n.sort();
    let (mut added, mut removed) = (step.added.clone(), step.removed.clone());
    added.sort();
    removed.sort();
    Outcome {
        ok: step.ok == 1,
        code: step.code,
        code_t: step.code_t,
        msg: if step.exc.is_some() {
            Vec::new()
        } else {
            step.msg.clone()
        },
        parse: step.parse.clone(),
        crashed: step.exc.is_some(),
        n,
        added,
        removed,
    }
}

/// The plain goal counts of the reference programs.
fn goals(dir: &Path, runs: &BTreeMap<String, Kept>, report: &mut Report) -> Result<()> {
    let path = dir.join("goals.jsonl.gz");
    if !path.exists() {
        report.absent(&path);
        return Ok(());
    }
    let (mut agree, mut published, mut total) = (0, 0, 0);
    lines(&path, |number, g: Goals| {
        total += 1;
        let Some(run) = runs.get(&g.id) else {
            report.differ(|| format!("{} line {number} {}: no such program", path.display(), g.id));
            return Ok(());
        };
        let (node, edge, action) = count(&g, &run.timeline, run.oks.len());
        if (node, edge) == (g.fair.node, g.fair.edge) {
            agree += 1;
        } else {
            let (file, id) = (path.display(), &g.id);
            report.differ(|| {
                format!(
                    "{file} line {number} {id}: recorded {:?}, got node {node} edge {edge}",
                    g.fair
                )
            });
        }
        published +=
            usize::from((node, edge.min(1), action) == (g.eai.node, g.eai.edge, g.eai.action));
        Ok(())
    })?;
    let section = |name: &str, agree, note: &str| Section {
        name: name.into(),
        agree,
        total,
        counts: true,
        note: note.into(),
    };
    report.sections.push(section(
        "goals",
        agree,
        "plain count on the final state of the reference program",
    ));
    report.sections.push(section(
        "goals as published",
        published,
        "at most one edge goal, action goals in order",
    ));
    Ok(())
}

/// Node, edge and (ordered) action goals that hold after the executed lines among the first `upto`.
fn count(g: &Goals, timeline: &Timeline, upto: usize) -> (usize, usize, usize) {
    let (graph, scene) = (timeline.world().graph(), timeline.world().scene());
    let node_goals = g.nodes.iter().filter(|goal| {
        let state = DIALECT.state(&goal.state);
        scene
            .find(NodeId(goal.id))
            .zip(state)
            .is_some_and(|(ix, s)| graph.states(ix).has(s))
    });
    let edge_goals = g.edges.iter().filter(|goal| {
        let ends = scene
            .find(NodeId(goal.from_id))
            .zip(scene.find(NodeId(goal.to_id)));
        ends.zip(DIALECT.relation(&goal.relation_type))
            .is_some_and(|((f, t), r)| graph.has(f, r, t))
    });
    let executed: Vec<String> = timeline
        .path(timeline.here())
        .into_iter()
        .take(upto + 1)
        .filter_map(|p| timeline.action(p))
        .map(|a| timeline.world().line(a))
        .collect();
    let mut met = 0;
    for line in &executed {
        while g
            .actions
            .get(met)
            .is_some_and(|t| t.split('|').any(|w| line.contains(w)))
        {
            met += 1;
        }
    }
    (node_goals.count(), edge_goals.count(), met)
}

/// Where the published evaluator stops on an altered program, and how many code-4 lines it skips before.
fn scores(dir: &Path, mutants: &BTreeMap<String, Kept>, report: &mut Report) -> Result<()> {
    let path = dir.join("mutant_scores.jsonl.gz");
    if !path.exists() {
        report.absent(&path);
        return Ok(());
    }
    let (mut agree, mut total) = (0, 0);
    lines(&path, |_, score: MutantScore| {
        total += 1;
        let Some(run) = mutants.get(&score.id) else {
            return Ok(());
        };
        let stop = (0..run.oks.len())
            .find(|&i| !run.oks[i] && (run.codes[i] != Some(4) || !run.parsed[i]));
        let end = stop.unwrap_or(run.oks.len());
        let additional = (0..end).filter(|&i| !run.oks[i]).count();
        agree += usize::from(stop == score.stop && additional == score.additional);
        Ok(())
    })?;
    report.sections.push(Section {
        name: "mutant stops".into(),
        agree,
        total,
        counts: false,
        note: "first failing line and skipped lines; recorded in CPython's set order".into(),
    });
    Ok(())
}
