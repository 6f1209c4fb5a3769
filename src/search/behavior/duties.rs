//! What a fact that does not hold yet takes at least ([`crate::search::least`]), and why.
//!
//! Profile `eai` alone, steps that succeed alone (a step that the published code breaks off has none of these promises). Read
//! off the effects (Evolving Graph for BEHAVIOR, §4):
//!
//! 1. A thing comes to be on or in another only by being put there out of a hand, or with the whole it is a part of when that
//!    is cut. A hand holds only what it took. So a thing not yet in place, or one of its parts, is *taken* (unless one is in a
//!    hand) and *put*. The whole itself need not be: a cut thing is where both its parts are. With the floor it is the same;
//!    beside and under are written when the one or the other is put.
//! 2. What is inside a shut thing is out of reach, at any depth, and leaves it only by being taken, which needs reach, or by
//!    falling out as that is taken, which only things five times as large do. It is cut only within reach. So before it, or
//!    what is made of it, changes its place or state, the shut thing is *opened*. The same before something is put at a
//!    place that is shut in, and before something is put inside what is shut.
//! 3. A state is turned by its own actions, or comes over a part with the whole's when that is cut. Dust and stains also come
//!    off in a dishwasher: where there is one they ask for nothing.
//!
//! Things that are cut already, and parts, are left out of account; so is a thing whose parts are somewhere at the start.

use crate::plan::fact::{Body, Fact};
use crate::search::behavior::fits::graspable;
use crate::search::least::{Doing, Duty};
use crate::sim::behavior::actions::parts;
use crate::sim::behavior::facts::{has_key, held, is_floor, is_named, is_shut, volume};
use crate::sim::behavior::words::{prop, rel, state};
use crate::sim::behavior::{forest, plain};
use crate::sim::graph::Graph;
use crate::sim::vocab::{Ix, Profile, Rel, State};
use crate::sim::world::World;

/// The duties of a fact that does not hold.
pub(super) fn duties(world: &World, fact: &Fact, out: &mut Vec<Duty>) {
    if world.profile() != Profile::Eai {
        return;
    }
    let at = At {
        g: world.graph(),
        me: world.me(),
    };
    match &fact.body {
        Body::State(x, state) => {
            if let [x] = x.as_slice() {
                at.turned(*x, *state, !fact.negated, out);
            }
        }
        Body::Edge(x, rel, y) => {
            if let ([x], [y], false) = (x.as_slice(), y.as_slice(), fact.negated) {
                if *x == at.me {
                    at.held(*rel, *y, out);
                } else {
                    at.placed((*x, *rel, *y), out);
                }
            }
        }
        Body::Tracked(..) => {}
    }
}

struct At<'g> {
    g: &'g Graph,
    me: Ix,
}

impl At<'_> {
    fn is_object(&self, x: Ix) -> bool {
        x != self.me && !self.g.hot(x).room
    }

    /// Whether a thing is whole, and its parts are nowhere yet.
    fn is_plain(&self, x: Ix) -> bool {
        let g = self.g;
        let nowhere = |part: Ix| {
            forest::parent(g, part).is_none()
                && !plain::has_any(g, part)
                && !held(g, self.me).any(|n| n == part)
                && parts(g, part).is_empty()
        };
        self.is_object(x)
            && !g.hot(x).props.has(prop::PART)
            && !g.states(x).has(state::SLICED)
            && parts(g, x).into_iter().all(nowhere)
    }

    /// A thing and its parts.
    fn kin(&self, x: Ix) -> Vec<Ix> {
        let mut all = parts(self.g, x);
        all.push(x);
        all
    }

    fn turned(&self, x: Ix, s: State, to: bool, out: &mut Vec<Duty>) {
        if !self.is_plain(x) {
            return;
        }
        let g = self.g;
        let kin = self.kin(x);
        let doings: Vec<Doing> = match s {
            state::DUSTY | state::STAINED => {
                let cleans =
                    |n: Ix| has_key(g, n, state::TOGGLED_ON) && is_named(g, n, "dishwasher");
                if to || g.scene().indices().any(cleans) {
                    return;
                }
                kin.iter().map(|&n| Doing::Clean(n)).collect()
            }
            state::LOST => return,
            _ => kin.iter().map(|&n| Doing::Turn(n, s, to)).collect(),
        };
        let cut = (kin.len() > 1).then_some(Doing::Turn(x, state::SLICED, true));
        out.extend(Duty::any(doings.into_iter().chain(cut).collect()));
        self.reached(x, out);
    }

    fn placed(&self, (x, rel, y): (Ix, Rel, Ix), out: &mut Vec<Duty>) {
        if !self.is_plain(x) || !self.is_object(y) {
            return;
        }
        let mut movers = self.kin(x);
        match rel {
            rel::ONTOP | rel::INSIDE => {
                self.reached(x, out);
                self.reached(y, out);
                if rel == rel::INSIDE {
                    self.opened(y, out);
                }
            }
            rel::ONFLOOR => self.reached(x, out),
            rel::UNDER if self.is_plain(y) => self.reached(x, out),
            rel::NEXTTO if self.is_plain(y) => movers.extend(self.kin(y)),
            _ => return,
        }
        movers.retain(|&n| graspable(self.g, n));
        if !held(self.g, self.me).any(|n| movers.contains(&n)) {
            out.extend(Duty::any(movers.iter().map(|&n| Doing::Take(n)).collect()));
        }
        out.extend(Duty::any(movers.iter().map(|&n| Doing::Put(n)).collect()));
    }

    fn held(&self, rel: Rel, y: Ix, out: &mut Vec<Duty>) {
        if [rel::HOLDS_RH, rel::HOLDS_LH].contains(&rel) && self.is_object(y) {
            out.extend(Duty::any(vec![Doing::Take(y)]));
            if self.is_plain(y) {
                self.reached(y, out);
            }
        }
    }

    /// A shut thing that is to be opened.
    fn opened(&self, x: Ix, out: &mut Vec<Duty>) {
        let g = self.g;
        let alone = self.is_object(x) && !g.hot(x).props.has(prop::PART) && parts(g, x).is_empty();
        if alone && is_shut(g, x) {
            out.extend(Duty::any(vec![Doing::Turn(x, state::OPEN, true)]));
        }
    }

    /// What is shut around a thing that is to be reached.
    fn reached(&self, x: Ix, out: &mut Vec<Duty>) {
        let g = self.g;
        if is_floor(g, x) || g.hot(x).props.has(prop::PART) {
            return;
        }
        let mut at = x;
        for (kind, up) in forest::above(g, x) {
            let falls = volume(g, at) > TOO_LARGE_TO_RIDE * volume(g, up);
            if falls {
                // From here on it may come out without being reached.
                return;
            }
            if kind == rel::INSIDE {
                self.opened(up, out);
            }
            at = up;
        }
    }
}

/// What is so many times as large as a thing falls from it when that is taken.
const TOO_LARGE_TO_RIDE: f64 = 5.0;
