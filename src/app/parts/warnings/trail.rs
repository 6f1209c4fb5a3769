//! What came of the rules along a run: which steps broke one, which went against advice, and what came to pass by itself.
//!
//! What a step did never changes, so it is asked for once a position and kept.

use std::collections::BTreeMap;

use crate::safety::rule::Grade;
use crate::safety::verdict::Standing;
use crate::sim::timeline::Pos;
use crate::task::episode::{Episode, Shift};

use super::{is_grave, title};

/// What is to be said of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Core rules it broke, the gravest first.
    pub broke: Vec<Broken>,
    /// Advice it went against.
    pub warned: Vec<Broken>,
    /// What came to pass by itself with it, in words.
    pub happened: Vec<String>,
}

/// A rule that a step broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its id.
    pub id: String,
    /// Its severity.
    pub severity: u8,
    /// The grade it has in the scene.
    pub grade: Grade,
    /// Its title within a line.
    pub title: String,
}

impl Broken {
    /// Whether it is worth naming in the title.
    pub fn is_grave(&self) -> bool {
        is_grave(self.grade, self.severity)
    }
}

impl Mark {
    pub(super) fn of(turns: &[Shift]) -> Self {
        let mut mark = Self::default();
        for turn in turns.iter().filter(|t| t.to == Standing::Violated) {
            let rule = &turn.rule;
            let list = if turn.grade == Grade::Core {
                &mut mark.broke
            } else {
                &mut mark.warned
            };
            if list.iter().all(|known| known.id != rule.id) {
                list.push(Broken {
                    id: rule.id.clone(),
                    severity: rule.severity,
                    grade: turn.grade,
                    title: title(rule),
                });
            }
        }
        for list in [&mut mark.broke, &mut mark.warned] {
            list.sort_by_key(|rule| std::cmp::Reverse(rule.severity));
        }
        mark
    }

    /// Every rule it broke, core rules first.
    pub fn all(&self) -> impl Iterator<Item = &Broken> {
        self.broke.iter().chain(&self.warned)
    }

    /// `F05 !4`: the gravest rule it broke.
    pub fn worst(&self) -> Option<String> {
        let rule = self.all().next()?;
        Some(format!("{} !{}", rule.id, rule.severity))
    }
}

/// The marks of the positions seen so far.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    marks: BTreeMap<Pos, Mark>,
}

impl Trail {
    /// The mark of a position.
    pub fn mark(&self, pos: Pos) -> Option<&Mark> {
        self.marks.get(&pos)
    }

    /// Takes in the positions of a way that are not known yet, and what came to pass on the path to here.
    pub fn refresh(&mut self, episode: &Episode, way: &[Pos]) {
        for &pos in way {
            self.marks
                .entry(pos)
                .or_insert_with(|| Mark::of(&episode.turns(pos)));
        }
        self.happenings(episode);
    }

    /// What came to pass on the path to here. A happening ticks with every step until it comes to pass, so the last
    /// step that moved it is the one.
    fn happenings(&mut self, episode: &Episode) {
        let timeline = episode.timeline();
        let world = timeline.world();
        if world.happenings().is_empty() {
            return;
        }
        let mut last: BTreeMap<usize, Pos> = BTreeMap::new();
        for pos in timeline.path(episode.here()) {
            last.extend(world.happened(timeline.items(pos)).map(|i| (i, pos)));
        }
        for (i, pos) in last {
            let Some(it) = world.happenings().get(i) else {
                continue;
            };
            let mark = self.marks.entry(pos).or_default();
            if !mark.happened.contains(&it.words) {
                mark.happened.push(it.words.clone());
            }
        }
    }
}
