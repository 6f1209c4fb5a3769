//! How many steps any plan must have: a lower bound that is proven, not searched for.
//!
//! A *duty* is a set of doings, at least one of which every plan that reaches the goals does. A step of a plan is one doing at
//! most, so duties that share no doing are met by different steps, and so many steps there are at least. Each dialect says
//! which duties a fact brings along that does not hold yet ([`crate::search::table::Table::duties`]), and proves there why.
//!
//! - *Goals with several ways*: whichever way a plan takes, it meets the duties of that way. What is a duty in every way is
//!   one of the goal; of the rest, taking one from each way and joining them gives a duty again: the plan meets the part
//!   that its own way put in. So many can be made as the way with the fewest has left.
//! - *There and back*: where a state must be given to a thing and no other doing would do, and the goals want the thing without
//!   it as it is now, it must be taken away again.
//!
//! A plan is meant in which every step succeeds. Goals whose ways are not known ask for nothing here, which only lowers the
//! bound.

use crate::plan::bddl::Reading;
use crate::plan::fact::{Body, Fact};
use crate::plan::goal::{Ask, Goal, GoalSet};
use crate::search::table_of;
use crate::sim::vocab::{Dialect, Ix, State};
use crate::sim::world::World;

/// What a step does to a thing. A step of a plan is one of these at most, to one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doing {
    /// Takes it into a hand.
    Take(Ix),
    /// Puts it somewhere out of a hand.
    Put(Ix),
    /// Cleans it.
    Clean(Ix),
    /// Gives it a state or takes one from it, by the action that is there for that alone.
    Turn(Ix, State, bool),
}

impl Doing {
    /// What kind of doing it is, for counting.
    const fn kind(self) -> u8 {
        match self {
            Self::Take(_) => 0,
            Self::Put(_) => 1,
            Self::Clean(_) => 2,
            Self::Turn(..) => 3,
        }
    }
}

/// Doings of which every plan does at least one, ascending.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duty(Vec<Doing>);

impl Duty {
    /// A duty that any of these doings meets; `None` where nothing would.
    pub fn any(mut doings: Vec<Doing>) -> Option<Self> {
        doings.sort_unstable();
        doings.dedup();
        (!doings.is_empty()).then_some(Self(doings))
    }

    /// The doings that would meet it.
    pub fn doings(&self) -> &[Doing] {
        &self.0
    }

    fn kind(&self) -> u8 {
        self.0.first().map_or(u8::MAX, |d| d.kind())
    }

    fn shares(&self, taken: &[Doing]) -> bool {
        self.0.iter().any(|d| taken.contains(d))
    }
}

/// A lower bound with what it is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Least {
    /// Duties that share no doing: no plan has fewer steps than these are.
    pub duties: Vec<Duty>,
}

impl Least {
    /// The fewest steps a plan may have.
    pub const fn steps(&self) -> usize {
        self.duties.len()
    }

    /// What it is made of, in words: `25 to take up, 25 to put down, 2 to make open`.
    pub fn words(&self, dialect: &Dialect) -> String {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for duty in &self.duties {
            let what = match duty.0.first() {
                Some(Doing::Take(_)) => "to take up".to_owned(),
                Some(Doing::Put(_)) => "to put down".to_owned(),
                Some(Doing::Clean(_)) => "to clean".to_owned(),
                Some(Doing::Turn(_, state, to)) => {
                    let not = if *to { "" } else { "not " };
                    let state = dialect.state_name(*state).to_lowercase().replace('_', " ");
                    format!("to make {not}{state}")
                }
                None => continue,
            };
            match counts.iter_mut().find(|(w, _)| *w == what) {
                Some((_, n)) => *n += 1,
                None => counts.push((what, 1)),
            }
        }
        let told: Vec<String> = counts.iter().map(|(w, n)| format!("{n} {w}")).collect();
        told.join(", ")
    }
}

/// How many ways to a goal are looked at; a goal with more asks for nothing.
const WAYS: usize = 2_000;

/// A lower bound on the steps of plans from where the world stands. Zero where nothing can be proven.
pub fn least(world: &World, goals: &GoalSet) -> Least {
    let table = table_of(world.dialect()).filter(|_| world.happenings().is_empty());
    let Some(duties) = table.and_then(|t| t.duties) else {
        return Least::default();
    };
    let ways: Vec<Vec<Vec<Fact>>> = goals.goals.iter().filter_map(ways).collect();
    let mut all: Vec<Duty> = Vec::new();
    for goal in &ways {
        let of_way = |way: &Vec<Fact>| {
            let mut found = Vec::new();
            let open = way.iter().filter(|f| !f.holds(world.graph(), &()));
            open.for_each(|fact| duties(world, fact, &mut found));
            found.sort();
            found.dedup();
            found
        };
        all.extend(joined(goal.iter().map(of_way).collect()));
    }
    let mut least = Least::default();
    let mut taken = Vec::new();
    // Those that few doings meet get in the way of others least.
    all.sort_by(|a, b| (a.0.len(), a).cmp(&(b.0.len(), b)));
    for duty in all {
        least.take(duty, &mut taken);
    }
    for duty in returns(world, &ways, &least.duties) {
        least.take(duty, &mut taken);
    }
    least.duties.sort_by_key(|d| (d.kind(), d.clone()));
    least
}

impl Least {
    fn take(&mut self, duty: Duty, taken: &mut Vec<Doing>) {
        if !duty.shares(taken) {
            taken.extend_from_slice(&duty.0);
            self.duties.push(duty);
        }
    }
}

/// The ways to a goal, each a list of facts that hold together; `None` where they are not known in full.
fn ways(goal: &Goal) -> Option<Vec<Vec<Fact>>> {
    match &goal.ask {
        Ask::Fact(fact) => Some(vec![vec![fact.clone()]]),
        Ask::All(facts) => Some(vec![facts.clone()]),
        Ask::Formula(bound) => match (bound.conjunction(), bound.reading, bound.options()) {
            (Some(facts), ..) => Some(vec![facts.to_vec()]),
            (None, Reading::Published, Some(all)) if all.len() <= WAYS => {
                Some(bound.ways().collect())
            }
            _ => None,
        },
        Ask::Done(_) | Ask::Never(_) => None,
    }
}

/// What every way has in common, and as many joined duties as the way with the fewest others gives.
fn joined(mut ways: Vec<Vec<Duty>>) -> Vec<Duty> {
    let Some(first) = ways.first().cloned() else {
        return Vec::new();
    };
    let everywhere = |duty: &Duty| ways.iter().all(|way| way.contains(duty));
    let mut all: Vec<Duty> = first.into_iter().filter(everywhere).collect();
    for way in &mut ways {
        way.retain(|duty| !all.contains(duty));
    }
    // Like is joined with like, so that the joined ones share as little as possible.
    for kind in 0..=3 {
        let of_kind: Vec<Vec<&Duty>> = ways
            .iter()
            .map(|way| way.iter().filter(|d| d.kind() == kind).collect())
            .collect();
        let fewest = of_kind.iter().map(Vec::len).min().unwrap_or(0);
        for i in 0..fewest {
            let parts = of_kind.iter().filter_map(|way| way.get(i));
            let doings = parts.flat_map(|d| d.0.iter().copied()).collect();
            all.extend(Duty::any(doings));
        }
    }
    all
}

/// States that must be given or taken, are wanted at the end as they are now, and so must be turned back.
fn returns(world: &World, goals: &[Vec<Vec<Fact>>], duties: &[Duty]) -> Vec<Duty> {
    let sole = duties.iter().filter_map(|d| match d.0.as_slice() {
        [Doing::Turn(x, state, to)] => Some((*x, *state, *to)),
        _ => None,
    });
    let back = |&(x, state, to): &(Ix, State, bool)| {
        let as_now = Fact {
            negated: to,
            body: Body::State(vec![x], state),
        };
        let wanted = |ways: &Vec<Vec<Fact>>| {
            !ways.is_empty() && ways.iter().all(|way| way.contains(&as_now))
        };
        as_now.holds(world.graph(), &()) && goals.iter().any(wanted)
    };
    sole.filter(back)
        .filter_map(|(x, state, to)| Duty::any(vec![Doing::Turn(x, state, !to)]))
        .collect()
}

#[cfg(test)]
mod tests;
