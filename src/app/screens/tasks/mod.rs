//! Tasks: every task there is, narrowed by a filter, with a preview of the one under the cursor.

pub mod preview;
pub mod rows;

use std::collections::{BTreeMap, BTreeSet};

use crate::app::commands::{Availability, Command};
use crate::app::filter_line::{Change, FilterLine};
use crate::app::glyph;
use crate::app::jobs::{Job, JobEvent, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Title};
use crate::app::library::{Library, Loading, TaskRow};
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::overlays::{
    Overlay,
    check::{Check, Over},
    runs::Runs,
};
use crate::app::role::Role;
use crate::app::screens::{Screen, ScreenDesc};
use crate::app::state::Shared;
use crate::check::Effort;
use crate::eval::table::Table;

use preview::Read;
use rows::Sort;

/// Commands of Tasks alone.
pub const COMMANDS: &[Command] = &[
    Command::new("task-play", "play", "Play the task of the row."),
    Command::new("task-runs", "its runs", "List the runs of the task."),
    Command::new(
        "task-arena",
        "arena",
        "Let plans for the task meet an adversary that acts in the house.",
    ),
    Command::new(
        "task-queue",
        "verdicts",
        "Play the tasks from this one on, one after another, for a verdict on each.",
    ),
    Command::new("task-sort", "sort", "Sort the tasks by the next column.")
        .with("id|risk|size|goals|check|verdict|runs"),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new("tasks", "tasks", "List the tasks, narrowed by a filter.").with("FILTER"),
    open: |args, _| Ok(Screen::Tasks(Box::new(Tasks::filtered(args)))),
    contexts: &[
        &["tasks", "proof", "files", "pane", "list"],
        &["filter", "input"],
    ],
    glyphs: &[glyph::CURSOR, glyph::HOLDS, glyph::ARMED, glyph::GOAL_OPEN],
    fields: rows::FIELDS,
    example: "/ risk:fire verdict:none Enter leaves the fire tasks nobody has judged.",
};

/// The panes, in the order of the Tab key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The tasks.
    #[default]
    List,
    /// The preview.
    Preview,
}

/// What a row of the list is, as an index into the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A task.
    Task(usize),
    /// Something that could not be read.
    Problem(usize),
}

/// The state of Tasks.
#[derive(Debug, Clone, Default)]
pub struct Tasks {
    /// What narrows the list.
    pub filter: FilterLine,
    /// By what the list is sorted.
    pub sort: Sort,
    /// The pane with the keys.
    pub focus: Pane,
    /// Whether the focused pane has the whole body.
    pub zoomed: bool,
    /// The first line of the preview that is shown.
    pub scroll: List,
    list: List,
    shown: Vec<Row>,
    /// What the cursor is on; it stays there when rows come and go.
    at: String,
    read: BTreeMap<String, Read>,
    /// Which of them are as they are on disk, as far as we know.
    current: BTreeSet<String>,
    asked: Option<String>,
    /// How far the check of all tasks is.
    checking: Option<(u64, u64)>,
    has_been_open: bool,
}

impl Tasks {
    /// A list narrowed by a filter.
    pub fn filtered(filter: &str) -> Self {
        Self {
            filter: FilterLine::new(filter),
            ..Self::default()
        }
    }

    /// The rows shown, in their order.
    pub fn rows(&self) -> &[Row] {
        &self.shown
    }

    /// The row under the cursor, by its place in [`Self::rows`].
    pub const fn cursor(&self) -> usize {
        self.list.cursor
    }

    /// The task under the cursor.
    pub fn task<'a>(&self, library: &'a Library) -> Option<&'a TaskRow> {
        match self.shown.get(self.list.cursor)? {
            Row::Task(at) => library.tasks.get(*at),
            Row::Problem(_) => None,
        }
    }

    /// Plays the tasks from the cursor on, one after another.
    fn queue(&self, shared: &mut Shared) -> Vec<Act> {
        let library = &shared.library;
        let rows = self.rows().iter().skip(self.list.cursor);
        let tasks = rows.filter_map(|row| match row {
            Row::Task(at) => library.tasks.get(*at),
            Row::Problem(_) => None,
        });
        let names = tasks.filter(|task| task.fault.is_none());
        let names: Vec<String> = names.map(TaskRow::name).collect();
        let first = names.first().map(|name| Act::Run(format!("play {name}")));
        shared.verdicts = names;
        first.into_iter().collect()
    }

    /// How many tasks are shown.
    pub fn count(&self) -> usize {
        let tasks = self.shown.iter().filter(|row| matches!(row, Row::Task(_)));
        tasks.count()
    }

    /// The lines of the preview.
    pub fn preview(&self, library: &Library) -> Vec<preview::Line> {
        if let Some(Row::Problem(at)) = self.shown.get(self.list.cursor) {
            let text = library.problems.get(*at).cloned().unwrap_or_default();
            return vec![preview::block(text, Role::Refused)];
        }
        self.task(library).map_or_else(Vec::new, |task| {
            let read = self.read.get(&task.name()).unwrap_or(&Read::Pending);
            preview::lines(library, task, read)
        })
    }

    /// What the list says when it has no rows.
    pub fn nothing(&self, library: &Library) -> String {
        match &library.loading {
            Loading::Running => "reading the tasks …".to_owned(),
            Loading::Failed(reason) => reason.clone(),
            Loading::Done if self.filter.is_empty() => {
                "no tasks here: vesta --from PATH opens those of a folder or an eai-eval wheel"
                    .to_owned()
            }
            Loading::Done => rows::nothing(library, &self.filter.edit.text()),
        }
    }

    /// Finds the rows anew and keeps the cursor on what it was on.
    fn refresh(&mut self, library: &Library) {
        let filter = self.filter.edit.text();
        let tasks = rows::matching(library, &filter, self.sort);
        self.shown = tasks.into_iter().map(Row::Task).collect();
        if filter.trim().is_empty() {
            self.shown
                .extend((0..library.problems.len()).map(Row::Problem));
        }
        let same = |row: &Row| name(library, *row) == self.at;
        match self.shown.iter().position(same) {
            Some(at) => self.list.cursor = at,
            None => self.list.clamp(self.shown.len()),
        }
    }

    /// The cursor may be on another row now: remembers it, and asks for what its preview needs.
    fn look(&mut self, shared: &Shared) -> Vec<Act> {
        let Some(row) = self.shown.get(self.list.cursor) else {
            return Vec::new();
        };
        let here = name(&shared.library, *row);
        if here != self.at {
            self.scroll = List::default();
            self.at = here;
        }
        let Some(task) = self.task(&shared.library).filter(|t| t.fault.is_none()) else {
            return Vec::new();
        };
        let name = task.name();
        if self.current.contains(&name) || self.asked.as_ref() == Some(&name) {
            return Vec::new();
        }
        self.asked = Some(name.clone());
        vec![Act::Job("preview", Job::LoadTask(name))]
    }

    /// The filter says something else: the cursor goes to the task it names, else stays on its own, else to the first.
    fn refiltered(&mut self, shared: &Shared) -> Vec<Act> {
        self.refresh(&shared.library);
        let filter = self.filter.edit.text();
        let tasks = self.shown.iter().filter_map(|row| match row {
            Row::Task(at) => Some(*at),
            Row::Problem(_) => None,
        });
        let tasks: Vec<usize> = tasks.collect();
        let named = rows::named(&shared.library, &filter, &tasks);
        let here = self.shown.get(self.list.cursor);
        let same = here.is_some_and(|row| name(&shared.library, *row) == self.at);
        // What the cursor was on is gone: the first row, not whichever took its place.
        self.list.cursor = named.unwrap_or(if same { self.list.cursor } else { 0 });
        self.look(shared)
    }

    fn changed(&mut self, shared: &Shared) -> Vec<Act> {
        self.refresh(&shared.library);
        self.look(shared)
    }

    fn sort_by(&mut self, word: &str) {
        self.sort = Sort::parse(word).unwrap_or_else(|| self.sort.next());
    }

    /// One step out: of the zoom, of the preview, of the filter, of the screen.
    fn out(&mut self, shared: &Shared) -> Vec<Act> {
        if self.zoomed || self.focus == Pane::Preview {
            self.zoomed = false;
            self.focus = Pane::List;
        } else if self.filter.is_empty() {
            return vec![Act::Leave];
        } else {
            self.filter = FilterLine::default();
            return self.changed(shared);
        }
        Vec::new()
    }

    /// The check of all tasks reported.
    fn on_checked(&mut self, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        match event {
            JobEvent::Progress { done, total } => self.checking = Some((done, total)),
            JobEvent::Part(reply) => keep(*reply, shared),
            JobEvent::Done(reply) => {
                self.checking = None;
                keep(*reply, shared);
            }
            JobEvent::Failed(reason) => {
                self.checking = None;
                return vec![Act::Notice(Notice::error(reason))];
            }
        }
        Vec::new()
    }

    fn move_cursor(&mut self, command: &str, shared: &Shared) -> Option<Vec<Act>> {
        if self.focus == Pane::Preview && !self.filter.editing {
            let lines = self.preview(&shared.library).len();
            return self
                .scroll
                .run(command, lines, shared.page())
                .then(Vec::new);
        }
        if self.list.run(command, self.shown.len(), shared.page()) {
            return Some(self.look(shared));
        }
        None
    }
}

fn keep(reply: Reply, shared: &mut Shared) {
    if let Reply::Checked(reports) = reply {
        for report in reports {
            shared.library.checks.keep(report, Effort::default());
        }
    }
}

/// `checking 12 of 70`.
fn checking((done, total): (u64, u64)) -> Fact {
    Fact::new(format!("checking {done} of {total}"), Role::Pending)
}

/// From elsewhere: goes to the task list and fills its column.
pub fn check_all() -> Vec<Act> {
    let tasks = Screen::Tasks(Box::default());
    vec![Act::Open(tasks), Act::Run("check --all".to_owned())]
}

/// The slot of the check of all tasks.
const CHECK_ALL: &str = "check-all";

/// What tells a row from all others.
fn name(library: &Library, row: Row) -> String {
    match row {
        Row::Task(at) => library.tasks.get(at).map(TaskRow::name),
        Row::Problem(at) => library.problems.get(at).cloned(),
    }
    .unwrap_or_default()
}

/// Whether a task comes from a file of its own; those of a collection do not.
pub fn has_file(task: &TaskRow) -> bool {
    std::path::Path::new(&task.origin)
        .extension()
        .is_some_and(|ending| ending == "json")
}

impl Layer for Tasks {
    fn contexts(&self) -> Vec<&'static str> {
        if self.filter.editing {
            FilterLine::contexts().to_vec()
        } else {
            vec!["tasks", "proof", "files", "pane", "list"]
        }
    }

    fn when(&self, command: &str, args: &str, shared: &Shared) -> Availability {
        let task = self.task(&shared.library);
        match command {
            "task-play" if self.shown.is_empty() => Availability::blocked("there is no task here"),
            "task-play" if self.zoomed => Availability::when(
                task.is_some_and(|task| task.fault.is_none()),
                "this task cannot be opened",
            ),
            "task-arena" => Availability::when(
                task.is_some_and(|task| task.fault.is_none()),
                "this task cannot be opened",
            ),
            "task-runs" => match task {
                None => Availability::blocked("there is no task here"),
                Some(task) => {
                    let has_runs = shared.library.runs_of(&task.id).next().is_some();
                    Availability::when(has_runs, "nobody has played it yet: Enter does")
                }
            },
            "check" if args == "--all" => Availability::Ready,
            "check" if !args.is_empty() => Availability::blocked("check takes nothing, or --all"),
            "check" | "task-queue" => Availability::when(task.is_some(), "there is no task here"),
            "task-file" | "scene-file" => {
                Availability::when(task.is_some(), "there is no task here")
            }
            "run-file" => Availability::blocked("R lists the runs of a task"),
            "task-sort" => Availability::when(
                args.is_empty() || Sort::parse(args).is_some(),
                "there is no such column: id, risk, size, goals, check, verdict or runs",
            ),
            "zoom-in" => Availability::when(!self.zoomed, "it has all the room there is"),
            "zoom-out" => Availability::when(self.zoomed, "it has its usual room"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "task-play" => {
                return Some(match self.task(&shared.library) {
                    Some(task) if task.fault.is_none() => {
                        vec![Act::Run(format!("play {}", task.name()))]
                    }
                    // What is wrong with a file is shown where it is.
                    Some(task) if has_file(task) => {
                        vec![Act::Run(format!("file task {}", task.name()))]
                    }
                    // What cannot be opened and has no file is shown whole.
                    _ => {
                        self.focus = Pane::Preview;
                        self.zoomed = true;
                        Vec::new()
                    }
                });
            }
            "task-queue" => return Some(self.queue(shared)),
            "task-arena" => {
                let task = self.task(&shared.library);
                let run = task.map(|task| Act::Run(format!("arena {}", task.name())));
                return Some(run.into_iter().collect());
            }
            "task-runs" => {
                let task = self.task(&shared.library);
                return Some(task.map_or_else(Vec::new, |task| {
                    let runs = Runs::of(&task.id);
                    vec![Act::Show(Overlay::Runs(Box::new(runs)))]
                }));
            }
            "check" if args == "--all" => {
                self.checking = Some((0, shared.library.tasks.len() as u64));
                let job = Job::CheckAll(Effort::default());
                return Some(vec![Act::Job(CHECK_ALL, job)]);
            }
            "check" => {
                let task = self.task(&shared.library);
                return Some(task.map_or_else(Vec::new, |task| {
                    let check = Check::of(&task.name(), None, Over::List);
                    vec![Act::Show(Overlay::Check(Box::new(check)))]
                }));
            }
            "task-file" | "scene-file" => {
                let task = self.task(&shared.library);
                let kind = command.trim_end_matches("-file");
                let line = task.map(|task| format!("file {kind} {}", task.name()));
                return Some(line.map(Act::Run).into_iter().collect());
            }
            "run-file" => {}
            "task-sort" => self.sort_by(args),
            "next-pane" | "previous-pane" => {
                self.focus = match self.focus {
                    Pane::List => Pane::Preview,
                    Pane::Preview => Pane::List,
                };
            }
            "out" => return Some(self.out(shared)),
            "zoom-in" => self.zoomed = true,
            "zoom-out" => self.zoomed = false,
            "filter" => {
                self.focus = Pane::List;
                self.filter.editing = true;
            }
            _ => match self.filter.run(command) {
                Some(Change::Rows) => return Some(self.refiltered(shared)),
                Some(Change::Looks) => {}
                None => return self.move_cursor(command, shared),
            },
        }
        Some(self.changed(shared))
    }

    fn takes_text(&self) -> bool {
        self.filter.editing
    }

    fn on_text(&mut self, text: &str, shared: &mut Shared) -> Vec<Act> {
        self.filter.insert(text);
        self.refiltered(shared)
    }

    fn on_open(&mut self, shared: &mut Shared) -> Vec<Act> {
        let mut acts = self.changed(shared);
        // Whoever comes back has played or judged something.
        if std::mem::replace(&mut self.has_been_open, true) {
            acts.push(Act::Reload);
        }
        acts
    }

    fn on_library(&mut self, shared: &mut Shared) -> Vec<Act> {
        // What was read stays on screen until it is read anew.
        self.current.clear();
        self.asked = None;
        self.changed(shared)
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        if slot == CHECK_ALL {
            return self.on_checked(event, shared);
        }
        let Some(asked) = self.asked.clone() else {
            return Vec::new();
        };
        let read = match event {
            JobEvent::Progress { .. } | JobEvent::Part(_) => return Vec::new(),
            JobEvent::Done(reply) => match *reply {
                Reply::Task(loaded) => Read::Done(preview::Detail::of(&loaded)),
                _ => return Vec::new(),
            },
            JobEvent::Failed(reason) => Read::Failed(reason),
        };
        self.asked = None;
        self.current.insert(asked.clone());
        self.read.insert(asked, read);
        Vec::new()
    }

    fn plain(&self, shared: &Shared) -> Vec<String> {
        let library = &shared.library;
        let filter = self.filter.edit.text();
        let narrowed = if filter.is_empty() {
            String::new()
        } else {
            format!(", filter {filter}")
        };
        let (shown, all) = (self.count(), library.tasks.len());
        let mut lines = vec![format!(
            "tasks, {shown} of {all}, sort {}{narrowed}",
            self.sort.word()
        )];
        if self.shown.is_empty() {
            lines.push(self.nothing(library));
        }
        for row in &self.shown {
            lines.push(match row {
                Row::Task(at) => library
                    .tasks
                    .get(*at)
                    .map_or_else(String::new, |task| preview::plain(library, task)),
                Row::Problem(_) => format!("error: {}", name(library, *row)),
            });
        }
        if let Some(task) = self.task(library) {
            let label =
                |line: preview::Line| format!("{} {}", line.label.unwrap_or_default(), line.text);
            lines.push(format!("preview of {}", task.name()));
            lines.extend(
                self.preview(library)
                    .into_iter()
                    .map(|line| label(line).trim().to_owned()),
            );
        }
        lines
    }
}

impl Place for Tasks {
    fn table(&self, shared: &Shared) -> Option<Table> {
        let library = &shared.library;
        let tasks = self.shown.iter().filter_map(|row| match row {
            Row::Task(at) => library.tasks.get(*at),
            Row::Problem(_) => None,
        });
        Some(rows::table(library, tasks))
    }

    fn title(&self, shared: &Shared) -> Title {
        let library = &shared.library;
        let count = match library.loading {
            Loading::Running if library.tasks.is_empty() => "…".to_owned(),
            _ => format!("{} of {}", self.count(), library.tasks.len()),
        };
        Title {
            subject: String::new(),
            facts: [
                Fact::new(count, Role::Text),
                Fact::new(format!("sort {}", self.sort.word()), Role::Text),
            ]
            .into_iter()
            .chain(self.checking.map(checking))
            .collect(),
        }
    }
}

#[cfg(test)]
mod tests;
