//! Agents at an arena's table: each seat's model or program is reached and asked.
//!
//! The models of all seats share one recording. Every arena has its own turns in it, so that arenas held at the same time are
//! played again alike whoever was faster.

use std::collections::BTreeMap;

use anyhow::Context as _;
use tokio::runtime::Runtime;

use crate::agent::card::Card;
use crate::agent::chat::{Finish, Request, Turn};
use crate::agent::players;
use crate::agent::prompt::Prompts;
use crate::agent::sign::Sign;
use crate::arena::house::agents::{Answered, Question, Seat, Seated, Speaker};
use crate::store::prompts;

use super::Chat as _;
use super::cast::{Model, PATIENCE};
use super::program::Program;
use super::voices::{self, Voices};

/// Everybody who may be asked.
#[derive(Debug)]
pub struct Panel {
    seats: Vec<(Seated, Option<Voices>)>,
    prompts: Prompts,
    runtime: Runtime,
}

impl Panel {
    /// Reads what belongs to the agents.
    ///
    /// # Errors
    /// An agent is neither a model nor a program, an endpoint cannot be used, or a prompt or the recording cannot be read.
    pub fn new(cards: Vec<(Seat, Card)>, model: &Model) -> anyhow::Result<Self> {
        let prompts = prompts::read()?;
        let tape = voices::tape(model)?;
        let mut seats = Vec::new();
        for (seat, mut card) in cards {
            let kind = players::find(&card.agent).map_err(anyhow::Error::msg)?;
            let voices = if kind.talks {
                card.base.clone_from(&model.base_url);
                let voices = Voices::taped(&card, model, tape.clone())?;
                // The address is no part of what decides an arena, and a recording is played without it.
                card.base = None;
                let said = prompts
                    .versions_of(|n| n == seat.file() || seat == Seat::Blue && n == "common");
                card.prompts = said.into_iter().collect();
                Some(voices)
            } else if kind.id == "exec" {
                None
            } else {
                anyhow::bail!(
                    "{} cannot be {seat}: it speaks no words; write a chat model or exec:COMMAND",
                    card.agent
                );
            };
            seats.push((Seated { seat, card }, voices));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .context("the agents cannot be asked")?;
        let it = Self {
            seats,
            prompts,
            runtime,
        };
        it.runtime.block_on(async {
            let mut voices = it.seats.iter().filter_map(|(_, voices)| voices.as_ref());
            voices.try_for_each(Voices::reach)
        })?;
        Ok(it)
    }

    /// What is said to models.
    pub const fn prompts(&self) -> &Prompts {
        &self.prompts
    }

    /// Who is there.
    pub fn seated(&self) -> Vec<Seated> {
        self.seats.iter().map(|(it, _)| it.clone()).collect()
    }

    /// The table of one arena.
    pub fn table(&self, task: &str) -> Table<'_> {
        Table {
            panel: self,
            task: task.to_owned(),
            turn: 0,
            programs: BTreeMap::new(),
        }
    }
}

/// The table of one arena: its turns, and its own programs.
#[derive(Debug)]
pub struct Table<'p> {
    panel: &'p Panel,
    task: String,
    turn: u32,
    programs: BTreeMap<Seat, Program>,
}

impl Table<'_> {
    async fn model(&mut self, voices: &Voices, question: &Question) -> Result<Answered, String> {
        let request = Request {
            seat: crate::agent::chat::Seat::Actor,
            messages: question.messages.clone(),
            schema: None,
            max_tokens: None,
            turn: Some(Turn {
                task: self.task.clone(),
                n: self.turn,
            }),
        };
        self.turn += 1;
        let mut nobody = |_: Sign| {};
        let (reply, _) = voices.call(&request, &mut nobody).await;
        let reply = reply.map_err(|failure| failure.message)?;
        Ok(Answered {
            cut: reply.finish == Finish::Length,
            text: crate::agent::reply::without_thoughts(&reply.text),
        })
    }

    async fn program(&mut self, seat: Seat, command: &str, line: &str) -> Result<Answered, String> {
        let program = match self.programs.entry(seat) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(free) => {
                let started = Program::start(command, PATIENCE);
                free.insert(started.map_err(|failure| failure.message)?)
            }
        };
        let answer = super::Lines::exchange(program, line).await;
        let answer = answer.map_err(|failure| failure.message)?;
        Ok(Answered::of_line(&answer))
    }
}

impl Speaker for Table<'_> {
    fn ask(&mut self, question: &Question) -> Result<Answered, String> {
        let panel = self.panel;
        let seat = question.seat;
        let found = panel.seats.iter().find(|(it, _)| it.seat == seat);
        let (it, voices) = found.ok_or_else(|| format!("no agent is {seat}"))?;
        let said = panel.runtime.block_on(async {
            match (voices, it.card.agent.strip_prefix("exec:")) {
                (Some(voices), _) => self.model(voices, question).await,
                (None, Some(command)) => self.program(seat, command, &question.line()).await,
                (None, None) => Err("it speaks no words".to_owned()),
            }
        });
        said.map_err(|why| format!("{seat} {}: {why}", it.card.title()))
    }
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        let programs = std::mem::take(&mut self.programs);
        self.panel.runtime.block_on(async {
            for program in programs.into_values() {
                program.close().await;
            }
        });
    }
}
