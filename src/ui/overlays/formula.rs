//! How a number comes about: the sentences above, the runs that count below.

use ratatui::layout::Rect;

use crate::app::layer::Overlaid as _;
use crate::app::overlays::formula::{Formula, adds};
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};
use crate::ui::widgets::paragraph::paragraph;

/// Rows that the runs are left at least.
const RUNS: u16 = 3;

/// Draws the overlay.
pub(super) fn draw(formula: &Formula, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let shares = &formula.numbers.shares;
    let frame = Pane::new(canvas.area(), formula.heading(), true);
    let inner = frame.inner();
    panes(canvas, &[frame]);
    let mut canvas = canvas.sub(inner);
    let (width, height) = (canvas.width(), canvas.height());
    let most = if shares.is_empty() {
        height
    } else {
        height.saturating_sub(RUNS)
    };
    let area = Rect::new(1, 0, width.saturating_sub(2), most);
    let mut y = 0;
    for (at, line) in formula.numbers.lines.iter().enumerate() {
        if y < most {
            let role = if at == 0 { Role::Title } else { Role::Text };
            y = paragraph(&mut canvas, area, y, line, role);
        }
    }
    if shares.is_empty() {
        return;
    }
    let below = (y + 1).min(height);
    let list = ListView {
        name: "formula",
        cursor: formula.list.cursor,
        len: shares.len(),
        focused: true,
    };
    let tasks = shares.iter().map(|share| text::width(&share.task));
    let task = tasks.max().unwrap_or(0).min(24) + 2;
    let area = Rect::new(0, below, width, height - below);
    list.draw(&mut canvas, area, list.seen(view, area.height), |at| {
        shares.get(at).map_or_else(Vec::new, |share| {
            let role = match (share.n, share.of) {
                (_, None) => Role::Text,
                (n, Some(of)) if n == of => Role::Good,
                (0, _) => Role::Refused,
                _ => Role::Armed,
            };
            vec![
                Span::new(format!("{:>6}  ", adds(share)), role),
                Span::plain(text::pad(&text::fit(&share.task, task - 2), task)),
                Span::new(share.words.clone(), Role::Dim),
            ]
        })
    });
}
