//! Which actions make a need true.

use super::fits::{changer, graspable};
use super::state::{
    COLD, DUSTING, HAND, HEAT, KNIFE, LEFT_FITS, LEFT_FREE, LEFT_LOADED, REACHABLE, RIGHT_FITS,
    RIGHT_FREE, RIGHT_LOADED, UNHELD, WARM, WASHING, WATER, own, shut,
};
use super::verbs::{self as v, Pair};
use crate::search::need::Need;
use crate::search::table::{View, Way};
use crate::sim::behavior::actions::parts;
use crate::sim::behavior::facts::{hand, has_key, in_hand, is_floor, is_named, volume};
use crate::sim::behavior::forest::{children, parent};
use crate::sim::behavior::strict;
use crate::sim::behavior::words::{prop, rel, state};
use crate::sim::graph::Graph;
use crate::sim::reading::{has_edge, has_state};
use crate::sim::vocab::{Ix, Rel, State};
use crate::sim::world::Action;

/// How many tools, vessels and places are looked at.
const FEW: usize = 3;

/// Adds the actions that make a need true.
pub(super) fn ways(view: &View<'_>, need: Need, out: &mut Vec<Way>) {
    let g = view.world.graph();
    match need {
        Need::State(n, s) => seen(g, n, |n| !has_state(g, n, s))
            .into_iter()
            .for_each(|n| states(n, s, true, out)),
        Need::Lacks(n, s) => seen(g, n, |n| has_state(g, n, s))
            .into_iter()
            .for_each(|n| lacks(view, n, s, out)),
        Need::Edge(a, r, b) => seen(g, a, |a| !has_edge(g, a, r, b))
            .into_iter()
            .for_each(|a| edge(view, (a, r, b), out)),
        Need::Apart(a, r, b) => seen(g, a, |a| has_edge(g, a, r, b))
            .into_iter()
            .for_each(|a| apart(view, (a, r, b), out)),
        Need::Own(kind, n) => own_kind(view, kind, n, out),
        Need::Held(n) => grasp(view, n, &[], out),
        Need::Kept(..) => {}
        Need::Done(act) => out.extend(view.aims.done_by(act).iter().map(|&a| Way::by(a))),
    }
}

/// What a thing is seen through, of that what is not yet as wanted: its parts once it was cut up.
fn seen(g: &Graph, n: Ix, open: impl Fn(Ix) -> bool) -> Vec<Ix> {
    let mut all = if g.states(n).has(state::SLICED) {
        parts(g, n)
    } else {
        Vec::new()
    };
    all.retain(|&part| open(part));
    if all.is_empty() {
        all.push(n);
    }
    all
}

const fn one(verb: u8, a: Ix) -> Action {
    Action {
        verb,
        a,
        b: Ix::NONE,
    }
}

fn states(n: Ix, wanted: State, on: bool, out: &mut Vec<Way>) {
    out.extend(changer(wanted, on).map(|verb| Way::by(one(verb, n))));
}

fn lacks(view: &View<'_>, n: Ix, s: State, out: &mut Vec<Way>) {
    let g = view.world.graph();
    match s {
        state::DUSTY => {
            out.push(Way::when(one(v::CLEAN, n), own(DUSTING, n)));
            washers(g, n, out);
        }
        state::STAINED => {
            out.push(Way::when(one(v::CLEAN, n), own(WASHING, n)));
            washers(g, n, out);
        }
        _ => states(n, s, false, out),
    }
}

/// Machines that clean what is in them.
fn washers(g: &Graph, n: Ix, out: &mut Vec<Way>) {
    let machines = g
        .scene()
        .indices()
        .filter(|&m| m != n && is_named(g, m, "dishwasher"));
    out.extend(machines.take(FEW).map(|machine| {
        let inside = Need::Edge(n, rel::INSIDE, machine);
        Way::when(one(v::TOGGLE_ON, machine), inside)
    }));
}

/// A thing to be put somewhere.
struct Put {
    /// The actions that do it.
    pair: Pair,
    /// The thing.
    load: Ix,
    /// The targets.
    to: (Ix, Ix),
    /// What must hold besides.
    also: Option<Need>,
}

impl Put {
    const fn at(pair: Pair, load: Ix, to: Ix) -> Self {
        Self {
            pair,
            load,
            to: (to, Ix::NONE),
            also: None,
        }
    }

    const fn when(self, also: Option<Need>) -> Self {
        Self { also, ..self }
    }

    /// With the hand that holds it, else with either.
    fn ways(self, view: &View<'_>, out: &mut Vec<Way>) {
        let (g, me) = (view.world.graph(), view.world.me());
        let holds = |&number: &usize| in_hand(g, me, number) == Some(self.load);
        let holder = [0, 1].into_iter().find(holds);
        for number in [0, 1] {
            if holder.is_some_and(|h| h != number) {
                continue;
            }
            out.push(Way {
                action: Action {
                    verb: self.pair[number],
                    a: self.to.0,
                    b: self.to.1,
                },
                also: [Some(Need::Edge(me, hand(number), self.load)), self.also],
            });
        }
    }
}

fn edge(view: &View<'_>, (a, r, b): (Ix, Rel, Ix), out: &mut Vec<Way>) {
    let world = view.world;
    let (g, me) = (world.graph(), world.me());
    match r {
        rel::INSIDE if !g.hot(b).room && volume(g, a) <= volume(g, b) => {
            Put::at(v::INSIDE, a, b).ways(view, out);
            if strict::on(g) {
                // What is in a box in the fridge is in the fridge.
                if let Some((_, up)) = parent(g, a).filter(|&(_, up)| up != b && graspable(g, up)) {
                    Put::at(v::INSIDE, up, b).ways(view, out);
                    Put::at(v::POUR_INSIDE, up, b).ways(view, out);
                }
            }
        }
        rel::ONTOP => {
            Put::at(v::ONTOP, a, b).ways(view, out);
            if let Some((_, up)) = parent(g, a).filter(|&(_, up)| strict::on(g) && up != b) {
                Put::at(v::POUR_ONTOP, up, b).ways(view, out);
            }
        }
        rel::ONFLOOR => {
            Put::at(v::ONTOP, a, b).ways(view, out);
            // Things put beside or under what stands there stand there, too.
            let nearby = g.sources(b, rel::ONFLOOR).filter(|&n| n != a);
            for n in nearby.filter(|&n| parent(g, n).is_none()).take(FEW) {
                let stands = Some(Need::Edge(n, rel::ONFLOOR, b));
                Put::at(v::NEXTTO, a, n).when(stands).ways(view, out);
            }
        }
        rel::UNDER => Put::at(v::UNDER, a, b).ways(view, out),
        rel::NEXTTO => beside(view, a, b, out),
        rel::HOLDS_RH if a == me => out.push(Way::by(one(v::RIGHT_GRASP, b))),
        rel::HOLDS_LH if a == me => out.push(Way::by(one(v::LEFT_GRASP, b))),
        _ => {}
    }
}

/// Beside each other: either is put beside the other, on whatever a goal wants it on.
fn beside(view: &View<'_>, a: Ix, b: Ix, out: &mut Vec<Way>) {
    let g = view.world.graph();
    for (load, to) in [(a, b), (b, a)] {
        if !graspable(g, load) {
            continue;
        }
        for (r, spot) in view.aims.spots(load).take(FEW) {
            if matches!(r, rel::ONTOP | rel::ONFLOOR) && spot != to {
                Put {
                    to: (to, spot),
                    ..Put::at(v::NEXTTO_ONTOP, load, to)
                }
                .ways(view, out);
            }
        }
        Put::at(v::NEXTTO, load, to).ways(view, out);
    }
}

fn apart(view: &View<'_>, (a, r, b): (Ix, Rel, Ix), out: &mut Vec<Way>) {
    let (g, me) = (view.world.graph(), view.world.me());
    match r {
        rel::HOLDS_RH | rel::HOLDS_LH if a == me => let_go(view, b, out),
        rel::NEXTTO | rel::UNDER => {
            grasp(view, a, &[], out);
            grasp(view, b, &[], out);
        }
        rel::INSIDE if strict::on(g) => {
            grasp(view, a, &[], out);
            if let Some((_, up)) = parent(g, a).filter(|&(_, up)| up != b) {
                grasp(view, up, &[], out);
            }
        }
        _ => grasp(view, a, &[], out),
    }
}

/// Taking a thing with either hand, when these hold.
fn grasp(view: &View<'_>, n: Ix, also: &[Need], out: &mut Vec<Way>) {
    if !graspable(view.world.graph(), n) {
        return;
    }
    let mut needs = also.iter().copied();
    let also = [needs.next(), needs.next()];
    out.extend(v::GRASP.map(|verb| Way {
        action: one(verb, n),
        also,
    }));
}

/// Putting a held thing where a goal wants it, else wherever things stand, else letting it go.
fn let_go(view: &View<'_>, thing: Ix, out: &mut Vec<Way>) {
    let (g, me) = (view.world.graph(), view.world.me());
    let Some(number) = [0, 1]
        .into_iter()
        .find(|&number| in_hand(g, me, number) == Some(thing))
    else {
        return;
    };
    let mut to = |pair: Pair, n: Ix| out.push(Way::by(one(pair[number], n)));
    for (r, spot) in view.aims.spots(thing).take(FEW) {
        match r {
            rel::ONTOP | rel::ONFLOOR => to(v::ONTOP, spot),
            rel::INSIDE => to(v::INSIDE, spot),
            rel::NEXTTO => to(v::NEXTTO, spot),
            rel::UNDER => to(v::UNDER, spot),
            _ => {}
        }
    }
    let carries = |&n: &Ix| !graspable(g, n) && children(g, n).next().is_some();
    let places = || g.scene().indices().filter(|&n| n != me && !g.hot(n).room);
    for place in places().filter(carries).take(1) {
        to(v::ONTOP, place);
    }
    for floor in places().filter(|&n| is_floor(g, n)).take(1) {
        to(v::ONTOP, floor);
    }
    to(v::RELEASE, thing);
}

fn own_kind(view: &View<'_>, kind: u8, n: Ix, out: &mut Vec<Way>) {
    let (g, me) = (view.world.graph(), view.world.me());
    let free = |number: usize, out: &mut Vec<Way>| {
        if let Some(thing) = in_hand(g, me, number) {
            let_go(view, thing, out);
        }
    };
    match kind {
        UNHELD => let_go(view, n, out),
        RIGHT_FREE => free(0, out),
        LEFT_FREE => free(1, out),
        HAND => {
            free(0, out);
            free(1, out);
        }
        REACHABLE => {
            out.extend(shut(g, n).map(|c| Way::by(one(v::OPEN, c))));
            if strict::on(g) && strict::is_uncut(g, n) {
                let whole = g.targets(n, rel::PART_OF);
                out.extend(whole.map(|w| Way::by(one(v::SLICE, w))));
            }
        }
        KNIFE => tools(
            view,
            |n| g.hot(n).props.has(prop::SLICER),
            &|_| Vec::new(),
            out,
        ),
        DUSTING => {
            let tool = |n| g.hot(n).props.has(prop::CLEANING_TOOL);
            tools(view, tool, &|_| Vec::new(), out);
            sinks(view, n, out);
        }
        WASHING => {
            let tool = |n: Ix| {
                (g.hot(n).props.has(prop::CLEANING_TOOL) && has_key(g, n, state::SOAKED))
                    || is_named(g, n, "detergent")
            };
            let wet = |n: Ix| {
                if is_named(g, n, "detergent") {
                    Vec::new()
                } else {
                    vec![Need::State(n, state::SOAKED)]
                }
            };
            tools(view, tool, &wet, out);
            sinks(view, n, out);
        }
        WATER => {
            sinks(view, n, out);
            vessels(view, n, &["teapot"], None, out);
        }
        HEAT if strict::on(g) => heat(view, n, out),
        HEAT => vessels(view, n, &["saucepan"], None, out),
        COLD => vessels(view, n, &["fridge", "refrigerator", "freezer"], None, out),
        WARM => grasp(view, n, &[], out),
        RIGHT_LOADED | LEFT_LOADED | RIGHT_FITS | LEFT_FITS => {
            let verb = v::GRASP[usize::from(matches!(kind, LEFT_LOADED | LEFT_FITS))];
            let all = view.aims.nearest(view.world, verb);
            out.extend(
                all.filter(|&x| x != n)
                    .take(FEW)
                    .map(|x| Way::by(one(verb, x))),
            );
        }
        _ => {}
    }
}

/// Taking up a tool, when it is as it must be.
fn tools(
    view: &View<'_>,
    fit: impl Fn(Ix) -> bool,
    also: &dyn Fn(Ix) -> Vec<Need>,
    out: &mut Vec<Way>,
) {
    let (g, me) = (view.world.graph(), view.world.me());
    let all = view.world.scene().indices();
    let mut found: Vec<Ix> = all.filter(|&n| fit(n) && graspable(g, n)).collect();
    // What is ready at hand first.
    found.sort_by_key(|&n| {
        let ready = also(n).iter().all(|need| need.holds(g) == Some(true));
        (!ready, shut(g, n).is_some(), n)
    });
    for tool in found.into_iter().take(FEW) {
        let held = [0, 1].into_iter().any(|h| in_hand(g, me, h) == Some(tool));
        let needs = also(tool);
        if held {
            // It is to be changed where it can be.
            for need in needs {
                ways(view, need, out);
            }
        } else {
            grasp(view, tool, &needs, out);
        }
    }
}

/// Bringing a thing into a running sink.
fn sinks(view: &View<'_>, n: Ix, out: &mut Vec<Way>) {
    let g = view.world.graph();
    let here = parent(g, n).filter(|&(_, up)| is_named(g, up, "sink"));
    match here {
        Some((_, sink)) => out.push(Way::by(one(v::TOGGLE_ON, sink))),
        None => vessels(view, n, &["sink"], Some(state::TOGGLED_ON), out),
    }
}

/// Putting a thing inside something of such a name, which is to have a state if it can.
fn vessels(view: &View<'_>, n: Ix, words: &[&str], wanted: Option<State>, out: &mut Vec<Way>) {
    let g = view.world.graph();
    if !graspable(g, n) {
        return;
    }
    let fits =
        |&x: &Ix| x != n && words.iter().any(|w| is_named(g, x, w)) && volume(g, n) <= volume(g, x);
    for vessel in g.scene().indices().filter(fits).take(FEW) {
        let also = wanted
            .filter(|&s| has_key(g, vessel, s))
            .map(|s| Need::State(vessel, s));
        Put::at(v::INSIDE, n, vessel).when(also).ways(view, out);
    }
}

/// Bringing a thing to heat: into an oven, or in a vessel onto a stove; each then switched on.
fn heat(view: &View<'_>, n: Ix, out: &mut Vec<Way>) {
    let g = view.world.graph();
    let sources: Vec<Ix> = g
        .scene()
        .indices()
        .filter(|&x| x != n && strict::heats(g, x))
        .take(FEW)
        .collect();
    let on = |source: Ix| {
        has_key(g, source, state::TOGGLED_ON).then_some(Need::State(source, state::TOGGLED_ON))
    };
    for source in sources {
        if strict::would_heat(g, n, source) {
            out.push(Way::by(one(v::TOGGLE_ON, source)));
            continue;
        }
        if !strict::is_flame(g, source) {
            Put::at(v::INSIDE, n, source)
                .when(on(source))
                .ways(view, out);
            Put::at(v::ONTOP, n, source)
                .when(on(source))
                .ways(view, out);
            continue;
        }
        if let Some((_, vessel)) = parent(g, n).filter(|&(_, up)| graspable(g, up)) {
            Put::at(v::ONTOP, vessel, source)
                .when(on(source))
                .ways(view, out);
        } else {
            let cookware = |&x: &Ix| x != n && graspable(g, x) && strict::is_cookware(g, x);
            for vessel in g.scene().indices().filter(cookware).take(FEW) {
                let stands = Need::Edge(vessel, rel::ONTOP, source);
                Put::at(v::INSIDE, n, vessel)
                    .when(Some(stands))
                    .ways(view, out);
            }
        }
    }
}
