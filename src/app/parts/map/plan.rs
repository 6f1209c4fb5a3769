//! Where things stand in a scene: boxes of rooms, storeys, the place of each node. Metres, x to the right, z down.

use std::collections::BTreeMap;

use crate::formats::scene::place_of;
use crate::sim::reading;
use crate::sim::scene::{Scene, Vec3};
use crate::sim::vocab::Ix;
use crate::sim::world::World;

use super::labels::labels;

/// A point of the plan, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// To the right.
    pub x: f64,
    /// Down.
    pub z: f64,
    /// The storey, counted from below, from 0.
    pub storey: usize,
}

/// A room's box.
#[derive(Clone, Debug, PartialEq)]
pub struct RoomBox {
    /// The room.
    pub node: Ix,
    /// Its name.
    pub name: String,
    /// Its left and right walls.
    pub x: (f64, f64),
    /// Its upper and lower walls.
    pub z: (f64, f64),
    /// Its storey.
    pub storey: usize,
}

impl RoomBox {
    /// Its middle.
    pub fn middle(&self) -> Spot {
        self.at(0.5, 0.5)
    }

    fn at(&self, along: f64, down: f64) -> Spot {
        Spot {
            x: self.x.0 + (self.x.1 - self.x.0) * along,
            z: self.z.0 + (self.z.1 - self.z.0) * down,
            storey: self.storey,
        }
    }

    /// Whether a point lies in it; a hand's breadth outside counts.
    fn holds(&self, [x, _, z]: Vec3) -> bool {
        let near = |(from, to): (f64, f64), v: f64| v >= from - REACH && v <= to + REACH;
        near(self.x, x) && near(self.z, z)
    }
}

/// How far outside a thing's box something may lie that is on or in it, in metres.
const REACH: f64 = 0.3;

/// How far apart floors of different storeys are at least, in metres.
const STOREY: f64 = 1.2;

/// Above this a thing hangs from the ceiling, in metres over its floor.
const OVERHEAD: f64 = 2.2;

/// The size of a room nobody gave one, in metres.
const ROOM: (f64, f64) = (7.0, 5.0);

/// What a node is to the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Thing,
    /// It stands between rooms.
    Door,
    /// Floor, wall, ceiling.
    Structure,
    /// A person or a pet.
    Being,
}

/// What is known of a node from its scene alone.
#[derive(Clone, Copy, Debug)]
struct Fixed {
    /// What holds it up or in at the start.
    home: Ix,
    /// Where it stood, if that is told or laid out.
    spot: Option<Spot>,
    prominence: f64,
    kind: Kind,
}

/// What a scene gives once.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its rooms.
    pub rooms: Vec<RoomBox>,
    /// How many storeys it has.
    pub storeys: usize,
    /// Whether the scene has no positions, so that the layout means nothing.
    pub invented: bool,
    nodes: Vec<Fixed>,
    places: Vec<Option<(Vec3, Vec3)>>,
    letters: Vec<String>,
    floors: Vec<f64>,
}

impl Plan {
    /// The plan of a world's scene.
    pub fn new(world: &World) -> Self {
        let scene = world.scene();
        let places: Vec<_> = scene.indices().map(|ix| place_of(scene.node(ix))).collect();
        let known = |ix: &Ix| places.get(ix.at()).is_some_and(Option::is_some);
        let all: Vec<Ix> = scene
            .indices()
            .filter(|&ix| scene.node(ix).is_room())
            .collect();
        let given = all.iter().filter(|ix| known(ix)).count();
        let invented = given * 2 < all.len().max(1);
        let mut plan = Self {
            rooms: Vec::new(),
            storeys: 1,
            invented,
            nodes: Vec::new(),
            places: if invented {
                vec![None; places.len()]
            } else {
                places
            },
            letters: Vec::new(),
            floors: Vec::new(),
        };
        plan.lay_out(scene, &all);
        let rooms = scene.indices().map(|ix| reading::room(world.graph(), ix));
        plan.place_nodes(scene, &rooms.collect::<Vec<_>>());
        let by_class = labels(scene);
        plan.letters = scene
            .indices()
            .map(|ix| {
                by_class
                    .get(&*scene.node(ix).class)
                    .cloned()
                    .unwrap_or_default()
            })
            .collect();
        plan
    }

    /// Boxes for all rooms: as the file gives them, the others packed below.
    fn lay_out(&mut self, scene: &Scene, all: &[Ix]) {
        let mut floors: Vec<f64> = all
            .iter()
            .filter_map(|ix| self.place(*ix).map(|(c, s)| c[1] - s[1] / 2.0))
            .collect();
        floors.sort_by(f64::total_cmp);
        floors.dedup_by(|next, kept| *next - *kept < STOREY);
        self.storeys = floors.len().max(1);
        self.floors.clone_from(&floors);
        let mut packed = Vec::new();
        for &node in all {
            let name = scene.short_name(node).to_owned();
            match self.place(node) {
                None => packed.push((node, name)),
                Some((c, s)) => {
                    let floor = c[1] - s[1] / 2.0;
                    let above = floors
                        .iter()
                        .filter(|&&f| f <= floor + STOREY / 2.0)
                        .count();
                    self.rooms.push(RoomBox {
                        node,
                        name,
                        x: (c[0] - s[0] / 2.0, c[0] + s[0] / 2.0),
                        z: (c[2] - s[2] / 2.0, c[2] + s[2] / 2.0),
                        storey: above.saturating_sub(1),
                    });
                }
            }
        }
        let left = self
            .rooms
            .iter()
            .map(|r| r.x.0)
            .reduce(f64::min)
            .unwrap_or(0.0);
        let top = self
            .rooms
            .iter()
            .map(|r| r.z.1)
            .reduce(f64::max)
            .unwrap_or(0.0);
        // A little wider than high.
        let across = (1..=packed.len()).find(|n| n * n * 5 >= packed.len() * 7);
        let across = across.unwrap_or(1);
        for (at, (node, name)) in packed.into_iter().enumerate() {
            let (column, row) = ((at % across) as f64, (at / across) as f64);
            let (x, z) = (left + column * ROOM.0, top + row * ROOM.1);
            self.rooms.push(RoomBox {
                node,
                name,
                x: (x, x + ROOM.0),
                z: (z, z + ROOM.1),
                storey: 0,
            });
        }
    }

    /// The place of every node at the start; `rooms` are those the nodes are in, for what stands in one by no edge of its own.
    fn place_nodes(&mut self, scene: &Scene, rooms: &[Option<Ix>]) {
        let homes = homes(scene);
        let doors: Vec<bool> = doors(scene);
        let being = scene.dialect().reading.being;
        self.nodes = scene
            .indices()
            .map(|ix| {
                let node = scene.node(ix);
                let category = node.category.as_deref().unwrap_or_default();
                let place = self.place(ix);
                let area = place.map_or(0.0, |(_, s)| s[0] * s[2]);
                let overhead = place.is_some_and(|(c, _)| self.height(c[1]) > OVERHEAD);
                let kind = if doors.get(ix.at()).copied().unwrap_or(false) {
                    Kind::Door
                } else if matches!(category, "Floors" | "Floor" | "Walls" | "Ceiling")
                    || matches!(&*node.class, "floor" | "wall" | "ceiling")
                {
                    Kind::Structure
                } else if category == "Characters" || being.is_some_and(|p| node.props.has(p)) {
                    Kind::Being
                } else {
                    Kind::Thing
                };
                Fixed {
                    home: homes.get(ix.at()).copied().unwrap_or(Ix::NONE),
                    spot: None,
                    prominence: if overhead { -1.0 } else { area },
                    kind,
                }
            })
            .collect();
        let mut waiting: BTreeMap<Ix, Vec<Ix>> = BTreeMap::new();
        for ix in scene.indices() {
            let told = rooms.get(ix.at()).copied().flatten();
            let room = self.room_of_home(scene, ix).or(told);
            let storey = room.and_then(|r| self.room(r)).map_or(0, |r| r.storey);
            let own = self.place(ix);
            let is_room = scene.node(ix).is_room();
            let spot = if is_room {
                self.room(ix).map(RoomBox::middle)
            } else {
                own.map(|(c, _)| Spot {
                    x: c[0],
                    z: c[2],
                    storey,
                })
            };
            if let Some(fixed) = self.nodes.get_mut(ix.at()) {
                fixed.spot = spot;
            }
            let home = self.nodes.get(ix.at()).map_or(Ix::NONE, |f| f.home);
            let stands = !home.is_some() || scene.node(home).is_room() || self.is_structure(home);
            if spot.is_none()
                && stands
                && let Some(room) = room
            {
                waiting.entry(room).or_default().push(ix);
            }
        }
        for (room, nodes) in waiting {
            self.spread(room, &nodes);
        }
    }

    /// Spreads nodes without a place over their room, in rows.
    fn spread(&mut self, room: Ix, nodes: &[Ix]) {
        let Some(area) = self.room(room).cloned() else {
            return;
        };
        let shown: Vec<Ix> = nodes
            .iter()
            .copied()
            .filter(|&ix| !self.is_structure(ix))
            .collect();
        let across = (shown.len() as f64 * 0.8).sqrt().ceil().max(1.0);
        let down = (shown.len() as f64 / across).ceil().max(1.0);
        for (at, ix) in shown.into_iter().enumerate() {
            let at = at as f64;
            let (column, row) = (at % across, (at / across).floor());
            let spot = area.at((column + 0.5) / across, (row + 0.5) / down);
            if let Some(fixed) = self.nodes.get_mut(ix.at()) {
                fixed.spot = Some(spot);
            }
        }
    }

    fn room_of_home(&self, scene: &Scene, ix: Ix) -> Option<Ix> {
        let mut at = ix;
        for _ in 0..DEEP {
            if scene.node(at).is_room() {
                return Some(at);
            }
            at = self
                .nodes
                .get(at.at())
                .map(|f| f.home)
                .filter(|h| h.is_some())?;
        }
        None
    }

    /// How high a point is over the floor below it.
    fn height(&self, y: f64) -> f64 {
        let below = self.floors.iter().filter(|&&floor| floor <= y + REACH);
        y - below.copied().reduce(f64::max).unwrap_or(0.0)
    }

    fn place(&self, ix: Ix) -> Option<(Vec3, Vec3)> {
        self.places.get(ix.at()).copied().flatten()
    }

    /// The box of a room.
    pub fn room(&self, node: Ix) -> Option<&RoomBox> {
        self.rooms.iter().find(|room| room.node == node)
    }

    /// Where a node stood at the start.
    pub fn home(&self, node: Ix) -> Spot {
        let spot = |ix: Ix| self.nodes.get(ix.at()).and_then(|fixed| fixed.spot);
        let home = |ix: Ix| self.nodes.get(ix.at()).map_or(Ix::NONE, |f| f.home);
        spot(node).or_else(|| spot(home(node))).unwrap_or_default()
    }

    /// Where a node is now: where it stood if it is still there, else by what it is on, in or held by.
    pub fn spot(&self, world: &World, node: Ix, me: Spot) -> Spot {
        self.spot_within(world, node, me, 0)
    }

    fn spot_within(&self, world: &World, node: Ix, me: Spot, depth: usize) -> Spot {
        let Some(fixed) = self.nodes.get(node.at()) else {
            return me;
        };
        if node == world.me() {
            return me;
        }
        let up = support(world, node);
        if up == Some(world.me()) {
            return beside(me);
        }
        let Some(up) = up.filter(|_| depth < DEEP) else {
            let room = reading::room(world.graph(), node).and_then(|room| self.room(room));
            let middle = room.map(RoomBox::middle);
            return fixed.spot.or(middle).unwrap_or_default();
        };
        if up == fixed.home
            && let Some(spot) = fixed.spot
            && self.is_plausible(world, node, up)
        {
            return spot;
        }
        let is_floor = self.is_structure(up);
        let room = reading::room(world.graph(), up);
        if (world.graph().hot(up).room || is_floor)
            && let Some(area) = room.and_then(|room| self.room(room))
        {
            return area.middle();
        }
        beside(self.spot_within(world, up, me, depth + 1))
    }

    /// Whether the place the file gives a node lies on or in what holds it; a task may have put it elsewhere.
    fn is_plausible(&self, world: &World, node: Ix, up: Ix) -> bool {
        let Some((c, _)) = self.place(node) else {
            return true;
        };
        if world.graph().hot(up).room {
            return self.room(up).is_none_or(|room| room.holds(c));
        }
        self.place(up).is_none_or(|(at, size)| {
            let near = |i: usize| {
                let (c, at, size) = (c.get(i), at.get(i), size.get(i));
                match (c, at, size) {
                    (Some(c), Some(at), Some(size)) => (c - at).abs() <= size / 2.0 + REACH,
                    _ => true,
                }
            };
            near(0) && near(2)
        })
    }

    /// The two letters of a node.
    pub fn label(&self, node: Ix) -> &str {
        self.letters.get(node.at()).map_or("??", String::as_str)
    }

    /// How large it is seen from above, in square metres; what hangs overhead comes last.
    pub(super) fn prominence(&self, node: Ix) -> f64 {
        self.nodes.get(node.at()).map_or(0.0, |f| f.prominence)
    }

    fn kind(&self, node: Ix) -> Kind {
        self.nodes.get(node.at()).map_or(Kind::Thing, |f| f.kind)
    }

    /// Whether it is a door between rooms.
    pub fn is_door(&self, node: Ix) -> bool {
        self.kind(node) == Kind::Door
    }

    /// Whether it is floor, wall or ceiling.
    pub(super) fn is_structure(&self, node: Ix) -> bool {
        self.kind(node) == Kind::Structure
    }

    /// Whether it is a person or a pet.
    pub(super) fn is_being(&self, node: Ix) -> bool {
        self.kind(node) == Kind::Being
    }
}

/// Whether a node is in something that is no room, or in the agent's hands.
pub(super) fn is_inside(world: &World, node: Ix) -> bool {
    let graph = world.graph();
    support(world, node) == Some(world.me())
        || graph
            .targets(node, world.dialect().rules.inside)
            .any(|t| !graph.hot(t).room)
}

/// How deep things may stand on and in each other; more is a circle.
const DEEP: usize = 16;

/// A little beside a point, so that both can be pointed at.
fn beside(spot: Spot) -> Spot {
    Spot {
        x: spot.x + 0.2,
        z: spot.z + 0.1,
        ..spot
    }
}

/// What holds a node now: the agent's hand, what it is on, what it is in; a thing rather than a room.
fn support(world: &World, node: Ix) -> Option<Ix> {
    let graph = world.graph();
    let rules = world.dialect().rules;
    if rules
        .hands
        .iter()
        .any(|&hand| graph.has(world.me(), hand, node))
    {
        return Some(world.me());
    }
    let on = graph.targets(node, rules.on).map(|t| (0, t));
    let inside = graph
        .targets(node, rules.inside)
        .map(|t| (order(false, graph.hot(t).room), t));
    on.chain(inside)
        .min()
        .map(|(_, t)| t)
        .filter(|&t| t != node)
}

const fn order(on: bool, is_room: bool) -> u8 {
    match (on, is_room) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    }
}

/// What holds each node in the scene as loaded.
fn homes(scene: &Scene) -> Vec<Ix> {
    let rules = scene.dialect().rules;
    let mut best: Vec<Option<(u8, Ix)>> = vec![None; scene.len()];
    for edge in scene.edges() {
        if edge.rel != rules.on && edge.rel != rules.inside {
            continue;
        }
        let (Some(from), Some(to)) = (scene.find(edge.from), scene.find(edge.to)) else {
            continue;
        };
        let found = (order(edge.rel == rules.on, scene.node(to).is_room()), to);
        if let Some(kept) = best.get_mut(from.at()).filter(|_| from != to)
            && kept.is_none_or(|kept| found < kept)
        {
            *kept = Some(found);
        }
    }
    best.into_iter()
        .map(|b| b.map_or(Ix::NONE, |(_, ix)| ix))
        .collect()
}

/// Which nodes stand between rooms.
fn doors(scene: &Scene) -> Vec<bool> {
    let mut doors = vec![false; scene.len()];
    let between = scene.dialect().rules.between;
    for edge in scene.edges().iter().filter(|e| Some(e.rel) == between) {
        if let Some(from) = scene.find(edge.from)
            && let Some(door) = doors.get_mut(from.at())
        {
            *door = true;
        }
    }
    doors
}
