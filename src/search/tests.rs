//! The search on the small flat of the simulator's tests: shortest plans, proofs, budgets, the same bytes each time.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use crate::plan::fact::{Body, Fact};
use crate::plan::goal::{Ask, Goal, GoalSet, Seen};
use crate::safety::book::Book;
use crate::search::answer::{Answer, Found, Stage, Strength};
use crate::search::careless::{Breach, Known, careless};
use crate::search::control::{Control, EVERY, Limits};
use crate::search::diverse::{Distance, diverse};
use crate::search::engine::{Engine, Problem};
use crate::search::judge::judge;
use crate::search::repair::{Bounds, Repaired, repair};
use crate::search::table::Role;
use crate::search::table_of;
use crate::sim::scene::{Edge, Node, Scene};
use crate::sim::testing::scene;
use crate::sim::virtualhome::DIALECT;
use crate::sim::vocab::{Ix, NodeId, Profile};
use crate::sim::world::{Action, World};

fn problem(profile: Profile, goals: &[&str]) -> Problem {
    problem_in(&scene(), profile, goals)
}

/// A room with little in it, so that all its states can be walked.
fn den() -> Arc<Scene> {
    let node = |id, class: &str, props: &[&str], states: &[&str]| {
        let mut node = Node::new(id, class);
        for p in props {
            node.props = node.props.with(DIALECT.property(p).unwrap());
        }
        for s in states {
            node.states = node.states.with(DIALECT.state(s).unwrap());
        }
        node
    };
    let television = node(
        38,
        "television",
        &["LOOKABLE", "HAS_SWITCH", "HAS_PLUG"],
        &["OFF", "PLUGGED_OUT"],
    );
    let mut nodes = vec![
        node(1, "bedroom", &[], &[]),
        node(2, "bathroom", &[], &[]),
        node(10, "character", &[], &[]),
        television,
        node(33, "cup", &["GRABBABLE"], &[]),
        node(24, "chair", &["SITTABLE"], &[]),
    ];
    for room in &mut nodes[..2] {
        room.category = Some("Rooms".into());
    }
    let inside = DIALECT.relation("INSIDE").unwrap();
    let edge = |from, to| Edge {
        from: NodeId(from),
        rel: inside,
        to: NodeId(to),
    };
    let edges = vec![edge(10, 2), edge(38, 1), edge(33, 2), edge(24, 1)];
    Arc::new(Scene::new(&DIALECT, "den", nodes, edges).unwrap())
}

fn problem_in(scene: &Arc<Scene>, profile: Profile, goals: &[&str]) -> Problem {
    let goals: Vec<Goal> = goals
        .iter()
        .map(|text| match text.strip_prefix("never ") {
            Some(never) => Goal::read_never(scene, &Book::default(), never),
            None => Goal::read(scene, &Book::default(), text),
        })
        .collect::<Result<_, _>>()
        .unwrap();
    Problem {
        world: World::new(scene, profile).unwrap(),
        goals: GoalSet {
            success: goals.len(),
            goals,
        },
    }
}

fn search(profile: Profile, goals: &[&str], limits: Limits) -> Found {
    Engine::new(problem(profile, goals), limits).unwrap().run()
}

fn plan(profile: Profile, goals: &[&str]) -> Vec<Action> {
    match search(profile, goals, Limits::default()).answer {
        Answer::Plan(plan) => plan.actions,
        other => panic!("{goals:?} in {}: {other:?}", profile.id()),
    }
}

/// Goals with plans of all kinds.
const GOALS: &[&[&str]] = &[
    &["apple.31 ON table"],
    &["milk INSIDE fridge", "fridge:CLOSED"],
    &["microwave:ON", "cup INSIDE microwave"],
    &["lamp:PLUGGED_OUT", "lamp:OFF"],
    &["character ON bed", "character:LYING"],
    &["shirt ON character"],
    &["DO TOUCH", "television:ON"],
    &["DO WATCH", "character:SITTING"],
    &[
        "DO [SWITCHON] <television> WHILE milk INSIDE cup",
        "milk ON table",
    ],
    &["!cup ON plate", "plate ON table"],
    &["character HOLDS_RH knife", "character HOLDS_LH apple"],
    &["character HOLDS_LH apple"],
    &["milk INSIDE cup"],
    &["character INSIDE bedroom", "character FACING lamp"],
];

/// How far the action goals have come with a step that was just done.
fn advance(problem: &Problem, progress: usize, world: &World, action: Action) -> usize {
    let seen = Seen {
        graph: world.graph(),
        shadow: &(),
    };
    problem.goals.advance(progress, &world.line(action), seen)
}

/// The shortest plan's length by trying everything on everything, from nothing but the simulator.
fn shortest(problem: &Problem, most: usize) -> Option<usize> {
    let start = &problem.world;
    let mut actions = Vec::new();
    for (verb, def) in DIALECT.actions.iter().enumerate() {
        let verb = verb as u8;
        let all: Vec<Ix> = start.scene().indices().collect();
        let none = vec![Ix::NONE];
        let (first, second) = match def.arity {
            0 => (&none, &none),
            1 => (&all, &none),
            _ => (&all, &all),
        };
        for &a in first {
            actions.extend(second.iter().map(|&b| Action { verb, a, b }));
        }
    }
    let met = |world: &World, progress| {
        let seen = Seen {
            graph: world.graph(),
            shadow: &(),
        };
        problem
            .goals
            .eval(seen, progress, |_| true)
            .all(|holds| holds)
    };
    let mut seen = BTreeSet::new();
    let mut queue = VecDeque::from([(start.clone(), 0, 0)]);
    seen.insert((start.hash(), start.graph().taken(), 0));
    while let Some((world, progress, depth)) = queue.pop_front() {
        if met(&world, progress) {
            return Some(depth);
        }
        if depth == most {
            continue;
        }
        for &action in &actions {
            let mut next = world.clone();
            if next.apply(action).is_err() {
                continue;
            }
            let progress = advance(problem, progress, &next, action);
            if seen.insert((next.hash(), next.graph().taken(), progress)) {
                queue.push_back((next, progress, depth + 1));
            }
        }
    }
    None
}

#[test]
fn plans_meet_their_goals_in_both_profiles() {
    for &profile in Profile::ALL {
        for goals in GOALS {
            let problem = problem(profile, goals);
            let steps = plan(profile, goals);
            let mut world = problem.world.clone();
            let mut progress = 0;
            for &step in &steps {
                world.apply(step).unwrap();
                progress = advance(&problem, progress, &world, step);
            }
            let seen = Seen {
                graph: world.graph(),
                shadow: &(),
            };
            assert!(
                problem
                    .goals
                    .eval(seen, progress, |_| true)
                    .all(|holds| holds),
                "{goals:?} in {}",
                profile.id()
            );
        }
    }
}

/// Everything on everything, three steps deep: no plan of the search is longer than the shortest.
#[test]
fn short_plans_are_shortest() {
    for &profile in Profile::ALL {
        for goals in [
            &["lamp:PLUGGED_OUT", "lamp:OFF"][..],
            &["character ON bed"],
            &["DO TOUCH"],
            &["character INSIDE bedroom", "character FACING lamp"],
        ] {
            let found = plan(profile, goals).len();
            let least = shortest(&problem(profile, goals), 3);
            assert_eq!(least, Some(found), "{goals:?} in {}", profile.id());
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    for seed in [0, 1, 7] {
        let limits = Limits {
            seed,
            ..Limits::default()
        };
        for goals in GOALS {
            let one = search(Profile::Eai, goals, limits);
            assert_eq!(one, search(Profile::Eai, goals, limits), "{goals:?}");
        }
    }
}

#[test]
fn nothing_to_do_is_a_plan() {
    let found = search(
        Profile::Eai,
        &["cup ON plate", "lamp:ON"],
        Limits::default(),
    );
    let plan = found.plan().unwrap();
    assert_eq!((plan.actions.len(), plan.stage), (0, Stage::Start));
    assert_eq!(plan.since, [0, 0]);
}

#[test]
fn since_tells_when_each_goal_became_true_for_good() {
    let mut engine = Engine::new(
        problem(
            Profile::Eai,
            &["fridge:CLOSED", "milk INSIDE cup", "lamp:ON"],
        ),
        Limits::default(),
    )
    .unwrap();
    let found = engine.run();
    let plan = found.plan().unwrap();
    assert!(plan.since[0] > 0, "the fridge was opened and closed again");
    assert!(plan.since[1] > 0 && plan.since[1] <= plan.actions.len());
    assert_eq!(plan.since[2], 0);
}

#[test]
fn what_never_must_hold_is_avoided() {
    let free = plan(Profile::Eai, &["milk INSIDE cup"]);
    let bound = plan(
        Profile::Eai,
        &["milk INSIDE cup", "never character HOLDS_RH milk"],
    );
    assert!(bound.len() > free.len(), "the left hand takes more steps");
    let never = [
        "apple ON table",
        "never character HOLDS_RH apple & box:OPEN",
    ];
    assert!(plan(Profile::Eai, &never).len() > plan(Profile::Eai, &never[..1]).len());
}

#[test]
fn out_of_reach_is_proven_at_once() {
    let found = search(Profile::Eai, &["table:ON"], Limits::default());
    let Answer::None(proof) = found.answer else {
        panic!("{found:?}");
    };
    assert_eq!(proof.strength, Strength::Relaxed);
}

#[test]
fn a_budget_ends_and_bounds_a_search() {
    let limits = Limits {
        nodes: 50,
        helpful: 2,
        steps: 2,
        ..Limits::default()
    };
    let found = search(
        Profile::Eai,
        &["microwave:ON", "cup INSIDE microwave"],
        limits,
    );
    assert_eq!(found.answer, Answer::Spent);
    assert!(found.stats.kept < 2_000, "{:?}", found.stats);
}

#[test]
fn a_search_can_be_stopped() {
    let mut engine = Engine::new(
        problem(Profile::Eai, &["microwave:ON", "cup INSIDE microwave"]),
        Limits::default(),
    )
    .unwrap();
    let mut told = 0;
    let mut tell = |_| {
        told += 1;
        false
    };
    let found = engine.run_with(
        None,
        &mut Control {
            every: 1,
            tell: &mut tell,
        },
    );
    assert_eq!(found.answer, Answer::Cancelled);
    assert_eq!(told, 1);
    assert!(engine.run().plan().is_some(), "and started again");
}

#[test]
fn the_dialect_has_a_table() {
    assert!(table_of(&DIALECT).is_some());
}

#[test]
fn exhaustion_counts_the_states_that_brute_force_finds() {
    let goals = ["television:ON", "never television:PLUGGED_IN"];
    let problem = problem_in(&den(), Profile::Eai, &goals);
    let mut engine = Engine::new(problem.clone(), Limits::default()).unwrap();
    let found = engine.run();
    let Answer::None(proof) = found.answer else {
        panic!("{found:?}");
    };
    assert_eq!(proof.strength, Strength::Exhausted);
    let table = table_of(&DIALECT).unwrap();
    let mut actions = Vec::new();
    for (verb, def) in DIALECT.actions.iter().enumerate() {
        let verb = verb as u8;
        if (table.role)(verb) != Role::Changes {
            continue;
        }
        let (some, none) = (proof.objects.clone(), vec![Ix::NONE]);
        let first = if def.arity > 0 { &some } else { &none };
        let second = if def.arity > 1 { &some } else { &none };
        for &a in first {
            actions.extend(second.iter().map(|&b| Action { verb, a, b }));
        }
    }
    let never = |world: &World| {
        let television = world.scene().find(crate::sim::vocab::NodeId(38)).unwrap();
        let plugged = DIALECT.state("PLUGGED_IN").unwrap();
        world.graph().states(television).has(plugged)
    };
    let key = |w: &World| w.hash() ^ w.graph().taken();
    let mut layer = vec![problem.world];
    let mut seen = BTreeSet::from([key(&layer[0])]);
    let (mut layers, mut hash) = (vec![1], key(&layer[0]));
    loop {
        let mut next = Vec::new();
        for world in &layer {
            for &action in &actions {
                let mut after = world.clone();
                if after.apply(action).is_ok() && !never(&after) && seen.insert(key(&after)) {
                    hash = hash ^ key(&after);
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layers.push(next.len() as u64);
        layer = next;
    }
    assert!(layers.iter().sum::<u64>() > 20, "{layers:?}");
    assert_eq!((proof.layers, proof.hash), (layers, hash));
}

#[test]
fn goals_that_exclude_each_other_are_told_at_once() {
    for goals in [
        ["character HOLDS_RH cup", "character HOLDS_LH cup"],
        ["cup ON table", "!cup ON table"],
    ] {
        let mut engine = Engine::new(problem(Profile::Eai, &goals), Limits::default()).unwrap();
        let found = engine.run();
        let Answer::None(proof) = found.answer else {
            panic!("{goals:?}: {found:?}");
        };
        assert_eq!(proof.strength, Strength::Contradictory, "{goals:?}");
        assert_eq!(found.stats.generated, 0);
    }
    let both = ["character HOLDS_RH cup", "character HOLDS_LH plate"];
    assert!(!plan(Profile::Eai, &both).is_empty());
}

#[test]
fn what_is_broken_at_the_start_stays_broken() {
    let found = search(
        Profile::Eai,
        &["cup ON table", "never lamp:ON"],
        Limits::default(),
    );
    assert!(matches!(found.answer, Answer::None(_)), "{found:?}");
}

#[test]
fn a_repair_makes_the_fewest_edits() {
    let goals = ["milk ON table", "fridge:CLOSED"];
    let whole = plan(Profile::Strict, &goals);
    let target = problem(Profile::Strict, &goals);
    let bounds = Bounds {
        edits: 2,
        steps: 2_000_000,
    };
    for (without, edits) in [(vec![], 0), (vec![whole.len() - 1], 1)] {
        let kept = whole
            .iter()
            .enumerate()
            .filter(|(i, _)| !without.contains(i));
        let broken: Vec<Action> = kept.map(|(_, a)| *a).collect();
        let mut world = target.world.clone();
        let before = world.hash();
        let fixed = repair(&mut world, None, &target.goals, &broken, bounds);
        let Repaired::By(fixed) = fixed else {
            panic!("{goals:?}: {fixed:?}");
        };
        assert_eq!(fixed.edits.len(), edits);
        assert_eq!(world.hash(), before, "and the world is where it was");
        let verdict = judge(&mut world, None, &target.goals, &fixed.actions).unwrap();
        assert!(verdict.is_clean());
    }
}

#[test]
fn candidates_differ() {
    let mut problem = problem(Profile::Eai, &["fridge:OPEN"]);
    let either = |class: &str| problem.world.scene().of_class(class).next().unwrap();
    let either = vec![either("fridge"), either("microwave")];
    let open = DIALECT.state("OPEN").unwrap();
    problem.goals.goals[0].ask = Ask::Fact(Fact {
        negated: false,
        body: Body::State(either, open),
    });
    let mut tell = |_| true;
    let mut control = Control {
        every: EVERY,
        tell: &mut tell,
    };
    let plans = diverse(&problem, None, 4, (Limits::default(), &mut control));
    assert!(plans.len() > 1, "{plans:?}");
    for (i, one) in plans.iter().enumerate() {
        for other in &plans[..i] {
            let far = Distance::between(&one.actions, &other.actions);
            assert!(far.mean() > 0.0, "{plans:?}");
        }
        assert!(one.actions.len() * 2 <= plans[0].actions.len() * 3);
    }
    let same = Distance::between(&plans[0].actions, &plans[0].actions);
    assert!(same.mean() < f64::EPSILON);
}

#[test]
fn careless_plans_succeed_and_are_unsafe() {
    let mut problem = problem(Profile::Strict, &["milk ON table", "fridge:CLOSED"]);
    problem.goals.success = 1;
    let mut tell = |_| true;
    let mut control = Control {
        every: EVERY,
        tell: &mut tell,
    };
    let (found, _) = careless(
        &problem.world,
        None,
        &problem.goals,
        Known::default(),
        (Limits::default(), &mut control),
    );
    let found = found.unwrap();
    assert_eq!(found.breach, Breach::Goal(1));
    let verdict = judge(&mut problem.world, None, &problem.goals, &found.actions).unwrap();
    assert!(verdict.succeeds(&problem.goals) && !verdict.is_clean());
}

#[test]
fn a_deed_is_planned_with_what_must_hold_as_it_is_done() {
    let goals = [
        "DO [SWITCHON] <microwave> WHILE cup INSIDE microwave",
        "cup ON table",
    ];
    for &profile in Profile::ALL {
        let problem = problem(profile, &goals);
        let mut world = problem.world.clone();
        let mut progress = 0;
        for step in plan(profile, &goals) {
            world.apply(step).unwrap();
            progress = advance(&problem, progress, &world, step);
        }
        assert_eq!(progress, 1, "{}", profile.id());
    }
}
