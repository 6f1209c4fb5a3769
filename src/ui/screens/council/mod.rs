//! Council (the arena, faithful): BLUE's candidates left, RED's replies and what is said of them right, the scenarios below. In narrow
//! rooms the panes lie above each other, those without the keys folded to their most important rows.

use ratatui::layout::Rect;

use crate::app::overlays::computed::Row;
use crate::app::role::Role;
use crate::app::screens::council::{Aside, Councils, Pane, Stage, words};
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::overlays::computed::row_spans;
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

mod blue;
mod curve;
mod plans;

/// Rows of a folded pane, its lower border left out.
const fn folded(pane: Pane) -> u16 {
    match pane {
        Pane::Scenarios | Pane::Red => 2,
        Pane::Blue | Pane::Aside => 4,
    }
}

/// Draws the screen.
pub(super) fn draw(councils: &Councils, view: &View<'_>, canvas: &mut Canvas<'_>) {
    if let Some(shown) = &councils.plans {
        return plans::draw(councils, shown, view, canvas);
    }
    let body = canvas.area();
    if councils.played().is_none() {
        return waiting(councils, view, canvas);
    }
    let frames = layout(councils, view, body);
    let framed: Vec<pane::Pane> = frames
        .iter()
        .map(|(pane, area)| {
            let focused = view.focused && *pane == councils.focus;
            let frame = pane::Pane::new(*area, title(councils, *pane), focused);
            let (_, seen) = list(councils, view, *pane, frame.inner().height);
            let frame = frame.corner(seen.corner());
            if *pane == Pane::Scenarios {
                frame.filtered(&councils.filter)
            } else {
                frame
            }
        })
        .collect();
    panes(canvas, &framed);
    for ((pane, _), frame) in frames.iter().zip(&framed) {
        let inner = frame.inner();
        match pane {
            Pane::Scenarios => scenarios(councils, view, inner, canvas),
            Pane::Blue => blue::draw(councils, view, inner, canvas),
            Pane::Red => red(councils, view, inner, canvas),
            Pane::Aside => aside(councils, view, inner, canvas),
        }
    }
}

/// Before there is anything to show, or instead of it.
fn waiting(councils: &Councils, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let frame = pane::Pane::new(canvas.area(), "Council", view.focused);
    let inner = frame.inner();
    panes(canvas, &[frame]);
    let area = Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        ..inner
    };
    match &councils.stage {
        Stage::Failed(reason) => {
            let y = paragraph(canvas, area, 0, reason, Role::Refused);
            paragraph(canvas, area, y + 1, "q leaves; g a shows all", Role::Dim);
        }
        Stage::Done(_) => {
            paragraph(
                canvas,
                area,
                0,
                "no scenario: Esc clears the filter",
                Role::Dim,
            );
        }
        _ => {
            paragraph(canvas, area, 0, &councils.progress(), Role::Dim);
        }
    }
}

/// Where the panes lie.
fn layout(councils: &Councils, view: &View<'_>, body: Rect) -> Vec<(Pane, Rect)> {
    if councils.zoomed || view.room == Room::Single {
        return vec![(councils.focus, body)];
    }
    // A heading, the candidates, what is said of them.
    let council = councils.council().map_or(0, |c| c.candidates.len());
    let upper = u16::try_from(council + 5).unwrap_or(u16::MAX);
    if view.room == Room::Wide {
        let left = (body.width * 3 / 5).max(70).min(body.width);
        let upper = upper.min(body.height.saturating_sub(4));
        let red = u16::try_from(councils.replies().len() + 5).unwrap_or(u16::MAX);
        let red = red.min(body.height / 2);
        let right = |y: u16, height: u16| Rect::new(left, y, body.width - left, height);
        return vec![
            (Pane::Blue, Rect::new(0, 0, left, upper)),
            (
                Pane::Scenarios,
                Rect::new(0, upper - 1, left, body.height + 1 - upper),
            ),
            (Pane::Red, right(0, red)),
            (Pane::Aside, right(red - 1, body.height + 1 - red)),
        ];
    }
    let order = [Pane::Scenarios, Pane::Blue, Pane::Red, Pane::Aside];
    super::stacked(body, &order, councils.focus, folded)
}

fn title(councils: &Councils, pane: Pane) -> String {
    match pane {
        Pane::Scenarios => {
            let all = councils.study().map_or(0, |s| s.played.len());
            let shown = councils.order().len();
            if shown == all {
                format!("Scenarios {all}")
            } else {
                format!("Scenarios {shown} of {all}")
            }
        }
        Pane::Blue => blue::title(councils),
        Pane::Red => councils.red_title(),
        Pane::Aside => councils.aside_title(),
    }
}

/// The list of a pane in a window of that height, and what is seen of it.
fn list(
    councils: &Councils,
    view: &View<'_>,
    pane: Pane,
    height: u16,
) -> (ListView, crate::ui::widgets::list::Seen) {
    let (name, cursor, len, height) = match pane {
        Pane::Scenarios => (
            "council.scenarios",
            councils.row(),
            councils.order().len(),
            height,
        ),
        Pane::Blue => {
            let ranking = councils.ranking();
            let row = ranking
                .iter()
                .position(|at| *at == councils.at())
                .unwrap_or(0);
            let rows = blue::rows(height, ranking.len());
            ("council.blue", row, ranking.len(), rows)
        }
        Pane::Red => (
            "council.red",
            councils.reply(),
            councils.replies().len(),
            height,
        ),
        Pane::Aside => (
            "council.aside",
            councils.side(),
            councils.aside_rows().len(),
            height,
        ),
    };
    let list = ListView {
        name,
        cursor,
        len,
        focused: view.focused && councils.focus == pane,
    };
    let seen = list.seen(view, height);
    (list, seen)
}

/// The scenarios: whom each council selected, how that ends.
fn scenarios(councils: &Councils, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let (list, seen) = list(councils, view, Pane::Scenarios, area.height);
    let Some(study) = councils.study() else {
        return;
    };
    if councils.order().is_empty() {
        paragraph(
            canvas,
            area,
            0,
            "no scenario fits: Esc shows all",
            Role::Dim,
        );
        return;
    }
    list.draw(canvas, area, seen, |row| {
        let place = councils.order().get(row);
        let Some(p) = place.and_then(|at| study.played.get(*at)) else {
            return Vec::new();
        };
        vec![Span::plain(words::scenario(p))]
    });
}

/// RED's replies, then what is to be known about RED.
fn red(councils: &Councils, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let rows = councils.replies();
    let best = councils.candidate().map_or(0, |c| c.red);
    // Folded to one row it is the strongest that is shown.
    if area.height < 2 && councils.focus != Pane::Red {
        let width = usize::from(area.width.saturating_sub(3));
        let spans = rows.get(best).map(|row| row_spans(row, 5, width));
        canvas.spans((area.x + 1, area.y), area.width, &spans.unwrap_or_default());
        return;
    }
    let below = rows_of((Pane::Red, &rows), councils, view, area, canvas);
    let area = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let mut y = below;
    for note in councils.red_notes() {
        if y < area.height {
            y = paragraph(canvas, area, y, &note, Role::Dim);
        }
    }
}

/// Why, the critic, or the budget curve with its plot.
fn aside(councils: &Councils, view: &View<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let rows = councils.aside_rows();
    let below = rows_of((Pane::Aside, &rows), councils, view, area, canvas);
    let rest = Rect {
        x: area.x + 1,
        y: area.y + below + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(below + 1),
    };
    match councils.aside {
        Aside::Budget if rest.height >= 5 => curve::draw(&councils.curve(), &mut canvas.sub(rest)),
        Aside::Critic if rest.height > 1 && view.focused && councils.focus == Pane::Aside => {
            // The doubt under the cursor is told whole where its row was cut.
            if let Some(row) = rows.get(councils.side()) {
                let y = paragraph(canvas, rest, 0, &row.text, Role::Text);
                paragraph(canvas, rest, y, "Enter shows the figures", Role::Dim);
            }
        }
        _ => {}
    }
}

/// Draws rows in a pane; the row after the last.
fn rows_of(
    (pane, rows): (Pane, &[Row]),
    councils: &Councils,
    view: &View<'_>,
    area: Rect,
    canvas: &mut Canvas<'_>,
) -> u16 {
    let labels = rows.iter().map(|row| text::width(&row.label));
    let label = labels.max().unwrap_or(0) + 1;
    let width = usize::from(area.width.saturating_sub(2));
    let (list, seen) = list(councils, view, pane, area.height);
    list.draw(canvas, area, seen, |at| {
        rows.get(at)
            .map_or_else(Vec::new, |row| row_spans(row, label, width))
    });
    u16::try_from(seen.end.saturating_sub(seen.top)).unwrap_or(u16::MAX)
}
