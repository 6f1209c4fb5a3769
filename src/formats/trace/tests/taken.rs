//! Recordings of others as runs, and runs of ours as conversations.

use super::*;
use crate::formats::run::{event_line, read_events, read_header, write_header};
use crate::task::episode::Body;

fn conversation() -> Trace {
    let text = r#"{"id":"talk","model":"m","messages":[{"role":"user","content":"open the fridge"},
{"role":"assistant","content":"I do","tool_calls":[{"id":"c1","type":"function","function":{"name":"open","arguments":"{\"a\":1}"}}]},
{"role":"tool","tool_call_id":"c1","content":"it is open"}]}"#;
    read("x", text.as_bytes()).unwrap().0.remove(0)
}

#[test]
fn a_recording_becomes_a_run_without_a_world() {
    let made = foreign::run_of(&conversation(), "an-id", "2026-01-01T00:00:00Z", "0");
    let header = read_header(write_header(&made.header).as_bytes()).unwrap();
    assert_eq!(header, made.header);
    assert!(foreign::is_foreign(&header));
    assert_eq!(foreign::instruction(&header), "open the fridge");
    let lines: String = made.events.iter().map(event_line).collect();
    let again = read_events(lines.as_bytes());
    assert_eq!(again.findings, []);
    assert_eq!(again.items, made.events);
    let kinds: Vec<&str> = made.events.iter().map(|e| e.body.kind()).collect();
    assert_eq!(
        kinds,
        ["start", "message", "message", "step", "message", "stopped"]
    );
    let Body::Step { action, .. } = &made.events[3].body else {
        panic!("{:?}", made.events[3]);
    };
    assert_eq!(action, "open {\"a\":1}");
    // What was called and what it gave tell two conversations apart.
    assert_ne!(made.events[3].hash, made.events[2].hash);
}

#[test]
fn the_same_recording_gets_the_same_id() {
    let trace = conversation();
    let id = |trace: &Trace| foreign::id_of(trace, &neutral::text(trace));
    let mut other = trace.clone();
    other.turns[0].text.push('!');
    assert_eq!(id(&trace), id(&trace.clone()));
    assert_ne!(id(&trace), id(&other));
    assert!(id(&trace).starts_with("talk-m-"), "{}", id(&trace));
}
