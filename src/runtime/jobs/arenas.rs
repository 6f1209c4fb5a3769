//! Jobs about arenas: playing them, reading one that was kept, asking what moves them, playing a cell as a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::arena::{ArenaJob, ArenaReply, CellAsked};
use crate::app::jobs::Reply;
use crate::app::runs::{Again, LoadedRun};
use crate::arena::advplan::audit::audit;
use crate::arena::advplan::corpus::TEMPLATES;
use crate::arena::advplan::file::again;
use crate::arena::advplan::study::Study;
use crate::arena::advplan::traces::replay;
use crate::arena::house::blue;
use crate::arena::house::committee::Committee;
use crate::arena::house::ground::{Ground, variant};
use crate::arena::house::record::Settings;
use crate::arena::house::red;
use crate::formats::run::Header;
use crate::formats::task;
use crate::plan::branching::{self, Program};
use crate::sim::vocab::Profile;
use crate::store::{arenas, typed};
use crate::task::SceneRef;
use crate::task::episode::Episode;
use crate::task::setup::prepare;

use super::{Control, Sources, tasks};

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
            let all = again::played(&arena).map_err(|why| format!("{}: {why}", path.display()))?;
            Ok(Reply::Arena(ArenaReply::Typed(Arc::new(all))))
        }
        ArenaJob::Cell(asked) => cell(asked, sources),
    }
}

/// Holds the arena of a task.
fn house(
    name: &str,
    settings: &Settings,
    sources: &Sources,
    control: &Control,
) -> Result<Reply, String> {
    let level = red::level(&settings.level).ok_or_else(|| {
        let known: Vec<&str> = red::LEVELS.iter().map(|l| l.id).collect();
        format!(
            "RED has no level of knowledge {:?}; there are {}",
            settings.level,
            known.join(", ")
        )
    })?;
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
    if typed::meant(Path::new(name)).is_some() {
        return Err(format!(
            "{name}: these are typed plans, not an arena of the house; vesta arena show lists them"
        ));
    }
    let root = sources.runs();
    let found = root.and_then(|root| arenas::find(&root, name));
    let record = found.and_then(|path| arenas::read(&path));
    let record = record.map_err(|d| d.to_string())?;
    Ok(Reply::Arena(ArenaReply::House(Arc::new(record))))
}

/// Plays a plan under a response as a run that is kept nowhere.
pub(super) fn cell(asked: &CellAsked, sources: &Sources) -> Result<Reply, String> {
    let loaded = tasks::loaded(sources, &asked.task)?;
    let profile = Profile::parse(&asked.profile)
        .ok_or_else(|| format!("there is no profile {:?}", asked.profile))?;
    let mut ground = Ground::new(Arc::new(loaded.setup), profile).map_err(|d| d.to_string())?;
    let (scene, book) = {
        let setup = ground.setup();
        (Arc::clone(&setup.scene), Arc::clone(&setup.book))
    };
    let plan = branching::read(&scene, &book, &asked.plan.join("\n"))
        .map_err(|d| format!("{}: {d}", asked.candidate))?;
    let bound = ground.bind(&asked.response)?;
    let taken = ground.played(&Program::new(&plan), &bound);
    let varied = variant(&ground, &asked.response)?;
    let setup = prepare(Arc::new(varied), &loaded.base.scene, book).map_err(|all| {
        let first = all.first().map(ToString::to_string);
        first.unwrap_or_default()
    })?;
    let setup = Arc::new(setup);
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
        agent: format!("{} under {}", asked.candidate, asked.response.id),
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
        folder: PathBuf::from("cell"),
        header,
        events,
        notes: Vec::new(),
        findings: Vec::new(),
        is_cut: false,
        read_only: Some("a cell of an arena is kept nowhere".to_owned()),
        again: Ok(Again {
            episode,
            drifts: Vec::new(),
        }),
    })))
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
