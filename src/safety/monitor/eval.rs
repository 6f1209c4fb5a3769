//! Reading formulas at a position: literals, and the search for tuples along a plan.

use crate::sim::vocab::{DEEPEST, Ix};
use crate::sim::world::Action;

use super::atom::{Arg, Atom, Binding, Conj, FamIx, Gen, Lit, Op, Part};
use super::cells::{ABSENT, Cells};
use super::dom::Dom;
use super::lists::Lists;
use super::log::CellChange;
use super::norm::Kind;
use super::program::Program;
use super::view::{NOWHERE, View};

/// A position as formulas see it.
#[derive(Clone, Copy)]
pub(super) struct Eval<'a> {
    pub(super) program: &'a Program,
    pub(super) now: View<'a>,
    pub(super) before: View<'a>,
    /// How many steps led here.
    pub(super) depth: u32,
    /// Whether there is an earlier position.
    pub(super) follows: bool,
    /// Whether the run ends here.
    pub(super) end: bool,
    pub(super) act: Option<Action>,
    pub(super) act_before: Option<Action>,
    pub(super) cells: &'a [Cells],
    pub(super) rooms: &'a [u32],
    pub(super) lists: &'a Lists,
    /// What this step changed so far.
    pub(super) moved: &'a [(Ix, u32, u32)],
    pub(super) changed: &'a [CellChange],
}

impl Eval<'_> {
    #[inline]
    fn arg(&self, a: Arg, b: &Binding) -> Ix {
        match a {
            Arg::Me => self.now.me,
            Arg::Var(v) => b[usize::from(v)],
        }
    }

    #[inline]
    fn room(&self, n: Ix, prev: bool) -> u32 {
        if prev && let Some(&(_, old, _)) = self.moved.iter().find(|m| m.0 == n) {
            return old;
        }
        self.rooms[n.at()]
    }

    /// Whether a cell holds, now or a position earlier.
    pub(super) fn cell(&self, fam: FamIx, key: u128, prev: bool) -> bool {
        let mut value = self.cells[usize::from(fam)].get(key);
        if prev && let Some(c) = self.changed.iter().find(|c| c.fam == fam && c.key == key) {
            value = c.old;
        }
        self.holds(fam, value, prev)
    }

    /// Whether a cell of that value holds.
    #[inline]
    fn holds(&self, fam: FamIx, value: u32, prev: bool) -> bool {
        match self.program.families[usize::from(fam)].kind {
            Kind::Run(most) => {
                // An attempt moves nothing: the position before it is the one that stands.
                let depth = self.depth - u32::from(prev && self.before.back.is_some());
                value != ABSENT && depth + 1 > most.saturating_add(value)
            }
            _ => value != ABSENT,
        }
    }

    fn act(action: Option<Action>, mask: u64, args: [Option<Ix>; 2]) -> bool {
        let Some(action) = action else {
            return false;
        };
        mask >> action.verb & 1 == 1
            && args[0].is_none_or(|a| a == action.a)
            && args[1].is_none_or(|b| b == action.b)
    }

    /// Whether a literal holds.
    pub(super) fn lit(&self, lit: &Lit, b: &Binding) -> bool {
        let prev = lit.prev;
        if prev && !self.follows {
            return lit.neg;
        }
        let view = self.view(prev);
        let holds = match &lit.atom {
            Atom::Start if prev => self.depth == 1,
            Atom::Start => !self.follows,
            Atom::End => self.end,
            Atom::Same(x, y) => self.arg(*x, b) == self.arg(*y, b),
            Atom::Is(d, x) => self.program.doms.get(*d).has(self.arg(*x, b)),
            Atom::State(s, x) => view.state(self.arg(*x, b), *s),
            Atom::Rel(m, x, y) => view.related(*m, self.arg(*x, b), self.arg(*y, b)),
            Atom::Near(x, y) => view.near(self.arg(*x, b), self.arg(*y, b)),
            Atom::Held(x) => view.held(self.arg(*x, b)),
            Atom::InRoom(x, r) => self.room(self.arg(*x, b), prev) == self.arg(*r, b).0,
            Atom::SameRoom(x, y) => {
                let room = self.room(self.arg(*x, b), prev);
                room != NOWHERE && room == self.room(self.arg(*y, b), prev)
            }
            Atom::Within(x, s) => view.within(self.arg(*x, b), self.arg(*s, b)),
            Atom::Act(mask, args) => {
                let args = args.map(|a| a.map(|a| self.arg(a, b)));
                let action = if prev { self.act_before } else { self.act };
                Self::act(action, *mask, args)
            }
            Atom::Cell(fam, args) => {
                let pack = self.program.pack;
                let mut nodes = [Ix(0); 8];
                for (to, a) in nodes.iter_mut().zip(args) {
                    *to = self.arg(*a, b);
                }
                self.cell(*fam, pack.key(&nodes[..args.len()]), prev)
            }
        };
        holds != lit.neg
    }

    fn part(&self, part: &Part, b: &mut Binding) -> bool {
        match part {
            Part::Lit(lit) => self.lit(lit, b),
            Part::Sub { neg, conjs } => conjs.iter().any(|c| self.holds_for(c, b)) != *neg,
        }
    }

    /// Whether a conjunction holds for some values of its own variables.
    pub(super) fn holds_for(&self, conj: &Conj, b: &mut Binding) -> bool {
        self.run(conj, &conj.full, b, &mut |_| {})
    }

    /// Follows a plan, tells every tuple found, and whether there was one.
    pub(super) fn run(
        &self,
        conj: &Conj,
        ops: &[Op],
        b: &mut Binding,
        found: &mut dyn FnMut(&Binding),
    ) -> bool {
        let Some((op, rest)) = ops.split_first() else {
            found(b);
            return true;
        };
        match op {
            Op::Check(i) => {
                self.part(&conj.parts[usize::from(*i)], b) && self.run(conj, rest, b, found)
            }
            Op::Bind { var, from, any } => {
                let mut seen = false;
                let var = usize::from(*var);
                let dom = self.program.doms.get(conj.doms[var]);
                let at = match from {
                    Gen::Out(_, a, _)
                    | Gen::In(_, a, _)
                    | Gen::Near(a, _)
                    | Gen::Up(a)
                    | Gen::Down(a)
                    | Gen::Room(a, _)
                    | Gen::Peers(_, a, _)
                    | Gen::Lodgers(_, a, _)
                    | Gen::Same(a) => self.arg(*a, b),
                    Gen::Dom | Gen::Alpha(..) | Gen::Held(_) | Gen::Act(..) => Ix::NONE,
                };
                self.values(from, (dom, at), &mut |n| {
                    if dom.has(n) {
                        b[var] = n;
                        seen |= self.run(conj, rest, b, found);
                    }
                    seen && *any
                });
                seen
            }
            Op::Cells { part, bound, any } => {
                let Part::Lit(lit) = &conj.parts[usize::from(*part)] else {
                    return false;
                };
                let Atom::Cell(fam, args) = &lit.atom else {
                    return false;
                };
                let mut seen = false;
                self.holding(*fam, lit.prev, &mut |key| {
                    if self.fill(conj, (args, *bound), key, b) {
                        seen |= self.run(conj, rest, b, found);
                    }
                    seen && *any
                });
                seen
            }
        }
    }

    /// Calls `f` with the cells of a family that hold, now or a position earlier, until it says stop.
    fn holding(&self, fam: FamIx, prev: bool, f: &mut dyn FnMut(u128) -> bool) {
        if prev && !self.follows {
            return;
        }
        let changed = if prev { self.changed } else { &[] };
        // The first change of a cell in a step tells what it was.
        let first = |key| changed.iter().position(|c| c.fam == fam && c.key == key);
        let cells = &self.cells[usize::from(fam)];
        for (key, now) in cells.iter() {
            let value = first(key).map_or(now, |i| changed[i].old);
            if self.holds(fam, value, prev) && f(key) {
                return;
            }
        }
        for (i, c) in changed.iter().enumerate() {
            let gone = c.fam == fam && cells.get(c.key) == ABSENT && first(c.key) == Some(i);
            if gone && self.holds(fam, c.old, true) && f(c.key) {
                return;
            }
        }
    }

    /// Gives unbound arguments the nodes of a cell; false where it does not fit.
    fn fill(
        &self,
        conj: &Conj,
        (args, mut bound): (&[Arg], u32),
        key: u128,
        b: &mut Binding,
    ) -> bool {
        for (i, arg) in args.iter().enumerate() {
            let n = self.program.pack.node(key, i);
            match *arg {
                Arg::Me => {
                    if n != self.now.me {
                        return false;
                    }
                }
                Arg::Var(v) if bound & 1 << v == 0 => {
                    if !self.program.doms.get(conj.doms[usize::from(v)]).has(n) {
                        return false;
                    }
                    bound |= 1 << v;
                    b[usize::from(v)] = n;
                }
                Arg::Var(v) => {
                    if b[usize::from(v)] != n {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Calls `f` with the values of a source until it says stop.
    fn values(&self, from: &Gen, (dom, at): (&Dom, Ix), f: &mut dyn FnMut(Ix) -> bool) {
        match from {
            Gen::Dom => {
                let _ = dom.list.iter().any(|&n| f(n));
            }
            Gen::Alpha(list, prev) => self.having(*list, *prev, f),
            Gen::Out(.., true)
            | Gen::In(.., true)
            | Gen::Near(_, true)
            | Gen::Held(true)
            | Gen::Act(.., true)
            | Gen::Room(_, true)
            | Gen::Peers(.., true)
            | Gen::Lodgers(.., true)
                if !self.follows => {}
            Gen::Out(m, _, prev) => {
                self.view(*prev).each(*m, at, false, f);
            }
            Gen::In(m, _, prev) => {
                if !self.now.graph.hot(at).room {
                    self.view(*prev).each(*m, at, true, f);
                }
            }
            Gen::Near(_, prev) => {
                self.view(*prev).each_near(at, f);
            }
            Gen::Up(_) => {
                self.now.climb(at, DEEPEST, f);
            }
            Gen::Down(_) => {
                self.now.descend(at, DEEPEST, f);
            }
            Gen::Held(prev) => {
                let view = self.view(*prev);
                view.each(view.words.hands, view.me, false, f);
            }
            Gen::Room(_, prev) => {
                let room = self.room(at, *prev);
                if room != NOWHERE {
                    f(Ix(room));
                }
            }
            Gen::Peers(list, _, prev) => {
                self.in_room((*list, dom), (self.room(at, *prev), *prev), f);
            }
            Gen::Lodgers(list, _, prev) => self.in_room((*list, dom), (at.0, *prev), f),
            Gen::Same(_) => {
                f(at);
            }
            Gen::Act(verbs, second, prev) => {
                let action = if *prev { self.act_before } else { self.act };
                if let Some(action) = action.filter(|a| verbs >> a.verb & 1 == 1) {
                    f(if *second { action.b } else { action.a });
                }
            }
        }
    }

    /// Calls `f` with the nodes of a list that have its state, now or a position earlier, until it says stop.
    fn having(&self, list: u16, prev: bool, f: &mut dyn FnMut(Ix) -> bool) {
        let now = self.lists.having(list);
        if !prev {
            let _ = now.iter().any(|&n| f(n));
            return;
        }
        if !self.follows {
            return;
        }
        let state = self.program.listed.state(list);
        for &n in now {
            if self.before.state(n, state) && f(n) {
                return;
            }
        }
        for &(n, xor) in self.before.back.iter().flat_map(|diff| &diff.states) {
            let lost = xor >> state.0 & 1 == 1 && !self.now.state(n, state);
            if lost && f(n) {
                return;
            }
        }
    }

    /// Calls `f` with the nodes of a list in a room, now or a position earlier, until it says stop.
    fn in_room(
        &self,
        (list, dom): (u16, &Dom),
        (room, prev): (u32, bool),
        f: &mut dyn FnMut(Ix) -> bool,
    ) {
        let moved = if prev { self.moved } else { &[] };
        let now = self.lists.in_room(&self.program.listed, list, room);
        for &n in now {
            if !moved.iter().any(|m| m.0 == n) && f(n) {
                return;
            }
        }
        for &(n, old, _) in moved {
            if old == room && dom.has(n) && f(n) {
                return;
            }
        }
    }

    #[inline]
    const fn view(&self, prev: bool) -> &View<'_> {
        if prev { &self.before } else { &self.now }
    }
}
