//! The no-op audit (§14.3): every field of plans, assets and profile is changed, and what moves is listed. A control that
//! moves nothing is a finding about the benchmark.

use std::sync::Arc;

use crate::arena::advplan::corpus::{base_seeds, corpus};
use crate::arena::advplan::model::{Action, Asset, Category, Plan, Scenario};
use crate::arena::advplan::payoff::advantage;
use crate::arena::advplan::python::Dice;
use crate::arena::advplan::respond::{Responder, by_quality};
use crate::arena::advplan::study::{Played, SAMPLES};

/// The metrics that are watched, by name in alphabetical order.
pub const METRICS: [&str; 11] = [
    "D_blue",
    "D_red8",
    "O",
    "P_V",
    "W",
    "adv_doc",
    "adv_k8",
    "adv_llm",
    "council_S",
    "council_adv",
    "lanch_margin",
];

/// A change of one field wherever it stands.
#[derive(Debug)]
pub struct Edit {
    /// Its name.
    pub id: &'static str,
    /// What is changed.
    pub doc: &'static str,
    apply: fn(&mut Scenario),
}

/// Changes every plan.
fn plans(scenario: &mut Scenario, each: impl Fn(&mut Plan)) {
    scenario.seed_coas.iter_mut().for_each(each);
}

/// Changes every action of every plan: flat, in chains, in branches.
fn actions(scenario: &mut Scenario, each: impl Fn(&mut Action)) {
    plans(scenario, |plan| {
        plan.actions.iter_mut().for_each(|a| each(Arc::make_mut(a)));
        for step in &mut plan.chain {
            step.action.iter_mut().for_each(|a| each(Arc::make_mut(a)));
            if let Some(branch) = &mut step.branch {
                let sides = branch
                    .true_actions
                    .iter_mut()
                    .chain(&mut branch.false_actions);
                sides.for_each(|a| each(Arc::make_mut(a)));
            }
        }
    });
}

/// Takes a tenth of every capability.
fn weaken(assets: &mut [Asset]) {
    for asset in assets {
        asset.capability_score *= 0.9;
    }
}

/// All edits.
pub static EDITS: [Edit; 21] = [
    Edit {
        id: "target",
        doc: "where actions are aimed",
        apply: |s| actions(s, |a| a.target_location = Some((1.0, 2.0))),
    },
    Edit {
        id: "prio",
        doc: "priorities",
        apply: |s| actions(s, |a| a.priority = a.priority % 10 + 1),
    },
    Edit {
        id: "dur",
        doc: "durations",
        apply: |s| {
            actions(s, |a| {
                a.expected_duration_s = 7.0 * a.expected_duration_s + 1.0;
            });
        },
    },
    Edit {
        id: "tool",
        doc: "tool calls, left out",
        apply: |s| actions(s, |a| a.tool_call = None),
    },
    Edit {
        id: "pre",
        doc: "preconditions, left out",
        apply: |s| actions(s, |a| a.preconditions.clear()),
    },
    Edit {
        id: "order",
        doc: "the order of flat actions, reversed",
        apply: |s| plans(s, |p| p.actions.reverse()),
    },
    Edit {
        id: "chainorder",
        doc: "the order of steps, reversed",
        apply: |s| plans(s, |p| p.chain.reverse()),
    },
    Edit {
        id: "deps",
        doc: "what steps wait for: always the first",
        apply: |s| {
            plans(s, |p| {
                let waiting = p
                    .chain
                    .iter_mut()
                    .filter(|step| !step.depends_on.is_empty());
                waiting.for_each(|step| step.depends_on = vec![0]);
            });
        },
    },
    Edit {
        id: "asset",
        doc: "the assets actions are done with",
        apply: |s| actions(s, |a| a.asset_id = format!("{}-x", a.asset_id).into()),
    },
    Edit {
        id: "branch",
        doc: "conditions negated and sides exchanged",
        apply: |s| {
            plans(s, |p| {
                for branch in p.chain.iter_mut().filter_map(|step| step.branch.as_mut()) {
                    branch.condition = format!("not {}", branch.condition).into();
                    std::mem::swap(&mut branch.true_actions, &mut branch.false_actions);
                }
            });
        },
    },
    Edit {
        id: "nobranch",
        doc: "branches, left out",
        apply: |s| {
            plans(s, |p| {
                for step in &mut p.chain {
                    step.branch = None;
                }
            });
        },
    },
    Edit {
        id: "domain",
        doc: "the domain of plans",
        apply: |s| plans(s, |p| p.domain = "elsewhere".into()),
    },
    Edit {
        id: "profile",
        doc: "every field of the profile but the id",
        apply: |s| {
            let profile = &mut s.profile;
            profile.terrain_type = "moon";
            profile.force_size = "one";
            profile.operational_phase = "never";
            profile.domains = &[];
            profile.loac_ambiguity = "none";
            profile.historical_reference = "";
        },
    },
    Edit {
        id: "loc",
        doc: "where assets stand",
        apply: |s| {
            let state = &mut s.game_state;
            for a in state.blue_assets.iter_mut().chain(&mut state.red_assets) {
                a.location.0 = 100.0 - a.location.0;
            }
        },
    },
    Edit {
        id: "atype",
        doc: "what assets are",
        apply: |s| {
            let state = &mut s.game_state;
            for a in state.blue_assets.iter_mut().chain(&mut state.red_assets) {
                a.asset_type = "unit".into();
            }
        },
    },
    Edit {
        id: "actiontype",
        doc: "types of actions, all the same",
        apply: |s| actions(s, |a| a.action_type = "attack".into()),
    },
    Edit {
        id: "cat",
        doc: "categories of actions, all the same",
        apply: |s| actions(s, |a| a.category = Category::Kinetic),
    },
    Edit {
        id: "obj",
        doc: "objectives, as long and without a word that is searched for",
        apply: |s| {
            plans(s, |p| {
                p.objective = "seize every northern crossing before winter closes them".into();
            });
        },
    },
    Edit {
        id: "q",
        doc: "qualities of plans",
        apply: |s| plans(s, |p| p.quality_score += 0.05),
    },
    Edit {
        id: "cap",
        doc: "capabilities of BLUE's assets",
        apply: |s| weaken(&mut s.game_state.blue_assets),
    },
    Edit {
        id: "redcap",
        doc: "capabilities of RED's assets",
        apply: |s| weaken(&mut s.game_state.red_assets),
    },
];

/// The metrics of a scenario, in the order of [`METRICS`].
fn measure(base: u64, scenario: Scenario) -> Option<[f64; 11]> {
    let p = Played::new(&Dice::default(), base, scenario)?;
    let blue = p.fixed()?.quality_score;
    let outcome = p.sampled.outcome;
    Some([
        p.blue.alignment(),
        p.sampled.alignment,
        p.structure.path_optionality,
        p.structure.vertex_parsimony,
        p.structure.worldline_completion,
        advantage(blue, p.doctrine.quality),
        advantage(blue, p.sampled.quality),
        advantage(blue, p.llm.quality),
        p.council.chosen()?.score,
        advantage(p.selected.quality, p.selected.answer.quality),
        outcome.blue_remaining - outcome.red_remaining,
    ])
}

/// The edits that move the q of the best of eight responses to the fixed plan: none where RED reads nothing of it.
pub fn read_by_red(base: u64, scenario: &Scenario) -> Vec<&'static Edit> {
    let dice = Dice::default();
    let before = best_red(&dice, base, scenario);
    let reads = |edit: &&'static Edit| {
        let mut edited = scenario.clone();
        (edit.apply)(&mut edited);
        best_red(&dice, base, &edited) != before
    };
    EDITS.iter().filter(reads).collect()
}

/// Whether one flat action more in the fixed plan moves it: the one thing RED does read.
pub fn red_counts(base: u64, scenario: &Scenario) -> bool {
    let dice = Dice::default();
    let mut longer = scenario.clone();
    for plan in longer.seed_coas.iter_mut().take(1) {
        plan.actions.extend(plan.actions.first().cloned());
    }
    best_red(&dice, base, &longer) != best_red(&dice, base, scenario)
}

/// The q of the best of eight responses, as bits.
fn best_red(dice: &Dice, base: u64, scenario: &Scenario) -> Option<u64> {
    let blue = scenario.seed_coas.first()?;
    let red = &scenario.game_state.red_assets;
    let reds = Responder::new(blue, red).samples(&mut dice.open(base), SAMPLES);
    let best = reds.get(by_quality(&reds))?;
    Some(best.quality_score.to_bits())
}

/// What an edit moved.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The edit.
    pub edit: &'static Edit,
    /// The metrics that moved in any scenario, and in how many.
    pub metrics: Vec<(&'static str, usize)>,
}

/// Applies every edit to the scenarios of so many base seeds.
pub fn audit(n_seeds: usize) -> Vec<Moved> {
    let dice = Dice::default();
    let of = |base: u64| corpus(&dice, base).into_iter().map(move |s| (base, s));
    let scenarios: Vec<(u64, Scenario)> = base_seeds(n_seeds).flat_map(of).collect();
    let before: Vec<_> = scenarios
        .iter()
        .map(|(b, s)| measure(*b, s.clone()))
        .collect();
    let moved = |edit: &'static Edit| {
        let mut counts = [0; METRICS.len()];
        for ((base, scenario), before) in scenarios.iter().zip(&before) {
            let mut edited = scenario.clone();
            (edit.apply)(&mut edited);
            let after = measure(*base, edited);
            for (i, count) in counts.iter_mut().enumerate() {
                let at = |m: &Option<[f64; 11]>| m.map(|m| m[i].to_bits());
                *count += usize::from(at(before) != at(&after));
            }
        }
        let all = METRICS.into_iter().zip(counts);
        Moved {
            edit,
            metrics: all.filter(|(_, n)| *n > 0).collect(),
        }
    };
    EDITS.iter().map(moved).collect()
}
