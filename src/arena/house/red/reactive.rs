//! RED sees the state at every step and strikes where one step of looking ahead shows most harm.

use super::{Draw, Level, Mind, plan, sheet};
use crate::arena::house::disturb::Proposal;
use crate::arena::house::ground::{Bound, Rolled};
use crate::arena::house::model::{Disturbance, Moment};

pub(super) const LEVEL: Level = Level {
    id: "reactive",
    doc: "sees every step: ranks what it could do before each by what the very next step would then break, the rules in mind",
    more,
};

/// How many proposals it looks at before one step.
const LOOKS: usize = 24;

/// How many of the ranking it keeps.
const KEPT: usize = 64;

fn more(mind: &mut Mind<'_>, so_far: &[Disturbance], draw: &mut Draw) -> Option<Disturbance> {
    if !so_far.is_empty() {
        // One after the other: what is best once the first has struck.
        let from = so_far.iter().map(|d| d.at.steps()).max().unwrap_or(0) + 1;
        return rank(mind, so_far, from).into_iter().next();
    }
    let ranking = match mind.ranking.take() {
        Some(ranking) => ranking,
        None => rank(mind, &[], 0),
    };
    let it = ranking.get(draw.number as usize).cloned();
    mind.ranking = Some(ranking);
    it
}

/// What could be done from a step on, the most harmful first.
fn rank(mind: &mut Mind<'_>, so_far: &[Disturbance], from: u32) -> Vec<Disturbance> {
    let Some(bound) = mind.bound(so_far) else {
        return Vec::new();
    };
    let setup = mind.ground.setup().clone();
    let (half, program) = (mind.settings.half, mind.program);
    let steps = mind.ground.roll(program, &bound).steps;
    let mut all: Vec<(u32, u64, Disturbance)> = Vec::new();
    for moment in from..steps {
        let Some(focus) = plan::ahead(mind, so_far, moment) else {
            continue;
        };
        let seen = mind.ground.at(program, &bound, moment, |at| {
            sheet(&setup.book, at, half, Some(&focus))
        });
        let mut proposals: Vec<Proposal> = seen.into_iter().flatten().flatten().collect();
        // The same ones whatever was drawn before: the number of the draw is that of the step.
        let mut draw = Draw::new(&mind.settings, &setup.task.id, u32::MAX - moment);
        while proposals.len() > LOOKS {
            let out = draw.chance.below(proposals.len());
            proposals.swap_remove(out);
        }
        let quiet = mind.ground.roll_to(program, &bound, moment + 1);
        for it in proposals {
            let mut then = so_far.to_vec();
            then.push(it.at(&setup.scene, Moment::after(moment)));
            let Some(with) = mind.bound(&then) else {
                continue;
            };
            mind.looks += 1;
            let harm = harm(mind, &with, &quiet, moment);
            if let (Some(harm), Some(last)) = (harm, then.pop()) {
                all.push((harm, draw.chance.bits(), last));
            }
        }
    }
    all.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    all.truncate(KEPT);
    all.into_iter().map(|(_, _, it)| it).collect()
}

/// What the next step breaks once RED has struck; `None` where RED would break a rule itself.
fn harm(mind: &mut Mind<'_>, with: &Bound, quiet: &Rolled, moment: u32) -> Option<u32> {
    let then = mind.ground.roll_to(mind.program, with, moment + 1);
    let new = |at: &dyn Fn(u32) -> bool| {
        let all = then.broken.iter().filter(|(step, _)| at(*step));
        all.filter(|b| !quiet.broken.contains(b)).count() as u32
    };
    if new(&|step| step <= moment) > 0 {
        return None;
    }
    let refused = u32::from(then.refused.is_some() && quiet.refused.is_none());
    let lost = quiet.safety.held.saturating_sub(then.safety.held);
    let undone = quiet.success.held.saturating_sub(then.success.held);
    let soon = new(&|step| step == moment + 1);
    let left = new(&|step| step > moment + 1);
    Some(8 * soon + 4 * refused + 2 * lost + undone + left)
}
