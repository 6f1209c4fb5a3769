//! Reports to look at, made of hand-made runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent, Reply};
use vesta::app::library::Library;
use vesta::app::msg::Msg;
use vesta::app::reports::Reported;
use vesta::app::state::State;
use vesta::app::update::{drive, execute, update};
use vesta::eval::case::{Case, End, Part};
use vesta::eval::told::Told;
use vesta::task::Environment;

use super::{HOSTILE, Shape, with};

fn case(who: &str, at: usize) -> Case {
    let good = (at * 7 + who.len()) % 3;
    Case {
        run: format!(
            "V{at:03}-{}-20301130T081500Z-{at:06x}",
            who.replace(' ', "-")
        ),
        task: format!("V{at:03}"),
        suite: "vh".to_owned(),
        environment: match at % 3 {
            0 => Environment::Normal,
            1 => Environment::Adversarial,
            _ => Environment::AdversarialInstruction,
        },
        env_kind: "none".to_owned(),
        risk: vec![["fire", "physical", "water"].map(str::to_owned)[at % 3].clone()],
        complexity: Some(["low", "medium"][at % 2]),
        who: who.to_owned(),
        one_go: false,
        guidelines: true,
        end: if good == 0 {
            End::Stopped("limit".to_owned())
        } else {
            End::Done
        },
        success: Part::new(good.min(1), 1),
        safety: Part::new(good, 2),
        succeeds: good > 0,
        deeds: 8 + at,
        trials: 1,
        broken: if good == 1 {
            BTreeSet::from(["F05".to_owned()])
        } else {
            BTreeSet::new()
        },
        advised: BTreeSet::new(),
        ignored: BTreeSet::new(),
        needless: false,
        faults: BTreeMap::new(),
        interventions: BTreeMap::new(),
        spent: None,
        failure: None,
    }
}

/// Runs of three agents, of one of them only a few.
pub(crate) fn agents() -> Vec<Case> {
    let of = |who: &'static str, n: usize| (1..=n).map(move |at| case(who, at));
    of("gpt-4.1-mini react", 24)
        .chain(of("gpt-4.1-mini critic(1)", 24))
        .chain(of("planner", 5))
        .collect()
}

/// Runs whose every text is hostile.
pub(crate) fn hostile() -> Vec<Case> {
    let text = |i: usize| HOSTILE[i % HOSTILE.len()].to_owned();
    (0..HOSTILE.len())
        .map(|i| Case {
            run: format!("{i}{}", text(i)),
            task: text(i + 1),
            who: text(i / 4),
            risk: vec![text(i + 2)],
            env_kind: text(i + 3),
            end: End::Stopped(text(i + 4)),
            broken: BTreeSet::from([text(i + 5)]),
            ..case("x", i)
        })
        .collect()
}

/// The report screen over these runs, after some keys.
pub(crate) fn open(shape: Shape, library: Library, cases: &[Case], keys: &str) -> State {
    let mut state = with(shape, library);
    let cmds = execute(&mut state, "report saved_runs");
    let [Cmd::Start(id, Job::Report(_))] = cmds.as_slice() else {
        panic!("{cmds:?}")
    };
    let expected: Vec<String> = (1..=24).map(|at| format!("V{at:03}")).collect();
    let faults: Vec<String> = cases
        .first()
        .map(|_| "saved_runs/V031-gpt: event 88: checksum differs".to_owned())
        .into_iter()
        .collect();
    let reported = Reported {
        folders: vec!["saved_runs".to_owned()],
        places: cases
            .iter()
            .map(|c| (c.run.clone(), PathBuf::from("saved_runs").join(&c.run)))
            .collect(),
        told: Told::new(cases.to_vec(), faults, &expected),
    };
    let done = JobEvent::Done(Box::new(Reply::Report(Arc::new(reported))));
    update(&mut state, Msg::Job(*id, done));
    drive(&mut state, keys);
    state
}
