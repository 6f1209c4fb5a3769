//! Properties: what is written is read back, and no bytes make a reader panic.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::formats::trace::model::*;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        select(vec![
            "walk to the kitchen",
            "line\nline",
            "é\u{1f600}",
            "\u{1b}[31mred",
            "\"quoted\" \\ back",
            "{\"a\":1}",
            "NaN",
            " blank ",
            "\u{202e}x",
            "null",
            "12",
        ])
        .prop_map(str::to_owned),
        "[a-z ]{1,8}",
    ]
}

fn json() -> impl Strategy<Value = String> {
    select(vec![
        "1",
        "null",
        "\"x\"",
        "{\"a\":[1,2.5,{\"b\":null}]}",
        "[]",
        "true",
        "-0.125",
        "1e999",
        "\"NaN\"",
        "[{\"type\":\"text\",\"text\":\"t\"}]",
        "{\"value\":1}",
        "{\"vesta\":1}",
        "{\"id\":2}",
        "{\"actions\":[{\"command\":1}],\"timestamp\":\"x\"}",
        "{\"model\":{\"b\":1},\"config\":{\"model\":2}}",
        "{\"returncode\":0}",
    ])
    .prop_map(str::to_owned)
}

fn extra() -> impl Strategy<Value = Extra> {
    let name = select(vec![
        "x",
        "content",
        "role",
        "extra",
        "actions",
        "config",
        "vesta",
        "id",
        "metrics",
        "observation",
        "type",
        "message",
        "name",
        "tool_call_id",
        "function.x",
        "info",
        "agent",
        "model",
        "usage",
        "metadata",
        "events",
        "model_name",
        "attributes",
        "final_metrics",
        "time",
        "source",
        "store",
        "sample",
        "meta",
        "messages",
        "tool_calls",
        "error",
        "arguments",
    ]);
    prop::collection::btree_map(name, json(), 0..4).prop_map(|all| {
        all.into_iter()
            .map(|(name, json)| (name.to_owned(), json))
            .collect()
    })
}

fn usage() -> impl Strategy<Value = Usage> {
    let n = || prop::option::of(0_u64..1_000_000);
    (
        n(),
        n(),
        n(),
        prop::option::of(select(vec![0.0, 0.25, 1.5e-6, 3.0])),
        n(),
    )
        .prop_map(|(input, output, cached, cost, ms)| Usage {
            input,
            output,
            cached,
            cost,
            ms,
        })
}

fn time() -> impl Strategy<Value = String> {
    select(vec![
        "",
        "2026-12-01T00:33:38.150604Z",
        "2026-12-01T00:00:00Z",
        "2026-12-01T00:00:00.123456789Z",
        "2026-11-30T12:00:00+02:00",
        "yesterday",
    ])
    .prop_map(str::to_owned)
}

fn role() -> impl Strategy<Value = Role> {
    prop_oneof![
        1 => Just(Role::System),
        1 => Just(Role::User),
        4 => Just(Role::Agent),
        1 => Just(Role::Tool),
        1 => Just(Role::Other("exit".to_owned())),
        1 => Just(Role::Other("developer".to_owned())),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let arguments = select(vec![
        "{}",
        "{\"a\":1}",
        "{\"command\":\"ls\"}",
        "[1]",
        "\"text\"",
        "\"12\"",
        "null",
        "{\"value\":1}",
    ]);
    let id = select(vec!["", "c1", "c2", "call_1"]);
    let name = select(vec!["bash", "walk", "", "é"]);
    (
        id,
        name,
        arguments,
        prop_oneof![3 => Just(Vec::new()), 1 => extra()],
    )
        .prop_map(|(id, name, arguments, extra)| Call {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
            extra,
        })
}

fn seen() -> impl Strategy<Value = Observation> {
    (
        select(vec!["", "c1", "c2", "other"]),
        text(),
        prop_oneof![3 => Just(Vec::new()), 1 => extra()],
    )
        .prop_map(|(call, text, extra)| Observation {
            call: call.to_owned(),
            text,
            extra,
        })
}

fn world() -> impl Strategy<Value = World> {
    (0_u32..9, 0_u32..3).prop_map(|(seq, n)| World {
        seq,
        hash: format!("{seq:032x}"),
        diff: vec!["+microwave.31:OPEN".to_owned(); n as usize],
        success: (n, 3),
        safety: (1, 1),
    })
}

fn turn() -> impl Strategy<Value = Turn> {
    (
        (role(), text(), text(), text(), text()),
        prop::collection::vec(call(), 0..3),
        prop::collection::vec(seen(), 0..3),
        usage(),
        time(),
        prop::option::of(world()),
        prop_oneof![2 => Just(Vec::new()), 1 => extra()],
    )
        .prop_map(
            |(
                (role, name, id, text, reasoning),
                calls,
                observations,
                usage,
                time,
                world,
                extra,
            )| Turn {
                role,
                name,
                id,
                text,
                reasoning,
                calls,
                observations,
                usage,
                time,
                world,
                extra,
            },
        )
}

fn score() -> impl Strategy<Value = Score> {
    (select(vec!["match", "b"]), json(), text(), extra()).prop_map(|(name, value, text, extra)| {
        Score {
            name: name.to_owned(),
            value,
            text,
            extra,
        }
    })
}

pub(super) fn trace() -> impl Strategy<Value = Trace> {
    let format = select(FORMATS.iter().map(|f| f.id).chain([""]).collect::<Vec<_>>());
    (
        (
            format,
            text(),
            text(),
            text(),
            text(),
            text(),
            time(),
            text(),
        ),
        prop::collection::vec(score(), 0..3),
        usage(),
        prop::collection::vec(turn(), 0..5),
        any::<bool>(),
        extra(),
    )
        .prop_map(
            |(
                (format, id, task, model, agent, agent_version, created, outcome),
                scores,
                totals,
                turns,
                run,
                extra,
            )| Trace {
                format: format.to_owned(),
                version: String::new(),
                id,
                task,
                model,
                agent,
                agent_version,
                created,
                outcome,
                scores,
                totals,
                turns,
                run: run.then(|| Recorded {
                    header: "{\n  \"vesta_run\": 1\n}\n".to_owned(),
                    events: vec!["{\"v\":1}".to_owned()],
                    notes: vec![],
                    timing: vec![],
                    scene: "AAAA".to_owned(),
                }),
                extra,
            },
        )
}

/// What no format can keep apart: the order of fields, and what the file is read as.
fn plain(mut trace: Trace) -> Trace {
    trace.format.clear();
    trace.version.clear();
    trace.extra.sort();
    for score in &mut trace.scores {
        score.extra.sort();
    }
    for turn in &mut trace.turns {
        turn.extra.sort();
        for call in &mut turn.calls {
            call.extra.sort();
        }
        for seen in &mut turn.observations {
            seen.extra.sort();
        }
    }
    trace
}

fn there_and_back(id: &str, trace: &Trace) -> Result<(), TestCaseError> {
    let format = format(id).unwrap();
    let (Some(read), Some(write)) = (format.read, format.write) else {
        return Ok(());
    };
    let written = write(&subject(trace)).unwrap();
    let bytes = &written.files[0].1;
    let (again, notes) = read("x", bytes)
        .map_err(|d| TestCaseError::fail(format!("{d}\n{}", String::from_utf8_lossy(bytes))))?;
    prop_assert_eq!(notes, vec![]);
    prop_assert_eq!(again.len(), 1);
    let again = plain(again.into_iter().next().unwrap());
    prop_assert_eq!(
        again,
        plain(trace.clone()),
        "{}",
        String::from_utf8_lossy(bytes)
    );
    Ok(())
}

macro_rules! round_trips {
    ($($name:ident: $id:literal),* $(,)?) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
            $(
                #[test]
                fn $name(trace in trace()) {
                    there_and_back($id, &trace)?;
                }
            )*
        }
    };
}

round_trips! {
    atif_gives_back_what_it_took: "atif",
    spans_give_back_what_they_took: "otel",
    states_give_back_what_they_took: "itf",
    archives_give_back_what_they_took: "inspect",
    logs_give_back_what_they_took: "inspect-json",
    mini_gives_back_what_it_took: "mini-swe",
    messages_give_back_what_they_took: "openai",
    lines_give_back_what_they_took: "openai-jsonl",
    the_neutral_form_gives_back_what_it_took: "trace",
}
