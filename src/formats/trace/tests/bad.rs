//! Bad input: one sentence that says where and what, whatever the bytes are.

use std::io::{Cursor, Write as _};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::*;

/// A small file of every format that is read.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let trace = Trace {
        id: "a".to_owned(),
        turns: vec![Turn {
            role: Role::Agent,
            text: "go".to_owned(),
            calls: vec![Call {
                id: "c".to_owned(),
                name: "walk".to_owned(),
                arguments: "{\"a\":1}".to_owned(),
                extra: vec![],
            }],
            observations: vec![Observation {
                call: "c".to_owned(),
                text: "there".to_owned(),
                extra: vec![],
            }],
            ..Turn::default()
        }],
        ..Trace::default()
    };
    let both = |f: &'static Format| Some((f.id, f.read?, f.write?));
    let write = |(id, _, write): (&'static str, Reader, Writer)| {
        // PDDL tells of a world, which is not known here.
        Some((id, write(&subject(&trace)).ok()?.files.remove(0).1))
    };
    FORMATS.iter().filter_map(both).filter_map(write).collect()
}

fn readers() -> impl Iterator<Item = (&'static str, Reader)> {
    FORMATS.iter().filter_map(|f| Some((f.id, f.read?)))
}

#[test]
fn every_sample_is_recognised_as_what_it_is() {
    for (id, bytes) in samples() {
        assert_eq!(
            sniff(&bytes).map(|(f, _)| f.id).unwrap(),
            if id == "openai-jsonl" { "openai" } else { id }
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for (_, read) in readers() {
            let _ = read("x", &bytes);
        }
        sniff(&bytes);
    }

    #[test]
    fn no_change_of_a_file_makes_a_reader_panic(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        for (id, mut bytes) in samples() {
            let i = at.index(bytes.len());
            if cut { bytes.truncate(i); } else { bytes[i] = byte; }
            if let Some(read) = format(id).and_then(|f| f.read) {
                let _ = read("x", &bytes);
            }
            sniff(&bytes);
        }
    }
}

fn said(id: &str, text: &[u8]) -> String {
    (format(id).unwrap().read.unwrap())("x", text)
        .unwrap_err()
        .to_string()
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (id, text, expected) in [
        (
            "openai",
            "{}",
            "x: messages: is missing; give the conversation as a list of messages",
        ),
        (
            "openai",
            "{\"messages\":[{\"role\":1}]}",
            "x line 1 column 22: messages[0].role: found integer `1`, expected a text in quotes",
        ),
        (
            "openai",
            "[{\"role\":\"a\",\"role\":\"b\"}]",
            "x line 1 column 14: [0].role: the field role stands here twice; remove one of them",
        ),
        (
            "openai",
            "[{\"x\":1,\"x\":2}]",
            "x line 1 column 14: [0]: the field x stands here twice; remove one of them",
        ),
        (
            "openai",
            "[{\"role\":\"user\"",
            "x line 1 column 15: [0].role: the file ends too early; it seems cut off: write or download it again",
        ),
        (
            "atif",
            "{\"schema_version\":\"ATIF-v2.0\",\"steps\":[]}",
            "x: schema_version: \"ATIF-v2.0\" is no version of ATIF that is known; give a file of ATIF-v1.0 to ATIF-v1.7",
        ),
        (
            "inspect-json",
            "{\"eval\":{}}",
            "x: samples: the log holds no sample; read it with its samples, not its header alone",
        ),
        (
            "mini-swe",
            "\u{fffd}",
            "x line 1 column 1: not valid JSON: expected value; correct the text there; commas, quotes and brackets are the usual suspects",
        ),
    ] {
        assert_eq!(said(id, text.as_bytes()), expected);
    }
    assert_eq!(
        said("openai", b"[\xff]"),
        "x line 1 column 2: not UTF-8 text; save the file as UTF-8"
    );
}

#[test]
fn a_million_brackets_are_no_matter() {
    let deep = "[".repeat(1_000_000);
    for (_, read) in readers() {
        assert!(read("x", deep.as_bytes()).is_err());
    }
    // Where nobody looks into a field it is kept, however deep.
    let kept = format!("{{\"messages\":[],\"x\":{deep}{}}}", "]".repeat(1_000_000));
    let (traces, _) = read("x", kept.as_bytes()).unwrap_or_else(|_| {
        (format("openai").unwrap().read.unwrap())("x", kept.as_bytes()).unwrap()
    });
    assert_eq!(traces[0].extra[0].1.len(), 2_000_000);
    let written = (format("openai").unwrap().write.unwrap())(&subject(&traces[0])).unwrap();
    assert!(written.files[0].1.len() > 2_000_000);
}

#[test]
fn numbers_that_are_none_are_named() {
    let text = br#"{"messages":[{"role":"user","content":"NaN \" Infinity","x":NaN,"y":[-Infinity,1e999]}]}"#;
    let (traces, notes) = read("x", text).unwrap();
    assert_eq!(notes.len(), 1);
    assert_eq!(
        notes[0].to_string(),
        "x line 1 column 61: 2 numbers are NaN or infinite, which JSON does not know; they are read as null"
    );
    let turn = &traces[0].turns[0];
    assert_eq!(turn.text, "NaN \" Infinity");
    assert_eq!(
        turn.extra,
        [
            ("x".to_owned(), "null".to_owned()),
            ("y".to_owned(), "[null,1e999]".to_owned())
        ]
    );
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Both places where a member's header has this many bytes from its beginning.
fn patch(bytes: &mut [u8], local: usize, central: usize, value: u16) {
    for (mark, offset) in [(b"PK\x03\x04", local), (b"PK\x01\x02", central)] {
        let at = bytes.windows(4).position(|w| w == mark).unwrap() + offset;
        bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }
}

#[test]
fn archives_are_not_trusted() {
    let plain = [("header.json", &b"{\"eval\":{}}"[..])];
    let climbing = zip(&[("header.json", b"{}"), ("samples/../../x.json", b"{}")]);
    assert_eq!(
        said("inspect", &climbing),
        "x: the member \"samples/../../x.json\" climbs out of the archive; do not use this file: it was made to write where it must not"
    );
    let mut odd = zip(&plain);
    patch(&mut odd, 8, 10, 99);
    assert!(
        said("inspect", &odd).starts_with("x/header.json: the member is "),
        "{}",
        said("inspect", &odd)
    );
    let mut odd = zip(&plain);
    patch(&mut odd, 8, 10, 14);
    assert_eq!(
        said("inspect", &odd),
        "x/header.json: the member is packed by method 14, which is not known; write the log with deflate or Zstandard"
    );
    let mut locked = zip(&plain);
    patch(&mut locked, 6, 8, 1);
    assert_eq!(
        said("inspect", &locked),
        "x/header.json: the member is encrypted; write the log without encryption"
    );
    let mut damaged = zip(&plain);
    let at = damaged.windows(4).position(|w| w == b"eval").unwrap();
    damaged[at] = b'E';
    let wrong = said("inspect", &damaged);
    assert!(wrong.starts_with("x/header.json: the member "), "{wrong}");
    let whole = zip(&plain);
    let cut = said("inspect", &whole[..whole.len() - 30]);
    assert!(cut.starts_with("x: the archive cannot be read: "), "{cut}");
    // A member that says it becomes 2 GiB is not even begun.
    let mut huge = zip(&plain);
    for (mark, offset) in [(b"PK\x03\x04", 22), (b"PK\x01\x02", 24)] {
        let at = huge.windows(4).position(|w| w == mark).unwrap() + offset;
        huge[at..at + 4].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    }
    assert_eq!(
        said("inspect", &huge),
        "x/header.json: the member becomes more than 1024 MiB; it is no log of this kind, or one too large to be read at once"
    );
}
