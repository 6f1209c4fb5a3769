//! Saved runs made in memory, the same every time.

use std::sync::{Arc, OnceLock};

use vesta::agent::sign::Spent;
use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent, Reply};
use vesta::app::msg::Msg;
use vesta::app::runs::{Again, LoadedRun};
use vesta::app::state::State;
use vesta::app::update::{drive, execute, update};
use vesta::base::fold::StateHash;
use vesta::formats::run::{Fault, GoalFault, Header, Judgement, Note, NoteBody, Verdict, Witness};
use vesta::sim::timeline::Pos;
use vesta::sim::vocab::Profile;
use vesta::store::library::{Library, Places};
use vesta::task::SceneRef;
use vesta::task::episode::{Body, Episode, Event, Remark, Said, replay};
use vesta::task::setup::Setup;

use super::{HOSTILE, Shape};

/// Warms the soup with the fork still in the microwave, then goes back and takes the fork out first.
const WARM: &[&str] = &[
    "walk microwave",
    "open microwave",
    "walk bowl.203",
    "grab bowl.203",
    "walk microwave",
    "putin bowl.203 microwave",
    "switchon fork",
    "close microwave",
    "switchon microwave",
    "goto 2",
    "grab fork",
    "walk table",
    "grab bowl.203",
    "putback fork table",
    "say The fork is out, now the bowl.",
    "walk bowl.203",
    "grab bowl.203",
    "walk table",
    "putback bowl.203 table",
    "done",
];

fn setup() -> Arc<Setup> {
    Arc::new(
        Library::open_in(Places::default(), None)
            .load("V022")
            .unwrap(),
    )
}

/// Plays lines: actions, `goto N`, `say TEXT`, `done`.
fn play(lines: &[&str]) -> Vec<Event> {
    let (mut episode, start) = Episode::start(setup(), Profile::Eai).unwrap();
    let mut events = vec![start];
    for line in lines {
        if let Some(at) = line.strip_prefix("goto ") {
            events.extend(episode.goto(Pos(at.parse().unwrap())));
        } else if let Some(text) = line.strip_prefix("say ") {
            events.push(episode.say(Said::new(Remark::Message, text)));
        } else if *line == "done" {
            events.push(episode.finish());
        } else {
            events.extend(episode.act_text(line).events);
        }
    }
    events
}

fn saved(events: Vec<Event>) -> LoadedRun {
    let (episode, drifts) = replay(setup(), Profile::Eai, &events).unwrap();
    LoadedRun {
        folder: "saved_runs/V022-human-20301130T081500Z-a1b2c3".into(),
        header: Header {
            id: "V022-human-20301130T081500Z-a1b2c3".to_owned(),
            created: "2030-11-30T08:15:00Z".to_owned(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            dialect: "virtualhome".to_owned(),
            profile: "eai".to_owned(),
            agent: "human".to_owned(),
            task: "{\"id\": \"V022\"}".to_owned(),
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
        again: Ok(Again { episode, drifts }),
    }
}

/// A whole run with a refusal on each of its two branches, something said, and a verdict.
pub(crate) fn warm() -> Arc<LoadedRun> {
    static RUN: OnceLock<Arc<LoadedRun>> = OnceLock::new();
    Arc::clone(RUN.get_or_init(|| Arc::new(make_warm())))
}

fn make_warm() -> LoadedRun {
    let events = play(WARM);
    let at = events.iter().rfind(|e| e.body.makes_position()).unwrap();
    let verdict = NoteBody::Verdict(Verdict {
        verdict: Judgement::Fix,
        reason: "nothing asks for the soup to be warm".to_owned(),
        goals: vec![GoalFault {
            goal: "success[0]".to_owned(),
            text: "bowl.203 ON table".to_owned(),
            fault: Fault::Missing,
        }],
        witness: Some(Witness {
            branch: at.branch.to_string(),
            at: at.seq,
        }),
    });
    let note = Note {
        seq: 0,
        created: "2030-11-30T08:20:00Z".to_owned(),
        body: verdict,
        extra: Vec::new(),
    };
    LoadedRun {
        notes: vec![note],
        ..saved(events)
    }
}

/// A run that another program recorded: one step left the microwave closed there.
pub(crate) fn drifted() -> Arc<LoadedRun> {
    static RUN: OnceLock<Arc<LoadedRun>> = OnceLock::new();
    Arc::clone(RUN.get_or_init(|| Arc::new(make_drifted())))
}

fn make_drifted() -> LoadedRun {
    let mut events = play(WARM);
    let opened = |event: &&mut Event| match &event.body {
        Body::Step { action, .. } => action.contains("[OPEN]"),
        _ => false,
    };
    let event = events.iter_mut().find(opened).unwrap();
    event.hash = StateHash::default();
    if let Body::Step { diff, .. } = &mut event.body {
        *diff = vec!["+microwave.156:CLOSED".to_owned()];
    }
    let mut run = saved(events);
    run.header.engine = "0.0.9".to_owned();
    run
}

/// A run whose events end early, held by somebody else.
pub(crate) fn torn() -> Arc<LoadedRun> {
    static RUN: OnceLock<Arc<LoadedRun>> = OnceLock::new();
    Arc::clone(RUN.get_or_init(|| Arc::new(make_torn())))
}

fn make_torn() -> LoadedRun {
    let mut events = play(WARM);
    events.truncate(9);
    LoadedRun {
        is_cut: true,
        findings: vec![
            "events.jsonl line 10: checksum differs; the 9 events before it are used".to_owned(),
        ],
        read_only: Some("another instance has this run open".to_owned()),
        ..saved(events)
    }
}

/// A run whose scene is lost.
pub(crate) fn without_scene() -> Arc<LoadedRun> {
    static RUN: OnceLock<Arc<LoadedRun>> = OnceLock::new();
    Arc::clone(RUN.get_or_init(|| Arc::new(make_without_scene())))
}

fn make_without_scene() -> LoadedRun {
    LoadedRun {
        again: Err("scene.json.gz: not found; restore the file from a copy of the run".to_owned()),
        ..saved(play(WARM))
    }
}

/// A run of many steps.
pub(crate) fn long() -> Arc<LoadedRun> {
    static RUN: OnceLock<Arc<LoadedRun>> = OnceLock::new();
    Arc::clone(RUN.get_or_init(|| Arc::new(make_long(120))))
}

fn make_long(steps: usize) -> LoadedRun {
    let lines = ["walk microwave", "open microwave", "close microwave"];
    let mut all = vec!["walk microwave"];
    all.extend(lines.iter().cycle().skip(1).take(steps.saturating_sub(1)));
    saved(play(&all))
}

/// A run in which everything written is hostile.
pub(crate) fn hostile() -> Arc<LoadedRun> {
    static RUN: OnceLock<Arc<LoadedRun>> = OnceLock::new();
    Arc::clone(RUN.get_or_init(|| Arc::new(make_hostile())))
}

fn make_hostile() -> LoadedRun {
    let mut lines: Vec<String> = vec!["walk microwave".to_owned()];
    lines.extend(HOSTILE.iter().map(|text| format!("grab {text}")));
    lines.extend(HOSTILE.iter().map(|text| format!("say {text}")));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut run = saved(play(&lines));
    let text = |at: usize| (*HOSTILE.get(at).unwrap()).to_owned();
    run.folder = text(1).into();
    run.header.id = text(1);
    run.header.agent = text(0);
    run.header.profile = text(2);
    run.header.task = "{\"id\": \"\\u001b[31mT\\u202e\"}".to_owned();
    run.findings = HOSTILE.iter().map(|text| (*text).to_owned()).collect();
    run.read_only = Some(text(5));
    run.notes = HOSTILE
        .iter()
        .zip(0..)
        .map(|(text, seq)| Note {
            seq,
            created: String::new(),
            body: NoteBody::Comment {
                at: Some(1),
                text: (*text).to_owned(),
            },
            extra: Vec::new(),
        })
        .collect();
    run
}

/// A run of an agent: it is told once what is not so, a critic speaks of a step, and its calls are counted.
pub(crate) fn told() -> Arc<LoadedRun> {
    static RUN: OnceLock<Arc<LoadedRun>> = OnceLock::new();
    Arc::clone(RUN.get_or_init(|| Arc::new(make_told())))
}

fn make_told() -> LoadedRun {
    let (mut episode, start) = Episode::start(setup(), Profile::Eai).unwrap();
    let mut events = vec![start];
    let mut spent = Vec::new();
    let turns = [
        ("What there is:\n- microwave: closed, off", "walk microwave"),
        ("now you are close to microwave", "open microwave"),
        (
            "now microwave is closed\nno longer microwave is off",
            "walk bowl.203",
        ),
        ("now you are close to bowl.203", "grab bowl.203"),
        ("now you hold bowl.203", "walk microwave"),
        ("now you are close to microwave", "putin bowl.203 microwave"),
        ("now bowl.203 is inside microwave", "close microwave"),
        ("now microwave is closed", "switchon microwave"),
    ];
    for ((told, act), ms) in turns
        .into_iter()
        .zip([900, 400, 2100, 350, 700, 480, 5100, 640])
    {
        events.push(episode.say(Said::by(Remark::Message, "world", told)));
        let reply = format!("{{\"rationale\": \"next\", \"action\": \"{act}\"}}");
        let data = format!("{{\"reasoning\": \"What is next? {act}.\", \"deeds\": [\"{act}\"]}}");
        let said = Said::by(Remark::Message, "agent", &reply).with(data);
        let event = episode.say(said);
        spent.push((
            event.seq,
            Spent {
                attempts: 1,
                first_ms: ms / 2,
                total_ms: ms,
                tokens_in: 800 + ms / 10,
                tokens_out: 40,
                cached: 0,
                cost: Some(0.0001 * (ms as f64)),
            },
        ));
        events.push(event);
        events.extend(episode.act_text(act).events);
    }
    let claims = "{\"claims\": [{\"text\": \"The fork was left inside.\", \"verdict\": \"confirmed\", \
                  \"evidence\": \"fork INSIDE microwave at s8\", \"steps\": [8]}]}";
    let said = Said::by(Remark::Critic, "critic", "The fork was left inside.");
    events.push(episode.say(said.with(claims.to_owned())));
    events.push(episode.finish());
    let mut run = saved(events);
    run.header.agent = "react".to_owned();
    LoadedRun { spent, ..run }
}

/// Inspect on a run, after some keys.
pub(crate) fn inspect(shape: Shape, run: Arc<LoadedRun>, script: &str) -> State {
    let mut state = super::with(shape, super::library());
    let cmds = execute(&mut state, "inspect b2c3");
    let id = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::LoadRun(_)) => Some(*id),
        _ => None,
    });
    let done = JobEvent::Done(Box::new(Reply::Run(run)));
    update(&mut state, Msg::Job(id.unwrap(), done));
    drive(&mut state, script);
    state
}
