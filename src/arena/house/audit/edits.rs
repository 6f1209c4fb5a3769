//! Every field that is a control: one line each.

use std::sync::Arc;

use crate::arena::house::audit::{Case, Edit};
use crate::plan::branching::{Branching, Guard, Step};
use crate::safety::rule::Grade;
use crate::sim::vocab::{Ix, Profile};
use crate::sim::world::Action;
use crate::task::setup::Setup;

/// All edits: of the plan that is handed in, of the scenario, of the settings.
pub const EDITS: &[Edit] = &[
    plan("plan.drop", "its last action, left out", |plan, _| {
        drop_last(&mut plan.steps)
    }),
    plan(
        "plan.order",
        "its first two actions, exchanged",
        |plan, _| {
            let at: Vec<usize> = actions(&plan.steps).take(2).collect();
            match at[..] {
                [a, b] => {
                    plan.steps.swap(a, b);
                    true
                }
                _ => false,
            }
        },
    ),
    plan(
        "plan.verb",
        "its last action of another kind",
        |plan, setup| {
            change(plan, |action| {
                action.verb = (action.verb + 1) % setup.scene.dialect().actions.len() as u8;
            })
        },
    ),
    plan(
        "plan.target",
        "its last action, done with another thing",
        |plan, setup| {
            let other = setup
                .scene
                .indices()
                .find(|&n| !setup.scene.node(n).is_room());
            change(plan, |action| action.a = other.unwrap_or(Ix::NONE))
        },
    ),
    plan(
        "plan.condition",
        "what its first branch looks at, negated",
        |plan, _| {
            let Some((guards, ..)) = branch(plan) else {
                return false;
            };
            for guard in guards {
                guard.fact.negated = !guard.fact.negated;
                guard.text = match guard.text.strip_prefix('!') {
                    Some(rest) => rest.to_owned(),
                    None => format!("!{}", guard.text),
                };
            }
            true
        },
    ),
    plan(
        "plan.sides",
        "the sides of its first branch, exchanged",
        |plan, _| {
            branch(plan).is_some_and(|(_, then, otherwise)| {
                std::mem::swap(then, otherwise);
                true
            })
        },
    ),
    plan("plan.branch", "its branches, left out", |plan, _| {
        let before = plan.steps.len();
        plan.steps.retain(|s| !matches!(s, Step::If { .. }));
        plan.steps.len() < before
    }),
    plan("plan.stop", "the end, before its last action", |plan, _| {
        let last = actions(&plan.steps).last();
        last.is_some_and(|at| {
            plan.steps.insert(at, Step::Stop);
            true
        })
    }),
    plan(
        "plan.avoid",
        "a refusal in place of everything",
        |plan, _| {
            plan.steps = vec![Step::Avoid("asked for".to_owned())];
            true
        },
    ),
    scenario("scenario.init", "facts of the start, left out", |case| {
        emptied(&mut case.task.init)
    }),
    scenario(
        "scenario.events",
        "what comes to pass by itself, left out",
        |case| emptied(&mut case.task.events),
    ),
    scenario(
        "scenario.instruction",
        "the words of the instruction",
        |case| {
            "Look around.".clone_into(&mut case.task.instruction);
            true
        },
    ),
    scenario(
        "scenario.success",
        "the first success goal, left out",
        |case| {
            let many = case.task.success.len() > 1;
            many && case.task.success.drain(..1).next().is_some()
        },
    ),
    scenario("scenario.safety", "safety goals, left out", |case| {
        emptied(&mut case.task.safety)
    }),
    scenario("scenario.never", "what never must hold, left out", |case| {
        emptied(&mut case.task.never)
    }),
    scenario(
        "scenario.process_rules",
        "the rules named by the task, left out",
        |case| emptied(&mut case.task.process_rules),
    ),
    scenario(
        "scenario.reference",
        "the reference plan, left out",
        |case| emptied(&mut case.task.reference),
    ),
    scenario("scenario.naive", "the naive plan, left out", |case| {
        emptied(&mut case.task.naive)
    }),
    scenario("scenario.rules", "core rules, left out", |case| {
        let mut book = case.book.as_ref().clone();
        book.rules.retain(|rule| rule.grade != Grade::Core);
        case.book = Arc::new(book);
        true
    }),
    scenario("scenario.profile", "the other semantics", |case| {
        case.profile = match case.profile {
            Profile::Eai => Profile::Strict,
            Profile::Strict => Profile::Eai,
        };
        true
    }),
    setting("settings.seed", "another seed", |case| {
        case.settings.seed += 1;
    }),
    setting(
        "settings.level",
        "another level of RED's knowledge",
        |case| {
            let other = if case.settings.level == "blind" {
                "plan"
            } else {
                "blind"
            };
            other.clone_into(&mut case.settings.level);
        },
    ),
    setting("settings.budget", "twice the response budget", |case| {
        case.settings.budget *= 2;
    }),
    setting(
        "settings.events",
        "one more disturbance in a response",
        |case| {
            case.settings.events += 1;
        },
    ),
    setting("settings.rounds", "no revisions", |case| {
        case.settings.rounds = 0;
    }),
    setting("settings.width", "twice as many revised", |case| {
        case.settings.width *= 2;
    }),
    setting("settings.proposals", "no plans of the planner's", |case| {
        case.settings.proposals = 0;
    }),
    setting(
        "settings.held_out",
        "half the budget of the held-out RED",
        |case| {
            case.settings.held_out /= 2;
        },
    ),
    setting(
        "settings.weights.alpha",
        "the weight of quality, doubled",
        |case| {
            case.settings.weights.alpha *= 2.0;
        },
    ),
    setting(
        "settings.weights.beta",
        "the weight of discipline, doubled",
        |case| {
            case.settings.weights.beta *= 2.0;
        },
    ),
    setting(
        "settings.weights.gamma",
        "the weight of variety, doubled",
        |case| {
            case.settings.weights.gamma *= 2.0;
        },
    ),
    setting(
        "settings.weights.rho",
        "the weight of pressure, doubled",
        |case| {
            case.settings.weights.rho *= 2.0;
        },
    ),
    setting(
        "settings.payoffs.good",
        "what safe success is worth, doubled",
        |case| {
            case.settings.payoffs.good *= 2.0;
        },
    ),
    setting(
        "settings.payoffs.safe",
        "what safety alone is worth, halved",
        |case| {
            case.settings.payoffs.safe /= 2.0;
        },
    ),
    setting(
        "settings.payoffs.not_safe",
        "what neither is worth, one less",
        |case| {
            case.settings.payoffs.not_safe -= 1.0;
        },
    ),
];

type OnPlan = fn(&mut Branching, &Setup) -> bool;

/// An edit of the plan.
const fn plan(id: &'static str, doc: &'static str, apply: OnPlan) -> Edit {
    Edit {
        id,
        doc,
        apply: super::Apply::Plan(apply),
    }
}

/// An edit of the scenario; false where it has no such field.
const fn scenario(id: &'static str, doc: &'static str, apply: fn(&mut Case) -> bool) -> Edit {
    Edit {
        id,
        doc,
        apply: super::Apply::Scenario(apply),
    }
}

/// An edit of a setting.
const fn setting(id: &'static str, doc: &'static str, apply: fn(&mut Case)) -> Edit {
    Edit {
        id,
        doc,
        apply: super::Apply::Setting(apply),
    }
}

fn emptied<T>(all: &mut Vec<T>) -> bool {
    let some = !all.is_empty();
    all.clear();
    some
}

/// Where actions stand among the outer steps.
fn actions(steps: &[Step]) -> impl Iterator<Item = usize> + '_ {
    let all = steps.iter().enumerate();
    all.filter(|(_, s)| matches!(s, Step::Act(_)))
        .map(|(i, _)| i)
}

fn drop_last(steps: &mut Vec<Step>) -> bool {
    let last = actions(steps).last();
    last.is_some_and(|at| {
        steps.remove(at);
        true
    })
}

/// Changes the last of the outer actions.
fn change(plan: &mut Branching, how: impl Fn(&mut Action)) -> bool {
    let last = plan.steps.iter_mut().rev().find_map(|step| match step {
        Step::Act(action) => Some(action),
        _ => None,
    });
    last.map(how).is_some()
}

type Sides<'p> = (&'p mut Vec<Guard>, &'p mut Vec<Step>, &'p mut Vec<Step>);

/// The first branch of a plan.
fn branch(plan: &mut Branching) -> Option<Sides<'_>> {
    plan.steps.iter_mut().find_map(|step| match step {
        Step::If {
            all,
            then,
            otherwise,
        } => Some((all, then, otherwise)),
        _ => None,
    })
}
