//! VestaBench-B50 where it lies: the published task file, and beside it or elsewhere the initial graphs.

use std::path::{Path, PathBuf};

use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::formats::b50::graph::{self, Graph};
use crate::formats::b50::record::{self, Record};
use crate::formats::b50::task;
use crate::formats::scene::SceneFile;
use crate::store::files;
use crate::task::Task;

/// The opened task file.
#[derive(Debug)]
pub struct B50 {
    name: String,
    records: Vec<Record>,
    /// Folders of graphs, the first that has one wins.
    graphs: Vec<PathBuf>,
}

impl B50 {
    /// Opens a task file of these bytes. Graphs are looked for in `graphs`, then in a folder of that name beside the file.
    ///
    /// # Errors
    /// No line is a task.
    pub fn open(path: &Path, bytes: &[u8], graphs: &[PathBuf]) -> Result<Read<Self>, Diagnostic> {
        let name = path.display().to_string();
        let (records, notes) = record::read(&name, bytes)?;
        let mut graphs = graphs.to_vec();
        graphs.extend(path.parent().map(|dir| dir.join("graphs")));
        let opened = Self {
            name,
            records,
            graphs,
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
        Err(
            Diagnostic::error("", format!("no graph of {} was found", record.task_id))
                .help("name the folder of graphs with --graphs DIR")
                .in_file(&self.name),
        )
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
