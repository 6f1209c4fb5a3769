//! A task made ready for being played very often: one world and its rules, moved forward and taken back.
//!
//! A start that RED has disturbed is the same world with a few facts more, so it is brought about and taken back like a
//! step; what the rules remember there is kept per start. What comes of a plan here is what an
//! [`Episode`](crate::task::episode::Episode) of the varied task would come to; a test holds both equal.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::arena::house::model::{Moment, Response};
use crate::base::diag::Diagnostic;
use crate::base::fold::StateHash;
use crate::plan::goal::{Ask, GoalSet};
use crate::safety::book::Extra;
use crate::safety::monitor::StepLog;
use crate::safety::rule::Grade;
use crate::safety::verdict::Instance;
use crate::safety::ward::Lookout;
use crate::sim::graph::Item;
use crate::sim::happen::{Effect, Happening, When};
use crate::sim::vocab::Profile;
use crate::sim::world::{Action, World};
use crate::task::Environment;
use crate::task::setup::{self, Setup};

mod roll;
mod varied;

pub use roll::{At, Rolled, Taken};
pub use varied::variant;

/// How many disturbed starts are remembered at once; each takes about as much memory as a scene's rules.
const STARTS: usize = 64;

/// A task made ready for many simulations.
#[derive(Clone, Debug)]
pub struct Ground {
    setup: Arc<Setup>,
    goals: GoalSet,
    /// Per action goal in order: its number.
    deeds: Vec<usize>,
    /// The numbers of the goals about what must never hold.
    nevers: Vec<usize>,
    dangerous: bool,
    /// At the task's start whenever nothing is being played.
    world: World,
    /// The undisturbed start first.
    starts: Vec<Start>,
    /// Where the next start goes once there is no room.
    oldest: usize,
    /// Per action that was done: which action goals its line names.
    lines: FxHashMap<Action, u128>,
    trail: Vec<Footstep>,
    /// Whether the world was not where it began after the last rollout.
    astray: bool,
    /// How many rollouts were judged in which RED acts, for figures and tests.
    pub rolled: u64,
}

/// A start, disturbed or not.
#[derive(Clone, Debug)]
struct Start {
    /// The facts that make it.
    key: Vec<String>,
    /// What they change.
    items: Vec<Item>,
    lookout: Lookout,
    /// What would be broken if the run ended before its first step.
    open: Vec<Instance>,
}

/// What it takes to take a step back.
#[derive(Clone, Debug, Default)]
struct Footstep {
    log: StepLog,
    items: Vec<Item>,
    hash: StateHash,
}

/// A response bound to the scene.
#[derive(Clone, Debug)]
pub struct Bound {
    key: Vec<String>,
    start: Vec<Effect>,
    extras: Vec<Extra>,
    happenings: Arc<[Happening]>,
    told: Arc<[Vec<Extra>]>,
}

impl Ground {
    /// Makes a task ready.
    ///
    /// # Errors
    /// The scene has nobody who acts.
    pub fn new(setup: Arc<Setup>, profile: Profile) -> Result<Self, Diagnostic> {
        let world = setup.world(profile)?;
        let lookout = setup.lookout(&world);
        let goals = setup.goals_in(profile);
        let numbers = |fits: fn(&Ask) -> bool| {
            let all = goals.goals.iter().enumerate();
            all.filter(|(_, g)| fits(&g.ask)).map(|(i, _)| i).collect()
        };
        Ok(Self {
            deeds: numbers(|ask| matches!(ask, Ask::Done(_))),
            nevers: numbers(|ask| matches!(ask, Ask::Never(_))),
            dangerous: setup.task.environment == Environment::AdversarialInstruction,
            starts: vec![Start {
                key: Vec::new(),
                items: Vec::new(),
                open: lookout.monitor().at_end(&world, None),
                lookout,
            }],
            oldest: 1,
            goals,
            world,
            setup,
            lines: FxHashMap::default(),
            trail: Vec::new(),
            astray: false,
            rolled: 0,
        })
    }

    /// The task and its scene.
    pub const fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// The goals it is judged by.
    pub const fn goals(&self) -> &GoalSet {
        &self.goals
    }

    /// The world at the task's start.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The rules at the task's start.
    pub fn lookout(&self) -> &Lookout {
        &self.starts[0].lookout
    }

    /// Binds a response.
    ///
    /// # Errors
    /// What is wrong with a fact of it.
    pub fn bind(&self, response: &Response) -> Result<Bound, String> {
        let (scene, book) = (&self.setup.scene, &self.setup.book);
        let mut key = Vec::new();
        let mut happenings = self.setup.happenings.to_vec();
        let mut told = self.setup.happening_extras.clone();
        for (i, it) in response.disturbances.iter().enumerate() {
            match it.at {
                Moment::Start => key.extend_from_slice(&it.facts),
                Moment::After(step) => {
                    let (effects, extras) = setup::changes(scene, book, &it.facts)?;
                    happenings.push(Happening {
                        id: varied::event_id(i),
                        words: it.words.clone(),
                        when: When::Step(step),
                        effects,
                    });
                    told.push(extras);
                }
            }
        }
        let (start, extras) = setup::changes(scene, book, &key)?;
        Ok(Bound {
            key,
            start,
            extras,
            happenings: happenings.into(),
            told: told.into(),
        })
    }

    /// RED does nothing.
    pub fn undisturbed(&self) -> Bound {
        Bound {
            key: Vec::new(),
            start: Vec::new(),
            extras: Vec::new(),
            happenings: self.setup.happenings.clone(),
            told: self.setup.happening_extras.clone().into(),
        }
    }

    /// Brings a response's start about; its number.
    fn enter(&mut self, bound: &Bound, watch: bool) -> usize {
        let known = self.starts.iter().position(|s| s.key == bound.key);
        let at = match known {
            Some(at) => {
                self.world.toggle(&self.starts[at].items);
                at
            }
            None => self.begin(bound),
        };
        if !Arc::ptr_eq(&bound.happenings, &self.setup.happenings) {
            self.world.rescript(bound.happenings.clone());
        }
        if watch {
            self.starts[at].lookout.rescript(bound.told.clone());
        }
        at
    }

    /// A start that is not known yet; the world stands there afterwards.
    fn begin(&mut self, bound: &Bound) -> usize {
        self.world.bring(&bound.start);
        let items = self.world.graph().last_items().to_vec();
        let mut extras = self.setup.extras.clone();
        extras.extend_from_slice(&bound.extras);
        let lookout = self.starts[0].lookout.anew(&self.world, &extras, &[]);
        let start = Start {
            key: bound.key.clone(),
            items,
            open: lookout.monitor().at_end(&self.world, None),
            lookout,
        };
        if self.starts.len() < STARTS {
            self.starts.push(start);
            return self.starts.len() - 1;
        }
        let at = self.oldest;
        self.starts[at] = start;
        self.oldest = if at + 1 == STARTS { 1 } else { at + 1 };
        at
    }

    /// Takes the start back; the world stands at it.
    fn leave(&mut self, at: usize, bound: &Bound) {
        self.world.toggle(&self.starts[at].items);
        if !Arc::ptr_eq(&bound.happenings, &self.setup.happenings) {
            self.world.rescript(self.setup.happenings.clone());
        }
    }

    /// Begins anew with a fresh world: the one there is does not stand where it should.
    fn renew(&mut self) {
        self.astray = true;
        if let Ok(world) = self.setup.world(self.world.profile()) {
            let lookout = self.setup.lookout(&world);
            self.starts.truncate(1);
            if let Some(start) = self.starts.first_mut() {
                start.open = lookout.monitor().at_end(&world, None);
                start.lookout = lookout;
            }
            self.oldest = 1;
            self.world = world;
        }
    }

    /// Whether a broken instance counts: a core rule that no goal silences.
    fn counts(lookout: &Lookout, instance: &Instance) -> bool {
        lookout.ward().grade(instance.rule) == Grade::Core && !lookout.is_silenced(instance)
    }
}
