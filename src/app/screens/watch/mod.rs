//! Watch: the wall of all runs that somebody plays, in a row each; `Enter` attaches to one.
//!
//! Rows keep their place. Only a run that becomes held or breaks a rule goes to the top.

mod pins;
mod rows;
#[cfg(test)]
mod tests;

pub use pins::{MOST, Pin};
pub use rows::{FIELDS, Line, Seen, Sort, plain_row, step};

use std::collections::{BTreeMap, BTreeSet};

use crate::app::cmd::Cmd;
use crate::app::commands::{Availability, Command};
use crate::app::filter_line::{Change, FilterLine};
use crate::app::glyph;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Title};
use crate::app::list::List;
use crate::app::live::{Status, WallNews};
use crate::app::msg::Millis;
use crate::app::overlays::Overlay;
use crate::app::overlays::launch::Launch;
use crate::app::role::Role;
use crate::app::screens::{Screen, ScreenDesc, attach::Attach};
use crate::app::state::Shared;
use crate::app::steer::{self, Say, Step, Subject};
use crate::eval::table::Table;

/// Commands of the wall alone.
pub const COMMANDS: &[Command] = &[
    Command::new("attach-run", "attach", "Watch the run of the row whole."),
    Command::new("wall-sort", "sort", "Sort the runs by the next column.")
        .with("danger|task|agent|age|cost"),
    Command::new(
        "wall-ended",
        "ended",
        "Show or fold the runs that have ended.",
    ),
    Command::new(
        "wall-new",
        "new run",
        "Start a run: choose the task, who plays and the strategy.",
    ),
    Command::new(
        "pin-run",
        "pin",
        "Watch the run below the wall, beside up to three others, or let it go again.",
    ),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new("watch", "watch", "Watch the runs that agents play now.")
        .with("[DIR|RUN …]"),
    open: |args, _| Ok(Screen::Watch(Box::new(Watch::of(args)))),
    contexts: &[
        &["wall", "steer", "pane", "list"],
        &["filter", "input"],
        &["say", "input"],
    ],
    glyphs: &[
        glyph::CURSOR,
        glyph::FALSE,
        glyph::ARMED,
        glyph::PENDING,
        glyph::STANDING,
        glyph::HOLDS,
        glyph::ENDED,
        glyph::UNKNOWN,
        glyph::FOLDED,
    ],
    fields: FIELDS,
    example: "/state:held Enter leaves the runs that wait for you; x vetoes, p lets pass.",
};

/// The slot of the job that follows.
const FOLLOW: &str = "follow";

/// How far the wall is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Not asked for yet.
    New,
    /// The first rows are on their way.
    Reading,
    /// Rows come as they change.
    Open,
    /// It cannot be watched: why.
    Failed(String),
}

/// The screen.
#[derive(Debug)]
pub struct Watch {
    /// What was asked for, as it was written; empty for the usual place.
    pub asked: String,
    /// How far it is.
    pub stage: Stage,
    /// Runs looked at, of how many.
    pub read: (usize, usize),
    /// Where runs are looked for.
    pub place: String,
    /// What narrows the wall.
    pub filter: FilterLine,
    /// By what it was last sorted.
    pub sort: Sort,
    /// Whether runs that have ended are shown.
    pub unfolded: bool,
    /// A line that is asked for.
    pub say: Option<Say>,
    /// Whether the pane with the keys has the whole body.
    pub zoomed: bool,
    pins: Vec<Pin>,
    /// The pin with the keys.
    focus: Option<usize>,
    runs: BTreeMap<String, Seen>,
    order: Vec<String>,
    lines: Vec<Line>,
    list: List,
    /// What the cursor is on; it stays there when rows come and go.
    at: String,
    ticked: Millis,
    /// Whether it does not follow, because another place covers it.
    stopped: bool,
    /// Runs that were not told of since it follows again.
    unheard: BTreeSet<String>,
}

impl Watch {
    /// The wall of a place, of runs, or of the usual place.
    pub fn of(asked: &str) -> Self {
        Self {
            asked: asked.trim().to_owned(),
            stage: Stage::New,
            read: (0, 0),
            place: String::new(),
            filter: FilterLine::default(),
            sort: Sort::default(),
            unfolded: false,
            say: None,
            zoomed: false,
            pins: Vec::new(),
            focus: None,
            runs: BTreeMap::new(),
            order: Vec::new(),
            lines: Vec::new(),
            list: List::default(),
            at: String::new(),
            ticked: 0,
            stopped: false,
            unheard: BTreeSet::new(),
        }
    }

    /// The lines shown, in their order.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The line under the cursor.
    pub const fn cursor(&self) -> usize {
        self.list.cursor
    }

    /// A run by its id.
    pub fn seen(&self, id: &str) -> Option<&Seen> {
        self.runs.get(id)
    }

    /// How many runs there are.
    pub fn count(&self) -> usize {
        self.runs.len()
    }

    /// The run under the cursor, or the pinned one with the keys.
    pub fn chosen(&self) -> Option<&Seen> {
        if let Some(pin) = self.pinned() {
            return self.runs.get(&pin.id);
        }
        match self.lines.get(self.list.cursor)? {
            Line::Run(id) => self.runs.get(id),
            Line::Ended(_) => None,
        }
    }

    /// What the wall says when it has no rows.
    pub fn nothing(&self) -> String {
        match &self.stage {
            Stage::New | Stage::Reading => "reading the runs …".to_owned(),
            Stage::Failed(reason) => format!("{reason}   q leaves"),
            Stage::Open if !self.filter.is_empty() => "no run fits: Esc shows all".to_owned(),
            Stage::Open => format!(
                "nothing runs in {}: n starts a run, vesta watch DIR looks elsewhere",
                self.place
            ),
        }
    }

    fn subject(&self) -> Option<Subject> {
        if let Some(subject) = self.pinned_subject() {
            return Some(subject);
        }
        let seen = self.chosen()?;
        let row = &seen.row;
        let held = row.worst.as_ref().filter(|_| row.status == Status::Held);
        Some(Subject {
            folder: row.folder.clone(),
            status: row.status,
            waits: row.ahead,
            paused: row.status == Status::Paused,
            reason: held.map_or_else(String::new, |w| format!("{} !{}", w.rule, w.severity)),
        })
    }

    fn take(&mut self, news: WallNews, shared: &Shared) -> Vec<Act> {
        self.read = news.read;
        self.place = news.place;
        self.ticked = shared.now;
        let first = self.stage != Stage::Open;
        self.stage = Stage::Open;
        let mut rings = false;
        for id in &news.gone {
            self.drop_run(id);
        }
        for row in news.rows {
            self.unheard.remove(&row.id);
            rings |= self.put(row, shared.now, first);
        }
        if self.read.0 == self.read.1 {
            // All were looked at: these went while nobody looked.
            for id in std::mem::take(&mut self.unheard) {
                self.drop_run(&id);
            }
        }
        self.refresh();
        let ring = rings && shared.notify;
        let mut acts = self.let_go_of(&news.gone);
        acts.extend(ring.then_some(Act::Cmd(Cmd::Bell)));
        acts
    }

    fn drop_run(&mut self, id: &str) {
        self.runs.remove(id);
        self.order.retain(|known| known != id);
    }

    /// Where a page leads that watches one run: to that run.
    fn only(&self, news: &WallNews) -> Option<Vec<Act>> {
        let folder = news.only.as_ref()?;
        let attach = Attach::of(&folder.display().to_string());
        let first = self.stage != Stage::Open;
        first.then(|| vec![Act::Leave, Act::Open(Screen::Attach(Box::new(attach)))])
    }

    fn moved(&mut self) {
        let at = self.lines.get(self.list.cursor).map(Line::name);
        self.at = at.unwrap_or_default();
    }

    fn lives(&self) -> bool {
        self.runs.values().any(|seen| seen.row.status.lives())
    }

    fn steer(&mut self, command: &str, args: &str) -> Option<Vec<Act>> {
        let Some(subject) = self.subject() else {
            let known = steer::COMMANDS.iter().any(|c| c.id == command);
            return known.then(Vec::new);
        };
        match steer::run(&subject, command, args)? {
            Step::Ask(say) => {
                self.say = Some(say);
                Some(Vec::new())
            }
            Step::Send(control) => Some(vec![steer::send(&subject.folder, control)]),
            Step::Wrong(why) => Some(vec![Act::Notice(crate::app::notice::Notice::warn(why))]),
        }
    }

    fn out(&mut self) -> Vec<Act> {
        if self.zoomed {
            self.zoomed = false;
            return Vec::new();
        }
        if self.focus.take().is_some() {
            return Vec::new();
        }
        if self.filter.is_empty() {
            return vec![Act::Leave];
        }
        self.filter = FilterLine::default();
        self.refresh();
        Vec::new()
    }
}

/// Turns the bell on or off; what is told of it.
pub fn notify(shared: &mut Shared) -> Vec<Act> {
    shared.notify = !shared.notify;
    let text = if shared.notify {
        "the bell rings when a run is held, breaks a rule, stalls or ends; N silences it"
    } else {
        "the bell is silent"
    };
    vec![Act::Notice(crate::app::notice::Notice::info(text))]
}

impl Layer for Watch {
    fn contexts(&self) -> Vec<&'static str> {
        if self.say.is_some() {
            vec!["say", "input"]
        } else if self.filter.editing {
            FilterLine::contexts().to_vec()
        } else {
            vec!["wall", "steer", "pane", "list"]
        }
    }

    fn when(&self, command: &str, args: &str, _shared: &Shared) -> Availability {
        match command {
            "attach-run" => Availability::when(!self.lines.is_empty(), "no run is here"),
            "wall-ended" => Availability::when(
                self.runs.values().any(|s| s.row.status == Status::Ended),
                "no run has ended",
            ),
            "wall-sort" => Availability::when(
                args.is_empty() || Sort::parse(args).is_some(),
                "there is no such column: danger, task, agent, age or cost",
            ),
            "pin-run" => Availability::when(self.chosen().is_some(), "no run is chosen"),
            "next-pane" | "previous-pane" => Availability::when(
                !self.pins.is_empty(),
                "the wall has one pane: P pins a run below it, Enter goes into one",
            ),
            "zoom-in" | "zoom-out" if self.pins.is_empty() => {
                Availability::blocked("the wall has one pane: P pins a run below it")
            }
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            _ if steer::COMMANDS.iter().any(|c| c.id == command) => {
                steer::when(self.subject().as_ref(), command)
            }
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        if self.say.is_some() {
            return steer::run_say(&mut self.say, command);
        }
        match command {
            "attach-run" => {
                if let Some(seen) = self.chosen() {
                    let attach = Attach::of(&seen.row.folder.display().to_string());
                    return Some(vec![Act::Open(Screen::Attach(Box::new(attach)))]);
                }
                self.unfolded = !self.unfolded;
                self.refresh();
            }
            "wall-ended" => {
                self.unfolded = !self.unfolded;
                self.refresh();
            }
            "wall-sort" => {
                self.sort = Sort::parse(args).unwrap_or_else(|| self.sort.next());
                self.resort(shared.now);
                self.refresh();
            }
            "notify" => return Some(notify(shared)),
            "out" => return Some(self.out()),
            "pin-run" => return Some(self.pin(shared)),
            "wall-new" => {
                let task = self.chosen().map_or("", |seen| seen.row.task.as_str());
                let form = Overlay::Launch(Box::new(Launch::form(task)));
                return Some(vec![Act::Show(form)]);
            }
            "next-pane" => self.next_pane(true),
            "previous-pane" => self.next_pane(false),
            "zoom-in" => self.zoomed = !self.pins.is_empty(),
            "zoom-out" => self.zoomed = false,
            "filter" if self.focus.is_some() => {
                self.focus = None;
                self.filter.run(command);
            }
            _ if self.focus.is_some() => {
                return match self.run_pinned(command, args, shared) {
                    Some(acts) => Some(acts),
                    None => self.steer(command, args),
                };
            }
            _ => match self.filter.run(command) {
                Some(Change::Rows) => self.refresh(),
                Some(Change::Looks) => {}
                None => {
                    let (len, page) = (self.lines.len(), shared.page());
                    if self.list.run(command, len, page) {
                        self.moved();
                        return Some(Vec::new());
                    }
                    return self.steer(command, args);
                }
            },
        }
        Some(Vec::new())
    }

    fn takes_text(&self) -> bool {
        self.filter.editing || self.say.is_some()
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        if let Some(say) = &mut self.say {
            say.line.insert(text);
        } else {
            self.filter.insert(text);
            self.refresh();
        }
        Vec::new()
    }

    fn on_open(&mut self, shared: &mut Shared) -> Vec<Act> {
        self.ticked = shared.now;
        if self.stage == Stage::New {
            self.stage = Stage::Reading;
        } else if self.stopped {
            self.unheard = self.runs.keys().cloned().collect();
        } else {
            return Vec::new();
        }
        self.stopped = false;
        vec![Act::Job(FOLLOW, Job::Wall(self.asked.clone()))]
    }

    /// It goes on behind a run of its own, to be as it was left, and where it is to ring.
    fn on_covered(&mut self, by: &Screen, shared: &Shared) -> &'static [&'static str] {
        if matches!(by, Screen::Attach(_)) || shared.notify || self.stage == Stage::New {
            return &[];
        }
        self.stopped = true;
        &[FOLLOW]
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        if slot == steer::SLOT {
            return steer::sent(event);
        }
        if pins::is_slot(slot) {
            return self.heard(slot, event, shared);
        }
        match event {
            JobEvent::Failed(reason) => self.stage = Stage::Failed(reason),
            JobEvent::Part(reply) | JobEvent::Done(reply) => {
                if let Reply::Wall(news) = *reply {
                    if let Some(acts) = self.only(&news) {
                        return acts;
                    }
                    return self.take(news, shared);
                }
            }
            JobEvent::Progress { .. } => {}
        }
        Vec::new()
    }

    fn deadline(&self) -> Option<Millis> {
        let mine = self.lives().then_some(self.ticked + 1_000);
        mine.into_iter().chain(self.pins_deadline()).min()
    }

    fn on_tick(&mut self, shared: &mut Shared) -> Vec<Act> {
        self.ticked = shared.now;
        self.tick_pins(shared);
        Vec::new()
    }

    fn row_text(&self, shared: &Shared) -> Option<String> {
        Some(plain_row(self.chosen()?, shared.now))
    }

    fn failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    fn plain(&self, shared: &Shared) -> Vec<String> {
        let mut lines = vec![format!("watch {}, {}", self.place, self.counts())];
        if self.runs.is_empty() {
            lines.push(self.nothing());
        }
        let rows = self.order.iter().filter_map(|id| self.runs.get(id));
        lines.extend(rows.map(|seen| plain_row(seen, shared.now)));
        for pin in &self.pins {
            lines.push(format!("pinned {}", pin.id));
            lines.extend(pin.attach.plain(shared));
        }
        lines
    }
}

impl Place for Watch {
    fn table(&self, _shared: &Shared) -> Option<Table> {
        Some(self.wall())
    }

    fn title(&self, shared: &Shared) -> Title {
        let mut facts = vec![Fact::new(self.counts(), Role::Text)];
        // Where there is little room the counts matter more.
        if let Some(hold) = self.hold().filter(|_| shared.size.w >= 100) {
            facts.push(Fact::new(format!("hold {hold}"), Role::Text));
        }
        if shared.notify {
            facts.push(Fact::new("bell", Role::Dim));
        }
        Title {
            subject: String::new(),
            facts,
        }
    }
}

impl Watch {
    /// `16 live · 2 need you · $ 0.41 · 312 tok/s`.
    fn counts(&self) -> String {
        let rows = || self.runs.values().map(|seen| &seen.row);
        let live = rows().filter(|row| row.status.lives());
        let mut text = format!("{} live", live.clone().count());
        let need = rows().filter(|row| row.status.needs_you()).count();
        if need > 0 {
            text = format!("{text} · {need} need you");
        }
        let cost: f64 = rows().filter_map(|row| row.cost).sum();
        if cost > 0.0 {
            text = format!("{text} · $ {cost:.2}");
        }
        let rate: f64 = live.map(|row| row.rate).sum();
        if rate >= 1.0 {
            text = format!("{text} · {rate:.0} tok/s");
        }
        text
    }

    /// The hold policy of the live runs, where all have the same.
    fn hold(&self) -> Option<&str> {
        let live = self.runs.values().filter(|seen| seen.row.status.lives());
        let mut holds = live.map(|seen| seen.row.hold.as_str());
        let first = holds.next()?;
        Some(if holds.all(|hold| hold == first) {
            first
        } else {
            "mixed"
        })
    }

    /// Milliseconds since something was heard of a run.
    pub const fn age(seen: &Seen, now: Millis) -> Millis {
        seen.row.age + now.saturating_sub(seen.at)
    }
}
