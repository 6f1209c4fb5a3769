//! Jobs about checks: one task with its answers as they come, all tasks, and the steps that show a finding.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Control, Sources, tasks};
use crate::app::checks::{Asked, Shown};
use crate::app::jobs::Reply;
use crate::app::runs::{Again, LoadedRun};
use crate::check::{self, CHECKS, Case, Effort, Line, Report};
use crate::formats::run::Header;
use crate::formats::task;
use crate::formats::task::patch::{DiffLine, Edit, diff};
use crate::sim::vocab::Profile;
use crate::store::library::Library;
use crate::store::patch as store;
use crate::task::SceneRef;
use crate::task::episode::Episode;

/// Checks one task, handing out every answer as it comes.
pub fn check(
    library: &Library,
    asked: &Asked,
    stop: &dyn Fn() -> bool,
    each: &mut dyn FnMut(&Line),
) -> Report {
    let name = &asked.task;
    let unusable = |profile, wrong: &[_]| Report::unusable(name.clone(), profile, wrong);
    let setup = match library.load(name) {
        Ok(setup) => setup,
        Err(wrong) => return unusable(asked.profile.unwrap_or(Profile::Strict), &wrong),
    };
    let profile = asked.profile.unwrap_or_else(|| setup.task.profile());
    let case = match Case::new(&setup, profile, asked.effort, stop) {
        Ok(case) => case,
        Err(wrong) => return unusable(profile, &[wrong]),
    };
    let mut report = Report::new(name.clone(), profile);
    check::run(&case, |line| {
        each(&line);
        report.lines.push(line);
    });
    report
}

/// The job of the panel.
pub(super) fn one(sources: &Sources, control: &Control, asked: &Asked) -> Reply {
    let stop = || control.is_cancelled();
    let report = check(&sources.library(), asked, &stop, &mut |line| {
        control.part(Reply::CheckLine(line.clone(), CHECKS.len()));
    });
    Reply::Checked(vec![Arc::new(report)])
}

/// The job of the column.
pub(super) fn all(sources: &Sources, control: &Control, effort: Effort) -> Reply {
    let library = sources.library();
    let stop = || control.is_cancelled();
    let total = library.rows().len() as u64;
    let mut reports = Vec::new();
    for (done, row) in (0..).zip(library.rows()) {
        if stop() {
            break;
        }
        let asked = Asked {
            task: format!("{}/{}", row.suite, row.id),
            profile: None,
            effort,
        };
        control.progress(done, total);
        let report = check(&library, &asked, &stop, &mut |_| ());
        let report = Arc::new(report);
        control.part(Reply::Checked(vec![Arc::clone(&report)]));
        reports.push(report);
    }
    Reply::Checked(reports)
}

/// Plays the steps of a witness as a run that is kept nowhere.
pub(super) fn witness(sources: &Sources, shown: &Shown) -> Result<Reply, String> {
    let loaded = tasks::loaded(sources, &shown.task)?;
    let setup = Arc::new(loaded.setup);
    let (mut episode, start) =
        Episode::start(Arc::clone(&setup), shown.profile).map_err(|d| d.to_string())?;
    let mut events = vec![start];
    for line in &shown.witness.steps {
        events.extend(episode.act_text(line).events);
    }
    let header = Header {
        id: "witness".to_owned(),
        created: String::new(),
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        dialect: setup.task.dialect.clone(),
        profile: shown.profile.id().to_owned(),
        agent: shown.witness.of.clone(),
        task: task::write(&setup.task),
        scene: SceneRef {
            file: setup.task.scene.file.clone(),
            sha256: loaded.sha256,
        },
        start_hash: events.first().map(|e| e.hash).unwrap_or_default(),
        forked_from: None,
        player: None,
        extra: Vec::new(),
    };
    Ok(Reply::Run(Arc::new(LoadedRun {
        folder: PathBuf::from("witness"),
        header,
        window: None,
        events,
        notes: Vec::new(),
        spent: Vec::new(),
        findings: Vec::new(),
        is_cut: false,
        read_only: Some("a witness is kept nowhere".to_owned()),
        again: Ok(Again {
            episode,
            drifts: Vec::new(),
        }),
    })))
}

/// Shows a change to the file of a task; makes it where it is still the one that was shown.
pub(super) fn patch(
    sources: &Sources,
    task: &str,
    edits: &[Edit],
    shown: Option<Vec<DiffLine>>,
) -> Result<Reply, String> {
    let proposal = store::propose(&sources.library(), task, edits).map_err(|d| d.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let lines = diff(&text(&proposal.old), &text(&proposal.new));
    if let Some(shown) = shown {
        if shown != lines {
            return Err("the task file has changed since: look at the change again".to_owned());
        }
        store::write(&proposal).map_err(|d| d.to_string())?;
        // Whatever is asked next is asked about the task as it is now.
        sources.reread();
    }
    Ok(Reply::Patch(proposal.file.display().to_string(), lines))
}
