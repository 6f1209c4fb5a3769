//! What terminals send, whole, in pieces, and wild.

use proptest::prelude::*;

use super::*;

/// The keys of the bytes as they are written in key maps, pastes in angle quotes.
fn decode(chunks: &[&[u8]]) -> String {
    let mut decoder = Decoder::default();
    let mut out = Vec::new();
    for chunk in chunks {
        decoder.feed(chunk, &mut out);
    }
    decoder.flush(&mut out);
    let words: Vec<String> = out
        .into_iter()
        .map(|msg| match msg {
            Msg::Key(key) => key.to_string(),
            Msg::Paste(text) => format!("«{text}»"),
            other => format!("{other:?}"),
        })
        .collect();
    words.join(" ")
}

const KNOWN: &[(&[u8], &str)] = &[
    (b"jG ?", "j G Space ?"),
    ("é→日".as_bytes(), "é → 日"),
    (
        b"\r\t\x7f\x10\x1a\x00",
        "Enter Tab Backspace Ctrl-P Ctrl-Z Ctrl-Space",
    ),
    (b"\x1b[A\x1b[B\x1bOC\x1bOD", "Up Down Right Left"),
    (b"\x1b[H\x1b[F\x1b[1~\x1b[4~", "Home End Home End"),
    (b"\x1b[2~\x1b[3~\x1b[5~\x1b[6~", "Insert Delete PgUp PgDn"),
    (
        b"\x1b[Z\x1b[1;5A\x1b[1;3B\x1b[3;5~",
        "Shift-Tab Ctrl-Up Alt-Down Ctrl-Delete",
    ),
    (b"\x1bOP\x1b[15~\x1b[24~\x1b[[B", "F1 F5 F12 F2"),
    (b"\x1bx\x1b\r\x1b\xc3\xa9", "Alt-x Alt-Enter Alt-é"),
    (
        b"\x1b[13;5u\x1b[97;5u\x1b[9;2u\x1b[27u",
        "Ctrl-Enter Ctrl-A Shift-Tab Esc",
    ),
    (b"\x1b[200~a\r\nb\x1b[A\x1b[201~x", "«a\r\nb\x1b[A» x"),
    (b"\x1b", "Esc"),
    (b"\x1b\x1b", "Esc Esc"),
    (b"\x1b\x1b[A", "Esc Up"),
    (b"\x1b[", "Alt-["),
    // Answers nobody asked for leave no letters behind.
    (
        b"\x1b[?62;1;6c\x1b[24;80Rx\x1b]11;rgb:00/00/00\x07y\x1bP1$r0m\x1b\\z",
        "x y z",
    ),
    (b"\x1b[I\x1b[Oa\x1b[<0;3;4Mb", "a b"),
    (b"\xff\xfea\xc3(", "a ("),
];

#[test]
fn keys_are_known() {
    for (bytes, expected) in KNOWN {
        assert_eq!(
            decode(&[bytes]),
            *expected,
            "{:?}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[test]
fn pieces_give_the_same_keys() {
    for (bytes, _) in KNOWN {
        let whole = decode(&[bytes]);
        // The lone escape and `ESC [` are told from longer sequences by time alone; in one feed or many
        // without a flush between them nothing changes.
        for at in 0..=bytes.len() {
            let (a, b) = bytes.split_at(at);
            assert_eq!(
                decode(&[a, b]),
                whole,
                "{:?} cut at {at}",
                String::from_utf8_lossy(bytes)
            );
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(
            decode(&single),
            whole,
            "{:?} byte by byte",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[test]
fn a_lone_escape_waits_for_a_moment() {
    let mut decoder = Decoder::default();
    let mut out = Vec::new();
    decoder.feed(b"\x1b", &mut out);
    assert!(out.is_empty() && decoder.is_waiting());
    decoder.feed(b"[A", &mut out);
    assert!(!decoder.is_waiting());
    assert!(matches!(out.as_slice(), [Msg::Key(key)] if *key == Key::plain(Code::Up)));
}

#[test]
fn endless_things_end() {
    let mut decoder = Decoder::default();
    let mut out = Vec::new();
    decoder.feed(b"\x1b[", &mut out);
    decoder.feed(&b"1".repeat(100_000), &mut out);
    assert!(decoder.bytes.len() < SEQUENCE);
    decoder.feed(b"\x1b[200~", &mut out);
    for _ in 0..40 {
        decoder.feed(&b"x".repeat(100_000), &mut out);
    }
    decoder.feed(b"\x1b[201~q", &mut out);
    let paste = out.iter().find_map(|msg| match msg {
        Msg::Paste(text) => Some(text.len()),
        _ => None,
    });
    assert_eq!(paste, Some(PASTE));
    assert!(matches!(out.last(), Some(Msg::Key(key)) if *key == Key::char('q')));
}

proptest! {
    #[test]
    fn wild_bytes_harm_nothing(chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20)) {
        let mut decoder = Decoder::default();
        let mut out = Vec::new();
        for chunk in &chunks {
            decoder.feed(chunk, &mut out);
        }
        decoder.flush(&mut out);
        prop_assert!(decoder.paste.is_some() || decoder.bytes.is_empty());
    }
}
