//! Jobs about runs side by side: reading and playing them, aligning anew, looking for what would have saved one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Control, Sources, arenas, checks, saved, tasks};
use crate::app::compare::{CompareJob, CompareReply, Compared, Side, ToSave, Wanted};
use crate::app::jobs::{JobId, Reply};
use crate::app::runs::{Again, LoadedRun};
use crate::compare::repair::{Effort, repair_told};
use crate::compare::table::Table;
use crate::formats::run::Header;
use crate::sim::refusal::Kind;
use crate::sim::vocab::Profile;
use crate::sim::world::Action;
use crate::store::durable;
use crate::store::runs::{self, SavedRun};
use crate::task::episode::{Episode, Outcome};
use crate::task::setup::Setup;

/// Events of all runs together from which a first answer is given before any is played again.
const MANY: usize = 5_000;

/// Does what is asked.
pub(super) fn perform(
    job: CompareJob,
    sources: &Sources,
    control: &Control,
) -> Result<Reply, String> {
    let reply = match job {
        CompareJob::Read(asked) => CompareReply::Read(Box::new(read(asked, sources, control)?)),
        CompareJob::Align(again) => {
            let table = Table::new(again.lanes, &Compared::fixed(&again.anchors));
            CompareReply::Aligned(Box::new(table), again.anchors)
        }
        CompareJob::Save(wanted) => save(&wanted, control)?,
    };
    Ok(Reply::Compare(reply))
}

/// Runs side by side, for commands.
///
/// # Errors
/// One of them cannot be had.
pub fn compared(asked: Vec<Wanted>, sources: &Sources) -> Result<Compared, String> {
    read(asked, sources, &Control::detached(JobId(0)))
}

/// A lane before it is played again.
enum Had {
    /// It was read, with its name.
    Saved(Box<SavedRun>, String, Option<String>),
    /// It has to be played.
    Other(Wanted),
}

fn read(asked: Vec<Wanted>, sources: &Sources, control: &Control) -> Result<Compared, String> {
    let had: Vec<Had> = asked
        .iter()
        .map(|wanted| had(wanted, sources))
        .collect::<Result<_, _>>()?;
    let events = |had: &Had| match had {
        Had::Saved(run, ..) => run.events.items.len(),
        Had::Other(_) => 0,
    };
    let is_saved = |had: &Had| matches!(had, Had::Saved(..));
    if had.iter().map(events).sum::<usize>() > MANY && had.iter().all(is_saved) {
        let sides: Result<Vec<Side>, String> = had.iter().filter_map(recorded).collect();
        let first = Compared {
            partial: true,
            ..Compared::new(asked.clone(), sides?)
        };
        control.part(Reply::Compare(CompareReply::Read(Box::new(first))));
    }
    let total = had.len() as u64;
    let mut sides: Vec<Side> = Vec::with_capacity(had.len());
    for (done, had) in (0..).zip(had) {
        if control.is_cancelled() {
            return Err("nobody waits for it".to_owned());
        }
        control.progress(done, total);
        let side = match had {
            Had::Saved(run, name, branch) => {
                let run = Arc::new(saved::loaded(*run));
                Side::new(run, name, branch.as_deref())?
            }
            Had::Other(wanted) => {
                let like = sides.first().map(|side| Arc::clone(&side.loaded.run));
                other(&wanted, like.as_deref(), sources)?
            }
        };
        sides.push(side);
    }
    Ok(Compared::new(asked, sides))
}

/// Reads a lane that is a run.
fn had(wanted: &Wanted, sources: &Sources) -> Result<Had, String> {
    let (name, branch) = match wanted {
        Wanted::Run(name) => (name.as_str(), None),
        Wanted::Branch(name, branch) => (name.as_str(), Some(branch.as_str())),
        other => return Ok(Had::Other(other.clone())),
    };
    let root = sources.runs().map_err(|d| d.to_string())?;
    let (folder, branch) = match (runs::find(&root, name), branch) {
        (Ok(folder), branch) => (folder, branch),
        // What is no folder may name a branch behind its last slash.
        (Err(d), None) => match name.rsplit_once('/') {
            Some((run, branch)) => {
                let folder = runs::find(&root, run).map_err(|_| d.to_string())?;
                (folder, Some(branch))
            }
            None => return Err(d.to_string()),
        },
        (Err(d), Some(_)) => return Err(d.to_string()),
    };
    let run = SavedRun::read(&folder).map_err(|d| d.to_string())?;
    let name = called(&folder, branch);
    Ok(Had::Saved(Box::new(run), name, branch.map(str::to_owned)))
}

/// Letters of an id's end that name its run.
const TAIL: usize = 4;

/// A run by the end of its id, and its branch.
fn called(folder: &Path, branch: Option<&str>) -> String {
    let id = folder.file_name().map(|n| n.to_string_lossy().into_owned());
    let id: Vec<char> = id.unwrap_or_default().chars().collect();
    let tail: String = id.iter().skip(id.len().saturating_sub(TAIL)).collect();
    match branch {
        Some(branch) => format!("{tail}/{branch}"),
        None => tail,
    }
}

/// A run as it was recorded, not played again yet.
fn recorded(had: &Had) -> Option<Result<Side, String>> {
    let Had::Saved(run, name, branch) = had else {
        return None;
    };
    let run = LoadedRun {
        read_only: None,
        findings: Vec::new(),
        is_cut: !run.events.findings.is_empty(),
        again: Err("it is being played again …".to_owned()),
        folder: run.folder.clone(),
        header: run.header.clone(),
        window: None,
        events: run.events.items.clone(),
        notes: Vec::new(),
        spent: Vec::new(),
    };
    Some(Side::new(Arc::new(run), name.clone(), branch.as_deref()))
}

/// A lane that is played now.
fn other(wanted: &Wanted, like: Option<&LoadedRun>, sources: &Sources) -> Result<Side, String> {
    let run = match wanted {
        Wanted::Cell(cell) => arenas::cell(cell, sources)?.0,
        Wanted::Witness(shown) => match checks::witness(sources, shown)? {
            Reply::Run(run) => run,
            _ => return Err("the steps cannot be played".to_owned()),
        },
        plan => {
            let word = wanted.word();
            let Some(like) = like else {
                return Err(format!(
                    "{word}: name a run first; its task’s plan is played beside it"
                ));
            };
            let (setup, profile) = world(like, sources)?;
            let task = &setup.task.id;
            let steps = match plan {
                Wanted::Naive => setup.naive.clone(),
                Wanted::Steps(_, lines) => read_plan(&setup, lines)?,
                _ => setup.reference.clone(),
            };
            if steps.is_empty() {
                return Err(format!("{word}: the task {task} has no such plan"));
            }
            Arc::new(play(&word, like, (&setup, profile), &steps)?)
        }
    };
    let name = wanted.word();
    let mut side = Side::new(run, name, None)?;
    side.kept = false;
    "played now".clone_into(&mut side.by);
    Ok(side)
}

fn read_plan(setup: &Setup, lines: &[String]) -> Result<Vec<Action>, String> {
    let read = |line: &String| {
        crate::plan::script::read_line(&setup.scene, line)
            .map_err(|e| format!("{line}: {}", e.message))
    };
    lines.iter().map(read).collect()
}

/// The task and profile of a run: as it was recorded, else as the task is now.
fn world(like: &LoadedRun, sources: &Sources) -> Result<(Arc<Setup>, Profile), String> {
    if let Ok(again) = &like.again {
        let profile = again.episode.timeline().world().profile();
        return Ok((Arc::clone(again.episode.setup()), profile));
    }
    let header = &like.header;
    let task = header.task_id().unwrap_or_default();
    let setup = Arc::new(tasks::loaded(sources, &task)?.setup);
    let profile = Profile::parse(&header.profile)
        .ok_or_else(|| format!("there is no profile {:?}", header.profile))?;
    Ok((setup, profile))
}

/// Plays steps as a run that is kept nowhere. As the published runner does, it passes over a step that finds the world
/// already so, and stops at any other refusal.
fn play(
    name: &str,
    like: &LoadedRun,
    (setup, profile): (&Arc<Setup>, Profile),
    steps: &[Action],
) -> Result<LoadedRun, String> {
    let (mut episode, start) =
        Episode::start(Arc::clone(setup), profile).map_err(|d| d.to_string())?;
    let mut events = vec![start];
    let mut stopped = false;
    for &action in steps {
        let turn = episode.act(action);
        events.extend(turn.events);
        if let Outcome::Refused(refusal) = turn.outcome
            && refusal.kind != Kind::AlreadySo
        {
            stopped = true;
            break;
        }
    }
    if !stopped {
        events.push(episode.finish());
    }
    Ok(LoadedRun {
        folder: PathBuf::from(name),
        header: Header {
            id: name.to_owned(),
            created: String::new(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            agent: name.to_owned(),
            start_hash: events.first().map(|e| e.hash).unwrap_or_default(),
            forked_from: None,
            player: None,
            extra: Vec::new(),
            ..like.header.clone()
        },
        window: None,
        events,
        notes: Vec::new(),
        spent: Vec::new(),
        findings: Vec::new(),
        is_cut: false,
        read_only: Some("a plan that was played now is kept nowhere".to_owned()),
        again: Ok(Again {
            episode,
            drifts: Vec::new(),
        }),
    })
}

/// Looks for what would have saved a run.
fn save(wanted: &ToSave, control: &Control) -> Result<CompareReply, String> {
    let again = wanted.run.again.as_ref().map_err(Clone::clone)?;
    let setup = again.episode.setup();
    let profile = again.episode.timeline().world().profile();
    let mut on = |done, total| {
        control.progress(done, total);
        !control.is_cancelled()
    };
    let effort = Effort::default();
    let found = repair_told(setup, profile, &wanted.actions, (effort, &mut on));
    let found = found.map_err(|d| d.to_string())?;
    Ok(CompareReply::Saved(wanted.lane, Box::new(found)))
}

/// Names that are tried.
const TRIES: u32 = 1_000;

/// Writes a text into a new file: where the name is taken it gets a number.
pub(super) fn export(file: &Path, text: &str) -> Result<Reply, String> {
    let free = free(file)?;
    durable::make_room(&free)
        .and_then(|()| durable::save(&free, text.as_bytes()))
        .map_err(|d| d.to_string())?;
    Ok(Reply::Exported(free))
}

/// The name itself where there is no such file, else the first with a number that is free.
pub(super) fn free(file: &Path) -> Result<PathBuf, String> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = file
        .extension()
        .map(|e| format!(".{}", e.to_string_lossy()));
    let ending = ending.unwrap_or_default();
    let names = (2..TRIES).map(|n| file.with_file_name(format!("{stem}-{n}{ending}")));
    let free = std::iter::once(file.to_owned())
        .chain(names)
        .find(|f| !f.exists());
    free.ok_or_else(|| {
        format!(
            "{}: too many files of this name; name another one",
            file.display()
        )
    })
}
