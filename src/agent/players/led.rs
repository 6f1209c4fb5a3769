//! A player that a strategy leads.

use serde_json::{Value, json};

use crate::agent::chat::{Failure, Reply, Seat};
use crate::agent::feedback::Feedback;
use crate::agent::player::{Deed, Happening, Player, Standpoint, TrialEnd, Understood, Want};
use crate::agent::reply;
use crate::agent::strategy::{
    self, After, Choice, Ctx, Said, Settings, Strategy, Want as Wanted, Why,
};
use crate::sim::world::Action;
use crate::task::episode::{Episode, Outcome};

/// A strategy with how it is led.
#[derive(Debug)]
pub(super) struct Led {
    strategy: Box<dyn Strategy>,
    /// What makes it anew for a trial it has no rounds left for; `None` for those that cannot.
    choice: Option<Choice>,
    settings: Settings,
    /// The action it is doing.
    doing: Option<Action>,
    /// How it ended its trial.
    why: Option<Why>,
    /// Whether the next trial is to begin before anything else.
    begins: bool,
    /// Whether the strategy has no rounds left.
    spent: bool,
}

impl Led {
    pub(super) const fn new(
        strategy: Box<dyn Strategy>,
        choice: Option<Choice>,
        settings: Settings,
    ) -> Self {
        Self {
            strategy,
            choice,
            settings,
            doing: None,
            why: None,
            begins: false,
            spent: false,
        }
    }

    /// Asks the strategy something, where it stands.
    fn ask<T>(
        &mut self,
        episode: &Episode,
        trial: u32,
        ask: impl FnOnce(&mut dyn Strategy, &Ctx<'_>) -> T,
    ) -> T {
        let ctx = Ctx {
            episode,
            settings: &self.settings,
            trial: trial.saturating_sub(1),
        };
        ask(self.strategy.as_mut(), &ctx)
    }

    fn end(&mut self, why: Why) -> Want {
        let want = match &why {
            Why::Avoided { reason } => Want::Do(Deed::Avoid(reason.clone())),
            _ if why.counts_as_done(self.settings.published) => Want::Do(Deed::Done),
            _ => Want::Stop {
                cause: why.id().to_owned(),
                text: words(&why),
            },
        };
        self.why = Some(why);
        want
    }
}

fn words(why: &Why) -> String {
    match why {
        Why::Done => "done".to_owned(),
        Why::Avoided { reason } | Why::GivenUp(reason) => reason.clone(),
        Why::Limit => "no steps are left".to_owned(),
        Why::PlanEnd => "the plan came to its end without calling the task done".to_owned(),
        Why::Stopped { line, reason } => format!("{line} could not be done: {reason}"),
        Why::Unread(problem) => format!("the reply could not be read: {}", problem.message),
        Why::Failed(failure) => failure.message.clone(),
    }
}

/// What there is to show, as it is recorded.
fn understood(said: Vec<Said>, episode: &Episode) -> Understood {
    let mut made = Understood::default();
    for said in said {
        match said {
            Said::Thought(text) => made.thought = Some(text),
            Said::Understood(read) => {
                made.deeds.extend(read.deeds.iter().map(|deed| match deed {
                    reply::Deed::Act { line, .. } => line.clone(),
                    reply::Deed::Avoid { reason } => format!("[Avoid] {reason}"),
                    reply::Deed::Done => "Done".to_owned(),
                }));
                made.thought = made.thought.or(read.thought);
                made.notes
                    .extend(read.notes.into_iter().map(|note| note.text));
                made.problem = read.problem.map(|p| (p.kind.id().to_owned(), p.message));
            }
            Said::Critique { claims, .. } => {
                let seq = |pos: &crate::sim::timeline::Pos| episode.seq(*pos);
                let claims: Vec<Value> = claims
                    .iter()
                    .map(|claim| {
                        json!({
                            "text": claim.text, "verdict": claim.verdict.id(), "evidence": claim.evidence,
                            "steps": claim.steps.iter().filter_map(seq).collect::<Vec<u32>>(),
                            "rules": claim.rules,
                        })
                    })
                    .collect();
                made.claims = Some(Value::from(claims).to_string());
            }
            Said::Failed(_) => {}
        }
    }
    made
}

impl Player for Led {
    fn next(&mut self, at: &mut Standpoint<'_>) -> Want {
        if self.begins {
            return Want::Begin;
        }
        let wanted = self.ask(at.episode, at.trial, |s, ctx| s.next(ctx));
        match wanted {
            Wanted::Ask(request) => Want::Ask(request),
            Wanted::Do { action, .. } => {
                self.doing = Some(action);
                Want::Do(Deed::Act(action))
            }
            Wanted::EndTrial(why) => self.end(why),
            Wanted::Wait => Want::Wait,
        }
    }

    fn heard(
        &mut self,
        at: &mut Standpoint<'_>,
        _: Seat,
        reply: Result<Reply, Failure>,
    ) -> Understood {
        let said = self.ask(at.episode, at.trial, |s, ctx| s.heard(ctx, reply));
        understood(said, at.episode)
    }

    fn aside(&mut self) -> Vec<String> {
        let thought = |said| match said {
            Said::Thought(text) => Some(text),
            _ => None,
        };
        self.strategy
            .aside()
            .into_iter()
            .filter_map(thought)
            .collect()
    }

    fn happened(&mut self, at: &mut Standpoint<'_>, what: &Happening) {
        let outcome = match what {
            Happening::Done(step) => Outcome::Stepped(step.clone()),
            Happening::Refused(refusal) => Outcome::Refused(refusal.clone()),
            Happening::Vetoed { line, reason } => {
                let (line, reason) = (line.clone(), reason.clone());
                let feedback = Feedback::Vetoed { line, reason };
                return self.ask(at.episode, at.trial, |s, ctx| s.happened(ctx, &feedback));
            }
            Happening::ByHand(lines) => {
                let feedback = Feedback::TookOver {
                    lines: lines.clone(),
                };
                return self.ask(at.episode, at.trial, |s, ctx| s.happened(ctx, &feedback));
            }
            Happening::Message(text) => {
                let feedback = Feedback::Message(text.clone());
                return self.ask(at.episode, at.trial, |s, ctx| s.happened(ctx, &feedback));
            }
            Happening::TrialEnded(end) => return self.ended(at, end),
            Happening::TrialBegun => {
                self.begins = false;
                if let (true, Some(choice)) = (self.spent, &self.choice) {
                    self.strategy = choice.make();
                    self.spent = false;
                }
                return;
            }
        };
        let Some(action) = self.doing.take() else {
            return;
        };
        if let Some(feedback) = Feedback::of(at.episode, action, &outcome) {
            self.ask(at.episode, at.trial, |s, ctx| s.happened(ctx, &feedback));
        }
    }
}

impl Led {
    fn ended(&mut self, at: &Standpoint<'_>, end: &TrialEnd) {
        let why = self.why.take().unwrap_or_else(|| match end.cause.as_str() {
            "limit" => Why::Limit,
            "done" => Why::Done,
            other => Why::GivenUp(other.to_owned()),
        });
        let told = strategy::TrialEnd {
            why,
            success: end.success,
        };
        let after = self.ask(at.episode, at.trial, |s, ctx| s.trial_ended(ctx, &told));
        self.spent = after == After::Over;
        self.begins = end.again;
    }
}
