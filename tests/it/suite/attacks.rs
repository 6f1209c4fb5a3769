//! Agents and clients that behave badly, flags that make no sense, two at once: each ends in a clear sentence or a clear
//! end of the run, never in a panic and never not at all.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use vesta::agent::session::Control;
use vesta::store::runs::live::steer;
use vesta::store::runs::{self, SavedRun};
use vesta::task::episode::Body;

fn vesta(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vesta"));
    command
        .args(args)
        .current_dir(dir)
        .env("HOME", dir)
        .env("XDG_DATA_HOME", dir.join("data"))
        .env("LANG", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits for a program and what it says, at most three minutes.
fn left(child: Child) -> Output {
    let (send, done) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(child.wait_with_output()));
    let output = done.recv_timeout(Duration::from_mins(3));
    output.expect("it hangs").unwrap()
}

fn ran(dir: &Path, args: &[&str]) -> (String, String, i32) {
    let output = left(vesta(dir, args).spawn().unwrap());
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(!err.contains("panicked"), "{args:?}: {err}");
    (out, err, output.status.code().unwrap())
}

fn run_of(root: &Path) -> SavedRun {
    SavedRun::read(&runs::list(root).unwrap()[0].folder).unwrap()
}

/// The cause and the words that a run ends with.
fn end(root: &Path) -> (String, String) {
    let run = run_of(root);
    match &run.events.items.last().unwrap().body {
        Body::Stopped { cause, text } => (cause.clone(), text.clone()),
        Body::Done { .. } => ("done".to_owned(), String::new()),
        other => panic!("it goes on: {other:?}"),
    }
}

#[test]
fn programs_that_behave_badly_end_their_run_clearly() {
    let dir = tempfile::tempdir().unwrap();
    let line = "head -c 11000000 /dev/zero | tr '\\0' x";
    let cases = [
        ("true", "cut_off", "has ended (exit status: 0)"),
        ("exit 7", "cut_off", "has ended (exit status: 7)"),
        ("no-such-program", "cut_off", "has ended (exit status: 127)"),
        (
            "printf '\\377\\376\\n'; cat",
            "garbage",
            "wrote a line that is not UTF-8",
        ),
        (
            "head -c 100000 /dev/zero; echo; cat",
            "limit",
            "3 steps were not enough",
        ),
        (
            "while :; do echo hm; done",
            "limit",
            "3 steps were not enough",
        ),
        (
            "while read -r x; do echo '{\"observe\":true}'; done",
            "limit",
            "3 steps were not enough",
        ),
        (
            "while read -r x; do echo '[[[[[[[['; done",
            "limit",
            "3 steps were not enough",
        ),
        (line, "too_long", "wrote a line of more than 10485760 bytes"),
        ("echo Done", "done", ""),
        ("printf Done", "done", ""),
        (
            "exec <&-; sleep 1; echo '{\"done\":true}'; sleep 60",
            "done",
            "",
        ),
    ];
    std::thread::scope(|scope| {
        for (at, (command, cause, words)) in cases.into_iter().enumerate() {
            let dir = dir.path();
            scope.spawn(move || {
                let runs = dir.join(at.to_string());
                let agent = format!("exec:{command}");
                let args = ["run", "V022", "--agent", &agent, "--steps", "3", "--runs"];
                let args = [&args[..], &[runs.to_str().unwrap()]].concat();
                let (out, err, code) = ran(dir, &args);
                assert_eq!(code, 1, "{command}: {err}{out}");
                let (ended, text) = end(&runs);
                assert_eq!(ended, cause, "{command}: {text}");
                assert!(text.ends_with(words), "{command}: {text}");
            });
        }
    });
}

#[test]
fn a_program_that_never_answers_is_left_at_once_with_all_it_started() {
    use rustix::process::{Pid, Signal, kill_process, test_kill_process};
    let dir = tempfile::tempdir().unwrap();
    // It does not read either, and what it is told is more than a pipe holds.
    let agent = "exec:sleep 977 & echo $! > child; wait";
    let args = [
        "run",
        "V022",
        "--agent",
        agent,
        "--observe",
        "full json",
        "--runs",
        "r",
    ];
    let child = vesta(dir.path(), &args).spawn().unwrap();
    let file = dir.path().join("child");
    let started = loop {
        match std::fs::read_to_string(&file) {
            Ok(text) if text.ends_with('\n') => break text.trim().parse().unwrap(),
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let started = Pid::from_raw(started).unwrap();
    test_kill_process(started).unwrap();
    let folder = runs::list(&dir.path().join("r")).unwrap()[0].folder.clone();
    // Two at once are not possible.
    let (_, err, code) = ran(dir.path(), &["resume", folder.to_str().unwrap()]);
    assert_eq!(code, 2);
    assert!(
        err.ends_with("another instance has this run open\n"),
        "{err}"
    );
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    assert_eq!(left(child).status.code(), Some(130));
    // Whoever adopts it may take a moment to bury it.
    let state = |pid: Pid| {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        stat.map_or('X', |s| {
            s.rsplit(") ").next().unwrap().chars().next().unwrap()
        })
    };
    for _ in 0..100 {
        if matches!(state(started), 'X' | 'Z') {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("what it started goes on");
}

#[test]
fn flags_without_sense_are_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "x").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["--steps", "0"], "write a whole number from 1 to 100000"),
        (
            &["--steps", "4294967295"],
            "write a whole number from 1 to 100000",
        ),
        (&["--trials", "0"], "write a whole number from 1 to 100000"),
        (&["--trials", "-1"], "unexpected argument '-1'"),
        (&["--pace", "18446744073709551615"], "at most 3600000"),
        (&["--hold", "core !9"], "write \"off\""),
        (&["--observe", "sideways"], "write full, room or near"),
        (&["--agent", "script:nowhere"], "nowhere"),
        (&["--agent", "replay:nowhere"], "no run in"),
        (&["--agent", "openai"], "write --model NAME as well"),
        (
            &[
                "--agent",
                "openai",
                "--model",
                "m",
                "--strategy",
                "reflexion(4294967296)",
            ],
            "reflexion",
        ),
        (&["--agent", "nobody"], "there is no agent \"nobody\""),
        (&["--runs", "file/inside"], "file/inside"),
    ];
    for (args, said) in cases {
        let (_, err, code) = ran(dir.path(), &[&["run", "V022"], *args].concat());
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains(said), "{args:?}: {err}");
    }
}

#[test]
fn scripts_of_all_sorts_are_read() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text, cause) in [
        (
            "bom",
            "\u{feff}walk microwave\r\n\r\n# x\r\nDone\r\n",
            "done",
        ),
        ("wrong", "walk microwave\nfly to the moon\n", "given_up"),
        ("empty", "", "plan_end"),
        ("control", "walk \u{1b}[2J\u{7}\n", "given_up"),
        ("long", &"walk ".repeat(100_000), "given_up"),
    ] {
        std::fs::write(dir.path().join(name), text).unwrap();
        let agent = format!("script:{name}");
        let runs = format!("runs-{name}");
        let (out, err, code) = ran(
            dir.path(),
            &["run", "V022", "--agent", &agent, "--runs", &runs],
        );
        assert_eq!(code, 1, "{name}: {err}");
        assert!(!out.contains('\u{1b}'), "{name}");
        let (ended, text) = end(&dir.path().join(&runs));
        assert_eq!(ended, cause, "{name}: {text}");
    }
    std::fs::write(dir.path().join("bytes"), b"\xff\xfe").unwrap();
    let (_, err, code) = ran(dir.path(), &["run", "V022", "--agent", "script:bytes"]);
    assert_eq!(
        (code, &*err),
        (2, "vesta: bytes: not UTF-8; save it as plain text\n")
    );
    // A damaged run is played again up to its damage.
    let folder = run_of(&dir.path().join("runs-bom")).folder;
    let events = folder.join("events.jsonl");
    let text = std::fs::read_to_string(&events).unwrap();
    std::fs::write(
        &events,
        text.replace("\"DONE\"", "x").replace("done", "dome"),
    )
    .unwrap();
    let agent = format!("replay:{}", folder.display());
    let (_, err, code) = ran(
        dir.path(),
        &["run", "V022", "--agent", &agent, "--runs", "again"],
    );
    assert_eq!(code, 1, "{err}");
    assert_eq!(end(&dir.path().join("again")).0, "plan_end");
}

/// What a served client gets for its lines, when it closes its end after them; and the folder of runs.
fn served(dir: &Path, args: &[&str], lines: &[u8]) -> (Vec<Value>, PathBuf) {
    let args = [&["serve", "--runs", "served"], args].concat();
    let mut child = vesta(dir, &args).stdin(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let bytes = lines.to_vec();
    let writer = std::thread::spawn(move || to.write_all(&bytes));
    let output = left(child);
    let _ = writer.join().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), &*err), (Some(0), ""));
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|l| serde_json::from_str(l).unwrap());
    (answers.collect(), dir.join("served"))
}

#[test]
fn whatever_a_client_sends_is_answered() {
    let dir = tempfile::tempdir().unwrap();
    let mut lines = b"{\"id\":1}\nnonsense\n\xff\xfe\n[]\n5\n\n".to_vec();
    lines.extend("[".repeat(100_000).bytes());
    lines.extend(b"\n{\"id\":2,\"call\":\"act\",\"action\":\"walk table\"}\n");
    lines.extend(b"{\"id\":3,\"call\":\"fly\"}\n{\"id\":4,\"call\":\"start\"}\n");
    lines.extend(
        b"{\"id\":5,\"call\":\"start\",\"task\":7}\n{\"id\":6,\"call\":\"start\",\"task\":\"X\"}\n",
    );
    lines.extend(b"{\"id\":7,\"call\":\"start\",\"task\":\"V022\"}\n");
    lines.extend(b"{\"id\":8,\"call\":\"act\",\"action\":\"\\u001b[2J\"}\n");
    let (answers, runs) = served(dir.path(), &[], &lines);
    let errors: Vec<&str> = answers
        .iter()
        .map(|a| a["error"].as_str().unwrap_or("-"))
        .collect();
    let begins = [
        "the field \"call\" is missing",
        "not JSON",
        "not JSON",
        "a message is one JSON object",
        "a message is one JSON object",
        "not JSON: recursion limit",
        "no run goes on; call start first",
        "there is no \"fly\"",
        "start needs task",
        "task is 7; it should be a text",
        "",
        "-",
        "-",
    ];
    assert_eq!(errors.len(), begins.len(), "{errors:#?}");
    for (error, begin) in errors.iter().zip(begins) {
        assert!(error.starts_with(begin), "{error}\n{begin}");
    }
    let (_, err, code) = ran(dir.path(), &["resume", "--runs", "served", ""]);
    assert_eq!(code, 2, "{err}");
    let name = runs::list(&runs).unwrap()[0].id.clone();
    let (_, err, code) = ran(dir.path(), &["resume", "--runs", "served", &name]);
    assert!(code == 2 && err.contains("through vesta serve"), "{err}");
    // It closed its end in the middle of a run.
    assert_eq!(
        end(&runs),
        ("cut_off".to_owned(), "the client has gone".to_owned())
    );
}

#[test]
fn a_client_of_the_protocol_may_send_anything() {
    let dir = tempfile::tempdir().unwrap();
    let mut lines: Vec<u8> = b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n".to_vec();
    lines.extend(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    lines.extend(
        b"{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"start\"}}\n",
    );
    lines.extend(b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"nothing/such\"}\n");
    lines.extend(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n");
    lines.extend(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":[1]}\n");
    lines.extend(b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"done\",\"arguments\":7}}\n");
    lines.extend(b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"initialize\",\"params\":{\"protocolVersion\":5}}\n");
    lines.extend(b"{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"x\",\"pad\":\"");
    lines.extend(vec![b'x'; 11 << 20]);
    lines.extend(b"\"}\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n");
    let (answers, _) = served(dir.path(), &["--mcp"], &lines);
    let codes: Vec<(Value, Value)> = answers
        .iter()
        .map(|a| (a["id"].clone(), a["error"]["code"].clone()))
        .collect();
    let want = serde_json::json!([
        [null, -32600],
        ["a", -32601],
        [3, null],
        [4, null],
        [5, null],
        [null, -32600],
        [7, null]
    ]);
    assert_eq!(serde_json::to_value(codes).unwrap(), want);
    assert_eq!(answers[2]["result"]["isError"], true);
    assert_eq!(
        answers[3]["result"]["content"][0]["text"],
        "no run goes on; call start first"
    );
}

/// Ways of the first steps of a run in which something dangerous is done next.
const DANGER: &str = "walk microwave|open microwave|walk bowl.203|grab bowl.203|walk microwave|putin bowl.203 microwave|close microwave|switchon microwave";

#[test]
fn a_client_that_goes_while_a_person_is_waited_for_ends_its_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut lines = "{\"id\":0,\"call\":\"start\",\"task\":\"V022\"}\n".to_owned();
    for line in DANGER.split('|') {
        let _ = writeln!(lines, "{{\"id\":1,\"call\":\"act\",\"action\":\"{line}\"}}");
    }
    let (answers, runs) = served(dir.path(), &["--hold", "core !3 block"], lines.as_bytes());
    assert_eq!(answers.len(), 9);
    assert_eq!(answers[8]["result"]["over"], true, "{}", answers[8]);
    assert_eq!(
        end(&runs),
        ("cut_off".to_owned(), "the client has gone".to_owned())
    );
    let steps = run_of(&runs)
        .events
        .items
        .iter()
        .filter(|e| e.body.kind() == "step")
        .count();
    assert_eq!(steps, 7, "the held act was not done");
}

#[test]
fn a_client_whose_answer_comes_after_a_person_acted_is_told_so() {
    use std::io::BufRead as _;
    let dir = tempfile::tempdir().unwrap();
    let mut child = vesta(dir.path(), &["serve", "--runs", "served"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut call = |line: &str| {
        writeln!(to, "{line}").unwrap();
        let mut answer = String::new();
        from.read_line(&mut answer).unwrap();
        serde_json::from_str::<Value>(&answer).unwrap()
    };
    call("{\"id\":1,\"call\":\"start\",\"task\":\"V022\"}");
    let root = dir.path().join("served");
    let folder = runs::list(&root).unwrap()[0].folder.clone();
    for control in [
        Control::TakeOver,
        Control::Act("walk microwave".to_owned()),
        Control::HandBack,
    ] {
        steer(&folder, &control).unwrap();
    }
    let handed = || {
        let events = SavedRun::read(&folder).unwrap().events.items;
        events
            .iter()
            .filter(|e| matches!(&e.body, Body::Remark(s) if s.by == "world"))
            .count()
            > 1
    };
    while !handed() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let told = call("{\"id\":2,\"call\":\"act\",\"action\":\"walk bathroom\"}");
    let feedback = told["result"]["feedback"].as_str().unwrap();
    assert!(
        feedback.contains("A person took over, did walk microwave"),
        "{told}"
    );
    let done = call("{\"id\":3,\"call\":\"act\",\"action\":\"open microwave\"}");
    assert_eq!(done["result"]["done"], true, "{done}");
    let over = call("{\"id\":4,\"call\":\"done\"}");
    assert_eq!(over["result"]["over"], true, "{over}");
    drop(to);
    assert_eq!(left(child).status.code(), Some(0));
}
