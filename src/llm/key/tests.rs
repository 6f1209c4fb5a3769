//! Keys: where they may come from, and that they are not shown.

use super::*;
use crate::llm::kind::OPENAI;

fn key() -> Key {
    Key::of_variable("TEST_KEY", " sk-canary-0123456789abcdef\n").unwrap()
}

#[test]
fn a_key_is_never_shown() {
    assert_eq!(
        format!("{} {:?}", key(), key()),
        "set, not shown set, not shown"
    );
    assert_eq!(key().from(), "TEST_KEY");
    assert_eq!(key().secret(), "sk-canary-0123456789abcdef");
}

#[test]
fn what_is_no_key_is_said() {
    for (value, said) in [
        (" \n", "V: the key is empty; put a key there"),
        (
            "two words",
            "V: a key is one word of plain characters; put the key alone there",
        ),
        (
            "schlüssel",
            "V: a key is one word of plain characters; put the key alone there",
        ),
    ] {
        let failure = Key::of_variable("V", value).unwrap_err();
        assert_eq!(
            (failure.kind, failure.message.as_str()),
            (FailureKind::NoKey, said)
        );
    }
}

#[test]
fn key_files_are_private() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    let mode =
        |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    std::fs::write(&path, "sk-one\n").unwrap();
    let shown = path.display();
    for open in [0o644, 0o640, 0o604, 0o660] {
        mode(open);
        assert_eq!(
            Key::of_file(&path).unwrap_err().message,
            format!("{shown}: others can read this key file; run chmod 600 {shown}")
        );
    }
    for closed in [0o600, 0o400] {
        mode(closed);
        assert_eq!(Key::of_file(&path).unwrap().secret(), "sk-one");
    }
    mode(0o600);
    std::fs::write(&path, vec![b'x'; 20_000]).unwrap();
    assert_eq!(
        Key::of_file(&path).unwrap_err().message,
        format!("{shown}: too long for a key; put the key alone into it")
    );
    assert_eq!(
        Key::of_file(folder.path()).unwrap_err().message,
        format!(
            "{}: a key is read from a plain file; name one",
            folder.path().display()
        )
    );
    let missing = Key::of_file(&folder.path().join("none")).unwrap_err();
    let said = "none: the key cannot be read: No such file or directory (os error 2); check the name of the file";
    assert!(missing.message.ends_with(said), "{missing}");
    let pasted = Key::of_file(std::path::Path::new("sk-canary-0123456789abcdef")).unwrap_err();
    assert!(
        pasted.message.starts_with("the key file: the key cannot"),
        "{pasted}"
    );
}

#[test]
fn a_file_goes_before_a_variable() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    std::fs::write(&path, "of-file").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    let mut settings = Settings::new(&OPENAI, "m").unwrap();
    let find = |settings: &Settings| {
        let values = [
            ("OPENAI_API_KEY", "usual"),
            ("MY_KEY", "own"),
            ("EMPTY", ""),
        ];
        let read = |name: &str| {
            let value = values.iter().find(|(n, _)| *n == name);
            value.map(|(_, value)| (*value).to_owned())
        };
        Key::find(settings, read).map(|key| key.map(|key| key.secret().to_owned()))
    };
    assert_eq!(find(&settings), Ok(Some("usual".into())));
    settings.key_variable = Some("MY_KEY".into());
    assert_eq!(find(&settings), Ok(Some("own".into())));
    settings.key_variable = Some("NONE".into());
    assert_eq!(find(&settings), Ok(None));
    settings.key_variable = Some("EMPTY".into());
    assert_eq!(
        find(&settings).unwrap_err().message,
        "EMPTY: the key is empty; put a key there"
    );
    settings.key_file = Some(path);
    assert_eq!(find(&settings), Ok(Some("of-file".into())));
}

#[test]
fn quoted_keys_are_taken_out() {
    let key = key();
    for (text, clean) in [
        ("nothing here", "nothing here"),
        ("bad sk-canary-0123456789abcdef.", "bad [key]."),
        (
            "Incorrect key provided: sk-ca***cdef. See",
            "Incorrect key provided: [key] See",
        ),
        ("key \"sk-canary-01...\" refused", "key \"[key]\" refused"),
        ("ends in ****cdef", "ends in [key]"),
        ("Bearer%20sk-canary-0123456789abcdef", "Bearer%20[key]"),
        ("part 6789ab of it", "part [key] of it"),
        ("2 ** 3 and so on...", "2 ** 3 and so on..."),
    ] {
        assert_eq!(scrub(text, Some(&key)), clean);
    }
    assert_eq!(scrub("sk-ca***cdef", None), "sk-ca***cdef");
}

#[test]
fn a_veil_sees_a_key_across_pieces() {
    let key = key();
    let secret = "sk-canary-0123456789abcdef";
    let text = format!("is sk-cansk-canary-0123456789abcdef, {secret}{secret} as sk-can");
    for size in 1..text.len() {
        let mut veil = Veil::default();
        let mut out = String::new();
        for piece in text.as_bytes().chunks(size) {
            out += &veil.pass(std::str::from_utf8(piece).unwrap(), Some(&key));
        }
        out += &veil.rest();
        // The first characters may have been shown before it was clear what they are.
        let mut bare = out.clone();
        for start in ["sk-", "sk", "s"] {
            bare = bare.replace(&format!("{start}[key]"), "[key]");
        }
        assert_eq!(
            bare, "is sk-can[key], [key][key] as sk-can",
            "pieces of {size}: {out}"
        );
    }
}

#[test]
fn a_veil_leaves_pieces_as_they_are_where_no_key_is() {
    let key = key();
    let mut veil = Veil::default();
    for piece in [
        "cups",
        " as",
        "k",
        " is",
        "s",
        "sk",
        "-",
        "",
        "th\u{e9} s",
        "\u{1f375}",
    ] {
        assert_eq!(veil.pass(piece, Some(&key)), piece);
    }
    assert_eq!(veil.pass("sk-ca", Some(&key)), "");
    assert_eq!(veil.pass("ts", Some(&key)), "sk-cats");
    assert_eq!(veil.rest(), "");
    let mut veil = Veil::default();
    assert_eq!(veil.pass("sk-canary", None), "sk-canary");
    assert_eq!(veil.rest(), "");
}
