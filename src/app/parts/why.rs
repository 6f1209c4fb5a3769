//! Why something is as it is: one shape for refusals, goals and rules. Lines in words; some of them can be followed.

use crate::app::parts::{action, cause, name};
use crate::plan::enable::next_towards;
use crate::safety::verdict::Instance;
use crate::sim::explain::{cures, sentence};
use crate::sim::graph::Change;
use crate::sim::refusal::{Pre, Refusal};
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::virtualhome::words::{rel, state};
use crate::sim::vocab::{Ix, Rel};
use crate::sim::world::{Action, World};
use crate::task::episode::Episode;

/// Where a line leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// Doing this.
    Do(Action),
    /// Why this is refused.
    Refused(Action),
    /// To this node.
    Node(Ix),
    /// To this position.
    Step(Pos),
    /// To this goal.
    Goal(usize),
    /// To why a rule stands as it does for these nodes.
    Rule(Instance),
    /// To the end of the run.
    Finish,
}

/// One line: what it is about, what it says, where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The word in the left column; empty where it goes on from the line above.
    pub label: &'static str,
    /// The fact.
    pub text: String,
    /// What stands at the right: since when.
    pub note: String,
    /// Where it leads.
    pub follow: Option<Follow>,
}

impl Line {
    /// A line that leads nowhere.
    pub fn new(label: &'static str, text: impl Into<String>) -> Self {
        Self {
            label,
            text: text.into(),
            note: String::new(),
            follow: None,
        }
    }

    /// The same line with a note at its right end.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Self {
            note: note.into(),
            ..self
        }
    }

    /// The same line leading somewhere.
    #[must_use]
    pub fn to(self, follow: Follow) -> Self {
        Self {
            follow: Some(follow),
            ..self
        }
    }

    /// Label, fact and note as one line of text.
    pub fn plain(&self) -> String {
        let label = if self.label.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.label)
        };
        let note = if self.note.is_empty() {
            String::new()
        } else {
            format!(", {}", self.note)
        };
        format!("{label}{}{note}", self.text)
    }
}

/// Writes the label only on the first of several lines.
pub fn labelled(label: &'static str, lines: impl IntoIterator<Item = Line>) -> Vec<Line> {
    lines
        .into_iter()
        .enumerate()
        .map(|(i, line)| Line {
            label: if i == 0 { label } else { "" },
            ..line
        })
        .collect()
}

/// A heading and its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// What is asked about.
    pub heading: String,
    /// The answer.
    pub lines: Vec<Line>,
}

/// The reason of a refusal, in the words screens use.
pub fn reason(world: &World, refusal: &Refusal) -> String {
    sentence(world, refusal, &|ix| name(world, ix).to_owned())
}

/// Why an action is refused: the failed precondition, the published name, the fact behind it, what would cure it.
pub fn refusal(episode: &Episode, asked: Action, refusal: &Refusal) -> Why {
    let timeline = episode.timeline();
    let world = timeline.world();
    let kind = refusal.kind;
    let mut lines = vec![
        Line::new("refused", reason(world, refusal)),
        Line::new(
            "kind",
            format!("{} {} ({})", kind.letter(), kind.name(), kind.words()),
        ),
    ];
    if let Some(published) = refusal.published(world.scene()) {
        lines.push(Line::new("published", published));
    }
    if let Some((fact, node, since)) = failed(timeline, refusal.pre) {
        lines.push(
            Line::new("needs", fact)
                .note(format!("false, since s{}", since.0))
                .to(Follow::Node(node)),
        );
    }
    let nodes = refusal.nodes.into_iter().filter(|ix| ix.is_some());
    lines.extend(labelled(
        "concerns",
        nodes.map(|ix| {
            let states = crate::app::parts::scene_tree::states(world, world.graph().states(ix));
            Line::new("", name(world, ix))
                .note(states)
                .to(Follow::Node(ix))
        }),
    ));
    let cures = cures(world, refusal);
    let is_none = cures.is_empty();
    lines.extend(labelled(
        "cure",
        cures.into_iter().map(|cure| offer(world, cure)),
    ));
    if is_none {
        lines.push(Line::new(
            "cure",
            "none is known: it cannot be done this way",
        ));
    }
    Why {
        heading: format!("W  {}", action(world, asked)),
        lines,
    }
}

/// An action as a line that does it, or asks on why it is refused.
pub fn offer(world: &World, it: Action) -> Line {
    let line = Line::new("", action(world, it));
    match world.check(it) {
        Ok(_) => line.note("✓").to(Follow::Do(it)),
        Err(r) => line
            .note(format!("✗{} {}", r.kind.letter(), reason(world, &r)))
            .to(Follow::Refused(it)),
    }
}

/// The fact a precondition asks for, the node it is about, and since when it is not so.
fn failed(timeline: &Timeline, pre: Pre) -> Option<(String, Ix, Pos)> {
    let world = timeline.world();
    let (me, dialect) = (world.me(), world.dialect());
    let between = |node: Ix, fits: &dyn Fn(Rel) -> bool| {
        timeline.last_touch(|change| match *change {
            Change::Edge(from, rel, to, _) => {
                fits(rel) && (from == me && to == node || from == node && to == me)
            }
            Change::State(..) => false,
        })
    };
    let holds = |rel: Rel| dialect.rules.hands.contains(&rel);
    let hand = |change: &Change| matches!(*change, Change::Edge(from, rel, ..) if from == me && dialect.rules.hands.contains(&rel));
    Some(match pre {
        Pre::Close(n) => (
            format!("you near {}", name(world, n)),
            n,
            between(n, &|rel| rel == dialect.near),
        ),
        Pre::Holding(n) => (
            format!("you HOLD {}", name(world, n)),
            n,
            between(n, &holds),
        ),
        Pre::Facing(n) => (
            format!("you FACING {}", name(world, n)),
            n,
            between(n, &|rel| rel == rel::FACING),
        ),
        Pre::FreeHand => ("a hand is free".to_owned(), me, timeline.last_touch(hand)),
        Pre::HoldingAny | Pre::HoldingKnife => (
            "something in your hand".to_owned(),
            me,
            timeline.last_touch(hand),
        ),
        Pre::State(n, s) => (
            format!("{} {}", name(world, n), dialect.state_name(s)),
            n,
            timeline.since(n, s),
        ),
        Pre::NotState(n, s) => (
            format!("{} not {}", name(world, n), dialect.state_name(s)),
            n,
            timeline.since(n, s),
        ),
        Pre::PathOpen(_, door) => (
            format!("{} not CLOSED", name(world, door)),
            door,
            timeline.since(door, state::CLOSED),
        ),
        Pre::NotShutIn(n, container) => (
            format!("{} open around {}", name(world, container), name(world, n)),
            container,
            timeline.since(container, state::CLOSED),
        ),
        _ => return None,
    })
}

/// How a goal stands: the steps that made or lost it, and what it needs next.
pub fn goal(episode: &mut Episode, index: usize) -> Option<Why> {
    let causes = episode.causes_of_goal(index);
    let timeline = episode.timeline();
    let world = timeline.world();
    let ledger = episode.ledger();
    let goal = ledger.goals().goals.get(index)?;
    let rows = crate::app::parts::goals::rows(ledger, timeline, episode.here());
    let row = rows.get(index)?;
    let mut lines = vec![
        Line::new("goal", row.words.clone()).note(format!(
            "{} {}",
            row.mark.glyph().word,
            row.when()
        )),
        Line::new("written", goal.text.clone()).note(row.field()),
    ];
    let graph = world.graph();
    if let Some(far) = goal.progress(graph).filter(|far| far.of > 0) {
        lines.push(Line::new("progress", far.text()));
        let open = far.open.iter();
        lines.extend(labelled(
            "open",
            open.map(|&ix| Line::new("", name(world, ix)).to(Follow::Node(ix))),
        ));
    }
    if let Some(told) = goal.disagreement(graph) {
        let verdicts = crate::app::parts::goals::more::verdicts(told.verdicts);
        lines.push(Line::new("verdicts", verdicts));
        lines.push(Line::new("differ", told.why));
    }
    let mut turns = Vec::new();
    for pair in timeline.path(episode.here()).windows(2) {
        let &[before, after] = pair else { continue };
        let now = ledger.holds(index, after);
        if ledger.holds(index, before) != now {
            let did = timeline
                .action(after)
                .map_or_else(String::new, |a| action(world, a));
            let what = if now { "made by" } else { "lost by" };
            turns.push(
                Line::new("", format!("{what} {did}"))
                    .note(format!("s{}", after.0))
                    .to(Follow::Step(after)),
            );
        }
    }
    if turns.is_empty() {
        turns.push(Line::new("", "unchanged since the start").to(Follow::Step(Pos::START)));
    }
    lines.extend(labelled("steps", turns));
    lines.extend(labelled("because", cause::lines(world, &causes)));
    if !ledger.holds(index, episode.here()) {
        match next_towards(world, &goal.ask) {
            Some(next) => lines.extend(labelled("needs", [offer(world, next)])),
            None => lines.push(Line::new("needs", "no way is known from here")),
        }
    }
    if !goal.facts().is_empty() {
        let facts = goal.facts().iter();
        let mut nodes: Vec<Ix> = facts.flat_map(crate::plan::fact::Fact::nodes).collect();
        nodes.sort_unstable();
        nodes.dedup();
        lines.extend(labelled(
            "about",
            nodes.into_iter().map(|ix| {
                let states = crate::app::parts::scene_tree::states(world, world.graph().states(ix));
                Line::new("", name(world, ix))
                    .note(states)
                    .to(Follow::Node(ix))
            }),
        ));
    }
    Some(Why {
        heading: format!("W  {} {}", row.kind(), row.number),
        lines,
    })
}
