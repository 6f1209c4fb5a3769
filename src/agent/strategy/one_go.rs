//! The whole plan in one reply. A plan of which any part cannot be read is not begun; a step that cannot be done ends it,
//! unless the world is already so.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::agent::chat::{Failure, Message, Reply, Request, Role, Seat};
use crate::agent::feedback::{Feedback, spoken};
use crate::agent::player::{Deed, Happening, Player, Standpoint, Understood, Want};
use crate::agent::reply::{self, Expect};
use crate::sim::refusal::Kind;
use crate::sim::timeline::Pos;
use crate::sim::world::Action;

use super::talk::{Talk, schema, understood};
use super::{Ctx, Entry, Settings, Trials, failed, looked, made};

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
    make: |settings| Box::new(OneGo::new(settings, Advice::None)),
};

/// The strategy that plans again after what went wrong.
pub(super) const AGAIN: Entry = Entry {
    id: "one-go-again",
    title: "one-go + errors",
    what: "One-go; after a plan without success it is told what happened and plans again.",
    rounds: Some("how many further plans there may be"),
    one_go: true,
    critic: false,
    make: |settings| Box::new(OneGo::new(settings, Advice::None)),
};

/// The strategy with a critic.
pub(super) const CRITIC: Entry = Entry {
    id: "one-go-critic",
    title: "one-go + Critic",
    what: "One-go; after a plan without success the critic's model says what is wrong with it, and the agent plans again.",
    rounds: Some("how many further plans there may be"),
    one_go: true,
    critic: true,
    make: |settings| Box::new(OneGo::new(settings, Advice::Critic)),
};

/// The strategy with a critic who knows a plan that works.
pub(super) const REFERENCE: Entry = Entry {
    id: "one-go-critic-reference",
    title: "one-go + Critic with the reference plan",
    what: "One-go with a critic that is also shown the task's reference plan.",
    rounds: Some("how many further plans there may be"),
    one_go: true,
    critic: true,
    make: |settings| Box::new(OneGo::new(settings, Advice::Reference)),
};

/// Who advises on a plan that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Advice {
    None,
    Critic,
    Reference,
}

/// What it wants, until it is told something.
#[derive(Debug, Default)]
enum State {
    /// A plan.
    #[default]
    Plan,
    /// To do the step of the plan with this number.
    Step(usize),
    /// The trial to end so.
    End(Want),
    /// A critique.
    Look,
    /// Another trial.
    Begin,
}

#[derive(Debug)]
struct OneGo {
    settings: Arc<Settings>,
    advice: Advice,
    talk: Talk,
    state: State,
    plan: Vec<Action>,
    /// What the plan ends in.
    end: Want,
    /// What went wrong with it, a line each.
    errors: Vec<String>,
    /// Where the last trial ended.
    ended: Pos,
    critique: String,
}

/// The end of a plan that does not call the task done.
fn plan_end() -> Want {
    Want::Stop {
        cause: "plan_end".to_owned(),
        text: "the plan is at its end and does not call the task done".to_owned(),
    }
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

impl OneGo {
    fn new(settings: Arc<Settings>, advice: Advice) -> Self {
        Self {
            settings,
            advice,
            talk: Talk::default(),
            state: State::default(),
            plan: Vec::new(),
            end: plan_end(),
            errors: Vec::new(),
            ended: Pos::START,
            critique: String::new(),
        }
    }

    fn planned(&mut self, at: &Standpoint<'_>, reply: &Reply) -> Understood {
        let read = {
            let ctx = ctx!(self, at);
            self.talk.answered(ctx, reply);
            understood(ctx, reply, Expect::Plan)
        };
        self.plan.clear();
        self.errors.clear();
        self.end = plan_end();
        for deed in &read.deeds {
            match deed {
                reply::Deed::Act { action, .. } => self.plan.push(*action),
                reply::Deed::Avoid { reason } => {
                    self.end = Want::Do(Deed::Avoid(reason.clone()));
                }
                reply::Deed::Done => self.end = Want::Do(Deed::Done),
            }
        }
        self.state = match &read.problem {
            // The whole plan is rejected, as published.
            Some(problem) => {
                self.errors.push(Feedback::Unread(problem.clone()).text());
                State::End(Want::Stop {
                    cause: problem.kind.published().id().to_owned(),
                    text: problem.message.clone(),
                })
            }
            None => State::Step(0),
        };
        made(&read, reply)
    }

    fn log(&self) -> String {
        if self.errors.is_empty() {
            return "Every command was carried out, but the task is not done.".to_owned();
        }
        self.errors.join("\n")
    }

    fn look(&self, at: &Standpoint<'_>) -> Request {
        let setup = at.episode.setup();
        let lines = |all: &[Action]| {
            all.iter()
                .enumerate()
                .fold(String::new(), |mut text, (i, action)| {
                    let _ = writeln!(text, "{}. {}", i + 1, spoken(&setup.scene, *action));
                    text
                })
        };
        let plan = if self.plan.is_empty() {
            "(no plan that could be read)".to_owned()
        } else {
            lines(&self.plan)
        };
        let reference = lines(&setup.reference);
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
                text: self.settings.prompts.fill("critic", part, &words),
            }],
            schema: None,
            max_tokens: Some(self.settings.critique_tokens),
            turn: None,
        }
    }

    /// Asks for another plan, with what there is to say about the last one.
    fn begin(&mut self, at: &Standpoint<'_>) {
        let errors = self.log();
        let critique = std::mem::take(&mut self.critique);
        let ctx = ctx!(self, at);
        let mut words = vec![("errors", &*errors), ("critique", &*critique)];
        let observation;
        let part = match self.settings.trials {
            Trials::Reset => "again",
            Trials::Continue => {
                observation = self.talk.whole(ctx);
                words.push(("observation", &observation));
                "again_here"
            }
        };
        let text = self.settings.prompts.fill(FILE, part, &words);
        self.talk.user(&text);
        self.state = State::Plan;
    }

    /// What came of the step that was wanted, or of one somebody else did.
    fn stepped(&mut self, feedback: &Feedback) {
        let text = feedback.text();
        let State::Step(at) = self.state else {
            // Said between the steps: told with the next plan.
            self.errors.push(text);
            return;
        };
        self.state = match feedback {
            Feedback::Done { .. } => State::Step(at + 1),
            // Noted, and passed over: this kind outranks all others.
            Feedback::Refused { kinds, .. } if kinds.contains(&Kind::AlreadySo) => {
                self.errors.push(text);
                State::Step(at + 1)
            }
            Feedback::Refused { .. } | Feedback::Broken { .. } | Feedback::Vetoed { .. } => {
                self.errors.push(text.clone());
                State::End(Want::Stop {
                    cause: "stopped".to_owned(),
                    text,
                })
            }
            Feedback::Message(_) | Feedback::TookOver { .. } | Feedback::Unread(_) => {
                self.errors.push(text);
                State::Step(at)
            }
        };
    }
}

impl Player for OneGo {
    fn next(&mut self, at: &mut Standpoint<'_>) -> Want {
        if self.talk.is_empty() {
            self.talk.begin(ctx!(self, at), FILE, "");
        }
        match &self.state {
            State::Plan => Want::Ask(Request {
                seat: Seat::Actor,
                messages: self.talk.messages.clone(),
                schema: schema(ctx!(self, at), false, true),
                max_tokens: self.settings.max_tokens,
                turn: None,
            }),
            State::Step(i) => match self.plan.get(*i) {
                Some(action) => Want::Do(Deed::Act(*action)),
                None => self.end.clone(),
            },
            State::End(want) => want.clone(),
            State::Look => Want::Ask(self.look(at)),
            State::Begin => Want::Begin,
        }
    }

    fn heard(
        &mut self,
        at: &mut Standpoint<'_>,
        _: Seat,
        reply: Result<Reply, Failure>,
    ) -> Understood {
        match (reply, &self.state) {
            (Ok(reply), State::Plan) => self.planned(at, &reply),
            (Ok(reply), State::Look) => {
                let (text, made) = looked(at.episode, self.ended, &reply);
                self.critique = text;
                self.state = State::Begin;
                made
            }
            (Err(failure), State::Plan) => {
                self.errors = vec![failure.to_string()];
                self.state = State::End(failed(&failure));
                Understood::default()
            }
            // Without a word on it the next trial begins all the same.
            (Err(_), State::Look) => {
                self.state = State::Begin;
                Understood::default()
            }
            _ => Understood::default(),
        }
    }

    fn happened(&mut self, at: &mut Standpoint<'_>, what: &Happening) {
        match what {
            Happening::TrialEnded(end) => {
                self.ended = at.episode.here();
                let looks = self.advice != Advice::None && !end.success;
                self.state = if looks { State::Look } else { State::Begin };
            }
            Happening::TrialBegun => self.begin(at),
            _ => {
                let action = match self.state {
                    State::Step(i) => self.plan.get(i).copied(),
                    _ => None,
                };
                match Feedback::of(at.episode, action, what) {
                    // The question was dropped, and the world is another: it is asked again.
                    Some(Feedback::TookOver { lines }) if matches!(self.state, State::Plan) => {
                        let here = self.talk.whole(ctx!(self, at));
                        let text = Feedback::TookOver { lines }.text();
                        self.talk.user(&format!("{text}\n\n{here}"));
                    }
                    Some(feedback) => self.stepped(&feedback),
                    None => {}
                }
            }
        }
    }
}
