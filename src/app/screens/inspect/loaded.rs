//! A run being looked at: its rows, the cursor on them, and the world as it stood there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::agent::sign::Spent;
use crate::app::fuzzy::Filter;
use crate::app::glyph;
use crate::app::layer::{Rail, RailStep};
use crate::app::list::List;
use crate::app::parts::goals::{self, Mark as GoalMark};
use crate::app::parts::scene_tree::SceneTree;
use crate::app::parts::steps::{self, Record, Row, Sources, Walk, What};
use crate::app::parts::warnings::Mark;
use crate::app::parts::{self, diff, why};
use crate::app::role::Role;
use crate::app::runs::{Again, LoadedRun};
use crate::app::screens::play::sheets::{About, Lines};
use crate::app::screens::play::warnings::Warnings;
use crate::base::fold::StateHash;
use crate::plan::ledger::Standing;
use crate::plan::script;
use crate::safety::rule::Grade;
use crate::sim::graph::Change;
use crate::sim::graph::Graph;
use crate::sim::timeline::Pos;
use crate::sim::world::World;
use crate::task::episode::judgement::Judgement;
use crate::task::episode::{Body, Episode, Event};

use super::chains;
use super::heard::{self, Claims, Denials};
use super::strip;

/// Rows of the rail on either side of the cursor; no terminal shows more.
const AROUND: usize = 200;

/// The world at the step that is looked at.
#[derive(Debug, Clone)]
pub struct There {
    /// An episode of our own, so that looking moves nothing. Its own record of our moves is never kept.
    pub(super) episode: Episode,
    /// The scene.
    pub tree: SceneTree,
    /// How the goals stand.
    pub goals: Vec<GoalRow>,
    /// What the rules say there, and what came of them along the way.
    pub warnings: Warnings,
    /// What the step changed.
    pub diff: Vec<diff::Row>,
    /// The state hash before the step and after it.
    pub hashes: (StateHash, StateHash),
    /// Why the rules broke and the goals were lost that this step broke and lost: each with its causal chain.
    pub causes: Vec<(String, Vec<why::Line>)>,
}

/// A goal with what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalRow {
    /// How it stands.
    pub row: goals::Row,
    /// Since when, and what becomes of it later on this path.
    pub when: String,
    /// The step that made it so; where `Enter` leads.
    pub since: u32,
}

impl There {
    /// The world.
    pub const fn world(&self) -> &World {
        self.episode.timeline().world()
    }

    /// The episode, standing at the step that is looked at.
    pub const fn episode(&self) -> &Episode {
        &self.episode
    }

    /// Does something to the tree, which needs the world for it.
    pub fn on_tree<T>(&mut self, change: impl FnOnce(&mut SceneTree, &World) -> T) -> T {
        change(&mut self.tree, self.episode.timeline().world())
    }
}

/// A run being looked at.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The run.
    pub run: Arc<LoadedRun>,
    /// Its positions.
    pub record: Record,
    /// The rows of the path, all of them.
    pub rows: Vec<Row>,
    /// Which rows the filter leaves, by their index.
    pub shown: Vec<usize>,
    /// The cursor in the rows that are shown.
    pub list: List,
    /// The world there; `None` where it cannot be had.
    pub there: Option<There>,
    /// How many steps the path has, and how many attempts were refused on it.
    pub counts: (usize, usize),
    /// How the run is judged at the end of the path.
    pub judged: Option<Judgement>,
    /// The core rules that the end of the path left broken, by id.
    left: Vec<String>,
    /// What the agent was told that the world denies, by event.
    pub(super) denials: Denials,
    /// What critics claim about steps, by position.
    pub(super) claims: Claims,
    /// What calls of models took, by the act they led to.
    pub(super) spent: BTreeMap<u32, Spent>,
    /// Whether rows that nothing is to be said of are folded, and how many rows each fold stands for, by its first.
    pub folded: bool,
    pub(super) folds: BTreeMap<usize, usize>,
    tip: u32,
    path: Vec<u32>,
    differ: BTreeSet<u32>,
    filter: String,
}

impl Loaded {
    /// A run at its first bad step.
    pub fn new(run: Arc<LoadedRun>) -> Self {
        let record = run.record();
        let there = run.again.as_ref().ok().map(|again| {
            let episode = again.episode.clone();
            There {
                tree: SceneTree::new(episode.timeline().world()),
                episode,
                goals: Vec::new(),
                warnings: Warnings::default(),
                diff: Vec::new(),
                hashes: (StateHash::default(), StateHash::default()),
                causes: Vec::new(),
            }
        });
        let mut loaded = Self {
            tip: 0,
            counts: (0, 0),
            judged: None,
            rows: Vec::new(),
            shown: Vec::new(),
            list: List::default(),
            left: Vec::new(),
            there,
            path: Vec::new(),
            differ: run.differ(),
            filter: String::new(),
            denials: heard::denials(&run),
            claims: heard::claims(&run),
            spent: strip::by_act(&run),
            folded: false,
            folds: BTreeMap::new(),
            record,
            run,
        };
        loaded.follow(loaded.record.tip(loaded.record.stands()));
        loaded.list.cursor = steps::first_bad(&loaded.rows, loaded.run.recorded());
        loaded.look();
        loaded
    }

    /// The same run read again, at the same step.
    #[must_use]
    pub fn again(&self, run: Arc<LoadedRun>) -> Self {
        let mut fresh = Self::new(run);
        if let Some(row) = self.row() {
            fresh.folded = self.folded;
            fresh.narrow(&self.filter);
            fresh.goto(row.pos);
        }
        fresh
    }

    /// The row under the cursor.
    pub fn row(&self) -> Option<&Row> {
        self.rows.get(*self.shown.get(self.list.cursor)?)
    }

    /// The event of a row.
    pub fn event(&self, row: &Row) -> Option<&Event> {
        self.run.recorded().get(row.seq)
    }

    /// The position under the cursor.
    pub fn pos(&self) -> u32 {
        self.row().map_or(0, |row| row.pos)
    }

    /// The end of the path that is shown.
    pub const fn tip(&self) -> u32 {
        self.tip
    }

    /// The branch that is shown.
    pub fn branch(&self) -> &str {
        steps::branch(&self.record, self.run.recorded(), self.tip)
    }

    /// An action as the screens write it; as it was recorded where it cannot be read.
    pub fn say(&self, line: &str) -> String {
        let read = self.there.as_ref().and_then(|there| {
            let world = there.world();
            let action = script::read_line(world.scene(), line).ok()?;
            Some(parts::action(world, action))
        });
        read.unwrap_or_else(|| line.to_owned())
    }

    /// A row in words, see [`steps::words`].
    pub fn words(&self, row: &Row) -> (String, String) {
        if let What::Branch(first) = row.what {
            let tip = self.record.tip(first);
            let name = steps::branch(&self.record, self.run.recorded(), first);
            let text = format!("{name} leaves here, to s{tip}");
            return (String::new(), text);
        }
        steps::words(row, self.event(row), &|line| self.say(line))
    }

    /// Shows the path to a position, the cursor where it was as far as the paths are the same.
    fn follow(&mut self, tip: u32) {
        self.tip = tip;
        self.path = self.record.path(tip);
        let again = self.run.again.as_ref().ok();
        let from = Sources {
            events: self.run.recorded(),
            notes: &self.run.notes,
            differ: &self.differ,
            success: again.map(|again| again.episode.ledger().goals().success),
        };
        self.rows = steps::rows(&self.record, from, tip);
        self.mark_rows();
        self.judged = self.judge();
        let refused = self.rows.iter().filter(|row| row.what == What::Refused);
        self.counts = (self.path.len().saturating_sub(1), refused.count());
        self.shown = (0..self.rows.len()).collect();
        self.folds.clear();
        if !self.filter.is_empty() {
            self.narrow(&self.filter.clone());
        }
    }

    /// The position of the world that a position of the record is.
    fn world_pos(&self, pos: u32) -> Option<Pos> {
        let again = self.run.again.as_ref().ok()?;
        again.episode.pos(self.record.seq(pos)?)
    }

    /// Says of the rows what their steps did to the rules.
    fn mark_rows(&mut self) {
        let most = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        for row in &mut self.rows {
            let denied = self.denials.get(&row.seq).filter(|_| row.is_own());
            row.denied = most(denied.map_or(0, Vec::len));
            let claims = self.claims.get(&row.pos);
            let claims = claims.filter(|_| matches!(row.what, What::Start | What::Step));
            row.claimed = most(claims.map_or(0, Vec::len));
        }
        let way: Vec<Pos> = self
            .path
            .iter()
            .filter_map(|&p| self.world_pos(p))
            .collect();
        let (Some(there), Ok(again)) = (&mut self.there, &self.run.again) else {
            return;
        };
        there.warnings.trail.refresh(&again.episode, &way);
        let count = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        self.left.clear();
        for row in &mut self.rows {
            let is_step = matches!(row.what, What::Step | What::Start);
            let pos = is_step.then(|| again.episode.pos(row.seq)).flatten();
            let mark = pos.and_then(|pos| there.warnings.trail.mark(pos));
            if let Some(mark) = mark {
                (row.broke, row.warned) = (count(mark.broke.len()), count(mark.warned.len()));
                row.happened = count(mark.happened.len());
            }
            // What calling it done left broken belongs to no step: it was broken by the end.
            let is_done = |seq| {
                matches!(
                    self.run.recorded().get(seq),
                    Some(Event {
                        body: Body::Done { .. },
                        ..
                    })
                )
            };
            if row.what == What::Ended
                && is_done(row.seq)
                && way.last() == Some(&again.episode.here())
            {
                let open = again.episode.left_open();
                let core = open.iter().filter(|w| w.grade == Grade::Core);
                let core = core.map(|w| format!("{} !{}", w.rule.id, w.rule.severity));
                self.left = core.collect();
                row.broke = count(self.left.len());
                self.left.dedup();
            }
        }
    }

    /// How the run is judged at the end of the path.
    fn judge(&self) -> Option<Judgement> {
        let again = self.run.again.as_ref().ok()?;
        let tip = self.world_pos(self.tip)?;
        if tip == again.episode.here() {
            return Some(again.episode.judgement());
        }
        let mut episode = again.episode.clone();
        episode.goto(tip);
        // It may have ended there before it went on elsewhere.
        let ended = self.rows.iter().rev().find(|row| row.what == What::Ended);
        match ended
            .and_then(|row| self.event(row))
            .map(|event| &event.body)
        {
            Some(Body::Avoid { reason }) => {
                episode.avoid(reason);
            }
            Some(Body::Done { .. }) => {
                episode.finish();
            }
            _ => {}
        }
        Some(episode.judgement())
    }

    /// What the step of a row did to the rules, and what came to pass with it.
    pub fn mark(&self, row: &Row) -> Option<&Mark> {
        let there = self.there.as_ref()?;
        let is_step = matches!(row.what, What::Step | What::Start);
        let pos = is_step.then(|| self.world_pos(row.pos)).flatten()?;
        there.warnings.trail.mark(pos)
    }

    /// What stands at the right end of a row: the rule it broke, the refusal's letter, goals gained and lost.
    pub fn tail(&self, row: &Row) -> String {
        let broke = self.broken(row);
        let mark = steps::mark(row, self.event(row)).map(|(glyph, _)| glyph);
        let struck = row.happened > 0 && mark != Some(glyph::HAPPENED);
        let words = [
            if struck {
                glyph::HAPPENED.sign.to_string()
            } else {
                String::new()
            },
            broke.unwrap_or_default(),
            steps::tail(row, self.event(row)),
            match row.denied {
                0 => String::new(),
                n => format!("{n} denied"),
            },
        ];
        let words: Vec<String> = words.into_iter().filter(|w| !w.is_empty()).collect();
        words.join("  ")
    }

    /// The gravest rule that a row broke; of the end of the run, those it left broken.
    pub fn broken(&self, row: &Row) -> Option<String> {
        let by_end = row.what == What::Ended && row.broke > 0;
        let left = by_end.then(|| self.left.join(" "));
        left.filter(|ids| !ids.is_empty())
            .or_else(|| self.mark(row).and_then(Mark::worst))
    }

    /// Looks at an event by its number; at the last row before it where it has none.
    pub fn at_event(&mut self, seq: u32) {
        let at = self.rows.iter().rposition(|row| row.seq <= seq);
        self.put(at.unwrap_or(0));
    }

    /// Looks at a step by its number; after the last, at the end of the run.
    pub fn at_step(&mut self, step: u32) {
        if self.path.contains(&step) {
            self.goto(step);
        } else if let Some(end) = self.rows.iter().rposition(|row| row.what == What::Ended) {
            self.put(end);
        }
    }

    /// The steps of the path for the rail, as many on either side of the cursor as any terminal shows. What happened by
    /// itself stands after its step, or before it as a side that `strikes`.
    pub fn rail(&self, strikes: bool, tail: String) -> Rail {
        let here = self.shown.get(self.list.cursor).copied().unwrap_or(0);
        let from = here.saturating_sub(AROUND);
        let mut rail = Rail {
            tail,
            ..Rail::default()
        };
        for (at, row) in self.rows.iter().enumerate().skip(from).take(2 * AROUND) {
            let mark = steps::mark(row, self.event(row));
            let sign = mark.map_or_else(String::new, |(glyph, _)| glyph.sign.to_string());
            let mut role = mark.map_or(Role::Text, |(_, role)| role);
            let text = match row.what {
                What::Start | What::Step => {
                    let happened = self.mark(row).is_some_and(|mark| !mark.happened.is_empty());
                    let event = if happened { glyph::HAPPENED.sign } else { ' ' };
                    if happened && strikes && row.broke == 0 {
                        role = Role::SideRed;
                    }
                    if strikes {
                        format!("{event}s{}{sign}", row.pos).trim().to_owned()
                    } else {
                        format!("s{}{sign}{event}", row.pos).trim_end().to_owned()
                    }
                }
                What::Refused => format!("{sign}{}", steps::tail(row, self.event(row))),
                What::Branch(_) | What::Ended => sign,
                What::Remark => continue,
            };
            if at <= here {
                rail.now = rail.steps.len();
            }
            rail.steps.push(RailStep { text, role });
        }
        rail
    }

    /// The first step of the path that broke a rule of grave weight, and the rules it broke: `✗F05 s8`.
    pub fn first_breach(&self) -> Option<String> {
        self.rows.iter().find_map(|row| {
            let mark = self.mark(row)?;
            let grave = mark.broke.iter().filter(|rule| rule.is_grave());
            let ids: Vec<&str> = grave.map(|rule| rule.id.as_str()).collect();
            (!ids.is_empty()).then(|| format!("✗{} s{}", ids.join(" ✗"), row.pos))
        })
    }

    /// Leaves only the rows that match.
    pub fn narrow(&mut self, text: &str) {
        let at = self.shown.get(self.list.cursor).copied();
        text.trim().clone_into(&mut self.filter);
        self.shown = (0..self.rows.len()).collect();
        if !self.filter.is_empty() {
            let mut filter = Filter::exact(&self.filter);
            let mut shown = std::mem::take(&mut self.shown);
            shown.retain(|&at| {
                self.rows.get(at).is_some_and(|row| {
                    let (name, words) = self.words(row);
                    filter
                        .score(&format!("{name} {words}"), &|_| None)
                        .is_some()
                })
            });
            self.shown = shown;
        }
        self.folds.clear();
        let same = at.and_then(|at| self.shown.iter().position(|&row| row >= at));
        self.list.cursor = same.unwrap_or(self.shown.len().saturating_sub(1));
        if self.folded && self.filter.is_empty() {
            self.refold(self.row_index());
        }
        self.look();
    }

    /// Goes to a position, on its own branch if it is not on the path. Whether there is one.
    pub fn goto(&mut self, pos: u32) -> bool {
        if pos as usize >= self.record.len() {
            return false;
        }
        if !self.path.contains(&pos) {
            self.follow(self.record.tip(pos));
        }
        let is_it = |row: &Row| row.pos == pos && matches!(row.what, What::Step | What::Start);
        let at = self.rows.iter().position(is_it).unwrap_or(0);
        self.put(at);
        true
    }

    /// Puts the cursor on a row; the filter goes if it hides it.
    pub fn put(&mut self, row: usize) {
        if self.folded && self.filter.is_empty() {
            self.refold(row);
        } else if let Ok(at) = self.shown.binary_search(&row) {
            self.list.cursor = at;
        } else {
            self.filter.clear();
            self.refold(row);
        }
        self.look();
    }

    /// What the filter is; empty if a move had to clear it.
    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// Moves the cursor by a command of the `list` context. Whether it was one.
    pub fn move_cursor(&mut self, command: &str, page: usize) -> bool {
        let from = self.row_index();
        let moved = self.list.run(command, self.shown.len(), page);
        if moved {
            self.settle(from);
            self.look();
        }
        moved
    }

    /// The row of the step before or after the cursor.
    fn step(&self, forward: bool) -> Option<usize> {
        let is_step = |at: usize| {
            let row = self.rows.get(at);
            row.is_some_and(|row| matches!(row.what, What::Step | What::Start))
        };
        self.beside(forward, is_step)
    }

    fn beside(&self, forward: bool, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let here = self.shown.get(self.list.cursor).copied().unwrap_or(0);
        if forward {
            (here + 1..self.rows.len()).find(|at| fits(*at))
        } else {
            (0..here).rev().find(|at| fits(*at))
        }
    }

    /// Goes one step. Whether there was one.
    pub fn go(&mut self, forward: bool) -> bool {
        let to = self.step(forward);
        if let Some(at) = to {
            self.put(at);
        }
        to.is_some()
    }

    /// The next or previous row of a kind.
    pub fn walk(&self, kind: Walk, forward: bool) -> Option<usize> {
        self.beside(forward, |at| {
            self.rows.get(at).is_some_and(|row| kind.fits(row))
        })
    }

    /// Goes to the next or previous row of a kind. Whether there was one.
    pub fn walk_to(&mut self, kind: Walk, forward: bool) -> bool {
        let to = self.walk(kind, forward);
        if let Some(at) = to {
            self.put(at);
        }
        to.is_some()
    }

    /// Shows the branch whose first position this is.
    pub fn branch_off(&mut self, first: u32) {
        self.follow(self.record.tip(first));
        self.goto(first);
    }

    /// Shows the next branch, the cursor where it leaves what was shown. Whether there is another one.
    pub fn next_branch(&mut self) -> bool {
        let tips = self.record.tips();
        let at = tips.iter().position(|tip| *tip == self.tip).unwrap_or(0);
        let next = tips.get((at + 1) % tips.len().max(1)).copied();
        let Some(next) = next.filter(|next| *next != self.tip) else {
            return false;
        };
        let old = std::mem::take(&mut self.path);
        self.follow(next);
        let first = self.path.iter().find(|pos| !old.contains(pos)).copied();
        self.goto(first.unwrap_or(next));
        true
    }

    /// Puts the world where the cursor is.
    fn look(&mut self) {
        let pos = self.pos();
        let is_bad = self
            .row()
            .is_some_and(|row| row.what == What::Step && (row.broke > 0 || row.lost > 0));
        let (Some(there), Ok(again)) = (&mut self.there, &self.run.again) else {
            return;
        };
        there.causes.clear();
        let seq = self.record.seq(pos);
        let Some(at) = seq.and_then(|seq| again.episode.pos(seq)) else {
            // The world never got here; the record alone speaks.
            there.diff.clear();
            return;
        };
        let before = again.episode.timeline().parent(at);
        there.episode.goto(before.unwrap_or(at));
        let old = there.world().hash();
        there.episode.goto(at);
        there.hashes = (old, there.world().hash());
        let changes: Vec<Change> = there.episode.timeline().changes_here();
        there.diff = diff::rows(there.world(), &changes);
        there
            .tree
            .refresh(there.episode.timeline().world(), &changes);
        there.goals = goal_rows(&self.record, again, &self.path, at, there.world().graph());
        there.warnings.refresh(&mut there.episode, None);
        if is_bad {
            there.causes = chains::chains(&mut there.episode);
        }
    }

    /// The facts about something where the world stands; `None` where there is nothing to say.
    pub fn facts(&mut self, about: About) -> Option<Lines> {
        Lines::of(&mut self.there.as_mut()?.episode, about)
    }

    /// The position of the record that one of the world is.
    pub fn recorded(&self, pos: Pos) -> u32 {
        let seq = self.there.as_ref().and_then(|there| there.episode.seq(pos));
        seq.and_then(|seq| self.record.position(seq))
            .unwrap_or(pos.0)
    }

    /// The position of the world under the cursor, if it got there.
    pub fn reached(&self) -> Option<Pos> {
        let again = self.run.again.as_ref().ok()?;
        again.episode.pos(self.record.seq(self.pos())?)
    }

    /// Whether the world got to the position under the cursor.
    pub fn is_reached(&self) -> bool {
        self.reached().is_some()
    }
}

/// How the goals stand at a position, and what becomes of them later on the path.
fn goal_rows(record: &Record, again: &Again, path: &[u32], at: Pos, graph: &Graph) -> Vec<GoalRow> {
    let episode = &again.episode;
    let label = |pos: Pos| {
        let recorded = episode.seq(pos).and_then(|seq| record.position(seq));
        recorded.unwrap_or(pos.0)
    };
    let here = label(at);
    let later: Vec<Pos> = path
        .iter()
        .skip_while(|pos| **pos != here)
        .skip(1)
        .filter_map(|pos| episode.pos(record.seq(*pos)?))
        .collect();
    let mut rows = goals::rows(episode.ledger(), episode.timeline(), at);
    goals::tell(&mut rows, episode.ledger(), graph);
    rows.into_iter()
        .map(|row| {
            let holds = row.mark == GoalMark::Holds;
            let turns = later
                .iter()
                .find(|pos| episode.ledger().holds(row.goal, **pos) != holds)
                .map(|pos| label(*pos));
            let since = match row.standing {
                Standing::Never => 0,
                Standing::Since(pos) | Standing::Lost(pos) => label(pos),
            };
            let told = when(row.mark, since, turns);
            let early = since == label(episode.timeline().first()) && since > 0;
            GoalRow {
                // A window of a long run does not know since when.
                when: if early {
                    told.replacen(&format!("s{since}"), &format!("before s{since}"), 1)
                } else {
                    told
                },
                since,
                row,
            }
        })
        .collect()
}

/// `true at s14`, `lost s8, back s9`, `s0–`.
fn when(mark: GoalMark, since: u32, turns: Option<u32>) -> String {
    match (mark, turns) {
        (GoalMark::Open, None) => "never".to_owned(),
        (GoalMark::Open | GoalMark::False, Some(at)) => format!("true at s{at}"),
        (GoalMark::Lost, None) => format!("lost s{since}"),
        (GoalMark::Lost, Some(at)) => format!("lost s{since}, back s{at}"),
        (GoalMark::Holds, Some(at)) => format!("s{since}–, lost s{at}"),
        (GoalMark::Holds | GoalMark::False, None) => format!("s{since}–"),
    }
}
