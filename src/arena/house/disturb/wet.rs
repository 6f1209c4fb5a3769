//! A wet zone.

use super::{Change, Kind, Proposal, Sight};

pub(super) const KIND: Kind = Kind {
    id: "wet",
    doc: "wets a floor or what lies on it, or fills what water stands in; soaks a cloth where the world knows that",
    propose,
};

fn propose(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    let soaked = at.state("SOAKED");
    for n in at.things() {
        let mut push = |change, words: String| {
            out.push(Proposal {
                kind: KIND.id,
                changes: vec![change],
                words,
            });
        };
        if let Some(soaked) = soaked {
            if at.is(n, "SOAKABLE") {
                push(
                    Change::State(n, soaked, true),
                    format!("{} is soaked", at.name(n)),
                );
            }
            continue;
        }
        if at.tagged(n, "slippery_when_wet") || at.tagged(n, "floor_cover") {
            let words = format!("{}{} is wet", at.name(n), at.whereabouts(n));
            push(Change::Tracked("WET", n), words);
        } else if at.tagged(n, "water_vessel") {
            let words = format!("water stands in {}{}", at.name(n), at.whereabouts(n));
            push(Change::Tracked("FULL", n), words);
        }
    }
}
