//! The placement forest: each thing is on top of or inside one other, or at the root.
//!
//! The published code keeps it twice, as a parent pointer of each thing and as an ordered table of children of each node. A
//! move that fails between the two leaves a thing *lost*: in no table, its pointer still naming the old parent. Here the
//! pointer is the edge, a lost thing has the state [`state::LOST`], and a node's memo numbers the children of one parent
//! by age.

use crate::sim::behavior::facts::is_floor;
use crate::sim::behavior::words::{prop, rel, state};
use crate::sim::graph::{Graph, Tx};
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::vocab::{Ix, Rel};

/// Both kinds of link.
pub const LINKS: [Rel; 2] = [rel::ONTOP, rel::INSIDE];

/// Whether a node takes part in the forest at all: no floor, room or agent does.
fn grows(g: &Graph, x: Ix) -> bool {
    let hot = g.hot(x);
    !hot.room && !hot.props.has(prop::FLOOR) && g.base().agent != Some(x)
}

/// Where a thing is by its pointer, and how; `None` at the root.
pub fn parent(g: &Graph, x: Ix) -> Option<(Rel, Ix)> {
    if !grows(g, x) {
        return None;
    }
    LINKS.iter().find_map(|&kind| {
        let up = g.targets(x, kind).filter(|&up| !g.hot(up).room).min()?;
        Some((kind, up))
    })
}

/// The things a node's table lists, in no particular order.
pub fn children(g: &Graph, x: Ix) -> impl Iterator<Item = Ix> + '_ {
    LINKS
        .iter()
        .flat_map(move |&kind| g.sources(x, kind))
        .filter(|&c| !is_lost(g, c) && grows(g, c))
}

/// The child that came first.
pub fn first_child(g: &Graph, x: Ix) -> Option<Ix> {
    children(g, x).min_by_key(|&c| (g.memo(c), c))
}

/// Whether a failed move took the thing out of every table.
pub fn is_lost(g: &Graph, x: Ix) -> bool {
    g.states(x).has(state::LOST)
}

/// The things a node is on or in, the nearest first, each once.
pub fn above(g: &Graph, x: Ix) -> impl Iterator<Item = (Rel, Ix)> + '_ {
    let bound = g.scene().len();
    std::iter::successors(parent(g, x), move |&(_, up)| parent(g, up)).take(bound)
}

/// Whether `x` is `top` or rides on or in it, at any depth.
pub fn rides(g: &Graph, x: Ix, top: Ix) -> bool {
    let mut seen = vec![top];
    let mut next = 0;
    while let Some(&at) = seen.get(next) {
        if at == x {
            return true;
        }
        next += 1;
        let fresh: Vec<Ix> = children(g, at).filter(|c| !seen.contains(c)).collect();
        seen.extend(fresh);
    }
    false
}

/// How the published code fails when a thing is moved to a node (`None`: to the root), if it does.
pub fn obstacle(g: &Graph, x: Ix, to: Option<Ix>) -> Option<Refusal> {
    if is_lost(g, x) {
        return Some(Refusal::crash("KeyError", Pre::Implemented, x));
    }
    let to = to?;
    if is_floor(g, to) {
        return Some(Refusal::crash("AttributeError", Pre::Implemented, to));
    }
    (to == x || above(g, to).any(|(_, up)| up == x)).then(|| circle(x))
}

/// The refusal of a thing that would come to be on or in itself.
pub const fn circle(x: Ix) -> Refusal {
    Refusal::new(Kind::Hang, Pre::Implemented, "", [x, Ix::NONE])
}

/// Moves a thing; false where the published code fails, having done what that code has done by then.
pub fn shift(tx: &mut Tx<'_>, x: Ix, to: Option<(Rel, Ix)>) -> bool {
    if is_lost(tx.graph(), x) {
        return false;
    }
    let old = parent(tx.graph(), x);
    if let Some((_, q)) = to
        && is_floor(tx.graph(), q)
    {
        tx.set(x, state::LOST, true);
        return false;
    }
    if let Some((kind, from)) = old {
        tx.remove(x, kind, from);
    }
    let Some((kind, q)) = to else {
        tx.memo(x, 0);
        return true;
    };
    let g = tx.graph();
    let youngest = children(g, q).map(|c| g.memo(c)).max().unwrap_or(0);
    tx.add(x, kind, q);
    tx.memo(x, youngest + 1);
    true
}
