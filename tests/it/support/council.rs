//! Arenas to look at: a few scenarios of the published benchmark, played once for all tests.

use std::sync::{Arc, LazyLock};

use vesta::app::arena::plans::Plans;
use vesta::app::arena::{ArenaJob, ArenaReply};
use vesta::app::cmd::Cmd;
use vesta::app::jobs::{Job, JobEvent, JobId, Reply};
use vesta::app::msg::Msg;
use vesta::app::state::State;
use vesta::app::update::{drive, execute, update};
use vesta::arena::advplan::file::read;
use vesta::arena::advplan::study::Study;
use vesta::arena::advplan::traces::{plan_lines, replay};

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

/// The plans of a file over which no council was held, then keys.
pub(crate) fn plans(shape: Shape, keys: &str) -> State {
    let mut state = with(shape, library());
    let cmds = execute(&mut state, "council mine/bridge.jsonl");
    let job = cmds.iter().find_map(|cmd| match cmd {
        Cmd::Start(id, Job::Arena(ArenaJob::Typed(_))) => Some(*id),
        _ => None,
    });
    let head = r#"{"vesta_arena":1,"kind":"advplan","scenario":"hold the bridge"}"#;
    let lines = plan_lines(&replay("urban-100").unwrap());
    let text = format!("{head}\n{lines}").replacen("\"alignment\":0.", "\"alignment\":9.", 1);
    let plans = Plans::of(read("bridge.jsonl", text.as_bytes()).unwrap());
    let reply = Reply::Arena(ArenaReply::Plans(Arc::new(plans)));
    update(
        &mut state,
        Msg::Job(job.unwrap(), JobEvent::Done(Box::new(reply))),
    );
    drive(&mut state, keys);
    state
}
