//! Home: what there is to go on with, the tasks, the runs, the arenas. Every row opens something.

use crate::app::commands::{self, Availability, Command};
use crate::app::layer::{Act, Fact, Layer, Place, Title};
use crate::app::library::{ArenaRow, Loading, RunRow, SceneRow};
use crate::app::list::List;
use crate::app::role::Role;
use crate::app::screens::{Screen, ScreenDesc, tasks};
use crate::app::state::Shared;

/// Commands of Home alone.
pub const COMMANDS: &[Command] = &[Command::new("open", "open", "Open what the row names.")];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new("home", "home", "Go to Home."),
    open: |_, _| Ok(Screen::Home(Box::default())),
    contexts: &[&["home", "proof", "pane", "list"]],
    glyphs: &[crate::app::glyph::CURSOR],
    fields: &[],
    example: "Enter on the first row goes on where you left.",
};

/// The panes of Home, in the order of the Tab key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// What there is to go on with.
    #[default]
    GoOn,
    /// Suites of tasks, then scenes to act in without one.
    Tasks,
    /// Runs.
    Runs,
    /// Arenas that were kept.
    Arenas,
}

/// Every pane, in the order of the Tab key.
pub const PANES: [Pane; 4] = [Pane::GoOn, Pane::Tasks, Pane::Runs, Pane::Arenas];

/// One row that opens something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What kind of thing: `play`, a suite, a run's id.
    pub word: String,
    /// What is to be said about it.
    pub text: String,
    /// The command line that opens it.
    pub run: String,
}

impl Row {
    fn new(word: impl Into<String>, text: impl Into<String>, run: impl Into<String>) -> Self {
        Self {
            word: word.into(),
            text: text.into(),
            run: run.into(),
        }
    }
}

/// The state of Home: which pane, and a cursor in each.
#[derive(Debug, Clone, Default)]
pub struct Home {
    focus: usize,
    lists: [List; PANES.len()],
}

impl Home {
    /// The pane with the focus.
    pub fn focus(&self) -> Pane {
        PANES.get(self.focus).copied().unwrap_or_default()
    }

    /// The row under the cursor of a pane.
    pub fn cursor(&self, pane: Pane) -> usize {
        PANES
            .iter()
            .position(|p| *p == pane)
            .and_then(|i| self.lists.get(i))
            .map_or(0, |l| l.cursor)
    }

    /// The rows of a pane.
    pub fn rows(pane: Pane, shared: &Shared) -> Vec<Row> {
        match pane {
            Pane::GoOn => go_on(shared),
            Pane::Tasks => shared
                .library
                .suites()
                .into_iter()
                .map(|(suite, n)| suite_row(shared, suite, n))
                .chain(shared.library.scenes.iter().map(scene_row))
                .collect(),
            Pane::Runs => shared
                .library
                .runs
                .iter()
                .map(|run| {
                    let text = format!("{}  {}", run.when(), run_text(run));
                    Row::new(&run.tail, text, format!("inspect {}", run.id))
                })
                .collect(),
            Pane::Arenas => shared.library.arenas.iter().map(arena_row).collect(),
        }
    }

    fn row(&self, shared: &Shared) -> Option<Row> {
        Self::rows(self.focus(), shared)
            .into_iter()
            .nth(self.cursor(self.focus()))
    }
}

fn suite_row(shared: &Shared, suite: &str, tasks: usize) -> Row {
    let library = &shared.library;
    let of_suite = library.tasks.iter().filter(|task| task.suite == suite);
    let judged = of_suite.filter(|task| library.verdict(&task.id).is_some());
    let text = match judged.count() {
        0 => format!("{tasks:>4}"),
        judged => format!("{tasks:>4}   {judged} with verdict"),
    };
    Row::new(suite, text, format!("tasks suite:{suite}"))
}

fn scene_row(scene: &SceneRow) -> Row {
    Row::new(
        &*scene.name,
        &*scene.text,
        format!("play {}", scene.opener()),
    )
}

fn arena_row(arena: &ArenaRow) -> Row {
    let word = if arena.task.is_empty() {
        &arena.id
    } else {
        &arena.task
    };
    Row::new(word, arena.words(), format!("arena {}", arena.id))
}

fn go_on(shared: &Shared) -> Vec<Row> {
    let library = &shared.library;
    let mut rows = Vec::new();
    let live = library.runs.iter().filter(|run| run.state == "live");
    match live.count() {
        0 => {}
        n => rows.push(Row::new(
            "watch",
            format!("{} live", many(n, "run")),
            "watch",
        )),
    }
    let open = library
        .runs
        .iter()
        .find(|run| run.state == "open" && run.fault.is_none());
    if let Some(run) = open {
        rows.push(Row::new("play", run_text(run), format!("play {}", run.id)));
    }
    if let Some(run) = library.runs.iter().find(|run| Some(*run) != open) {
        rows.push(Row::new(
            "inspect",
            format!("run {}, {}", run.tail, run_text(run)),
            format!("inspect {}", run.id),
        ));
    }
    if let Some(task) = library.tasks.iter().find(|task| task.fault.is_none()) {
        rows.push(Row::new(
            "play",
            format!("{} {}", task.id, task.instruction),
            format!("play {}", task.name()),
        ));
    }
    if let Some(arena) = library.arenas.iter().find(|a| a.fault.is_none()) {
        let leads = if arena.chosen.is_empty() {
            String::new()
        } else {
            format!(", {} was chosen", arena.chosen)
        };
        let task = if arena.task.is_empty() {
            &arena.id
        } else {
            &arena.task
        };
        rows.push(Row::new(
            "arena",
            format!("{task}{leads}"),
            format!("arena {}", arena.id),
        ));
    }
    if library.runs.len() > 1 {
        rows.push(Row::new(
            "runs",
            format!("{}, what went wrong where", many(library.runs.len(), "run")),
            "runs",
        ));
    }
    rows.push(Row::new(
        "council",
        "the published two-sided benchmark, 150 councils",
        "council",
    ));
    rows
}

fn run_text(run: &RunRow) -> String {
    if let Some(fault) = &run.fault {
        return format!("{} ! {fault}", run.task);
    }
    let (held, of) = run.goals;
    let steps = many(run.steps, "step");
    let state = match run.state.as_str() {
        "open" => "not ended",
        other => other,
    };
    let goals = if of == 0 {
        "no goals".to_owned()
    } else {
        format!("goals {held}/{of}")
    };
    format!("{} {}, {steps}, {goals}, {state}", run.task, run.agent)
}

impl Layer for Home {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["home", "proof", "pane", "list"]
    }

    fn when(&self, command: &str, _args: &str, shared: &Shared) -> Availability {
        match command {
            "open" => match self.row(shared) {
                None => Availability::blocked("nothing to open here"),
                Some(row) => {
                    let opener = row.run.split(' ').next().unwrap_or_default();
                    Availability::when(
                        commands::find(opener).is_some(),
                        "this cannot be opened yet",
                    )
                }
            },
            "out" => Availability::blocked("this is the outermost place: q leaves the program"),
            "filter" | "zoom-in" | "zoom-out" => Availability::blocked("Home shows all it has"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        let n = PANES.len();
        match command {
            "open" => {
                return Some(
                    self.row(shared)
                        .map(|row| Act::Run(row.run))
                        .into_iter()
                        .collect(),
                );
            }
            "check" => return Some(tasks::check_all()),
            // Of the program itself; named among the keys of Home because it is the way on.
            "tasks" => return Some(vec![Act::Run("tasks".to_owned())]),
            "next-pane" => self.focus = (self.focus + 1) % n,
            "previous-pane" => self.focus = (self.focus + n - 1) % n,
            "out" | "filter" | "zoom-in" | "zoom-out" => {}
            _ => {
                let len = Self::rows(self.focus(), shared).len();
                let list = self.lists.get_mut(self.focus)?;
                return list.run(command, len, shared.page()).then(Vec::new);
            }
        }
        Some(Vec::new())
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        // Whoever comes back has played or judged something.
        vec![Act::Reload]
    }

    fn row_text(&self, shared: &Shared) -> Option<String> {
        let row = self.row(shared)?;
        Some(format!("{} {}", row.word, row.text))
    }

    fn plain(&self, shared: &Shared) -> Vec<String> {
        let library = &shared.library;
        let mut lines = vec![format!("home, {}", count_text(shared))];
        if let Loading::Failed(reason) = &library.loading {
            lines.push(format!("error: {reason}"));
        }
        lines.extend(library.runs_fault.iter().map(|d| format!("error: {d}")));
        lines.extend(
            go_on(shared)
                .into_iter()
                .map(|row| format!("go on: {} {}", row.word, row.text)),
        );
        let faults = library
            .tasks
            .iter()
            .filter_map(|t| t.fault.as_ref().map(|f| (&t.id, f)));
        lines.extend(faults.map(|(id, fault)| format!("task {id} cannot be used: {fault}")));
        lines.extend(
            library
                .suites()
                .iter()
                .map(|(suite, n)| format!("tasks in {suite}: {n}")),
        );
        lines.extend(
            library
                .scenes
                .iter()
                .map(|scene| format!("scene {}: {}", scene.name, scene.text)),
        );
        lines.extend(
            library
                .runs
                .iter()
                .map(|run| format!("run {}: {}", run.id, run_text(run))),
        );
        lines.extend(
            library
                .arenas
                .iter()
                .map(|arena| format!("arena {}: {}", arena.id, arena.words())),
        );
        lines
    }
}

/// `1 run`, `2 runs`.
fn many(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}

fn count_text(shared: &Shared) -> String {
    let library = &shared.library;
    match library.loading {
        Loading::Running => "… tasks · … runs · … arenas".to_owned(),
        _ => format!(
            "{} · {} · {}",
            many(library.tasks.len(), "task"),
            many(library.runs.len(), "run"),
            many(library.arenas.len(), "arena")
        ),
    }
}

impl Place for Home {
    fn title(&self, shared: &Shared) -> Title {
        Title {
            subject: String::new(),
            facts: vec![Fact::new(count_text(shared), Role::Text)],
        }
    }
}
