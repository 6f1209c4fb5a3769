//! PDDL 2.1 of a run: a domain whose actions are the steps that were done, each with the effects it had, a problem with the
//! scene as it was and the goals that are facts, and the plan; so that VAL and Fast Downward can be run on it. A plan, also
//! one with the times of VAL's happenings (`0.001: (walk milk)`), is read back.
//!
//! The domain knows no other actions: our simulator's semantics is not PDDL's. That, and goals that are no plain facts, are
//! named as [`Loss`](super::Loss)es.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use super::loss::Losses;
use super::model::{Call, Role, Trace, Turn};
use super::peek::Peek;
use super::write::{List, Object};
use super::{Format, Subject, Written};
use crate::base::diag::Diagnostic;
use crate::formats::{Read, json};
use crate::plan::fact::{Body, Fact};
use crate::plan::goal::Ask;
use crate::sim::graph::{Base, Graph};
use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, Profile};
use crate::task::setup::Setup;

/// PDDL among the formats.
pub const FORMAT: Format = Format {
    id: "pddl",
    title: "PDDL domain, problem and plan of a run",
    version: "2.1",
    extension: "plan",
    sniff,
    read: Some(read),
    write: Some(write),
    keeps: "the steps with their effects, the scene at the start, goals that are facts",
    loses: "actions that were not done, goals that are no facts, what was said",
};

/// Whether a line is a step of a plan: `(walk milk)`, also after a time.
fn step(line: &str) -> Option<(Option<&str>, &str)> {
    let line = line.split(';').next().unwrap_or_default().trim();
    let (time, rest) = match line.split_once(':') {
        Some((time, rest))
            if !time.is_empty() && time.bytes().all(|b| b.is_ascii_digit() || b == b'.') =>
        {
            (Some(time), rest.trim())
        }
        _ => (None, line),
    };
    let rest = rest
        .strip_prefix("start ")
        .or_else(|| rest.strip_prefix("end "))
        .unwrap_or(rest);
    let inner = rest.strip_prefix('(')?.split_once(')')?.0.trim();
    (!inner.is_empty() && !inner.contains('(')).then_some((time, inner))
}

fn sniff(bytes: &[u8]) -> u8 {
    let text = Peek::of(bytes).text();
    let mut lines = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with(';'))
        .take(50);
    let Some(first) = lines.next() else { return 0 };
    if step(first).is_none() || first.starts_with("(define") {
        return 0;
    }
    let end = text.len() >= (64 << 10);
    if lines.all(|line| step(line).is_some() || end) {
        50
    } else {
        0
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let text = json::text(json::without_mark(bytes)).map_err(|d| d.in_file(name))?;
    let mut trace = Trace {
        format: FORMAT.id.to_owned(),
        ..Trace::default()
    };
    let mut notes = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let plain = line.split(';').next().unwrap_or_default().trim();
        if plain.is_empty() {
            continue;
        }
        let Some((time, inner)) = step(line) else {
            notes.push(
                Diagnostic::warning("", format!("{} is no step", json::quote(plain)))
                    .help("the line is skipped; a step is written (action object ...)")
                    .at(u32::try_from(n + 1).unwrap_or(u32::MAX), None)
                    .in_file(name),
            );
            continue;
        };
        let mut words = inner.split_whitespace();
        let verb = words.next().unwrap_or_default().to_owned();
        let objects: Vec<&str> = words.collect();
        let mut arguments = Object::new();
        arguments.raw("objects", &List::texts(&objects));
        trace.turns.push(Turn {
            role: Role::Agent,
            calls: vec![Call {
                name: verb,
                arguments: arguments.end(),
                ..Call::default()
            }],
            extra: time
                .map(|t| ("at".to_owned(), json::string(t)))
                .into_iter()
                .collect(),
            ..Turn::default()
        });
    }
    if trace.turns.is_empty() {
        return Err(Diagnostic::error("", "no line is a step of a plan")
            .help("write one step a line, such as (walk milk_246)")
            .in_file(name));
    }
    Ok((vec![trace], notes))
}

/// A word that PDDL takes as a name.
pub fn word(text: &str) -> String {
    let mut out: String = text
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert(0, 'x');
    }
    out
}

/// A fact of a difference as an atom: `microwave.31:OPEN`, `bowl.5 ON table.3`.
fn atom(fact: &str) -> Option<(String, Vec<String>)> {
    let words: Vec<&str> = fact.split(' ').collect();
    match words.as_slice() {
        [one] => {
            let (node, state) = one.rsplit_once(':')?;
            Some((format!("is_{}", word(state)), vec![word(node)]))
        }
        [from, rel, to] => Some((word(rel), vec![word(from), word(to)])),
        _ => None,
    }
}

fn written((predicate, objects): &(String, Vec<String>)) -> String {
    format!("({predicate} {})", objects.join(" "))
}

/// The predicates and objects that are spoken of.
#[derive(Default)]
struct Names {
    predicates: BTreeMap<String, usize>,
    objects: BTreeSet<String>,
}

impl Names {
    fn note(&mut self, atom: &(String, Vec<String>)) {
        self.predicates.insert(atom.0.clone(), atom.1.len());
        self.objects.extend(atom.1.iter().cloned());
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one place for each field, in the order of the file"
)]
fn write(subject: &Subject<'_>) -> Result<Written, Diagnostic> {
    let trace = subject.trace;
    let Some(setup) = subject.setup else {
        return Err(
            Diagnostic::error("", "its world is unknown, so there is no problem to write")
                .help("export a run of Vesta whose scene is kept with it"),
        );
    };
    let scene = &setup.scene;
    let mut losses = Losses::default();
    let mut names = Names::default();
    let mut init = BTreeSet::new();
    for ix in scene.indices() {
        let node = scene.node(ix);
        names.objects.insert(word(&node.name()));
    }
    for fact in at_start(scene, subject.profile) {
        if let Some(atom) = atom(&fact) {
            names.note(&atom);
            init.insert(written(&atom));
        }
    }
    let (mut actions, mut plan) = (String::new(), String::new());
    let mut said = 0;
    for turn in &trace.turns {
        let Some(world) = turn.world.as_ref().filter(|_| !turn.calls.is_empty()) else {
            said += 1;
            continue;
        };
        let name = format!(
            "{}_{}",
            turn.calls
                .first()
                .map_or_else(|| "act".to_owned(), |c| word(&c.name)),
            world.seq
        );
        let (mut needs, mut effects) = (BTreeSet::new(), BTreeSet::new());
        for change in &world.diff {
            let Some((sign, fact)) = change.split_at_checked(1) else {
                continue;
            };
            let Some(atom) = atom(fact) else {
                losses.gone("facts of another form", 1);
                continue;
            };
            names.note(&atom);
            if sign == "-" {
                needs.insert(written(&atom));
                effects.insert(format!("(not {})", written(&atom)));
            } else {
                effects.insert(written(&atom));
            }
        }
        let join =
            |all: &BTreeSet<String>| all.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let _ = write!(
            actions,
            "\n  ; {}\n  (:action {name}\n    :parameters ()\n    :precondition (and {})\n    :effect (and {}))",
            turn.calls
                .first()
                .map_or("", |c| &c.arguments)
                .replace('\n', " "),
            join(&needs),
            join(&effects)
        );
        let _ = writeln!(plan, "({name})");
    }
    losses.gone("turns that did nothing to the world", said);
    losses.gone("actions that were not done", 1);
    losses.gone("run", usize::from(trace.run.is_some()));
    let goals = goals(setup, &mut names, &mut losses);
    let id = word(if trace.task.is_empty() {
        &trace.id
    } else {
        &trace.task
    });
    let mut domain = format!(
        "(define (domain {id}_run)\n  (:requirements :strips :negative-preconditions :disjunctive-preconditions)\n  (:predicates"
    );
    for (predicate, arity) in &names.predicates {
        let variables = if *arity == 1 { "?a" } else { "?a ?b" };
        let _ = write!(domain, "\n    ({predicate} {variables})");
    }
    let _ = write!(
        domain,
        ")\n  (:constants {})",
        names.objects.iter().cloned().collect::<Vec<_>>().join(" ")
    );
    let _ = writeln!(domain, "{actions})");
    let mut problem = format!("(define (problem {id})\n  (:domain {id}_run)\n  (:init");
    for fact in &init {
        let _ = write!(problem, "\n    {fact}");
    }
    let _ = writeln!(problem, ")\n  (:goal (and {})))", goals.join(" "));
    Ok(Written {
        files: vec![
            ("plan".to_owned(), plan.into_bytes()),
            ("domain.pddl".to_owned(), domain.into_bytes()),
            ("problem.pddl".to_owned(), problem.into_bytes()),
        ],
        losses: losses.list(),
    })
}

/// Every fact of the scene, as differences write facts.
fn at_start(scene: &Arc<Scene>, profile: Profile) -> Vec<String> {
    let dialect = scene.dialect();
    let mut all = Vec::new();
    let base = Arc::new(Base::new(scene.clone(), profile));
    let graph = Graph::new(base);
    for ix in scene.indices() {
        for state in graph.states(ix).iter() {
            all.push(format!(
                "{}:{}",
                scene.node(ix).name(),
                dialect.state_name(state)
            ));
        }
    }
    for (from, rel, to) in graph.edges() {
        all.push(format!(
            "{} {} {}",
            scene.node(from).name(),
            dialect.rel_name(rel),
            scene.node(to).name()
        ));
    }
    all
}

fn goals(setup: &Setup, names: &mut Names, losses: &mut Losses) -> Vec<String> {
    let mut out = Vec::new();
    for goal in &setup.goals.goals {
        let facts: Vec<&Fact> = match &goal.ask {
            Ask::Fact(fact) => vec![fact],
            Ask::All(facts) => facts.iter().collect(),
            Ask::Formula(_) | Ask::Done(_) | Ask::Never(_) => Vec::new(),
        };
        let told: Option<Vec<String>> = facts
            .iter()
            .map(|fact| of_fact(&setup.scene, fact, names))
            .collect();
        match told.filter(|told| !told.is_empty()) {
            Some(mut told) => out.append(&mut told),
            None => losses.gone(&format!("goal {}", goal.text), 1),
        }
    }
    out
}

/// A fact as a formula: of several nodes any will do.
fn of_fact(scene: &Scene, fact: &Fact, names: &mut Names) -> Option<String> {
    let dialect = scene.dialect();
    let name = |ix: Ix| word(&scene.node(ix).name());
    let atoms: Vec<(String, Vec<String>)> = match &fact.body {
        Body::State(nodes, state) => {
            let predicate = format!("is_{}", word(dialect.state_name(*state)));
            nodes
                .iter()
                .map(|&n| (predicate.clone(), vec![name(n)]))
                .collect()
        }
        Body::Edge(from, rel, to) => {
            let predicate = word(dialect.rel_name(*rel));
            let pairs = from.iter().flat_map(|&f| to.iter().map(move |&t| (f, t)));
            pairs
                .map(|(f, t)| (predicate.clone(), vec![name(f), name(t)]))
                .collect()
        }
        Body::Tracked(..) => return None,
    };
    for atom in &atoms {
        names.note(atom);
    }
    let any: Vec<String> = atoms.iter().map(written).collect();
    let some = match any.as_slice() {
        [one] => one.clone(),
        all => format!("(or {})", all.join(" ")),
    };
    Some(if fact.negated {
        format!("(not {some})")
    } else {
        some
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_and_happenings_are_read() {
        let text =
            "; a plan\n(walk milk_246)\n0.001: (grab milk_246) [1]\n5.001: start (land p1)\noops\n";
        let (traces, notes) = read("x", text.as_bytes()).unwrap();
        let told: Vec<(&str, &str)> = traces
            .iter()
            .flat_map(|t| &t.turns)
            .flat_map(|t| &t.calls)
            .map(|c| (c.name.as_str(), c.arguments.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                ("walk", "{\"objects\":[\"milk_246\"]}"),
                ("grab", "{\"objects\":[\"milk_246\"]}"),
                ("land", "{\"objects\":[\"p1\"]}"),
            ]
        );
        let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        assert_eq!(
            notes,
            [
                "x line 5: \"oops\" is no step; the line is skipped; a step is written (action object ...)"
            ]
        );
        assert_eq!(sniff(b"(walk a)\n(grab b)\n"), 50);
        assert_eq!(sniff(b"(define (problem x))"), 0);
    }
}
