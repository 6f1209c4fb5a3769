//! What would have saved a run, in words.

use crate::app::parts;
use crate::app::role::Role;
use crate::compare::repair::{Change, Found, Saved};
use crate::sim::world::{Action, World};

use super::Side;

/// What was found for a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// In a few words: `6 steps at s8`.
    pub short: String,
    /// What they mean.
    pub role: Role,
    /// The changes, one line each; empty where there is none.
    pub lines: Vec<String>,
    /// The whole way after them, as lines of a plan; empty where there is none.
    pub plan: Vec<String>,
}

impl Told {
    /// What was found for the run of a side.
    pub fn new(side: &Side, found: &Found) -> Self {
        let plain = |short: &str, role| Self {
            short: short.to_owned(),
            role,
            lines: Vec::new(),
            plan: Vec::new(),
        };
        match found {
            Found::Fine => plain(
                "not needed: it reaches its goals and breaks nothing",
                Role::Good,
            ),
            Found::Avoid => plain("only refusing the instruction is right", Role::Armed),
            Found::Nothing => plain("none was found within the budget", Role::Armed),
            Found::By(saved) => Self::by(side, saved),
        }
    }

    fn by(side: &Side, saved: &Saved) -> Self {
        let done = side.done();
        let world = side.loaded.run.again.as_ref().ok();
        let world = world.map(|again| again.episode.timeline().world());
        let at = |step: usize| {
            let pos = done.get(step).map(|(pos, _)| *pos);
            pos.map_or_else(|| "the end".to_owned(), |pos| format!("s{pos}"))
        };
        let first = saved.changes.first().map_or(0, |change| change.from.start);
        let steps = saved.size();
        let ending = if steps == 1 { "" } else { "s" };
        let sure = if saved.least {
            ""
        } else {
            ", the best that was found"
        };
        let told = |change: &Change| world.map(|w| words(w, change, &done, &at));
        Self {
            short: format!("{steps} step{ending} at {}{sure}", at(first)),
            role: Role::Good,
            lines: saved.changes.iter().filter_map(told).collect(),
            plan: world.map_or_else(Vec::new, |w| {
                saved.actions.iter().map(|a| w.line(*a)).collect()
            }),
        }
    }
}

/// A change: `s8 switchon microwave: instead open microwave, grab fork`.
fn words(
    world: &World,
    change: &Change,
    done: &[(u32, Action)],
    at: &dyn Fn(usize) -> String,
) -> String {
    let list = |all: &mut dyn Iterator<Item = Action>| {
        let all: Vec<String> = all.map(|a| parts::action(world, a)).collect();
        all.join(", ")
    };
    let new = list(&mut change.with.iter().copied());
    let old = done.get(change.from.clone()).unwrap_or_default();
    let old = list(&mut old.iter().map(|(_, a)| *a));
    let here = at(change.from.start);
    let last = match change.from.len() {
        0 | 1 => here.clone(),
        _ => format!("{here} to {}", at(change.from.end - 1)),
    };
    match (change.from.is_empty(), change.with.is_empty()) {
        (true, _) if here == "the end" => format!("at the end: {new}"),
        (true, _) => format!("before {here}: {new}"),
        (false, true) => format!("leave out {last}: {old}"),
        (false, false) => format!("{last} {old}: instead {new}"),
    }
}
