//! Home: go on, tasks, runs, arenas.

use ratatui::layout::Rect;

use crate::app::library::{Library, Loading};
use crate::app::role::Role;
use crate::app::screens::home::{Home, PANES, Pane, Row};
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

/// The height of a folded pane, borders included.
const FOLDED: u16 = 3;

/// Draws Home.
pub(super) fn draw(home: &Home, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let areas = layout(canvas.area(), view, home.focus());
    let mut frames = Vec::new();
    let mut lists = Vec::new();
    for (pane, area) in areas {
        let focused = view.focused && home.focus() == pane;
        let rows = Home::rows(pane, view.shared);
        let frame = pane::Pane::new(area, title(pane, view), focused);
        let cursor = home.cursor(pane).min(rows.len().saturating_sub(1));
        let list = ListView {
            name: name(pane),
            cursor,
            len: rows.len(),
            focused,
        };
        let seen = list.seen(view, frame.inner().height);
        let corner = if area.height > FOLDED {
            seen.corner()
        } else {
            String::new()
        };
        frames.push(frame.corner(corner));
        lists.push((pane, list, seen, rows));
    }
    panes(canvas, &frames);
    for (frame, (pane, list, seen, rows)) in frames.iter().zip(&lists) {
        if rows.is_empty() {
            let words = empty(*pane, &view.shared.library);
            let inner = frame.inner();
            let width = inner.width.saturating_sub(1);
            let area = Rect::new(inner.x + 1, inner.y, width, inner.height);
            paragraph(canvas, area, 0, &words, Role::Dim);
            continue;
        }
        let width = rows
            .iter()
            .map(|row| row.word.chars().count())
            .max()
            .unwrap_or(0)
            .min(32);
        if frame.inner().height == 1 && rows.len() > 1 {
            let inner = frame.inner();
            let words: Vec<String> = rows.iter().map(folded).collect();
            let mut row = canvas.sub(inner);
            row.fitted(
                (1, 0),
                inner.width.saturating_sub(1),
                &words.join(" · "),
                Role::Text,
            );
            continue;
        }
        list.draw(canvas, frame.inner(), *seen, |index| {
            rows.get(index)
                .map_or_else(Vec::new, |row| spans(row, width))
        });
    }
}

fn spans(row: &Row, width: usize) -> Vec<Span> {
    vec![
        Span::new(crate::base::text::pad(&row.word, width), Role::Text),
        Span::plain("  "),
        Span::new(row.text.clone(), Role::Text),
    ]
}

/// A row in a few words, for a pane of one line.
fn folded(row: &Row) -> String {
    let text: Vec<&str> = row.text.split_whitespace().collect();
    format!("{} {}", row.word, text.join(" "))
}

const fn name(pane: Pane) -> &'static str {
    match pane {
        Pane::GoOn => "home.go-on",
        Pane::Tasks => "home.tasks",
        Pane::Runs => "home.runs",
        Pane::Arenas => "home.arenas",
    }
}

fn title(pane: Pane, view: &View<'_>) -> String {
    let library = &view.shared.library;
    let count = |n: usize| match library.loading {
        Loading::Running => "…".to_owned(),
        _ => n.to_string(),
    };
    match pane {
        Pane::GoOn => "Go on".to_owned(),
        Pane::Tasks => format!("Tasks {}", count(library.tasks.len())),
        Pane::Runs => format!("Runs {}", count(library.runs.len())),
        Pane::Arenas => format!("Arenas {}", count(library.arenas.len())),
    }
}

fn empty(pane: Pane, library: &Library) -> String {
    match (&library.loading, pane) {
        (Loading::Running, _) => "reading …".to_owned(),
        (Loading::Failed(reason), _) => reason.clone(),
        (Loading::Done, Pane::GoOn) => "nothing yet: open a task".to_owned(),
        (Loading::Done, Pane::Tasks) => "no tasks here".to_owned(),
        (Loading::Done, Pane::Arenas) => {
            "none kept: a on a task holds one, Ctrl-S there keeps it".to_owned()
        }
        (Loading::Done, Pane::Runs) if library.runs_fault.is_some() => {
            library.runs_fault.clone().unwrap_or_default()
        }
        (Loading::Done, Pane::Runs) => "no runs yet: play a task and it is kept here".to_owned(),
    }
}

/// Where the panes lie. Go on is as high as its rows need; in narrow rooms the others are one line each
/// and the focused one takes what is left.
fn layout(body: Rect, view: &View<'_>, focus: Pane) -> Vec<(Pane, Rect)> {
    let rows = Home::rows(Pane::GoOn, view.shared).len();
    let whole = u16::try_from(rows.max(2) + 2).unwrap_or(body.height);
    match view.room {
        Room::Single => vec![(focus, body)],
        Room::Narrow => {
            let height = |pane: Pane| {
                if pane == Pane::GoOn {
                    whole.min(8)
                } else {
                    FOLDED
                }
            };
            // Neighbours share a border line.
            let others: u16 = PANES
                .iter()
                .filter(|p| **p != focus)
                .map(|p| height(*p) - 1)
                .sum();
            let mut y = body.y;
            let mut areas = Vec::new();
            for pane in PANES {
                let open = body.height.saturating_sub(others);
                let height = if pane == focus { open } else { height(pane) };
                areas.push((pane, Rect::new(body.x, y, body.width, height)));
                y += height.saturating_sub(1);
            }
            areas
        }
        Room::Wide => {
            let left = body.width * 2 / 3;
            let upper = whole.clamp(6, (body.height / 2).max(6));
            let arenas = Home::rows(Pane::Arenas, view.shared).len();
            let arenas = u16::try_from(arenas.max(1) + 2).unwrap_or(body.height);
            let arenas = arenas.clamp(4, (body.height / 3).max(4)).min(body.height);
            let right = |y: u16, height: u16| Rect::new(left, y, body.width - left, height);
            let tasks = body.height.saturating_sub(arenas) + 1;
            let lower = Rect::new(0, upper - 1, left, body.height - upper + 1);
            vec![
                (Pane::GoOn, Rect::new(0, 0, left, upper)),
                (Pane::Tasks, right(0, tasks)),
                (Pane::Runs, lower),
                (Pane::Arenas, right(tasks - 1, arenas)),
            ]
        }
    }
}
