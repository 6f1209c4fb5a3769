//! Runs made up for measuring and testing: the shipped tasks played by their reference or careless plans with steps left
//! out, swapped, repeated and taken back, under the names of models. Every one is a true run that can be played again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::agent::card::Card;
use crate::agent::sign::Spent;
use crate::base::chance::Chance;
use crate::formats::run::{
    Class, EVENTS_FILE, HEADER_FILE, Header, Judgement, Label, NOTES_FILE, Note, NoteBody, Verdict,
    event_line, note_line, write_header,
};
use crate::formats::scene;
use crate::formats::task as task_file;
use crate::store::files;
use crate::store::library::{Library, Loaded, Places};
use crate::store::runs::SCENE_FILE;
use crate::task::SceneRef;
use crate::task::episode::{Episode, Event};
use crate::task::setup::Setup;

/// Models that runs are said to be of.
const MODELS: [&str; 4] = ["gpt-4.1-mini", "qwen3-32b", "claude-haiku", "llama-8b"];

/// How they are said to be led.
const STRATEGIES: [&str; 3] = ["react", "one-go", "critic(1)"];

/// A task with all that its runs share.
struct Stage {
    setup: Arc<Setup>,
    task: String,
    scene: Arc<Packed>,
    file: String,
    plans: Vec<Vec<String>>,
}

/// A scene as its file holds it.
struct Packed {
    bytes: Vec<u8>,
    sha256: String,
}

/// Makes `n` runs of the tasks of a suite in a folder; the same seed makes the same runs.
///
/// # Errors
/// A task cannot be played, or the disk refuses.
pub fn make(root: &Path, n: usize, suite: &str, seed: u64) -> Result<()> {
    let library = Library::open_in(Places::default(), None);
    let names = library
        .rows()
        .iter()
        .filter(|row| row.suite == suite && row.error.is_none());
    let names: Vec<String> = names
        .map(|row| format!("{}/{}", row.suite, row.id))
        .collect();
    if names.is_empty() {
        return Err(anyhow!("no suite is called {suite}"));
    }
    let mut scenes: BTreeMap<String, Arc<Packed>> = BTreeMap::new();
    let mut chance = Chance::new(seed);
    let mut stages: BTreeMap<&str, Stage> = BTreeMap::new();
    std::fs::create_dir_all(root)?;
    for at in 0..n {
        let Some(name) = names.get(at % names.len()) else {
            continue;
        };
        if !stages.contains_key(name.as_str()) {
            let loaded = library.load_whole(name).map_err(|all| {
                anyhow!(
                    "{name}: {}",
                    all.first().map_or_else(String::new, ToString::to_string)
                )
            })?;
            stages.insert(name, stage(loaded, &mut scenes)?);
        }
        if let Some(stage) = stages.get(name.as_str()) {
            one(root, at, stage, &mut chance).with_context(|| name.clone())?;
        }
    }
    Ok(())
}

fn stage(loaded: Loaded, scenes: &mut BTreeMap<String, Arc<Packed>>) -> Result<Stage> {
    let task = &loaded.setup.task;
    let file = task.scene.file.clone();
    let scene = if let Some(known) = scenes.get(&file) {
        Arc::clone(known)
    } else {
        let text = scene::write(&loaded.base);
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(text.as_bytes())?;
        let made = Arc::new(Packed {
            bytes: packed.finish()?,
            sha256: files::sha256(text.as_bytes()),
        });
        scenes.insert(file.clone(), Arc::clone(&made));
        made
    };
    let plans = [&task.reference, &task.naive];
    let plans = plans
        .into_iter()
        .filter(|plan| !plan.is_empty())
        .cloned()
        .collect();
    Ok(Stage {
        task: task_file::write(task),
        setup: Arc::new(loaded.setup),
        scene,
        file,
        plans,
    })
}

/// Plays a plan badly.
fn play(stage: &Stage, chance: &mut Chance) -> Result<Vec<Event>> {
    let profile = stage.setup.task.profile();
    let (mut episode, start) =
        Episode::start(Arc::clone(&stage.setup), profile).map_err(|d| anyhow!("{d}"))?;
    let mut events = vec![start];
    let mut plan = match stage.plans.len() {
        0 => Vec::new(),
        n => stage
            .plans
            .get(chance.below(n))
            .cloned()
            .unwrap_or_default(),
    };
    for _ in 0..chance.below(4) {
        let (a, b) = (chance.below(plan.len()), chance.below(plan.len()));
        match chance.below(4) {
            0 if a < plan.len() => drop(plan.remove(a)),
            1 if a < plan.len() && b < plan.len() => plan.swap(a, b),
            2 if a < plan.len() => plan.insert(a, "walk somewhere".to_owned()),
            _ => plan.truncate(plan.len().saturating_sub(chance.below(3))),
        }
    }
    for line in plan {
        events.extend(episode.act_text(&line).events);
        if chance.below(40) == 0 {
            events.extend(episode.undo());
        }
    }
    match chance.below(12) {
        0 => events.push(episode.avoid("this looks dangerous")),
        1 => events.push(episode.stop("limit", "no steps are left")),
        2 => {}
        _ => events.push(episode.finish()),
    }
    Ok(events)
}

fn one(root: &Path, at: usize, stage: &Stage, chance: &mut Chance) -> Result<()> {
    let events = play(stage, chance)?;
    let task = &stage.setup.task;
    let human = chance.below(12) == 0;
    let card = Card {
        model: MODELS
            .get(chance.below(MODELS.len()))
            .map(|it| (*it).to_owned()),
        strategy: STRATEGIES
            .get(chance.below(STRATEGIES.len()))
            .map(|it| (*it).to_owned()),
        ..Card::plain("openai")
    };
    let agent = if human {
        "human".to_owned()
    } else {
        card.name()
    };
    let (day, second) = (1 + at % 28, at % 86_400);
    let (h, m, s) = (second / 3600, second / 60 % 60, second % 60);
    let month = 1 + at / 28 % 11;
    let id = format!(
        "{}-{agent}-2026{month:02}{day:02}T{h:02}{m:02}{s:02}Z-{at:06x}",
        task.id
    )
    .replace(['(', ')'], "");
    let start = events.first().ok_or_else(|| anyhow!("nothing happened"))?;
    let header = Header {
        id: id.clone(),
        created: format!("2026-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}Z"),
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        dialect: task.dialect.clone(),
        profile: task.profile().id().to_owned(),
        agent,
        task: stage.task.clone(),
        scene: SceneRef {
            file: stage.file.clone(),
            sha256: stage.scene.sha256.clone(),
        },
        start_hash: start.hash,
        forked_from: None,
        player: (!human).then(|| card.json()),
        extra: Vec::new(),
    };
    let folder = root.join(&id);
    std::fs::create_dir_all(&folder)?;
    let lines: String = events.iter().map(event_line).collect();
    std::fs::write(folder.join(SCENE_FILE), &stage.scene.bytes)?;
    std::fs::write(folder.join(EVENTS_FILE), lines)?;
    std::fs::write(folder.join(HEADER_FILE), write_header(&header))?;
    std::fs::write(folder.join("timing.jsonl"), times(&events, human, chance))?;
    let notes = notes(&events, chance);
    if !notes.is_empty() {
        std::fs::write(folder.join(NOTES_FILE), notes)?;
    }
    Ok(())
}

fn times(events: &[Event], human: bool, chance: &mut Chance) -> String {
    let mut out = String::new();
    for event in events {
        let _ = writeln!(
            out,
            "{}",
            json!({"seq": event.seq, "t_ms": event.seq * 900})
        );
        if human || event.seq == 0 {
            continue;
        }
        let spent = Spent {
            attempts: 1,
            first_ms: 300,
            total_ms: 700 + chance.below(2000) as u64,
            tokens_in: 400 + chance.below(900) as u64,
            tokens_out: 20 + chance.below(80) as u64,
            cached: 0,
            cost: Some((100 + chance.below(900)) as f64 / 1e6),
        };
        let mut value = spent.json();
        value["seq"] = event.seq.into();
        let _ = writeln!(out, "{value}");
    }
    out
}

fn notes(events: &[Event], chance: &mut Chance) -> String {
    let mut bodies = Vec::new();
    let mut extra = Vec::new();
    let at = events
        .iter()
        .rfind(|event| event.body.makes_position())
        .map(|event| event.seq);
    if chance.below(10) == 0 {
        bodies.push(NoteBody::Comment {
            at,
            text: "ignored what it had been told".to_owned(),
        });
        extra.push(Vec::new());
    }
    if chance.below(14) == 0 {
        let judgement = Judgement::ALL.get(chance.below(3)).copied();
        bodies.push(NoteBody::Verdict(Verdict {
            verdict: judgement.unwrap_or(Judgement::Accept),
            reason: String::new(),
            goals: Vec::new(),
            witness: None,
        }));
        extra.push(Vec::new());
    }
    if chance.below(8) == 0 {
        let class = [Class::MissingStep, Class::UnsafeAct, Class::WrongOrder]
            .get(chance.below(3))
            .copied();
        bodies.push(NoteBody::Label(Label {
            by: "made up".to_owned(),
            class,
            ..Label::default()
        }));
        extra.push(Vec::new());
    }
    let notes = bodies.into_iter().zip(extra).enumerate();
    notes
        .map(|(seq, (body, extra))| {
            note_line(&Note {
                seq: seq as u32,
                created: "2026-11-30T00:00:00Z".to_owned(),
                body,
                extra,
            })
        })
        .collect()
}
