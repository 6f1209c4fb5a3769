//! What an action would do to the rules, in words: before it is done.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::app::parts::action;
use crate::plan::options::Candidate;
use crate::safety::monitor::About;
use crate::safety::rule::Grade;
use crate::safety::verdict::{Instance, Standing};
use crate::sim::world::Action;
use crate::task::episode::{Episode, Part, Shift, Warning};

use super::{is_grave, sign, title, word};

/// What an action would do to one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// For which nodes, of the first binding.
    pub instance: Instance,
    /// The rule's id.
    pub id: String,
    /// Its severity.
    pub severity: u8,
    /// Its grade.
    pub grade: Grade,
    /// Its title within a line.
    pub title: String,
    /// How it stands.
    pub from: Standing,
    /// How it would stand.
    pub to: Standing,
    /// For how many bindings.
    pub times: usize,
    /// The facts behind a breach, with since when.
    pub facts: Vec<String>,
    /// What would keep it from being broken, or mend it.
    pub cures: Vec<String>,
}

impl Told {
    /// Whether the action would break the rule.
    pub fn is_breach(&self) -> bool {
        self.to == Standing::Violated && self.from != Standing::Violated
    }

    /// Whether that would be grave.
    pub fn is_grave(&self) -> bool {
        self.is_breach() && is_grave(self.grade, self.severity)
    }

    /// `F05 ◇ → ✗`.
    pub fn short(&self) -> String {
        let times = match self.times {
            0 | 1 => String::new(),
            n => format!(" ×{n}"),
        };
        format!("{} {} → {}{times}", self.id, sign(self.from), sign(self.to))
    }

    /// `no metal in a running microwave: fork INSIDE microwave since s0`.
    pub fn reason(&self) -> String {
        let mut text = self.title.clone();
        if !self.facts.is_empty() {
            let _ = write!(text, ": {}", self.facts.join(", "));
        }
        text
    }

    /// `cure: grab fork or close fridge`; empty if none is known.
    pub fn cure(&self) -> String {
        if self.cures.is_empty() {
            String::new()
        } else {
            format!("cure: {}", self.cures.join(" or "))
        }
    }

    /// `F05 armed → violated, critical: no metal …; cure: grab fork`, without signs.
    pub fn plain(&self) -> String {
        let mut text = format!("{} {} → {}", self.id, word(self.from), word(self.to));
        if self.is_breach() {
            let weight = super::severity(self.severity);
            let _ = write!(text, ", {weight} {}: {}", self.grade.id(), self.reason());
            let cure = self.cure();
            if !cure.is_empty() {
                let _ = write!(text, "; {cure}");
            }
        }
        text
    }
}

/// What is known where the episode stands.
#[derive(Clone, Copy, Debug)]
pub struct Beside<'a> {
    /// The warnings, also of what is armed.
    pub all: &'a [Warning],
    /// What can be done; cures are looked for among them.
    pub near: &'a [Candidate],
    /// Rules that are muted, by id.
    pub muted: &'a BTreeSet<String>,
}

/// Cures named in a preview; the explanation has all.
const CURES: usize = 2;

/// Facts named in a preview.
const FACTS: usize = 2;

/// What an action would do to the rules that are not muted: breaches first, the gravest of them first of all.
pub fn told(episode: &mut Episode, it: Action, beside: Beside<'_>) -> Vec<Told> {
    let mut shifts = episode.shifts(it);
    for shift in &mut shifts {
        let known = beside.all.iter().find(|w| w.instance == shift.instance);
        if let (Standing::Idle, Some(warning)) = (shift.from, known) {
            shift.from = warning.standing;
        }
    }
    shifts.retain(|s| s.from != s.to && !beside.muted.contains(&s.rule.id));
    let mut told: Vec<Told> = Vec::new();
    for shift in &shifts {
        let same =
            |t: &&mut Told| t.id == shift.rule.id && t.from == shift.from && (t.to == shift.to);
        if let Some(known) = told.iter_mut().find(same) {
            known.times += 1;
            continue;
        }
        let of = shift.rule.duplicate_of.as_ref();
        if of.is_some_and(|of| told.iter().any(|t| t.id == *of && t.to == shift.to)) {
            continue;
        }
        told.push(one(episode, shift, beside.near));
    }
    told.sort_by_key(|t| {
        let weight = std::cmp::Reverse(t.severity);
        (!t.is_breach(), t.grade, weight)
    });
    told
}

fn one(episode: &mut Episode, shift: &Shift, near: &[Candidate]) -> Told {
    let mut told = Told {
        instance: shift.instance,
        id: shift.rule.id.clone(),
        severity: shift.rule.severity,
        grade: shift.grade,
        title: title(&shift.rule),
        from: shift.from,
        to: shift.to,
        times: 1,
        facts: Vec::new(),
        cures: Vec::new(),
    };
    if told.is_breach() {
        told.facts = facts(&episode.parts(&shift.instance));
        let cures = episode.cures_of(&shift.instance, near);
        let world = episode.timeline().world();
        let cures = cures.into_iter().take(CURES);
        told.cures = cures.map(|cure| action(world, cure)).collect();
    }
    told
}

/// The facts that make an instance dangerous already: of the way that is nearest to it, those that hold.
pub(super) fn facts(ways: &[Vec<Part>]) -> Vec<String> {
    let missing = |way: &&Vec<Part>| way.iter().filter(|part| !part.value).count();
    let nearest = ways.iter().min_by_key(missing);
    let holds = |part: &&Part| part.value && part.about == About::Facts && !part.words.is_empty();
    let mut facts: Vec<String> = Vec::new();
    for part in nearest.into_iter().flatten().filter(holds) {
        let text = match part.since {
            Some(pos) => format!("{} since s{}", part.words, pos.0),
            None => part.words.clone(),
        };
        if !facts.contains(&text) {
            facts.push(text);
        }
    }
    facts.truncate(FACTS);
    facts
}
