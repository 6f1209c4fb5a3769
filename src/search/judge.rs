//! Judging a plan: played step by step with goals and rules, and taken back.

use crate::base::fold::StateHash;
use crate::plan::goal::{Ask, GoalSet, Seen};
use crate::safety::book::Shadow;
use crate::safety::verdict::Instance;
use crate::search::rules::Rules;
use crate::search::watch::Watcher as _;
use crate::sim::graph::Item;
use crate::sim::world::{Action, World};

/// How a plan went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Which goals hold at the end; what never must hold counts as held while it was kept.
    pub held: Vec<bool>,
    /// For each goal, after how many steps it became true for good; the largest number where it did not.
    pub since: Vec<usize>,
    /// What the rules that count have broken, by a step (its number, from 1) or at the end (one more than the last).
    pub broken: Vec<(usize, Instance)>,
    /// The state hash at the end.
    pub hash: StateHash,
}

impl Verdict {
    /// Whether all success goals hold.
    pub fn succeeds(&self, goals: &GoalSet) -> bool {
        self.held.iter().take(goals.success).all(|h| *h)
    }

    /// The first safety goal, or fact never to hold, that is not kept.
    pub fn unsafe_goal(&self, goals: &GoalSet) -> Option<usize> {
        let safety = self.held.iter().enumerate().skip(goals.success);
        safety.into_iter().find(|(_, h)| !**h).map(|(i, _)| i)
    }

    /// Whether all goals hold and no rule is broken.
    pub fn is_clean(&self) -> bool {
        self.held.iter().all(|h| *h) && self.broken.is_empty()
    }
}

/// Plays a plan from where the world stands and takes it back; `None` if a step is refused. The rules stand where the
/// world does.
pub fn judge(
    world: &mut World,
    mut rules: Option<&mut Rules>,
    goals: &GoalSet,
    plan: &[Action],
) -> Option<Verdict> {
    let mut undo: Vec<(Vec<Item>, StateHash)> = Vec::new();
    let mut verdict = Verdict {
        held: vec![true; goals.goals.len()],
        since: vec![usize::MAX; goals.goals.len()],
        broken: Vec::new(),
        hash: world.hash(),
    };
    let (mut progress, mut refused) = (0, false);
    look(world, rules.as_deref(), goals, (0, progress), &mut verdict);
    for (i, &action) in plan.iter().enumerate() {
        let hash = world.hash();
        if world.apply(action).is_err() {
            refused = true;
            break;
        }
        undo.push((world.graph().last_items().to_vec(), hash));
        if let Some(rules) = rules.as_deref_mut() {
            rules.step(world, action);
            let broken = rules.broken_now();
            verdict.broken.extend(broken.map(|b| (i + 1, b)));
        }
        if goals.goals.iter().any(|g| matches!(g.ask, Ask::Done(_))) {
            let shadow: &dyn Shadow = match &rules {
                Some(rules) => rules.shadow(),
                None => &(),
            };
            let graph = world.graph();
            progress = goals.advance(progress, &world.line(action), Seen { graph, shadow });
        }
        look(
            world,
            rules.as_deref(),
            goals,
            (i + 1, progress),
            &mut verdict,
        );
    }
    if let Some(rules) = rules.as_deref() {
        let left = rules.pending(world);
        verdict
            .broken
            .extend(left.into_iter().map(|b| (plan.len() + 1, b)));
    }
    verdict.hash = world.hash();
    while let Some((items, hash)) = undo.pop() {
        world.take_back(&items, hash);
        if let Some(rules) = rules.as_deref_mut() {
            rules.undo();
        }
    }
    (!refused).then_some(verdict)
}

fn look(
    world: &World,
    rules: Option<&Rules>,
    goals: &GoalSet,
    (at, progress): (usize, usize),
    verdict: &mut Verdict,
) {
    let seen = Seen {
        graph: world.graph(),
        shadow: rules.map_or(&(), |r| r.shadow()),
    };
    let before = std::mem::take(&mut verdict.held);
    let now: Vec<bool> = goals.eval(seen, progress, |i| before[i]).collect();
    for (since, holds) in verdict.since.iter_mut().zip(&now) {
        *since = match (holds, *since) {
            (true, usize::MAX) => at,
            (true, since) => since,
            (false, _) => usize::MAX,
        };
    }
    verdict.held = now;
}
