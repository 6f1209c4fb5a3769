//! Kept zones against a search from nothing, while doors move and move back.

use std::sync::Arc;

use super::*;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::virtualhome::DIALECT;
use crate::sim::virtualhome::words::{rel, state};
use crate::sim::vocab::{NodeId, Profile};
use crate::sim::world::World;

/// Six rooms and who acts; doors join the first five, some twice.
const DOORS: [[i64; 2]; 6] = [[0, 1], [1, 2], [2, 3], [3, 0], [0, 1], [3, 4]];
const ROOMS: i64 = 6;

fn world() -> World {
    let mut nodes = vec![Node::new(100, "character")];
    let mut edges = vec![Edge {
        from: NodeId(100),
        rel: rel::INSIDE,
        to: NodeId(0),
    }];
    for id in 0..ROOMS {
        let mut room = Node::new(id, "room");
        room.category = Some("Rooms".into());
        nodes.push(room);
    }
    for (i, rooms) in DOORS.iter().enumerate() {
        let id = 10 + i64::try_from(i).unwrap();
        nodes.push(Node::new(id, "door"));
        for &room in rooms {
            edges.push(Edge {
                from: NodeId(id),
                rel: rel::BETWEEN,
                to: NodeId(room),
            });
        }
    }
    let scene = Scene::new(&DIALECT, "row", nodes, edges).unwrap();
    World::new(&Arc::new(scene), Profile::Strict).unwrap()
}

/// All rooms that doors lead to from one.
fn reached(graph: &Graph, from: Ix, passes: impl Fn(&Passage) -> bool) -> Vec<Ix> {
    let mut all = vec![from];
    let mut i = 0;
    while let Some(&at) = all.get(i) {
        for door in graph.base().passages.iter().filter(|p| passes(p)) {
            if door.rooms.contains(&at) {
                all.extend(
                    door.rooms
                        .iter()
                        .filter(|r| !all.contains(r))
                        .copied()
                        .collect::<Vec<_>>(),
                );
            }
        }
        i += 1;
    }
    all
}

fn check(graph: &Graph) {
    let room = |id| graph.scene().find(NodeId(id)).unwrap();
    for a in 0..ROOMS {
        let open = reached(graph, room(a), |p| !graph.states(p.door).has(state::CLOSED));
        let joined = reached(graph, room(a), |_| true);
        for b in 0..ROOMS {
            let free = open.contains(&room(b)) || !joined.contains(&room(b));
            assert_eq!(graph.is_free_way(room(a), room(b)), free, "{a} {b}");
        }
    }
}

#[test]
fn zones_are_what_a_search_finds_whatever_doors_do() {
    let world = world();
    let mut graph = world.graph().clone();
    check(&graph);
    let mut seed = 7_u32;
    let mut past = Vec::new();
    for _ in 0..200 {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        let roll = seed >> 16;
        if roll.is_multiple_of(3)
            && let Some((items, hash)) = past.pop()
        {
            let items: Vec<_> = items;
            graph.take_back(&items, hash);
        } else {
            let id = 10 + i64::from(roll / 3) % DOORS.len() as i64;
            let door = graph.scene().find(NodeId(id)).unwrap();
            let shut = graph.states(door).has(state::CLOSED);
            let hash = graph.hash();
            let mut tx = graph.change();
            tx.set(door, state::CLOSED, !shut);
            tx.finish();
            past.push((graph.last_items().to_vec(), hash));
        }
        check(&graph);
    }
}
