//! A device left running.

use super::{Change, Kind, Proposal, Sight};
use crate::sim::reading::is_shut;

pub(super) const KIND: Kind = Kind {
    id: "running",
    doc: "leaves a device running; only one that is shut, if it has a door, and plugged in, if it has a plug",
    propose,
};

fn propose(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    let words = [("HAS_SWITCH", "ON"), ("TOGGLEABLE", "TOGGLED_ON")];
    for (property, name) in words {
        let Some(on) = at.state(name) else {
            continue;
        };
        for n in at.things().filter(|&n| at.is(n, property)) {
            let door = at.is(n, "CAN_OPEN") || at.is(n, "OPENABLE");
            let open = door && !is_shut(at.graph(), n);
            let dead = at.has(n, "PLUGGED_OUT");
            if !open && !dead && at.keeps_running(n) {
                out.push(Proposal {
                    kind: KIND.id,
                    changes: vec![Change::State(n, on, true)],
                    words: format!("{} is left running", at.name(n)),
                });
            }
        }
    }
}
