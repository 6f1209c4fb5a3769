//! The library of runs: the index tells what the runs themselves tell, whatever is asked; it grows, forgets and mends
//! itself; two programs at once harm nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use vesta::base::chance::Chance;
use vesta::cli::bench::library::made::make;
use vesta::query::row::Stage;
use vesta::query::shelf::Shelf;
use vesta::query::{Plan, Query, Truth, read};
use vesta::store::index::Indexer;
use vesta::store::runs::SavedRun;

mod asked;
mod naive;

use naive::Told;

/// Queries of the normal test; `VESTA_QUERIES=10000` asks more.
const QUERIES: usize = 600;

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &name);
        } else {
            std::fs::copy(&path, &name).unwrap();
        }
    }
}

/// Runs in both worlds, made once.
fn runs() -> &'static Path {
    static MADE: OnceLock<tempfile::TempDir> = OnceLock::new();
    MADE.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        make(root.path(), 9, "vh", 5).unwrap();
        make(root.path(), 16, "b50", 6).unwrap();
        root
    })
    .path()
}

fn index(root: &Path, cache: &Path) -> (Indexer, Vec<String>) {
    let (indexer, wrong) = Indexer::open(vec![root.to_owned()], Some(cache));
    (indexer, wrong.iter().map(ToString::to_string).collect())
}

/// Does everything up to a pass.
fn advance(indexer: &mut Indexer, to: Stage) {
    indexer.list().unwrap();
    while (to == Stage::Armed || !indexer.is_arming()) && indexer.advance(7, &|| true) {}
    indexer.save().unwrap();
}

/// The folder of indexes with everything in it.
fn known() -> &'static Path {
    static MADE: OnceLock<tempfile::TempDir> = OnceLock::new();
    MADE.get_or_init(|| {
        let cache = tempfile::tempdir().unwrap();
        let (mut indexer, wrong) = index(runs(), cache.path());
        assert_eq!(wrong, Vec::<String>::new());
        advance(&mut indexer, Stage::Armed);
        cache
    })
    .path()
}

/// What was kept, read again: nothing is read from the runs for it.
fn kept() -> Shelf {
    let (mut indexer, wrong) = index(runs(), known());
    assert_eq!(wrong, Vec::<String>::new());
    indexer.shelf()
}

#[test]
fn the_index_answers_as_the_runs_do() {
    let shelf = kept();
    let told: Vec<Told> = shelf
        .rows
        .iter()
        .map(|row| Told::of(&SavedRun::read(&runs().join(&*row.id)).unwrap()))
        .collect();
    assert!(
        shelf
            .rows
            .iter()
            .all(|row| row.stage == Stage::Armed && !row.stuck)
    );
    let n = std::env::var_os("VESTA_QUERIES");
    let n: Option<usize> = n.and_then(|n| n.to_str()?.parse().ok());
    let mut chance = Chance::new(11);
    let (mut some, mut none) = (0, 0);
    for _ in 0..n.unwrap_or(QUERIES) {
        let query = asked::query(&mut chance, &shelf, 3);
        let again = read(&query.to_string()).unwrap_or_else(|e| panic!("{query}: {e}"));
        assert_eq!(again, query);
        let plan = Plan::new(&query, &shelf.pool);
        let mut fits = 0;
        for (row, told) in shelf.rows.iter().zip(&told) {
            let found = plan.outcome(row, &shelf.starts);
            let (truth, steps) = told.answer(&query);
            assert_eq!(found.truth == Truth::Yes, truth, "{query} on {}", row.id);
            assert_ne!(found.truth, Truth::Unknown, "{query} on {}", row.id);
            assert_eq!(
                plan.truth(row, &shelf.starts),
                found.truth,
                "{query} on {}",
                row.id
            );
            if let Some(steps) = steps {
                assert_eq!(found.steps, steps, "{query} on {}", row.id);
            }
            fits += usize::from(truth);
        }
        some += usize::from(fits > 0 && fits < shelf.rows.len());
        none += usize::from(fits == 0);
    }
    // A test whose queries all fit nothing, or everything, would see little.
    assert!(some > none / 3, "{some} tell runs apart, {none} fit none");
}

#[test]
fn the_first_bad_step_is_the_one_inspect_opens_at() {
    use vesta::app::screens::inspect::loaded::Loaded;
    for row in &kept().rows {
        let run = SavedRun::read(&runs().join(&*row.id)).unwrap();
        let shown = Loaded::new(std::sync::Arc::new(vesta::runtime::jobs::loaded(run)));
        // Inspect shows the whole branch; a run that was left after an undo stands before its end.
        if shown.tip() == row.last {
            let at = row.first_bad.map_or(row.last, |(pos, _)| pos);
            assert_eq!(shown.pos(), at, "{}", row.id);
        }
    }
}

fn ids(indexer: &mut Indexer) -> BTreeSet<String> {
    let shelf = indexer.shelf();
    shelf.rows.iter().map(|row| row.id.to_string()).collect()
}

/// A copy of the runs and of their index, which is of the copy.
fn both() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (root, cache) = (folder.path().join("runs"), folder.path().join("cache"));
    copy(runs(), &root);
    let (mut indexer, _) = index(&root, &cache);
    advance(&mut indexer, Stage::Read);
    drop(indexer);
    (folder, root, cache)
}

fn first(root: &Path) -> PathBuf {
    let mut all: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    all.sort();
    all.swap_remove(0)
}

#[test]
fn only_what_changed_is_read_again() {
    let (_folder, root, cache) = both();
    let run = first(&root);
    let note = "{\"v\":1,\"seq\":0,\"kind\":\"nonsense\"}\n";
    std::fs::write(run.join("notes.jsonl"), note).unwrap();
    let (mut indexer, wrong) = index(&root, &cache);
    assert_eq!(wrong, Vec::<String>::new());
    let before = indexer.counts();
    assert_eq!(before, (25, 25, 25));
    let _ = indexer.news();
    indexer.list().unwrap();
    while indexer.is_reading() && indexer.advance(5, &|| true) {}
    let news = indexer.news();
    assert!(!news.fresh);
    let changed: Vec<&str> = news.rows.iter().map(|(_, row)| &*row.id).collect();
    assert_eq!(changed, [run.file_name().unwrap().to_str().unwrap()]);
    assert_eq!(news.read, (25, 24, 25));
}

#[test]
fn what_is_gone_is_forgotten_and_what_is_new_is_found() {
    let (_folder, root, cache) = both();
    let gone = first(&root);
    std::fs::remove_dir_all(&gone).unwrap();
    make(&root, 1, "vh-twins", 8).unwrap();
    let (mut indexer, _) = index(&root, &cache);
    let before = ids(&mut indexer);
    advance(&mut indexer, Stage::Read);
    let after = ids(&mut indexer);
    let name = gone.file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(
        before.difference(&after).cloned().collect::<Vec<_>>(),
        [name]
    );
    assert_eq!(after.difference(&before).count(), 1);
    drop(indexer);
    // It stays so.
    let (mut indexer, _) = index(&root, &cache);
    assert_eq!(ids(&mut indexer), after);
}

fn index_file(cache: &Path) -> PathBuf {
    let mut all = std::fs::read_dir(cache)
        .unwrap()
        .map(|it| it.unwrap().path());
    all.find(|path| path.extension().is_some_and(|it| it == "index"))
        .unwrap()
}

#[test]
fn a_damaged_index_is_used_up_to_the_damage_and_mended() {
    let (_folder, root, cache) = both();
    let path = index_file(&cache);
    let whole = std::fs::read(&path).unwrap();
    for (cut, damage) in [
        // Torn at the end, as by a crash.
        (whole.len() - 3, None),
        // A byte in the middle.
        (whole.len(), Some(whole.len() / 2)),
        // Another version.
        (whole.len(), Some(2)),
        (0, None),
    ] {
        let mut bytes = whole[..cut].to_vec();
        if let Some(at) = damage {
            bytes[at] ^= 0x55;
        }
        std::fs::write(&path, &bytes).unwrap();
        let (mut indexer, wrong) = index(&root, &cache);
        assert_eq!(wrong.len(), 1, "{cut} {damage:?}");
        assert!(
            wrong[0].contains("is made anew") || wrong[0].contains("read again"),
            "{wrong:?}"
        );
        assert!(indexer.counts().1 < 25, "{cut} {damage:?}");
        advance(&mut indexer, Stage::Read);
        assert_eq!(indexer.counts(), (25, 25, 25));
        drop(indexer);
        let (indexer, wrong) = index(&root, &cache);
        assert_eq!(
            (wrong, indexer.counts()),
            (Vec::new(), (25, 25, 25)),
            "{cut} {damage:?}"
        );
    }
}

#[test]
fn two_programs_at_once_harm_nothing() {
    let (_folder, root, cache) = both();
    let (mut one, _) = index(&root, &cache);
    let (mut two, wrong) = index(&root, &cache);
    assert!(one.keeps() && !two.keeps());
    assert_eq!(wrong, Vec::<String>::new());
    std::fs::remove_dir_all(first(&root)).unwrap();
    advance(&mut two, Stage::Read);
    advance(&mut one, Stage::Read);
    assert_eq!((one.len(), two.len()), (24, 24));
    drop((one, two));
    let (indexer, wrong) = index(&root, &cache);
    assert_eq!((wrong, indexer.len()), (Vec::new(), 24));
}

#[test]
fn a_run_that_is_damaged_says_what_can_be_used() {
    let (_folder, root, cache) = both();
    let run = first(&root);
    let path = run.join("events.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut torn: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    torn[2] = torn[2].replace("\"seq\":2", "\"seq\":2 ");
    std::fs::write(&path, torn.join("\n") + "\n").unwrap();
    std::fs::write(root.join("stray.txt"), "no run").unwrap();
    let broken = root.join("V001-x-20261101T000000Z-ffffff");
    std::fs::create_dir(&broken).unwrap();
    std::fs::write(broken.join("run.json"), "{").unwrap();
    let (mut indexer, _) = index(&root, &cache);
    advance(&mut indexer, Stage::Read);
    let shelf = indexer.shelf();
    let found = shelf.matching(&read("damaged").unwrap());
    let faults: Vec<&str> = found
        .rows
        .iter()
        .map(|at| &*shelf.rows[*at as usize].fault)
        .collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(
        faults
            .iter()
            .any(|it| it.contains("the first 2 can be used")),
        "{faults:?}"
    );
    assert!(
        faults.iter().any(|it| it.contains("run.json")),
        "{faults:?}"
    );
    let every = shelf.matching(&Query::All);
    assert_eq!((every.rows.len(), every.pending, every.untold), (26, 0, 0));
}
