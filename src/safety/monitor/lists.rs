//! Short lists kept beside the graph, so that nothing is looked for in a whole scene: the nodes of a range that have a
//! state, and the nodes of a range by room. Which lists there are is chosen once, by the plans that read them.

use rustc_hash::FxHashMap;

use crate::sim::graph::Graph;
use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, State};

use super::atom::DomId;
use super::dom::Doms;
use super::readers::ByNode;

/// The lists that plans read.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    /// Nodes of a range that have a state.
    states: Vec<(DomId, State)>,
    /// Nodes of a range by room.
    rooms: Vec<DomId>,
    state_index: FxHashMap<(DomId, State), u16>,
    room_index: FxHashMap<DomId, u16>,
    /// By state: the lists a node may stand on.
    state_of: Vec<ByNode>,
    /// The lists by room a node stands on.
    room_of: ByNode,
    /// Per node its number among the rooms, or [`NO_ROOM`].
    number: Vec<u32>,
    count: usize,
}

const NO_ROOM: u32 = u32::MAX;

impl Listed {
    /// The list of a range's nodes with a state.
    pub(super) fn having(&mut self, dom: DomId, state: State) -> u16 {
        *self.state_index.entry((dom, state)).or_insert_with(|| {
            self.states.push((dom, state));
            self.states.len() as u16 - 1
        })
    }

    /// The lists of a range's nodes by room.
    pub(super) fn by_room(&mut self, dom: DomId) -> u16 {
        *self.room_index.entry(dom).or_insert_with(|| {
            self.rooms.push(dom);
            self.rooms.len() as u16 - 1
        })
    }

    /// Notes who stands on which list, when all are chosen.
    pub(super) fn finish(&mut self, doms: &Doms, scene: &Scene) {
        let mut by_state = vec![Vec::new(); scene.dialect().states.len()];
        for (id, (dom, state)) in self.states.iter().enumerate() {
            let list = &doms.get(*dom).list;
            by_state[usize::from(state.0)].extend(list.iter().map(|&n| (n, id as u32)));
        }
        let nodes = scene.len();
        let table = |pairs| ByNode::new(pairs, nodes);
        self.state_of = by_state.into_iter().map(table).collect();
        let all = self.rooms.iter().enumerate();
        let by_room = all.flat_map(|(id, dom)| {
            let list = &doms.get(*dom).list;
            list.iter().map(move |&n| (n, id as u32))
        });
        self.room_of = ByNode::new(by_room.collect(), nodes);
        self.number = vec![NO_ROOM; nodes];
        for room in scene.indices().filter(|&n| scene.node(n).is_room()) {
            self.number[room.at()] = self.count as u32;
            self.count += 1;
        }
    }

    /// The state a list is about.
    pub(super) fn state(&self, list: u16) -> State {
        self.states[usize::from(list)].1
    }

    fn place(&self, list: u16, room: u32) -> Option<usize> {
        let number = *self.number.get(room as usize)?;
        (number != NO_ROOM).then(|| usize::from(list) * self.count + number as usize)
    }
}

/// The lists as they stand at a position.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    states: Vec<Vec<Ix>>,
    rooms: Vec<Vec<Ix>>,
}

impl Lists {
    /// At the start. `rooms` says where every node is.
    pub(super) fn new(listed: &Listed, doms: &Doms, (graph, rooms): (&Graph, &[u32])) -> Self {
        let of_state = |(dom, state): &(DomId, State)| {
            let list = doms.get(*dom).list.iter().copied();
            list.filter(|n| graph.states(*n).has(*state)).collect()
        };
        let mut by_room = vec![Vec::new(); listed.rooms.len() * listed.count];
        for (id, dom) in listed.rooms.iter().enumerate() {
            for n in &doms.get(*dom).list {
                if let Some(at) = listed.place(id as u16, rooms[n.at()]) {
                    by_room[at].push(*n);
                }
            }
        }
        Self {
            states: listed.states.iter().map(of_state).collect(),
            rooms: by_room,
        }
    }

    /// The nodes of a list by state.
    #[inline]
    pub(super) fn having(&self, list: u16) -> &[Ix] {
        &self.states[usize::from(list)]
    }

    /// The nodes of a list in a room.
    #[inline]
    pub(super) fn in_room(&self, listed: &Listed, list: u16, room: u32) -> &[Ix] {
        listed.place(list, room).map_or(&[], |at| &self.rooms[at])
    }

    /// A node gained or lost a state.
    pub(super) fn set(&mut self, listed: &Listed, (n, state): (Ix, State), on: bool) {
        for &id in listed.state_of[usize::from(state.0)].of(n) {
            put(&mut self.states[id as usize], n, on);
        }
    }

    /// A node went from one room to another.
    pub(super) fn move_over(&mut self, listed: &Listed, n: Ix, (from, to): (u32, u32)) {
        for &id in listed.room_of.of(n) {
            if let Some(at) = listed.place(id as u16, from) {
                put(&mut self.rooms[at], n, false);
            }
            if let Some(at) = listed.place(id as u16, to) {
                put(&mut self.rooms[at], n, true);
            }
        }
    }
}

/// Puts a node onto a sorted list, or takes it off.
fn put(list: &mut Vec<Ix>, n: Ix, on: bool) {
    match list.binary_search(&n) {
        Ok(i) if !on => {
            list.remove(i);
        }
        Err(i) if on => list.insert(i, n),
        _ => {}
    }
}
