//! Making a plan shorter: leaving out steps it does not need.

use crate::base::fold::StateHash;
use crate::plan::goal::{GoalSet, Seen};
use crate::search::aims::Aims;
use crate::search::watch::{Watcher, shadow};
use crate::sim::graph::Item;
use crate::sim::world::{Action, World};

/// A world that does a plan and goes back.
pub(super) struct Stage<'s, 'w> {
    world: &'s mut World,
    aims: &'s Aims,
    watcher: Option<&'s mut (dyn Watcher + 'w)>,
    items: Vec<Item>,
    marks: Vec<(usize, StateHash)>,
}

impl<'s, 'w> Stage<'s, 'w> {
    /// At the start of the world.
    pub(super) fn new(
        world: &'s mut World,
        aims: &'s Aims,
        watcher: Option<&'s mut (dyn Watcher + 'w)>,
    ) -> Self {
        Self {
            world,
            aims,
            watcher,
            items: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Does a step; `false` if it is refused or forbidden. A forbidden step is undone.
    fn step(&mut self, action: Action) -> bool {
        let hash = self.world.hash();
        if self.world.apply(action).is_err() {
            return false;
        }
        self.marks.push((self.items.len(), hash));
        self.items
            .extend_from_slice(self.world.graph().last_items());
        let violated = match &mut self.watcher {
            Some(w) => w.step(self.world, action).violated,
            None => false,
        };
        if violated || self.aims.forbidden(self.seen()) {
            self.back_to(self.marks.len() - 1);
            return false;
        }
        true
    }

    /// How far the action goals have come with a step that was just done.
    fn advance(&self, progress: usize, action: Action) -> usize {
        let shadow = shadow(self.watcher.as_deref());
        self.aims.advance(progress, (self.world, action), shadow)
    }

    fn seen(&self) -> Seen<'_> {
        Seen {
            graph: self.world.graph(),
            shadow: shadow(self.watcher.as_deref()),
        }
    }

    fn back_to(&mut self, depth: usize) {
        while self.marks.len() > depth {
            if let Some((start, hash)) = self.marks.pop() {
                self.world.take_back(&self.items[start..], hash);
                self.items.truncate(start);
                if let Some(w) = &mut self.watcher {
                    w.undo();
                }
            }
        }
    }

    /// Plays the plan without the steps marked in `out`; marks those that are refused then. Whether it reaches the
    /// goals.
    fn reaches(&mut self, plan: &[Action], out: &mut [bool]) -> bool {
        let mut progress = 0;
        for (i, &action) in plan.iter().enumerate() {
            if out[i] {
                continue;
            }
            if self.step(action) {
                progress = self.advance(progress, action);
            } else {
                out[i] = true;
            }
        }
        let met = self.aims.met(self.seen(), progress)
            && self.watcher.as_ref().is_none_or(|w| w.may_end(self.world));
        self.back_to(0);
        met
    }
}

impl Stage<'_, '_> {
    /// After how many steps each goal became true for good, and the state hash at the end; `None` if the plan is
    /// refused somewhere or does not reach the goals.
    pub(super) fn since(
        &mut self,
        goals: &GoalSet,
        plan: &[Action],
    ) -> Option<(Vec<usize>, StateHash)> {
        // What never must hold is kept from the start until it is broken.
        let mut since = vec![usize::MAX; goals.goals.len()];
        let mut held = vec![true; goals.goals.len()];
        let (mut progress, mut done) = (0, 0);
        for at in 0..=plan.len() {
            if at > 0 {
                let action = plan[at - 1];
                if !self.step(action) {
                    break;
                }
                progress = self.advance(progress, action);
                done = at;
            }
            let now: Vec<bool> = goals.eval(self.seen(), progress, |i| held[i]).collect();
            held = now;
            for (goal, &holds) in since.iter_mut().zip(&held) {
                *goal = match (holds, *goal) {
                    (true, usize::MAX) => at,
                    (true, before) => before,
                    (false, _) => usize::MAX,
                };
            }
        }
        let hash = self.world.hash();
        let whole =
            done == plan.len() && self.watcher.as_ref().is_none_or(|w| w.may_end(self.world));
        self.back_to(0);
        (whole && !since.contains(&usize::MAX)).then_some((since, hash))
    }
}

impl Stage<'_, '_> {
    /// How many steps of a plan are accepted and change a fact or meet an action goal.
    pub(super) fn effective(&mut self, plan: &[Action]) -> usize {
        let (mut progress, mut count) = (0, 0);
        for &action in plan {
            if self.step(action) {
                let further = self.advance(progress, action);
                let changed = !self.world.graph().last_items().is_empty();
                count += usize::from(changed || further > progress);
                progress = further;
            }
        }
        self.back_to(0);
        count
    }
}

/// The plan without steps it can do without: for each step, left out together with all that fails without it.
pub(super) fn eliminate(stage: &mut Stage<'_, '_>, plan: &[Action]) -> Vec<Action> {
    let mut plan = plan.to_vec();
    let mut i = 0;
    while i < plan.len() {
        let mut out = vec![false; plan.len()];
        out[i] = true;
        if stage.reaches(&plan, &mut out) {
            let mut kept = out.iter().map(|o| !o);
            plan.retain(|_| kept.next().unwrap_or(true));
        } else {
            i += 1;
        }
    }
    plan
}
