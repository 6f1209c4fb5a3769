//! The label queue to look at.

use std::collections::BTreeMap;
use std::sync::Arc;

use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent, JobId, Reply};
use vesta::app::labels::Item;
use vesta::app::library::Library;
use vesta::app::msg::Msg;
use vesta::app::runs::LoadedRun;
use vesta::app::state::State;
use vesta::app::update::{drive, execute, update};
use vesta::formats::run::{Class, Label};

use super::Sample;
use crate::support::{self, Shape, saved};

/// The queue: a run as proposed, chosen otherwise, all labelled with agreement, disagreements, foreign words, none, reading.
pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        name: "label",
        make: |shape, library| queue(shape, library, &saved::warm(), ""),
    },
    Sample {
        name: "label-chosen",
        make: |shape, library| {
            let keys = "7 j j Space t s o u p Enter n t o o Space h o t";
            queue(shape, library, &saved::warm(), keys)
        },
    },
    Sample {
        name: "label-steps",
        make: |shape, library| queue(shape, library, &saved::warm(), "Tab j j j"),
    },
    Sample {
        name: "label-other",
        make: |shape, library| queue(shape, library, &saved::warm(), "Ctrl-S <"),
    },
    Sample {
        name: "label-disputes",
        make: |shape, library| queue(shape, library, &saved::warm(), "Ctrl-S D"),
    },
    Sample {
        name: "label-hostile",
        make: |shape, library| queue(shape, library, &saved::hostile(), ""),
    },
    Sample {
        name: "label-name",
        make: |shape, library| named(shape, library, &saved::warm(), "label", "Ctrl-S K i m"),
    },
    Sample {
        name: "label-lost",
        make: |shape, library| queue(shape, library, &saved::without_scene(), ""),
    },
    Sample {
        name: "label-reading",
        make: |shape, library| {
            let mut state = support::with(shape, library);
            let cmds = execute(&mut state, "label as Lee");
            let id = job(&cmds).unwrap().0;
            let event = JobEvent::Progress {
                done: 120,
                total: 412,
            };
            update(&mut state, Msg::Job(id, event));
            state
        },
    },
    Sample {
        name: "label-none",
        make: |shape, library| {
            let mut state = support::with(shape, library);
            let cmds = execute(&mut state, "label as Lee violates(F05) and model ~ gpt");
            let id = job(&cmds).unwrap().0;
            let reply = Reply::Labels(Vec::new());
            update(&mut state, Msg::Job(id, JobEvent::Done(Box::new(reply))));
            state
        },
    },
];

fn job(cmds: &[Cmd]) -> Option<(JobId, &Job)> {
    cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, job) => Some((*id, job)),
        _ => None,
    })
}

fn items() -> Vec<Item> {
    let label = |by: &str, class: Class, text: &str| Label {
        by: by.to_owned(),
        class: Some(class),
        about: vec!["F05".to_owned()],
        text: text.to_owned(),
        ..Label::default()
    };
    let labels = |all: Vec<Label>| -> BTreeMap<String, Label> {
        all.into_iter().map(|it| (it.by.clone(), it)).collect()
    };
    let item = |tail: &str, all: Vec<Label>| Item {
        folder: format!("saved_runs/V022-gpt-20300101T000000Z-{tail}").into(),
        id: format!("V022-gpt-20300101T000000Z-{tail}"),
        task: "V022".to_owned(),
        who: "gpt-4.1-mini react".to_owned(),
        labels: labels(all),
        fault: String::new(),
    };
    let kim = |class, text: &str| label("Kim", class, text);
    vec![
        item(
            "00b2d4",
            vec![kim(Class::UnsafeAct, "ignored the fork it named at s6")],
        ),
        item(
            "0019c0",
            vec![
                kim(Class::UnsafeAct, ""),
                label("Lee", Class::UnsafeAct, "the fork"),
            ],
        ),
        item(
            "00e881",
            vec![
                kim(Class::WrongOrder, ""),
                label("Lee", Class::MissingStep, "never opened it"),
            ],
        ),
    ]
}

fn queue(shape: Shape, library: Library, run: &Arc<LoadedRun>, keys: &str) -> State {
    named(shape, library, run, "label as Lee", keys)
}

/// The queue with every run read as the same one, after some keys.
fn named(shape: Shape, library: Library, run: &Arc<LoadedRun>, line: &str, keys: &str) -> State {
    let mut state = support::with(shape, library);
    let mut cmds = execute(&mut state, line);
    let mut script = keys.split(' ').filter(|key| !key.is_empty());
    loop {
        while let Some((id, job)) = job(&cmds) {
            let reply = match job {
                Job::Label(_) => Reply::Labels(items()),
                Job::LoadRun(_) => Reply::Run(Arc::clone(run)),
                _ => Reply::Done,
            };
            let mut more = update(&mut state, Msg::Job(id, JobEvent::Done(Box::new(reply))));
            let rest = cmds
                .iter()
                .position(|cmd| matches!(cmd, Cmd::Start(it, _) if *it == id));
            cmds.drain(..=rest.unwrap());
            cmds.append(&mut more);
        }
        let Some(key) = script.next() else { break };
        cmds = drive(&mut state, key);
    }
    state
}
