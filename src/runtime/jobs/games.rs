//! Jobs about games: opening tasks and runs to play them, writing their events and notes.
//!
//! Runs on the one writer thread, so that opening a run, appending to it and closing it come in the order they were
//! asked for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Control, Sources, aside, tasks};
use crate::app::games::{Begin, Opened, OpenedRun, RunKey, Save, Saved};
use crate::app::jobs::{LoadedTask, Reply};
use crate::base::diag::Diagnostic;
use crate::formats::run::NoteBody;
use crate::sim::vocab::Profile;
use crate::store::runs::{self, Access, NewRun, RunWriter};
use crate::task::episode::{Episode, Event};

/// Who acts where a person does.
pub(super) const PLAYER: &str = "human";

/// The runs of all games of this window.
#[derive(Debug, Default)]
pub(super) struct Keepers(BTreeMap<RunKey, Keeper>);

/// One game's run.
#[derive(Debug)]
enum Keeper {
    /// It has no folder yet; these events wait for one.
    Unborn(Vec<Event>),
    /// It is being written.
    Open(Box<RunWriter>),
    /// It is looked at only.
    ReadOnly(PathBuf),
    /// Another game of this window goes on with it.
    Moved,
}

/// What opening reads from, and whether anybody still waits for it.
pub(super) struct Reading<'r> {
    pub(super) sources: &'r Sources,
    pub(super) control: &'r Control,
}

/// Opens a task, under a profile if one is asked for, or a run, which has its own. What takes time, reading and
/// replaying, is given up when nobody waits any more.
pub(super) fn open(
    reading: &Reading<'_>,
    keepers: &mut Keepers,
    (name, profile): (&str, Option<Profile>),
    key: RunKey,
) -> Result<Reply, String> {
    let (sources, owned) = (reading.sources.clone(), name.to_owned());
    let found = aside(reading.control, move || {
        match sources.library().find(&owned) {
            Err(no_task) => Ok(Err(no_task.to_string())),
            Ok(_) => read_task(&sources, &owned, profile).map(Ok),
        }
    })??;
    let no_task = match found {
        Ok(opened) => {
            keepers.0.insert(key, Keeper::Unborn(Vec::new()));
            return Ok(Reply::Game(Arc::new(opened)));
        }
        Err(no_task) => no_task,
    };
    let root = reading.sources.runs().map_err(|d| d.to_string())?;
    match runs::find(&root, name) {
        Ok(folder) => {
            take_over(keepers, &folder).map_err(|d| d.to_string())?;
            let read = move || read_run(&folder, profile).map_err(|d| d.to_string());
            let (opened, keeper) = aside(reading.control, read)??;
            keepers.0.insert(key, keeper);
            Ok(Reply::Game(Arc::new(opened)))
        }
        Err(_) => Err(format!("{no_task}; no run ends in it either")),
    }
}

fn read_task(sources: &Sources, name: &str, asked: Option<Profile>) -> Result<Opened, String> {
    let loaded = Arc::new(tasks::loaded(sources, name)?);
    let profile = loaded.setup.task.profile_for(asked)?;
    let setup = Arc::new(loaded.setup.clone());
    let mut findings: Vec<String> = setup.findings.iter().map(Diagnostic::to_string).collect();
    let (episode, start) = Episode::start(setup, profile).map_err(|d| d.to_string())?;
    findings.extend(costly(&episode));
    let begin = Begin {
        loaded,
        profile,
        agent: PLAYER.to_owned(),
        forked_from: None,
    };
    Ok(Opened {
        begin: Arc::new(begin),
        episode,
        events: vec![start],
        run: None,
        findings,
    })
}

fn read_run(folder: &Path, asked: Option<Profile>) -> Result<(Opened, Keeper), Diagnostic> {
    let opened = runs::open(folder)?;
    let recorded = opened.run.profile()?;
    if asked.is_some_and(|p| p != recorded) {
        let words = format!("the run follows the profile {}", recorded.id());
        return Err(Diagnostic::error("profile", words).help("name no other"));
    }
    let replayed = opened.run.replay()?;
    let (mut read_only, keeper) = match opened.access {
        Access::Write(writer) => (None, Keeper::Open(writer)),
        Access::ReadOnly(why) => (Some(why), Keeper::ReadOnly(folder.to_owned())),
    };
    let differs = replayed.drifts.first().map(ToString::to_string);
    let unsound = differs.or_else(|| {
        let empty = opened.run.events.items.is_empty();
        empty.then(|| "no event was recorded".to_owned())
    });
    let keeper = match unsound {
        Some(why) => {
            read_only.get_or_insert(why);
            Keeper::ReadOnly(folder.to_owned())
        }
        None => keeper,
    };
    let header = &opened.run.header;
    let loaded = LoadedTask {
        setup: replayed.episode.setup().as_ref().clone(),
        base: replayed.base,
        sha256: header.scene.sha256.clone(),
    };
    let begin = Begin {
        loaded: Arc::new(loaded),
        profile: recorded,
        agent: header.agent.clone(),
        forked_from: header.forked_from.clone(),
    };
    let findings = opened.run.findings().map(ToString::to_string);
    let game = Opened {
        findings: findings.chain(costly(&replayed.episode)).collect(),
        begin: Arc::new(begin),
        episode: replayed.episode,
        events: Vec::new(),
        run: Some(OpenedRun {
            id: header.id.clone(),
            read_only,
            notes: opened.run.notes.items,
        }),
    };
    Ok((game, keeper))
}

/// The rules that would cost too much in this scene.
fn costly(episode: &Episode) -> Vec<String> {
    let costly = episode.lookout().ward().costly.iter();
    costly.map(Diagnostic::to_string).collect()
}

/// Takes a run from the game of this window that has it, if one has.
fn take_over(keepers: &mut Keepers, folder: &Path) -> Result<(), Diagnostic> {
    for keeper in keepers.0.values_mut() {
        if let Keeper::Open(writer) = keeper
            && writer.folder() == folder
        {
            writer.flush().map_err(|e| {
                Diagnostic::error("", e.to_string()).help("go back to the place that plays it")
            })?;
            *keeper = Keeper::Moved;
        }
    }
    Ok(())
}

/// Writes what a game hands over.
pub(super) fn save(sources: &Sources, keepers: &mut Keepers, save: Save) -> Result<Reply, String> {
    let keeper = keepers
        .0
        .entry(save.key)
        .or_insert_with(|| Keeper::Unborn(Vec::new()));
    if let Keeper::Unborn(waiting) = keeper {
        waiting.extend(save.events);
        let root = sources.runs().map_err(|d| d.to_string())?;
        let writer = begin(&root, &save.begin, waiting).map_err(|d| d.to_string())?;
        *keeper = Keeper::Open(Box::new(writer));
    } else if let Keeper::Open(writer) = keeper {
        let written = if save.events.is_empty() {
            writer.flush()
        } else {
            writer.append(&save.events)
        };
        written.map_err(|e| e.to_string())?;
    }
    match keeper {
        Keeper::Open(writer) => {
            let note = match save.note {
                Some(body) => Some(writer.note(body).map_err(|d| d.to_string())?),
                None => None,
            };
            Ok(Reply::Saved(Saved {
                id: writer.header().id.clone(),
                seq: writer.saved(),
                note,
            }))
        }
        Keeper::ReadOnly(folder) => match save.note {
            Some(body) => {
                let note = runs::add_note(folder, body).map_err(|d| d.to_string())?;
                let name = folder.file_name().unwrap_or_default();
                Ok(Reply::Saved(Saved {
                    id: name.to_string_lossy().into_owned(),
                    seq: None,
                    note: Some(note),
                }))
            }
            None => Err("the run is read only: F plays on in a run of its own".to_owned()),
        },
        Keeper::Moved | Keeper::Unborn(_) => Err(
            "this run goes on in another place of this window: Ctrl-O leads there, F plays on from here in a run of its own"
                .to_owned(),
        ),
    }
}

fn begin(root: &Path, begin: &Begin, events: &[Event]) -> Result<RunWriter, Diagnostic> {
    let new = NewRun {
        agent: &begin.agent,
        task: &begin.loaded.setup.task,
        base: &begin.loaded.base,
        profile: begin.profile,
        forked_from: begin.forked_from.as_ref(),
        player: None,
    };
    RunWriter::create(root, new, events)
}

/// Files a note on a run, through the game of this window that has it, if one has.
pub(super) fn note(keepers: &mut Keepers, folder: &Path, body: NoteBody) -> Result<Reply, String> {
    let open = keepers.0.values_mut().find_map(|keeper| match keeper {
        Keeper::Open(writer) if writer.folder() == folder => Some(writer),
        _ => None,
    });
    let filed = match open {
        Some(writer) => writer.note(body),
        None => runs::add_note(folder, body),
    };
    filed.map(|_| Reply::Done).map_err(|d| d.to_string())
}

/// Tries once more to write what still waits, before the program ends.
pub(super) fn finish(keepers: &mut Keepers) {
    for keeper in keepers.0.values_mut() {
        if let Keeper::Open(writer) = keeper {
            // Nobody is left to tell; the player was told when it failed.
            let _ = writer.flush();
        }
    }
}

/// Lets others have a run; what still waits is tried once more.
pub(super) fn close(keepers: &mut Keepers, key: RunKey) -> Result<Reply, String> {
    match keepers.0.remove(&key) {
        Some(Keeper::Open(mut writer)) => writer
            .flush()
            .map(|()| Reply::Done)
            .map_err(|e| e.to_string()),
        _ => Ok(Reply::Done),
    }
}
