//! Feeding a session with the inputs a run recorded: it makes the same events again, and goes on from there.

use crate::task::episode::{Body, Event};

use super::control::{Control, POLICY};
use super::{Input, Need, Session, record};

/// Why a recorded run cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    /// The first event that comes out otherwise.
    pub seq: u32,
    /// What differs, in words.
    pub why: String,
}

impl Session {
    /// Brings a session that has just begun to where the recorded events end. `recorded` are all events of the run, the
    /// start included. Yields events that belong to the run but are not in it, because it was cut between an input and
    /// what followed from it.
    ///
    /// # Errors
    /// The session makes other events from the same inputs: another version of the program, prompts or task.
    pub fn catch_up(&mut self, recorded: &[Event]) -> Result<Vec<Event>, Differs> {
        // The events of the caller, such as the start, are there before.
        let mut made = self.episode.events() as usize - self.out.len();
        loop {
            let need = self.next();
            let new = self.events();
            let fresh = compare(&new, recorded, &mut made)?;
            let Some(next) = recorded.get(made) else {
                return Ok(fresh);
            };
            if need == Need::Going {
                continue;
            }
            let input = input(next, &need).ok_or_else(|| Differs {
                seq: next.seq,
                why: format!(
                    "a {} is recorded where the agent waits for {}",
                    next.body.kind(),
                    waits(&need)
                ),
            })?;
            self.take(input)
                .map_err(|why| Differs { seq: next.seq, why })?;
        }
    }
}

/// Compares events that were made again with those recorded; those beyond the record are yielded.
fn compare(new: &[Event], recorded: &[Event], made: &mut usize) -> Result<Vec<Event>, Differs> {
    let mut fresh = Vec::new();
    for event in new {
        match recorded.get(*made) {
            None => fresh.push(event.clone()),
            Some(known) if known == event => {}
            Some(known) => {
                return Err(Differs {
                    seq: known.seq,
                    why: format!(
                        "a {} is recorded and a {} comes out, or they differ inside",
                        known.body.kind(),
                        event.body.kind()
                    ),
                });
            }
        }
        *made += 1;
    }
    Ok(fresh)
}

/// The input that the next recorded event stems from.
fn input(event: &Event, need: &Need) -> Option<Input> {
    let Body::Remark(said) = &event.body else {
        return None;
    };
    if let Some((control, by)) = Control::of(said) {
        return Some(if by == POLICY {
            Input::Silence
        } else {
            Input::Control(control)
        });
    }
    match need {
        Need::Ask(_) => record::read_reply(said).map(Input::Reply),
        Need::Line(_) => record::read_line(said).map(Input::Line),
        _ => None,
    }
}

const fn waits(need: &Need) -> &'static str {
    match need {
        Need::Ask(_) => "a reply",
        Need::Line(_) => "a line",
        Need::Held(_) => "a word on a held act",
        Need::Paused(_) => "a word to go on",
        Need::Hand => "a person",
        Need::Going | Need::Over => "nothing",
    }
}
