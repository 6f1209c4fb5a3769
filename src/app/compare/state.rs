//! In what two lanes differ at a row: facts, rules, goals.

use std::collections::BTreeMap;

use crate::app::parts::diff::{hand_letter, relation};
use crate::app::parts::{name, warnings};
use crate::app::role::Role;
use crate::compare::lane::Names;
use crate::safety::verdict::{Instance, Standing};
use crate::sim::graph::Change;
use crate::sim::vocab::Ix;
use crate::sim::world::World;

use super::{Compared, Side};

/// What a line is about; where `W` leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// Nothing that can be explained.
    Nothing,
    /// A rule for some nodes, in the lane where it speaks.
    Rule(usize, Instance),
    /// A goal by its index, in a lane.
    Goal(usize, usize),
    /// A node.
    Node(Ix),
}

/// One thing in which two lanes differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What is told: `microwave`, `F05 no metal …`, `bowl ON table`.
    pub subject: String,
    /// How it is in the first lane; a dash where it is not.
    pub a: String,
    /// How it is in the second.
    pub b: String,
    /// Both in words instead of signs.
    pub said: (String, String),
    /// What it is about.
    pub about: About,
    /// What it means.
    pub role: Role,
}

/// In what two lanes differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apart {
    /// Why nothing can be told, if so.
    pub why: String,
    /// Facts, one line a thing.
    pub facts: Vec<Line>,
    /// Facts of nearness and facing that nobody acts on and that are left out.
    pub quiet: usize,
    /// Rules that stand otherwise.
    pub rules: Vec<Line>,
    /// Goals that stand otherwise.
    pub goals: Vec<Line>,
}

/// What is not so.
const NOT: &str = "–";

impl Compared {
    /// In what two lanes differ in a row. Both runs are moved there.
    pub fn apart(&mut self, row: usize, (x, y): (usize, usize)) -> Apart {
        for lane in [x, y] {
            let pos = self.pos(row, lane);
            if let Some(side) = self.sides.get_mut(lane) {
                side.loaded.goto(pos);
            }
        }
        let (Some(a), Some(b)) = (self.sides.get(x), self.sides.get(y)) else {
            return Apart::default();
        };
        for (lane, side) in [(x, a), (y, b)] {
            let letter = Self::letter(lane);
            if let Err(why) = &side.loaded.run.again {
                return told(format!("{letter} cannot be played again: {why}"));
            }
            if !side.loaded.is_reached() {
                let pos = self.pos(row, lane);
                return told(format!("{letter}: the world does not get to s{pos}"));
            }
        }
        if self.names == Names::Classes {
            return Apart {
                rules: ids(a, b),
                ..told("the scenes are not the same: facts and goals are not compared".to_owned())
            };
        }
        let mut apart = facts(a, b);
        apart.rules = rules((x, a), (y, b));
        apart.goals = goals((x, a), (y, b));
        apart
    }
}

fn told(why: String) -> Apart {
    Apart {
        why,
        ..Apart::default()
    }
}

/// The facts, gathered by the thing they are about.
fn facts(a: &Side, b: &Side) -> Apart {
    let mut apart = Apart::default();
    let (Some(here), Some(there)) = (&a.loaded.there, &b.loaded.there) else {
        return apart;
    };
    let world = here.world();
    let dialect = world.dialect();
    let changes = crate::compare::state::apart(world.graph(), there.world().graph());
    let mut things: BTreeMap<Ix, [Vec<String>; 2]> = BTreeMap::new();
    for change in changes {
        let (node, words, second) = match change {
            Change::State(node, state, on) => (node, dialect.state_name(state).to_owned(), on),
            Change::Edge(from, rel, to, on) => {
                let near = rel == dialect.near;
                // Nearness is told of whoever acts, and once a pair.
                if near && from != world.me() || dialect.reading.glances.contains(&rel) {
                    apart.quiet += usize::from(!near);
                    continue;
                }
                let word = if near { "near" } else { relation(world, rel) };
                let hand = hand_letter(world, rel);
                (from, format!("{word} {}{hand}", name(world, to)), on)
            }
        };
        things.entry(node).or_default()[usize::from(second)].push(words);
    }
    let me = world.me();
    let mut all: Vec<(Ix, [Vec<String>; 2])> = things.into_iter().collect();
    // Whoever acts comes last: that they stand elsewhere is the least of it.
    all.sort_by_key(|(node, _)| *node == me);
    apart.facts = all
        .into_iter()
        .map(|(node, sides)| thing(world, node, &sides))
        .collect();
    apart
}

/// Facts named on either side before the rest is counted.
const NAMED: usize = 3;

fn thing(world: &World, node: Ix, [a, b]: &[Vec<String>; 2]) -> Line {
    let list = |all: &[String]| {
        let named: Vec<&str> = all.iter().take(NAMED).map(String::as_str).collect();
        match all.len() {
            0 => NOT.to_owned(),
            n if n > NAMED => format!("{}, {} more", named.join(", "), n - NAMED),
            _ => named.join(", "),
        }
    };
    let none = |words: String| {
        if words == NOT {
            "nothing".to_owned()
        } else {
            words
        }
    };
    Line {
        subject: name(world, node).to_owned(),
        said: (none(list(a)), none(list(b))),
        a: list(a),
        b: list(b),
        about: About::Node(node),
        role: Role::Change,
    }
}

/// Rules that stand otherwise, instance by instance.
fn rules((x, a): (usize, &Side), (y, b): (usize, &Side)) -> Vec<Line> {
    let (Some(here), Some(there)) = (&a.loaded.there, &b.loaded.there) else {
        return Vec::new();
    };
    let (ours, theirs) = (&here.warnings.all, &there.warnings.all);
    let mut lines = Vec::new();
    for warning in ours {
        let other = theirs.iter().find(|w| w.instance == warning.instance);
        let standing = other.map_or(Standing::Idle, |w| w.standing);
        if standing != warning.standing {
            lines.push(rule_line(
                here.world(),
                (x, warning),
                warning.standing,
                standing,
            ));
        }
    }
    for warning in theirs {
        if ours.iter().all(|w| w.instance != warning.instance) {
            lines.push(rule_line(
                there.world(),
                (y, warning),
                Standing::Idle,
                warning.standing,
            ));
        }
    }
    // What was broken weighs most.
    lines.sort_by_key(|(weight, line)| (std::cmp::Reverse(*weight), line.subject.clone()));
    lines.into_iter().map(|(_, line)| line).collect()
}

fn rule_line(
    world: &World,
    (lane, warning): (usize, &crate::task::episode::Warning),
    a: Standing,
    b: Standing,
) -> (u8, Line) {
    let broken = a == Standing::Violated || b == Standing::Violated;
    let nodes = warnings::nodes(world, &warning.bindings);
    let line = Line {
        subject: format!("{} {nodes}", warning.rule.id).trim().to_owned(),
        a: warnings::sign(a),
        b: warnings::sign(b),
        said: (warnings::word(a), warnings::word(b)),
        about: About::Rule(lane, warning.instance),
        role: if broken { Role::Bad } else { Role::Armed },
    };
    (u8::from(broken), line)
}

/// Rules that were broken on one way alone, by their ids: where scenes are not the same.
fn ids(a: &Side, b: &Side) -> Vec<Line> {
    let broken = |side: &Side| -> Vec<String> {
        let there = side.loaded.there.iter();
        let all = there.flat_map(|there| &there.warnings.all);
        let all = all.filter(|w| w.standing == Standing::Violated);
        let mut ids: Vec<String> = all.map(|w| w.rule.id.clone()).collect();
        ids.sort();
        ids.dedup();
        ids
    };
    let (ours, theirs) = (broken(a), broken(b));
    let sign = |has: bool| if has { "✗" } else { "·" }.to_owned();
    let word = |has: bool| if has { "violated" } else { "idle" }.to_owned();
    let mut all: Vec<&String> = ours.iter().chain(&theirs).collect();
    all.sort();
    all.dedup();
    all.retain(|id| ours.contains(id) != theirs.contains(id));
    all.into_iter()
        .map(|id| Line {
            subject: id.clone(),
            a: sign(ours.contains(id)),
            b: sign(theirs.contains(id)),
            said: (word(ours.contains(id)), word(theirs.contains(id))),
            about: About::Nothing,
            role: Role::Bad,
        })
        .collect()
}

/// Goals that stand otherwise.
fn goals((x, a): (usize, &Side), (_, b): (usize, &Side)) -> Vec<Line> {
    let (Some(here), Some(there)) = (&a.loaded.there, &b.loaded.there) else {
        return Vec::new();
    };
    let pairs = here.goals.iter().zip(&there.goals);
    let apart = pairs.filter(|(a, b)| a.row.mark != b.row.mark);
    apart
        .map(|(a, b)| Line {
            subject: a.row.short(),
            a: a.row.mark.glyph().sign.to_string(),
            b: b.row.mark.glyph().sign.to_string(),
            said: (
                a.row.mark.glyph().word.to_owned(),
                b.row.mark.glyph().word.to_owned(),
            ),
            about: About::Goal(x, a.row.goal),
            role: Role::Text,
        })
        .collect()
}
