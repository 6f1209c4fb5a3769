//! What a step changed, as rows in words: `+ bowl INSIDE microwave`, `~ microwave OFF → ON`.
//!
//! Two facts that replace each other become one row, nearness is summed up per thing, and who faces what is marked as
//! [`Row::quiet`], because nobody acts on it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::app::glyph::{self, Glyph};
use crate::app::parts::name;
use crate::app::role::Role;
use crate::sim::graph::Change;
use crate::sim::vocab::{Ix, Rel, State};
use crate::sim::world::World;

/// How a fact changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// It became another one.
    Changed,
    /// It came.
    Added,
    /// It went.
    Removed,
}

impl Sign {
    /// The sign before the row.
    pub const fn glyph(self) -> Glyph {
        match self {
            Self::Changed => glyph::CHANGED,
            Self::Added => glyph::ADDED,
            Self::Removed => glyph::REMOVED,
        }
    }

    /// Its role.
    pub const fn role(self) -> Role {
        match self {
            Self::Changed => Role::Change,
            Self::Added => Role::Add,
            Self::Removed => Role::Del,
        }
    }

    /// The word of the text form.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Changed => "changes",
            Self::Added => "adds",
            Self::Removed => "removes",
        }
    }
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// How the fact changed.
    pub sign: Sign,
    /// The fact in words.
    pub text: String,
    /// The node the row is about, for following it.
    pub node: Ix,
    /// Whether it is left out until somebody asks for it.
    pub quiet: bool,
}

/// Other things named in a summary of nearness before the rest is counted.
const NAMED: usize = 2;

/// The changes of one step as rows: states, then what moved, then nearness, then what is quiet.
pub fn rows(world: &World, changes: &[Change]) -> Vec<Row> {
    let mut rows = states(world, changes);
    let (near, other): (Vec<_>, Vec<_>) =
        edges(changes).partition(|&(_, rel, ..)| rel == world.dialect().near);
    rows.extend(moves(world, &other));
    let moved: Vec<Ix> = other.iter().map(|&(from, ..)| from).collect();
    nearness(world, &near, &moved, &mut rows);
    rows.sort_by_key(|row| row.quiet);
    rows
}

/// Which nodes a step changed, and how: what the margin of a tree shows. Nearness and facing do not count.
pub fn marks(world: &World, changes: &[Change]) -> BTreeMap<Ix, Sign> {
    let mut marks: BTreeMap<Ix, Sign> = BTreeMap::new();
    for change in changes {
        let (node, sign) = match *change {
            Change::State(node, ..) => (node, Sign::Changed),
            Change::Edge(_, rel, ..) if rel == world.dialect().near || is_glance(world, rel) => {
                continue;
            }
            Change::Edge(from, rel, to, on) => {
                // Holding is written from the hand's side; what is held is what moved.
                let moved = if is_hand(world, rel) { to } else { from };
                (moved, if on { Sign::Added } else { Sign::Removed })
            }
        };
        marks
            .entry(node)
            .and_modify(|old| {
                *old = match (*old, sign) {
                    (Sign::Changed, _) | (_, Sign::Changed) => Sign::Changed,
                    // It came somewhere, wherever it went from.
                    _ if node == world.me() => Sign::Changed,
                    _ => Sign::Added,
                }
            })
            .or_insert(sign);
    }
    marks
}

fn is_glance(world: &World, rel: Rel) -> bool {
    world.dialect().reading.glances.contains(&rel)
}

fn is_hand(world: &World, rel: Rel) -> bool {
    world.dialect().rules.hands.contains(&rel)
}

type EdgeChange = (Ix, Rel, Ix, bool);

fn edges(changes: &[Change]) -> impl Iterator<Item = EdgeChange> + '_ {
    changes.iter().filter_map(|change| match *change {
        Change::Edge(from, rel, to, on) => Some((from, rel, to, on)),
        Change::State(..) => None,
    })
}

fn states(world: &World, changes: &[Change]) -> Vec<Row> {
    let dialect = world.dialect();
    let all: Vec<(Ix, State, bool)> = changes
        .iter()
        .filter_map(|change| match *change {
            Change::State(node, state, on) => Some((node, state, on)),
            Change::Edge(..) => None,
        })
        .collect();
    let opposite = |node: Ix, state: State, on: bool| {
        let other = dialect.opposite(state)?;
        all.contains(&(node, other, !on)).then_some(other)
    };
    all.iter()
        .filter_map(|&(node, state, on)| {
            let (who, word) = (name(world, node), dialect.state_name(state));
            let (sign, text) = match (on, opposite(node, state, on)) {
                // The lost half of a pair is told with the gained one.
                (false, Some(_)) => return None,
                (true, Some(was)) => {
                    let was = dialect.state_name(was);
                    (Sign::Changed, format!("{who} {was} → {word}"))
                }
                (true, None) => (Sign::Added, format!("{who} {word}")),
                (false, None) => (Sign::Removed, format!("{who} {word}")),
            };
            Some(row(sign, text, node))
        })
        .collect()
}

fn row(sign: Sign, text: String, node: Ix) -> Row {
    Row {
        sign,
        text,
        node,
        quiet: false,
    }
}

/// Relations other than nearness. One that ends and one of the same kind that begins are a move.
fn moves(world: &World, changes: &[EdgeChange]) -> Vec<Row> {
    let mut groups: BTreeMap<(Ix, Rel), [Vec<Ix>; 2]> = BTreeMap::new();
    for &(from, rel, to, on) in changes {
        groups.entry((from, rel)).or_default()[usize::from(on)].push(to);
    }
    let mut rows = Vec::new();
    for ((from, rel), [lost, gained]) in groups {
        let who = name(world, from);
        let word = relation(world, rel);
        let quiet = is_glance(world, rel);
        if let ([was], [is]) = (&lost[..], &gained[..]) {
            let text = format!("{who} {word} {} → {}", name(world, *was), name(world, *is));
            rows.push(Row {
                quiet,
                ..row(Sign::Changed, text, from)
            });
            continue;
        }
        let hand = hand_letter(world, rel);
        for (sign, list) in [(Sign::Added, &gained), (Sign::Removed, &lost)] {
            rows.extend(list.iter().map(|&to| Row {
                quiet,
                ..row(
                    sign,
                    format!("{who} {word} {}{hand}", name(world, to)),
                    from,
                )
            }));
        }
    }
    rows.sort_by_key(|row| row.sign);
    rows
}

/// A relation's word on screens: the hands are told by a letter.
pub fn relation(world: &World, rel: Rel) -> &'static str {
    if is_hand(world, rel) {
        "HOLD"
    } else {
        world.dialect().rel_name(rel)
    }
}

/// ` (R)` or ` (L)` behind what is held.
pub fn hand_letter(world: &World, rel: Rel) -> &'static str {
    match world.dialect().rules.hands.iter().position(|h| *h == rel) {
        Some(0) => " (R)",
        Some(_) => " (L)",
        None => "",
    }
}

/// Nearness, told once per pair, the things with most changes first.
fn nearness(world: &World, changes: &[EdgeChange], moved: &[Ix], rows: &mut Vec<Row>) {
    for (on, word) in [(true, "near"), (false, "no longer near")] {
        let mut pairs: Vec<(Ix, Ix)> = changes
            .iter()
            .filter(|&&(from, _, to, began)| began == on && from != to)
            .map(|&(from, _, to, _)| (from.min(to), from.max(to)))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        while let Some(subject) = most(world, &pairs, moved) {
            let (mine, rest): (Vec<_>, Vec<_>) = pairs
                .into_iter()
                .partition(|&(a, b)| a == subject || b == subject);
            pairs = rest;
            let others: Vec<Ix> = mine
                .iter()
                .map(|&(a, b)| if a == subject { b } else { a })
                .collect();
            let named: Vec<&str> = others.iter().take(NAMED).map(|&o| name(world, o)).collect();
            let more = match others.len().saturating_sub(NAMED) {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            let text = format!("{} {word} {}{more}", name(world, subject), named.join(", "));
            rows.push(row(Sign::Changed, text, subject));
        }
    }
}

/// The node in most pairs; where several are, the acting one, then what moved, then the lowest.
fn most(world: &World, pairs: &[(Ix, Ix)], moved: &[Ix]) -> Option<Ix> {
    let mut counts: BTreeMap<Ix, usize> = BTreeMap::new();
    for &(a, b) in pairs {
        *counts.entry(a).or_default() += 1;
        *counts.entry(b).or_default() += 1;
    }
    counts
        .into_iter()
        .max_by_key(|&(ix, n)| (n, ix == world.me(), moved.contains(&ix), Reverse(ix)))
        .map(|(ix, _)| ix)
}
