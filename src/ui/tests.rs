//! The canvas and the windows of lists.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::theme::Theme;
use super::{ViewCache, Window, dump};
use crate::app::role::Role;
use crate::app::state::{Colours, Symbols};

/// What a small canvas shows after something was drawn on it.
fn shown(w: u16, h: u16, symbols: Symbols, draw: impl FnOnce(&mut Canvas<'_>)) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, w, h));
    let theme = Theme::shipped(Colours::Ansi16);
    let mut canvas = Canvas::new(&mut buffer, &theme, symbols);
    draw(&mut canvas);
    canvas.finish();
    dump::text(&buffer)
}

fn line(w: u16, draw: impl FnOnce(&mut Canvas<'_>)) -> String {
    shown(w, 1, Symbols::Unicode, draw)
        .trim_end_matches('\n')
        .to_owned()
}

#[test]
fn text_is_clipped_and_never_torn() {
    assert_eq!(
        line(5, |c| _ = c.text(0, 0, "microwave", Role::Text)),
        "micro"
    );
    assert_eq!(line(4, |c| _ = c.text(0, 0, "日本語", Role::Text)), "日本");
    assert_eq!(line(3, |c| _ = c.text(0, 0, "日本語", Role::Text)), "日");
    assert_eq!(line(1, |c| _ = c.text(0, 0, "日", Role::Text)), "");
    assert_eq!(
        line(9, |c| _ = c.text(2, 0, "a\u{1b}b", Role::Text)),
        "  a␛b"
    );
    assert_eq!(
        line(5, |c| _ = c.fitted((0, 0), 4, "microwave", Role::Text)),
        "mic…"
    );
    assert_eq!(
        line(9, |c| _ = c.right(9, 0, "end", Role::Text)),
        "      end"
    );
}

#[test]
fn overwriting_half_a_wide_character_blanks_the_other() {
    let over = |x: u16| {
        line(6, move |c| {
            c.text(0, 0, "a日本", Role::Text);
            c.text(x, 0, "-", Role::Text);
        })
    };
    assert_eq!(over(1), "a- 本");
    assert_eq!(over(2), "a -本");
    assert_eq!(over(3), "a日-");
    let wide = line(6, |c| {
        c.text(0, 0, "日本", Role::Text);
        c.text(1, 0, "語", Role::Text);
    });
    assert_eq!(wide, " 語");
}

#[test]
fn a_part_cannot_be_left() {
    let text = shown(6, 3, Symbols::Unicode, |c| {
        let mut part = c.sub(Rect::new(1, 1, 3, 1));
        part.text(0, 0, "abcdef", Role::Text);
        part.text(0, 1, "below", Role::Text);
        part.sub(Rect::new(2, 0, 9, 9))
            .text(0, 0, "xyz", Role::Text);
        part.sub(Rect::new(7, 7, 9, 9))
            .text(0, 0, "gone", Role::Text);
        c.sub(Rect::new(u16::MAX, u16::MAX, u16::MAX, u16::MAX))
            .text(3, 3, "far", Role::Text);
        c.text(u16::MAX, 0, "far", Role::Text);
    });
    assert_eq!(text, "\n abx\n\n");
}

#[test]
fn borders_join_where_they_meet() {
    let text = shown(9, 5, Symbols::Unicode, |c| {
        c.border(Rect::new(0, 0, 4, 3), Role::Border);
        c.border(Rect::new(4, 0, 5, 3), Role::Border);
        c.border(Rect::new(0, 2, 9, 3), Role::BorderFocus);
    });
    assert_eq!(
        text,
        "┌──┐┌───┐\n│  ││   │\n├──┴┴───┤\n│       │\n└───────┘\n"
    );
    let ascii = shown(4, 3, Symbols::Ascii, |c| {
        c.border(Rect::new(0, 0, 4, 3), Role::Border);
    });
    assert_eq!(ascii, "+--+\n|  |\n+--+\n");
}

#[test]
fn empty_canvases_are_fine() {
    for (w, h) in [(0, 0), (0, 3), (3, 0), (1, 1)] {
        shown(w, h, Symbols::Ascii, |c| {
            c.text(0, 0, "日x", Role::Text);
            c.fitted((0, 0), 9, "text", Role::Text);
            c.right(9, 0, "text", Role::Text);
            c.border(Rect::new(0, 0, 9, 9), Role::Border);
            c.clear(Rect::new(0, 0, 9, 9));
            c.restyle(Rect::new(0, 0, 9, 9), Role::Cursor);
        });
    }
}

#[test]
fn windows_follow_the_cursor_with_context() {
    let cache = ViewCache::default();
    let top = |cursor| {
        cache.top(
            1,
            "list",
            Window {
                cursor,
                len: 100,
                height: 10,
            },
        )
    };
    assert_eq!(top(0), 0);
    assert_eq!(top(6), 0);
    assert_eq!(top(7), 1, "three rows of context below");
    assert_eq!(top(99), 90);
    assert_eq!(top(93), 90);
    assert_eq!(top(92), 89, "three rows of context above");
    assert_eq!(top(500), 90);
    assert_eq!(
        cache.top(
            2,
            "list",
            Window {
                cursor: 0,
                len: 0,
                height: 10
            }
        ),
        0
    );
    assert_eq!(
        cache.top(
            2,
            "list",
            Window {
                cursor: 5,
                len: 9,
                height: 0
            }
        ),
        6
    );
}
