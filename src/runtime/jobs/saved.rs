//! Jobs about saved runs: reading one and playing it again.

use std::sync::Arc;

use super::Sources;
use crate::app::jobs::Reply;
use crate::app::runs::{Again, LoadedRun};
use crate::base::diag::Diagnostic;
use crate::store::runs::{self, SavedRun};

/// Reads a run and plays it again. A run that cannot be played again is read all the same.
pub(super) fn load(sources: &Sources, name: &str) -> Result<Reply, String> {
    let found = sources
        .runs()
        .and_then(|root| runs::find(&root, name))
        .and_then(|folder| SavedRun::read(&folder));
    let run = found.map_err(|d| d.to_string())?;
    let again = run.replay().map(|again| Again {
        episode: again.episode,
        drifts: again.drifts,
    });
    Ok(Reply::Run(Arc::new(LoadedRun {
        read_only: runs::read_only(&run),
        findings: run.findings().map(Diagnostic::to_string).collect(),
        is_cut: !run.events.findings.is_empty(),
        again: again.map_err(|d| d.to_string()),
        header: run.header,
        events: run.events.items,
        notes: run.notes.items,
    })))
}
