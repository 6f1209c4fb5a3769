//! Reading and asking the key map; the shipped one is held against the tables.

use super::*;
use crate::app::key::{Code, script};
use crate::app::{overlays, screens};

fn shipped() -> Keymap {
    Keymap::parse(SHIPPED, "keymap.toml").unwrap()
}

/// Every stack of contexts that can be active together.
fn stacks() -> Vec<Vec<&'static str>> {
    let of_screens = screens::SCREENS
        .iter()
        .flat_map(|screen| screen.contexts)
        .map(|stack| {
            let mut stack = stack.to_vec();
            stack.extend(["global", "always"]);
            stack
        });
    let of_overlays = overlays::CONTEXTS.iter().map(|stack| {
        let mut stack = stack.to_vec();
        stack.push("always");
        stack
    });
    of_screens.chain(of_overlays).collect()
}

/// Chords that can never be typed in a stack because a nearer context takes their beginning, or that
/// take the beginning of a nearer one's.
fn shadows(keymap: &Keymap, stack: &[&str]) -> Vec<String> {
    let chords: Vec<(&str, &Chord)> = stack
        .iter()
        .flat_map(|id| {
            keymap
                .bindings(id)
                .iter()
                .flat_map(move |b| b.on.iter().map(move |on| (*id, on)))
        })
        .collect();
    let mut found = Vec::new();
    for (i, (near, a)) in chords.iter().enumerate() {
        for (far, b) in chords.iter().skip(i + 1) {
            let beginning = a.keys() != b.keys()
                && (a.keys().starts_with(b.keys()) || b.keys().starts_with(a.keys()));
            if near != far && beginning {
                found.push(format!("{near} \"{a}\" and {far} \"{b}\""));
            }
        }
    }
    found
}

#[test]
fn shipped_keys_do_not_conflict() {
    let keymap = shipped();
    assert_eq!(keymap.conflicts(), Vec::<String>::new());
    for stack in stacks() {
        assert_eq!(shadows(&keymap, &stack), Vec::<String>::new(), "{stack:?}");
    }
}

#[test]
fn shipped_keys_can_be_typed_on_any_terminal() {
    for context in commands::CONTEXTS {
        for binding in shipped().bindings(context.id) {
            for key in binding.on.iter().flat_map(Chord::keys) {
                let text = key.to_string();
                assert!(!key.alt && !matches!(key.code, Code::F(_)), "{text}");
                assert!(
                    !(key.ctrl && matches!(key.code, Code::Char('i' | 'm' | '[') | Code::Enter)),
                    "{text}"
                );
                assert!(!key.ctrl || matches!(key.code, Code::Char(_)), "{text}");
            }
        }
    }
}

#[test]
fn conflicts_are_found() {
    let parse = |text: &str| Keymap::parse(text, "x").unwrap();
    let one = parse(
        "[[list]]\non = \"g\"\nrun = \"cursor-top\"\n[[list]]\non = \"g g\"\nrun = \"cursor-bottom\"\n",
    );
    assert_eq!(one.conflicts().len(), 1);
    let two =
        parse("[[home]]\non = \"g\"\nrun = \"open\"\n[[global]]\non = \"g h\"\nrun = \"home\"\n");
    assert_eq!(two.conflicts(), Vec::<String>::new());
    assert_eq!(shadows(&two, &["home", "global"]).len(), 1);
}

#[test]
fn faults_name_line_and_cure() {
    for (text, expected) in [
        (
            "[[list]]\non = \"Entr\"\nrun = \"cursor-up\"",
            "keys.toml line 2: unknown key \"Entr\"",
        ),
        (
            "[[list]]\non = \"k\"\nrun = \"cursor-upp\"",
            "keys.toml line 3: there is no command \"cursor-upp\"",
        ),
        (
            "[[lst]]\non = \"k\"\nrun = \"cursor-up\"",
            "keys.toml line 2: there is no context \"lst\"",
        ),
        (
            "[[list]]\non = \"k\"",
            "keys.toml line 1: missing field `run`",
        ),
        (
            "[[list]]\non = \"k\"\nrun = \"cursor-up\"\nwhen = 1",
            "keys.toml line 4: unknown field `when`",
        ),
        ("[[list]]\non = ", "keys.toml line 2: "),
    ] {
        let err = Keymap::parse(text, "keys.toml").unwrap_err().to_string();
        assert!(err.starts_with(expected), "{err}");
    }
}

#[test]
fn nearest_context_decides() {
    let keymap = shipped();
    let run = |contexts: &[&str], keys: &str| match keymap.lookup(contexts, &script(keys)) {
        Lookup::Run(_, binding) => binding.run.clone(),
        Lookup::Prefix => "…".to_owned(),
        Lookup::Nothing => String::new(),
    };
    let screen = ["home", "pane", "list", "global", "always"];
    assert_eq!(run(&screen, "g"), "…");
    assert_eq!(run(&screen, "g g"), "cursor-top");
    assert_eq!(run(&screen, "g h"), "home");
    assert_eq!(run(&screen, "g x"), "");
    assert_eq!(
        run(&["palette", "input", "always"], "Ctrl-N"),
        "cursor-down"
    );
    assert_eq!(run(&screen, "Ctrl-N"), "forward");
}

#[test]
fn the_users_rows_win() {
    let user = Keymap::parse(
        "[[list]]\non = \"n\"\nrun = \"cursor-down\"\n[[list]]\non = []\nrun = \"page-down\"\n[[global]]\non = \"!\"\nrun = \"quit\"\n",
        "keys.toml",
    )
    .unwrap();
    let keymap = shipped().overridden(user);
    let run = |keys: &str| keymap.lookup(&["list", "global"], &script(keys));
    assert!(matches!(run("n"), Lookup::Run(0, b) if b.run == "cursor-down"));
    assert_eq!(run("j"), Lookup::Nothing, "a row replaces the shipped one");
    assert_eq!(
        run("PgDn"),
        Lookup::Nothing,
        "no keys take the binding away"
    );
    assert!(matches!(run("!"), Lookup::Run(1, b) if b.run == "quit"));
    assert_eq!(keymap.conflicts(), Vec::<String>::new());
}
