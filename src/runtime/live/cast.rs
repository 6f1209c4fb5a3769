//! Who plays: files that belong to an agent are read, its model or program is reached, its runs are played.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use crate::agent::card::Card;
use crate::agent::chat::Request;
use crate::agent::player::{Player, Stop};
use crate::agent::players::{self, Kit};
use crate::agent::session::Session;
use crate::base::diag::Diagnostic;
use crate::store::runs::{self, SavedRun};
use crate::store::{files, prompts};
use crate::task::episode::{Body, Event};

use super::one::Ready;
use super::program::Program;
use super::voices::Voices;
use super::{Doors, until_interrupted, wait};

/// How a model is reached.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The address of the endpoint, in place of the usual one.
    pub base_url: Option<String>,
    /// Settings of the endpoint, `NAME=VALUE`.
    pub settings: Vec<String>,
    /// Where all traffic is kept.
    pub record: Option<PathBuf>,
    /// What answers instead of the network.
    pub replay: Option<PathBuf>,
    /// The file that holds the key, in place of the variable of the environment.
    pub key_file: Option<PathBuf>,
    /// Where runs are that are named.
    pub runs: Option<PathBuf>,
}

/// Who plays, with what that needs.
#[derive(Debug)]
pub struct Cast {
    card: Card,
    kit: Kit,
    voices: Option<Voices>,
}

impl Cast {
    /// Reads what belongs to an agent.
    ///
    /// # Errors
    /// A file cannot be read, or an endpoint cannot be used.
    pub fn new(card: &Card, model: &Model) -> anyhow::Result<Self> {
        let mut card = card.clone();
        if model.base_url.is_some() {
            card.base.clone_from(&model.base_url);
        }
        let kind = players::find(&card.agent).map_err(anyhow::Error::msg)?;
        let mut kit = Kit::default();
        let rest = card.agent.split_once(':').map(|(_, rest)| rest);
        match (kind.id, rest) {
            ("script", Some(file)) => kit.lines = script(Path::new(file))?,
            ("replay", Some(run)) => kit.lines = deeds(run, model)?,
            _ => {}
        }
        let voices = if kind.talks {
            let prompts = Arc::new(prompts::read()?);
            card.prompts = prompts.versions().into_iter().collect();
            let choice = players::strategy(&card).map_err(anyhow::Error::msg)?;
            card.strategy = Some(choice.to_string());
            card.trials = card.trials.max(choice.trials());
            if choice.entry.one_go {
                // The limit is for those that look where they go: a whole plan is done to its end.
                card.steps = card.steps.max(WHOLE);
            }
            kit.prompts = Some(prompts);
            Some(Voices::new(&card, model)?)
        } else {
            None
        };
        Ok(Self { card, kit, voices })
    }

    /// Counts calls as made whose answers a run holds that is gone on with: what was recorded of them is not played
    /// again.
    pub fn skip(&self, calls: &[Request]) {
        if let Some(voices) = &self.voices {
            for request in calls {
                voices.skip(request);
            }
        }
    }

    /// The card, with what was read written on it.
    pub const fn card(&self) -> &Card {
        &self.card
    }

    /// A player.
    ///
    /// # Errors
    /// There is no agent of that name.
    pub fn player(&self, card: &Card) -> Result<Box<dyn Player>, Diagnostic> {
        players::make(card, &self.kit).map_err(|why| Diagnostic::error("", why))
    }

    /// Plays a run to its end, or until somebody interrupts the program; whether it came to its end. A `detached` one
    /// goes on when its terminal is closed.
    ///
    /// # Errors
    /// The other program cannot be started.
    pub fn play(
        &self,
        ready: &mut Ready,
        pace: Duration,
        detached: bool,
        told: &mut (dyn FnMut(&Session, &[Event]) + Send),
    ) -> anyhow::Result<bool> {
        wait(1, async {
            let mut program = self.program()?;
            let mut doors = self.doors(program.as_mut(), pace)?;
            let run = super::run(&mut ready.session, &mut ready.desk, &mut doors, told);
            let ended = until_interrupted(detached, &self.kit.stop, run).await;
            if let Some(program) = program {
                program.close().await;
            }
            Ok(ended)
        })
        .context("the runner cannot be started")?
    }

    /// Wished when those who think should stop.
    pub const fn stop(&self) -> &Stop {
        &self.kit.stop
    }

    /// Plays a run to its end.
    ///
    /// # Errors
    /// The other program cannot be started.
    pub async fn finish(&self, ready: &mut Ready) -> Result<(), Diagnostic> {
        let wrong = |e: anyhow::Error| Diagnostic::error("", format!("{e:#}"));
        let mut program = self.program().map_err(wrong)?;
        let mut doors = self
            .doors(program.as_mut(), Duration::ZERO)
            .map_err(wrong)?;
        super::run(
            &mut ready.session,
            &mut ready.desk,
            &mut doors,
            &mut |_, _| {},
        )
        .await;
        if let Some(program) = program {
            program.close().await;
        }
        Ok(())
    }

    /// The other program, where the agent is one.
    fn program(&self) -> anyhow::Result<Option<Program>> {
        let Some(command) = self.card.agent.strip_prefix("exec:") else {
            return Ok(None);
        };
        let started = Program::start(command, PATIENCE);
        Ok(Some(started.map_err(|e| anyhow::anyhow!("{e}"))?))
    }

    /// What a run is played with.
    fn doors<'a>(
        &'a self,
        program: Option<&'a mut Program>,
        pace: Duration,
    ) -> anyhow::Result<Doors<'a>> {
        let chat = match &self.voices {
            Some(voices) => {
                voices.reach()?;
                Some(voices as &dyn super::Chat)
            }
            None => None,
        };
        Ok(Doors {
            chat,
            program: program.map(|p| p as &mut dyn super::Lines),
            pace,
            gone: None,
        })
    }
}

/// Deeds that a plan made at once may have; the longest published one has 67.
const WHOLE: u32 = 200;

/// How long another program may take for an answer.
pub(super) const PATIENCE: Duration = Duration::from_mins(2);

/// The lines of a script.
fn script(path: &Path) -> anyhow::Result<Vec<String>> {
    let bytes = files::read(path)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| anyhow::anyhow!("{}: not UTF-8; save it as plain text", path.display()))?;
    let text = text.trim_start_matches('\u{feff}');
    Ok(text.lines().map(str::to_owned).collect())
}

/// What was done in a run, from its start to where it stands.
fn deeds(run: &str, model: &Model) -> anyhow::Result<Vec<String>> {
    let root = model.runs.clone().map_or_else(runs::usual_root, Ok)?;
    let run = SavedRun::read(&runs::find(&root, run)?)?;
    let mut lines = run.done();
    let end = run.events.items.iter().rev().find_map(|e| match &e.body {
        Body::Done { .. } => Some("Done".to_owned()),
        Body::Avoid { reason } => Some(format!("[Avoid] {reason}")),
        _ => None,
    });
    lines.extend(end);
    Ok(lines)
}
