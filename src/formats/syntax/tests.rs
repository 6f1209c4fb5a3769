//! What the grammars make of lines.

use super::*;

fn told(language: &str, text: &str) -> String {
    let row = Row {
        text: text.to_owned(),
        cut: false,
    };
    let painted = paint(language, &[row], &|| false);
    let mut rest = text;
    let mut out = Vec::new();
    for piece in &painted[0] {
        let (word, tail) = rest.split_at(piece.len);
        rest = tail;
        if !word.trim().is_empty() {
            out.push(format!("{:?} {}", piece.ink, word.trim()));
        }
    }
    assert_eq!(rest, "");
    out.join(" · ")
}

#[test]
fn every_grammar_can_be_read() {
    assert_eq!(set().syntaxes().len(), GRAMMARS.len());
    for name in [
        "a.json",
        "events.jsonl",
        "scene.json.gz",
        "fire.rules",
        "config.toml",
    ] {
        let language = language(name).unwrap();
        assert!(set().find_syntax_by_name(language).is_some(), "{name}");
    }
    assert_eq!(language("README"), None);
    for (scope, _) in INKS {
        assert!(Scope::new(scope).is_ok());
    }
}

#[test]
fn json_tells_names_from_texts() {
    assert_eq!(
        told("json", r#"  "a\"b": ["c", -1.5e3, true],"#),
        r#"Name "a\"b" · Mark : · Mark [ · Text "c" · Mark , · Number -1.5e3 · Mark , · Word true · Mark ],"#
    );
    // A line that was cut inside a text.
    assert_eq!(told("json", r#""open"#), r#"Text "open"#);
    assert_eq!(
        told("json", "\"日本語\": 1"),
        "Name \"日本語\" · Mark : · Number 1"
    );
}

#[test]
fn rules_tell_fields_and_formulas() {
    assert_eq!(told("rules", "rule F01"), "Word rule · Name F01");
    assert_eq!(told("rules", "# a remark"), "Remark # a remark");
    assert_eq!(
        told("rules", "  formula: A h:stove. H(on(h))"),
        "Name formula · Mark : · Word A · Plain h:stove. · Word H( · Text on · Word ( · Plain h · Word ))"
    );
    assert_eq!(
        told("rules", "  grade: core"),
        "Name grade · Mark : · Word core"
    );
}

#[test]
fn long_lines_stay_plain_and_nobody_waiting_ends_it() {
    let long = Row {
        text: "1".repeat(LONGEST + 1),
        cut: true,
    };
    assert_eq!(
        paint("json", std::slice::from_ref(&long), &|| false),
        [Vec::new()]
    );
    assert!(paint("json", &[long], &|| true).is_empty());
    assert!(paint("klingon", &[], &|| false).is_empty());
}
