//! The program on a real terminal: start, resize, suspend, faults, signals. After every end the line
//! settings and the terminal's modes are what they were before.

use std::time::Duration;

use rustix::process::Signal;

use crate::support::HOSTILE;
use crate::support::grammar::foreign;
use crate::support::pty::{Seen, Terminal};

/// The modes the program may switch on and off.
const MODES: &[&str] = &["?1049", "?2004", "?25"];

const TAKEN: [&str; 3] = ["alternate screen", "hidden cursor", "bracketed paste"];

fn home(seen: &Seen) -> bool {
    seen.has("vesta  home") && seen.has("Tasks 192") && seen.has("? help")
}

fn started(args: &[&str]) -> Terminal {
    let terminal = Terminal::vesta(args, (80, 24));
    let seen = terminal.wait("Home", home);
    assert_eq!(seen.modes, TAKEN);
    terminal
}

#[test]
fn starts_works_and_leaves() {
    let mut terminal = started(&[]);
    terminal.keys("?");
    terminal.wait("help", |seen| seen.has("Help  home"));
    terminal.keys("\u{1b}");
    terminal.wait("Home again", home);
    terminal.keys(":zoom");
    terminal.wait("the command line", |seen| seen.has(":zoom▏"));
    // An escape with a letter right behind it would be Alt and the letter.
    terminal.keys("\u{1b}");
    terminal.wait("Home again", home);
    terminal.keys("q");
    assert_eq!(terminal.end().exit_code(), 0);
    assert_eq!(terminal.differences(), Vec::<String>::new());
    assert_eq!(foreign(&terminal.bytes(), MODES), None);
}

#[test]
fn follows_the_terminals_size() {
    let mut terminal = started(&[]);
    for (cols, rows) in [(120, 40), (30, 8), (200, 60), (80, 24)] {
        terminal.resize(cols, rows);
        terminal.wait("the new size", |seen| {
            if cols < 40 {
                return seen.has("vesta needs 40x10, has 30x8");
            }
            let corner = seen
                .rows
                .get(usize::from(rows) - 2)
                .is_some_and(|row| row.ends_with('┘'));
            let width = seen.rows.first().map_or(0, |row| row.chars().count());
            corner && width == usize::from(cols) - 1
        });
    }
    terminal.keys("q");
    assert_eq!(terminal.end().exit_code(), 0);
    assert_eq!(foreign(&terminal.bytes(), MODES), None);
}

#[test]
fn a_storm_of_sizes_ends_with_the_last() {
    let mut terminal = started(&[]);
    for i in 0..300 {
        terminal.resize(60 + i % 90, 12 + i % 40);
    }
    terminal.resize(100, 30);
    terminal.wait("the last size", |seen| {
        home(seen)
            && seen
                .rows
                .get(28)
                .is_some_and(|row| row.ends_with('┘') && row.chars().count() == 100)
    });
    terminal.keys("q");
    assert_eq!(terminal.end().exit_code(), 0);
}

#[test]
fn gives_the_terminal_back_on_a_fault_and_tells_it() {
    let mut terminal = started(&["--debug-fault", "ui"]);
    terminal.keys("j");
    let status = terminal.end();
    assert_eq!(status.exit_code(), 101);
    assert_eq!(terminal.differences(), Vec::<String>::new());
    let text = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    let (_, after) = text
        .split_once("\u{1b}[?1049l")
        .expect("the alternate screen was left");
    assert!(after.contains("the UI panics on purpose"), "{after}");
    assert_eq!(text.matches("\u{1b}[?1049l").count(), 1, "given back once");
}

#[test]
fn a_fault_in_a_worker_leaves_the_screen_alone() {
    let mut terminal = started(&["--debug-fault", "worker"]);
    terminal.keys("j");
    terminal.settle(Duration::from_millis(300));
    terminal.keys("!");
    let seen = terminal.wait("the log", |seen| {
        seen.has("fault in the program") && seen.has("this job panics")
    });
    assert_eq!(seen.modes, TAKEN);
    terminal.keys("qq");
    assert_eq!(terminal.end().exit_code(), 0);
    assert_eq!(terminal.differences(), Vec::<String>::new());
    assert_eq!(foreign(&terminal.bytes(), MODES), None);
}

#[test]
fn gives_the_terminal_back_on_signals() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let mut terminal = started(&[]);
        terminal.signal(signal);
        assert_eq!(terminal.end().exit_code(), code, "{signal:?}");
        assert_eq!(terminal.differences(), Vec::<String>::new(), "{signal:?}");
        assert_eq!(foreign(&terminal.bytes(), MODES), None, "{signal:?}");
    }
}

#[test]
fn suspends_and_comes_back() {
    // The shell controls jobs: it gets the terminal when the program stops, and gives it back on fg.
    let script = "set -m; stty -a > before; \"$VESTA\"; stty -a > after; cmp before after && echo SAME; \
                  echo STOPPED; read line; fg; echo ENDED; stty -a > after; cmp before after && echo SAME AGAIN; \
                  read line";
    let mut terminal = Terminal::shell(script);
    terminal.wait("Home", home);
    terminal.keys("\u{1a}");
    let seen = terminal.wait("the shell", |seen| seen.has("STOPPED"));
    assert!(seen.has("SAME"), "{}", seen.rows.join("\n"));
    assert_eq!(seen.modes, Vec::<&str>::new());
    terminal.keys("\n");
    let seen = terminal.wait("Home after fg", home);
    assert_eq!(seen.modes, TAKEN);
    terminal.keys("?");
    terminal.wait("help", |seen| seen.has("Help  home"));
    terminal.keys("qq");
    let seen = terminal.wait("the end", |seen| seen.has("SAME AGAIN"));
    assert_eq!(seen.modes, Vec::<&str>::new());
    terminal.keys("\n");
    terminal.end();
}

#[test]
fn suspends_without_a_shell_by_going_on() {
    let mut terminal = started(&[]);
    let raw = terminal.termios();
    terminal.keys("\u{1a}");
    terminal.settle(Duration::from_millis(200));
    terminal.wait("Home", home);
    assert_eq!(terminal.seen().modes, TAKEN);
    assert_eq!(terminal.termios(), raw);
    terminal.keys("q");
    assert_eq!(terminal.end().exit_code(), 0);
}

#[test]
fn idles_without_a_byte_and_without_waking() {
    let mut terminal = started(&[]);
    terminal.settle(Duration::from_secs(1));
    let (bytes, wakeups) = (terminal.bytes().len(), wakeups(terminal.pid()));
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(terminal.bytes().len(), bytes);
    assert_eq!(self::wakeups(terminal.pid()), wakeups);
    // The control: a key does wake it.
    terminal.keys("?");
    terminal.wait("help", |seen| seen.has("Help  home"));
    assert!(self::wakeups(terminal.pid()) > wakeups);
}

/// How often the threads of a process have waited and been woken.
fn wakeups(pid: i32) -> u64 {
    let mut total = 0;
    for task in std::fs::read_dir(format!("/proc/{pid}/task")).unwrap() {
        let status =
            std::fs::read_to_string(task.unwrap().path().join("status")).unwrap_or_default();
        let line = status
            .lines()
            .find(|line| line.starts_with("voluntary_ctxt_switches"));
        total += line
            .and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok())
            .unwrap_or(0);
    }
    total
}

#[test]
fn a_paste_is_text_and_never_keys() {
    let mut terminal = started(&[]);
    // Outside a text line a paste does nothing: its `q` must not leave.
    terminal.keys("\u{1b}[200~qq\u{1b}[201~");
    terminal.settle(Duration::from_millis(100));
    terminal.keys(":");
    terminal.wait("the command line", |seen| seen.has(":▏"));
    terminal.keys("\u{1b}[200~quit\nnow\u{1b}[201~");
    terminal.wait("the pasted text", |seen| seen.has(":quit now▏"));
    terminal.keys("\u{3}");
    assert_eq!(terminal.end().exit_code(), 0);
    assert_eq!(terminal.differences(), Vec::<String>::new());
}

#[test]
fn ten_thousand_keys_at_once_are_all_taken() {
    let mut terminal = started(&[]);
    terminal.keys(":");
    terminal.wait("the command line", |seen| seen.has(":▏"));
    // More than the line takes, then one that shows whether the last key arrived.
    for _ in 0..10 {
        terminal.keys(&"x".repeat(1_000));
    }
    terminal.keys("\u{15}end");
    terminal.wait("the last keys", |seen| seen.has(":end▏"));
    terminal.keys("\u{3}");
    assert_eq!(terminal.end().exit_code(), 0);
}

#[test]
fn keys_and_sizes_that_come_together_are_both_taken() {
    let mut terminal = started(&[]);
    terminal.keys(":");
    terminal.wait("the command line", |seen| seen.has(":▏"));
    let mut typed = String::new();
    for i in 0..200_u16 {
        terminal.resize(80 + i % 7, 24 + i % 3);
        let letter = char::from(b'a' + u8::try_from(i % 26).unwrap());
        terminal.keys(&letter.to_string());
        typed.push(letter);
    }
    terminal.resize(80, 24);
    let tail: String = typed.chars().skip(typed.len() - 20).collect();
    terminal.wait("every letter", |seen| seen.has(&format!("{tail}▏")));
    terminal.keys("\u{3}");
    assert_eq!(terminal.end().exit_code(), 0);
}

/// A scene whose names try to do things to a terminal, with a cycle, wide and combining text beside.
fn hostile_scene() -> String {
    let mut nodes = vec![
        serde_json::json!({"id": 1, "class_name": "kitchen", "category": "Rooms", "properties": [], "states": []}),
        serde_json::json!({"id": 2, "class_name": "character", "category": "Characters", "properties": [], "states": []}),
    ];
    let mut edges = vec![serde_json::json!({"from_id": 2, "relation_type": "INSIDE", "to_id": 1})];
    for (id, name) in (10..).zip(HOSTILE.iter().filter(|name| !name.is_empty())) {
        nodes.push(serde_json::json!({
            "id": id, "class_name": name, "category": name, "properties": ["GRABBABLE", "CAN_OPEN"], "states": ["CLOSED"],
        }));
        edges.push(serde_json::json!({"from_id": id, "relation_type": "INSIDE", "to_id": 1}));
        edges.push(serde_json::json!({"from_id": 2, "relation_type": "CLOSE", "to_id": id}));
        edges.push(serde_json::json!({"from_id": id, "relation_type": "CLOSE", "to_id": 2}));
    }
    serde_json::json!({"nodes": nodes, "edges": edges}).to_string()
}

#[test]
fn foreign_names_reach_the_terminal_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("evil\u{1b}]0;title\u{7}.json");
    std::fs::write(&scene, hostile_scene()).unwrap();
    let from = scene.to_string_lossy().into_owned();
    let mut terminal = Terminal::vesta(&["--from", &from], (100, 30));
    terminal.wait("Home", |seen| {
        seen.has("vesta  home") && seen.has("Tasks 1")
    });
    for keys in ["gt", "\r", "jj", "\r", "\t", "jjl", "\r"] {
        terminal.keys(keys);
        terminal.settle(Duration::from_millis(150));
    }
    terminal.keys("\u{3}");
    assert_eq!(terminal.end().exit_code(), 0);
    assert_eq!(terminal.differences(), Vec::<String>::new());
    assert_eq!(foreign(&terminal.bytes(), MODES), None);
    // The control: the names were there, written out.
    let text = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    assert!(
        text.contains('␛') && text.contains("U+202E"),
        "hostile names were shown"
    );
}

/// `vesta inspect` opens a run where somebody sits in front of it, and prints it where nobody does.
#[test]
fn a_run_is_opened_on_a_terminal_and_printed_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().display().to_string();
    let vesta = |args: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_vesta"));
        let done = command
            .args(args)
            .write_stdin("walk microwave\nopen microwave\n")
            .output();
        String::from_utf8_lossy(&done.unwrap().stdout).into_owned()
    };
    vesta(&["play", "V022", "--script", "-", "--runs", &runs]);
    let run = std::fs::read_dir(folder.path())
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let run = run.path().display().to_string();
    let printed = vesta(&["inspect", &run]);
    assert!(printed.contains("[WALK] <microwave>"), "{printed}");
    let mut terminal = Terminal::vesta(&["inspect", &run], (80, 24));
    terminal.wait("Inspect", |seen| {
        seen.has("vesta  inspect") && seen.has("? help")
    });
    terminal.keys("q");
    terminal.wait("Home", |seen| seen.has("vesta  home"));
    terminal.keys("q");
    assert_eq!(terminal.end().exit_code(), 0);
    let plain = Terminal::vesta(&["inspect", &run, "--plain"], (80, 24));
    plain.wait("text", |seen| seen.has("judged") || seen.has("goals"));
}

#[test]
fn needs_a_terminal_and_says_so() {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_vesta"));
    let assert = command.write_stdin("").assert().code(2);
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(
        text,
        "vesta: standard input and output are no terminal: use --plain or a subcommand\n"
    );
}

#[test]
fn a_prompt_is_edited_in_the_users_own_editor() {
    // The editor reads a line of its own: what is typed meanwhile is its, not ours.
    let folder = tempfile::tempdir().unwrap();
    let editor = folder.path().join("editor.sh");
    let text = "read line\necho \"# $line\" > \"$1.new\"\ncat \"$1\" >> \"$1.new\"\nmv \"$1.new\" \"$1\"\n";
    std::fs::write(&editor, text).unwrap();
    let script = format!("EDITOR='sh {}' \"$VESTA\"", editor.display());
    let mut terminal = Terminal::shell(&script);
    terminal.wait("Home", home);
    terminal.keys(":prompt react\r");
    terminal.wait("the text", |seen| seen.has("Prompt react"));
    terminal.keys("\u{7}");
    terminal.wait("the editor", |seen| seen.modes.is_empty());
    terminal.keys("qwerty\r");
    let seen = terminal.wait("what the editor made of it", |seen| seen.has("# qwerty"));
    assert_eq!(seen.modes, TAKEN);
    assert!(seen.has("not saved"), "{:?}", seen.rows);
    terminal.keys("\u{1b}");
    terminal.wait("the files", |seen| seen.has("Prompts 10"));
    terminal.keys("qq");
    assert_eq!(terminal.end().exit_code(), 0);
    assert_eq!(terminal.differences(), Vec::<String>::new());
}
