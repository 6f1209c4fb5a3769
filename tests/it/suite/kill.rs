//! Killed writers lose nothing they have told, and the same harness notices when they do.
//!
//! A thousand kills on a release build: `cargo run --release -- bench kill --n 1000`, and with `--agents`.

use std::process::{Command, Output};

use serde_json::Value;

fn kill(extra: &[&str]) -> (Output, Value) {
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_vesta"))
        .args(["bench", "kill", "--json", "--n", "20", "--dir"])
        .arg(dir.path())
        .args(extra)
        .output()
        .unwrap();
    let json = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    (output, json)
}

#[test]
fn no_told_step_is_lost() {
    let (output, counts) = kill(&[]);
    assert_eq!(counts["kills"], 20, "{counts}");
    assert!(counts["told"].as_u64() > Some(20), "{counts}");
    assert_eq!(
        (&counts["lost"], &counts["unreadable"]),
        (&0.into(), &0.into()),
        "{counts}"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn steps_told_before_they_are_written_are_noticed() {
    let (output, counts) = kill(&["--fault"]);
    assert!(counts["lost"].as_u64() > Some(0), "{counts}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn killed_agents_go_on_as_if_nobody_had_killed_them() {
    let (output, counts) = kill(&["--agents"]);
    assert_eq!(output.status.code(), Some(0), "{counts}");
    assert!(counts["kills"].as_u64() >= Some(20), "{counts}");
    assert!(counts["runs"].as_u64() > Some(0), "{counts}");
    for (agent, events) in counts["agents"].as_object().unwrap() {
        assert!(events.as_u64() > Some(5), "{agent}: {counts}");
    }
}

#[test]
fn runs_of_agents_that_come_out_otherwise_are_noticed() {
    let (output, counts) = kill(&["--agents", "--fault"]);
    let faults = counts["faults"].as_array().unwrap();
    assert!(!faults.is_empty(), "{counts}");
    assert_eq!(output.status.code(), Some(1));
}
