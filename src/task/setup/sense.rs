//! What a set-up says that cannot be: too much of it, facts that contradict each other, events that change nothing.

use crate::base::diag::Diagnostic;
use crate::sim::happen::{Effect, Scripted};
use crate::sim::scene::Scene;
use crate::task::Task;

/// How many facts or events one list may have. The largest shipped one has fewer than twenty.
const MOST_FACTS: usize = 500;

/// How many goals one list may have: they are looked at in pairs.
const MOST_GOALS: usize = 100;

/// How many steps a plan may have.
const MOST_STEPS: usize = 10_000;

/// Lists that are longer than anybody can mean.
pub(super) fn too_long(task: &Task) -> Vec<Diagnostic> {
    let lists = [
        ("init", task.init.len(), MOST_FACTS),
        ("events", task.events.len(), MOST_FACTS),
        ("success", task.success.len(), MOST_GOALS),
        ("safety", task.safety.len(), MOST_GOALS),
        ("never", task.never.len(), MOST_GOALS),
        ("reference", task.reference.len(), MOST_STEPS),
        ("naive", task.naive.len(), MOST_STEPS),
    ];
    let long = lists.into_iter().filter(|(_, n, most)| n > most);
    long.map(|(field, n, most)| {
        Diagnostic::error(field, format!("it has {n} entries"))
            .help(format!("the limit is {most}; split the task"))
    })
    .collect()
}

/// A fault of a name or fact, with a cure where the words have none.
pub(super) fn fault(field: String, message: String) -> Diagnostic {
    let cures = [
        (
            "no node is called",
            "write the class of a node of the scene, or class.id",
        ),
        ("no node has id", "write class.id with an id of the scene"),
    ];
    let bare = !message.contains("; ");
    let fits = |(start, _): &&(&str, &str)| bare && message.starts_with(start);
    let cure = cures.iter().find(fits).map_or("", |(_, cure)| cure);
    Diagnostic::error(field, message).help(cure)
}

/// What is wrong with when an event comes and what it does, apart from its names: the part of it, and a sentence.
pub(super) fn event(it: &Scripted) -> Option<(&'static str, &'static str)> {
    if it.at.is_some() && !it.when.is_empty() {
        Some(("", "has both at and when; keep one"))
    } else if it.at.is_none() && it.when.is_empty() {
        Some(("", "never comes to pass; give it at or when"))
    } else if it.at == Some(0) {
        Some((
            ".at",
            "steps count from 1; what holds at the start belongs in init",
        ))
    } else if it.after > 0 && it.when.is_empty() {
        Some((
            ".after",
            "counts from when its facts hold; give it when, or leave it out",
        ))
    } else if it.then.is_empty() {
        Some((".then", "nothing would change; give it facts"))
    } else {
        None
    }
}

/// Why an effect cannot come to pass at all.
pub(super) fn impossible(scene: &Scene, effect: &Effect) -> Option<String> {
    let name = |ix| scene.node(ix).name();
    match *effect {
        Effect::Place(what, _, _) if scene.node(what).is_room() => {
            Some(format!("{} is a room: it stays where it is", name(what)))
        }
        Effect::Place(what, _, onto) if what == onto => {
            Some(format!("{} cannot go onto or into itself", name(what)))
        }
        Effect::Link(_, rel, what)
            if scene.dialect().rules.hands.contains(&rel) && scene.node(what).is_room() =>
        {
            Some(format!("{} is a room: nobody can hold it", name(what)))
        }
        _ => None,
    }
}

/// Whether two effects of one event undo each other, or make a circle.
pub(super) fn contradict(scene: &Scene, one: &Effect, other: &Effect) -> bool {
    let rules = scene.dialect().rules;
    match (*one, *other) {
        (Effect::State(a, s, on), Effect::State(b, t, too)) => {
            let opposite = scene.dialect().opposite(s) == Some(t);
            a == b && (s == t && on != too || opposite && on && too)
        }
        (Effect::Place(a, rel, to), Effect::Place(b, other, too)) => {
            a == b && (rel, to) != (other, too) || a == too && b == to
        }
        (Effect::Cut(a, rel, to), Effect::Link(b, other, too) | Effect::Place(b, other, too))
        | (Effect::Link(b, other, too) | Effect::Place(b, other, too), Effect::Cut(a, rel, to)) => {
            (a, rel, to) == (b, other, too)
        }
        (Effect::Link(a, rel, to), Effect::Link(b, other, too)) => {
            a == b && rel == other && to != too && rules.hands.contains(&rel)
        }
        _ => false,
    }
}
