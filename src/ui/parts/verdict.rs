//! The verdict sheet.

use ratatui::layout::Rect;

use crate::app::parts::goals::Row;
use crate::app::parts::verdict::{Draft, Field};
use crate::app::role::Role;
use crate::base::text;
use crate::formats::run::{Fault, Judgement};
use crate::ui::View;
use crate::ui::canvas::Canvas;
use crate::ui::widgets::list::ListView;

/// What the sheet shows.
#[derive(Debug)]
pub struct VerdictView<'a> {
    /// What is being written.
    pub draft: &'a Draft,
    /// The goals.
    pub goals: &'a [Row],
    /// The branch that shows it, in words.
    pub witness: String,
}

/// Draws the sheet's inside.
pub fn draw(sheet: &VerdictView<'_>, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let draft = sheet.draft;
    let width = canvas.width();
    judgement(canvas, draft);
    // Below the goals: faults, a blank, reason, its lines, witness.
    let rows = canvas.height().saturating_sub(7).max(1);
    let area = Rect::new(0, 2, width, rows);
    let focused = draft.field == Field::Goals;
    let list = ListView {
        name: "verdict.goals",
        cursor: draft.list.cursor,
        len: sheet.goals.len(),
        focused,
    };
    let seen = list.seen(view, rows);
    {
        let mut canvas = canvas.sub(area);
        for (y, at) in (0..rows).zip(seen.top..seen.end) {
            if let Some(row) = sheet.goals.get(at) {
                goal(&mut canvas, y, row, draft.faults.get(&row.goal).copied());
            }
            if focused && at == draft.list.cursor {
                canvas.text(0, y, "▌", Role::Cursor);
                canvas.restyle(Rect::new(0, y, width, 1), Role::Cursor);
            }
        }
    }
    let y = 2 + rows;
    if focused {
        let chosen = sheet.goals.get(draft.list.cursor);
        let fault = chosen.and_then(|row| draft.faults.get(&row.goal).copied());
        faults(canvas, y, fault);
    }
    reason(canvas, y + 1, draft);
    let last = canvas.height().saturating_sub(1);
    let words = format!("witness  {}", sheet.witness);
    canvas.fitted((1, last), width.saturating_sub(2), &words, Role::Dim);
}

fn judgement(canvas: &mut Canvas<'_>, draft: &Draft) {
    let focused = draft.field == Field::Judgement;
    let mut x = 1;
    for (n, &one) in Judgement::ALL.iter().enumerate() {
        let chosen = draft.judgement() == one;
        let sign = if chosen { "◉" } else { "○" };
        let role = match (chosen, focused) {
            (true, true) => Role::Cursor,
            (true, false) => Role::Picked,
            (false, _) => Role::Text,
        };
        x = canvas.text(x, 0, &format!("{} {sign} {}", n + 1, one.id()), role) + 3;
    }
}

/// The choices of what is wrong with a goal, the chosen one marked.
pub fn faults(canvas: &mut Canvas<'_>, y: u16, chosen: Option<Fault>) {
    let mut x = 1;
    for (n, &fault) in Fault::ALL.iter().enumerate() {
        let (sign, role) = if chosen == Some(fault) {
            ("◉", Role::Picked)
        } else {
            ("", Role::Text)
        };
        x = canvas.text(x, y, &(n + 1).to_string(), Role::Key) + 1;
        x = canvas.text(x, y, &format!("{sign}{}", fault.id()), role) + 2;
    }
}

fn goal(canvas: &mut Canvas<'_>, y: u16, row: &Row, fault: Option<Fault>) {
    let end = canvas.width().saturating_sub(1);
    let word = fault.map_or("–", Fault::id);
    let at = canvas.right(end, y, word, Role::Picked);
    let sign = row.mark.glyph().sign.to_string();
    let x = canvas.text(1, y, &sign, row.mark.role()) + 1;
    let words = format!("{} {}  {}", row.kind(), row.number, row.words);
    canvas.fitted((x, y), at.saturating_sub(x + 1), &words, Role::Text);
}

fn reason(canvas: &mut Canvas<'_>, y: u16, draft: &Draft) {
    let focused = draft.field == Field::Reason;
    let role = if focused { Role::Key } else { Role::Dim };
    let x = canvas.text(1, y, "reason", role) + 2;
    let width = usize::from(canvas.width().saturating_sub(x + 1)).max(1);
    let (before, after) = draft.reason.halves();
    let caret = if focused { "▏" } else { "" };
    let all = format!("{before}{caret}{after}");
    if all.is_empty() {
        canvas.text(x, y, "–", Role::Dim);
        return;
    }
    let lines = text::wrap(&all, width);
    let rows = usize::from(canvas.height().saturating_sub(y + 1)).max(1);
    // The caret stays in sight: the last lines are shown while one types at the end.
    let at = lines
        .iter()
        .position(|line| line.contains('▏'))
        .unwrap_or(0);
    let top = (at + 1).saturating_sub(rows);
    for (line, y) in lines.iter().skip(top).take(rows).zip(y..) {
        canvas.text(x, y, line, Role::Text);
    }
}
