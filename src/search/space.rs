//! The states a search has reached, and one working world that moves between them by doing and undoing steps.

use crate::base::fold::{Key, StateHash};
use crate::plan::goal::Seen;
use crate::search::aims::Aims;
use crate::search::answer::Stats;
use crate::search::need::{Need, Want};
use crate::search::relax::RULES;
use crate::search::table::{Lore, View};
use crate::search::visited::Visited;
use crate::search::watch::{Flags, Watcher, shadow};
use crate::sim::graph::Item;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

/// A state that was reached. 48 bytes: ten million of them fit into half a gigabyte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Facts, memory, rules' memory and progress in one.
    pub(super) key: StateHash,
    /// The step that led here.
    pub(super) action: Action,
    /// Where from; the start is its own parent.
    pub(super) parent: u32,
    /// The first of its helpful actions in [`Space::helpful`].
    pub(super) helpful: u32,
    /// How many steps from the start.
    pub(super) depth: u16,
    /// How many helpful actions.
    pub(super) helpers: u16,
    /// How many ordered action goals are done.
    pub(super) progress: u8,
    /// Whether its successors were looked at.
    pub(super) expanded: bool,
}

/// A step on the working world that was not kept yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) key: StateHash,
    pub(super) progress: u8,
    pub(super) flags: Flags,
}

/// Where the undo log of a step begins, and the hash to go back to.
#[derive(Clone, Copy, Debug)]
struct Mark {
    start: u32,
    hash: StateHash,
}

/// The states and the working world.
pub(super) struct Space<'s> {
    pub(super) world: &'s mut World,
    pub(super) aims: &'s Aims,
    pub(super) watcher: Option<&'s mut dyn Watcher>,
    pub(super) nodes: Vec<Node>,
    pub(super) helpful: Vec<Action>,
    pub(super) stats: Stats,
    /// What was learned of rules.
    pub(super) lore: Lore,
    visited: Visited,
    coarse: bool,
    /// The nodes after the start on the way to where the world stands.
    path: Vec<u32>,
    items: Vec<Item>,
    marks: Vec<Mark>,
}

/// The longest plan a node can count.
pub(super) const LONGEST: u16 = u16::MAX - 1;

impl<'s> Space<'s> {
    /// The start alone.
    pub(super) fn new(
        world: &'s mut World,
        aims: &'s Aims,
        watcher: Option<&'s mut dyn Watcher>,
    ) -> Self {
        let mut space = Self {
            world,
            aims,
            watcher,
            nodes: Vec::new(),
            helpful: Vec::new(),
            stats: Stats::default(),
            lore: Lore::default(),
            visited: Visited::new(),
            coarse: false,
            path: Vec::new(),
            items: Vec::new(),
            marks: Vec::new(),
        };
        let key = space.key(0);
        space.nodes.push(Node {
            key,
            action: START,
            parent: 0,
            helpful: 0,
            depth: 0,
            helpers: 0,
            progress: 0,
            expanded: false,
        });
        space.remember(0);
        space
    }

    /// Forgets all states but the start. From here on states that differ in nothing but how much time is left are one
    /// if `coarse`.
    pub(super) fn reset(&mut self, coarse: bool) {
        self.goto(0);
        self.coarse = coarse;
        self.nodes[0].key = self.key(0);
        self.nodes.truncate(1);
        self.helpful.clear();
        self.visited = Visited::new();
        self.nodes[0].expanded = false;
        self.nodes[0].helpers = 0;
        self.remember(0);
    }

    fn remember(&mut self, node: u32) {
        let nodes = &self.nodes;
        let key_of = |n: u32| nodes[n as usize].key;
        let key = key_of(node);
        if let Err(place) = self.visited.find(key, key_of) {
            self.visited.put(place, key, node, key_of);
        }
        self.stats.kept += 1;
    }

    /// What the table sees at the working world.
    pub(super) fn view(&self, progress: u8) -> View<'_> {
        View {
            world: self.world,
            shadow: shadow(self.watcher.as_deref()),
            aims: self.aims,
            progress: usize::from(progress),
            lore: Some(&self.lore),
        }
    }

    /// The key of the facts, and of how far happenings have come where there are any.
    #[inline]
    fn facts(&self) -> StateHash {
        if self.world.happenings().is_empty() {
            self.world.hash()
        } else {
            self.world.key()
        }
    }

    /// What tells where the world stands from all other places.
    pub(super) fn mark(&self, progress: u8) -> StateHash {
        self.key(progress)
    }

    /// Whether something holds that never must.
    pub(super) fn is_forbidden(&self) -> bool {
        self.aims.forbidden(self.seen())
    }

    /// What goals are read from.
    fn seen(&self) -> Seen<'_> {
        Seen {
            graph: self.world.graph(),
            shadow: shadow(self.watcher.as_deref()),
        }
    }

    /// The key of where the working world stands.
    fn key(&self, progress: u8) -> StateHash {
        let mut key = self.facts() ^ self.world.graph().taken();
        if progress > 0 {
            key.toggle(Key::of_number(u64::from(progress) | 1 << 40));
        }
        if let Some(watcher) = &self.watcher {
            let word = if self.coarse {
                watcher.shape()
            } else {
                watcher.word()
            };
            key.toggle(Key::of_number(word).with(MEMORY));
        }
        key
    }

    /// Where the world stands.
    fn here(&self) -> u32 {
        self.path.last().copied().unwrap_or(0)
    }

    /// Moves the world to a state: back to the common ancestor, then forward.
    pub(super) fn goto(&mut self, node: u32) {
        let mut ahead = Vec::new();
        let mut n = node;
        while usize::from(self.nodes[n as usize].depth) > self.path.len() {
            ahead.push(n);
            n = self.nodes[n as usize].parent;
        }
        let depth = usize::from(self.nodes[n as usize].depth);
        while self.path.len() > depth {
            self.back();
        }
        while self.here() != n {
            self.back();
            ahead.push(n);
            n = self.nodes[n as usize].parent;
        }
        while let Some(next) = ahead.pop() {
            let before = self.nodes[self.nodes[next as usize].parent as usize].progress;
            let action = self.nodes[next as usize].action;
            let done = self.step(action, before);
            debug_assert!(done.is_some(), "a step that was done before is done again");
            self.path.push(next);
        }
    }

    fn back(&mut self) {
        self.path.pop();
        self.take_back();
    }

    /// Tries a step on the working world; `None` if it is refused. [`Self::take_back`] undoes it.
    #[inline]
    pub(super) fn step(&mut self, action: Action, progress: u8) -> Option<Step> {
        self.stats.tried += 1;
        if self.lore.banned.contains(&action) {
            return None;
        }
        let hash = self.world.hash();
        self.world.apply(action).ok()?;
        self.stats.generated += 1;
        self.marks.push(Mark {
            start: self.items.len() as u32,
            hash,
        });
        self.items
            .extend_from_slice(self.world.graph().last_items());
        let flags = match &mut self.watcher {
            Some(watcher) => watcher.step(self.world, action),
            None => Flags::default(),
        };
        let progress = self.aims.advance(
            usize::from(progress),
            (self.world, action),
            shadow(self.watcher.as_deref()),
        ) as u8;
        Some(Step {
            key: self.key(progress),
            progress,
            flags,
        })
    }

    /// Undoes the last step.
    #[inline]
    pub(super) fn take_back(&mut self) {
        if let Some(mark) = self.marks.pop() {
            let start = mark.start as usize;
            self.world.take_back(&self.items[start..], mark.hash);
            self.items.truncate(start);
            if let Some(watcher) = &mut self.watcher {
                watcher.undo();
            }
        }
    }

    /// Keeps the state the world stands at as a successor of `parent`, if it is new and nothing forbids it.
    #[inline]
    pub(super) fn keep(&mut self, parent: u32, action: Action, step: Step) -> Option<u32> {
        if step.flags.violated || self.aims.forbidden(self.seen()) {
            return None;
        }
        let nodes = &self.nodes;
        let key_of = |n: u32| nodes[n as usize].key;
        let place = self.visited.find(step.key, key_of).err()?;
        let depth = self.nodes[parent as usize].depth;
        if depth >= LONGEST {
            return None;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            key: step.key,
            action,
            parent,
            helpful: 0,
            depth: depth + 1,
            helpers: 0,
            progress: step.progress,
            expanded: false,
        });
        let nodes = &self.nodes;
        self.visited
            .put(place, step.key, node, |n| nodes[n as usize].key);
        self.stats.kept += 1;
        Some(node)
    }

    /// Learns from a step that broke rules and was just done what it would have needed; whether that is new.
    pub(super) fn learn(&mut self, action: Action) -> bool {
        let Some(watcher) = &self.watcher else {
            return false;
        };
        let mut why = Vec::new();
        watcher.why(self.world, &mut why);
        let known = self.lore.needs.entry(action).or_default();
        let before = known.len();
        for cures in why {
            let helps = !cures.is_empty() && !cures[0].is_empty();
            if helps && known.len() < RULES && !known.contains(&cures) {
                known.push(cures);
            }
        }
        let new: Vec<Need> = known
            .iter()
            .skip(before)
            .flatten()
            .flatten()
            .copied()
            .collect();
        self.learn_deeds(&new);
        !new.is_empty()
    }

    /// Remembers what rules want, and asks how it comes about.
    pub(super) fn learn_wants(&mut self, wants: &[Want]) {
        for want in wants {
            for list in &want.cures {
                if !list.iter().all(|n| self.lore.wanted.contains(n)) {
                    self.lore.wanted.extend(list);
                    self.learn_deeds(list);
                }
            }
        }
    }

    /// Asks the rules what brings about what the table knows nothing of, and what brings that about.
    pub(super) fn learn_deeds(&mut self, needs: &[Need]) {
        let Some(watcher) = &self.watcher else {
            return;
        };
        let mut todo = needs.to_vec();
        while let Some(need) = todo.pop() {
            if matches!(need, Need::Kept(..)) && !self.lore.deeds.contains_key(&need) {
                let deeds = watcher.deeds(self.world, need);
                todo.extend(deeds.iter().flat_map(|d| &d.needs));
                self.lore.deeds.insert(need, deeds);
            }
        }
    }

    /// Whether a plan may end where the world stands.
    pub(super) fn is_end(&self, progress: u8) -> bool {
        self.aims.met(self.seen(), usize::from(progress))
            && self.watcher.as_ref().is_none_or(|w| w.may_end(self.world))
    }

    /// The steps that lead to a state.
    pub(super) fn steps(&self, node: u32) -> Vec<Action> {
        let mut steps = Vec::new();
        let mut n = node;
        while n != 0 {
            steps.push(self.nodes[n as usize].action);
            n = self.nodes[n as usize].parent;
        }
        steps.reverse();
        steps
    }
}

/// Stands at the start, where no step led.
const START: Action = Action {
    verb: u8::MAX,
    a: Ix::NONE,
    b: Ix::NONE,
};

/// Sets the rules' memory apart from the progress in a key.
const MEMORY: Key = Key::of_number(0x5255_4c45);
