//! An occupied seat or hand.

use super::{Change, Kind, Proposal, Sight};
use crate::sim::reading;
use crate::sim::vocab::Ix;

pub(super) const KIND: Kind = Kind {
    id: "occupied",
    doc: "puts a being onto a seat, or a thing at hand into the agent's free hand; nothing in BEHAVIOR",
    propose,
};

fn propose(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    if !at.dialect().rules.settles {
        return;
    }
    let on = at.dialect().rules.on;
    let beings: Vec<Ix> = at
        .things()
        .filter(|&n| at.is_being(n) && !at.is_held(n))
        .collect();
    for seat in at.things().filter(|&n| at.is(n, "SITTABLE")) {
        for being in at.few(seat, &beings) {
            out.push(Proposal {
                kind: KIND.id,
                changes: vec![Change::Edge(being, on, seat, true)],
                words: format!("{} sits on {}", at.name(being), at.name(seat)),
            });
        }
    }
    hand(at, out);
}

/// A thing in the agent's room that stands somewhere and carries nothing, handed over.
fn hand(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    let (graph, me) = (at.graph(), at.world.me());
    let rules = at.dialect().rules;
    let free = rules
        .hands
        .iter()
        .find(|&&hand| graph.targets(me, hand).next().is_none());
    let (Some(&hand), here) = (free, reading::room(graph, me)) else {
        return;
    };
    let fits = |n: &Ix| {
        let bare = [rules.on, rules.inside]
            .iter()
            .all(|&rel| graph.sources(*n, rel).next().is_none());
        at.is_loose(*n)
            && at.is_handy(*n)
            && bare
            && at.place(*n).is_some()
            && reading::room(graph, *n) == here
    };
    let all: Vec<Ix> = at.things().filter(fits).collect();
    for n in at.few(me, &all) {
        let Some((rel, up)) = at.place(n) else {
            continue;
        };
        out.push(Proposal {
            kind: KIND.id,
            changes: vec![
                Change::Edge(n, rel, up, false),
                Change::Edge(me, hand, n, true),
                Change::Edge(me, at.dialect().near, n, true),
            ],
            words: format!("somebody puts {} into your hand", at.name(n)),
        });
    }
}
