//! Typed plans of a file that are not those of the benchmark: every figure computed from the plan, who is on the front of
//! (p, D) of its side, and where the file says something else.

use crate::app::overlays::computed::Row;
use crate::app::role::Role;
use crate::arena::advplan::file::weigh::{NAMES, Weighed, differences, fronts};
use crate::arena::advplan::file::{Entry, TypedArena};
use crate::arena::advplan::model::Force;
use crate::arena::frontier::pareto::Standing;
use crate::base::figures::figure;

/// The figures in a row: the head, and the name of the figure.
pub const FIGURES: [(&str, &str); 6] = [
    ("p", "payoff"),
    ("D", "alignment"),
    ("d", "proxy"),
    ("O", "path_optionality"),
    ("P_V", "vertex_parsimony"),
    ("W", "worldline_completion"),
];

/// The plans of a file, weighed.
#[derive(Clone, Debug, PartialEq)]
pub struct Plans {
    /// As the file has them.
    pub arena: TypedArena,
    /// The figures of each.
    pub weighed: Vec<Weighed>,
    /// How each stands among the plans of its side.
    pub standing: Vec<Standing>,
    /// BLUE's, by places in the file.
    pub blue: Vec<usize>,
    /// RED's and those of neither side.
    pub red: Vec<usize>,
    /// How many figures of the file do not follow from its plans.
    pub differ: usize,
}

impl Plans {
    /// Weighs the plans of a file.
    pub fn of(arena: TypedArena) -> Self {
        let weighed: Vec<Weighed> = arena.plans.iter().map(|e| Weighed::of(&e.plan)).collect();
        let standing = fronts(&arena, &weighed);
        let is_blue = |at: &usize| {
            let entry = arena.plans.get(*at);
            entry.is_some_and(|e| e.plan.force == Force::Blue)
        };
        let (blue, red) = (0..arena.plans.len()).partition(is_blue);
        let told = arena.plans.iter().zip(&weighed);
        let differ = told.map(|(e, w)| differences(e, w).len()).sum();
        Self {
            arena,
            weighed,
            standing,
            blue,
            red,
            differ,
        }
    }

    /// A plan with its figures.
    pub fn get(&self, at: usize) -> Option<(&Entry, &Weighed)> {
        Some((self.arena.plans.get(at)?, self.weighed.get(at)?))
    }

    /// The sign of a plan's standing.
    pub fn sign(&self, at: usize) -> &'static str {
        match self.standing.get(at) {
            Some(Standing::Front) => "■",
            Some(Standing::Dominated(_)) => "□",
            _ => "?",
        }
    }

    /// How many figures the file says otherwise of a plan.
    pub fn differs(&self, at: usize) -> usize {
        self.get(at).map_or(0, |(e, w)| differences(e, w).len())
    }

    /// A plan in a line: `■ B1 blue  p .654  D .700 …`.
    pub fn words(&self, at: usize) -> String {
        let Some((entry, w)) = self.get(at) else {
            return String::new();
        };
        let all = FIGURES.iter();
        let all = all.map(|(head, name)| format!("{head} {}", figure(w.get(name), 3)));
        let differs = match self.differs(at) {
            0 => String::new(),
            n => format!("  ≠ {n}"),
        };
        format!(
            "{}{} {}  {}{differs}",
            self.sign(at),
            entry.id,
            entry.plan.force.name(),
            all.collect::<Vec<_>>().join("  ")
        )
    }

    /// What the file is about, and what came of computing it anew.
    pub fn about(&self) -> Vec<Row> {
        let words = if self.arena.scenario.is_empty() {
            "the file does not say"
        } else {
            &self.arena.scenario
        };
        let told = match self.differ {
            0 => Row::new("file", "all it says follows from the plans").role(Role::Good),
            n => Row::new(
                "file",
                format!("{n} figures do not follow from the plans: marked ≠"),
            )
            .role(Role::Bad),
        };
        let mut rows = vec![Row::new("about", words).role(Role::Title), told];
        rows.push(Row::new("assets", self.arena.assets.len().to_string()));
        rows.extend(self.arena.assets.iter().map(|a| Row::new("", &*a.asset_id)));
        rows
    }

    /// Every figure of a plan, with what the file says of it.
    pub fn figures(&self, at: usize) -> Vec<Row> {
        let Some((entry, w)) = self.get(at) else {
            return Vec::new();
        };
        let different = differences(entry, w);
        let mut rows = vec![match self.standing.get(at) {
            Some(Standing::Front) => Row::new("■", "on the front of p and D of its side"),
            Some(Standing::Dominated(by)) => {
                let by = self.arena.plans.get(*by).map_or("", |e| e.id.as_str());
                Row::new("□", format!("{by} is better in p and D"))
            }
            _ => Row::new("?", "not to be compared: p or D is not finite"),
        }];
        rows.extend(NAMES.iter().map(|name| {
            let said = entry.said.iter().find(|(n, _)| n == name);
            let differs = different.iter().find(|d| d.name == *name);
            let (words, role) = match (said, differs) {
                (_, Some(d)) => (format!("≠ the file says {}", d.said), Role::Bad),
                (Some(_), None) => ("as the file says".to_owned(), Role::Text),
                (None, None) => ("the file says nothing of it".to_owned(), Role::Text),
            };
            let label = name.replace('_', " ");
            Row::new(label, words)
                .note(figure(w.get(name), 4))
                .role(role)
        }));
        let made = different.iter().filter(|d| !NAMES.contains(&d.name));
        rows.extend(made.map(|d| Row::new("≠", d.words()).role(Role::Bad)));
        rows
    }
}
