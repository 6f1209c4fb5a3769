//! Jobs about labels: which runs a queue is made of, and what reviewers said of each.

use std::path::Path;

use super::{Control, Sources};
use crate::agent::card::Card;
use crate::app::jobs::Reply;
use crate::app::labels::{Asked, Item};
use crate::formats::run::NoteBody;
use crate::query::row::Stage;
use crate::query::shelf::Sort;
use crate::query::{Query, read};
use crate::store::index::Indexer;
use crate::store::runs::{self, SavedRun};

/// Runs done between two looks at how far it is.
const AT_ONCE: usize = 20;

/// The runs of a queue.
pub(super) fn queue(sources: &Sources, control: &Control, asked: &Asked) -> Result<Reply, String> {
    let found = gather(sources, asked, &|done, total| {
        control.progress(done, total);
        !control.is_cancelled()
    })?;
    Ok(Reply::Labels(found))
}

/// The runs that are asked for, those named in their order, else those that fit the query, the newest first. `tell` hears how
/// many are read, of how many, and says whether to go on.
///
/// # Errors
/// There is no such run or folder, or the query cannot be read; one sentence.
pub fn gather(
    sources: &Sources,
    asked: &Asked,
    tell: &dyn Fn(u64, u64) -> bool,
) -> Result<Vec<Item>, String> {
    if asked.runs.is_empty() {
        return fitting(sources, asked, tell);
    }
    let root = match asked.roots.first() {
        Some(root) => root.clone(),
        None => sources.runs().map_err(|d| d.to_string())?,
    };
    let total = asked.runs.len() as u64;
    let mut items = Vec::new();
    for (at, name) in asked.runs.iter().enumerate() {
        if !tell(at as u64, total) {
            break;
        }
        let folder = runs::find(&root, name).map_err(|d| d.to_string())?;
        items.push(item(&folder));
    }
    Ok(items)
}

fn fitting(
    sources: &Sources,
    asked: &Asked,
    tell: &dyn Fn(u64, u64) -> bool,
) -> Result<Vec<Item>, String> {
    let query: Query = read(asked.query()).map_err(|wrong| wrong.to_string())?;
    let roots = if asked.roots.is_empty() {
        vec![sources.runs().map_err(|d| d.to_string())?]
    } else {
        asked.roots.clone()
    };
    for root in &roots {
        if !asked.roots.is_empty() && !root.is_dir() {
            let root = root.display();
            return Err(format!("{root}: there is no such folder; check the name"));
        }
    }
    let needs = query.needs().max(Stage::Judged);
    let (mut indexer, _) = Indexer::open(roots.clone(), sources.cache.as_deref());
    indexer.list().map_err(|d| d.to_string())?;
    while needs == Stage::Armed || !indexer.is_arming() {
        let (_, judged, all) = indexer.counts();
        if !tell(judged as u64, all as u64) {
            return Err("nobody waits for it".to_owned());
        }
        if !indexer.advance(AT_ONCE, &|| true) {
            break;
        }
    }
    // An index that cannot be kept costs time only; Runs tells of it.
    let _ = indexer.save();
    let shelf = indexer.shelf();
    let mut rows = shelf.matching(&query).rows;
    Sort::default().sort(&shelf, &mut rows);
    let folders = rows.iter().filter_map(|at| {
        let row = shelf.rows.get(*at as usize)?;
        Some(roots.get(row.root as usize)?.join(&*row.id))
    });
    Ok(folders.map(|folder| item(&folder)).collect())
}

/// A run with what was said of it.
pub fn item(folder: &Path) -> Item {
    let id = folder.file_name().unwrap_or_default();
    let mut item = Item {
        folder: folder.to_owned(),
        id: id.to_string_lossy().into_owned(),
        ..Item::default()
    };
    match SavedRun::peek(folder) {
        Ok((header, notes)) => {
            item.task = header.task_id().unwrap_or_default();
            let card = header.player.as_deref().map(Card::read);
            item.who = match card {
                Some(Ok(card)) => card.title(),
                _ => header.agent,
            };
            for note in notes {
                if let NoteBody::Label(label) = note.body {
                    item.labels.insert(label.by.clone(), label);
                }
            }
        }
        Err(d) => item.fault = d.to_string(),
    }
    item
}
