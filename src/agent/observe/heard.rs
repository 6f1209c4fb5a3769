//! What an observation says, read back, and which of it the world denies: a told state or relation of a known thing that is
//! not so where it was told.
//!
//! Only what is understood as a whole counts: a paragraph in which every line has one of the forms that [`super::View`]
//! writes, or is a plain sentence such as `microwave is closed`. Everything else was perhaps never meant as an observation.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::sim::reading::{self, has_edge, has_state};
use crate::sim::scene::Scene;
use crate::sim::vocab::{Dialect, Ix, Rel, State};
use crate::sim::world::World;

/// One thing that an observation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Claim {
    /// A thing has a state, or lacks it.
    State(Ix, State, bool),
    /// A relation holds, or does not.
    Edge(Ix, Rel, Ix, bool),
    /// Whoever acts has it in a hand, or has not.
    Holds(Ix, bool),
    /// Whoever acts has nothing in a hand.
    HandsEmpty,
    /// Whoever acts is in the room.
    In(Ix),
}

/// A claim that the world denies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    /// What was said: `microwave OPEN`.
    pub said: String,
    /// What is so: `CLOSED`.
    pub world: String,
    /// The thing it is about.
    pub node: Ix,
}

/// What our own prompts say before an observation.
const INTROS: [&str; 2] = ["What there is:", "The home is now like this:"];

/// The claims of a text about the things of a scene, in its order.
pub fn claims(scene: &Scene, me: Ix, text: &str) -> Vec<Claim> {
    let ear = Ear::new(scene, me);
    let mut all = Vec::new();
    for paragraph in paragraphs(text) {
        all.extend(ear.paragraph(&paragraph).unwrap_or_default());
    }
    all
}

/// The claims of a text that are not so where the world stands.
pub fn denied(world: &World, text: &str) -> Vec<Denied> {
    let mut told: Vec<Denied> = Vec::new();
    for claim in claims(world.scene(), world.me(), text) {
        if let Some(denied) = deny(world, claim)
            && !told.contains(&denied)
        {
            told.push(denied);
        }
    }
    told
}

/// Runs of lines without an empty one.
fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let mut all = vec![Vec::new()];
    for line in text.lines().map(str::trim) {
        if line.is_empty() {
            all.push(Vec::new());
        } else if let Some(last) = all.last_mut() {
            last.push(line);
        }
    }
    all.retain(|lines| !lines.is_empty());
    all
}

/// Who understands the words of one scene.
struct Ear {
    dialect: &'static Dialect,
    me: Ix,
    /// The names observations use, lower case.
    names: BTreeMap<String, Ix>,
    states: BTreeMap<String, State>,
    /// Words of relations with the relation, the longest first.
    relations: Vec<(String, Rel)>,
}

impl Ear {
    fn new(scene: &Scene, me: Ix) -> Self {
        let dialect = scene.dialect();
        let mut names = BTreeMap::new();
        for ix in scene.indices() {
            names.insert(scene.node(ix).name().to_lowercase(), ix);
            names.insert(scene.short_name(ix).to_lowercase(), ix);
        }
        names.insert("you".to_owned(), me);
        let word = |name: &str| name.to_lowercase().replace('_', " ");
        let states = (0u8..).zip(dialect.states);
        let mut relations: Vec<(String, Rel)> = Vec::new();
        for (i, name) in (0u8..).zip(dialect.relations) {
            relations.push((word(name), Rel(i)));
            if name.eq_ignore_ascii_case("close") {
                relations.push(("close to".to_owned(), Rel(i)));
            }
            if name.eq_ignore_ascii_case("nextto") {
                relations.push(("next to".to_owned(), Rel(i)));
            }
        }
        let ends = dialect.reading.ends.iter().filter(|end| end.out);
        relations.extend(ends.map(|end| (end.label.to_lowercase(), end.rel)));
        relations.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        Self {
            dialect,
            me,
            names,
            states: states.map(|(i, name)| (word(name), State(i))).collect(),
            relations,
        }
    }

    fn name(&self, text: &str) -> Option<Ix> {
        let text = text.trim().to_lowercase();
        let bare = text.strip_prefix("the ").unwrap_or(&text);
        self.names.get(bare).copied()
    }

    fn known(&self, text: &str) -> bool {
        self.name(text).is_some()
    }

    /// What a paragraph claims; `None` if one of its lines is not understood.
    fn paragraph(&self, lines: &[&str]) -> Option<Vec<Claim>> {
        let (first, rest) = lines.split_first()?;
        let introduced = INTROS.contains(first);
        let lines = if introduced { rest } else { lines };
        // A list of facts may as well be what somebody wishes, unless it says where whoever acts is.
        let is_fact = |line: &&str| self.fact(line).is_some();
        let about_me = |line: &&str| {
            let first = line.split([' ', ':']).next();
            first.and_then(|word| self.name(word)) == Some(self.me)
        };
        if !introduced && lines.iter().any(is_fact) && !lines.iter().any(about_me) {
            let signed = |line: &&str| line.starts_with(['+', '-']);
            if !lines.iter().all(signed) {
                return None;
            }
        }
        let mut all = Vec::new();
        for line in lines {
            all.extend(self.line(line)?);
        }
        Some(all)
    }

    /// What a line claims; `None` if it is not understood.
    fn line(&self, line: &str) -> Option<Vec<Claim>> {
        if line.starts_with('{') {
            return self.json(&serde_json::from_str(line).ok()?);
        }
        if let Some(thing) = line.strip_prefix("- ") {
            return self.thing(thing);
        }
        if let Some(fact) = self.fact(line) {
            return Some(vec![fact]);
        }
        if line == "now you see:" || line == "Elsewhere:" || line == "Nothing else is new." {
            return Some(Vec::new());
        }
        if let Some(room) = line.strip_prefix("In ").and_then(|l| l.strip_suffix(':')) {
            return self.known(room).then(Vec::new);
        }
        if let Some(told) = line.strip_prefix("now ") {
            return self.told(told, true);
        }
        if let Some(told) = line.strip_prefix("no longer ") {
            return self.told(told, false);
        }
        let mut all = Vec::new();
        for sentence in sentences(line) {
            all.extend(self.sentence(sentence)?);
        }
        Some(all)
    }

    /// `milk: dirty, inside fridge`, after the dash.
    fn thing(&self, text: &str) -> Option<Vec<Claim>> {
        let (name, said) = text.split_once(": ").unwrap_or((text, ""));
        let ix = self.name(name)?;
        let mut all = Vec::new();
        for item in said.split(", ").filter(|item| !item.is_empty()) {
            all.push(self.predicate(ix, item, true)?);
        }
        Some(all)
    }

    /// `not open`, `inside fridge`: what is said of a thing, or denied of it.
    fn predicate(&self, ix: Ix, text: &str, on: bool) -> Option<Claim> {
        let text = text.trim().trim_end_matches('.').to_lowercase();
        if let Some(state) = self.states.get(&text) {
            return Some(Claim::State(ix, *state, on));
        }
        if let Some(state) = text.strip_prefix("not ").and_then(|t| self.states.get(t)) {
            return Some(Claim::State(ix, *state, !on));
        }
        self.relations.iter().find_map(|(word, rel)| {
            let other = text.strip_prefix(word.as_str())?.strip_prefix(' ')?;
            Some(Claim::Edge(ix, *rel, self.name(other)?, on))
        })
    }

    /// `fridge is open`, `you hold milk`, `you are close to box, milk`; also as what is so no longer.
    fn told(&self, text: &str, on: bool) -> Option<Vec<Claim>> {
        let text = text.trim().trim_end_matches('.');
        if text == "you see:" {
            return Some(Vec::new());
        }
        for hold in [" hold ", " holds "] {
            if let Some((who, what)) = text.split_once(hold) {
                let what = self.names_in(what)?;
                return (self.name(who)? == self.me)
                    .then(|| what.into_iter().map(|ix| Claim::Holds(ix, on)).collect());
            }
        }
        for (close, joint) in [(" are ", "close to "), (" is ", "close to ")] {
            if let Some((who, what)) = text.split_once(close)
                && let Some(all) = what.strip_prefix(joint)
            {
                let who = self.name(who)?;
                let near = self.dialect.near;
                let all = self.names_in(all)?;
                return Some(
                    all.into_iter()
                        .map(|it| Claim::Edge(who, near, it, on))
                        .collect(),
                );
            }
        }
        let (who, said) = text
            .split_once(" is ")
            .or_else(|| text.split_once(" are "))?;
        Some(vec![self.predicate(self.name(who)?, said, on)?])
    }

    fn names_in(&self, text: &str) -> Option<Vec<Ix>> {
        let all = text.split(", ").flat_map(|part| part.split(" and "));
        all.map(|name| self.name(name)).collect()
    }

    /// A sentence without its full stop.
    fn sentence(&self, text: &str) -> Option<Vec<Claim>> {
        match text {
            "Your hands are empty" => return Some(vec![Claim::HandsEmpty]),
            "You are in no room" => return Some(Vec::new()),
            _ => {}
        }
        if let Some(room) = text.strip_prefix("You are in ") {
            return self.name(room).map(|room| vec![Claim::In(room)]);
        }
        if let Some(room) = text.strip_prefix("There is also ") {
            return self.known(room).then(Vec::new);
        }
        if let Some(held) = text.strip_prefix("You hold ") {
            let held = self.names_in(held)?;
            return Some(held.into_iter().map(|ix| Claim::Holds(ix, true)).collect());
        }
        if let Some(near) = text.strip_prefix("Within reach: ") {
            let (me, rel) = (self.me, self.dialect.near);
            let near = self.names_in(near)?;
            return Some(
                near.into_iter()
                    .map(|it| Claim::Edge(me, rel, it, true))
                    .collect(),
            );
        }
        if let Some(states) = text.strip_prefix("You are ") {
            let one = |state: &str| self.predicate(self.me, state, true);
            return states.split(", ").map(one).collect();
        }
        self.told(text, true)
    }

    /// A fact as files write it: `fridge:CLOSED`, `!fridge:OPEN`, `+milk INSIDE fridge`.
    fn fact(&self, text: &str) -> Option<Claim> {
        let (on, text) = match text.split_at_checked(1)? {
            ("+", rest) => (true, rest),
            ("-", rest) => (false, rest),
            _ => (true, text),
        };
        let (on, text) = match text.strip_prefix('!') {
            Some(rest) => (!on, rest),
            None => (on, text),
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            [one] => {
                let (name, state) = one.rsplit_once(':')?;
                let state = self.dialect.state(state)?;
                Some(Claim::State(self.name(name)?, state, on))
            }
            [from, rel, to] => {
                let rel = self.dialect.relation(rel)?;
                Some(Claim::Edge(self.name(from)?, rel, self.name(to)?, on))
            }
            _ => None,
        }
    }

    /// The graph forms.
    fn json(&self, value: &Value) -> Option<Vec<Claim>> {
        let texts = |name: &str| -> Option<Vec<&str>> {
            let list = value.get(name)?.as_array()?;
            list.iter().map(Value::as_str).collect()
        };
        if let (Some(now), Some(no_longer)) = (texts("now"), texts("no_longer")) {
            let mut all: Vec<Claim> = now
                .into_iter()
                .map(|t| self.fact(t))
                .collect::<Option<_>>()?;
            for text in no_longer {
                all.push(negated(self.fact(text)?));
            }
            return Some(all);
        }
        let mut all = Vec::new();
        for thing in value.get("things")?.as_array()? {
            let ix = self.name(thing.get("name")?.as_str()?)?;
            for state in thing.get("states")?.as_array()? {
                let state = state.as_str()?;
                let (on, state) = match state.strip_prefix('!') {
                    Some(rest) => (false, rest),
                    None => (true, state),
                };
                all.push(Claim::State(ix, self.dialect.state(state)?, on));
            }
            for (rel, others) in thing.get("relations")?.as_object()? {
                let rel = self.dialect.relation(rel)?;
                for other in others.as_array()? {
                    all.push(Claim::Edge(ix, rel, self.name(other.as_str()?)?, true));
                }
            }
        }
        for held in texts("holds")? {
            all.push(Claim::Holds(self.name(held)?, true));
        }
        Some(all)
    }
}

/// Sentences of a line, without their full stops.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let all = line
        .split(". ")
        .map(|part| part.trim().trim_end_matches('.'));
    all.filter(|part| !part.is_empty())
}

const fn negated(claim: Claim) -> Claim {
    match claim {
        Claim::State(n, s, on) => Claim::State(n, s, !on),
        Claim::Edge(from, rel, to, on) => Claim::Edge(from, rel, to, !on),
        Claim::Holds(n, on) => Claim::Holds(n, !on),
        same => same,
    }
}

/// What the world says against a claim; `None` where it agrees.
fn deny(world: &World, claim: Claim) -> Option<Denied> {
    let (graph, me, dialect) = (world.graph(), world.me(), world.dialect());
    let name = |ix: Ix| {
        if ix == me {
            "you".to_owned()
        } else {
            world.scene().short_name(ix).to_owned()
        }
    };
    let not = |on: bool| if on { "" } else { "not " };
    let holds = |ix: Ix| reading::held(graph, me).any(|held| held == ix);
    match claim {
        Claim::State(n, state, on) if has_state(graph, n, state) != on => {
            let word = dialect.state_name(state);
            let other = dialect.opposite(state).filter(|o| has_state(graph, n, *o));
            let world = match other {
                Some(is) if on => dialect.state_name(is).to_owned(),
                _ => format!("{}{word}", not(!on)),
            };
            Some(Denied {
                said: format!("{} {}{word}", name(n), not(on)),
                world,
                node: n,
            })
        }
        Claim::Edge(from, rel, to, on) if has_edge(graph, from, rel, to) != on => {
            // Nearness goes both ways, though it may be written once.
            if rel == dialect.near && has_edge(graph, to, rel, from) == on {
                return None;
            }
            let word = dialect.rel_name(rel);
            let elsewhere: Vec<String> = graph
                .targets(from, rel)
                .filter(|ix| !graph.hot(*ix).room)
                .take(2)
                .map(name)
                .collect();
            let world = if on && !elsewhere.is_empty() && rel != dialect.near {
                format!("{word} {}", elsewhere.join(", "))
            } else {
                format!("{}{word} {}", not(!on), name(to))
            };
            Some(Denied {
                said: format!("{} {}{word} {}", name(from), not(on), name(to)),
                world,
                node: from,
            })
        }
        Claim::Holds(n, on) if holds(n) != on => Some(Denied {
            said: format!("you {}HOLD {}", not(on), name(n)),
            world: format!("{}held", not(!on)),
            node: n,
        }),
        Claim::HandsEmpty => {
            let held: Vec<Ix> = reading::held(graph, me).collect();
            let first = *held.first()?;
            let held: Vec<String> = held.into_iter().map(name).collect();
            Some(Denied {
                said: "hands empty".to_owned(),
                world: format!("HOLD {}", held.join(", ")),
                node: first,
            })
        }
        Claim::In(room) if reading::room(graph, me) != Some(room) => Some(Denied {
            said: format!("you in {}", name(room)),
            world: reading::room(graph, me)
                .map_or_else(|| "in no room".to_owned(), |is| format!("in {}", name(is))),
            node: room,
        }),
        _ => None,
    }
}
