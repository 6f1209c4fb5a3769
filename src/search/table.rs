//! What a dialect tells the search: which action makes what true, and what each action needs.
//!
//! The table guides and is never believed: every action goes through the simulator, which alone says whether it is
//! allowed and what it changes. A test replays random states and holds table and simulator together.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::plan::fact::Fact;
use crate::safety::book::Shadow;
use crate::search::aims::Aims;
use crate::search::deeds::Deed;
use crate::search::least::Duty;
use crate::search::need::Need;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, ActionDef, World};

/// What kind of part an action plays in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It changes facts: always a candidate.
    Changes,
    /// It changes only where one looks: a candidate while somebody asks for that.
    Looks,
    /// It changes nothing: a candidate while a goal or a rule names it.
    Idle,
    /// Another action does the same.
    Alias,
}

/// An action that makes a need true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The action.
    pub action: Action,
    /// What must hold besides the action's own needs, so that it makes *this* true.
    pub also: [Option<Need>; 2],
}

impl Way {
    /// The action alone.
    pub const fn by(action: Action) -> Self {
        Self {
            action,
            also: [None; 2],
        }
    }

    /// The action, when this holds too.
    pub const fn when(action: Action, need: Need) -> Self {
        Self {
            action,
            also: [Some(need), None],
        }
    }

    /// The action, when both hold too.
    pub const fn when_both(action: Action, first: Need, second: Need) -> Self {
        Self {
            action,
            also: [Some(first), Some(second)],
        }
    }
}

/// What the functions of a table see.
#[derive(Clone, Copy)]
pub struct View<'s> {
    /// The world.
    pub world: &'s World,
    /// Tracked facts.
    pub shadow: &'s dyn Shadow,
    /// What is wanted.
    pub aims: &'s Aims,
    /// How far the ordered action goals have come.
    pub progress: usize,
    /// What was learned of rules; nothing where there are none.
    pub lore: Option<&'s Lore>,
}

/// What was learned of rules in a search.
#[derive(Clone, Debug, Default)]
pub struct Lore {
    /// What an action needs besides, so that it breaks no rule: of each, any list whole.
    pub(super) needs: FxHashMap<Action, Vec<Vec<Vec<Need>>>>,
    /// What begins or ends a tracked fact.
    pub(super) deeds: FxHashMap<Need, Vec<Deed>>,
    /// What rules wanted before the end.
    pub(super) wanted: BTreeSet<Need>,
    /// Actions that are not to be done.
    pub(super) banned: Vec<Action>,
}

/// A dialect's achiever table.
#[derive(Debug)]
pub struct Table {
    /// The dialect it is for.
    pub dialect: &'static str,
    /// The part an action plays, by its number.
    pub role: fn(u8) -> Role,
    /// Whether an action can ever be done with these nodes, whatever is done before.
    pub fits: fn(&World, Action) -> bool,
    /// Whether a need of the table's own kind holds.
    pub holds: fn(&View<'_>, u8, Ix) -> bool,
    /// The actions that make a need true, the most likely first.
    pub ways: fn(&View<'_>, Need, &mut Vec<Way>),
    /// What an action needs; `false` if it can never be allowed again.
    pub needs: fn(&View<'_>, Action, &mut Vec<Need>) -> bool,
    /// How far away a node is, roughly; small is better. Orders nodes that would do equally well.
    pub rank: fn(&World, Ix) -> u8,
    /// The nodes that may now be the first of two targets: what is held.
    pub firsts: fn(&World, &mut Vec<Ix>),
    /// An action that only lets time pass.
    pub wait: fn(&World) -> Option<Action>,
    /// Nodes that may stand in the way of a node or help with it: its containers and neighbours.
    pub around: fn(&World, Ix, &mut Vec<Ix>),
    /// What a fact that does not hold yet takes at least, proven; `None` where nobody proved anything.
    pub duties: Option<fn(&World, &Fact, &mut Vec<Duty>)>,
}

/// The number of an action, found when the program is built; the largest number stands for "no such action".
pub(super) const fn number(actions: &[&ActionDef], name: &str) -> u8 {
    let wanted = name.as_bytes();
    let mut verb = 0;
    while verb < actions.len() {
        let found = actions[verb].name.as_bytes();
        let mut i = 0;
        while i < wanted.len() && i < found.len() && wanted[i] == found[i] {
            i += 1;
        }
        if i == wanted.len() && i == found.len() {
            return verb as u8;
        }
        verb += 1;
    }
    u8::MAX
}
