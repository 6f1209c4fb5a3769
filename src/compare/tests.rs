//! Tests of alignment and of the table of lanes.

use crate::base::fold::{Key, StateHash};
use crate::compare::align::align;
use crate::compare::lane::{Beat, Kind, Lane};
use crate::compare::table::{Relation, Table};

fn hash(text: &str) -> StateHash {
    let mut hash = StateHash::default();
    hash.toggle(Key::of(text));
    hash
}

/// A lane from words `act@state`: the state after it, the state before being the one after the word before.
fn lane(words: &str) -> Lane {
    let mut before = hash("start");
    let beats = words.split_whitespace().enumerate().map(|(i, word)| {
        let (act, state) = word.split_once('@').unwrap();
        let after = hash(state);
        let beat = Beat {
            kind: Kind::Step,
            seq: i as u32 + 1,
            pos: i as u32 + 1,
            act: Key::of(act),
            before,
            after,
            vector: Key::of("same"),
        };
        before = after;
        beat
    });
    Lane {
        beats: beats.collect(),
    }
}

fn picture(table: &Table) -> Vec<String> {
    (0..table.len())
        .map(|row| {
            let mark = match table.relation(row, (0, 1)) {
                Relation::Equal => "=",
                Relation::SameAct => "~",
                Relation::Met => "><",
                Relation::Differs => "≠",
                Relation::OnlyFirst => "a",
                Relation::OnlySecond => "b",
                Relation::Neither => ".",
            };
            let row = table.row(row).unwrap();
            let cell = |l: usize| row.beat(l).map_or("-".to_owned(), |b| b.to_string());
            let cells: Vec<String> = (0..table.lanes().len()).map(cell).collect();
            format!("{mark} {}", cells.join(" "))
        })
        .collect()
}

#[test]
fn two_steps_left_out_are_one_gap_of_two() {
    let whole = lane("a@1 b@2 c@3 d@4 e@5 f@6");
    let mut cut = whole.clone();
    cut.beats.drain(2..4);
    assert_eq!(align(&whole.beats, &cut.beats).gaps(), [(2..4, 2..2)]);
    assert_eq!(align(&cut.beats, &whole.beats).gaps(), [(2..2, 2..4)]);
}

#[test]
fn the_first_difference_is_the_latest_possible() {
    let twice = lane("open@1 close@0 open@1 close@0 walk@2");
    let once = lane("open@1 close@0 walk@2");
    assert_eq!(align(&twice.beats, &once.beats).gaps(), [(2..4, 2..2)]);
}

#[test]
fn the_same_action_in_another_state_is_downstream() {
    let a = lane("walk@1 on@2 off@3 grab@4 put@5");
    let b = lane("walk@1 open@6 fork@7 off@8 grab@9 put@10");
    let table = Table::new(vec![a, b], &[]);
    assert_eq!(
        picture(&table),
        ["= 0 0", "≠ 1 1", "b - 2", "~ 2 3", "~ 3 4", "~ 4 5"]
    );
    let parting = table.parting((0, 1));
    assert_eq!((parting.first, parting.equal), (Some(1), 1));
    assert_eq!((parting.again, parting.choices), (None, 1));
    assert_eq!(parting.downstream, 3);
}

#[test]
fn another_action_into_the_same_state_is_where_runs_meet() {
    let a = lane("walk@1 push@2 grab@3");
    let b = lane("walk@1 pull@2 grab@3");
    let table = Table::new(vec![a, b], &[]);
    assert_eq!(picture(&table), ["= 0 0", ">< 1 1", "= 2 2"]);
    assert_eq!(table.parting((0, 1)).again, Some(1));
}

#[test]
fn a_third_lane_joins_the_rows_of_both() {
    let a = lane("w@1 a@2 z@9");
    let b = lane("w@1 b@3 c@4 z@9");
    let c = lane("w@1 b@3 c@4 d@5 z@9");
    let table = Table::new(vec![a, b, c], &[]);
    let rows = picture(&table);
    assert_eq!(rows.first().unwrap(), "= 0 0 0");
    assert!(rows.iter().any(|r| r.ends_with("1 1")), "{rows:?}");
    // The last beats do the same; the states before them differ, those after them do not.
    assert!(rows.last().unwrap().ends_with("2 3 4"), "{rows:?}");
}

#[test]
fn an_anchor_holds_two_beats_together() {
    let a = lane("x@1 y@2 q@3");
    let b = lane("p@4 r@5 s@6");
    let free = Table::new(vec![a.clone(), b.clone()], &[]);
    assert_eq!(picture(&free), ["≠ 0 0", "≠ 1 1", "≠ 2 2"]);
    let held = Table::new(vec![a, b], &[vec![(0, 2), (1, 0)]]);
    assert_eq!(
        picture(&held),
        ["a 0 -", "a 1 -", "≠ 2 0", "b - 1", "b - 2"]
    );
}

#[test]
fn no_lane_and_empty_lanes_make_empty_tables() {
    assert!(Table::new(Vec::new(), &[]).is_empty());
    let table = Table::new(vec![Lane::default(), lane("a@1")], &[]);
    assert_eq!(picture(&table), ["b - 0"]);
    assert_eq!(table.parting((0, 1)).first, Some(0));
}

#[test]
fn long_lanes_are_held_together_by_what_occurs_once() {
    let words = |range: std::ops::Range<usize>| -> String {
        let words: Vec<String> = range.map(|i| format!("a{}@{i}", i % 7)).collect();
        words.join(" ")
    };
    let a = lane(&words(0..6_000));
    let mut b = a.clone();
    b.beats.drain(4_000..4_003);
    b.beats.drain(1_000..1_002);
    b.beats.remove(10);
    let aligned = align(&a.beats, &b.beats);
    let expected = [
        (10..11, 10..10),
        (1_000..1_002, 999..999),
        (4_000..4_003, 3_997..3_997),
    ];
    assert_eq!(aligned.gaps(), expected);
    assert!(aligned.exact);
}
