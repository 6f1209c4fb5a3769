//! `scenarios.json`: scenarios with all fields of all plans, the council in order, the wargames, the prompt.

use std::path::Path;

use anyhow::{Result, anyhow};
use serde_json::{Map, Value, json};

use crate::arena::advplan::model::{Plan, capability};
use crate::arena::advplan::payoff::Outcome;
use crate::arena::advplan::rubric::TERMS;
use crate::arena::advplan::study::{Played, SAMPLES, Study};
use crate::cli::conform::Report;
use crate::cli::conform::advplan::{Count, json as read};

/// Compares the recorded scenarios that were played, leaf by leaf.
pub(super) fn compare(dir: &Path, study: &Study, report: &mut Report) -> Result<()> {
    let Some((shown, value)) = read(dir, "scenarios.json", report)? else {
        return Ok(());
    };
    let list = value
        .as_array()
        .ok_or_else(|| anyhow!("{shown}: is no list of scenarios"))?;
    let (mut count, mut scenarios) = (Count::default(), 0);
    for theirs in list {
        let id = theirs
            .pointer("/case/profile/scenario_id")
            .and_then(Value::as_str);
        let id =
            id.ok_or_else(|| anyhow!("{shown}: a scenario without case.profile.scenario_id"))?;
        let mut played = study.played.iter();
        let Some(played) = played.find(|p| p.scenario.profile.scenario_id == id) else {
            continue;
        };
        scenarios += 1;
        let mut ours = recorded(played)?;
        blank(&mut ours);
        let mut told = Vec::new();
        leaves(theirs, &ours, id, &mut count, &mut told);
        for line in told {
            report.differ(|| format!("{shown} {line}"));
        }
    }
    let note = format!("values of {scenarios} scenarios; tool names and arguments are blank there");
    count.told(report, "scenarios.json", &note);
    Ok(())
}

/// A scenario in the layout of the recordings.
fn recorded(p: &Played) -> Result<Value> {
    let chosen = p
        .council
        .chosen()
        .ok_or_else(|| anyhow!("the council chose nobody"))?;
    let at = |i: usize| {
        p.reds
            .get(i)
            .ok_or_else(|| anyhow!("there is no response {i}"))
    };
    let state = &p.scenario.game_state;
    let rubric: Map<String, Value> = TERMS
        .iter()
        .zip(p.blue.0)
        .map(|(name, x)| ((*name).to_owned(), x.into()))
        .collect();
    let all = &p.council.candidates;
    let round = |round: u32| -> Vec<&Plan> {
        all.iter()
            .filter(|c| c.round == round)
            .map(|c| &c.plan)
            .collect()
    };
    Ok(json!({
        "base_seed": p.base,
        "case": p.scenario,
        "red_single": at(0)?,
        "red_candidates_k8": p.reds.iter().take(SAMPLES).collect::<Vec<_>>(),
        "red_sampled_index": p.eight().map(|b| b.best),
        "red_doctrine_aware": at(p.aware)?,
        "red_llm": p.offline.plan,
        "council": {
            "blue_candidates": round(0),
            "revised_candidates": round(1),
            "selected_blue": chosen.plan,
            "selected_red": chosen.worst(),
            "consensus_gap": p.council.consensus_gap,
            "adversarial_pressure": chosen.parts.pressure,
            "robustness_margin": p.council.robustness_margin,
            "pressure_reduction": p.council.pressure_reduction,
            "scores_in_order": all.iter().map(|c| c.score).collect::<Vec<_>>(),
            "pressures_in_order": all.iter().map(|c| c.parts.pressure).collect::<Vec<_>>(),
            "rounds_in_order": all.iter().map(|c| c.round).collect::<Vec<_>>(),
            "selected_index": p.council.selected,
        },
        "rubric_blue": rubric,
        "lanchester": {
            "single": outcome(&p.single.outcome),
            "sampled": outcome(&p.sampled.outcome),
            "doctrine": outcome(&p.doctrine.outcome),
            "llm": outcome(&p.llm.outcome),
            "council": outcome(&p.selected.answer.outcome),
        },
        "capability": [capability(&state.blue_assets), capability(&state.red_assets)],
        "llm_prompt": p.offline.prompt,
        "llm_prompt_ord_sum": p.offline.code_points,
    }))
}

fn outcome(o: &Outcome) -> Value {
    json!({
        "blue_remaining": o.blue_remaining,
        "red_remaining": o.red_remaining,
        "blue_doctrinal_alignment": o.blue_alignment,
        "red_doctrinal_alignment": o.red_alignment,
        "winner": o.word(),
    })
}

/// Blanks the tools' names and arguments as the recordings do.
fn blank(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(blank),
        Value::Object(fields) => {
            if fields.contains_key("tool_name") {
                fields.insert("tool_name".into(), "tool".into());
                fields.insert("arguments".into(), Value::Object(Map::new()));
            }
            fields.values_mut().for_each(blank);
        }
        _ => {}
    }
}

/// Counts equal leaves; a list of another length or a missing field counts as one that differs.
fn leaves(theirs: &Value, ours: &Value, at: &str, count: &mut Count, told: &mut Vec<String>) {
    match (theirs, ours) {
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            count.add(true);
            for (i, (x, y)) in a.iter().zip(b).enumerate() {
                leaves(x, y, &format!("{at}[{i}]"), count, told);
            }
        }
        (Value::Object(a), Value::Object(b)) => {
            for (name, x) in a {
                let y = b.get(name).unwrap_or(&Value::Null);
                leaves(x, y, &format!("{at}.{name}"), count, told);
            }
            for name in b.keys().filter(|name| !a.contains_key(*name)) {
                count.add(false);
                told.push(format!("{at}.{name}: is not recorded"));
            }
        }
        _ => {
            if !count.add(theirs == ours) {
                told.push(format!("{at}: recorded {theirs}, got {ours}"));
            }
        }
    }
}
