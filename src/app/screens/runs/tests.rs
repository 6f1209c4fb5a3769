//! Runs: what keys do to what is shown.

use std::sync::Arc;

use pretty_assertions::assert_eq;

use super::*;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Layer as _};
use crate::app::state::Shared;
use crate::query::row::{Moment, What};
use crate::query::shelf::News;

/// Runs of three tasks, the last of which is not read yet.
fn news() -> News {
    let mut shelf = Shelf::default();
    let f05 = shelf.pool.sym("F05");
    let rows = ["V001-a-0001", "V002-a-0002", "V003-a-0003"].map(|id| {
        let mut row = Row::listed(id, 0, 1);
        row.stage = Stage::Judged;
        row.safe = Some(true);
        row.last = 9;
        row
    });
    let [mut one, mut two, mut three] = rows;
    two.moments = [Moment {
        pos: 4,
        what: What::Violated,
        word: f05,
        more: 4,
    }]
    .into();
    two.first_bad = Some((4, crate::query::row::Bad::Violation));
    two.safe = Some(false);
    one.created = Arc::from("2026-11-03T00:00:00Z");
    three.stage = Stage::Listed;
    let ids = [&*one.id, &*two.id, &*three.id].map(str::to_owned);
    News {
        fresh: true,
        words: shelf.pool.from(1).to_vec(),
        starts: Vec::new(),
        tails: Some(crate::query::shelf::tails(&ids)),
        read: (2, 2, 3),
        rows: [one, two, three]
            .map(Arc::new)
            .into_iter()
            .enumerate()
            .collect(),
    }
}

fn open(args: &str) -> (Runs, Shared) {
    let mut shared = Shared::default();
    let mut runs = Runs::asked(args).unwrap();
    let acts = runs.on_open(&mut shared);
    assert!(
        matches!(acts.as_slice(), [Act::Job(_, Job::Shelve(..))]),
        "{acts:?}"
    );
    hear(&mut runs, &mut shared, news());
    (runs, shared)
}

fn hear(runs: &mut Runs, shared: &mut Shared, news: News) {
    let shelved = Shelved {
        news,
        folders: vec![PathBuf::from("/runs of mine")],
        ..Shelved::default()
    };
    let reply = Box::new(Reply::Shelf(Box::new(shelved)));
    runs.on_job("read", JobEvent::Part(reply), shared);
}

fn shown(runs: &Runs) -> Vec<String> {
    let line = |line: &Line| match line {
        Line::Group(at) => runs.groups[*at].key.clone(),
        Line::Run(_, at) => runs.row(*at).unwrap().id.to_string(),
    };
    runs.lines().iter().map(line).collect()
}

fn keys(runs: &mut Runs, shared: &mut Shared, all: &[&str]) -> Vec<Act> {
    let mut last = Vec::new();
    for command in all {
        let (name, args) = command.split_once(' ').unwrap_or((command, ""));
        last = runs
            .run(name, args, shared)
            .unwrap_or_else(|| panic!("{command}"));
    }
    last
}

#[test]
fn a_run_is_opened_at_the_step_that_matched_else_at_its_first_bad_one() {
    let (mut runs, mut shared) = open("violates(F05)");
    assert_eq!(shown(&runs), ["unsafe act"]);
    let acts = keys(
        &mut runs,
        &mut shared,
        &["library-unfold", "cursor-down", "library-open"],
    );
    let [Act::Run(line)] = acts.as_slice() else {
        panic!("{acts:?}")
    };
    assert_eq!(line, "inspect /runs of mine/V002-a-0002 s4");
    let (mut runs, mut shared) = open("run = V001-a-0001");
    let acts = keys(
        &mut runs,
        &mut shared,
        &["library-open", "cursor-down", "library-open"],
    );
    let [Act::Run(line)] = acts.as_slice() else {
        panic!("{acts:?}")
    };
    assert_eq!(line, "inspect /runs of mine/V001-a-0001");
}

#[test]
fn the_list_keeps_the_last_query_that_could_be_read() {
    let (mut runs, mut shared) = open("");
    assert_eq!(runs.found.rows.len(), 3);
    keys(&mut runs, &mut shared, &["filter"]);
    assert!(runs.takes_text());
    runs.on_text("violates", &mut shared);
    assert_eq!((runs.found.rows.len(), runs.found.pending), (1, 1));
    runs.on_text(" befor", &mut shared);
    assert_eq!(runs.wrong.as_ref().unwrap().from, 9);
    assert_eq!(runs.found.rows.len(), 1);
    keys(&mut runs, &mut shared, &["question-leave"]);
    assert_eq!((runs.found.rows.len(), runs.wrong.clone()), (3, None));
}

#[test]
fn what_is_offered_is_taken_at_the_caret() {
    let (mut runs, mut shared) = open("");
    keys(&mut runs, &mut shared, &["filter"]);
    runs.on_text("not violates(", &mut shared);
    assert_eq!(runs.offers[0].text, "F05)");
    keys(&mut runs, &mut shared, &["question-take"]);
    assert_eq!(runs.line.edit.text(), "not violates(F05)");
    assert_eq!(runs.query.to_string(), "not violates(F05)");
}

#[test]
fn rows_keep_their_place_while_data_arrives() {
    let (mut runs, mut shared) = open("");
    keys(
        &mut runs,
        &mut shared,
        &[
            "library-group task",
            "cursor-top",
            "library-unfold",
            "cursor-down",
            "cursor-down",
        ],
    );
    let before = shown(&runs);
    assert_eq!(
        before,
        ["none", "V001-a-0001", "V002-a-0002", "not read yet"]
    );
    // The third run is read now and belongs to the first group: it comes last there, whatever the order says.
    let mut row = Row::clone(&runs.shelf.rows[2]);
    row.stage = Stage::Judged;
    row.created = Arc::from("2026-12-01T00:00:00Z");
    let more = News {
        rows: vec![(2, Arc::new(row))],
        read: (3, 3, 3),
        ..News::default()
    };
    hear(&mut runs, &mut shared, more);
    assert_eq!(
        shown(&runs),
        ["none", "V001-a-0001", "V002-a-0002", "V003-a-0003"]
    );
    assert_eq!(runs.here(), Some(1));
    keys(&mut runs, &mut shared, &["library-sort new"]);
    assert_eq!(
        shown(&runs),
        ["none", "V003-a-0003", "V001-a-0001", "V002-a-0002"]
    );
    assert_eq!(runs.here(), Some(1));
}

#[test]
fn picked_runs_stay_picked_by_name() {
    let (mut runs, mut shared) = open("");
    keys(&mut runs, &mut shared, &["library-pick-all"]);
    assert_eq!(runs.picks(), 3);
    let mut fewer = news();
    fewer.rows.remove(0);
    fewer.rows = fewer
        .rows
        .into_iter()
        .enumerate()
        .map(|(at, (_, row))| (at, row))
        .collect();
    hear(&mut runs, &mut shared, fewer);
    let picked: Vec<bool> = runs
        .shelf
        .rows
        .iter()
        .map(|row| runs.is_picked(row))
        .collect();
    assert_eq!(picked, [true, true]);
    assert_eq!(runs.meant().len(), 2);
    // Once all is told, what is gone is not picked any more.
    runs.on_job("read", JobEvent::Done(Box::new(Reply::Done)), &mut shared);
    assert_eq!(runs.picks(), 2);
}

#[test]
fn folders_are_named_before_the_query() {
    let runs = Runs::asked("in \"a b\" in c success").unwrap();
    assert_eq!(runs.asked, [PathBuf::from("a b"), PathBuf::from("c")]);
    assert_eq!(runs.query.to_string(), "success");
    assert!(Runs::asked("in \"a b").is_err());
}

#[test]
fn what_asks_for_more_than_was_found_out_starts_the_job_again() {
    let (mut runs, mut shared) = open("");
    keys(&mut runs, &mut shared, &["filter"]);
    runs.on_text("armed", &mut shared);
    let acts = keys(&mut runs, &mut shared, &["question-keep"]);
    assert!(
        matches!(acts.as_slice(), [Act::Job(_, Job::Shelve(_, true))]),
        "{acts:?}"
    );
}
