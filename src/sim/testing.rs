//! A small flat for tests: two rooms, things on, in and near others, a plug, a seat and a knife.

use std::sync::Arc;

use crate::sim::refusal::Refusal;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::timeline::{Done, Timeline};
use crate::sim::virtualhome::DIALECT;
use crate::sim::vocab::{Dialect, Ix, NodeId, Profile};
use crate::sim::world::{Action, World};

/// One line a node: `id class [PROPERTY…] [STATE…]`; `Rooms` marks a room.
const NODES: &str = "
1 kitchen Rooms
2 bedroom Rooms
10 character
11 face BODY_PART
20 table SURFACES
21 fridge CAN_OPEN CONTAINERS HAS_PLUG CLOSED PLUGGED_IN
22 box CAN_OPEN CONTAINERS GRABBABLE OPEN
23 microwave CAN_OPEN CONTAINERS HAS_SWITCH HAS_PLUG CLOSED OFF PLUGGED_IN
24 chair SITTABLE GRABBABLE
25 lamp HAS_SWITCH HAS_PLUG ON PLUGGED_IN
26 bed LIEABLE SITTABLE
30 knife GRABBABLE
31 apple GRABBABLE EATABLE CUTTABLE DIRTY
32 milk GRABBABLE DRINKABLE POURABLE
33 cup GRABBABLE RECIPIENT
34 plate GRABBABLE SURFACES
35 shirt GRABBABLE CLOTHES
36 ghost GRABBABLE
37 water GRABBABLE DRINKABLE POURABLE
38 television LOOKABLE HAS_SWITCH HAS_PLUG OFF PLUGGED_OUT
39 child PERSON
";

/// One line an edge.
const EDGES: &str = "
10 INSIDE 2
11 INSIDE 2
20 INSIDE 1
21 INSIDE 1
22 INSIDE 1
23 INSIDE 1
24 INSIDE 1
25 INSIDE 2
26 INSIDE 2
30 INSIDE 1
30 ON 20
30 CLOSE 20
20 CLOSE 30
31 INSIDE 22
22 INSIDE 21
32 INSIDE 1
32 INSIDE 21
33 INSIDE 1
33 ON 20
34 INSIDE 1
34 ON 20
33 ON 34
35 INSIDE 2
35 ON 26
35 CLOSE 26
26 CLOSE 35
37 INSIDE 1
37 ON 20
38 INSIDE 2
24 FACING 38
39 INSIDE 2
";

/// A kitchen in the other dialect: `NUMBERm3` is a volume; every thing is called by class and id.
const NOOK_NODES: &str = "
0 agent
1 floor FLOOR DUSTYABLE STAINABLE 400m3
2 countertop STAINABLE DUSTYABLE STAINED 1.8m3
3 sink TOGGLEABLE STAINABLE 0.4m3
4 fridge OPENABLE STAINABLE DUSTYABLE 1.6m3
5 stove TOGGLEABLE 0.6m3
6 dishwasher OPENABLE TOGGLEABLE 0.5m3
7 cabinet OPENABLE DUSTYABLE DUSTY 0.7m3
10 knife SLICER STAINABLE 0.001m3
11 bowl STAINABLE DUSTYABLE 0.004m3
12 saucepan STAINABLE 0.006m3
13 box DUSTYABLE 0.02m3
14 cup STAINABLE STAINED 0.001m3
15 rag CLEANING_TOOL SOAKABLE STAINABLE 0.002m3
16 egg COOKABLE FREEZABLE 0.0001m3
17 plum COOKABLE FREEZABLE 0.0001m3
18 apple COOKABLE FREEZABLE SLICEABLE 0.0004m3
19 apple_part PART COOKABLE FREEZABLE SLICEABLE 0.0002m3
20 apple_part PART COOKABLE FREEZABLE SLICEABLE 0.0002m3
30 kitchen Rooms
";

const NOOK_EDGES: &str = "
0 INSIDE 30
1 INSIDE 30
2 ONFLOOR 1
4 ONFLOOR 1
5 ONFLOOR 1
10 ONTOP 2
11 ONTOP 2
12 ONTOP 2
13 ONTOP 2
14 INSIDE 7
15 ONTOP 2
16 INSIDE 11
17 INSIDE 11
18 ONTOP 2
19 PART_OF 18
20 PART_OF 18
";

/// The test scene.
pub(crate) fn scene() -> Arc<Scene> {
    made(&DIALECT, NODES, EDGES)
}

/// The test scene of the other dialect.
pub(crate) fn nook() -> Arc<Scene> {
    made(&crate::sim::behavior::DIALECT, NOOK_NODES, NOOK_EDGES)
}

fn made(dialect: &'static Dialect, nodes: &str, edges: &str) -> Arc<Scene> {
    let nodes = nodes
        .lines()
        .filter_map(|l| {
            let mut words = l.split_whitespace();
            let mut node = Node::new(words.next()?.parse().ok()?, words.next()?);
            for w in words {
                if w == "Rooms" {
                    node.category = Some(w.into());
                } else if let Some(volume) = w.strip_suffix("m3") {
                    node.volume = volume.parse().ok();
                    node.title = Some(format!("{}_{}", node.class, node.id).into());
                } else if let Some(p) = dialect.property(w) {
                    node.props = node.props.with(p);
                } else if let Some(s) = dialect.state(w) {
                    node.states = node.states.with(s);
                } else {
                    panic!("test scene: {w}");
                }
            }
            Some(node)
        })
        .collect();
    let edges = edges
        .lines()
        .filter_map(|l| {
            let mut words = l.split_whitespace();
            Some(Edge {
                from: NodeId(words.next()?.parse().ok()?),
                rel: dialect.relation(words.next()?)?,
                to: NodeId(words.next()?.parse().ok()?),
            })
        })
        .collect();
    Arc::new(Scene::new(dialect, "test", nodes, edges).unwrap())
}

/// A timeline at the start of the test scene.
pub(crate) fn timeline() -> Timeline {
    Timeline::new(World::new(&scene(), Profile::Eai).unwrap())
}

/// An action by name and ids.
pub(crate) fn action(scene: &Scene, name: &str, ids: &[i64]) -> Action {
    let (verb, _) = DIALECT.action(name).unwrap();
    let at = |i: usize| {
        ids.get(i)
            .map_or(Ix::NONE, |&id| scene.find(NodeId(id)).unwrap())
    };
    Action {
        verb,
        a: at(0),
        b: at(1),
    }
}

/// Does an action by name and ids.
pub(crate) fn act(t: &mut Timeline, name: &str, ids: &[i64]) -> Result<Done, Refusal> {
    let action = action(&t.world().scene().clone(), name, ids);
    t.step(action)
}

/// Does several allowed actions.
pub(crate) fn acts(t: &mut Timeline, all: &[(&str, &[i64])]) {
    for (name, ids) in all {
        act(t, name, ids).unwrap_or_else(|r| panic!("{name} {ids:?}: {r:?}"));
    }
}

/// The names of facts of one node as `REL id` / `id REL` / `STATE`, sorted.
pub(crate) fn facts(t: &Timeline, id: i64) -> Vec<String> {
    let graph = t.world().graph();
    let scene = graph.scene();
    let ix = scene.find(NodeId(id)).unwrap();
    let mut all: Vec<String> = graph
        .states(ix)
        .iter()
        .map(|s| DIALECT.state_name(s).to_owned())
        .collect();
    for (other, out, inc) in graph.around(ix) {
        let other = scene.node(other).id;
        all.extend(
            out.iter()
                .map(|r| format!("{} {other}", DIALECT.rel_name(r))),
        );
        all.extend(
            inc.iter()
                .map(|r| format!("{other} {}", DIALECT.rel_name(r))),
        );
    }
    all.sort();
    all
}

/// A small deterministic generator (splitmix64) for test sequences.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    /// Any action on any nodes of the scene.
    pub(crate) fn action(&mut self, scene: &Scene) -> Action {
        let actions = scene.dialect().actions;
        let verb = self.below(actions.len());
        let mut any = |wanted: bool| {
            if wanted {
                Ix(self.below(scene.len()) as u32)
            } else {
                Ix::NONE
            }
        };
        let arity = actions[verb].arity;
        Action {
            verb: verb as u8,
            a: any(arity > 0),
            b: any(arity > 1),
        }
    }
}
