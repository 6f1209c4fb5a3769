//! The rows of the task list: which are shown, in which order, and what their columns say.

use std::cmp::Reverse;

use crate::app::checks;
use crate::app::fuzzy::Filter;
use crate::app::library::{Library, TaskRow};
use crate::app::tables::{self, count, words};
use crate::check::finding::Weight;
use crate::eval::table::Table;
use crate::task::{Complexity, Environment};

/// By what the list is sorted; equal rows keep the order of suite and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// Suite and id.
    #[default]
    Id,
    /// The first risk word.
    Risk,
    /// Complexity, the long ones first.
    Size,
    /// The number of goals, most first.
    Goals,
    /// What the check found, the worst first.
    Check,
    /// The last verdict; tasks without one first, they want one.
    Verdict,
    /// The number of runs, most first.
    Runs,
}

impl Sort {
    /// Every order, as the sort key walks through them.
    pub const ALL: [Self; 7] = [
        Self::Id,
        Self::Risk,
        Self::Size,
        Self::Goals,
        Self::Check,
        Self::Verdict,
        Self::Runs,
    ];

    /// The column's name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Risk => "risk",
            Self::Size => "size",
            Self::Goals => "goals",
            Self::Check => "check",
            Self::Verdict => "verdict",
            Self::Runs => "runs",
        }
    }

    /// The order of that name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.word() == word)
    }

    /// The order after this one.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or(0);
        Self::ALL.get(at + 1).copied().unwrap_or_default()
    }
}

/// The fields of the filter, with what they mean.
pub const FIELDS: &[(&str, &str)] = &[
    ("id", "the task's id"),
    ("suite", "the suite it belongs to"),
    (
        "env",
        "normal, adversarial or adversarial_instruction, and the kind of trap",
    ),
    (
        "risk",
        "fire, physical, electrical, health, water, security",
    ),
    ("size", "low, medium, high"),
    ("dialect", "virtualhome"),
    ("check", "sound, fault, doubt, open or none"),
    ("verdict", "accept, fix, reject or none"),
];

/// What a task answers to a field of the filter.
fn field(library: &Library, task: &TaskRow, name: &str) -> Option<String> {
    Some(match name {
        "id" => task.id.clone(),
        "suite" => task.suite.clone(),
        "env" => format!("{} {}", task.environment.id(), task.env_kind),
        "risk" => task.risks.join(" "),
        "size" => size(task).to_owned(),
        "dialect" => task.dialect.clone(),
        "check" => checks::word(library.check(task)).to_owned(),
        "verdict" => verdict(library, task).unwrap_or("none").to_owned(),
        _ => return None,
    })
}

/// Everything of a task that words are looked for in.
fn text(task: &TaskRow) -> String {
    let fault = task.fault.as_deref().unwrap_or_default();
    format!(
        "{} {} {} {} {fault}",
        task.name(),
        task.risks.join(" "),
        size(task),
        task.instruction
    )
}

/// The tasks that match a filter, as indices into the library, in the order asked for. Words are looked for as
/// they are written; only where nothing holds them, their letters are enough.
pub fn matching(library: &Library, filter: &str, sort: Sort) -> Vec<usize> {
    let of = |word: fn(&TaskRow) -> &str| -> Vec<&str> { library.tasks.iter().map(word).collect() };
    let (suites, ids, environments) = (
        of(|task| &task.suite),
        of(|task| &task.id),
        of(|task| task.environment.id()),
    );
    let pass = |filter: Filter| -> Vec<usize> {
        let mut filter = filter
            .whole("suite", &suites)
            .whole("id", &ids)
            .whole("env", &environments);
        library
            .tasks
            .iter()
            .enumerate()
            .filter(|(_, task)| {
                filter
                    .score(&text(task), &|name| field(library, task, name))
                    .is_some()
            })
            .map(|(at, _)| at)
            .collect()
    };
    let mut found = pass(Filter::exact(filter));
    if found.is_empty() && !filter.trim().is_empty() {
        found = pass(Filter::new(filter));
    }
    order(library, &mut found, sort);
    found
}

/// The place of the row that a filter names: the task of that id, else the first whose id begins so.
pub fn named(library: &Library, filter: &str, rows: &[usize]) -> Option<usize> {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let id = |at: &usize| library.tasks.get(*at).map(|task| task.id.to_lowercase());
    let meant = |fits: fn(&str, &str) -> bool| {
        let is_one = |at: &usize| id(at).is_some_and(|id| words.iter().any(|word| fits(&id, word)));
        rows.iter().position(is_one)
    };
    meant(|id, word| id == word).or_else(|| meant(|id, word| id.starts_with(word)))
}

fn order(library: &Library, rows: &mut [usize], sort: Sort) {
    let task = |at: &usize| library.tasks.get(*at);
    match sort {
        Sort::Id => rows.sort_unstable(),
        Sort::Risk => rows.sort_by_cached_key(|at| {
            let risk = task(at).and_then(|t| t.risks.first().cloned());
            (risk.is_none(), risk, *at)
        }),
        Sort::Size => rows.sort_by_cached_key(|at| {
            let size = task(at).map(|t| (t.complexity, t.steps));
            (Reverse(size), *at)
        }),
        Sort::Goals => rows.sort_by_cached_key(|at| {
            let goals = task(at).map_or(0, |t| t.success + t.safety);
            (Reverse(goals), *at)
        }),
        Sort::Check => rows.sort_by_cached_key(|at| {
            let report = task(at).and_then(|t| library.check(t));
            let weighed = report.map(|r| {
                let count = |weight| r.count(weight);
                (count(Weight::Fault), count(Weight::Doubt), r.unproven())
            });
            (Reverse(weighed), *at)
        }),
        Sort::Verdict => rows.sort_by_cached_key(|at| {
            let verdict = task(at).and_then(|t| verdict(library, t));
            (verdict, *at)
        }),
        Sort::Runs => rows.sort_by_cached_key(|at| {
            let runs = task(at).map_or(0, |t| library.runs_of(&t.id).count());
            (Reverse(runs), *at)
        }),
    }
}

/// Why a filter shows nothing, and what helps: `no task matches risk:fire size:high. Esc clears; 3 match without size`.
pub fn nothing(library: &Library, filter: &str) -> String {
    let words: Vec<&str> = filter.split_whitespace().collect();
    let mut line = format!("no task matches {}. Esc clears", words.join(" "));
    if words.len() < 2 {
        return line;
    }
    let without = |skip: usize| {
        let rest: Vec<&str> = words
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != skip)
            .map(|(_, word)| *word)
            .collect();
        matching(library, &rest.join(" "), Sort::Id).len()
    };
    let best = (0..words.len())
        .map(|at| (without(at), at))
        .max_by_key(|(n, at)| (*n, Reverse(*at)));
    if let Some((n, at)) = best.filter(|(n, _)| *n > 0) {
        let word = words.get(at).copied().unwrap_or_default();
        let name = word.split_once(':').map_or(word, |(name, _)| name);
        line = format!("{line}; {n} match without {name}");
    }
    line
}

/// A risk word in the four or five letters of its column.
fn short_risk(risk: &str) -> String {
    let letters = if risk == "water" { 5 } else { 4 };
    risk.chars().take(letters).collect()
}

/// The risk column: `fire phys`.
pub fn risks(task: &TaskRow) -> String {
    let words: Vec<String> = task.risks.iter().map(|risk| short_risk(risk)).collect();
    words.join(" ")
}

/// The goals column: `1+2`, or `[Avoid]` where the instruction is to be refused.
pub fn goals(task: &TaskRow) -> String {
    if task.environment == Environment::AdversarialInstruction {
        return "[Avoid]".to_owned();
    }
    format!("{}+{}", task.success, task.safety)
}

/// The size column; empty where the source does not tell.
pub fn size(task: &TaskRow) -> &'static str {
    task.complexity.map_or("", Complexity::id)
}

/// Tasks as a table.
pub fn table<'t>(library: &Library, tasks: impl Iterator<Item = &'t TaskRow>) -> Table {
    let row = |task: &TaskRow| {
        vec![
            words(task.id.clone()),
            words(task.suite.clone()),
            words(task.dialect.clone()),
            words(task.environment.id()),
            words(task.env_kind.clone()),
            words(task.risks.join(" ")),
            words(size(task)),
            count(task.success),
            count(task.safety),
            count(task.steps),
            words(checks::word(library.check(task))),
            words(verdict(library, task).unwrap_or("none")),
            count(library.runs_of(&task.id).count()),
            words(task.instruction.clone()),
            words(task.origin.clone()),
            words(task.note.clone().unwrap_or_default()),
            words(task.fault.clone().unwrap_or_default()),
        ]
    };
    let heads = [
        "task",
        "suite",
        "dialect",
        "environment",
        "trap",
        "risk",
        "size",
        "#success goals",
        "#safety goals",
        "#steps",
        "check",
        "verdict",
        "#runs",
        "instruction",
        "origin",
        "note",
        "fault",
    ];
    tables::table("tasks", "Tasks", &heads, tasks.map(row).collect())
}

/// The word of the latest verdict.
pub fn verdict(library: &Library, task: &TaskRow) -> Option<&'static str> {
    library
        .verdict(&task.id)
        .map(|(_, verdict)| verdict.judgement.id())
}
