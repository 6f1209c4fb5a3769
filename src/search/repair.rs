//! The smallest repair of a plan: the fewest steps left out, put in or exchanged so that it meets the goals and breaks
//! no rule.
//!
//! The plan is followed step by step; at every step it may go on, leave the step out, or put another in. The number of
//! edits allowed grows from nothing, so the first repair found has the fewest, over the actions that were tried.

use rustc_hash::FxHashSet;

use crate::base::fold::{Key, StateHash};
use crate::plan::goal::GoalSet;
use crate::search::aims::Aims;
use crate::search::engine::reborrow;
use crate::search::moves::{Moves, Relevant};
use crate::search::space::Space;
use crate::search::table_of;
use crate::search::watch::Watcher;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

/// One edit of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The step of that number (from 0) is left out.
    Delete(usize),
    /// An action is put in before the step of that number; the plan's length stands for the end.
    Insert(usize, Action),
    /// The step of that number becomes another.
    Replace(usize, Action),
}

/// A repaired plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What was changed, in order.
    pub edits: Vec<Edit>,
    /// The plan after that.
    pub actions: Vec<Action>,
    /// Whether no repair with fewer edits exists over the objects that were tried; else the search was cut short.
    pub least: bool,
    /// The objects whose actions were tried, ascending.
    pub objects: Vec<Ix>,
}

/// How a repair went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repaired {
    /// A repair.
    By(Repair),
    /// None with at most that many edits.
    NoneWithin(usize),
    /// The budget was spent before anything was found; with fewer than that many edits there is none.
    Spent(usize),
    /// Nobody can plan in this world.
    Unknown,
}

/// What a repair is looked for with.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Edits at most.
    pub edits: usize,
    /// Steps done on the working world at most.
    pub steps: u64,
}

struct Search<'s> {
    space: Space<'s>,
    moves: Moves,
    plan: &'s [Action],
    seen: FxHashSet<StateHash>,
    edits: Vec<Edit>,
    done: Vec<Action>,
    end: u64,
    /// When somebody is asked next, in steps done.
    ask: u64,
    /// Asked now and then whether to go on, told how many steps were done.
    on: &'s mut dyn FnMut(u64) -> bool,
}

/// After how many steps somebody is asked whether to go on: every few milliseconds.
const ASK: u64 = 1024;

/// The smallest repair of a plan. World and watcher stand at the start, and do so again afterwards.
pub fn repair(
    world: &mut World,
    watcher: Option<&mut dyn Watcher>,
    goals: &GoalSet,
    plan: &[Action],
    bounds: Bounds,
) -> Repaired {
    repair_told(world, watcher, goals, plan, (bounds, &mut |_| true))
}

/// The same; now and then it is asked whether to go on, told how many steps were done. Called off, it is as if the budget
/// had been spent.
pub fn repair_told(
    world: &mut World,
    mut watcher: Option<&mut dyn Watcher>,
    goals: &GoalSet,
    plan: &[Action],
    (bounds, on): (Bounds, &mut dyn FnMut(u64) -> bool),
) -> Repaired {
    let Some(table) = table_of(world.dialect()) else {
        return Repaired::Unknown;
    };
    let aims = Aims::new(world, table, goals);
    let mut relevant = Relevant::new(table, world, &aims, (&[], None));
    relevant.add(plan.iter().flat_map(|a| [a.a, a.b]), world);
    let moves = relevant.moves(table, world);
    let mut search = Search {
        space: Space::new(world, &aims, reborrow(&mut watcher)),
        moves,
        plan,
        seen: FxHashSet::default(),
        edits: Vec::new(),
        done: Vec::new(),
        end: bounds.steps,
        ask: ASK,
        on,
    };
    for left in 0..=bounds.edits {
        search.seen.clear();
        match search.follow(0, 0, left) {
            Some(true) => {
                return Repaired::By(Repair {
                    edits: search.edits.clone(),
                    actions: search.done.clone(),
                    least: true,
                    objects: relevant.objects.clone(),
                });
            }
            Some(false) => {}
            None => return Repaired::Spent(left),
        }
    }
    Repaired::NoneWithin(bounds.edits)
}

impl Search<'_> {
    /// Follows the plan from its `at`-th step with `left` edits; `None` when the budget is spent. What was done stands
    /// in `edits` and `done` when it succeeds; the world is back in any case.
    fn follow(&mut self, at: usize, progress: u8, left: usize) -> Option<bool> {
        if self.space.stats.generated >= self.ask {
            self.ask = self.space.stats.generated + ASK;
            if !(self.on)(self.space.stats.generated) {
                self.end = 0;
            }
        }
        if self.space.stats.generated >= self.end {
            return None;
        }
        if left > 0 {
            let mut mark = self.space.mark(progress);
            mark.toggle(Key::of_number((at as u64) << 16 | left as u64));
            if !self.seen.insert(mark) {
                return Some(false);
            }
        }
        if at == self.plan.len() && self.space.is_end(progress) {
            return Some(true);
        }
        if let Some(&step) = self.plan.get(at)
            && self.go(step, (at + 1, progress, left), None)?
        {
            return Some(true);
        }
        if left == 0 {
            return Some(false);
        }
        if at < self.plan.len() {
            self.edits.push(Edit::Delete(at));
            if self.follow(at + 1, progress, left - 1)? {
                return Some(true);
            }
            self.edits.pop();
        }
        let mut all = Vec::new();
        self.moves.list(self.space.world, &mut all);
        for action in all {
            let insert = Edit::Insert(at, action);
            if self.go(action, (at, progress, left - 1), Some(insert))? {
                return Some(true);
            }
            let replace = Edit::Replace(at, action);
            if at < self.plan.len()
                && self.go(action, (at + 1, progress, left - 1), Some(replace))?
            {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Does a step and follows the plan from there.
    fn go(
        &mut self,
        action: Action,
        (at, progress, left): (usize, u8, usize),
        edit: Option<Edit>,
    ) -> Option<bool> {
        let Some(step) = self.space.step(action, progress) else {
            return Some(false);
        };
        if step.flags.violated || self.space.is_forbidden() {
            self.space.take_back();
            return Some(false);
        }
        self.done.push(action);
        self.edits.extend(edit);
        let found = self.follow(at, step.progress, left);
        self.space.take_back();
        if found != Some(true) {
            self.done.pop();
            if edit.is_some() {
                self.edits.pop();
            }
        }
        found
    }
}
