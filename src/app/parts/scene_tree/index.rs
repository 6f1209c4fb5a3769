//! Who is in what: one parent a node, children in order, what is within reach. Rebuilt in one pass when the world moves.

use crate::sim::graph::Graph;
use crate::sim::reading;
use crate::sim::vocab::Ix;
use crate::sim::world::World;

/// No parent.
const TOP: u32 = u32::MAX;

/// The hierarchy of one state of a world.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Per node: its place in the order of names.
    rank: Vec<u32>,
    parent: Vec<u32>,
    /// Children of all nodes, and where each node's begin.
    children: Vec<Ix>,
    starts: Vec<u32>,
    /// Of its children, how many stand before those out of reach; only the room one is in has any after.
    shown: Vec<u32>,
    near: Vec<bool>,
    /// Whether it is within reach or something below it is.
    reaches: Vec<bool>,
    /// How many nodes are below.
    below: Vec<u32>,
    roots: Vec<Ix>,
    here: Option<Ix>,
    me: Option<Ix>,
}

impl Index {
    pub(super) fn new(world: &World) -> Self {
        let scene = world.scene();
        let mut order: Vec<Ix> = scene.indices().collect();
        order.sort_by(|&a, &b| {
            let class = |ix| &*scene.node(ix).class;
            class(a).cmp(class(b)).then(a.cmp(&b))
        });
        let mut rank = vec![0; scene.len()];
        for (at, ix) in order.iter().enumerate() {
            rank[ix.at()] = at as u32;
        }
        let mut index = Self {
            rank,
            ..Self::default()
        };
        index.update(world);
        index
    }

    pub(super) fn update(&mut self, world: &World) {
        let (graph, scene) = (world.graph(), world.scene());
        let n = scene.len();
        self.me = Some(world.me());
        self.here = reading::room(graph, world.me());
        self.near = reading::near(&world.ctx());
        self.near[world.me().at()] = false;
        // Parts of the body are always near, wherever the scene has them.
        for part in &graph.base().carried_near {
            self.near[part.at()] = false;
        }
        self.parent.clear();
        self.parent.extend(
            scene
                .indices()
                .map(|ix| parent(world, graph, ix).map_or(TOP, |p| p.0)),
        );
        self.cut_cycles(graph);
        self.starts.clear();
        self.starts.resize(n + 1, 0);
        for &p in self.parent.iter().filter(|&&p| p != TOP) {
            self.starts[p as usize + 1] += 1;
        }
        for i in 0..n {
            self.starts[i + 1] += self.starts[i];
        }
        let mut next = self.starts.clone();
        self.children.clear();
        self.children.resize(self.starts[n] as usize, Ix::NONE);
        for (i, &p) in self.parent.iter().enumerate() {
            if p != TOP {
                self.children[next[p as usize] as usize] = Ix(i as u32);
                next[p as usize] += 1;
            }
        }
        self.sum_up(n);
        self.sort(n);
        let mut roots: Vec<Ix> = scene
            .indices()
            .filter(|ix| self.parent[ix.at()] == TOP)
            .collect();
        let (me, here) = (world.me(), self.here);
        roots.sort_by_key(|&ix| {
            let is_room = graph.hot(ix).room;
            (ix != me, Some(ix) != here, !is_room, self.rank[ix.at()])
        });
        self.roots = roots;
    }

    /// Nodes that contain each other: one of each cycle stands in its room instead, or on top.
    fn cut_cycles(&mut self, graph: &Graph) {
        let n = self.parent.len();
        // 0 unknown, 1 on the way now, 2 leads to the top.
        let mut seen = vec![0_u8; n];
        let mut way = Vec::new();
        for i in 0..n {
            let mut at = i;
            while seen[at] == 0 {
                seen[at] = 1;
                way.push(at);
                match self.parent[at] {
                    TOP => break,
                    up => at = up as usize,
                }
            }
            if seen[at] == 1 && self.parent[at] != TOP {
                // Rooms have no parent, so this ends the cycle.
                let room = reading::room(graph, Ix(at as u32));
                self.parent[at] = room.map_or(TOP, |room| room.0);
            }
            for done in way.drain(..) {
                seen[done] = 2;
            }
        }
    }

    /// Adds up what is below each node, deepest first.
    fn sum_up(&mut self, n: usize) {
        self.below.clear();
        self.below.resize(n, 0);
        self.reaches.clone_from(&self.near);
        if let Some(me) = self.me {
            self.reaches[me.at()] = true;
        }
        let mut order: Vec<u32> = (0..n as u32)
            .filter(|&i| self.parent[i as usize] == TOP)
            .collect();
        let mut at = 0;
        while at < order.len() {
            let node = Ix(order[at]);
            let (from, to) = self.range(node);
            order.extend(self.children[from..to].iter().map(|c| c.0));
            at += 1;
        }
        for &i in order.iter().rev() {
            let p = self.parent[i as usize];
            if p != TOP {
                self.below[p as usize] += self.below[i as usize] + 1;
                self.reaches[p as usize] |= self.reaches[i as usize];
            }
        }
    }

    fn sort(&mut self, n: usize) {
        self.shown.clear();
        for i in 0..n {
            let (from, to) = self.range(Ix(i as u32));
            let (rank, reaches) = (&self.rank, &self.reaches);
            self.children[from..to].sort_unstable_by_key(|c| (!reaches[c.at()], rank[c.at()]));
            let is_here = self.here == Some(Ix(i as u32));
            let shown = if is_here {
                self.children[from..to]
                    .iter()
                    .take_while(|c| reaches[c.at()])
                    .count()
            } else {
                to - from
            };
            self.shown.push(shown as u32);
        }
    }

    fn range(&self, node: Ix) -> (usize, usize) {
        let at = |i: usize| self.starts.get(i).map_or(0, |&s| s as usize);
        (at(node.at()), at(node.at() + 1))
    }

    pub(super) fn roots(&self) -> &[Ix] {
        &self.roots
    }

    pub(super) const fn here(&self) -> Option<Ix> {
        self.here
    }

    pub(super) fn children(&self, node: Ix) -> &[Ix] {
        let (from, to) = self.range(node);
        self.children.get(from..to).unwrap_or_default()
    }

    /// The children shown below a node, and those folded into one row because they are out of reach.
    pub(super) fn split(&self, node: Ix) -> (&[Ix], &[Ix]) {
        let all = self.children(node);
        let shown = self.shown.get(node.at()).map_or(0, |&s| s as usize);
        all.split_at(shown.min(all.len()))
    }

    pub(super) fn rest(&self, room: Ix) -> &[Ix] {
        self.split(room).1
    }

    /// How many nodes the row of the rest stands for, those inside them included.
    pub(super) fn rest_len(&self, room: Ix) -> usize {
        let below = |ix: &Ix| self.below(*ix) + 1;
        self.rest(room).iter().map(below).sum()
    }

    /// The room whose rest hides a node, if one does.
    pub(super) fn rest_of(&self, node: Ix) -> Option<Ix> {
        let here = self.here?;
        let way: Vec<Ix> = self.up(node).collect();
        let at = way.iter().position(|&ix| ix == here)?.checked_sub(1)?;
        self.rest(here).contains(way.get(at)?).then_some(here)
    }

    pub(super) fn below(&self, node: Ix) -> usize {
        self.below.get(node.at()).map_or(0, |&b| b as usize)
    }

    pub(super) fn parent(&self, node: Ix) -> Option<Ix> {
        self.parent
            .get(node.at())
            .filter(|&&p| p != TOP)
            .map(|&p| Ix(p))
    }

    /// The node, what holds it, what holds that, and so on.
    pub(super) fn up(&self, node: Ix) -> impl Iterator<Item = Ix> + '_ {
        std::iter::successors(Some(node), |&ix| self.parent(ix))
    }

    pub(super) fn is_near(&self, node: Ix) -> bool {
        self.near.get(node.at()).copied().unwrap_or(false)
    }

    pub(super) fn near_count(&self) -> usize {
        self.near.iter().filter(|near| **near).count()
    }

    pub(super) fn near_tops(&self) -> Vec<Ix> {
        let here = self.here.into_iter().flat_map(|room| self.split(room).0);
        here.copied().filter(|&ix| Some(ix) != self.me).collect()
    }

    /// What is unfolded as long as nobody chooses: the room one is in, oneself, and what leads to things in reach.
    pub(super) fn opens_by_itself(&self, node: Ix) -> bool {
        self.here == Some(node) || self.reaches.get(node.at()).copied().unwrap_or(false)
    }

    /// All nodes, those within reach first, then by name.
    pub(super) fn in_order(&self) -> impl Iterator<Item = Ix> + '_ {
        let mut order = vec![Ix::NONE; self.rank.len()];
        for (i, &r) in self.rank.iter().enumerate() {
            order[r as usize] = Ix(i as u32);
        }
        let (near, far): (Vec<Ix>, Vec<Ix>) = order.into_iter().partition(|&ix| self.is_near(ix));
        near.into_iter().chain(far)
    }
}

/// What holds a node: a hand, else the innermost thing it is inside of or on, else its room.
fn parent(world: &World, graph: &Graph, ix: Ix) -> Option<Ix> {
    if ix == world.me() || graph.hot(ix).room {
        return None;
    }
    let rules = world.dialect().rules;
    let mut best: Option<Ix> = None;
    for (other, out, inc) in graph.around(ix) {
        if other == ix {
            continue;
        }
        if other == world.me() && rules.hands.iter().any(|&hand| inc.has(hand)) {
            return Some(other);
        }
        let holds = out.has(rules.inside) || out.has(rules.on);
        if !holds || graph.hot(other).room {
            continue;
        }
        best = Some(match best {
            // Of two, the one that is itself in or on the other; else inside before on, lower id before higher.
            Some(old) if is_in(graph, rules, old, other) => old,
            Some(old) if is_in(graph, rules, other, old) => other,
            Some(old) => {
                let key = |node: Ix| (!graph.has(ix, rules.inside, node), node);
                if key(old) <= key(other) { old } else { other }
            }
            None => other,
        });
    }
    best.or_else(|| reading::room(graph, ix))
}

fn is_in(graph: &Graph, rules: &crate::sim::vocab::SceneRules, what: Ix, of: Ix) -> bool {
    let rels = graph.rels(what, of);
    rels.has(rules.inside) || rels.has(rules.on)
}
