//! What checks work on: a task bound to its scene, and its own plans tried out.

use std::fmt;
use std::sync::Arc;

use crate::base::diag::Diagnostic;
use crate::base::fold::StateHash;
use crate::plan::goal::{Goal, GoalSet};
use crate::plan::ledger::Ledger;
use crate::safety::monitor::StepLog;
use crate::safety::rule::{Grade, Rule};
use crate::safety::verdict::Instance;
use crate::safety::ward::Lookout;
use crate::sim::explain;
use crate::sim::refusal::Kind;
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::vocab::Profile;
use crate::sim::world::{Action, World};
use crate::task::setup::Setup;
use crate::task::{Environment, Task};

use super::finding::Witness;

/// How much may be spent on what has to be searched for. Counted in states and not in seconds, so that the same task
/// always gets the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// States a single search may visit.
    pub states: u64,
}

impl Effort {
    /// The next larger effort.
    #[must_use]
    pub const fn raised(self) -> Self {
        Self {
            states: self.states.saturating_mul(10),
        }
    }
}

impl Default for Effort {
    fn default() -> Self {
        Self { states: 200_000 }
    }
}

/// A task under examination.
pub struct Case<'c> {
    /// The task with its scene.
    pub setup: &'c Setup,
    /// The semantics it is judged in.
    pub profile: Profile,
    /// What searches may spend.
    pub effort: Effort,
    /// Whether nobody waits for the answer any more.
    pub stop: &'c dyn Fn() -> bool,
    /// The goals as they are judged in that profile.
    goals: GoalSet,
    /// The world at the start.
    pub start: World,
    /// The hazard rules at the start.
    pub lookout: Lookout,
    /// The reference plan, tried out.
    pub reference: Trace,
    /// The naive plan, tried out.
    pub naive: Trace,
}

impl fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case")
            .field("task", &self.setup.task.id)
            .field("profile", &self.profile)
            .field("effort", &self.effort)
            .finish_non_exhaustive()
    }
}

impl<'c> Case<'c> {
    /// A case, its plans tried out.
    ///
    /// # Errors
    /// The scene has nobody who acts.
    pub fn new(
        setup: &'c Setup,
        profile: Profile,
        effort: Effort,
        stop: &'c dyn Fn() -> bool,
    ) -> Result<Self, Diagnostic> {
        let start = setup.world(profile)?;
        let lookout = setup.lookout(&start);
        let goals = setup.goals_in(profile);
        let trace = |of, plan| Trace::of(&goals, (&start, &lookout), of, plan);
        Ok(Self {
            reference: trace("reference plan", &setup.reference),
            naive: trace("naive plan", &setup.naive),
            setup,
            profile,
            effort,
            stop,
            goals,
            start,
            lookout,
        })
    }

    /// Tries a plan from the start of the task.
    pub fn trace(&self, of: &'static str, plan: &[Action]) -> Trace {
        Trace::of(&self.goals, (&self.start, &self.lookout), of, plan)
    }

    /// Whether a run does all it should, and nothing it should not. Tasks that were published elsewhere never promised
    /// to keep our rules.
    pub fn is_safe_success(&self, trace: &Trace) -> bool {
        let score = trace.ledger.score(trace.end());
        let keeps = !self.is_own() || trace.breaches().next().is_none();
        trace.runs() && score.succeeds() && score.safe() && keeps
    }

    /// An action in people's words.
    pub fn say(&self, action: Action) -> String {
        crate::plan::script::say(self.start.scene(), action)
    }

    /// The world at the end of a run.
    pub const fn world_after<'t>(&self, trace: &'t Trace) -> &'t World {
        trace.timeline.world()
    }

    /// Whether the task is of a suite whose plans are meant to keep the hazard rules.
    pub fn is_own(&self) -> bool {
        !self.task().is_published()
    }

    /// The task as read.
    pub fn task(&self) -> &'c Task {
        &self.setup.task
    }

    /// Its goals.
    pub const fn goals(&self) -> &GoalSet {
        &self.goals
    }

    /// The field of the task file that holds a goal: `success[4]`.
    pub fn field(&self, goal: usize) -> String {
        let (field, at) = self.place(goal);
        format!("{field}[{at}]")
    }

    /// The list that holds a goal, and its place there.
    pub fn place(&self, goal: usize) -> (&'static str, usize) {
        let (success, safety) = (self.goals().success, self.task().safety.len());
        match goal.checked_sub(success) {
            None => ("success", goal),
            Some(at) if at < safety => ("safety", at),
            Some(at) => ("never", at - safety),
        }
    }

    /// A goal in words, with the number people count it by: `success 5 microwave OFF`.
    pub fn words(&self, goal: usize) -> String {
        let (field, at) = self.place(goal);
        let words = self.goals().goals.get(goal).map(Goal::words);
        format!("{field} {} {}", at + 1, words.unwrap_or_default())
    }

    /// The goals that say what must never hold.
    pub fn nevers(&self) -> std::ops::Range<usize> {
        self.goals().success + self.task().safety.len()..self.goals().goals.len()
    }

    /// Whether the instruction asks for harm and must be refused.
    pub fn is_refusal(&self) -> bool {
        self.task().environment == Environment::AdversarialInstruction
    }
}

/// A plan as it went: a timeline that stands at the last step done.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Whose plan it is: `reference plan`.
    pub of: &'static str,
    /// How many steps were tried, the one that ended it included.
    pub tried: usize,
    /// The positions.
    pub timeline: Timeline,
    /// Which goals held at each.
    pub ledger: Ledger,
    /// Which rules were broken, in order; last those that the end leaves broken.
    pub broken: Vec<Breach>,
    /// Steps that were refused, in order. All but the last found the world already so and were passed over.
    pub refused: Vec<Refused>,
}

/// A rule broken on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The rule.
    pub rule: Arc<Rule>,
    /// The grade it has in this scene.
    pub grade: Grade,
    /// For which nodes.
    pub instance: Instance,
    /// The position; the start for what was amiss before the first step.
    pub at: Pos,
    /// Whether only ending there breaks it.
    pub is_end: bool,
}

/// A refused step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its number in the plan, from 1.
    pub step: usize,
    /// The action as a program line.
    pub line: String,
    /// The kind.
    pub kind: Kind,
    /// Why, in words.
    pub reason: String,
    /// The position at which it was tried.
    pub at: Pos,
}

impl Trace {
    /// Tries a plan. As the published runner does, it passes over a step that finds the world already so, and stops at
    /// any other refusal.
    fn of(
        goals: &GoalSet,
        (start, lookout): (&World, &Lookout),
        of: &'static str,
        plan: &[Action],
    ) -> Self {
        let timeline = Timeline::new(start.clone());
        let mut lookout = lookout.clone();
        let mut trace = Self {
            of,
            tried: 0,
            ledger: Ledger::new(goals.clone(), &timeline, lookout.monitor()),
            timeline,
            broken: Vec::new(),
            refused: Vec::new(),
        };
        let amiss: Vec<Instance> = lookout.monitor().broken().map(|(i, _)| i).collect();
        trace.note(&lookout, amiss, false);
        // What ending before the first step would leave broken is a standing hazard, as in play: no plan's doing.
        let open = lookout.monitor().at_end(trace.timeline.world(), None);
        let mut log = StepLog::default();
        for &action in plan {
            trace.tried += 1;
            if !trace.step(action, &mut lookout, &mut log) {
                break;
            }
        }
        let end = trace.end();
        let last = (end > Pos::START).then(|| (trace.timeline.items(end), &log));
        let mut left = lookout.monitor().at_end(trace.timeline.world(), last);
        left.retain(|instance| !open.contains(instance));
        trace.note(&lookout, left, true);
        trace
    }

    /// Keeps which instances broke here.
    fn note(&mut self, lookout: &Lookout, all: Vec<Instance>, is_end: bool) {
        let ward = lookout.ward();
        let heard = all.into_iter().filter(|i| !lookout.is_silenced(i));
        for instance in heard {
            if let Some(rule) = ward.rule(instance.rule) {
                self.broken.push(Breach {
                    rule: rule.clone(),
                    grade: ward.grade(instance.rule),
                    instance,
                    at: self.timeline.here(),
                    is_end,
                });
            }
        }
    }

    /// What the run itself broke, not what was amiss before it.
    pub fn breaches(&self) -> impl Iterator<Item = &Breach> {
        self.broken.iter().filter(|b| b.is_end || b.at > Pos::START)
    }

    /// Tries one step; whether the plan goes on.
    fn step(&mut self, action: Action, lookout: &mut Lookout, log: &mut StepLog) -> bool {
        let Err(refusal) = self.timeline.step_anew(action) else {
            let here = self.timeline.here();
            lookout.step(
                self.timeline.world(),
                action,
                self.timeline.items(here),
                log,
            );
            self.ledger.record(&self.timeline, lookout.monitor());
            self.note(lookout, log.breaches().collect(), false);
            return true;
        };
        let world = self.timeline.world();
        let name = |ix| world.scene().short_name(ix).to_owned();
        self.refused.push(Refused {
            step: self.tried,
            line: world.line(action),
            kind: refusal.kind,
            reason: explain::sentence(world, &refusal, &name),
            at: self.timeline.here(),
        });
        refusal.kind == Kind::AlreadySo
    }

    /// Whether every step was done or found nothing to do.
    pub fn runs(&self) -> bool {
        self.refused.iter().all(|r| r.kind == Kind::AlreadySo)
    }

    /// The position it ends at.
    pub const fn end(&self) -> Pos {
        self.timeline.here()
    }

    /// Every position, the start first.
    pub fn positions(&self) -> impl Iterator<Item = Pos> {
        (0..=self.end().0).map(Pos)
    }

    /// Goals that do not hold at its end.
    pub fn missed(&self) -> impl Iterator<Item = usize> + '_ {
        let end = self.end();
        (0..self.ledger.goals().goals.len()).filter(move |&goal| !self.ledger.holds(goal, end))
    }

    /// The first position at which a goal does not hold, from which on it never does again.
    pub fn lost(&self, goal: usize) -> Option<Pos> {
        let holds = |pos: &Pos| self.ledger.holds(goal, *pos);
        let last = self.positions().filter(holds).last();
        match last {
            Some(pos) if pos == self.end() => None,
            Some(pos) => Some(Pos(pos.0 + 1)),
            None => Some(Pos::START),
        }
    }

    /// The steps that were done, looked at after the one that led to a position.
    pub fn witness(&self, at: Pos) -> Witness {
        Witness {
            steps: self.lines(self.end()),
            at: at.0 as usize,
            of: self.of.to_owned(),
            hashes: Vec::new(),
        }
    }

    /// The steps up to and with one that was refused.
    pub fn refusal(&self, refused: &Refused) -> Witness {
        let mut steps = self.lines(refused.at);
        steps.push(refused.line.clone());
        Witness {
            steps,
            at: refused.at.0 as usize,
            of: self.of.to_owned(),
            hashes: Vec::new(),
        }
    }

    /// The state hash at the start and after every step.
    pub fn hashes(&self) -> Vec<StateHash> {
        self.timeline.clone().hashes(self.end())
    }

    /// The whole run with its hashes: whoever plays it again can tell that it is the same.
    pub fn certificate(&self) -> Witness {
        Witness {
            hashes: self.hashes(),
            ..self.witness(self.end())
        }
    }

    /// The steps that led to a position, as program lines.
    pub fn lines(&self, to: Pos) -> Vec<String> {
        let world = self.timeline.world();
        let done = (0..=to.0).filter_map(|p| self.timeline.action(Pos(p)));
        done.map(|action| world.line(action)).collect()
    }
}
