//! The palette: commands, tasks, scenes, runs and arenas in one list, found by a few letters. What cannot be run
//! stays in it and says why not.

use crate::app::commands::{self, Availability, Command};
use crate::app::edit::LineEdit;
use crate::app::fuzzy::Filter;
use crate::app::hints;
use crate::app::layer::{Act, Layer, Overlaid};
use crate::app::list::List;
use crate::app::state::{Shared, State};

/// Commands of the palette alone.
pub const COMMANDS: &[Command] = &[
    Command::new("palette-run", "run", "Run or open the row."),
    Command::new("palette-close", "close", "Close the palette."),
];

/// One thing that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The command, or the kind of thing: `play V022`.
    pub name: String,
    /// What it is.
    pub text: String,
    /// Its key here, if it has one.
    pub keys: String,
    /// The command line it runs.
    pub run: String,
    /// Whether it can be run.
    pub available: Availability,
}

/// The state of the palette.
#[derive(Debug, Clone)]
pub struct Palette {
    items: Vec<Item>,
    shown: Vec<usize>,
    /// What was typed.
    pub edit: LineEdit,
    /// The row under the cursor.
    pub list: List,
}

impl Palette {
    /// Everything that can be chosen where we are now.
    pub fn of(state: &State) -> Self {
        let mut items: Vec<Item> = hints::all(state)
            .into_iter()
            .filter(|row| !matches!(row.run.as_str(), "palette"))
            .map(|row| Item {
                name: row.run.clone(),
                text: row.doc.trim_end_matches('.').to_owned(),
                keys: row.keys.into_iter().next().unwrap_or_default(),
                run: row.run,
                available: row.available,
            })
            .collect();
        items.extend(things(&state.shared));
        let shown = (0..items.len()).collect();
        Self {
            items,
            shown,
            edit: LineEdit::default(),
            list: List::default(),
        }
    }

    /// The rows that match what was typed, best first.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &Item> {
        self.shown
            .iter()
            .filter_map(|i| self.items.get(*i))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// How many things there are in all.
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is nothing at all.
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    fn chosen(&self) -> Option<&Item> {
        self.shown
            .get(self.list.cursor)
            .and_then(|i| self.items.get(*i))
    }

    fn narrow(&mut self) {
        let mut filter = Filter::new(&self.edit.text());
        self.shown = filter.rank(&self.items, |item| format!("{} {}", item.name, item.text));
        self.list.cursor = 0;
    }
}

/// Tasks, scenes, runs and arenas, each with the command that opens it.
fn things(shared: &Shared) -> Vec<Item> {
    let opener =
        |id: &str| Availability::when(commands::find(id).is_some(), "this cannot be opened yet");
    let library = &shared.library;
    let tasks = library.tasks.iter().map(|task| Item {
        name: format!("play {}", task.id),
        text: task.instruction.clone(),
        keys: String::new(),
        run: format!("play {}", task.name()),
        available: task
            .fault
            .as_ref()
            .map_or_else(|| opener("play"), Availability::blocked),
    });
    let runs = library.runs.iter().map(|run| Item {
        name: format!("inspect {}", run.id),
        text: format!("{} {}", run.task, run.agent),
        keys: String::new(),
        run: format!("inspect {}", run.id),
        available: opener("inspect"),
    });
    let scenes = library.scenes.iter().map(|scene| Item {
        name: format!("play {}", scene.name),
        text: scene.text.clone(),
        keys: String::new(),
        run: format!("play {}", scene.opener()),
        available: opener("play"),
    });
    let arenas = library.arenas.iter().map(|arena| Item {
        name: format!("arena {}", arena.id),
        text: arena.words(),
        keys: String::new(),
        run: format!("arena {}", arena.id),
        available: arena
            .fault
            .as_ref()
            .map_or_else(|| opener("arena"), Availability::blocked),
    });
    tasks.chain(scenes).chain(runs).chain(arenas).collect()
}

impl Layer for Palette {
    fn contexts(&self) -> Vec<&'static str> {
        vec!["palette", "input"]
    }

    fn when(&self, command: &str, _args: &str, _shared: &Shared) -> Availability {
        match (command, self.chosen()) {
            ("palette-run", Some(item)) => item.available.clone(),
            ("palette-run", None) => Availability::blocked("nothing matches"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, _args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "palette-close" => Some(vec![Act::Close]),
            "palette-run" => {
                let run = self.chosen().map(|item| item.run.clone());
                Some(run.map_or_else(Vec::new, |line| vec![Act::Close, Act::Run(line)]))
            }
            _ if self.list.run(command, self.shown.len(), shared.page() / 2) => Some(Vec::new()),
            _ if self.edit.run(command) => {
                self.narrow();
                Some(Vec::new())
            }
            _ => None,
        }
    }

    fn takes_text(&self) -> bool {
        true
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        self.edit.insert(text);
        self.narrow();
        Vec::new()
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        self.rows()
            .map(|item| {
                let reason = item
                    .available
                    .reason()
                    .map_or(String::new(), |why| format!(" (not now: {why})"));
                format!("{}: {}{reason}", item.name, item.text)
            })
            .collect()
    }
}

impl Overlaid for Palette {
    fn heading(&self) -> String {
        "Palette".to_owned()
    }
}
