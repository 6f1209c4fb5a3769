//! One step: from changed facts to the cells and verdicts they move.

use crate::safety::verdict::Turn;
use crate::sim::graph::Graph;
use crate::sim::vocab::{DEEPEST, Ix, States};
use crate::sim::world::{Action, World};

use super::atom::{Binding, Conj, FamIx, MAX_VARS, When};
use super::cells::{ABSENT, ACTIVE};
use super::eval::Eval;
use super::log::{CellChange, StepLog};
use super::norm::Kind;
use super::program::Program;
use super::readers::{Due, Reader};
use super::view::{View, room_of};
use super::{Extra, Monitor, Moved, Spare};

impl Monitor {
    /// Follows a step that the world has just done.
    pub fn step(&mut self, world: &World, moved: &Moved<'_>, log: &mut StepLog) {
        let program = self.program.clone();
        let mut spare = std::mem::take(&mut self.spare);
        log.clear();
        log.action_before = self.last;
        log.action = Some(moved.action);
        log.before.copy_from(&self.next);
        std::mem::swap(&mut spare.now, &mut self.next);
        self.next.clear();
        self.depth += 1;
        self.last = Some(moved.action);
        let graph = world.graph();
        spare
            .diff
            .read(graph, moved.items, program.words.near, moved.repeats);
        let mut run = Run {
            monitor: self,
            program: &program,
            graph,
            log,
            spare: &mut spare,
            moved,
        };
        run.graph_events();
        run.act_events();
        run.old_business();
        run.settle();
        spare.hits.clear();
        log.after.copy_from(&self.next);
        self.spare = spare;
    }

    /// Takes back the step that led to the current position.
    pub fn undo(&mut self, log: &StepLog) {
        for c in log.cells.iter().rev() {
            self.cells[usize::from(c.fam)].set(c.key, c.old);
        }
        for &(id, n, on) in log.alphas.iter().rev() {
            list(&mut self.alphas[id as usize], n, !on);
        }
        for &(n, old, _) in &log.rooms {
            self.rooms[n.at()] = old;
        }
        self.next.copy_from(&log.before);
        self.depth -= 1;
        self.last = log.action_before;
    }

    /// Does a step again that was taken back.
    pub fn redo(&mut self, log: &StepLog) {
        for c in &log.cells {
            self.cells[usize::from(c.fam)].set(c.key, c.new);
        }
        for &(id, n, on) in &log.alphas {
            list(&mut self.alphas[id as usize], n, on);
        }
        for &(n, _, new) in &log.rooms {
            self.rooms[n.at()] = new;
        }
        self.next.copy_from(&log.after);
        self.depth += 1;
        self.last = log.action;
    }
}

/// Puts a node onto a sorted list, or takes it off.
fn list(list: &mut Vec<Ix>, n: Ix, on: bool) {
    match list.binary_search(&n) {
        Ok(i) if !on => {
            list.remove(i);
        }
        Err(i) if on => list.insert(i, n),
        _ => {}
    }
}

/// Binds a reader's variables to the nodes of a fact; false where they do not fit.
pub(super) fn bind(program: &Program, reader: &Reader, nodes: &[Ix], b: &mut Binding) -> bool {
    reader.places.iter().zip(nodes).all(|(place, &n)| {
        if !place.takes(n, program.me, &program.doms) {
            return false;
        }
        let Some(var) = place.var else {
            return true;
        };
        let at = &mut b[usize::from(var)];
        let fits = !at.is_some() || *at == n;
        *at = n;
        fits
    })
}

/// A step being followed.
struct Run<'a> {
    monitor: &'a mut Monitor,
    program: &'a Program,
    graph: &'a Graph,
    log: &'a mut StepLog,
    spare: &'a mut Spare,
    moved: &'a Moved<'a>,
}

impl Run<'_> {
    fn touch(&mut self, fam: FamIx) {
        let rank = usize::from(self.program.rank[usize::from(fam)]);
        self.spare.touched[rank / 64] |= 1 << (rank % 64);
    }

    fn set_stale(&mut self, fam: FamIx) {
        if self.monitor.cells[usize::from(fam)].is_empty() {
            return;
        }
        let rank = usize::from(self.program.rank[usize::from(fam)]);
        self.spare.touched[rank / 64] |= 1 << (rank % 64);
        self.spare.stale[rank / 64] |= 1 << (rank % 64);
    }

    /// An atom a reader looks at changed for these nodes; `now` is its value, if that is known.
    fn event(&mut self, id: u32, nodes: &[Ix], now: Option<bool>) {
        let reader = &self.program.readers.all[id as usize];
        let me = self.program.me;
        let fits = |(p, n): (&super::readers::Place, &Ix)| p.takes(*n, me, &self.program.doms);
        if !reader.places.iter().zip(nodes).all(fits) {
            return;
        }
        let on = now.is_none_or(|now| now == reader.on);
        let off = now.is_none_or(|now| now != reader.on);
        let fam = reader.fam;
        if on && reader.fires {
            if reader.due == Due::Now {
                self.follow(reader, nodes);
            } else {
                let places = reader.places.len().min(nodes.len());
                let key = self.program.pack.key(&nodes[..places]);
                if reader.due == Due::Next {
                    self.monitor.next.work.push((id, key));
                } else {
                    self.spare.work[usize::from(fam)].push((id, key));
                    self.touch(fam);
                }
            }
        }
        if reader.stales && (off || !reader.fires) {
            if reader.due != Due::Next {
                self.set_stale(fam);
            } else if !self.monitor.next.stale.contains(&fam) {
                self.monitor.next.stale.push(fam);
            }
        }
    }

    /// Looks at once for the tuples a change leads to: most lead to none, and nothing else has to be done then.
    fn follow(&mut self, reader: &Reader, nodes: &[Ix]) {
        let program = self.program;
        let mut b: Binding = [Ix::NONE; MAX_VARS];
        if !bind(program, reader, nodes, &mut b) {
            return;
        }
        let family = &program.families[usize::from(reader.fam)];
        let keys = family.keys.len();
        let mut hits = std::mem::take(&mut self.spare.hits);
        let found = self.eval().run(
            &family.on[usize::from(reader.conj)],
            &reader.ops,
            &mut b,
            &mut |b| hits.push((reader.fam, program.pack.key(&b[..keys]))),
        );
        self.spare.hits = hits;
        if found {
            self.touch(reader.fam);
        }
    }

    fn graph_events(&mut self) {
        self.lists();
        self.rooms();
        self.state_events();
        self.room_events();
        let program = self.program;
        for i in 0..self.spare.diff.far.len() {
            let (a, b, xor) = self.spare.diff.far[i];
            let room = self.graph.hot(b).room;
            let now = self.graph.rels(a, b).0;
            for rel in 0..8_u8 {
                if xor >> rel & 1 == 0 || room {
                    continue;
                }
                // Moving from "on" to "in" changes no atom of both; taking it for a change costs a look, no more.
                let value = Some(now >> rel & 1 == 1);
                for &id in program.readers.first[usize::from(rel)].of(a) {
                    self.event(id, &[a, b], value);
                }
                for &id in program.readers.second[usize::from(rel)].of(b) {
                    self.event(id, &[a, b], value);
                }
            }
            if xor & program.words.hands.0 != 0 && a == program.me {
                let held = now & program.words.hands.0 != 0;
                for &id in program.readers.held.of(b) {
                    self.event(id, &[b], Some(held));
                }
            }
            if xor & program.words.at.0 != 0 && !room {
                self.within_events(a, b);
            }
        }
        self.near_events();
    }

    fn near_events(&mut self) {
        let program = self.program;
        for i in 0..self.spare.diff.near.len() {
            let (a, b, _) = self.spare.diff.near[i];
            let near = program.words.near;
            if program.readers.near.of(a).is_empty() && program.readers.near.of(b).is_empty() {
                continue;
            }
            let now = self.graph.has(a, near, b) || self.graph.has(b, near, a);
            for (own, other) in [(a, b), (b, a)] {
                for &id in program.readers.near.of(own) {
                    let role = program.readers.all[id as usize].role;
                    let nodes = if role == 0 {
                        [own, other]
                    } else {
                        [other, own]
                    };
                    self.event(id, &nodes, Some(now));
                }
            }
        }
    }

    /// Brings the lists of nodes with a state up to date.
    fn lists(&mut self) {
        for &(n, xor) in &self.spare.diff.states {
            let now = self.graph.states(n);
            for s in States(xor).iter() {
                for &id in self.program.readers.alphas[usize::from(s.0)].of(n) {
                    let on = now.has(s);
                    list(&mut self.monitor.alphas[id as usize], n, on);
                    self.log.alphas.push((id, n, on));
                }
            }
        }
    }

    fn state_events(&mut self) {
        let program = self.program;
        for i in 0..self.spare.diff.states.len() {
            let (n, xor) = self.spare.diff.states[i];
            let now = self.graph.states(n);
            for s in States(xor).iter() {
                for &id in program.readers.states[usize::from(s.0)].of(n) {
                    self.event(id, &[n], Some(now.has(s)));
                }
            }
        }
    }

    /// Who changed rooms: those whose container, or whose holder, changed, and what is in them.
    fn rooms(&mut self) {
        let words = self.program.words;
        let mut nodes = std::mem::take(&mut self.spare.nodes);
        nodes.clear();
        for &(a, b, xor) in &self.spare.diff.far {
            if xor >> words.inside.0 & 1 == 1 {
                nodes.push(a);
            }
            if a == self.program.me && xor & words.hands.0 != 0 {
                nodes.push(b);
            }
        }
        let mut i = 0;
        while i < nodes.len() {
            let n = nodes[i];
            i += 1;
            if n == self.program.me {
                for hand in words.hands.iter() {
                    let held = self.graph.first_target(n, hand);
                    if let Some(held) = held.filter(|h| !nodes.contains(h)) {
                        nodes.push(held);
                    }
                }
            }
            // What is inside follows it, where it is no room.
            let mut j = 0;
            while !self.graph.hot(n).room
                && let Some((other, rels)) = self.graph.neighbour_at(n, words.inside, true, j)
            {
                j += 1;
                if rels.has(words.inside) && !nodes.contains(&other) {
                    nodes.push(other);
                }
            }
            let old = self.monitor.rooms[n.at()];
            let new = room_of(self.graph, words, self.program.me, n);
            if old != new {
                self.monitor.rooms[n.at()] = new;
                self.log.rooms.push((n, old, new));
            }
        }
        self.spare.nodes = nodes;
    }

    fn room_events(&mut self) {
        for i in 0..self.log.rooms.len() {
            let (n, ..) = self.log.rooms[i];
            for &id in self.program.readers.room.of(n) {
                self.event(id, &[n], None);
            }
        }
    }

    /// An edge "on or in" from `a` to `b` changed: what is on or in `a` is on or in what `b` is on or in, or no more.
    fn within_events(&mut self, a: Ix, b: Ix) {
        let program = self.program;
        let mut uppers = std::mem::take(&mut self.spare.nodes);
        uppers.clear();
        {
            let (now, before) = self.views();
            let mut see = |n: Ix| {
                if !program.readers.within.of(n).is_empty() && !uppers.contains(&n) {
                    uppers.push(n);
                }
                false
            };
            see(b);
            now.climb(b, DEEPEST - 1, &mut see);
            before.climb(b, DEEPEST - 1, &mut see);
        }
        let count = uppers.len();
        if count > 0 {
            uppers.push(a);
            let (now, before) = self.views();
            let mut see = |n: Ix| {
                uppers.push(n);
                false
            };
            now.descend(a, DEEPEST - 1, &mut see);
            before.descend(a, DEEPEST - 1, &mut see);
            let lowers = &mut uppers[count..];
            lowers.sort_unstable();
        }
        for u in 0..count {
            let s = uppers[u];
            for l in count..uppers.len() {
                if l > count && uppers[l] == uppers[l - 1] {
                    continue;
                }
                for &id in program.readers.within.of(s) {
                    self.event(id, &[uppers[l], s], None);
                }
            }
        }
        self.spare.nodes = uppers;
    }

    fn views(&self) -> (View<'_>, View<'_>) {
        let now = View {
            graph: self.graph,
            words: self.program.words,
            me: self.program.me,
            back: None,
        };
        let before = View {
            back: Some(&self.spare.diff),
            ..now
        };
        (now, before)
    }

    fn act_events(&mut self) {
        let acts = [
            (Some(self.moved.action), true),
            (self.log.action_before, false),
        ];
        for (action, now) in acts {
            let Some(Action { verb, a, b }) = action else {
                continue;
            };
            let Some(ids) = self.program.readers.acts.get(usize::from(verb)) else {
                continue;
            };
            for &id in ids {
                self.event(id, &[a, b], Some(now));
            }
        }
    }

    /// What the step before left to look at, and what grows older.
    fn old_business(&mut self) {
        let program = self.program;
        for i in 0..self.spare.now.work.len() {
            let (id, key) = self.spare.now.work[i];
            let fam = program.readers.all[id as usize].fam;
            self.spare.work[usize::from(fam)].push((id, key));
            self.touch(fam);
        }
        for i in 0..self.spare.now.stale.len() {
            self.set_stale(self.spare.now.stale[i]);
        }
        for i in 0..self.spare.now.again.len() {
            self.touch(self.spare.now.again[i].0);
        }
        let depth = self.monitor.depth;
        if depth <= 2 {
            for &(_, fam) in program.early.iter().filter(|e| depth <= e.0) {
                self.set_stale(fam);
            }
            for &(_, fam, _) in program.early_scans.iter().filter(|e| depth <= e.0) {
                self.touch(fam);
            }
        }
        for &fam in &program.counting {
            let cells = &self.monitor.cells[usize::from(fam)];
            let ripe = match program.families[usize::from(fam)].kind {
                Kind::Run(most) => cells.values().iter().any(|&since| depth - since == most),
                Kind::Tracked(Some(lasts)) => {
                    let old = |&v: &u32| v != ACTIVE && depth > lasts.saturating_add(v);
                    cells.values().iter().any(old)
                }
                _ => false,
            };
            if ripe {
                self.touch(fam);
            }
        }
        for Extra { fact, .. } in self.moved.extra {
            if let Some(&fam) = program.tracked.get(usize::from(fact.0)) {
                self.touch(fam);
            }
        }
    }

    /// Settles every touched family in order; settling one may touch later ones.
    fn settle(&mut self) {
        for word in 0..self.spare.touched.len() {
            while self.spare.touched[word] != 0 {
                let bit = self.spare.touched[word].trailing_zeros();
                self.spare.touched[word] &= !(1 << bit);
                let stale = self.spare.stale[word] >> bit & 1 == 1;
                self.spare.stale[word] &= !(1 << bit);
                let fam = self.program.order[word * 64 + bit as usize];
                self.one(fam, stale);
            }
        }
    }

    fn eval(&self) -> Eval<'_> {
        let (now, before) = self.views();
        Eval {
            program: self.program,
            now,
            before,
            depth: self.monitor.depth,
            follows: true,
            end: false,
            act: Some(self.moved.action),
            act_before: self.log.action_before,
            cells: &self.monitor.cells,
            rooms: &self.monitor.rooms,
            alphas: &self.monitor.alphas,
            moved: &self.log.rooms,
            changed: &self.log.cells,
        }
    }

    fn one(&mut self, fam: FamIx, stale: bool) {
        let mut found = std::mem::take(&mut self.spare.found);
        found.clear();
        self.candidates(fam, &mut found);
        match self.program.families[usize::from(fam)].kind {
            Kind::Body(_) | Kind::View => self.plain(fam, &found, stale),
            Kind::Once => self.add(fam, &found),
            Kind::Run(most) => {
                self.plain(fam, &found, stale);
                self.grown(fam, most);
            }
            Kind::Since => self.since(fam, &found, stale),
            Kind::Tracked(lasts) => self.fact(fam, &found, (stale, lasts)),
        }
        self.spare.found = found;
    }

    /// Tuples for which the family's formula holds now and may not have held before; sorted.
    fn candidates(&mut self, fam: FamIx, found: &mut Vec<u128>) {
        let program = self.program;
        let family = &program.families[usize::from(fam)];
        let keys = family.keys.len();
        let mine = self.spare.hits.iter().filter(|h| h.0 == fam);
        found.extend(mine.map(|h| h.1));
        let work = std::mem::take(&mut self.spare.work[usize::from(fam)]);
        let eval = self.eval();
        for &(id, key) in &work {
            let reader = &program.readers.all[id as usize];
            let mut nodes = [Ix(0); 8];
            for (i, n) in nodes.iter_mut().enumerate().take(reader.places.len()) {
                *n = program.pack.node(key, i);
            }
            let mut b: Binding = [Ix::NONE; MAX_VARS];
            if bind(program, reader, &nodes[..reader.places.len()], &mut b) {
                let conj = &family.on[usize::from(reader.conj)];
                eval.run(conj, &reader.ops, &mut b, &mut |b| {
                    found.push(program.pack.key(&b[..keys]));
                });
            }
        }
        for &(f, key) in &self.spare.now.again {
            if f == fam && holds(&eval, &family.on, key) {
                found.push(key);
            }
        }
        let depth = self.monitor.depth;
        if depth <= 2 {
            let mine = |e: &&(u32, FamIx, u16)| e.1 == fam && depth <= e.0;
            for &(.., i) in program.early_scans.iter().filter(mine) {
                let conj = &family.on[usize::from(i)];
                let mut b: Binding = [Ix::NONE; MAX_VARS];
                eval.run(conj, &conj.scan, &mut b, &mut |b| {
                    found.push(program.pack.key(&b[..keys]));
                });
            }
        }
        self.spare.work[usize::from(fam)] = work;
        self.spare.work[usize::from(fam)].clear();
        found.sort_unstable();
        found.dedup();
    }

    /// Changes a cell, and tells its readers.
    fn set(&mut self, fam: FamIx, key: u128, new: u32) {
        let old = self.monitor.cells[usize::from(fam)].set(key, new);
        if old == new {
            return;
        }
        self.log.cells.push(CellChange { fam, key, old, new });
        let (was, is) = (old != ABSENT, new != ABSENT);
        match self.program.families[usize::from(fam)].kind {
            Kind::Body(_) if was != is => self.log.turns.push(Turn {
                instance: self.monitor.instance(fam, key),
                broken: is,
            }),
            // It was too long a position earlier.
            Kind::Run(most) if was && self.monitor.depth > most.saturating_add(old) => {
                self.tell(fam, key, false);
            }
            Kind::Body(_) | Kind::Run(_) => {}
            _ if was != is => self.tell(fam, key, is),
            _ => {}
        }
    }

    fn tell(&mut self, fam: FamIx, key: u128, now: bool) {
        let program = self.program;
        let arity = program.families[usize::from(fam)].keys.len();
        let mut nodes = [Ix(0); 8];
        for (i, n) in nodes.iter_mut().enumerate().take(arity) {
            *n = program.pack.node(key, i);
        }
        for &id in &program.readers.cells[usize::from(fam)] {
            self.event(id, &nodes[..arity], Some(now));
        }
    }

    fn add(&mut self, fam: FamIx, found: &[u128]) {
        for &key in found {
            if self.monitor.cells[usize::from(fam)].get(key) == ABSENT {
                self.set(fam, key, self.monitor.depth);
            }
        }
    }

    /// A family whose cells hold as long as its formula does.
    fn plain(&mut self, fam: FamIx, found: &[u128], stale: bool) {
        if stale {
            let family = &self.program.families[usize::from(fam)];
            self.drop_unless(fam, |eval, key| {
                found.binary_search(&key).is_ok() || holds(eval, &family.on, key)
            });
        }
        self.add(fam, found);
    }

    fn drop_unless(&mut self, fam: FamIx, keep: impl Fn(&Eval<'_>, u128) -> bool) {
        let mut gone = std::mem::take(&mut self.spare.gone);
        gone.clear();
        let eval = self.eval();
        for (key, value) in self.monitor.cells[usize::from(fam)].iter() {
            if !keep(&eval, key) {
                gone.push((key, value));
            }
        }
        for &(key, _) in &gone {
            self.set(fam, key, ABSENT);
        }
        self.spare.gone = gone;
    }

    /// Counters that became too long with this step.
    fn grown(&mut self, fam: FamIx, most: u32) {
        let depth = self.monitor.depth;
        for i in 0..self.monitor.cells[usize::from(fam)].len() {
            let (key, since) = self.monitor.cells[usize::from(fam)].at(i);
            if depth - since == most {
                self.tell(fam, key, true);
            }
        }
    }

    fn since(&mut self, fam: FamIx, found: &[u128], stale: bool) {
        let family = &self.program.families[usize::from(fam)];
        if stale {
            self.drop_unless(fam, |eval, key| {
                found.binary_search(&key).is_ok()
                    || holds(eval, &family.keep, key)
                    || holds(eval, &family.on, key)
            });
        }
        self.add(fam, found);
        if !found.is_empty() || stale {
            // What only the second formula holds up falls as soon as that does not hold any more.
            let eval = self.eval();
            let cells = &self.monitor.cells[usize::from(fam)];
            let shaky = cells
                .iter()
                .any(|(key, _)| !holds(&eval, &family.keep, key));
            if shaky && !self.monitor.next.stale.contains(&fam) {
                self.monitor.next.stale.push(fam);
            }
        }
    }

    fn fact(&mut self, fam: FamIx, found: &[u128], (stale, lasts): (bool, Option<u32>)) {
        let depth = self.monitor.depth;
        let on = if lasts.is_some() { ACTIVE } else { 0 };
        if stale {
            let family = &self.program.families[usize::from(fam)];
            let mut moved = std::mem::take(&mut self.spare.gone);
            moved.clear();
            let eval = self.eval();
            for (key, value) in self.monitor.cells[usize::from(fam)].iter() {
                let new = if holds(&eval, &family.on, key) {
                    on
                } else if holds(&eval, &family.keep, key) {
                    ABSENT
                } else if value == ACTIVE {
                    depth - 1
                } else {
                    value
                };
                if new != value {
                    moved.push((key, new));
                }
            }
            for &(key, new) in &moved {
                self.set(fam, key, new);
            }
            self.spare.gone = moved;
        }
        for &key in found {
            self.set(fam, key, on);
        }
        if let Some(lasts) = lasts {
            self.expire(fam, lasts);
        }
        self.extra(fam);
    }

    fn expire(&mut self, fam: FamIx, lasts: u32) {
        let depth = self.monitor.depth;
        let old = |v: u32| v != ACTIVE && depth > lasts.saturating_add(v);
        let cells = &self.monitor.cells[usize::from(fam)];
        if !cells.values().iter().any(|&v| old(v)) {
            return;
        }
        let mut gone = std::mem::take(&mut self.spare.gone);
        gone.clear();
        gone.extend(cells.iter().filter(|(_, v)| old(*v)));
        for &(key, _) in &gone {
            self.set(fam, key, ABSENT);
        }
        self.spare.gone = gone;
    }

    /// What scripted events set, after everything else.
    fn extra(&mut self, fam: FamIx) {
        for e in self.moved.extra {
            if self.program.tracked.get(usize::from(e.fact.0)) != Some(&fam) {
                continue;
            }
            let arity = self.program.families[usize::from(fam)].keys.len().min(2);
            let key = self.program.pack.key(&e.args[..arity]);
            // What would hold it up, or let it fall, was not asked.
            self.monitor.next.again.push((fam, key));
            self.monitor.next.stale.push(fam);
            let value = if e.value { self.monitor.depth } else { ABSENT };
            self.set(fam, key, value);
        }
    }
}

/// Whether any of the conjunctions holds for a tuple.
fn holds(eval: &Eval<'_>, conjs: &[Conj], key: u128) -> bool {
    let program = eval.program;
    conjs.iter().any(|conj| {
        let mut b: Binding = [Ix::NONE; MAX_VARS];
        for (i, (to, dom)) in b.iter_mut().zip(&conj.doms).enumerate().take(conj.base) {
            *to = program.pack.node(key, i);
            if !program.doms.get(*dom).has(*to) {
                return false;
            }
        }
        conj.when != When::End && eval.holds_for(conj, &mut b)
    })
}
