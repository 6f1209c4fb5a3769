//! A study of many arenas: does robustness that a committee bought survive a RED it never met, by what RED knows and how
//! many responses it may simulate.
//!
//! Everything is paired by task: the single plan, the best proposal and the choice of one task meet the same held-out
//! streams, and differences are resampled over tasks.

use crate::arena::frontier::budget::{Estimate, estimate, paired};
use crate::arena::house::model::Response;
use crate::arena::house::record::{Phase, Record};
use crate::arena::house::weigh::held_out_within;
use crate::eval::table::{Cell, Column, Row, Table};

/// What one arena came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The task.
    pub task: String,
    /// RED's level.
    pub level: String,
    /// The response budget the committee met.
    pub budget: u32,
    /// The single plan, the best proposal and the choice, each at every held-out budget asked for: the worst payoff. `None`
    /// where the arena has no choice.
    pub worst: [Vec<Option<f64>>; 3],
    /// The same three against the RED the committee met: the worst payoff over its search.
    pub met: [Option<f64>; 3],
    /// Simulations made.
    pub simulations: u64,
}

/// Reads a sample off an arena.
pub fn sample(record: &Record, budgets: &[u32]) -> Sample {
    let choice = record.choice.as_ref();
    let names = choice.map(|c| [&c.single, &c.best_proposal, &c.selected]);
    let payoffs = record.settings.payoffs;
    let silent = Response::nothing().id;
    let worst = |name: Option<&String>| {
        let at = |k: &u32| {
            let name = name?;
            // A plan that RED found nothing to do against is worth what it is alone.
            let alone = record.cell(name, &silent);
            let alone = alone.map(|c| payoffs.at_least(&c.outcome));
            held_out_within(record, name, *k as usize).map_or(alone, |h| Some(h.worst))
        };
        budgets.iter().map(at).collect()
    };
    let met = |name: Option<&String>| {
        let cells = record
            .cells(Phase::Search)
            .filter(|c| Some(&c.candidate) == name);
        cells.map(|c| payoffs.at_least(&c.outcome)).reduce(f64::min)
    };
    let who = |i: usize| names.map(|n| n[i]);
    Sample {
        task: record.task.clone(),
        level: record.settings.level.clone(),
        budget: record.settings.budget,
        worst: [0, 1, 2].map(|i| worst(who(i))),
        met: [0, 1, 2].map(|i| met(who(i))),
        simulations: record.rounds.last().map_or(0, |r| r.simulations),
    }
}

/// The three that are compared, as heads of columns.
const WHO: [&str; 3] = ["single plan", "best proposal", "choice"];

/// The tables of a study: what the choice is worth against the RED it met and the one it did not, the curves over held-out
/// budgets, and one row an arena. `budgets` are the held-out budgets of the samples.
pub fn tables(samples: &[Sample], budgets: &[u32]) -> Vec<Table> {
    let mut groups: Vec<(&str, u32)> = Vec::new();
    for it in samples {
        let group = (it.level.as_str(), it.budget);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    vec![
        main(samples, &groups, budgets),
        curves(samples, &groups, budgets),
        rows(samples, budgets),
    ]
}

fn of<'s>(samples: &'s [Sample], (level, budget): (&str, u32)) -> Vec<&'s Sample> {
    let those = samples
        .iter()
        .filter(|s| s.level == level && s.budget == budget);
    those.collect()
}

fn numbers(all: impl IntoIterator<Item = Option<Estimate>>) -> Vec<Cell> {
    let mut cells = Vec::new();
    for it in all {
        match it {
            Some(e) => cells.extend([e.mean, e.low, e.high].map(|x| Cell::Number(x, 3))),
            None => cells.extend([Cell::Empty, Cell::Empty, Cell::Empty]),
        }
    }
    cells
}

fn three(head: &str) -> [Column; 3] {
    [
        Column::number(head),
        Column::number(&format!("{head}, low")),
        Column::number(&format!("{head}, high")),
    ]
}

fn main(samples: &[Sample], groups: &[(&str, u32)], budgets: &[u32]) -> Table {
    let last = budgets.len().saturating_sub(1);
    let rows = groups.iter().map(|&group| {
        let those = of(samples, group);
        let column = |who: usize| -> Vec<Option<f64>> {
            let worst = |s: &&Sample| s.worst[who].get(last).copied().flatten();
            those.iter().map(worst).collect()
        };
        let (single, proposal, chosen) = (column(0), column(1), column(2));
        let mean = |all: &[Option<f64>]| {
            let known: Vec<f64> = all.iter().copied().flatten().collect();
            estimate(&known).map_or(Cell::Empty, |e| Cell::Number(e.mean, 3))
        };
        let met: Vec<Option<f64>> = those.iter().map(|s| s.met[2]).collect();
        let met_single: Vec<Option<f64>> = those.iter().map(|s| s.met[0]).collect();
        let mut cells = vec![
            Cell::Words(group.0.to_owned()),
            Cell::Number(f64::from(group.1), 0),
            Cell::Number(those.len() as f64, 0),
            mean(&met_single),
            mean(&met),
            mean(&single),
            mean(&proposal),
            mean(&chosen),
        ];
        cells.extend(numbers([
            paired(&met_single, &met),
            paired(&single, &chosen),
            paired(&proposal, &chosen),
        ]));
        Row {
            cells,
            runs: Vec::new(),
            few: those.len() < 20,
        }
    });
    let mut columns = vec![
        Column::words("RED knows"),
        Column::number("budget"),
        Column::number("tasks"),
        Column::number("single, met"),
        Column::number("choice, met"),
        Column::number("single, held out"),
        Column::number("best proposal, held out"),
        Column::number("choice, held out"),
    ];
    for head in [
        "gain, met",
        "gain, held out",
        "gain over best proposal, held out",
    ] {
        columns.extend(three(head));
    }
    let most = budgets.last().copied().unwrap_or_default();
    Table {
        id: "robustness".to_owned(),
        title: format!("Worst-case payoff of the single plan and of the committee's choice, and the difference paired by task; held-out RED with {most} responses"),
        columns,
        rows: rows.collect(),
        notes: vec![
            "A payoff is 1 for safe success, 1/2 for safety alone, 0 otherwise, unless set differently.".to_owned(),
            "Met: the RED that plans were chosen and revised against. Held out: other streams and the other half of all disturbances.".to_owned(),
            "Low and high: 95 % percentile bootstrap over tasks, 2,000 rounds.".to_owned(),
        ],
    }
}

fn curves(samples: &[Sample], groups: &[(&str, u32)], budgets: &[u32]) -> Table {
    let mut rows = Vec::new();
    for &group in groups {
        let those = of(samples, group);
        for (i, &k) in budgets.iter().enumerate() {
            let column = |who: usize| -> Vec<Option<f64>> {
                those
                    .iter()
                    .map(|s| s.worst[who].get(i).copied().flatten())
                    .collect()
            };
            let all = [0, 1, 2].map(column);
            let estimates = all.iter().map(|c| {
                let known: Vec<f64> = c.iter().copied().flatten().collect();
                estimate(&known)
            });
            let mut cells = vec![
                Cell::Words(group.0.to_owned()),
                Cell::Number(f64::from(group.1), 0),
                Cell::Number(f64::from(k), 0),
            ];
            cells.extend(numbers(estimates));
            cells.extend(numbers([paired(&all[0], &all[2])]));
            rows.push(Row {
                cells,
                runs: Vec::new(),
                few: those.len() < 20,
            });
        }
    }
    let mut columns = vec![
        Column::words("RED knows"),
        Column::number("budget"),
        Column::number("held-out budget"),
    ];
    for head in WHO.into_iter().chain(["gain"]) {
        columns.extend(three(head));
    }
    Table {
        id: "curves".to_owned(),
        title: "Worst-case payoff over the held-out response budget".to_owned(),
        columns,
        rows,
        notes: vec!["The responses of a smaller budget are the first ones of a larger.".to_owned()],
    }
}

fn rows(samples: &[Sample], budgets: &[u32]) -> Table {
    let number = |x: Option<f64>| x.map_or(Cell::Empty, |x| Cell::Number(x, 3));
    let rows = samples.iter().map(|s| {
        let mut cells = vec![
            Cell::Words(s.task.clone()),
            Cell::Words(s.level.clone()),
            Cell::Number(f64::from(s.budget), 0),
        ];
        cells.extend(s.met.map(number));
        for who in &s.worst {
            cells.extend(who.iter().map(|x| number(*x)));
        }
        cells.push(Cell::Number(s.simulations as f64, 0));
        Row {
            cells,
            runs: Vec::new(),
            few: false,
        }
    });
    let mut columns = vec![
        Column::words("task"),
        Column::words("RED knows"),
        Column::number("budget"),
    ];
    columns.extend(WHO.map(|w| Column::number(&format!("{w}, met"))));
    for who in WHO {
        columns.extend(
            budgets
                .iter()
                .map(|k| Column::number(&format!("{who}, held out {k}"))),
        );
    }
    columns.push(Column::number("simulations"));
    Table {
        id: "arenas".to_owned(),
        title: "One row an arena".to_owned(),
        columns,
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(task: &str, single: f64, chosen: f64) -> Sample {
        Sample {
            task: task.to_owned(),
            level: "plan".to_owned(),
            budget: 4,
            worst: [single, single, chosen].map(|x| vec![Some(1.0), Some(x)]),
            met: [Some(single), Some(single), Some(1.0)],
            simulations: 10,
        }
    }

    #[test]
    fn gains_are_paired_by_task() {
        let samples = [one("A", 0.0, 0.5), one("B", 0.5, 1.0), one("C", 0.0, 0.5)];
        let all = tables(&samples, &[1, 4]);
        let texts: Vec<String> = all[0].rows[0].cells.iter().map(Cell::text).collect();
        let wanted = [
            "plan", "4", "3", "0.167", "1.000", "0.167", "0.167", "0.667", "0.833", "0.500",
            "1.000", "0.500", "0.500", "0.500", "0.500", "0.500", "0.500",
        ];
        assert_eq!(texts, wanted);
        assert!(all[0].rows[0].few);
        assert_eq!(all[1].rows.len(), 2);
        let first: Vec<String> = all[1].rows[0]
            .cells
            .iter()
            .skip(3)
            .map(Cell::text)
            .collect();
        assert_eq!(first.first().map(String::as_str), Some("1.000"));
        assert_eq!(all[2].rows.len(), 3);
        assert!(
            all.iter()
                .all(|t| t.rows.iter().all(|r| r.cells.len() == t.columns.len()))
        );
    }
}
