//! Help: headings and rows of keys, the word, the sentence.

use crate::app::layer::Overlaid;
use crate::app::overlays::help::{Help, Row};
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::line::edit_line;
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};

/// Columns for the keys.
const KEYS: usize = 16;

/// Columns for the word.
const WORD: usize = 18;

/// Draws help.
pub(super) fn draw(help: &Help, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let rows = help.rows();
    let frame = Pane::new(canvas.area(), help.heading(), true);
    let list = ListView {
        name: "help",
        cursor: help.list.cursor,
        len: rows.len(),
        focused: true,
    };
    let seen = list.seen(view, frame.inner().height);
    panes(canvas, &[frame.clone().corner(seen.corner())]);
    if help.editing || !help.filter.is_empty() {
        let x = u16::try_from(text::width(&help.heading()) + 4).unwrap_or(0);
        let x = canvas.text(x, 0, " /", Role::Key);
        if help.editing {
            edit_line(canvas, (x, 0), 30, &help.filter);
        } else {
            canvas.fitted((x, 0), 30, &help.filter.text(), Role::Text);
        }
    }
    list.draw(canvas, frame.inner(), seen, |index| {
        rows.get(index).map_or_else(Vec::new, |row| spans(row))
    });
}

fn spans(row: &Row) -> Vec<Span> {
    match row {
        Row::Heading(words) => vec![Span::new(words.clone(), Role::Title)],
        Row::Sign(glyph) => vec![
            Span::new(text::pad(&format!("  {}", glyph.sign), KEYS), Role::Text),
            Span::plain(glyph.word),
        ],
        Row::Word(word, doc) => {
            vec![
                Span::new(text::pad(&format!("  {word}"), KEYS), Role::Key),
                Span::plain(doc.clone()),
            ]
        }
        Row::Command(row) => {
            let (role, doc) = match row.available.reason() {
                None => (Role::Text, row.doc.to_owned()),
                Some(why) => (Role::Dim, format!("not now: {why}")),
            };
            vec![
                Span::new(
                    text::pad(&format!("  {}", row.keys.join(" ")), KEYS),
                    Role::Key,
                ),
                Span::new(text::pad(&row.title, WORD), role),
                Span::new(doc, role),
            ]
        }
    }
}
