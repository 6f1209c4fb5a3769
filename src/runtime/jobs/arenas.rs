//! Jobs about arenas: playing them, asking what moves them. Nothing is read or written.

use std::sync::Arc;

use crate::app::arenas::{ArenaJob, ArenaReply};
use crate::app::jobs::Reply;
use crate::arena::advplan::audit::audit;
use crate::arena::advplan::corpus::TEMPLATES;
use crate::arena::advplan::study::Study;
use crate::arena::advplan::traces::replay;

use super::Control;

/// Does it.
pub(super) fn perform(job: &ArenaJob, control: &Control) -> Result<Reply, String> {
    match job {
        ArenaJob::Published(seeds, also) => published(*seeds, also.as_deref(), control),
        ArenaJob::Audit(seeds) => {
            let moved = Arc::new(audit(*seeds));
            let reply = ArenaReply::Audit(moved, *seeds * TEMPLATES.len());
            Ok(Reply::Arena(reply))
        }
    }
}

fn published(seeds: usize, also: Option<&str>, control: &Control) -> Result<Reply, String> {
    // Before anything is computed: a name that is wrong is said at once.
    let beside = match also {
        Some(id) => Some(replay(id).ok_or_else(|| {
            format!("no scenario is called {id:?}; an id begins like urban-100 or maritime-101")
        })?),
        None => None,
    };
    let mut study = Study::told(seeds, &mut |done, total| {
        control.progress(done as u64, total as u64);
        !control.is_cancelled()
    })
    .ok_or("nobody waits for it")?;
    if let Some(beside) = beside {
        let id = &beside.scenario.profile.scenario_id;
        let known = study
            .played
            .iter()
            .any(|p| p.scenario.profile.scenario_id == *id);
        if !known {
            study.played.push(beside);
        }
    }
    Ok(Reply::Arena(ArenaReply::Published(Arc::new(study))))
}
