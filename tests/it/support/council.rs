//! Arenas to look at: a few scenarios of the published benchmark, played once for all tests.

use std::sync::{Arc, LazyLock};

use vesta::app::arena::{ArenaJob, ArenaReply};
use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent, JobId, Reply};
use vesta::app::msg::Msg;
use vesta::app::state::State;
use vesta::app::update::{drive, execute, update};
use vesta::arena::advplan::study::Study;

use super::{Shape, library, with};

/// Two base seeds of the benchmark.
static STUDY: LazyLock<Arc<Study>> = LazyLock::new(|| Arc::new(Study::new(2)));

/// The arena before anything is played, and the job it waits for.
pub(crate) fn waiting(shape: Shape, line: &str) -> (State, JobId) {
    let mut state = with(shape, library());
    let cmds = execute(&mut state, line);
    let job = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Arena(ArenaJob::Published(..))) => Some(*id),
        _ => None,
    });
    (state, job.unwrap())
}

/// The arena with everything played, then keys.
pub(crate) fn played(shape: Shape, line: &str, keys: &str) -> State {
    let (mut state, job) = waiting(shape, line);
    let reply = ArenaReply::Published(Arc::clone(&STUDY));
    let done = JobEvent::Done(Box::new(Reply::Arena(reply)));
    update(&mut state, Msg::Job(job, done));
    drive(&mut state, keys);
    state
}

/// So many scenarios of all are played.
pub(crate) fn playing(shape: Shape, done: u64, total: u64) -> State {
    let (mut state, job) = waiting(shape, "council");
    update(
        &mut state,
        Msg::Job(job, JobEvent::Progress { done, total }),
    );
    state
}
