//! Inspect as a layer and a place: its commands, what reaches it, its title and rail.

use crate::app::commands::Availability;
use crate::app::filter_line::{Change, FilterLine};
use crate::app::jobs::{JobEvent, Reply};
use crate::app::layer::{Act, Layer, Place, Rail, Title};
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::pages::{Ask, RunPart};
use crate::app::parts::warnings;
use crate::app::parts::web;
use crate::app::screens::Screen;
use crate::app::screens::page::Page;
use crate::app::screens::play::sheets::About;
use crate::app::state::Shared;
use crate::eval::table::Table;

use super::detail::Line;
use super::loaded::Loaded;
use super::sheets::{COMMENT, NOTE, Sheet};
use super::{Inspect, PANES, Pane, Reading, STILL, step_number, text};

impl Layer for Inspect {
    fn contexts(&self) -> Vec<&'static str> {
        if let Some(contexts) = self.sheet_contexts() {
            contexts
        } else if self.map.is_some() {
            vec!["map", "inspect", "compass", "files", "steps", "pane"]
        } else if self.is_typing() {
            FilterLine::contexts().to_vec()
        } else if self.focus == Pane::Scene {
            vec!["inspect", "files", "steps", "pane", "tree", "list"]
        } else {
            vec!["inspect", "files", "steps", "pane", "list"]
        }
    }

    fn when(&self, command: &str, args: &str, _shared: &Shared) -> Availability {
        if !self.sheets.is_empty() {
            return self.when_sheet(command, args);
        }
        if let Some(available) = self.when_map(command) {
            return available;
        }
        let Some(it) = self.loaded() else {
            return match command {
                "verify" | "out" | "next-pane" | "previous-pane" => Availability::Ready,
                _ => Availability::blocked(STILL),
            };
        };
        if let Some(available) = self.when_long(command, args) {
            return available;
        }
        if let Some(blocked) = self.kept_nowhere(command) {
            return blocked;
        }
        self.when_here(command, args, it)
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        if !self.sheets.is_empty() {
            return self.run_sheet(command, args, shared);
        }
        if self.map.is_some()
            && let Some(acts) = self.run_map(command)
        {
            return Some(acts);
        }
        if let Some(acts) = self.run_long(command, args) {
            return Some(acts);
        }
        let mut acts = self.run_here(command, args, shared)?;
        acts.extend(self.keep_up(command));
        Some(acts)
    }

    fn takes_text(&self) -> bool {
        match self.sheets.last() {
            Some(Sheet::Verdict) => self.draft.takes_text(),
            Some(Sheet::Facts(_)) => false,
            None => self.map.is_none() && self.is_typing(),
        }
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        if matches!(self.sheets.last(), Some(Sheet::Verdict)) {
            self.draft.reason.insert(text);
            return Vec::new();
        }
        if let Some(filter) = self.filter_here_mut() {
            filter.insert(text);
        }
        self.narrow();
        Vec::new()
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        // Coming back, the run may have gone on; what is shown stays until it is read again.
        self.read()
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, _shared: &mut Shared) -> Vec<Act> {
        if let Some(acts) = self.on_long(slot, &event) {
            return acts;
        }
        match event {
            JobEvent::Failed(reason) if slot == NOTE => {
                let text = format!("the verdict is not saved, its draft is kept: {reason}");
                vec![Act::Notice(Notice::error(text))]
            }
            JobEvent::Done(_) if slot == NOTE => {
                self.filed();
                let text = "verdict saved with the run, this step as its witness";
                self.noted(text)
            }
            JobEvent::Done(_) if slot == COMMENT => self.noted("comment saved with the run"),
            JobEvent::Progress { .. } | JobEvent::Part(_) => Vec::new(),
            JobEvent::Done(reply) => match *reply {
                Reply::Run(run) => self.show(run),
                Reply::LongRun(run) => self.begin_long(&run),
                Reply::Foreign(folder) => vec![
                    Act::Leave,
                    Act::Open(Screen::Page(Box::new(Page::asked(Ask::Recording(folder))))),
                ],
                _ => Vec::new(),
            },
            JobEvent::Failed(reason) => {
                if self.loaded().is_none() {
                    self.reading = Reading::Failed(reason.clone());
                }
                vec![Act::Notice(Notice::error(reason))]
            }
        }
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        let it = self.loaded()?;
        if let Some(map) = &self.map {
            let there = it.there.as_ref()?;
            return Some(there.world().scene().node(map.view.cursor).name());
        }
        Some(match self.focus {
            Pane::Steps => {
                let (name, words) = it.words(it.row()?);
                format!("{name} {words}").trim().to_owned()
            }
            Pane::Diff => self.lines().into_iter().nth(self.diff.cursor)?.text,
            Pane::Goals => {
                let goal = it.there.as_ref()?.goals.get(self.goals.cursor)?;
                format!("{} {}", goal.row.words, goal.when)
            }
            Pane::Warnings => {
                let there = it.there.as_ref()?;
                let row = there.warnings.chosen()?;
                warnings::plain(there.world(), there.warnings.first(row)?)
            }
            Pane::Scene => {
                let there = it.there.as_ref()?;
                there.world().scene().node(there.tree.node()?).name()
            }
        })
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        text::lines(self)
    }
}

impl Place for Inspect {
    fn table(&self, _shared: &Shared) -> Option<Table> {
        text::table(self)
    }

    fn page_name(&self) -> Option<String> {
        let it = self.loaded().filter(|_| self.focus == Pane::Steps)?;
        Some(it.run.id())
    }

    fn page(&self) -> Option<String> {
        let it = self.loaded().filter(|_| self.focus == Pane::Steps)?;
        Some(web::page(&it.run))
    }

    fn title(&self, shared: &Shared) -> Title {
        let Some(it) = self.loaded() else {
            return Title {
                subject: if self.is_saved() {
                    format!("run {}", self.name)
                } else {
                    self.name.clone()
                },
                facts: Vec::new(),
            };
        };
        let header = &it.run.header;
        let id = it.run.id();
        let known = shared.library.runs.iter().find(|run| run.id == id);
        let tail = known.map_or_else(|| last_four(&id), |run| run.tail.clone());
        let task = header.task_id().unwrap_or_default();
        let tail = if self.is_saved() { tail } else { id };
        Title {
            // Where room is scarce the word goes, not what it stands before.
            subject: if shared.size.w < 120 {
                format!("{tail}  {task}  {}", header.agent)
            } else {
                format!("run {tail}  {task}  {}", header.agent)
            },
            facts: self
                .long_facts()
                .unwrap_or_else(|| text::facts(it, shared.size.w)),
        }
    }

    fn rail(&self, _shared: &Shared) -> Rail {
        let Some(it) = self.loaded() else {
            return Rail::default();
        };
        if let Some(rail) = self.long_rail() {
            return rail;
        }
        it.rail(self.cell.is_some(), format!("branch {}", it.branch()))
    }
}

impl Inspect {
    /// Whether a command on the panes can be run.
    fn when_here(&self, command: &str, args: &str, it: &Loaded) -> Availability {
        match command {
            "find-step" | "find-step-next" | "find-step-previous" => self.can_find(command, args),
            "inspect-label" => {
                Availability::when(self.is_saved(), "only a saved run can be labelled")
            }
            "inspect-compare" => Availability::when(
                self.is_saved() || self.cell.is_some() || self.shown.is_some(),
                "it was played now and is kept nowhere",
            ),
            "next" => self.can_walk(args, true),
            "previous" => self.can_walk(args, false),
            "goto" => match step_number(args) {
                None => Availability::blocked("say which step, as in goto 4"),
                Some(at) => Availability::when(
                    (at as usize) < it.record.len(),
                    &format!("the last step is s{}", it.record.len().saturating_sub(1)),
                ),
            },
            "critic-claims" => Availability::when(
                it.rows.iter().any(|row| row.claimed > 0),
                "no critic speaks of a step of this path",
            ),
            "spent-strip" => Availability::when(
                !it.spent.is_empty(),
                "no call of a model was recorded with this run",
            ),
            "next-branch" => {
                Availability::when(it.record.tips().len() > 1, "the run has one branch only")
            }
            "fork-here" => Availability::when(
                it.run.again.is_ok() && it.is_reached(),
                "the world cannot get to this step",
            ),
            "inspect-enter" => self.can_enter(),
            "goal-why" => self.has_why(),
            "comment" => Availability::when(
                !args.is_empty() && it.row().is_some(),
                "write what: comment the fork was seen here",
            ),
            "run-file" => match RunPart::parse(args) {
                Ok(_) => Availability::Ready,
                Err(why) => Availability::blocked(why),
            },
            "task-file" | "scene-file" => Availability::when(
                it.run.header.task_id().is_some(),
                "the run does not say which task it is of",
            ),
            "floor-plan" => Availability::when(
                it.there.is_some(),
                "the run cannot be played again, so where things are is not known",
            ),
            "judge-task" => Availability::when(
                it.there.is_some(),
                "the run cannot be played again, so nothing can be its witness",
            ),
            "filter" => Availability::when(
                self.filter_here().is_some(),
                "this pane has no filter: Tab goes on",
            ),
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            _ => Availability::Ready,
        }
    }

    /// Whether the row under the cursor leads anywhere.
    fn can_enter(&self) -> Availability {
        match self.focus {
            Pane::Diff => {
                let line = self.lines().into_iter().nth(self.diff.cursor);
                let leads = |line: &Line| line.node.is_some() || line.step.is_some();
                Availability::when(
                    line.as_ref().is_some_and(leads),
                    "this line names no thing and no step",
                )
            }
            Pane::Scene => Availability::when(self.node().is_some(), "this row is no thing"),
            Pane::Goals => self.has_goal(),
            Pane::Warnings => self.has_why(),
            Pane::Steps => Availability::Ready,
        }
    }

    /// A command on the panes.
    fn run_here(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "floor-plan" => self.toggle_map(),
            "task-file" | "scene-file" | "run-file" => return self.show_file(command, args),
            "out" => return Some(self.out()),
            "comment" => return Some(self.comment(args).into_iter().collect()),
            "find-step" => return Some(self.find(args)),
            "find-step-next" => return Some(self.find_again(true)),
            "find-step-previous" => return Some(self.find_again(false)),
            "judge-task" => self.sheets.push(Sheet::Verdict),
            "goal-why" if self.focus == Pane::Warnings => self.open_facts_of_warning(),
            "goal-why" => self.open_facts(About::Goal(self.goals.cursor)),
            "fork-here" if self.shown.is_some() => return self.fork_witness(shared),
            "fork-here" if self.cell.is_some() => return self.fork_cell(shared),
            "fork-here" => {
                let it = self.loaded()?;
                let (folder, at) = (it.run.folder.display(), it.reached()?.0);
                let line = format!("play {folder} s{at}");
                return Some(vec![Act::Run(line)]);
            }
            "verify" => return Some(self.read()),
            "inspect-label" => {
                let folder = folder_of(self);
                let line = folder.map(|it| Act::Run(format!("label run \"{it}\"")));
                return Some(line.into_iter().collect());
            }
            "inspect-compare" => return Some(self.compare(shared)),
            "inspect-enter" => self.enter(),
            "diff-view" => {
                self.view = self.view.next();
                self.diff = List::default();
            }
            "hidden-facts" => self.hidden = !self.hidden,
            "fold-steps" => {
                if let Some(it) = self.loaded_mut() {
                    it.fold(!it.folded);
                }
            }
            "spent-strip" => self.strip = self.strip.next(),
            "critic-claims" => self.next_claim(),
            "next-pane" => self.next_pane(1),
            "previous-pane" => self.next_pane(PANES.len() - 1),
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            _ if self.travel(command, args) => {}
            _ => match self.filter_here_mut().and_then(|it| it.run(command)) {
                Some(Change::Rows) => self.narrow(),
                Some(Change::Looks) => {}
                None => return self.move_cursor(command, shared.page()).then(Vec::new),
            },
        }
        Some(Vec::new())
    }

    /// Why a command that needs a run on the disk cannot be run on one that is kept nowhere.
    fn kept_nowhere(&self, command: &str) -> Option<Availability> {
        let why = match command {
            "comment" | "judge-task" if self.shown.is_some() => {
                "a witness is kept nowhere: F plays on in a run of its own"
            }
            "comment" | "judge-task" | "fork-here" if self.given => {
                "it was played now and is kept nowhere"
            }
            "comment" | "judge-task" if !self.is_saved() => "a cell of an arena is kept nowhere",
            _ => return None,
        };
        Some(Availability::blocked(why))
    }

    /// Shows a file behind the run: its events at the one that is looked at.
    fn show_file(&self, command: &str, args: &str) -> Option<Vec<Act>> {
        let it = self.loaded()?;
        let task = it.run.header.task_id().unwrap_or_default();
        let ask = match command {
            "task-file" => Ask::Task(task),
            "scene-file" => Ask::Scene(task),
            _ => {
                let part = RunPart::parse(args).ok()?;
                let line = it.row().map(|row| u64::from(row.seq) + 1);
                let line = line.filter(|_| part == RunPart::Events);
                Ask::Run(it.run.folder.display().to_string(), part, line)
            }
        };
        Some(vec![Act::Open(Screen::Page(Box::new(Page::asked(ask))))])
    }
}

/// The folder of the run.
fn folder_of(inspect: &Inspect) -> Option<String> {
    Some(inspect.loaded()?.run.folder.display().to_string())
}

fn last_four(id: &str) -> String {
    let chars: Vec<char> = id.chars().collect();
    chars.iter().skip(chars.len().saturating_sub(4)).collect()
}
