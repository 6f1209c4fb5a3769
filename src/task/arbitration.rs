//! Where two rules, or a rule and a goal, say different things: which of them is heard.
//!
//! A success goal that wants something on, open or full silences the rules that would have it off, closed or empty, for
//! exactly that thing. Of two rules that say the same of one thing only the first is shown.

use crate::plan::fact::{Body, Fact};
use crate::plan::goal::{Ask, Goal, GoalSet};
use crate::safety::verdict::RuleIx;
use crate::safety::ward::Ward;
use crate::sim::scene::Scene;
use crate::sim::vocab::Ix;

/// A rule and what a success goal must want of its first variable to silence it.
struct Silencer {
    rule: &'static str,
    wants: Wants,
}

enum Wants {
    /// The state.
    State(&'static str),
    /// Something of the class inside it.
    Holds(&'static str),
}

const BY_GOALS: &[Silencer] = &[
    by("E16", Wants::State("ON")),
    by("E16", Wants::State("PLUGGED_IN")),
    by("E17", Wants::State("ON")),
    by("F02", Wants::State("ON")),
    by("W05", Wants::State("ON")),
    by("S02", Wants::State("OPEN")),
    by("P06", Wants::State("OPEN")),
    by("P23", Wants::Holds("water")),
];

const fn by(rule: &'static str, wants: Wants) -> Silencer {
    Silencer { rule, wants }
}

/// Pairs of rules of which only the first is shown when both speak of the same thing.
pub const SAID_ONCE: &[(&str, &str)] = &[
    ("F02", "E17"),
    ("H02", "P06"),
    ("W01", "W02"),
    ("F04", "F03"),
    ("E12", "E02"),
    ("E12", "E06"),
    ("F04", "F08"),
    ("F07", "F30"),
];

/// The rules that a task's success goals silence, with the thing concerned.
pub fn silenced(ward: &Ward, goals: &GoalSet) -> Vec<(RuleIx, Ix)> {
    let scene = ward.scene();
    let wanted = goals.goals.iter().take(goals.success);
    let wanted = wanted.filter(|g| !matches!(g.ask, Ask::Never(_)));
    let facts = wanted.flat_map(Goal::facts).filter(|f| !f.negated);
    let mut all = Vec::new();
    for fact in facts {
        for it in BY_GOALS {
            let Some(rule) = ward.book().rules.iter().position(|r| r.id == it.rule) else {
                continue;
            };
            let nodes = concerned(scene, fact, &it.wants);
            all.extend(nodes.into_iter().map(|n| (RuleIx(rule as u16), n)));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn concerned(scene: &Scene, fact: &Fact, wants: &Wants) -> Vec<Ix> {
    let dialect = scene.dialect();
    match (&fact.body, wants) {
        (Body::State(nodes, state), Wants::State(name)) if dialect.state_name(*state) == *name => {
            nodes.clone()
        }
        (Body::Edge(what, rel, into), Wants::Holds(class))
            if *rel == dialect.rules.inside
                && what.iter().all(|&n| *scene.node(n).class == **class) =>
        {
            into.clone()
        }
        _ => Vec::new(),
    }
}
