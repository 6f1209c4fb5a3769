//! What a line may hold, and what is checked of it before it becomes a plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::arena::advplan::file::{Entry, MOST_ACTIONS, chain, weigh};
use crate::arena::advplan::model::{
    Action, Asset, Branch, Category, ChainStep, Components, Force, Place, Plan, ToolCall,
};
use crate::arena::advplan::rubric::TERMS;
use crate::arena::house::number;
use crate::base::diag::Diagnostic;
use crate::formats::quote;

/// The longest id of a plan, in characters: lists and messages repeat it.
const LONGEST_ID: usize = 200;

/// A score: a number, or one of the words for what is not finite.
#[derive(Clone, Copy, Deserialize)]
struct Score(#[serde(deserialize_with = "number::deserialize")] f64);

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with id and plan, or with asset"
)]
pub(super) struct Line {
    id: Option<String>,
    quality: Option<Score>,
    components: Option<Made>,
    rubric: Option<BTreeMap<String, Score>>,
    payoff: Option<Score>,
    alignment: Option<Score>,
    proxy: Option<Score>,
    path_optionality: Option<Score>,
    vertex_parsimony: Option<Score>,
    worldline_completion: Option<Score>,
    plan: Option<PlanForm>,
    asset: Option<AssetForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Made {
    effectiveness: Score,
    cost: Score,
    risk: Score,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanForm {
    #[serde(default, rename = "coa_id")]
    _coa_id: IgnoredAny,
    force: String,
    actions: Vec<ActionForm>,
    chain: Vec<StepForm>,
    objective: String,
    quality_score: Score,
    #[serde(default = "military")]
    domain: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActionForm {
    #[serde(default, rename = "action_id")]
    _action_id: IgnoredAny,
    action_type: String,
    #[serde(default = "kinetic")]
    category: String,
    #[serde(default)]
    target_location: Option<Place>,
    asset_id: String,
    #[serde(default = "one")]
    priority: f64,
    #[serde(default)]
    tool_call: Option<ToolForm>,
    #[serde(default)]
    preconditions: Vec<String>,
    #[serde(default = "minute")]
    expected_duration_s: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolForm {
    tool_name: String,
    #[serde(default)]
    arguments: serde_json::Map<String, serde_json::Value>,
    #[serde(default = "any")]
    expected_output_type: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepForm {
    step_index: u32,
    #[serde(default)]
    action: Option<ActionForm>,
    #[serde(default)]
    branch: Option<BranchForm>,
    #[serde(default)]
    depends_on: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BranchForm {
    condition: String,
    true_actions: Vec<ActionForm>,
    false_actions: Vec<ActionForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AssetForm {
    asset_id: String,
    asset_type: String,
    force: String,
    location: Place,
    capability_score: f64,
}

// The defaults of the published types (§2).

fn military() -> String {
    "military".to_owned()
}

fn kinetic() -> String {
    Category::Kinetic.name().to_owned()
}

fn any() -> String {
    "any".to_owned()
}

const fn one() -> f64 {
    1.0
}

const fn minute() -> f64 {
    60.0
}

/// What a line turned out to be.
pub(super) enum Taken {
    /// A plan.
    Plan(Box<Entry>),
    /// Something a side has.
    Asset(Asset),
}

type Checked<T> = Result<T, Diagnostic>;

/// The same finding about a field inside another.
fn within(place: impl std::fmt::Display) -> impl FnOnce(Diagnostic) -> Diagnostic {
    move |mut d| {
        d.field = format!("{place}.{}", d.field);
        d
    }
}

fn wrong<T>(field: &str, message: impl Into<String>, help: impl Into<String>) -> Checked<T> {
    Err(Diagnostic::error(field, message).help(help))
}

impl Line {
    /// Checks it; `n` is its number.
    pub(super) fn take(self, n: u32) -> Checked<Taken> {
        let said = self.said()?;
        match (self.id, self.plan, self.asset) {
            (Some(id), Some(plan), None) => {
                if id.trim().is_empty() {
                    return wrong("id", "the id is empty", "give the plan a name");
                }
                if id.chars().nth(LONGEST_ID).is_some() {
                    let message = format!("the id is longer than {LONGEST_ID} characters");
                    return wrong("id", message, "give the plan a shorter name");
                }
                let mut plan = plan.take().map_err(within("plan"))?;
                plan.components = self.components.map(|c| Components {
                    effectiveness: c.effectiveness.0,
                    cost: c.cost.0,
                    risk: c.risk.0,
                });
                Ok(Taken::Plan(Box::new(Entry {
                    id,
                    line: n,
                    plan,
                    said,
                })))
            }
            (None, None, Some(asset)) => {
                if !said.is_empty() || self.components.is_some() {
                    return wrong(
                        "asset",
                        "scores stand beside an asset",
                        "scores belong to plans",
                    );
                }
                Ok(Taken::Asset(asset.take().map_err(within("asset"))?))
            }
            (None, Some(_), None) => wrong("id", "the plan has no id", "give it one"),
            (_, None, None) => wrong(
                "plan",
                "the line has neither a plan nor an asset",
                "add the plan, or take the line out",
            ),
            (_, _, Some(_)) => wrong(
                "asset",
                "an asset stands beside something else",
                "give it a line of its own",
            ),
        }
    }

    fn said(&self) -> Checked<Vec<(&'static str, f64)>> {
        let mut terms = [None; 6];
        for (name, score) in self.rubric.iter().flatten() {
            let at = TERMS.iter().position(|t| t == name);
            let Some(term) = at.and_then(|at| terms.get_mut(at)) else {
                return wrong(
                    "rubric",
                    format!("{} is no term of the rubric", quote(name)),
                    format!("the terms are {}", TERMS.join(", ")),
                );
            };
            *term = Some(*score);
        }
        let later = [
            self.alignment,
            self.proxy,
            self.path_optionality,
            self.vertex_parsimony,
            self.worldline_completion,
        ];
        let all = [self.quality, self.payoff].into_iter().chain(terms);
        let named = weigh::NAMES.into_iter().zip(all.chain(later));
        Ok(named.filter_map(|(name, s)| Some((name, s?.0))).collect())
    }
}

fn force(name: &str) -> Checked<Force> {
    let all = [Force::Blue, Force::Red, Force::Neutral];
    all.into_iter().find(|f| f.name() == name).map_or_else(
        || {
            wrong(
                "force",
                format!("{} is no side", quote(name)),
                "use blue, red or neutral",
            )
        },
        Ok,
    )
}

impl PlanForm {
    fn take(self) -> Checked<Plan> {
        let q = self.quality_score.0;
        if q.is_finite() && !(-1.0..=1.0).contains(&q) {
            let message = format!("{q} is not between -1 and 1");
            return wrong("quality_score", message, "give the quality of the plan");
        }
        let branch = |b: &BranchForm| b.true_actions.len() + b.false_actions.len();
        let of_step =
            |s: &StepForm| usize::from(s.action.is_some()) + s.branch.as_ref().map_or(0, branch);
        let actions = self.actions.len() + self.chain.iter().map(of_step).sum::<usize>();
        if actions.max(self.chain.len()) > MOST_ACTIONS {
            return wrong(
                "actions",
                format!("a plan holds at most {MOST_ACTIONS} actions and as many steps"),
                "make several plans of it",
            );
        }
        let force = force(&self.force)?;
        let actions = taken("actions", self.actions)?;
        let mut chain = Vec::with_capacity(self.chain.len());
        for (i, step) in self.chain.into_iter().enumerate() {
            chain.push(step.take().map_err(within(format!("chain[{i}]")))?);
        }
        chain::check(&chain)?;
        Ok(Plan {
            force,
            actions,
            chain,
            objective: self.objective.into(),
            quality_score: q,
            domain: self.domain.into(),
            components: None,
        })
    }
}

fn taken(field: &str, actions: Vec<ActionForm>) -> Checked<Vec<Arc<Action>>> {
    let all = actions.into_iter().enumerate();
    all.map(|(i, a)| Ok(Arc::new(a.take().map_err(within(format!("{field}[{i}]")))?)))
        .collect()
}

impl ActionForm {
    fn take(self) -> Checked<Action> {
        let Some(category) = Category::named(&self.category) else {
            let known = Category::ALL.map(Category::name).join(", ");
            return wrong(
                "category",
                format!("{} is no category", quote(&self.category)),
                format!("use one of {known}"),
            );
        };
        let p = self.priority;
        let whole = (1..=10).find(|k| f64::from(*k).total_cmp(&p).is_eq());
        let Some(priority) = whole else {
            let message = format!("{p} is no whole number from 1 to 10");
            return wrong("priority", message, "1 is the first");
        };
        let seconds = self.expected_duration_s;
        if seconds < 0.0 {
            let message = format!("{seconds} is below 0");
            return wrong("expected_duration_s", message, "give seconds from 0");
        }
        Ok(Action {
            action_type: self.action_type.into(),
            category,
            target_location: self.target_location,
            asset_id: self.asset_id.into(),
            priority,
            tool_call: self.tool_call.map(|t| ToolCall {
                tool_name: t.tool_name.into(),
                arguments: t.arguments,
                expected_output_type: t.expected_output_type.into(),
            }),
            preconditions: self.preconditions.into_iter().map(Into::into).collect(),
            expected_duration_s: seconds,
        })
    }
}

impl StepForm {
    fn take(self) -> Checked<ChainStep> {
        if self.action.is_none() && self.branch.is_none() {
            return wrong(
                "action",
                "the step has neither an action nor a branch",
                "give it one, or take it out",
            );
        }
        let action = self.action.map(|a| a.take().map_err(within("action")));
        let branch = self.branch.map(|b| b.take().map_err(within("branch")));
        Ok(ChainStep {
            step_index: self.step_index,
            action: action.transpose()?.map(Arc::new),
            branch: branch.transpose()?,
            depends_on: self.depends_on,
        })
    }
}

impl BranchForm {
    fn take(self) -> Checked<Branch> {
        if self.true_actions.is_empty() {
            // The other side may be empty: then the chain simply goes on.
            return wrong(
                "true_actions",
                "the branch does nothing where its condition holds",
                "add what is done then, or turn the condition round",
            );
        }
        Ok(Branch {
            condition: self.condition.into(),
            true_actions: taken("true_actions", self.true_actions)?,
            false_actions: taken("false_actions", self.false_actions)?,
        })
    }
}

impl AssetForm {
    fn take(self) -> Checked<Asset> {
        let capability = self.capability_score;
        if !(0.0..=1.0).contains(&capability) {
            let message = format!("{capability} is not between 0 and 1");
            return wrong(
                "capability_score",
                message,
                "give what share of all it can do",
            );
        }
        Ok(Asset {
            asset_id: self.asset_id.into(),
            asset_type: self.asset_type.into(),
            force: force(&self.force)?,
            location: self.location,
            capability_score: capability,
        })
    }
}
