//! A column of a report as bars from cells, each with its interval and the printed figure below.

use ratatui::layout::Rect;

use crate::app::role::Role;
use crate::app::screens::report::Report;
use crate::base::text;
use crate::eval::table::{Cell, Row, Table};
use crate::ui::View;
use crate::ui::canvas::Canvas;
use crate::ui::widgets::list::ListView;

/// Rows of the screen a bar takes: the bar, its interval, nothing.
const TALL: u16 = 3;

/// Columns for what stands behind a bar: `100.0 %  100 of 100`.
const BEHIND: u16 = 24;

/// Draws the bars, as many as fit, the cursor among them.
pub(super) fn draw(report: &Report, table: &Table, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let fits = (height / TALL).max(1);
    let list = ListView {
        name: "report.bars",
        cursor: report.list.cursor,
        len: table.rows.len(),
        focused: view.focused,
    };
    let seen = list.seen(view, fits);
    let labels = table.rows.iter().map(|row| text::width(&label(row)));
    let left = labels.max().unwrap_or(0).min(usize::from(width) / 3);
    let left = u16::try_from(left).unwrap_or(u16::MAX) + 3;
    let across = width.saturating_sub(left + BEHIND);
    for (at, y) in (seen.top..seen.end).zip((0..height).step_by(usize::from(TALL))) {
        let Some(row) = table.rows.get(at) else {
            continue;
        };
        let role = if row.few { Role::Dim } else { Role::Text };
        canvas.fitted((1, y), left.saturating_sub(2), &label(row), role);
        if view.focused && at == report.list.cursor {
            canvas.text(0, y, "▌", Role::Cursor);
            canvas.restyle(Rect::new(0, y, left.saturating_sub(1), 1), Role::Cursor);
        }
        let printed = report.printed(report.column);
        let printed = printed.and_then(|at| match row.cells.get(at) {
            Some(Cell::Number(x, _)) => Some(*x),
            _ => None,
        });
        let area = Rect::new(left, y, width.saturating_sub(left), 2);
        match row.cells.get(report.column) {
            Some(rate @ Cell::Rate { .. }) => {
                bar(rate, printed, (across, role), &mut canvas.sub(area));
            }
            _ => {
                canvas.text(left, y, "nothing to count", Role::Dim);
            }
        }
    }
}

/// The words of a row, with the mark of few runs.
fn label(row: &Row) -> String {
    let words = row.cells.iter().filter_map(|cell| match cell {
        Cell::Words(words) => Some(words.as_str()),
        _ => None,
    });
    let few = if row.few { " *" } else { "" };
    format!("{}{few}", words.collect::<Vec<_>>().join(" · "))
}

/// The column of a percentage, of so many.
#[expect(
    clippy::cast_sign_loss,
    reason = "a share of some columns is not below none"
)]
fn place(percent: f64, across: u16) -> u16 {
    let share = percent.clamp(0.0, 100.0) / 100.0;
    (f64::from(across) * share).round() as u16
}

fn bar(cell: &Cell, printed: Option<f64>, (across, role): (u16, Role), canvas: &mut Canvas<'_>) {
    let Cell::Rate {
        percent,
        n,
        of,
        interval,
    } = cell
    else {
        return;
    };
    let full = usize::from(place(*percent, across));
    canvas.text(0, 0, &"█".repeat(full), role);
    let empty = "·".repeat(usize::from(across).saturating_sub(full));
    canvas.text(u16::try_from(full).unwrap_or(0), 0, &empty, Role::Dim);
    let words = format!("{percent:>5.1} %  {n} of {of}");
    canvas.text(across + 1, 0, &words, role);
    let last = across.saturating_sub(1);
    let mut behind = Vec::new();
    if let Some((low, high)) = interval {
        let (from, to) = (
            place(*low, across).min(last),
            place(*high, across).min(last),
        );
        for x in from..=to {
            let sign = if x == from {
                "├"
            } else if x == to {
                "┤"
            } else {
                "─"
            };
            canvas.text(x, 1, sign, Role::Dim);
        }
        behind.push(format!("{low:.0}–{high:.0}"));
    }
    if let Some(printed) = printed {
        canvas.text(place(printed, across).min(last), 1, "△", Role::Link);
        behind.push(format!("△ paper {printed:.0}"));
    }
    canvas.text(across + 2, 1, &behind.join("  "), Role::Dim);
}
