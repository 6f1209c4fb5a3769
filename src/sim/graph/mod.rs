//! The mutable facts of a world: node states and relations, changed in time proportional to the change.
//!
//! Every two nodes that were ever related share one *pair* record holding both directions as bit masks, so a
//! symmetric nearness costs one write. Per node there are three lists of pair numbers, one for nearness (84 % of a
//! household's edges) and two for everything else out of it and into it, so "what is in, on or near x" reads one short list. A list may
//! hold pairs that no longer have a bit; reading skips them and [`Tx::clear_all`] drops them. A change is logged as
//! the XOR of old and new bits: applying an [`Item`] twice is the identity, so the same log serves undo and redo.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::fold::{Key, StateHash};
use crate::sim::scene::Scene;
use crate::sim::vocab::{Dialect, Ix, Props, Rel, Rels, States};

mod base;
mod delta;
mod item;
mod lists;
mod pair;
mod past;
mod tx;
mod zones;

pub use base::{Base, Passage};
pub use delta::Delta;
pub use item::{Change, Item, Origin, Word};
pub use lists::Lists;
pub use tx::Tx;

use item::{KIND_CLOCK, KIND_MEMORY, KIND_PAIR, KIND_STATE};
use pair::{IN, NEAR, NO_PAIR, OUT, Pair, direction, mask, pair_key, place};

/// The facts about one node that actions read most.
#[derive(Clone, Copy, Debug)]
pub struct Hot {
    /// Its properties.
    pub props: Props,
    /// Its class, an index into [`Base::classes`].
    pub class: u32,
    /// Its current states.
    pub states: States,
    /// Whether it is a room.
    pub room: bool,
    /// Whether it is a door between two rooms.
    pub door: bool,
}

/// The current facts.
#[derive(Clone, Debug)]
pub struct Graph {
    base: Arc<Base>,
    near_rel: Rel,
    /// The near relation in both directions, as pair bits.
    near_bits: u16,
    hot: Vec<Hot>,
    /// Per node: 0, or what the dialect remembers, such as the packed [`Origin`] plus one.
    memory: Vec<u32>,
    /// The XOR of the keys of all nodes with a memory.
    taken: StateHash,
    pairs: Vec<Pair>,
    index: FxHashMap<u64, u32>,
    /// The acting character and its pair with every node ([`NO_PAIR`] if none): most writes concern it.
    agent: u32,
    mine: Vec<u32>,
    /// Per node and list number ([`NEAR`], [`OUT`], [`IN`]): its pairs.
    lists: [Lists; 3],
    /// Per happening: how far it has come.
    clocks: Vec<u32>,
    /// Per room that doors join: the lowest number of those one can walk to.
    zones: Vec<u16>,
    hash: StateHash,
    log: Vec<Item>,
}

impl Graph {
    /// The facts of a scene at its start.
    pub fn new(base: Arc<Base>) -> Self {
        let scene = base.scene.clone();
        let n = scene.len();
        let hot = scene
            .indices()
            .map(|ix| {
                let node = scene.node(ix);
                let class = base.class_of[ix.at()];
                Hot {
                    props: node.props,
                    class,
                    states: node.states,
                    room: node.is_room(),
                    door: false,
                }
            })
            .collect();
        let mut graph = Self {
            near_rel: scene.dialect().near,
            near_bits: 0x0101 << scene.dialect().near.0,
            hot,
            memory: vec![0; n],
            taken: StateHash::default(),
            pairs: Vec::with_capacity(scene.edges().len()),
            index: FxHashMap::with_capacity_and_hasher(
                scene.edges().len(),
                rustc_hash::FxBuildHasher,
            ),
            agent: base.agent.map_or(u32::MAX, |a| a.0),
            mine: vec![NO_PAIR; n],
            lists: std::array::from_fn(|_| Lists::new(n)),
            clocks: Vec::new(),
            zones: Vec::new(),
            hash: StateHash::default(),
            log: Vec::with_capacity(256),
            base,
        };
        for i in 0..graph.base.passages.len() {
            let door = graph.base.passages[i].door;
            graph.hot[door.at()].door = true;
        }
        graph.rezone();
        for e in scene.edges() {
            if let (Some(from), Some(to)) = (scene.find(e.from), scene.find(e.to)) {
                graph.put(from, e.rel, to);
            }
        }
        graph.log.clear();
        graph.hash = graph.hash_from_scratch();
        graph
    }

    /// The fixed tables.
    pub fn base(&self) -> &Arc<Base> {
        &self.base
    }

    /// The scene as loaded.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.base.scene
    }

    /// The dialect's words.
    pub fn dialect(&self) -> &'static Dialect {
        self.base.scene.dialect()
    }

    /// The hot facts about a node.
    #[inline]
    pub fn hot(&self, ix: Ix) -> Hot {
        self.hot[ix.at()]
    }

    /// The current states of a node.
    #[inline]
    pub fn states(&self, ix: Ix) -> States {
        self.hot[ix.at()].states
    }

    /// The class of a node.
    pub fn class(&self, ix: Ix) -> &str {
        &self.base.classes[self.hot[ix.at()].class as usize]
    }

    /// The relations from `from` to `to`.
    #[inline]
    pub fn rels(&self, from: Ix, to: Ix) -> Rels {
        let (key, flipped) = pair_key(from, to);
        self.find(key)
            .map_or(Rels::EMPTY, |p| direction(self.pairs[p].bits, flipped))
    }

    /// Whether the edge holds.
    #[inline]
    pub fn has(&self, from: Ix, rel: Rel, to: Ix) -> bool {
        self.rels(from, to).has(rel)
    }

    /// All `to` with `from rel to`, in no particular order.
    #[inline]
    pub fn targets(&self, from: Ix, rel: Rel) -> impl Iterator<Item = Ix> + '_ {
        let list = if rel == self.near_rel { NEAR } else { OUT };
        self.walk(list, from)
            .filter_map(move |(other, out, _)| out.has(rel).then_some(other))
    }

    /// All `from` with `from rel to`, in no particular order.
    #[inline]
    pub fn sources(&self, to: Ix, rel: Rel) -> impl Iterator<Item = Ix> + '_ {
        let list = if rel == self.near_rel { NEAR } else { IN };
        self.walk(list, to)
            .filter_map(move |(other, _, inc)| inc.has(rel).then_some(other))
    }

    /// The lowest-id `to` with `from rel to`.
    pub fn first_target(&self, from: Ix, rel: Rel) -> Option<Ix> {
        self.targets(from, rel).min()
    }

    /// All relations of a node as `(other, node→other, other→node)`: nearness, outgoing and incoming ones in turn.
    pub fn around(&self, node: Ix) -> impl Iterator<Item = (Ix, Rels, Rels)> + '_ {
        let near = Rels(1 << self.near_rel.0);
        let far = Rels(!near.0);
        let part = move |list, out: Rels, inc: Rels| {
            self.walk(list, node)
                .map(move |(o, a, b)| (o, Rels(a.0 & out.0), Rels(b.0 & inc.0)))
        };
        part(NEAR, near, near)
            .chain(part(OUT, far, Rels::EMPTY))
            .chain(part(IN, Rels::EMPTY, far))
            .filter(|(_, out, inc)| out.0 | inc.0 != 0)
    }

    /// The `i`-th entry of the list of `node rel x`, or of `x rel node` when `incoming`; perhaps without the relation.
    #[inline]
    pub fn neighbour_at(&self, node: Ix, rel: Rel, incoming: bool, i: u32) -> Option<(Ix, Rels)> {
        let list = match (rel == self.near_rel, incoming) {
            (true, _) => NEAR,
            (false, false) => OUT,
            (false, true) => IN,
        };
        let &p = self.lists[list].of(node.0).get(i as usize)?;
        let (other, out, inc) = self.seen_from(node, p);
        Some((other, if incoming { inc } else { out }))
    }

    #[inline]
    fn seen_from(&self, node: Ix, p: u32) -> (Ix, Rels, Rels) {
        let pair = &self.pairs[p as usize];
        if pair.a == pair.b {
            let own = direction(pair.bits, false);
            return (node, own, own);
        }
        let flipped = pair.a != node.0;
        let other = if flipped { pair.a } else { pair.b };
        (
            Ix(other),
            direction(pair.bits, flipped),
            direction(pair.bits, !flipped),
        )
    }

    #[inline]
    fn walk(&self, list: usize, node: Ix) -> impl Iterator<Item = (Ix, Rels, Rels)> + '_ {
        self.lists[list]
            .of(node.0)
            .iter()
            .map(move |&p| self.seen_from(node, p))
    }

    /// What the dialect's actions remember about a node beside the facts; 0 at the start.
    #[inline]
    pub fn memo(&self, ix: Ix) -> u32 {
        self.memory[ix.at()]
    }

    /// Where the character took this thing from, if remembered.
    #[inline]
    pub fn origin(&self, ix: Ix) -> Option<Origin> {
        let packed = self.memory[ix.at()].checked_sub(1)?;
        Some(Origin {
            at: Ix(packed >> 3),
            rel: Rel((packed & 7) as u8),
        })
    }

    /// The hash of which things are remembered as taken. That is no fact and not part of [`Self::hash`], but what is
    /// allowed next depends on it.
    #[inline]
    pub const fn taken(&self) -> StateHash {
        self.taken
    }

    /// Changes a node's memory by XOR.
    #[inline]
    fn flip_memory(&mut self, node: usize, xor: u32) {
        let old = self.memory[node];
        let new = old ^ xor;
        self.memory[node] = new;
        if (old == 0) != (new == 0) {
            self.taken.toggle(Key::of_number(node as u64));
        }
    }

    /// The hash of all facts, kept incrementally.
    pub fn hash(&self) -> StateHash {
        self.hash
    }

    /// The same hash computed from nothing; tests hold both equal.
    pub fn hash_from_scratch(&self) -> StateHash {
        let mut hash = self.base.start_key;
        for (i, hot) in self.hot.iter().enumerate() {
            for s in hot.states.iter() {
                hash.toggle(self.base.state_key(i, s));
            }
        }
        for pair in &self.pairs {
            self.base.toggle_pair(&mut hash, pair, pair.bits);
        }
        hash
    }

    /// All edges that hold, as `(from, relation, to)`, sorted.
    pub fn edges(&self) -> Vec<(Ix, Rel, Ix)> {
        let mut all = Vec::new();
        for p in &self.pairs {
            let (a, b) = (Ix(p.a), Ix(p.b));
            all.extend(direction(p.bits, false).iter().map(|r| (a, r, b)));
            all.extend(direction(p.bits, true).iter().map(|r| (b, r, a)));
        }
        all.sort_unstable();
        all
    }

    /// Starts a step: changes are collected until [`Tx::finish`].
    pub fn change(&mut self) -> Tx<'_> {
        self.log.clear();
        Tx::new(self)
    }

    /// The items of the last finished step.
    pub fn last_items(&self) -> &[Item] {
        &self.log
    }

    /// Gives the items of the last finished step away, and takes an old list for the next ones: no copying, no new room.
    #[inline]
    pub(super) const fn hand_over(&mut self, items: &mut Vec<Item>) {
        std::mem::swap(&mut self.log, items);
    }

    /// Applies a step's items once more: undoes what they did, or does it again.
    #[inline]
    pub fn toggle(&mut self, items: &[Item]) {
        for &item in items {
            self.flip(item);
            self.hash_item(item);
        }
    }

    /// Undoes the last finished step, putting back the hash it started from.
    #[inline]
    pub fn take_back(&mut self, items: &[Item], hash: StateHash) {
        for &item in items {
            self.flip(item);
        }
        self.hash = hash;
    }

    /// The same by the graph's own log.
    pub(super) fn take_back_last(&mut self, hash: StateHash) {
        let items = std::mem::take(&mut self.log);
        self.take_back(&items, hash);
        self.log = items;
    }

    #[inline]
    fn flip(&mut self, item: Item) {
        match item.kind() {
            KIND_PAIR => {
                let p = item.index();
                self.pairs[p].bits ^= item.payload() as u16;
                self.relist(p);
            }
            KIND_STATE => {
                let hot = &mut self.hot[item.index()];
                hot.states.0 ^= item.payload() as u16;
                if hot.door {
                    self.rezone();
                }
            }
            KIND_MEMORY => self.flip_memory(item.index(), item.payload()),
            _ => self.clocks[item.index()] ^= item.payload(),
        }
    }

    /// How far a happening has come; 0 for one that is not there.
    pub(super) fn clock(&self, happening: usize) -> u32 {
        self.clocks.get(happening).copied().unwrap_or(0)
    }

    /// How far every happening has come.
    pub(super) fn clocks(&self) -> &[u32] {
        &self.clocks
    }

    /// Puts every happening at its beginning.
    pub(super) fn wind(&mut self, clocks: Vec<u32>) {
        self.clocks = clocks;
    }

    /// The happenings whose counters a step's items moved.
    pub(super) fn ticks(items: &[Item]) -> impl Iterator<Item = usize> + '_ {
        let clocks = items.iter().filter(|i| i.kind() == KIND_CLOCK);
        clocks.map(|i| i.index())
    }

    #[inline]
    fn hash_item(&mut self, item: Item) {
        match item.kind() {
            KIND_PAIR => {
                let pair = self.pairs[item.index()];
                self.base
                    .toggle_pair(&mut self.hash, &pair, item.payload() as u16);
            }
            KIND_STATE => {
                for s in States(item.payload() as u16).iter() {
                    self.hash.toggle(self.base.state_key(item.index(), s));
                }
            }
            _ => {}
        }
    }

    /// What a step's items changed, when the graph stands *after* them; sorted.
    pub fn changes(&self, items: &[Item]) -> Vec<Change> {
        let mut all = Vec::new();
        self.each_change(items, |change| all.push(change));
        all.sort_unstable();
        all
    }

    /// Calls `told` with each of [`Self::changes`], in no particular order.
    pub fn each_change(&self, items: &[Item], mut told: impl FnMut(Change)) {
        for item in items {
            match item.kind() {
                KIND_PAIR => {
                    let pair = &self.pairs[item.index()];
                    let (a, b, xor) = (Ix(pair.a), Ix(pair.b), item.payload() as u16);
                    for (from, to, flipped) in [(a, b, false), (b, a, true)] {
                        let now = direction(pair.bits, flipped);
                        for rel in direction(xor, flipped).iter() {
                            told(Change::Edge(from, rel, to, now.has(rel)));
                        }
                    }
                }
                KIND_STATE => {
                    let node = Ix(item.index() as u32);
                    for s in States(item.payload() as u16).iter() {
                        told(Change::State(node, s, self.states(node).has(s)));
                    }
                }
                _ => {}
            }
        }
    }

    /// Calls `told` with what each item changed, as XOR of before and after, when the graph stands *after* the items.
    #[inline]
    pub fn each_word(&self, items: &[Item], mut told: impl FnMut(Word)) {
        for item in items {
            match item.kind() {
                KIND_PAIR => {
                    let pair = &self.pairs[item.index()];
                    let xor = item.payload() as u16;
                    let (there, back) = (direction(xor, false), direction(xor, true));
                    told(Word::Pair(Ix(pair.a), Ix(pair.b), there, back));
                }
                KIND_STATE => {
                    let states = States(item.payload() as u16);
                    told(Word::Node(Ix(item.index() as u32), states));
                }
                _ => {}
            }
        }
    }

    /// Writes an edge without logging; only while a graph is built.
    fn put(&mut self, from: Ix, rel: Rel, to: Ix) {
        let (key, flipped) = pair_key(from, to);
        let p = self.pair(key);
        self.pairs[p].bits |= mask(rel, flipped);
        self.relist(p);
    }

    /// The pair of that key, if the two nodes were ever related.
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        let (a, b) = ((key >> 32) as u32, key as u32);
        let p = if a == self.agent {
            self.mine[b as usize]
        } else if b == self.agent {
            self.mine[a as usize]
        } else {
            self.index.get(&key).copied().unwrap_or(NO_PAIR)
        };
        (p != NO_PAIR).then_some(p as usize)
    }

    /// The pair of that key, made if it is new.
    #[inline]
    fn pair(&mut self, key: u64) -> usize {
        self.find(key).unwrap_or_else(|| self.new_pair(key))
    }

    #[cold]
    fn new_pair(&mut self, key: u64) -> usize {
        let (p, a, b) = (self.pairs.len(), (key >> 32) as u32, key as u32);
        self.pairs.push(Pair {
            a,
            b,
            bits: 0,
            listed: 0,
            touched: 0,
        });
        if a == self.agent {
            self.mine[b as usize] = p as u32;
        } else if b == self.agent {
            self.mine[a as usize] = p as u32;
        } else {
            self.index.insert(key, p as u32);
        }
        p
    }

    /// Restores "a pair with a bit stands in the lists that bit belongs to".
    #[inline]
    fn relist(&mut self, p: usize) {
        let pair = &self.pairs[p];
        let (near, rest) = (pair.bits & self.near_bits, pair.bits & !self.near_bits);
        let wanted = if near == 0 {
            0
        } else {
            place(NEAR, false) | place(NEAR, true)
        } | if rest as u8 == 0 {
            0
        } else {
            place(OUT, false) | place(IN, true)
        } | if rest >> 8 == 0 {
            0
        } else {
            place(OUT, true) | place(IN, false)
        };
        let missing = wanted & !pair.listed;
        if missing != 0 {
            self.list(p, missing);
        }
    }

    /// The pair bits that keep a pair in a list of its first (second) node.
    #[inline]
    const fn bits_of(&self, list: usize, second: bool) -> u16 {
        match (list, second) {
            (NEAR, _) => self.near_bits,
            (OUT, false) | (IN, true) => !self.near_bits & 0x00ff,
            _ => !self.near_bits & 0xff00,
        }
    }

    /// Puts a pair into the lists named by `missing`. A pair of a node with itself is near it once.
    fn list(&mut self, p: usize, missing: u8) {
        let pair = &mut self.pairs[p];
        pair.listed |= missing;
        let (a, b) = (pair.a, pair.b);
        for list in [NEAR, OUT, IN] {
            if missing & place(list, false) != 0 {
                self.lists[list].push(a, p as u32);
            }
            if missing & place(list, true) != 0 && !(a == b && list == NEAR) {
                self.lists[list].push(b, p as u32);
            }
        }
    }
}
