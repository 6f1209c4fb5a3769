//! Chooses once how a conjunction's tuples are looked for: what is bound ties the rest by edges, cells and short lists
//! before anything is enumerated.

use rustc_hash::FxHashMap;

use crate::sim::graph::Graph;
use crate::sim::vocab::{Ix, State};

use super::atom::{Arg, Atom, Conj, DomId, Gen, Lit, Op, Part};
use super::dom::Doms;

/// The lists of nodes of a range that have a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Alphas {
    pub(super) all: Vec<(DomId, State)>,
    index: FxHashMap<(DomId, State), u16>,
}

impl Alphas {
    fn put(&mut self, dom: DomId, state: State) -> u16 {
        *self.index.entry((dom, state)).or_insert_with(|| {
            self.all.push((dom, state));
            self.all.len() as u16 - 1
        })
    }
}

/// Stands for a list that is only made when it is chosen.
const NOT_YET: u16 = u16::MAX;

/// What planning reads and collects.
pub(super) struct Planner<'a> {
    pub(super) doms: &'a Doms,
    pub(super) graph: &'a Graph,
    pub(super) alphas: &'a mut Alphas,
}

/// A way to bind a variable, and about how many values it gives.
struct Offer {
    cost: f64,
    op: Op,
    part: Option<usize>,
    binds: u32,
}

impl Planner<'_> {
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
                if let Op::Bind {
                    var,
                    from: from @ Gen::Alpha(_),
                    ..
                } = &mut offer.op
                    && let Part::Lit(Lit {
                        atom: Atom::State(s, _),
                        ..
                    }) = &conj.parts[part]
                {
                    *from = Gen::Alpha(self.alphas.put(conj.doms[usize::from(*var)], *s));
                }
                left.retain(|&i| i != part);
            }
            bound |= offer.binds;
            ops.push(offer.op);
        }
    }

    fn best(&self, conj: &Conj, left: &[usize], (bound, any): (u32, bool)) -> Option<Offer> {
        let mut best: Option<Offer> = None;
        let mut offer = |o: Offer| {
            if best.as_ref().is_none_or(|b| o.cost < b.cost) {
                best = Some(o);
            }
        };
        for var in (0..conj.doms.len()).filter(|v| bound & 1 << v == 0) {
            let dom = conj.doms[var];
            offer(Offer {
                cost: self.doms.len(dom) as f64,
                op: bind(var, Gen::Dom, any),
                part: None,
                binds: 1 << var,
            });
        }
        for &i in left {
            let Part::Lit(lit) = &conj.parts[i] else {
                continue;
            };
            for (var, cost, from) in self.sources(conj, lit, bound) {
                offer(Offer {
                    cost,
                    op: bind(var, from, any),
                    part: Some(i),
                    binds: 1 << var,
                });
            }
            if let Atom::Cell(_, args) = &lit.atom
                && !lit.neg
                && !lit.prev
            {
                let vars = args.iter().fold(0, |m, a| m | bit(*a));
                offer(Offer {
                    cost: 2.5,
                    op: Op::Cells {
                        part: i as u16,
                        bound,
                        any,
                    },
                    part: Some(i),
                    binds: vars & !bound,
                });
            }
        }
        best
    }

    /// The variables a positive literal can bind from bound ones.
    fn sources(&self, conj: &Conj, lit: &Lit, bound: u32) -> Vec<(usize, f64, Gen)> {
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
            Atom::InRoom(a, b) if !prev => {
                found.extend(tie(*b, *a, 1.0, Gen::Room(*a)));
            }
            Atom::Held(a) => {
                found.extend(var(*a).map(|v| (v, 0.9, Gen::Held(prev))));
            }
            Atom::State(s, a) if !prev => {
                if let Some(v) = var(*a) {
                    let dom = conj.doms[v];
                    let list = &self.doms.get(dom).list;
                    let has = |n: &&Ix| self.graph.states(**n).has(*s);
                    let now = list.iter().filter(has).count();
                    if list.len() > 2 {
                        found.push((v, now as f64 + 0.5, Gen::Alpha(NOT_YET)));
                    }
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
