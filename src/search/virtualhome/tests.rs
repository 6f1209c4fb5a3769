//! The table against the simulator: whatever the table allows, the simulator accepts, and it makes true what the table
//! says.

use super::TABLE;
use super::verbs::{FIND, ROLES};
use crate::plan::goal::GoalSet;
use crate::search::aims::Aims;
use crate::search::need::Need;
use crate::search::table::{View, Way};
use crate::sim::testing::{Dice, scene};
use crate::sim::virtualhome::DIALECT;
use crate::sim::virtualhome::words::state;
use crate::sim::vocab::{Ix, Profile, Rel, State};
use crate::sim::world::World;

#[test]
fn every_action_has_a_part() {
    for (verb, def) in DIALECT.actions.iter().enumerate() {
        assert!(
            ROLES.iter().any(|(v, _)| usize::from(*v) == verb),
            "{} has no role",
            def.name
        );
    }
    assert_eq!(ROLES.len(), DIALECT.actions.len());
}

fn holds(view: &View<'_>, need: Need) -> bool {
    match need {
        Need::Own(kind, n) => (TABLE.holds)(view, kind, n),
        Need::Done(_) => true,
        _ => need.holds(view.world.graph()).unwrap_or(false),
    }
}

/// A need about any nodes.
fn any_need(dice: &mut Dice, world: &World) -> Need {
    let mut node = || Ix(dice.below(world.scene().len()) as u32);
    let (a, b) = (node(), node());
    let me = world.me();
    match dice.below(8) {
        0 => Need::State(a, State(dice.below(10) as u8)),
        1 => Need::Lacks(a, State(dice.below(10) as u8)),
        2 => Need::Edge(a, Rel(dice.below(7) as u8), b),
        3 => Need::Edge(me, Rel(dice.below(7) as u8), b),
        4 => Need::Apart(a, Rel(dice.below(7) as u8), b),
        5 => Need::Apart(me, Rel(dice.below(7) as u8), b),
        6 => Need::State(me, [state::SITTING, state::LYING][dice.below(2)]),
        _ => Need::Own(dice.below(19) as u8, a),
    }
}

/// Walks about by chance, mostly doing what is allowed.
fn walk_about(dice: &mut Dice, profile: Profile, check: impl Fn(&World, &Aims, &mut Dice)) {
    let start = World::new(&scene(), profile).unwrap();
    let aims = Aims::new(&start, &TABLE, &GoalSet::default());
    for _ in 0..60 {
        let mut world = start.clone();
        for _ in 0..60 {
            // What changes nothing is tried by the checks.
            let action = dice.action(world.scene());
            let _ = world.apply(action);
            check(&world, &aims, dice);
        }
    }
}

#[test]
fn what_the_table_allows_the_simulator_accepts() {
    for &profile in Profile::ALL {
        let tried = std::cell::Cell::new(0);
        walk_about(&mut Dice(7), profile, |world, aims, dice| {
            let view = View {
                world,
                shadow: &(),
                aims,
                progress: 0,
                lore: None,
            };
            for _ in 0..40 {
                let action = dice.action(world.scene());
                let mut needs = Vec::new();
                if (TABLE.needs)(&view, action, &mut needs)
                    && needs.iter().all(|&n| holds(&view, n))
                {
                    tried.set(tried.get() + 1);
                    if let Err(r) = world.check(action) {
                        panic!("{}: {} {r:?}", profile.id(), world.line(action));
                    }
                }
            }
        });
        assert!(tried.get() > 2000, "{} actions were tried", tried.get());
    }
}

/// The other way round: what the simulator accepts the table allows, or a proof by it would be worth nothing.
#[test]
fn what_the_simulator_accepts_the_table_allows() {
    for &profile in Profile::ALL {
        walk_about(&mut Dice(11), profile, |world, aims, dice| {
            let view = View {
                world,
                shadow: &(),
                aims,
                progress: 0,
                lore: None,
            };
            for _ in 0..40 {
                let action = dice.action(world.scene());
                let verb = DIALECT.actions[usize::from(action.verb)].name;
                // FIND of what is far is a WALK, PUTOBJBACK is another PUT.
                if action.verb == FIND || verb == "PUTOBJBACK" || world.check(action).is_err() {
                    continue;
                }
                let mut needs = Vec::new();
                let possible = (TABLE.needs)(&view, action, &mut needs);
                let missing = needs.iter().find(|&&n| !holds(&view, n));
                assert!(
                    possible && missing.is_none(),
                    "{}: {} needs {missing:?}",
                    profile.id(),
                    world.line(action)
                );
            }
        });
    }
}

#[test]
fn every_way_makes_its_need_true() {
    for &profile in Profile::ALL {
        let tried = std::cell::Cell::new(0);
        walk_about(&mut Dice(23), profile, |world, aims, dice| {
            let mut world = world.clone();
            for _ in 0..40 {
                let need = any_need(dice, &world);
                let mut ways: Vec<Way> = Vec::new();
                let view = View {
                    world: &world,
                    shadow: &(),
                    aims,
                    progress: 0,
                    lore: None,
                };
                if holds(&view, need) {
                    continue;
                }
                (TABLE.ways)(&view, need, &mut ways);
                for way in ways {
                    let mut needs: Vec<Need> = way.also.into_iter().flatten().collect();
                    let view = View {
                        world: &world,
                        shadow: &(),
                        aims,
                        progress: 0,
                        lore: None,
                    };
                    if !(TABLE.needs)(&view, way.action, &mut needs)
                        || !needs.iter().all(|&n| holds(&view, n))
                    {
                        continue;
                    }
                    let line = world.line(way.action);
                    let hash = world.hash();
                    assert!(world.apply(way.action).is_ok(), "{line} was refused");
                    let items = world.graph().last_items().to_vec();
                    let view = View {
                        world: &world,
                        shadow: &(),
                        aims,
                        progress: 0,
                        lore: None,
                    };
                    let made = holds(&view, need);
                    world.take_back(&items, hash);
                    assert!(made, "{}: {line} does not make {need:?}", profile.id());
                    tried.set(tried.get() + 1);
                }
            }
        });
        assert!(tried.get() > 500, "{} ways were tried", tried.get());
    }
}
