//! Plans of a file without a council: BLUE's left, RED's right, the figures of the one under the cursor and what the file
//! is about below them. In narrow rooms the panes lie above each other.

use ratatui::layout::Rect;

use crate::app::arena::plans::FIGURES;
use crate::app::overlays::computed::Row;
use crate::app::role::Role;
use crate::app::screens::council::plans::Shown;
use crate::app::screens::council::{Councils, Pane};
use crate::base::figures::figure;
use crate::base::text;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::overlays::computed::row_spans;
use crate::ui::widgets::list::{ListView, Seen};
use crate::ui::widgets::pane::{self, panes};
use crate::ui::widgets::paragraph::paragraph;
use crate::ui::{Room, View};

/// Columns of a figure.
const FIGURE: usize = 6;

/// Draws the screen.
pub(super) fn draw(councils: &Councils, shown: &Shown, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let body = canvas.area();
    let frames = layout(councils, view, body);
    let (figures, about) = (shown.figures(), shown.plans.about());
    let listed = |pane: Pane, height: u16| list(councils, shown, view, (pane, height));
    let framed: Vec<pane::Pane> = frames
        .iter()
        .map(|(pane, area)| {
            let focused = view.focused && *pane == councils.focus;
            let title = match pane {
                Pane::Blue => format!("BLUE {} plans", shown.plans.blue.len()),
                Pane::Red => format!("RED {} plans", shown.plans.red.len()),
                Pane::Aside => format!("Figures of {}", text::fit(shown.id(), 40)),
                Pane::Scenarios => "File".to_owned(),
            };
            let frame = pane::Pane::new(*area, title, focused);
            let seen = listed(*pane, frame.inner().height).1;
            frame.corner(seen.corner())
        })
        .collect();
    panes(canvas, &framed);
    for ((pane, _), frame) in frames.iter().zip(&framed) {
        let inner = frame.inner();
        match pane {
            Pane::Blue => side(councils, shown, view, (Pane::Blue, inner), canvas),
            Pane::Red => side(councils, shown, view, (Pane::Red, inner), canvas),
            Pane::Aside => rows(listed(Pane::Aside, inner.height), &figures, inner, canvas),
            Pane::Scenarios => rows(listed(Pane::Scenarios, inner.height), &about, inner, canvas),
        }
    }
}

fn layout(councils: &Councils, view: &View<'_>, body: Rect) -> Vec<(Pane, Rect)> {
    if councils.zoomed || view.room == Room::Single {
        return vec![(councils.focus, body)];
    }
    if view.room == Room::Wide {
        let left = body.width / 2;
        let upper = (body.height / 2).max(6).min(body.height);
        let lower = body.height + 1 - upper;
        let right = body.width - left;
        return vec![
            (Pane::Blue, Rect::new(0, 0, left, upper)),
            (Pane::Red, Rect::new(left, 0, right, upper)),
            (Pane::Aside, Rect::new(0, upper - 1, left, lower)),
            (Pane::Scenarios, Rect::new(left, upper - 1, right, lower)),
        ];
    }
    let order = [Pane::Blue, Pane::Red, Pane::Aside, Pane::Scenarios];
    super::super::stacked(body, &order, councils.focus, |_| 4)
}

/// The list of a pane in a window of that height.
fn list(
    councils: &Councils,
    shown: &Shown,
    view: &View<'_>,
    (pane, height): (Pane, u16),
) -> (ListView, Seen) {
    let (name, cursor, len) = match pane {
        Pane::Blue => ("plans.blue", shown.blue.cursor, shown.plans.blue.len()),
        Pane::Red => ("plans.red", shown.red.cursor, shown.plans.red.len()),
        Pane::Aside => ("plans.figures", shown.side.cursor, shown.figures().len()),
        Pane::Scenarios => ("plans.about", shown.about.cursor, shown.plans.about().len()),
    };
    let head = match pane {
        Pane::Blue | Pane::Red => u16::from(height > 2),
        _ => 0,
    };
    let list = ListView {
        name,
        cursor,
        len,
        focused: view.focused && councils.focus == pane,
    };
    let seen = list.seen(view, height - head);
    (list, seen)
}

/// The plans of a side.
fn side(
    councils: &Councils,
    shown: &Shown,
    view: &View<'_>,
    (pane, area): (Pane, Rect),
    canvas: &mut Canvas<'_>,
) {
    let all = if pane == Pane::Blue {
        &shown.plans.blue
    } else {
        &shown.plans.red
    };
    if all.is_empty() {
        paragraph(canvas, area, 0, " no plan of this side", Role::Dim);
        return;
    }
    let (list, seen) = list(councils, shown, view, (pane, area.height));
    let head = u16::from(area.height > 2);
    let name = usize::from(area.width).saturating_sub(FIGURE * FIGURES.len() + 7);
    if head > 0 {
        let mut spans = vec![Span::new(text::pad("plan", name + 1), Role::Dim)];
        let heads = FIGURES.iter();
        spans.extend(heads.map(|(word, _)| Span::new(format!("{word:>FIGURE$}"), Role::Dim)));
        canvas.spans((area.x + 1, area.y), area.width.saturating_sub(1), &spans);
    }
    let body = Rect {
        y: area.y + head,
        height: area.height - head,
        ..area
    };
    list.draw(canvas, body, seen, |row| {
        let at = all.get(row).copied();
        let Some((at, (entry, w))) = at.and_then(|at| Some((at, shown.plans.get(at)?))) else {
            return Vec::new();
        };
        let words = format!("{}{}", shown.plans.sign(at), entry.id);
        let cut = text::fit_middle(&words, name);
        let role = if pane == Pane::Blue {
            Role::SideBlue
        } else {
            Role::SideRed
        };
        let mut spans = vec![Span::new(text::pad(&cut, name + 1), role)];
        spans.extend(
            FIGURES
                .iter()
                .map(|(_, name)| Span::plain(format!("{:>FIGURE$}", figure(w.get(name), 3)))),
        );
        let differs = shown.plans.differs(at);
        if differs > 0 {
            spans.push(Span::new(format!(" ≠{differs}"), Role::Bad));
        }
        spans
    });
}

fn rows((list, seen): (ListView, Seen), rows: &[Row], area: Rect, canvas: &mut Canvas<'_>) {
    let labels = rows.iter().map(|row| text::width(&row.label));
    let label = labels.max().unwrap_or(0) + 1;
    let width = usize::from(area.width.saturating_sub(2));
    list.draw(canvas, area, seen, |at| {
        rows.get(at)
            .map_or_else(Vec::new, |row| row_spans(row, label, width))
    });
}
