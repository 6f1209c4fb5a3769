//! Report: a table, or a column of it as bars, above; the row under the cursor told whole below.

use std::fmt::Write as _;

use ratatui::layout::Rect;

use crate::app::role::Role;
use crate::app::screens::report::{Report, Stage};
use crate::base::text;
use crate::eval::table::{Cell, Row, Table};
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

mod bars;

/// Columns words of a row may take; more is cut with `…`.
const WORDS: usize = 30;

/// Rows that what must be known to read a table is left at least.
const NOTES: usize = 4;

/// Draws the screen.
pub(super) fn draw(report: &Report, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let body = canvas.area();
    let alone = report.zoomed || view.room == Room::Single || report.shown().is_none();
    let table = Rect {
        height: if alone {
            body.height
        } else {
            upper(report, body.height)
        },
        ..body
    };
    let focused = view.focused;
    let mut frames = vec![pane::Pane::new(table, title(report), focused)];
    if !alone {
        // The two share a border line.
        let y = table.height - 1;
        let row = Rect::new(0, y, body.width, body.height - y);
        frames.push(pane::Pane::new(row, row_title(report), false));
    }
    let inner: Vec<Rect> = frames.iter().map(pane::Pane::inner).collect();
    panes(canvas, &frames);
    if let Some(area) = inner.first() {
        let mut canvas = canvas.sub(*area);
        match &report.stage {
            Stage::Done(_) => page(report, view, &mut canvas),
            Stage::Reading => {
                canvas.text(1, 0, "reading the runs …", Role::Dim);
            }
            Stage::Partly(done, total) => {
                let words = format!("{done} of {total} runs read");
                canvas.text(1, 0, &words, Role::Dim);
            }
            Stage::Failed(reason) => {
                let area = Rect::new(1, 0, area.width.saturating_sub(2), area.height);
                let y = paragraph(&mut canvas, area, 0, reason, Role::Refused);
                paragraph(&mut canvas, area, y + 1, "r reads again", Role::Dim);
            }
        }
    }
    if let (Some(area), Some(row)) = (inner.get(1), report.row()) {
        whole(report, row, &mut canvas.sub(*area));
    }
}

/// Rows the upper pane takes: what it needs, but half of the body at most.
fn upper(report: &Report, height: u16) -> u16 {
    let rows = report.shown().map_or(0, |table| table.rows.len());
    let wanted = if report.plots { rows * 3 } else { rows + 2 } + 2;
    let wanted = u16::try_from(wanted).unwrap_or(u16::MAX);
    wanted.clamp(5, (height / 2).max(5)).min(height)
}

fn title(report: &Report) -> String {
    let at = format!("{} of {}", report.table + 1, report.pages().max(1));
    match report.shown() {
        Some(table) if report.plots => {
            let head = table.columns.get(report.column);
            let head = head.map_or("", |c| c.head.as_str());
            format!("{}: {head}  {at}", table.title)
        }
        Some(table) => format!("{}  {at}", table.title),
        None if report.notes().is_empty() => "Report".to_owned(),
        None => format!("Missing or left out  {at}"),
    }
}

fn row_title(report: &Report) -> String {
    let words = |row: &Row| {
        let words = row.cells.iter().filter_map(|cell| match cell {
            Cell::Words(words) => Some(words.as_str()),
            _ => None,
        });
        words.collect::<Vec<_>>().join(" · ")
    };
    report.row().map(words).unwrap_or_default()
}

/// The table, its bars, or the notes.
fn page(report: &Report, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let Some(table) = report.shown() else {
        let notes = report.notes();
        if notes.is_empty() {
            let area = Rect::new(1, 0, width.saturating_sub(2), height);
            paragraph(canvas, area, 0, &report.nothing(), Role::Dim);
            return;
        }
        let list = ListView {
            name: "report.notes",
            cursor: report.list.cursor,
            len: notes.len(),
            focused: view.focused,
        };
        // The note under the cursor is told whole below the list.
        let shown = u16::try_from(notes.len()).unwrap_or(u16::MAX);
        let shown = shown.min(height.saturating_sub(4).max(1));
        let area = Rect::new(0, 0, width, shown);
        list.draw(canvas, area, list.seen(view, shown), |at| {
            let note = notes.get(at).copied().unwrap_or_default();
            vec![Span::new("! ", Role::Error), Span::plain(note)]
        });
        if let Some(note) = notes.get(report.list.cursor) {
            let area = Rect::new(1, 0, width.saturating_sub(2), height);
            paragraph(canvas, area, shown + 1, note, Role::Text);
        }
        return;
    };
    if report.plots {
        bars::draw(report, table, view, canvas);
    } else {
        numbers(report, table, view, canvas);
    }
}

/// What stands in a cell of a table on the screen.
fn short(cell: &Cell) -> String {
    match cell {
        Cell::Rate { percent, .. } => format!("{percent:.1}"),
        other => other.text(),
    }
}

/// The two lines of a head: `safety macro` is broken at its first space.
fn head(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or(("", text))
}

/// The columns that are seen, with their widths: all words, then numbers from the first that leaves the cursor in sight.
fn seen(report: &Report, table: &Table, width: usize) -> (Vec<(usize, usize)>, bool, bool) {
    let widest = |at: usize| {
        let cells = table.rows.iter().filter_map(|row| row.cells.get(at));
        let column = table.columns.get(at);
        let (a, b) = column.map_or(("", ""), |c| head(&c.head));
        let heads = [text::width(a), text::width(b)];
        let cells = cells.map(|cell| text::width(&short(cell)));
        cells.chain(heads).max().unwrap_or(0)
    };
    let of = |numeric: bool| {
        let all = table.columns.iter().enumerate();
        all.filter(move |(_, c)| c.numeric == numeric)
            .map(|(at, _)| at)
    };
    // Two columns for the mark of few runs.
    let words: Vec<(usize, usize)> = of(false)
        .map(|at| (at, widest(at).min(WORDS) + 2))
        .collect();
    let taken: usize = words.iter().map(|(_, w)| w).sum();
    let room = width.saturating_sub(taken + 2);
    let numbers: Vec<(usize, usize)> = of(true).map(|at| (at, widest(at) + 2)).collect();
    let mut first = 0;
    loop {
        let mut used = 0;
        let fits = numbers.iter().skip(first).take_while(|(_, w)| {
            used += w;
            used <= room
        });
        let fits: Vec<(usize, usize)> = fits.copied().collect();
        let has_cursor = fits.iter().any(|(at, _)| *at >= report.column);
        if has_cursor || first + 1 >= numbers.len() {
            let more = first + fits.len() < numbers.len();
            return (words.into_iter().chain(fits).collect(), first > 0, more);
        }
        first += 1;
    }
}

/// The table as numbers.
fn numbers(report: &Report, table: &Table, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let (width, height) = (canvas.width(), canvas.height());
    let (columns, before, after) = seen(report, table, usize::from(width));
    let mut x = 1;
    for (at, wide) in &columns {
        let Some(column) = table.columns.get(*at) else {
            continue;
        };
        let role = if *at == report.column {
            Role::Title
        } else {
            Role::Dim
        };
        let (above, below) = head(&column.head);
        let end = x + u16::try_from(*wide).unwrap_or(u16::MAX);
        for (y, words) in [(0, above), (1, below)] {
            if column.numeric {
                canvas.right(end, y, words, role);
            } else {
                canvas.fitted((x, y), end - x, words, role);
            }
        }
        x = end;
    }
    if before {
        canvas.text(0, 0, "‹", Role::Key);
    }
    if after {
        canvas.right(width, 0, "›", Role::Key);
    }
    let list = ListView {
        name: "report.table",
        cursor: report.list.cursor,
        len: table.rows.len(),
        focused: view.focused,
    };
    let area = Rect::new(0, 2, width, height.saturating_sub(2));
    list.draw(canvas, area, list.seen(view, area.height), |at| {
        let Some(row) = table.rows.get(at) else {
            return Vec::new();
        };
        let role = if row.few { Role::Dim } else { Role::Text };
        let mut first = row.few;
        let cells = columns.iter().filter_map(|(at, wide)| {
            let cell = row.cells.get(*at)?;
            let words = short(cell);
            let numeric = table.columns.get(*at).is_some_and(|c| c.numeric);
            let words = if numeric {
                let room = wide.saturating_sub(text::width(&words));
                format!("{}{words}", " ".repeat(room))
            } else {
                let mark = if std::mem::take(&mut first) { "*" } else { " " };
                let cut = text::fit(&words, wide - 2).into_owned();
                text::pad(&format!("{cut}{mark}"), *wide)
            };
            Some(Span::new(words, role))
        });
        cells.collect()
    });
}

/// The row under the cursor: every column with what it counts, its interval and the printed figure; then what must be
/// known to read the table.
fn whole(report: &Report, row: &Row, canvas: &mut Canvas<'_>) {
    let Some(table) = report.shown() else {
        return;
    };
    let (width, height) = (canvas.width(), canvas.height());
    let heads = table.columns.iter().map(|c| text::width(&c.head));
    let label = heads.max().unwrap_or(0) + 2;
    let cells = table.columns.iter().zip(&row.cells).enumerate();
    let lines: Vec<(usize, Vec<Span>)> = cells
        .filter(|(at, (column, _))| column.numeric && !report.is_printed(*at))
        .map(|(at, (column, cell))| {
            let mut spans = vec![Span::new(text::pad(&column.head, label), Role::Dim)];
            spans.extend(told(cell, row));
            let printed = report.printed(at).and_then(|p| row.cells.get(p));
            if let Some(printed) = printed.filter(|cell| **cell != Cell::Empty) {
                let words = format!("  paper {}", short(printed));
                spans.push(Span::new(words, Role::Link));
            }
            (at, spans)
        })
        .collect();
    // Beside each other only where there is no room below each other.
    let beside = width >= 110 && lines.len() + NOTES > usize::from(height);
    let rows = if beside {
        lines.len().div_ceil(2)
    } else {
        lines.len()
    };
    let half = width / 2;
    for (i, (at, spans)) in lines.iter().enumerate() {
        let (x, wide) = match (beside, i >= rows) {
            (false, _) => (2, width),
            (true, false) => (2, half),
            (true, true) => (half + 2, width - half),
        };
        let Ok(y) = u16::try_from(i % rows.max(1)) else {
            break;
        };
        if *at == report.column && y < height {
            canvas.text(x - 1, y, "·", Role::Title);
        }
        canvas.spans((x, y), wide.saturating_sub(3), spans);
    }
    let area = Rect::new(2, 0, width.saturating_sub(4), height);
    let mut y = u16::try_from(rows + 1).unwrap_or(u16::MAX);
    let few = "* fewer than 20 runs: such a rate says little";
    let few = table.rows.iter().any(|row| row.few).then_some(few);
    for note in few
        .into_iter()
        .chain(table.notes.iter().map(String::as_str))
    {
        if y < height {
            y = paragraph(canvas, area, y, note, Role::Dim);
        }
    }
}

/// A cell with what it counts.
fn told(cell: &Cell, row: &Row) -> Vec<Span> {
    let role = if row.few { Role::Dim } else { Role::Text };
    let Cell::Rate {
        n, of, interval, ..
    } = cell
    else {
        let words = format!("{:>6}", short(cell));
        return vec![Span::new(words, role)];
    };
    let mut words = format!("{:>6} %  {n} of {of}", short(cell));
    if let Some((low, high)) = interval {
        let _ = write!(words, "  95 % {low:.1}–{high:.1}");
    }
    vec![Span::new(words, role)]
}
