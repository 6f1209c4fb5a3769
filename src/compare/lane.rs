//! One run as a lane: what happened on the way to where it is looked at, as keys that can be compared.

use crate::base::fold::{Key, StateHash};
use crate::task::episode::{Body, Event};

/// What a beat is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A step that was done.
    Step,
    /// An attempt that was refused.
    Refused,
    /// The run was called done, avoided or stopped.
    Ended,
}

/// One thing that happened, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// What it is.
    pub kind: Kind,
    /// The number of its event.
    pub seq: u32,
    /// The position the world stands at after it, numbered as recorded: the fourth step ever done makes position 4.
    pub pos: u32,
    /// The key of what was done; the same whether it was done or refused.
    pub act: Key,
    /// The state before it.
    pub before: StateHash,
    /// The state after it; the same where nothing was done.
    pub after: StateHash,
    /// The key of what holds after it: goals, and what else the caller told of.
    pub vector: Key,
}

/// Which nodes count as the same when actions are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// Nodes of one scene: by class and id.
    #[default]
    Exact,
    /// Nodes of different scenes: by class alone. States are not compared then either.
    Classes,
}

/// A run as a lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// The beats in order.
    pub beats: Vec<Beat>,
}

impl Lane {
    /// The way of a run from its start to the position made by the event `tip`, with what was refused on it and how it
    /// ended. `more` gives keys of what else holds after the event of that number, such as broken rules.
    pub fn new(events: &[Event], tip: u32, names: Names, more: &dyn Fn(u32) -> Vec<Key>) -> Self {
        let mut lane = Self::default();
        let mut before = StateHash::default();
        let mut vector = Key::of("");
        for place in way(events, tip) {
            let Some(event) = events.get(place.seq as usize) else {
                continue;
            };
            let state = |hash: StateHash| match names {
                Names::Exact => hash,
                // The number makes every state of a lane its own: nothing of another scene equals it.
                Names::Classes => StateHash::default(),
            };
            if let Some(goals) = event.body.goals() {
                // Goals of different tasks say nothing of each other, whatever their numbers are.
                let goals = goals.iter().filter(|_| names == Names::Exact);
                vector = goals
                    .map(|g| Key::of_number(u64::from(*g)))
                    .chain(more(event.seq))
                    .fold(Key::of("holds"), |all, key| all ^ key);
            }
            if let Some((kind, act)) = act(&event.body, names) {
                lane.beats.push(Beat {
                    kind,
                    seq: event.seq,
                    pos: place.pos,
                    act,
                    before: state(before),
                    after: state(event.hash),
                    vector,
                });
            }
            before = event.hash;
        }
        lane
    }
}

/// An event on the way, and the position after it.
struct Place {
    seq: u32,
    pos: u32,
}

/// The events from the start to a position, with those that happened at its positions, in the order of the way.
fn way(events: &[Event], tip: u32) -> Vec<Place> {
    let mut numbers = vec![None; events.len()];
    let mut count = 0_u32;
    for event in events.iter().filter(|e| e.body.makes_position()) {
        if let Some(number) = numbers.get_mut(event.seq as usize) {
            *number = Some(count);
            count += 1;
        }
    }
    let mut on_way = vec![false; events.len()];
    let mut at = Some(tip);
    while let Some(event) = at.and_then(|seq| events.get(seq as usize)) {
        // Parents are always earlier events, so this ends.
        if let Some(mark) = on_way.get_mut(event.seq as usize) {
            *mark = true;
        }
        at = event.parent.filter(|up| *up < event.seq);
    }
    let is_on = |seq: u32| on_way.get(seq as usize).copied().unwrap_or(false);
    let position = |seq: u32| numbers.get(seq as usize).copied().flatten();
    let mut places: Vec<(u32, bool, u32)> = events
        .iter()
        .filter_map(|event| {
            if event.body.makes_position() {
                return is_on(event.seq).then(|| (position(event.seq), false, event.seq));
            }
            let up = event.parent?;
            is_on(up).then(|| (position(up), true, event.seq))
        })
        .filter_map(|(pos, aside, seq)| Some((pos?, aside, seq)))
        .collect();
    // A position's own event first, then what happened there, whenever it did.
    places.sort_unstable();
    places
        .into_iter()
        .map(|(pos, _, seq)| Place { seq, pos })
        .collect()
}

fn act(body: &Body, names: Names) -> Option<(Kind, Key)> {
    let key = |kind: &str, text: &str| Key::of(kind).with(Key::of(&plain(text, names)));
    Some(match body {
        Body::Step { action, .. } => (Kind::Step, key("act", action)),
        Body::Refused { action, .. } => (Kind::Refused, key("act", action)),
        Body::Done { .. } => (Kind::Ended, key("ended", "done")),
        Body::Avoid { .. } => (Kind::Ended, key("ended", "avoid")),
        Body::Stopped { cause, .. } => (Kind::Ended, key("ended", cause)),
        Body::Start { .. } | Body::Goto { .. } | Body::Branch | Body::Remark(_) => return None,
    })
}

/// An action with small letters and single spaces; without the ids of nodes where only classes count.
fn plain(action: &str, names: Names) -> String {
    let mut words: Vec<String> = action.split_whitespace().map(str::to_lowercase).collect();
    if names == Names::Classes {
        let is_id = |word: &str| {
            let inner = word.strip_prefix('(').and_then(|w| w.strip_suffix(')'));
            inner.is_some_and(|w| {
                !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit() || b == b'.')
            })
        };
        words.retain(|word| !is_id(word));
    }
    words.join(" ")
}
