//! The rule book in force: shipped ontology, facts and rules, and the user's beside them; read once.
//!
//! A user's file takes the place of the shipped one of the same name; others are added. They lie in `assets/rules` and
//! `assets/ontology` of the current folder, or in `rules` and `ontology` of the configuration folder; the current
//! folder wins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::base::diag::Diagnostic;
use crate::safety::book::Book;
use crate::store::{files, shipped};

/// A book with all that is wrong with its files.
#[derive(Clone, Debug, Default)]
pub struct Read {
    /// The book.
    pub book: Arc<Book>,
    /// Faults of files; what has a fault is not in the book.
    pub problems: Vec<Diagnostic>,
    /// The files that are not as shipped.
    pub changed: Vec<String>,
}

impl Read {
    /// How many rules come from files that are not as shipped.
    pub fn own(&self) -> usize {
        let rules = self.book.rules.iter();
        rules.filter(|r| self.changed.contains(&r.place.0)).count()
    }
}

static CONFIG: OnceLock<Option<PathBuf>> = OnceLock::new();
static READ: OnceLock<Read> = OnceLock::new();

/// Says where the user's configuration folder is. Must come before the first [`book`]; without it there is none.
pub fn configured(folder: Option<PathBuf>) {
    // A second call changes nothing: the book is the same for the whole life of the program.
    let _ = CONFIG.set(folder);
}

/// The user's configuration folder, once it was said where it is.
pub fn config_folder() -> Option<&'static Path> {
    CONFIG.get().and_then(|folder| folder.as_deref())
}

/// The book; the same for the whole life of the program.
pub fn book() -> Arc<Book> {
    usual().book.clone()
}

/// The book with what is wrong with its files.
pub fn usual() -> &'static Read {
    READ.get_or_init(|| {
        let config = CONFIG.get_or_init(|| None);
        read(Path::new("."), config.as_deref(), &[])
    })
}

/// Reads the shipped files, those of the two places, and more by name and text.
pub fn read(here: &Path, config: Option<&Path>, more: &[(String, String)]) -> Read {
    let mut problems = Vec::new();
    // Shipped ones first: of two rules of one id, the user's is told to be the second.
    let mut found: BTreeMap<(bool, String), (String, String)> = BTreeMap::new();
    for file in shipped::KNOWLEDGE {
        let text = String::from_utf8_lossy(file.bytes).into_owned();
        found.insert((false, short(file.path)), (short(file.path), text));
    }
    let mut folders = Vec::new();
    for (kind, extension) in [("rules", "rules"), ("ontology", "ont")] {
        folders.extend(config.map(|c| (c.join(kind), extension)));
        folders.push((here.join("assets").join(kind), extension));
    }
    for (folder, extension) in folders {
        let (paths, folders) = files::entries(&folder).unwrap_or_else(|d| {
            problems.push(d);
            (Vec::new(), Vec::new())
        });
        // A folder called like a file is not what anybody meant; a fault of reading it says so.
        let ours = |path: &PathBuf| path.extension().is_some_and(|e| e == extension);
        let wanted = |path: &PathBuf| ours(path) && !is_among(path, more);
        for path in paths.into_iter().chain(folders).filter(wanted) {
            let name = path.display().to_string();
            match text(&path) {
                Ok(text) => {
                    let shipped = found.contains_key(&(false, short(&name)));
                    found.insert((!shipped, short(&name)), (name, text));
                }
                Err(d) => problems.push(d),
            }
        }
    }
    let pairs: Vec<(&str, &str)> = found
        .values()
        .chain(more)
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let is_shipped = |text: &&(&str, &str)| {
        let mut all = shipped::KNOWLEDGE.iter();
        all.any(|f| f.bytes == text.1.as_bytes())
    };
    let changed = pairs.iter().filter(|pair| !is_shipped(pair));
    let changed = changed.map(|(name, _)| (*name).to_owned()).collect();
    let (book, wrong) = Book::load(&pairs);
    problems.extend(wrong);
    Read {
        book: Arc::new(book),
        problems,
        changed,
    }
}

/// Whether a file is one of these: then its text is theirs, and it clashes with nothing of its own.
fn is_among(path: &Path, named: &[(String, String)]) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let here = real(path);
    here.is_some() && named.iter().any(|(name, _)| real(Path::new(name)) == here)
}

/// A text file.
///
/// # Errors
/// It cannot be read or is no text.
pub fn text(path: &Path) -> Result<String, Diagnostic> {
    let text = String::from_utf8(files::read(path)?).map_err(|_| {
        Diagnostic::error("", "this is no text")
            .help("save it as UTF-8")
            .in_file(&path.display().to_string())
    })?;
    Ok(lines(text))
}

/// The text without the mark some editors begin with, its lines ended as everywhere.
pub fn lines(text: String) -> String {
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text
    }
}

/// The last part of a path, the name that overrides.
fn short(path: &str) -> String {
    Path::new(path)
        .file_name()
        .map_or_else(|| path.to_owned(), |n| n.to_string_lossy().into_owned())
}
