//! Definitions of activities where they lie: the published `bddl` package, a folder of definition files, or one such file.

use std::path::{Path, PathBuf};

use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::formats::b50::abilities::Abilities;
use crate::formats::b50::alone::{self, Alone};
use crate::formats::bddl::hierarchy::Hierarchy;
use crate::formats::bddl::{self, Problem, package};
use crate::formats::scene::SceneFile;
use crate::store::bddl::Package;
use crate::store::files;
use crate::task::Task;

/// What a definition file ends in.
const ENDING: &str = "bddl";

/// Where types are told of, if the file or folder does not lie in a package.
const HELP: &str = "the states of its objects stand in the hierarchy of bddl 1.0.1; name that archive with --graphs";

/// One definition.
#[derive(Debug)]
pub struct Entry {
    /// Its name: the activity, with the number of the definition where that is not 0; else the file's.
    pub id: String,
    /// The activity.
    pub activity: String,
    /// How messages name the file.
    pub file: String,
    /// What it says, or what is wrong with it.
    pub problem: Result<Problem, Diagnostic>,
    bytes: Vec<u8>,
}

/// The types there are, and what objects of them can be.
#[derive(Debug)]
struct Types {
    hierarchy: Hierarchy,
    abilities: Abilities,
}

/// The opened definitions.
#[derive(Debug)]
pub struct Definitions {
    name: String,
    entries: Vec<Entry>,
    types: Option<Types>,
}

impl Definitions {
    /// Opens a package, a folder or a file. The hierarchy is that of the package or of a folder around the file; where
    /// there is none, that of a package in `beside`. `Ok(None)`: here are no definitions.
    ///
    /// # Errors
    /// It cannot be read, or its hierarchy is wrong.
    pub fn open(path: &Path, beside: &[PathBuf]) -> Result<Option<Read<Self>>, Diagnostic> {
        let name = path.display().to_string();
        let (mut entries, mut types, mut notes) = (Vec::new(), None, Vec::new());
        let is_file = path.is_file();
        let is_one = is_file && path.extension().is_some_and(|e| e == ENDING);
        let package = match (is_one, is_file) {
            (true, _) => None,
            (false, true) => Some(Package::open(path)?),
            // A folder may hold files that belong to no package.
            (false, false) => Package::open(path).ok(),
        };
        if let Some(package) = &package {
            let problems = package.problems();
            let all = package.read_all(problems);
            for (entry, bytes) in problems.iter().zip(all) {
                let file = format!("{name}/{}", entry.path);
                entries.push(one(
                    numbered(entry),
                    &entry.activity,
                    file,
                    bytes,
                    &mut notes,
                ));
            }
            types = types_of(package)?;
        } else {
            let found = if is_file {
                vec![path.to_owned()]
            } else {
                below(path)?
            };
            for file in found {
                let shown = file.display().to_string();
                let (id, activity) = called(&file);
                entries.push(one(id, &activity, shown, files::read(&file), &mut notes));
            }
            let around = path.ancestors().skip(1).take(3);
            for folder in around {
                types = match types {
                    None => Package::open(folder)
                        .ok()
                        .as_ref()
                        .map_or(Ok(None), types_of)?,
                    known => known,
                };
            }
        }
        for other in beside {
            types = match types {
                None => Package::open(other)
                    .ok()
                    .as_ref()
                    .map_or(Ok(None), types_of)?,
                known => known,
            };
        }
        // Definitions of one name are told apart by their number in the list.
        entries.sort_by(|a, b| a.id.cmp(&b.id));
        let opened = Self {
            name,
            entries,
            types,
        };
        Ok((!opened.entries.is_empty()).then_some((opened, notes)))
    }

    /// The definitions, sorted by name.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How messages name where they lie.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What keeps a definition from being played: it is wrong, names an unknown type, or has a goal that cannot be judged.
    /// `None` where nothing does.
    pub fn fault(&self, entry: &Entry) -> Option<Diagnostic> {
        let problem = match &entry.problem {
            Ok(problem) => problem,
            Err(d) => return Some(d.clone()),
        };
        let unknown = self
            .types
            .as_ref()
            .and_then(|t| t.hierarchy.unknown(problem).into_iter().next());
        unknown
            .or_else(|| alone::unjudged(problem))
            .map(|d| d.in_file(&entry.file))
    }

    /// The task of a definition with a scene made for it.
    ///
    /// # Errors
    /// As [`Self::fault`] says, or no hierarchy is known.
    pub fn load(&self, entry: &Entry) -> Result<Read<(Task, SceneFile)>, Diagnostic> {
        let problem = entry.problem.as_ref().map_err(Clone::clone)?;
        let types = self.types.as_ref().ok_or_else(|| {
            Diagnostic::error("", "no scene can be made of this definition alone")
                .help(HELP)
                .in_file(&entry.file)
        })?;
        let opened = alone::open(Alone {
            id: &entry.id,
            activity: &entry.activity,
            problem,
            bytes: &entry.bytes,
            hierarchy: &types.hierarchy,
            abilities: &types.abilities,
        });
        let ((task, graph), notes) = opened.map_err(|d| d.in_file(&entry.file))?;
        Ok(((task, SceneFile::from(graph.scene)), notes))
    }
}

/// A definition as it was read; what is odd in it goes to the notes.
fn one(
    id: String,
    activity: &str,
    file: String,
    bytes: Result<Vec<u8>, Diagnostic>,
    notes: &mut Vec<Diagnostic>,
) -> Entry {
    let (problem, bytes) = match bytes {
        Ok(bytes) => (bddl::read(&file, &bytes), bytes),
        Err(d) => (Err(d), Vec::new()),
    };
    Entry {
        id,
        activity: activity.to_owned(),
        problem: problem.map(|(problem, told)| {
            notes.extend(told);
            problem
        }),
        file,
        bytes,
    }
}

fn types_of(package: &Package) -> Result<Option<Types>, Diagnostic> {
    let Some((name, bytes)) = package.hierarchy_bytes()? else {
        return Ok(None);
    };
    Ok(Some(Types {
        hierarchy: Hierarchy::read(&name, &bytes)?,
        abilities: Abilities::read(&name, &bytes)?,
    }))
}

fn numbered(entry: &package::Entry) -> String {
    match entry.definition {
        0 => entry.activity.clone(),
        n => format!("{}_{n}", entry.activity),
    }
}

/// The definition files in a folder and in the folders in it; those of domains define no activity.
fn below(folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let (mut found, folders) = files::entries(folder)?;
    for inner in folders {
        found.extend(files::list(&inner, ENDING)?);
    }
    found.retain(|p| {
        p.extension().is_some_and(|e| e == ENDING) && !files::stem(p).starts_with("domain_")
    });
    found.sort();
    Ok(found)
}

/// What a definition file is called, and the activity it defines: `making_tea/problem0.bddl` and `making_tea.bddl` are of
/// making tea.
fn called(file: &Path) -> (String, String) {
    let stem = files::stem(file);
    let folder = file.parent().map(files::stem).unwrap_or_default();
    let number = stem
        .strip_prefix("problem")
        .and_then(|n| n.parse::<u32>().ok());
    match number {
        Some(0) if !folder.is_empty() => (folder.clone(), folder),
        Some(n) if !folder.is_empty() => (format!("{folder}_{n}"), folder),
        _ => (stem.clone(), stem),
    }
}
