//! From readers to cells: families are settled in an order in which each reads only settled ones.

use crate::safety::verdict::Turn;
use crate::sim::vocab::Ix;

use super::atom::{Binding, Conj, FamIx, MAX_VARS, When};
use super::cells::{ABSENT, ACTIVE};
use super::eval::Eval;
use super::log::CellChange;
use super::norm::Kind;
use super::step::{Run, bind};

impl Run<'_> {
    /// Settles every touched family in order; settling one may touch later ones.
    pub(super) fn settle(&mut self) {
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
            let conj = &family.on[usize::from(reader.conj)];
            if !self.monitor.is_hopeless(conj, &self.log.cells)
                && bind(reader, &nodes[..reader.places.len()], &mut b)
            {
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
        let old = self.monitor.put(fam, key, new);
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
                if found.binary_search(&key).is_ok() {
                    continue;
                }
                // What held it up does so no more, or did not before: then it would have been found.
                let held = value == ACTIVE && holds(&eval, &family.on, key);
                let new = if held {
                    on
                } else if holds(&eval, &family.keep, key)
                    && (lasts.is_some() || !holds(&eval, &family.on, key))
                {
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
            let key = self.program.pack.key(&e.of[..arity]);
            // What would hold it up, or let it fall, was not asked.
            self.monitor.next.again.push((fam, key));
            self.monitor.next.stale.push(fam);
            let value = if e.on { self.monitor.depth } else { ABSENT };
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
