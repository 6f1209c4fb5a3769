//! A glance of a run says what the whole episode says, wherever the run goes.

use std::sync::Arc;

use proptest::prelude::*;
use vesta::base::diag::Diagnostic;
use vesta::safety::verdict::Standing;
use vesta::sim::vocab::Profile;
use vesta::store::library::Library;
use vesta::task::episode::{Episode, Event, Glance, Warning};
use vesta::task::setup::Setup;

use super::runner;
use super::subject::{Op, Recorded, make};

/// Mostly acts, so that runs become longer than what a glance keeps.
fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        60 => any::<u64>().prop_map(Op::Do),
        6 => Just(Op::Undo),
        4 => Just(Op::Redo),
        2 => any::<u64>().prop_map(Op::Again),
        1 => any::<u64>().prop_map(Op::Goto),
        1 => (any::<u64>(), any::<u64>()).prop_map(|(a, b)| Op::Fork(a, b)),
        1 => Just(Op::Finish),
    ];
    prop::collection::vec(op, 80..200)
}

/// The events that lead to one, oldest first.
fn way(events: &[Event], to: u32) -> Vec<&Event> {
    let one = |seq: u32| &events[seq as usize];
    let mut way: Vec<&Event> = std::iter::successors(Some(one(to)), |e| e.parent.map(one))
        .filter(|e| e.body.makes_position())
        .collect();
    way.reverse();
    way
}

/// Everything a row tells of the rules.
fn rules(all: &[Warning]) -> Vec<String> {
    let one = |w: &Warning| {
        let (rule, bindings) = (&w.rule.id, &w.bindings);
        format!("{rule} {:?} {:?} {bindings:?}", w.grade, w.standing)
    };
    all.iter().map(one).collect()
}

/// What was met on the way, so that nothing is compared in vain.
#[derive(Default)]
struct Met {
    walks: u32,
    violated: u32,
    pending: u32,
    muted: u32,
}

fn follow(setup: &Arc<Setup>, ops: &[Op], met: &mut Met) -> Result<(), TestCaseError> {
    let (episode, start) = Episode::start(setup.clone(), Profile::Strict).expect("somebody acts");
    let mut played = Recorded {
        episode,
        events: vec![start],
    };
    for (i, op) in ops.iter().enumerate() {
        make(&mut played, *op);
        if i % 50 == 7 {
            let event = played.episode.mute("F05");
            played.events.push(event);
        }
    }
    let mut whole = Episode::awaiting(setup.clone(), Profile::Strict).expect("somebody acts");
    let mut glance = Glance::new(setup.clone(), Profile::Strict).expect("somebody acts");
    for (i, event) in played.events.iter().enumerate() {
        whole.again(event, &mut Vec::new());
        glance.take(event);
        // Whoever looks seldom walks seldom, and later than the run went.
        if glance.away().is_some() && i % 3 != 0 {
            continue;
        }
        met.walks += u32::from(glance.away().is_some());
        let walk = |to: u32, each: &mut dyn FnMut(&Event)| -> Result<(), Diagnostic> {
            way(&played.events, to).into_iter().for_each(each);
            Ok(())
        };
        glance.walk(walk).expect("somebody acts");
        let here = whole.here();
        prop_assert_eq!(glance.steps() as usize, whole.timeline().depth(here));
        prop_assert_eq!(glance.world().hash(), whole.timeline().world().hash());
        prop_assert_eq!(glance.last(), whole.timeline().action(here));
        prop_assert_eq!(glance.holding(), whole.holding(here));
        prop_assert_eq!(glance.muted(), whole.muted());
        prop_assert_eq!(glance.judgement(), whole.judgement());
        let all = whole.warnings();
        prop_assert_eq!(rules(&glance.warnings()), rules(&all));
        met.violated += u32::from(all.iter().any(|w| w.standing == Standing::Violated));
        let runs = |w: &Warning| matches!(w.standing, Standing::Pending(_));
        met.pending += u32::from(all.iter().any(runs));
        met.muted += u32::from(!whole.muted().is_empty());
    }
    Ok(())
}

#[test]
fn a_glance_tells_what_the_episode_tells() {
    let setup = Arc::new(Library::open(None).load("V022").unwrap());
    let mut met = std::cell::RefCell::new(Met::default());
    runner(40)
        .run(&ops(), |ops| follow(&setup, &ops, &mut met.borrow_mut()))
        .unwrap();
    let met = met.get_mut();
    let seen = (met.walks, met.violated, met.pending, met.muted);
    assert!(
        met.walks > 20 && met.violated > 200 && met.pending > 200 && met.muted > 200,
        "{seen:?}"
    );
}
