//! Best-first search by the size of the relaxed plan: with helpful actions alone, or with all actions and two queues.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::search::answer::Stage;
use crate::search::control::{Control, Limits, Progress};
use crate::search::moves::Moves;
use crate::search::need::Want;
use crate::search::relax::Relaxer;
use crate::search::space::Space;
use crate::sim::world::Action;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A plan leads to this state.
    Found(u32),
    /// Nothing is left to look at.
    Empty,
    /// The budget is spent.
    Spent,
    /// Somebody asked to stop.
    Cancelled,
}

/// How a greedy search goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// States that differ only in how much time is left count as one, and everything else is forgotten as soon as
    /// something better is found. Where equals are tried in another order, another way may be open: the number tells
    /// how often the order was changed.
    Committed(u64),
    /// States that differ only in how much time is left count as one.
    Coarse,
    /// All states are told apart.
    Exact,
}

impl Manner {
    /// Whether it leaves out what it did not choose, so that finding nothing proves nothing.
    pub(super) const fn is_committed(self) -> bool {
        matches!(self, Self::Committed(_))
    }
}

/// What a greedy search may do.
pub(super) struct Greedy<'g> {
    pub(super) stage: Stage,
    /// All actions to try; `None` for helpful ones alone.
    pub(super) moves: Option<&'g mut Moves>,
    /// States whose successors may be looked at.
    pub(super) expansions: u64,
    /// Steps that may be done.
    pub(super) steps: u64,
    /// States that may be kept.
    pub(super) nodes: usize,
    /// Decides between equals; 0 takes the older one.
    pub(super) seed: u64,
    manner: Manner,
}

/// As a number of helpful actions: nobody has looked at the state yet.
const UNSEEN: u16 = u16::MAX;

/// How far the queue of helpful successors is preferred after progress.
const BOOST: i64 = 1000;

/// An entry of a queue: estimate, tie, state.
type Entry = Reverse<(u32, u64, u32)>;

/// The queues: all states, and those that a helpful action led to.
#[derive(Default)]
struct Open {
    queues: [BinaryHeap<Entry>; 2],
    /// How often each was used; the smaller is next.
    used: [i64; 2],
    /// The smallest estimate so far.
    best: u32,
    /// Room for the actions of one state.
    actions: Vec<(Action, bool)>,
}

impl Open {
    fn push(&mut self, estimate: u32, tie: u64, node: u32, helpful: bool) {
        self.queues[0].push(Reverse((estimate, tie, node)));
        if helpful {
            self.queues[1].push(Reverse((estimate, tie, node)));
        }
    }

    /// Forgets all states but one, the best so far.
    fn only(&mut self, node: u32) {
        self.queues.iter_mut().for_each(BinaryHeap::clear);
        self.push(self.best, 0, node, true);
    }

    fn pop(&mut self) -> Option<(u32, u32)> {
        let first = usize::from(self.used[1] < self.used[0]);
        for q in [first, 1 - first] {
            if let Some(Reverse((key, _, node))) = self.queues[q].pop() {
                self.used[q] += 1;
                return Some((key, node));
            }
        }
        None
    }
}

impl<'g> Greedy<'g> {
    /// A search with the limits of its stage.
    pub(super) const fn new(stage: Stage, moves: Option<&'g mut Moves>, limits: Limits) -> Self {
        Self {
            stage,
            expansions: if moves.is_some() {
                u64::MAX
            } else {
                limits.helpful
            },
            steps: limits.steps,
            moves,
            nodes: limits.nodes,
            seed: limits.seed,
            manner: Manner::Coarse,
        }
    }

    /// Chooses the manner. A committed search soon finds something or never does.
    pub(super) const fn go_about(&mut self, manner: Manner) {
        self.manner = manner;
        if let Manner::Committed(turn) = manner {
            self.seed = self.seed.wrapping_add(turn);
            self.steps = self.steps * 2 / 5;
        }
    }

    /// Searches from the start.
    pub(super) fn run(
        mut self,
        space: &mut Space<'_>,
        relaxer: &mut Relaxer,
        control: &mut Control<'_>,
    ) -> Outcome {
        space.reset(self.manner != Manner::Exact);
        let mut open = Open::default();
        let Some(first) = estimate(space, relaxer, 0) else {
            return Outcome::Empty;
        };
        if space.is_end(0) {
            return Outcome::Found(0);
        }
        open.best = first;
        open.push(first, 0, 0, true);
        let mut expanded = 0;
        let end = space.stats.generated.saturating_add(self.steps);
        while let Some((key, node)) = open.pop() {
            if space.nodes[node as usize].expanded {
                continue;
            }
            space.goto(node);
            let mut h = key;
            if space.nodes[node as usize].helpers == UNSEEN {
                let Some(seen) = estimate(space, relaxer, node) else {
                    space.nodes[node as usize].expanded = true;
                    continue;
                };
                h = seen;
                if seen < open.best {
                    open.best = seen;
                    open.used[1] -= BOOST;
                    if self.manner.is_committed() {
                        open.only(node);
                        continue;
                    }
                }
                if seen > key {
                    open.push(seen, self.tie(space, node), node, false);
                    continue;
                }
            }
            if let Some(found) = self.expand(space, relaxer, &mut open, (node, h)) {
                return Outcome::Found(found);
            }
            expanded += 1;
            space.stats.expanded += 1;
            if expanded >= self.expansions
                || space.nodes.len() >= self.nodes
                || space.stats.generated >= end
            {
                return Outcome::Spent;
            }
            if expanded % control.every == 0
                && !control.go_on(Progress {
                    stage: self.stage,
                    stats: space.stats,
                    best: open.best,
                })
            {
                return Outcome::Cancelled;
            }
        }
        Outcome::Empty
    }

    /// Looks at the successors of a state of that estimate, where the world stands; the plan's end if one is found.
    fn expand(
        &mut self,
        space: &mut Space<'_>,
        relaxer: &mut Relaxer,
        open: &mut Open,
        (node, h): (u32, u32),
    ) -> Option<u32> {
        let n = &mut space.nodes[node as usize];
        n.expanded = true;
        let (start, count) = (n.helpful as usize, usize::from(n.helpers));
        let progress = n.progress;
        let mut actions = std::mem::take(&mut open.actions);
        actions.clear();
        let helpful = &space.helpful[start..start + count];
        actions.extend(helpful.iter().map(|&a| (a, true)));
        if let Some(moves) = &mut self.moves {
            let mut all = Vec::new();
            moves.list(space.world, &mut all);
            let rest = all.into_iter().filter(|a| !helpful.contains(a));
            actions.extend(rest.map(|a| (a, false)));
        }
        let mut learned = false;
        for &(action, helps) in &actions {
            let Some(step) = space.step(action, progress) else {
                continue;
            };
            if step.flags.violated {
                learned |= helps && space.learn(action);
                space.take_back();
                continue;
            }
            let Some(child) = space.keep(node, action, step) else {
                space.take_back();
                continue;
            };
            if space.is_end(step.progress) {
                space.take_back();
                return Some(child);
            }
            let mut better = false;
            if !helps {
                // How good it is, is looked at when its turn comes.
                space.nodes[child as usize].helpers = UNSEEN;
                open.push(h + 1, self.tie(space, child), child, false);
            } else if let Some(seen) = estimate(space, relaxer, child) {
                if seen < open.best {
                    open.best = seen;
                    open.used[1] -= BOOST;
                    better = self.manner.is_committed();
                }
                open.push(seen, self.tie(space, child), child, true);
            }
            space.take_back();
            if better {
                open.only(child);
                open.actions = actions;
                return None;
            }
        }
        if learned && let Some(h) = estimate(space, relaxer, node) {
            // What helps here is another thing than it seemed.
            space.nodes[node as usize].expanded = false;
            open.push(h, self.tie(space, node), node, true);
        }
        open.actions = actions;
        None
    }

    /// Older states first, or in an order that the seed decides.
    fn tie(&self, space: &Space<'_>, node: u32) -> u64 {
        if self.seed == 0 {
            return u64::from(node);
        }
        let key = space.nodes[node as usize].key.bucket();
        (key ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16
    }
}

/// The size of the relaxed plan where the world stands, with the helpful actions kept in the node; `None` at a dead
/// end.
fn estimate(space: &mut Space<'_>, relaxer: &mut Relaxer, node: u32) -> Option<u32> {
    let progress = space.nodes[node as usize].progress;
    let mut wants: Vec<Want> = Vec::new();
    if let Some(watcher) = &space.watcher {
        watcher.wants(space.world, &mut wants);
    }
    space.learn_wants(&wants);
    let h = relaxer.solve(&space.view(progress), &wants)?;
    let start = space.helpful.len();
    let ready = relaxer.plan().iter().filter(|(_, ready)| *ready);
    let ready: Vec<Action> = ready.map(|(a, _)| *a).collect();
    space.helpful.extend(ready);
    let n = &mut space.nodes[node as usize];
    n.helpful = start as u32;
    n.helpers = (space.helpful.len() - start) as u16;
    Some(h)
}
