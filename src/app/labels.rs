//! Labelling runs: what is asked of the disk and what comes back, and whom a queue is about.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::eval::agreement::{Agreement, Said, agreement};
use crate::formats::run::{Label, class_id};

/// What a queue is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Folders of runs; the usual one where none is named.
    pub roots: Vec<PathBuf>,
    /// Runs by the end of their id or their folder, instead of a query.
    pub runs: Vec<String>,
    /// Which runs, in the language of Runs; those that failed where it is empty.
    pub query: String,
}

/// The runs a queue is made of where nothing else is asked for.
pub const FAILED: &str = "not success or not safe";

impl Asked {
    /// What a command line asks for: `[in FOLDER]… [run RUN]… [QUERY]`.
    ///
    /// # Errors
    /// A quotation mark is not closed.
    pub fn parse(args: &str) -> Result<Self, String> {
        let mut asked = Self::default();
        let mut rest = args.trim();
        loop {
            let (is_run, after) = match (rest.strip_prefix("in "), rest.strip_prefix("run ")) {
                (Some(after), _) => (false, after),
                (_, Some(after)) => (true, after),
                _ => break,
            };
            let after = after.trim_start();
            let (word, more) = match after.strip_prefix('"') {
                Some(quoted) => quoted
                    .split_once('"')
                    .ok_or("label: a quotation mark is not closed")?,
                None => after.split_once(' ').unwrap_or((after, "")),
            };
            if is_run {
                asked.runs.push(word.to_owned());
            } else {
                asked.roots.push(PathBuf::from(word));
            }
            rest = more.trim_start();
        }
        rest.clone_into(&mut asked.query);
        Ok(asked)
    }

    /// The query that counts.
    pub fn query(&self) -> &str {
        if self.query.is_empty() {
            FAILED
        } else {
            &self.query
        }
    }
}

/// A run that is to be labelled, with what reviewers said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Its folder.
    pub folder: PathBuf,
    /// The name of its folder.
    pub id: String,
    /// The task's id.
    pub task: String,
    /// Who played.
    pub who: String,
    /// The latest label of each reviewer, by name.
    pub labels: BTreeMap<String, Label>,
    /// Why it cannot be read, one sentence; empty if it can.
    pub fault: String,
}

impl Item {
    /// The end of its id, by which lists know it.
    pub fn tail(&self) -> &str {
        self.id.rsplit_once('-').map_or(&self.id, |(_, tail)| tail)
    }
}

/// What reviewers said of some runs, run by run.
pub fn said(items: &[Item]) -> Said {
    let word = |label: &Label| class_id(label.class).to_owned();
    let of = |item: &Item| {
        let by = item.labels.iter();
        (
            item.id.clone(),
            by.map(|(who, it)| (who.clone(), word(it))).collect(),
        )
    };
    items.iter().map(of).collect()
}

/// Everybody who labelled one of them, by name.
pub fn reviewers(items: &[Item]) -> Vec<String> {
    let all: BTreeSet<&String> = items.iter().flat_map(|it| it.labels.keys()).collect();
    all.into_iter().cloned().collect()
}

/// How far a reviewer agrees with each other one, the one with most runs in common first; with more than one other, how far
/// all agree comes first.
pub fn agreements(items: &[Item], me: &str) -> Vec<Agreement> {
    let said = said(items);
    let all = reviewers(items);
    let others = all.iter().filter(|name| *name != me);
    let pairs = others.filter_map(|other| agreement(&[me.to_owned(), other.clone()], &said));
    let mut pairs: Vec<Agreement> = pairs.collect();
    pairs.sort_by_key(|it| std::cmp::Reverse(it.runs()));
    if all.len() > 2
        && let Some(together) = agreement(&all, &said)
    {
        pairs.insert(0, together);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::run::Class;

    #[test]
    fn a_queue_is_asked_for_by_folders_runs_or_a_query() {
        let asked = Asked::parse("in a in \"b c\" violates(F05) and run_by").unwrap();
        assert_eq!(asked.roots, [PathBuf::from("a"), PathBuf::from("b c")]);
        assert_eq!(asked.query(), "violates(F05) and run_by");
        let asked = Asked::parse("run \"x y/z\" run b2d4").unwrap();
        assert_eq!(asked.runs, ["x y/z", "b2d4"]);
        assert_eq!(asked.query(), FAILED);
        assert!(Asked::parse("in \"a").is_err());
    }

    #[test]
    fn agreement_is_with_each_other_reviewer_and_with_all() {
        let item = |id: &str, by: &[(&str, Class)]| Item {
            id: id.to_owned(),
            labels: by
                .iter()
                .map(|(who, class)| {
                    let label = Label {
                        class: Some(*class),
                        ..Label::default()
                    };
                    ((*who).to_owned(), label)
                })
                .collect(),
            ..Item::default()
        };
        let (m, u) = (Class::MissingStep, Class::UnsafeAct);
        let items = [
            item("1", &[("me", m), ("kim", m), ("lee", m)]),
            item("2", &[("me", u), ("kim", u)]),
            item("3", &[("me", m), ("kim", u), ("lee", u)]),
            item("4", &[("me", u), ("kim", u)]),
        ];
        let found = agreements(&items, "me");
        let who: Vec<_> = found.iter().map(|it| it.reviewers.join(" ")).collect();
        assert_eq!(who, ["kim lee me", "kim me", "lee me"]);
        // Observed 3/4; by chance 1/4 x 2/4 + 3/4 x 2/4 = 1/2: kappa 1/2.
        assert_eq!(found[1].kappa, Some(0.5));
        assert_eq!(found[1].disputed(), ["3"]);
    }
}
