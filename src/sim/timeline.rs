//! A run's positions: every state ever reached, as a tree of steps, with undo, redo, `goto` and branches.
//!
//! Nothing is ever removed. A position is the number of the step that made it; position 0 is the start. Moving costs
//! what the steps between changed, because each step keeps its log items and those are their own inverse.

use std::collections::BTreeMap;

use crate::base::fold::StateHash;
use crate::sim::graph::{Change, Item};
use crate::sim::refusal::{Again, Kind, Pre, Record, Records, Refusal};
use crate::sim::vocab::{Ix, State};
use crate::sim::world::{Action, World};

/// A position in a [`Timeline`]: 0 is the start, `n` the state after the n-th step that was ever done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos(pub u32);

impl Pos {
    /// The start.
    pub const START: Self = Self(0);
}

/// One step, packed: what was done, and where its items end.
#[derive(Clone, Copy, Debug)]
struct Step {
    verb_a: u32,
    b: u32,
    items_end: u32,
}

const ARG_BITS: u32 = 26;
const ARG_NONE: u32 = (1 << ARG_BITS) - 1;

/// A world with its history.
#[derive(Clone, Debug)]
pub struct Timeline {
    world: World,
    /// The first position there is: the start, or where a window of a long run begins.
    first: Pos,
    /// Steps that led there.
    led: u32,
    steps: Vec<Step>,
    items: Vec<Item>,
    /// Parents of positions that do not simply follow the one before, ascending by position.
    forks: Vec<(Pos, Pos)>,
    /// The same by parent.
    forked_children: BTreeMap<Pos, Vec<Pos>>,
    here: Pos,
    /// Per fork point: the child last visited, where redo leads.
    last_child: BTreeMap<Pos, Pos>,
    spare: Vec<Pos>,
    /// Positions whose step failed half-way, ascending.
    broken: Vec<Pos>,
    /// The last fact looked for by going back: where, which, and whether it was found.
    walked: Option<(Pos, Record, bool)>,
}

/// What a step did to the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The position reached.
    pub pos: Pos,
    /// Whether this very step had been done from here before; the old position was reused.
    pub revisited: bool,
    /// Whether the step opened a new branch.
    pub forked: bool,
    /// A message and code that the published code leaves on a successful step.
    pub note: Option<Refusal>,
}

impl Timeline {
    /// A timeline at the start of a world.
    pub const fn new(world: World) -> Self {
        Self::from(world, Pos::START, 0)
    }

    /// A timeline that begins at a later position, to which so many steps led; what was before it cannot be gone back to.
    pub const fn from(world: World, first: Pos, led: u32) -> Self {
        Self {
            world,
            first,
            led,
            steps: Vec::new(),
            items: Vec::new(),
            forks: Vec::new(),
            forked_children: BTreeMap::new(),
            here: first,
            last_child: BTreeMap::new(),
            spare: Vec::new(),
            broken: Vec::new(),
            walked: None,
        }
    }

    /// The world as it stands at [`Self::here`].
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The world, for previews; it must be left as it was found.
    pub const fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The current position.
    pub const fn here(&self) -> Pos {
        self.here
    }

    /// How many positions there are, the start and those before its own beginning included.
    pub const fn len(&self) -> usize {
        self.first.0 as usize + self.steps.len() + 1
    }

    /// The first position there is: the start, but for a window of a long run.
    pub const fn first(&self) -> Pos {
        self.first
    }

    /// How many steps led to the first position.
    pub const fn led(&self) -> u32 {
        self.led
    }

    /// The index of the step that led to a position.
    fn made(&self, pos: Pos) -> Option<usize> {
        (pos.0.checked_sub(self.first.0)? as usize).checked_sub(1)
    }

    /// Never true: there is always the start.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Bytes kept a step, for benchmarks.
    pub const fn bytes(&self) -> usize {
        self.steps.len() * size_of::<Step>()
            + self.items.len() * size_of::<Item>()
            + self.forks.len() * 8
    }

    /// The position before; `None` at the start.
    pub fn parent(&self, pos: Pos) -> Option<Pos> {
        if pos <= self.first {
            return None;
        }
        match self.forks.binary_search_by_key(&pos, |f| f.0) {
            Ok(i) => Some(self.forks[i].1),
            Err(_) => Some(Pos(pos.0 - 1)),
        }
    }

    /// The positions that directly follow, oldest first.
    pub fn children(&self, pos: Pos) -> Vec<Pos> {
        let next = Pos(pos.0 + 1);
        let follows = self.exists(next) && self.parent(next) == Some(pos);
        let forked = self
            .forked_children
            .get(&pos)
            .map_or(&[][..], Vec::as_slice);
        follows
            .then_some(next)
            .into_iter()
            .chain(forked.iter().copied())
            .collect()
    }

    /// Whether a position exists.
    pub const fn exists(&self, pos: Pos) -> bool {
        pos.0 >= self.first.0 && (pos.0 as usize) < self.len()
    }

    /// The action that led to a position; `None` at the start.
    pub fn action(&self, pos: Pos) -> Option<Action> {
        let step = self.steps.get(self.made(pos)?)?;
        let arg = |bits: u32| if bits == ARG_NONE { Ix::NONE } else { Ix(bits) };
        Some(Action {
            verb: (step.verb_a >> ARG_BITS) as u8,
            a: arg(step.verb_a & ARG_NONE),
            b: arg(step.b & ARG_NONE),
        })
    }

    /// The log items of the step that led to a position.
    pub fn items(&self, pos: Pos) -> &[Item] {
        let Some(i) = self.made(pos) else {
            return &[];
        };
        let Some(step) = self.steps.get(i) else {
            return &[];
        };
        let start = i.checked_sub(1).map_or(0, |j| self.steps[j].items_end);
        &self.items[start as usize..step.items_end as usize]
    }

    /// The positions from the start to `pos`, both included.
    pub fn path(&self, pos: Pos) -> Vec<Pos> {
        let mut all = vec![pos];
        let mut at = pos;
        while let Some(up) = self.parent(at) {
            all.push(up);
            at = up;
        }
        all.reverse();
        all
    }

    /// How many steps lie between the start and `pos`.
    pub fn depth(&self, pos: Pos) -> usize {
        let mut n = self.led as usize;
        let mut at = pos;
        while let Some(up) = self.parent(at) {
            n += 1;
            at = up;
        }
        n
    }

    /// What the step that led to the current position changed, sorted.
    pub fn changes_here(&self) -> Vec<Change> {
        self.world.graph().changes(self.items(self.here))
    }

    /// Judges an action at the current position: the refusal, with code 1 turned into code 0 (wrong order) when what
    /// is missing held at some earlier position of this path (Evolving Graph §6).
    ///
    /// # Errors
    /// The refusal.
    pub fn judge(&mut self, action: Action) -> Result<crate::sim::world::Pass, Refusal> {
        match self.world.check(action) {
            Ok(mut pass) => {
                pass.note = pass.note.map(|note| self.order(action, note));
                Ok(pass)
            }
            Err(refusal) => Err(self.order(action, refusal)),
        }
    }

    /// Does an action. The same action done from here before leads to the same position again.
    ///
    /// # Errors
    /// As [`Self::judge`]; nothing moves.
    pub fn step(&mut self, action: Action) -> Result<Done, Refusal> {
        let known = self
            .children(self.here)
            .into_iter()
            .find(|&c| self.action(c) == Some(action));
        let Some(pos) = known else {
            return self.step_anew(action);
        };
        let note = self.judge(action)?.note;
        self.goto(pos);
        Ok(Done {
            pos,
            revisited: true,
            forked: false,
            note,
        })
    }

    /// Does an action and makes a new position, even where the same one exists.
    ///
    /// # Errors
    /// As [`Self::judge`]; nothing moves.
    pub fn step_anew(&mut self, action: Action) -> Result<Done, Refusal> {
        let before = self.here;
        let forked = self.exists(Pos(before.0 + 1)) && !self.children(before).is_empty();
        let note = match self.world.apply(action) {
            Ok(note) => note,
            Err(refusal) => return Err(self.order(action, refusal)),
        };
        let note = note.map(|note| self.order_before(action, note));
        let pack = |ix: Ix| if ix.is_some() { ix.0 } else { ARG_NONE };
        self.items
            .extend_from_slice(self.world.graph().last_items());
        self.steps.push(Step {
            verb_a: u32::from(action.verb) << ARG_BITS | pack(action.a),
            b: pack(action.b),
            items_end: self.items.len() as u32,
        });
        let pos = Pos(self.first.0 + self.steps.len() as u32);
        if note.as_ref().is_some_and(|n| n.kind == Kind::Crash) {
            self.broken.push(pos);
        }
        if before.0 + 1 != pos.0 {
            self.forks.push((pos, before));
            self.forked_children.entry(before).or_default().push(pos);
        }
        self.here = pos;
        if forked {
            self.last_child.insert(before, pos);
        }
        Ok(Done {
            pos,
            revisited: false,
            forked,
            note,
        })
    }

    /// One step back. False at the start.
    pub fn undo(&mut self) -> bool {
        let Some(up) = self.parent(self.here) else {
            return false;
        };
        self.flip(self.here);
        self.visited(up, self.here);
        self.here = up;
        true
    }

    /// Remembers the way back; only needed where more than one step follows.
    fn visited(&mut self, parent: Pos, child: Pos) {
        if self.forked_children.contains_key(&parent) {
            self.last_child.insert(parent, child);
        }
    }

    /// One step forward, along the branch last visited. False where nothing follows.
    pub fn redo(&mut self) -> bool {
        let Some(next) = self.next() else {
            return false;
        };
        self.flip(next);
        self.here = next;
        true
    }

    /// Where redo leads.
    pub fn next(&self) -> Option<Pos> {
        self.next_of(self.here)
    }

    /// Where redo would lead from a position.
    pub fn next_of(&self, pos: Pos) -> Option<Pos> {
        let children = self.children(pos);
        let last = self.last_child.get(&pos).copied();
        last.filter(|l| children.contains(l))
            .or_else(|| children.last().copied())
    }

    /// Moves to any position. False when it does not exist.
    pub fn goto(&mut self, pos: Pos) -> bool {
        if !self.exists(pos) {
            return false;
        }
        // Parents are always older than their children, so the younger of the two ends can step up until they meet.
        let mut down = std::mem::take(&mut self.spare);
        down.clear();
        let mut target = pos;
        while self.here != target {
            if self.here > target {
                self.undo();
            } else {
                down.push(target);
                target = self.parent(target).unwrap_or(Pos::START);
            }
        }
        while let Some(next) = down.pop() {
            self.flip(next);
            self.visited(self.here, next);
            self.here = next;
        }
        self.spare = down;
        true
    }

    fn flip(&mut self, pos: Pos) {
        let (start, end) = (self.items_start(pos), self.items_end(pos));
        self.world.toggle(&self.items[start..end]);
    }

    fn items_start(&self, pos: Pos) -> usize {
        let before = self.made(pos).and_then(|i| i.checked_sub(1));
        before.map_or(0, |j| self.steps[j].items_end as usize)
    }

    fn items_end(&self, pos: Pos) -> usize {
        self.made(pos)
            .map_or(0, |j| self.steps[j].items_end as usize)
    }

    /// The state hash at every position of the path to `pos`, the start first. Leaves the timeline where it was.
    pub fn hashes(&mut self, pos: Pos) -> Vec<StateHash> {
        let back = self.here;
        let all = self
            .path(pos)
            .into_iter()
            .map(|p| {
                self.goto(p);
                self.world.hash()
            })
            .collect();
        self.goto(back);
        all
    }

    /// The note of a step just done and not yet kept, with the order of steps looked at from before it.
    fn order_before(&mut self, action: Action, note: Refusal) -> Refusal {
        if note.chain().all(|r| r.again.is_none()) {
            return note;
        }
        let items = self.world.graph().last_items().to_vec();
        self.world.toggle(&items);
        let note = self.order(action, note);
        self.world.toggle(&items);
        note
    }

    /// Adds "wrong order" after every refusal of a chain whose check passes on an earlier state. Those are the states that a
    /// successful step of the path started from.
    fn order_again(&mut self, action: Action, refusal: Refusal) -> Refusal {
        let Refusal { again, more, .. } = &refusal;
        let late = again.is_some_and(|again| self.passed(action, again));
        let rest = more.clone().map(|more| self.order_again(action, *more));
        let order = late.then(|| {
            let mut order = Refusal::new(
                Kind::WrongOrder,
                Pre::Implemented,
                "Temporal order is wrong",
                [Ix::NONE; 2],
            );
            order.more = rest.clone().map(Box::new);
            order
        });
        Refusal {
            more: order.or(rest).map(Box::new),
            ..refusal
        }
    }

    fn passed(&mut self, action: Action, again: Again) -> bool {
        let back = self.here;
        let mut found = false;
        while !found {
            let left = self.here;
            if !self.undo() {
                break;
            }
            found = self.broken.binary_search(&left).is_err()
                && (again.0)(&self.world.ctx(), action.a, action.b);
        }
        self.goto(back);
        found
    }

    /// Code 1 becomes code 0 when the recorded missing facts held at some position of the path up to here.
    fn order(&mut self, action: Action, mut refusal: Refusal) -> Refusal {
        if refusal.chain().any(|r| r.again.is_some()) {
            return self.order_again(action, refusal);
        }
        if refusal.kind == Kind::MissingStep && self.ever(refusal.records) {
            refusal.kind = Kind::WrongOrder;
        }
        refusal
    }

    fn ever(&mut self, records: Records) -> bool {
        let Some(first) = records.first else {
            return false;
        };
        let second = records.second.filter(|_| records.all);
        self.once(first) && second.is_none_or(|r| self.once(r))
    }

    /// Whether a recorded fact held at some position of the path up to here.
    pub(super) fn once(&mut self, record: Record) -> bool {
        let way = std::iter::successors(Some(self.here), |&pos| self.parent(pos));
        let steps = way.map(|pos| self.items(pos));
        if let Some(found) = self.world.graph().held_once(record, steps) {
            return found;
        }
        // Every refusal for want of a free hand asks the same.
        if let Some((at, asked, found)) = self.walked
            && (at, asked) == (self.here, record)
        {
            return found;
        }
        let found = self.once_on_the_way(record);
        self.walked = Some((self.here, record, found));
        found
    }

    /// The same by going back step by step.
    pub(super) fn once_on_the_way(&mut self, record: Record) -> bool {
        let back = self.here;
        let mut found = self.holds(record);
        while !found && self.undo() {
            found = self.holds(record);
        }
        self.goto(back);
        found
    }

    fn holds(&self, record: Record) -> bool {
        let graph = self.world.graph();
        match record {
            Record::Edge {
                from,
                rels,
                to,
                negate,
            } => {
                let present = if to.is_some() {
                    graph.rels(from, to).0 & rels.0 != 0
                } else {
                    rels.iter().any(|r| graph.targets(from, r).next().is_some())
                };
                present != negate
            }
            Record::State {
                node,
                state,
                negate,
            } => graph.states(node).has(state) != negate,
        }
    }

    /// Since which position of the path to here the node has had the state, or lacked it, without a break.
    pub fn since(&self, node: Ix, state: State) -> Pos {
        self.last_touch(|c| matches!(c, Change::State(n, s, _) if *n == node && *s == state))
    }

    /// The latest position of the path to here whose step changed a fact that `concerns` names, else the start.
    pub fn last_touch(&self, concerns: impl Fn(&Change) -> bool) -> Pos {
        let mut at = self.here;
        while let Some(up) = self.parent(at) {
            let mut is_one = false;
            let graph = self.world.graph();
            graph.each_change(self.items(at), |change| is_one |= concerns(&change));
            if is_one {
                return at;
            }
            at = up;
        }
        Pos::START
    }
}
