//! Chooses once how a conjunction's tuples are looked for: what is bound ties the rest by edges, cells and short lists
//! before anything is enumerated.

use rustc_hash::FxHashMap;

use crate::sim::graph::Graph;
use crate::sim::vocab::State;

use super::atom::{Arg, Atom, Conj, DomId, Gen, Lit, Op, Part};
use super::dom::Doms;
use super::lists::Listed;

/// Stands for a list that is only made when it is chosen.
const NOT_YET: u16 = u16::MAX;

/// What planning reads and collects.
pub(super) struct Planner<'a> {
    doms: &'a Doms,
    graph: &'a Graph,
    /// Per node its room at the start.
    rooms: &'a [u32],
    pub(super) listed: &'a mut Listed,
    /// How many nodes of a range have a state at the start.
    having: FxHashMap<(DomId, State), usize>,
    /// About how many nodes of a range share a room with one of them.
    crowds: FxHashMap<DomId, f64>,
}

/// A way to bind a variable, and about how many values it gives.
struct Offer {
    cost: f64,
    op: Op,
    part: Option<usize>,
    binds: u32,
}

impl<'a> Planner<'a> {
    pub(super) fn new(
        doms: &'a Doms,
        (graph, rooms): (&'a Graph, &'a [u32]),
        listed: &'a mut Listed,
    ) -> Self {
        Self {
            doms,
            graph,
            rooms,
            listed,
            having: FxHashMap::default(),
            crowds: FxHashMap::default(),
        }
    }

    /// The ranges.
    pub(super) const fn doms(&self) -> &'a Doms {
        self.doms
    }

    fn having(&mut self, dom: DomId, state: State) -> usize {
        let (doms, graph) = (self.doms, self.graph);
        *self.having.entry((dom, state)).or_insert_with(|| {
            let list = doms.get(dom).list.iter();
            list.filter(|n| graph.states(**n).has(state)).count()
        })
    }

    fn crowd(&mut self, dom: DomId) -> f64 {
        let (doms, rooms) = (self.doms, self.rooms);
        *self.crowds.entry(dom).or_insert_with(|| {
            let list = &doms.get(dom).list;
            let mut by_room: FxHashMap<u32, usize> = FxHashMap::default();
            for n in list {
                *by_room.entry(rooms[n.at()]).or_default() += 1;
            }
            let pairs: usize = list.iter().map(|n| by_room[&rooms[n.at()]]).sum();
            pairs as f64 / list.len().max(1) as f64
        })
    }

    /// Plans every conjunction inside.
    pub(super) fn plan(&mut self, conj: &mut Conj) {
        for part in &mut conj.parts {
            if let Part::Sub { conjs, .. } = part {
                for c in conjs {
                    self.plan(c);
                }
            }
        }
        conj.full = self.ops(conj, mask(conj.base));
        conj.scan = self.ops(conj, 0);
    }

    /// The steps when these variables are bound.
    pub(super) fn ops(&mut self, conj: &Conj, mut bound: u32) -> Vec<Op> {
        let all = mask(conj.doms.len());
        let mut left: Vec<usize> = (0..conj.parts.len()).collect();
        left.sort_by_key(|&i| weight(&conj.parts[i]));
        let mut ops = Vec::new();
        loop {
            left.retain(|&i| {
                let ready = reads(&conj.parts[i], conj.doms.len()) & !bound == 0;
                if ready {
                    ops.push(Op::Check(i as u16));
                }
                !ready
            });
            if bound == all {
                return ops;
            }
            let keys_bound = mask(conj.base) & !bound == 0;
            let Some(mut offer) = self.best(conj, &left, (bound, keys_bound)) else {
                return ops;
            };
            if let Some(part) = offer.part {
                if let Op::Bind { var, from, .. } = &mut offer.op {
                    let dom = conj.doms[usize::from(*var)];
                    match (from, &conj.parts[part]) {
                        (Gen::Alpha(list, _), Part::Lit(lit)) => {
                            if let Atom::State(s, _) = lit.atom {
                                *list = self.listed.having(dom, s);
                            }
                        }
                        (Gen::Peers(list, ..) | Gen::Lodgers(list, ..), _) => {
                            *list = self.listed.by_room(dom);
                        }
                        _ => {}
                    }
                }
                // What an action was done to says neither what else it was done to, nor that it fits.
                if !matches!(
                    offer.op,
                    Op::Bind {
                        from: Gen::Act(..),
                        ..
                    }
                ) {
                    left.retain(|&i| i != part);
                }
            }
            bound |= offer.binds;
            ops.push(offer.op);
        }
    }

    fn best(&mut self, conj: &Conj, left: &[usize], (bound, any): (u32, bool)) -> Option<Offer> {
        let mut best: Option<Offer> = None;
        let offer = |best: &mut Option<Offer>, o: Offer| {
            if best.as_ref().is_none_or(|b| o.cost < b.cost) {
                *best = Some(o);
            }
        };
        for var in (0..conj.doms.len()).filter(|v| bound & 1 << v == 0) {
            let dom = conj.doms[var];
            offer(
                &mut best,
                Offer {
                    cost: self.doms.len(dom) as f64,
                    op: bind(var, Gen::Dom, any),
                    part: None,
                    binds: 1 << var,
                },
            );
        }
        for &i in left {
            let Part::Lit(lit) = &conj.parts[i] else {
                continue;
            };
            for (var, cost, from) in self.sources(conj, lit, bound) {
                offer(
                    &mut best,
                    Offer {
                        cost,
                        op: bind(var, from, any),
                        part: Some(i),
                        binds: 1 << var,
                    },
                );
            }
            if let Atom::Cell(_, args) = &lit.atom
                && !lit.neg
            {
                let vars = args.iter().fold(0, |m, a| m | bit(*a));
                offer(
                    &mut best,
                    Offer {
                        cost: 2.5,
                        op: Op::Cells {
                            part: i as u16,
                            bound,
                            any,
                        },
                        part: Some(i),
                        binds: vars & !bound,
                    },
                );
            }
        }
        best
    }

    /// The variables a positive literal can bind from bound ones.
    fn sources(&mut self, conj: &Conj, lit: &Lit, bound: u32) -> Vec<(usize, f64, Gen)> {
        if lit.neg {
            return Vec::new();
        }
        let prev = lit.prev;
        let is_bound = |a: Arg| bit(a) & !bound == 0;
        let var = |a: Arg| match a {
            Arg::Var(v) if bound & 1 << v == 0 => Some(usize::from(v)),
            _ => None,
        };
        let tie = |a: Arg, b: Arg, cost: f64, from: Gen| match (var(a), is_bound(b)) {
            (Some(v), true) => Some((v, cost, from)),
            _ => None,
        };
        let mut found = Vec::new();
        match &lit.atom {
            Atom::Same(a, b) => {
                found.extend(tie(*a, *b, 0.1, Gen::Same(*b)));
                found.extend(tie(*b, *a, 0.1, Gen::Same(*a)));
            }
            Atom::Rel(m, a, b) => {
                found.extend(tie(*b, *a, 1.5, Gen::Out(*m, *a, prev)));
                found.extend(tie(*a, *b, 6.0, Gen::In(*m, *b, prev)));
            }
            Atom::Near(a, b) => {
                found.extend(tie(*b, *a, 12.0, Gen::Near(*a, prev)));
                found.extend(tie(*a, *b, 12.0, Gen::Near(*b, prev)));
            }
            Atom::Within(a, b) if !prev => {
                found.extend(tie(*b, *a, 3.0, Gen::Up(*a)));
                found.extend(tie(*a, *b, 12.0, Gen::Down(*b)));
            }
            Atom::SameRoom(a, b) => {
                for (from, to) in [(*a, *b), (*b, *a)] {
                    if let (Some(v), true) = (var(to), is_bound(from)) {
                        let cost = self.crowd(conj.doms[v]) + 0.3;
                        found.push((v, cost, Gen::Peers(NOT_YET, from, prev)));
                    }
                }
            }
            Atom::InRoom(a, b) => {
                found.extend(tie(*b, *a, 1.0, Gen::Room(*a, prev)));
                if let (Some(v), true) = (var(*a), is_bound(*b)) {
                    let cost = self.crowd(conj.doms[v]) + 0.3;
                    found.push((v, cost, Gen::Lodgers(NOT_YET, *b, prev)));
                }
            }
            Atom::Act(mask, args) => {
                for (second, arg) in args.iter().enumerate() {
                    let free = arg.and_then(var);
                    let from = Gen::Act(*mask, second == 1, prev);
                    found.extend(free.map(|v| (v, 0.05, from)));
                }
            }
            Atom::Held(a) => {
                found.extend(var(*a).map(|v| (v, 0.9, Gen::Held(prev))));
            }
            Atom::State(s, a) => {
                if let Some(v) = var(*a) {
                    let dom = conj.doms[v];
                    let now = self.having(dom, *s) as f64;
                    found.push((v, now + 0.5, Gen::Alpha(NOT_YET, prev)));
                }
            }
            _ => {}
        }
        found
    }
}

const fn bind(var: usize, from: Gen, any: bool) -> Op {
    Op::Bind {
        var: var as u8,
        from,
        any,
    }
}

/// The first `n` variables.
pub(super) const fn mask(n: usize) -> u32 {
    (1 << n) - 1
}

const fn bit(a: Arg) -> u32 {
    match a {
        Arg::Me => 0,
        Arg::Var(v) => 1 << v,
    }
}

/// The variables in scope a part reads.
pub(super) fn reads(part: &Part, scope: usize) -> u32 {
    let all = match part {
        Part::Lit(l) => l.atom.args().into_iter().fold(0, |m, a| m | bit(a)),
        Part::Sub { conjs, .. } => conjs
            .iter()
            .flat_map(|c| &c.parts)
            .fold(0, |m, p| m | reads(p, scope)),
    };
    all & mask(scope)
}

/// Cheap tests first.
fn weight(part: &Part) -> u32 {
    match part {
        Part::Lit(l) => match l.atom {
            Atom::Start | Atom::End | Atom::Act(..) => 0,
            Atom::Same(..) | Atom::Is(..) => 1,
            Atom::State(..) | Atom::SameRoom(..) | Atom::InRoom(..) => 2,
            Atom::Cell(..) => 3,
            Atom::Held(..) | Atom::Rel(..) | Atom::Near(..) => 4,
            Atom::Within(..) => 6,
        },
        Part::Sub { .. } => 9,
    }
}
