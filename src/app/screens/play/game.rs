//! A game being played: the episode with its panes, kept in step with each other.

use std::sync::Arc;

use crate::app::games::{Opened, RunKey};
use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::parts::goals::{self, Mark};
use crate::app::parts::scene_tree::SceneTree;
use crate::app::parts::verdict::Draft;
use crate::app::parts::warnings::Beside;
use crate::formats::run::{ForkedFrom, Note};
use crate::plan::enable::next_towards;
use crate::sim::world::Action;
use crate::task::episode::{Ending, Episode, Event, Outcome, Turn};

use super::actions::Actions;
use super::ahead::{self, Ahead};
use super::floor::Floor;
use super::saver::Saver;
use super::sheets::Sheet;
use super::warnings::Warnings;

/// The panes, in the order of the Tab key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pane {
    /// What can be done.
    #[default]
    Actions,
    /// The goals.
    Goals,
    /// What the rules say.
    Warnings,
    /// The scene as a tree.
    Scene,
    /// What the cursor's action would change.
    Ahead,
}

/// Every pane, in the order of the Tab key.
pub const PANES: [Pane; 5] = [
    Pane::Actions,
    Pane::Goals,
    Pane::Warnings,
    Pane::Scene,
    Pane::Ahead,
];

/// The next step towards a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The goal.
    pub goal: usize,
    /// The step.
    pub next: Action,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    /// What is played.
    pub episode: Episode,
    /// The scene.
    pub tree: SceneTree,
    /// What can be done.
    pub actions: Actions,
    /// How the goals stand.
    pub goals: Vec<goals::Row>,
    /// The goal under the cursor.
    pub goal_list: List,
    /// What the rules say.
    pub warnings: Warnings,
    /// What the cursor's action would do.
    pub ahead: Ahead,
    /// The changed fact under the cursor.
    pub ahead_list: List,
    /// The next step towards the goal under the cursor, or the first that does not hold.
    pub hint: Option<Hint>,
    /// Which pane has the keys.
    pub focus: Pane,
    /// Whether that pane has the whole body.
    pub zoomed: bool,
    /// Whether facts nobody acts on are shown.
    pub quiet: bool,
    /// Whether the reference plan is shown on the rail.
    pub reference: bool,
    /// What lies over the panes, the topmost last.
    pub sheets: Vec<Sheet>,
    /// The verdict being written.
    pub draft: Draft,
    /// What was said about the run.
    pub notes: Vec<Note>,
    /// What is on the disk.
    pub saver: Saver,
    /// The filter of the scene.
    pub scene_filter: crate::app::filter_line::FilterLine,
    /// The floor plan, while it is shown instead of the panes.
    pub map: Option<Box<Floor>>,
    /// How it had ended when it was last looked at.
    ended: Option<Ending>,
}

impl Game {
    /// A game as it was opened, and what the player should know.
    pub(super) fn new(opened: &Arc<Opened>, key: RunKey) -> (Self, Vec<Act>) {
        let opened = Opened::clone(opened);
        let saved = opened.episode.events() - u32::try_from(opened.events.len()).unwrap_or(0);
        let mut saver = Saver::new(key, opened.begin, saved, opened.events);
        let mut acts: Vec<Act> = opened
            .findings
            .into_iter()
            .map(|finding| Act::Notice(Notice::warn(finding)))
            .collect();
        let mut notes = Vec::new();
        if let Some(run) = opened.run {
            if let Some(why) = &run.read_only {
                acts.push(Act::Notice(Notice::warn(format!(
                    "read only: {why}; F plays on in a run of its own"
                ))));
            }
            saver.run = Some(run.id);
            saver.read_only = run.read_only;
            notes = run.notes;
        }
        let tree = SceneTree::new(opened.episode.timeline().world());
        let mut game = Self {
            episode: opened.episode,
            tree,
            actions: Actions::new(),
            goals: Vec::new(),
            goal_list: List::default(),
            warnings: Warnings::default(),
            ahead: Ahead::Nothing,
            ahead_list: List::default(),
            hint: None,
            focus: Pane::Actions,
            zoomed: false,
            quiet: false,
            reference: false,
            sheets: Vec::new(),
            draft: Draft::default(),
            notes,
            saver,
            scene_filter: crate::app::filter_line::FilterLine::default(),
            map: None,
            ended: None,
        };
        game.moved(None);
        (game, acts)
    }

    /// Takes in that the world stands elsewhere; the actions' cursor goes to `keep`, or to the first row.
    pub(super) fn moved(&mut self, keep: Option<Action>) {
        let changes = self.episode.timeline().changes_here();
        self.tree.refresh(self.episode.timeline().world(), &changes);
        self.goals = goals::rows(
            self.episode.ledger(),
            self.episode.timeline(),
            self.episode.here(),
        );
        self.ended = self.episode.ending().cloned();
        self.actions.about = None;
        self.actions.ask(&mut self.episode, keep);
        let near = self.actions.usual();
        self.warnings.refresh(&mut self.episode, near);
        self.look_ahead();
        self.look_for_hint();
        self.map_moved();
    }

    /// Takes in that the cursor of the actions is elsewhere.
    pub(super) fn look_ahead(&mut self) {
        let row = self.actions.row();
        let row = row.map(|row| (row, self.actions.candidate(row).map(|c| c.action)));
        let beside = Beside {
            all: &self.warnings.all,
            near: &self.actions.all,
            muted: &self.warnings.muted,
        };
        self.ahead = Ahead::of(&mut self.episode, row, beside);
        self.ahead_list = List::default();
    }

    /// Takes in that the cursor of the goals is elsewhere.
    pub(super) fn look_for_hint(&mut self) {
        let open = |row: &&goals::Row| row.mark != Mark::Holds;
        let chosen = self.goals.get(self.goal_list.cursor).filter(open);
        let goal = chosen.or_else(|| self.goals.iter().find(open));
        self.hint = goal.and_then(|row| {
            let ask = &self.episode.ledger().goals().goals.get(row.goal)?.ask;
            let next = next_towards(self.episode.timeline().world(), ask)?;
            Some(Hint {
                goal: row.goal,
                next,
            })
        });
    }

    /// Steps of the reference plan that are still to come: those after the last one done, in order.
    pub fn ghosts(&self) -> &[Action] {
        if !self.reference {
            return &[];
        }
        let timeline = self.episode.timeline();
        let plan = &self.episode.setup().reference;
        let mut done = 0;
        for pos in timeline.path(self.episode.here()) {
            if timeline.action(pos).is_some() && timeline.action(pos) == plan.get(done).copied() {
                done += 1;
            }
        }
        plan.get(done..).unwrap_or_default()
    }

    /// Does an action and records it, whatever comes of it.
    pub(super) fn act(&mut self, action: Action) -> Vec<Act> {
        let turn = self.episode.act(action);
        self.took(turn)
    }

    /// Does an action given as text.
    pub(super) fn act_text(&mut self, text: &str) -> Vec<Act> {
        let turn = self.episode.act_text(text);
        self.took(turn)
    }

    fn took(&mut self, turn: Turn) -> Vec<Act> {
        let mut acts = self.saver.add(turn.events);
        match turn.outcome {
            Outcome::Stepped(step) => {
                let before = self.goals.clone();
                self.actions.forget_wanted();
                self.moved(None);
                acts.push(Act::Outdated);
                // What is graver is told first.
                acts.extend(self.warned_of(step.pos));
                acts.extend(self.told(&before));
                if let Some(note) = step.note {
                    let words = self.episode.reason(&note);
                    let text = format!("done; the published code says: {words}");
                    acts.push(Act::Notice(Notice::info(text)));
                }
            }
            Outcome::Refused(refusal) => {
                let words = self.episode.reason(&refusal);
                let letter = refusal.kind.letter();
                let text = format!("{letter} {words}   W shows the cure");
                acts.push(Act::Notice(Notice::info(text)));
            }
            Outcome::Unreadable(error) => {
                let text = if error.open {
                    format!("{error}; which one?")
                } else {
                    format!("{} {error}", error.kind.letter())
                };
                acts.push(Act::Notice(Notice::warn(text)));
            }
        }
        acts
    }

    /// What a step did to the goals, worth a notice.
    pub(super) fn told(&self, before: &[goals::Row]) -> Vec<Act> {
        let mut acts = Vec::new();
        for (was, is) in before.iter().zip(&self.goals) {
            if was.mark == Mark::Holds && is.mark != Mark::Holds {
                let kind = if is.success { "goal" } else { "safety goal" };
                let text = format!("{kind} {} lost: {}; u takes it back", is.number, is.words);
                acts.push(Act::Notice(Notice::warn(text)));
            }
        }
        let all = |rows: &[goals::Row]| rows.iter().all(|row| row.mark == Mark::Holds);
        if !self.goals.is_empty() && all(&self.goals) && !all(before) {
            acts.push(Act::Notice(Notice::info("all goals hold: D ends the run")));
        }
        acts
    }

    /// Records a move to another position and takes it in.
    pub(super) fn went(&mut self, event: Option<Event>, keep: Option<Action>) -> Vec<Act> {
        let mut acts = self.saver.add(event.into_iter().collect());
        if self.ended.is_some() && !self.has_ended() {
            let text = "the run goes on; D or A ends it again";
            acts.push(Act::Notice(Notice::info(text)));
        }
        self.moved(keep);
        acts.push(Act::Outdated);
        acts
    }

    /// Whether it was called done or refused, and nobody went on.
    pub(super) const fn has_ended(&self) -> bool {
        self.episode.ending().is_some()
    }

    /// Calls it done, or refuses it for a reason.
    pub(super) fn end(&mut self, ending: &Ending) -> Vec<Act> {
        let event = match ending {
            Ending::Done => self.episode.finish(),
            Ending::Avoided(reason) => self.episode.avoid(reason),
            Ending::Stopped { cause, text } => self.episode.stop(cause, text),
        };
        let mut acts = self.saver.add(vec![event]);
        let text = format!(
            "{}; v files a verdict, u goes on",
            ahead::outcome(&self.episode)
        );
        acts.push(Act::Notice(Notice::info(text)));
        self.moved(None);
        acts
    }

    /// The same game from here on in a run of its own, to be opened under another key.
    pub(super) fn fork(&self) -> Result<Opened, String> {
        let (episode, events) = self
            .episode
            .fork(self.episode.here())
            .map_err(|d| d.to_string())?;
        let from = self
            .saver
            .run
            .clone()
            .zip(self.episode.seq(self.episode.here()));
        let mut begin = self.saver.begin.as_ref().clone();
        begin.forked_from = from.map(|(run, at)| ForkedFrom { run, at });
        Ok(Opened {
            begin: Arc::new(begin),
            episode,
            events,
            run: None,
            findings: Vec::new(),
        })
    }
}
