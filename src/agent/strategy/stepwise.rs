//! One command a reply, until Done, `[Avoid]` or the limit; then, if the task is not done, a look back and another trial.

use std::sync::Arc;

use crate::agent::chat::{Failure, Message, Reply, Request, Role, Seat};
use crate::agent::feedback::Feedback;
use crate::agent::player::{Deed, Happening, Player, Standpoint, Understood, Want};
use crate::agent::reply::{self, Expect};
use crate::sim::timeline::Pos;
use crate::sim::world::Action;

use super::talk::{Talk, schema, understood};
use super::{Ctx, Settings, Trials, failed, looked, made};

/// The look back after a trial that failed.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookBack {
    /// The prompt file that asks for it.
    pub(super) file: &'static str,
    /// Whose model is asked.
    pub(super) seat: Seat,
}

/// What it wants, until it is told something.
#[derive(Debug, Default)]
enum State {
    /// The next command.
    #[default]
    Command,
    /// To do this.
    Act(Action),
    /// The trial to end so.
    End(Want),
    /// A look back.
    Look,
    /// Another trial.
    Begin,
}

/// A conversation of one command a reply.
#[derive(Debug)]
pub(super) struct Stepwise {
    settings: Arc<Settings>,
    /// The prompt file with the form of replies.
    file: &'static str,
    /// Whether replies have a rationale.
    rationale: bool,
    back: Option<LookBack>,
    talk: Talk,
    state: State,
    /// Where the last trial ended.
    ended: Pos,
    /// What was said about it.
    critique: Option<String>,
}

/// What of the world a player looks at; a macro because it borrows the settings alone.
macro_rules! ctx {
    ($it:expr, $at:expr) => {
        &Ctx {
            episode: &*$at.episode,
            settings: &$it.settings,
            left: $at.left,
        }
    };
}

impl Stepwise {
    pub(super) fn new(
        settings: Arc<Settings>,
        file: &'static str,
        rationale: bool,
        back: Option<LookBack>,
    ) -> Self {
        Self {
            settings,
            file,
            rationale,
            back,
            talk: Talk::default(),
            state: State::default(),
            ended: Pos::START,
            critique: None,
        }
    }

    /// The same conversation with a request for a look back.
    fn look(&self, back: LookBack) -> Request {
        let mut messages = self.talk.messages.clone();
        let ask = self.settings.prompts.fill(back.file, "ask", &[]);
        match messages.last_mut() {
            Some(last) if last.role == Role::User => {
                last.text.push_str("\n\n");
                last.text.push_str(&ask);
            }
            _ => messages.push(Message {
                role: Role::User,
                text: ask,
            }),
        }
        Request {
            seat: back.seat,
            messages,
            schema: None,
            max_tokens: Some(self.settings.critique_tokens),
            turn: None,
        }
    }

    fn command(&mut self, at: &Standpoint<'_>, reply: &Reply) -> Understood {
        let read = {
            let ctx = ctx!(self, at);
            self.talk.answered(ctx, reply);
            understood(ctx, reply, Expect::One)
        };
        self.state = match (&read.problem, read.deeds.first()) {
            (Some(_), _) if self.settings.published => State::End(Want::Do(Deed::Done)),
            (Some(problem), _) => {
                let feedback = Feedback::Unread(problem.clone()).text();
                // The session counts it as a command once it is told.
                let ctx = &Ctx {
                    left: at.left.saturating_sub(1),
                    ..*ctx!(self, at)
                };
                self.talk.unread(ctx, &feedback);
                State::Command
            }
            (None, Some(reply::Deed::Act { action, .. })) => State::Act(*action),
            (None, Some(reply::Deed::Avoid { reason })) => {
                State::End(Want::Do(Deed::Avoid(reason.clone())))
            }
            (None, Some(reply::Deed::Done) | None) => State::End(Want::Do(Deed::Done)),
        };
        made(&read, reply)
    }

    /// Begins another trial, with what was said about the last one.
    fn begin(&mut self, at: &Standpoint<'_>) {
        self.state = State::Command;
        let critique = self.critique.take();
        let said = |part: &str| {
            let (back, critique) = (self.back?, critique.as_deref()?);
            Some(
                self.settings
                    .prompts
                    .fill(back.file, part, &[("critique", critique)]),
            )
        };
        let ctx = ctx!(self, at);
        match self.settings.trials {
            Trials::Continue => {
                if let Some(insert) = said("insert") {
                    self.talk.assistant(&insert);
                }
                self.talk.trial(ctx);
            }
            Trials::Reset => {
                let remember = said("remember").unwrap_or_default();
                self.talk.begin(ctx, self.file, &remember);
            }
        }
    }
}

impl Player for Stepwise {
    fn next(&mut self, at: &mut Standpoint<'_>) -> Want {
        if self.talk.is_empty() {
            self.talk.begin(ctx!(self, at), self.file, "");
        }
        match (&self.state, self.back) {
            (State::Command, _) => {
                let ctx = ctx!(self, at);
                Want::Ask(Request {
                    seat: Seat::Actor,
                    messages: self.talk.messages.clone(),
                    schema: schema(ctx, self.rationale, false),
                    max_tokens: self.settings.max_tokens,
                    turn: None,
                })
            }
            (State::Act(action), _) => Want::Do(Deed::Act(*action)),
            (State::End(want), _) => want.clone(),
            (State::Look, Some(back)) => Want::Ask(self.look(back)),
            (State::Look | State::Begin, _) => Want::Begin,
        }
    }

    fn heard(
        &mut self,
        at: &mut Standpoint<'_>,
        _: Seat,
        reply: Result<Reply, Failure>,
    ) -> Understood {
        match (reply, &self.state) {
            (Ok(reply), State::Command) => self.command(at, &reply),
            (Ok(reply), State::Look) => {
                let (text, made) = looked(at.episode, self.ended, &reply);
                self.critique = Some(text);
                self.state = State::Begin;
                made
            }
            (Err(failure), State::Command) => {
                self.state = State::End(if self.settings.published {
                    Want::Do(Deed::Done)
                } else {
                    failed(&failure)
                });
                Understood::default()
            }
            // Without a word on it the next trial begins all the same.
            (Err(_), State::Look) => {
                self.state = State::Begin;
                Understood::default()
            }
            // Nothing was asked.
            _ => Understood::default(),
        }
    }

    fn happened(&mut self, at: &mut Standpoint<'_>, what: &Happening) {
        if self.talk.is_empty() {
            self.talk.begin(ctx!(self, at), self.file, "");
        }
        match what {
            Happening::TrialEnded(end) => {
                self.ended = at.episode.here();
                let looks = self.back.is_some() && !end.success;
                self.state = if looks { State::Look } else { State::Begin };
            }
            Happening::TrialBegun => self.begin(at),
            Happening::Message(text) => {
                let text = Feedback::Message(text.clone()).text();
                self.talk.user(&text);
            }
            _ => {
                let action = match self.state {
                    State::Act(action) => Some(action),
                    _ => None,
                };
                let Some(feedback) = Feedback::of(at.episode, action, what) else {
                    return;
                };
                self.talk.step(ctx!(self, at), &feedback.text());
                if !matches!(self.state, State::Look | State::Begin) {
                    self.state = State::Command;
                }
            }
        }
    }
}
