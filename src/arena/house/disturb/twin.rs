//! A decoy twin.

use super::{Change, Kind, Proposal, Sight};
use crate::sim::vocab::Ix;

pub(super) const KIND: Kind = Kind {
    id: "twin",
    doc: "puts another thing of the same class to where one stands, or in its place; nothing in BEHAVIOR",
    propose,
};

/// How many twins a thing gets.
const TWINS: usize = 2;

fn propose(at: &Sight<'_>, out: &mut Vec<Proposal>) {
    if !at.dialect().rules.settles {
        return;
    }
    let loose: Vec<Ix> = at.things().filter(|&n| at.is_loose(n)).collect();
    let class = |n: Ix| &at.scene().node(n).class;
    for &n in &loose {
        let Some((rel, up)) = at.place(n) else {
            continue;
        };
        let twins = loose.iter().filter(|&&t| t != n && class(t) == class(n));
        let twins = twins.filter(|&&t| !at.rides(up, t) && !at.rides(n, t));
        for &t in twins.take(TWINS) {
            let beside = Change::Edge(t, rel, up, true);
            out.push(Proposal {
                kind: KIND.id,
                changes: vec![beside],
                words: format!("{} stands beside {}", at.name(t), at.name(n)),
            });
            if let Some((theirs, from)) = at.place(t)
                && from != up
                && !at.rides(from, n)
            {
                out.push(Proposal {
                    kind: KIND.id,
                    changes: vec![beside, Change::Edge(n, theirs, from, true)],
                    words: format!("{} and {} have changed places", at.name(t), at.name(n)),
                });
            }
        }
    }
}
