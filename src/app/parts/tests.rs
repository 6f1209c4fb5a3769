//! Changes and goals in words.

use super::*;
use crate::plan::goal::{Goal, GoalSet};
use crate::plan::ledger::Ledger;
use crate::safety::book::Book;
use crate::sim::testing::{act, timeline};
use crate::sim::timeline::Timeline;

fn changes(t: &mut Timeline, name: &str, ids: &[i64]) -> String {
    act(t, name, ids).unwrap();
    let rows = diff::rows(t.world(), &t.changes_here());
    let line = |row: &diff::Row| {
        let quiet = if row.quiet { " (quiet)" } else { "" };
        format!("{} {}{quiet}", row.sign.glyph().sign, row.text)
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_step_reads_as_people_would_say_it() {
    let mut t = timeline();
    let steps: [(&str, &[i64]); 7] = [
        ("WALK", &[21]),
        ("OPEN", &[21]),
        ("GRAB", &[32]),
        ("TURNTO", &[21]),
        ("WALK", &[20]),
        ("GRAB", &[30]),
        ("PUTBACK", &[32, 20]),
    ];
    let told: Vec<String> = steps
        .iter()
        .map(|(name, ids)| format!("{name}\n{}", changes(&mut t, name, ids)))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn goals_say_since_when() {
    let mut t = timeline();
    let scene = t.world().scene().clone();
    let read = |text: &str| Goal::read(&scene, &Book::default(), text).unwrap();
    let set = GoalSet {
        goals: vec![
            read("fridge:OPEN"),
            read("milk ON table"),
            read("!milk ON bed"),
            read("lamp:OFF"),
            read("fridge:CLOSED"),
        ],
        success: 2,
    };
    let mut ledger = Ledger::new(set, &t, &());
    for (name, id) in [
        ("WALK", 21),
        ("OPEN", 21),
        ("CLOSE", 21),
        ("OPEN", 21),
        ("CLOSE", 21),
    ] {
        act(&mut t, name, &[id]).unwrap();
        ledger.record(&t, &());
    }
    let line = |row: &goals::Row| {
        format!(
            "{} {} {} {}",
            row.mark.glyph().sign,
            row.field(),
            row.words,
            row.when()
        )
    };
    let at = |pos| goals::rows(&ledger, &t, crate::sim::timeline::Pos(pos));
    let rows = at(5);
    assert_eq!(
        rows.iter().map(line).collect::<Vec<_>>(),
        [
            "↺ success[0] fridge OPEN lost s5",
            "○ success[1] milk ON table never",
            "✓ safety[0] milk not ON bed s0–",
            "✗ safety[1] lamp OFF s0–",
            "✓ safety[2] fridge CLOSED s5–",
        ]
    );
    assert_eq!(line(&at(4)[4]), "✗ safety[2] fridge CLOSED s4–");
    assert_eq!(goals::count(&rows), "0/2 · safety 2/3");
    let plain: Vec<String> = goals::worst_first(&rows)
        .iter()
        .map(|r| r.plain(3))
        .collect();
    assert_eq!(plain[0], "safety 2 of 3 false since step 0: lamp OFF");
    assert_eq!(plain[1], "goal 1 of 3 lost at step 5: fridge OPEN");
    assert_eq!(plain[2], "goal 2 of 3 not yet: milk ON table");
}

#[test]
fn actions_read_with_an_arrow() {
    let t = timeline();
    let scene = t.world().scene();
    let read = |text: &str| crate::plan::script::read_line(scene, text).unwrap();
    assert_eq!(
        action(t.world(), read("putin milk fridge")),
        "putin milk → fridge"
    );
    assert_eq!(action(t.world(), read("standup")), "standup");
}
