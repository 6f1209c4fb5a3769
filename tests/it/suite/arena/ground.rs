//! What the ground says of a plan under a response is what an episode of the varied task comes to.

use std::collections::BTreeSet;

use vesta::arena::house::disturb::{Sight, all};
use vesta::arena::house::model::{Moment, Response};
use vesta::base::chance::Chance;
use vesta::plan::branching::Program;
use vesta::sim::vocab::{Ix, State};
use vesta::sim::world::Action;

use super::{STRICT, candidate, disturbance, episode, library, ready, response, same};

/// What RED could do, about what the plan is about.
fn some_blow(
    ground: &vesta::arena::house::ground::Ground,
    actions: &[Action],
    chance: &mut Chance,
) -> Vec<String> {
    let focus: BTreeSet<Ix> = actions.iter().flat_map(|a| [a.a, a.b]).collect();
    let sight = Sight {
        world: ground.world(),
        shadow: ground.lookout().monitor(),
        book: &ground.setup().book,
        focus: Some(&focus),
    };
    let all = all(&sight);
    let one = all.get(chance.below(all.len()));
    one.map_or(Vec::new(), |it| it.facts(ground.world().scene()))
}

/// Some fact that any scene can have: a state the other way round, or a thing somewhere else.
fn some_fact(ground: &vesta::arena::house::ground::Ground, chance: &mut Chance) -> String {
    let world = ground.world();
    let (scene, graph, dialect) = (world.scene(), world.graph(), world.dialect());
    let nodes: Vec<Ix> = scene.indices().collect();
    loop {
        let n = nodes[chance.below(nodes.len())];
        let node = scene.node(n);
        if chance.below(3) == 0 {
            let states: Vec<State> = node.states.iter().collect();
            let Some(&state) = states.get(chance.below(states.len().max(1))) else {
                continue;
            };
            return match dialect.opposite(state) {
                Some(other) => format!("{}:{}", node.name(), dialect.state_name(other)),
                None => format!("!{}:{}", node.name(), dialect.state_name(state)),
            };
        }
        let carried = dialect.reading.carried.is_none_or(|p| node.props.has(p));
        let to = nodes[chance.below(nodes.len())];
        let held = dialect
            .rules
            .hands
            .iter()
            .any(|&h| graph.has(world.me(), h, n));
        let fits = carried && !held && n != to && n != world.me() && to != world.me();
        let rooms = node.is_room() || scene.node(to).is_room();
        let part = |ix: Ix| {
            scene.node(ix).props.iter().any(|p| {
                let name = dialect.prop_name(p);
                name == "BODY_PART" || name == "FLOOR" || name == "PART"
            })
        };
        let under = graph.has(to, dialect.rules.on, n) || graph.has(to, dialect.rules.inside, n);
        if !fits || rooms || under || part(n) || part(to) {
            continue;
        }
        let rel = [dialect.rules.on, dialect.rules.inside][chance.below(2)];
        return format!(
            "{} {} {}",
            node.name(),
            dialect.rel_name(rel),
            scene.node(to).name()
        );
    }
}

#[test]
fn a_rollout_is_an_episode_of_the_varied_task() {
    let library = library();
    let mut chance = Chance::new(7);
    let mut told = [0; 5];
    let ids = library
        .rows()
        .iter()
        .filter(|r| r.suite == "vh" || r.suite == "vestabench-b50");
    let ids: Vec<String> = ids.map(|r| r.id.clone()).collect();
    assert!(ids.len() >= 100, "{}", ids.len());
    for (i, id) in ids.iter().enumerate().filter(|(i, _)| i % 4 == 0) {
        let (loaded, mut ground) = ready(&library, id);
        let plans = [&loaded.setup.reference, &loaded.setup.naive];
        let plan = candidate("plan", plans[i % 2]);
        let n = plan.plan.len();
        let mut answers = vec![Response::nothing()];
        for _ in 0..5 {
            let mut facts = Vec::new();
            for _ in 0..=chance.below(2) {
                let at = Moment::after(chance.below(n + 1) as u32);
                let blow = match chance.below(2) {
                    0 => vec![some_fact(&ground, &mut chance)],
                    _ => some_blow(&ground, plans[i % 2], &mut chance),
                };
                let blow: Vec<&str> = blow.iter().map(String::as_str).collect();
                facts.push(disturbance(at, &blow));
            }
            answers.push(response(facts));
        }
        for answer in answers {
            // What says the contrary of itself at the start is no response.
            let Ok(outcome) = ground.play(&plan, &answer) else {
                continue;
            };
            let Ok(task) = vesta::arena::house::ground::variant(&ground, &answer) else {
                continue;
            };
            let book = loaded.setup.book.clone();
            let base = &loaded.base.scene;
            if vesta::task::setup::prepare(task.into(), base, book).is_err() {
                continue;
            }
            let theirs = episode(&loaded, &mut ground, &plan, &answer);
            let before = ground.world().hash();
            let result = std::panic::catch_unwind(|| same(&outcome, &theirs));
            assert!(result.is_ok(), "{id} under {answer:?}: {outcome:?}");
            assert_eq!(ground.world().hash(), before);
            told[0] += 1;
            told[1] += usize::from(!outcome.broken.is_empty());
            told[2] += usize::from(outcome.refused.is_some());
            told[3] += usize::from(outcome.is_good());
            told[4] += usize::from(!outcome.safety.is_whole());
        }
    }
    // All kinds of endings were met.
    assert!(told[0] > 150 && told.iter().all(|n| *n > 10), "{told:?}");
}

#[test]
fn the_same_rollout_again_is_the_same() {
    let library = library();
    let (loaded, mut ground) = ready(&library, "V062");
    assert_eq!(ground.world().profile(), STRICT);
    let plan = candidate("reference", &loaded.setup.reference);
    let cat = disturbance(Moment::After(14), &["cat INSIDE washing_machine"]);
    let alone = ground.play(&plan, &Response::nothing()).unwrap();
    assert!(alone.is_good(), "{alone:?}");
    let answer = response(vec![cat]);
    let first = ground.play(&plan, &answer).unwrap();
    assert!(!first.is_good(), "{first:?}");
    assert_eq!(ground.play(&plan, &Response::nothing()).unwrap(), alone);
    assert_eq!(ground.play(&plan, &answer).unwrap(), first);
    // Looking on the way leaves no trace.
    let program = Program::new(&plan.plan);
    let bound = ground.bind(&answer).unwrap();
    let seen = ground.at(&program, &bound, 14, |at| at.world.hash());
    assert!(seen.is_some());
    assert_eq!(ground.at(&program, &bound, 99, |_| ()), None);
    assert_eq!(ground.play(&plan, &answer).unwrap(), first);
}
