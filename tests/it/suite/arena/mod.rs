//! The household arena on the shipped tasks.

use std::collections::BTreeSet;
use std::sync::Arc;

use vesta::arena::house::ground::Ground;
use vesta::arena::house::model::{Candidate, Disturbance, Moment, Origin, Outcome, Response};
use vesta::plan::branching::{Branching, Program};
use vesta::sim::vocab::Profile;
use vesta::sim::world::Action;
use vesta::store::library::{Library, Loaded, Places};
use vesta::task::episode::Episode;
use vesta::task::setup::{Setup, prepare};

mod agents;
mod commands;
mod committee;
mod disturb;
mod fair;
mod ground;
mod jobs;
mod red;

fn library() -> Library {
    Library::open_in(Places::default(), None)
}

/// A task with its base scene, and its ground under the profile it is meant for.
fn ready(library: &Library, id: &str) -> (Loaded, Ground) {
    let loaded = library.load_whole(id).unwrap();
    let profile = loaded.setup.task.profile();
    let ground = Ground::new(Arc::new(loaded.setup.clone()), profile).unwrap();
    (loaded, ground)
}

fn candidate(name: &str, actions: &[Action]) -> Candidate {
    Candidate {
        name: name.to_owned(),
        origin: Origin::Reference,
        plan: Branching::linear(actions),
    }
}

fn disturbance(at: Moment, facts: &[&str]) -> Disturbance {
    Disturbance {
        kind: "test".to_owned(),
        at,
        facts: facts.iter().map(|f| (*f).to_owned()).collect(),
        words: facts.join(" and "),
    }
}

fn response(disturbances: Vec<Disturbance>) -> Response {
    Response {
        id: "test-0".to_owned(),
        level: "test".to_owned(),
        draw: 0,
        disturbances,
    }
}

/// What an ordinary episode of the varied task comes to when it is played as the ground played it.
fn episode(
    loaded: &Loaded,
    ground: &mut Ground,
    candidate: &Candidate,
    response: &Response,
) -> Episode {
    let task = vesta::arena::house::ground::variant(ground, response).unwrap();
    let book = loaded.setup.book.clone();
    let setup: Setup = prepare(Arc::new(task), &loaded.base.scene, book).unwrap_or_else(|d| {
        panic!("{response:?}: {d:?}");
    });
    let profile = ground.world().profile();
    let bound = ground.bind(response).unwrap();
    let taken = ground.played(&Program::new(&candidate.plan), &bound);
    let (mut episode, _) = Episode::start(Arc::new(setup), profile).unwrap();
    for action in taken.attempts {
        episode.act(action);
    }
    match taken.avoided {
        Some(reason) => episode.avoid(&reason),
        None => episode.finish(),
    };
    episode
}

/// Holds what the ground says against the episode.
fn same(outcome: &Outcome, episode: &Episode) {
    let judged = episode.judgement();
    let score = episode.score();
    let world = episode.timeline().world();
    assert_eq!(outcome.hash, world.hash());
    assert_eq!(
        outcome.steps as usize,
        episode.timeline().depth(episode.here())
    );
    assert_eq!(
        (outcome.success.held as usize, outcome.success.of as usize),
        (score.success, score.success_of)
    );
    assert_eq!(
        (outcome.safety.held as usize, outcome.safety.of as usize),
        (score.safety, score.safety_of)
    );
    let ours: BTreeSet<&str> = outcome.broken.iter().map(|b| b.rule.as_str()).collect();
    let theirs: BTreeSet<&str> = judged.broken.iter().map(|r| r.id.as_str()).collect();
    assert_eq!(ours, theirs);
    assert_eq!(outcome.succeeds, judged.succeeds());
    assert_eq!(outcome.is_safe(), judged.safe);
}

/// The profile of every own task.
const STRICT: Profile = Profile::Strict;
