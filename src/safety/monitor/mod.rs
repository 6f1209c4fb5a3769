//! The live monitor: follows a run step by step and looks only at what each step changed.
//!
//! A rule is broken for a tuple when the contrary of its body holds. That contrary is taken apart into conjunctions of
//! literals (`norm`); one of them can only begin to hold when one of its literals did, so a step's changes lead
//! straight to the few tuples worth a look (`readers`): the changed fact binds some variables, a plan made once
//! (`plan`) finds the others through edges, short lists and cells. Temporal operators and tracked facts are
//! *families* of cells, of which only those that hold are stored; they are settled in an order in which each reads
//! only settled ones. What holds already is read again when something it reads changed.
//!
//! The position before is never stored: it is the current graph with the step's changes taken back (`view`). Every
//! change goes into a [`StepLog`], by which a step is undone and redone.

use std::sync::Arc;

use crate::safety::book::Extra;
use crate::safety::formula::TrackedId;
use crate::safety::verdict::{Instance, MAX_OUTER, RuleIx};
use crate::sim::graph::Item;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

mod atom;
mod budget;
mod cells;
mod conj;
mod dom;
mod eval;
mod events;
mod lists;
mod log;
mod memory;
mod norm;
mod plan;
mod program;
mod readers;
mod settle;
mod slots;
mod status;
mod step;
#[cfg(test)]
mod tests;
mod tree;
mod view;

pub use log::StepLog;
pub use memory::Memory;
pub use program::{Input, Program, Unwatched};
pub use status::{About, Clause, Names, Way};

use atom::{Binding, FamIx, MAX_VARS, When};
use cells::{ABSENT, ACTIVE, Cells};
use eval::Eval;
use lists::Lists;
use log::Next;
use norm::Kind;
use view::{Diff, View};

/// A step as a monitor needs it.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'a> {
    /// What was done.
    pub action: Action,
    /// What changed in the graph; items of scripted events of the same position follow those of the action.
    pub items: &'a [Item],
    /// Tracked facts that scripted events set.
    pub extra: &'a [Extra],
    /// Whether `items` come from more than one change, so that the same fact may occur twice.
    pub repeats: bool,
}

impl<'a> Moved<'a> {
    /// An action and what it changed.
    pub const fn plain(action: Action, items: &'a [Item]) -> Self {
        Self {
            action,
            items,
            extra: &[],
            repeats: false,
        }
    }
}

/// The verdicts of all rules at the current position of a run.
#[derive(Clone, Debug)]
pub struct Monitor {
    program: Arc<Program>,
    depth: u32,
    last: Option<Action>,
    cells: Vec<Cells>,
    lists: Lists,
    /// Per node its room now.
    rooms: Vec<u32>,
    /// By rank: families of which a cell holds.
    live: Vec<u64>,
    next: Next,
    spare: Spare,
}

/// Room for a step's work, reused.
#[derive(Clone, Debug, Default)]
struct Spare {
    diff: Diff,
    /// Per family: readers to follow, with the nodes that changed.
    work: Vec<Vec<(u32, u128)>>,
    /// Whether something is in the agent's hands.
    holding: bool,
    /// Readers to follow at once, with the nodes that changed.
    todo: Vec<(u32, [Ix; 2])>,
    /// Tuples found at once, by family.
    hits: Vec<(FamIx, u128)>,
    /// Per rank: families to settle, and whether cells that hold must be read again.
    touched: Vec<u64>,
    stale: Vec<u64>,
    now: Next,
    found: Vec<u128>,
    gone: Vec<(u128, u32)>,
    nodes: Vec<Ix>,
}

impl Spare {
    /// For so many families.
    fn new(families: usize) -> Self {
        Self {
            work: vec![Vec::new(); families],
            touched: vec![0; families / 64 + 1],
            stale: vec![0; families / 64 + 1],
            ..Self::default()
        }
    }
}

impl Monitor {
    /// A monitor at the start of a world. `extra` are the tracked facts its task declares. What is broken now is a
    /// standing hazard.
    pub fn new(program: Arc<Program>, world: &World, extra: &[Extra]) -> Self {
        let graph = world.graph();
        let rooms = view::rooms(graph, program.words, world.me());
        let lists = Lists::new(&program.listed, &program.doms, (graph, &rooms));
        let families = program.families.len();
        let mut monitor = Self {
            depth: 0,
            last: None,
            cells: vec![Cells::default(); families],
            lists,
            rooms,
            live: vec![0; families / 64 + 1],
            next: Next::default(),
            spare: Spare::new(families),
            program,
        };
        monitor.begin(world, extra);
        monitor
    }

    /// The rules and the scene it watches.
    pub const fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// How many steps led to the current position.
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// Computes every cell at position 0.
    fn begin(&mut self, world: &World, extra: &[Extra]) {
        let program = self.program.clone();
        for &fam in &program.order {
            let family = &program.families[usize::from(fam)];
            let tracked = matches!(family.kind, Kind::Tracked(_));
            let conjs = if tracked { &family.start } else { &family.on };
            let mut found = self.scan(world, fam, conjs);
            if tracked {
                // What holds a fact up already does so from the first step on.
                let again = self.scan(world, fam, &family.on);
                self.next.again.extend(again.into_iter().map(|k| (fam, k)));
                let id = program.tracked.iter().position(|t| *t == fam);
                for e in extra.iter().filter(|e| Some(usize::from(e.fact.0)) == id) {
                    let key = program.pack.key(&e.of[..family.keys.len().min(2)]);
                    found.retain(|k| *k != key);
                    if e.on {
                        found.push(key);
                    }
                }
            }
            for key in found {
                self.put(fam, key, 0);
            }
            if (tracked || family.kind == Kind::Since) && !self.cells[usize::from(fam)].is_empty() {
                self.next.stale.push(fam);
            }
        }
    }

    /// All tuples of these conjunctions at the current position, sorted.
    fn scan(&self, world: &World, fam: FamIx, conjs: &[atom::Conj]) -> Vec<u128> {
        let eval = self.eval(world, None);
        let mut found = Vec::new();
        let keys = self.program.families[usize::from(fam)].keys.len();
        // No action led here, and nothing has ended.
        let may = |c: &&atom::Conj| !matches!(c.when, When::End | When::Act);
        for conj in conjs.iter().filter(may) {
            let mut b: Binding = [Ix::NONE; MAX_VARS];
            eval.run(conj, &conj.scan, &mut b, &mut |b| {
                found.push(self.program.pack.key(&b[..keys]));
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The current position without the one before it.
    fn eval<'a>(&'a self, world: &'a World, act: Option<Action>) -> Eval<'a> {
        let now = View {
            graph: world.graph(),
            words: self.program.words,
            me: self.program.me,
            back: None,
        };
        Eval {
            program: &self.program,
            now,
            before: now,
            depth: self.depth,
            follows: act.is_some(),
            end: false,
            act,
            act_before: self.last,
            cells: &self.cells,
            rooms: &self.rooms,
            lists: &self.lists,
            moved: &[],
            changed: &[],
        }
    }

    /// The instances that are broken now, with the step since which each is; 0 is a standing hazard.
    pub fn broken(&self) -> impl Iterator<Item = (Instance, u32)> + '_ {
        self.program.bodies.iter().flat_map(move |&fam| {
            self.cells[usize::from(fam)]
                .iter()
                .map(move |(key, since)| (self.instance(fam, key), since))
        })
    }

    /// Whether a tracked fact holds now.
    pub fn tracked(&self, fact: TrackedId, args: [Ix; 2]) -> bool {
        let Some(&fam) = self.program.tracked.get(usize::from(fact.0)) else {
            return false;
        };
        let arity = self.program.families[usize::from(fam)].keys.len().min(2);
        let key = self.program.pack.key(&args[..arity]);
        self.cells[usize::from(fam)].get(key) != ABSENT
    }

    /// Every tracked fact that holds now, with its nodes.
    pub fn all_tracked(&self) -> impl Iterator<Item = (TrackedId, [Ix; 2])> + '_ {
        let facts = self.program.tracked.iter().enumerate();
        facts.flat_map(move |(i, &fam)| {
            let arity = self.program.families[usize::from(fam)].keys.len();
            self.cells[usize::from(fam)].iter().map(move |(key, _)| {
                let node = |n| {
                    if n < arity {
                        self.program.pack.node(key, n)
                    } else {
                        Ix::NONE
                    }
                };
                (TrackedId(i as u8), [node(0), node(1)])
            })
        })
    }

    fn instance(&self, fam: FamIx, key: u128) -> Instance {
        let family = &self.program.families[usize::from(fam)];
        let rule = match family.kind {
            Kind::Body(rule) => rule,
            _ => RuleIx(u16::MAX),
        };
        let mut tuple = [Ix::NONE; MAX_OUTER];
        for (i, n) in tuple.iter_mut().enumerate().take(family.keys.len()) {
            *n = self.program.pack.node(key, i);
        }
        Instance { rule, tuple }
    }

    /// The instances an attempt would break that the world refuses: its `act` holds on the unchanged graph, the
    /// position before it is the current one, and nothing that is remembered moves.
    pub fn attempt(&self, world: &World, action: Action, breaches: &mut Vec<Instance>) {
        breaches.clear();
        let eval = self.eval(world, Some(action));
        let Some(readers) = self.program.readers.acts.get(usize::from(action.verb)) else {
            return;
        };
        let args = [action.a, action.b];
        for &id in readers {
            let reader = &self.program.readers.all[id as usize];
            let family = &self.program.families[usize::from(reader.fam)];
            if !reader.fires || !reader.on || !matches!(family.kind, Kind::Body(_)) {
                continue;
            }
            let conj = &family.on[usize::from(reader.conj)];
            let mut b: Binding = [Ix::NONE; MAX_VARS];
            if !self.is_hopeless(conj, &[])
                && step::fits(&self.program, reader, &args)
                && step::bind(reader, &args, &mut b)
            {
                eval.run(conj, &reader.ops, &mut b, &mut |b| {
                    let key = self.program.pack.key(&b[..family.keys.len()]);
                    let instance = self.instance(reader.fam, key);
                    if !breaches.contains(&instance) {
                        breaches.push(instance);
                    }
                });
            }
        }
        breaches.sort_unstable();
    }

    /// The instances that would be broken if the run ended here and are not broken yet. `last` is the step that led
    /// here, if any.
    pub fn at_end(&self, world: &World, last: Option<(&[Item], &StepLog)>) -> Vec<Instance> {
        let mut diff = Diff::default();
        let mut eval = self.eval(world, None);
        eval.end = true;
        eval.follows = self.depth > 0;
        eval.act = self.last;
        eval.act_before = None;
        if let Some((items, log)) = last {
            diff.read(world.graph(), items, self.program.words.near, true);
            eval.before.back = Some(&diff);
            eval.moved = &log.rooms;
            eval.changed = &log.cells;
            eval.act_before = log.action_before;
        }
        let mut all = Vec::new();
        for &fam in &self.program.bodies {
            let family = &self.program.families[usize::from(fam)];
            let cells = &self.cells[usize::from(fam)];
            for conj in family.on.iter().filter(|c| c.ends) {
                if self.is_hopeless(conj, eval.changed) {
                    continue;
                }
                let mut b: Binding = [Ix::NONE; MAX_VARS];
                eval.run(conj, &conj.scan, &mut b, &mut |b| {
                    let key = self.program.pack.key(&b[..family.keys.len()]);
                    if cells.get(key) == ABSENT {
                        all.push(self.instance(fam, key));
                    }
                });
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// A number for all that is remembered and can matter later: two positions with the same graph and the same key
    /// have the same future. Counters are told apart only as far as they differ in what they can still do. What is
    /// broken counts where the graph and the rest do not tell it, because only what was not broken breaks; an instance
    /// that the last action broke is left out: it is whole again with the next, unless that is the same mistake.
    pub fn key(&self) -> u64 {
        self.remembered(true)
    }

    /// The same number without how long counters have been running.
    pub fn shape(&self) -> u64 {
        self.remembered(false)
    }

    fn remembered(&self, counted: bool) -> u64 {
        let mut sum = 0;
        if let Some(last) = self.last.filter(|a| self.program.echo >> a.verb & 1 == 1) {
            let nodes = u128::from(last.a.0) | u128::from(last.b.0) << 32;
            sum ^= mix(nodes | u128::from(last.verb) << 64 | 1 << 120);
        }
        for (fam, cells) in self.cells.iter().enumerate() {
            let kind = self.program.families[fam].kind;
            if matches!(kind, Kind::Body(_)) && !self.program.lasting[fam] {
                continue;
            }
            for (key, value) in cells.iter() {
                let age = match (kind, value) {
                    (_, ACTIVE) => 0,
                    (Kind::Run(_), _) if !counted => 1,
                    (Kind::Run(most), since) => {
                        (self.depth - since).min(most.saturating_add(1)) + 1
                    }
                    (Kind::Tracked(Some(_)), set) => self.depth.saturating_sub(set) + 1,
                    _ => 1,
                };
                sum ^= mix(key ^ (fam as u128) << 96 ^ u128::from(age) << 112);
            }
        }
        sum ^ u64::from(self.depth == 0)
    }
}

/// Spreads a number over 64 bits.
fn mix(x: u128) -> u64 {
    let fold = |x: u64| {
        let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    };
    fold((x as u64).wrapping_add(fold((x >> 64) as u64 ^ 0x9e37_79b9_7f4a_7c15)))
}
