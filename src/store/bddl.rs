//! The published `bddl` package where it lies: a folder, or the archive as it is downloaded.

use std::path::Path;

use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::formats::bddl::hierarchy::Hierarchy;
use crate::formats::bddl::package::{self, Entry};
use crate::formats::bddl::{self, Problem};
use crate::store::source::{self, Source};

/// The opened package.
#[derive(Debug)]
pub struct Package {
    name: String,
    source: Box<dyn Source>,
    problems: Vec<Entry>,
    hierarchy: Option<String>,
}

/// The folder of definitions, and folders that may hold a hierarchy.
const DEFINITIONS: &str = "activity_definitions";
const DATA: &str = "generated_data";

impl Package {
    /// Opens a folder or archive: that of the package, the folder `bddl` in it, or what it was unpacked to.
    ///
    /// # Errors
    /// It cannot be read or holds no definitions.
    pub fn open(path: &Path) -> Result<Self, Diagnostic> {
        let name = path.display().to_string();
        let source = source::open(path)?;
        let Some(root) = root(&*source)? else {
            return Err(
                Diagnostic::error("", format!("holds no folder {DEFINITIONS}"))
                    .help("name the bddl package: its archive, or the folder it was unpacked to")
                    .in_file(&name),
            );
        };
        let mut paths = Vec::new();
        let definitions = below(&root, DEFINITIONS);
        for activity in source.list(&definitions)? {
            // Beside the folders of activities lie files of domains.
            if Path::new(&activity)
                .extension()
                .is_some_and(|e| e == "bddl")
            {
                continue;
            }
            let folder = below(&definitions, &activity);
            let members = source.list(&folder)?;
            paths.extend(members.iter().map(|m| below(&folder, m)));
        }
        let problems = package::problems(paths.iter().map(String::as_str));
        let mut beside: Vec<String> = source
            .list(&root)?
            .iter()
            .map(|m| below(&root, m))
            .collect();
        let data = below(&root, DATA);
        if beside.contains(&data) {
            beside.extend(source.list(&data)?.iter().map(|m| below(&data, m)));
        }
        let hierarchy = package::hierarchy(beside.iter().map(String::as_str)).map(str::to_owned);
        Ok(Self {
            name,
            source,
            problems,
            hierarchy,
        })
    }

    /// Its problems, sorted by activity.
    pub fn problems(&self) -> &[Entry] {
        &self.problems
    }

    /// Reads a problem.
    ///
    /// # Errors
    /// It cannot be read or is wrong.
    pub fn problem(&self, entry: &Entry) -> Result<Read<Problem>, Diagnostic> {
        let bytes = self.source.read(&entry.path)?;
        bddl::read(&format!("{}/{}", self.name, entry.path), &bytes)
    }

    /// The bytes of problems, in their order; an archive is gone through once.
    pub fn read_all(&self, entries: &[Entry]) -> Vec<Result<Vec<u8>, Diagnostic>> {
        let paths: Vec<&str> = entries.iter().map(|e| e.path.as_str()).collect();
        self.source.read_all(&paths)
    }

    /// Its hierarchy of types, if it has one.
    ///
    /// # Errors
    /// It cannot be read or is wrong.
    pub fn hierarchy(&self) -> Result<Option<Hierarchy>, Diagnostic> {
        let found = self.hierarchy_bytes()?;
        let read = |(name, bytes): (String, Vec<u8>)| Hierarchy::read(&name, &bytes);
        found.map(read).transpose()
    }

    /// The bytes of its hierarchy, with the file's name for messages.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn hierarchy_bytes(&self) -> Result<Option<(String, Vec<u8>)>, Diagnostic> {
        let Some(path) = &self.hierarchy else {
            return Ok(None);
        };
        let bytes = self.source.read(path)?;
        Ok(Some((format!("{}/{path}", self.name), bytes)))
    }
}

fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// The folder in which the definitions lie: the top, `bddl`, or these within the one folder an archive holds.
fn root(source: &dyn Source) -> Result<Option<String>, Diagnostic> {
    let top = source.list("")?;
    let mut folders = vec![String::new()];
    let wanted = |n: &&String| **n == "bddl" || n.starts_with("bddl-");
    for name in top.iter().filter(wanted) {
        folders.push(name.clone());
        folders.push(below(name, "bddl"));
    }
    for folder in folders {
        // A name that is no folder holds nothing.
        let members = source.list(&folder).unwrap_or_default();
        if members.iter().any(|m| m == DEFINITIONS) {
            return Ok(Some(folder));
        }
    }
    Ok(None)
}
