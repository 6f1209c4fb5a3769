//! The rows of the published tables that belong to one scenario (§11).

use crate::arena::advplan::payoff::{advantage, nash_gap};
use crate::arena::advplan::raters::{RATERS, rate};
use crate::arena::advplan::rubric::Rubric;
use crate::arena::advplan::study::{Answer, Played};
use crate::arena::advplan::table::{Cell, Row};
use crate::arena::advplan::traces;

fn scenario(p: &Played) -> [(&'static str, Cell); 2] {
    let profile = &p.scenario.profile;
    [
        ("scenario_id", profile.scenario_id.clone().into()),
        ("terrain_type", profile.terrain_type.into()),
    ]
}

/// The row of `rows.csv`.
pub(super) fn row(p: &Played) -> Row {
    let blue = p.fixed().map_or(0.0, |b| b.quality_score);
    let ahead = |a: &Answer| Cell::from(advantage(blue, a.quality));
    let gap = |a: &Answer| Cell::from(nash_gap(blue, a.quality));
    let wins = |a: &Answer| Cell::from(a.outcome.blue_wins());
    let d = |a: &Answer| Cell::from(a.alignment);
    let budget = p.eight();
    let mut row = Row::from(scenario(p));
    row.extend([
        ("framing", p.scenario.profile.framing.name().into()),
        ("advantage_single", ahead(&p.single)),
        ("advantage_sampled", ahead(&p.sampled)),
        ("advantage_doctrine_aware", ahead(&p.doctrine)),
        ("nash_gap_single", gap(&p.single)),
        ("nash_gap_sampled", gap(&p.sampled)),
        ("nash_gap_doctrine_aware", gap(&p.doctrine)),
        ("blue_doctrinal_alignment", p.blue.alignment().into()),
        ("blue_path_optionality", p.structure.path_optionality.into()),
        ("blue_vertex_parsimony", p.structure.vertex_parsimony.into()),
        (
            "blue_worldline_completion",
            p.structure.worldline_completion.into(),
        ),
        ("red_doctrinal_alignment_single", d(&p.single)),
        ("red_doctrinal_alignment_sampled", d(&p.sampled)),
        ("red_doctrinal_alignment_doctrine_aware", d(&p.doctrine)),
        ("red_doctrinal_alignment_llm", d(&p.llm)),
        (
            "candidate_diversity",
            budget.map_or(0.0, |b| b.diversity).into(),
        ),
        (
            "candidate_quality_spread",
            budget.map_or(0.0, |b| b.spread).into(),
        ),
        ("n_pareto_optimal", budget.map_or(0, |b| b.pareto).into()),
        ("selection_quality_regret", p.tradeoff.quality_regret.into()),
        ("selection_doctrinal_gain", p.tradeoff.doctrinal_gain.into()),
        (
            "selection_changed",
            (p.tradeoff.by_quality != p.tradeoff.by_both).into(),
        ),
        ("blue_wins_single", wins(&p.single)),
        ("blue_wins_sampled", wins(&p.sampled)),
        ("blue_wins_doctrine_aware", wins(&p.doctrine)),
        ("advantage_llm", ahead(&p.llm)),
        ("nash_gap_llm", gap(&p.llm)),
        ("blue_wins_llm", wins(&p.llm)),
        ("llm_response_actions", p.offline.plan.actions.len().into()),
    ]);
    row.extend(council_columns(p));
    row
}

/// The last columns of a row: the council.
fn council_columns(p: &Played) -> Row {
    let (council, selected) = (&p.council, &p.selected);
    vec![
        (
            "advantage_council",
            advantage(selected.quality, selected.answer.quality).into(),
        ),
        (
            "blue_wins_council",
            selected.answer.outcome.blue_wins().into(),
        ),
        ("council_diversity", council.diversity.into()),
        (
            "council_revised_diversity",
            council.revised_diversity.into(),
        ),
        ("council_consensus_gap", council.consensus_gap.into()),
        ("council_adversarial_pressure", selected.pressure.into()),
        (
            "council_robustness_margin",
            council.robustness_margin.into(),
        ),
        (
            "council_pressure_reduction",
            council.pressure_reduction.into(),
        ),
        ("council_selected_round", selected.round.into()),
        (
            "council_path_optionality",
            selected.structure.path_optionality.into(),
        ),
        (
            "council_vertex_parsimony",
            selected.structure.vertex_parsimony.into(),
        ),
        (
            "council_worldline_completion",
            selected.structure.worldline_completion.into(),
        ),
    ]
}

/// The row of `council_rows.csv`.
pub(super) fn council_row(p: &Played) -> Row {
    let (council, selected) = (&p.council, &p.selected);
    let proposals = council.proposals;
    let mut row = Row::from(scenario(p));
    row.extend([
        (
            "selected_blue_id",
            traces::council_id(p, council.selected).into(),
        ),
        ("selected_red_id", traces::selected_red_id(p).into()),
        (
            "selected_advantage",
            advantage(selected.quality, selected.answer.quality).into(),
        ),
        (
            "blue_doctrinal_alignment",
            selected.rubric.alignment().into(),
        ),
        ("red_doctrinal_alignment", selected.answer.alignment.into()),
        (
            "path_optionality",
            selected.structure.path_optionality.into(),
        ),
        (
            "vertex_parsimony",
            selected.structure.vertex_parsimony.into(),
        ),
        (
            "worldline_completion",
            selected.structure.worldline_completion.into(),
        ),
        ("council_diversity", council.diversity.into()),
        ("revised_diversity", council.revised_diversity.into()),
        ("consensus_gap", council.consensus_gap.into()),
        ("adversarial_pressure", selected.pressure.into()),
        ("robustness_margin", council.robustness_margin.into()),
        ("pressure_reduction", council.pressure_reduction.into()),
        ("n_blue_candidates", proposals.into()),
        (
            "n_revised_candidates",
            (council.candidates.len() - proposals).into(),
        ),
        ("selected_round", selected.round.into()),
        ("blue_wins", selected.answer.outcome.blue_wins().into()),
    ]);
    row
}

/// The rows of `budget_curve.csv`.
pub(super) fn budget_rows(p: &Played) -> impl Iterator<Item = Row> {
    let blue = p.fixed().map_or(0.0, |b| b.quality_score);
    p.budgets.iter().map(move |b| {
        let quality = p.reds.get(b.best).map_or(0.0, |r| r.quality_score);
        let alignment = p.rubrics.get(b.best).map_or(0.0, Rubric::alignment);
        let mut row = Row::from(scenario(p));
        row.extend([
            ("response_budget", b.k.into()),
            ("advantage", advantage(blue, quality).into()),
            ("red_quality", quality.into()),
            ("red_doctrinal_alignment", alignment.into()),
            ("candidate_diversity", b.diversity.into()),
            ("candidate_quality_spread", b.spread.into()),
            ("n_pareto_optimal", b.pareto.into()),
        ]);
        row
    })
}

/// The rows of `rubric_validation.csv`: four plans.
pub(super) fn rating_rows(p: &Played) -> Vec<Row> {
    let sampled = p.eight().and_then(|b| p.rubrics.get(b.best));
    let offline = Rubric::of(&p.offline.plan);
    let variants = [
        ("blue_seed", Some(&p.blue)),
        ("red_sampled", sampled),
        ("red_llm", Some(&offline)),
        ("council_selected_blue", Some(&p.selected.rubric)),
    ];
    let row = |(variant, rubric): (&'static str, Option<&Rubric>)| {
        let rubric = rubric?;
        let rating = rate(rubric);
        let [(head, id), _] = scenario(p);
        let [clarity, scouting, balance, supply, care, tempo] = rubric.0;
        Some(vec![
            (head, id),
            ("variant", variant.into()),
            ("heuristic_alignment", rubric.alignment().into()),
            ("rater_agreement", rating.agreement.into()),
            (
                "mean_absolute_deviation_from_heuristic",
                rating.deviation.into(),
            ),
            ("n_raters", RATERS.into()),
            ("heuristic_objective_clarity", clarity.into()),
            ("heuristic_intelligence_preparation", scouting.into()),
            ("heuristic_combined_arms_balance", balance.into()),
            ("heuristic_sustainment", supply.into()),
            ("heuristic_risk_mitigation", care.into()),
            ("heuristic_tempo_and_sequencing", tempo.into()),
        ])
    };
    variants.into_iter().filter_map(row).collect()
}
