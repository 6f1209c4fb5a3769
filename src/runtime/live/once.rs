//! One call of a chat model, for whoever tries something.

use std::time::Duration;

use tokio::time::sleep;

use crate::agent::card::Card;
use crate::agent::chat::{Reply, Request};
use crate::agent::sign::{Sign, Spent};

use super::cast::Model;
use super::voices::Voices;
use super::{Chat as _, wait};

/// How often it is looked whether anybody still waits.
const LOOK: Duration = Duration::from_millis(5);

/// Asks a model once. `on` hears how many characters have come; `gone` tells that nobody waits any more, which closes
/// the connection.
///
/// # Errors
/// The model cannot be reached or gives no reply, in one sentence without the key; or nobody waits any more.
pub fn ask(
    card: &Card,
    request: &Request,
    gone: &(dyn Fn() -> bool + Sync),
    on: &mut (dyn FnMut(u64) + Send),
) -> Result<(Reply, Option<Spent>), String> {
    let voices = Voices::new(card, &Model::default()).map_err(|e| format!("{e:#}"))?;
    let mut count = 0;
    let mut told = |sign: Sign| {
        match sign {
            Sign::Text(text) | Sign::Thought(text) => count += text.chars().count() as u64,
            Sign::Retry { .. } => count = 0,
            _ => return,
        }
        on(count);
    };
    let asked = async {
        voices.reach().map_err(|e| format!("{e:#}"))?;
        let left = async {
            while !gone() {
                sleep(LOOK).await;
            }
        };
        tokio::select! {
            (reply, spent) = voices.call(request, &mut told) => match reply {
                Ok(reply) => Ok((reply, spent)),
                Err(failure) => Err(failure.message),
            },
            () = left => Err("nobody waits for it".to_owned()),
        }
    };
    wait(1, asked).map_err(|e| format!("the call cannot be started: {e}"))?
}
