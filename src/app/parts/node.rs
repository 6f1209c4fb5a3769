//! All about one node at one position: states with since when, what it is on and in, what is on and in it, what can be
//! done to it, which rules and goals speak of it, which steps touched it.

use crate::app::parts::diff::{self, Sign};
use crate::app::parts::scene_tree::{properties, states};
use crate::app::parts::why::{Follow, Line, labelled, reason};
use crate::app::parts::{action, goals, name, rule, verb};
use crate::plan::options::{Candidate, Focus};
use crate::sim::graph::Change;
use crate::sim::reading::{self, End};
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::vocab::{Ix, Rel};
use crate::sim::world::World;
use crate::task::episode::Episode;

/// `microwave.105  in kitchen`.
pub fn heading(world: &World, node: Ix) -> String {
    let full = world.scene().node(node).name();
    match reading::room(world.graph(), node).filter(|&room| room != node) {
        Some(room) => format!("{full}  in {}", name(world, room)),
        None => full,
    }
}

/// Everything there is to say about a node where the episode stands.
pub fn lines(episode: &mut Episode, node: Ix) -> Vec<Line> {
    let mut lines = state_lines(episode, node);
    lines.extend(relation_lines(episode.timeline(), node));
    let focus = Focus {
        nodes: vec![node],
        only: true,
        ..Focus::default()
    };
    let near = episode.candidates(&focus);
    lines.extend(can(episode, &near));
    lines.extend(rule::about_node(episode, node));
    lines.extend(goal_lines(episode, node));
    lines.extend(touched(episode, node));
    let world = episode.timeline().world();
    let class = properties(world, node);
    lines.push(Line::new("class", world.graph().class(node)).note(class));
    lines
}

fn state_lines(episode: &Episode, node: Ix) -> Vec<Line> {
    let timeline = episode.timeline();
    let world = timeline.world();
    let all = world.graph().states(node);
    let rows = all.iter().map(|state| {
        let since = timeline.since(node, state);
        since_line(world.dialect().state_name(state).to_owned(), since).to(Follow::Step(since))
    });
    let mut lines = labelled("states", rows);
    if lines.is_empty() {
        lines.push(Line::new("states", "none"));
    }
    lines
}

fn since_line(text: String, since: Pos) -> Line {
    Line::new("", text).note(format!("since s{}", since.0))
}

fn relation_lines(timeline: &Timeline, node: Ix) -> Vec<Line> {
    let world = timeline.world();
    let near = world.dialect().near;
    let mut lines = Vec::new();
    let ends = world.dialect().reading.ends;
    for &End { label, rel, out } in ends {
        lines.extend(labelled(label, related(timeline, node, rel, out)));
    }
    for rel in (0..world.dialect().relations.len() as u8).map(Rel) {
        if rel == near || ends.iter().any(|end| end.rel == rel) {
            continue;
        }
        let word = world.dialect().rel_name(rel);
        for out in [true, false] {
            lines.extend(related(timeline, node, rel, out).into_iter().map(|line| {
                let text = if out {
                    format!("{word} {}", line.text)
                } else {
                    format!("{} {word} it", line.text)
                };
                Line { text, ..line }
            }));
        }
    }
    lines.extend(labelled("near", near_lines(world, node, near)));
    lines
}

/// The nodes a relation leads to, lowest id first, with their states and since when.
fn related(timeline: &Timeline, node: Ix, rel: Rel, out: bool) -> Vec<Line> {
    let world = timeline.world();
    let graph = world.graph();
    let mut others: Vec<Ix> = if out {
        graph.targets(node, rel).collect()
    } else {
        graph.sources(node, rel).collect()
    };
    others.sort_unstable();
    others
        .into_iter()
        .map(|other| {
            let (from, to) = if out { (node, other) } else { (other, node) };
            let since = timeline.last_touch(
                |c| matches!(*c, Change::Edge(f, r, t, _) if (f, r, t) == (from, rel, to)),
            );
            let mut text = format!(
                "{} {}",
                name(world, other),
                states(world, graph.states(other))
            );
            text.truncate(text.trim_end().len());
            text.push_str(diff::hand_letter(world, rel));
            since_line(text, since).to(Follow::Node(other))
        })
        .collect()
}

/// Nearness both ways; where only one way holds, the line says which.
fn near_lines(world: &World, node: Ix, near: Rel) -> Vec<Line> {
    let graph = world.graph();
    let mut others: Vec<(Ix, bool, bool)> = graph
        .around(node)
        .map(|(other, out, inc)| (other, out.has(near), inc.has(near)))
        .filter(|&(_, out, inc)| out || inc)
        .collect();
    others.sort_unstable();
    others
        .into_iter()
        .map(|(other, out, inc)| {
            let note = match (out, inc) {
                (true, false) => "from here only",
                (false, true) => "from there only",
                _ => "",
            };
            Line::new("", name(world, other))
                .note(note)
                .to(Follow::Node(other))
        })
        .collect()
}

fn can(episode: &Episode, candidates: &[Candidate]) -> Vec<Line> {
    let world = episode.timeline().world();
    // What it is not made for, or is so already, is told in one line.
    let (never, others): (Vec<_>, Vec<_>) = candidates
        .iter()
        .partition(|c| c.hopeless && !c.action.b.is_some());
    let rows = others.iter().map(|c| {
        let line = Line::new("", action(world, c.action));
        match &c.refusal {
            None => line.note("✓").to(Follow::Do(c.action)),
            Some(r) => line
                .note(format!("✗{} {}", r.kind.letter(), reason(world, r)))
                .to(Follow::Refused(c.action)),
        }
    });
    let mut lines = labelled("can", rows);
    if !never.is_empty() {
        let words: Vec<String> = never.iter().map(|c| verb(world, c.action)).collect();
        lines.push(Line::new("not now", words.join(", ")));
    }
    lines
}

fn goal_lines(episode: &Episode, node: Ix) -> Vec<Line> {
    let rows = goals::rows(episode.ledger(), episode.timeline(), episode.here());
    let set = &episode.ledger().goals().goals;
    let rows = rows
        .iter()
        .filter(|row| set.get(row.goal).is_some_and(|goal| goal.mentions(node)))
        .map(|row| {
            let text = format!("{} {}: {}", row.kind(), row.number, row.words);
            Line::new("", text)
                .note(format!("{} {}", row.mark.glyph().sign, row.when()))
                .to(Follow::Goal(row.goal))
        });
    labelled("goals", rows)
}

/// Whether a change is about the node in a way people would call touching.
fn concerns(world: &World, change: &Change, node: Ix) -> bool {
    match *change {
        Change::State(it, ..) => it == node,
        Change::Edge(from, rel, to, _) => {
            rel != world.dialect().near
                && !world.dialect().reading.glances.contains(&rel)
                && (from == node || to == node)
        }
    }
}

fn touched(episode: &Episode, node: Ix) -> Vec<Line> {
    let timeline = episode.timeline();
    let world = timeline.world();
    let steps = timeline.path(episode.here()).into_iter().filter_map(|pos| {
        let did = timeline.action(pos)?;
        let changes = world.graph().changes(timeline.items(pos));
        let named = [did.a, did.b].contains(&node);
        (named || changes.iter().any(|c| concerns(world, c, node))).then(|| {
            Line::new("", format!("s{} {}", pos.0, action(world, did))).to(Follow::Step(pos))
        })
    });
    let mut lines = labelled("touched", steps);
    if lines.is_empty() {
        lines.push(Line::new("touched", "never touched in this run"));
    }
    lines
}

/// Everything that happened to a node on the way to the present position, nearness left out.
pub fn history(episode: &Episode, node: Ix) -> Vec<Line> {
    let mut timeline = episode.timeline().clone();
    let mut lines = Vec::new();
    for pos in timeline.path(episode.here()) {
        timeline.goto(pos);
        let Some(did) = timeline.action(pos) else {
            continue;
        };
        let world = timeline.world();
        let about: Vec<Change> = timeline
            .changes_here()
            .into_iter()
            .filter(|c| concerns(world, c, node))
            .collect();
        let rows = diff::rows(world, &about);
        lines.extend(rows.into_iter().map(|row| {
            Line::new("", format!("{} {}", row.sign.glyph().sign, row.text))
                .note(format!("s{} {}", pos.0, action(world, did)))
                .to(Follow::Step(pos))
        }));
    }
    if lines.is_empty() {
        lines.push(Line::new("", "never touched in this run"));
    }
    lines
}

/// The sign a history line begins with, for its role.
pub fn sign_of(text: &str) -> Option<Sign> {
    [Sign::Changed, Sign::Added, Sign::Removed]
        .into_iter()
        .find(|sign| text.starts_with(sign.glyph().sign))
}
