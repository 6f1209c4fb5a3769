//! Runs side by side, as screen and command have them: what was asked for, the lanes with their runs, the rows.
//!
//! The core is [`crate::compare`]; here its rows meet words. [`words`] tells rows and headings, [`state`] in what two lanes
//! differ at a row, [`told`] writes it all as text, [`saved`] what would have saved a run.

pub mod saved;
pub mod state;
pub mod told;
pub mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::arena::CellAsked;
use crate::app::checks::Shown;
use crate::app::parts::steps::{Row as StepRow, What};
use crate::app::runs::LoadedRun;
use crate::app::screens::inspect::loaded::Loaded;
use crate::base::fold::{Key, StateHash};
use crate::compare::lane::{Beat, Lane, Names};
use crate::compare::table::{Parting, Relation, Table};
use crate::safety::verdict::Standing;
use crate::sim::world::Action;

/// The most runs that lie side by side.
pub const MOST: usize = 6;

/// One lane that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// A run by the end of its id or its folder, perhaps with the name of a branch behind a slash.
    Run(String),
    /// A branch of a run: the run as above, the branch's name.
    Branch(String, String),
    /// The reference plan of the first run's task, played now.
    Reference,
    /// The plan that walks into the trap of the first run's task, played now.
    Naive,
    /// These steps, played now in the world of the first run, under a name.
    Steps(String, Vec<String>),
    /// A plan under a response of RED's.
    Cell(Box<CellAsked>),
    /// The steps that show what a check found.
    Witness(Shown),
}

impl Wanted {
    /// A lane by its word: `reference`, `naive`, else a run.
    pub fn parse(word: &str) -> Self {
        match word {
            "reference" => Self::Reference,
            "naive" => Self::Naive,
            run => Self::Run(run.to_owned()),
        }
    }

    /// The word for it, as it is typed.
    pub fn word(&self) -> String {
        match self {
            Self::Run(run) => run.clone(),
            Self::Branch(run, branch) => format!("{run}/{branch}"),
            Self::Reference => "reference".to_owned(),
            Self::Naive => "naive".to_owned(),
            Self::Steps(name, _) => name.clone(),
            Self::Cell(cell) => format!("{} under {}", cell.candidate, cell.response.id),
            Self::Witness(shown) => format!("witness of {}", shown.task),
        }
    }
}

/// Lanes by the words of a command line: `b2d4 "my runs/e5f6" reference`.
///
/// # Errors
/// Fewer than two or more than six are named.
pub fn asked(line: &str) -> Result<Vec<Wanted>, String> {
    let words = split(line);
    let found: Vec<Wanted> = words.iter().map(|word| Wanted::parse(word)).collect();
    match found.len() {
        0 | 1 => Err(
            "compare: name two runs or more, as in compare b2d4 e5f6; one may be reference, naive or RUN/branch"
                .to_owned(),
        ),
        n if n > MOST => Err(format!("compare: {n} runs are named, at most {MOST} fit side by side")),
        _ => Ok(found),
    }
}

/// The words of a line; quotation marks hold together what has blanks.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (n, part) in line.split('"').enumerate() {
        if n % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// A word as [`asked`] reads it back.
pub fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) {
        format!("\"{word}\"")
    } else {
        word.to_owned()
    }
}

/// A lane with its run.
#[derive(Clone, Debug)]
pub struct Side {
    /// Its name: `b2d4`, `b2d4/fork-1`, `reference`.
    pub name: String,
    /// Who played: `human`, a model, `played now`.
    pub by: String,
    /// Whether it lies in a folder; else it was played now and is kept nowhere.
    pub kept: bool,
    /// The run, standing on the branch that is compared.
    pub loaded: Loaded,
    /// Per beat of the lane: its row among those of the run.
    rows: Vec<u32>,
}

impl Side {
    /// A run as a side, on that branch if one is named.
    ///
    /// # Errors
    /// It has no branch of that name.
    pub fn new(run: Arc<LoadedRun>, name: String, branch: Option<&str>) -> Result<Self, String> {
        let by = run.header.agent.clone();
        let mut loaded = Loaded::new(run);
        if let Some(branch) = branch {
            let last = (0..loaded.record.len() as u32).rev().find(|pos| {
                let seq = loaded.record.seq(*pos);
                let event = seq.and_then(|seq| loaded.run.recorded().get(seq));
                event.is_some_and(|event| &*event.branch == branch)
            });
            let Some(last) = last else {
                return Err(format!(
                    "{name}: the run has no branch {branch:?}; it has {}",
                    branches(&loaded).join(", ")
                ));
            };
            loaded.branch_off(last);
        }
        Ok(Self {
            name,
            by,
            kept: true,
            loaded,
            rows: Vec::new(),
        })
    }

    /// What it did, as keys.
    fn lane(&self, names: Names) -> Lane {
        let it = &self.loaded;
        let tip = it.record.seq(it.tip()).unwrap_or_default();
        let broken = self.broken();
        let more = |seq: u32| {
            let by = broken.partition_point(|(at, _)| *at <= seq);
            let key = by
                .checked_sub(1)
                .and_then(|i| broken.get(i))
                .map(|(_, key)| *key);
            key.into_iter().collect()
        };
        Lane::new(&it.run.events, tip, names, &more)
    }

    /// The rules broken so far as one key, wherever it changes: what was broken stays broken.
    fn broken(&self) -> Vec<(u32, Key)> {
        let it = &self.loaded;
        let Ok(again) = &it.run.again else {
            return Vec::new();
        };
        let mut known: Vec<String> = Vec::new();
        let mut all = Key::default();
        let mut found = Vec::new();
        for row in it.rows.iter().filter(|row| row.what == What::Step) {
            let Some(pos) = again.episode.pos(row.seq) else {
                continue;
            };
            let turns = again.episode.turns(pos);
            let broken = turns.iter().filter(|t| t.to == Standing::Violated);
            let mut changed = false;
            for turn in broken {
                if !known.contains(&turn.rule.id) {
                    known.push(turn.rule.id.clone());
                    all = all ^ Key::of(&turn.rule.id);
                    changed = true;
                }
            }
            if changed {
                found.push((row.seq, all));
            }
        }
        found
    }

    /// Finds the rows of the beats.
    fn place(&mut self, beats: &[Beat]) {
        let mut rows = Vec::with_capacity(beats.len());
        let mut at = 0;
        for beat in beats {
            let is_it = |row: &StepRow| row.seq == beat.seq && !matches!(row.what, What::Branch(_));
            let all = self.loaded.rows.get(at..).unwrap_or_default();
            if let Some(n) = all.iter().position(is_it) {
                at += n;
            }
            rows.push(at as u32);
        }
        self.rows = rows;
    }

    /// The row of a beat.
    pub fn row(&self, beat: usize) -> Option<&StepRow> {
        self.loaded.rows.get(*self.rows.get(beat)? as usize)
    }

    /// The actions that were done on the way, and the position each made; nothing where the run cannot be played again.
    pub fn done(&self) -> Vec<(u32, Action)> {
        let Ok(again) = &self.loaded.run.again else {
            return Vec::new();
        };
        let steps = self.loaded.rows.iter().filter(|r| r.what == What::Step);
        let action = |row: &StepRow| {
            let pos = again.episode.pos(row.seq)?;
            Some((row.pos, again.episode.timeline().action(pos)?))
        };
        steps.filter_map(action).collect()
    }
}

/// The names of a run's branches.
fn branches(loaded: &Loaded) -> Vec<String> {
    let tips = loaded.record.tips();
    let names = tips.into_iter().map(|tip| {
        crate::app::parts::steps::branch(&loaded.record, loaded.run.recorded(), tip).to_owned()
    });
    let mut names: Vec<String> = names.collect();
    names.dedup();
    names
}

/// Beats that were fixed side by side: lane and beat, of two lanes.
pub type Anchor = [(usize, usize); 2];

/// Runs side by side.
#[derive(Clone, Debug)]
pub struct Compared {
    /// What was asked for.
    pub asked: Vec<Wanted>,
    /// The lanes.
    pub sides: Vec<Side>,
    /// Which nodes count as the same.
    pub names: Names,
    /// What qualifies everything: other tasks, other profiles, what was found wrong. One sentence each.
    pub findings: Vec<String>,
    /// The rows.
    pub table: Table,
    /// Beats that were fixed side by side.
    pub anchors: Vec<Anchor>,
    /// Whether runs are still to be played again: until then only what was recorded is known.
    pub partial: bool,
    /// What would have saved a lane, where it was looked for.
    pub saved: BTreeMap<usize, saved::Told>,
}

impl Compared {
    /// Aligns sides.
    pub fn new(asked: Vec<Wanted>, mut sides: Vec<Side>) -> Self {
        let (names, findings) = words::qualify(&sides);
        let lanes: Vec<Lane> = sides.iter().map(|side| side.lane(names)).collect();
        for (side, lane) in sides.iter_mut().zip(&lanes) {
            side.place(&lane.beats);
        }
        Self {
            asked,
            sides,
            names,
            findings,
            table: Table::new(lanes, &[]),
            anchors: Vec::new(),
            partial: false,
            saved: BTreeMap::new(),
        }
    }

    /// Where two lanes part.
    pub fn parting(&self, pair: (usize, usize)) -> Parting {
        self.table.parting(pair)
    }

    /// Whether a row is the same in every lane.
    pub fn is_equal(&self, row: usize) -> bool {
        (1..self.sides.len()).all(|lane| self.table.relation(row, (0, lane)) == Relation::Equal)
    }

    /// The position a lane stands at in a row: after its beat there, else after its last one above.
    pub fn pos(&self, row: usize, lane: usize) -> u32 {
        let beat = self.table.beat_by(row, lane);
        let beats = self.table.lanes().get(lane).map(|l| &l.beats);
        let at = beat.and_then(|b| beats?.get(b));
        at.map_or(0, |beat| beat.pos)
    }

    /// Whether two lanes stand in the same state in a row, as far as that can be told.
    pub fn is_same_state(&self, row: usize, (x, y): (usize, usize)) -> bool {
        let after = |lane: usize| {
            let beat = self.table.beat_by(row, lane);
            let beats = self.table.lanes().get(lane).map(|l| &l.beats);
            match beat.and_then(|b| beats?.get(b)) {
                Some(beat) => beat.after,
                // Before its first beat it stands where it began.
                None => beats
                    .and_then(|b| b.first())
                    .map_or_else(StateHash::default, |b| b.before),
            }
        };
        let (a, b) = (after(x), after(y));
        a == b && a != StateHash::default()
    }

    /// The letter of a lane.
    pub fn letter(lane: usize) -> char {
        (b'A' + u8::try_from(lane).unwrap_or(25).min(25)) as char
    }

    /// The anchors as the table takes them.
    pub fn fixed(anchors: &[Anchor]) -> Vec<Vec<(usize, usize)>> {
        anchors.iter().map(|anchor| anchor.to_vec()).collect()
    }
}

/// Lanes to be aligned anew with these anchors. Equal where they are the same lanes, not merely alike.
#[derive(Clone, Debug)]
pub struct Again {
    /// The lanes.
    pub lanes: Arc<Vec<Lane>>,
    /// What is fixed.
    pub anchors: Vec<Anchor>,
}

impl PartialEq for Again {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.lanes, &other.lanes) && self.anchors == other.anchors
    }
}

/// A run that is to be saved.
#[derive(Clone, Debug)]
pub struct ToSave {
    /// Which lane it is.
    pub lane: usize,
    /// The run; its task and profile are taken from it.
    pub run: Arc<LoadedRun>,
    /// What it did.
    pub actions: Vec<Action>,
}

impl PartialEq for ToSave {
    fn eq(&self, other: &Self) -> bool {
        self.lane == other.lane
            && Arc::ptr_eq(&self.run, &other.run)
            && self.actions == other.actions
    }
}

/// Work about runs side by side.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareJob {
    /// Read runs, play them again and align them.
    Read(Vec<Wanted>),
    /// Align them anew.
    Align(Again),
    /// Look for what would have saved one.
    Save(ToSave),
}

/// What comes back.
#[derive(Clone, Debug)]
pub enum CompareReply {
    /// Runs side by side; a first answer from what was recorded alone, or the whole one.
    Read(Box<Compared>),
    /// The rows anew.
    Aligned(Box<Table>, Vec<Anchor>),
    /// What would have saved the lane of that number.
    Saved(usize, Box<crate::compare::repair::Found>),
}
