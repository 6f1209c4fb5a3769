//! What the published artifacts lack (§14.17): every plan in full with every part of every score, under an id from which
//! it can be made again.
//!
//! Ids are paths: `urban-103/blue/0` a seed plan, `urban-103/red/7` a response, `urban-103/offline` the contract's,
//! `urban-103/council/5` a candidate (proposals first) and `urban-103/council/5/red/2` a response to it.

use serde_json::{Value, json};

use crate::arena::advplan::corpus::TEMPLATES;
use crate::arena::advplan::council::{Candidate, WEIGHTS};
use crate::arena::advplan::model::{Plan, capability};
use crate::arena::advplan::python::Dice;
use crate::arena::advplan::rubric::{Rubric, TERMS, proxy};
use crate::arena::advplan::structure::Structure;
use crate::arena::advplan::study::{Answer, Played, Study};
use crate::arena::advplan::table::{Cell, Row, Table};

fn id(p: &Played) -> &str {
    &p.scenario.profile.scenario_id
}

/// The id of a council's candidate.
pub fn council_id(p: &Played, at: usize) -> String {
    format!("{}/council/{at}", id(p))
}

/// The id of the response to the selected candidate.
pub fn selected_red_id(p: &Played) -> String {
    let red = p.council.chosen().map_or(0, |c| c.red);
    format!("{}/red/{red}", council_id(p, p.council.selected))
}

/// Every plan of a scenario with its id.
pub fn plans(p: &Played) -> Vec<(String, &Plan)> {
    let scenario = id(p);
    let numbered = |kind: &'static str, plans: &'_ [Plan]| -> Vec<String> {
        (0..plans.len())
            .map(|i| format!("{scenario}/{kind}/{i}"))
            .collect()
    };
    let mut all: Vec<(String, &Plan)> = Vec::new();
    let seeds = &p.scenario.seed_coas;
    all.extend(numbered("blue", seeds).into_iter().zip(seeds));
    all.extend(numbered("red", &p.reds).into_iter().zip(&p.reds));
    all.push((format!("{scenario}/offline"), &p.offline.plan));
    for (i, c) in p.council.candidates.iter().enumerate() {
        let own = council_id(p, i);
        let reds = c.reds.iter().enumerate();
        let reds = reds.map(|(j, red)| (format!("{own}/red/{j}"), red));
        let reds: Vec<_> = reds.collect();
        all.push((own, &c.plan));
        all.extend(reds);
    }
    all
}

/// A plan in full, with all that is said of it alone.
pub fn record(id: &str, plan: &Plan) -> Value {
    let rubric = Rubric::of(plan);
    let structure = Structure::of(plan);
    let terms: serde_json::Map<String, Value> = TERMS
        .iter()
        .zip(rubric.0)
        .map(|(name, term)| ((*name).to_owned(), term.into()))
        .collect();
    json!({
        "id": id,
        "quality": plan.quality_score,
        "components": plan.components,
        "rubric": terms,
        "alignment": rubric.alignment(),
        "proxy": proxy(plan),
        "path_optionality": structure.path_optionality,
        "vertex_parsimony": structure.vertex_parsimony,
        "worldline_completion": structure.worldline_completion,
        "plan": plan,
    })
}

/// The lines of `plans.jsonl`: every plan of a scenario, one a line.
pub fn plan_lines(p: &Played) -> String {
    let mut out = String::new();
    for (id, plan) in plans(p) {
        out.push_str(&record(&id, plan).to_string());
        out.push('\n');
    }
    out
}

/// `council_candidates.csv`: every candidate with every part of its S.
pub fn candidates(study: &Study) -> Table {
    let rows = study.played.iter().flat_map(|p| {
        let all = p.council.candidates.iter().enumerate();
        all.map(move |(i, c)| candidate(p, i, c))
    });
    Table::new("council_candidates.csv", rows)
}

fn candidate(p: &Played, at: usize, c: &Candidate) -> Row {
    let [alpha, beta, gamma, rho] = WEIGHTS;
    let origin = if c.round == 0 {
        format!("{}/blue/{}", id(p), c.origin)
    } else {
        council_id(p, c.origin)
    };
    let parts = &c.parts;
    vec![
        ("candidate_id", council_id(p, at).into()),
        ("round", c.round.into()),
        ("role", c.role.into()),
        ("origin_id", origin.into()),
        ("quality", c.plan.quality_score.into()),
        ("bonus", c.bonus.into()),
        ("jitter", c.jitter.into()),
        (
            "red_id",
            format!("{}/red/{}", council_id(p, at), c.red).into(),
        ),
        ("payoff", parts.quality.into()),
        ("proxy", parts.rubric.into()),
        ("variety", parts.variety.into()),
        ("pressure", parts.pressure.into()),
        ("payoff_term", (alpha * parts.quality).into()),
        ("proxy_term", (beta * parts.rubric).into()),
        ("variety_term", (gamma * parts.variety).into()),
        ("pressure_term", (-rho * parts.pressure).into()),
        ("score", c.score.into()),
        ("shortlisted", p.council.shortlist.contains(&at).into()),
        ("selected", (p.council.selected == at).into()),
    ]
}

/// `choices.csv`: which plans met in each scenario under each policy, and how the wargame ended.
pub fn choices(study: &Study) -> Table {
    Table::new("choices.csv", study.played.iter().flat_map(choices_of))
}

fn choices_of(p: &Played) -> Vec<Row> {
    let best = p.eight().map_or(0, |b| b.best);
    let red = |i: usize| format!("{}/red/{i}", id(p));
    let fixed = || format!("{}/blue/0", id(p));
    let state = &p.scenario.game_state;
    let forces = (
        capability(&state.blue_assets),
        capability(&state.red_assets),
    );
    let row = |policy: &'static str, blue: String, red: String, a: &Answer| -> Row {
        vec![
            ("scenario_id", Cell::from(id(p).to_owned())),
            ("base_seed", p.base.into()),
            ("policy", policy.into()),
            ("blue_id", blue.into()),
            ("red_id", red.into()),
            ("red_quality", a.quality.into()),
            ("red_alignment", a.alignment.into()),
            ("blue_capability", forces.0.into()),
            ("red_capability", forces.1.into()),
            ("blue_remaining", a.outcome.blue_remaining.into()),
            ("red_remaining", a.outcome.red_remaining.into()),
            ("winner", a.outcome.word().into()),
        ]
    };
    let council = council_id(p, p.council.selected);
    vec![
        row("single", fixed(), red(0), &p.single),
        row("sampled", fixed(), red(best), &p.sampled),
        row("doctrine_aware", fixed(), red(p.aware), &p.doctrine),
        row("llm", fixed(), format!("{}/offline", id(p)), &p.llm),
        row("council", council, selected_red_id(p), &p.selected.answer),
    ]
}

/// `intermediates.csv`: what is between a scenario and its rows.
pub fn intermediates(study: &Study) -> Table {
    Table::new("intermediates.csv", study.played.iter().map(intermediate))
}

/// The heads of the qualities of the sixteen responses.
const QUALITIES: [&str; 16] = [
    "red_q_0", "red_q_1", "red_q_2", "red_q_3", "red_q_4", "red_q_5", "red_q_6", "red_q_7",
    "red_q_8", "red_q_9", "red_q_10", "red_q_11", "red_q_12", "red_q_13", "red_q_14", "red_q_15",
];

fn intermediate(p: &Played) -> Row {
    let state = &p.scenario.game_state;
    let mut row: Row = vec![
        ("scenario_id", id(p).to_owned().into()),
        ("base_seed", p.base.into()),
        ("prompt_chars", p.offline.prompt.chars().count().into()),
        ("ord_sum", p.offline.code_points.into()),
        ("llm_rng_seed", p.offline.seed.into()),
        ("blue_q", p.fixed().map_or(0.0, |b| b.quality_score).into()),
        ("blue_cap", capability(&state.blue_assets).into()),
        ("red_cap", capability(&state.red_assets).into()),
        ("llm_q", p.llm.quality.into()),
    ];
    let qualities = p.reds.iter().map(|r| Cell::from(r.quality_score));
    row.extend(QUALITIES.into_iter().zip(qualities));
    row
}

/// Plays the scenario an id begins with once more. `None` where no scenario of the benchmark has that id.
pub fn replay(id: &str) -> Option<Played> {
    let scenario = id.split('/').next()?;
    let (template, seed) = scenario.rsplit_once('-')?;
    let template = TEMPLATES.iter().find(|t| t.id == template)?;
    let seed: u64 = seed.parse().ok()?;
    let base = seed.checked_sub(template.offset)?;
    // Seeds of plans and prompts are counted up from the scenario's.
    seed.checked_add(20_000)?;
    let dice = Dice::default();
    let scenario = template.scenario(&dice, seed, template.framing);
    Played::new(&dice, base, scenario)
}
