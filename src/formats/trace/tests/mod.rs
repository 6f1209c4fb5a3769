//! Every format: there and back, bad input, what is lost.

use super::*;

fn subject(trace: &Trace) -> Subject<'_> {
    Subject {
        trace,
        setup: None,
        profile: Profile::Strict,
    }
}

#[test]
fn messages_of_a_chat_are_read() {
    let text = r#"[{"role":"system","content":"rules"},
{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"x"}}]},
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"open","arguments":"{\"a\": 1}"}}],"refusal":"no"},
{"role":"tool","tool_call_id":"c1","content":"it is open"}]"#;
    let (traces, notes) = read("a.json", text.as_bytes()).unwrap();
    assert_eq!(notes, []);
    let turns = &traces[0].turns;
    assert_eq!(turns.len(), 3);
    assert_eq!(turns[1].text, "look");
    assert_eq!(
        turns[2].calls,
        [Call {
            id: "c1".to_owned(),
            name: "open".to_owned(),
            arguments: "{\"a\": 1}".to_owned(),
            extra: vec![]
        }]
    );
    assert_eq!(turns[2].observations[0].text, "it is open");
    assert_eq!(
        turns[2].extra,
        [("refusal".to_owned(), "\"no\"".to_owned())]
    );
    let written = (format("openai").unwrap().write.unwrap())(&subject(&traces[0])).unwrap();
    assert_eq!(written.losses, []);
    let (again, _) = read("b.json", &written.files[0].1).unwrap();
    assert_eq!(again, traces);
}

mod any;
mod bad;
mod taken;
