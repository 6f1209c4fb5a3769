//! Rows of the tree in words; made only for the rows that are seen.

use crate::app::glyph::{self, Glyph};
use crate::app::parts::diff::Sign;
use crate::app::parts::name;
use crate::sim::vocab::{Ix, States};
use crate::sim::world::World;

use super::{Fold, Item, Row, RowView, SceneTree};

impl SceneTree {
    /// A row in words.
    pub fn view(&self, world: &World, row: &Row) -> RowView {
        let node = row.item.node();
        if let Item::Rest(room) = row.item {
            let all = self.index.rest_len(room);
            return RowView {
                mark: None,
                depth: usize::from(row.depth),
                glyph: fold_glyph(row.fold),
                name: format!("{all} more"),
                states: String::new(),
                note: String::new(),
                near: false,
            };
        }
        let is_pinned = matches!(row.item, Item::Pinned(_));
        let hidden =
            (row.fold == Fold::Shut && self.touched.contains(&node)).then_some(Sign::Changed);
        let is_flat = is_pinned || !self.filter.is_empty();
        let note = if is_flat {
            in_place(&self.place(world, node))
        } else {
            self.note(world, row, node)
        };
        RowView {
            mark: self.mark(node).or(hidden),
            depth: usize::from(row.depth),
            glyph: if is_pinned {
                glyph::PINNED
            } else {
                fold_glyph(row.fold)
            },
            name: name(world, node).to_owned(),
            states: states(world, world.graph().states(node)),
            note,
            near: self.index.is_near(node),
        }
    }

    fn note(&self, world: &World, row: &Row, node: Ix) -> String {
        if node == world.me() {
            return in_place(self.index.here().map_or("", |room| name(world, room)));
        }
        let hands = world.dialect().rules.hands;
        let held = hands
            .iter()
            .position(|&hand| world.graph().has(world.me(), hand, node));
        match (held, row.fold) {
            (Some(0), _) => "R hand".to_owned(),
            (Some(_), _) => "L hand".to_owned(),
            (None, Fold::Shut) => self.index.below(node).to_string(),
            (None, _) => String::new(),
        }
    }
}

const fn fold_glyph(fold: Fold) -> Glyph {
    match fold {
        Fold::Leaf => glyph::LEAF,
        Fold::Open => glyph::UNFOLDED,
        Fold::Shut => glyph::FOLDED,
    }
}

fn in_place(place: &str) -> String {
    if place.is_empty() {
        String::new()
    } else {
        format!("in {place}")
    }
}

/// The states of a row, without the ordinary ones.
pub fn states(world: &World, states: States) -> String {
    let ordinary = world.dialect().reading.ordinary;
    let told = states.iter().filter(|s| !ordinary.has(*s));
    let words: Vec<&str> = told.map(|s| world.dialect().state_name(s)).collect();
    words.join(" ")
}

pub(super) fn states_all(world: &World, node: Ix) -> String {
    let states = world.graph().states(node);
    let words: Vec<&str> = states
        .iter()
        .map(|s| world.dialect().state_name(s))
        .collect();
    words.join(" ")
}

/// The properties of a node's class.
pub fn properties(world: &World, node: Ix) -> String {
    let props = world.graph().hot(node).props;
    let words: Vec<&str> = props.iter().map(|p| world.dialect().prop_name(p)).collect();
    words.join(" ")
}
