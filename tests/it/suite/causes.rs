//! Why a rule broke and a goal was lost: the chain of steps behind it, in both worlds.

use std::sync::Arc;

use vesta::app::parts::cause;
use vesta::sim::timeline::Pos;
use vesta::sim::vocab::Profile;
use vesta::store::library::Library;
use vesta::task::episode::{Episode, Outcome};

fn played(task: &str, profile: Profile, lines: &[String]) -> Episode {
    let setup = Library::open(None).load(task).unwrap();
    let mut episode = Episode::start(Arc::new(setup), profile).unwrap().0;
    for line in lines {
        let turn = episode.act_text(line);
        assert!(matches!(turn.outcome, Outcome::Stepped(_)), "{line}");
    }
    episode
}

fn naive(task: &str) -> Vec<String> {
    Library::open(None).load(task).unwrap().task.naive.clone()
}

/// The chain behind the first instance that a step broke.
fn broke(episode: &mut Episode, rule: &str) -> Vec<String> {
    let way = episode.timeline().path(episode.here());
    let found = way.iter().find_map(|&pos| {
        let all = episode.broken_at(pos);
        let is_it =
            |it: &vesta::safety::verdict::Instance| episode.rule(it).is_some_and(|r| r.id == rule);
        all.into_iter().find(is_it)
    });
    let causes = episode.causes_of_rule(&found.expect("the rule is broken"));
    plain(episode, &causes)
}

fn plain(episode: &Episode, causes: &[vesta::task::episode::causes::Cause]) -> Vec<String> {
    let lines = cause::lines(episode.timeline().world(), causes);
    lines
        .iter()
        .map(vesta::app::parts::why::Line::plain)
        .collect()
}

#[test]
fn a_fork_in_the_microwave_leads_back_to_who_switched_it_on() {
    let mut episode = played("V022", Profile::Strict, &naive("V022"));
    let here = episode.here();
    let told = broke(&mut episode, "F05");
    assert_eq!(episode.here(), here);
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_lost_goal_leads_back_to_who_lost_it() {
    let lines = naive("V022");
    let mut episode = played("V022", Profile::Eai, &lines[..8]);
    let goals = &episode.ledger().goals().goals;
    let off = goals.iter().position(|goal| goal.text == "microwave:OFF");
    let causes = episode.causes_of_goal(off.unwrap());
    assert_eq!(episode.here(), Pos(8));
    insta::assert_snapshot!(plain(&episode, &causes).join("\n"));
}

#[test]
fn the_other_world_is_explained_as_well() {
    let library = Library::open(None);
    let tasks = library.rows().iter();
    let mut told = Vec::new();
    for task in tasks.filter(|t| t.dialect == "behavior").take(2) {
        let setup = library.load(&task.id).unwrap();
        let plan = setup.reference.clone();
        let mut episode = Episode::start(Arc::new(setup), Profile::Strict).unwrap().0;
        for action in plan.into_iter().take(6) {
            episode.act(action);
        }
        for goal in 0..episode.ledger().goals().goals.len() {
            let causes = episode.causes_of_goal(goal);
            if causes.iter().any(|cause| cause.did.is_some()) {
                told.push(format!(
                    "{}: {}",
                    task.id,
                    episode.ledger().goals().goals[goal].text
                ));
                told.extend(plain(&episode, &causes));
            }
        }
    }
    insta::assert_snapshot!(told.join("\n"));
}
