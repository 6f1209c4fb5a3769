//! One action looked at: what it gains, what kind of change it makes, where it belongs in the list.

use rustc_hash::FxHashSet;

use crate::base::fold::StateHash;
use crate::plan::goal::{Ask, Seen};
use crate::plan::ledger::Ledger;
use crate::plan::script;
use crate::safety::verdict::Danger;
use crate::sim::graph::{Change, Item};
use crate::sim::refusal::Refusal;
use crate::sim::timeline::Pos;
use crate::sim::world::{Action, World};

use super::judge::{fits_from_near, is_hopeless, is_worth_telling};
use super::scope::{Scope, targets};
use super::{Candidate, Stage, progress_after};

/// The place of a candidate in the list, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    refused: bool,
    lost: i32,
    unsafe_by: i32,
    tier: Tier,
    safer: i32,
    aside: bool,
    odd: bool,
}

/// What an action is about, the more likely wanted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    /// Handles something within reach that a goal speaks of, or that is held.
    Wanted,
    /// Handles something within reach.
    Handles,
    /// Walks to something a goal speaks of.
    Leads,
    /// Walks to a room.
    Room,
    /// Walks to a thing.
    Walks,
    /// Handles something in a way people hardly think of.
    Odd,
    /// Walks to what is within reach.
    Stays,
    /// Changes nothing.
    Idle,
    /// Changes where one looks.
    Looks,
}

/// The candidates found so far.
#[derive(Default)]
pub(super) struct Offers {
    pub(super) found: Vec<(Rank, Candidate)>,
    /// The states that actions in the list lead to.
    reached: FxHashSet<StateHash>,
}

impl Offers {
    pub(super) fn add(&mut self, stage: &mut Stage<'_>, scope: &Scope, action: Action) {
        let near = scope.is_near(action);
        let wanted = targets(action).all(|t| near || scope.wanted[t.at()]);
        let asked = targets(action).any(|t| scope.asked.contains(&t));
        let spoken = asked || scope.verbs.contains(&action.verb);
        let offer = match stage.timeline.world().check(action) {
            Ok(_) => allowed(stage, scope, action),
            Err(r) if asked || is_worth_telling(&r, near || wanted, spoken) => {
                let hopeless = is_hopeless(&r) || !fits_from_near(stage.timeline, action, &r);
                let danger = stage.lookout.attempt_danger(stage.timeline.world(), action);
                let refusal = stage.timeline.judge(action).err();
                refusal.map(|r| Offer::refused(r, hopeless, danger))
            }
            Err(_) => None,
        };
        let Some(offer) = offer else {
            return;
        };
        let wins = offer.gain != 0 || offer.safety != 0;
        if offer.refusal.is_none() {
            let leads = !matches!(offer.tier, Tier::Idle | Tier::Looks);
            let new = leads && self.reached.insert(offer.hash);
            if !(spoken || wins || new) {
                return;
            }
        }
        let reading = stage.timeline.world().dialect().reading;
        let rank = Rank {
            refused: offer.refusal.is_some(),
            lost: -offer.gain,
            unsafe_by: -offer.safety.min(0),
            tier: offer.tier,
            safer: -offer.safety,
            aside: !(asked || targets(action).any(|t| scope.wanted[t.at()])),
            odd: (reading.odd)(stage.timeline.world(), action),
        };
        let words = script::say(stage.timeline.world().scene(), action);
        let candidate = Candidate {
            action,
            words,
            refusal: offer.refusal,
            gain: offer.gain,
            safety: offer.safety,
            near,
            hopeless: offer.refusal_is_final,
            danger: offer.danger,
        };
        self.found.push((rank, candidate));
    }
}

/// What is known of one action.
struct Offer {
    refusal: Option<Refusal>,
    gain: i32,
    safety: i32,
    tier: Tier,
    /// The state it leads to.
    hash: StateHash,
    /// The worst rule it would break.
    danger: Option<Danger>,
    /// Whether it is refused whatever is done before.
    refusal_is_final: bool,
}

impl Offer {
    fn refused(refusal: Refusal, hopeless: bool, danger: Option<Danger>) -> Self {
        // What no step would help comes last.
        let tier = if hopeless { Tier::Looks } else { Tier::Handles };
        Self {
            refusal: Some(refusal),
            gain: 0,
            safety: 0,
            tier,
            hash: StateHash::default(),
            danger,
            refusal_is_final: hopeless,
        }
    }
}

/// Looks at an allowed action: what it gains, and what kind of change it makes.
fn allowed(stage: &mut Stage<'_>, scope: &Scope, action: Action) -> Option<Offer> {
    let Stage {
        timeline,
        ledger,
        lookout,
        due,
    } = stage;
    let here = timeline.here();
    let goals = ledger.goals();
    let before = ledger.progress(here);
    let (me, near_rel) = (timeline.world().me(), timeline.world().dialect().near);
    // Where things are seen through others, a change of one may show at another.
    let seen_through = timeline.world().dialect().reading.view.is_some();
    let glances = timeline.world().dialect().reading.glances;
    let near = scope.is_near(action);
    let look = |world: &World, items: &[Item]| {
        let mut touched = vec![false; goals.goals.len()];
        // Where one is, what is near and what one faces change with every walk; anything else is handling.
        let mut handles = false;
        let mut walks = false;
        world.graph().each_change(items, |change| {
            for (goal, touched) in goals.goals.iter().zip(&mut touched) {
                *touched |= seen_through || goal.is_touched(change);
            }
            match change {
                Change::Edge(_, rel, ..) if rel == near_rel => walks = true,
                Change::Edge(from, rel, to, _)
                    if rel == world.dialect().rules.inside
                        && world.graph().hot(to).room
                        && (from == me || scope.held.contains(&from)) =>
                {
                    walks = true;
                }
                Change::Edge(_, rel, ..) if glances.contains(&rel) => {}
                Change::State(..) | Change::Edge(..) => handles = true,
            }
        });
        let (danger, (gain, safety)) = lookout.ahead(world, action, items, |lookout, log| {
            let seen = Seen {
                graph: world.graph(),
                shadow: lookout.monitor(),
            };
            let progress = progress_after(ledger, before, (world, action), seen);
            let moved = moved(seen, ledger, here, (progress, &touched));
            (lookout.danger(log, due), moved)
        });
        let wanted = targets(action).any(|t| scope.wanted[t.at()]);
        let room = targets(action).any(|t| world.graph().hot(t).room);
        let odd = (world.dialect().reading.odd)(world, action);
        let tier = match (near, handles, walks) {
            (true, true, _) if odd => Tier::Odd,
            (true, true, _) if wanted => Tier::Wanted,
            (true, true, _) | (false, true, false) => Tier::Handles,
            (false, _, true) if wanted => Tier::Leads,
            (false, _, true) if room => Tier::Room,
            (false, _, true) => Tier::Walks,
            (true, false, true) => Tier::Stays,
            (_, false, false) if items.is_empty() => Tier::Idle,
            (_, false, false) => Tier::Looks,
        };
        Offer {
            refusal: None,
            gain,
            safety,
            tier,
            hash: world.hash(),
            danger,
            refusal_is_final: false,
        }
    };
    timeline.world_mut().preview(action, look).ok()
}

/// Success and safety goals gained minus lost, where only the touched facts can have changed.
fn moved(
    seen: Seen<'_>,
    ledger: &Ledger,
    here: Pos,
    (progress, touched): (usize, &[bool]),
) -> (i32, i32) {
    let goals = ledger.goals();
    let (mut gain, mut safety, mut nth) = (0, 0, 0);
    for (i, goal) in goals.goals.iter().enumerate() {
        let held = ledger.holds(i, here);
        let now = match &goal.ask {
            Ask::Fact(fact) if touched[i] => fact.holds(seen.graph, seen.shadow),
            Ask::All(facts) if touched[i] => facts.iter().all(|f| f.holds(seen.graph, seen.shadow)),
            Ask::Never(facts) if touched[i] => {
                held && !facts.iter().all(|f| f.holds(seen.graph, seen.shadow))
            }
            Ask::Formula(bound) if touched[i] => bound.holds(seen.graph),
            Ask::Fact(_) | Ask::All(_) | Ask::Never(_) | Ask::Formula(_) => held,
            Ask::Done(_) => {
                nth += 1;
                nth <= progress
            }
        };
        let step = i32::from(now) - i32::from(held);
        if goals.is_success(i) {
            gain += step;
        } else {
            safety += step;
        }
    }
    (gain, safety)
}
