//! The published tables (§11), with their columns in their order.

use crate::arena::advplan::bootstrap::{CONFIDENCE, Interval, REPLICATES, Resampler};
use crate::arena::advplan::corpus::TEMPLATES;
use crate::arena::advplan::payoff::{advantage, nash_gap};
use crate::arena::advplan::python::{Column, Num, mean_of};
use crate::arena::advplan::raters::{RATERS, rate};
use crate::arena::advplan::rubric::Rubric;
use crate::arena::advplan::study::{Answer, BUDGETS, Played, Study};
use crate::arena::advplan::table::{Cell, Row, Table};
use crate::arena::advplan::traces;

/// The published tables of a study, and the two that the published program only prints.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// One row a scenario.
    pub rows: Table,
    /// One row a scenario and budget.
    pub budget_curve: Table,
    /// One row a council.
    pub council_rows: Table,
    /// Four rows a scenario.
    pub rubric_validation: Table,
    /// One row a terrain.
    pub terrain_summary: Table,
    /// One row a metric, with intervals.
    pub summary: Table,
    /// One row a seed and template of the framing ablation.
    pub framing: Table,
    /// One row a budget, with intervals and sample means.
    pub budget_boot: Table,
}

impl Tables {
    /// Lays out a study.
    pub fn of(study: &Study) -> Self {
        let played = &study.played;
        let rows = Table::new("rows.csv", played.iter().map(row));
        let budgets = played.iter().flat_map(budget_rows);
        let budget_curve = Table::new("budget_curve.csv", budgets);
        let ratings = played.iter().flat_map(rating_rows);
        let rubric_validation = Table::new("rubric_validation.csv", ratings);
        let framing = framing(study);
        let mut resampler = Resampler::default();
        let tables = [&rows, &framing, &rubric_validation];
        let summary = summary(tables, &mut resampler);
        Self {
            council_rows: Table::new("council_rows.csv", played.iter().map(council_row)),
            terrain_summary: terrain_summary(&rows),
            budget_boot: budget_boot(&budget_curve, &mut resampler),
            rows,
            budget_curve,
            rubric_validation,
            summary,
            framing,
        }
    }

    /// All of them.
    pub const fn all(&self) -> [&Table; 8] {
        [
            &self.rows,
            &self.budget_curve,
            &self.council_rows,
            &self.rubric_validation,
            &self.terrain_summary,
            &self.summary,
            &self.framing,
            &self.budget_boot,
        ]
    }
}

fn scenario(p: &Played) -> [(&'static str, Cell); 2] {
    let profile = &p.scenario.profile;
    [
        ("scenario_id", profile.scenario_id.clone().into()),
        ("terrain_type", profile.terrain_type.into()),
    ]
}

fn row(p: &Played) -> Row {
    let blue = p.fixed().map_or(0.0, |b| b.quality_score);
    let ahead = |a: &Answer| Cell::from(advantage(blue, a.quality));
    let gap = |a: &Answer| Cell::from(nash_gap(blue, a.quality));
    let wins = |a: &Answer| Cell::from(a.outcome.blue_wins());
    let d = |a: &Answer| Cell::from(a.alignment);
    let (council, selected) = (&p.council, &p.selected);
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
        (
            "advantage_council",
            advantage(selected.quality, selected.answer.quality).into(),
        ),
        ("blue_wins_council", wins(&selected.answer)),
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
    ]);
    row
}

fn council_row(p: &Played) -> Row {
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

fn budget_rows(p: &Played) -> impl Iterator<Item = Row> {
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

fn rating_rows(p: &Played) -> Vec<Row> {
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

/// A column of means and the column of `rows.csv` it is made of.
const TERRAIN_MEANS: [(&str, &str); 13] = [
    ("advantage_single", "advantage_single"),
    ("advantage_sampled", "advantage_sampled"),
    ("advantage_doctrine_aware", "advantage_doctrine_aware"),
    ("advantage_llm", "advantage_llm"),
    ("blue_win_rate_single", "blue_wins_single"),
    ("blue_win_rate_sampled", "blue_wins_sampled"),
    ("blue_win_rate_doctrine_aware", "blue_wins_doctrine_aware"),
    ("blue_win_rate_llm", "blue_wins_llm"),
    ("blue_win_rate_council", "blue_wins_council"),
    ("selection_changed_rate", "selection_changed"),
    ("candidate_diversity", "candidate_diversity"),
    ("council_diversity", "council_diversity"),
    ("council_revised_selection_rate", "council_selected_round"),
];

fn terrain_summary(rows: &Table) -> Table {
    let mut terrains: Vec<&'static str> = TEMPLATES.iter().map(|t| t.terrain).collect();
    terrains.sort_unstable();
    let at = rows.column("terrain_type");
    let row = |terrain: &'static str| {
        let cell = Cell::from(terrain);
        let of = |row: &&Vec<Cell>| at.and_then(|i| row.get(i)) == Some(&cell);
        let own = Table {
            rows: rows.rows.iter().filter(of).cloned().collect(),
            columns: rows.columns.clone(),
            file: rows.file,
        };
        let mut row: Row = vec![
            ("terrain_type", terrain.into()),
            ("n_scenarios", own.rows.len().into()),
        ];
        let means = TERRAIN_MEANS.map(|(head, from)| (head, mean_of(own.numbers(from)).into()));
        row.extend(means);
        row
    };
    Table::new("terrain_summary.csv", terrains.into_iter().map(row))
}

/// The metrics of the summary: the columns of `rows.csv`, in the published order.
const METRICS: [&str; 31] = [
    "advantage_single",
    "advantage_sampled",
    "advantage_doctrine_aware",
    "advantage_llm",
    "nash_gap_single",
    "nash_gap_sampled",
    "nash_gap_doctrine_aware",
    "nash_gap_llm",
    "blue_doctrinal_alignment",
    "blue_path_optionality",
    "blue_vertex_parsimony",
    "blue_worldline_completion",
    "red_doctrinal_alignment_single",
    "red_doctrinal_alignment_sampled",
    "red_doctrinal_alignment_doctrine_aware",
    "red_doctrinal_alignment_llm",
    "candidate_diversity",
    "candidate_quality_spread",
    "n_pareto_optimal",
    "selection_quality_regret",
    "selection_doctrinal_gain",
    "advantage_council",
    "council_diversity",
    "council_revised_diversity",
    "council_consensus_gap",
    "council_adversarial_pressure",
    "council_robustness_margin",
    "council_pressure_reduction",
    "council_path_optionality",
    "council_vertex_parsimony",
    "council_worldline_completion",
];

/// The metrics after them: name, which of the three tables, column.
const LATER: [(&str, usize, &str); 3] = [
    ("framing_sensitivity_delta", 1, "delta"),
    ("rubric_inter_rater_agreement", 2, "rater_agreement"),
    (
        "rubric_deviation_from_heuristic",
        2,
        "mean_absolute_deviation_from_heuristic",
    ),
];

fn summary(tables: [&Table; 3], resampler: &mut Resampler) -> Table {
    let metrics = METRICS.map(|name| (name, 0, name));
    let row = |(metric, table, column): (&'static str, usize, &str)| {
        let numbers = tables
            .get(table)
            .map(|t| t.numbers(column))
            .unwrap_or_default();
        let interval = resampler.interval(&Column::new(numbers));
        let mut row: Row = vec![("metric", metric.into())];
        row.extend(ends(interval, ["mean", "ci_lower", "ci_upper"]));
        row.push(("n_boot", REPLICATES.into()));
        row.push(("confidence", CONFIDENCE.into()));
        row
    };
    Table::new("summary.csv", metrics.into_iter().chain(LATER).map(row))
}

fn ends(interval: Interval, heads: [&'static str; 3]) -> [(&'static str, Cell); 3] {
    let [mean, lower, upper] = heads;
    [
        (mean, interval.mean.into()),
        (lower, interval.lower.into()),
        (upper, interval.upper.into()),
    ]
}

fn framing(study: &Study) -> Table {
    let rows = study.framed.iter().map(|f| {
        let [blue, neutral, adversary] = f.alignment;
        vec![
            ("seed", Cell::from(f.seed)),
            ("template", f.terrain.into()),
            ("blue", blue.into()),
            ("neutral", neutral.into()),
            ("adversary", adversary.into()),
            ("delta", f.delta().into()),
        ]
    });
    Table::new("framing.csv", rows)
}

fn budget_boot(curve: &Table, resampler: &mut Resampler) -> Table {
    let budgets = curve.numbers("response_budget");
    let of = |column: &str, k: usize| -> Vec<Num> {
        let numbers = curve.numbers(column).into_iter().zip(&budgets);
        let own = numbers.filter(|(_, b)| b.get() == k as f64);
        own.map(|(x, _)| x).collect()
    };
    let rows: Vec<Row> = BUDGETS
        .into_iter()
        .map(|k| {
            let interval = resampler.interval(&Column::new(of("advantage", k)));
            let mean = |column: &str| Cell::from(mean_of(of(column, k)));
            let mut row: Row = vec![("budget", k.into())];
            row.extend(ends(interval, ["mean", "lower", "upper"]));
            row.extend([
                ("obs_advantage", mean("advantage")),
                ("obs_red_quality", mean("red_quality")),
                ("obs_diversity", mean("candidate_diversity")),
                ("obs_spread", mean("candidate_quality_spread")),
                ("obs_pareto", mean("n_pareto_optimal")),
            ]);
            row
        })
        .collect();
    Table::new("budget_boot.csv", rows)
}
