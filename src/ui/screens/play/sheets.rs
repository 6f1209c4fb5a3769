//! What lies over the panes of Play.

use ratatui::layout::Rect;

use crate::app::edit::LineEdit;
use crate::app::role::Role;
use crate::app::screens::play::game::Game;
use crate::app::screens::play::sheets::{Lines, Sheet, branches};
use crate::app::screens::play::suggestions;
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::parts;
use crate::ui::widgets::line::edit_line;
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};
use crate::ui::{Room, View};

/// Draws the topmost sheet.
pub(super) fn draw(game: &Game, sheet: &Sheet, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let body = canvas.area();
    match sheet {
        Sheet::Lines(sheet) => lines(sheet, view, canvas),
        Sheet::Branches(list) => {
            let rows = branches(&game.episode);
            let area = popup(body, view.room, rows.len() + 2);
            let inner = boxed(canvas, area, "Branches");
            let list = ListView {
                name: "play.branches",
                cursor: list.cursor,
                len: rows.len(),
                focused: true,
            };
            let seen = list.seen(view, inner.height);
            list.draw(canvas, inner, seen, |at| {
                rows.get(at).map_or_else(Vec::new, |row| {
                    let fork = if row.depth > 0 { "┬ " } else { "" };
                    let here = if row.here { "● " } else { "  " };
                    vec![
                        Span::new(here, Role::Title),
                        Span::plain("  ".repeat(row.depth.min(8))),
                        Span::new(fork, Role::Dim),
                        Span::new(format!("{}  ", row.name), Role::Title),
                        Span::new(format!("{}  ", row.goals), Role::Text),
                        Span::new(row.words.clone(), Role::Dim),
                    ]
                })
            });
        }
        Sheet::Line(line) => {
            let fits = suggestions(&game.episode, line);
            typed(canvas, "Do an action", line, &fits.join("  "));
        }
        Sheet::Reason(line) => typed(
            canvas,
            "Refuse the instruction, because",
            line,
            "Enter refuses it and ends the run",
        ),
        Sheet::Annotate(goal) => {
            let area = popup(body, view.room, 4);
            let inner = boxed(canvas, area, "Annotate");
            let mut canvas = canvas.sub(inner);
            if let Some(row) = game.goals.get(*goal) {
                let words = format!("{} {}: {}", row.kind(), row.number, row.words);
                canvas.fitted((1, 0), inner.width.saturating_sub(2), &words, Role::Text);
            }
            parts::verdict::faults(&mut canvas, 1, game.draft.faults.get(goal).copied());
        }
        Sheet::Verdict => {
            let sheet = parts::verdict::VerdictView {
                draft: &game.draft,
                goals: &game.goals,
                witness: crate::app::parts::verdict::witness_words(&game.episode),
            };
            verdict(&sheet, view, canvas);
        }
    }
}

/// Draws the verdict sheet.
pub(in crate::ui::screens) fn verdict(
    sheet: &parts::verdict::VerdictView<'_>,
    view: &View<'_>,
    canvas: &mut Canvas<'_>,
) {
    let area = popup(canvas.area(), view.room, sheet.goals.len() + 9);
    let inner = boxed(canvas, area, "Verdict");
    parts::verdict::draw(sheet, view, &mut canvas.sub(inner));
}

/// Draws a sheet of facts.
pub(in crate::ui::screens) fn lines(sheet: &Lines, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let body = canvas.area();
    let area = popup(body, view.room, sheet.lines.len() + 2);
    let list = ListView {
        name: "play.sheet",
        cursor: sheet.list.cursor,
        len: sheet.lines.len(),
        focused: true,
    };
    let frame = Pane::new(area, sheet.heading.clone(), true);
    let seen = list.seen(view, frame.inner().height);
    let frame = frame.corner(seen.corner());
    canvas.clear(area);
    let inner = frame.inner();
    panes(canvas, &[frame]);
    parts::lines::draw(canvas, inner, &sheet.lines, &list, seen);
}

/// Draws facts in lines as a pane of its own.
pub(in crate::ui::screens) fn lines_pane(
    sheet: &Lines,
    focused: bool,
    area: Rect,
    view: &View<'_>,
    canvas: &mut Canvas<'_>,
) {
    let list = ListView {
        name: "play.map.detail",
        cursor: if focused { sheet.list.cursor } else { 0 },
        len: sheet.lines.len(),
        focused,
    };
    let frame = Pane::new(area, sheet.heading.clone(), focused);
    let seen = list.seen(view, frame.inner().height);
    let frame = frame.corner(seen.corner());
    let inner = frame.inner();
    panes(canvas, &[frame]);
    parts::lines::draw(canvas, inner, &sheet.lines, &list, seen);
}

/// Where a sheet of so many rows lies: the upper middle, or all of a narrow body.
pub(in crate::ui::screens) fn popup(body: Rect, room: Room, rows: usize) -> Rect {
    let rows = u16::try_from(rows).unwrap_or(u16::MAX);
    if room != Room::Wide {
        let height = rows.clamp(6.min(body.height), body.height);
        return Rect::new(body.x, body.bottom() - height, body.width, height);
    }
    let width = (body.width * 3 / 4).min(140);
    let height = rows.clamp(6.min(body.height), body.height * 9 / 10);
    Rect::new(
        body.x + (body.width - width) / 2,
        body.y + (body.height - height) / 4,
        width,
        height,
    )
}

/// Clears an area and frames it; the area inside.
pub(in crate::ui::screens) fn boxed(canvas: &mut Canvas<'_>, area: Rect, title: &str) -> Rect {
    canvas.clear(area);
    let frame = Pane::new(area, title, true);
    let inner = frame.inner();
    panes(canvas, &[frame]);
    inner
}

/// A line of text at the foot of the body, with words below it.
pub(in crate::ui::screens) fn typed(
    canvas: &mut Canvas<'_>,
    title: &str,
    line: &LineEdit,
    below: &str,
) {
    let body = canvas.area();
    let height = 4.min(body.height);
    let area = Rect::new(body.x, body.bottom() - height, body.width, height);
    let inner = boxed(canvas, area, title);
    let mut canvas = canvas.sub(inner);
    let width = canvas.width();
    edit_line(&mut canvas, (1, 0), width.saturating_sub(2), line);
    let cut = text::fit(below, usize::from(width.saturating_sub(2)));
    canvas.text(1, 1, &cut, Role::Dim);
}
