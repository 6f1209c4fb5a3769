//! What of a conversation is recorded: every message once, every reply with what was made of it.

use serde_json::{Map, Value, json};

use crate::agent::chat::{Failure, FailureKind, Finish, Message, Reply, Request, Role, Seat};
use crate::agent::player::Understood;
use crate::task::episode::{Remark, Said};

use super::Breach;

/// Who says what the agent is told.
pub(super) const WORLD: &str = "world";

/// Who says what a model or another program answers.
pub(super) const AGENT: &str = "agent";

/// Who says what an agent thinks that nobody asks.
pub(super) const THOUGHT: &str = "thought";

/// Who says what a critic answers.
const CRITIC: &str = "critic";

/// What has been recorded of each conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    actor: Vec<Message>,
    critic: Vec<Message>,
}

impl Told {
    const fn of(&mut self, seat: Seat) -> &mut Vec<Message> {
        match seat {
            Seat::Actor => &mut self.actor,
            Seat::Critic => &mut self.critic,
        }
    }

    /// The messages of a request that are not recorded yet. A conversation that begins anew says so.
    pub(super) fn request(&mut self, request: &Request) -> Vec<Said> {
        let known = self.of(request.seat);
        let shared = known.iter().zip(&request.messages);
        let same = shared.take_while(|(a, b)| a == b).count();
        let anew = same < known.len();
        let new: Vec<Message> = request.messages.iter().skip(same).cloned().collect();
        known.clone_from(&request.messages);
        let said = |(i, message): (usize, Message)| {
            let by = match message.role {
                Role::System => "system",
                Role::User => WORLD,
                // Words put into the model's mouth, as the published runner does with a critique.
                Role::Assistant => "assistant",
            };
            let mut data = Map::new();
            if request.seat == Seat::Critic {
                data.insert("seat".to_owned(), CRITIC.into());
            }
            if anew && i == 0 {
                data.insert("from".to_owned(), same.into());
            }
            let said = Said::by(Remark::Message, by, &message.text);
            if data.is_empty() {
                said
            } else {
                said.with(Value::Object(data).to_string())
            }
        };
        new.into_iter().enumerate().map(said).collect()
    }

    /// A reply, or why there is none, with what was made of it.
    pub(super) fn reply(
        &mut self,
        seat: Seat,
        reply: &Result<Reply, Failure>,
        made: &Understood,
    ) -> Said {
        let mut data = understood(made);
        let (kind, by) = match seat {
            Seat::Actor => (Remark::Message, AGENT),
            Seat::Critic => (Remark::Critic, CRITIC),
        };
        let text = match reply {
            Ok(reply) => {
                self.of(seat).push(Message {
                    role: Role::Assistant,
                    text: reply.text.clone(),
                });
                if !reply.thought.is_empty() {
                    data.insert("reasoning".to_owned(), reply.thought.as_str().into());
                }
                match &reply.finish {
                    Finish::Stop => {}
                    other => {
                        data.insert("finish".to_owned(), finish_id(other).into());
                    }
                }
                reply.text.as_str()
            }
            Err(failure) => {
                data.insert("failure".to_owned(), failure.kind.id().into());
                failure.message.as_str()
            }
        };
        let said = Said::by(kind, by, text);
        if data.is_empty() {
            said
        } else {
            said.with(Value::Object(data).to_string())
        }
    }
}

const fn finish_id(finish: &Finish) -> &str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::Filtered => "filtered",
        Finish::Other(name) => name.as_str(),
    }
}

/// The reply that a remark of an agent or a critic records; `None` for other remarks.
pub(super) fn read_reply(said: &Said) -> Option<Result<Reply, Failure>> {
    let spoken = matches!(said.kind, Remark::Message | Remark::Critic);
    if !spoken || ![AGENT, CRITIC].contains(&said.by.as_str()) {
        return None;
    }
    let data: Value = match &said.data {
        Some(data) => serde_json::from_str(data).ok()?,
        None => Value::Null,
    };
    let text = |name: &str| data.get(name).and_then(Value::as_str);
    if let Some(kind) = text("failure") {
        return Some(Err(Failure {
            kind: FailureKind::parse(kind)?,
            message: said.text.clone(),
        }));
    }
    Some(Ok(Reply {
        text: said.text.clone(),
        thought: text("reasoning").unwrap_or_default().to_owned(),
        finish: match text("finish") {
            None => Finish::Stop,
            Some("length") => Finish::Length,
            Some("filtered") => Finish::Filtered,
            Some(other) => Finish::Other(other.to_owned()),
        },
        usage: None,
    }))
}

/// The line that a remark of an agent records, or why there was none; `None` for other remarks.
pub(super) fn read_line(said: &Said) -> Option<Result<String, Failure>> {
    read_reply(said).map(|reply| reply.map(|reply| reply.text))
}

fn understood(made: &Understood) -> Map<String, Value> {
    let mut data = Map::new();
    if !made.deeds.is_empty() {
        data.insert("deeds".to_owned(), made.deeds.clone().into());
    }
    if let Some(thought) = &made.thought {
        data.insert("thought".to_owned(), thought.as_str().into());
    }
    if !made.notes.is_empty() {
        data.insert("notes".to_owned(), made.notes.clone().into());
    }
    if let Some((kind, why)) = &made.problem {
        data.insert("problem".to_owned(), json!({"kind": kind, "why": why}));
    }
    if let Some(claims) = made.claims.as_deref()
        && let Ok(claims) = serde_json::from_str::<Value>(claims)
    {
        data.insert("claims".to_owned(), claims);
    }
    data
}

/// A line of another program, with what was made of it.
pub(super) fn line(line: Result<&str, &Failure>, made: &Understood) -> Said {
    let mut data = understood(made);
    let text = match line {
        Ok(line) => line,
        Err(failure) => {
            data.insert("failure".to_owned(), failure.kind.id().into());
            &failure.message
        }
    };
    let said = Said::by(Remark::Message, AGENT, text);
    if data.is_empty() {
        said
    } else {
        said.with(Value::Object(data).to_string())
    }
}

/// An act is held.
pub(super) fn held(act: &str, breaches: &[Breach]) -> Said {
    let rules: Vec<Value> = breaches
        .iter()
        .map(|b| json!({"rule": b.rule, "grade": b.grade.id(), "severity": b.severity}))
        .collect();
    let words: Vec<&str> = breaches.iter().map(|b| b.rule.as_str()).collect();
    Said::by(Remark::Intervention, super::POLICY, &words.join(" "))
        .with(json!({"what": "held", "act": act, "breaks": rules}).to_string())
}

/// Another trial begins.
pub(super) fn trial(n: u32, reset: bool) -> Said {
    let from = if reset {
        "from the start"
    } else {
        "from where the last one ended"
    };
    let mode = if reset { "reset" } else { "continue" };
    Said::new(Remark::Trial, &format!("trial {n}, {from}"))
        .with(json!({"trial": n, "mode": mode}).to_string())
}
