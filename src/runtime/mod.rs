//! The only layer that waits, spawns, reads clocks and touches the terminal.
//!
//! Owns the event loop ([`run`]), the terminal ([`terminal`]), the panic hook ([`panics`]), the painter
//! ([`screen`]) and the workers ([`jobs`]). It decides nothing: what happens becomes a `Msg`, and the
//! `Cmd`s that come back are executed. It must not look into screens.

pub mod decode;
pub mod input;
pub mod jobs;
pub mod live;
pub mod panics;
pub mod screen;
pub mod spread;
pub mod terminal;

mod editor;
mod event_loop;

pub use event_loop::{FaultAt, Options, run};

/// Runs the jobs among the commands on this thread, and those that follow from their replies, until none
/// is left: the program without a terminal. Anything else runtime would have to do is dropped.
pub fn settle(
    state: &mut crate::app::state::State,
    mut cmds: Vec<crate::app::cmd::Cmd>,
    sources: &jobs::Sources,
    writers: &mut jobs::Writers,
) {
    use crate::app::cmd::Cmd;
    use crate::app::jobs::JobEvent;
    // A job that starts itself again and again must not hang a script.
    for _ in 0..10_000 {
        let mut next = Vec::new();
        for cmd in cmds {
            if let Cmd::Start(id, job) = cmd {
                let control = jobs::Control::detached(id);
                let event = jobs::execute(job, &control, sources, writers);
                let parts = control.parts().into_iter();
                let parts = parts.map(|part| JobEvent::Part(Box::new(part)));
                for event in parts.chain([event]) {
                    next.extend(crate::app::update::update(
                        state,
                        crate::app::msg::Msg::Job(id, event),
                    ));
                }
            }
        }
        if next.is_empty() {
            return;
        }
        cmds = next;
    }
}
