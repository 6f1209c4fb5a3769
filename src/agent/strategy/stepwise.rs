//! One command a reply, until Done, `[Avoid]` or the limit; then, if the task is not done, a look back and another trial.

use crate::agent::chat::{Failure, Message, Reply, Request, Role, Seat};
use crate::agent::critic;
use crate::agent::feedback::Feedback;
use crate::agent::reply::{self, Deed, Expect};
use crate::sim::timeline::Pos;
use crate::sim::world::Action;

use super::talk::{Talk, schema, understood};
use super::{After, Ctx, Said, Strategy, TrialEnd, Trials, Want, Why};

/// The look back after a trial that failed.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookBack {
    /// The prompt file that asks for it.
    pub(super) file: &'static str,
    /// Whose model is asked.
    pub(super) seat: Seat,
    /// How often at most.
    pub(super) rounds: u32,
}

/// What it waits for, or is about to want.
#[derive(Debug, Default)]
enum State {
    /// It asks for the next command.
    #[default]
    Ready,
    Asked,
    Act(Action, String),
    Doing,
    End(Why),
    /// It asks for a look back.
    Look,
    Looking,
    Over,
}

/// A conversation of one command a reply.
#[derive(Debug)]
pub(super) struct Stepwise {
    /// The prompt file with the form of replies.
    file: &'static str,
    /// Whether replies have a rationale.
    rationale: bool,
    back: Option<LookBack>,
    talk: Talk,
    state: State,
    /// Commands of this trial, unreadable replies included.
    turns: u32,
    /// Looks back so far.
    rounds: u32,
    /// Where the last trial ended.
    ended: Pos,
}

impl Stepwise {
    pub(super) fn new(file: &'static str, rationale: bool, back: Option<LookBack>) -> Self {
        Self {
            file,
            rationale,
            back,
            talk: Talk::default(),
            state: State::default(),
            turns: 0,
            rounds: 0,
            ended: Pos::START,
        }
    }

    const fn left(&self, ctx: &Ctx<'_>) -> u32 {
        ctx.settings.limit.saturating_sub(self.turns)
    }

    fn request(&self, ctx: &Ctx<'_>) -> Request {
        Request {
            seat: Seat::Actor,
            messages: self.talk.messages.clone(),
            schema: schema(ctx, self.rationale, false),
            max_tokens: ctx.settings.max_tokens,
        }
    }

    /// The same conversation with a request for a look back.
    fn look(&self, ctx: &Ctx<'_>, back: LookBack) -> Request {
        let mut messages = self.talk.messages.clone();
        let ask = ctx.settings.prompts.fill(back.file, "ask", &[]);
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
            max_tokens: Some(ctx.settings.critique_tokens),
        }
    }

    fn command(&mut self, ctx: &Ctx<'_>, reply: &Reply) -> Vec<Said> {
        self.talk.assistant(&reply.text);
        self.turns += 1;
        let read = understood(ctx, reply, Expect::One);
        let mut said = Vec::new();
        let aloud = read
            .thought
            .clone()
            .filter(|_| reply.thought.trim().is_empty());
        let thought = aloud.unwrap_or_else(|| reply.thought.trim().to_owned());
        if !thought.is_empty() {
            said.push(Said::Thought(thought));
        }
        self.state = match (&read.problem, read.deeds.first()) {
            (Some(problem), _) if ctx.settings.published => {
                State::End(Why::Unread(problem.clone()))
            }
            (Some(problem), _) => {
                let feedback = Feedback::Unread(problem.clone()).text();
                let left = self.left(ctx);
                self.talk.unread(ctx, &feedback, left);
                State::Ready
            }
            (None, Some(Deed::Act { action, line })) => State::Act(*action, line.clone()),
            (None, Some(Deed::Avoid { reason })) => State::End(Why::Avoided {
                reason: reason.clone(),
            }),
            (None, Some(Deed::Done) | None) => State::End(Why::Done),
        };
        said.push(Said::Understood(read));
        said
    }

    fn looked(&mut self, ctx: &Ctx<'_>, back: LookBack, reply: &Reply) -> Vec<Said> {
        let text = reply::without_thoughts(&reply.text);
        let words = [("critique", &*text)];
        self.turns = 0;
        self.state = State::Ready;
        match ctx.settings.trials {
            Trials::Continue => {
                let insert = ctx.settings.prompts.fill(back.file, "insert", &words);
                self.talk.assistant(&insert);
                let left = self.left(ctx);
                self.talk.trial(ctx, left);
            }
            Trials::Reset => {
                let remember = ctx.settings.prompts.fill(back.file, "remember", &words);
                self.talk.begin(ctx, self.file, &remember);
            }
        }
        let claims = critic::judge(ctx.episode, self.ended, &text);
        vec![Said::Critique {
            seat: back.seat,
            text,
            claims,
        }]
    }
}

impl Strategy for Stepwise {
    fn next(&mut self, ctx: &Ctx<'_>) -> Want {
        if self.talk.is_empty() {
            self.talk.begin(ctx, self.file, "");
        }
        match std::mem::take(&mut self.state) {
            State::Ready if self.turns >= ctx.limit() => {
                self.state = State::Over;
                Want::EndTrial(Why::Limit)
            }
            State::Ready => {
                self.state = State::Asked;
                Want::Ask(self.request(ctx))
            }
            State::Act(action, line) => {
                self.state = State::Doing;
                Want::Do { action, line }
            }
            State::End(why) => {
                self.state = State::Over;
                Want::EndTrial(why)
            }
            State::Look => {
                let Some(back) = self.back else {
                    self.state = State::Over;
                    return Want::Wait;
                };
                self.state = State::Looking;
                Want::Ask(self.look(ctx, back))
            }
            waiting => {
                self.state = waiting;
                Want::Wait
            }
        }
    }

    fn heard(&mut self, ctx: &Ctx<'_>, reply: Result<Reply, Failure>) -> Vec<Said> {
        match (reply, &self.state, self.back) {
            (Ok(reply), State::Asked, _) => self.command(ctx, &reply),
            (Ok(reply), State::Looking, Some(back)) => self.looked(ctx, back, &reply),
            (Err(failure), State::Asked | State::Looking, _) => {
                self.state = State::End(Why::Failed(failure.clone()));
                vec![Said::Failed(failure)]
            }
            // Nothing was asked.
            _ => Vec::new(),
        }
    }

    fn happened(&mut self, ctx: &Ctx<'_>, feedback: &Feedback) {
        if self.talk.is_empty() {
            self.talk.begin(ctx, self.file, "");
        }
        let text = feedback.text();
        match feedback {
            Feedback::Message(_) => self.talk.user(&text),
            Feedback::TookOver { .. } => {
                let left = self.left(ctx);
                self.talk.step(ctx, &text, left);
                // What it had in mind before is not done any more.
                match self.state {
                    State::Act(..) | State::Doing | State::Asked => self.state = State::Ready,
                    State::Looking => self.state = State::Look,
                    _ => {}
                }
            }
            _ => {
                let left = self.left(ctx);
                self.talk.step(ctx, &text, left);
                if matches!(self.state, State::Doing) {
                    self.state = State::Ready;
                }
            }
        }
    }

    fn trial_ended(&mut self, ctx: &Ctx<'_>, end: &TrialEnd) -> After {
        self.ended = ctx.episode.here();
        let rounds = self.back.map_or(0, |b| b.rounds);
        let hopeless = matches!(end.why, Why::Failed(_)) && !ctx.settings.published;
        if end.success || hopeless || self.rounds >= rounds {
            self.state = State::Over;
            return After::Over;
        }
        self.rounds += 1;
        self.state = State::Look;
        After::Again
    }
}
