//! Taking, carrying and placing: a thing moves with all that is on and in it, and has one support or is held.

use crate::sim::graph::{Graph, Origin, Tx};
use crate::sim::refusal::{Kind, Pre, Records, Refusal};
use crate::sim::virtualhome::actions::cut::is_blade;
use crate::sim::virtualhome::facts::{
    class_in, held, is_holding, need_fit, need_hand, need_held, need_prop, too_many,
};
use crate::sim::virtualhome::strict::reach::{
    is_floor, is_with, is_within, need_not_yet, need_reach, place, state_record, supports,
};
use crate::sim::virtualhome::words::{prop, rel, state};
use crate::sim::vocab::{Ix, Props, Rel, Rels, State};
use crate::sim::world::Ctx;

/// What ties a thing to its surroundings and does not move with it.
const LEFT_BEHIND: Rels = Rels::of(&[rel::CLOSE, rel::FACING]);

/// A node, then everything on and in it at any depth.
pub fn load(g: &Graph, n: Ix) -> Vec<Ix> {
    let mut all = vec![n];
    let mut i = 0;
    while let Some(&at) = all.get(i) {
        for x in g.sources(at, rel::ON).chain(g.sources(at, rel::INSIDE)) {
            if !all.contains(&x) {
                all.push(x);
            }
        }
        i += 1;
    }
    all
}

/// Brings a thing with its load beside the agent, into a room. What it was near to or faced stays behind; that the agent
/// looks at it does not end.
pub fn bring(tx: &mut Tx<'_>, me: Ix, n: Ix, room: Option<Ix>) {
    shift(tx, me, n, room);
    let g = tx.graph();
    let on = |rel| g.sources(n, rel).next().is_some();
    if on(rel::ON) || on(rel::INSIDE) {
        let all = load(g, n);
        let carried = || all.iter().copied().skip(1);
        for x in carried() {
            shift(tx, me, x, room);
        }
        for x in carried() {
            for s in supports(tx.graph(), x).collect::<Vec<_>>() {
                tx.add_both(x, rel::CLOSE, s);
            }
        }
    }
    tx.add_both(me, rel::CLOSE, n);
}

/// Takes one node out of its surroundings, into a room.
fn shift(tx: &mut Tx<'_>, me: Ix, n: Ix, room: Option<Ix>) {
    let faced = tx.graph().has(me, rel::FACING, n);
    tx.clear_all(n, LEFT_BEHIND);
    if faced {
        tx.add(me, rel::FACING, n);
    }
    let Some(room) = room else { return };
    let other = |g: &Graph| {
        g.targets(n, rel::INSIDE)
            .find(|&t| g.hot(t).room && t != room)
    };
    while let Some(old) = other(tx.graph()) {
        tx.remove(n, rel::INSIDE, old);
    }
    tx.add(n, rel::INSIDE, room);
}

/// Ends whatever carries, contains or holds a thing.
pub fn lift(tx: &mut Tx<'_>, me: Ix, n: Ix) {
    tx.clear_out(n, rel::ON);
    tx.clear_out(n, rel::INSIDE);
    tx.remove(me, rel::HOLDS_RH, n);
    tx.remove(me, rel::HOLDS_LH, n);
}

/// Where a thing is: the first it is on, else in.
pub fn origin(g: &Graph, n: Ix) -> Option<Origin> {
    [rel::ON, rel::INSIDE].into_iter().find_map(|r| {
        let at = g.targets(n, r).filter(|&t| !g.hot(t).room).min()?;
        Some(Origin { at, rel: r })
    })
}

/// What the agent stands at: what it is near to, but for its own body and what it has with it.
fn surroundings(g: &Graph, me: Ix) -> Vec<Ix> {
    g.targets(me, rel::CLOSE)
        .filter(|&x| !is_with(g, me, x))
        .collect()
}

/// Puts a thing, wherever it is, onto or into another; both stay near the agent. What is put on a floor lies at the
/// agent's feet, hence near what the agent stands at.
pub fn put(tx: &mut Tx<'_>, me: Ix, a: Ix, (how, b): (Rel, Ix)) {
    let room = place(tx.graph(), b).or_else(|| place(tx.graph(), me));
    lift(tx, me, a);
    bring(tx, me, a, room);
    tx.add(a, how, b);
    tx.add_both(a, rel::CLOSE, b);
    if is_floor(tx.graph(), b) {
        for x in surroundings(tx.graph(), me) {
            if x != a {
                tx.add_both(a, rel::CLOSE, x);
            }
        }
    } else {
        tx.add_both(me, rel::CLOSE, b);
    }
    tx.remember(a, None);
}

/// What carries things: surfaces, seats, beds, containers, the rim of a vessel, the top of a device, a body.
const CARRIES: Props = Props::of(&[
    prop::SURFACES,
    prop::SITTABLE,
    prop::LIEABLE,
    prop::CONTAINERS,
    prop::RECIPIENT,
    prop::HAS_SWITCH,
    prop::HAS_PLUG,
    prop::PERSON,
]);

/// Classes that carry whatever their properties say.
const CARRIERS: &[&str] = &["floor", "cat", "dog", "child", "adult"];

/// What holds things inside.
const HOLDS: Props = Props::of(&[prop::CONTAINERS, prop::RECIPIENT, prop::CAN_OPEN]);

/// Basins, whatever their properties say.
const BASINS: &[&str] = &[
    "sink",
    "bathroom_sink",
    "kitchen_sink",
    "bathtub",
    "shower",
    "toilet",
    "basin",
    "washbasin",
];

fn any(g: &Graph, n: Ix, props: Props) -> bool {
    g.hot(n).props.0 & props.0 != 0
}

/// Whether `a` may lie on `b`; covers lie on anything.
pub fn carries(g: &Graph, a: Ix, b: Ix) -> bool {
    any(g, b, CARRIES) || CARRIERS.contains(&g.class(b)) || g.hot(a).props.has(prop::COVER_OBJECT)
}

/// What opens and has no inside, by how the class name ends.
const PASSAGES: &[&str] = &["door", "gate", "window", "curtain"];

/// What takes in only what flows: cloth soaks, an iron has a tank.
const SOAKS: &[&str] = &["rag", "iron", "toothbrush"];

/// What takes only blades.
const SHEATHS: &[&str] = &["knife_block"];

/// Whether something may be inside of `b` at all.
pub fn holds(g: &Graph, b: Ix) -> bool {
    let class = g.class(b);
    let passage = || PASSAGES.iter().any(|p| class.ends_with(p));
    BASINS.contains(&class) || any(g, b, HOLDS) && !passage()
}

/// Whether `a` may be inside of `b`.
pub fn takes(g: &Graph, a: Ix, b: Ix) -> bool {
    let class = g.class(b);
    holds(g, b)
        && (flows(g, a) || !SOAKS.contains(&class))
        && (is_blade(g.class(a)) || !SHEATHS.contains(&class))
}

/// Whether a hand can take it at all.
pub fn graspable(g: &Graph, n: Ix) -> bool {
    g.hot(n).props.has(prop::GRABBABLE) || class_in(g, n, &["water", "child"])
}

/// Code 1 unless held, or code 2 for what no hand can take.
///
/// # Errors
/// The refusal.
pub fn need_in_hand(c: &Ctx<'_>, n: Ix) -> Result<(), Refusal> {
    if !is_holding(c.graph, c.me, n) {
        need_fit(graspable(c.graph, n), n, "{0} is not grabbable")?;
    }
    need_held(c, n)
}

/// Held, and a destination that takes it: near, in nothing closed, not itself, nothing it carries, no room; something
/// that carries, or holds and is not closed.
///
/// # Errors
/// The refusal.
pub fn need_put(c: &Ctx<'_>, a: Ix, (how, b): (Rel, Ix)) -> Result<(), Refusal> {
    let g = c.graph;
    let fits = |fits: bool, text: &'static str| {
        need_fit(fits, b, text).map_err(|r| Refusal { nodes: [a, b], ..r })
    };
    fits(!g.hot(b).room, "{1} is a room: use its floor")?;
    fits(b != c.me, "{0} cannot be put onto or into {1}")?;
    if how == rel::ON {
        fits(carries(g, a, b), "nothing can lie on {1}")?;
    } else {
        fits(holds(g, b), "{1} holds nothing")?;
        fits(takes(g, a, b), "{0} does not go into {1}")?;
    }
    need_in_hand(c, a)?;
    fits(!is_within(g, b, a), "{0} cannot go onto or into itself")?;
    need_reach(c, b)?;
    if how == rel::INSIDE {
        need_open(c, b)?;
    }
    Ok(())
}

/// Code 1 unless the thing is not closed: to reach what is inside one has to open it.
///
/// # Errors
/// The refusal.
pub fn need_open(c: &Ctx<'_>, b: Ix) -> Result<(), Refusal> {
    if !c.graph.states(b).has(state::CLOSED) {
        return Ok(());
    }
    let pre = Pre::State(b, state::OPEN);
    Err(
        Refusal::new(Kind::MissingStep, pre, "{0} is not open", [b, Ix::NONE])
            .recording(state_record(b, state::OPEN, false)),
    )
}

/// Code 4 for what the agent has with it anyway.
///
/// # Errors
/// The refusal.
pub fn need_apart(c: &Ctx<'_>, n: Ix) -> Result<(), Refusal> {
    if !is_with(c.graph, c.me, n) {
        return Ok(());
    }
    Err(Refusal::new(
        Kind::AlreadySo,
        Pre::NotWithYou(n),
        "{0} is with {1} already",
        [n, c.me],
    ))
}

/// Whether a thing flows: it can be poured or drunk, and is no vessel for it.
pub fn flows(g: &Graph, n: Ix) -> bool {
    any(g, n, Props::of(&[prop::POURABLE, prop::DRINKABLE])) && !g.hot(n).props.has(prop::RECIPIENT)
}

/// What flows out of a vessel, ascending.
pub fn contents(g: &Graph, vessel: Ix) -> Vec<Ix> {
    let mut all: Vec<Ix> = g
        .sources(vessel, rel::INSIDE)
        .filter(|&x| flows(g, x))
        .collect();
    all.sort_unstable();
    all
}

/// Code 1 unless there is something in the vessel, and the vessel is open.
///
/// # Errors
/// The refusal.
pub fn need_filled(c: &Ctx<'_>, vessel: Ix, filled: bool) -> Result<(), Refusal> {
    if !filled {
        let text = "nothing to drink or pour is in {0}";
        return Err(Refusal::new(
            Kind::MissingStep,
            Pre::Filled(vessel),
            text,
            [vessel, Ix::NONE],
        ));
    }
    need_open(c, vessel)
}

/// Code 1 unless a hand is empty. Nothing is recorded: that hands were empty once says nothing about the order of steps.
///
/// # Errors
/// The refusal.
pub fn need_empty_hand(c: &Ctx<'_>) -> Result<(), Refusal> {
    match need_hand(c) {
        Ok(_) => Ok(()),
        Err(r) => Err(r.recording(Records::NONE)),
    }
}

/// What pulling and pushing in a plug needs: a plug, not `so` yet, in reach, a hand free.
///
/// # Errors
/// The refusal.
pub fn need_plug(
    c: &Ctx<'_>,
    n: Ix,
    (so, from): (State, State),
    template: &'static str,
) -> Result<(), Refusal> {
    need_prop(c, n, prop::HAS_PLUG, "{0} does not have a plug")?;
    need_not_yet(c, n, (so, from), template)?;
    need_reach(c, n)?;
    need_empty_hand(c)
}

/// What sitting and lying down needs: in reach, not in one's hands, not up on something else, a place free.
///
/// # Errors
/// The refusal.
pub fn need_seat(c: &Ctx<'_>, n: Ix, places: usize) -> Result<(), Refusal> {
    let (g, me) = (c.graph, c.me);
    if held(g, me).any(|h| is_within(g, n, h)) {
        let pre = Pre::NotWithYou(n);
        let text = "{0} is with {1}";
        return Err(Refusal::new(Kind::MissingStep, pre, text, [n, me]));
    }
    need_reach(c, n)?;
    if let Some(other) = g.targets(me, rel::ON).find(|&x| x != n) {
        let pre = Pre::NotOnIt(other);
        let text = "{0} is on {1}";
        return Err(Refusal::new(Kind::MissingStep, pre, text, [me, other]));
    }
    let others = g.sources(n, rel::ON).filter(|&x| x != me);
    if others.filter(|&x| takes_place(g, x, places)).count() >= places {
        return Err(too_many(n));
    }
    Ok(())
}

/// Whether a thing on a seat takes a place: people and pets do; other things make room on a couch or bed, and on a seat
/// for one unless they cover it.
fn takes_place(g: &Graph, x: Ix, places: usize) -> bool {
    let body = g.hot(x).props.has(prop::PERSON) || CARRIERS.contains(&g.class(x));
    body || places == 1 && !g.hot(x).props.has(prop::COVER_OBJECT)
}
