//! The steps of an episode for the bottom row: the way from the start through the present position to where redo leads.

use std::fmt::Write as _;

use crate::app::glyph;
use crate::app::layer::{Rail, RailStep};
use crate::app::parts::verb;
use crate::app::parts::warnings::Trail;
use crate::app::role::Role;
use crate::sim::refusal::Kind;
use crate::sim::timeline::Pos;
use crate::sim::world::Action;
use crate::task::episode::Episode;

/// Steps made before and after the present one; no terminal shows more.
const AROUND: usize = 80;

/// What the rail shows beside the episode's own steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    /// Events from this number on are not on the disk yet.
    pub unsaved: Option<u32>,
    /// Steps of a plan that are still to come.
    pub ghosts: &'a [Action],
    /// What came of the rules along the way.
    pub trail: Option<&'a Trail>,
}

/// The positions from the start to `pos`, and those that redo would lead through.
pub fn way(episode: &Episode, pos: Pos) -> Vec<Pos> {
    let timeline = episode.timeline();
    let mut way = timeline.path(pos);
    let mut at = pos;
    while let Some(next) = timeline.next_of(at) {
        way.push(next);
        at = next;
    }
    way
}

/// The rail at the position the episode stands at.
pub fn rail(episode: &Episode, beside: Beside<'_>) -> Rail {
    let here = episode.here();
    let way = way(episode, here);
    let now = way.iter().position(|&p| p == here).unwrap_or(0);
    let (from, to) = (now.saturating_sub(AROUND), (now + AROUND).min(way.len()));
    let mut rail = Rail {
        tail: format!("branch {}", episode.branch().name),
        ..Rail::default()
    };
    for &pos in way.get(from..to).unwrap_or_default() {
        if pos == here {
            rail.now = rail.steps.len();
        }
        rail.steps.push(step(episode, pos, here, beside));
        let attempts = episode.attempts().iter().filter(|a| a.at == pos);
        rail.steps.extend(attempts.map(|attempt| {
            let letter = Kind::parse(&attempt.refusal).map_or('?', Kind::letter);
            RailStep {
                text: format!("{}{letter}", glyph::FALSE.sign),
                role: Role::Refused,
            }
        }));
        // What would come next in the plan stands where one is.
        if pos == here {
            rail.steps
                .extend(beside.ghosts.iter().take(AROUND).map(|&ghost| RailStep {
                    text: format!("({})", verb(episode.timeline().world(), ghost)),
                    role: Role::Stale,
                }));
        }
    }
    rail
}

fn step(episode: &Episode, pos: Pos, here: Pos, beside: Beside<'_>) -> RailStep {
    let timeline = episode.timeline();
    let mut text = format!("s{}", pos.0);
    let mut role = if pos > here { Role::Dim } else { Role::Text };
    if let Some(action) = timeline.action(pos) {
        let _ = write!(text, " {}", verb(timeline.world(), action));
    }
    if let Some(parent) = timeline.parent(pos) {
        let (gained, lost) = episode.moved(parent, pos);
        let goals = episode.ledger().goals();
        let is_bad = lost.iter().any(|&g| !goals.is_success(g));
        let sign = match (is_bad, lost.is_empty(), gained.is_empty()) {
            (true, ..) => Some((glyph::FALSE, Role::Bad)),
            (false, false, _) => Some((glyph::LOST, Role::Bad)),
            (false, true, false) => Some((glyph::HOLDS, Role::Good)),
            (false, true, true) => None,
        };
        let mark = beside.trail.and_then(|trail| trail.mark(pos));
        // One sign a step: what is broken before what is lost, gained or warned of.
        let sign = match mark {
            Some(mark) if !mark.broke.is_empty() => Some((glyph::FALSE, Role::Bad)),
            Some(mark) if !mark.warned.is_empty() => sign.or(Some((glyph::ARMED, Role::Armed))),
            _ => sign,
        };
        if let Some((sign, of)) = sign {
            text.push(sign.sign);
            role = of;
        }
        if mark.is_some_and(|mark| !mark.happened.is_empty()) {
            text.push(glyph::HAPPENED.sign);
        }
    }
    if timeline.children(pos).len() > 1 {
        text.push(glyph::BRANCH.sign);
    }
    let unsaved = beside
        .unsaved
        .zip(episode.seq(pos))
        .is_some_and(|(from, seq)| seq >= from);
    if unsaved && pos != Pos::START {
        text.push('…');
    }
    RailStep { text, role }
}
