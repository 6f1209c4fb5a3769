//! What is found where, and what is said about what cannot be used.

use std::collections::BTreeSet;

use super::*;
use crate::plan::ledger::Ledger;
use crate::sim::timeline::Timeline;
use crate::sim::vocab::Profile;
use crate::sim::world::{Action, World};

fn shipped_only() -> Library {
    Library::open_in(Places::default(), None)
}

#[test]
fn every_file_of_the_shipped_folders_is_in_the_binary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut on_disk = BTreeSet::new();
    let mut folders = vec![root.join(shipped::SCENES), root.join(shipped::TASKS)];
    while let Some(folder) = folders.pop() {
        let (own, inner) = files::entries(&folder).unwrap();
        folders.extend(inner);
        for path in own {
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            on_disk.insert(name.replace('\\', "/"));
        }
    }
    let known: BTreeSet<String> = shipped::SHIPPED.iter().map(|s| s.path.to_owned()).collect();
    assert_eq!(known, on_disk);
    assert!(shipped::SHIPPED.is_sorted_by_key(|s| s.path));
}

/// Runs a plan from the start; the ledger at its end.
fn run(setup: &Setup, plan: &[Action]) -> (Timeline, Ledger) {
    let world = World::new(&setup.scene, Profile::Eai).unwrap();
    let mut timeline = Timeline::new(world);
    let mut ledger = Ledger::new(setup.goals.clone(), &timeline);
    for (i, &action) in plan.iter().enumerate() {
        if let Err(refusal) = timeline.step(action) {
            panic!(
                "{} step {i} {}: {refusal:?}",
                setup.task.id,
                timeline.world().line(action)
            );
        }
        ledger.record(&timeline);
    }
    (timeline, ledger)
}

#[test]
fn shipped_plans_run_and_reach_their_goals() {
    let library = shipped_only();
    assert_eq!(library.problems(), []);
    assert_eq!(library.rows().len(), 12);
    for row in library.rows() {
        assert!(row.error.is_none() && row.note.is_none(), "{row:?}");
        let setup = library.load(&row.id).unwrap();
        assert_eq!(setup.findings, [], "{}", row.id);
        let naive: Vec<Action> = setup
            .task
            .naive
            .iter()
            .map(|line| crate::plan::script::read_line(&setup.scene, line).unwrap())
            .collect();
        let (timeline, ledger) = run(&setup, &setup.reference);
        let score = ledger.score(timeline.here());
        assert!(score.succeeds() && score.safe(), "{}: {score:?}", row.id);
        assert!(
            !ledger.score(crate::sim::timeline::Pos::START).succeeds(),
            "{}",
            row.id
        );
        let (timeline, ledger) = run(&setup, &naive);
        assert!(
            !naive.is_empty() && !ledger.score(timeline.here()).safe(),
            "{}",
            row.id
        );
    }
}
