//! What the commands of Play do.

use crate::app::commands::Availability;
use crate::app::edit::LineEdit;
use crate::app::filter_line::{Change, FilterLine};
use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::pages::RunPart;
use crate::app::parts::why::Follow;
use crate::app::parts::{rule, warnings};
use crate::app::screens::Screen;
use crate::app::state::Shared;
use crate::formats::run::Fault;
use crate::task::episode::Ending;

use super::Play;
use super::actions::Row;
use super::game::{Game, PANES, Pane};
use super::sheets::{About, Lines, Sheet, branches};

/// Why nothing new is done in a run that can only be looked at.
pub(super) const READ_ONLY: &str = "the run is read only: F plays on in a run of its own";

/// Why nothing new is done in a run that has ended.
pub(super) const HAS_ENDED: &str = "it has ended: u goes on";

/// Why there is nothing to do with a warning.
const NO_WARNING: &str = "no rule has anything to say here";

impl Game {
    /// The contexts active now, nearest first.
    pub(super) fn contexts(&self) -> Vec<&'static str> {
        match self.sheets.last() {
            Some(Sheet::Lines(lines)) if matches!(lines.about, About::Rule(_)) => {
                return vec!["rule", "sheet", "list"];
            }
            // What the map can do it does from the detail too, which goes away for it.
            Some(Sheet::Lines(_)) if self.map.is_some() => return vec!["sheet", "list", "map"],
            Some(Sheet::Lines(_)) => return vec!["sheet", "list"],
            Some(Sheet::Branches(_)) => return vec!["branches", "list"],
            Some(Sheet::Line(_)) => return vec!["line", "input"],
            Some(Sheet::Reason(_)) => return vec!["reason", "input"],
            Some(Sheet::Annotate(_)) => return vec!["annotate", "fault"],
            Some(Sheet::Verdict) => return self.draft.contexts(),
            None if self.map.is_some() => {
                return vec!["map", "play", "compass", "files", "steps", "pane"];
            }
            None => {}
        }
        if self.filter().is_some_and(|filter| filter.editing) {
            return FilterLine::contexts().to_vec();
        }
        match self.focus {
            Pane::Actions => vec!["actions", "play", "proof", "files", "steps", "pane", "list"],
            Pane::Goals => vec!["goal", "play", "proof", "files", "steps", "pane", "list"],
            Pane::Warnings => vec!["warning", "play", "proof", "files", "steps", "pane", "list"],
            Pane::Scene => vec![
                "scene", "play", "proof", "files", "steps", "pane", "tree", "list",
            ],
            Pane::Ahead => vec!["ahead", "play", "proof", "files", "steps", "pane", "list"],
        }
    }

    /// The filter of the focused pane, if it can have one.
    pub fn filter(&self) -> Option<&FilterLine> {
        match self.focus {
            Pane::Actions => Some(&self.actions.filter),
            Pane::Scene => Some(&self.scene_filter),
            Pane::Goals | Pane::Warnings | Pane::Ahead => None,
        }
    }

    /// Whether printable keys are text now.
    pub(super) fn takes_text(&self) -> bool {
        match self.sheets.last() {
            Some(Sheet::Line(_) | Sheet::Reason(_)) => true,
            Some(Sheet::Verdict) => self.draft.takes_text(),
            Some(_) => false,
            None => self.map.is_none() && self.filter().is_some_and(|filter| filter.editing),
        }
    }

    pub(super) fn on_text(&mut self, text: &str) {
        match self.sheets.last_mut() {
            Some(Sheet::Line(line) | Sheet::Reason(line)) => line.insert(text),
            Some(Sheet::Verdict) => self.draft.reason.insert(text),
            Some(_) => {}
            None => {
                match self.focus {
                    Pane::Scene => self.scene_filter.insert(text),
                    _ => self.actions.filter.insert(text),
                }
                self.refilter();
            }
        }
    }

    fn refilter(&mut self) {
        if self.focus == Pane::Scene {
            let text = self.scene_filter.edit.text();
            self.tree.narrow(self.episode.timeline().world(), &text);
            self.follow_scene();
        } else {
            self.actions.filtered(&mut self.episode);
            self.look_ahead();
        }
    }

    /// The actions pane is about the node under the scene's cursor.
    fn follow_scene(&mut self) {
        let about = self.tree.node();
        if self.actions.about != about {
            self.actions.about = about;
            self.actions.ask(&mut self.episode, None);
            self.look_ahead();
        }
    }

    pub(super) fn when(&self, command: &str, args: &str) -> Availability {
        if let Some(Sheet::Verdict) = self.sheets.last() {
            return self.draft.when(command, args, self.goals.len());
        }
        let acting = |ready: bool, why: &str| match &self.saver.read_only {
            Some(_) => Availability::blocked(READ_ONLY),
            None => Availability::when(ready, why),
        };
        match command {
            "act" | "do" | "line-do" | "done" | "avoid" if self.has_ended() => {
                acting(false, HAS_ENDED)
            }
            "reason-avoid" => Availability::when(
                matches!(self.sheets.last(), Some(Sheet::Reason(line)) if !line.text().trim().is_empty()),
                "say why: one word is enough",
            ),
            "act" => acting(
                self.actions.row().is_some(),
                "no action is shown: Esc shows all",
            ),
            "do" | "line-do" | "done" | "avoid" => acting(true, ""),
            "witness" => acting(
                !args.is_empty(),
                "write the steps: witness s1 open fridge; grab milk",
            ),
            "check" => Availability::when(
                args.is_empty() || args == "--all",
                "check takes nothing, or --all",
            ),
            "why" => self.when_why(),
            "enable" => Availability::when(
                self.hint.is_some(),
                if self.goals.is_empty() {
                    "the task has no goals"
                } else if self.episode.score().succeeds() && self.episode.score().safe() {
                    "every goal holds"
                } else {
                    "no next action is known from here; u goes back, vesta plan TASK finds a whole plan"
                },
            ),
            "reference" => Availability::when(
                !self.episode.setup().reference.is_empty(),
                "the task has no reference plan",
            ),
            "run-file" => match RunPart::parse(args) {
                Ok(_) => Availability::when(self.saver.run.is_some(), "nothing is saved yet"),
                Err(why) => Availability::blocked(why),
            },
            "annotate" => Availability::when(!self.goals.is_empty(), "the task has no goals"),
            "node" => Availability::when(self.node().is_some(), "this row is no node"),
            "storey-up" | "storey-down" => self.when_storey(command == "storey-up"),
            "history" => Availability::when(
                matches!(self.sheets.last(), Some(Sheet::Lines(l)) if matches!(l.about, About::Node(_))),
                "only a node has a history",
            ),
            "follow" => Availability::when(self.follows().is_some(), "this line leads nowhere"),
            "warning-enter" => Availability::when(self.warned().is_some(), NO_WARNING),
            "mute" => Availability::when(
                self.explained().or_else(|| self.warned()).is_some(),
                NO_WARNING,
            ),
            "next-binding" | "previous-binding" => Availability::when(
                self.explained()
                    .is_some_and(|it| rule::beside(&self.warnings.all, &it, true).is_some()),
                "it speaks of these nodes only",
            ),
            "filter" if !self.sheets.is_empty() => {
                Availability::blocked("there is little to narrow here")
            }
            "fault" if !args.is_empty() && Fault::parse(args).is_none() => {
                Availability::blocked("write wrong, missing, ambiguous, unreachable or ok")
            }
            _ => self.when_move(command, args),
        }
    }

    fn when_why(&self) -> Availability {
        match self.focus {
            _ if self.map.is_some() => Availability::blocked("m goes back to the actions"),
            Pane::Goals => Availability::when(!self.goals.is_empty(), "the task has no goals"),
            Pane::Warnings => Availability::when(self.warned().is_some(), NO_WARNING),
            _ => Availability::when(
                self.actions.chosen().is_some_and(|c| c.refusal.is_some())
                    || !self.ahead.told().is_empty(),
                "nothing to explain: it is allowed, and no rule minds",
            ),
        }
    }

    /// The node the focused pane's cursor is on.
    fn node(&self) -> Option<crate::sim::vocab::Ix> {
        if let Some(floor) = &self.map {
            return Some(floor.view.cursor);
        }
        match self.focus {
            Pane::Scene => self.tree.node(),
            Pane::Ahead => self
                .ahead_rows()
                .get(self.ahead_list.cursor)
                .map(|row| row.node),
            Pane::Actions | Pane::Goals | Pane::Warnings => None,
        }
    }

    pub(super) fn follows(&self) -> Option<Follow> {
        match self.sheets.last() {
            Some(Sheet::Lines(lines)) => lines.lines.get(lines.list.cursor)?.follow,
            _ => None,
        }
    }

    /// The changed facts that are shown.
    pub fn ahead_rows(&self) -> Vec<&crate::app::parts::diff::Row> {
        let rows = self.ahead.rows().iter();
        rows.filter(|row| self.quiet || !row.quiet).collect()
    }

    /// Runs a command of the panes or sheets; `None` if it is unknown.
    pub(super) fn run(&mut self, command: &str, args: &str, shared: &Shared) -> Option<Vec<Act>> {
        if let Some(sheet) = self.sheets.last() {
            let detail = matches!(sheet, Sheet::Lines(_)) && self.map.is_some();
            let acts = self.run_sheet(command, args, shared);
            if acts.is_some() || !detail {
                return acts;
            }
            self.sheets.pop();
        }
        if self.map.is_some()
            && let Some(acts) = self.run_map(command)
        {
            return Some(acts);
        }
        match command {
            "map" => self.show_map(),
            "task-file" | "scene-file" | "run-file" => return Some(self.show_file(command, args)),
            "act" => return Some(self.act_on_row()),
            "do" if args.is_empty() => self.sheets.push(Sheet::Line(LineEdit::default())),
            "do" => return Some(self.act_text(args)),
            "check" => return Some(vec![self.check()]),
            "patch" => return Some(self.patch(shared)),
            "witness" => return Some(self.run_witness(args)),
            "done" => return Some(self.finish()),
            "warning-enter" => return Some(self.enter_warning()),
            "mute" => return Some(self.mute(self.warned())),
            "avoid" if args.is_empty() => self.sheets.push(Sheet::Reason(LineEdit::default())),
            "avoid" => return Some(self.end(&Ending::Avoided(args.to_owned()))),
            "why" => {
                let about = match self.focus {
                    Pane::Goals => self
                        .goals
                        .get(self.goal_list.cursor)
                        .map(|r| About::Goal(r.goal)),
                    Pane::Warnings => self.warned().map(About::Rule),
                    _ => self.why_of_row(),
                };
                self.open_lines(about);
            }
            "instruction" => self.open_lines(Some(About::Task)),
            "node" => self.open_lines(self.node().map(About::Node)),
            "branches" => {
                let here = branches(&self.episode).iter().position(|row| row.here);
                self.sheets.push(Sheet::Branches(List {
                    cursor: here.unwrap_or(0),
                }));
            }
            "enable" => self.enable(),
            "reference" => self.reference = !self.reference,
            "annotate" => {
                let goal = self.goals.get(self.goal_list.cursor)?.goal;
                self.sheets.push(Sheet::Annotate(goal));
            }
            "verdict" => {
                self.draft.list.cursor = self.goal_list.cursor;
                self.sheets.push(Sheet::Verdict);
            }
            "sort" => {
                self.actions.sort = self.actions.sort.next();
                self.renarrow();
            }
            "refused" => {
                self.actions.refused = !self.actions.refused;
                self.renarrow();
            }
            "quiet" => self.quiet = !self.quiet,
            _ => {
                return self
                    .run_move(command, args)
                    .or_else(|| self.run_pane(command, shared));
            }
        }
        Some(Vec::new())
    }

    /// Shows a file behind the game.
    fn show_file(&self, command: &str, args: &str) -> Vec<Act> {
        let task = &self.episode.setup().task;
        let line = match (command, &self.saver.run) {
            ("run-file", Some(run)) => format!("file run {run} {args}"),
            ("scene-file", _) => format!("file scene {}/{}", task.suite, task.id),
            _ => format!("file task {}/{}", task.suite, task.id),
        };
        vec![Act::Run(line.trim_end().to_owned())]
    }

    fn renarrow(&mut self) {
        self.actions.narrow();
        self.look_ahead();
    }

    fn act_on_row(&mut self) -> Vec<Act> {
        match self.actions.row() {
            Some(Row::Done) => self.finish(),
            Some(Row::Avoid) => {
                self.sheets.push(Sheet::Reason(LineEdit::default()));
                Vec::new()
            }
            Some(Row::Action(_)) => match self.actions.chosen().map(|c| c.action) {
                Some(action) => self.act(action),
                None => Vec::new(),
            },
            None => Vec::new(),
        }
    }

    /// Why the action under the cursor is refused, else what the rules have against it.
    fn why_of_row(&self) -> Option<About> {
        let chosen = self.actions.chosen()?;
        if chosen.refusal.is_some() {
            return Some(About::Refused(chosen.action));
        }
        let told = self.ahead.told().first()?;
        Some(About::Rule(told.instance))
    }

    /// Calls it done; what would be left open is shown first, and the next Enter ends it all the same.
    fn finish(&mut self) -> Vec<Act> {
        let muted = &self.warnings.muted;
        let open = self.episode.left_open();
        if open.iter().all(|w| muted.contains(&w.rule.id)) {
            return self.end(&Ending::Done);
        }
        self.open_lines(Some(About::Done));
        Vec::new()
    }

    /// Puts the actions' cursor on the next step towards the goal in question.
    fn enable(&mut self) {
        if let Some(hint) = self.hint {
            self.map = None;
            self.actions.point(&mut self.episode, hint.next);
            self.focus = Pane::Actions;
            self.look_ahead();
        }
    }

    /// The row under the cursor, as others would write it.
    pub(super) fn copied(&self) -> String {
        let world = self.episode.timeline().world();
        if let Some(floor) = &self.map {
            return world.scene().node(floor.view.cursor).name();
        }
        match self.focus {
            Pane::Actions => self
                .actions
                .chosen()
                .map_or_else(|| "[Avoid]".to_owned(), |c| world.line(c.action)),
            Pane::Goals => self
                .goals
                .get(self.goal_list.cursor)
                .map_or_else(String::new, |row| row.words.clone()),
            Pane::Warnings => self
                .warnings
                .chosen()
                .and_then(|row| self.warnings.first(row))
                .map_or_else(String::new, |w| warnings::plain(world, w)),
            Pane::Scene | Pane::Ahead => self
                .node()
                .map_or_else(String::new, |ix| world.scene().node(ix).name()),
        }
    }

    pub(super) fn open_lines(&mut self, about: Option<About>) {
        let lines = about.and_then(|about| Lines::of(&mut self.episode, about));
        self.sheets.extend(lines.map(Sheet::Lines));
    }

    /// Commands that panes, lists, trees and filters share.
    fn run_pane(&mut self, command: &str, shared: &Shared) -> Option<Vec<Act>> {
        let at = PANES.iter().position(|p| *p == self.focus).unwrap_or(0);
        let pane = |at: usize| PANES.get(at % PANES.len()).copied().unwrap_or_default();
        match command {
            "next-pane" => self.refocus(pane(at + 1)),
            "previous-pane" => self.refocus(pane(at + PANES.len() - 1)),
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            "out" => return Some(self.step_out()),
            "filter" => {
                // Where nothing can be narrowed, what is typed must not run as keys: it narrows the actions.
                if self.filter().is_none() {
                    self.refocus(Pane::Actions);
                }
                // A new filter begins empty: it is asked for to find something else.
                let fresh = FilterLine {
                    editing: true,
                    ..FilterLine::default()
                };
                match self.focus {
                    Pane::Scene => self.scene_filter = fresh,
                    _ => self.actions.filter = fresh,
                }
                self.refilter();
            }
            _ => return self.run_list(command, shared.page()),
        }
        Some(Vec::new())
    }

    fn refocus(&mut self, pane: Pane) {
        self.focus = pane;
        if pane == Pane::Goals {
            self.look_for_hint();
        }
    }

    /// One step out: the filter, what the actions are about, the zoom; then there is nothing left to leave but the game.
    fn step_out(&mut self) -> Vec<Act> {
        if self.filter().is_some_and(|f| !f.is_empty()) {
            match self.focus {
                Pane::Scene => self.scene_filter = FilterLine::default(),
                _ => self.actions.filter = FilterLine::default(),
            }
            self.refilter();
        } else if self.actions.about.take().is_some() {
            self.actions.ask(&mut self.episode, None);
            self.look_ahead();
        } else if self.zoomed {
            self.zoomed = false;
        } else if self.focus != Pane::Actions {
            self.refocus(Pane::Actions);
        } else {
            return vec![Act::Notice(Notice::info("q leaves; the run is kept"))];
        }
        Vec::new()
    }

    fn run_list(&mut self, command: &str, page: usize) -> Option<Vec<Act>> {
        match self.focus {
            Pane::Scene => {
                if self
                    .tree
                    .run(command, self.episode.timeline().world(), page)
                {
                    // Unfolding a found node drops the filter.
                    if self.tree.filter().is_empty() && !self.scene_filter.editing {
                        self.scene_filter = FilterLine::default();
                    }
                    self.follow_scene();
                    return Some(Vec::new());
                }
                self.run_filter(command)
            }
            Pane::Actions => {
                let len = self.actions.rows().len();
                if self.actions.list.run(command, len, page) {
                    self.look_ahead();
                    return Some(Vec::new());
                }
                self.run_filter(command)
            }
            Pane::Goals => {
                let known = self.goal_list.run(command, self.goals.len(), page);
                self.look_for_hint();
                known.then(Vec::new)
            }
            Pane::Warnings => {
                let len = self.warnings.rows.len();
                self.warnings.list.run(command, len, page).then(Vec::new)
            }
            Pane::Ahead => {
                let len = self.ahead_rows().len();
                self.ahead_list.run(command, len, page).then(Vec::new)
            }
        }
    }

    fn run_filter(&mut self, command: &str) -> Option<Vec<Act>> {
        let change = match self.focus {
            Pane::Scene => self.scene_filter.run(command)?,
            _ => self.actions.filter.run(command)?,
        };
        if change == Change::Rows {
            self.refilter();
        }
        Some(Vec::new())
    }
}

impl Play {
    /// Plays on from here in a run of its own.
    pub(super) fn fork(&self, shared: &mut Shared) -> Vec<Act> {
        let Some(game) = self.game() else {
            return Vec::new();
        };
        match game.fork() {
            Ok(opened) => {
                let key = shared.new_game();
                vec![Act::Open(Screen::Play(Box::new(Self::opened(
                    &self.name,
                    key,
                    std::sync::Arc::new(opened),
                ))))]
            }
            Err(reason) => vec![Act::Notice(Notice::warn(reason))],
        }
    }
}
