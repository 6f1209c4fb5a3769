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
    assert_eq!(told, Vec::<String>::new());
}

#[test]
fn a_lost_goal_leads_back_to_who_lost_it() {
    let lines = ["walk microwave", "open microwave"].map(str::to_owned);
    let mut episode = played("V022", Profile::Eai, &lines);
    let goals = episode.ledger().goals().goals.len();
    let mut all = Vec::new();
    for goal in 0..goals {
        let text = episode.ledger().goals().goals[goal].text.clone();
        let causes = episode.causes_of_goal(goal);
        all.push(text);
        all.extend(plain(&episode, &causes));
    }
    assert_eq!(episode.here(), Pos(2));
    assert_eq!(all, Vec::<String>::new());
}

#[test]
fn the_other_world_is_explained_as_well() {
    let library = Library::open(None);
    let mut out = Vec::new();
    for task in library
        .rows()
        .iter()
        .filter(|t| t.dialect == "behavior")
        .take(12)
    {
        let lines = naive(&task.id);
        let setup = Library::open(None).load(&task.id).unwrap();
        let mut episode = Episode::start(Arc::new(setup), Profile::Strict).unwrap().0;
        for line in &lines {
            episode.act_text(line);
        }
        let way = episode.timeline().path(episode.here());
        for pos in way {
            for i in episode.broken_at(pos) {
                out.push(format!("{} {}", task.id, episode.rule(&i).unwrap().id));
                let causes = episode.causes_of_rule(&i);
                out.extend(plain(&episode, &causes));
            }
        }
    }
    assert_eq!(out, Vec::<String>::new());
}
