//! The published tables (§11), with their columns in their order.

use crate::arena::advplan::bootstrap::{CONFIDENCE, Interval, REPLICATES, Resampler};
use crate::arena::advplan::corpus::TEMPLATES;
use crate::arena::advplan::python::{Column, Num, mean_of};
use crate::arena::advplan::rows::{budget_rows, council_row, rating_rows, row};
use crate::arena::advplan::study::{BUDGETS, Played, Study};
use crate::arena::advplan::table::{Cell, Row, Table};

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

/// Every cell that one scenario has in the published tables: the file, the column, the text.
pub fn cells(played: &Played) -> Vec<(&'static str, &'static str, String)> {
    let tables: [(&'static str, Vec<Row>); 4] = [
        ("rows.csv", vec![row(played)]),
        ("council_rows.csv", vec![council_row(played)]),
        ("budget_curve.csv", budget_rows(played).collect()),
        ("rubric_validation.csv", rating_rows(played)),
    ];
    let cells = tables.into_iter().flat_map(|(file, rows)| {
        let cells = rows.into_iter().flatten();
        cells.map(move |(head, cell)| (file, head, cell.text().into_owned()))
    });
    cells.collect()
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
        let wanted = Cell::from(k).number();
        let numbers = curve.numbers(column).into_iter().zip(&budgets);
        let own = numbers.filter(|(_, b)| **b == wanted);
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
