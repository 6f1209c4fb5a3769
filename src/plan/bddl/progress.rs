//! How far a quantified formula has come: "2 of 4 plates", and which are still open.

use crate::plan::bddl::bind::{Bound, Each, Ground};
use crate::plan::bddl::judge::{Truth, matched, unmatched};
use crate::plan::fact::Fact;
use crate::sim::graph::{Change, Graph};
use crate::sim::scene::Scene;
use crate::sim::vocab::Ix;

/// How far a quantified formula has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Of how many it holds.
    pub done: usize,
    /// Of how many it must.
    pub of: usize,
    /// What is counted, in words; for pairs the type of the first of each.
    pub what: String,
    /// The objects of which it does not hold, in the scene's order.
    pub open: Vec<Ix>,
}

impl Progress {
    /// `2 of 4 plates`.
    pub fn text(&self) -> String {
        let what = if self.of == 1 {
            self.what.clone()
        } else {
            plural(&self.what)
        };
        format!("{} of {} {what}", self.done, self.of)
    }

    /// The names of what is open, as sentences use them.
    pub fn open_names<'s>(&'s self, scene: &'s Scene) -> impl Iterator<Item = &'s str> {
        self.open.iter().map(|&ix| scene.short_name(ix))
    }
}

/// More than one of what a type is called: plates, dishes, tomatoes, berries, knives.
fn plural(word: &str) -> String {
    const SOUNDS: [&str; 6] = ["s", "x", "z", "ch", "sh", "o"];
    let is_vowel = |c: char| "aeiou".contains(c);
    let before = |ending: &str| {
        word.strip_suffix(ending)
            .and_then(|stem| stem.chars().last())
    };
    if let Some(stem) = word.strip_suffix("fe") {
        return format!("{stem}ves");
    }
    if before("y").is_some_and(|c| !is_vowel(c)) {
        let stem = word.strip_suffix('y').unwrap_or(word);
        return format!("{stem}ies");
    }
    if SOUNDS.iter().any(|ending| word.ends_with(ending)) && !before("o").is_some_and(is_vowel) {
        return format!("{word}es");
    }
    format!("{word}s")
}

impl Bound {
    /// How far the outermost quantifier has come. `None` where the formula does not begin with one, or begins with a choice
    /// (`exists`) of objects that have no progress of their own.
    pub fn progress(&self, graph: &Graph) -> Option<Progress> {
        let truth = self.truth(graph);
        self.of(&self.ground, &truth)
    }

    fn of(&self, ground: &Ground, truth: &Truth) -> Option<Progress> {
        let counted = |each: &Each, of: usize| {
            let open = each
                .of
                .iter()
                .filter(|(_, one)| !self.part_holds(one, truth));
            let open: Vec<Ix> = open.map(|&(ix, _)| ix).collect();
            Progress {
                done: each.of.len() - open.len(),
                of,
                what: each.what.clone().into(),
                open,
            }
        };
        match ground {
            Ground::All(each) => Some(counted(each, each.of.len())),
            Ground::Count(n, each) => Some(counted(each, *n)),
            Ground::Pairs(pairs) => {
                let found = matched(pairs, truth);
                Some(Progress {
                    done: found.len().min(pairs.wanted),
                    of: pairs.wanted,
                    what: format!("{} pair", pairs.what),
                    open: unmatched(pairs, &found),
                })
            }
            Ground::Any(each) => {
                let mut best: Option<Progress> = None;
                for (_, one) in &each.of {
                    let next = self.of(one, truth)?;
                    if best.as_ref().is_none_or(|b| next.done > b.done) {
                        best = Some(next);
                    }
                }
                best
            }
            _ => None,
        }
    }

    /// Whether a change may make it true or false. Where things are seen through others, any change may.
    pub fn is_touched(&self, change: Change) -> bool {
        self.through || self.atoms.iter().any(|f| f.is_touched(change))
    }

    /// The facts still missing on the shortest way to make it hold by the published expansion; empty where it holds, or where
    /// no way is known.
    pub fn missing(&self, graph: &Graph) -> Vec<Fact> {
        let truth = self.truth(graph);
        let options = self.options.iter().flatten();
        let missing = options.map(|option| {
            let open = option.iter().filter(|l| truth.atom(l.atom) == l.negated);
            open.copied().collect::<Vec<_>>()
        });
        let shortest = missing.min_by_key(Vec::len).unwrap_or_default();
        shortest.into_iter().map(|l| self.fact(l)).collect()
    }
}
