//! What lies over the panes of Play: node detail, reasons, branches, a line to type, the verdict. Each closes with `Esc`
//! to where one was.

use crate::app::edit::LineEdit;
use crate::app::list::List;
use crate::app::parts::why::{self, Follow, Line};
use crate::app::parts::{node, rule};
use crate::safety::verdict::Instance;
use crate::sim::timeline::Pos;
use crate::sim::vocab::Ix;
use crate::sim::world::Action;
use crate::task::episode::Episode;

use super::words;

/// One sheet.
#[derive(Clone, Debug)]
pub enum Sheet {
    /// Facts in lines, some of which lead on.
    Lines(Lines),
    /// The branches.
    Branches(List),
    /// An action is being typed.
    Line(LineEdit),
    /// A reason to refuse the instruction is being typed.
    Reason(LineEdit),
    /// What is wrong with this goal.
    Annotate(usize),
    /// The verdict; its draft is kept by the game.
    Verdict,
}

/// What the lines are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A node.
    Node(Ix),
    /// What happened to a node.
    History(Ix),
    /// Why an action is refused.
    Refused(Action),
    /// How a goal stands.
    Goal(usize),
    /// How a rule stands for some nodes.
    Rule(Instance),
    /// What is still open before the run is called done.
    Done,
    /// The task: what it asks for, and what kind it is.
    Task,
}

/// Facts in lines.
#[derive(Clone, Debug)]
pub struct Lines {
    /// What they are about.
    pub about: About,
    /// The heading.
    pub heading: String,
    /// The lines.
    pub lines: Vec<Line>,
    /// The line under the cursor.
    pub list: List,
}

impl Lines {
    /// The facts about something where the episode stands; `None` where there is nothing to say.
    pub fn of(episode: &mut Episode, about: About) -> Option<Self> {
        let (heading, lines) = match about {
            About::Node(ix) => (
                node::heading(episode.timeline().world(), ix),
                node::lines(episode, ix),
            ),
            About::History(ix) => {
                let heading = node::heading(episode.timeline().world(), ix);
                (format!("history  {heading}"), node::history(episode, ix))
            }
            About::Refused(action) => {
                let refusal = episode.preview(action).err()?;
                let why = why::refusal(episode, action, &refusal);
                let mut lines = why.lines;
                lines.extend(rule::attempt(episode, action));
                (why.heading, lines)
            }
            About::Goal(goal) => {
                let why = why::goal(episode, goal)?;
                (why.heading, why.lines)
            }
            About::Rule(instance) => {
                let why = rule::why(episode, &instance)?;
                (why.heading, why.lines)
            }
            About::Task => {
                let task = &episode.setup().task;
                (task.id.clone(), words::task_lines(task))
            }
            About::Done => {
                let open = episode.left_open();
                let why = rule::before_the_end(episode, &open);
                (why.heading, why.lines)
            }
        };
        // What would help is what one came for.
        let helps = |line: &Line| {
            line.label == "cure"
                || line.label == "needs" && matches!(line.follow, Some(Follow::Do(_)))
        };
        let first = match about {
            About::Refused(_) | About::Goal(_) => lines.iter().position(helps),
            About::Node(_) | About::History(_) | About::Rule(_) | About::Done | About::Task => None,
        };
        Some(Self {
            about,
            heading,
            list: List {
                cursor: first.unwrap_or(0),
            },
            lines,
        })
    }
}

/// One branch in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchRow {
    /// Its name.
    pub name: String,
    /// How deep it hangs below the first.
    pub depth: usize,
    /// Its last position.
    pub tip: Pos,
    /// The position it left, and its steps.
    pub words: String,
    /// How the goals stand at its end.
    pub goals: String,
    /// Whether the episode stands on it.
    pub here: bool,
}

/// The branches, each below the one it left.
pub fn branches(episode: &Episode) -> Vec<BranchRow> {
    let all = episode.branches().all();
    let timeline = episode.timeline();
    let world = timeline.world();
    let parent = |at: usize| {
        let from = all.get(at)?.from?;
        let owner = &episode.branches().of(from).name;
        all.iter().position(|b| b.name == *owner)
    };
    let mut rows = Vec::new();
    let mut open: Vec<(usize, usize)> = vec![(0, 0)];
    while let Some((at, depth)) = open.pop() {
        let Some(branch) = all.get(at) else { continue };
        let below = (0..all.len()).filter(|&other| other != at && parent(other) == Some(at));
        open.extend(below.rev().map(|other| (other, depth + 1)));
        let steps: Vec<String> = branch
            .positions
            .iter()
            .filter_map(|&pos| {
                let did = timeline.action(pos)?;
                Some(format!(
                    "s{} {}",
                    pos.0,
                    crate::app::parts::action(world, did)
                ))
            })
            .collect();
        let from = branch
            .from
            .map_or(String::new(), |p| format!("from s{}  ", p.0));
        let tip = branch.tip();
        let score = episode.ledger().score(tip);
        rows.push(BranchRow {
            name: branch.name.to_string(),
            depth,
            tip,
            words: format!("{from}{}", steps.join(" ─ ")),
            goals: format!(
                "{}/{} · safety {}/{}",
                score.success, score.success_of, score.safety, score.safety_of
            ),
            here: branch.name == episode.branch().name,
        });
    }
    rows
}
