//! Who plays: files that belong to an agent are read, its model or program is reached, its runs are played.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;

use crate::agent::card::Card;
use crate::agent::player::Player;
use crate::agent::players;
use crate::agent::session::Session;
use crate::base::diag::Diagnostic;
use crate::task::episode::Event;

use super::one::Ready;
use super::program::Program;
use super::{Desk, Doors, until_interrupted, wait};

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
}

/// Who plays, with what that needs.
#[derive(Debug)]
pub struct Cast {
    card: Card,
}

impl Cast {
    /// Reads what belongs to an agent.
    ///
    /// # Errors
    /// A file cannot be read, or an endpoint cannot be used.
    pub fn new(card: &Card, _model: &Model) -> anyhow::Result<Self> {
        Ok(Self { card: card.clone() })
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
        players::make(card).map_err(|why| Diagnostic::error("", why))
    }

    /// Plays a session to its end, or until somebody interrupts the program; whether it came to its end.
    ///
    /// # Errors
    /// The other program cannot be started.
    pub fn play(
        &self,
        session: &mut Session,
        desk: &mut Desk,
        pace: Duration,
        detached: bool,
        told: &mut (dyn FnMut(&Session, &[Event]) + Send),
    ) -> anyhow::Result<bool> {
        wait(1, async {
            let mut doors = self.doors(pace)?;
            let run = super::run(session, desk, &mut doors, told);
            let ended = until_interrupted(detached, run).await;
            if let Some(program) = doors.program {
                program.close().await;
            }
            Ok(ended)
        })
        .context("the runner cannot be started")?
    }

    /// Plays a run to its end.
    ///
    /// # Errors
    /// The other program cannot be started.
    pub async fn finish(&self, ready: &mut Ready) -> Result<(), Diagnostic> {
        let doors = self.doors(Duration::ZERO);
        let mut doors = doors.map_err(|e| Diagnostic::error("", format!("{e:#}")))?;
        super::run(
            &mut ready.session,
            &mut ready.desk,
            &mut doors,
            &mut |_, _| {},
        )
        .await;
        if let Some(program) = doors.program {
            program.close().await;
        }
        Ok(())
    }

    /// What a run is played with.
    fn doors(&self, pace: Duration) -> anyhow::Result<Doors<'_>> {
        let program = match self.card.agent.strip_prefix("exec:") {
            Some(command) => {
                let started = Program::start(command, PATIENCE);
                Some(started.map_err(|e| anyhow::anyhow!("{e}"))?)
            }
            None => None,
        };
        Ok(Doors {
            chat: None,
            program,
            pace,
        })
    }
}

/// How long another program may take for an answer.
const PATIENCE: Duration = Duration::from_secs(120);
