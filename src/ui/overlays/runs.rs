//! The runs of one task.

use crate::app::layer::Overlaid as _;
use crate::app::overlays::runs::{Runs, standing};
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};

/// Draws the list.
pub(super) fn draw(runs: &Runs, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let rows = runs.rows(&view.shared.library);
    let title = format!("{}  {}", runs.heading(), rows.len());
    let frame = Pane::new(canvas.area(), title, true);
    let list = ListView {
        name: "runs",
        cursor: runs.list.cursor,
        len: rows.len(),
        focused: true,
    };
    let inner = frame.inner();
    let seen = list.seen(view, inner.height);
    panes(canvas, &[frame.corner(seen.corner())]);
    list.draw(canvas, inner, seen, |at| {
        let Some(run) = rows.get(at) else {
            return Vec::new();
        };
        let role = match (run.fault.is_some(), run.succeeds(), run.is_safe()) {
            (true, _, _) => Role::Refused,
            (_, true, true) => Role::Good,
            (_, true, false) => Role::Armed,
            _ => Role::Text,
        };
        let verdict = run
            .verdict
            .as_ref()
            .map_or("–", |verdict| verdict.judgement.id());
        vec![
            Span::plain(text::pad(&run.tail, 8)),
            Span::plain(text::pad(&run.agent, 14)),
            Span::plain(text::pad(&run.when(), 17)),
            Span::plain(text::pad(&steps(run.steps), 12)),
            Span::plain(text::pad(&run.state, 8)),
            Span::plain(text::pad(verdict, 7)),
            Span::new(standing(run), role),
        ]
    });
}

fn steps(count: usize) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} step{ending}")
}
