//! The causal chain of a breach or a lost goal in lines: each step without which it would not have come, and what it did for it.

use crate::app::parts::action;
use crate::app::parts::why::{Follow, Line, labelled};
use crate::sim::timeline::Pos;
use crate::task::episode::{Cause, Effect, Episode, Part};

/// The chain, the first cause first; nothing where no step on the way here brought it about. `ways` are the facts of the rule,
/// which tell what a step made.
pub fn lines(episode: &Episode, effect: Effect, ways: &[Vec<Part>]) -> Vec<Line> {
    let causes = episode.causes(effect);
    let Some(last) = causes.steps.last().map(|cause| cause.pos) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    if causes.unseen > 0 {
        let words = format!("{} earlier steps were not looked at", causes.unseen);
        lines.push(Line::new("", words));
    }
    for cause in &causes.steps {
        let line = Line::new("", named(episode, cause.pos));
        let note = if cause.pos == last {
            match effect {
                Effect::Broke(_) => "breaks it".to_owned(),
                Effect::Lost(_) => "loses it".to_owned(),
            }
        } else {
            does(episode, cause, ways)
        };
        lines.push(line.note(note).to(Follow::Step(cause.pos)));
    }
    labelled("because", lines)
}

/// `s6 close microwave`.
fn named(episode: &Episode, pos: Pos) -> String {
    let timeline = episode.timeline();
    let did = timeline.action(pos);
    let did = did.map_or_else(String::new, |did| action(timeline.world(), did));
    format!("s{} {did}", pos.0)
}

/// What a step did for it: made a fact of the rule, or made a later step possible.
fn does(episode: &Episode, cause: &Cause, ways: &[Vec<Part>]) -> String {
    let mut parts = ways.iter().flatten();
    let made = parts.find(|part| part.value && part.since == Some(cause.pos));
    match (made, cause.enables) {
        (Some(part), _) => format!("made {}", part.words),
        (None, Some(later)) => format!("without it {} is refused", named(episode, later)),
        (None, None) => "without it this does not come".to_owned(),
    }
}
