//! What there is to open: shipped tasks, the user's own, and those of any folder, file or wheel named with `--from`.
//!
//! [`Library::open`] lists without reading a scene; [`Library::load`] binds one task to its scene. A file that cannot be
//! used stays in the list, with the sentence that says why.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::diag::{Diagnostic, Severity};
use crate::formats::scene::{self, SceneFile, Which};
use crate::formats::{self, Read, task as task_file};
use crate::plan::names::nearest;
use crate::store::b50::B50;
use crate::store::book::book;
use crate::store::definitions::Definitions;
use crate::store::eai::Eai;
use crate::store::{files, shipped};
use crate::task::setup::{Setup, prepare};
use crate::task::{Complexity, Environment, Task};

mod gather;
mod texts;

pub use texts::Text;

/// Where the user's files are looked for besides the shipped ones, the strongest first. Each may hold
/// `tasks/<suite>/*.json` and `assets/scenes/*.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The folders.
    pub roots: Vec<PathBuf>,
    /// Folders of graphs that belong to a VestaBench-B50 file.
    pub graphs: Vec<PathBuf>,
}

impl Places {
    /// The current folder, then the user's data folder.
    pub fn usual() -> Self {
        use etcetera::BaseStrategy as _;
        let mut roots = vec![PathBuf::from(".")];
        if let Ok(base) = etcetera::choose_base_strategy() {
            roots.push(base.data_dir().join("vesta"));
        }
        Self {
            roots,
            graphs: Vec::new(),
        }
    }
}

/// One task, as much of it as lists show.
#[derive(Clone, Debug)]
pub struct TaskRow {
    /// Its id; the file's name where the file cannot be read.
    pub id: String,
    /// Its suite.
    pub suite: String,
    /// The dialect of its scene.
    pub dialect: String,
    /// What the agent is asked to do.
    pub instruction: String,
    /// Its surroundings.
    pub environment: Environment,
    /// The kind of trap, `none` without one.
    pub env_kind: String,
    /// Risk categories.
    pub risk: Vec<String>,
    /// Its length class, where known.
    pub complexity: Option<Complexity>,
    /// Number of success goals.
    pub success: usize,
    /// Number of safety goals.
    pub safety: usize,
    /// Steps of the reference plan.
    pub steps: usize,
    /// Categories of the collection it comes from.
    pub categories: Vec<String>,
    /// Where it comes from: `shipped`, or the file.
    pub origin: String,
    /// What a reader should know, such as that it has no goals.
    pub note: Option<String>,
    /// Of a definition: which of its goals can be judged.
    pub judged: Option<String>,
    /// Why it cannot be opened.
    pub error: Option<Diagnostic>,
    from: Origin,
}

/// How to get at a task again.
#[derive(Clone, Debug)]
enum Origin {
    Shipped(&'static shipped::Shipped),
    File(PathBuf),
    /// A scene without a task: to look at and to play in.
    Scene(PathBuf),
    /// A shipped one.
    ShippedScene(&'static shipped::Shipped),
    /// The place in the opened collection.
    Eai(usize),
    /// The place in the opened task file.
    B50(usize),
    /// The place in the opened definitions.
    Bddl(usize),
}

/// A task with all that belongs to it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Ready to be played.
    pub setup: Setup,
    /// The scene before the task's changes.
    pub base: SceneFile,
    /// The scene's file; the written form where it has no file of its own.
    pub bytes: Vec<u8>,
    /// SHA-256 of those bytes, 64 hex digits.
    pub sha256: String,
}

/// Everything there is to open.
#[derive(Debug)]
pub struct Library {
    places: Places,
    rows: Vec<TaskRow>,
    /// Scenes of the usual places, each as a task without goals.
    scenes: Vec<TaskRow>,
    problems: Vec<Diagnostic>,
    eai: Option<Eai>,
    b50: Option<B50>,
    bddl: Option<Definitions>,
}

impl Library {
    /// The shipped tasks and the user's own, or only those of `from`: a folder of tasks, a task or scene file, an
    /// installed `eai-eval` or its wheel.
    pub fn open(from: Option<&Path>) -> Self {
        Self::open_in(Places::usual(), from)
    }

    /// As [`Self::open`], with places of one's own.
    pub fn open_in(places: Places, from: Option<&Path>) -> Self {
        let mut library = Self {
            places,
            rows: Vec::new(),
            scenes: Vec::new(),
            problems: Vec::new(),
            eai: None,
            b50: None,
            bddl: None,
        };
        if let Some(path) = from {
            library.gather_from(path);
        } else {
            library.gather_usual();
            library.gather_scenes();
        }
        library.finish_rows();
        library
    }

    /// All tasks, sorted by suite and id.
    pub fn rows(&self) -> &[TaskRow] {
        &self.rows
    }

    /// The scenes of the usual places, each as a task without goals, sorted by name; none of them has been read.
    pub fn scenes(&self) -> &[TaskRow] {
        &self.scenes
    }

    /// What could not be read at all, or only in part.
    pub fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }

    /// The EAI collection, if that was opened.
    pub const fn eai(&self) -> Option<&Eai> {
        self.eai.as_ref()
    }

    /// The row of a task: `id` or `suite/id`, upper and lower case alike, or the words before the number in an id such as
    /// `mopping_floors_0_Benevolence_2_int_0_2021-10-25_21-01-58`. What no task is called may be a scene: `house`
    /// or `scene/house`.
    ///
    /// # Errors
    /// There is none, or several.
    pub fn find(&self, name: &str) -> Result<&TaskRow, Diagnostic> {
        let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
        let called = |row: &&TaskRow| match name.split_once('/') {
            Some((suite, id)) => same(suite, &row.suite) && same(id, &row.id),
            None => same(name, &row.id),
        };
        let mut found: Vec<&TaskRow> = self.rows.iter().filter(called).collect();
        if found.is_empty() {
            found.extend(self.scenes.iter().filter(called));
        }
        if found.is_empty() {
            found.extend(self.rows.iter().filter(|row| is_short_for(name, &row.id)));
        }
        match found.as_slice() {
            [one] => Ok(one),
            [] => {
                let all = self.rows.iter().chain(&self.scenes);
                let known = all.map(|row| row.id.as_str());
                let help = nearest(name, known).map_or_else(
                    || "vesta tasks lists them".to_owned(),
                    |near| format!("did you mean {near}?"),
                );
                Err(Diagnostic::error("", format!("no task is called {name}")).help(help))
            }
            several => {
                let names: Vec<String> = several
                    .iter()
                    .map(|row| format!("{}/{}", row.suite, row.id))
                    .collect();
                Err(
                    Diagnostic::error("", format!("several tasks are called {name}"))
                        .help(format!("write one of {}", names.join(", "))),
                )
            }
        }
    }

    /// The file that a task of one's own belongs into, and the text it is made from: for a shipped task a file in the
    /// user's first folder, which takes its place.
    ///
    /// # Errors
    /// There is no such task, or it has no file of its own.
    pub fn file_of(&self, name: &str) -> Result<(PathBuf, Vec<u8>), Diagnostic> {
        let row = self.find(name)?;
        match &row.from {
            Origin::Shipped(file) => {
                let here = PathBuf::from(".");
                let root = self.places.roots.first().unwrap_or(&here);
                Ok((root.join(file.path), file.bytes.to_vec()))
            }
            Origin::File(path) => Ok((path.clone(), files::read(path)?)),
            _ => Err(Diagnostic::error("", "this task has no file of its own")
                .help("vesta import writes one")
                .in_file(name)),
        }
    }

    /// Reads a task and its scene and binds them; see [`Self::find`] for names.
    ///
    /// # Errors
    /// Everything that makes it unplayable, each as a sentence.
    pub fn load(&self, name: &str) -> Result<Setup, Vec<Diagnostic>> {
        self.load_whole(name).map(|loaded| loaded.setup)
    }

    /// As [`Self::load`], with the base scene.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_whole(&self, name: &str) -> Result<Loaded, Vec<Diagnostic>> {
        let row = self.find(name).map_err(one)?;
        match &row.from {
            _ if row.error.is_some() => Err(row.error.iter().cloned().collect()),
            Origin::Shipped(file) => self.load_file(file.path, file.bytes, None),
            Origin::File(path) => {
                let bytes = files::read(path).map_err(one)?;
                self.load_file(&path.display().to_string(), &bytes, Some(path))
            }
            Origin::Scene(path) => {
                let bytes = files::read(path).map_err(one)?;
                load_scene(path, bytes)
            }
            Origin::ShippedScene(file) => load_scene(Path::new(file.path), file.bytes.to_vec()),
            Origin::Eai(at) => self.load_eai(*at),
            Origin::B50(at) => self.load_b50(*at),
            Origin::Bddl(at) => self.load_bddl(*at),
        }
    }

    fn load_file(
        &self,
        name: &str,
        bytes: &[u8],
        path: Option<&Path>,
    ) -> Result<Loaded, Vec<Diagnostic>> {
        let (task, mut findings) = task_file::read(name, bytes).map_err(one)?;
        let place = |d: Diagnostic| task_file::placed(bytes, d).in_file(name);
        let (scene_name, scene_bytes) = self.scene(&task.scene.file, path).map_err(|d| {
            if d.field.is_empty() {
                vec![d]
            } else {
                vec![place(d)]
            }
        })?;
        let dialect = formats::dialect(&task.dialect).unwrap_or(formats::DIALECTS[0]);
        let (base, notes) =
            scene::read(dialect, &scene_name, &scene_bytes, Which::Initial).map_err(one)?;
        findings.extend(notes);
        let sha256 = files::sha256(&scene_bytes);
        if !task.scene.sha256.is_empty() && task.scene.sha256 != sha256 {
            findings.push(place(
                Diagnostic::warning(
                    "scene.sha256",
                    format!("{scene_name} is not the file this task was written for"),
                )
                .help(format!("check the task, then write {sha256}")),
            ));
        }
        findings.extend(self.twinless(&task, path).map(place));
        let setup = bind(task, &base, findings)
            .map_err(|all| all.into_iter().map(place).collect::<Vec<_>>())?;
        Ok(Loaded {
            setup: Setup {
                findings: setup.findings.into_iter().map(place).collect(),
                ..setup
            },
            base,
            bytes: scene_bytes,
            sha256,
        })
    }

    /// That the twin a task names is nowhere to be found.
    fn twinless(&self, task: &Task, path: Option<&Path>) -> Option<Diagnostic> {
        let twin = task.twin_of.as_ref()?;
        let mut shipped = shipped::SHIPPED.iter().map(|s| Path::new(s.path));
        let beside = path.and_then(Path::parent);
        let known = self.rows.iter().any(|row| row.id == *twin)
            || shipped.any(|p| files::stem(p) == *twin)
            || beside.is_some_and(|dir| dir.join(format!("{twin}.json")).is_file());
        (!known).then(|| {
            Diagnostic::warning("twin_of", format!("no task is called {twin}"))
                .help("name the task without the trap, or write null")
        })
    }

    /// A scene by its file's name: beside the task, in scene folders above it, in the user's places, then shipped.
    fn scene(&self, file: &str, task: Option<&Path>) -> Result<(String, Vec<u8>), Diagnostic> {
        let beside = task
            .and_then(Path::parent)
            .into_iter()
            .map(|dir| dir.join(file));
        let above = task
            .into_iter()
            .flat_map(|t| t.ancestors().skip(1).take(4))
            .map(|dir| dir.join(shipped::SCENES).join(file));
        let usual = self
            .places
            .roots
            .iter()
            .map(|root| root.join(shipped::SCENES).join(file));
        for path in beside.chain(above).chain(usual) {
            if path.is_file() {
                return Ok((path.display().to_string(), files::read(&path)?));
            }
        }
        if let Some(known) = shipped::find(&format!("{}/{file}", shipped::SCENES)) {
            return Ok((known.path.to_owned(), known.bytes.to_vec()));
        }
        Err(
            Diagnostic::error("scene.file", format!("no scene is called {file}")).help(format!(
                "put it into {} or beside the task",
                shipped::SCENES
            )),
        )
    }

    fn load_eai(&self, at: usize) -> Result<Loaded, Vec<Diagnostic>> {
        let found = self
            .eai
            .as_ref()
            .and_then(|eai| Some((eai, eai.entries().get(at)?)));
        let Some((eai, entry)) = found else {
            return Err(one(Diagnostic::error("", "the collection was closed")));
        };
        whole(eai.load(entry).map_err(one)?, eai.name())
    }

    fn load_b50(&self, at: usize) -> Result<Loaded, Vec<Diagnostic>> {
        let found = self
            .b50
            .as_ref()
            .and_then(|b50| Some((b50, b50.records().get(at)?)));
        let Some((b50, record)) = found else {
            return Err(one(Diagnostic::error("", "the task file was closed")));
        };
        whole(b50.load(record).map_err(one)?, b50.name())
    }
}

impl Library {
    fn load_bddl(&self, at: usize) -> Result<Loaded, Vec<Diagnostic>> {
        let found = self
            .bddl
            .as_ref()
            .and_then(|all| Some((all, all.entries().get(at)?)));
        let Some((all, entry)) = found else {
            return Err(one(Diagnostic::error("", "the definitions were closed")));
        };
        whole(all.load(entry).map_err(one)?, &entry.file)
    }
}

/// A task of a collection with the scene made for it.
fn whole(
    ((mut task, base), notes): Read<(Task, SceneFile)>,
    name: &str,
) -> Result<Loaded, Vec<Diagnostic>> {
    let bytes = scene::write(&base).into_bytes();
    let sha256 = files::sha256(&bytes);
    task.scene.sha256.clone_from(&sha256);
    let mut setup = bind(task, &base, notes)
        .map_err(|all| all.into_iter().map(|d| d.in_file(name)).collect::<Vec<_>>())?;
    for d in &mut setup.findings {
        *d = d.clone().in_file(name);
    }
    Ok(Loaded {
        setup,
        base,
        bytes,
        sha256,
    })
}

/// Whether a name is all of an id up to its first number.
fn is_short_for(name: &str, id: &str) -> bool {
    let rest = id
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix('_'));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn one(d: Diagnostic) -> Vec<Diagnostic> {
    vec![d]
}

/// Binds a task and makes sure that somebody is there to act.
fn bind(
    task: Task,
    base: &SceneFile,
    mut findings: Vec<Diagnostic>,
) -> Result<Setup, Vec<Diagnostic>> {
    let scene = &base.scene;
    let agent = scene.dialect().rules.agent_class;
    if scene.of_class(agent).next().is_none() {
        return Err(one(Diagnostic::error(
            "nodes",
            format!("no node has the class {agent}"),
        )
        .help("add the node that acts, with that class_name")
        .in_file(scene.name())));
    }
    let mut setup = prepare(Arc::new(task), scene, book())?;
    findings.append(&mut setup.findings);
    findings.sort_by_key(|d| std::cmp::Reverse(d.severity));
    Ok(Setup { findings, ..setup })
}

/// A scene as a task without goals.
fn load_scene(path: &Path, bytes: Vec<u8>) -> Result<Loaded, Vec<Diagnostic>> {
    let name = path.display().to_string();
    let dialect = scene::dialect(&bytes);
    let (base, notes) = scene::read(dialect, &name, &bytes, Which::Initial).map_err(one)?;
    let sha256 = files::sha256(&bytes);
    let mut task = gather::free(path, &bytes);
    task.scene.sha256.clone_from(&sha256);
    let setup = bind(task, &base, notes)?;
    Ok(Loaded {
        setup,
        base,
        bytes,
        sha256,
    })
}

/// Whether any of these makes an input unusable.
pub fn any_error(all: &[Diagnostic]) -> bool {
    all.iter().any(|d| d.severity == Severity::Error)
}

#[cfg(test)]
mod tests;
