//! What a goal says beyond yes or no: how far a quantified one has come, and where the verdicts on it differ.

use crate::app::glyph;
use crate::app::parts::goals::Row;
use crate::app::role::Role;
use crate::base::text;
use crate::plan::bddl::{Disagreement, Verdicts};
use crate::plan::goal::Goal;
use crate::sim::graph::Graph;
use crate::sim::scene::Scene;

/// One line below a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct More {
    /// What it tells.
    pub kind: Kind,
    /// The words, whole.
    pub text: String,
}

/// What a line below a goal tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// How far it has come.
    Progress,
    /// Where the verdicts on it differ.
    Differs,
}

impl More {
    /// Its role.
    pub const fn role(&self) -> Role {
        match self.kind {
            Kind::Progress => Role::Dim,
            Kind::Differs => Role::Armed,
        }
    }

    /// With the sign before it that says what it is.
    pub fn signed(&self) -> String {
        match self.kind {
            Kind::Progress => self.text.clone(),
            Kind::Differs => format!("{} {}", glyph::DIFFERS.sign, self.text),
        }
    }

    /// As a part of a sentence without signs.
    pub fn plain(&self) -> String {
        match self.kind {
            Kind::Progress => self.text.clone(),
            Kind::Differs => format!("verdicts differ, {}", self.text),
        }
    }
}

/// What a goal says beyond yes or no in a state.
pub fn more(goal: &Goal, graph: &Graph) -> Vec<More> {
    let mut all = Vec::new();
    let scene = graph.scene();
    if let Some(far) = goal.progress(graph).filter(|far| far.done < far.of) {
        let open: Vec<&str> = far.open_names(scene).collect();
        let open = match open.as_slice() {
            [] => String::new(),
            names => format!(", open: {}", names.join(", ")),
        };
        all.push(More {
            kind: Kind::Progress,
            text: format!("{}{open}", far.text()),
        });
    }
    if let Some(told) = goal.disagreement(graph) {
        all.push(More {
            kind: Kind::Differs,
            text: format!("{}: {}", verdicts(told.verdicts), told.why),
        });
    }
    all
}

/// `published no, logic yes, matching yes`.
pub fn verdicts(of: Verdicts) -> String {
    let word = |holds: bool| if holds { "yes" } else { "no" };
    let published = of.published.map_or("too large to tell", word);
    format!(
        "published {published}, logic {}, matching {}",
        word(of.logic),
        word(of.matching)
    )
}

/// The pairs that show a disagreement, by name.
pub fn pairs(told: &Disagreement, scene: &Scene) -> Vec<[String; 2]> {
    let name = |ix| scene.short_name(ix).to_owned();
    told.pairs
        .iter()
        .map(|&(a, b)| [name(a), name(b)])
        .collect()
}

/// A line of a list of goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The heading before the safety goals.
    Safety,
    /// A goal, by its place in the list, and the words of it that fit beside since when.
    Goal(usize, String),
    /// A line below a goal.
    More(String, Role),
}

/// The goals as lines of at most so many columns, each beside the columns its right end takes; `headed` with a heading
/// before the safety goals.
pub fn lines<'r>(
    rows: impl Iterator<Item = (&'r Row, usize)>,
    cols: usize,
    headed: bool,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut success = true;
    for (at, (row, end)) in rows.enumerate() {
        if headed && success && !row.success {
            lines.push(Line::Safety);
        }
        success = row.success;
        // Below the words there is more room than beside since when, but one width for all is easier read.
        let room = cols.saturating_sub(end + 1).max(cols / 2).max(1);
        let mut words = text::wrap(&row.words, room).into_iter();
        lines.push(Line::Goal(at, words.next().unwrap_or_default()));
        lines.extend(words.map(|part| Line::More(part, Role::Text)));
        for more in &row.more {
            let parts = text::wrap(&more.signed(), cols.max(1));
            lines.extend(parts.into_iter().map(|part| Line::More(part, more.role())));
        }
    }
    lines
}

/// The place of a goal among the lines.
pub fn place(lines: &[Line], goal: usize) -> usize {
    let is_it = |line: &Line| matches!(line, Line::Goal(at, _) if *at == goal);
    lines.iter().position(is_it).unwrap_or(0)
}
