//! Binding a task to its scene: names become nodes, `init` facts change the start, goals become checkable.

use std::sync::Arc;

use crate::base::diag::Diagnostic;
use crate::plan::fact::{Body, Fact};
use crate::plan::goal::{Goal, GoalSet};
use crate::plan::script;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::virtualhome::facts::room_or_none;
use crate::sim::vocab::{Ix, Profile, Rel, State};
use crate::sim::world::{Action, World};
use crate::task::Task;

/// A task ready to be played.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The task as read.
    pub task: Arc<Task>,
    /// Its scene, `init` facts applied.
    pub scene: Arc<Scene>,
    /// Its goals.
    pub goals: GoalSet,
    /// The reference plan.
    pub reference: Vec<Action>,
    /// What could not be used, with field names; the task is playable all the same.
    pub findings: Vec<Diagnostic>,
}

/// How many faults of one task are told in full.
const MOST: usize = 50;

/// Binds a task to the base scene it names.
///
/// # Errors
/// Everything that makes the task unplayable: an unknown name in `init`, in a goal or in `never`.
pub fn prepare(task: Arc<Task>, base: &Scene) -> Result<Setup, Vec<Diagnostic>> {
    let mut wrong = Vec::new();
    let scene = Arc::new(start(&task, base, &mut wrong));
    let mut goals = GoalSet::default();
    for (field, texts) in [("success", &task.success), ("safety", &task.safety)] {
        for (i, text) in texts.iter().enumerate() {
            match Goal::read(base, text) {
                Ok(goal) => goals.goals.push(goal),
                Err(message) => wrong.push(Diagnostic::error(format!("{field}[{i}]"), message)),
            }
        }
        if field == "success" {
            goals.success = goals.goals.len();
        }
    }
    for (i, text) in task.never.iter().enumerate() {
        if let Err(message) = Fact::read(base, text) {
            wrong.push(Diagnostic::error(format!("never[{i}]"), message));
        }
    }
    let mut findings = Vec::new();
    for (i, text) in task.naive.iter().enumerate() {
        if let Err(e) = script::read_line(base, text) {
            findings.push(Diagnostic::warning(format!("naive[{i}]"), e.message));
        }
    }
    let mut reference = Vec::new();
    for (i, text) in task.reference.iter().enumerate() {
        match script::read_line(base, text) {
            Ok(action) => reference.push(action),
            Err(e) => findings.push(Diagnostic::warning(format!("reference[{i}]"), e.message)),
        }
    }
    if wrong.is_empty() {
        Ok(Setup {
            task,
            scene,
            goals,
            reference,
            findings,
        })
    } else {
        let more = wrong.len().saturating_sub(MOST);
        if more > 0 {
            wrong.truncate(MOST);
            wrong.push(Diagnostic::error(
                "",
                format!("{more} more names and facts do not fit the scene"),
            ));
        }
        Err(wrong)
    }
}

/// The scene after the task's `init` facts. Names are read against the base scene throughout.
fn start(task: &Task, base: &Scene, wrong: &mut Vec<Diagnostic>) -> Scene {
    let (_, mut nodes, mut edges) = base.clone().into_parts();
    for (i, text) in task.init.iter().enumerate() {
        let result = Fact::read(base, text).and_then(|fact| {
            let mut change = Change {
                base,
                nodes: &mut nodes,
                edges: &mut edges,
            };
            change.make(&fact)
        });
        if let Err(message) = result {
            wrong.push(Diagnostic::error(format!("init[{i}]"), message));
        }
    }
    Scene::new(base.dialect(), task.id.clone(), nodes, edges).unwrap_or_else(|d| {
        wrong.push(d);
        base.clone()
    })
}

struct Change<'s> {
    base: &'s Scene,
    nodes: &'s mut Vec<Node>,
    edges: &'s mut Vec<Edge>,
}

impl Change<'_> {
    fn make(&mut self, fact: &Fact) -> Result<(), String> {
        match &fact.body {
            Body::State(nodes, state) => self.state(one(self.base, nodes)?, *state, !fact.negated),
            Body::Edge(from, rel, to) => {
                let (from, to) = (one(self.base, from)?, one(self.base, to)?);
                let rules = self.base.dialect().rules;
                if fact.negated {
                    self.cut(from, *rel, to);
                } else if *rel == rules.on || *rel == rules.inside {
                    self.place(from, *rel, to)?;
                } else if *rel == self.base.dialect().near {
                    self.link(from, *rel, to);
                    self.link(to, *rel, from);
                } else {
                    self.link(from, *rel, to);
                }
            }
        }
        Ok(())
    }

    fn state(&mut self, ix: Ix, state: State, on: bool) {
        let (id, opposite) = (self.base.node(ix).id, self.base.dialect().opposite(state));
        for node in self.nodes.iter_mut().filter(|n| n.id == id) {
            node.states = if on {
                node.states.with(state)
            } else {
                node.states.without(state)
            };
            if let Some(other) = opposite.filter(|_| on) {
                node.states = node.states.without(other);
            }
        }
    }

    fn link(&mut self, from: Ix, rel: Rel, to: Ix) {
        let edge = Edge {
            from: self.base.node(from).id,
            rel,
            to: self.base.node(to).id,
        };
        if !self.edges.contains(&edge) {
            self.edges.push(edge);
        }
    }

    fn cut(&mut self, from: Ix, rel: Rel, to: Ix) {
        let (near, from, to) = (
            self.base.dialect().near,
            self.base.node(from).id,
            self.base.node(to).id,
        );
        self.edges.retain(|e| {
            !(e.rel == rel
                && (e.from == from && e.to == to || rel == near && e.from == to && e.to == from))
        });
    }

    /// Moves a thing with all that is on or in it: its old support, room and nearness end, the new ones begin.
    fn place(&mut self, what: Ix, rel: Rel, onto: Ix) -> Result<(), String> {
        let rules = self.base.dialect().rules;
        let near = self.base.dialect().near;
        let moved = self.with_load(what);
        if moved.contains(&onto) {
            return Err(format!(
                "{} cannot go onto or into itself",
                self.base.node(what).name()
            ));
        }
        let room = self.room(onto)?;
        let ids: Vec<_> = moved.iter().map(|&ix| self.base.node(ix).id).collect();
        let id = self.base.node(what).id;
        self.edges.retain(|e| {
            let (from, to) = (ids.contains(&e.from), ids.contains(&e.to));
            let support = e.rel == rules.on || e.rel == rules.inside;
            let leaves = support && (e.from == id || from && !to) || e.rel == near && from != to;
            !leaves
        });
        self.link(what, rel, onto);
        self.link(what, near, onto);
        self.link(onto, near, what);
        if let Some(room) = room {
            for ix in moved {
                self.link(ix, rules.inside, room);
            }
        }
        Ok(())
    }

    fn with_load(&self, what: Ix) -> Vec<Ix> {
        let rules = self.base.dialect().rules;
        let mut all = vec![what];
        let mut i = 0;
        while i < all.len() {
            let id = self.base.node(all[i]).id;
            for e in self
                .edges
                .iter()
                .filter(|e| e.to == id && (e.rel == rules.on || e.rel == rules.inside))
            {
                if let Some(ix) = self.base.find(e.from).filter(|ix| !all.contains(ix)) {
                    all.push(ix);
                }
            }
            i += 1;
        }
        all
    }

    fn room(&self, ix: Ix) -> Result<Option<Ix>, String> {
        let scene = Scene::new(
            self.base.dialect(),
            "",
            self.nodes.clone(),
            self.edges.clone(),
        )
        .map_err(|d| d.message)?;
        let world = World::new(&Arc::new(scene), Profile::Eai).map_err(|d| d.message)?;
        Ok(room_or_none(world.graph(), ix))
    }
}

fn one(scene: &Scene, nodes: &[Ix]) -> Result<Ix, String> {
    match nodes {
        [one] => Ok(*one),
        many => {
            let list: Vec<String> = many
                .iter()
                .take(6)
                .map(|&ix| scene.node(ix).name())
                .collect();
            Err(format!(
                "the name may be any of {}; write one of them",
                list.join(", ")
            ))
        }
    }
}
