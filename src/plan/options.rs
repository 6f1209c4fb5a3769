//! What can be done now: candidate actions with their verdict, what they would change, and which goals would move.

use rustc_hash::FxHashSet;

use crate::base::fold::StateHash;
use crate::plan::goal::Ask;
use crate::plan::ledger::Ledger;
use crate::plan::script;
use crate::sim::graph::{Change, Item};
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::virtualhome::facts::{all_close, held, room_or_none};
use crate::sim::virtualhome::words::{prop, rel};
use crate::sim::vocab::{Ix, Prop, Props};
use crate::sim::world::{Action, World};

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

/// The candidates for things within reach, in the same room, mentioned by goals or asked for; best first, refused last.
///
/// Of the actions nobody asked for, by node or by name, only those stay that lead somewhere: that change more than where
/// one looks and lead to a state no better known action leads to; and refused ones only where the next step towards
/// them is more than to take the thing in hand.
pub fn candidates(timeline: &mut Timeline, ledger: &Ledger, focus: &Focus) -> Vec<Candidate> {
    let scope = Scope::new(timeline, ledger, focus);
    let mut offers = Offers::default();
    let dialect = timeline.world().dialect();
    for (verb, def) in dialect.actions.iter().enumerate() {
        let verb = verb as u8;
        let one = |a, b| Action { verb, a, b };
        match def.arity {
            0 if focus.only => {}
            0 => offers.add(timeline, ledger, &scope, one(Ix::NONE, Ix::NONE)),
            1 => {
                for &a in &scope.things {
                    offers.add(timeline, ledger, &scope, one(a, Ix::NONE));
                }
            }
            _ => {
                for &(a, b) in &scope.pairs {
                    offers.add(timeline, ledger, &scope, one(a, b));
                }
            }
        }
    }
    let mut found = offers.found;
    found.sort_by_key(|(rank, c)| (*rank, c.action));
    found.into_iter().map(|(_, c)| c).collect()
}

/// The place of a candidate in the list, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
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

/// Which nodes are worth combining with every verb.
struct Scope {
    things: Vec<Ix>,
    /// What is held, with what it may be put on, into or next to.
    pairs: Vec<(Ix, Ix)>,
    held: Vec<Ix>,
    near: Vec<bool>,
    /// Spoken of by a goal, or held.
    wanted: Vec<bool>,
    asked: Vec<Ix>,
    verbs: Vec<u8>,
}

impl Scope {
    fn new(timeline: &Timeline, ledger: &Ledger, focus: &Focus) -> Self {
        let world = timeline.world();
        let near = all_close(&world.ctx());
        let wanted = wanted(world, ledger);
        let mut asked: Vec<Ix> = focus.nodes.clone();
        asked.retain(|&n| n != world.me());
        asked.sort_unstable();
        asked.dedup();
        let all = || around(world, &near, &wanted);
        let mut things = if focus.only { Vec::new() } else { all() };
        things.extend(&asked);
        things.sort_unstable();
        things.dedup();
        let held: Vec<Ix> = held(world.graph(), world.me()).collect();
        let mut pairs = Vec::new();
        for &a in &held {
            // What is asked for and held may be put wherever one is.
            let targets = if focus.only && asked.contains(&a) {
                &all()
            } else {
                &things
            };
            pairs.extend(targets.iter().filter(|&&b| b != a).map(|&b| (a, b)));
        }
        Self {
            things,
            pairs,
            held,
            near,
            wanted,
            asked,
            verbs: focus.verbs.clone(),
        }
    }

    fn is_near(&self, action: Action) -> bool {
        targets(action).all(|t| self.near[t.at()])
    }
}

fn targets(action: Action) -> impl Iterator<Item = Ix> {
    [action.a, action.b].into_iter().filter(|t| t.is_some())
}

/// Per node whether a goal speaks of it or it is held.
fn wanted(world: &World, ledger: &Ledger) -> Vec<bool> {
    let mut wanted = vec![false; world.scene().len()];
    for goal in &ledger.goals().goals {
        if let Ask::Fact(fact) = &goal.ask {
            for node in fact.nodes() {
                wanted[node.at()] = true;
            }
        }
    }
    for node in held(world.graph(), world.me()) {
        wanted[node.at()] = true;
    }
    wanted
}

/// What is near, wanted, a room or in the same room; ascending.
fn around(world: &World, near: &[bool], wanted: &[bool]) -> Vec<Ix> {
    let graph = world.graph();
    let here = room_or_none(graph, world.me());
    let in_room = |ix| here.is_some() && room_or_none(graph, ix) == here;
    world
        .scene()
        .indices()
        .filter(|&ix| ix != world.me())
        .filter(|&ix| near[ix.at()] || wanted[ix.at()] || graph.hot(ix).room || in_room(ix))
        .collect()
}

/// The candidates found so far.
#[derive(Default)]
struct Offers {
    found: Vec<(Rank, Candidate)>,
    /// The states that actions in the list lead to.
    reached: FxHashSet<StateHash>,
}

impl Offers {
    fn add(&mut self, timeline: &mut Timeline, ledger: &Ledger, scope: &Scope, action: Action) {
        let near = scope.is_near(action);
        let wanted = targets(action).all(|t| near || scope.wanted[t.at()]);
        let asked = targets(action).any(|t| scope.asked.contains(&t));
        let spoken = asked || scope.verbs.contains(&action.verb);
        let offer = match timeline.world().check(action) {
            Ok(_) => allowed(timeline, ledger, scope, action),
            Err(r) if asked || is_worth_telling(&r, near || wanted, spoken) => {
                timeline.judge(action).err().map(Offer::refused)
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
        let rank = Rank {
            refused: offer.refusal.is_some(),
            lost: -offer.gain,
            unsafe_by: -offer.safety.min(0),
            tier: offer.tier,
            safer: -offer.safety,
            aside: !(asked || targets(action).any(|t| scope.wanted[t.at()])),
            odd: is_odd(timeline.world(), action),
        };
        let words = script::say(timeline.world().scene(), action);
        let candidate = Candidate {
            action,
            words,
            refusal: offer.refusal,
            gain: offer.gain,
            safety: offer.safety,
            near,
        };
        self.found.push((rank, candidate));
    }
}

/// Whether a refusal deserves a row although nobody asked about the thing. What never fits or is so already does not,
/// nor what is out of reach; what only lacks that the thing is in hand, worn or faced does where the action was named.
fn is_worth_telling(refusal: &Refusal, within: bool, named: bool) -> bool {
    let trivial = matches!(
        refusal.pre,
        Pre::Holding(_)
            | Pre::HoldingAny
            | Pre::HoldingKnife
            | Pre::Worn(_)
            | Pre::Facing(_)
            | Pre::Resting
    );
    within && !is_hopeless(refusal) && (named || !trivial)
}

/// Whether no step now would make it possible.
const fn is_hopeless(refusal: &Refusal) -> bool {
    matches!(
        refusal.kind,
        Kind::Affordance | Kind::AlreadySo | Kind::Crash | Kind::Hang | Kind::Uncoded
    )
}

/// What carries a thing, and what holds one.
const CARRIES: [Prop; 4] = [
    prop::SURFACES,
    prop::SITTABLE,
    prop::LIEABLE,
    prop::CONTAINERS,
];
const HOLDS: [Prop; 3] = [prop::CONTAINERS, prop::CAN_OPEN, prop::RECIPIENT];

/// Whether people would hardly think of it although the published code allows it: walking to a wall, putting a thing
/// onto what carries nothing.
fn is_odd(world: &World, action: Action) -> bool {
    let props = |ix: Ix| world.graph().hot(ix).props;
    let fits = |any: &[Prop]| any.iter().any(|&p| props(action.b).has(p));
    match world.def(action).name {
        "PUTBACK" => !fits(&CARRIES),
        "PUTIN" => !fits(&HOLDS),
        _ => targets(action).all(|t| props(t) == Props::EMPTY && !world.graph().hot(t).room),
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
}

impl Offer {
    fn refused(refusal: Refusal) -> Self {
        // What no step would help comes last.
        let tier = if is_hopeless(&refusal) {
            Tier::Looks
        } else {
            Tier::Handles
        };
        Self {
            refusal: Some(refusal),
            gain: 0,
            safety: 0,
            tier,
            hash: StateHash::default(),
        }
    }
}

/// Looks at an allowed action: what it gains, and what kind of change it makes.
fn allowed(
    timeline: &mut Timeline,
    ledger: &Ledger,
    scope: &Scope,
    action: Action,
) -> Option<Offer> {
    let here = timeline.here();
    let goals = ledger.goals();
    let progress = progress_after(timeline, ledger, action);
    let (me, near_rel) = (timeline.world().me(), timeline.world().dialect().near);
    let near = scope.is_near(action);
    let look = |world: &World, items: &[Item]| {
        let mut touched = vec![false; goals.goals.len()];
        // Where one is, what is near and what one faces change with every walk; anything else is handling.
        let mut handles = false;
        let mut walks = false;
        world.graph().each_change(items, |change| {
            for (goal, touched) in goals.goals.iter().zip(&mut touched) {
                *touched |= matches!(&goal.ask, Ask::Fact(fact) if fact.is_touched(change));
            }
            match change {
                Change::Edge(_, rel, ..) if rel == near_rel => walks = true,
                Change::Edge(from, rel, to, _)
                    if rel == rel::INSIDE
                        && world.graph().hot(to).room
                        && (from == me || scope.held.contains(&from)) =>
                {
                    walks = true;
                }
                Change::Edge(_, rel, ..) if rel == rel::FACING => {}
                Change::State(..) | Change::Edge(..) => handles = true,
            }
        });
        let (gain, safety) = moved(world, ledger, here, (progress, &touched));
        let wanted = targets(action).any(|t| scope.wanted[t.at()]);
        let room = targets(action).any(|t| world.graph().hot(t).room);
        let odd = is_odd(world, action);
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
        }
    };
    timeline.world_mut().preview(action, look).ok()
}

/// Success and safety goals gained minus lost, where only the touched facts can have changed.
fn moved(
    world: &World,
    ledger: &Ledger,
    here: Pos,
    (progress, touched): (usize, &[bool]),
) -> (i32, i32) {
    let goals = ledger.goals();
    let (mut gain, mut safety, mut nth) = (0, 0, 0);
    for (i, goal) in goals.goals.iter().enumerate() {
        let held = ledger.holds(i, here);
        let now = match &goal.ask {
            Ask::Fact(fact) if touched[i] => fact.holds(world.graph()),
            Ask::Fact(_) => held,
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

/// How far the ordered action goals come with an action.
fn progress_after(timeline: &Timeline, ledger: &Ledger, action: Action) -> usize {
    let progress = ledger.progress(timeline.here());
    let goals = ledger.goals();
    if goals.has_actions() {
        goals.advance(progress, &timeline.world().line(action))
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
    action: Action,
) -> Result<Preview, Refusal> {
    let pass = timeline.judge(action)?;
    let here = timeline.here();
    let goals = ledger.goals();
    let progress = progress_after(timeline, ledger, action);
    let mut preview = timeline.world_mut().preview(action, |world, items| {
        let mut p = Preview {
            changes: world.graph().changes(items),
            ..Preview::default()
        };
        for (i, now) in goals.eval(world.graph(), progress).enumerate() {
            match (ledger.holds(i, here), now) {
                (false, true) => p.gained.push(i),
                (true, false) => p.lost.push(i),
                _ => {}
            }
        }
        p
    })?;
    preview.note = pass.note;
    Ok(preview)
}
