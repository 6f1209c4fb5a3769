//! The whole plan in one reply. A plan of which any part cannot be read is not begun; a step that cannot be done ends it,
//! unless the world is already so.

use std::fmt::Write as _;

use crate::agent::chat::{Failure, Message, Reply, Request, Role, Seat};
use crate::agent::critic;
use crate::agent::feedback::{Feedback, spoken};
use crate::agent::reply::{self, Deed, Expect};
use crate::sim::refusal::Kind;
use crate::sim::timeline::Pos;
use crate::sim::world::Action;

use super::talk::{Talk, schema, understood};
use super::{After, Ctx, Entry, Said, Strategy, TrialEnd, Trials, Want, Why};

/// The prompt file.
const FILE: &str = "one-go";

/// The strategy.
pub(super) const ONE_GO: Entry = Entry {
    id: "one-go",
    title: "one-go",
    what: "Writes the whole plan before anything is done.",
    rounds: None,
    one_go: true,
    critic: false,
    make: |_| Box::new(OneGo::new(Advice::None, 0)),
};

/// The strategy that plans again after what went wrong.
pub(super) const AGAIN: Entry = Entry {
    id: "one-go-again",
    title: "one-go + errors",
    what: "One-go; after a plan without success it is told what happened and plans again.",
    rounds: Some("how many further plans there may be"),
    one_go: true,
    critic: false,
    make: |rounds| Box::new(OneGo::new(Advice::None, rounds)),
};

/// The strategy with a critic.
pub(super) const CRITIC: Entry = Entry {
    id: "one-go-critic",
    title: "one-go + Critic",
    what: "One-go; after a plan without success the critic's model says what is wrong with it, and the agent plans again.",
    rounds: Some("how many further plans there may be"),
    one_go: true,
    critic: true,
    make: |rounds| Box::new(OneGo::new(Advice::Critic, rounds)),
};

/// The strategy with a critic who knows a plan that works.
pub(super) const REFERENCE: Entry = Entry {
    id: "one-go-critic-reference",
    title: "one-go + Critic with the reference plan",
    what: "One-go with a critic that is also shown the task's reference plan.",
    rounds: Some("how many further plans there may be"),
    one_go: true,
    critic: true,
    make: |rounds| Box::new(OneGo::new(Advice::Reference, rounds)),
};

/// Who advises on a plan that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Advice {
    None,
    Critic,
    Reference,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Ready,
    Asked,
    /// At this step of the plan.
    Running(usize),
    Doing(usize),
    End(Why),
    Look,
    Looking,
    Over,
}

#[derive(Debug)]
struct OneGo {
    advice: Advice,
    /// How many further plans there may be.
    more: u32,
    talk: Talk,
    state: State,
    plan: Vec<(Action, String)>,
    /// What the plan ends in.
    end: Why,
    /// What went wrong with it, a line each.
    errors: Vec<String>,
    ended: Pos,
}

impl OneGo {
    fn new(advice: Advice, more: u32) -> Self {
        Self {
            advice,
            more,
            talk: Talk::default(),
            state: State::default(),
            plan: Vec::new(),
            end: Why::PlanEnd,
            errors: Vec::new(),
            ended: Pos::START,
        }
    }

    fn planned(&mut self, ctx: &Ctx<'_>, reply: &Reply) -> Vec<Said> {
        self.talk.assistant(&reply.text);
        let read = understood(ctx, reply, Expect::Plan);
        let mut said = Vec::new();
        let aloud = read
            .thought
            .clone()
            .filter(|_| reply.thought.trim().is_empty());
        let thought = aloud.unwrap_or_else(|| reply.thought.trim().to_owned());
        if !thought.is_empty() {
            said.push(Said::Thought(thought));
        }
        self.plan.clear();
        self.errors.clear();
        self.end = Why::PlanEnd;
        for deed in &read.deeds {
            match deed {
                Deed::Act { action, line } => self.plan.push((*action, line.clone())),
                Deed::Avoid { reason } => {
                    self.end = Why::Avoided {
                        reason: reason.clone(),
                    };
                }
                Deed::Done => self.end = Why::Done,
            }
        }
        self.state = match &read.problem {
            // The whole plan is rejected, as published.
            Some(problem) => {
                self.errors.push(Feedback::Unread(problem.clone()).text());
                State::End(Why::Unread(problem.clone()))
            }
            None => State::Running(0),
        };
        said.push(Said::Understood(read));
        said
    }

    fn log(&self) -> String {
        if self.errors.is_empty() {
            return "Every command was carried out, but the task is not done.".to_owned();
        }
        self.errors.join("\n")
    }

    fn look(&self, ctx: &Ctx<'_>) -> Request {
        let lines = |all: &mut dyn Iterator<Item = String>| {
            all.enumerate().fold(String::new(), |mut text, (i, line)| {
                let _ = writeln!(text, "{}. {line}", i + 1);
                text
            })
        };
        let scene = &ctx.episode.setup().scene;
        let plan = lines(&mut self.plan.iter().map(|(action, _)| spoken(scene, *action)));
        let plan = if plan.is_empty() {
            "(no plan that could be read)".to_owned()
        } else {
            plan
        };
        let known = ctx.episode.setup().reference.iter();
        let reference = lines(&mut known.map(|&action| spoken(scene, action)));
        let part = match self.advice {
            Advice::Reference if !reference.is_empty() => "plan_reference",
            _ => "plan",
        };
        let words = [
            ("prompt", &*self.talk.asked()),
            ("plan", &plan),
            ("errors", &self.log()),
            ("reference", &reference),
        ];
        Request {
            seat: Seat::Critic,
            messages: vec![Message {
                role: Role::User,
                text: ctx.settings.prompts.fill("critic", part, &words),
            }],
            schema: None,
            max_tokens: Some(ctx.settings.critique_tokens),
        }
    }

    /// Asks for another plan, with what there is to say about the last one.
    fn again(&mut self, ctx: &Ctx<'_>, critique: &str) {
        let errors = self.log();
        let text = match ctx.settings.trials {
            Trials::Reset => {
                let words = [("errors", &*errors), ("critique", critique)];
                ctx.settings.prompts.fill(FILE, "again", &words)
            }
            Trials::Continue => {
                let observation = self.talk.whole(ctx);
                let words = [
                    ("errors", &*errors),
                    ("critique", critique),
                    ("observation", &observation),
                ];
                ctx.settings.prompts.fill(FILE, "again_here", &words)
            }
        };
        self.talk.user(&text);
        self.state = State::Ready;
    }
}

impl Strategy for OneGo {
    fn next(&mut self, ctx: &Ctx<'_>) -> Want {
        if self.talk.is_empty() {
            self.talk.begin(ctx, FILE, "");
        }
        if matches!(self.state, State::Look) && self.advice == Advice::None {
            self.again(ctx, "");
        }
        match std::mem::take(&mut self.state) {
            State::Ready => {
                self.state = State::Asked;
                Want::Ask(Request {
                    seat: Seat::Actor,
                    messages: self.talk.messages.clone(),
                    schema: schema(ctx, false, true),
                    max_tokens: ctx.settings.max_tokens,
                })
            }
            State::Running(at) => {
                let Some((action, line)) = self.plan.get(at) else {
                    self.state = State::Over;
                    return Want::EndTrial(self.end.clone());
                };
                self.state = State::Doing(at);
                Want::Do {
                    action: *action,
                    line: line.clone(),
                }
            }
            State::End(why) => {
                self.state = State::Over;
                Want::EndTrial(why)
            }
            State::Look => {
                self.state = State::Looking;
                Want::Ask(self.look(ctx))
            }
            waiting => {
                self.state = waiting;
                Want::Wait
            }
        }
    }

    fn heard(&mut self, ctx: &Ctx<'_>, reply: Result<Reply, Failure>) -> Vec<Said> {
        match (reply, &self.state) {
            (Ok(reply), State::Asked) => self.planned(ctx, &reply),
            (Ok(reply), State::Looking) => {
                let text = reply::without_thoughts(&reply.text);
                self.again(ctx, &text);
                let claims = critic::judge(ctx.episode, self.ended, &text);
                vec![Said::Critique {
                    seat: Seat::Critic,
                    text,
                    claims,
                }]
            }
            (Err(failure), State::Asked | State::Looking) => {
                self.state = State::End(Why::Failed(failure.clone()));
                vec![Said::Failed(failure)]
            }
            _ => Vec::new(),
        }
    }

    fn happened(&mut self, ctx: &Ctx<'_>, feedback: &Feedback) {
        let text = feedback.text();
        if let (Feedback::TookOver { .. }, State::Asked | State::Looking) = (feedback, &self.state)
        {
            // The question was dropped, and the world may be another: it is asked again.
            self.state = if matches!(self.state, State::Looking) {
                self.errors.push(text);
                State::Look
            } else {
                let here = self.talk.whole(ctx);
                self.talk.user(&format!("{text}\n\n{here}"));
                State::Ready
            };
            return;
        }
        let State::Doing(at) = self.state else {
            // Said between the steps: told with the next plan.
            self.errors.push(text);
            return;
        };
        self.state = match feedback {
            Feedback::Done { .. } => State::Running(at + 1),
            Feedback::Message(_) => {
                self.errors.push(text);
                State::Doing(at)
            }
            Feedback::Refused { kinds, .. } if kinds.contains(&Kind::AlreadySo) => {
                // Noted, and passed over: this kind outranks all others.
                self.errors.push(text);
                State::Running(at + 1)
            }
            Feedback::Refused { line, .. }
            | Feedback::Broken { line, .. }
            | Feedback::Vetoed { line, .. } => {
                self.errors.push(text.clone());
                State::End(Why::Stopped {
                    line: line.clone(),
                    reason: text,
                })
            }
            Feedback::TookOver { .. } | Feedback::Unread(_) => {
                self.errors.push(text);
                State::Running(at + 1)
            }
        };
    }

    fn trial_ended(&mut self, ctx: &Ctx<'_>, end: &TrialEnd) -> After {
        self.ended = ctx.episode.here();
        if end.success || matches!(end.why, Why::Failed(_)) || self.more == 0 {
            self.state = State::Over;
            return After::Over;
        }
        self.more -= 1;
        self.state = State::Look;
        After::Again
    }
}
