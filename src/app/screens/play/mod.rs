//! Play: a person plays a task. The cursor is a question ("if you do this"), `Enter` is the answer.
//!
//! [`Play`] waits until the task or run is read, then holds a [`game::Game`]: the episode with its panes. Every step is
//! handed to the writer as it happens ([`saver`]); the rail says which steps it has not acknowledged yet.

use std::sync::Arc;

use crate::app::arena::{ArenaJob, CellAsked};
use crate::app::checks::Shown;
use crate::app::commands::Availability;
use crate::app::games::{Opened, RunKey};
use crate::app::glyph;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Rail, Title};
use crate::app::library::TaskRow;
use crate::app::msg::Millis;
use crate::app::notice::Notice;
use crate::app::parts::rail::{self, Beside};
use crate::app::role::Role;
use crate::app::screens::{Screen, ScreenDesc, tasks};
use crate::app::state::Shared;
use crate::check::finding::Witness;
use crate::eval::table::Table;
use crate::formats::run::NoteBody;
use crate::sim::timeline::Pos;
use crate::sim::vocab::Profile;

pub mod actions;
pub mod ahead;
pub mod commands;
pub mod floor;
pub mod game;
mod line;
mod lines;
mod moves;
mod run;
mod run_sheets;
pub mod saver;
pub mod sheets;
#[cfg(test)]
mod tests;
pub mod warnings;
mod words;

use game::Game;
pub use line::suggestions;
use sheets::Sheet;
pub use words::{danger, you};

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: crate::app::commands::Command::new(
        "play",
        "play",
        "Play a task, act freely in a scene, or go on with a run.",
    )
    .with("TASK|SCENE|RUN [STEP] [PROFILE]"),
    open: |args, shared| {
        if args.is_empty() {
            return Err("play: name a task or the end of a run's id: play V022".to_owned());
        }
        let key = shared.new_game();
        let (args, profile) = named_profile(args);
        let (name, at) = named_step(args);
        let play = Play {
            at,
            profile: profile.or(shared.settings.profile.value),
            ..Play::opening(name, key)
        };
        Ok(Screen::Play(Box::new(play)))
    },
    contexts: &[
        &["actions", "play", "proof", "files", "steps", "pane", "list"],
        &["goal", "play", "proof", "files", "steps", "pane", "list"],
        &["warning", "play", "proof", "files", "steps", "pane", "list"],
        &[
            "scene", "play", "proof", "files", "steps", "pane", "tree", "list",
        ],
        &["ahead", "play", "proof", "files", "steps", "pane", "list"],
        &["map", "play", "compass", "files", "steps", "pane"],
        &["filter", "input"],
        &["sheet", "list"],
        &["sheet", "list", "map"],
        &["rule", "sheet", "list"],
        &["branches", "list"],
        &["line", "input"],
        &["reason", "input"],
        &["annotate", "fault"],
        &["verdict", "judgement"],
        &["verdict", "fault", "list"],
        &["verdict", "input"],
        &["pane"],
    ],
    glyphs: &[
        glyph::CURSOR,
        glyph::NOW,
        glyph::BRANCH,
        glyph::GOAL_OPEN,
        glyph::HOLDS,
        glyph::LOST,
        glyph::FALSE,
        glyph::ARMED,
        glyph::PENDING,
        glyph::STANDING,
        glyph::SILENCED,
        glyph::WOULD,
        glyph::HAPPENED,
        glyph::ADDED,
        glyph::REMOVED,
        glyph::CHANGED,
        glyph::UNFOLDED,
        glyph::FOLDED,
        glyph::LEAF,
        glyph::PINNED,
        glyph::NOTE,
    ],
    fields: &[
        ("state", "in Scene: things in a state, state:open"),
        ("in", "in Scene: things in a place, in:fridge"),
        ("property", "in Scene: things of a kind, property:grabbable"),
    ],
    example: "/grab knife Enter Enter finds the action and does it; u takes it back.",
};

/// The slot of the job that opens the game.
const OPEN: &str = "open";

/// The screen.
#[derive(Debug)]
pub struct Play {
    /// What was asked for.
    pub name: String,
    key: RunKey,
    /// The step to play on from, if one was asked for.
    at: Option<Pos>,
    /// Steps to be played first.
    first: Option<Witness>,
    /// The profile asked for.
    profile: Option<Profile>,
    /// The cell of an arena to play on from, after so many steps.
    cell: Option<(Box<CellAsked>, u32)>,
    /// How far it is.
    pub stage: Stage,
}

/// How far opening is.
#[derive(Debug)]
pub enum Stage {
    /// Not asked for yet.
    New,
    /// Being read.
    Opening,
    /// It cannot be opened: why.
    Failed(String),
    /// It was handed over, not looked at yet.
    Ready(Arc<Opened>),
    /// It is played.
    Playing(Box<Game>),
}

impl Play {
    /// A game to be opened by the name of a task or a run.
    pub fn opening(name: &str, key: RunKey) -> Self {
        Self {
            name: name.to_owned(),
            key,
            at: None,
            first: None,
            profile: None,
            cell: None,
            stage: Stage::New,
        }
    }

    /// A game of a task that begins with these steps.
    pub fn showing(shown: Shown, key: RunKey) -> Self {
        Self {
            first: Some(shown.witness),
            profile: Some(shown.profile),
            ..Self::opening(&shown.task, key)
        }
    }

    /// A game that goes on from a step of an arena's cell.
    pub fn cell(asked: CellAsked, steps: u32, key: RunKey) -> Self {
        let name = format!("{} under {}", asked.candidate, asked.response.id);
        Self {
            cell: Some((Box::new(asked), steps)),
            ..Self::opening(&name, key)
        }
    }

    /// A game that is open already, such as a fork.
    pub fn opened(name: &str, key: RunKey, opened: Arc<Opened>) -> Self {
        Self {
            name: name.to_owned(),
            key,
            at: None,
            first: None,
            profile: None,
            cell: None,
            stage: Stage::Ready(opened),
        }
    }

    /// The game, once it is open.
    pub fn game(&self) -> Option<&Game> {
        match &self.stage {
            Stage::Playing(game) => Some(game),
            _ => None,
        }
    }

    fn game_mut(&mut self) -> Option<&mut Game> {
        match &mut self.stage {
            Stage::Playing(game) => Some(game),
            _ => None,
        }
    }

    fn start(&mut self, opened: &Arc<Opened>, shared: &mut Shared) -> Vec<Act> {
        let at = self.at.take();
        let read_only = opened.run.as_ref().and_then(|run| run.read_only.clone());
        let (mut game, mut acts) = Game::new(opened, self.key);
        // Whoever plays must know that a rule of theirs does not watch.
        acts.extend(shared.library.rules_notice().map(Act::Notice));
        if let Some(first) = self.first.take() {
            acts.extend(game.show_witness(&first.steps, first.at));
        }
        if let Some(at) = at {
            let moved = game.run_move("goto", &format!("s{}", at.0));
            acts.extend(moved.unwrap_or_default());
            if let Some(why) = read_only {
                (game, acts) = self.on_its_own(game, &why, shared);
            }
        }
        self.stage = Stage::Playing(Box::new(game));
        acts
    }

    /// What is wrong with a task's own file is shown where it is; anything else is said.
    fn cannot_open(&mut self, reason: String, shared: &Shared) -> Vec<Act> {
        let is_it = |task: &&TaskRow| task.name() == self.name || task.id == self.name;
        let mut tasks = shared.library.tasks.iter().filter(is_it);
        if let Some(task) = tasks.next().filter(|task| tasks::has_file(task)) {
            let file = Act::Run(format!("file task {}", task.name()));
            return vec![Act::Leave, file, Act::Notice(Notice::error(reason))];
        }
        self.stage = Stage::Failed(reason);
        Vec::new()
    }

    /// A run that cannot be written is left as it is: play goes on from the same step in a run of its own.
    fn on_its_own(&mut self, game: Game, why: &str, shared: &mut Shared) -> (Game, Vec<Act>) {
        match game.fork() {
            Ok(fork) => {
                let close = Act::Job("close", Job::CloseGame(self.key));
                self.key = shared.new_game();
                let (own, mut acts) = Game::new(&Arc::new(fork), self.key);
                let text = format!("{why}: you play on in a run of its own");
                acts.extend([close, Act::Notice(Notice::info(text))]);
                (own, acts)
            }
            Err(reason) => (game, vec![Act::Notice(Notice::error(reason))]),
        }
    }
}

/// The opener's arguments without the profile at their end, and the profile: `V022 eai`.
fn named_profile(args: &str) -> (&str, Option<Profile>) {
    match args.rsplit_once(' ') {
        Some((rest, last)) if Profile::parse(last).is_some() => (rest.trim(), Profile::parse(last)),
        _ => (args, None),
    }
}

/// The name and the step of an opener's arguments: `b2d4 s7`.
fn named_step(args: &str) -> (&str, Option<Pos>) {
    let step = |word: &str| word.strip_prefix('s')?.parse().ok().map(Pos);
    match args.rsplit_once(' ') {
        Some((name, last)) if step(last).is_some() => (name.trim(), step(last)),
        _ => (args, None),
    }
}

impl Layer for Play {
    fn contexts(&self) -> Vec<&'static str> {
        self.game().map_or_else(|| vec!["pane"], Game::contexts)
    }

    fn when(&self, command: &str, args: &str, _shared: &Shared) -> Availability {
        match self.game() {
            Some(game) => game.when(command, args),
            None => Availability::when(command == "out", "nothing is open yet"),
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        if command == "fork" {
            return Some(self.fork(shared));
        }
        if command == "check" && args == "--all" {
            return Some(tasks::check_all());
        }
        match self.game_mut() {
            Some(game) => game.run(command, args, shared),
            None => Some(vec![Act::Leave]),
        }
    }

    fn takes_text(&self) -> bool {
        self.game().is_some_and(Game::takes_text)
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        if let Some(game) = self.game_mut() {
            game.on_text(text);
        }
        Vec::new()
    }

    fn on_paste(&mut self, text: &str, shared: &mut Shared) -> Vec<Act> {
        let Some(game) = self.game_mut() else {
            return Vec::new();
        };
        let typed = matches!(game.sheets.last(), Some(Sheet::Line(_)));
        if game.takes_text() && !(typed && text.trim().contains('\n')) {
            return self.on_text(text, shared);
        }
        if !game.sheets.is_empty() && !typed {
            return Vec::new();
        }
        game.sheets.clear();
        game.play_lines(text)
    }

    fn on_line(&mut self, line: &str, _shared: &mut Shared) -> Option<Vec<Act>> {
        let game = self.game_mut()?;
        let known = |word: &str| {
            let dialect = game.episode.setup().scene.dialect();
            line.starts_with('[') || dialect.action(&word.to_uppercase()).is_some()
        };
        known(line.split_whitespace().next()?).then(|| game.play_lines(line))
    }

    fn on_open(&mut self, shared: &mut Shared) -> Vec<Act> {
        match &self.stage {
            Stage::New => {
                self.stage = Stage::Opening;
                let job = match &self.cell {
                    Some((asked, steps)) => Job::Arena(ArenaJob::Fork(asked.clone(), *steps)),
                    None => Job::OpenGame(self.name.clone(), self.profile, self.key),
                };
                vec![Act::Job(OPEN, job)]
            }
            Stage::Ready(opened) => {
                let opened = Arc::clone(opened);
                self.start(&opened, shared)
            }
            _ => Vec::new(),
        }
    }

    fn on_gone(&self) -> Option<Job> {
        Some(Job::CloseGame(self.key))
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        match (slot, event) {
            (OPEN, JobEvent::Failed(reason)) => self.cannot_open(reason, shared),
            (OPEN, JobEvent::Done(reply)) => match *reply {
                Reply::Game(opened) => self.start(&opened, shared),
                _ => Vec::new(),
            },
            (slot, event) => {
                let is_judged = is_verdict(&event);
                let Some(game) = self.game_mut() else {
                    return Vec::new();
                };
                let mut acts = game.on_saved(slot, event, shared.now);
                if is_judged {
                    acts.extend(next_in_queue(game, shared));
                }
                acts
            }
        }
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        self.game().map(Game::copied)
    }

    fn deadline(&self) -> Option<Millis> {
        self.game().and_then(|game| game.saver.deadline())
    }

    fn on_tick(&mut self, _shared: &mut Shared) -> Vec<Act> {
        self.game_mut()
            .map_or_else(Vec::new, |game| game.saver.again())
    }

    fn failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        match &self.stage {
            Stage::Playing(game) => words::plain(game),
            Stage::Failed(reason) => vec![format!("play {}: {reason}", self.name)],
            _ => vec![format!("play {}: reading …", self.name)],
        }
    }
}

/// Whether a verdict was filed.
fn is_verdict(event: &JobEvent) -> bool {
    let JobEvent::Done(reply) = event else {
        return false;
    };
    let note = match reply.as_ref() {
        Reply::Saved(saved) => saved.note.as_ref(),
        _ => None,
    };
    note.is_some_and(|note| matches!(note.body, NoteBody::Verdict(_)))
}

/// Goes on with the next task of those that are played one after another.
fn next_in_queue(game: &Game, shared: &mut Shared) -> Vec<Act> {
    let name = game.task_name();
    let Some((at, n)) = shared.place_in_queue(&name) else {
        return Vec::new();
    };
    let Some(next) = shared.verdicts.get(at).cloned() else {
        shared.verdicts.clear();
        let told = Notice::info(format!("that was the last of {n} tasks"));
        return vec![Act::Notice(told)];
    };
    let told = Notice::info(format!("next in the queue: {next}, {} of {n}", at + 1));
    vec![
        Act::Leave,
        Act::Run(format!("play {next}")),
        Act::Notice(told),
    ]
}

impl Game {
    /// The task's name, suite and id.
    fn task_name(&self) -> String {
        let task = &self.episode.setup().task;
        format!("{}/{}", task.suite, task.id)
    }

    /// The writer answered.
    fn on_saved(&mut self, slot: &'static str, event: JobEvent, now: Millis) -> Vec<Act> {
        match event {
            JobEvent::Progress { .. } | JobEvent::Part(_) => Vec::new(),
            JobEvent::Failed(reason) if slot == saver::NOTE => {
                let text = format!("the verdict is not saved, its draft is kept: {reason}");
                vec![Act::Notice(Notice::error(text))]
            }
            JobEvent::Failed(reason) => self.saver.failed(reason, now),
            JobEvent::Done(reply) => match *reply {
                Reply::Saved(saved) => {
                    let note = saved.note.clone();
                    let mut acts = self.saver.saved(saved);
                    if let Some(note) = note {
                        acts.push(Act::Notice(self.filed(note)));
                    }
                    acts
                }
                _ => Vec::new(),
            },
        }
    }
}

impl Place for Play {
    fn table(&self, _shared: &Shared) -> Option<Table> {
        self.game().and_then(words::table)
    }

    fn title(&self, shared: &Shared) -> Title {
        match self.game() {
            Some(game) => {
                let mut title = words::title(game, shared.size.w < 100);
                if let Some((at, n)) = shared.place_in_queue(&game.task_name()) {
                    let fact = Fact::new(format!("{at} of {n}"), Role::Text);
                    title.facts.insert(0, fact);
                }
                title
            }
            None => Title {
                subject: self.name.clone(),
                facts: Vec::new(),
            },
        }
    }

    fn rail(&self, _shared: &Shared) -> Rail {
        self.game().map_or_else(Rail::default, |game| {
            let beside = Beside {
                unsaved: game.saver.unsaved(game.episode.events()),
                ghosts: game.ghosts(),
                trail: Some(&game.warnings.trail),
            };
            rail::rail(&game.episode, beside)
        })
    }
}
