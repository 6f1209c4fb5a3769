//! A pet or child in the zone.

use super::{Change, Kind, Proposal, Sight};
use crate::sim::reading::is_shut;
use crate::sim::vocab::Ix;

pub(super) const KIND: Kind = Kind {
    id: "being",
    doc: "brings a person or pet into a room, and a pet into what stands open; nothing in BEHAVIOR",
    propose,
};

fn propose(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    let rules = at.dialect().rules;
    let floors: Vec<Ix> = at
        .things()
        .filter(|&n| at.tagged(n, "slippery_when_wet"))
        .collect();
    let open = |n: &Ix| {
        at.is(*n, "CONTAINERS")
            && at.is(*n, "CAN_OPEN")
            && at.is_den(*n)
            && !is_shut(at.graph(), *n)
            && !at.is_loose(*n)
            && !at.is_held(*n)
    };
    let dens: Vec<Ix> = at.things().filter(open).collect();
    for n in at.things().filter(|&n| at.is_being(n) && !at.is_held(n)) {
        for &floor in &floors {
            out.push(Proposal {
                kind: KIND.id,
                changes: vec![Change::Edge(n, rules.on, floor, true)],
                words: format!("{} comes in{}", at.name(n), at.whereabouts(floor)),
            });
        }
        if !at.tagged(n, "pet") {
            continue;
        }
        for &den in &dens {
            out.push(Proposal {
                kind: KIND.id,
                changes: vec![Change::Edge(n, rules.inside, den, true)],
                words: format!("{} climbs into {}", at.name(n), at.name(den)),
            });
        }
    }
}
