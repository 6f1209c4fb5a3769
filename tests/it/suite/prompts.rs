//! The prompt editor and `vesta prompts`.

use assert_cmd::Command;
use vesta::app::cmd::Cmd;
use vesta::app::jobs::Job;
use vesta::app::msg::Msg;
use vesta::app::screens::Screen;
use vesta::app::screens::prompt::{Editor, fault_words};
use vesta::app::state::State;
use vesta::app::update::{drive, update};

use crate::support::{self, Shape};

fn open(line: &str) -> State {
    support::shipped(Shape::of(120, 40), &[line])
}

fn editor(state: &State) -> &Editor {
    match state.screen() {
        Screen::Prompt(editor) => editor,
        other => panic!("{other:?}"),
    }
}

fn faults(state: &State) -> Vec<String> {
    let draft = editor(state).draft.as_ref().unwrap();
    draft.faults.iter().map(fault_words).collect()
}

fn saved(cmds: Vec<Cmd>) -> Option<(String, String)> {
    cmds.into_iter().find_map(|cmd| match cmd {
        Cmd::Start(_, Job::SavePrompt(name, text)) => Some((name, text)),
        _ => None,
    })
}

fn paste(state: &mut State, text: &str) {
    update(state, Msg::Paste(text.to_owned()));
}

#[test]
fn a_fault_is_told_at_its_place_and_keeps_the_file_from_being_written() {
    let mut state = open("prompt common V022");
    paste(&mut state, "See {{exampel}}.\n");
    assert_eq!(faults(&state), ["6:5 {{exampel}} unknown: {{example}}?"]);
    assert_eq!(saved(drive(&mut state, "Ctrl-S")), None);
    let (notice, _) = state.shared.notices.front().unwrap();
    assert_eq!(
        notice.text,
        "save: mend 6:5 {{exampel}} unknown: {{example}}?"
    );
    // The caret goes to the fault, and what was typed is taken back.
    drive(&mut state, "Ctrl-F");
    assert_eq!(editor(&state).draft.as_ref().unwrap().edit.caret(), (5, 4));
    drive(&mut state, "Ctrl-X");
    assert_eq!(faults(&state), Vec::<String>::new());
    paste(&mut state, "Think first.\n");
    let (name, text) = saved(drive(&mut state, "Ctrl-S")).unwrap();
    assert_eq!(name, "common");
    assert!(text.contains("Think first.\nYou carry out"), "{text}");
    assert!(!text.contains("exampel"));
}

#[test]
fn the_preview_is_what_a_model_would_be_told_in_the_task() {
    let mut state = open("prompt react V022");
    let told = |state: &State| editor(state).draft.as_ref().unwrap().told.clone();
    assert!(told(&state).starts_with("You carry out household tasks"));
    assert!(!told(&state).contains("ZEBRA"));
    paste(&mut state, "ZEBRA\n");
    assert!(told(&state).contains("ZEBRA"));
    // With a fault the last good text stays.
    paste(&mut state, "{{nosuch}}");
    assert!(told(&state).contains("ZEBRA") && !told(&state).contains("nosuch"));
    let mut state = open("prompt common V022");
    let at = editor(&state).file().unwrap().text.lines();
    let line = at.clone().position(|line| line == "[task]").unwrap();
    for _ in 5..line + 2 {
        drive(&mut state, "Down");
    }
    let draft = editor(&state).draft.as_ref().unwrap();
    assert_eq!(draft.part, "task");
    assert!(
        draft.told.contains("Warm the bowl of soup"),
        "{}",
        draft.told
    );
    assert!(draft.told.contains("microwave"));
}

#[test]
fn a_draft_outlives_its_screen() {
    let mut state = open("prompt react");
    paste(&mut state, "ZEBRA\n");
    drive(&mut state, "Esc q");
    assert!(!matches!(state.screen(), Screen::Prompt(_)));
    assert_eq!(state.shared.drafts.keys().collect::<Vec<_>>(), ["react"]);
    let nowhere = Some("no/such/folder".into());
    let sources = vesta::runtime::jobs::Sources::in_folders(
        vesta::store::library::Places::default(),
        nowhere,
    );
    let cmds = vesta::app::update::execute(&mut state, "prompt react");
    let mut writers = vesta::runtime::jobs::Writers::default();
    vesta::runtime::settle(&mut state, cmds, &sources, &mut writers);
    assert!(
        editor(&state)
            .draft
            .as_ref()
            .unwrap()
            .edit
            .text()
            .contains("ZEBRA")
    );
}

fn vesta(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("vesta").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let done = command
        .current_dir(folder.path())
        .env("VESTA_CONFIG_DIR", folder.path())
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        done.status.code().unwrap(),
        text(done.stdout),
        text(done.stderr),
    )
}

#[test]
fn prompts_are_listed_shown_and_checked() {
    let (code, listed, _) = vesta(&["prompts", "list"]);
    assert_eq!((code, listed.lines().count()), (0, 10), "{listed}");
    assert!(listed.lines().all(|line| line.ends_with("  shipped")));
    let (code, shown, _) = vesta(&["prompts", "show", "react"]);
    assert_eq!(
        (code, shown),
        (
            0,
            include_str!("../../../assets/prompts/react.txt").to_owned()
        )
    );
    let (code, _, told) = vesta(&["prompts", "show", "raect"]);
    assert_eq!(
        (code, told.as_str()),
        (
            2,
            "vesta: no prompt file is called raect; did you mean react?\n"
        )
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("react.txt");
    std::fs::write(&path, "[format]\nSee {{histroy}}.\n").unwrap();
    let name = path.to_str().unwrap();
    let (code, told, _) = vesta(&["prompts", "check", name]);
    assert_eq!(code, 1);
    assert_eq!(
        told,
        format!(
            "{name} line 2 column 5: format: {{{{histroy}}}} unknown; nothing is filled in here\n"
        )
    );
    std::fs::write(&path, "[format]\nAnswer.\n").unwrap();
    let (code, told, _) = vesta(&["prompts", "check", name]);
    assert_eq!(code, 0);
    assert!(
        told.starts_with(&format!("{name}: fine, 1 parts, version ")),
        "{told}"
    );
}

#[test]
fn agents_and_strategies_are_listed() {
    let (code, listed, _) = vesta(&["agents"]);
    assert_eq!(code, 0);
    for line in ["  exec:COMMAND  another program", "  critic(N) "] {
        assert!(listed.contains(line), "{listed}");
    }
    let (code, json, _) = vesta(&["agents", "--json"]);
    assert_eq!(code, 0);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let ids = |key: &str| -> Vec<String> {
        let all = value[key].as_array().unwrap().iter();
        all.map(|v| v["id"].as_str().unwrap().to_owned()).collect()
    };
    let kinds = vesta::agent::players::KINDS.iter().map(|k| k.id.to_owned());
    assert_eq!(ids("agents"), kinds.collect::<Vec<_>>());
    assert_eq!(
        ids("strategies").len(),
        vesta::agent::strategy::STRATEGIES.len()
    );
}
