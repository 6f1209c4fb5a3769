//! What there is to look at about agents: reports and prompts.

use vesta::agent::chat::{Finish, Reply as Said};
use vesta::agent::player::Understood;
use vesta::agent::sign::Spent;
use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent, Reply};
use vesta::app::msg::Msg;
use vesta::app::state::State;
use vesta::app::tries::Tried;
use vesta::app::update::{execute, update};

use super::{Sample, drive_on, keys};
use crate::support::{self, Shape, reported};

/// Reports and prompts.
pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        name: "report",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "j"),
    },
    Sample {
        name: "report-risk",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "] ] ] G l l"),
    },
    Sample {
        name: "report-bars",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "p l l j"),
    },
    Sample {
        name: "report-notes",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "[ j"),
    },
    Sample {
        name: "report-runs",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "Enter j"),
    },
    Sample {
        name: "report-why",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "j l l l l W j"),
    },
    Sample {
        name: "report-new",
        make: |shape, library| reported::open(shape, library, &reported::agents(), "G n"),
    },
    Sample {
        name: "report-hostile",
        make: |shape, library| reported::open(shape, library, &reported::hostile(), "Enter"),
    },
    Sample {
        name: "report-empty",
        make: |shape, library| reported::open(shape, library, &[], ""),
    },
    Sample {
        name: "report-loading",
        make: |shape, library| keys(shape, library, "g p"),
    },
    Sample {
        name: "report-failed",
        make: |shape, _| support::shipped(shape, &["report no/such/folder"]),
    },
    Sample {
        name: "prompts",
        make: |shape, _| support::shipped(shape, &["prompt", "keys j j"]),
    },
    Sample {
        name: "prompt",
        make: |shape, _| support::shipped(shape, &["prompt react V022"]),
    },
    Sample {
        name: "prompt-fault",
        make: |shape, _| {
            let mut state = support::shipped(shape, &["prompt common V022"]);
            update(&mut state, Msg::Paste("See {{histroy}}.\n".to_owned()));
            state
        },
    },
    Sample {
        name: "prompt-wrapped",
        make: |shape, _| {
            let mut state = support::shipped(shape, &["prompt react V022"]);
            let long = "Say what you see before you act, one thing after the other. ".repeat(6);
            update(&mut state, Msg::Paste(format!("{long}\n")));
            drive_on(state, "Up Up Ctrl-E")
        },
    },
    Sample {
        name: "prompt-trying",
        make: |shape, _| tried(shape, None),
    },
    Sample {
        name: "prompt-tried",
        make: |shape, _| {
            let reply = "The soup first.\n{\"action\": \"walk bowl\"}";
            tried(shape, Some(Ok((reply, &["[WALK] <bowl> (203)"]))))
        },
    },
    Sample {
        name: "prompt-tried-badly",
        make: |shape, _| {
            let why = "api.openai.com does not take the key (401)";
            tried(shape, Some(Err(why)))
        },
    },
    Sample {
        name: "prompt-diff",
        make: |shape, _| {
            let mut state = support::shipped(shape, &["prompt react V022"]);
            update(&mut state, Msg::Paste("Be brief.\n".to_owned()));
            drive_on(state, "Ctrl-D")
        },
    },
];

/// The reply of a turn and what was understood, or why there is none; nothing while it is waited for.
type Told = Option<Result<(&'static str, &'static [&'static str]), &'static str>>;

/// The prompt of ReAct tried for a turn.
fn tried(shape: Shape, told: Told) -> State {
    let mut state = support::shipped(shape, &["prompt react V022"]);
    let cmds = execute(&mut state, "editor-try openai gpt-4.1-mini");
    let [Cmd::Start(id, Job::Try(_))] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    let event = match told {
        None => JobEvent::Progress {
            done: 218,
            total: 0,
        },
        Some(Err(why)) => JobEvent::Failed(why.to_owned()),
        Some(Ok((text, deeds))) => {
            let tried = Tried {
                reply: Said {
                    text: text.to_owned(),
                    thought: String::new(),
                    finish: Finish::Stop,
                    usage: None,
                },
                understood: Understood {
                    deeds: deeds.iter().map(|deed| (*deed).to_owned()).collect(),
                    thought: Some("The soup first.".to_owned()),
                    notes: vec!["\"bowl\" is read as bowl.203".to_owned()],
                    ..Understood::default()
                },
                spent: Some(Spent {
                    total_ms: 2_140,
                    tokens_in: 812,
                    tokens_out: 95,
                    cost: Some(0.0011),
                    ..Spent::default()
                }),
            };
            JobEvent::Done(Box::new(Reply::Tried(Box::new(tried))))
        }
    };
    update(&mut state, Msg::Job(*id, event));
    state
}
