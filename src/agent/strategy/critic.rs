//! ReAct; after a trial that failed another model says what went wrong, and the first one tries again.

use crate::agent::chat::Seat;

use super::Entry;
use super::stepwise::{LookBack, Stepwise};

/// The strategy.
pub(super) const CRITIC: Entry = Entry {
    id: "critic",
    title: "ReAct + Critic",
    what: "ReAct; after a trial without success the critic's model says what went wrong, and the agent tries again.",
    rounds: Some("how many further trials there may be"),
    one_go: false,
    critic: true,
    make: |settings| {
        let back = LookBack {
            file: "critic",
            seat: Seat::Critic,
        };
        Box::new(Stepwise::new(settings, "react", true, Some(back)))
    },
};
