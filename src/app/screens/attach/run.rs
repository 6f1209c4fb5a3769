//! The run that is watched: its episode where it stands, its rows, and what is looked at of it.

use std::path::PathBuf;

use crate::agent::session::Control;
use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::live::tracker::Tracker;
use crate::app::live::turns::{Turn, act_words, episode_step, turns};
use crate::app::live::{Attached, Heard, Status};
use crate::app::msg::Millis;
use crate::app::notice::Notice;
use crate::app::parts::goals;
use crate::app::parts::rail::way;
use crate::app::parts::warnings::{self, Row, Trail, is_grave_danger};
use crate::app::screens::play::ahead::Ahead;
use crate::app::steer::Subject;
use crate::plan::options::{Candidate, Focus};
use crate::safety::verdict::Instance;
use crate::sim::timeline::Pos;
use crate::task::episode::{Episode, Event, Warning};

/// The panes, in the order of the Tab key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pane {
    /// What the agent said and did.
    #[default]
    Agent,
    /// What the act that waits would do; after taking over, what can be done.
    Ahead,
    /// Goals, warnings, where the agent is.
    Goals,
    /// What the run took.
    Numbers,
}

/// Every pane, in the order of the Tab key.
pub const PANES: [Pane; 4] = [Pane::Agent, Pane::Ahead, Pane::Goals, Pane::Numbers];

/// An earlier step that is looked at while the run goes on.
#[derive(Clone, Debug)]
pub struct Past {
    /// The episode, standing there.
    pub episode: Episode,
    /// Events of the run when looking back began.
    pub since: usize,
}

/// The run.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a state of its own that keys or news turn on and off"
)]
pub struct Run {
    /// Its id.
    pub id: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Who plays.
    pub agent: String,
    /// How many trials it may have.
    pub trials: u32,
    /// The name of its profile.
    pub profile: String,
    /// The episode where the run stands.
    pub episode: Episode,
    /// What was made of events and signs.
    pub tracker: Tracker,
    /// What was said and done.
    pub turns: Vec<Turn>,
    /// The row under the cursor.
    pub list: List,
    /// Whether the cursor goes with the last row.
    pub follows: bool,
    /// How the goals stand where one looks.
    pub goals: Vec<goals::Row>,
    /// What the rules say where one looks.
    pub rows: Vec<Row>,
    /// What came of the rules along the way.
    pub trail: Trail,
    /// What the act that waits would do.
    pub ahead: Option<(String, Ahead)>,
    /// What can be done by hand.
    pub choices: Vec<Candidate>,
    /// The choice under the cursor.
    pub choice_list: List,
    /// The pane with the keys.
    pub focus: Pane,
    /// Whether it has the whole body.
    pub zoomed: bool,
    /// An earlier step that is looked at.
    pub past: Option<Past>,
    /// What is wrong with the record.
    pub fault: Option<String>,
    /// Whether somebody plays it.
    pub running: bool,
    /// When something was heard last.
    pub heard: Millis,
    /// When silence decides.
    pub until: Option<Millis>,
    /// The time of the last look.
    pub now: Millis,
    pub(super) ticked: Millis,
    pub(super) told: Vec<Notice>,
    all: Vec<Warning>,
    events: usize,
    counted: bool,
}

impl Run {
    pub(super) fn new(attached: Attached, now: Millis) -> Self {
        let mut run = Self {
            id: attached.id,
            folder: attached.folder,
            agent: attached.agent,
            trials: attached.trials,
            profile: attached.profile,
            episode: attached.episode,
            tracker: attached.tracker,
            turns: Vec::new(),
            list: List::default(),
            follows: true,
            goals: Vec::new(),
            rows: Vec::new(),
            trail: Trail::default(),
            ahead: None,
            choices: Vec::new(),
            choice_list: List::default(),
            focus: Pane::Agent,
            zoomed: false,
            past: None,
            fault: None,
            running: true,
            heard: now,
            until: None,
            now,
            ticked: now,
            told: Vec::new(),
            all: Vec::new(),
            events: 0,
            counted: false,
        };
        let mut by_hand = Tracker::new("");
        for event in &attached.events {
            run.add(event, by_hand.by_hand);
            by_hand.event(event);
        }
        run.moved();
        run
    }

    fn add(&mut self, event: &Event, by_hand: bool) {
        self.events += 1;
        self.turns.extend(turns(&self.episode, event, by_hand));
        if self.follows {
            self.list.cursor = self.turns.len().saturating_sub(1);
        }
    }

    /// How it stands.
    pub fn status(&self) -> Status {
        let age = self.now.saturating_sub(self.heard);
        self.tracker.status(self.running, age)
    }

    /// The episode that is looked at: an earlier step, or where the run stands.
    pub fn shown(&self) -> &Episode {
        self.past
            .as_ref()
            .map_or(&self.episode, |past| &past.episode)
    }

    /// Takes in what was heard; whether it is worth the bell.
    pub(super) fn hear(&mut self, heard: Heard, now: Millis) -> bool {
        let before = (self.status(), self.broken());
        self.now = now;
        self.ticked = now;
        self.running = heard.running;
        self.heard = now.saturating_sub(heard.age);
        if let Some(fault) = heard.fault {
            let text = fault.to_string();
            if self.fault.as_ref() != Some(&text) {
                self.told.push(Notice::error(text.clone()));
                self.fault = Some(text);
            }
        }
        let stood = self.episode.here();
        let by_hand = self.tracker.by_hand;
        for event in &heard.events {
            let mut drifts = Vec::new();
            self.episode.again(event, &mut drifts);
            if let Some(drift) = drifts.first() {
                self.told.push(Notice::warn(format!(
                    "the record and the world differ: {drift}"
                )));
            }
            let by_hand = self.tracker.by_hand;
            self.tracker.event(event);
            self.add(event, by_hand);
        }
        let trouble = self.tracker.trouble.clone();
        for sign in &heard.signs {
            self.tracker.sign(sign);
        }
        if let Some(words) = &self.tracker.trouble
            && trouble.as_ref() != Some(words)
        {
            self.told.push(Notice::warn(words.clone()));
        }
        self.until = self.tracker.left(heard.clock).map(|left| now + left);
        if let Some(ahead) = heard.ahead {
            self.ahead = Some(ahead);
        }
        let pending = self.tracker.pending();
        self.ahead = self
            .ahead
            .take()
            .filter(|(act, _)| pending == Some(act.as_str()));
        if stood != self.episode.here()
            || by_hand != self.tracker.by_hand
            || !heard.events.is_empty()
        {
            self.moved();
        }
        let (status, broken) = (self.status(), self.broken());
        let first = !std::mem::replace(&mut self.counted, true);
        let turned = |of: Status| status == of && before.0 != of;
        turned(Status::Held)
            || (!first && (turned(Status::Ended) || turned(Status::Stalled) || broken > before.1))
    }

    fn broken(&self) -> usize {
        self.episode.breaches().len()
    }

    /// The run stands elsewhere, or another step is looked at.
    fn moved(&mut self) {
        if let Some(past) = &mut self.past {
            self.all = past.episode.warnings();
        } else {
            self.all = self.episode.warnings();
        }
        let shown = self.shown();
        let muted = shown.muted().clone();
        let here = shown.here();
        let goals = goals::rows(shown.ledger(), shown.timeline(), here);
        let positions = way(shown, here);
        self.rows = warnings::rows(&self.all, &muted);
        self.goals = goals;
        let mut trail = std::mem::take(&mut self.trail);
        trail.refresh(self.shown(), &positions);
        self.trail = trail;
        self.choose();
    }

    /// What can be done by hand, what is grave last.
    fn choose(&mut self) {
        if !self.tracker.by_hand {
            self.choices.clear();
            return;
        }
        if self.past.is_some() {
            return;
        }
        let mut all = self.episode.candidates(&Focus::default());
        all.retain(|c| c.refusal.is_none());
        all.sort_by_key(|c| (is_grave_danger(c.danger.as_ref()), -c.gain, !c.near));
        self.choices = all;
        self.choice_list.clamp(self.choices.len());
        self.look_ahead();
    }

    /// What the choice under the cursor would do.
    fn look_ahead(&mut self) {
        let Some(choice) = self.choices.get(self.choice_list.cursor) else {
            return;
        };
        let line = self.episode.timeline().world().line(choice.action);
        self.ahead = Ahead::of_line(&mut self.episode, &line).map(|ahead| (line, ahead));
    }

    /// The choice under the cursor, to be sent.
    pub(super) fn choice(&self) -> Option<Control> {
        let choice = self.choices.get(self.choice_list.cursor)?;
        Some(Control::Act(
            self.episode.timeline().world().line(choice.action),
        ))
    }

    /// The act that waits, in words.
    pub fn pending(&self) -> Option<String> {
        let act = self.tracker.pending()?;
        Some(act_words(self.episode.timeline().world(), act))
    }

    /// Steps from the start to where the run stands.
    pub fn step(&self) -> usize {
        episode_step(&self.episode, self.episode.here())
    }

    /// The run, to be stepped in on.
    pub fn subject(&self) -> Subject {
        let told = self.ahead.as_ref().map(|(_, ahead)| ahead.told());
        let breach = told.into_iter().flatten().find(|t| t.is_breach());
        let reason = breach.map(|t| {
            let cure = t.cure();
            let cure = if cure.is_empty() {
                cure
            } else {
                format!("; {cure}")
            };
            format!("{}: {}{cure}", t.id, t.reason())
        });
        let held = self.tracker.held.as_ref();
        let plain = || {
            let rules = held.map(|held| held.breaks.iter().map(|(id, _)| id.as_str()));
            rules.map_or_else(String::new, |ids| ids.collect::<Vec<_>>().join(" "))
        };
        Subject {
            folder: self.folder.clone(),
            status: self.status(),
            waits: self.tracker.pending().is_some(),
            paused: self.tracker.paused,
            reason: reason.unwrap_or_else(plain),
        }
    }

    /// The instance of a rule to be explained: one that the act would break, else the one that weighs most.
    pub(super) fn concern(&self) -> Option<Instance> {
        let told = self.ahead.as_ref().map(|(_, ahead)| ahead.told());
        let breach = told.into_iter().flatten().find(|t| t.is_breach());
        let worst = || {
            let row = self.rows.iter().find(|row| !row.muted)?;
            self.all.get(*row.members.first()?).map(|w| w.instance)
        };
        breach.map(|t| t.instance).or_else(worst)
    }

    /// Looks at the step after or before the one that is shown.
    pub(super) fn look(&mut self, forward: bool) {
        let here = self.shown().here();
        let live = self.episode.here();
        let path = self.episode.timeline().path(live);
        let at = path.iter().position(|pos| *pos == here);
        let to = match (at, forward) {
            (Some(at), true) => path.get(at + 1),
            (Some(at), false) => at.checked_sub(1).and_then(|at| path.get(at)),
            // The run went another way meanwhile.
            (None, _) => path.last(),
        };
        match to.copied() {
            Some(to) if to == live => self.go_live(),
            Some(to) => self.go(to),
            None => {}
        }
    }

    fn go(&mut self, to: Pos) {
        let since = self.past.as_ref().map_or(self.events, |past| past.since);
        let mut episode = self.episode.clone();
        episode.goto(to);
        self.past = Some(Past { episode, since });
        self.follows = false;
        if let Some(at) = self
            .turns
            .iter()
            .rposition(|turn| turn.pos == to && !turn.at.is_empty())
        {
            self.list.cursor = at;
        }
        self.moved();
    }

    /// Goes back to where the run stands.
    pub(super) fn go_live(&mut self) {
        self.past = None;
        self.follows = true;
        self.list.cursor = self.turns.len().saturating_sub(1);
        self.moved();
    }

    /// `»LIVE`, `»LIVE +7`: whether one sees it live, and how many events came since one does not.
    pub fn badge(&self) -> String {
        let status = self.status();
        let sign = format!("{}{}", status.sign(), status.word());
        match &self.past {
            None => sign,
            Some(past) => format!("{sign} +{}", self.events - past.since.min(self.events)),
        }
    }

    pub(super) fn next_pane(&mut self, by: usize) {
        let at = PANES
            .iter()
            .position(|pane| *pane == self.focus)
            .unwrap_or(0);
        self.focus = PANES
            .get((at + by) % PANES.len())
            .copied()
            .unwrap_or_default();
    }

    /// Runs a command of a list; whether it was one.
    pub(super) fn move_cursor(&mut self, command: &str, page: usize) -> bool {
        if self.focus == Pane::Ahead && !self.choices.is_empty() {
            let len = self.choices.len();
            let known = self.choice_list.run(command, len, page);
            if known {
                self.look_ahead();
            }
            return known;
        }
        let known = self.list.run(command, self.turns.len(), page);
        if known {
            self.follows = self.list.cursor + 1 >= self.turns.len() && self.past.is_none();
        }
        known
    }

    pub(super) fn file(&self, command: &str, args: &str) -> Vec<Act> {
        let task = &self.episode.setup().task;
        let name = format!("{}/{}", task.suite, task.id);
        let line = match command {
            "task-file" => format!("file task {name}"),
            "scene-file" => format!("file scene {name}"),
            _ => {
                let kind = if args.is_empty() { "events" } else { args };
                let file = match kind {
                    "header" => crate::formats::run::HEADER_FILE,
                    "notes" => crate::formats::run::NOTES_FILE,
                    _ => crate::formats::run::EVENTS_FILE,
                };
                format!("file {}", self.folder.join(file).display())
            }
        };
        vec![Act::Run(line)]
    }
}
