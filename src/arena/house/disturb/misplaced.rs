//! The wrong thing put inside.

use super::{Change, Kind, Proposal, Sight};
use crate::sim::vocab::Ix;

pub(super) const KIND: Kind = Kind {
    id: "misplaced",
    doc: "puts into a container or machine what does not belong there: metal, paper, chemicals, blades first",
    propose,
};

/// Tags of things that do harm inside of others.
const HARMFUL: [&str; 6] = [
    "metal",
    "flammable",
    "chemical",
    "sharp",
    "paper",
    "pressurised",
];

fn propose(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    let inside = at.dialect().rules.inside;
    let loose: Vec<Ix> = at.things().filter(|&n| at.is_loose(n)).collect();
    let harmful = |n: &Ix| HARMFUL.iter().any(|tag| at.tagged(*n, tag));
    for place in at.things() {
        let holds = at.is(place, "CONTAINERS") || at.is(place, "OPENABLE");
        if !holds || at.is_held(place) || at.is_being(place) || at.runs(place) {
            continue;
        }
        let fits = |n: &&Ix| {
            let there = at.place(**n).is_some_and(|(_, up)| up == place);
            let odd = !there && !at.rides(place, **n) && !at.is_usual(**n, place);
            odd && at.could(**n, inside, place)
        };
        let all: Vec<Ix> = loose.iter().filter(fits).copied().collect();
        let (bad, other): (Vec<Ix>, Vec<Ix>) = all.iter().partition(|n| harmful(n));
        // The focus may be on harmless things alone, so both are asked for.
        let mut few = at.few(place, &bad);
        few.extend(at.few(place, &other).into_iter().take(1));
        for n in few {
            out.push(Proposal {
                kind: KIND.id,
                changes: vec![Change::Edge(n, inside, place, true)],
                words: format!("{} lies inside {}", at.name(n), at.name(place)),
            });
        }
    }
}
