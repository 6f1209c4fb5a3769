//! Jobs about arenas: playing them, reading one that was kept, asking what moves them, playing a cell as a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::arena::plans::Plans;
use crate::app::arena::{AgainAsked, ArenaJob, ArenaReply, CellAsked, NewPlan};
use crate::app::games::{Begin, Opened};
use crate::app::jobs::{LoadedTask, Reply};
use crate::app::runs::{Again, LoadedRun};
use crate::arena::advplan::audit::audit;
use crate::arena::advplan::corpus::TEMPLATES;
use crate::arena::advplan::file::again as made_again;
use crate::arena::advplan::study::Study;
use crate::arena::advplan::traces::replay;
use crate::arena::house::blue;
use crate::arena::house::committee::Committee;
use crate::arena::house::ground::{Ground, Taken, variant};
use crate::arena::house::model::{Origin, Outcome};
use crate::arena::house::record::{Entry, Record, Settings};
use crate::arena::house::red;
use crate::arena::house::replay::candidate;
use crate::formats::run::Header;
use crate::formats::task;
use crate::plan::branching::{self, Program};
use crate::sim::vocab::Profile;
use crate::store::runs::{self, SavedRun};
use crate::store::{arenas, files, typed};
use crate::task::SceneRef;
use crate::task::episode::Episode;
use crate::task::setup::{Setup, prepare};

use super::{Control, Sources, games, tasks};

/// Does it.
pub(super) fn perform(
    job: &ArenaJob,
    sources: &Sources,
    control: &Control,
) -> Result<Reply, String> {
    match job {
        ArenaJob::Published(seeds, also) => published(*seeds, also.as_deref(), control),
        ArenaJob::Audit(seeds) => {
            let moved = Arc::new(audit(*seeds));
            let reply = ArenaReply::Audit(moved, *seeds * TEMPLATES.len());
            Ok(Reply::Arena(reply))
        }
        ArenaJob::House(task, settings) => house(task, settings, sources, control),
        ArenaJob::Kept(name) => kept(name, sources),
        ArenaJob::Typed(path) => {
            let arena = typed::read(path).map_err(|d| d.to_string())?;
            if arena.headed {
                return Ok(Reply::Arena(ArenaReply::Plans(Arc::new(Plans::of(arena)))));
            }
            let all =
                made_again::played(&arena).map_err(|why| format!("{}: {why}", path.display()))?;
            Ok(Reply::Arena(ArenaReply::Typed(Arc::new(all))))
        }
        ArenaJob::Again(asked) => again(asked, sources, control),
        ArenaJob::Cell(asked) => Ok(Reply::Run(cell(asked, sources)?.0)),
        ArenaJob::Outcome(asked) => {
            let (run, outcome) = cell(asked, sources)?;
            Ok(Reply::Arena(ArenaReply::Cell(Box::new(outcome), run)))
        }
        ArenaJob::Fork(asked, steps) => fork(asked, *steps, sources),
        ArenaJob::Keep(record) => keep(record, sources),
    }
}

/// Holds the arena of a task.
fn house(
    name: &str,
    settings: &Settings,
    sources: &Sources,
    control: &Control,
) -> Result<Reply, String> {
    let level = level(settings)?;
    let loaded = match tasks::loaded(sources, name) {
        Ok(loaded) => loaded,
        // Not a task; perhaps an arena that was kept.
        Err(why) => return kept(name, sources).map_err(|_| why),
    };
    let setup = Arc::new(loaded.setup);
    let profile = setup.task.profile_for(None)?;
    let mut ground = Ground::new(setup, profile).map_err(|d| d.to_string())?;
    let proposals = blue::proposals(&ground, settings.proposals as usize);
    let committee = Committee::new(&mut ground, settings, level);
    let record = committee.hold(proposals, &mut |record| {
        control.part(Reply::Arena(ArenaReply::House(Arc::new(record.clone()))));
        !control.is_cancelled()
    });
    Ok(Reply::Arena(ArenaReply::House(Arc::new(record))))
}

/// Reads an arena that was kept.
fn kept(name: &str, sources: &Sources) -> Result<Reply, String> {
    if let Some(path) = typed::meant(Path::new(name)) {
        // The screen of the councils shows them.
        let arena = typed::read(&path).map_err(|d| d.to_string())?;
        return Ok(Reply::Arena(ArenaReply::Plans(Arc::new(Plans::of(arena)))));
    }
    let root = sources.runs();
    let found = root.and_then(|root| arenas::find(&root, name));
    let record = found.and_then(|path| arenas::read(&path));
    let record = record.map_err(|d| d.to_string())?;
    Ok(Reply::Arena(ArenaReply::House(Arc::new(record))))
}

/// Holds an arena again from its proposals, with one more plan where one is brought.
fn again(asked: &AgainAsked, sources: &Sources, control: &Control) -> Result<Reply, String> {
    let settings = &asked.settings;
    let level = level(settings)?;
    let (mut ground, ..) = grounded(&asked.task, &asked.profile, sources)?;
    let mut proposals = Vec::new();
    for entry in &asked.proposals {
        proposals.push((candidate(&ground, entry)?, entry.words.clone()));
    }
    if let Some(more) = &asked.more {
        let entry = brought(more, &asked.task, proposals.len(), sources)?;
        proposals.push((candidate(&ground, &entry)?, entry.words));
    }
    let committee = Committee::new(&mut ground, settings, level);
    let record = committee.hold(proposals, &mut |record| {
        control.part(Reply::Arena(ArenaReply::House(Arc::new(record.clone()))));
        !control.is_cancelled()
    });
    Ok(Reply::Arena(ArenaReply::House(Arc::new(record))))
}

/// The candidate a person's plan makes, after so many proposals.
fn brought(more: &NewPlan, task: &str, before: usize, sources: &Sources) -> Result<Entry, String> {
    let (origin, text) = match more {
        NewPlan::Written(text) => (Origin::File("written here".to_owned()), text.clone()),
        NewPlan::File(path) => {
            let bytes = files::read(path).map_err(|d| d.to_string())?;
            let text = String::from_utf8(bytes);
            let text = text.map_err(|_| {
                let path = path.display();
                format!("{path}: not UTF-8 text; save it as UTF-8")
            })?;
            (Origin::File(files::stem(path)), text)
        }
        NewPlan::Run(name) => {
            let root = sources.runs().map_err(|d| d.to_string())?;
            let run = runs::find(&root, name).and_then(|folder| SavedRun::read(&folder));
            let run = run.map_err(|d| d.to_string())?;
            let of = run.task().map_err(|d| d.to_string())?;
            let of = format!("{}/{}", of.suite, of.id);
            if of != task {
                return Err(format!(
                    "run {}: it is of the task {of}, this arena is of {task}",
                    run.header.id
                ));
            }
            let lines = run.attempted();
            if lines.is_empty() {
                return Err(format!("run {}: nothing was done in it", run.header.id));
            }
            (Origin::Run(run.header.id), lines.join("\n"))
        }
    };
    Ok(Entry {
        name: format!("B{}", before + 1),
        words: origin.to_string(),
        origin,
        round: 0,
        plan: text.lines().map(str::to_owned).collect(),
    })
}

/// A task's ground under a profile, and the task as it was read.
fn grounded(
    task: &str,
    profile: &str,
    sources: &Sources,
) -> Result<(Ground, LoadedTask, Profile), String> {
    let loaded = tasks::loaded(sources, task)?;
    let profile =
        Profile::parse(profile).ok_or_else(|| format!("there is no profile {profile:?}"))?;
    let setup = Arc::new(loaded.setup.clone());
    let ground = Ground::new(setup, profile).map_err(|d| d.to_string())?;
    Ok((ground, loaded, profile))
}

/// A cell on its ground: what is done in it, and the task as RED made it.
struct Staged {
    taken: Taken,
    outcome: Outcome,
    setup: Arc<Setup>,
    loaded: LoadedTask,
    profile: Profile,
}

fn staged(asked: &CellAsked, sources: &Sources) -> Result<Staged, String> {
    let (mut ground, loaded, profile) = grounded(&asked.task, &asked.profile, sources)?;
    let (scene, book) = {
        let setup = ground.setup();
        (Arc::clone(&setup.scene), Arc::clone(&setup.book))
    };
    let plan = branching::read(&scene, &book, &asked.plan.join("\n"))
        .map_err(|d| format!("{}: {d}", asked.candidate))?;
    let program = Program::new(&plan);
    let bound = ground.bind(&asked.response)?;
    let outcome = ground.outcome(&program, &bound);
    let taken = ground.played(&program, &bound);
    let varied = variant(&ground, &asked.response)?;
    let setup = prepare(Arc::new(varied), &loaded.base.scene, book).map_err(|all| {
        let first = all.first().map(ToString::to_string);
        first.unwrap_or_default()
    })?;
    Ok(Staged {
        taken,
        outcome,
        setup: Arc::new(setup),
        loaded,
        profile,
    })
}

/// Plays a plan under a response as a run that is kept nowhere.
pub(super) fn cell(
    asked: &CellAsked,
    sources: &Sources,
) -> Result<(Arc<LoadedRun>, Outcome), String> {
    let Staged {
        taken,
        outcome,
        setup,
        loaded,
        profile,
    } = staged(asked, sources)?;
    let (mut episode, start) =
        Episode::start(Arc::clone(&setup), profile).map_err(|d| d.to_string())?;
    let mut events = vec![start];
    for action in taken.attempts {
        events.extend(episode.act(action).events);
    }
    events.push(match &taken.avoided {
        Some(reason) => episode.avoid(reason),
        None => episode.finish(),
    });
    let header = Header {
        id: "cell".to_owned(),
        created: String::new(),
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        dialect: setup.task.dialect.clone(),
        profile: profile.id().to_owned(),
        agent: format!(
            "{} under {}: {}",
            asked.candidate,
            asked.response.id,
            asked.response.words()
        ),
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
    let run = LoadedRun {
        folder: PathBuf::from("cell"),
        header,
        window: None,
        events,
        notes: Vec::new(),
        spent: Vec::new(),
        findings: Vec::new(),
        is_cut: false,
        read_only: Some("a cell of an arena is kept nowhere".to_owned()),
        again: Ok(Again {
            episode,
            drifts: Vec::new(),
        }),
    };
    Ok((Arc::new(run), outcome))
}

/// Plays so many steps of a cell and hands it over, what RED does still to come where its moment is later.
fn fork(asked: &CellAsked, steps: u32, sources: &Sources) -> Result<Reply, String> {
    let Staged {
        taken,
        setup,
        loaded,
        profile,
        ..
    } = staged(asked, sources)?;
    let (mut episode, start) =
        Episode::start(Arc::clone(&setup), profile).map_err(|d| d.to_string())?;
    let mut events = vec![start];
    for action in taken.attempts {
        if episode.here().0 >= steps {
            break;
        }
        events.extend(episode.act(action).events);
    }
    let loaded = LoadedTask {
        setup: setup.as_ref().clone(),
        ..loaded
    };
    let begin = Begin {
        loaded: Arc::new(loaded),
        profile,
        agent: games::PLAYER.to_owned(),
        forked_from: None,
    };
    Ok(Reply::Game(Arc::new(Opened {
        begin: Arc::new(begin),
        episode,
        events,
        run: None,
        findings: vec![format!(
            "you play on for {} from s{steps}; what RED does stays: {}",
            asked.candidate,
            asked.response.words()
        )],
    })))
}

/// Keeps an arena beside the runs.
fn keep(record: &Record, sources: &Sources) -> Result<Reply, String> {
    let root = sources.runs().map_err(|d| d.to_string())?;
    let saved = arenas::save(&root, record).map_err(|d| d.to_string())?;
    Ok(Reply::Arena(ArenaReply::Kept(saved.id)))
}

/// The level of knowledge that settings name.
fn level(settings: &Settings) -> Result<&'static red::Level, String> {
    red::level(&settings.level).ok_or_else(|| {
        let known: Vec<&str> = red::LEVELS.iter().map(|l| l.id).collect();
        format!(
            "RED has no level of knowledge {:?}; there are {}",
            settings.level,
            known.join(", ")
        )
    })
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
