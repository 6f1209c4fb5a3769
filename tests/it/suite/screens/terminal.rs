//! The painter against a terminal model: what the terminal shows after the bytes is what was drawn, and
//! the bytes hold nothing but sequences of our own.

use ratatui::buffer::Buffer;
use vesta::app::msg::{Msg, Size};
use vesta::app::update::{drive, update};
use vesta::ui::paint;
use vesta::ui::{self};

use super::samples;
use crate::support::grammar::foreign;
use crate::support::{self, Shape};

/// What the model shows, row by row, without trailing blanks.
fn shown(parser: &vt100::Parser, width: u16) -> Vec<String> {
    parser
        .screen()
        .rows(0, width)
        .map(|row| row.trim_end().to_owned())
        .collect()
}

fn drawn(buffer: &Buffer) -> Vec<String> {
    vesta::ui::dump::text(buffer)
        .lines()
        .map(str::to_owned)
        .collect()
}

fn model(size: Size) -> vt100::Parser {
    let side = |n: u16| std::num::NonZeroU16::new(n).unwrap();
    vt100::Parser::new(side(size.h), side(size.w), 0)
}

#[test]
fn the_terminal_shows_what_was_drawn() {
    for library in [support::library(), support::hostile()] {
        let size = Size::new(100, 30);
        let mut parser = model(size);
        let mut old = Buffer::default();
        // From every screen to every other: the differences must add up.
        for sample in samples().chain(samples().rev()) {
            let mut state = (sample.make)(Shape::of(size.w, size.h), library.clone());
            for key in ["", "Down", "Down", "Tab", "Up"] {
                drive(&mut state, key);
                let new = ui::render(&state);
                let mut bytes = Vec::new();
                paint::encode(&old, &new, &mut bytes);
                assert_eq!(foreign(&bytes, &[]), None, "{}", sample.name);
                parser.process(&bytes);
                assert_eq!(shown(&parser, size.w), drawn(&new), "{} {key}", sample.name);
                old = new;
            }
        }
    }
}

/// The control: a list of stock ratatui 0.30 lets characters through that the check finds. Version 0.29 passed whole
/// sequences on, a write to the clipboard among them; it cannot be built beside the terminal model (both pin
/// `unicode-width`), so what it wrote stands here as bytes.
#[test]
fn stock_widgets_fail_the_check() {
    use ratatui::buffer::Cell;
    use ratatui::layout::Rect;
    use ratatui::widgets::{List, Widget as _};

    let area = Rect::new(0, 0, 60, 20);
    let mut buffer = Buffer::empty(area);
    List::new(support::HOSTILE.to_vec()).render(area, &mut buffer);
    let written: String = buffer.content.iter().map(Cell::symbol).collect();
    assert!(foreign(written.as_bytes(), &[]).is_some());
    assert!(foreign(b"name\x1b]52;c;QUJD\x07end", &[]).is_some());
}

#[test]
fn an_unchanged_screen_writes_nothing() {
    let state = support::with(Shape::of(200, 60), support::library());
    let (old, new) = (ui::render(&state), ui::render(&state));
    let mut bytes = Vec::new();
    paint::encode(&old, &new, &mut bytes);
    assert_eq!(bytes, Vec::<u8>::new());
}

#[test]
fn a_cursor_move_writes_little() {
    let mut state = support::with(Shape::of(200, 60), support::library());
    drive(&mut state, "Tab");
    let old = ui::render(&state);
    drive(&mut state, "j");
    let mut bytes = Vec::new();
    paint::encode(&old, &ui::render(&state), &mut bytes);
    assert!(
        !bytes.is_empty() && bytes.len() <= 400,
        "{} bytes",
        bytes.len()
    );
}

#[test]
fn a_resize_clears() {
    let mut state = support::with(Shape::of(80, 24), support::library());
    let old = ui::render(&state);
    update(&mut state, Msg::Resize(Size::new(81, 24)));
    let mut bytes = Vec::new();
    paint::encode(&old, &ui::render(&state), &mut bytes);
    assert!(bytes.windows(4).any(|w| w == b"\x1b[2J"));
}

#[test]
fn the_check_for_foreign_bytes_can_fail() {
    for bytes in [
        &b"\x1b]52;c;QUJD\x07"[..],
        b"a\tb",
        b"\x1b[3J",
        b"\x1b[?1049h",
        "\u{202e}".as_bytes(),
        b"\xff",
        b"\x1b",
    ] {
        assert!(foreign(bytes, &[]).is_some(), "{bytes:?}");
    }
    assert_eq!(
        foreign("\x1b[1;2Hvesta\x1b[0;1m →日\u{1b}[?2026l".as_bytes(), &[]),
        None
    );
}
