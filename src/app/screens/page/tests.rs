//! What the screen asks its readers, and what it makes of their answers.

use std::path::PathBuf;

use super::*;
use crate::app::cmd::Cmd;
use crate::app::jobs::{JobEvent, JobId, Reply};
use crate::app::key::script;
use crate::app::msg::{Msg, Size};
use crate::app::pages::{PageReply, RunPart};
use crate::app::screens::Screen;
use crate::app::state::{Setup, State};
use crate::app::update::{execute, update};
use crate::formats::page::{Body, Mark, Row};

/// Lines of a text of `all` lines, from one on.
fn lines(first: u64, all: u64) -> Arc<Window> {
    let end = all.min(first + 600);
    Arc::new(Window {
        first,
        rows: (first..end)
            .map(|n| Row {
                text: format!("line {n}"),
                cut: false,
            })
            .collect(),
        ends: end == all,
    })
}

fn opened(line: u64, all: u64) -> PageReply {
    PageReply::Opened(Box::new(Opened {
        name: "a.json".to_owned(),
        body: Body::File(PathBuf::from("a.json")),
        size: 12,
        line,
        fault: None,
        window: lines(around(line), all),
    }))
}

/// Answers a job; what follows.
fn answer(state: &mut State, id: JobId, reply: PageReply) -> Vec<(JobId, PageJob)> {
    let reply = JobEvent::Done(Box::new(Reply::Page(reply)));
    jobs(update(state, Msg::Job(id, reply)))
}

fn jobs(cmds: Vec<Cmd>) -> Vec<(JobId, PageJob)> {
    cmds.into_iter()
        .filter_map(|cmd| match cmd {
            Cmd::Start(id, Job::Page(job)) => Some((id, job)),
            _ => None,
        })
        .collect()
}

fn press(state: &mut State, keys: &str) -> Vec<(JobId, PageJob)> {
    let mut all = Vec::new();
    for key in script(keys) {
        all.extend(jobs(update(state, Msg::Key(key))));
    }
    all
}

/// A text of so many lines, open at one of them, and the jobs it has asked for since.
fn open_at(line: u64, all: u64) -> (State, Vec<(JobId, PageJob)>) {
    let setup = Setup {
        size: Size::new(80, 24),
        keymap: crate::app::keymap::Keymap::parse(crate::app::keymap::SHIPPED, "keymap.toml")
            .unwrap(),
        ..Setup::default()
    };
    let (mut state, _) = State::new(setup);
    let asked = jobs(execute(&mut state, "file a.json:14"));
    let [(id, PageJob::Open(ask))] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert_eq!(*ask, Ask::Path(PathBuf::from("a.json"), Some(14)));
    let more = answer(&mut state, *id, opened(line, all));
    (state, more)
}

fn text(state: &State) -> &Text {
    match state.screen() {
        Screen::Page(page) => page.text().unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_asked_for_is_read_from_words() {
    let parse = |text| Ask::parse(text).unwrap();
    assert_eq!(parse("task vh/V022"), Ask::Task("vh/V022".to_owned()));
    assert_eq!(parse("scene V022"), Ask::Scene("V022".to_owned()));
    let run = |part| Ask::Run("b2d4".to_owned(), part, None);
    assert_eq!(parse("run b2d4"), run(RunPart::Events));
    assert_eq!(parse("run b2d4 notes"), run(RunPart::Notes));
    assert!(Ask::parse("run b2d4 shoes").is_err());
    assert!(Ask::parse(" ").is_err());
    assert_eq!(parse("a b:0"), Ask::Path(PathBuf::from("a b:0"), None));
}

#[test]
fn a_text_is_painted_and_counted_after_it_is_shown() {
    let (mut state, asked) = open_at(13, 40);
    assert_eq!(text(&state).cursor, 13);
    let [
        (paint, PageJob::Paint { language, .. }),
        (index, PageJob::Index(_)),
    ] = asked.as_slice()
    else {
        panic!("{asked:?}")
    };
    assert_eq!(*language, "json");
    assert!(text(&state).painted.is_none());
    answer(
        &mut state,
        *paint,
        PageReply::Painted(Arc::new(vec![Vec::new(); 40])),
    );
    assert!(text(&state).painted.is_some());
    let counted = Index {
        lines: 40,
        marks: vec![Mark::default()],
    };
    answer(&mut state, *index, PageReply::Indexed(Arc::new(counted)));
    assert_eq!(text(&state).lines(), Some(40));
    press(&mut state, "G");
    assert_eq!(text(&state).cursor, 39);
    assert!(
        press(&mut state, "g g").is_empty(),
        "all of it is in memory"
    );
}

#[test]
fn lines_out_of_memory_are_asked_for_and_the_newest_answer_counts() {
    let (mut state, asked) = open_at(0, 5000);
    let index = asked[1].0;
    assert_eq!(text(&state).lines(), None);
    let counted = Index {
        lines: 5000,
        marks: vec![Mark::default()],
    };
    answer(&mut state, index, PageReply::Indexed(Arc::new(counted)));
    let asked = press(&mut state, "G");
    let [(end, PageJob::Read { first, .. })] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert_eq!((*first, text(&state).cursor), (around(4999), 4999));
    assert!(text(&state).window().row(4999).is_none());
    // Back before the answer: what comes late is dropped.
    let asked = jobs(execute(&mut state, "line 2000"));
    let [(middle, PageJob::Read { first, .. })] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert_eq!(*first, around(1999));
    assert!(answer(&mut state, *end, PageReply::Read(lines(around(4999), 5000))).is_empty());
    let painted = answer(
        &mut state,
        *middle,
        PageReply::Read(lines(around(1999), 5000)),
    );
    assert!(matches!(painted.as_slice(), [(_, PageJob::Paint { .. })]));
    assert_eq!(text(&state).window().row(1999).unwrap().text, "line 1999");
}

#[test]
fn words_are_looked_for_while_they_are_typed() {
    let (mut state, _) = open_at(3, 40);
    let asked = press(&mut state, "/ x 7");
    let [
        (first, _),
        (
            second,
            PageJob::Find {
                words,
                from,
                forward,
                ..
            },
        ),
    ] = asked.as_slice()
    else {
        panic!("{asked:?}")
    };
    assert_eq!((words.as_str(), *from, *forward), ("x7", 3, true));
    answer(&mut state, *first, PageReply::Found(Some(30)));
    assert_eq!(text(&state).cursor, 3, "stale");
    answer(&mut state, *second, PageReply::Found(Some(17)));
    assert_eq!(text(&state).cursor, 17);
    let asked = press(&mut state, "Enter n");
    assert!(matches!(
        asked.as_slice(),
        [(
            _,
            PageJob::Find {
                from: 18,
                forward: true,
                ..
            }
        )]
    ));
    let asked = press(&mut state, "N");
    assert!(matches!(
        asked.as_slice(),
        [(
            _,
            PageJob::Find {
                from: 17,
                forward: false,
                ..
            }
        )]
    ));
    answer(&mut state, asked[0].0, PageReply::Found(None));
    assert!(text(&state).missing);
    press(&mut state, "Esc");
    assert!(!text(&state).missing && text(&state).find.is_empty());
}
