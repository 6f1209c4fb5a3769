//! Plans of the benchmark made again by their ids, beside those of a file.

use crate::arena::advplan::file::weigh::{Weighed, differences, same};
use crate::arena::advplan::file::{Entry, TypedArena};
use crate::arena::advplan::study::{Played, Study};
use crate::arena::advplan::traces::{plans, replay};

/// The most scenarios of one file that are kept as they were played.
pub const MOST_SCENARIOS: usize = 5_000;

/// How a plan of the benchmark compares with the one that its id makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// It is the same.
    Same,
    /// It is another, in these fields.
    Other(Vec<&'static str>),
    /// The benchmark makes no plan of that id.
    Unknown,
}

impl Again {
    /// What is the matter, in words; `None` where nothing is.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Same => None,
            Self::Other(fields) => Some(format!(
                "another plan than its id makes: {} differ",
                fields.join(", ")
            )),
            Self::Unknown => Some("the benchmark makes no plan of this id; a file of other plans begins with version and kind".to_owned()),
        }
    }
}

/// Makes the plans of a file again, every scenario once, and compares. In the order of the file.
pub fn again(arena: &TypedArena) -> Vec<Again> {
    compare(arena, &mut |_, _| ())
}

/// Hands out every scenario with its first place in the file.
fn compare(arena: &TypedArena, take: &mut dyn FnMut(usize, Played)) -> Vec<Again> {
    let mut order: Vec<usize> = (0..arena.plans.len()).collect();
    let of = |at: &usize| arena.plans.get(*at).map_or("", Entry::scenario);
    order.sort_by(|a, b| of(a).cmp(of(b)));
    let mut all = vec![Again::Unknown; arena.plans.len()];
    for own in order.chunk_by(|a, b| of(a) == of(b)) {
        let Some(first) = own.first() else { continue };
        let scenario = of(first);
        let played = replay(scenario).filter(|p| p.scenario.profile.scenario_id == scenario);
        let Some(played) = played else { continue };
        for at in own {
            if let (Some(it), Some(entry)) = (all.get_mut(*at), arena.plans.get(*at)) {
                *it = compared(entry, &played);
            }
        }
        take(*first, played);
    }
    all
}

fn compared(entry: &Entry, played: &Played) -> Again {
    let all = plans(played);
    let Some((_, ours)) = all.iter().find(|(id, _)| *id == entry.id) else {
        return Again::Unknown;
    };
    let theirs = &entry.plan;
    let fields = [
        ("force", theirs.force == ours.force),
        ("actions", theirs.actions == ours.actions),
        ("chain", theirs.chain == ours.chain),
        ("objective", theirs.objective == ours.objective),
        (
            "quality_score",
            same(theirs.quality_score, ours.quality_score),
        ),
        ("domain", theirs.domain == ours.domain),
        ("components", theirs.components == ours.components),
    ];
    let other: Vec<&str> = fields.iter().filter(|f| !f.1).map(|f| f.0).collect();
    if other.is_empty() {
        Again::Same
    } else {
        Again::Other(other)
    }
}

/// The scenarios of a file, played, and how its plans compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The scenarios in the order in which the file names them; without side studies.
    pub study: Study,
    /// Per scenario how many plans of the file are the same and say nothing wrong, and how many there are.
    pub equal: Vec<(String, usize, usize)>,
    /// What differs: the id of a plan, and the words.
    pub differences: Vec<(String, String)>,
}

/// Plays the scenarios of a file of the benchmark again.
///
/// # Errors
/// A sentence: the file has plans of its own, or names no scenario of the benchmark, or too many.
pub fn played(arena: &TypedArena) -> Result<Replayed, String> {
    if arena.headed {
        return Err(
            "the plans of this file are its own, the arena shows those of the benchmark; vesta arena show lists them"
                .to_owned(),
        );
    }
    let mut found: Vec<(usize, Played)> = Vec::new();
    let mut many = false;
    let all = compare(arena, &mut |at, played| {
        if found.len() < MOST_SCENARIOS {
            found.push((at, played));
        } else {
            many = true;
        }
    });
    if many {
        return Err(format!(
            "the file names more than {MOST_SCENARIOS} scenarios; vesta arena verify computes them all anew"
        ));
    }
    if found.is_empty() {
        return Err("no id in this file begins like one of the benchmark, urban-100 or maritime-101; vesta arena show lists its plans".to_owned());
    }
    found.sort_by_key(|(at, _)| *at);
    let played: Vec<Played> = found.into_iter().map(|(_, p)| p).collect();
    let mut differences_of: Vec<(String, String)> = Vec::new();
    let mut count: std::collections::BTreeMap<&str, (usize, usize)> =
        std::collections::BTreeMap::new();
    for (entry, again) in arena.plans.iter().zip(&all) {
        let said = differences(entry, &Weighed::of(&entry.plan));
        let told = said.iter().map(super::weigh::Differs::words);
        let told: Vec<String> = told.chain(again.words()).collect();
        let (equal, of) = count.entry(entry.scenario()).or_default();
        *of += 1;
        if told.is_empty() {
            *equal += 1;
        }
        let id = &entry.id;
        differences_of.extend(told.into_iter().map(|words| (id.clone(), words)));
    }
    let equal = played.iter().map(|p| {
        let id = &p.scenario.profile.scenario_id;
        let (equal, of) = count.get(id.as_str()).copied().unwrap_or_default();
        (id.clone(), equal, of)
    });
    Ok(Replayed {
        equal: equal.collect(),
        differences: differences_of,
        study: Study {
            n_seeds: 0,
            played,
            framed: Vec::new(),
        },
    })
}
