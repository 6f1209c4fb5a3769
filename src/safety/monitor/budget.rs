//! What a rule may cost in a scene: how many cells its families may hold, and how many tuples looking for them all may
//! touch. Both are estimated from the plans before anything is enumerated, so that no rule can freeze a scene.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::sim::graph::Graph;

use super::atom::{Arg, Atom, Conj, DomId, FamIx, Gen, Lit, Op, Part};
use super::norm::{Family, Kind};
use super::plan::mask;
use super::program::Program;

/// How many cells of a family that remembers may be expected to hold at once: a step may read each of them again, and a
/// screen looks at hundreds of steps.
const CELLS: f64 = 20_000.0;

/// How many instances of a rule may be expected to be broken at once.
const BROKEN: f64 = 100_000.0;

/// How many tuples may be expected to be touched when a family is computed anew.
const LOOKS: f64 = 50_000_000.0;

/// Per family what is too much about it, in words; nothing for nearly all.
pub(super) fn over(program: &Program, (graph, rooms): (&Graph, &[u32])) -> Vec<Option<String>> {
    let families = &program.families;
    let mut budget = Budget {
        program,
        graph,
        rooms,
        near: nearby(graph),
        cells: vec![None; families.len()],
        having: RefCell::default(),
        crowds: RefCell::default(),
    };
    let mut all = Vec::with_capacity(families.len());
    for (i, family) in families.iter().enumerate() {
        let (mut cells, mut looks) = (0.0, 0.0);
        for conj in family.on.iter().chain(&family.start) {
            let cost = budget.anew(conj);
            cells += cost.tuples;
            looks += cost.looks;
        }
        // Cells that hold read their second formula again.
        let keep: f64 = family.keep.iter().map(|c| budget.full(c)).sum();
        looks += cells * keep;
        let most: f64 = family.keys.iter().map(|d| budget.len(*d)).product();
        cells = f64::min(cells, most);
        budget.cells[i] = Some(cells);
        let limit = match family.kind {
            Kind::Body(_) => BROKEN,
            _ => CELLS,
        };
        all.push(if cells > limit {
            Some(too_much(
                cells,
                limit,
                "combinations would have to be remembered",
            ))
        } else if looks > LOOKS {
            Some(too_much(
                looks,
                LOOKS,
                "combinations would have to be looked at",
            ))
        } else {
            None
        });
    }
    all
}

/// The first family over the budget that this one reads, itself included.
pub(super) fn reached<'o>(
    fam: FamIx,
    families: &[Family],
    over: &'o [Option<String>],
) -> Option<&'o String> {
    let mut seen = vec![false; families.len()];
    let mut open = vec![fam];
    while let Some(fam) = open.pop() {
        let at = usize::from(fam);
        if seen.get(at).is_none_or(|s| *s) {
            continue;
        }
        seen[at] = true;
        if let Some(Some(why)) = over.get(at) {
            return Some(why);
        }
        let f = &families[at];
        for conj in f.on.iter().chain(&f.keep).chain(&f.start) {
            read_by(conj, &mut open);
        }
    }
    None
}

fn read_by(conj: &Conj, into: &mut Vec<FamIx>) {
    for part in &conj.parts {
        match part {
            Part::Lit(Lit {
                atom: Atom::Cell(fam, _),
                ..
            }) => into.push(*fam),
            Part::Lit(_) => {}
            Part::Sub { conjs, .. } => conjs.iter().for_each(|c| read_by(c, into)),
        }
    }
}

/// `about 2,440,000 combinations would have to be remembered, the limit is 250,000`.
fn too_much(count: f64, most: f64, what: &str) -> String {
    let (about, count) = match count {
        count if count < 1e15 => ("about", count),
        _ => ("more than", 1e15),
    };
    let (count, most) = (grouped(count), grouped(most));
    format!("{about} {count} {what}, the limit is {most}")
}

/// Three digits that count, the rest zeros, in groups.
fn grouped(count: f64) -> String {
    let mut scale = 1.0;
    while count / scale >= 1_000.0 {
        scale *= 10.0;
    }
    let digits = format!("{:.0}", (count / scale).round() * scale);
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

/// What looking for all tuples of a conjunction takes.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    tuples: f64,
    looks: f64,
}

struct Budget<'b> {
    program: &'b Program,
    graph: &'b Graph,
    /// Per node its room at the start.
    rooms: &'b [u32],
    /// How many nodes are near one, on average.
    near: f64,
    /// Of the families before: how many cells they may hold.
    cells: Vec<Option<f64>>,
    /// What was counted already.
    having: RefCell<FxHashMap<(u16, DomId), f64>>,
    crowds: RefCell<FxHashMap<DomId, f64>>,
}

impl Budget<'_> {
    fn len(&self, dom: DomId) -> f64 {
        self.program.doms.len(dom) as f64
    }

    /// All tuples of a conjunction.
    fn anew(&self, conj: &Conj) -> Cost {
        self.follow(conj, &conj.scan, 0)
    }

    /// Whether a conjunction holds for values bound outside.
    fn full(&self, conj: &Conj) -> f64 {
        self.follow(conj, &conj.full, mask(conj.base)).looks
    }

    fn follow(&self, conj: &Conj, ops: &[Op], mut bound: u32) -> Cost {
        let mut cost = Cost {
            tuples: 1.0,
            looks: 1.0,
        };
        for op in ops {
            match op {
                Op::Check(i) => match &conj.parts[usize::from(*i)] {
                    Part::Lit(lit) => {
                        cost.looks += cost.tuples;
                        cost.tuples *= self.share(lit);
                    }
                    Part::Sub { conjs, .. } => {
                        let inner: f64 = conjs.iter().map(|c| self.full(c)).sum();
                        cost.looks += cost.tuples * inner;
                    }
                },
                Op::Bind { var, from, .. } => {
                    let dom = conj.doms[usize::from(*var)];
                    cost.tuples *= f64::min(self.values(from, dom), self.len(dom));
                    cost.looks += cost.tuples;
                    bound |= 1 << *var;
                }
                Op::Cells { part, .. } => {
                    let Part::Lit(Lit {
                        atom: Atom::Cell(fam, args),
                        ..
                    }) = &conj.parts[usize::from(*part)]
                    else {
                        continue;
                    };
                    let all = args.iter().fold(0, |m, a| m | bit(*a));
                    let free = (0..conj.doms.len()).filter(|v| (all & !bound) >> v & 1 == 1);
                    let most: f64 = free.map(|v| self.len(conj.doms[v])).product();
                    let cells = self.cells[usize::from(*fam)].unwrap_or(UNKNOWN);
                    // The list is read through for every tuple so far.
                    cost.looks += cost.tuples * cells;
                    cost.tuples *= f64::min(cells, most);
                    bound |= all;
                }
            }
        }
        cost
    }

    fn values(&self, from: &Gen, dom: DomId) -> f64 {
        match from {
            Gen::Dom => self.len(dom),
            Gen::Alpha(list, _) => self.having(*list, dom),
            Gen::Near(..) => self.near,
            Gen::Peers(..) | Gen::Lodgers(..) => self.crowd(dom),
            Gen::Out(..) | Gen::In(..) | Gen::Up(_) | Gen::Down(_) => SLACK,
            Gen::Held(_) => 2.0,
            Gen::Room(..) | Gen::Same(_) | Gen::Act(..) => 1.0,
        }
    }

    /// How many nodes of a range have the state of a list now, and a few more.
    fn having(&self, list: u16, dom: DomId) -> f64 {
        let count = || {
            let state = self.program.listed.state(list);
            let range = self.program.doms.get(dom).list.iter();
            let now = range.filter(|n| self.graph.states(**n).has(state));
            now.count() as f64 + SLACK
        };
        let mut known = self.having.borrow_mut();
        *known.entry((list, dom)).or_insert_with(count)
    }

    /// How many nodes of a range share a room with one of them, on average.
    fn crowd(&self, dom: DomId) -> f64 {
        if let Some(known) = self.crowds.borrow().get(&dom) {
            return *known;
        }
        let crowd = self.crowded(dom);
        self.crowds.borrow_mut().insert(dom, crowd);
        crowd
    }

    fn crowded(&self, dom: DomId) -> f64 {
        let list = &self.program.doms.get(dom).list;
        let mut by_room: FxHashMap<u32, f64> = FxHashMap::default();
        for n in list {
            *by_room.entry(self.rooms[n.at()]).or_default() += 1.0;
        }
        let pairs: f64 = by_room.values().map(|n| n * n).sum();
        1.0 + pairs / list.len().max(1) as f64
    }

    /// Which share of tuples passes a literal whose variables are all bound.
    fn share(&self, lit: &Lit) -> f64 {
        if lit.neg {
            return 1.0;
        }
        let nodes = self.graph.scene().len().max(1) as f64;
        match lit.atom {
            Atom::Same(..) | Atom::InRoom(..) | Atom::Held(_) => f64::min(1.0, 2.0 / nodes),
            Atom::Rel(..) | Atom::Within(..) => f64::min(1.0, SLACK / nodes),
            Atom::Near(..) => f64::min(1.0, self.near / nodes),
            _ => 1.0,
        }
    }
}

/// How many values a relation gives, and how many more nodes than now may come to have a state.
const SLACK: f64 = 4.0;

/// Cells of a family that is only computed later.
const UNKNOWN: f64 = 64.0;

fn bit(a: Arg) -> u32 {
    match a {
        Arg::Me => 0,
        Arg::Var(v) => 1 << v,
    }
}

/// How many nodes are near one, on average.
fn nearby(graph: &Graph) -> f64 {
    let scene = graph.scene();
    let near = scene.dialect().near;
    let edges = scene.edges().iter().filter(|e| e.rel == near).count();
    1.0 + edges as f64 / scene.len().max(1) as f64
}
