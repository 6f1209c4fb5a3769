//! Revision: contingencies for what beat a plan, and for what BLUE can imagine from it.
//!
//! A remedy is kept only if playing shows that it helps and that the plan alone is worth no less; nothing is given for
//! having revised. What is imagined comes from the kind of disturbance that struck, applied to its other objects where the
//! plan stood then, so that a plan is not revised against the very draws alone.

use crate::arena::house::committee::loss::loss;
use crate::arena::house::committee::remedy::contingency;
use crate::arena::house::disturb::{self, Sight};
use crate::arena::house::fair::Fair;
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Disturbance, Payoffs, Response};
use crate::arena::house::red::Answer;
use crate::plan::branching::{Branching, Program};

/// How many relatives of one disturbance are imagined.
const IMAGINED: usize = 6;

/// How many positions before an advised step another way is searched from.
const EARLIER: u32 = 4;

/// How many branches a plan gets in one revision.
const BRANCHES: usize = 8;

/// What somebody said that a replay confirmed: under which response, and before which step something is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Advice {
    /// The place of its claim in the record.
    pub(super) claim: usize,
    /// The response; nothing for a loss of the plan alone.
    pub(super) response: Response,
    /// Before which step, by executed steps from 1.
    pub(super) before: u32,
}

/// A revised plan, and the places of the claims that it follows.
pub(super) type Revised = (Branching, Vec<usize>);

/// A plan with contingencies for what beat it, or `None` if none helped. What was advised comes first: its responses before
/// others, and its steps before those at which the plan lost. `simulations` counts what was played.
pub(super) fn revise(
    ground: &mut Ground,
    fair: &mut Fair,
    (plan, answer): (&Branching, &Answer),
    (payoffs, advised): (&Payoffs, &[Advice]),
    simulations: &mut u64,
) -> Option<Revised> {
    let mut it = Revision {
        ground,
        fair,
        payoffs,
        alone: answer.payoff,
        plan: plan.clone(),
        added: 0,
        simulations,
    };
    let mut followed = Vec::new();
    for advice in advised {
        let added = it.added;
        if advice.response.is_nothing() {
            it.mend(advice.before);
        } else {
            it.against(&advice.response, Some(advice.before));
        }
        if it.added > added {
            followed.push(advice.claim);
        }
    }
    let lost = answer.tried.iter().filter(|t| t.payoff < answer.payoff);
    for tried in lost {
        it.against(&tried.response, None);
        for relative in it.relatives(&tried.response) {
            it.against(&relative, None);
        }
    }
    (it.added > 0).then_some((it.plan, followed))
}

struct Revision<'r> {
    ground: &'r mut Ground,
    fair: &'r mut Fair,
    payoffs: &'r Payoffs,
    alone: f64,
    plan: Branching,
    added: usize,
    simulations: &'r mut u64,
}

impl Revision<'_> {
    fn worth(&mut self, plan: &Branching, response: &Response) -> Option<f64> {
        let bound = self.ground.bind(response).ok()?;
        *self.simulations += 1;
        let end = self.ground.roll(&Program::new(plan), &bound);
        Some(end.worth(self.payoffs))
    }

    /// Goes another way before a step of the plan alone, or one of the steps before it, if that is worth more.
    fn mend(&mut self, before: u32) -> Option<()> {
        let nothing = self.ground.undisturbed();
        let program = Program::new(&self.plan);
        let done = self.ground.done(&program, &nothing);
        for steps in (before.saturating_sub(EARLIER)..before).rev() {
            let way = self.fair.complete(self.ground, (&program, &nothing), steps);
            let Some(way) = way else {
                continue;
            };
            let mut all = done.get(..steps as usize)?.to_vec();
            all.extend(way);
            let better = Branching::linear(&all);
            let worth = self.worth(&better, &Response::nothing())?;
            if worth > self.alone {
                self.alone = worth;
                self.plan = better;
                self.added += 1;
                return Some(());
            }
        }
        None
    }

    /// Adds a contingency against a response, if one helps: before the step that was advised, else before the one that cost
    /// the plan its objective.
    fn against(&mut self, response: &Response, advised: Option<u32>) -> Option<()> {
        if self.added >= BRANCHES {
            return None;
        }
        let plan = self.plan.clone();
        let before = self.worth(&plan, response)?;
        if before >= self.alone {
            return None;
        }
        let bound = self.ground.bind(response).ok()?;
        let program = Program::new(&plan);
        let outcome = self.ground.outcome(&program, &bound);
        let at = loss(self.ground, (&program, &bound), &outcome)?;
        let mut steps = vec![at.step];
        if let Some(step) = advised.filter(|s| *s < at.step) {
            steps.insert(0, step);
        }
        for step in steps {
            let Some(remedy) = contingency(self.ground, self.fair, &plan, (response, step)) else {
                continue;
            };
            let better = remedy.put_into(self.ground, &plan, &bound);
            let helps = self.worth(&better, response)? > before;
            let harmless = self.worth(&better, &Response::nothing())? >= self.alone;
            if helps && harmless {
                self.plan = better;
                self.added += 1;
                return Some(());
            }
        }
        None
    }

    /// The same kind of disturbance at the same moment with another object.
    fn relatives(&mut self, response: &Response) -> Vec<Response> {
        let [only] = response.disturbances.as_slice() else {
            return Vec::new();
        };
        let Some(kind) = disturb::kind(&only.kind) else {
            return Vec::new();
        };
        let setup = self.ground.setup().clone();
        let program = Program::new(&self.plan);
        let nothing = self.ground.undisturbed();
        let proposals = self.ground.at(&program, &nothing, only.at.steps(), |at| {
            let sight = Sight {
                world: at.world,
                shadow: at.lookout.monitor(),
                book: &setup.book,
                focus: None,
            };
            disturb::propose(kind, &sight)
        });
        let proposals = proposals.unwrap_or_default();
        let own = proposals
            .iter()
            .find(|p| p.facts(&setup.scene) == only.facts);
        let nodes: Vec<_> = own.into_iter().flat_map(disturb::Proposal::nodes).collect();
        let related = proposals.iter().filter(|p| {
            p.nodes().any(|n| nodes.contains(&n)) && p.facts(&setup.scene) != only.facts
        });
        let as_response = |d: Disturbance| Response {
            disturbances: vec![d],
            ..response.clone()
        };
        related
            .take(IMAGINED)
            .map(|p| as_response(p.at(&setup.scene, only.at)))
            .collect()
    }
}
