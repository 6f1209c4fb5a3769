//! A causal chain in words: what is so, the step that made it so and by what effect, then what that step needed, as an
//! indented tree of lines that lead to their steps.

use crate::app::parts::why::{Follow, Line};
use crate::app::parts::{action, diff, name};
use crate::base::text;
use crate::sim::reading::Literal;
use crate::sim::timeline::Pos;
use crate::sim::vocab::Ix;
use crate::sim::world::World;
use crate::task::episode::causes::{Cause, Folded, Told};

/// Effects of a step that are told with a fact.
const EFFECTS: usize = 3;

/// Columns that a fact is given, so that its step has room beside it on 80 columns.
const WIDE: usize = 46;

/// The chains as lines, each below what it made possible.
pub fn lines(world: &World, causes: &[Cause]) -> Vec<Line> {
    let mut lines = Vec::new();
    for cause in causes {
        tell(world, cause, 0, &mut lines);
    }
    lines
}

fn tell(world: &World, cause: &Cause, depth: usize, lines: &mut Vec<Line>) {
    let indent = "  ".repeat(depth);
    let joint = if depth == 0 { "" } else { "└ needs " };
    let fact = format!("{joint}{}", told(world, &cause.told));
    let wrapped = text::wrap(&fact, WIDE.saturating_sub(indent.len()));
    let mut parts = wrapped.into_iter().map(|part| format!("{indent}{part}"));
    let line = Line::new("", parts.next().unwrap_or_default());
    let Some(did) = cause.did else {
        lines.push(line.note("s0").to(follow_start(cause)));
        return;
    };
    let step = Follow::Step(cause.since);
    let by = format!("s{} {}", cause.since.0, action(world, did));
    lines.push(line.note(by).to(step));
    lines.extend(parts.map(|part| Line::new("", part)));
    let effects = diff::rows(world, &cause.effects);
    let loud: Vec<&diff::Row> = effects.iter().filter(|row| !row.quiet).collect();
    let verb = world.def(did).name;
    for row in loud.iter().take(EFFECTS) {
        let text = format!("{indent}  {verb}: {} {}", row.sign.word(), row.text);
        lines.push(Line::new("", text).to(step));
    }
    if let Some(more) = loud.len().checked_sub(EFFECTS).filter(|n| *n > 0) {
        lines.push(Line::new("", format!("{indent}  and {more} more effects")).to(step));
    }
    for words in happened(world, cause) {
        lines.push(Line::new("", format!("{indent}  happened with it: {words}")).to(step));
    }
    match cause.folded {
        Some(Folded::Above) => {
            lines.push(
                Line::new("", format!("{indent}  … s{} is told above", cause.since.0)).to(step),
            );
        }
        Some(Folded::Deep) => {
            let text = format!(
                "{indent}  … what s{} needed: Enter goes there",
                cause.since.0
            );
            lines.push(Line::new("", text).to(step));
        }
        None => {}
    }
    for need in &cause.needs {
        tell(world, need, depth + 1, lines);
    }
}

/// Where a fact of the scene leads: to the thing it is about.
fn follow_start(cause: &Cause) -> Follow {
    let node = cause.told.nodes().into_iter().next();
    node.filter(|ix| ix.is_some())
        .map_or(Follow::Step(Pos::START), Follow::Node)
}

fn happened<'w>(world: &'w World, cause: &'w Cause) -> impl Iterator<Item = &'w str> {
    let all = world.happenings();
    let known = cause.happened.iter().filter_map(|&i| all.get(i));
    known.map(|it| it.words.as_str())
}

/// A fact in words: `microwave ON`, `fork not INSIDE microwave`, `you near table`.
pub fn told(world: &World, told: &Told) -> String {
    let who = |ix: Ix| name(world, ix);
    let not = |on: bool| if on { "" } else { "not " };
    let dialect = world.dialect();
    match told {
        Told::Words(words, _) => words.clone(),
        Told::Fact(Literal::State(n, state, on)) => {
            format!("{} {}{}", who(*n), not(*on), dialect.state_name(*state))
        }
        Told::Fact(Literal::Edge(from, rel, to, on)) => {
            let rel = if *rel == dialect.near {
                "near"
            } else if dialect.rules.hands.contains(rel) {
                "HOLD"
            } else {
                dialect.rel_name(*rel)
            };
            format!("{} {}{rel} {}", who(*from), not(*on), who(*to))
        }
    }
}
