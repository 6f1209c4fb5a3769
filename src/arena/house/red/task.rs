//! RED knows the task: its goals, the things its instruction names, and the rules that matter in it.

use std::collections::BTreeSet;

use super::{Draw, Level, Mind};
use crate::arena::house::disturb::Proposal;
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Disturbance, Moment};
use crate::plan::goal::{Ask, Goal};
use crate::safety::ontology::members;
use crate::safety::verdict::RuleIx;
use crate::sim::vocab::Ix;

pub(super) const LEVEL: Level = Level {
    id: "task",
    doc: "knows the task too: strikes at what goals, instruction and the task's rules speak of",
    more,
};

/// Of how many nodes at most a name or guard counts as naming them.
const MANY: usize = 12;

fn more(mind: &mut Mind<'_>, _: &[Disturbance], draw: &mut Draw) -> Option<Disturbance> {
    let focus = focus(mind.ground);
    let concerns = |p: &&Proposal| p.nodes().any(|n| focus.contains(&n));
    let sheet: Vec<Vec<Proposal>> = mind
        .sheet
        .iter()
        .map(|all| all.iter().filter(concerns).cloned().collect())
        .collect();
    let it = Mind::pick(&sheet, draw)?;
    let moment = Moment::after(draw.below(mind.actions.max(1)));
    Some(it.at(&mind.ground.setup().scene, moment))
}

/// The things a task speaks of.
pub(super) fn focus(ground: &Ground) -> BTreeSet<Ix> {
    let setup = ground.setup();
    let (scene, task) = (&setup.scene, &setup.task);
    let mut all = BTreeSet::new();
    let mut put = |nodes: &[Ix]| {
        if nodes.len() <= MANY {
            all.extend(nodes.iter().copied());
        }
    };
    for goal in &ground.goals().goals {
        for fact in goal.facts() {
            let nodes: Vec<Ix> = fact.nodes().collect();
            put(&nodes);
        }
    }
    let said = task.instruction.to_lowercase();
    let words: BTreeSet<&str> = said.split(|c: char| !c.is_alphanumeric()).collect();
    let deeds: Vec<&String> = ground.goals().goals.iter().flat_map(deeds).collect();
    let mut classes: Vec<&str> = scene.nodes().iter().map(|n| &*n.class).collect();
    classes.sort_unstable();
    classes.dedup();
    for class in classes {
        let last = class.rsplit('_').next().unwrap_or(class);
        let named = words.contains(last) || said.contains(&class.replace('_', " "));
        let done = deeds.iter().any(|d| d.contains(&format!("<{class}>")));
        if named || done {
            let nodes: Vec<Ix> = scene.of_class(class).collect();
            put(&nodes);
        }
    }
    let program = ground.lookout().ward().program();
    for id in &task.process_rules {
        let Some(at) = setup.book.rules.iter().position(|r| r.id == *id) else {
            continue;
        };
        let bound = program.bound(RuleIx(at as u16));
        for binder in bound.into_iter().flat_map(|b| &b.outer) {
            let guard = setup.book.guard(binder.guard);
            put(&members(guard, &setup.book.ontology, scene));
        }
    }
    all.remove(&ground.world().me());
    all
}

/// The texts of what an action goal asks to be done.
fn deeds(goal: &Goal) -> &[String] {
    match &goal.ask {
        Ask::Done(deed) => &deed.texts,
        _ => &[],
    }
}
