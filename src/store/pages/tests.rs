//! Windows, counts and searches, on files and on bytes alike.

use super::*;

fn bytes(text: &str) -> Body {
    Body::Bytes(Arc::from(text.as_bytes()))
}

fn texts(window: &Window) -> Vec<&str> {
    window.rows.iter().map(|row| row.text.as_str()).collect()
}

const NEVER: &dyn Fn() -> bool = &|| false;

#[test]
fn windows_are_the_same_from_any_mark() {
    let lines: Vec<String> = (0..5000).map(|n| format!("line {n}\r\n")).collect();
    let text = lines.concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.txt");
    std::fs::write(&path, &text).unwrap();
    let file = open(&path).unwrap();
    assert_eq!(file, Body::File(path));
    for body in [bytes(&text), file] {
        let index = index(&body, NEVER).unwrap().unwrap();
        assert_eq!(index.lines, 5000);
        assert_eq!(index.marks.len(), 5);
        for first in [0, 1023, 1024, 4998, 6000] {
            let near = window(&body, index.before(first), first, 3).unwrap();
            assert_eq!(near, window(&body, Mark::default(), first, 3).unwrap());
        }
        let last = window(&body, index.before(4998), 4998, 3).unwrap();
        assert_eq!(texts(&last), ["line 4998", "line 4999"]);
        assert!(last.ends);
        let middle = window(&body, index.before(7), 7, 1).unwrap();
        assert_eq!((texts(&middle), middle.ends), (vec!["line 7"], false));
    }
}

#[test]
fn long_lines_are_cut_and_what_is_no_text_is_shown() {
    let long = "x".repeat(LINE + 5);
    let body = bytes(&format!("{long}\nshort\n"));
    let seen = window(&body, Mark::default(), 0, 9).unwrap();
    assert_eq!(seen.rows[0].text.len(), LINE);
    assert!(seen.rows[0].cut && !seen.rows[1].cut);
    let odd = Body::Bytes(Arc::from(&b"a\xffb"[..]));
    let seen = window(&odd, Mark::default(), 0, 9).unwrap();
    assert_eq!(texts(&seen), ["a\u{FFFD}b"]);
    let empty = window(&bytes(""), Mark::default(), 0, 9).unwrap();
    assert!(empty.rows.is_empty() && empty.ends);
    assert_eq!(index(&bytes("no end"), NEVER).unwrap().unwrap().lines, 1);
}

#[test]
fn words_are_found_both_ways_and_around_the_end() {
    let body = bytes("Fork\nknife\nfork\nspoon\n");
    let find = |words: &str, from: u64, forward: bool| {
        let search = Search {
            words,
            from,
            forward,
        };
        find(&body, &search, NEVER).unwrap()
    };
    assert_eq!(find("fork", 0, true), Some(0));
    assert_eq!(find("fork", 1, true), Some(2));
    assert_eq!(find("fork", 3, true), Some(0), "around the end");
    assert_eq!(find("Fork", 1, true), Some(0), "a capital means itself");
    assert_eq!(find("fork", 2, false), Some(0));
    assert_eq!(find("fork", 4, false), Some(2));
    assert_eq!(find("fork", 0, false), Some(2), "around the start");
    assert_eq!(find("plate", 0, true), None);
}

#[test]
fn nobody_waiting_ends_it() {
    let body = bytes("a\nb\n");
    let search = Search {
        words: "b",
        from: 0,
        forward: true,
    };
    assert_eq!(find(&body, &search, &|| true).unwrap(), None);
    assert_eq!(index(&body, &|| true).unwrap(), None);
}

#[test]
fn what_is_no_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let told = open(folder.path()).unwrap_err().to_string();
    assert!(told.contains("no plain file"), "{told}");
    let told = open(Path::new("/no/such/file")).unwrap_err().to_string();
    assert!(told.contains("/no/such/file: not found"), "{told}");
    assert!(open(Path::new("assets/scenes/flat.json")).is_ok());
}
