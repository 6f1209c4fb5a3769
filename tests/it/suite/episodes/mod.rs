//! Random play keeps every promise about positions, hashes and recorded events, on made-up scenes and on the flat.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use vesta::formats::run::{event_line, read_events};
use vesta::sim::timeline::{Pos, Timeline};
use vesta::sim::vocab::Profile;
use vesta::sim::world::World;
use vesta::task::episode::{Body, Episode, Event, Move, replay};
use vesta::task::setup::Setup;

mod glances;
mod scenes;
mod subject;

use subject::{Forgetful, Op, Recorded, Subject, ops, play};

fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn recorded(setup: &Arc<Setup>) -> Recorded {
    let (episode, start) = Episode::start(setup.clone(), Profile::Eai).expect("somebody acts");
    Recorded {
        episode,
        events: vec![start],
    }
}

fn flat() -> Arc<Setup> {
    scenes::setup(
        scenes::flat(),
        &["fridge:OPEN", "DO GRAB|TOUCH"],
        &["!stove:ON", "microwave:OFF"],
    )
}

/// Everything two episodes can be asked, compared.
fn same(a: &Episode, b: &Episode) -> Result<(), TestCaseError> {
    let (ta, tb) = (a.timeline(), b.timeline());
    prop_assert_eq!(ta.len(), tb.len());
    prop_assert_eq!(a.here(), b.here());
    prop_assert_eq!(ta.world().hash(), tb.world().hash());
    prop_assert_eq!(ta.next(), tb.next());
    prop_assert_eq!(a.branches(), b.branches());
    prop_assert_eq!(a.attempts(), b.attempts());
    prop_assert_eq!(a.ending(), b.ending());
    prop_assert_eq!(a.events(), b.events());
    for pos in (0..ta.len() as u32).map(Pos) {
        prop_assert_eq!(ta.parent(pos), tb.parent(pos));
        prop_assert_eq!(ta.action(pos), tb.action(pos));
        prop_assert_eq!(ta.items(pos), tb.items(pos));
        prop_assert_eq!(a.seq(pos), b.seq(pos));
        prop_assert_eq!(a.pos(a.seq(pos).expect("a number")), Some(pos));
        prop_assert_eq!(a.ledger().progress(pos), b.ledger().progress(pos));
        for goal in 0..a.ledger().goals().goals.len() {
            prop_assert_eq!(a.ledger().holds(goal, pos), b.ledger().holds(goal, pos));
        }
    }
    Ok(())
}

/// Writes the events, reads them back, plays them again: the same tree.
fn round_trip(played: &Recorded) -> Result<(), TestCaseError> {
    let text: String = played.events.iter().map(event_line).collect();
    let read = read_events(text.as_bytes());
    prop_assert_eq!(&read.findings, &[]);
    prop_assert_eq!(read.good, text.len());
    prop_assert_eq!(&read.items, &played.events);
    let setup = played.episode.setup().clone();
    let (again, drifts) = replay(setup, Profile::Eai, &read.items).expect("somebody acts");
    prop_assert_eq!(drifts, vec![]);
    same(&played.episode, &again)
}

fn whole(setup: &Arc<Setup>, ops: &[Op], scratch: usize) -> Result<(), TestCaseError> {
    let mut played = recorded(setup);
    play(&mut played, ops, scratch)?;
    round_trip(&played)
}

#[test]
fn random_play_in_made_up_scenes() {
    runner(9_000)
        .run(&(scenes::made_up(), ops()), |(setup, ops)| {
            whole(&setup, &ops, 1)
        })
        .unwrap();
}

#[test]
fn random_play_in_the_flat() {
    let setup = flat();
    runner(1_000)
        .run(&ops(), |ops| whole(&setup, &ops, 10))
        .unwrap();
}

/// The same checks catch an undo that forgets one item.
#[test]
fn a_forgetful_undo_is_caught() {
    let setup = flat();
    let caught = runner(1_000).run(&ops(), |ops| {
        let world = World::new(&setup.scene, Profile::Eai).expect("somebody acts");
        play(&mut Forgetful(Timeline::new(world)), &ops, 10)
    });
    assert!(caught.is_err(), "the planted fault went unseen");
}

/// Replaying names the first event that does not fit, whatever was altered.
#[test]
fn altered_events_drift() {
    let setup = flat();
    let mut played = recorded(&setup);
    for pick in 0..60 {
        let action = subject::choose(played.timeline(), pick);
        played.act(action);
    }
    let steps: Vec<usize> = (0..played.events.len())
        .filter(|&i| played.events[i].body.makes_position())
        .collect();
    assert!(steps.len() > 10, "only {} steps", steps.len());
    for &i in &steps {
        let mut events: Vec<Event> = played.events.clone();
        events[i].hash = vesta::base::fold::StateHash::default();
        let (_, drifts) = replay(setup.clone(), Profile::Eai, &events).unwrap();
        let seqs: Vec<u32> = drifts.iter().map(|d| d.seq).collect();
        assert_eq!(seqs, [i as u32]);
    }
}

/// Events that fit together in form but tell nonsense: replay names what differs and never panics.
#[test]
fn nonsense_is_replayed_without_a_panic() {
    let changes = prop::collection::vec((any::<u32>(), any::<u32>(), 0..5_u8), 1..8);
    let strategy = (scenes::made_up(), ops(), changes);
    runner(500)
        .run(&strategy, |(setup, ops, changes)| {
            let mut played = recorded(&setup);
            play(&mut played, &ops, 1)?;
            let mut events = played.events;
            for (at, other, what) in changes {
                let n = events.len() as u32;
                let (at, other) = ((at % n) as usize, other % n);
                match what {
                    0 => events[at].parent = Some(other),
                    1 => events[at].branch = format!("main-{other}").into(),
                    2 => events[at].body = events[other as usize].body.clone(),
                    3 => events[at].hash = events[other as usize].hash,
                    _ => {
                        let (to, how) = (other, Move::Goto);
                        events[at].body = Body::Goto { to, how };
                    }
                }
            }
            let (again, drifts) = replay(setup, Profile::Eai, &events).expect("somebody acts");
            for drift in &drifts {
                prop_assert!(!drift.to_string().is_empty());
            }
            let graph = again.timeline().world().graph();
            prop_assert_eq!(graph.hash_from_scratch(), graph.hash());
            Ok(())
        })
        .unwrap();
}
