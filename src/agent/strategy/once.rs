//! The first turn of a strategy alone, for whoever edits what it says.

use std::sync::Arc;

use crate::agent::chat::{Reply, Request};
use crate::agent::player::{Player, Standpoint, Understood, Want};
use crate::agent::prompt::{Prompts, is_for_arenas};
use crate::agent::session::Terms;
use crate::task::episode::Episode;

use super::{Choice, Settings};

/// A first turn: what is asked, and somebody who reads the answer.
#[derive(Debug)]
pub struct Once {
    episode: Episode,
    player: Box<dyn Player>,
    /// What is asked.
    pub request: Request,
}

impl Once {
    /// The first turn of the strategy of a prompt file; of ReAct for a file that several share.
    ///
    /// # Errors
    /// The strategy asks nothing there, or the file is said in arenas alone.
    pub fn new(mut episode: Episode, prompts: Arc<Prompts>, file: &str) -> Result<Self, String> {
        if is_for_arenas(file) {
            return Err(format!(
                "{file} is said in arenas alone; try it with vesta arena hold"
            ));
        }
        let choice = Choice::parse(file).or_else(|_| Choice::parse("react"))?;
        let settings = Settings {
            schema: true,
            ..Settings::new(prompts)
        };
        let mut player = choice.make(Arc::new(settings));
        match player.next(&mut at(&mut episode)) {
            Want::Ask(request) => Ok(Self {
                episode,
                player,
                request,
            }),
            _ => Err(format!("{choice} asks nothing in its first turn")),
        }
    }

    /// What is made of the answer.
    pub fn heard(mut self, reply: Reply) -> Understood {
        let seat = self.request.seat;
        self.player
            .heard(&mut at(&mut self.episode), seat, Ok(reply))
    }
}

fn at(episode: &mut Episode) -> Standpoint<'_> {
    Standpoint {
        episode,
        trial: 1,
        left: Terms::default().steps,
    }
}
