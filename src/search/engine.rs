//! The staged search: what is asked, and the answer with its plan or its proof.

use crate::base::fold::StateHash;
use crate::plan::fact::{Body, Fact};
use crate::plan::goal::GoalSet;
use crate::search::aims::Aims;
use crate::search::answer::{Answer, Found, Plan, Proof, Stage, Strength};
use crate::search::control::{Control, EVERY, Limits, Progress};
use crate::search::exhaust::layers;
use crate::search::greedy::{Greedy, Manner, Outcome};
use crate::search::moves::{Relevant, facts};
use crate::search::relax::Relaxer;
use crate::search::shorten::{Stage as Replay, eliminate};
use crate::search::space::Space;
use crate::search::table::{Table, View};
use crate::search::table_of;
use crate::search::watch::Watcher;
use crate::sim::world::{Action, World};

/// What a plan is asked for.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The world at the start.
    pub world: World,
    /// What must hold at the end, success and safety alike, and what must hold at no step.
    pub goals: GoalSet,
}

/// A search ready to run.
pub struct Engine {
    world: World,
    goals: GoalSet,
    table: &'static Table,
    aims: Aims,
    limits: Limits,
    banned: Vec<Action>,
}

impl Engine {
    /// Makes the goals ready. `None` if nobody wrote a table for the world's dialect.
    pub fn new(problem: Problem, limits: Limits) -> Option<Self> {
        let table = table_of(problem.world.dialect())?;
        let aims = Aims::new(&problem.world, table, &problem.goals);
        Some(Self {
            world: problem.world,
            goals: problem.goals,
            table,
            aims,
            limits,
            banned: Vec::new(),
        })
    }

    /// Forbids actions.
    pub fn ban(&mut self, actions: &[Action]) {
        self.banned.extend_from_slice(actions);
    }

    /// Searches without rules and without anybody watching.
    pub fn run(&mut self) -> Found {
        let mut tell = |_: Progress| true;
        self.run_with(
            None,
            &mut Control {
                every: EVERY,
                tell: &mut tell,
            },
        )
    }

    /// Searches. World and watcher stand at the start, and do so again afterwards.
    pub fn run_with(
        &mut self,
        mut watcher: Option<&mut dyn Watcher>,
        control: &mut Control<'_>,
    ) -> Found {
        if let Some(watcher) = &mut watcher {
            watcher.mind(&self.aims.all_named());
        }
        let mut run = Run {
            table: self.table,
            limits: self.limits,
            relaxer: Relaxer::new(self.table),
            space: Space::new(&mut self.world, &self.aims, reborrow(&mut watcher)),
        };
        run.space.lore.banned.clone_from(&self.banned);
        let mut asked = Vec::new();
        let tracked = |f: &&Fact| matches!(f.body, Body::Tracked(..));
        let tracked = self.aims.facts.iter().filter(tracked);
        tracked.for_each(|f| facts(f, &mut asked));
        run.space.learn_deeds(&asked);
        let found = run.stages(control);
        run.space.goto(0);
        let stats = run.space.stats;
        let answer = match found {
            Ok((steps, stage)) => self.finish(&steps, stage, watcher),
            Err(answer) => answer,
        };
        Found { answer, stats }
    }

    /// Shortens a plan and tells when each goal became true.
    fn finish(
        &mut self,
        steps: &[Action],
        stage: Stage,
        watcher: Option<&mut dyn Watcher>,
    ) -> Answer {
        let mut replay = Replay::new(&mut self.world, &self.aims, watcher);
        let actions = eliminate(&mut replay, steps);
        match replay.since(&self.goals, &actions) {
            Some((since, hash)) => Answer::Plan(Plan {
                actions,
                since,
                hash,
                stage,
                before: steps.len(),
            }),
            None => Answer::Spent,
        }
    }

    /// The shortest plan over the objects that `focus` leads to, of at most `depth` steps and with at most `steps` steps
    /// tried, breadth-first; `None` if there is none within that.
    pub fn shortest(
        &mut self,
        focus: &GoalSet,
        (depth, steps): (usize, u64),
        control: &mut Control<'_>,
    ) -> Option<Vec<Action>> {
        let narrow = Aims::new(&self.world, self.table, focus);
        let relevant = Relevant::new(self.table, &self.world, &narrow, (&[], None));
        let mut moves = relevant.moves(self.table, &self.world);
        let mut space = Space::new(&mut self.world, &self.aims, None);
        let bounds = (depth, self.limits.nodes, steps);
        let seen = layers(&mut space, &mut moves, bounds, control);
        let found = match seen.outcome {
            Outcome::Found(node) => Some(space.steps(node)),
            Outcome::Empty | Outcome::Spent | Outcome::Cancelled => None,
        };
        space.goto(0);
        let plan = found?;
        let reached = Replay::new(&mut self.world, &self.aims, None).since(&self.goals, &plan);
        reached.map(|_| plan)
    }

    /// How many steps of a plan do anything: those that are accepted and change a fact or meet an action goal.
    pub fn effective(&mut self, plan: &[Action]) -> usize {
        Replay::new(&mut self.world, &self.aims, None).effective(plan)
    }

    /// Looks at the start alone: the size of the relaxed plan, `None` if some goal is out of reach.
    pub fn estimate(&self) -> Option<u32> {
        let view = View {
            world: &self.world,
            shadow: &(),
            aims: &self.aims,
            progress: 0,
            lore: None,
        };
        Relaxer::new(self.table).solve(&view, &[])
    }
}

/// One search under way.
struct Run<'r> {
    table: &'static Table,
    limits: Limits,
    relaxer: Relaxer,
    space: Space<'r>,
}

impl Run<'_> {
    fn stages(&mut self, control: &mut Control<'_>) -> Result<(Vec<Action>, Stage), Answer> {
        // What never may hold and does at the start is broken whatever follows.
        if self.space.is_forbidden() {
            return Err(unreachable(Strength::Relaxed));
        }
        if self.space.is_end(0) {
            return Ok((Vec::new(), Stage::Start));
        }
        if self.space.aims.contradict(self.space.world) {
            return Err(unreachable(Strength::Contradictory));
        }
        // With rules a goal may be in reach although it does not seem so: what is pending was not asked here.
        if self.relaxer.solve(&self.space.view(0), &[]).is_none() {
            return Err(unreachable(Strength::Relaxed));
        }
        let helpful = Greedy::new(Stage::Helpful, None, self.limits);
        match helpful.run(&mut self.space, &mut self.relaxer, control) {
            Outcome::Found(node) => return Ok((self.space.steps(node), Stage::Helpful)),
            Outcome::Cancelled => return Err(Answer::Cancelled),
            Outcome::Empty | Outcome::Spent => {}
        }
        self.space.goto(0);
        let (table, world) = (self.table, &*self.space.world);
        let relevant = Relevant::new(table, world, self.space.aims, (&[], Some(&self.space.lore)));
        let near = relevant.wider(table, world);
        let whole = relevant.whole(world);
        // Where rules are minded the way is long, and states differ in how much time is left.
        let minded = self.space.watcher.is_some();
        let passes = [
            (Stage::Relevant, &relevant, Manner::Committed(0)),
            (Stage::Relevant, &relevant, Manner::Committed(1)),
            (Stage::Relevant, &relevant, Manner::Committed(2)),
            (Stage::Relevant, &relevant, Manner::Committed(3)),
            (Stage::Relevant, &relevant, Manner::Coarse),
            (Stage::Relevant, &relevant, Manner::Exact),
            (Stage::Near, &near, Manner::Coarse),
            (Stage::All, &whole, Manner::Exact),
        ];
        for (stage, objects, manner) in passes {
            if !minded && stage == Stage::Relevant && manner != Manner::Coarse {
                continue;
            }
            let mut moves = objects.moves(table, self.space.world);
            let mut wide = Greedy::new(stage, Some(&mut moves), self.limits);
            wide.go_about(manner);
            match wide.run(&mut self.space, &mut self.relaxer, control) {
                Outcome::Found(node) => return Ok((self.space.steps(node), stage)),
                Outcome::Cancelled => return Err(Answer::Cancelled),
                Outcome::Empty if !manner.is_committed() => {
                    // Nothing is left over these objects but dead ends: look whether that is so.
                    if let Some(answer) = self.exhaust(objects, control) {
                        return answer;
                    }
                }
                Outcome::Empty | Outcome::Spent => {}
            }
        }
        Err(Answer::Spent)
    }

    /// Breadth-first over some objects: a plan after all, or a proof.
    fn exhaust(
        &mut self,
        objects: &Relevant,
        control: &mut Control<'_>,
    ) -> Option<Result<(Vec<Action>, Stage), Answer>> {
        let mut moves = objects.moves(self.table, self.space.world);
        let seen = layers(
            &mut self.space,
            &mut moves,
            (usize::MAX, self.limits.nodes, self.limits.steps),
            control,
        );
        match seen.outcome {
            Outcome::Found(node) => Some(Ok((self.space.steps(node), Stage::Exhaustive))),
            Outcome::Cancelled => Some(Err(Answer::Cancelled)),
            Outcome::Empty => seen
                .proof(objects, objects.is_whole(self.space.world))
                .map(|proof| Err(Answer::None(proof))),
            Outcome::Spent => None,
        }
    }
}

/// No plan can be, and nothing had to be tried to know that.
fn unreachable(strength: Strength) -> Answer {
    Answer::None(Proof {
        strength,
        objects: Vec::new(),
        whole: true,
        layers: Vec::new(),
        hash: StateHash::default(),
    })
}

/// The same watcher, lent for a shorter time.
pub(super) fn reborrow<'a>(
    watcher: &'a mut Option<&mut dyn Watcher>,
) -> Option<&'a mut dyn Watcher> {
    match watcher {
        Some(w) => Some(&mut **w),
        None => None,
    }
}
