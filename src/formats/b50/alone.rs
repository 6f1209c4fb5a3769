//! A task from the definition of an activity alone: what can be judged of its goals, and a scene for it.
//!
//! A definition names its objects by type and says how they begin; no published scene belongs to it. Objects are called after
//! a kind of thing that belongs to their type in the hierarchy, and numbered; everything else is assumed as for the fifty
//! tasks ([`super::build`]).

use std::collections::BTreeMap;

use crate::base::diag::Diagnostic;
use crate::formats::b50::abilities::Abilities;
use crate::formats::b50::build::{self, Known};
use crate::formats::b50::definition::Definition;
use crate::formats::b50::graph::Graph;
use crate::formats::b50::prompts::Listed;
use crate::formats::b50::{task, volumes};
use crate::formats::bddl::hierarchy::Hierarchy;
use crate::formats::bddl::{AGENT, Problem};
use crate::formats::{Read, json};
use crate::plan::bddl::{Formula, judges};
use crate::sim::behavior::DIALECT;
use crate::task::Task;

/// The suite of these tasks.
pub const SUITE: &str = "bddl";

/// The task without its scene: what lists show.
pub fn outline(id: &str, activity: &str, problem: &Problem) -> Task {
    let mut task = Task::blank(id, SUITE, DIALECT.id, &format!("{SUITE}-{id}.json"));
    let mut words = activity.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    task.instruction = format!("{words}.");
    task.success = problem.goals.iter().map(ToString::to_string).collect();
    task.provenance = format!(
        "{{\"source\": \"BDDL\", \"activity\": {}}}",
        json::string(activity)
    );
    task
}

/// What the world of these tasks cannot judge: one sentence that names every goal concerned with what it cannot, at the
/// place of the first; `None` where it can judge all.
pub fn unjudged(problem: &Problem) -> Option<Diagnostic> {
    let mut first = None;
    let mut told = Vec::new();
    for (i, goal) in problem.goals.iter().enumerate() {
        let mut atoms: Vec<String> = Vec::new();
        goal.each(&mut |part| {
            if let Formula::Atom { predicate, .. } = part
                && !judges(&DIALECT, &predicate.text)
            {
                first.get_or_insert(predicate.place);
                let atom = part.to_string();
                if !atoms.contains(&atom) {
                    atoms.push(atom);
                }
            }
        });
        if !atoms.is_empty() {
            told.push(format!("goal {} with {}", i + 1, atoms.join(" and ")));
        }
    }
    let message = format!(
        "the world {} cannot judge {} of {} goals: {}",
        DIALECT.id,
        told.len(),
        problem.goals.len(),
        told.join(", ")
    );
    let known: Vec<String> = DIALECT
        .published()
        .iter()
        .map(|s| s.to_lowercase())
        .collect();
    let help = format!(
        "it judges inside, ontop, onfloor, under, nextto, {}",
        known.join(", ")
    );
    first.map(|place| place.error(message).help(help))
}

/// What is known of a definition.
#[derive(Clone, Copy, Debug)]
pub struct Alone<'a> {
    /// The task's name.
    pub id: &'a str,
    /// The activity it defines.
    pub activity: &'a str,
    /// The definition.
    pub problem: &'a Problem,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The types there are.
    pub hierarchy: &'a Hierarchy,
    /// What objects can be.
    pub abilities: &'a Abilities,
}

/// The task and the graph made for it.
///
/// # Errors
/// A goal cannot be judged, a type is unknown or has no kind of thing, or the start does not fit.
pub fn open(alone: Alone<'_>) -> Result<Read<(Task, Graph)>, Diagnostic> {
    if let Some(wrong) = unjudged(alone.problem) {
        return Err(wrong);
    }
    if let Some(wrong) = alone.hierarchy.unknown(alone.problem).into_iter().next() {
        return Err(wrong);
    }
    let definition = Definition::read(alone.id, alone.bytes)?;
    let objects = listed(alone.problem, &definition, alone.hierarchy)?;
    let (graph, notes) = build::graph(Known {
        task: alone.id,
        activity: alone.activity,
        objects: &objects,
        definition: &definition,
        abilities: alone.abilities,
    })?;
    let mut task = outline(alone.id, alone.activity, alone.problem);
    let assumed: Vec<String> = (graph.assumed.iter().chain(&graph.notes))
        .map(|a| json::string(a))
        .collect();
    task.provenance = format!(
        "{{\"source\": \"BDDL\", \"activity\": {}, \"assumed\": [{}]}}",
        json::string(alone.activity),
        assumed.join(", ")
    );
    task.success = task::success(&graph)?;
    Ok(((task, graph), notes))
}

/// The objects, each with a name of its own: that of a kind of thing of its type, and a number.
fn listed(
    problem: &Problem,
    definition: &Definition,
    hierarchy: &Hierarchy,
) -> Result<Vec<Listed>, Diagnostic> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for (name, category) in problem.instances().filter(|(_, c)| &*c.text != AGENT) {
        let kind = kind(hierarchy, &category.text).ok_or_else(|| {
            category
                .place
                .error(format!("the hierarchy has no kind of thing for {category}"))
                .help("use a type with objects of its own")
        })?;
        let stem = match definition.rooms.get(&*name.text) {
            Some(room) if kind == build::FLOOR_CATEGORY => format!("{}{room}", build::FLOOR_NAME),
            _ => kind.to_owned(),
        };
        let count = counts.entry(stem.clone()).or_default();
        all.push(Listed {
            name: format!("{stem}_{count}"),
            category: category.text.to_string(),
        });
        *count += 1;
    }
    Ok(all)
}

/// What the world tells things apart by: a pan is cooked in only if it is called a saucepan.
const TELLING: &[&str] = &["saucepan", "teapot", "dishwasher", "sink", "detergent"];

/// The kind of thing that stands for a type: of its own kinds, or those of the types below, the first that the world knows by
/// name, else the first whose size is known, else the first.
fn kind<'h>(hierarchy: &'h Hierarchy, category: &str) -> Option<&'h str> {
    let own = hierarchy.get(category).map(|s| s.categories.as_slice());
    let own = own.filter(|all| !all.is_empty());
    let all: Vec<&str> = match own {
        Some(all) => all.iter().map(String::as_str).collect(),
        None => hierarchy.kinds_below(category),
    };
    let telling = |kind: &&&str| TELLING.iter().any(|word| kind.contains(word));
    let known = all.iter().find(|kind| volumes::of(kind).is_some());
    all.iter().find(telling).or(known).or(all.first()).copied()
}
