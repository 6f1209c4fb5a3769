//! Home: go on, tasks, runs.

use ratatui::layout::Rect;

use crate::app::library::{Library, Loading};
use crate::app::role::Role;
use crate::app::screens::home::{Home, PANES, Pane, Row};
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

/// Draws Home.
pub(super) fn draw(home: &Home, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let areas = layout(canvas.area(), view.room, home.focus());
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
        frames.push(frame.corner(seen.corner()));
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

const fn name(pane: Pane) -> &'static str {
    match pane {
        Pane::GoOn => "home.go-on",
        Pane::Tasks => "home.tasks",
        Pane::Runs => "home.runs",
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
    }
}

fn empty(pane: Pane, library: &Library) -> String {
    match (&library.loading, pane) {
        (Loading::Running, _) => "reading …".to_owned(),
        (Loading::Failed(reason), _) => reason.clone(),
        (Loading::Done, Pane::GoOn) => "nothing yet: open a task".to_owned(),
        (Loading::Done, Pane::Tasks) => "no tasks here".to_owned(),
        (Loading::Done, Pane::Runs) if library.runs_fault.is_some() => {
            library.runs_fault.clone().unwrap_or_default()
        }
        (Loading::Done, Pane::Runs) => "no runs yet: play a task and it is kept here".to_owned(),
    }
}

/// Where the panes lie. One column in narrow rooms: go on whole, the others one line each; the focused
/// one takes what is left.
fn layout(body: Rect, room: Room, focus: Pane) -> Vec<(Pane, Rect)> {
    match room {
        Room::Single => vec![(focus, body)],
        Room::Narrow => {
            let folded = 3;
            let mut y = body.y;
            let mut areas = Vec::new();
            for pane in PANES {
                let is_open = pane == focus;
                let others = u16::try_from(PANES.len() - 1).unwrap_or(0) * (folded - 1);
                let height = if is_open {
                    body.height.saturating_sub(others)
                } else {
                    folded
                };
                areas.push((pane, Rect::new(body.x, y, body.width, height)));
                y += height.saturating_sub(1);
            }
            areas
        }
        Room::Wide => {
            let left = body.width * 2 / 3;
            let upper = body.height / 2;
            vec![
                (Pane::GoOn, Rect::new(0, 0, left, upper)),
                (
                    Pane::Tasks,
                    Rect::new(left, 0, body.width - left, body.height),
                ),
                (
                    Pane::Runs,
                    Rect::new(0, upper - 1, left, body.height - upper + 1),
                ),
            ]
        }
    }
}
