//! A dead plug.

use super::{Change, Kind, Proposal, Sight};

pub(super) const KIND: Kind = Kind {
    id: "plug",
    doc: "pulls the plug of a device that does not run; nothing in BEHAVIOR",
    propose,
};

fn propose(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    let Some(dead) = at.state("PLUGGED_OUT") else {
        return;
    };
    for n in at.things() {
        if at.is(n, "HAS_PLUG") && at.has(n, "PLUGGED_IN") && !at.runs(n) {
            out.push(Proposal {
                kind: KIND.id,
                changes: vec![Change::State(n, dead, true)],
                words: format!("{} is unplugged", at.name(n)),
            });
        }
    }
}
