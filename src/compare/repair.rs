//! What would have saved a run: the smallest change after which it reaches its goals and breaks no core rule.
//!
//! First every change of a few steps is tried (`search::repair`): what is found there is the least there is over the
//! objects that were tried. Where nothing small helps, the run is left earlier and earlier and a safe way on is searched
//! from there; that, and the task's own plan, are brought as near to the run as they still hold. The one that changes
//! least is kept, and said to be the best found, not the least there is. Either is played again before it is told.

use std::ops::Range;
use std::sync::Arc;

use crate::arena::house::fair::Fair;
use crate::arena::house::ground::Ground;
use crate::base::diag::Diagnostic;
use crate::plan::branching::{Branching, Program};
use crate::safety::rule::Grade;
use crate::search::repair::{self, Bounds, Repaired};
use crate::search::rules::{Demand, Rules};
use crate::sim::vocab::Profile;
use crate::sim::world::Action;
use crate::task::Environment;
use crate::task::setup::Setup;

/// Steps of the run that became others: `from` counts the run's executed steps from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The steps that are left out; empty where something is only put in before the step of that number.
    pub from: Range<usize>,
    /// What is done instead.
    pub with: Vec<Action>,
}

impl Change {
    /// How many steps it touches: an exchanged step counts once.
    pub fn size(&self) -> usize {
        self.from.len().max(self.with.len())
    }
}

/// A run that was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// What changed, in order.
    pub changes: Vec<Change>,
    /// The whole way after that.
    pub actions: Vec<Action>,
    /// Whether nothing smaller would do, over the objects that were tried; else it is the best that was found.
    pub least: bool,
}

impl Saved {
    /// How many steps are touched.
    pub fn size(&self) -> usize {
        self.changes.iter().map(Change::size).sum()
    }
}

/// What came of looking for a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The run needs none: it reaches its goals and breaks nothing.
    Fine,
    /// Only refusing the instruction would have been right.
    Avoid,
    /// This would have saved it.
    By(Saved),
    /// Nothing was found within the budget.
    Nothing,
}

/// How much may be tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Edits that are tried all; more than two take long.
    pub edits: usize,
    /// Steps done for that at most.
    pub steps: u64,
    /// Positions from which a new way on is searched at most.
    pub places: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            edits: 2,
            steps: 400_000,
            places: 60,
        }
    }
}

/// Looks for the smallest change of what a run did, `actions`, that would have saved it.
///
/// # Errors
/// The scene has nobody who acts.
pub fn repair(
    setup: &Arc<Setup>,
    profile: Profile,
    actions: &[Action],
    effort: Effort,
) -> Result<Found, Diagnostic> {
    repair_told(setup, profile, actions, (effort, &mut |_, _| true))
}

/// The same; told how much of how much has been tried, `on` says whether to go on. Called off, the best found so far
/// counts.
///
/// # Errors
/// The scene has nobody who acts.
pub fn repair_told(
    setup: &Arc<Setup>,
    profile: Profile,
    actions: &[Action],
    (effort, on): (Effort, &mut dyn FnMut(u64, u64) -> bool),
) -> Result<Found, Diagnostic> {
    if setup.task.environment == Environment::AdversarialInstruction {
        return Ok(Found::Avoid);
    }
    let mut ground = Ground::new(setup.clone(), profile)?;
    let rolled = ground.roll(&program(actions), &ground.undisturbed());
    if rolled.succeeds && rolled.is_safe() && rolled.refused.is_none() {
        return Ok(Found::Fine);
    }
    // A place costs as many steps as it may: so both halves count in one measure.
    let places = effort.places.min(actions.len() + 1) as u64;
    let each = effort.steps / places.max(1);
    let all = effort.steps + places * each;
    let small = edited(&ground, actions, (effort, &mut |done| on(done, all)));
    if let Some(small) = small.filter(|saved| holds(&mut ground, &saved.actions)) {
        return Ok(Found::By(small));
    }
    let mut tell = |place: u64| on(effort.steps + place * each, all);
    Ok(anew(&mut ground, actions, (effort, &mut tell)).map_or(Found::Nothing, Found::By))
}

fn program(actions: &[Action]) -> Program {
    Program::new(&Branching::linear(actions))
}

/// Whether a way reaches the goals, breaks nothing and is not refused.
fn holds(ground: &mut Ground, actions: &[Action]) -> bool {
    let rolled = ground.roll(&program(actions), &ground.undisturbed());
    rolled.succeeds && rolled.is_safe() && rolled.refused.is_none()
}

/// The least repair by a few edits.
fn edited(
    ground: &Ground,
    actions: &[Action],
    (effort, on): (Effort, &mut dyn FnMut(u64) -> bool),
) -> Option<Saved> {
    let mut world = ground.world().clone();
    let mut rules = Rules::new(ground.lookout().clone(), Demand::Kept(Grade::Core));
    let bounds = Bounds {
        edits: effort.edits,
        steps: effort.steps,
    };
    let found = repair::repair_told(
        &mut world,
        Some(&mut rules),
        ground.goals(),
        actions,
        (bounds, on),
    );
    let Repaired::By(found) = found else {
        return None;
    };
    Some(Saved {
        changes: changes(actions, &found.actions),
        actions: found.actions,
        least: found.least,
    })
}

/// The run up to some step, then a safe way on: the one that changes least.
fn anew(
    ground: &mut Ground,
    actions: &[Action],
    (effort, on): (Effort, &mut dyn FnMut(u64) -> bool),
) -> Option<Saved> {
    let mut fair = Fair::default();
    let whole = program(actions);
    let bound = ground.undisturbed();
    let mut best: Option<Saved> = None;
    let places = (0..=actions.len()).rev().take(effort.places);
    for (tried, place) in (0..).zip(places) {
        if !on(tried) {
            break;
        }
        // Whatever is done from here on leaves at least this much unsaid; shorter beginnings only change more.
        let most = best.as_ref().map_or(usize::MAX, Saved::size);
        let Some(tail) = fair.complete(ground, (&whole, &bound), place as u32) else {
            continue;
        };
        let mut way = actions.get(..place)?.to_vec();
        way.extend(tail);
        if !holds(ground, &way) {
            continue;
        }
        let saved = pruned(ground, actions, way);
        if saved.size() < most {
            best = Some(saved);
        }
    }
    // The task's own plan is a way, too, and comes nearer by the same means.
    let reference = ground.setup().reference.clone();
    if !reference.is_empty() && holds(ground, &reference) {
        let saved = pruned(ground, actions, reference);
        if best.as_ref().is_none_or(|best| saved.size() < best.size()) {
            best = Some(saved);
        }
    }
    best
}

/// Ways that are tried at most while one is pruned.
const ROLLS: usize = 1_000;

/// A way that holds, nearer to the old one: as long as it still holds, steps that were put in are left out again and
/// steps that were left out are kept after all.
fn pruned(ground: &mut Ground, old: &[Action], way: Vec<Action>) -> Saved {
    let mut best = Saved {
        changes: changes(old, &way),
        actions: way,
        least: false,
    };
    let mut rolls = 0;
    'again: while rolls < ROLLS {
        for fewer in fewer(&best.changes) {
            let way = changed(old, &fewer);
            let changes = changes(old, &way);
            // What is put together anew may say the same; only what touches less counts.
            if weight(&changes) >= weight(&best.changes) {
                continue;
            }
            rolls += 1;
            if holds(ground, &way) {
                best = Saved {
                    changes,
                    actions: way,
                    least: false,
                };
                continue 'again;
            }
        }
        break;
    }
    best
}

/// How much changes touch: steps, then what is left out and put in.
fn weight(changes: &[Change]) -> (usize, usize) {
    let size = changes.iter().map(Change::size).sum();
    let all = changes.iter().map(|c| c.from.len() + c.with.len()).sum();
    (size, all)
}

/// The changes that do a little less than these: the largest savings first.
fn fewer(all: &[Change]) -> Vec<Vec<Change>> {
    let mut found = Vec::new();
    let mut with = |at: usize, instead: Option<Change>| {
        let mut changes = all.to_vec();
        match (instead, changes.get_mut(at)) {
            (Some(instead), Some(slot)) => *slot = instead,
            _ => {
                changes.remove(at);
            }
        }
        found.push(changes);
    };
    for at in 0..all.len() {
        with(at, None);
    }
    for (at, change) in all.iter().enumerate() {
        let n = change.with.len();
        // Long stretches first, then single steps.
        for (i, j) in spans(n) {
            let mut less = change.clone();
            less.with.drain(i..j);
            with(at, Some(less));
        }
        if !change.from.is_empty() {
            let mut later = change.clone();
            later.from.start += 1;
            with(at, Some(later));
            let mut sooner = change.clone();
            sooner.from.end -= 1;
            with(at, Some(sooner));
        }
    }
    found
}

/// Longest stretch that is left out at once.
const STRETCH: usize = 4;

/// The stretches of `n` things, the longer ones first.
fn spans(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=STRETCH.min(n))
        .rev()
        .flat_map(move |len| (0..=n - len).map(move |i| (i, i + len)))
}

/// A way after changes, given in order.
fn changed(old: &[Action], changes: &[Change]) -> Vec<Action> {
    let mut way = Vec::with_capacity(old.len());
    let mut at = 0;
    for change in changes {
        way.extend_from_slice(old.get(at..change.from.start).unwrap_or_default());
        way.extend_from_slice(&change.with);
        at = change.from.end;
    }
    way.extend_from_slice(old.get(at..).unwrap_or_default());
    way
}

/// What turns one way into another: the stretches outside a longest common series of actions.
fn changes(old: &[Action], new: &[Action]) -> Vec<Change> {
    let (n, m) = (old.len(), new.len());
    let mut length = vec![0_u32; (n + 1) * (m + 1)];
    let at = |i: usize, j: usize| i * (m + 1) + j;
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            length[at(i, j)] = if old[i] == new[j] {
                length[at(i + 1, j + 1)] + 1
            } else {
                length[at(i + 1, j)].max(length[at(i, j + 1)])
            };
        }
    }
    let mut changes: Vec<Change> = Vec::new();
    let (mut i, mut j) = (0, 0);
    let mut open: Option<Change> = None;
    while i < n || j < m {
        if i < n && j < m && old[i] == new[j] {
            changes.extend(open.take());
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let change = open.get_or_insert(Change {
            from: i..i,
            with: Vec::new(),
        });
        if j < m && (i == n || length[at(i, j + 1)] >= length[at(i + 1, j)]) {
            change.with.push(new[j]);
            j += 1;
        } else {
            i += 1;
            change.from.end = i;
        }
    }
    changes.extend(open);
    changes
}
