//! `vesta arena`: the same bytes on any number of threads, tables and objects.

use assert_cmd::Command;
use serde_json::Value;

/// Runs the program; its exit code, what it printed and what it complained of.
fn vesta(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("vesta").unwrap().args(args).output();
    let output = output.unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

const RUN: [&str; 10] = [
    "arena", "run", "V001", "V022", "V062", "--plans", "0", "--budget", "1,4", "--json",
];

#[test]
fn threads_change_no_byte() {
    let one = vesta(&RUN);
    let two = vesta(&[&RUN[..], &["--threads", "2"]].concat());
    assert_eq!(one, two);
    assert_eq!(one.0, Some(0));
    let all: Vec<Value> = serde_json::from_str(&one.1).unwrap();
    let tasks: Vec<&str> = all.iter().filter_map(|o| o["task"].as_str()).collect();
    assert_eq!(tasks, ["V001", "V022", "V062"]);
    let figures = &all[3];
    assert_eq!(figures["red"], "plan");
    let mut certificates = 0;
    for candidate in all
        .iter()
        .filter_map(|o| o["candidates"].as_array())
        .flatten()
    {
        let responses = candidate["responses"].as_array().unwrap();
        assert_eq!(responses.len(), 4);
        for it in responses {
            let own = it["certificates"].as_array().unwrap().len();
            assert_eq!(own > 0, it["red"] == "acted", "{it}");
            certificates += own as u64;
        }
    }
    assert!(certificates > 0);
    assert_eq!(figures["certificates"], certificates);
    let other = vesta(&[&RUN[..], &["--seed", "1"]].concat());
    assert_ne!(one.1, other.1);
}

#[test]
fn what_cannot_be_run_is_told() {
    let (code, _, said) = vesta(&["arena", "run", "V062", "--red", "psychic"]);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("write one of blind, count, task, plan, reactive"),
        "{said}"
    );
    let (code, _, said) = vesta(&["arena", "run", "V999"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("V999"), "{said}");
    let (code, _, _) = vesta(&["arena", "run", "V062", "--budget", "0"]);
    assert_eq!(code, Some(2));
}
