//! What can be done now: candidate actions with their verdict, what they would change, and which goals would move.

use crate::plan::goal::Seen;
use crate::plan::ledger::Ledger;
use crate::safety::verdict::{Danger, Instance};
use crate::safety::ward::Lookout;
use crate::sim::graph::Change;
use crate::sim::refusal::Refusal;
use crate::sim::timeline::Timeline;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

mod judge;
mod offer;
mod scope;

use offer::Offers;
use scope::Scope;

/// One action that may be offered.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// In people's words: `putin bowl microwave`.
    pub words: String,
    /// Why not, if it is refused now.
    pub refusal: Option<Refusal>,
    /// Success goals gained minus lost.
    pub gain: i32,
    /// Safety goals gained minus lost.
    pub safety: i32,
    /// Whether its targets are near.
    pub near: bool,
    /// Whether it is refused and no step would help, such as for an affordance the thing lacks.
    pub hopeless: bool,
    /// The worst rule it would break, also as an attempt that is refused.
    pub danger: Option<Danger>,
}

/// What an action would do, looked at without doing it.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    /// The changed facts, sorted.
    pub changes: Vec<Change>,
    /// Goals (by index) that would become true.
    pub gained: Vec<usize>,
    /// Goals that would become false.
    pub lost: Vec<usize>,
    /// What the published code would say although it succeeds.
    pub note: Option<Refusal>,
    /// What would come to pass by itself with it, by its place among the world's happenings.
    pub happened: Vec<usize>,
}

/// What the candidates should be about.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    /// Nodes asked for by name or by the cursor: all that can be tried with them is shown, also what never fits.
    pub nodes: Vec<Ix>,
    /// Actions asked for by name: those that lead nowhere new are shown too.
    pub verbs: Vec<u8>,
    /// Whether nothing but actions on these nodes is wanted.
    pub only: bool,
}

/// An episode as far as looking ahead needs it.
struct Stage<'a> {
    timeline: &'a mut Timeline,
    ledger: &'a Ledger,
    lookout: &'a mut Lookout,
    /// What breaks with the next step whatever it is.
    due: Vec<Instance>,
}

/// The candidates for things within reach, in the same room, mentioned by goals or asked for; best first, refused last.
///
/// Of the actions nobody asked for, by node or by name, only those stay that lead somewhere: that change more than where
/// one looks and lead to a state no better known action leads to; and refused ones only where the next step towards
/// them is more than to take the thing in hand.
pub fn candidates(
    timeline: &mut Timeline,
    ledger: &Ledger,
    lookout: &mut Lookout,
    focus: &Focus,
) -> Vec<Candidate> {
    let scope = Scope::new(timeline, ledger, focus);
    let mut stage = Stage {
        due: lookout.due(),
        timeline,
        ledger,
        lookout,
    };
    let mut offers = Offers::default();
    let dialect = stage.timeline.world().dialect();
    for (verb, def) in dialect.actions.iter().enumerate() {
        let verb = verb as u8;
        let one = |a, b| Action { verb, a, b };
        match def.arity {
            0 if focus.only => {}
            0 => offers.add(&mut stage, &scope, one(Ix::NONE, Ix::NONE)),
            1 => {
                for &a in &scope.things {
                    offers.add(&mut stage, &scope, one(a, Ix::NONE));
                }
            }
            _ => {
                for &(a, b) in &scope.pairs {
                    offers.add(&mut stage, &scope, one(a, b));
                }
            }
        }
    }
    let mut found = offers.found;
    found.sort_by_key(|(rank, c)| (*rank, c.action));
    found.into_iter().map(|(_, c)| c).collect()
}

/// How far the ordered action goals come with an action that was just done, from so far.
fn progress_after(
    ledger: &Ledger,
    progress: usize,
    (world, action): (&World, Action),
    seen: Seen<'_>,
) -> usize {
    let goals = ledger.goals();
    if goals.has_actions() {
        goals.advance(progress, &world.line(action), seen)
    } else {
        progress
    }
}

/// What an action would do.
///
/// # Errors
/// The refusal.
pub fn preview(
    timeline: &mut Timeline,
    ledger: &Ledger,
    lookout: &mut Lookout,
    action: Action,
) -> Result<Preview, Refusal> {
    let pass = timeline.judge(action)?;
    let here = timeline.here();
    let goals = ledger.goals();
    let before = ledger.progress(here);
    let mut preview = timeline.world_mut().preview(action, |world, items| {
        let mut p = Preview {
            changes: world.graph().changes(items),
            happened: world.happened(items).collect(),
            ..Preview::default()
        };
        lookout.ahead(world, action, items, |lookout, _| {
            let seen = Seen {
                graph: world.graph(),
                shadow: lookout.monitor(),
            };
            let held = |i| ledger.holds(i, here);
            let progress = progress_after(ledger, before, (world, action), seen);
            for (i, now) in goals.eval(seen, progress, held).enumerate() {
                match (ledger.holds(i, here), now) {
                    (false, true) => p.gained.push(i),
                    (true, false) => p.lost.push(i),
                    _ => {}
                }
            }
        });
        p
    })?;
    preview.note = pass.note;
    Ok(preview)
}
