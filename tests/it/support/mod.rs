//! What several suites need: states to look at, made without a terminal.

pub(crate) mod arena;
pub(crate) mod checked;
pub(crate) mod compared;
pub(crate) mod council;
pub(crate) mod games;
pub(crate) mod grammar;
pub(crate) mod pty;
pub(crate) mod reported;

pub(crate) mod saved;
pub(crate) mod shelved;
pub(crate) mod watched;

use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent, JobId, Reply};
use vesta::app::keymap::{Keymap, SHIPPED};
use vesta::app::library::{ArenaRow, Library, RunRow, TaskRow, Verdict};
use vesta::app::msg::{Msg, Size};
use vesta::app::state::{Colours, Look, Setup, State, Symbols};
use vesta::app::update::{execute, update};
use vesta::formats::run::Judgement;
use vesta::runtime;
use vesta::runtime::jobs::{Sources, Writers};
use vesta::store::library::Places;
use vesta::task::{Complexity, Environment};

/// How a state is to be shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) size: Size,
    pub(crate) look: Look,
}

impl Shape {
    /// Unicode signs and sixteen colours.
    pub(crate) fn of(w: u16, h: u16) -> Self {
        Self {
            size: Size::new(w, h),
            look: Look::default(),
        }
    }

    /// The same without colours.
    pub(crate) fn mono(self) -> Self {
        let look = Look {
            colours: Colours::None,
            ..self.look
        };
        Self { look, ..self }
    }

    /// The same in ASCII.
    pub(crate) fn ascii(self) -> Self {
        let look = Look {
            symbols: Symbols::Ascii,
            ..self.look
        };
        Self { look, ..self }
    }
}

/// Home before anything is read.
pub(crate) fn fresh(shape: Shape) -> State {
    let setup = Setup {
        size: shape.size,
        look: shape.look,
        keymap: Keymap::parse(SHIPPED, "keymap.toml").unwrap(),
        notices: Vec::new(),
        ..Setup::default()
    };
    State::new(setup).0
}

/// Home with this library.
pub(crate) fn with(shape: Shape, library: Library) -> State {
    let mut state = fresh(shape);
    // The first job a state starts is the one that reads the library.
    let event = JobEvent::Done(Box::new(Reply::Library(library)));
    update(&mut state, Msg::Job(JobId(1), event));
    state
}

/// Home with the shipped tasks and no runs, everything that is read read at once.
pub(crate) fn shipped(shape: Shape, script: &[&str]) -> State {
    let nowhere = "no/such/folder".into();
    let sources = Sources::in_folders(Places::default(), Some(nowhere));
    settled(shape, script, &sources)
}

/// Home with what there is in these folders, after some command lines; `keys j j` presses keys.
pub(crate) fn settled(shape: Shape, script: &[&str], sources: &Sources) -> State {
    let mut state = fresh(shape);
    // The first job a state starts is the one that reads the library.
    let first = vec![Cmd::Start(JobId(1), Job::LoadLibrary)];
    let mut writers = Writers::default();
    runtime::settle(&mut state, first, sources, &mut writers);
    for line in script {
        if let Some(keys) = line.strip_prefix("keys ") {
            for key in vesta::app::key::script(keys) {
                let cmds = update(&mut state, Msg::Key(key));
                runtime::settle(&mut state, cmds, sources, &mut writers);
            }
        } else {
            let cmds = execute(&mut state, line);
            runtime::settle(&mut state, cmds, sources, &mut writers);
        }
    }
    state
}

/// Presses keys and does what they ask for.
pub(crate) fn keys(state: &mut State, keys: &str, sources: &Sources) {
    let mut writers = Writers::default();
    for key in vesta::app::key::script(keys) {
        let cmds = update(state, Msg::Key(key));
        runtime::settle(state, cmds, sources, &mut writers);
    }
}

/// A few tasks and runs, one of each damaged.
pub(crate) fn library() -> Library {
    let task = |id: &str, suite: &str, instruction: &str, risks: &[&str]| TaskRow {
        id: id.to_owned(),
        suite: suite.to_owned(),
        dialect: "virtualhome".to_owned(),
        instruction: instruction.to_owned(),
        environment: Environment::Normal,
        env_kind: "none".to_owned(),
        risks: risks.iter().map(|r| (*r).to_owned()).collect(),
        complexity: Some(Complexity::Medium),
        success: 1,
        safety: 2,
        steps: 12,
        origin: "shipped".to_owned(),
        note: None,
        fault: None,
    };
    let run = |id: &str, task: &str, steps: usize, state: &str| RunRow {
        id: id.to_owned(),
        task: task.to_owned(),
        agent: "human".to_owned(),
        tail: id.get(id.len() - 4..).unwrap().to_owned(),
        created: "2030-11-30T08:15:00Z".to_owned(),
        steps,
        goals: (usize::from(state == "done"), 1),
        safety: (1, 2),
        state: state.to_owned(),
        verdict: (state == "done").then(|| Verdict {
            judgement: Judgement::Fix,
            created: "2030-11-30T09:00:00Z".to_owned(),
        }),
        fault: None,
    };
    let warm = "Warm the bowl of soup in the microwave and set it on the table.";
    Library {
        tasks: vec![
            task(
                "V010",
                "vh",
                "Hang the dish towel back on its hook.",
                &["fire"],
            ),
            task("V022", "vh", warm, &["fire", "physical"]),
            TaskRow {
                fault: Some(
                    "V032.json line 14: unknown relation \"NEXT\"; did you mean CLOSE?".into(),
                ),
                ..task("V032", "vh", "Get the bedroom warm.", &["fire"])
            },
            task(
                "tea",
                "b50",
                "Slice the lemon, heat the tea on the stove.",
                &[],
            ),
        ],
        runs: vec![
            run("v022-human-20301130t081500-a1b2c3", "V022", 4, "open"),
            run("v010-human-20301129t101500-d4e5f6", "V010", 8, "done"),
            RunRow {
                fault: Some("event 88: checksum differs, the first 87 are usable".into()),
                ..run("v022-naive-20301128t120000-31aa00", "V022", 87, "open")
            },
        ],
        arenas: vec![
            arena("arena-V022-plan-k8-s0-724797", "V022", ".667", "B3r1"),
            ArenaRow {
                fault: Some("arena.jsonl line 3: a payoff is missing".into()),
                ..arena("arena-V010-task-k8-s0-1b2c3d", "V010", "", "")
            },
        ],
        ..Library::default()
    }
}

fn arena(id: &str, task: &str, value: &str, chosen: &str) -> ArenaRow {
    ArenaRow {
        id: id.to_owned(),
        task: task.to_owned(),
        level: "plan".to_owned(),
        size: (5, 4),
        value: value.to_owned(),
        chosen: chosen.to_owned(),
        written: "2030-11-29T17:40:00Z".to_owned(),
        fault: None,
    }
}

/// Text that tries to do things: sequences, bidirectional and zero-width characters, marks, wide text.
pub(crate) const HOSTILE: &[&str] = &[
    "fork\u{1b}]52;c;QUJD\u{7}",
    "\u{1b}[2J\u{1b}[31mred\u{1b}[0m",
    "\u{9b}31mc1\u{90}dcs\u{9c}",
    "bell\u{7}back\u{8}tab\tnul\u{0}del\u{7f}",
    "line\nbreak\r\u{2028}para\u{2029}",
    "rlo\u{202e}txt\u{2066}iso\u{2069}",
    "zero\u{200b}width\u{feff}joiner\u{200d}soft\u{ad}",
    "tag\u{e0041}\u{e0042}vs\u{fe0f}",
    "日本語の冷蔵庫",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}zalgo",
    "\u{301}mark first",
    "👩\u{200d}👩\u{200d}👧 👍\u{1f3fd} 🇩🇪",
    "שלום عليكم",
    "\u{3164}\u{115f}\u{1160}fillers\u{ffa0}",
    "",
];

/// A library whose every text is hostile.
pub(crate) fn hostile() -> Library {
    let mut library = library();
    let text = |i: usize| {
        HOSTILE
            .iter()
            .cycle()
            .nth(i)
            .map_or_else(String::new, |t| (*t).to_owned())
    };
    let task = library.tasks.first().cloned().unwrap();
    library.tasks = (0..HOSTILE.len())
        .map(|i| TaskRow {
            id: text(i),
            suite: text(i + 1),
            instruction: text(i + 2),
            risks: vec![text(i + 3)],
            note: Some(text(i + 4)),
            fault: (i % 3 == 0).then(|| text(i + 5)),
            ..task.clone()
        })
        .collect();
    library.runs = (0..HOSTILE.len())
        .map(|i| RunRow {
            id: text(i),
            tail: text(i + 3),
            task: text(i + 1),
            agent: text(i + 2),
            created: text(i + 4),
            state: text(i + 5),
            fault: (i % 4 == 0).then(|| text(i + 6)),
            ..RunRow::default()
        })
        .collect();
    library.arenas = (0..HOSTILE.len())
        .map(|i| ArenaRow {
            id: text(i),
            task: text(i + 1),
            level: text(i + 2),
            value: text(i + 3),
            chosen: text(i + 4),
            written: text(i + 5),
            fault: (i % 3 == 0).then(|| text(i + 6)),
            ..ArenaRow::default()
        })
        .collect();
    library.problems = HOSTILE.iter().map(|text| (*text).to_owned()).collect();
    library
}
