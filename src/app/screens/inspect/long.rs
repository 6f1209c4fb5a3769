//! Inspect on a long run: a window of it is looked at as if it were the run, and moves with the cursor. The rest is known by
//! what was found in the background: where its events are, what a walk goes to, from where a window can be played again.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::filter_line::FilterLine;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Fact, Rail, RailStep};
use crate::app::long::{At, BEFORE, LongJob, LongReply, LongRun, WindowAsked, WordsAsked};
use crate::app::notice::Notice;
use crate::app::parts::steps::Walk;
use crate::app::role::Role;
use crate::app::runs::LoadedRun;
use crate::app::{commands::Availability, glyph};
use crate::formats::run::survey::{Mark, Sight, Survey, gravest, nearest};
use crate::task::episode::{Episode, Moment};

use super::loaded::Loaded;
use super::{Inspect, Pane, Reading, fact, step_number};

/// The slots of its jobs.
const SURVEY: &str = "survey";
const FOLLOW: &str = "follow";
const WINDOW: &str = "window";
const WORDS: &str = "words";

/// Events that are left before an edge of the window when the next one is read: fewer than a new window has there.
const MARGIN: u32 = BEFORE / 2;

/// Cells of the rail, and no more than any terminal shows.
const CELLS: u32 = 60;

/// How far a long run was played again in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Following {
    /// It goes on.
    Going,
    /// All of it agrees.
    Done,
    /// It ended before the end of the run, for a reason that was told.
    Stopped,
}

/// What is known of a long run beside the window that is shown.
#[derive(Debug, Clone)]
pub(super) struct Long {
    folder: PathBuf,
    bytes: u64,
    /// What there is in its file, once it was looked through.
    survey: Option<Arc<Survey>>,
    /// The run at its start, once its scene is read.
    start: Option<Arc<Episode>>,
    moments: Vec<Arc<Moment>>,
    /// Steps that broke rules.
    broke: Vec<Mark>,
    /// Events that were played again.
    followed: u32,
    /// How far following is.
    following: Following,
    /// Whether a window is on its way.
    reading: bool,
    /// Whether the last one was to be played again: where that failed it is not tried again.
    played: bool,
    /// A move that waits for the file to be looked through.
    wanted: Option<At>,
    /// What is looked for, and bytes looked through of how many.
    looking: Option<(String, (u64, u64))>,
    /// The words that were last looked for.
    words: String,
    /// Whether the cursor was moved by hand.
    moved: bool,
}

impl Long {
    fn new(run: &LongRun) -> Self {
        Self {
            folder: run.folder.clone(),
            bytes: run.bytes,
            survey: None,
            start: None,
            moments: Vec::new(),
            broke: Vec::new(),
            followed: 0,
            following: Following::Going,
            reading: false,
            played: false,
            wanted: None,
            looking: None,
            words: String::new(),
            moved: false,
        }
    }

    /// Events there are, as far as that is known.
    fn events(&self) -> u32 {
        self.survey.as_ref().map_or(0, |survey| survey.events())
    }

    /// The last moment from which a window can be played that shows this, and the run at its start; `None` where the run was
    /// not followed so far.
    fn from(&self, at: At) -> Option<(Arc<Episode>, Option<Arc<Moment>>)> {
        let start = self.start.clone()?;
        let here = match at {
            At::Event(seq) => self.moments.partition_point(|it| it.events + BEFORE <= seq),
            At::Step(step) => self.moments.partition_point(|it| it.pos.0 + BEFORE <= step),
        };
        let reached = match at {
            At::Event(seq) => seq < self.followed,
            At::Step(step) => self.moments.last().is_some_and(|it| step < it.pos.0),
        };
        let known = reached || matches!(self.following, Following::Done);
        let moment = here
            .checked_sub(1)
            .and_then(|at| self.moments.get(at))
            .cloned();
        known.then_some((start, moment))
    }

    /// The nearest event that a walk goes to.
    fn nearest(&self, kind: Walk, from: u32, forward: bool) -> Option<u32> {
        let marks = self.survey.as_ref()?.marks();
        match kind {
            Walk::Violation => nearest(&self.broke, Sight::Violation, from, forward),
            Walk::Warning => nearest(&self.broke, Sight::Warning, from, forward),
            Walk::Goal => nearest(marks, Sight::Goal, from, forward),
            Walk::Refusal => nearest(marks, Sight::Refused, from, forward),
            Walk::Branch => nearest(marks, Sight::Branch, from, forward),
            _ => None,
        }
    }

    /// The whole run in a row: of each part the gravest that is in it, and where the window stands.
    fn rail(&self, here: u32) -> Rail {
        let (Some(survey), events) = (&self.survey, self.events().max(1)) else {
            return Rail::default();
        };
        let cells = CELLS.min(events);
        let at = |cell: u32| (u64::from(cell) * u64::from(events) / u64::from(cells)) as u32;
        let steps = (0..cells).map(|cell| {
            let part = at(cell)..at(cell + 1);
            let sight = gravest(survey.marks(), &part).max(gravest(&self.broke, &part));
            let (glyph, role) = match sight {
                Some(Sight::Violation) => (glyph::FALSE.sign, Role::Bad),
                Some(Sight::Warning) => (glyph::ARMED.sign, Role::Armed),
                Some(Sight::Refused) => ('r', Role::Refused),
                Some(Sight::Goal) => (glyph::HOLDS.sign, Role::Good),
                Some(Sight::Ended) => (glyph::ENDED.sign, Role::Text),
                Some(Sight::Branch) => (glyph::BRANCH.sign, Role::Text),
                None => ('·', Role::Dim),
            };
            RailStep {
                text: glyph.to_string(),
                role,
            }
        });
        let now = (u64::from(here) * u64::from(cells) / u64::from(events)) as usize;
        Rail {
            steps: steps.collect(),
            now: now.min(cells as usize - 1),
            tail: format!("event {here} of {events}"),
            dense: true,
        }
    }

    /// What is said of it in the title.
    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![fact(format!("{} MiB", self.bytes >> 20), Role::Dim)];
        let percent = |done: u64, of: u64| done * 100 / of.max(1);
        match (&self.survey, self.following) {
            (None, _) => facts.push(fact("looking through it …", Role::Dim)),
            (Some(_), Following::Going) => {
                let done = percent(u64::from(self.followed), u64::from(self.events()));
                facts.push(fact(format!("played again {done} %"), Role::Dim));
            }
            (Some(_), Following::Done) => {
                facts.push(fact(format!("{} verified", self.followed), Role::Good));
            }
            (Some(_), Following::Stopped) => {
                let words = format!("✗ verified to event {}", self.followed);
                facts.push(fact(words, Role::Bad));
            }
        }
        if let Some((words, (done, of))) = &self.looking {
            let done = percent(*done, *of);
            facts.push(fact(format!("looking for “{words}” {done} %"), Role::Armed));
        }
        facts
    }
}

impl Inspect {
    /// A long run is there with its first window: shows it and looks at the rest.
    pub(super) fn begin_long(&mut self, run: &LongRun) -> Vec<Act> {
        if self.long.is_some() {
            // Coming back: what is known stays known.
            return Vec::new();
        }
        let mut long = Long::new(run);
        long.wanted = self.at.take().map(At::Step);
        // Who asks for a step is not led away from it.
        long.moved = long.wanted.is_some();
        self.reading = Reading::Done(Box::new(Loaded::new(run.window.clone())));
        if let Some(it) = self.loaded_mut() {
            it.put(0);
        }
        self.moved();
        let folder = || run.folder.clone();
        self.long = Some(Box::new(long));
        vec![
            Act::Job(SURVEY, Job::Long(LongJob::Survey(folder()))),
            Act::Job(FOLLOW, Job::Long(LongJob::Follow(folder()))),
        ]
    }

    /// Asks for a window there.
    fn ask(&mut self, at: At) -> Vec<Act> {
        let Some(long) = &mut self.long else {
            return Vec::new();
        };
        let Some(survey) = long.survey.clone() else {
            long.wanted = Some(at);
            return Vec::new();
        };
        let from = long.from(at);
        (long.reading, long.played) = (true, from.is_some());
        let asked = WindowAsked {
            folder: long.folder.clone(),
            at,
            survey,
            from,
        };
        vec![Act::Job(
            WINDOW,
            Job::Long(LongJob::Window(Box::new(asked))),
        )]
    }

    /// Something about a long run. `None` if it is about something else.
    pub(super) fn on_long(&mut self, slot: &'static str, event: &JobEvent) -> Option<Vec<Act>> {
        let long = self.long.as_mut()?;
        let reply = match event {
            JobEvent::Done(reply) | JobEvent::Part(reply) => match &**reply {
                Reply::Long(reply) => reply,
                _ => return None,
            },
            JobEvent::Progress { done, total } => {
                if let (WORDS, Some((_, at))) = (slot, &mut long.looking) {
                    *at = (*done, *total);
                }
                return Some(Vec::new());
            }
            JobEvent::Failed(reason) => {
                match slot {
                    FOLLOW => long.following = Following::Stopped,
                    WINDOW => long.reading = false,
                    WORDS => long.looking = None,
                    SURVEY => {}
                    _ => return None,
                }
                return Some(vec![Act::Notice(Notice::error(reason.clone()))]);
            }
        };
        Some(match reply {
            LongReply::Surveyed(survey) => {
                let first = survey.first_bad().filter(|_| !long.moved).map(At::Event);
                long.survey = Some(Arc::clone(survey));
                match long.wanted.take().or(first) {
                    Some(at) => self.ask(at),
                    None => Vec::new(),
                }
            }
            LongReply::Start(start) => {
                long.start = Some(Arc::clone(start));
                Vec::new()
            }
            LongReply::Followed(moments, marks, events) => {
                let is_first = long.broke.iter().all(|mark| mark.1 != Sight::Violation);
                long.moments.extend(moments.iter().cloned());
                long.broke.extend_from_slice(marks);
                long.followed = *events;
                let bad = marks.iter().find(|mark| mark.1 == Sight::Violation);
                match bad.filter(|_| is_first && !long.moved) {
                    Some((seq, _)) => self.ask(At::Event(*seq)),
                    None => self.play_window(),
                }
            }
            LongReply::Ended(why) => {
                long.following = match why {
                    Some(_) => Following::Stopped,
                    None => Following::Done,
                };
                let mut acts = self.play_window();
                acts.extend(why.clone().map(|why| Act::Notice(Notice::error(why))));
                acts
            }
            LongReply::Window(run, at) => {
                let (run, at) = (Arc::clone(run), *at);
                self.show_window(run, at)
            }
            LongReply::Found(found) => {
                let words = long.looking.take().map_or_else(String::new, |it| it.0);
                if let Some(seq) = found {
                    self.ask(At::Event(*seq))
                } else {
                    let words = format!("“{words}”: no event that way has it");
                    vec![Act::Notice(Notice::info(words))]
                }
            }
        })
    }

    /// The run was followed on: where that reaches the window, it is played again.
    fn play_window(&mut self) -> Vec<Act> {
        let here = self.here();
        let has_world = self.loaded().is_some_and(|it| it.there.is_some());
        let can =
            |long: &Long| !long.reading && !long.played && long.from(At::Event(here)).is_some();
        if has_world || !self.long.as_deref().is_some_and(can) {
            return Vec::new();
        }
        self.ask(At::Event(here))
    }

    fn show_window(&mut self, run: Arc<LoadedRun>, at: u32) -> Vec<Act> {
        let findings = run.findings.iter();
        let mut acts: Vec<Act> = findings
            .map(|finding| Act::Notice(Notice::warn(finding.clone())))
            .collect();
        let Some(long) = &mut self.long else {
            return acts;
        };
        long.reading = false;
        let mut loaded = Loaded::new(run);
        loaded.at_event(at);
        self.reading = Reading::Done(Box::new(loaded));
        self.filter = FilterLine::default();
        self.moved();
        acts.extend(self.play_window());
        acts
    }

    /// The event under the cursor.
    fn here(&self) -> u32 {
        let row = self.loaded().and_then(Loaded::row);
        row.map_or(0, |row| row.seq)
    }

    /// Moves that lead out of the window. `None` where the window has it.
    pub(super) fn run_long(&mut self, command: &str, args: &str) -> Option<Vec<Act>> {
        let here = self.here();
        let long = self.long.as_mut()?;
        let is_steps = self.focus == Pane::Steps;
        let first = here;
        match command {
            "cursor-top" if is_steps => return Some(self.leave_for(At::Event(0))),
            "cursor-bottom" if is_steps => return Some(self.leave_for(At::Event(u32::MAX))),
            "goto" => {
                let at = At::Step(step_number(args)?);
                return Some(self.leave_for(at));
            }
            "next" | "previous" => {
                let kind = Walk::parse(args)?;
                let forward = command == "next";
                if self
                    .loaded()
                    .is_some_and(|it| it.walk(kind, forward).is_some())
                {
                    return None;
                }
                let to = self.long.as_ref()?.nearest(kind, first, forward)?;
                return Some(self.leave_for(At::Event(to)));
            }
            "find-step" => {
                args.clone_into(&mut long.words);
                return Some(self.look_for(here + 1, true));
            }
            "find-step-next" => return Some(self.look_for(here + 1, true)),
            "find-step-previous" => return Some(self.look_for(here, false)),
            "filter-keep" if self.filter.editing && !self.filter.is_empty() => {
                long.words = self.filter.edit.text();
                self.filter = FilterLine::default();
                self.narrow();
                return Some(self.look_for(here, true));
            }
            "out" if long.looking.is_some() => {
                long.looking = None;
                return Some(vec![Act::Stop(WORDS)]);
            }
            "verify" => {
                let words = "a long run is played again while it is looked at; vesta verify does it at once";
                return Some(vec![Act::Notice(Notice::info(words))]);
            }
            _ => {}
        }
        None
    }

    fn leave_for(&mut self, at: At) -> Vec<Act> {
        if let Some(long) = &mut self.long {
            long.moved = true;
        }
        self.ask(at)
    }

    fn look_for(&mut self, from: u32, forward: bool) -> Vec<Act> {
        let Some(long) = &mut self.long else {
            return Vec::new();
        };
        let Some(survey) = long.survey.clone() else {
            return Vec::new();
        };
        long.moved = true;
        long.looking = Some((long.words.clone(), (0, 0)));
        let asked = WordsAsked {
            folder: long.folder.clone(),
            words: long.words.clone(),
            from,
            forward,
            survey,
        };
        vec![Act::Job(WORDS, Job::Long(LongJob::Find(Box::new(asked))))]
    }

    /// After a move: near an edge of the window the next one is asked for.
    pub(super) fn keep_up(&mut self, command: &str) -> Vec<Act> {
        let Some((it, long)) = self.loaded().zip(self.long.as_deref()) else {
            return Vec::new();
        };
        let Some(window) = it.run.window else {
            return Vec::new();
        };
        let here = self.here();
        let end = window.event + it.run.events.len() as u32;
        let near_end = here + MARGIN >= end && !window.ends;
        let near_begin = here < window.event + MARGIN && window.event > 0;
        // A filter leaves few rows: they are what was asked for.
        let is_narrowed = !self.filter.is_empty();
        let ask = (near_end || near_begin) && !long.reading && !is_narrowed;
        if let Some(long) = &mut self.long {
            long.moved |= command.starts_with("cursor")
                || command.contains("page")
                || command.starts_with("step");
            if ask && long.moved {
                return self.ask(At::Event(here));
            }
        }
        Vec::new()
    }

    /// What can be done with a long run that cannot with another, and what not. `None` where it is as with any.
    pub(super) fn when_long(&self, command: &str, args: &str) -> Option<Availability> {
        const WHOLE: &str = "only a part of so long a run is at hand";
        let long = self.long.as_deref()?;
        Some(match command {
            "goto" => {
                let last = long
                    .survey
                    .as_ref()
                    .map_or(u32::MAX, |it| it.positions() - 1);
                let fits = step_number(args).is_some_and(|at| at <= last);
                Availability::when(fits, &format!("the last step is s{last}"))
            }
            "next" | "previous" => {
                let kind = Walk::parse(args)?;
                let forward = command == "next";
                let inside = self
                    .loaded()
                    .is_some_and(|it| it.walk(kind, forward).is_some());
                let beyond = long.nearest(kind, self.here(), forward).is_some();
                let side = if forward { "after" } else { "before" };
                let why = format!("no {} {side} this, as far as is known", kind.words());
                Availability::when(inside || beyond, &why)
            }
            "find-step" => Availability::when(!args.is_empty(), "say which words: find-step fork"),
            "find-step-next" | "find-step-previous" => Availability::when(
                !long.words.is_empty(),
                "nothing was asked: / and words, then Enter",
            ),
            "fork-here" | "inspect-compare" | "inspect-label" | "judge-task" => {
                Availability::blocked(WHOLE)
            }
            "verify" => Availability::Ready,
            _ => return None,
        })
    }

    /// The rail of a long run.
    pub(super) fn long_rail(&self) -> Option<Rail> {
        Some(self.long.as_deref()?.rail(self.here()))
    }

    /// What the title says of a long run.
    pub(super) fn long_facts(&self) -> Option<Vec<Fact>> {
        Some(self.long.as_deref()?.facts())
    }

    /// What the title of the steps says: which of how many.
    pub fn long_steps(&self) -> Option<String> {
        let (it, long) = self.loaded().zip(self.long.as_deref())?;
        let (first, last) = (it.record.first(), it.record.len().saturating_sub(1));
        let survey = long.survey.as_ref();
        let of = survey.map_or_else(String::new, |all| format!(" of {}", all.positions() - 1));
        Some(format!("Steps s{first}–s{last}{of}"))
    }
}
