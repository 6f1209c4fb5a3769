//! The scene as a tree: who is where, what is on or in what, the things within reach first.
//!
//! The tree is flattened into rows of a few bytes each time the world moves or a row is folded; words are made only for
//! the rows that are seen ([`SceneTree::view`]). Moving the cursor touches nothing else, so scenes of thousands of nodes
//! stay smooth. The cursor is kept on its *item*: when rows come and go it stays where it was meant.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::fuzzy::Filter;
use crate::app::glyph::Glyph;
use crate::app::list::List;
use crate::app::parts::diff::{self, Sign};
use crate::app::parts::name;
use crate::sim::graph::Change;
use crate::sim::vocab::Ix;
use crate::sim::world::World;

mod index;
#[cfg(test)]
mod tests;
mod view;

use index::Index;
use view::states_all;
pub use view::{properties, states};

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// A node in its place.
    Node(Ix),
    /// What is in this room but not within reach.
    Rest(Ix),
    /// A node kept on top.
    Pinned(Ix),
}

impl Item {
    /// The node, or the room whose rest it is.
    pub const fn node(self) -> Ix {
        match self {
            Self::Node(ix) | Self::Rest(ix) | Self::Pinned(ix) => ix,
        }
    }
}

/// Whether a row has rows below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// None.
    Leaf,
    /// They are shown.
    Open,
    /// They are not.
    Shut,
}

/// One row of the flattened tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it stands for.
    pub item: Item,
    /// How deep it is.
    pub depth: u16,
    /// Whether something is below it.
    pub fold: Fold,
}

/// One row in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowView {
    /// How the last step changed it; for a folded row also what it hides.
    pub mark: Option<Sign>,
    /// How deep it is.
    pub depth: usize,
    /// The sign before its name.
    pub glyph: Glyph,
    /// Its name, or how many more there are.
    pub name: String,
    /// The states worth telling.
    pub states: String,
    /// Where it is, what holds it, or how many things it hides.
    pub note: String,
    /// Whether it is within reach.
    pub near: bool,
}

/// The tree with its cursor, folds, pins and filter.
#[derive(Clone, Debug)]
pub struct SceneTree {
    index: Index,
    marks: BTreeMap<Ix, Sign>,
    /// Nodes that are, or hide, something with a mark.
    touched: BTreeSet<Ix>,
    folds: BTreeMap<Item, bool>,
    pins: Vec<Ix>,
    filter: String,
    rows: Vec<Row>,
    list: List,
}

impl SceneTree {
    /// The tree of a world, its cursor on the first row.
    pub fn new(world: &World) -> Self {
        let mut tree = Self {
            index: Index::new(world),
            marks: BTreeMap::new(),
            touched: BTreeSet::new(),
            folds: BTreeMap::new(),
            pins: Vec::new(),
            filter: String::new(),
            rows: Vec::new(),
            list: List::default(),
        };
        tree.flatten(world);
        tree
    }

    /// Takes in that the world has moved; `changes` are those of the step it stands at.
    pub fn refresh(&mut self, world: &World, changes: &[Change]) {
        self.index.update(world);
        self.marks = diff::marks(world, changes);
        self.touched = self
            .marks
            .keys()
            .flat_map(|&node| self.index.up(node))
            .collect();
        self.keep_cursor(world);
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row under the cursor.
    pub const fn cursor(&self) -> usize {
        self.list.cursor
    }

    /// The node under the cursor.
    pub fn node(&self) -> Option<Ix> {
        match self.rows.get(self.list.cursor)?.item {
            Item::Node(ix) | Item::Pinned(ix) => Some(ix),
            Item::Rest(_) => None,
        }
    }

    /// What narrows the rows; empty for the tree itself.
    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// Narrows the rows to nodes that match, best first; an empty text brings the tree back.
    pub fn narrow(&mut self, world: &World, text: &str) {
        let kept = self.node();
        text.trim().clone_into(&mut self.filter);
        self.flatten(world);
        self.list.cursor = 0;
        if let Some(node) = kept.filter(|_| self.filter.is_empty()) {
            self.show(world, node);
        }
    }

    /// How many things are within reach.
    pub fn near(&self) -> usize {
        self.index.near_count()
    }

    /// Whether a node is within reach.
    pub fn is_near(&self, node: Ix) -> bool {
        self.index.is_near(node)
    }

    /// Runs a command of the `list` or `tree` contexts. Whether it was one.
    pub fn run(&mut self, command: &str, world: &World, page: usize) -> bool {
        match command {
            "unfold" => self.unfold(world),
            "fold" => self.fold(world),
            "unfold-all" => self.unfold_all(world),
            "pin" => self.pin(world),
            _ => return self.list.run(command, self.rows.len(), page),
        }
        true
    }

    /// Unfolds what hides a node and puts the cursor on it.
    pub fn show(&mut self, world: &World, node: Ix) {
        self.filter.clear();
        for above in self.index.up(node).skip(1) {
            self.folds.insert(Item::Node(above), true);
        }
        if let Some(room) = self.index.rest_of(node) {
            self.folds.insert(Item::Rest(room), true);
        }
        self.flatten(world);
        self.put_cursor(Item::Node(node));
    }

    /// Where a node is, from the inside out: `microwave, kitchen`.
    pub fn place(&self, world: &World, node: Ix) -> String {
        let above: Vec<&str> = self
            .index
            .up(node)
            .skip(1)
            .map(|up| name(world, up))
            .collect();
        above.join(", ")
    }

    /// What is on or in a node, or held by it.
    pub fn children(&self, node: Ix) -> &[Ix] {
        self.index.children(node)
    }

    /// What holds, carries or contains a node.
    pub fn parent(&self, node: Ix) -> Option<Ix> {
        self.index.parent(node)
    }

    /// Things within reach that nothing else within reach holds, in the order of the tree.
    pub fn near_tops(&self) -> Vec<Ix> {
        self.index.near_tops()
    }

    /// How the last step changed a node.
    pub fn mark(&self, node: Ix) -> Option<Sign> {
        self.marks.get(&node).copied()
    }

    fn is_open(&self, item: Item) -> bool {
        let chosen = self.folds.get(&item).copied();
        chosen.unwrap_or_else(|| match item {
            Item::Node(ix) => self.index.opens_by_itself(ix),
            Item::Rest(_) | Item::Pinned(_) => false,
        })
    }

    fn unfold(&mut self, world: &World) {
        match self.rows.get(self.list.cursor).copied() {
            Some(row) if row.fold == Fold::Shut => {
                self.folds.insert(row.item, true);
                self.flatten(world);
            }
            Some(row) if row.fold == Fold::Open => self.list.cursor += 1,
            // A found node is shown in its place.
            Some(row) if self.is_flat(row.item) => self.show(world, row.item.node()),
            _ => {}
        }
    }

    fn is_flat(&self, item: Item) -> bool {
        matches!(item, Item::Pinned(_)) || !self.filter.is_empty()
    }

    fn fold(&mut self, world: &World) {
        let Some(row) = self.rows.get(self.list.cursor).copied() else {
            return;
        };
        if row.fold == Fold::Open {
            self.folds.insert(row.item, false);
            self.flatten(world);
            self.put_cursor(row.item);
        } else if let Some(up) = self
            .rows
            .get(..self.list.cursor)
            .and_then(|before| before.iter().rposition(|r| r.depth < row.depth))
        {
            self.list.cursor = up;
        }
    }

    fn unfold_all(&mut self, world: &World) {
        let Some(row) = self.rows.get(self.list.cursor).copied() else {
            return;
        };
        let mut below = vec![row.item.node()];
        if matches!(row.item, Item::Rest(_)) {
            self.folds.insert(row.item, true);
        }
        while let Some(node) = below.pop() {
            if !self.index.children(node).is_empty() {
                self.folds.insert(Item::Node(node), true);
                below.extend_from_slice(self.index.children(node));
            }
            if self.index.rest_len(node) > 0 {
                self.folds.insert(Item::Rest(node), true);
            }
        }
        self.flatten(world);
        self.put_cursor(row.item);
    }

    fn pin(&mut self, world: &World) {
        let Some(node) = self.node() else {
            return;
        };
        let item = self.rows.get(self.list.cursor).map(|row| row.item);
        match self.pins.iter().position(|&p| p == node) {
            Some(at) => {
                self.pins.remove(at);
            }
            None => self.pins.push(node),
        }
        self.flatten(world);
        if let Some(item) = item {
            self.put_cursor(item);
        }
    }

    fn keep_cursor(&mut self, world: &World) {
        let item = self.rows.get(self.list.cursor).map(|row| row.item);
        self.flatten(world);
        let Some(item) = item else {
            return;
        };
        if self.put_cursor(item) {
            return;
        }
        // The item is hidden now: the nearest thing around it that is shown.
        let above: Vec<Ix> = self.index.up(item.node()).collect();
        for node in above {
            if self.put_cursor(Item::Node(node)) {
                return;
            }
        }
        self.list.clamp(self.rows.len());
    }

    fn put_cursor(&mut self, item: Item) -> bool {
        let found = self.rows.iter().position(|row| row.item == item);
        match found {
            Some(at) => self.list.cursor = at,
            None => self.list.clamp(self.rows.len()),
        }
        found.is_some()
    }

    fn flatten(&mut self, world: &World) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        if self.filter.is_empty() {
            let pinned = |&node: &Ix| Row {
                item: Item::Pinned(node),
                depth: 0,
                fold: Fold::Leaf,
            };
            rows.extend(self.pins.iter().map(pinned));
            for &root in self.index.roots() {
                self.lay(root, 0, &mut rows);
            }
        } else {
            rows.extend(self.found(world).into_iter().map(|node| Row {
                item: Item::Node(node),
                depth: 0,
                fold: Fold::Leaf,
            }));
        }
        self.rows = rows;
        self.list.clamp(self.rows.len());
    }

    /// Lays a node and what is unfolded below it. No recursion: a chain of containers may be as long as the scene.
    fn lay(&self, root: Ix, depth: u16, rows: &mut Vec<Row>) {
        let mut open = vec![(Item::Node(root), depth)];
        while let Some((item, depth)) = open.pop() {
            let node = item.node();
            let (below, rest) = match item {
                Item::Rest(room) => (self.index.rest(room), &[][..]),
                _ => self.index.split(node),
            };
            let fold = match (below.is_empty() && rest.is_empty(), self.is_open(item)) {
                (true, _) => Fold::Leaf,
                (false, true) => Fold::Open,
                (false, false) => Fold::Shut,
            };
            rows.push(Row { item, depth, fold });
            if fold != Fold::Open {
                continue;
            }
            let deeper = depth.saturating_add(1);
            if !rest.is_empty() {
                open.push((Item::Rest(node), deeper));
            }
            open.extend(below.iter().rev().map(|&child| (Item::Node(child), deeper)));
        }
    }

    fn found(&self, world: &World) -> Vec<Ix> {
        let scene = world.scene();
        let all: Vec<Ix> = self.index.in_order().collect();
        let mut filter = Filter::new(&self.filter);
        let mut found: Vec<(u32, usize)> = Vec::new();
        for (at, &node) in all.iter().enumerate() {
            let field = |field: &str| match field {
                "state" => Some(states_all(world, node)),
                "in" => Some(self.place(world, node)),
                "property" => Some(properties(world, node)),
                _ => None,
            };
            // People find rooms and things by their class, twins by their number.
            let text = if node == world.me() {
                "you"
            } else {
                scene.short_name(node)
            };
            if let Some(score) = filter.score(text, &field) {
                found.push((score, at));
            }
        }
        found.sort_by_key(|&(score, at)| (std::cmp::Reverse(score), at));
        found
            .into_iter()
            .filter_map(|(_, at)| all.get(at).copied())
            .collect()
    }
}
