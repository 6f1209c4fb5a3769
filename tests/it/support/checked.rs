//! The check panel on a task with planted faults, its job answered by the test.

use std::sync::Arc;

use vesta::app::cmd::Cmd;
use vesta::app::games::Opened;
use vesta::app::jobs::{Job, JobEvent, JobId, Reply};
use vesta::app::key::script;
use vesta::app::msg::Msg;
use vesta::app::state::State;
use vesta::app::update::update;
use vesta::check::{CHECKS, Case, Effort, Report, report};
use vesta::sim::vocab::Profile;
use vesta::task::{Complexity, Task};

use super::{Shape, games};

/// V022 with a goal that contradicts another and a wrong length class.
pub(crate) fn planted() -> Opened {
    let warm = games::warm();
    let loaded = &warm.begin.loaded;
    let mut task = Task::clone(&loaded.setup.task);
    task.success.push("microwave:ON".to_owned());
    task.complexity = Some(Complexity::Low);
    games::made(loaded.base.scene.clone(), task)
}

/// What the check says about an opened task.
pub(crate) fn found(opened: &Opened) -> Report {
    let setup = opened.episode.setup();
    let case = Case::new(setup, Profile::Eai, Effort::default(), &|| false).unwrap();
    report(&case)
}

/// Presses keys; the job of the check that they start.
pub(crate) fn press(state: &mut State, keys: &str) -> Option<JobId> {
    let mut id = None;
    for key in script(keys) {
        for cmd in update(state, Msg::Key(key)) {
            if let Cmd::Start(job, Job::Check(_) | Job::CheckAll(_) | Job::LoadWitness(_)) = cmd {
                id = Some(job);
            }
        }
    }
    id
}

/// Play on the planted task with the panel open and so many answers in; all of them end the job.
pub(crate) fn panel(shape: Shape, answers: usize) -> State {
    let opened = planted();
    let report = found(&opened);
    let mut state = games::play(shape, opened);
    let id = press(&mut state, "c").unwrap();
    answer(&mut state, id, &report, answers);
    state
}

/// The job hands out answers one by one; after the last one it ends.
pub(crate) fn answer(state: &mut State, id: JobId, report: &Report, answers: usize) {
    for (at, line) in report.lines.iter().take(answers).enumerate() {
        update(state, Msg::Tick(100 * (at as u64 + 1)));
        let part = Reply::CheckLine(line.clone(), CHECKS.len());
        update(state, Msg::Job(id, JobEvent::Part(Box::new(part))));
    }
    if answers >= report.lines.len() {
        let all = Reply::Checked(vec![Arc::new(report.clone())]);
        update(state, Msg::Job(id, JobEvent::Done(Box::new(all))));
    }
}
