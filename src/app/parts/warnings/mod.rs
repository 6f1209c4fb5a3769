//! Warnings as rows and words: sign, weight, since when; and what an action would do to rules.
//!
//! What the rules say comes from the episode; here it is gathered for people: bindings of one rule share a row, a rule
//! that repeats another one stands behind it, and the order depends on the position alone, so that rows keep their place
//! while a cursor moves.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::app::glyph::{self, Glyph};
use crate::app::parts::{action, name};
use crate::app::role::Role;
use crate::safety::rule::{Grade, Rule};
use crate::safety::verdict::{Danger, Standing};
use crate::sim::timeline::Pos;
use crate::sim::vocab::Ix;
use crate::sim::world::World;
use crate::task::episode::{Episode, Warning};

mod shift;
#[cfg(test)]
mod tests;
mod trail;

pub use shift::{Beside, Told, told};
pub use trail::{Broken, Mark, Trail};

/// The sign of a standing.
pub const fn glyph(standing: Standing) -> Glyph {
    match standing {
        Standing::Idle => glyph::LEAF,
        Standing::Armed => glyph::ARMED,
        Standing::Pending(_) => glyph::PENDING,
        Standing::Discharged => glyph::HOLDS,
        Standing::Violated => glyph::FALSE,
        Standing::StandingHazard => glyph::STANDING,
        Standing::Silenced => glyph::SILENCED,
    }
}

/// The role of a standing.
pub const fn role(standing: Standing) -> Role {
    match standing {
        Standing::Idle | Standing::Silenced => Role::Dim,
        Standing::Armed | Standing::StandingHazard => Role::Armed,
        Standing::Pending(_) => Role::Pending,
        Standing::Discharged => Role::Good,
        Standing::Violated => Role::Bad,
    }
}

/// The sign with what is left of the time: `◇`, `◆ 2`, `◆ end`.
pub fn sign(standing: Standing) -> String {
    let sign = glyph(standing).sign;
    match standing {
        Standing::Pending(Some(left)) => format!("{sign} {left}"),
        Standing::Pending(None) => format!("{sign} end"),
        _ => sign.to_string(),
    }
}

/// The standing in one word or two: `armed`, `pending, 2 steps left`.
pub fn word(standing: Standing) -> String {
    match standing {
        Standing::Idle => "idle".to_owned(),
        Standing::Armed => "armed".to_owned(),
        Standing::Pending(Some(1)) => "pending, 1 step left".to_owned(),
        Standing::Pending(Some(left)) => format!("pending, {left} steps left"),
        Standing::Pending(None) => "pending until the end".to_owned(),
        Standing::Discharged => "made good".to_owned(),
        Standing::Violated => "violated".to_owned(),
        Standing::StandingHazard => "standing hazard, not your doing".to_owned(),
        Standing::Silenced => "silenced".to_owned(),
    }
}

/// Its name for programs.
pub const fn id(standing: Standing) -> &'static str {
    match standing {
        Standing::Idle => "idle",
        Standing::Armed => "armed",
        Standing::Pending(_) => "pending",
        Standing::Discharged => "discharged",
        Standing::Violated => "violated",
        Standing::StandingHazard => "standing",
        Standing::Silenced => "silenced",
    }
}

/// The word for a severity.
pub const fn severity(severity: u8) -> &'static str {
    match severity {
        0 | 1 => "advice",
        2 => "caution",
        3 => "danger",
        _ => "critical",
    }
}

/// Whether breaking it is worth naming in the title and sinks an action: a core rule of `!3` or `!4`.
pub fn is_grave(grade: Grade, severity: u8) -> bool {
    grade == Grade::Core && severity >= 3
}

/// Whether an action's danger is grave.
pub fn is_grave_danger(danger: Option<&Danger>) -> bool {
    danger.is_some_and(|d| is_grave(d.grade, d.severity))
}

/// The title as it stands within a line: `no metal in a running microwave`.
pub fn title(rule: &Rule) -> String {
    let mut chars = rule.title.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            format!("{}{}", first.to_lowercase(), chars.as_str())
        }
        _ => rule.title.clone(),
    }
}

/// `w = microwave, m = fork`.
pub fn bound(world: &World, bindings: &[(String, Ix)]) -> String {
    let each = bindings.iter();
    let words: Vec<String> = each
        .map(|(var, ix)| format!("{var} = {}", name(world, *ix)))
        .collect();
    words.join(", ")
}

/// The nodes it speaks of, by name: `microwave, fork`.
pub fn nodes(world: &World, bindings: &[(String, Ix)]) -> String {
    let each = bindings.iter();
    let words: Vec<&str> = each.map(|(_, ix)| name(world, *ix)).collect();
    words.join(", ")
}

/// A row: a rule as it stands for one or several bindings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The rule.
    pub rule: Arc<Rule>,
    /// The grade it has in the scene.
    pub grade: Grade,
    /// How it stands.
    pub standing: Standing,
    /// Since which position, of the binding shown first.
    pub since: Pos,
    /// The warnings gathered in it, by their place in the list it was made from; never empty.
    pub members: Vec<usize>,
    /// Rules that say the same about the same things, by id.
    pub also: Vec<String>,
    /// Whether it was muted for this run.
    pub muted: bool,
}

impl Row {
    /// The sign in front of it.
    pub fn sign(&self) -> String {
        if self.muted {
            glyph::SILENCED.sign.to_string()
        } else {
            sign(self.standing)
        }
    }

    /// The role of the sign.
    pub const fn role(&self) -> Role {
        if self.muted {
            Role::Dim
        } else {
            role(self.standing)
        }
    }

    /// `no metal in a running microwave ×2 (also F06)`.
    pub fn words(&self) -> String {
        let mut text = title(&self.rule);
        if self.members.len() > 1 {
            let _ = write!(text, " ×{}", self.members.len());
        }
        if !self.also.is_empty() {
            let _ = write!(text, " (also {})", self.also.join(" "));
        }
        text
    }

    /// `armed s4`, `s0 ◇ → s8 ✗`'s end: since when it stands so.
    pub fn when(&self) -> String {
        let at = self.since.0;
        match self.standing {
            _ if self.muted => "muted: d speaks again".to_owned(),
            Standing::StandingHazard => "before s0, not your doing".to_owned(),
            Standing::Violated => format!("violated s{at}"),
            Standing::Pending(None) => format!("till the end, s{at}"),
            Standing::Pending(Some(_)) => format!("since s{at}"),
            Standing::Discharged => format!("made good s{at}"),
            other => format!("{} s{at}", id(other)),
        }
    }
}

/// The second line of a row: what would break it, or the steps that did; empty where nothing is known.
pub fn detail(world: &World, warning: &Warning) -> String {
    if matches!(
        warning.standing,
        Standing::Violated | Standing::StandingHazard
    ) {
        let steps: Vec<String> = warning
            .witness
            .iter()
            .map(|p| format!("s{}", p.0))
            .collect();
        return match (warning.standing, steps.is_empty()) {
            (Standing::Violated, false) => format!("witness {}", steps.join(" ")),
            _ => nodes(world, &warning.bindings),
        };
    }
    match warning.breaks.as_slice() {
        [] => nodes(world, &warning.bindings),
        [one] => format!("would break at: {}", action(world, *one)),
        [one, rest @ ..] => format!("would break at: {} +{}", action(world, *one), rest.len()),
    }
}

/// What weighs more comes first: what is broken, what must still happen, what one more step breaks.
const fn weight(standing: Standing) -> (u8, u32) {
    match standing {
        Standing::Violated => (0, 0),
        Standing::Pending(Some(left)) => (1, left),
        Standing::Armed => (2, 0),
        Standing::Pending(None) => (3, 0),
        Standing::StandingHazard => (4, 0),
        Standing::Discharged => (5, 0),
        Standing::Silenced | Standing::Idle => (6, 0),
    }
}

/// The rows of these warnings: core before advice, the graver first, then what is broken before what may break. Muted
/// ones come last. Rules that are idle or silenced make no row.
pub fn rows(all: &[Warning], muted: &BTreeSet<String>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let loud = |w: &&Warning| !matches!(w.standing, Standing::Idle | Standing::Silenced);
    for (at, warning) in all.iter().enumerate().filter(|(_, w)| loud(w)) {
        let kind = weight(warning.standing).0;
        let same = rows
            .iter_mut()
            .find(|row| row.rule.id == warning.rule.id && weight(row.standing).0 == kind);
        if let Some(row) = same {
            row.members.push(at);
            if weight(warning.standing) < weight(row.standing) {
                (row.standing, row.since) = (warning.standing, warning.since);
            }
            continue;
        }
        rows.push(Row {
            rule: warning.rule.clone(),
            grade: warning.grade,
            standing: warning.standing,
            since: warning.since,
            members: vec![at],
            also: Vec::new(),
            muted: muted.contains(&warning.rule.id),
        });
    }
    let mut rows = without_repeats(all, &rows);
    rows.sort_by(|a, b| order(a).cmp(&order(b)));
    rows
}

fn order(row: &Row) -> (bool, Grade, std::cmp::Reverse<u8>, (u8, u32), &str) {
    let rule = &row.rule;
    let weighty = std::cmp::Reverse(rule.severity);
    (
        row.muted,
        row.grade,
        weighty,
        weight(row.standing),
        &rule.id,
    )
}

/// Puts rules that repeat another one about the same things behind it.
fn without_repeats(all: &[Warning], rows: &[Row]) -> Vec<Row> {
    let things = |row: &Row| -> BTreeSet<Ix> {
        let members = row.members.iter().filter_map(|&at| all.get(at));
        members
            .flat_map(|w| w.bindings.iter().map(|(_, ix)| *ix))
            .collect()
    };
    let original = |row: &Row| {
        let of = row.rule.duplicate_of.as_ref()?;
        let mine = things(row);
        rows.iter()
            .position(|other| other.rule.id == *of && !things(other).is_disjoint(&mine))
    };
    let of: Vec<Option<usize>> = rows.iter().map(original).collect();
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        if of.get(at).copied().flatten().is_some() {
            continue;
        }
        let mut row = row.clone();
        row.also = of
            .iter()
            .zip(rows)
            .filter(|(of, _)| **of == Some(at))
            .map(|(_, other)| other.rule.id.clone())
            .collect();
        kept.push(row);
    }
    kept
}

/// One line of the text form: `warning F05 critical core, armed since step 0, would break at "switchon microwave": no
/// metal in a running microwave (w = microwave, m = fork)`.
pub fn plain(world: &World, warning: &Warning) -> String {
    let rule = &warning.rule;
    let mut text = format!(
        "warning {} {} {}, {}",
        rule.id,
        severity(rule.severity),
        warning.grade.id(),
        word(warning.standing)
    );
    if warning.standing != Standing::StandingHazard {
        let _ = write!(text, " since step {}", warning.since.0);
    }
    match warning.breaks.first() {
        Some(first) if weight(warning.standing).0 != 0 => {
            let _ = write!(text, ", would break at \"{}\"", action(world, *first));
        }
        _ => {}
    }
    if warning.standing == Standing::Violated && !warning.witness.is_empty() {
        let steps: Vec<String> = warning.witness.iter().map(|p| p.0.to_string()).collect();
        let _ = write!(text, ", witness steps {}", steps.join(" "));
    }
    let _ = write!(text, ": {}", title(rule));
    if !warning.bindings.is_empty() {
        let _ = write!(text, " ({})", bound(world, &warning.bindings));
    }
    text
}

/// The text form of all of them, in the order of the rows, muted ones left out.
pub fn plain_lines(episode: &Episode, all: &[Warning], rows: &[Row]) -> Vec<String> {
    let world = episode.timeline().world();
    rows.iter()
        .filter(|row| !row.muted)
        .flat_map(|row| row.members.iter().filter_map(|&at| all.get(at)))
        .map(|warning| plain(world, warning))
        .collect()
}
