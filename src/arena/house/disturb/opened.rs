//! A thing opened or closed.

use super::{Change, Kind, Proposal, Sight};
use crate::sim::reading::is_shut;

pub(super) const KIND: Kind = Kind {
    id: "opened",
    doc: "opens what is closed and closes what is open; nothing that runs",
    propose,
};

fn propose(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    let Some(open) = at.state("OPEN") else {
        return;
    };
    let closed = at.state("CLOSED");
    for n in at.things() {
        let opens = at.is(n, "CAN_OPEN") || at.is(n, "OPENABLE");
        if !opens || at.runs(n) || at.is_held(n) {
            continue;
        }
        let (change, word) = match (is_shut(at.graph(), n), closed) {
            (true, _) => (Change::State(n, open, true), "open"),
            (false, Some(closed)) => (Change::State(n, closed, true), "closed"),
            (false, None) => (Change::State(n, open, false), "closed"),
        };
        out.push(Proposal {
            kind: KIND.id,
            changes: vec![change],
            words: format!("{} is now {word}", at.name(n)),
        });
    }
}
