//! The initial graph of a task, made from the public packages alone.
//!
//! The scenes themselves are not shipped. Three texts hold what can be known: the prompt of the task has the names of its
//! objects in the scene, the definition of its activity their types, rooms, start and goal, the hierarchy which states
//! they have. What none of them tells is assumed, and every assumption is listed in [`Graph::assumed`] and
//! [`Graph::notes`].

use std::collections::{BTreeMap, BTreeSet};

use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::formats::b50::abilities::{Abilities, Able};
use crate::formats::b50::definition::{Definition, Fact};
use crate::formats::b50::graph::{self, Graph, Raw, RawAssumed, RawObject, RawRelation};
use crate::formats::b50::prompts::Listed;
use crate::formats::b50::volumes;
use crate::formats::json;

/// The type of floors.
const FLOOR: &str = "floor.n.01";
/// How the names of floors begin in a scene; what follows is the room.
pub(super) const FLOOR_NAME: &str = "room_floor_";
/// The category of floors.
pub(super) const FLOOR_CATEGORY: &str = "floors";
/// The agent, which is no object.
const AGENT: &str = "agent.n.01_1";
/// Furniture that is not built in, and so stands on the floor of its room.
const MOVABLE: &[&str] = &[
    "bed.n.01",
    "chair.n.01",
    "shelf.n.01",
    "sofa.n.01",
    "table.n.02",
];
/// The category whose things start open: the published plans fill them without opening them.
const OPEN_AT_START: &str = "carton";

/// Of what is nowhere written.
const NOTES: &[&str] = &[
    "states the definition does not name are false",
    "cartons are open, since published plans fill them without opening them",
    "furniture that is not built in stands on the floor of its room",
    "volumes are estimates by category",
];

/// What is known about a task from the packages.
#[derive(Clone, Copy, Debug)]
pub struct Known<'k> {
    /// The task.
    pub task: &'k str,
    /// Its activity.
    pub activity: &'k str,
    /// Its objects by their names in the scene.
    pub objects: &'k [Listed],
    /// The definition of its activity.
    pub definition: &'k Definition,
    /// What objects can be.
    pub abilities: &'k Abilities,
}

/// Makes the graph.
///
/// # Errors
/// The packages do not fit together.
pub fn graph(known: Known<'_>) -> Result<Read<Graph>, Diagnostic> {
    let mut making = Making::begin(known)?;
    for fact in &known.definition.init {
        making.fact(fact)?;
    }
    making.assume();
    let Making {
        mut objects,
        parts,
        relations,
        assumed,
        agent_room,
        notes,
        ..
    } = making;
    objects.extend(parts);
    let raw = Raw {
        format: graph::FORMAT.to_owned(),
        task_id: known.task.to_owned(),
        activity: known.activity.to_owned(),
        agent_room,
        objects,
        relations,
        hands: BTreeMap::new(),
        goal_bddl: known.definition.goals.clone(),
        assumed_states: assumed,
        notes: serde_json::json!(NOTES),
    };
    let (graph, mut all) = graph::of_raw(raw)?;
    all.extend(notes);
    Ok((graph, all))
}

/// A graph on the way.
struct Making<'k> {
    known: Known<'k>,
    /// Places in `objects` by instance.
    places: BTreeMap<&'k str, usize>,
    objects: Vec<RawObject>,
    parts: Vec<RawObject>,
    relations: Vec<RawRelation>,
    assumed: Vec<RawAssumed>,
    agent_room: Option<String>,
    notes: Vec<Diagnostic>,
}

impl<'k> Making<'k> {
    /// The objects, by pairing the definition's with the prompt's.
    fn begin(known: Known<'k>) -> Result<Self, Diagnostic> {
        let scope = known.definition.scope.iter();
        let scope: Vec<_> = scope.filter(|(name, _)| name != AGENT).collect();
        if scope.len() != known.objects.len() {
            let counts = format!(
                "the definition has {} objects and the prompt {}",
                scope.len(),
                known.objects.len()
            );
            return Err(mismatch(known.task, counts));
        }
        let mut making = Self {
            known,
            places: BTreeMap::new(),
            objects: Vec::new(),
            parts: Vec::new(),
            relations: Vec::new(),
            assumed: Vec::new(),
            agent_room: None,
            notes: Vec::new(),
        };
        for ((instance, category), listed) in scope.into_iter().zip(known.objects) {
            if *category != listed.category {
                let message = format!(
                    "{} is {} in the prompt, and {} is {} in the definition",
                    listed.name, listed.category, instance, category
                );
                return Err(mismatch(known.task, message));
            }
            making.places.insert(instance, making.objects.len());
            making.object(instance, listed)?;
        }
        Ok(making)
    }

    fn object(&mut self, instance: &str, listed: &Listed) -> Result<(), Diagnostic> {
        let category = scene_category(&listed.name);
        let able = self.known.abilities.of(category).ok_or_else(|| {
            let message = format!("the hierarchy has no category {}", json::quote(category));
            mismatch(&listed.name, message)
        })?;
        let volume = volumes::of(category).unwrap_or_else(|| {
            let message = format!(
                "how large things of {} are is not known",
                json::quote(category)
            );
            // Of many things of a kind the first is told.
            if !self.notes.iter().any(|note| note.message == message) {
                self.notes.push(
                    Diagnostic::warning(&*listed.name, message).help("they count as a litre each"),
                );
            }
            volumes::DEFAULT
        });
        let floor = category == FLOOR_CATEGORY;
        let whole = RawObject {
            name: listed.name.clone(),
            bddl: Some(instance.to_owned()),
            category: listed.category.clone(),
            igibson_category: category.to_owned(),
            kind: if floor { "floor" } else { "object" }.to_owned(),
            whole: None,
            states: states(able),
            slicer: able.slices(),
            cleaning_tool: able.cleans(),
            volume_m3: volume,
            room_type: self.known.definition.rooms.get(instance).cloned(),
        };
        if able.sliceable() {
            self.parts.extend((0..2).map(|i| part(&whole, i)));
        }
        self.objects.push(whole);
        Ok(())
    }

    /// What the definition says about the start.
    fn fact(&mut self, fact: &Fact) -> Result<(), Diagnostic> {
        match fact.terms.as_slice() {
            [object] => {
                let object = self.at(object)?;
                let state = self.objects[object].states.get_mut(&fact.predicate);
                let known = state.map(|value| *value = !fact.negated).is_some();
                if !known {
                    let message =
                        format!("{} cannot be {}", self.objects[object].name, fact.predicate);
                    self.notes
                        .push(Diagnostic::warning("init", message).help("this fact is left out"));
                }
            }
            [agent, floor] if agent == AGENT => {
                let floor = self.at(floor)?;
                self.agent_room = Some(self.objects[floor].name.clone());
            }
            [from, to] if !fact.negated => {
                let (from, to) = (self.at(from)?, self.at(to)?);
                self.relate(&fact.predicate, from, to, "init");
            }
            // What does not hold needs no edge.
            _ => {}
        }
        Ok(())
    }

    fn relate(&mut self, relation: &str, from: usize, to: usize, source: &str) {
        self.relations.push(RawRelation {
            relation: relation.to_owned(),
            from: self.objects[from].name.clone(),
            to: self.objects[to].name.clone(),
            source: source.to_owned(),
        });
    }

    fn at(&self, instance: &str) -> Result<usize, Diagnostic> {
        self.places.get(instance).copied().ok_or_else(|| {
            let message = format!("{} is not among the objects", json::quote(instance));
            Diagnostic::error("init", message).help("add it to (:objects ...)")
        })
    }

    /// What no text tells.
    fn assume(&mut self) {
        for object in &mut self.objects {
            if object.igibson_category == OPEN_AT_START
                && let Some(open) = object.states.get_mut("open")
            {
                *open = true;
                self.assumed.push(RawAssumed {
                    object: object.name.clone(),
                    state: "open".to_owned(),
                    value: true,
                });
            }
        }
        let placed: BTreeSet<&str> = self.relations.iter().map(|r| &*r.from).collect();
        let stands = |o: &RawObject| {
            let floor = |f: &RawObject| f.category == FLOOR && f.room_type == o.room_type;
            let free = MOVABLE.contains(&&*o.category) && !placed.contains(&*o.name);
            (free && o.room_type.is_some())
                .then(|| self.objects.iter().position(floor))
                .flatten()
        };
        let on: Vec<(usize, usize)> = (self.objects.iter().enumerate())
            .filter_map(|(i, o)| Some((i, stands(o)?)))
            .collect();
        for (object, floor) in on {
            self.relate("onfloor", object, floor, graph::ASSUMED);
        }
    }
}

fn mismatch(field: &str, message: String) -> Diagnostic {
    Diagnostic::error(field, message)
        .help("the graphs are built from eai-eval 1.0.5 and bddl 1.0.1; download these two")
}

/// The category of an object in the scene, by its name: `bottom_cabinet_80` is a `bottom_cabinet`.
fn scene_category(name: &str) -> &str {
    if name.starts_with(FLOOR_NAME) {
        return FLOOR_CATEGORY;
    }
    match name.rsplit_once('_') {
        Some((category, number)) if number.chars().all(|c| c.is_ascii_digit()) => category,
        _ => name,
    }
}

fn states(able: Able<'_>) -> BTreeMap<String, bool> {
    able.states().map(|s| (s.to_owned(), false)).collect()
}

/// One half of a thing that can be sliced: at no place until then.
fn part(whole: &RawObject, i: usize) -> RawObject {
    RawObject {
        name: format!("{}_part_{i}", whole.name),
        bddl: None,
        igibson_category: format!("half_{}", whole.igibson_category),
        kind: "part".to_owned(),
        whole: Some(whole.name.clone()),
        volume_m3: whole.volume_m3 / 2.0,
        room_type: None,
        ..whole.clone()
    }
}
