//! ReAct; after a trial that failed the same model looks back, and tries again.

use crate::agent::chat::Seat;

use super::Entry;
use super::stepwise::{LookBack, Stepwise};

/// The strategy.
pub(super) const REFLEXION: Entry = Entry {
    id: "reflexion",
    title: "ReAct + Reflexion",
    what: "ReAct; after a trial without success the same model says what went wrong, and tries again.",
    rounds: Some("how many further trials there may be"),
    one_go: false,
    critic: false,
    make: |settings| {
        let back = LookBack {
            file: "reflexion",
            seat: Seat::Actor,
        };
        Box::new(Stepwise::new(settings, "react", true, Some(back)))
    },
};
