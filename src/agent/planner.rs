//! The agent that needs no network: it searches for a plan on the simulator itself and does it.
//!
//! What it sees, so that nobody takes its results for a reader's: the whole world, whatever an agent would be told of it;
//! the task's success goals, safety goals and what must never hold, which no other agent is shown; the hazard rules. It
//! does *not* read the instruction. That an instruction is dangerous it knows from the task alone: nothing is to be
//! achieved, and something must never hold. Then, and where every way to success was proven to break a safety goal, it
//! answers `[Avoid]`.
//!
//! It asks for the safest plan first: all goals with core and advisory rules kept, then with core rules kept, then goals
//! alone, then success alone. Which of these it found, [`Planner::found`] tells. Where the world differs from what it expected, it plans
//! again from there.

use crate::base::fold::StateHash;
use crate::plan::goal::{Ask, Goal, GoalSet};
use crate::safety::rule::Grade;
use crate::search::answer::{Answer, Strength};
use crate::search::control::{Control, EVERY, Limits};
use crate::search::engine::{Engine, Problem};
use crate::search::rules::{Demand, Rules};
use crate::search::watch::Watcher;
use crate::sim::world::Action;
use crate::task::episode::Episode;

use super::player::{Deed, Happening, Player, Standpoint, Stop, Want};

/// How often it plans again in one trial.
const MOST_PLANS: u32 = 20;

/// Plays by searching.
#[derive(Clone, Debug)]
pub struct Planner {
    limits: Limits,
    /// The rest of the plan: before each step the world it expects, and the step.
    plan: Vec<(StateHash, Action)>,
    /// The world it expects after the last step.
    last: Option<StateHash>,
    plans: u32,
    /// What the last search found, in words.
    found: String,
    /// What it wants, until it is told something.
    want: Option<Want>,
    /// Whether it is to think no more.
    stop: Stop,
}

/// What a plan is asked to keep, the safest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Care {
    Advice,
    Core,
    Goals,
    Success,
}

impl Care {
    const ALL: [Self; 4] = [Self::Advice, Self::Core, Self::Goals, Self::Success];

    const fn demand(self) -> Demand {
        match self {
            Self::Advice => Demand::Kept(Grade::Advisory),
            Self::Core => Demand::Kept(Grade::Core),
            Self::Goals | Self::Success => Demand::Nothing,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Advice => "meets all goals and breaks no rule",
            Self::Core => "meets all goals and breaks advice only",
            Self::Goals => "meets all goals and breaks rules",
            Self::Success => "meets the success goals and breaks safety goals",
        }
    }
}

impl Default for Planner {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Planner {
    /// One whose searches may do so much.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            plan: Vec::new(),
            last: None,
            plans: 0,
            found: String::new(),
            want: None,
            stop: Stop::default(),
        }
    }

    /// One that thinks until somebody wishes that it stops.
    pub fn stopping(stop: Stop) -> Self {
        Self {
            stop,
            ..Self::default()
        }
    }

    /// What the last search found, in words: how careful the plan is.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// Plans from where the episode stands.
    ///
    /// # Errors
    /// Why there is nothing to do.
    fn search(&mut self, episode: &Episode) -> Result<(), Want> {
        let goals = episode.ledger().goals();
        if goals.success == 0 {
            let deed = refusal(goals).map_or(Deed::Done, Deed::Avoid);
            return Err(Want::Do(deed));
        }
        self.plans += 1;
        if self.plans > MOST_PLANS {
            let said = format!("the world differed from what was expected {MOST_PLANS} times");
            return Err(stop("no_plan", &said));
        }
        // Whether all that is asked was proven out of reach, and not merely not found.
        let mut proven = false;
        for care in Care::ALL {
            let answer = self.ask(episode, care);
            match answer {
                Some(Answer::Plan(plan)) if care == Care::Success && proven => {
                    let n = plan.actions.len();
                    return Err(Want::Do(Deed::Avoid(format!(
                        "the task can be done in {n} steps, but only by breaking a safety goal: that was proven"
                    ))));
                }
                Some(Answer::Plan(plan)) => {
                    self.take(episode, &plan.actions);
                    let n = plan.actions.len();
                    self.found = format!("a plan of {n} steps {}", care.words());
                    return Ok(());
                }
                Some(Answer::None(proof)) if care == Care::Goals => {
                    proven = proof.whole && proof.strength == Strength::Exhausted;
                }
                // It would find nothing, for it does not look.
                Some(Answer::Cancelled) => return Err(Want::Wait),
                Some(Answer::None(_) | Answer::Spent) => {}
                None => {
                    return Err(stop("no_planner", "there is no planner for this world"));
                }
            }
        }
        Err(stop("no_plan", "no plan was found within the budget"))
    }

    fn ask(&self, episode: &Episode, care: Care) -> Option<Answer> {
        let problem = Problem {
            world: episode.timeline().world().clone(),
            goals: open(episode, care),
        };
        let tracked = problem.goals.goals.iter().any(Goal::is_tracked);
        let mut engine = Engine::new(problem, self.limits)?;
        let mut tell = |_| !self.stop.is_wished();
        let mut control = Control {
            every: EVERY,
            tell: &mut tell,
        };
        // What only rules keep is known only where they watch.
        let watches = care.demand() != Demand::Nothing || tracked;
        let mut rules = watches.then(|| Rules::new(episode.lookout().clone(), care.demand()));
        let watcher = rules.as_mut().map(|r| r as &mut dyn Watcher);
        Some(engine.run_with(watcher, &mut control).answer)
    }

    /// Keeps the steps with the worlds they expect, the last step first.
    fn take(&mut self, episode: &Episode, actions: &[Action]) {
        let mut world = episode.timeline().world().clone();
        self.plan.clear();
        for &action in actions {
            self.plan.push((world.hash(), action));
            if world.apply(action).is_err() {
                break;
            }
        }
        self.last = Some(world.hash());
        self.plan.reverse();
    }
}

fn stop(cause: &str, text: &str) -> Want {
    Want::Stop {
        cause: cause.to_owned(),
        text: text.to_owned(),
    }
}

/// What is still asked for: deeds that were done are, and what was never to hold and did is lost.
fn open(episode: &Episode, care: Care) -> GoalSet {
    let ledger = episode.ledger();
    let all = ledger.goals();
    let here = episode.here();
    let mut done = ledger.progress(here);
    let mut goals = Vec::new();
    for (i, goal) in all.goals.iter().enumerate() {
        let kept = match goal.ask {
            Ask::Done(_) if done > 0 => {
                done -= 1;
                false
            }
            Ask::Never(_) => ledger.holds(i, here),
            _ => true,
        };
        if kept && (care != Care::Success || all.is_success(i)) {
            goals.push(goal.clone());
        }
    }
    GoalSet {
        success: goals.len(),
        goals,
    }
}

/// Why an instruction is dangerous, if the task says that something must never hold.
fn refusal(goals: &GoalSet) -> Option<String> {
    let never = goals
        .goals
        .iter()
        .filter(|g| matches!(g.ask, Ask::Never(_)));
    let words: Vec<String> = never.map(Goal::words).collect();
    (!words.is_empty()).then(|| format!("the task forbids it: {}", words.join("; ")))
}

impl Planner {
    /// The next step; or what ends it.
    fn step(&mut self, at: &Standpoint<'_>) -> Want {
        if self.stop.is_wished() {
            return Want::Wait;
        }
        let hash = at.episode.timeline().world().hash();
        let expected = match self.plan.last() {
            Some((expected, _)) => Some(*expected),
            None => self.last,
        };
        if expected != Some(hash) {
            self.plan.clear();
            self.last = None;
            if let Err(want) = self.search(at.episode) {
                return want;
            }
        }
        match self.plan.pop() {
            Some((_, action)) => Want::Do(Deed::Act(action)),
            None => Want::Do(Deed::Done),
        }
    }
}

impl Player for Planner {
    fn aside(&mut self) -> Vec<String> {
        let found = std::mem::take(&mut self.found);
        if found.is_empty() {
            Vec::new()
        } else {
            vec![found]
        }
    }

    fn next(&mut self, at: &mut Standpoint<'_>) -> Want {
        if let Some(want) = &self.want {
            return want.clone();
        }
        let want = self.step(at);
        if want == Want::Wait {
            // Nothing was found out: asked again it thinks again.
            return want;
        }
        self.want.insert(want).clone()
    }

    fn happened(&mut self, _: &mut Standpoint<'_>, what: &Happening) {
        match what {
            Happening::Message(_) => return,
            Happening::Done(_) => {}
            // What was not done, or was done by somebody else, leaves a world the plan does not fit.
            _ => {
                self.plan.clear();
                self.last = None;
            }
        }
        self.want = match what {
            Happening::TrialEnded(_) => Some(Want::Begin),
            _ => None,
        };
    }
}
