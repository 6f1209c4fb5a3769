//! Games to look at and to play by keys: no files, no workers; the writer answers as the test says.

use std::sync::{Arc, OnceLock};

use vesta::app::cmd::Cmd;
use vesta::app::games::{Begin, Opened, OpenedRun, Saved};
use vesta::app::jobs::{Job, JobEvent, LoadedTask, Reply};
use vesta::app::key::script;
use vesta::app::msg::Msg;
use vesta::app::state::State;
use vesta::app::update::{execute, update};
use vesta::formats::scene::SceneFile;
use vesta::safety::book::Book;
use vesta::sim::scene::{Edge, Node, Scene};
use vesta::sim::virtualhome::DIALECT;
use vesta::sim::vocab::{NodeId, Profile};
use vesta::store::library::{Library, Places};
use vesta::task::Task;
use vesta::task::episode::{Episode, Outcome};
use vesta::task::setup::{Setup, prepare};

use super::{HOSTILE, Shape, library, with};

/// A shipped task as the worker would open it; read once.
pub(crate) fn shipped(name: &str) -> Opened {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| Library::open_in(Places::default(), None));
    let loaded = library.load_whole(name).unwrap();
    open(LoadedTask {
        setup: loaded.setup,
        base: loaded.base,
        sha256: loaded.sha256,
    })
}

/// V022, bound once for all the tests that look at it.
pub(crate) fn warm() -> Opened {
    static WARM: OnceLock<Opened> = OnceLock::new();
    WARM.get_or_init(|| shipped("V022")).clone()
}

fn open(loaded: LoadedTask) -> Opened {
    let setup = Arc::new(loaded.setup.clone());
    let (episode, start) = Episode::start(setup, Profile::Eai).unwrap();
    let begin = Begin {
        loaded: Arc::new(loaded),
        profile: Profile::Eai,
        agent: "human".to_owned(),
        forked_from: None,
    };
    Opened {
        begin: Arc::new(begin),
        episode,
        events: vec![start],
        run: None,
        findings: Vec::new(),
    }
}

/// A scene with a task of these goals.
pub(crate) fn made(scene: Scene, task: Task) -> Opened {
    let setup: Setup = prepare(Arc::new(task), &scene, Arc::new(Book::default())).unwrap();
    open(LoadedTask {
        setup,
        base: SceneFile::from(scene),
        sha256: String::new(),
    })
}

/// The same game as a run opened again.
pub(crate) fn again(mut opened: Opened, read_only: Option<&str>) -> Opened {
    opened.run = Some(OpenedRun {
        id: "V022-human-20301130T081500Z-a1b2c3".to_owned(),
        read_only: read_only.map(str::to_owned),
        notes: Vec::new(),
    });
    opened.events.clear();
    opened
}

/// What the writer says to everything it is handed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    /// It is on the disk.
    Saves,
    /// Nothing yet.
    Waits,
    /// It cannot be written.
    Fails,
}

/// Play, with this game open.
pub(crate) fn play(shape: Shape, opened: Opened) -> State {
    let mut state = with(shape, library());
    let cmds = execute(&mut state, "play V022");
    let [Cmd::Start(id, Job::OpenGame(..))] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    let reply = JobEvent::Done(Box::new(Reply::Game(Arc::new(opened))));
    update(&mut state, Msg::Job(*id, reply));
    state
}

/// Runs command lines, or keys after `keys `; the writer answers at once.
pub(crate) fn act(state: &mut State, lines: &[&str], writer: Writer) {
    for line in lines {
        if let Some(keys) = line.strip_prefix("keys ") {
            for key in script(keys) {
                let cmds = update(state, Msg::Key(key));
                answer(state, cmds, writer);
            }
        } else {
            let cmds = execute(state, line);
            answer(state, cmds, writer);
        }
    }
}

/// Answers what a state asked of the writer; the jobs it started.
pub(crate) fn answer(state: &mut State, cmds: Vec<Cmd>, writer: Writer) -> Vec<Job> {
    let mut jobs = Vec::new();
    for cmd in cmds {
        let Cmd::Start(id, job) = cmd else { continue };
        if let Job::Save(save) = &job {
            let event = match writer {
                Writer::Waits => None,
                Writer::Fails => Some(JobEvent::Failed(
                    "saved_runs/x/events.jsonl: not saved: No space left on device; 1 event waits; make room: writing goes on by itself".to_owned(),
                )),
                Writer::Saves => Some(JobEvent::Done(Box::new(Reply::Saved(Saved {
                    id: "V022-human-20301130T081500Z-a1b2c3".to_owned(),
                    seq: save.events.last().map(|e| e.seq),
                    note: save.note.clone().map(|body| vesta::formats::run::Note {
                        seq: 0,
                        created: String::new(),
                        body,
                        extra: Vec::new(),
                    }),
                })))),
            };
            if let Some(event) = event {
                let more = update(state, Msg::Job(id, event));
                jobs.extend(answer(state, more, writer));
            }
        }
        jobs.push(job);
    }
    jobs
}

/// The first steps of V022: to the bowl, and the microwave opened. Played once, then opened as a run again.
pub(crate) fn begun() -> Opened {
    static BEGUN: OnceLock<Opened> = OnceLock::new();
    let opened = BEGUN.get_or_init(|| {
        let mut opened = warm();
        for line in ["walk bowl.203", "open microwave"] {
            let turn = opened.episode.act_text(line);
            assert!(matches!(turn.outcome, Outcome::Stepped(_)), "{line}");
        }
        again(opened, None)
    });
    opened.clone()
}

/// A room and somebody in it, without goals.
pub(crate) fn bare() -> Opened {
    made(scene(&["chair"]), task(&[]))
}

/// A scene whose every name is hostile, in a task whose words are.
pub(crate) fn hostile() -> Opened {
    let mut task = task(&[]);
    task.instruction = HOSTILE.concat();
    task.id = HOSTILE.first().map(|t| (*t).to_owned()).unwrap();
    task.risk = HOSTILE.iter().map(|t| (*t).to_owned()).collect();
    let opened = made(scene(HOSTILE), task);
    let findings = HOSTILE.iter().map(|t| (*t).to_owned()).collect();
    Opened { findings, ..opened }
}

/// A kitchen with a thing on, in and beside each other for every name.
fn scene(names: &[&str]) -> Scene {
    let mut room = Node::new(1, "kitchen");
    room.category = Some("Rooms".into());
    let mut nodes = vec![room, Node::new(2, "character")];
    let mut edges = vec![edge(2, "INSIDE", 1)];
    for (id, name) in (10..).zip(names) {
        let mut node = Node::new(id, name);
        for prop in ["GRABBABLE", "CAN_OPEN", "CONTAINERS", "SURFACES"] {
            node.props = node.props.with(DIALECT.property(prop).unwrap());
        }
        node.states = node.states.with(DIALECT.state("OPEN").unwrap());
        nodes.push(node);
        edges.extend([
            edge(id, "INSIDE", 1),
            edge(2, "CLOSE", id),
            edge(id, "CLOSE", 2),
        ]);
        if id % 3 == 1 && id > 10 {
            edges.push(edge(id, "INSIDE", id - 1));
        }
    }
    Scene::new(&DIALECT, "made", nodes, edges).unwrap()
}

fn edge(from: i64, rel: &str, to: i64) -> Edge {
    Edge {
        from: NodeId(from),
        rel: DIALECT.relation(rel).unwrap(),
        to: NodeId(to),
    }
}

/// A task with these success goals and nothing else.
fn task(success: &[&str]) -> Task {
    Task {
        success: success.iter().map(|t| (*t).to_owned()).collect(),
        ..Task::blank("made", "made", "virtualhome", "made.json")
    }
}
