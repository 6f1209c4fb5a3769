//! One step: what changed becomes events (`events`), events move cells (`settle`); here they meet.

use crate::sim::graph::Graph;
use crate::sim::vocab::Ix;
use crate::sim::world::World;

use super::atom::{Binding, Conj, FamIx, MAX_VARS};
use super::eval::Eval;
use super::log::{CellChange, StepLog};
use super::program::Program;
use super::readers::{Due, Gate, Place, Reader};
use super::view::View;
use super::{Monitor, Moved, Spare};

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
        run.spare.holding = run.program.words.hands.iter().any(|hand| {
            let held = graph.targets(program.me, hand).next();
            held.is_some()
        });
        run.graph_events();
        run.act_events();
        run.follow();
        run.old_business();
        run.settle();
        spare.hits.clear();
        spare.todo.clear();
        log.after.copy_from(&self.next);
        self.spare = spare;
    }

    /// Gives a cell a value and tells the old one.
    pub(super) fn put(&mut self, fam: FamIx, key: u128, value: u32) -> u32 {
        let cells = &mut self.cells[usize::from(fam)];
        let old = cells.set(key, value);
        let rank = usize::from(self.program.rank[usize::from(fam)]);
        let bit = 1 << (rank % 64);
        if cells.is_empty() {
            self.live[rank / 64] &= !bit;
        } else {
            self.live[rank / 64] |= bit;
        }
        old
    }

    /// Whether any cell of a family holds.
    #[inline]
    pub(super) fn is_live(&self, fam: FamIx) -> bool {
        !self.cells[usize::from(fam)].is_empty()
    }

    /// Whether a conjunction needs a cell of a family of which none holds.
    #[inline]
    pub(super) fn is_hopeless(&self, conj: &Conj, changed: &[CellChange]) -> bool {
        conj.needs.iter().any(|&(fam, prev)| {
            !(self.is_live(fam) || prev && changed.iter().any(|c| c.fam == fam))
        })
    }

    /// Takes back the step that led to the current position.
    pub fn undo(&mut self, log: &StepLog) {
        for c in log.cells.iter().rev() {
            self.put(c.fam, c.key, c.old);
        }
        let listed = &self.program.listed;
        for &(n, state, on) in log.states.iter().rev() {
            self.lists.set(listed, (n, state), !on);
        }
        for &(n, old, new) in &log.rooms {
            self.rooms[n.at()] = old;
            self.lists.move_over(listed, n, (new, old));
        }
        self.next.copy_from(&log.before);
        self.depth -= 1;
        self.last = log.action_before;
    }

    /// Does a step again that was taken back.
    pub fn redo(&mut self, log: &StepLog) {
        for c in &log.cells {
            self.put(c.fam, c.key, c.new);
        }
        let listed = &self.program.listed;
        for &(n, state, on) in &log.states {
            self.lists.set(listed, (n, state), on);
        }
        for &(n, old, new) in &log.rooms {
            self.rooms[n.at()] = new;
            self.lists.move_over(listed, n, (old, new));
        }
        self.next.copy_from(&log.after);
        self.depth += 1;
        self.last = log.action;
    }
}

/// Whether the nodes of a fact may stand where a reader reads.
#[inline]
pub(super) fn fits(program: &Program, reader: &Reader, nodes: &[Ix]) -> bool {
    let takes = |(p, n): (&Place, &Ix)| p.takes(*n, program.me, &program.doms);
    reader.places.iter().zip(nodes).all(takes)
}

/// Binds a reader's variables to the nodes of a fact that fits; false where one variable would be two nodes.
pub(super) fn bind(reader: &Reader, nodes: &[Ix], b: &mut Binding) -> bool {
    reader.places.iter().zip(nodes).all(|(place, &n)| {
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
pub(super) struct Run<'a> {
    pub(super) monitor: &'a mut Monitor,
    pub(super) program: &'a Program,
    pub(super) graph: &'a Graph,
    pub(super) log: &'a mut StepLog,
    pub(super) spare: &'a mut Spare,
    pub(super) moved: &'a Moved<'a>,
}

impl Run<'_> {
    pub(super) fn touch(&mut self, fam: FamIx) {
        let rank = usize::from(self.program.rank[usize::from(fam)]);
        self.spare.touched[rank / 64] |= 1 << (rank % 64);
    }

    pub(super) fn set_stale(&mut self, fam: FamIx) {
        if !self.monitor.is_live(fam) {
            return;
        }
        let rank = usize::from(self.program.rank[usize::from(fam)]);
        self.spare.touched[rank / 64] |= 1 << (rank % 64);
        self.spare.stale[rank / 64] |= 1 << (rank % 64);
    }

    /// An atom a reader looks at changed for these nodes; `now` is its value, if that is known.
    pub(super) fn event(&mut self, id: u32, nodes: &[Ix], now: Option<bool>) {
        let reader = &self.program.readers.all[id as usize];
        let fam = reader.fam;
        let on = reader.fires && now.is_none_or(|now| now == reader.on);
        let off = reader.stales && (!reader.fires || now.is_none_or(|now| now != reader.on));
        let off = off && (reader.due == Due::Next || self.monitor.is_live(fam));
        let on = on && (reader.due != Due::Now || self.is_open(reader));
        if !(on || off) || !fits(self.program, reader, nodes) {
            return;
        }
        if on {
            if reader.due == Due::Now {
                // It reads the graph and what was done, so it speaks of two nodes at most.
                let node = |i| nodes.get(i).copied().unwrap_or(Ix::NONE);
                self.spare.todo.push((id, [node(0), node(1)]));
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
        if off {
            if reader.due != Due::Next {
                self.set_stale(fam);
            } else if !self.monitor.next.stale.contains(&fam) {
                self.monitor.next.stale.push(fam);
            }
        }
    }

    /// Whether there is what a reader's search needs.
    #[inline]
    fn is_open(&self, reader: &Reader) -> bool {
        reader.gates.iter().all(|gate| match *gate {
            Gate::Cells(fam, prev) => {
                self.monitor.is_live(fam) || prev && self.log.cells.iter().any(|c| c.fam == fam)
            }
            Gate::List(list) => !self.monitor.lists.having(list).is_empty(),
            Gate::Hands => self.spare.holding,
        })
    }

    /// Looks for the tuples the changes lead to: most lead to none, and nothing else has to be done then.
    fn follow(&mut self) {
        let program = self.program;
        let todo = std::mem::take(&mut self.spare.todo);
        let mut hits = std::mem::take(&mut self.spare.hits);
        let eval = self.eval();
        for (id, nodes) in &todo {
            let reader = &program.readers.all[*id as usize];
            let family = &program.families[usize::from(reader.fam)];
            let conj = &family.on[usize::from(reader.conj)];
            let mut b: Binding = [Ix::NONE; MAX_VARS];
            if !bind(reader, nodes, &mut b) {
                continue;
            }
            let keys = family.keys.len();
            eval.run(conj, &reader.ops, &mut b, &mut |b| {
                hits.push((reader.fam, program.pack.key(&b[..keys])));
            });
        }
        for &(fam, _) in &hits {
            self.touch(fam);
        }
        (self.spare.todo, self.spare.hits) = (todo, hits);
    }

    pub(super) fn views(&self) -> (View<'_>, View<'_>) {
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

    pub(super) fn eval(&self) -> Eval<'_> {
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
            lists: &self.monitor.lists,
            moved: &self.log.rooms,
            changed: &self.log.cells,
        }
    }
}
