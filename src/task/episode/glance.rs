//! A run as a list shows it: where it stands, not how it came there.
//!
//! An [`super::Episode`] keeps every step; a wall of many long runs cannot. A glance keeps the state, what the rules say
//! of it, and the last few steps, so that its size does not grow with the run. Going back further than those steps is
//! not possible from what it keeps: it then says where the run is, and whoever can read the run walks it there.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use crate::base::diag::Diagnostic;
use crate::plan::goal::{GoalSet, Seen};
use crate::plan::ledger::Score;
use crate::plan::script;
use crate::safety::monitor::StepLog;
use crate::safety::rule::Grade;
use crate::safety::rule::Rule;
use crate::safety::verdict::Instance;
use crate::safety::ward::Lookout;
use crate::sim::graph::Item;
use crate::sim::timeline::Pos;
use crate::sim::vocab::Profile;
use crate::sim::world::{Action, World};
use crate::task::Environment;
use crate::task::setup::Setup;

use super::judgement::Judgement;
use super::sight::{Said, Sight};
use super::{Body, Ending, Event, Warning, mute};

/// Steps kept to go back by.
const RECENT: usize = 32;

/// Where a run stands.
#[derive(Debug)]
pub struct Glance {
    setup: Arc<Setup>,
    world: World,
    lookout: Lookout,
    goals: GoalSet,
    stand: Stand,
    /// What would be broken if the run ended before its first step.
    open_at_start: Vec<Instance>,
    /// What broke on the way here, each once, with the number of the step that broke it first.
    broke: Vec<(u32, Instance)>,
    /// The last steps on the way here, the latest at the end.
    recent: VecDeque<Kept>,
    ending: Option<Ending>,
    muted: BTreeSet<String>,
    /// The position the run stands at, where that is out of reach.
    away: Option<u32>,
    /// The position the run says it stands at, where re-execution did not reach it.
    lost: Option<u32>,
}

/// What changes with every step and is put back when one is taken back.
#[derive(Clone, Debug, Default)]
struct Stand {
    /// The number of the event that made the position.
    seq: u32,
    /// Steps from the start.
    steps: u32,
    /// Which goals hold.
    held: Vec<bool>,
    /// How many ordered action goals are met.
    met: usize,
}

/// A step that can be taken back.
#[derive(Clone, Debug)]
struct Kept {
    action: Action,
    items: Vec<Item>,
    log: StepLog,
    before: Stand,
}

impl Glance {
    /// A run at its start that has told nothing yet.
    ///
    /// # Errors
    /// The scene has nobody who acts.
    pub fn new(setup: Arc<Setup>, profile: Profile) -> Result<Self, Diagnostic> {
        let world = setup.world(profile)?;
        let lookout = setup.lookout(&world);
        let mut glance = Self {
            open_at_start: lookout.monitor().at_end(&world, None),
            goals: setup.goals_in(profile),
            setup,
            world,
            lookout,
            stand: Stand::default(),
            broke: Vec::new(),
            recent: VecDeque::new(),
            ending: None,
            muted: BTreeSet::new(),
            away: None,
            lost: None,
        };
        glance.look();
        Ok(glance)
    }

    /// The state.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Steps from the start.
    pub const fn steps(&self) -> u32 {
        self.stand.steps
    }

    /// The step that led here; `None` at the start.
    pub fn last(&self) -> Option<Action> {
        self.recent.back().map(|kept| kept.action)
    }

    /// Which goals hold, by index.
    pub fn holding(&self) -> Vec<u32> {
        let held = self.stand.held.iter().zip(0..);
        held.filter_map(|(held, i)| held.then_some(i)).collect()
    }

    /// The rules muted for this run, by id.
    pub const fn muted(&self) -> &BTreeSet<String> {
        &self.muted
    }

    /// The position the run has gone to, by the number of its event, where that is further back than is kept. Until
    /// [`Self::walk`] everything else tells of an earlier moment.
    pub const fn away(&self) -> Option<u32> {
        self.away
    }

    /// Takes the next event in. Events come in their order, from the start.
    pub fn take(&mut self, event: &Event) {
        if let Some(parent) = event.parent {
            if self.lost == Some(parent) {
                // What hangs on a step that cannot be done again is nowhere.
                match event.body {
                    Body::Step { .. } => self.lost = Some(event.seq),
                    Body::Goto { to, .. } => self.go(to),
                    _ => {}
                }
                return;
            }
            if self.away.unwrap_or(self.stand.seq) != parent {
                self.go(parent);
            }
        }
        match &event.body {
            Body::Step { .. } if self.away.is_some() => {
                self.away = Some(event.seq);
                self.ending = None;
            }
            Body::Step { action, .. } => self.step(event.seq, action),
            Body::Goto { to, .. } => {
                self.ending = None;
                self.go(*to);
            }
            Body::Done { .. } => self.ending = Some(Ending::Done),
            Body::Avoid { reason } => self.ending = Some(Ending::Avoided(reason.clone())),
            Body::Stopped { cause, text } => {
                self.ending = Some(Ending::Stopped {
                    cause: cause.clone(),
                    text: text.clone(),
                });
            }
            Body::Remark(said) => mute::heed(&mut self.muted, said),
            Body::Start { .. } | Body::Refused { .. } | Body::Branch => {}
        }
    }

    /// Walks to where the run is away. `way` hands over the events of the steps that lead there, in their order.
    ///
    /// # Errors
    /// The way cannot be read.
    pub fn walk(
        &mut self,
        way: impl FnOnce(u32, &mut dyn FnMut(&Event)) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let Some(to) = self.away.take() else {
            return Ok(());
        };
        let ending = self.ending.take();
        self.restart()?;
        way(to, &mut |event| self.take(event))?;
        self.ending = ending;
        Ok(())
    }

    fn step(&mut self, seq: u32, line: &str) {
        let done = script::read_for(&self.world, line).ok();
        let done = done.filter(|action| self.world.apply(*action).is_ok());
        let Some(action) = done else {
            self.lost = Some(seq);
            return;
        };
        self.ending = None;
        // The oldest step gives its room to the newest.
        let full = self.recent.len() >= RECENT;
        let spare = if full { self.recent.pop_front() } else { None };
        let (mut items, mut log) =
            spare.map_or_else(Default::default, |kept| (kept.items, kept.log));
        items.clear();
        items.extend_from_slice(self.world.graph().last_items());
        self.lookout.step(&self.world, action, &items, &mut log);
        let before = self.stand.clone();
        self.stand.seq = seq;
        self.stand.steps += 1;
        for instance in log.breaches() {
            if !self.broke.iter().any(|(_, known)| *known == instance) {
                self.broke.push((self.stand.steps, instance));
            }
        }
        self.recent.push_back(Kept {
            action,
            items,
            log,
            before,
        });
        self.look();
    }

    /// Finds which goals hold here.
    fn look(&mut self) {
        let seen = Seen {
            graph: self.world.graph(),
            shadow: self.lookout.monitor(),
        };
        let mut met = self.stand.met;
        if self.goals.has_actions()
            && let Some(kept) = self.recent.back()
        {
            let line = self.world.line(kept.action);
            met = self.goals.advance(met, &line, seen);
        }
        let before = &self.stand.held;
        let held = |i: usize| before.get(i).copied().unwrap_or(true);
        let held = self.goals.eval(seen, met, held).collect();
        (self.stand.held, self.stand.met) = (held, met);
    }

    /// Goes to a position, or says that it is away.
    fn go(&mut self, seq: u32) {
        self.lost = None;
        self.away = None;
        if seq == self.stand.seq {
            return;
        }
        if seq == 0 {
            // Only a scene in which nobody acts cannot be begun, and this one was.
            if self.restart().is_err() {
                self.away = Some(seq);
            }
            return;
        }
        // The step that led there must be kept too: it tells what was left open.
        let kept = self.recent.iter().skip(1);
        if !kept.map(|kept| kept.before.seq).any(|at| at == seq) {
            self.away = Some(seq);
            return;
        }
        while self.stand.seq != seq {
            let Some(kept) = self.recent.pop_back() else {
                return;
            };
            self.lookout.undo(&kept.log);
            self.world.toggle(&kept.items);
            self.stand = kept.before;
        }
        let steps = self.stand.steps;
        self.broke.retain(|(since, _)| *since <= steps);
    }

    fn restart(&mut self) -> Result<(), Diagnostic> {
        self.world = self.setup.world(self.world.profile())?;
        self.lookout = self.setup.lookout_again(&self.lookout, &self.world);
        self.stand = Stand::default();
        self.broke.clear();
        self.recent.clear();
        self.look();
        Ok(())
    }

    fn sight(&self) -> Sight<'_> {
        let last = self.recent.back();
        Sight {
            world: &self.world,
            lookout: &self.lookout,
            open_at_start: &self.open_at_start,
            last: last.map(|kept| (kept.items.as_slice(), &kept.log)),
        }
    }

    /// The warnings here as [`super::Episode::warnings`] has them, but for since when: that is always the start.
    pub fn warnings(&self) -> Vec<Warning> {
        let (sight, at) = (self.sight(), |_: u32| Pos::START);
        let said: Vec<Said> = if let Some(ending) = &self.ending {
            let done = matches!(ending, Ending::Done);
            let broken = self.broke.iter().map(|(_, i)| (Pos::START, *i));
            sight.ended(&at, (Pos::START, done), broken)
        } else {
            sight.settled(&at)
        };
        sight.warnings(said.into_iter().map(|said| (said, Pos::START)))
    }

    /// How it is judged where it stands, or ended.
    pub fn judgement(&self) -> Judgement {
        let dangerous = self.setup.task.environment == Environment::AdversarialInstruction;
        Judgement::of(
            dangerous,
            self.ending.as_ref(),
            self.score(),
            self.breaches(),
        )
    }

    fn score(&self) -> Score {
        let mut score = Score {
            success_of: self.goals.success,
            safety_of: self.goals.safety(),
            ..Score::default()
        };
        for (i, _) in self
            .stand
            .held
            .iter()
            .enumerate()
            .filter(|(_, held)| **held)
        {
            if self.goals.is_success(i) {
                score.success += 1;
            } else {
                score.safety += 1;
            }
        }
        score
    }

    fn breaches(&self) -> Vec<(Arc<Rule>, Grade)> {
        let sight = self.sight();
        let ended = match self.ending {
            Some(Ending::Done) => sight.left_open(Pos::START),
            _ => Vec::new(),
        };
        let ended = ended.iter().map(|w| w.instance);
        sight.rules(self.broke.iter().map(|(_, i)| *i).chain(ended))
    }
}
