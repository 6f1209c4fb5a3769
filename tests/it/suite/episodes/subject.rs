//! Random play, and the checks it must pass: one set of checks for the real thing and for planted faults.

use std::collections::BTreeMap;

use proptest::prelude::*;
use vesta::base::fold::StateHash;
use vesta::sim::timeline::{Pos, Timeline};
use vesta::sim::virtualhome::words::rel;
use vesta::sim::vocab::Ix;
use vesta::sim::world::{Action, World};
use vesta::task::episode::{Episode, Event, Outcome};

/// One random move. Numbers choose among what is there when the move is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Do(u64),
    Again(u64),
    Undo,
    Redo,
    Goto(u64),
    Fork(u64, u64),
    Finish,
}

pub(crate) fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        8 => any::<u64>().prop_map(Op::Do),
        1 => any::<u64>().prop_map(Op::Again),
        4 => Just(Op::Undo),
        3 => Just(Op::Redo),
        2 => any::<u64>().prop_map(Op::Goto),
        3 => (any::<u64>(), any::<u64>()).prop_map(|(a, b)| Op::Fork(a, b)),
        1 => Just(Op::Finish),
    ];
    prop::collection::vec(op, 1..40)
}

/// Something that can be played.
pub(crate) trait Subject {
    fn act(&mut self, action: Action);
    fn undo(&mut self);
    fn redo(&mut self);
    fn goto(&mut self, pos: Pos);
    fn finish(&mut self) {}
    fn timeline(&self) -> &Timeline;
}

/// An episode and everything it asked to be recorded.
pub(crate) struct Recorded {
    pub(crate) episode: Episode,
    pub(crate) events: Vec<Event>,
}

impl Subject for Recorded {
    fn act(&mut self, action: Action) {
        let before = self.episode.here();
        let turn = self.episode.act(action);
        let stays = !matches!(turn.outcome, Outcome::Stepped(_));
        assert_eq!(stays, before == self.episode.here(), "{:?}", turn.outcome);
        self.events.extend(turn.events);
    }

    fn undo(&mut self) {
        self.events.extend(self.episode.undo());
    }

    fn redo(&mut self) {
        self.events.extend(self.episode.redo());
    }

    fn goto(&mut self, pos: Pos) {
        self.events.extend(self.episode.goto(pos));
    }

    fn finish(&mut self) {
        let event = if self.events.len().is_multiple_of(2) {
            self.episode.finish()
        } else {
            self.episode.avoid("no \"way\"\n\u{202e}")
        };
        self.events.push(event);
    }

    fn timeline(&self) -> &Timeline {
        self.episode.timeline()
    }
}

/// A timeline whose undo forgets to take back one item: the planted fault.
pub(crate) struct Forgetful(pub(crate) Timeline);

impl Subject for Forgetful {
    fn act(&mut self, action: Action) {
        let _ = self.0.step(action);
    }

    fn undo(&mut self) {
        let items = self.0.items(self.0.here()).to_vec();
        if self.0.undo() {
            let kept = items.get(..1).unwrap_or_default();
            self.0.world_mut().toggle(kept);
        }
    }

    fn redo(&mut self) {
        self.0.redo();
    }

    fn goto(&mut self, pos: Pos) {
        self.0.goto(pos);
    }

    fn timeline(&self) -> &Timeline {
        &self.0
    }
}

/// Plays and checks after every move: the hash is the one this position had when it was made, and equals the hash
/// computed from nothing (every `scratch`-th move); in the end every position's hash equals that of a fresh world in
/// which only the steps leading there were done.
pub(crate) fn play(
    subject: &mut impl Subject,
    ops: &[Op],
    scratch: usize,
) -> Result<(), TestCaseError> {
    let start = subject.timeline().world().clone();
    let mut known = BTreeMap::from([(Pos::START, start.hash())]);
    for (i, &op) in ops.iter().enumerate() {
        make(subject, op);
        let (here, hash) = (subject.timeline().here(), subject.timeline().world().hash());
        let first = *known.entry(here).or_insert(hash);
        prop_assert_eq!(first, hash, "position {:?} after {:?}", here, op);
        if i % scratch == 0 || i + 1 == ops.len() {
            let graph = subject.timeline().world().graph();
            prop_assert_eq!(graph.hash_from_scratch(), hash, "after {:?}", op);
        }
    }
    for (pos, hash) in fresh(subject.timeline(), &start) {
        prop_assert_eq!(known.get(&pos), Some(&hash), "fresh replay of {:?}", pos);
    }
    Ok(())
}

pub(crate) fn make(subject: &mut impl Subject, op: Op) {
    let len = subject.timeline().len() as u64;
    match op {
        Op::Do(pick) => {
            let action = choose(subject.timeline(), pick);
            subject.act(action);
        }
        Op::Again(pick) => {
            let timeline = subject.timeline();
            let children = timeline.children(timeline.here());
            let known = children
                .get((pick % (children.len().max(1) as u64)) as usize)
                .and_then(|&c| timeline.action(c));
            let action = known.unwrap_or_else(|| choose(timeline, pick));
            subject.act(action);
        }
        Op::Undo => subject.undo(),
        Op::Redo => subject.redo(),
        Op::Goto(pick) => subject.goto(Pos((pick % len) as u32)),
        Op::Fork(pick, act) => {
            subject.goto(Pos((pick % len) as u32));
            let action = choose(subject.timeline(), act);
            subject.act(action);
        }
        Op::Finish => subject.finish(),
    }
}

/// The hash of every position, from fresh worlds: each chain of positions is played from a copy of its beginning.
fn fresh(timeline: &Timeline, start: &World) -> Vec<(Pos, StateHash)> {
    let mut hashes = vec![(Pos::START, start.hash())];
    let mut forks = vec![Pos::START];
    while let Some(fork) = forks.pop() {
        for child in timeline.children(fork) {
            let mut world = start.clone();
            let mut path = timeline.path(child);
            let mut at = child;
            loop {
                match timeline.children(at).as_slice() {
                    [] => break,
                    [one] => {
                        at = *one;
                        path.push(at);
                    }
                    _ => {
                        forks.push(at);
                        break;
                    }
                }
            }
            for pos in path.into_iter().skip(1) {
                let action = timeline.action(pos).expect("a step");
                world.apply(action).expect("it was possible");
                if pos >= child {
                    hashes.push((pos, world.hash()));
                }
            }
        }
    }
    hashes
}

/// An action at the current position: allowed if one is found in a few tries, else one that is refused.
pub(crate) fn choose(timeline: &Timeline, pick: u64) -> Action {
    let world = timeline.world();
    let (graph, me) = (world.graph(), world.me());
    let mut near: Vec<Ix> = [rel::HOLDS_RH, rel::HOLDS_LH, rel::CLOSE]
        .into_iter()
        .flat_map(|r| graph.targets(me, r))
        .collect();
    near.sort_unstable();
    let mut seed = pick;
    let mut next = |n: usize| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % n as u64) as usize
    };
    let mut action = Action {
        verb: 0,
        a: Ix::NONE,
        b: Ix::NONE,
    };
    for _ in 0..=next(24) {
        let verb = next(world.dialect().actions.len());
        let mut target = || {
            if near.is_empty() || next(4) == 0 {
                Ix(next(world.scene().len()) as u32)
            } else {
                near[next(near.len())]
            }
        };
        let arity = world.dialect().actions[verb].arity;
        action = Action {
            verb: verb as u8,
            a: if arity > 0 { target() } else { Ix::NONE },
            b: if arity > 1 { target() } else { Ix::NONE },
        };
        if world.check(action).is_ok() {
            break;
        }
    }
    action
}
