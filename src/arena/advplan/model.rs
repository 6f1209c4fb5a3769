//! The typed plans and scenarios of the benchmark (§2). Field names are those of the published data.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;

use crate::arena::advplan::python::{Random, csum};

/// A word: mostly one of ours, sometimes read.
pub type Word = Cow<'static, str>;

/// A place on the map of 100 by 100; nothing is scored by it.
pub type Place = (f64, f64);

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Force {
    /// Plans first.
    Blue,
    /// Responds.
    Red,
    /// Neither.
    Neutral,
}

impl Force {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Red => "red",
            Self::Neutral => "neutral",
        }
    }
}

/// What kind of effort an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Force and movement.
    Kinetic,
    /// Networks and signals.
    Cyber,
    /// Supply.
    Logistics,
    /// Finding out.
    Intelligence,
    /// What people are told.
    Information,
}

impl Category {
    /// All, in the order in which they are chosen by chance.
    pub const ALL: [Self; 5] = [
        Self::Kinetic,
        Self::Cyber,
        Self::Logistics,
        Self::Intelligence,
        Self::Information,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kinetic => "kinetic",
            Self::Cyber => "cyber",
            Self::Logistics => "logistics",
            Self::Intelligence => "intelligence",
            Self::Information => "information",
        }
    }

    /// By name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.name() == name)
    }

    /// Its bit in a set of categories.
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Something a side has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Asset {
    /// Its id.
    pub asset_id: Arc<str>,
    /// What it is.
    pub asset_type: Word,
    /// Whose it is.
    pub force: Force,
    /// Where it stands.
    pub location: Place,
    /// How much it can do, 0 to 1.
    pub capability_score: f64,
}

/// A slot for a call of a tool. Nothing is called and nothing is scored by it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolCall {
    /// The tool.
    pub tool_name: Word,
    /// Its arguments.
    pub arguments: serde_json::Map<String, serde_json::Value>,
    /// What it should give.
    pub expected_output_type: Word,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Action {
    /// What is done: `recon`.
    pub action_type: Word,
    /// What kind of effort it is.
    pub category: Category,
    /// Where, if anywhere.
    pub target_location: Option<Place>,
    /// By what.
    pub asset_id: Arc<str>,
    /// 1 to 10.
    pub priority: u32,
    /// A call of a tool it stands for.
    pub tool_call: Option<ToolCall>,
    /// What should be the case before, in words.
    pub preconditions: Vec<Word>,
    /// Seconds.
    pub expected_duration_s: f64,
}

impl Action {
    /// An action of priority 1 and 60 seconds, without target, tool or precondition.
    pub fn new(action_type: impl Into<Word>, category: Category, asset_id: Arc<str>) -> Self {
        Self {
            action_type: action_type.into(),
            category,
            target_location: None,
            asset_id,
            priority: 1,
            tool_call: None,
            preconditions: Vec::new(),
            expected_duration_s: 60.0,
        }
    }
}

/// A fork in a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Branch {
    /// On what it depends, in words; nothing evaluates it.
    pub condition: Word,
    /// Done if so.
    pub true_actions: Vec<Arc<Action>>,
    /// Done if not.
    pub false_actions: Vec<Arc<Action>>,
}

/// A step of a chain: an action, a branch, or neither.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainStep {
    /// Its number, from 0.
    pub step_index: u32,
    /// The action.
    pub action: Option<Arc<Action>>,
    /// The branch.
    pub branch: Option<Branch>,
    /// The steps before it.
    pub depends_on: Vec<u32>,
}

/// What a quality was made of: `0.5 e - 0.3 c - 0.2 r`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Components {
    /// e, the good.
    pub effectiveness: f64,
    /// c, the cost.
    pub cost: f64,
    /// r, the risk.
    pub risk: f64,
}

impl Components {
    /// Three draws, each between two ends, in this order.
    pub fn drawn(g: &mut Random, e: Place, c: Place, r: Place) -> Self {
        Self {
            effectiveness: g.uniform(e.0, e.1),
            cost: g.uniform(c.0, c.1),
            risk: g.uniform(r.0, r.1),
        }
    }

    /// q (§3.2): synthetic, from -1 to 1.
    pub fn quality(self) -> f64 {
        (0.5 * self.effectiveness - 0.3 * self.cost - 0.2 * self.risk).clamp(-1.0, 1.0)
    }
}

/// A plan: a course of action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// Whose it is.
    pub force: Force,
    /// The flat actions.
    pub actions: Vec<Arc<Action>>,
    /// The same as steps with dependencies and branches; usually it repeats the flat actions.
    pub chain: Vec<ChainStep>,
    /// What it is for, in words. Scores search these words.
    pub objective: Arc<str>,
    /// q, from -1 to 1.
    pub quality_score: f64,
    /// The domain; nothing is scored by it.
    pub domain: Word,
    /// What q was made of, unless it was made of another plan's q. Not part of the published data.
    #[serde(skip)]
    pub components: Option<Components>,
}

impl Plan {
    /// A plan whose chain is its actions one after the other.
    pub fn linear(
        force: Force,
        actions: Vec<Arc<Action>>,
        objective: Arc<str>,
        quality: f64,
        domain: impl Into<Word>,
    ) -> Self {
        Self {
            force,
            chain: linear_chain(&actions),
            actions,
            objective,
            quality_score: quality,
            domain: domain.into(),
            components: None,
        }
    }

    /// The same plan with the parts of its quality.
    #[must_use]
    pub const fn of(mut self, components: Components) -> Self {
        self.components = Some(components);
        self
    }

    /// Every action with repetitions: the flat ones, then per step its own, then both sides of its branch.
    pub fn every_action(&self) -> impl Iterator<Item = &Action> {
        let steps = self.chain.iter().flat_map(|step| {
            let branch = step.branch.iter();
            let sides = branch.flat_map(|b| b.true_actions.iter().chain(&b.false_actions));
            step.action.iter().chain(sides)
        });
        self.actions.iter().chain(steps).map(|a| &**a)
    }

    /// The categories of all actions as bits.
    pub fn categories(&self) -> u8 {
        self.every_action().fold(0, |set, a| set | a.category.bit())
    }
}

/// The actions as steps, each after the one before.
pub fn linear_chain(actions: &[Arc<Action>]) -> Vec<ChainStep> {
    let step = |(i, action): (u32, &Arc<Action>)| ChainStep {
        step_index: i,
        action: Some(Arc::clone(action)),
        branch: None,
        depends_on: i.checked_sub(1).into_iter().collect(),
    };
    (0..).zip(actions).map(step).collect()
}

/// What both sides have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameState {
    /// BLUE's.
    pub blue_assets: Vec<Asset>,
    /// RED's.
    pub red_assets: Vec<Asset>,
    /// The turn; always 0.
    pub turn: u32,
}

/// The capabilities of a side, added in order.
pub fn capability(assets: &[Asset]) -> f64 {
    csum(assets.iter().map(|a| a.capability_score))
}

/// What a scenario is about; nothing is scored by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// The id: `urban-100`.
    pub scenario_id: String,
    /// The template's terrain.
    pub terrain_type: &'static str,
    /// The size of the force.
    pub force_size: &'static str,
    /// The phase.
    pub operational_phase: &'static str,
    /// The domains.
    pub domains: &'static [&'static str],
    /// From whose side it is told.
    pub framing: Framing,
    /// How unclear the law is.
    pub loac_ambiguity: &'static str,
    /// What it alludes to.
    pub historical_reference: &'static str,
}

/// From whose side a scenario is told (§3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Framing {
    /// BLUE's, protecting civilians.
    Blue,
    /// Nobody's.
    Neutral,
    /// The adversary's.
    Adversary,
}

impl Framing {
    /// All.
    pub const ALL: [Self; 3] = [Self::Blue, Self::Neutral, Self::Adversary];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Neutral => "neutral",
            Self::Adversary => "adversary",
        }
    }
}

/// A scenario: what both sides have, and BLUE's plans, of which the first is the fixed one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scenario {
    /// What it is about.
    pub profile: Profile,
    /// What both sides have.
    pub game_state: GameState,
    /// BLUE's plans.
    pub seed_coas: Vec<Plan>,
}
