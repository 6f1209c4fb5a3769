//! Jobs about saved runs: reading one and playing it again.

use std::sync::Arc;

use super::{Sources, long};
use crate::app::jobs::Reply;
use crate::app::long::WHOLE;
use crate::app::runs::{Again, LoadedRun};
use crate::base::diag::Diagnostic;
use crate::formats::trace::foreign;
use crate::store::runs::{self, SavedRun};

/// Reads a run and plays it again.
pub(super) fn load(sources: &Sources, name: &str) -> Result<Reply, String> {
    let found = sources.runs().and_then(|root| runs::find(&root, name));
    let folder = found.map_err(|d| d.to_string())?;
    if SavedRun::peek(&folder).is_ok_and(|(header, _)| foreign::is_foreign(&header)) {
        return Ok(Reply::Foreign(folder));
    }
    let bytes = runs::events_size(&folder);
    if bytes > sources.whole.unwrap_or(WHOLE) {
        let long = long::begun(&folder, bytes).map_err(|d| d.to_string())?;
        return Ok(Reply::LongRun(long));
    }
    let run = SavedRun::read(&folder).map_err(|d| d.to_string())?;
    Ok(Reply::Run(Arc::new(loaded(run))))
}

/// A run as screens and commands show it, played again. One that cannot be is shown all the same.
pub fn loaded(run: SavedRun) -> LoadedRun {
    let again = run.replay().map(|again| Again {
        episode: again.episode,
        drifts: again.drifts,
    });
    LoadedRun {
        spent: run.spent(),
        read_only: runs::read_only(&run),
        findings: run.findings().map(Diagnostic::to_string).collect(),
        is_cut: !run.events.findings.is_empty(),
        again: again.map_err(|d| d.to_string()),
        folder: run.folder,
        header: run.header,
        window: None,
        events: run.events.items,
        notes: run.notes.items,
    }
}
