//! Jobs about the library of runs: telling what is known of them, finding out the rest, keeping views.

use std::path::{Path, PathBuf};

use super::{Control, Sources};
use crate::app::jobs::Reply;
use crate::app::shelves::{Shelved, VIEWS_FILE, View, read_views, with_view};
use crate::base::diag::Diagnostic;
use crate::store::index::{Indexer, visited};
use crate::store::{book, durable, files};

/// Runs done between two tellings in the first pass, and in those that play them again.
const READ_AT_ONCE: usize = 200;

/// See [`READ_AT_ONCE`].
const PLAYED_AT_ONCE: usize = 20;

/// Tells what is kept of the runs at once, then what is found out, until nothing is left or nobody waits.
pub(super) fn shelve(
    sources: &Sources,
    control: &Control,
    folders: &[PathBuf],
    arms: bool,
) -> Result<Reply, String> {
    let folders = if folders.is_empty() {
        vec![sources.runs().map_err(|d| d.to_string())?]
    } else {
        folders.to_vec()
    };
    let cache = sources.cache.as_deref();
    let since = visited(&folders, cache);
    let (mut indexer, wrong) = Indexer::open(folders.clone(), cache);
    let wrong: Vec<String> = wrong.iter().map(Diagnostic::to_string).collect();
    let views = views();
    let told = |indexer: &mut Indexer, wrong: Vec<String>| Shelved {
        news: indexer.news(),
        folders: folders.clone(),
        wrong,
        since: since.clone(),
        views: views.clone(),
    };
    let mut wrong = Some(wrong);
    let mut part = |indexer: &mut Indexer| {
        let shelved = told(indexer, wrong.take().unwrap_or_default());
        control.part(Reply::Shelf(Box::new(shelved)));
    };
    let alone = control.to.is_none();
    if !alone && !indexer.is_empty() {
        part(&mut indexer);
    }
    indexer.list().map_err(|d| d.to_string())?;
    if !alone {
        part(&mut indexer);
    }
    let go_on = || !control.is_cancelled();
    while go_on() && (arms || !indexer.is_arming()) {
        let at_once = if indexer.is_reading() {
            READ_AT_ONCE
        } else {
            PLAYED_AT_ONCE
        };
        let more = indexer.advance(at_once, &go_on);
        if !alone && indexer.has_news() {
            part(&mut indexer);
        }
        if !more {
            break;
        }
    }
    let kept = indexer.save();
    let mut last = wrong.take().unwrap_or_default();
    last.extend(kept.err().map(|d| d.to_string()));
    Ok(Reply::Shelf(Box::new(told(&mut indexer, last))))
}

fn views_file() -> Option<PathBuf> {
    book::config_folder().map(|folder| folder.join(VIEWS_FILE))
}

fn text_of(path: &Path) -> Result<String, String> {
    if !path.exists() {
        return Ok(String::new());
    }
    let bytes = files::read(path).map_err(|d| d.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The user's named queries; none where they cannot be read, which keeping one tells.
fn views() -> Vec<View> {
    let text = views_file().and_then(|path| text_of(&path).ok());
    read_views(&text.unwrap_or_default())
}

/// Keeps a query under a name.
pub(super) fn keep(view: &View) -> Result<Reply, String> {
    let Some(path) = views_file() else {
        return Err(
            "there is no configuration folder to keep a view in; set VESTA_CONFIG_DIR".to_owned(),
        );
    };
    let text = with_view(&text_of(&path)?, view);
    save(&path, &text)?;
    Ok(Reply::Views(read_views(&text)))
}

/// Writes a text of the user's choice.
pub(super) fn write(path: &Path, text: &str) -> Result<Reply, String> {
    save(path, text)?;
    Ok(Reply::Written(path.display().to_string()))
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    let saved = durable::make_room(path).and_then(|()| durable::save(path, text.as_bytes()));
    saved.map_err(|d| d.to_string())
}
