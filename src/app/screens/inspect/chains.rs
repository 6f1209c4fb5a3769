//! The causal chains of a step that broke a rule or lost a goal.

use crate::app::parts::{cause, why};
use crate::plan::ledger::Standing;
use crate::task::episode::Episode;

/// Rules and goals of one step that are explained beside it; `W` explains the others.
const EXPLAINED: usize = 2;

/// Why the step that led to where the episode stands broke what it broke: the rule or the goal, and its chain.
pub(super) fn chains(episode: &mut Episode) -> Vec<(String, Vec<why::Line>)> {
    let here = episode.here();
    let mut told = Vec::new();
    for instance in episode.broken_at(here).into_iter().take(EXPLAINED) {
        let causes = episode.causes_of_rule(&instance);
        let id = episode
            .rule(&instance)
            .map_or_else(String::new, |rule| rule.id.clone());
        let lines = cause::lines(episode.timeline().world(), &causes);
        told.push((format!("{id} broke"), lines));
    }
    let ledger = episode.ledger();
    let goals = ledger.goals().goals.len();
    let is_lost =
        |goal: &usize| ledger.standing(*goal, here, episode.timeline()) == Standing::Lost(here);
    let lost: Vec<usize> = (0..goals).filter(is_lost).take(EXPLAINED).collect();
    for goal in lost {
        let causes = episode.causes_of_goal(goal);
        let goals = &episode.ledger().goals().goals;
        let text = goals
            .get(goal)
            .map_or_else(String::new, |goal| goal.text.clone());
        let lines = cause::lines(episode.timeline().world(), &causes);
        told.push((format!("{text} was lost"), lines));
    }
    told.retain(|(_, lines)| !lines.is_empty());
    told
}
