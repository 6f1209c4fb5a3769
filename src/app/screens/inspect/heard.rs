//! What was said around a step: what the agent was told, what it thought and answered, what a critic claimed; and what of
//! the observations the world denies.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::agent::observe::heard::{Denied, denied};
use crate::app::runs::{Again, LoadedRun};
use crate::task::episode::record::Events;
use crate::task::episode::{Body, Event, Remark, Said};

/// Who says what an agent is told.
const WORLD: &str = "world";

/// What the world denies of each observation, by the number of its event.
pub(super) type Denials = BTreeMap<u32, Vec<Denied>>;

/// Looks through the observations of a run. Only what was told last before an answer counts, and only once: an agent may
/// be reminded of what it saw long ago.
pub(super) fn denials(run: &LoadedRun) -> Denials {
    let mut all = Denials::new();
    let Ok(again) = &run.again else { return all };
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut timeline = None;
    for (event, next) in run
        .events
        .iter()
        .zip(run.events.iter().skip(1).map(Some).chain([None]))
    {
        let Some(said) = observation(event) else {
            continue;
        };
        let is_last = next.is_none_or(|next| !is_told(next));
        if !told.insert(&said.text) || !is_last {
            continue;
        }
        let timeline = timeline.get_or_insert_with(|| again.episode.timeline().clone());
        let Some(pos) = standing(again, run.recorded(), event) else {
            continue;
        };
        if !timeline.goto(pos) {
            continue;
        }
        let found = denied(timeline.world(), &said.text);
        if !found.is_empty() {
            all.insert(event.seq, found);
        }
    }
    all
}

/// Where the world stood when something was said.
fn standing(again: &Again, events: Events<'_>, event: &Event) -> Option<crate::sim::timeline::Pos> {
    let mut at = event.parent?;
    // What was said may hang below something that made no position.
    while let Some(above) = events.get(at) {
        if above.body.makes_position() {
            return again.episode.pos(at);
        }
        at = above.parent.filter(|up| *up < at)?;
    }
    None
}

/// Something that the acting agent was told by the world.
fn observation(event: &Event) -> Option<&Said> {
    match &event.body {
        Body::Remark(said) if said.kind == Remark::Message && said.by == WORLD => {
            let seat = field(said, "seat");
            seat.is_none().then_some(said)
        }
        _ => None,
    }
}

/// Whether it belongs to what is told before an answer.
fn is_told(event: &Event) -> bool {
    match &event.body {
        Body::Remark(said) => {
            said.kind == Remark::Message
                && [WORLD, "assistant", "system"].contains(&said.by.as_str())
        }
        _ => false,
    }
}

/// A text that is kept with something said.
pub(super) fn field(said: &Said, name: &str) -> Option<String> {
    let data: Value = serde_json::from_str(said.data.as_deref()?).ok()?;
    data.get(name)?.as_str().map(str::to_owned)
}

/// What critics claim about steps, by position.
pub(super) type Claims = BTreeMap<u32, Vec<Claim>>;

/// What a critic claims, and what the record says to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// As it was said.
    pub text: String,
    /// `confirmed`, `refuted` or `unverifiable`.
    pub verdict: String,
    /// What decides it.
    pub evidence: String,
}

/// The claims of the critics of a run.
pub(super) fn claims(run: &LoadedRun) -> Claims {
    let mut all = Claims::new();
    for event in &run.events {
        let Body::Remark(said) = &event.body else {
            continue;
        };
        if said.kind != Remark::Critic {
            continue;
        }
        let data = said
            .data
            .as_deref()
            .and_then(|it| serde_json::from_str::<Value>(it).ok());
        let list = data.as_ref().and_then(|it| it.get("claims")?.as_array());
        for value in list.into_iter().flatten() {
            let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
            let claim = Claim {
                text: text("text").to_owned(),
                verdict: text("verdict").to_owned(),
                evidence: text("evidence").to_owned(),
            };
            let steps = value.get("steps").and_then(Value::as_array);
            for step in steps.into_iter().flatten().filter_map(Value::as_u64) {
                let Ok(step) = u32::try_from(step) else {
                    continue;
                };
                all.entry(step).or_default().push(claim.clone());
            }
        }
    }
    all
}

/// What is said before a step, and about it: the remarks between the step before and the one after the row's event.
pub(super) fn around(events: Events<'_>, seq: u32) -> Vec<&Event> {
    let is_remark = |event: &&Event| matches!(event.body, Body::Remark(_));
    let before = events.before(seq);
    let mut all: Vec<&Event> = before
        .iter()
        .rev()
        .take_while(|event| {
            matches!(
                event.body,
                Body::Remark(_) | Body::Branch | Body::Goto { .. }
            )
        })
        .filter(is_remark)
        .collect();
    all.reverse();
    if let Some(own) = events.get(seq).filter(is_remark) {
        all.push(own);
    }
    all
}
