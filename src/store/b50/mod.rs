//! VestaBench-B50 where it lies: the published task file, and beside it or elsewhere the initial graphs, or the packages
//! they are built from.

use std::path::{Path, PathBuf};

use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::formats::b50::graph::{self, Graph};
use crate::formats::b50::record::{self, Record};
use crate::formats::b50::task;
use crate::formats::scene::SceneFile;
use crate::store::b50::packages::Packages;
use crate::store::files;
use crate::task::Task;

mod packages;

/// What to do where there are no graphs.
const HELP: &str = "name a folder of graphs with --graphs, or the eai-eval 1.0.5 wheel and the bddl 1.0.1 archive with one \
                    --graphs each";

/// The opened task file.
#[derive(Debug)]
pub struct B50 {
    name: String,
    records: Vec<Record>,
    /// Folders of graphs, the first that has one wins.
    graphs: Vec<PathBuf>,
    packages: Packages,
}

impl B50 {
    /// Opens a task file of these bytes. Graphs are looked for in the folders of `graphs`; those that are nowhere are built
    /// from the packages in `graphs`, or where no package is named looked for in a folder `graphs` beside the file.
    ///
    /// # Errors
    /// No line is a task.
    pub fn open(path: &Path, bytes: &[u8], graphs: &[PathBuf]) -> Result<Read<Self>, Diagnostic> {
        let name = path.display().to_string();
        let (records, mut notes) = record::read(&name, bytes)?;
        let mut packages = Packages::default();
        let (mut folders, archives): (Vec<PathBuf>, Vec<PathBuf>) =
            graphs.iter().cloned().partition(|path| path.is_dir());
        for folder in &folders {
            // A folder that is no package is one of graphs.
            if let Err(d) = packages.add(folder) {
                notes.push(d);
            }
        }
        for archive in &archives {
            match packages.add(archive) {
                Ok(true) => {}
                Ok(false) => notes.push(
                    Diagnostic::error("", "this is neither the eai-eval nor the bddl package")
                        .help(HELP)
                        .in_file(&archive.display().to_string()),
                ),
                Err(d) => notes.push(d),
            }
        }
        // What was named counts before what merely lies there.
        if packages.is_empty() {
            folders.extend(path.parent().map(|dir| dir.join("graphs")));
        }
        let opened = Self {
            name,
            records,
            graphs: folders,
            packages,
        };
        Ok((opened, notes))
    }

    /// The tasks, in file order.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// How messages name the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The graph of a task.
    ///
    /// # Errors
    /// There is none, or it is wrong.
    pub fn graph(&self, record: &Record) -> Result<Read<Graph>, Diagnostic> {
        let file = format!("{}.json", record.task_id);
        for folder in &self.graphs {
            let path = folder.join(&file);
            if path.is_file() {
                return graph::read(&path.display().to_string(), &files::read(&path)?);
            }
        }
        if self.packages.is_empty() {
            return Err(
                Diagnostic::error("", format!("no graph of {} was found", record.task_id))
                    .help(HELP)
                    .in_file(&self.name),
            );
        }
        let built = self.packages.graph(&record.task_id, record.activity());
        built.map_err(|d| d.in_file(&self.name))
    }

    /// The task and its scene.
    ///
    /// # Errors
    /// Its graph is missing or wrong.
    pub fn load(&self, record: &Record) -> Result<Read<(Task, SceneFile)>, Diagnostic> {
        let (graph, notes) = self.graph(record)?;
        let task = task::task(record, &graph)?;
        Ok(((task, SceneFile::from(graph.scene)), notes))
    }
}
