//! Breadth-first search that leaves nothing out: the shortest plan over some objects, or the proof that there is none.

use crate::base::fold::StateHash;
use crate::search::answer::{Proof, Stage, Strength};
use crate::search::control::{Control, Progress};
use crate::search::greedy::Outcome;
use crate::search::moves::{Moves, Relevant};
use crate::search::space::Space;

/// What breadth-first search found.
pub(super) struct Layers {
    pub(super) outcome: Outcome,
    /// How many states there are at each distance that was looked at in full.
    pub(super) sizes: Vec<u64>,
    /// The XOR of their keys.
    pub(super) hash: StateHash,
}

/// Looks at all states in order of their distance from the start, up to `depth` steps.
pub(super) fn layers(
    space: &mut Space<'_>,
    moves: &mut Moves,
    (depth, nodes, steps): (usize, usize, u64),
    control: &mut Control<'_>,
) -> Layers {
    space.reset(false);
    let mut found = Layers {
        outcome: Outcome::Empty,
        sizes: vec![1],
        hash: space.nodes[0].key,
    };
    if space.is_end(0) {
        found.outcome = Outcome::Found(0);
        return found;
    }
    let mut actions = Vec::new();
    let most = space.stats.generated.saturating_add(steps);
    let (mut next, mut end) = (0, 1);
    while next < end && found.sizes.len() <= depth {
        while next < end {
            space.goto(next);
            let progress = space.nodes[next as usize].progress;
            moves.list(space.world, &mut actions);
            for &action in &actions {
                let Some(step) = space.step(action, progress) else {
                    continue;
                };
                let kept = space.keep(next, action, step);
                let over = kept.is_some() && space.is_end(step.progress);
                space.take_back();
                if let (Some(child), true) = (kept, over) {
                    found.outcome = Outcome::Found(child);
                    return found;
                }
            }
            next += 1;
            space.stats.expanded += 1;
            if space.nodes.len() >= nodes || space.stats.generated >= most {
                found.outcome = Outcome::Spent;
                return found;
            }
            if u64::from(next) % control.every == 0
                && !control.go_on(Progress {
                    stage: Stage::Exhaustive,
                    stats: space.stats,
                    best: found.sizes.len() as u32,
                })
            {
                found.outcome = Outcome::Cancelled;
                return found;
            }
        }
        let new = space.nodes.len() as u32;
        if new > end {
            found.sizes.push(u64::from(new - end));
            for n in end..new {
                found.hash = found.hash ^ space.nodes[n as usize].key;
            }
        }
        end = new;
    }
    if next < end {
        found.outcome = Outcome::Spent;
    }
    found
}

impl Layers {
    /// The proof that this search amounts to, if it found nothing.
    pub(super) fn proof(&self, relevant: &Relevant, whole: bool) -> Option<Proof> {
        if self.outcome != Outcome::Empty {
            return None;
        }
        Some(Proof {
            strength: Strength::Exhausted,
            objects: relevant.objects.clone(),
            whole,
            layers: self.sizes.clone(),
            hash: self.hash,
        })
    }
}
