//! Help: headings and rows of keys, the word, the sentence.

use crate::app::layer::Overlaid;
use crate::app::overlays::help::{Help, Row};
use crate::app::role::Role;
use crate::base::text;
use crate::ui::View;
use crate::ui::canvas::{Canvas, Span};
use crate::ui::widgets::list::ListView;
use crate::ui::widgets::pane::{Pane, panes};

/// Columns for the keys.
const KEYS: usize = 16;

/// Columns for the word.
const WORD: usize = 18;

/// Draws help.
pub(super) fn draw(help: &Help, view: &View<'_>, canvas: &mut Canvas<'_>) {
    let rows = help.rows();
    let frame = Pane::new(canvas.area(), help.heading(), true).filtered(&help.filter);
    let list = ListView {
        name: "help",
        cursor: help.list.cursor,
        len: rows.len(),
        focused: true,
    };
    let inner = frame.inner();
    let seen = list.seen(view, inner.height);
    panes(canvas, &[frame.corner(seen.corner())]);
    list.draw(canvas, inner, seen, |index| {
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
