//! Runs side by side to look at, played the same every time.

use std::sync::{Arc, OnceLock};

use vesta::app::cmd::Cmd;
use vesta::app::compare::{CompareJob, CompareReply, Compared, Side, Wanted, saved as told};
use vesta::app::jobs::{Job, JobEvent, JobId, Reply};
use vesta::app::msg::Msg;
use vesta::app::runs::{Again, LoadedRun};
use vesta::app::state::State;
use vesta::app::update::{drive, execute, update};
use vesta::base::fold::StateHash;
use vesta::compare::repair::{Effort, repair};
use vesta::formats::run::Header;
use vesta::sim::world::Action;
use vesta::store::library::{Library, Places};
use vesta::task::SceneRef;
use vesta::task::episode::Episode;

use super::{HOSTILE, Shape, library, saved, with};

/// Which plan of a task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plan {
    Naive,
    Reference,
}

/// A plan of a shipped task, played.
fn played(task: &str, plan: Plan) -> LoadedRun {
    let found = Library::open_in(Places::default(), None)
        .load(task)
        .unwrap();
    let setup = Arc::new(found);
    let profile = setup.task.profile();
    let steps: Vec<Action> = match plan {
        Plan::Naive => setup.naive.clone(),
        Plan::Reference => setup.reference.clone(),
    };
    let (mut episode, start) = Episode::start(Arc::clone(&setup), profile).unwrap();
    let mut events = vec![start];
    for action in steps {
        events.extend(episode.act(action).events);
    }
    events.push(episode.finish());
    let id = match plan {
        Plan::Naive => format!("{task}-naive-20301130T081500Z-a1b2c3"),
        Plan::Reference => format!("{task}-reference-20301130T081500Z-d4e5f6"),
    };
    LoadedRun {
        folder: format!("saved_runs/{id}").into(),
        header: Header {
            id,
            created: "2030-11-30T08:15:00Z".to_owned(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            dialect: "virtualhome".to_owned(),
            profile: profile.id().to_owned(),
            agent: "human".to_owned(),
            task: format!("{{\"id\": \"{task}\"}}"),
            scene: SceneRef {
                file: "flat.json".to_owned(),
                sha256: String::new(),
            },
            start_hash: StateHash::default(),
            forked_from: None,
            player: None,
            extra: Vec::new(),
        },
        window: None,
        events,
        notes: Vec::new(),
        spent: Vec::new(),
        findings: Vec::new(),
        is_cut: false,
        read_only: None,
        again: Ok(Again {
            episode,
            drifts: Vec::new(),
        }),
    }
}

fn naive() -> Arc<LoadedRun> {
    static RUN: OnceLock<Arc<LoadedRun>> = OnceLock::new();
    Arc::clone(RUN.get_or_init(|| Arc::new(played("V022", Plan::Naive))))
}

fn reference() -> Arc<LoadedRun> {
    static RUN: OnceLock<Arc<LoadedRun>> = OnceLock::new();
    Arc::clone(RUN.get_or_init(|| Arc::new(played("V022", Plan::Reference))))
}

fn side(run: Arc<LoadedRun>, name: &str, branch: Option<&str>) -> Side {
    Side::new(run, name.to_owned(), branch).unwrap()
}

fn compared(sides: Vec<Side>) -> Compared {
    let asked = sides.iter().map(|s| Wanted::parse(&s.name)).collect();
    Compared::new(asked, sides)
}

/// The trap and the way around it.
pub(crate) fn two() -> Compared {
    compared(vec![
        side(naive(), "b2c3", None),
        side(reference(), "e5f6", None),
    ])
}

/// The same, with what would have saved the first.
pub(crate) fn repaired() -> Compared {
    let mut all = two();
    let side = &all.sides[0];
    let again = side.loaded.run.again.as_ref().unwrap();
    let done: Vec<Action> = side.done().into_iter().map(|(_, action)| action).collect();
    let profile = again.episode.timeline().world().profile();
    let found = repair(again.episode.setup(), profile, &done, Effort::default()).unwrap();
    let told = told::Told::new(side, &found);
    all.saved.insert(0, told);
    all
}

/// Two branches of one run, and the plan of its task.
pub(crate) fn branches() -> Compared {
    compared(vec![
        side(saved::warm(), "b2c3", Some("main")),
        side(saved::warm(), "b2c3/main-1", Some("main-1")),
        side(saved::warm(), "b2c3/main", Some("main")),
    ])
}

/// As many as there may be.
pub(crate) fn six() -> Compared {
    let name = |n: usize| format!("run{n}");
    let runs = [
        naive(),
        reference(),
        naive(),
        reference(),
        naive(),
        reference(),
    ];
    let sides = runs.into_iter().enumerate();
    compared(sides.map(|(n, run)| side(run, &name(n), None)).collect())
}

/// A run beside itself.
pub(crate) fn equal() -> Compared {
    compared(vec![
        side(reference(), "e5f6", None),
        side(reference(), "0a1b", None),
    ])
}

/// Runs of two tasks.
pub(crate) fn tasks() -> Compared {
    let other = Arc::new(played("V001", Plan::Naive));
    compared(vec![side(naive(), "b2c3", None), side(other, "77aa", None)])
}

/// One run without its scene, beside one whose end is torn off.
pub(crate) fn damaged() -> Compared {
    compared(vec![
        side(saved::without_scene(), "b2c3", None),
        side(saved::torn(), "d4e5", None),
    ])
}

/// A run in which everything written is hostile, beside one.
pub(crate) fn hostile() -> Compared {
    compared(vec![
        side(saved::hostile(), HOSTILE[0], None),
        side(saved::warm(), "b2c3", None),
    ])
}

/// The first job of that many that is about runs side by side.
pub(crate) fn job(cmds: &[Cmd]) -> Option<(JobId, CompareJob)> {
    cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Compare(job)) => Some((*id, (**job).clone())),
        _ => None,
    })
}

/// Compare while the runs are read.
pub(crate) fn waiting(shape: Shape) -> (State, JobId) {
    let mut state = with(shape, library());
    let cmds = execute(&mut state, "compare b2c3 e5f6");
    let (id, _) = job(&cmds).unwrap();
    let progress = JobEvent::Progress { done: 1, total: 2 };
    update(&mut state, Msg::Job(id, progress));
    (state, id)
}

/// Compare with these runs, after some keys.
pub(crate) fn shown(shape: Shape, all: Compared, script: &str) -> State {
    let (mut state, id) = waiting(shape);
    let reply = Reply::Compare(CompareReply::Read(Box::new(all)));
    update(&mut state, Msg::Job(id, JobEvent::Done(Box::new(reply))));
    drive(&mut state, script);
    state
}
