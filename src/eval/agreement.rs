//! How far reviewers agree beyond chance: Cohen's kappa for two, Fleiss' kappa for more.
//!
//! Kappa is `(observed − expected) / (1 − expected)`: the share of agreement that was possible beyond chance and was
//! reached. For two reviewers chance is what their own habits would give (J. Cohen, "A coefficient of agreement for nominal
//! scales", 1960); for more, what the words as they were used by all would give (J. L. Fleiss, "Measuring nominal scale
//! agreement among many raters", 1971). Every number here can be checked by hand from [`Agreement::table`].

use std::collections::BTreeMap;

/// Which coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficient {
    /// Two reviewers: Cohen's.
    Cohen,
    /// More: Fleiss'.
    Fleiss,
}

impl Coefficient {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cohen => "Cohen's κ",
            Self::Fleiss => "Fleiss' κ",
        }
    }
}

/// How far some reviewers agree on the runs that all of them labelled.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The reviewers, in the order of their names.
    pub reviewers: Vec<String>,
    /// The words that were used, ascending.
    pub words: Vec<String>,
    /// Per run that all labelled: its name, and how often each word was used for it.
    pub table: Vec<(String, Vec<u32>)>,
    /// For two reviewers: how often the first said one word and the second another, first by the first's word.
    pub confusion: Option<Vec<Vec<u32>>>,
    /// Runs that only some of them labelled; they do not count.
    pub partly: usize,
    /// Agreement that was observed, 0 to 1: over all pairs of reviewers and runs.
    pub observed: f64,
    /// Agreement by chance, 0 to 1.
    pub expected: f64,
    /// Kappa, at most 1; `None` where it has no value, because nothing was labelled by all or all used one word only.
    pub kappa: Option<f64>,
    /// Which coefficient it is.
    pub coefficient: Coefficient,
}

/// What reviewers said of each run: run, then reviewer, then word. Reviewers who labelled nothing that another labelled
/// count all the same; name only those who are to be compared.
pub type Said = BTreeMap<String, BTreeMap<String, String>>;

/// How far these reviewers agree; `None` for fewer than two.
pub fn agreement(reviewers: &[String], said: &Said) -> Option<Agreement> {
    let mut reviewers = reviewers.to_vec();
    reviewers.sort();
    reviewers.dedup();
    if reviewers.len() < 2 {
        return None;
    }
    let by_all: Vec<(&String, Vec<&String>)> = said
        .iter()
        .filter_map(|(run, by)| {
            let words: Option<Vec<&String>> = reviewers.iter().map(|r| by.get(r)).collect();
            Some((run, words?))
        })
        .collect();
    let partly = said
        .values()
        .filter(|by| {
            let n = reviewers.iter().filter(|r| by.contains_key(*r)).count();
            n > 0 && n < reviewers.len()
        })
        .count();
    let mut words: Vec<String> = by_all
        .iter()
        .flat_map(|(_, w)| w.iter().map(|w| (*w).clone()))
        .collect();
    words.sort();
    words.dedup();
    let number = |word: &String| words.iter().position(|w| w == word).unwrap_or(0);
    let table: Vec<(String, Vec<u32>)> = by_all
        .iter()
        .map(|(run, said)| {
            let mut counts = vec![0_u32; words.len()];
            for word in said {
                if let Some(count) = counts.get_mut(number(word)) {
                    *count += 1;
                }
            }
            ((*run).clone(), counts)
        })
        .collect();
    let observed = observed(&table, reviewers.len());
    let two = reviewers.len() == 2;
    let confusion = two.then(|| {
        let mut confusion = vec![vec![0_u32; words.len()]; words.len()];
        for (_, said) in &by_all {
            if let [first, second] = said.as_slice()
                && let Some(cell) = confusion
                    .get_mut(number(first))
                    .and_then(|row| row.get_mut(number(second)))
            {
                *cell += 1;
            }
        }
        confusion
    });
    let expected = match &confusion {
        Some(confusion) => by_habit(confusion),
        None => by_use(&table),
    };
    let kappa =
        (!table.is_empty() && expected < 1.0).then(|| (observed - expected) / (1.0 - expected));
    Some(Agreement {
        reviewers,
        words,
        table,
        confusion,
        partly,
        observed,
        expected,
        kappa,
        coefficient: if two {
            Coefficient::Cohen
        } else {
            Coefficient::Fleiss
        },
    })
}

/// The share of pairs of reviewers who said the same, over all runs.
fn observed(table: &[(String, Vec<u32>)], reviewers: usize) -> f64 {
    let pairs = |n: u32| f64::from(n) * (f64::from(n) - 1.0);
    let all: f64 = table
        .iter()
        .flat_map(|(_, counts)| counts)
        .map(|n| pairs(*n))
        .sum();
    let possible = table.len() as f64 * pairs(reviewers as u32);
    if possible > 0.0 { all / possible } else { 0.0 }
}

/// Chance from how often each of two used each word.
fn by_habit(confusion: &[Vec<u32>]) -> f64 {
    let total: u32 = confusion.iter().flatten().sum();
    let chance = |k: usize| {
        let row: u32 = confusion.get(k).into_iter().flatten().sum();
        let column: u32 = confusion.iter().filter_map(|row| row.get(k)).sum();
        f64::from(row) * f64::from(column)
    };
    let all: f64 = (0..confusion.len()).map(chance).sum();
    if total > 0 {
        all / f64::from(total).powi(2)
    } else {
        0.0
    }
}

/// Chance from how often each word was used by all.
fn by_use(table: &[(String, Vec<u32>)]) -> f64 {
    let total: u32 = table.iter().flat_map(|(_, counts)| counts).sum();
    let words = table.first().map_or(0, |(_, counts)| counts.len());
    let share = |k: usize| {
        let used: u32 = table.iter().filter_map(|(_, counts)| counts.get(k)).sum();
        (f64::from(used) / f64::from(total.max(1))).powi(2)
    };
    (0..words).map(share).sum()
}

impl Agreement {
    /// Runs that all of them labelled.
    pub const fn runs(&self) -> usize {
        self.table.len()
    }

    /// Runs that all labelled and not all in the same way.
    pub fn disputed(&self) -> Vec<&str> {
        let all = self.reviewers.len() as u32;
        let split = |counts: &[u32]| counts.iter().all(|n| *n < all);
        let runs = self.table.iter().filter(|(_, counts)| split(counts));
        runs.map(|(run, _)| run.as_str()).collect()
    }

    /// In one line: `Cohen's κ .81 (12 runs, observed .92, by chance .57)`.
    pub fn words_line(&self) -> String {
        let name = self.coefficient.name();
        let runs = self.runs();
        let plural = if runs == 1 { "run" } else { "runs" };
        match self.kappa {
            Some(kappa) => format!(
                "{name} {kappa:.2} ({runs} {plural}, observed {:.2}, by chance {:.2})",
                self.observed, self.expected
            ),
            None if runs == 0 => format!("{name} has no value: no run was labelled by all of them"),
            None => format!("{name} has no value: all used one word for all {runs} {plural}"),
        }
    }

    /// How the number comes about, a sentence a line.
    pub fn explained(&self) -> Vec<String> {
        let mut lines = vec![self.words_line()];
        if self.runs() == 0 {
            return lines;
        }
        lines.push(format!(
            "observed: of all pairs of reviewers on the same run, {:.1} % said the same",
            100.0 * self.observed
        ));
        lines.push(match self.coefficient {
            Coefficient::Cohen => format!(
                "by chance: two who used each word as often as these two would agree on {:.1} %",
                100.0 * self.expected
            ),
            Coefficient::Fleiss => format!(
                "by chance: reviewers who drew words as often as all these used them would agree on {:.1} %",
                100.0 * self.expected
            ),
        });
        if let Some(kappa) = self.kappa {
            lines.push(format!(
                "κ = (observed − chance) / (1 − chance) = ({:.4} − {:.4}) / {:.4} = {kappa:.4}",
                self.observed,
                self.expected,
                1.0 - self.expected
            ));
        }
        if self.partly > 0 {
            lines.push(format!(
                "{} runs labelled by some of them only do not count",
                self.partly
            ));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words per run, one letter a reviewer: `"ab"` is A saying a and B saying b.
    fn said(rows: &[(&str, usize)]) -> (Vec<String>, Said) {
        let mut said = Said::new();
        let mut n = 0;
        for (letters, times) in rows {
            for _ in 0..*times {
                let by = letters.chars().enumerate().filter(|(_, w)| *w != '-');
                let by = by.map(|(i, w)| (format!("reviewer {i}"), w.to_string()));
                said.insert(format!("run {n:03}"), by.collect());
                n += 1;
            }
        }
        let count = rows.first().map_or(0, |r| r.0.len());
        ((0..count).map(|i| format!("reviewer {i}")).collect(), said)
    }

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }

    #[test]
    fn cohen_equals_the_table_worked_by_hand() {
        // 50 runs: both a 20, A a and B b 5, A b and B a 10, both b 15. Observed (20+15)/50 = 0.7; A says a in 25, B in 30:
        // by chance (25·30 + 25·20)/2500 = 0.5; kappa (0.7−0.5)/0.5 = 0.4.
        let (who, said) = said(&[("aa", 20), ("ab", 5), ("ba", 10), ("bb", 15)]);
        let found = agreement(&who, &said).unwrap();
        assert_eq!(found.confusion, Some(vec![vec![20, 5], vec![10, 15]]));
        near(found.observed, 0.7);
        near(found.expected, 0.5);
        near(found.kappa.unwrap(), 0.4);
        assert_eq!(found.disputed().len(), 15);
        assert_eq!(
            found.words_line(),
            "Cohen's κ 0.40 (50 runs, observed 0.70, by chance 0.50)"
        );
    }

    #[test]
    fn fleiss_equals_the_table_worked_by_hand() {
        // Three reviewers, four runs: aaa, aab, abb, bbb. Pairs that agree: 3, 1, 1, 3 of 3 each: 8/12. Words: a 6 of 12, b 6
        // of 12: by chance 0.5. Kappa (2/3 − 1/2)/(1/2) = 1/3.
        let (who, said) = said(&[("aaa", 1), ("aab", 1), ("abb", 1), ("bbb", 1)]);
        let found = agreement(&who, &said).unwrap();
        assert_eq!(found.coefficient, Coefficient::Fleiss);
        near(found.observed, 2.0 / 3.0);
        near(found.expected, 0.5);
        near(found.kappa.unwrap(), 1.0 / 3.0);
    }

    #[test]
    fn kappa_has_no_value_where_chance_explains_all() {
        let (who, said) = said(&[("aa", 3)]);
        let found = agreement(&who, &said).unwrap();
        assert_eq!((found.observed, found.kappa), (1.0, None));
        assert!(found.words_line().contains("all used one word"));
    }

    #[test]
    fn runs_labelled_by_some_do_not_count() {
        let (who, said) = said(&[("aa", 1), ("b-", 2), ("bb", 1)]);
        let found = agreement(&who, &said).unwrap();
        assert_eq!((found.runs(), found.partly), (2, 2));
        near(found.kappa.unwrap(), 1.0);
        assert!(agreement(&who[..1], &said).is_none());
    }
}
