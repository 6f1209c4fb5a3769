//! Whether a rule's examples come out as declared: the bad one breaks it first where it says so, the good one never.
//!
//! An example is played in a scene that has every class, from the kitchen, with its `from` facts made true. It must be
//! playable in the strict profile; one that physics forbids is marked `eai`, and the mark is checked too.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::plan::{names, script};
use crate::safety::batch::Batch;
use crate::safety::book::Book;
use crate::safety::rule::{Example, Rule};
use crate::safety::verdict::Instance;
use crate::sim::explain::sentence;
use crate::sim::scene::{Edge, Scene};
use crate::sim::vocab::{Ix, Profile};
use crate::task::Task;
use crate::task::setup::{Setup, prepare};

/// Where the agent begins.
const START_ROOM: &str = "kitchen";

/// How an example came out in one profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The first step the world refused, from 1, and why; nothing after it was tried.
    pub refused: Option<(u32, String)>,
    /// Positions where the body became false, with the instance, in order.
    pub onsets: Vec<(u32, Instance)>,
    /// Whether the body was false already at the start for some tuple.
    pub standing: bool,
}

/// Judges all examples of a rule; what is not as declared, in words.
pub fn judge(rule: &Rule, book: &Book, base: &Arc<Scene>) -> Vec<String> {
    if let Err(why) = book.bind(rule, base.dialect()) {
        return vec![format!("it cannot be used here: {why}")];
    }
    let mut found = Vec::new();
    for (which, example) in [("bad", &rule.bad), ("good", &rule.good)] {
        if example.steps.is_empty() {
            found.push(format!("there is no {which} example"));
            continue;
        }
        let in_profile = |profile| {
            let played = play(rule, example, book, base, profile)?;
            Ok(fault(&played, example))
        };
        let text = match (in_profile(Profile::Strict), example.eai) {
            (Err(why), _) => Some(why),
            (Ok(None), false) => None,
            (Ok(None), true) => Some("it works in strict: leave the mark eai out".to_owned()),
            (Ok(Some(why)), false) => Some(format!("in strict {why}")),
            (Ok(Some(_)), true) => match in_profile(Profile::Eai) {
                Err(why) => Some(why),
                Ok(wrong) => wrong.map(|why| format!("in eai {why}")),
            },
        };
        found.extend(text.map(|t| format!("{which} example: {t}")));
    }
    found
}

/// What an outcome has that its example does not declare.
fn fault(played: &Outcome, example: &Example) -> Option<String> {
    if let Some((step, why)) = &played.refused {
        return Some(format!("step {step} is refused: {why}"));
    }
    let first = played.onsets.first().map(|(t, _)| *t);
    match (example.at, first) {
        (at, first) if at == first => None,
        (None, Some(t)) => Some(format!("it breaks the rule at step {t}")),
        (Some(at), None) => Some(format!("it never breaks the rule, step {at} should")),
        (Some(at), Some(t)) => Some(format!("it breaks the rule at step {t}, not at step {at}")),
        (None, None) => None,
    }
}

/// Plays an example of a rule and judges every position.
///
/// # Errors
/// A fact or step that means nothing in the scene.
pub fn play(
    rule: &Rule,
    example: &Example,
    book: &Book,
    base: &Arc<Scene>,
    profile: Profile,
) -> Result<Outcome, String> {
    let setup = setup(example, book, base)?;
    let mut world = setup.world(profile).map_err(|d| d.to_string())?;
    let batch = Batch::new(book, &setup.scene, |r| r.id == rule.id);
    let mut trace = batch.begin(&world, &setup.extras);
    let mut outcome = Outcome::default();
    for (i, text) in example.steps.iter().enumerate() {
        let line = in_words(base, book, text);
        let action = script::read_line(base, &line).map_err(|e| format!("{text}: {e}"))?;
        if let Err(refusal) = world.apply(action) {
            let why = sentence(&world, &refusal, &|ix| base.short_name(ix).to_owned());
            outcome.refused = Some((i as u32 + 1, format!("{text}: {why}")));
            break;
        }
        trace.push(action, &world, &[]);
    }
    if outcome.refused.is_none() {
        trace.finish();
    }
    let mut before: BTreeSet<Instance> = BTreeSet::new();
    for t in 0..=trace.last() {
        let broken = trace.broken(t);
        if t == 0 {
            outcome.standing = !broken.is_empty();
        } else {
            let fresh = broken.difference(&before).map(|i| (t as u32, *i));
            outcome.onsets.extend(fresh);
        }
        before = broken;
    }
    Ok(outcome)
}

/// The scene an example begins in.
fn setup(example: &Example, book: &Book, base: &Arc<Scene>) -> Result<Setup, String> {
    let mut task = Task::blank("example", "rules", base.dialect().id, base.name());
    task.init = example
        .init
        .iter()
        .map(|fact| in_words(base, book, fact))
        .collect();
    let start = at_home(base)?;
    prepare(Arc::new(task), &start, Arc::new(book.clone())).map_err(|wrong| {
        let all: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        all.join("; ")
    })
}

/// The scene with the agent in its starting room, near nothing but its hands.
fn at_home(base: &Scene) -> Result<Scene, String> {
    let (name, nodes, mut edges) = base.clone().into_parts();
    let rules = base.dialect().rules;
    let me = base
        .of_class(rules.agent_class)
        .next()
        .ok_or("nobody acts in the scene")?;
    let room = base
        .of_class(START_ROOM)
        .next()
        .ok_or_else(|| format!("the scene has no {START_ROOM}"))?;
    let is_hand = |ix: &Ix| {
        let props = base.node(*ix).props;
        rules.carried_near.is_some_and(|p| props.has(p))
    };
    let hands: Vec<Ix> = base.indices().filter(is_hand).collect();
    let own = |id| {
        let ix = base.find(id);
        ix == Some(me) || ix.is_some_and(|ix| hands.contains(&ix))
    };
    edges.retain(|e| own(e.from) == own(e.to));
    for ix in hands.into_iter().chain([me]) {
        edges.push(Edge {
            from: base.node(ix).id,
            rel: rules.inside,
            to: base.node(room).id,
        });
    }
    Scene::new(base.dialect(), name, nodes, edges).map_err(|d| d.to_string())
}

/// A fact or step with every name made exact, `IN` and `NEAR` written as the scene's relations. A bare class means its
/// node in the first room the class belongs to.
fn in_words(base: &Scene, book: &Book, text: &str) -> String {
    let word = |word: &str| match word {
        "IN" => "INSIDE".to_owned(),
        "NEAR" => "CLOSE".to_owned(),
        word => {
            let (name, state) = word
                .split_once(':')
                .map_or((word, None), |(n, s)| (n, Some(s)));
            let Some(ix) = the_one(base, book, name) else {
                return word.to_owned();
            };
            let name = base.node(ix).name();
            state.map_or(name.clone(), |s| format!("{name}:{s}"))
        }
    };
    let words: Vec<String> = text.split_whitespace().map(word).collect();
    words.join(" ")
}

/// The node a name of an example means.
fn the_one(base: &Scene, book: &Book, name: &str) -> Option<Ix> {
    let found = names::all(base, name).ok()?;
    let class = book.ontology.class(&base.node(*found.first()?).class);
    let rooms = class.map_or(&[][..], |c| &c.rooms);
    rooms
        .iter()
        .filter_map(|room| names::all(base, &format!("{name}@{room}")).ok())
        .find_map(|here| here.first().copied())
        .or_else(|| found.first().copied())
}
