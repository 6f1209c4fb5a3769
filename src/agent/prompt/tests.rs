//! The shipped prompts are whole; what is wrong with a file is told with its place.

use std::sync::Arc;

use super::{PARTS, Prompts, SHIPPED, read};
use crate::sim::testing::{nook, scene};

fn wrong(name: &str, text: &str) -> Vec<String> {
    let all = read(name, text).err().unwrap_or_default();
    all.iter().map(ToString::to_string).collect()
}

#[test]
fn every_shipped_file_is_read_and_every_part_is_in_one() {
    for (name, text) in SHIPPED {
        assert_eq!(wrong(name, text), Vec::<String>::new(), "{name}");
    }
    let prompts = Prompts::shipped();
    assert_eq!(prompts.files().count(), SHIPPED.len());
    for part in PARTS {
        let file = prompts.files().find(|f| f.name == part.file).unwrap();
        let has = file
            .parts
            .keys()
            .any(|k| k == part.name || part.name.ends_with('.') && k.starts_with(part.name));
        assert!(has, "{}: {}", part.file, part.name);
    }
}

#[test]
fn every_action_of_every_world_has_its_needs() {
    let prompts = Prompts::shipped();
    for scene in [scene(), nook()] {
        let scene = Arc::clone(&scene);
        let dialect = scene.dialect();
        let needs = prompts.fill("common", &format!("needs.{}", dialect.id), &[]);
        let named: Vec<&str> = needs
            .lines()
            .filter_map(|l| l.split_once(": "))
            .map(|(n, _)| n)
            .collect();
        let actions: Vec<&str> = dialect.actions.iter().map(|a| a.name).collect();
        assert_eq!(named, actions, "{}", dialect.id);
    }
}

#[test]
fn words_are_filled_in_and_what_is_left_out_leaves_no_gap() {
    let own = "note {{nothing}}\n[ask]\n[insert]\na {{critique}} b\n\n{{critique}}\n\n\\[c] {{\"d\": 1}}\n[remember]\n";
    let prompts = Prompts::with([("reflexion", own)]).unwrap();
    assert_eq!(
        prompts.fill("reflexion", "insert", &[("critique", "x")]),
        "a x b\n\nx\n\n[c] {{\"d\": 1}}"
    );
    assert_eq!(
        prompts.fill("reflexion", "insert", &[]),
        "a  b\n\n[c] {{\"d\": 1}}"
    );
    assert_eq!(prompts.fill("reflexion", "ask", &[]), "");
    assert_eq!(prompts.fill("nosuch", "ask", &[]), "");
    let version = |p: &Prompts| {
        p.versions()
            .into_iter()
            .find(|(n, _)| n == "reflexion")
            .unwrap()
            .1
    };
    assert_ne!(version(&prompts), version(&Prompts::shipped()));
    assert_eq!(super::version(b"abc"), "ba7816bf8f01");
}

#[test]
fn faults_have_a_place_and_a_cure() {
    assert_eq!(
        wrong(
            "reflexion",
            "[ask]\n[insert]\nab {{critque}} {{critique\n[remembre]\n[insert]\n"
        ),
        [
            "assets/prompts/reflexion.txt line 3 column 4: insert: {{critque}} unknown; {{critique}}?",
            "assets/prompts/reflexion.txt line 3 column 16: insert: {{critique has no end; write {{critique}}",
            "assets/prompts/reflexion.txt line 4 column 1: no part is called [remembre]; did you mean [remember]?",
            "assets/prompts/reflexion.txt line 5 column 1: the part [insert] comes twice; keep one of them",
            "assets/prompts/reflexion.txt line 5 column 1: the part [remember] is missing; add it; it is: What it said, at the \
             beginning of a new conversation",
        ]
    );
    assert_eq!(
        wrong("reflection", ""),
        [
            "assets/prompts/reflection.txt: no prompt file has this name; did you mean reflexion.txt?"
        ]
    );
    assert_eq!(
        wrong("direct", "[format]\n{{x}}\n"),
        [
            "assets/prompts/direct.txt line 2 column 1: format: {{x}} unknown; nothing is filled in here"
        ]
    );
}
