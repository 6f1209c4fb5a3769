//! A new run: the rows of the form, what fits the row with the caret, the command that does the same.

use ratatui::layout::Rect;

use crate::app::layer::Overlaid as _;
use crate::app::overlays::launch::{Ask, Launch};
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::line::edit_line;
use crate::ui::widgets::pane::{Pane, panes};
use crate::ui::widgets::paragraph::paragraph;

/// Columns of the labels.
const LABEL: u16 = 15;

/// Draws the overlay.
pub(super) fn draw(launch: &Launch, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let frame = Pane::new(canvas.area(), launch.heading(), true);
    let inner = frame.inner();
    panes(canvas, &[frame]);
    let mut canvas = canvas.sub(inner);
    let (width, height) = (canvas.width(), canvas.height());
    let room = width.saturating_sub(2);
    let lines = Rect::new(1, 0, room, height);
    let library = &view.shared.library;
    let mut y = 0;
    match &launch.ask {
        Ask::Form(fields) => {
            for (at, field) in fields.iter().enumerate() {
                let here = at == launch.row;
                let role = if here { Role::Title } else { Role::Dim };
                canvas.fitted((1, y), LABEL, field.label, role);
                let x = 1 + LABEL;
                if here {
                    edit_line(&mut canvas, (x, y), width.saturating_sub(x), &field.line);
                } else {
                    let words = field.line.text();
                    canvas.fitted((x, y), width.saturating_sub(x), &words, Role::Text);
                }
                y += 1;
            }
            y = match launch.wanted(library) {
                Ok(_) => {
                    let command = launch.command(library).unwrap_or_default();
                    paragraph(&mut canvas, lines, y + 1, &command, Role::CodeName)
                }
                Err(why) => paragraph(&mut canvas, lines, y + 1, &why, Role::Armed),
            };
        }
        Ask::Sure(_, about) => {
            for words in about {
                y = paragraph(&mut canvas, lines, y, words, Role::Text);
            }
        }
    }
    if let Some(fault) = &launch.fault {
        y = paragraph(&mut canvas, lines, y, fault, Role::Refused);
    }
    let fits = launch.fits(library);
    let names = fits.iter().map(|(id, _)| text::width(id));
    let name = names.max().unwrap_or(0).min(24) + 2;
    y += 1;
    for (id, what) in &fits {
        if y >= height {
            break;
        }
        let cut = text::fit(id, name - 2);
        let spans = [
            Span::new(text::pad(&cut, name), Role::Text),
            Span::new(what.clone(), Role::Dim),
        ];
        canvas.spans((1, y), room, &spans);
        y += 1;
    }
}
