//! Feeding a session with the inputs a run recorded: it makes the same events again, and goes on from there.

use serde_json::Value;

use crate::agent::chat::Request;
use crate::task::episode::{Body, Event, Said};

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

/// A session that stands where a recorded run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caught {
    /// Events that belong to the run but are not in it, because it was cut between an input and what followed from it.
    pub fresh: Vec<Event>,
    /// The requests whose answers are recorded, in order.
    pub answered: Vec<Request>,
}

impl Session {
    /// Brings a session that has just begun to where the recorded events end. `recorded` are all events of the run, the
    /// start included.
    ///
    /// # Errors
    /// The session makes other events from the same inputs: another version of the program, prompts or task.
    pub fn catch_up(&mut self, recorded: &[Event]) -> Result<Caught, Differs> {
        // The events of the caller, such as the start, are there before.
        let mut made = self.episode.events() as usize - self.out.len();
        let mut answered = Vec::new();
        loop {
            let mut fresh = compare(&self.events(), recorded, &mut made)?;
            let due = recorded.get(made);
            if let Some((next, input)) = due.and_then(|event| Some((event, self.between(event)?))) {
                self.take(input)
                    .map_err(|why| Differs { seq: next.seq, why })?;
                continue;
            }
            let need = self.next();
            fresh.extend(compare(&self.events(), recorded, &mut made)?);
            let Some(next) = recorded.get(made) else {
                return Ok(Caught { fresh, answered });
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
            if let (Input::Reply(_), Need::Ask(request)) = (&input, need) {
                answered.push(request);
            }
            self.take(input)
                .map_err(|why| Differs { seq: next.seq, why })?;
        }
    }
}

impl Session {
    /// The control that the next recorded event stems from, where it was taken before the agent was asked what it wants.
    /// One that came after that names the act that waited, or follows what was asked for.
    fn between(&self, event: &Event) -> Option<Input> {
        let Body::Remark(said) = &event.body else {
            return None;
        };
        let later = self.pending.is_none() && said.data.as_deref().is_some_and(names_act);
        control(said).filter(|_| !later)
    }
}

/// Whether a control was said to an act that waited.
fn names_act(data: &str) -> bool {
    serde_json::from_str::<Value>(data).is_ok_and(|data| data.get("act").is_some())
}

/// The control that a remark records.
fn control(said: &Said) -> Option<Input> {
    let (control, by) = Control::of(said)?;
    Some(match control {
        Control::End(why) if by == POLICY => Input::Gone(why),
        _ if by == POLICY => Input::Silence,
        control => Input::Control(control),
    })
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
    if let Some(input) = control(said) {
        return Some(input);
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
