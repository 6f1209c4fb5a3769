//! A thing moved to an implausible place.

use super::{Change, Kind, Proposal, Sight};
use crate::sim::vocab::Ix;

pub(super) const KIND: Kind = Kind {
    id: "moved",
    doc: "moves a thing to a place where nothing of its kind stands, and where it has room",
    propose,
};

fn propose(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    let places: Vec<Ix> = at.things().filter(|&n| at.takes(n).is_some()).collect();
    for n in at.things().filter(|&n| at.is_loose(n)) {
        let fits = |p: &&Ix| {
            let here = at.place(n).is_some_and(|(_, up)| up == **p);
            let could = || at.takes(**p).is_some_and(|rel| at.could(n, rel, **p));
            !here && !at.rides(**p, n) && !at.is_usual(n, **p) && could()
        };
        // Where it would not be looked for: what the plan names anyway is no hiding place of its own.
        let far: Vec<Ix> = places.iter().filter(fits).copied().collect();
        for p in at.few(n, &far) {
            if let Some(rel) = at.takes(p) {
                out.push(Proposal {
                    kind: KIND.id,
                    changes: vec![Change::Edge(n, rel, p, true)],
                    words: format!(
                        "{} is now {} {}{}",
                        at.name(n),
                        at.dialect().rel_name(rel),
                        at.name(p),
                        at.whereabouts(p)
                    ),
                });
            }
        }
    }
}
