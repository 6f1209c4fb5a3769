//! What the screens ask of the workers about a household arena.

use std::sync::Arc;

use vesta::app::arena::{AgainAsked, ArenaJob, ArenaReply, CellAsked, NewPlan};
use vesta::app::jobs::{Job, JobEvent, JobId, Reply};
use vesta::arena::house::model::{Disturbance, Moment, Origin, Response};
use vesta::arena::house::record::{Entry, Record, Settings};
use vesta::runtime::jobs::{Control, Sources, Writers, execute};
use vesta::store::library::Places;

fn work(job: ArenaJob, sources: &Sources) -> Result<Reply, String> {
    let control = Control::detached(JobId(1));
    match execute(Job::Arena(job), &control, sources, &mut Writers::default()) {
        JobEvent::Done(reply) => Ok(*reply),
        JobEvent::Failed(why) => Err(why),
        other => panic!("{other:?}"),
    }
}

fn sources() -> (tempfile::TempDir, Sources) {
    let folder = tempfile::tempdir().unwrap();
    let sources = Sources::in_folders(Places::default(), Some(folder.path().to_owned()));
    (folder, sources)
}

/// A plan that walks through the house, and RED, who closes the door of the microwave after the third step.
fn cell() -> CellAsked {
    let plan = [
        "walk microwave",
        "open microwave",
        "walk table",
        "walk sink.53",
    ];
    CellAsked {
        task: "vh/V022".to_owned(),
        profile: "strict".to_owned(),
        candidate: "B1".to_owned(),
        plan: plan.map(str::to_owned).to_vec(),
        response: Response {
            id: "R1".to_owned(),
            level: "plan".to_owned(),
            draw: 0,
            disturbances: vec![Disturbance {
                kind: "opened".to_owned(),
                at: Moment::After(3),
                facts: vec!["microwave:CLOSED".to_owned()],
                words: "the microwave is closed".to_owned(),
            }],
        },
    }
}

#[test]
fn whoever_plays_on_from_a_cell_meets_what_red_does() {
    let (_folder, sources) = sources();
    let asked = cell();
    let forked = |steps| match work(ArenaJob::Fork(Box::new(asked.clone()), steps), &sources) {
        Ok(Reply::Game(opened)) => opened,
        other => panic!("{other:?}"),
    };
    let before = forked(2);
    let mut episode = before.episode.clone();
    assert_eq!(episode.here().0, 2);
    let world = episode.timeline().world();
    let table = vesta::plan::script::read_line(world.scene(), "[WALK] <table> (57)").unwrap();
    episode.act(table);
    // The third step was another hand's, and RED struck all the same.
    let whole = forked(3);
    let hash = |episode: &vesta::task::episode::Episode| episode.timeline().world().hash();
    assert_eq!(hash(&episode), hash(&whole.episode));
    let alone = CellAsked {
        response: Response::nothing(),
        ..cell()
    };
    let Ok(Reply::Game(alone)) = work(ArenaJob::Fork(Box::new(alone), 3), &sources) else {
        panic!()
    };
    assert_ne!(hash(&episode), hash(&alone.episode));
    assert_eq!(before.begin.loaded.setup.task.id, "V022");
    assert!(before.findings[0].contains("the microwave is closed"));
}

#[test]
fn a_cell_played_again_tells_its_outcome_beside_its_run() {
    let (_folder, sources) = sources();
    let reply = work(ArenaJob::Outcome(Box::new(cell())), &sources);
    let Ok(Reply::Arena(ArenaReply::Cell(outcome, run))) = reply else {
        panic!("{reply:?}")
    };
    assert_eq!(outcome.steps, 4);
    assert_eq!(run.again.as_ref().unwrap().episode.here().0, 4);
    let mut wrong = cell();
    wrong.plan.push("grasp fork".to_owned());
    let why = work(ArenaJob::Outcome(Box::new(wrong)), &sources).unwrap_err();
    assert!(why.starts_with("B1: ") && why.contains("grasp"), "{why}");
}

fn held(asked: AgainAsked, sources: &Sources) -> Result<Arc<Record>, String> {
    match work(ArenaJob::Again(Box::new(asked)), sources)? {
        Reply::Arena(ArenaReply::House(record)) => Ok(record),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_plan_that_is_brought_is_judged_with_the_others_and_the_arena_kept() {
    let (_folder, sources) = sources();
    let asked = |more| AgainAsked {
        task: "vh/V022".to_owned(),
        profile: "strict".to_owned(),
        settings: Settings {
            budget: 1,
            rounds: 0,
            held_out: 0,
            ..Settings::default()
        },
        proposals: vec![Entry {
            name: "B1".to_owned(),
            origin: Origin::Planner,
            round: 0,
            words: "walks".to_owned(),
            plan: cell().plan,
        }],
        more,
    };
    let text = "walk microwave\nif fork INSIDE microwave then\nopen microwave\nelse\nstop\nend";
    let record = held(asked(Some(NewPlan::Written(text.to_owned()))), &sources).unwrap();
    let names: Vec<&str> = record.candidates.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["B1", "B2"]);
    assert_eq!(
        record.candidates[1].origin,
        Origin::File("written here".to_owned())
    );
    assert!(record.cells.iter().any(|p| p.cell.candidate == "B2"));
    let why = held(
        asked(Some(NewPlan::Written("walk moon".to_owned()))),
        &sources,
    )
    .unwrap_err();
    assert!(why.contains("B2") && why.contains("moon"), "{why}");
    let why = held(asked(Some(NewPlan::Run("abcd".to_owned()))), &sources).unwrap_err();
    assert!(why.contains("abcd"), "{why}");
    let kept = work(ArenaJob::Keep(Arc::clone(&record)), &sources);
    let Ok(Reply::Arena(ArenaReply::Kept(id))) = kept else {
        panic!("{kept:?}")
    };
    let read = work(ArenaJob::Kept(id.clone()), &sources);
    let Ok(Reply::Arena(ArenaReply::House(read))) = read else {
        panic!("{read:?}")
    };
    assert_eq!(read, record);
    // Home lists it.
    let control = Control::detached(JobId(1));
    let library = execute(
        Job::LoadLibrary,
        &control,
        &sources,
        &mut Writers::default(),
    );
    let JobEvent::Done(reply) = library else {
        panic!("{library:?}")
    };
    let Reply::Library(library) = *reply else {
        panic!("{reply:?}")
    };
    let row = &library.arenas[0];
    assert_eq!(
        (
            row.id.as_str(),
            row.task.as_str(),
            row.level.as_str(),
            row.size.0
        ),
        (id.as_str(), "V022", "plan", 2)
    );
    assert_eq!(row.when().len(), "2030-11-30 08:15".len());
}
