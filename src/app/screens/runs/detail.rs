//! What stands beside the list: the run under the cursor with what happened around its first bad step, or the group.

use super::Runs;
use crate::app::role::Role;
use crate::query::row::{Row, Stage, What};
use crate::query::shelf::class;
use crate::query::tell;
use crate::query::words::Field;

/// A line beside the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it tells; empty where the line goes on with the one before.
    pub label: &'static str,
    /// The words.
    pub text: String,
    /// What they are.
    pub role: Role,
}

fn line(label: &'static str, text: impl Into<String>) -> Line {
    of(label, text, Role::Text)
}

fn of(label: &'static str, text: impl Into<String>, role: Role) -> Line {
    Line {
        label,
        text: text.into(),
        role,
    }
}

/// Positions shown before and after the bad one.
const AROUND: u32 = 3;

impl Runs {
    /// The lines about what is under the cursor.
    pub fn detail(&self) -> Vec<Line> {
        if let Some(at) = self.here()
            && let Some(row) = self.row(at)
        {
            return self.about(at, row);
        }
        let Some(group) = self.group() else {
            return Vec::new();
        };
        let n = group.rows.len();
        let all = self.found.rows.len().max(1);
        let mut lines = vec![
            line(self.by.id(), group.key.clone()),
            line("runs", format!("{n}, {} % of what is shown", 100 * n / all)),
        ];
        if group.new > 0 {
            lines.push(line("new", format!("{} since you last looked", group.new)));
        }
        for (i, (name, n)) in group.who.iter().enumerate() {
            lines.push(line(
                if i == 0 { "by" } else { "" },
                format!("{n:>4}  {name}"),
            ));
        }
        lines
    }

    fn about(&self, at: u32, row: &Row) -> Vec<Line> {
        let word = |field: Field| self.shelf.pool.word(row.word(field)).to_owned();
        let mut lines = Vec::new();
        if !row.fault.is_empty() {
            lines.push(of("!", &*row.fault, Role::Refused));
        }
        if row.stage == Stage::Listed {
            lines.push(line("run", &*row.id));
            return lines;
        }
        let role = match (row.succeeds(), row.safe) {
            (true, Some(true)) => Role::Good,
            (_, Some(false)) => Role::Refused,
            _ => Role::Text,
        };
        lines.push(line(
            "",
            format!("{} “{}”", word(Field::Task), word(Field::Instruction)),
        ));
        lines.push(line("by", self.shelf.pool.word(row.who)));
        lines.push(of(
            "result",
            format!("{}: {}", tell::came_to(row), class(row)),
            role,
        ));
        let steps = self.steps(at);
        if !steps.is_empty() {
            let some: Vec<String> = steps.iter().take(12).map(|pos| format!("s{pos}")).collect();
            lines.push(of("matches", some.join(" "), Role::Link));
        }
        lines.extend(self.around(row, steps.first().copied()));
        let mut more = format!("{} steps, {} refused", row.steps, row.refused);
        if row.trials > 1 {
            more = format!("{more}, {} trials", row.trials);
        }
        lines.push(line("length", more));
        if row.tokens.0 + row.tokens.1 > 0 {
            let cost = tell::dollars(row.cost);
            lines.push(line(
                "spent",
                format!("{} + {} tokens, $ {cost}", row.tokens.0, row.tokens.1),
            ));
        }
        let listed = |words: &[crate::query::pool::Sym]| {
            let all: Vec<&str> = words.iter().map(|it| self.shelf.pool.word(*it)).collect();
            all.join(" · ")
        };
        for (label, text) in [
            ("label", listed(&row.labels)),
            ("tags", listed(&row.tags)),
            ("verdict", self.shelf.pool.word(row.verdict).to_owned()),
            ("risk", listed(&row.risks)),
        ] {
            if !text.is_empty() {
                lines.push(line(label, text));
            }
        }
        for text in &row.comments {
            lines.push(line("note", &**text));
        }
        let created: String = row.created.chars().take(16).collect();
        lines.push(of("begun", created.replace('T', " "), Role::Dim));
        lines.push(of("run", &*row.id, Role::Dim));
        lines
    }

    /// What happened around the step that matched, else around the first bad one.
    fn around(&self, row: &Row, matched: Option<u32>) -> Vec<Line> {
        let bad = row.first_bad.map(|(pos, _)| pos);
        let Some(middle) = matched.or(bad) else {
            return Vec::new();
        };
        let range = middle.saturating_sub(AROUND)..=middle.saturating_add(AROUND);
        let mut lines: Vec<Line> = Vec::new();
        let mut last = None;
        for moment in row.moments.iter().filter(|m| range.contains(&m.pos)) {
            if matches!(moment.what, What::FactOn | What::FactOff) {
                continue;
            }
            let name = if last == Some(moment.pos) {
                String::new()
            } else {
                format!("s{}", moment.pos)
            };
            last = Some(moment.pos);
            let sign = if moment.pos == middle && !name.is_empty() {
                "●"
            } else {
                " "
            };
            let role = match moment.what {
                What::Refused => Role::Refused,
                _ if moment.is_core_breach() => Role::Bad,
                What::Violated | What::ArmedOn => Role::Armed,
                What::GoalTrue => Role::Good,
                What::GoalLost => Role::Refused,
                _ => Role::Text,
            };
            let label = if lines.is_empty() { "around" } else { "" };
            let text = format!("{sign}{name:<4} {}", tell::moment(moment, &self.shelf));
            lines.push(of(label, text, role));
        }
        lines
    }
}
