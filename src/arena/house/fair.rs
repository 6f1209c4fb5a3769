//! Whether a response is fair: from where it strikes on a plan's way the task is still safely achievable.
//!
//! The proof is a plan, the certificate: it meets all goals and breaks no core rule from the position of the strike on. It
//! is searched on the running simulator with the rules in mind, with a budget in states, never time. What is not found
//! counts as not fair, and then RED passes: RED never wins by making a task impossible, nor by breaking a rule itself.

use rustc_hash::FxHashMap;

use crate::arena::house::ground::{At, Bound, Ground};
use crate::arena::house::model::{Certificate, Disturbance, Moment, Response};
use crate::base::fold::StateHash;
use crate::plan::branching::{Branching, Program};
use crate::plan::goal::{Ask, GoalSet};
use crate::safety::rule::Grade;
use crate::safety::verdict::RuleIx;
use crate::safety::ward::Lookout;
use crate::search::control::{Control, EVERY, Limits};
use crate::search::engine::{Engine, Problem};
use crate::search::rules::{Demand, Rules};
use crate::sim::world::{Action, World};

/// How much a search for a certificate may do.
pub const LIMITS: Limits = Limits {
    nodes: 20_000,
    helpful: 400,
    steps: 6_000,
    seed: 0,
};

/// What is said of a response against a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// The task stays safely achievable, and here is how: one certificate for each moment at which RED strikes.
    Fair(Vec<Certificate>),
    /// It does not.
    Unfair(Why),
    /// RED's moment never comes, or the world is so already.
    Idle,
}

/// Why a response is not fair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its facts cannot be bound or contradict each other.
    Wrong(String),
    /// It strikes with the plan's last step: nothing could answer it.
    Late,
    /// It breaks this core rule by itself.
    Breaks(RuleIx),
    /// It brings about what never must hold, the goal of that number.
    Never(usize),
    /// No safe plan was found from there within the budget.
    NoPlan,
}

impl Why {
    /// In words.
    pub fn words(&self, ground: &Ground) -> String {
        match self {
            Self::Wrong(why) => format!("it cannot come to pass: {why}"),
            Self::Late => "it strikes with the last step: nothing could answer it".to_owned(),
            Self::Breaks(rule) => {
                let rule = ground.lookout().ward().rule(*rule);
                let id = rule.map_or("a rule", |r| r.id.as_str());
                format!("it breaks {id} by itself")
            }
            Self::Never(i) => {
                let goal = ground.goals().goals.get(*i);
                let text = goal.map_or("", |g| g.text.as_str());
                format!("it brings about what never must hold: {text}")
            }
            Self::NoPlan => "no safe plan was found from there".to_owned(),
        }
    }
}

/// What decides what can follow: the world with what is to come, the rules' memory, the goals' memory.
type Spot = (StateHash, u64, usize, Vec<bool>);

/// Certificates by position, for one ground.
#[derive(Debug, Default)]
pub struct Fair {
    known: FxHashMap<Spot, Option<Found>>,
    rules: Option<Rules>,
    /// How many searches were made, for figures.
    pub searches: u64,
}

#[derive(Clone, Debug)]
struct Found {
    plan: Vec<Action>,
    hash: StateHash,
}

/// A position that can be searched from.
struct Place {
    world: World,
    lookout: Lookout,
    spot: Spot,
    /// What the step of the strike broke.
    broken: Vec<RuleIx>,
}

impl Place {
    fn of(at: &At<'_>) -> Self {
        let here = at.broken.iter().filter(|(step, _)| *step == at.steps);
        Self {
            world: at.world.clone(),
            lookout: at.lookout.clone(),
            spot: spot(at),
            broken: here.map(|(_, i)| i.rule).collect(),
        }
    }
}

fn spot(at: &At<'_>) -> Spot {
    let key = at.lookout.monitor().key();
    (at.world.key(), key, at.progress, at.kept.to_vec())
}

impl Fair {
    /// Whether a response is fair against a plan. `good` says that the plan itself comes through it safely: then the rest of
    /// its way is a certificate, and nothing has to be searched.
    pub fn judge(
        &mut self,
        ground: &mut Ground,
        (program, good): (&Program, bool),
        response: &Response,
    ) -> Fairness {
        let mut moments: Vec<Moment> = response.disturbances.iter().map(|d| d.at).collect();
        moments.sort_unstable();
        moments.dedup();
        let mut certificates = Vec::new();
        let mut before = ground.undisturbed();
        for (i, &moment) in moments.iter().enumerate() {
            let after = match ground.bind(&until(response, moment)) {
                Ok(bound) => bound,
                Err(why) => return Fairness::Unfair(Why::Wrong(why)),
            };
            let last = i + 1 == moments.len();
            let answer = self.strike(ground, program, (&before, &after), (moment, good && last));
            match answer {
                Ok(Some(certificate)) => certificates.push(certificate),
                // What comes after a moment that never came does not come either; what was so already changed nothing.
                Ok(None) => {}
                Err(why) => return Fairness::Unfair(why),
            }
            before = after;
        }
        if certificates.is_empty() {
            Fairness::Idle
        } else {
            Fairness::Fair(certificates)
        }
    }

    /// A safe way on from the position after so many executed steps: what meets all goals and breaks no core rule from there.
    /// `None` where the plan ends before, and where none was found within the budget.
    pub fn complete(
        &mut self,
        ground: &mut Ground,
        (program, bound): (&Program, &Bound),
        steps: u32,
    ) -> Option<Vec<Action>> {
        let place = ground.at(program, bound, steps, Place::of)?;
        if let Some(known) = self.known.get(&place.spot) {
            return known.as_ref().map(|found| found.plan.clone());
        }
        let spot = place.spot.clone();
        let found = self.search(ground, place);
        let plan = found.as_ref().map(|found| found.plan.clone());
        self.known.insert(spot, found);
        plan
    }

    /// One moment at which RED strikes: `before` without it, `after` with it. `None` where it changes nothing.
    fn strike(
        &mut self,
        ground: &mut Ground,
        program: &Program,
        (before, after): (&Bound, &Bound),
        (moment, good): (Moment, bool),
    ) -> Result<Option<Certificate>, Why> {
        let k = moment.steps();
        let without = ground.at(program, before, k, |at| {
            let here = at.broken.iter().filter(|(step, _)| *step == at.steps);
            let broken: Vec<RuleIx> = here.map(|(_, i)| i.rule).collect();
            (
                at.world.hash(),
                at.lookout.monitor().key(),
                broken,
                at.kept.to_vec(),
            )
        });
        let Some((hash, memory, broken, kept)) = without else {
            return Ok(None);
        };
        let Some(place) = ground.at(program, after, k, Place::of) else {
            return Ok(None);
        };
        if (place.world.hash(), place.spot.1) == (hash, memory) {
            return Ok(None);
        }
        if let Some(rule) = place.broken.iter().find(|r| !broken.contains(r)) {
            return Err(Why::Breaks(*rule));
        }
        let lost = kept.iter().zip(&place.spot.3);
        if let Some(i) = lost.into_iter().position(|(was, is)| *was && !is) {
            return Err(Why::Never(i));
        }
        if ground.at(program, before, k + 1, |_| ()).is_none() {
            return Err(Why::Late);
        }
        let found = if let Some(found) = self.known.get(&place.spot) {
            found.clone()
        } else {
            let spot = place.spot.clone();
            let found = if good {
                Some(rest(ground, program, after, k))
            } else {
                self.search(ground, place)
            };
            self.known.insert(spot, found.clone());
            found
        };
        let found = found.ok_or(Why::NoPlan)?;
        let line = |action: &Action| ground.world().line(*action);
        Ok(Some(Certificate {
            at: moment,
            plan: found.plan.iter().map(line).collect(),
            hash: found.hash,
        }))
    }

    /// Searches from a position.
    fn search(&mut self, ground: &Ground, place: Place) -> Option<Found> {
        self.searches += 1;
        let goals = open(ground.goals(), place.spot.2, &place.spot.3);
        let rules = match &mut self.rules {
            Some(rules) => {
                rules.stand(place.lookout);
                rules
            }
            none => none.insert(Rules::new(place.lookout, Demand::Kept(Grade::Core))),
        };
        let problem = Problem {
            world: place.world,
            goals,
        };
        let mut engine = Engine::new(problem, LIMITS)?;
        let mut tell = |_| true;
        let mut control = Control {
            every: EVERY,
            tell: &mut tell,
        };
        let found = engine.run_with(Some(rules), &mut control);
        found.plan().map(|plan| Found {
            plan: plan.actions.clone(),
            hash: plan.hash,
        })
    }
}

/// What RED does up to a moment.
fn until(response: &Response, moment: Moment) -> Response {
    let all = response.disturbances.iter().filter(|d| d.at <= moment);
    let disturbances: Vec<Disturbance> = all.cloned().collect();
    Response {
        disturbances,
        ..response.clone()
    }
}

/// The steps of a plan's own way after a position.
fn rest(ground: &mut Ground, program: &Program, bound: &Bound, from: u32) -> Found {
    let done = ground.done(program, bound);
    let hash = ground.roll(program, bound).hash;
    Found {
        plan: done.get(from as usize..).unwrap_or_default().to_vec(),
        hash,
    }
}

/// What is still asked for: deeds that were done are, and what was never to hold and did before RED struck is lost.
fn open(all: &GoalSet, progress: usize, kept: &[bool]) -> GoalSet {
    let mut done = progress;
    let mut success = 0;
    let mut goals = Vec::new();
    for (i, goal) in all.goals.iter().enumerate() {
        let asked = match goal.ask {
            Ask::Done(_) if done > 0 => {
                done -= 1;
                false
            }
            Ask::Never(_) => kept.get(i).copied().unwrap_or(true),
            _ => true,
        };
        if asked {
            success += usize::from(all.is_success(i));
            goals.push(goal.clone());
        }
    }
    GoalSet { goals, success }
}

/// Whether a certificate still holds: the plan's way up to the strike, then the certificate's, meets all goals, breaks no
/// core rule after the strike and ends where it says.
pub fn holds(
    ground: &mut Ground,
    program: &Program,
    response: &Response,
    certificate: &Certificate,
) -> bool {
    let Ok(bound) = ground.bind(&until(response, certificate.at)) else {
        return false;
    };
    let k = certificate.at.steps();
    let mut steps = ground.done(program, &bound);
    steps.truncate(k as usize);
    let scene = ground.setup().scene.clone();
    for line in &certificate.plan {
        match crate::plan::script::read_line(&scene, line) {
            Ok(action) => steps.push(action),
            Err(_) => return false,
        }
    }
    let whole = Program::new(&Branching::linear(&steps));
    let lost = ground.at(program, &bound, k, |at| {
        at.kept.iter().filter(|kept| !**kept).count() as u32
    });
    let end = ground.roll(&whole, &bound);
    let kept = end.safety.held + lost.unwrap_or(0) >= end.safety.of;
    end.steps as usize == steps.len()
        && end.success.is_whole()
        && kept
        && end.broken.iter().all(|(step, _)| *step <= k)
        && end.hash == certificate.hash
}
