//! The hazard rules of a task as a search sees them: which must hold, and which one is to be broken.

use crate::safety::book::Shadow;
use crate::safety::monitor::StepLog;
use crate::safety::rule::Grade;
use crate::safety::verdict::{Instance, RuleIx};
use crate::safety::ward::Lookout;
use crate::search::deeds::Deed;
use crate::search::mend::{Cures, Mender};
use crate::search::need::{Need, Want};
use crate::search::watch::{Flags, Watcher};
use crate::sim::graph::Item;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

/// What is asked of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// No rule of at least this grade is broken by a step, and none at the end.
    Kept(Grade),
    /// Some rule of at least this grade is broken, by a step or at the end.
    Broken(Grade),
    /// This rule is broken, by a step or at the end.
    This(RuleIx),
    /// Nothing: the rules only keep their facts.
    Nothing,
}

/// Rules that follow a search.
#[derive(Debug)]
pub struct Rules {
    lookout: Lookout,
    mender: Mender,
    demand: Demand,
    steps: Vec<Followed>,
    depth: usize,
}

/// One step that was followed; its room is used again.
#[derive(Debug, Default)]
struct Followed {
    log: StepLog,
    items: Vec<Item>,
    /// How many breaches of what is to be broken there were up to here.
    latched: u32,
}

impl Rules {
    /// Rules at the start of a world.
    pub fn new(lookout: Lookout, demand: Demand) -> Self {
        let ward = lookout.ward();
        let mender = Mender::new(ward.book(), ward.scene().dialect());
        Self {
            lookout,
            mender,
            demand,
            steps: Vec::new(),
            depth: 0,
        }
    }

    /// The same rules with another demand. They must stand at the start.
    pub const fn ask(&mut self, demand: Demand) {
        self.demand = demand;
    }

    /// The same rules at another position of the same scene, which is their start now.
    pub fn stand(&mut self, lookout: Lookout) {
        self.lookout = lookout;
        self.depth = 0;
    }

    /// What is asked of them.
    pub const fn demand(&self) -> Demand {
        self.demand
    }

    /// What the last step broke of what counts.
    pub fn broken_now(&self) -> impl Iterator<Item = Instance> + '_ {
        let last = self.last().into_iter();
        last.flat_map(|f| f.log.breaches())
            .filter(|i| self.counts(i))
    }

    /// What watches.
    pub const fn lookout(&self) -> &Lookout {
        &self.lookout
    }

    /// Whether an instance counts for the demand.
    fn counts(&self, instance: &Instance) -> bool {
        if self.lookout.is_silenced(instance) {
            return false;
        }
        match self.demand {
            Demand::Kept(least) | Demand::Broken(least) => {
                self.lookout.ward().grade(instance.rule) <= least
            }
            Demand::This(rule) => rule == instance.rule,
            Demand::Nothing => false,
        }
    }

    fn last(&self) -> Option<&Followed> {
        self.depth.checked_sub(1).and_then(|i| self.steps.get(i))
    }

    /// The instances that count and that ending here would break.
    pub fn pending(&self, world: &World) -> Vec<Instance> {
        let last = self.last().map(|f| (f.items.as_slice(), &f.log));
        let mut all = self.lookout.monitor().at_end(world, last);
        all.retain(|i| self.counts(i));
        all
    }
}

impl Watcher for Rules {
    fn mind(&mut self, named: &[Ix]) {
        self.mender.mind(named.to_vec());
    }

    fn word(&self) -> u64 {
        let latched = self.last().map_or(0, |f| f.latched);
        self.lookout.monitor().key() ^ u64::from(latched > 0) << 63
    }

    fn shape(&self) -> u64 {
        let latched = self.last().map_or(0, |f| f.latched);
        self.lookout.monitor().shape() ^ u64::from(latched > 0) << 63
    }

    fn step(&mut self, world: &World, action: Action) -> Flags {
        if self.steps.len() == self.depth {
            self.steps.push(Followed::default());
        }
        let before = self.last().map_or(0, |f| f.latched);
        let mut step = std::mem::take(&mut self.steps[self.depth]);
        step.items.clear();
        step.items.extend_from_slice(world.graph().last_items());
        self.lookout.step(world, action, &step.items, &mut step.log);
        let broken = step.log.breaches().filter(|i| self.counts(i)).count() as u32;
        step.latched = before + broken;
        self.steps[self.depth] = step;
        self.depth += 1;
        Flags {
            violated: broken > 0 && matches!(self.demand, Demand::Kept(_)),
        }
    }

    fn undo(&mut self) {
        if let Some(depth) = self.depth.checked_sub(1) {
            self.lookout.undo(&self.steps[depth].log);
            self.depth = depth;
        }
    }

    fn shadow(&self) -> &dyn Shadow {
        self.lookout.monitor()
    }

    fn may_end(&self, world: &World) -> bool {
        match self.demand {
            Demand::Nothing => true,
            Demand::Kept(_) => self.pending(world).is_empty(),
            Demand::Broken(_) | Demand::This(_) => {
                self.last().is_some_and(|f| f.latched > 0) || !self.pending(world).is_empty()
            }
        }
    }

    fn wants(&self, world: &World, out: &mut Vec<Want>) {
        if !matches!(self.demand, Demand::Kept(_)) {
            return;
        }
        let book = self.lookout.ward().book();
        let seen = (world, self.shadow());
        for instance in self.pending(world) {
            let cures = self.mender.before_end(seen, book, &instance);
            out.push(Want { cures, left: None });
        }
        for (instance, left) in self.lookout.monitor().pending() {
            if left <= SOON && self.counts(&instance) {
                let cures = self.mender.in_time(seen, book, &instance);
                out.push(Want {
                    cures,
                    left: Some(left),
                });
            }
        }
    }

    fn why(&self, world: &World, out: &mut Vec<Cures>) {
        let Some(last) = self.last() else {
            return;
        };
        let book = self.lookout.ward().book();
        let seen = (world, self.shadow());
        for instance in last.log.breaches().filter(|i| self.counts(i)) {
            out.push(self.mender.before_step(seen, book, &instance));
        }
    }

    fn deeds(&self, world: &World, need: Need) -> Vec<Deed> {
        match need {
            Need::Kept(want, fact, of) => {
                let book = self.lookout.ward().book();
                let seen = (world, self.shadow());
                self.mender.deeds(seen, book, (want, fact, of))
            }
            _ => Vec::new(),
        }
    }
}

/// From how many steps before its end on a running time is minded.
const SOON: u32 = 12;
