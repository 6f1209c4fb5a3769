//! Finding tasks: in the usual places, and in whatever `--from` names.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Library, Origin, TaskRow};
use crate::base::diag::Diagnostic;
use crate::formats::b50::{alone, record, task as b50};
use crate::formats::{self, task as task_file};
use crate::sim::vocab::Profile;
use crate::sim::world::World;
use crate::store::b50::B50;
use crate::store::definitions::Definitions;
use crate::store::eai::Eai;
use crate::store::{files, shipped, source};
use crate::task::{Environment, Task};

/// The suite of scenes opened without a task.
const FREE: &str = "scene";

/// A task that only lets one act in a scene, whose file begins like this.
pub(super) fn free(path: &Path, head: &[u8]) -> Task {
    let title = formats::scene::title(head);
    let id: String = files::stem(path)
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "-_".contains(c) {
                c
            } else {
                '_'
            }
        })
        .take(80)
        .collect();
    let file = path
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let id = if id.is_empty() { FREE } else { &id };
    Task {
        instruction: match title {
            Some(title) => format!(
                "{}: look around and act freely.",
                title.trim_end_matches('.')
            ),
            None => "Look around and act freely.".to_owned(),
        },
        ..Task::blank(id, FREE, formats::scene::dialect(head).id, &file)
    }
}

/// The row of a task that can be read.
fn row(task: Task, origin: String, from: Origin) -> TaskRow {
    let (success, safety) = (task.success.len(), task.safety.len() + task.never.len());
    TaskRow {
        note: (success + safety == 0).then(|| NO_GOALS.to_owned()),
        id: task.id,
        suite: task.suite,
        dialect: task.dialect,
        instruction: task.instruction,
        environment: task.environment,
        env_kind: task.env_kind,
        risk: task.risk,
        complexity: task.complexity,
        success,
        safety,
        steps: task.reference.len(),
        categories: Vec::new(),
        origin,
        judged: None,
        error: None,
        from,
    }
}

/// What lists say about a task without goals.
const NO_GOALS: &str = "no goals: nothing here can succeed or fail";

/// The row of a task that cannot be read.
fn broken(id: String, suite: String, error: Diagnostic, from: Origin) -> TaskRow {
    TaskRow {
        id,
        suite,
        dialect: String::new(),
        instruction: String::new(),
        environment: Environment::Normal,
        env_kind: String::new(),
        risk: Vec::new(),
        complexity: None,
        success: 0,
        safety: 0,
        steps: 0,
        categories: Vec::new(),
        origin: error.file.clone(),
        note: None,
        judged: None,
        error: Some(error),
        from,
    }
}

/// The row of a task file, or of the reason why it is none.
fn file_row(suite: &str, name: &str, bytes: &[u8], from: Origin) -> TaskRow {
    match task_file::read(name, bytes) {
        Ok((task, notes)) => {
            let origin = match &from {
                Origin::Shipped(_) => "shipped".to_owned(),
                _ => name.to_owned(),
            };
            let mut row = row(task, origin, from);
            if let Some(first) = notes.first() {
                row.note.get_or_insert_with(|| first.to_string());
            }
            row
        }
        Err(d) => {
            let id = id_in(bytes).unwrap_or_else(|| files::stem(Path::new(name)));
            broken(id, suite.to_owned(), d, from)
        }
    }
}

/// The id a task file gives, also where the rest of it is wrong: people call it by that.
fn id_in(bytes: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    let id = value.get("id")?.as_str()?;
    let is_word = id
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    (is_word && !id.is_empty() && id.len() <= 80).then(|| id.to_owned())
}

impl Library {
    /// The shipped tasks, overridden and joined by those in the user's places.
    pub(super) fn gather_usual(&mut self) {
        let mut found: BTreeMap<String, Origin> = shipped::SHIPPED
            .iter()
            .filter(|s| s.path.starts_with(shipped::TASKS))
            .map(|s| (s.path.to_owned(), Origin::Shipped(s)))
            .collect();
        for root in self.places.roots.clone().iter().rev() {
            for path in self.task_files(&root.join(shipped::TASKS)) {
                // The part below the root is the name that overrides; it has only what this walk joined on.
                let name = path.strip_prefix(root).unwrap_or(&path);
                found.insert(
                    name.to_string_lossy().replace('\\', "/"),
                    Origin::File(path),
                );
            }
        }
        for (name, origin) in found {
            let suite = name.split('/').rev().nth(1).unwrap_or_default().to_owned();
            match origin {
                Origin::Shipped(s) => self.rows.push(file_row(&suite, s.path, s.bytes, origin)),
                Origin::File(path) => self.push_file(&suite, &path),
                Origin::Scene(_)
                | Origin::ShippedScene(_)
                | Origin::Eai(_)
                | Origin::B50(_)
                | Origin::Bddl(_) => {}
            }
        }
    }

    /// The shipped scenes, overridden and joined by those in the user's places. None is read beyond its head.
    pub(super) fn gather_scenes(&mut self) {
        let mut found: BTreeMap<String, TaskRow> = BTreeMap::new();
        for file in shipped::SHIPPED {
            if file.path.starts_with(shipped::SCENES) {
                let path = Path::new(file.path);
                let task = free(path, file.bytes);
                let from = Origin::ShippedScene(file);
                found.insert(files::stem(path), row(task, "shipped".to_owned(), from));
            }
        }
        for root in self.places.roots.iter().rev() {
            let files = match files::list(&root.join(shipped::SCENES), "json") {
                Ok(files) => files,
                Err(d) => {
                    self.problems.push(d);
                    continue;
                }
            };
            for path in files {
                // What is wrong with the file is told when it is opened.
                let head = files::head(&path, formats::scene::HEAD).unwrap_or_default();
                let task = free(&path, &head);
                let origin = path.display().to_string();
                found.insert(files::stem(&path), row(task, origin, Origin::Scene(path)));
            }
        }
        self.scenes = found.into_values().collect();
    }

    /// Only what `path` names.
    pub(super) fn gather_from(&mut self, path: &Path) {
        if path.is_dir() {
            return match Eai::open(path) {
                Ok(Some(opened)) => self.push_eai(opened),
                Ok(None) => self.gather_definitions(path, Self::gather_folder),
                Err(d) => self.problems.push(d),
            };
        }
        let is_definition = path.extension().is_some_and(|e| e == "bddl");
        if is_definition || source::is_tar(path) {
            return self.gather_definitions(path, |_, _| ());
        }
        if is_zip(path) {
            return match Eai::open(path) {
                Ok(Some(opened)) => self.push_eai(opened),
                Ok(None) => self.problems.push(
                    Diagnostic::error("", "this archive holds no eai-eval tasks")
                        .help("name the wheel that pip download eai-eval==1.0.5 fetches")
                        .in_file(&path.display().to_string()),
                ),
                Err(d) => self.problems.push(d),
            };
        }
        match files::read(path) {
            Ok(bytes) => self.gather_one(path, &bytes),
            Err(d) => self.problems.push(d),
        }
    }

    /// The definitions of activities a path holds; `other` goes on where it holds none.
    fn gather_definitions(&mut self, path: &Path, other: impl FnOnce(&mut Self, &Path)) {
        let (opened, notes) = match Definitions::open(path, &self.places.graphs) {
            Ok(Some(opened)) => opened,
            Ok(None) => return other(self, path),
            Err(d) => return self.problems.push(d),
        };
        self.problems.extend(notes);
        for (i, entry) in opened.entries().iter().enumerate() {
            let from = Origin::Bddl(i);
            let mut row = match &entry.problem {
                Ok(problem) => {
                    let task = alone::outline(&entry.id, &entry.activity, problem);
                    row(task, opened.name().to_owned(), from)
                }
                Err(d) => broken(entry.id.clone(), alone::SUITE.to_owned(), d.clone(), from),
            };
            row.error = opened.fault(entry);
            if row.error.is_none() && row.success > 0 {
                row.judged = Some(match row.success {
                    1 => "its goal can be judged here".to_owned(),
                    n => format!("all {n} goals can be judged here"),
                });
            }
            self.rows.push(row);
        }
        self.bddl = Some(opened);
    }

    fn gather_one(&mut self, path: &Path, bytes: &[u8]) {
        let name = path.display().to_string();
        match formats::sniff(bytes).map(|f| f.id) {
            Some("scene") => {
                let from = Origin::Scene(path.to_owned());
                let task = free(path, bytes);
                let dialect = formats::scene::dialect(bytes);
                let read =
                    formats::scene::read(dialect, &name, bytes, formats::scene::Which::Initial)
                        .and_then(|(file, _)| World::new(&Arc::new(file.scene), Profile::Eai));
                self.rows.push(match read {
                    Ok(_) => row(task, name, from),
                    Err(d) => broken(task.id, task.suite, d.in_file(&name), from),
                });
            }
            Some("program") => self.problems.push(
                Diagnostic::error("", "a program alone names no scene")
                    .help("open a task and give the program as its script")
                    .in_file(&name),
            ),
            _ if record::sniff(bytes) => match B50::open(path, bytes, &self.places.graphs) {
                Ok(opened) => self.push_b50(opened),
                Err(d) => self.problems.push(d),
            },
            _ => self
                .rows
                .push(file_row("", &name, bytes, Origin::File(path.to_owned()))),
        }
    }

    fn gather_folder(&mut self, path: &Path) {
        let inner = path.join(shipped::TASKS);
        let folder = if inner.is_dir() {
            inner
        } else {
            path.to_owned()
        };
        for file in self.task_files(&folder) {
            let suite = file.parent().map_or_else(String::new, files::stem);
            self.push_file(&suite, &file);
        }
        if self.rows.is_empty() && self.problems.is_empty() {
            self.problems.push(
                Diagnostic::error("", "no tasks here")
                    .help("a task is a .json file with the field vesta_task")
                    .in_file(&path.display().to_string()),
            );
        }
    }

    /// The `.json` files in a folder and in the folders in it.
    fn task_files(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        match files::entries(folder) {
            Ok((own, folders)) => {
                found.extend(own);
                for sub in folders {
                    match files::list(&sub, "json") {
                        Ok(list) => found.extend(list),
                        Err(d) => self.problems.push(d),
                    }
                }
            }
            Err(d) => self.problems.push(d),
        }
        found.retain(|path| path.extension().is_some_and(|e| e == "json"));
        found
    }

    fn push_file(&mut self, suite: &str, path: &Path) {
        let name = path.display().to_string();
        let from = Origin::File(path.to_owned());
        match files::read(path) {
            // Scenes may lie among the tasks that use them.
            Ok(bytes) if formats::sniff(&bytes).is_some_and(|f| f.id == "scene") => {}
            Ok(bytes) => self.rows.push(file_row(suite, &name, &bytes, from)),
            Err(d) => self
                .rows
                .push(broken(files::stem(path), suite.to_owned(), d, from)),
        }
    }

    fn push_eai(&mut self, (eai, notes): (Eai, Vec<Diagnostic>)) {
        self.problems.extend(notes);
        for (i, entry) in eai.entries().iter().enumerate() {
            let from = Origin::Eai(i);
            let origin = eai.name().to_owned();
            self.rows.push(match eai.outline(entry) {
                Ok(task) => {
                    let mut row = row(task, origin, from);
                    row.success = entry.goals();
                    row.note = (row.success == 0).then(|| NO_GOALS.to_owned());
                    row.categories = eai.categories(&entry.id).to_vec();
                    row
                }
                Err(d) => broken(entry.id.clone(), "eai".to_owned(), d, from),
            });
        }
        self.eai = Some(eai);
    }

    fn push_b50(&mut self, (b50, notes): (B50, Vec<Diagnostic>)) {
        self.problems.extend(notes);
        for (i, record) in b50.records().iter().enumerate() {
            let mut row = row(b50::outline(record), b50.name().to_owned(), Origin::B50(i));
            row.success = record.success_goals.len();
            row.safety = record.safety_goals.len();
            row.note = (row.success + row.safety == 0).then(|| NO_GOALS.to_owned());
            self.rows.push(row);
        }
        self.b50 = Some(b50);
    }

    /// Sorts the rows and marks ids that are used twice.
    pub(super) fn finish_rows(&mut self) {
        self.rows
            .sort_by(|a, b| a.suite.cmp(&b.suite).then_with(|| natural(&a.id, &b.id)));
        for i in 1..self.rows.len() {
            let (before, rest) = self.rows.split_at_mut(i);
            if let (Some(a), Some(b)) = (before.last(), rest.first_mut())
                && (&a.suite, &a.id) == (&b.suite, &b.id)
                && b.error.is_none()
            {
                b.error = Some(
                    Diagnostic::error("id", format!("{} is already used by {}", b.id, a.origin))
                        .help("give one of the two tasks another id")
                        .in_file(&b.origin),
                );
            }
        }
    }
}

/// Whether a file is a zip archive, by its first bytes or, where it has none, its name.
fn is_zip(path: &Path) -> bool {
    let mut head = [0; 4];
    // Only a plain file is opened: a pipe would block until somebody writes.
    let magic =
        path.is_file() && File::open(path).is_ok_and(|mut f| f.read_exact(&mut head).is_ok());
    let named = path.extension().is_some_and(|e| e == "whl" || e == "zip");
    named || magic && head == *b"PK\x03\x04"
}

/// Numbers inside ids count as numbers: `27_2` before `201_1`.
pub(super) fn natural(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left, right);
    loop {
        let (one, two) = (chunk(left), chunk(right));
        let numbers = one.parse::<u64>().ok().zip(two.parse::<u64>().ok());
        let order = numbers
            .map_or(Ordering::Equal, |(m, n)| m.cmp(&n))
            .then_with(|| one.cmp(two));
        if order.is_ne() || one.is_empty() {
            return order;
        }
        left = left.get(one.len()..).unwrap_or_default();
        right = right.get(two.len()..).unwrap_or_default();
    }
}

/// The leading run of digits, or of anything else.
fn chunk(text: &str) -> &str {
    let digit = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text
        .find(|c: char| c.is_ascii_digit() != digit)
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
