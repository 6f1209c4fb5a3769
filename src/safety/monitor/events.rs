//! From what a step changed to the readers it concerns.

use crate::safety::book::Extra;
use crate::sim::vocab::{DEEPEST, Ix, Rel, Rels, States};
use crate::sim::world::Action;

use super::atom::FamIx;
use super::cells::ACTIVE;
use super::norm::Kind;
use super::step::Run;
use super::view::room_of;

impl Run<'_> {
    pub(super) fn graph_events(&mut self) {
        self.lists();
        self.rooms();
        self.state_events();
        self.room_events();
        let program = self.program;
        for i in 0..self.spare.diff.far.len() {
            let (a, b, xor) = self.spare.diff.far[i];
            let room = self.graph.hot(b).room;
            let now = self.graph.rels(a, b).0;
            for Rel(rel) in Rels(if room { 0 } else { xor }).iter() {
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
                let on = now.has(s);
                self.monitor.lists.set(&self.program.listed, (n, s), on);
                self.log.states.push((n, s, on));
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
                let lists = &mut self.monitor.lists;
                lists.move_over(&self.program.listed, n, (old, new));
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

    pub(super) fn act_events(&mut self) {
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
    pub(super) fn old_business(&mut self) {
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
        for word in 0..program.counting.len() {
            let mut left = program.counting[word] & self.monitor.live[word];
            while left != 0 {
                let rank = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                self.age(program.order[rank]);
            }
        }
        for Extra { fact, .. } in self.moved.extra {
            if let Some(&fam) = program.tracked.get(usize::from(fact.0)) {
                self.touch(fam);
            }
        }
    }

    /// Looks whether a counter or a fact of a family becomes too old with this step.
    fn age(&mut self, fam: FamIx) {
        let depth = self.monitor.depth;
        let cells = &self.monitor.cells[usize::from(fam)];
        let ripe = match self.program.families[usize::from(fam)].kind {
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
}
