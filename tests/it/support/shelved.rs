//! Libraries of runs to look at: runs made up by chance, the same every time.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent, JobId, Reply};
use vesta::app::library::Library;
use vesta::app::msg::Msg;
use vesta::app::shelves::{Shelved, View};
use vesta::app::state::State;
use vesta::app::update::{drive, execute, update};
use vesta::cli::bench::library::made::make;
use vesta::query::row::Row;
use vesta::query::shelf::{News, Shelf, tails};
use vesta::store::index::Indexer;

use super::{HOSTILE, Shape, with};

/// Twenty-eight runs of the two worlds, one of them damaged: first only listed and read in part, then all there is.
fn told() -> &'static (News, News) {
    static TOLD: OnceLock<(News, News)> = OnceLock::new();
    TOLD.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        make(root.path(), 27, "vh", 5).unwrap();
        let broken = root
            .path()
            .join("V022-gpt-4.1-mini-react-20261102T101010Z-31aa31");
        std::fs::create_dir(&broken).unwrap();
        std::fs::write(broken.join("run.json"), "{").unwrap();
        let (mut indexer, _) = Indexer::open(vec![root.path().to_owned()], None);
        indexer.list().unwrap();
        indexer.advance(11, &|| true);
        let mut first = indexer.news();
        while !indexer.is_arming() && indexer.advance(100, &|| true) {}
        let mut rest = indexer.news();
        let place = root.path().display().to_string();
        for news in [&mut first, &mut rest] {
            for (_, row) in &mut news.rows {
                let fault = row.fault.replace(&place, "saved_runs");
                if *fault != *row.fault {
                    let mut clean = Row::clone(row);
                    clean.fault = Arc::from(fault);
                    *row = Arc::new(clean);
                }
            }
        }
        (first, rest)
    })
}

fn shelved(news: News) -> Shelved {
    Shelved {
        news,
        folders: vec![PathBuf::from("saved_runs")],
        wrong: Vec::new(),
        since: "2026-01-20T00:00:00Z".to_owned(),
        views: vec![View {
            name: "early".to_owned(),
            query: "violates(core) before s4".to_owned(),
        }],
    }
}

/// Opens Runs with a query; the job that waits for what is known.
fn open(shape: Shape, library: Library, query: &str) -> (State, JobId) {
    let mut state = with(shape, library);
    let cmds = execute(&mut state, format!("runs {query}").trim());
    let [Cmd::Start(id, Job::Shelve(..))] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    (state, *id)
}

fn hear(state: &mut State, id: JobId, news: News, last: bool) {
    let reply = Box::new(Reply::Shelf(Box::new(shelved(news))));
    let event = if last {
        JobEvent::Done(reply)
    } else {
        JobEvent::Part(reply)
    };
    update(state, Msg::Job(id, event));
}

/// Runs with everything known, then keys.
pub(crate) fn known(shape: Shape, library: Library, query: &str, keys: &str) -> State {
    let (mut state, id) = open(shape, library, query);
    let (first, rest) = told().clone();
    hear(&mut state, id, first, false);
    hear(&mut state, id, rest, true);
    drive(&mut state, keys);
    state
}

/// Runs of which some are read and none was played again, then keys.
pub(crate) fn partly(shape: Shape, library: Library, query: &str, keys: &str) -> State {
    let (mut state, id) = open(shape, library, query);
    hear(&mut state, id, told().0.clone(), false);
    drive(&mut state, keys);
    state
}

/// No run at all.
pub(crate) fn empty(shape: Shape, library: Library) -> State {
    let (mut state, id) = open(shape, library, "");
    let news = News {
        fresh: true,
        ..News::default()
    };
    hear(&mut state, id, news, true);
    state
}

/// Runs that cannot be read.
pub(crate) fn failed(shape: Shape, library: Library) -> State {
    let (mut state, id) = open(shape, library, "");
    let why = "saved_runs: permission denied; allow it or choose another place".to_owned();
    update(&mut state, Msg::Job(id, JobEvent::Failed(why)));
    state
}

/// Five thousand runs, then keys.
pub(crate) fn many(shape: Shape, library: Library, query: &str, keys: &str) -> State {
    let (mut state, id) = open(shape, library, query);
    hear(&mut state, id, thousands(), true);
    drive(&mut state, keys);
    state
}

/// The runs that are known, again and again under other ids.
fn thousands() -> News {
    let mut shelf = Shelf::default();
    let (first, rest) = told().clone();
    shelf.take(first);
    shelf.take(rest);
    let rows: Vec<Row> = (0..5_000)
        .map(|at| {
            let mut row = Row::clone(&shelf.rows[at % shelf.rows.len()]);
            row.id = Arc::from(format!("{}-{at:06x}", row.id));
            row
        })
        .collect();
    let ids: Vec<&str> = rows.iter().map(|row| &*row.id).collect();
    News {
        fresh: true,
        words: shelf.pool.from(1).to_vec(),
        starts: shelf.starts.clone(),
        tails: Some(tails(&ids)),
        read: (5_000, 5_000, 5_000),
        rows: rows.into_iter().map(Arc::new).enumerate().collect(),
    }
}

/// Runs whose words would act on a terminal.
pub(crate) fn hostile(shape: Shape, library: Library, keys: &str) -> State {
    let (mut state, id) = open(shape, library, "");
    let (first, rest) = told().clone();
    let mut shelf = Shelf::default();
    shelf.take(first);
    shelf.take(rest);
    let mut evil = HOSTILE.iter().cycle();
    let words = shelf.pool.from(1).iter();
    let words = words.map(|word| Arc::from(format!("{}{word}", evil.next().unwrap_or(&""))));
    let rows: Vec<Arc<Row>> = shelf
        .rows
        .iter()
        .enumerate()
        .map(|(at, row)| {
            let mut row = Row::clone(row);
            row.fault = Arc::from(HOSTILE[at % HOSTILE.len()]);
            Arc::new(row)
        })
        .collect();
    let news = News {
        fresh: true,
        words: words.collect(),
        starts: Vec::new(),
        tails: Some(
            rows.iter()
                .enumerate()
                .map(|(at, _)| HOSTILE[at % HOSTILE.len()].to_owned())
                .collect(),
        ),
        read: (28, 28, 28),
        rows: rows.into_iter().enumerate().collect(),
    };
    hear(&mut state, id, news, true);
    drive(&mut state, keys);
    state
}
