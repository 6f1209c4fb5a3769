//! `details.json` (§11): the settings, and the rates without intervals.

use serde_json::{Map, Value, json};

use crate::arena::advplan::council::{RED_SAMPLES, REVISION_BONUS, WEIGHTS, WIDTH};
use crate::arena::advplan::python::{Num, mean_of};
use crate::arena::advplan::raters::RATERS;
use crate::arena::advplan::study::{BUDGETS, SAMPLES, Study};
use crate::arena::advplan::tables::Tables;

/// A number as JSON.
fn number(n: Num) -> Value {
    match n {
        Num::Int(n) => n.into(),
        Num::Float(x) => x.into(),
    }
}

/// The rates of a study: name and column of `rows.csv`.
const RATES: [(&str, &str); 6] = [
    ("blue_win_rate_single", "blue_wins_single"),
    ("blue_win_rate_sampled", "blue_wins_sampled"),
    ("blue_win_rate_doctrine_aware", "blue_wins_doctrine_aware"),
    ("blue_win_rate_llm", "blue_wins_llm"),
    ("blue_win_rate_council", "blue_wins_council"),
    ("selection_changed_rate", "selection_changed"),
];

/// The settings and rates.
pub fn details(study: &Study, tables: &Tables) -> Value {
    let rate = |column: &str| number(mean_of(tables.rows.numbers(column)));
    let mut all = Map::new();
    all.insert("n_scenarios".into(), study.played.len().into());
    all.insert("n_seeds".into(), study.n_seeds.into());
    all.insert("n_samples".into(), SAMPLES.into());
    all.insert("response_budgets".into(), json!(BUDGETS));
    all.extend(RATES.map(|(name, column)| (name.to_owned(), rate(column))));
    let proposals = study.played.first().map_or(0, |p| p.council.proposals);
    let [alpha, beta, gamma, rho] = WEIGHTS;
    all.insert(
        "multi_agent_council".into(),
        json!({
            "blue_proposer_agents": proposals,
            "red_team_samples_per_candidate": RED_SAMPLES,
            "deliberation_width": WIDTH,
            "revision_bonus": REVISION_BONUS,
            "selected_revised_candidate_rate": rate("council_selected_round"),
            "selection_objective": format!("S = {alpha} p(q) + {beta} d + {gamma} V - {rho} P"),
        }),
    );
    all.insert(
        "offline_llm_policy".into(),
        json!({
            "enabled": true,
            "model": "offline-json-policy",
            "client": "mock client behind the JSON contract; no model is called",
            "mean_response_actions": rate("llm_response_actions"),
        }),
    );
    let mean = |metric: &str| {
        let of = |row: &&Vec<_>| row.first() == Some(&String::from(metric).into());
        let row = tables.summary.rows.iter().find(of);
        row.and_then(|r| r.get(1)).map(|cell| number(cell.number()))
    };
    all.insert(
        "rubric_validation".into(),
        json!({
            "enabled": true,
            "n_rating_records": tables.rubric_validation.rows.len(),
            "n_raters": RATERS,
            "rater_types": ["doctrine", "logistics", "adversarial"],
            "agreement_mean": mean("rubric_inter_rater_agreement"),
            "deviation_mean": mean("rubric_deviation_from_heuristic"),
        }),
    );
    all.insert("venue".into(), "aaai2027".into());
    all.insert(
        "source".into(),
        "vesta advplan bench: the published benchmark, computed anew".into(),
    );
    Value::Object(all)
}
