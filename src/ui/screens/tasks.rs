//! Tasks: the list with its columns, and the preview.

use ratatui::layout::Rect;

use crate::app::library::{Library, TaskRow};
use crate::app::role::Role;
use crate::app::screens::tasks::preview::{self, Line};
use crate::app::screens::tasks::{Pane, Row, Tasks, rows};
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::{ListView, Seen};
use crate::ui::widgets::pane::{self, panes};
use crate::ui::{Room, View};

/// Columns the instruction keeps, whatever else goes.
const INSTRUCTION: usize = 24;

/// Columns of the preview's labels.
const LABEL: usize = 9;

/// Rows up to which the preview is told in two lines.
const FOLDED: u16 = 2;

/// Draws Tasks.
pub(super) fn draw(tasks: &Tasks, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let (list_area, preview_area) = layout(tasks, view.room, canvas.area());
    let mut frames = Vec::new();
    let library = &view.shared.library;
    let list_focused = view.focused && tasks.focus == Pane::List;
    let list = ListView {
        name: "tasks.list",
        cursor: tasks.cursor(),
        len: tasks.rows().len(),
        focused: list_focused,
    };
    let rows_area = list_area.map(|area| below_header(pane::inner(area)));
    let seen = rows_area.map(|area| list.seen(view, area.height));
    if let Some(area) = list_area {
        let frame =
            pane::Pane::new(area, title(tasks, library), list_focused).filtered(&tasks.filter);
        frames.push(frame.corner(seen.unwrap_or_default().corner()));
    }
    if let Some(area) = preview_area {
        let focused = view.focused && tasks.focus == Pane::Preview;
        let task = tasks.task(library);
        let about = task.map_or_else(|| "Preview".to_owned(), |task| task.id.clone());
        let lines = tasks.preview(library);
        let corner = corner(&lines, tasks.scroll.cursor, pane::inner(area));
        frames.push(pane::Pane::new(area, about, focused).corner(corner));
    }
    panes(canvas, &frames);
    if let (Some(area), Some(rows_area), Some(seen)) = (list_area, rows_area, seen) {
        let columns = Columns::of(library, rows_area.width);
        let mut header = canvas.sub(pane::inner(area));
        header.text(1, 0, &columns.header(), Role::Dim);
        if tasks.rows().is_empty() {
            nothing(&tasks.nothing(library), &mut canvas.sub(rows_area));
        }
        list.draw(canvas, rows_area, seen, |at| {
            row(tasks, library, &columns, at)
        });
    }
    if let Some(area) = preview_area {
        let inner = pane::inner(area);
        let lines = tasks.preview(library);
        draw_preview(&lines, tasks.scroll.cursor, &mut canvas.sub(inner));
    }
}

/// Where the list and the preview lie. Narrow: the preview folds to two lines under the list.
fn layout(tasks: &Tasks, room: Room, body: Rect) -> (Option<Rect>, Option<Rect>) {
    let is_list = tasks.focus == Pane::List;
    let split = |upper: u16| {
        let upper = upper.min(body.height);
        (
            Some(Rect::new(0, 0, body.width, upper)),
            Some(Rect::new(
                0,
                upper.saturating_sub(1),
                body.width,
                (body.height + 1).saturating_sub(upper),
            )),
        )
    };
    match room {
        _ if tasks.zoomed && is_list => (Some(body), None),
        _ if tasks.zoomed => (None, Some(body)),
        Room::Single if is_list => (Some(body), None),
        Room::Single => (None, Some(body)),
        Room::Narrow if is_list => split(body.height.saturating_sub(3)),
        Room::Narrow => split(body.height / 2),
        Room::Wide => {
            let left = body.width * 13 / 20;
            (
                Some(Rect::new(0, 0, left, body.height)),
                Some(Rect::new(left, 0, body.width - left, body.height)),
            )
        }
    }
}

const fn below_header(inner: Rect) -> Rect {
    Rect::new(
        inner.x,
        inner.y + 1,
        inner.width,
        inner.height.saturating_sub(1),
    )
}

/// `Tasks 19 of 150`; the filter follows it.
fn title(tasks: &Tasks, library: &Library) -> String {
    let (shown, all) = (tasks.count(), library.tasks.len());
    if shown == all {
        format!("Tasks {all}")
    } else {
        format!("Tasks {shown} of {all}")
    }
}

fn nothing(words: &str, canvas: &mut Canvas<'_>) {
    let cols = usize::from(canvas.width().saturating_sub(2));
    for (y, line) in (0..canvas.height()).zip(text::wrap(words, cols)) {
        canvas.text(1, y, &line, Role::Dim);
    }
}

/// The widths of the columns before the instruction; 0 where a column is left out.
#[derive(Debug, Clone, Copy)]
struct Columns {
    id: usize,
    risks: usize,
    size: usize,
    goals: usize,
    check: usize,
    verdict: usize,
    runs: usize,
}

impl Columns {
    /// The columns that fit: they go from the right, the instruction stays.
    fn of(library: &Library, width: u16) -> Self {
        let ids = library.tasks.iter().map(|task| text::width(&task.id));
        let has_risks = library.tasks.iter().any(|task| !task.risks.is_empty());
        let mut columns = Self {
            id: ids.max().unwrap_or(0).clamp(4, 14),
            risks: if has_risks { 9 } else { 0 },
            size: 6,
            goals: 7,
            check: 5,
            verdict: 7,
            runs: 4,
        };
        let room = usize::from(width).saturating_sub(1 + INSTRUCTION);
        for drop in [
            |c: &mut Self| c.runs = 0,
            |c: &mut Self| c.verdict = 0,
            |c: &mut Self| c.check = 0,
            |c: &mut Self| c.goals = 0,
            |c: &mut Self| c.size = 0,
            |c: &mut Self| c.risks = 0,
        ] {
            if columns.sum() <= room {
                break;
            }
            drop(&mut columns);
        }
        columns
    }

    fn sum(&self) -> usize {
        let all = [
            self.id,
            self.risks,
            self.size,
            self.goals,
            self.check,
            self.verdict,
            self.runs,
        ];
        all.iter().filter(|w| **w > 0).map(|w| w + 1).sum()
    }

    fn header(&self) -> String {
        let mut line = String::new();
        for (width, word) in [
            (self.id, "id"),
            (self.risks, "risks"),
            (self.size, "size"),
            (self.goals, "goals"),
            (self.check, "check"),
            (self.verdict, "verdict"),
            (self.runs, "runs"),
        ] {
            if width > 0 {
                line.push_str(&text::pad(word, width));
                line.push(' ');
            }
        }
        line.push_str("instruction");
        line
    }
}

fn row(tasks: &Tasks, library: &Library, columns: &Columns, at: usize) -> Vec<Span> {
    let fault = |words: &str| vec![Span::new("! ", Role::Refused), Span::plain(words)];
    match tasks.rows().get(at) {
        Some(Row::Task(at)) => match library.tasks.get(*at) {
            Some(task) => match &task.fault {
                Some(words) => fault(words),
                None => cells(library, columns, task),
            },
            None => Vec::new(),
        },
        Some(Row::Problem(at)) => fault(library.problems.get(*at).map_or("", String::as_str)),
        None => Vec::new(),
    }
}

fn cells(library: &Library, columns: &Columns, task: &TaskRow) -> Vec<Span> {
    let (verdict, role) = match rows::verdict(library, task) {
        Some("accept") => ("accept", Role::Good),
        Some("fix") => ("fix", Role::Armed),
        Some(other) => (other, Role::Refused),
        None => ("–", Role::Dim),
    };
    let checked = library.checks.cell(&task.name());
    let runs = library.runs_of(&task.id).count();
    let mut spans = Vec::new();
    for (width, words, role) in [
        (columns.id, task.id.clone(), Role::Text),
        (columns.risks, rows::risks(task), Role::Text),
        (columns.size, rows::size(task).to_owned(), Role::Text),
        (columns.goals, rows::goals(task), Role::Text),
        (columns.check, checked.0, checked.1),
        (columns.verdict, verdict.to_owned(), role),
        (
            columns.runs,
            format!("{runs:>width$}", width = columns.runs),
            Role::Text,
        ),
    ] {
        if width > 0 {
            spans.push(Span::new(text::pad(&words, width), role));
            spans.push(Span::plain(" "));
        }
    }
    spans.push(Span::plain(task.instruction.clone()));
    spans
}

/// The preview: labels in a column of their own, long lines wrapped beside it.
fn draw_preview(lines: &[Line], from: usize, canvas: &mut Canvas<'_>) {
    let (width, height) = (usize::from(canvas.width()), canvas.height());
    if height <= FOLDED {
        for (y, words) in (0..height).zip(preview::folded(lines)) {
            canvas.fitted((1, y), canvas.width().saturating_sub(2), &words, Role::Text);
        }
        return;
    }
    let mut y = 0;
    for line in lines.iter().skip(from) {
        for (n, words) in wrapped(line, width).iter().enumerate() {
            if y >= height {
                return;
            }
            if n == 0 {
                canvas.text(1, y, line.label.unwrap_or_default(), Role::Dim);
            }
            let x = u16::try_from(1 + indent(line)).unwrap_or(u16::MAX);
            canvas.text(x, y, words, line.role);
            y += 1;
        }
    }
}

/// Columns before the words of a line.
const fn indent(line: &Line) -> usize {
    if line.label.is_some() { LABEL } else { 0 }
}

/// The words of a line in a preview of that width.
fn wrapped(line: &Line, width: usize) -> Vec<String> {
    text::wrap(&line.text, width.saturating_sub(indent(line) + 2))
}

/// Which lines of the preview are seen whole, `1–12/40`, where not all are.
fn corner(lines: &[Line], from: usize, inner: Rect) -> String {
    if inner.height <= FOLDED {
        return String::new();
    }
    let mut left = usize::from(inner.height);
    let mut end = from;
    for line in lines.iter().skip(from) {
        let Some(rest) = left.checked_sub(wrapped(line, usize::from(inner.width)).len()) else {
            break;
        };
        (left, end) = (rest, end + 1);
    }
    let seen = Seen {
        top: from,
        end,
        len: lines.len(),
    };
    seen.corner()
}
