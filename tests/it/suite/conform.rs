//! `vesta conform`: a small recording agrees, and a recording with one altered field is told apart, field by field.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

const BASE: &str = r#"{"nodes":[
 {"id":1,"class_name":"kitchen","category":"Rooms","properties":[],"states":[]},
 {"id":2,"class_name":"bedroom","category":"Rooms","properties":[],"states":[]},
 {"id":5,"class_name":"character","category":null,"properties":[],"states":[]},
 {"id":7,"class_name":"lamp","category":null,"properties":["HAS_SWITCH"],"states":["ON"]}],
 "edges":[[5,"INSIDE",1],[7,"INSIDE",2]]}"#;

/// The same lamp, off: what the deltas change.
const DELTA: &str = r#"{"id":"g","states":{"7":["OFF"]}}"#;

const PROGRAM: &str = r#"{"id":"p","graph":"g","steps":[
 {"a":"[SWITCHON] <lamp> (7)","ok":0,"code":1,"msg":["<character> (5) is not close to <lamp> (7)"]},
 {"a":"[WALK] <lamp> (7)","ok":1,"e+":[[5,"CLOSE",7],[5,"INSIDE",2],[7,"CLOSE",5]],"e-":[[5,"INSIDE",1]]},
 {"a":"[SWITCHON] <lamp> (7)","ok":1,"n":[[7,["ON"],["OFF"]]]},
 {"a":"[SWITCHON] <lamp> (7)","ok":0,"code":4,"msg":["<lamp> (7) is not off"]},
 {"a":"[LOOKAT_LONG] <lamp> (7)","ok":0,"exc":"TypeError"},
 {"a":"SWITCHOFF","ok":0,"parse":"ScriptParseException","msg":["Cannot parse action"]}],
 "final_hash":"HASH"}"#;

/// SHA-256 of the sorted lines of the final state, computed elsewhere.
const HASH: &str = "b5b25554665e433ac4da8ac007c63f45fe841b4ea99307fb02e08e9366b73ec8";

fn gz(path: &Path, line: &str) {
    let file = std::fs::File::create(path).unwrap();
    let mut out = GzEncoder::new(file, Compression::fast());
    writeln!(out, "{}", line.replace('\n', "")).unwrap();
    out.finish().unwrap();
}

/// Runs the command on a recording; its exit code and what it printed.
fn conform(program: &str) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    let graphs = dir.path().join("graphs");
    std::fs::create_dir(&graphs).unwrap();
    std::fs::write(graphs.join("base.json"), BASE).unwrap();
    gz(&graphs.join("deltas.jsonl.gz"), DELTA);
    gz(&dir.path().join("programs.jsonl.gz"), program);
    let output = assert_cmd::Command::cargo_bin("vesta")
        .unwrap()
        .args(["conform", "virtualhome"])
        .arg(dir.path())
        .output()
        .unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (output.status.code(), text)
}

#[test]
fn a_recording_agrees_and_missing_files_are_named() {
    let (code, text) = conform(&PROGRAM.replace("HASH", HASH));
    assert!(text.contains("programs                 1/1"), "{text}");
    assert!(text.contains("mutants.jsonl.gz: not there"), "{text}");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn every_altered_field_is_noticed() {
    for (from, to) in [
        ("\"code\":4", "\"code\":1"),
        ("is not off", "is off"),
        ("[5,\"INSIDE\",1]]", "[5,\"INSIDE\",2]]"),
        ("[7,[\"ON\"],[\"OFF\"]]", "[7,[\"ON\"],[]]"),
        ("\"exc\":\"TypeError\"", "\"code\":1"),
        ("ScriptParseException", "ValueError"),
        ("\"final_hash\":\"", "\"final_hash\":\"0"),
    ] {
        let good = PROGRAM.replace("HASH", HASH);
        let bad = good.replace(from, to);
        assert_ne!(good, bad, "{from} is not in the recording");
        let (code, text) = conform(&bad);
        assert!(
            text.contains("programs                 0/1") && text.contains("line 1 p: "),
            "{from}: {text}"
        );
        assert_eq!(code, Some(1), "{from}: {text}");
    }
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let (code, text) = conform("{\"id\":");
    assert!(text.contains("programs.jsonl.gz line 1"), "{text}");
    assert_eq!(code, Some(2));
}
