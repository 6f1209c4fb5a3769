//! Jobs that try a prompt for one turn.

use std::sync::Arc;

use crate::agent::card::Card;
use crate::agent::prompt::Prompts;
use crate::agent::strategy::Once;
use crate::app::jobs::Reply;
use crate::app::tries::{Tried, Try};
use crate::runtime::live::once;
use crate::task::episode::Episode;

use super::{Control, Sources, tasks};

/// Asks what a strategy would ask first, and reads the answer as it would.
pub(super) fn turn(sources: &Sources, control: &Control, asked: &Try) -> Result<Reply, String> {
    let setup = tasks::loaded(sources, &asked.task)?.setup;
    let profile = setup.task.profile_for(None)?;
    let (episode, _) =
        Episode::start(Arc::new(setup), profile).map_err(|fault| fault.to_string())?;
    let texts = asked.texts.iter().map(|(n, t)| (n.as_str(), t.as_str()));
    let prompts = Prompts::with(texts).map_err(|all| {
        let first = all.first().map(ToString::to_string);
        first.unwrap_or_else(|| "the prompts cannot be read".to_owned())
    })?;
    let turn = Once::new(episode, Arc::new(prompts), &asked.file)?;
    let card = Card {
        model: Some(asked.model.clone()),
        ..Card::plain(&asked.agent)
    };
    let gone = || control.is_cancelled();
    let mut on = |count| control.progress(count, 0);
    let (reply, spent) = once::ask(&card, &turn.request, &gone, &mut on)?;
    Ok(Reply::Tried(Box::new(Tried {
        understood: turn.heard(reply.clone()),
        reply,
        spent,
    })))
}
