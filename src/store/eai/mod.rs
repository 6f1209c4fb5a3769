//! The published EAI tasks where they lie: an installed `eai-eval` package or its downloaded wheel, read member by
//! member. The wheel holds 423 MB in 27; nothing is unpacked beyond the member asked for.

use std::collections::BTreeMap;
use std::path::Path;

use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::formats::eai::{self, Entry};
use crate::formats::program::{self, Program};
use crate::formats::scene::{self, SceneFile, Which};
use crate::sim::virtualhome;
use crate::store::source::{Dir, Source, Zip};
use crate::task::Task;

const PACKAGE: &str = "virtualhome_eval";
const RESOURCES: &str = "resources/virtualhome";
const GOALS: &str = "resources/virtualhome/task_state_LTL_formula_accurate.json";
const DATA: &str = "dataset/programs_processed_precond_nograb_morepreconds";
const PROGRAMS: &str = "executable_programs";
const GRAPHS: &str = "init_and_final_graphs";
const RESULTS: &str = "results_intentions_march-13-18";

/// An opened collection.
#[derive(Debug)]
pub struct Eai {
    source: Box<dyn Source>,
    /// How messages name it.
    name: String,
    /// What stands before the package's own paths: empty or ending in a slash.
    root: String,
    version: String,
    entries: Vec<Entry>,
    categories: BTreeMap<String, Vec<String>>,
}

/// A program of the collection, whether or not it has goals.
#[derive(Clone, Debug)]
pub struct Conformance {
    /// Its id.
    pub id: String,
    /// Title, description and lines.
    pub program: Program,
    /// The graph file, holding the scene before and after.
    pub graph: Vec<u8>,
}

impl Eai {
    /// Opens a folder (site-packages or the package in it) or a wheel, if it is one.
    ///
    /// # Errors
    /// It is one, but its goals cannot be read. `Ok(None)`: it is something else.
    pub fn open(path: &Path) -> Result<Option<(Self, Vec<Diagnostic>)>, Diagnostic> {
        let source: Box<dyn Source> = if path.is_dir() {
            Box::new(Dir(path.to_owned()))
        } else {
            Box::new(Zip::open(path)?)
        };
        Self::in_source(source, &path.display().to_string())
    }

    /// Opens a collection in a source.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn in_source(
        source: Box<dyn Source>,
        name: &str,
    ) -> Result<Option<(Self, Vec<Diagnostic>)>, Diagnostic> {
        let top = source.list("")?;
        let root = if top.iter().any(|n| n == PACKAGE) {
            format!("{PACKAGE}/")
        } else if source.list(RESOURCES).is_ok_and(|l| !l.is_empty()) {
            String::new()
        } else {
            return Ok(None);
        };
        let version = version(&top, &root, Path::new(name));
        let read = |member: &str| source.read(&format!("{root}{member}"));
        let (entries, mut notes) =
            eai::read_goals(&format!("{name}/{root}{GOALS}"), &read(GOALS)?)?;
        let file = "resources/virtualhome/id2category_2.json";
        let categories = or_note(
            read(file).and_then(|b| eai::read_categories(file, &b)),
            &mut notes,
        );
        let file = "resources/virtualhome/id2task.json";
        let names = or_note(
            read(file).and_then(|b| eai::read_names(file, &b)),
            &mut notes,
        );
        for entry in &entries {
            if !names.is_empty() && names.get(&entry.id) != Some(&entry.activity) {
                notes.push(
                    Diagnostic::warning(&*entry.id, "the task index names another activity")
                        .in_file(file),
                );
            }
        }
        let eai = Self {
            name: name.to_owned(),
            root,
            version,
            entries,
            categories,
            source,
        };
        Ok(Some((eai, notes)))
    }

    /// The tasks with goals, in file order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The version of the package, empty where unknown.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The categories of a task.
    pub fn categories(&self, id: &str) -> &[String] {
        self.categories.get(id).map_or(&[], Vec::as_slice)
    }

    /// The task without its goals' text: no graph is read.
    ///
    /// # Errors
    /// Its program cannot be read.
    pub fn outline(&self, entry: &Entry) -> Result<Task, Diagnostic> {
        let program = self.program(&entry.scene, &entry.id)?;
        eai::task(self.described(entry, &program), None)
    }

    /// The task and its scene.
    ///
    /// # Errors
    /// A file is missing or wrong, or the goals do not fit the scene.
    pub fn load(&self, entry: &Entry) -> Result<Read<(Task, SceneFile)>, Diagnostic> {
        let program = self.program(&entry.scene, &entry.id)?;
        let (member, bytes) = self.graph(&entry.scene, &entry.id)?;
        let (file, notes) = scene::read(&virtualhome::DIALECT, &member, &bytes, Which::Initial)?;
        let task = eai::task(self.described(entry, &program), Some(&file.scene))?;
        Ok(((task, file), notes))
    }

    fn described<'s>(&'s self, entry: &'s Entry, program: &'s Program) -> eai::Source<'s> {
        eai::Source {
            entry,
            program,
            categories: self.categories(&entry.id),
            version: &self.version,
        }
    }

    fn member(&self, kind: &str, scene: &str, file: &str) -> String {
        format!(
            "{}{DATA}/{kind}/TrimmedTestScene{scene}_graph/{RESULTS}/{file}",
            self.root
        )
    }

    fn program(&self, scene: &str, id: &str) -> Result<Program, Diagnostic> {
        let member = self.member(PROGRAMS, scene, &format!("file{id}.txt"));
        let (program, _) = program::read(&member, &self.source.read(&member)?)?;
        Ok(program)
    }

    fn graph(&self, scene: &str, id: &str) -> Result<(String, Vec<u8>), Diagnostic> {
        let member = self.member(GRAPHS, scene, &format!("file{id}.json"));
        let bytes = self.source.read(&member)?;
        Ok((member, bytes))
    }

    /// All programs of scene 1 with their graphs, sorted by id, read one by one as they are asked for.
    ///
    /// # Errors
    /// The folder cannot be listed; then each program has its own.
    pub fn programs(
        &self,
    ) -> Result<impl Iterator<Item = Result<Conformance, Diagnostic>> + '_, Diagnostic> {
        let folder = self.member(PROGRAMS, SCENE, "");
        let names = self.source.list(folder.trim_end_matches('/'))?;
        let ids = names
            .into_iter()
            .filter_map(|n| Some(n.strip_prefix("file")?.strip_suffix(".txt")?.to_owned()));
        Ok(ids.map(|id| {
            Ok(Conformance {
                program: self.program(SCENE, &id)?,
                graph: self.graph(SCENE, &id)?.1,
                id,
            })
        }))
    }

    /// How messages name the collection.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The one scene the published programs are set in.
const SCENE: &str = "1";

fn or_note<T: Default>(result: Result<T, Diagnostic>, notes: &mut Vec<Diagnostic>) -> T {
    result.unwrap_or_else(|mut d| {
        d.severity = crate::base::diag::Severity::Warning;
        notes.push(d);
        T::default()
    })
}

/// The version by the name of the package's `dist-info` folder, which lies beside the package.
fn version(top: &[String], root: &str, path: &Path) -> String {
    let known = |names: &[String]| {
        names.iter().find_map(|n| {
            let rest = n.strip_prefix("eai_eval-")?.strip_suffix(".dist-info")?;
            Some(rest.to_owned())
        })
    };
    if !root.is_empty() {
        return known(top).unwrap_or_default();
    }
    // The package folder itself was named.
    path.parent()
        .and_then(|parent| Dir(parent.to_owned()).list("").ok())
        .and_then(|names| known(&names))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
