//! Who reads what: for every fact that may change, the places in formulas that look at it.

use crate::sim::vocab::{Ix, Rel};

use super::atom::{Arg, Atom, Conj, DomId, FamIx, Gen, Lit, Op, Part, When};
use super::dom::Doms;
use super::norm::{Family, Kind};
use super::plan::Planner;

/// An argument of a reader: the agent, or a node of a range, perhaps bound to a variable of the conjunction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) dom: Option<DomId>,
    pub(super) var: Option<u8>,
}

/// When a change is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// At once: nothing it needs is still to be settled.
    Now,
    /// When its family's turn comes.
    Later,
    /// One step later: it reads the position before.
    Next,
}

/// What a search cannot do without: known in a moment, and mostly not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gate {
    /// A cell of the family holds, or (`true`) held a position earlier.
    Cells(FamIx, bool),
    /// Something is on the list by state.
    List(u16),
    /// Something is held.
    Hands,
}

/// An atom in a formula, asked when a fact it may speak of changed.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub(super) fam: FamIx,
    pub(super) conj: u16,
    /// The value of the atom that may make the conjunction true.
    pub(super) on: bool,
    /// Whether that alone can be the reason.
    pub(super) fires: bool,
    /// Whether cells that hold have to be read again when it turns the other way.
    pub(super) stales: bool,
    /// When a change counts.
    pub(super) due: Due,
    /// Which argument it is listed under.
    pub(super) role: u8,
    pub(super) places: Vec<Place>,
    /// How to find the tuples, given the arguments.
    pub(super) ops: Vec<Op>,
    /// What there must be for that.
    pub(super) gates: Vec<Gate>,
}

/// Numbers of readers by node.
#[derive(Clone, Debug, Default)]
pub(super) struct ByNode {
    start: Vec<u32>,
    ids: Vec<u32>,
}

impl ByNode {
    pub(super) fn new(mut pairs: Vec<(Ix, u32)>, nodes: usize) -> Self {
        if pairs.is_empty() {
            return Self::default();
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut start = vec![0; nodes + 1];
        for (n, _) in &pairs {
            start[n.at() + 1] += 1;
        }
        for i in 0..nodes {
            start[i + 1] += start[i];
        }
        Self {
            start,
            ids: pairs.into_iter().map(|p| p.1).collect(),
        }
    }

    #[inline]
    pub(super) fn of(&self, n: Ix) -> &[u32] {
        match self.start.get(n.at()..n.at() + 2) {
            Some(&[from, to]) => &self.ids[from as usize..to as usize],
            _ => &[],
        }
    }
}

/// All readers, by what they read.
#[derive(Clone, Debug, Default)]
pub(super) struct Readers {
    pub(super) all: Vec<Reader>,
    /// By state.
    pub(super) states: Vec<ByNode>,
    /// By relation, listed under the first and under the second node.
    pub(super) first: Vec<ByNode>,
    pub(super) second: Vec<ByNode>,
    pub(super) near: ByNode,
    pub(super) held: ByNode,
    pub(super) room: ByNode,
    /// Listed under the outer thing.
    pub(super) within: ByNode,
    pub(super) acts: Vec<Vec<u32>>,
    pub(super) cells: Vec<Vec<u32>>,
}

/// Collects readers.
pub(super) struct Collect<'a, 'p> {
    pub(super) planner: Planner<'p>,
    pub(super) me: Ix,
    pub(super) all: Vec<Reader>,
    pub(super) states: Vec<Vec<(Ix, u32)>>,
    pub(super) first: Vec<Vec<(Ix, u32)>>,
    pub(super) second: Vec<Vec<(Ix, u32)>>,
    pub(super) near: Vec<(Ix, u32)>,
    pub(super) held: Vec<(Ix, u32)>,
    pub(super) room: Vec<(Ix, u32)>,
    pub(super) within: Vec<(Ix, u32)>,
    pub(super) acts: Vec<Vec<u32>>,
    pub(super) cells: Vec<Vec<u32>>,
    pub(super) families: &'a [Family],
}

/// Where a literal stands.
#[derive(Clone, Copy)]
struct Spot<'c> {
    fam: FamIx,
    at: usize,
    root: &'c Conj,
    /// Whether it can make the family's cells true.
    fires: bool,
}

impl Collect<'_, '_> {
    /// Lists every atom of every family.
    pub(super) fn collect(&mut self) {
        for (i, family) in self.families.iter().enumerate() {
            let fam = i as FamIx;
            for (at, root) in family.on.iter().enumerate() {
                let spot = Spot {
                    fam,
                    at,
                    root,
                    fires: true,
                };
                if !matches!(root.when, When::End | When::Start) {
                    self.parts(spot, root, true);
                }
            }
            for (at, root) in family.keep.iter().enumerate() {
                let spot = Spot {
                    fam,
                    at,
                    root,
                    fires: false,
                };
                self.parts(spot, root, true);
            }
        }
    }

    fn parts(&mut self, spot: Spot<'_>, conj: &Conj, even: bool) {
        for part in &conj.parts {
            match part {
                Part::Lit(lit) => self.lit(spot, conj, (lit, even)),
                Part::Sub { neg, conjs } => {
                    for c in conjs {
                        self.parts(spot, c, even != *neg);
                    }
                }
            }
        }
    }

    fn lit(&mut self, spot: Spot<'_>, conj: &Conj, (lit, even): (&Lit, bool)) {
        let is_act = matches!(lit.atom, Atom::Act(..));
        let covered = spot.root.when == When::Act && spot.fires;
        if covered && !is_act {
            return;
        }
        let at_root = std::ptr::eq(conj, spot.root);
        let fires = spot.fires && (!covered || (at_root && !lit.neg && !lit.prev));
        let once = self.families[usize::from(spot.fam)].kind == Kind::Once;
        if once && !fires {
            return;
        }
        match &lit.atom {
            Atom::Start | Atom::End | Atom::Same(..) | Atom::Is(..) => {}
            Atom::SameRoom(a, b) => {
                for (role, arg) in [a, b].into_iter().enumerate() {
                    let place = Self::place(spot, conj, *arg);
                    let id = self.put(spot, (lit, even, fires), (role, vec![place]));
                    let nodes = self.nodes(place);
                    self.room.extend(nodes.into_iter().map(|n| (n, id)));
                }
            }
            Atom::InRoom(a, _) => {
                let place = Self::place(spot, conj, *a);
                let id = self.put(spot, (lit, even, fires), (0, vec![place]));
                let nodes = self.nodes(place);
                self.room.extend(nodes.into_iter().map(|n| (n, id)));
            }
            Atom::Act(mask, args) => {
                let places = args
                    .iter()
                    .map(|a| match a {
                        Some(a) => Self::place(spot, conj, *a),
                        None => ANYTHING,
                    })
                    .collect();
                let id = self.put(spot, (lit, even, fires), (0, places));
                for (verb, list) in self.acts.iter_mut().enumerate() {
                    if mask >> verb & 1 == 1 {
                        list.push(id);
                    }
                }
            }
            Atom::Cell(fam, args) => {
                let places = args.iter().map(|a| Self::place(spot, conj, *a)).collect();
                let id = self.put(spot, (lit, even, fires), (0, places));
                self.cells[usize::from(*fam)].push(id);
            }
            atom => self.by_node(spot, conj, (lit, even, fires), atom),
        }
    }

    /// Lists a reader of the graph under the argument with the smaller range.
    fn by_node(&mut self, spot: Spot<'_>, conj: &Conj, which: (&Lit, bool, bool), atom: &Atom) {
        let places: Vec<Place> = atom
            .args()
            .into_iter()
            .map(|a| Self::place(spot, conj, a))
            .collect();
        let size = |p: Option<&Place>| match p {
            None => usize::MAX,
            // The agent is part of most changes of nearness: better listed under the other.
            Some(p) => p.dom.map_or(usize::MAX - 1, |d| self.planner.doms().len(d)),
        };
        let role = match atom {
            Atom::Within(..) => 1,
            _ => usize::from(size(places.get(1)) < size(places.first())),
        };
        let nodes = self.nodes(places[role]);
        let id = self.put(spot, which, (role, places));
        let entries = nodes.into_iter().map(|n| (n, id));
        match atom {
            Atom::State(s, _) => self.states[usize::from(s.0)].extend(entries),
            Atom::Near(..) => self.near.extend(entries),
            Atom::Held(_) => self.held.extend(entries),
            Atom::Within(..) => self.within.extend(entries),
            Atom::Rel(mask, ..) => {
                let entries: Vec<(Ix, u32)> = entries.collect();
                for Rel(r) in mask.iter() {
                    let side = if role == 0 {
                        &mut self.first
                    } else {
                        &mut self.second
                    };
                    side[usize::from(r)].extend(&entries);
                }
            }
            _ => {}
        }
    }

    fn place(spot: Spot<'_>, conj: &Conj, arg: Arg) -> Place {
        match arg {
            Arg::Me => Place {
                dom: None,
                var: None,
            },
            Arg::Var(v) => {
                // Variables bound further inside say nothing about the tuple.
                let seen = usize::from(v) < spot.root.doms.len();
                Place {
                    dom: Some(conj.doms[usize::from(v)]),
                    var: seen.then_some(v as u8),
                }
            }
        }
    }

    fn nodes(&self, place: Place) -> Vec<Ix> {
        place.dom.map_or_else(
            || vec![self.me],
            |d| self.planner.doms().get(d).list.clone(),
        )
    }

    fn put(
        &mut self,
        spot: Spot<'_>,
        (lit, even, fires): (&Lit, bool, bool),
        (role, places): (usize, Vec<Place>),
    ) -> u32 {
        let bound = places
            .iter()
            .filter_map(|p| p.var)
            .fold(0, |m, v| m | 1 << v);
        let ops = if fires {
            self.planner.ops(spot.root, bound)
        } else {
            Vec::new()
        };
        self.all.push(Reader {
            fam: spot.fam,
            conj: spot.at as u16,
            on: even != lit.neg,
            fires,
            stales: self.families[usize::from(spot.fam)].kind != Kind::Once,
            due: match (lit.prev, spot.root.settled) {
                (true, _) => Due::Next,
                (_, true) => Due::Now,
                _ => Due::Later,
            },
            role: role as u8,
            places,
            gates: gates(spot.root, &ops),
            ops,
        });
        self.all.len() as u32 - 1
    }

    /// The finished tables.
    pub(super) fn finish(self, nodes: usize) -> Readers {
        let tables = |lists: Vec<Vec<(Ix, u32)>>| {
            lists
                .into_iter()
                .map(|l| ByNode::new(l, nodes))
                .collect::<Vec<_>>()
        };
        Readers {
            all: self.all,
            states: tables(self.states),
            first: tables(self.first),
            second: tables(self.second),
            near: ByNode::new(self.near, nodes),
            held: ByNode::new(self.held, nodes),
            room: ByNode::new(self.room, nodes),
            within: ByNode::new(self.within, nodes),
            acts: self.acts,
            cells: self.cells,
        }
    }
}

/// What a plan needs to find anything.
fn gates(conj: &Conj, ops: &[Op]) -> Vec<Gate> {
    let cells = conj.needs.iter().map(|&(fam, prev)| Gate::Cells(fam, prev));
    let lists = ops.iter().filter_map(|op| match op {
        Op::Bind {
            from: Gen::Alpha(list, false),
            ..
        } => Some(Gate::List(*list)),
        _ => None,
    });
    let held = |p: &Part| match p {
        Part::Lit(l) => matches!(l.atom, Atom::Held(_)) && !l.neg && !l.prev,
        Part::Sub { .. } => false,
    };
    let hands = conj.parts.iter().any(held).then_some(Gate::Hands);
    lists.chain(hands).chain(cells).collect()
}

/// An argument that matches whatever stands there, also nothing.
pub(super) const ANYTHING: Place = Place {
    dom: Some(DomId::MAX),
    var: None,
};

impl Place {
    /// Whether a node may stand here.
    #[inline]
    pub(super) fn takes(self, n: Ix, me: Ix, doms: &Doms) -> bool {
        match self.dom {
            None => n == me,
            Some(DomId::MAX) => true,
            Some(d) => doms.get(d).has(n),
        }
    }
}
