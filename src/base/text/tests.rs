//! The sanitiser, widths and cutting.

use proptest::prelude::*;

use super::*;

fn cells(text: &str) -> Vec<(String, u8)> {
    let mut out = Vec::new();
    each_cell(text, |cell, w| {
        out.push((cell.to_owned(), w));
        true
    });
    out
}

#[test]
fn shows_what_would_act() {
    for (raw, safe) in [
        ("plain", "plain"),
        ("a\x1b]52;c;QUJD\x07b", "a␛]52;c;QUJD␇b"),
        ("\u{9b}31m", "‹U+009B›31m"),
        ("ab\u{202e}cd", "ab‹U+202E›cd"),
        ("a\u{200b}b\u{feff}", "a‹U+200B›b‹U+FEFF›"),
        ("x\ny\tz\r", "x␊y␉z␍"),
        ("\u{2028}", "‹U+2028›"),
        ("\u{e0041}", "‹U+E0041›"),
        ("\u{7f}", "␡"),
        ("\u{1ffff}", "‹U+1FFFF›"),
        ("fork → table", "fork → table"),
        ("日本", "日本"),
    ] {
        assert_eq!(clean(raw), safe, "{raw:?}");
    }
}

#[test]
fn marks_are_attached_and_bounded() {
    assert_eq!(
        cells("e\u{301}x"),
        [("e\u{301}".into(), 1), ("x".into(), 1)]
    );
    assert_eq!(clean("\u{301}"), "◌\u{301}");
    let zalgo = format!("e{}", "\u{301}".repeat(1000));
    assert_eq!(clean(&zalgo), format!("e{}‹+996›", "\u{301}".repeat(4)));
}

#[test]
fn cuts_by_columns() {
    assert_eq!(fit("microwave", 20), "microwave");
    assert_eq!(fit("microwave", 5), "micr…");
    assert_eq!(fit("日本語", 4), "日…");
    assert_eq!(fit("日本語", 0), "");
    assert_eq!(fit_middle("play V022 the bowl", 9), "play…bowl");
    assert_eq!(pad("日", 4), "日  ");
}

#[test]
fn wraps_at_spaces_and_hard() {
    assert_eq!(
        wrap("Warm the bowl of soup", 9),
        ["Warm the", "bowl of", "soup"]
    );
    assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    assert_eq!(wrap("a\nb", 4), ["a", "b"]);
    assert!(wrap("abc", 0).is_empty());
    assert_eq!(wrap("日本", 1), ["日", "本"]);
}

#[test]
fn ascii_form_keeps_newlines_only() {
    assert_eq!(print_ascii("é\nx\x1b"), "<U+00E9>\nx<U+001B>");
    assert_eq!(print_safe("a\nb\x1b"), "a\nb␛");
}

proptest! {
    #[test]
    fn nothing_acts_and_clean_is_stable(text in any::<String>()) {
        let safe = clean(&text).into_owned();
        for c in safe.chars() {
            prop_assert!(!matches!(class(c), Class::Control(_) | Class::Hidden), "{c:?}");
        }
        prop_assert_eq!(clean(&safe), safe.as_str());
        prop_assert_eq!(width(&safe), width(&text));
    }

    #[test]
    fn fits(text in any::<String>(), cols in 0_usize..20) {
        prop_assert!(width(&fit(&text, cols)) <= cols);
        prop_assert!(width(&fit_middle(&text, cols)) <= cols);
        prop_assert_eq!(width(&pad(&text, cols)), cols);
        for line in wrap(&text, cols) {
            prop_assert!(width(&line) <= cols.max(2));
        }
    }
}
