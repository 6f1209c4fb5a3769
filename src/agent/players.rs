//! Everybody who can play, by the name on a card.

use crate::agent::card::Card;
use crate::agent::player::{Deed, Player, Standpoint, Want};
use crate::base::chance::Chance;
use crate::plan::options::Focus;

/// Plays by chance.
#[derive(Debug)]
struct Random(Chance);

impl Player for Random {
    fn next(&mut self, at: &mut Standpoint<'_>) -> Want {
        let all = at.episode.candidates(&Focus::default());
        let open: Vec<_> = all.into_iter().filter(|c| c.refusal.is_none()).collect();
        match open.get(self.0.below(open.len())) {
            Some(one) => Want::Do(Deed::Act(one.action)),
            None => Want::Do(Deed::Done),
        }
    }
}

/// Makes the player that a card names.
///
/// # Errors
/// There is none of that name.
pub fn make(card: &Card) -> Result<Box<dyn Player>, String> {
    match card.agent.as_str() {
        "random" => Ok(Box::new(Random(Chance::new(card.seed)))),
        other => Err(format!("there is no agent {other:?}")),
    }
}
