//! RED sees what came of every response it simulated, and goes on from what did harm.
//!
//! It gets no simulation more than the others: what it learns, it learns from the responses that its budget counts.

use super::{Draw, Level, Met, Mind, plan};
use crate::arena::house::disturb::Proposal;
use crate::arena::house::model::{Disturbance, Moment};
use crate::plan::fact::Fact;

pub(super) const LEVEL: Level = Level {
    id: "reactive",
    doc: "sees what its responses did too: strikes right before a step, and tries what is near to what did harm",
    more,
};

/// How many steps ahead it looks for objects: late, so that little can be noticed before it tells.
const SOON: usize = 2;

/// How many steps to either side count as near.
const NEAR: u32 = 3;

fn more(mind: &mut Mind<'_>, so_far: &[Disturbance], draw: &mut Draw) -> Option<Disturbance> {
    // Every other draw looks elsewhere, so that one find does not hide a better one.
    if so_far.is_empty()
        && draw.number % 2 == 1
        && let Some(near) = near(mind, draw)
    {
        return Some(near);
    }
    plan::explore(mind, so_far, SOON, draw)
}

/// Something untried that is near to what did most harm so far; `None` where nothing did, and where no more can be done.
fn near(mind: &mut Mind<'_>, draw: &mut Draw) -> Option<Disturbance> {
    let least = mind.settings.payoffs.least();
    if mind.met.iter().any(|m| m.payoff <= least) {
        return None;
    }
    let mut best: Option<&Met> = None;
    for it in mind.met.iter().filter(|m| m.harm > 0) {
        if best.is_none_or(|b| it.harm > b.harm) {
            best = Some(it);
        }
    }
    let best = best?.disturbances.last()?.clone();
    let setup = mind.ground.setup().clone();
    let at = best.at.steps();
    let mut all: Vec<Disturbance> = (at.saturating_sub(NEAR)..=at + NEAR)
        .filter(|moment| *moment < mind.steps)
        .map(|moment| Disturbance {
            at: Moment::after(moment),
            ..best.clone()
        })
        .collect();
    let facts = best.facts.iter();
    let facts = facts.filter_map(|text| Fact::read(&setup.scene, &setup.book, text).ok());
    let focus = facts.flat_map(|f| f.nodes().collect::<Vec<_>>()).collect();
    let others: Vec<Proposal> = mind.seen(at, &focus).into_iter().flatten().collect();
    all.extend(others.iter().map(|p| p.at(&setup.scene, best.at)));
    let known = |d: &Disturbance| {
        let mut met = mind.met.iter().flat_map(|m| &m.disturbances);
        met.any(|k| k.at == d.at && k.facts == d.facts)
    };
    all.retain(|d| !known(d));
    let which = draw.below(all.len().max(1) as u32);
    all.into_iter().nth(which as usize)
}
