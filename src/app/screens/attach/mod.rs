//! Attach: one run that somebody plays, watched whole. What the agent thinks and does, what its next act would do before
//! it is done, and how to step in.
//!
//! The run belongs to its runner: leaving this screen changes nothing about it.

mod run;
mod words;

pub use run::{PANES, Pane, Past, Run};
pub use words::{now, numbers};

use crate::app::cmd::Cmd;
use crate::app::commands::{Availability, Command};
use crate::app::glyph;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Layer, Place, Rail, Title};
use crate::app::list::List;
use crate::app::live::Status;
use crate::app::msg::Millis;
use crate::app::notice::Notice;
use crate::app::parts::rail::{self, Beside};
use crate::app::parts::rule;
use crate::app::parts::why::Why;
use crate::app::screens::{Screen, ScreenDesc, watch};
use crate::app::state::Shared;
use crate::app::steer::{self, Kind, Say, Step};

/// Commands of the attached run alone.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "turn-enter",
        "open",
        "Show the event of the row in full, or do the act of the row.",
    ),
    Command::new(
        "rule-why",
        "why",
        "Explain the rule that the act would break, or that weighs most.",
    ),
    Command::new(
        "look-back",
        "look back",
        "Look at the step before, while the run goes on.",
    ),
    Command::new("look-on", "look on", "Look at the step after."),
    Command::new("look-live", "live", "Go back to where the run stands."),
    Command::new("hand-act", "act", "Do an act by hand, after taking over.").with("[ACT]"),
];

/// Commands of an explanation that lies over the run.
pub const WHY: &[Command] = &[Command::new("why-close", "close", "Close the explanation.")];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new("attach", "attach", "Watch one run whole, and step in.").with("RUN"),
    open: |args, _| {
        if args.is_empty() {
            return Err("attach: name the end of a run's id, or its folder".to_owned());
        }
        Ok(Screen::Attach(Box::new(Attach::of(args))))
    },
    contexts: &[
        &["steer", "attached", "files", "pane", "list"],
        &["say", "input"],
        &["told", "list"],
        &["pane"],
    ],
    glyphs: &[
        glyph::CURSOR,
        glyph::NOW,
        glyph::GOAL_OPEN,
        glyph::HOLDS,
        glyph::LOST,
        glyph::FALSE,
        glyph::ARMED,
        glyph::PENDING,
        glyph::STANDING,
        glyph::UNKNOWN,
        glyph::WOULD,
        glyph::ADDED,
        glyph::REMOVED,
        glyph::CHANGED,
        glyph::BRANCH,
    ],
    fields: &[],
    example: "Space stops before the next act; x vetoes it with a reason, p lets it pass.",
};

/// The slot of the job that follows.
const FOLLOW: &str = "follow";

/// How far it is.
#[derive(Debug)]
pub enum Stage {
    /// Not asked for yet.
    New,
    /// Being read.
    Reading,
    /// It cannot be watched: why.
    Failed(String),
    /// It is watched.
    Open(Box<Run>),
}

/// The screen.
#[derive(Debug)]
pub struct Attach {
    /// What was asked for.
    pub asked: String,
    /// How far it is.
    pub stage: Stage,
    /// A line that is asked for.
    pub say: Option<Say>,
    /// An explanation that lies over the panes, with its cursor.
    pub why: Option<(Why, List)>,
}

impl Attach {
    /// A run to be watched, by the end of its id or its folder.
    pub fn of(asked: &str) -> Self {
        Self {
            asked: asked.to_owned(),
            stage: Stage::New,
            say: None,
            why: None,
        }
    }

    /// The run, once it is read.
    pub fn watched(&self) -> Option<&Run> {
        match &self.stage {
            Stage::Open(run) => Some(run),
            _ => None,
        }
    }

    fn watched_mut(&mut self) -> Option<&mut Run> {
        match &mut self.stage {
            Stage::Open(run) => Some(run),
            _ => None,
        }
    }

    fn steer(&mut self, command: &str, args: &str) -> Option<Vec<Act>> {
        let subject = self.watched()?.subject();
        match steer::run(&subject, command, args)? {
            Step::Ask(say) => {
                self.say = Some(say);
                Some(Vec::new())
            }
            Step::Send(control) => Some(vec![steer::send(&subject.folder, control)]),
            Step::Wrong(why) => Some(vec![Act::Notice(Notice::warn(why))]),
        }
    }

    fn explain(&mut self) -> Vec<Act> {
        let Some(run) = self.watched_mut() else {
            return Vec::new();
        };
        let why = run
            .concern()
            .and_then(|it| rule::why(&mut run.episode, &it));
        match why {
            Some(why) => self.why = Some((why, List::default())),
            None => {
                return vec![Act::Notice(Notice::info(
                    "no rule has anything to say here",
                ))];
            }
        }
        Vec::new()
    }

    /// Enter: an act by hand, or the event in the run's file.
    fn enter(&mut self) -> Vec<Act> {
        let Some(run) = self.watched_mut() else {
            return Vec::new();
        };
        if run.focus == Pane::Ahead && run.tracker.by_hand {
            let control = run.choice();
            let folder = run.folder.clone();
            return control
                .map(|c| steer::send(&folder, c))
                .into_iter()
                .collect();
        }
        let Some(turn) = run.turns.get(run.list.cursor) else {
            return Vec::new();
        };
        let file = run.folder.join(crate::formats::run::EVENTS_FILE);
        vec![Act::Run(format!(
            "file {}:{}",
            file.display(),
            turn.seq + 1
        ))]
    }

    fn hand_act(&mut self, args: &str) -> Vec<Act> {
        let Some(run) = self.watched() else {
            return Vec::new();
        };
        let say = Say::new(Kind::Act, run.folder.clone(), args);
        if args.is_empty() {
            self.say = Some(say);
            return Vec::new();
        }
        if steer::says_no_reason(args) {
            self.say = Some(say);
            return vec![Act::Notice(Notice::info(steer::SAY_WHY))];
        }
        vec![steer::send(&say.folder, say.control())]
    }

    fn run_why(&mut self, command: &str, shared: &Shared) -> Option<Vec<Act>> {
        if command == "why-close" {
            self.why = None;
            return Some(Vec::new());
        }
        let (why, list) = self.why.as_mut()?;
        if command == "filter" {
            return Some(Vec::new());
        }
        list.run(command, why.lines.len(), shared.page())
            .then(Vec::new)
    }
}

impl Layer for Attach {
    fn contexts(&self) -> Vec<&'static str> {
        match (&self.say, &self.why, self.watched()) {
            (Some(_), ..) => vec!["say", "input"],
            (None, Some(_), _) => vec!["told", "list"],
            (None, None, Some(_)) => vec!["steer", "attached", "files", "pane", "list"],
            _ => vec!["pane"],
        }
    }

    fn when(&self, command: &str, _args: &str, _shared: &Shared) -> Availability {
        let Some(run) = self.watched() else {
            return Availability::when(command == "out", "nothing is open yet");
        };
        match command {
            _ if self.say.is_some() => Availability::Ready,
            "filter" => {
                Availability::blocked("a run is not narrowed: g e shows its events, / finds there")
            }
            _ if self.why.is_some() => Availability::Ready,
            "hand-act" => Availability::when(
                run.status() == Status::Hand,
                "the agent acts: T takes over first",
            ),
            "look-live" => {
                Availability::when(run.past.is_some() || !run.follows, "you see it live")
            }
            "zoom-in" => Availability::when(!run.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(run.zoomed, "it has its usual room"),
            _ if steer::COMMANDS.iter().any(|c| c.id == command) => {
                steer::when(Some(&run.subject()), command)
            }
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        if self.say.is_some() {
            return steer::run_say(&mut self.say, command);
        }
        if self.why.is_some() {
            return self.run_why(command, shared);
        }
        if self.watched().is_none() {
            return Some(if command == "out" {
                vec![Act::Leave]
            } else {
                Vec::new()
            });
        }
        match command {
            "turn-enter" => return Some(self.enter()),
            "rule-why" => return Some(self.explain()),
            "hand-act" => return Some(self.hand_act(args)),
            "notify" => return Some(watch::notify(shared)),
            _ => {}
        }
        let page = shared.page();
        let run = self.watched_mut()?;
        match command {
            "look-back" => run.look(false),
            "look-on" => run.look(true),
            "look-live" => run.go_live(),
            "next-pane" => run.next_pane(1),
            "previous-pane" => run.next_pane(PANES.len() - 1),
            "zoom-in" => run.zoomed = true,
            "zoom-out" => run.zoomed = false,
            "out" if run.zoomed => run.zoomed = false,
            "out" if run.past.is_some() || !run.follows => run.go_live(),
            "out" => return Some(vec![Act::Leave]),
            "filter" => {}
            "task-file" | "scene-file" | "run-file" => return Some(run.file(command, args)),
            _ if run.move_cursor(command, page) => {}
            _ => return self.steer(command, args),
        }
        Some(Vec::new())
    }

    fn takes_text(&self) -> bool {
        self.say.is_some()
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        if let Some(say) = &mut self.say {
            say.line.insert(text);
        }
        Vec::new()
    }

    fn on_line(&mut self, line: &str, _shared: &mut Shared) -> Option<Vec<Act>> {
        let run = self.watched()?;
        let known = |word: &str| {
            let dialect = run.episode.setup().scene.dialect();
            line.starts_with('[')
                || word == "Done"
                || dialect.action(&word.to_uppercase()).is_some()
        };
        if !known(line.split_whitespace().next()?) {
            return None;
        }
        if run.status() != Status::Hand {
            let text = "the agent acts: T takes over first";
            return Some(vec![Act::Notice(Notice::info(text))]);
        }
        Some(self.hand_act(line))
    }

    fn on_open(&mut self, shared: &mut Shared) -> Vec<Act> {
        if let Some(run) = self.watched_mut() {
            run.ticked = shared.now;
        }
        if !matches!(self.stage, Stage::New) {
            return Vec::new();
        }
        self.stage = Stage::Reading;
        vec![Act::Job(FOLLOW, Job::Attach(self.asked.clone()))]
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        if slot == steer::SLOT {
            return steer::sent(event);
        }
        match event {
            JobEvent::Failed(reason) => self.stage = Stage::Failed(reason),
            JobEvent::Part(reply) | JobEvent::Done(reply) => match *reply {
                Reply::Attached(attached) => {
                    self.stage = Stage::Open(Box::new(Run::new(*attached, shared.now)));
                }
                Reply::Heard(heard) => {
                    let Some(run) = self.watched_mut() else {
                        return Vec::new();
                    };
                    let rings = run.hear(*heard, shared.now);
                    let mut acts: Vec<Act> = run.told.drain(..).map(Act::Notice).collect();
                    if rings && shared.notify {
                        acts.push(Act::Cmd(Cmd::Bell));
                    }
                    return acts;
                }
                _ => {}
            },
            JobEvent::Progress { .. } => {}
        }
        Vec::new()
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        let run = self.watched()?;
        let turn = run.turns.get(run.list.cursor)?;
        Some(
            format!("{} {} {}", turn.at, turn.text, turn.mark)
                .trim()
                .to_owned(),
        )
    }

    fn deadline(&self) -> Option<Millis> {
        let run = self.watched()?;
        run.status().lives().then_some(run.ticked + 1_000)
    }

    fn on_tick(&mut self, shared: &mut Shared) -> Vec<Act> {
        let now = shared.now;
        if let Some(run) = self.watched_mut() {
            run.ticked = now;
            run.now = now;
        }
        Vec::new()
    }

    fn failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        match &self.stage {
            Stage::Open(run) => words::plain(run),
            Stage::Failed(reason) => vec![format!("attach {}: {reason}", self.asked)],
            _ => vec![format!("attach {}: reading …", self.asked)],
        }
    }
}

impl Place for Attach {
    fn title(&self, shared: &Shared) -> Title {
        match self.watched() {
            Some(run) => words::title(run, shared.size.w < 100),
            None => Title {
                subject: self.asked.clone(),
                facts: Vec::new(),
            },
        }
    }

    fn rail(&self, _shared: &Shared) -> Rail {
        self.watched().map_or_else(Rail::default, |run| {
            let beside = Beside {
                trail: Some(&run.trail),
                ..Beside::default()
            };
            let mut rail = rail::rail(run.shown(), beside);
            rail.tail = run.badge();
            rail
        })
    }
}
