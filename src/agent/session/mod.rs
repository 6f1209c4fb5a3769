//! One player, one task: who is asked, what is held, what is done, recorded and told.
//!
//! [`Session::next`] goes on until something is needed from outside and says what; [`Session::take`] takes it in.
//! Everything that comes from outside is recorded as an event before it acts, so that a session fed with the recorded
//! inputs makes the same events again: that is how a killed run goes on, see [`again`].

use std::collections::VecDeque;

use crate::agent::chat::{Failure, FailureKind, Reply, Request, Seat, Turn};
use crate::agent::hold::{Hold, Then};
use crate::agent::player::{Deed, Happening, Player, Standpoint, TrialEnd, Want};
use crate::safety::rule::Grade;
use crate::safety::verdict::Standing;
use crate::task::Environment;
use crate::task::episode::{Episode, Event, Outcome, Remark, Said};

pub mod again;
mod control;
mod record;

pub use control::{Control, PERSON, POLICY};
use record::Told;

/// What a session is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Deeds in a trial, also those that are refused, forbidden or not understood.
    pub steps: u32,
    /// Trials, at least 1.
    pub trials: u32,
    /// Whether a new trial begins from the start; else, as published, from where the last one ended.
    pub reset: bool,
    /// What is held for a person.
    pub hold: Hold,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            steps: 50,
            trials: 1,
            reset: false,
            hold: Hold::Off,
        }
    }
}

/// A rule that an act would break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The rule's id.
    pub rule: String,
    /// Its title.
    pub title: String,
    /// The grade it has in this scene.
    pub grade: Grade,
    /// Its severity, 1 to 4.
    pub severity: u8,
}

/// An act that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The act, as a line.
    pub act: String,
    /// What it would break; the worst first.
    pub breaches: Vec<Breach>,
    /// What becomes of it when nobody answers.
    pub then: Then,
}

/// What a session needs to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// A model's reply.
    Ask(Request),
    /// A line from the other program, in answer to this one.
    Line(String),
    /// A person's word on a held act.
    Held(Held),
    /// A person to say go on; the act that waits, as a line.
    Paused(String),
    /// A person to act.
    Hand,
    /// Nothing: something was done, and more follows.
    Going,
    /// Nothing: the run is over.
    Over,
}

/// What comes from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The reply that was asked for.
    Reply(Result<Reply, Failure>),
    /// The line that was asked for, without its line feed, or why there is none.
    Line(Result<String, Failure>),
    /// Somebody steps in.
    Control(Control),
    /// Nobody answered in time.
    Silence,
    /// Whoever played has gone for good, for this reason.
    Gone(String),
}

/// How an act that waits stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leave {
    /// Nobody looked at it yet.
    Unseen,
    /// It is held.
    Held,
    /// It may pass.
    Given,
}

/// A player playing a task.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each can hold beside the others"
)]
pub struct Session {
    episode: Episode,
    player: Box<dyn Player>,
    terms: Terms,
    trial: u32,
    /// Deeds done in this trial.
    deeds: u32,
    /// What was asked for and has not come.
    asked: Option<Need>,
    /// How many requests were answered.
    answered: u32,
    /// The act that waits.
    pending: Option<(Deed, Leave)>,
    /// What the person typed before the session stood where it can be used.
    paused: bool,
    by_hand: bool,
    /// Lines a person did since taking over.
    hand: Vec<String>,
    /// Between two trials: the world is judged, the next has not begun.
    between: bool,
    over: bool,
    told: Told,
    out: VecDeque<Event>,
}

impl Session {
    /// A session at the start of an episode, whose events until now are the caller's.
    pub fn new(episode: Episode, player: Box<dyn Player>, terms: Terms) -> Self {
        Self {
            episode,
            player,
            terms,
            trial: 1,
            deeds: 0,
            asked: None,
            answered: 0,
            pending: None,
            paused: false,
            by_hand: false,
            hand: Vec::new(),
            between: false,
            over: false,
            told: Told::default(),
            out: VecDeque::new(),
        }
    }

    /// The episode as it stands.
    pub const fn episode(&self) -> &Episode {
        &self.episode
    }

    /// What it is bound to; the hold policy may have been changed since.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Which trial goes on, from 1, and how many deeds it has had.
    pub const fn progress(&self) -> (u32, u32) {
        (self.trial, self.deeds)
    }

    /// Events made since this was last called, to be recorded in this order.
    pub fn events(&mut self) -> Vec<Event> {
        self.out.drain(..).collect()
    }

    /// Goes on until something is needed or was done. Where something is needed, it answers the same until that came.
    #[expect(
        clippy::should_implement_trait,
        reason = "what is needed next is no item of a sequence"
    )]
    pub fn next(&mut self) -> Need {
        loop {
            if self.over {
                return Need::Over;
            }
            if self.by_hand {
                return Need::Hand;
            }
            if self.pending.is_some() {
                return self.before_act().unwrap_or(Need::Going);
            }
            if let Some(need) = &self.asked {
                return need.clone();
            }
            if !self.between && self.deeds >= self.terms.steps {
                self.limit();
                continue;
            }
            let want = self.with_player(|player, at| player.next(at));
            for thought in self.player.aside() {
                self.say(Said::by(Remark::Message, record::THOUGHT, &thought));
            }
            match want {
                Want::Ask(mut request) => {
                    request.turn = Some(Turn {
                        task: self.episode.setup().task.id.clone(),
                        n: self.answered,
                    });
                    let said = self.told.request(&request);
                    for said in said {
                        self.say(said);
                    }
                    self.asked = Some(Need::Ask(request));
                }
                Want::Line(line) => {
                    self.say(Said::by(Remark::Message, record::WORLD, &line));
                    self.asked = Some(Need::Line(line));
                }
                Want::Do(deed) => self.pending = Some((deed, Leave::Unseen)),
                Want::Stop { cause, text } => self.end_trial(&cause, &text),
                Want::Begin => self.begin(),
                Want::Wait => return Need::Hand,
            }
        }
    }

    /// Takes in what came from outside. What does not fit where the session stands is left unused, with the reason.
    ///
    /// # Errors
    /// Why it cannot be used now.
    pub fn take(&mut self, input: Input) -> Result<(), String> {
        match (input, self.asked.clone()) {
            (Input::Reply(reply), Some(Need::Ask(request))) => {
                self.asked = None;
                self.answered += 1;
                self.reply(request.seat, &reply);
                Ok(())
            }
            (Input::Line(line), Some(Need::Line(_))) => {
                self.asked = None;
                let line = line.as_deref();
                let made = self.with_player(|player, at| player.line(at, line));
                self.deeds += u32::from(made.problem.is_some());
                let said = record::line(line, &made);
                self.say(said);
                Ok(())
            }
            (Input::Control(control), _) => self.control(control),
            (Input::Silence, _) => self.silence(),
            (Input::Gone(why), _) => self.gone(&why),
            (Input::Reply(_) | Input::Line(_), _) => Err("nothing was asked for".to_owned()),
        }
    }

    fn reply(&mut self, seat: Seat, reply: &Result<Reply, Failure>) {
        let heard = reply.clone();
        let made = self.with_player(|player, at| player.heard(at, seat, heard));
        self.deeds += u32::from(made.problem.is_some());
        let said = self.told.reply(seat, reply, &made);
        self.say(said);
    }

    /// What must happen before the act that waits is done; `None` when it was done.
    fn before_act(&mut self) -> Option<Need> {
        let (deed, leave) = self.pending.clone()?;
        let line = self.line_of(&deed);
        if leave != Leave::Given {
            let breaches = self.breaches(&deed);
            let grave = |b: &Breach| self.terms.hold.holds(b.grade, b.severity);
            let then = match self.terms.hold {
                Hold::At { then, .. } if breaches.iter().any(grave) => Some(then),
                _ => None,
            };
            if let Some(then) = then {
                if leave == Leave::Unseen {
                    self.say(record::held(&line, &breaches));
                    self.pending = Some((deed, Leave::Held));
                }
                return Some(Need::Held(Held {
                    act: line,
                    breaches,
                    then,
                }));
            }
            if self.paused {
                return Some(Need::Paused(line));
            }
        }
        self.pending = None;
        self.act(deed);
        None
    }

    /// Whether what was asked for is still wanted.
    pub fn still(&self, need: &Need) -> bool {
        !self.over && self.asked.as_ref() == Some(need)
    }

    /// The act that waits to be done, as a line, if one does.
    pub fn waiting(&self) -> Option<String> {
        self.pending.as_ref().map(|(deed, _)| self.line_of(deed))
    }

    fn line_of(&self, deed: &Deed) -> String {
        match deed {
            Deed::Act(action) => self.episode.timeline().world().line(*action),
            Deed::Done => "Done".to_owned(),
            Deed::Avoid(reason) => format!("[Avoid] {reason}"),
        }
    }

    /// The rules a deed would break; the worst first.
    fn breaches(&mut self, deed: &Deed) -> Vec<Breach> {
        let mut all: Vec<Breach> = match deed {
            Deed::Act(action) => {
                let shifts = self.episode.shifts(*action);
                let broken = shifts.into_iter().filter(|s| s.to == Standing::Violated);
                broken.map(|s| breach(&s.rule, s.grade)).collect()
            }
            Deed::Done => {
                let open = self.episode.left_open().into_iter();
                open.map(|w| breach(&w.rule, w.grade)).collect()
            }
            Deed::Avoid(_) => Vec::new(),
        };
        all.sort_by_key(|b| (b.grade, std::cmp::Reverse(b.severity), b.rule.clone()));
        all.dedup();
        all
    }

    fn act(&mut self, deed: Deed) {
        self.deeds += 1;
        match deed {
            Deed::Done => {
                let event = self.episode.finish();
                self.out.push_back(event);
                self.after_trial("done");
            }
            Deed::Avoid(reason) => {
                let event = self.episode.avoid(&reason);
                self.out.push_back(event);
                self.after_trial("avoided");
            }
            Deed::Act(action) => {
                let turn = self.episode.act(action);
                self.out.extend(turn.events);
                let what = match turn.outcome {
                    Outcome::Stepped(step) => Happening::Done(step),
                    Outcome::Refused(refusal) => Happening::Refused(refusal),
                    // An action that was read already reads again.
                    Outcome::Unreadable(_) => return,
                };
                self.tell(&what);
            }
        }
    }

    fn limit(&mut self) {
        let steps = self.terms.steps;
        self.end_trial(
            "limit",
            &format!("{steps} steps were not enough, unreadable replies included"),
        );
    }

    fn end_trial(&mut self, cause: &str, text: &str) {
        let event = self.episode.stop(cause, text);
        self.out.push_back(event);
        self.after_trial(cause);
    }

    fn after_trial(&mut self, cause: &str) {
        let dangerous =
            self.episode.setup().task.environment == Environment::AdversarialInstruction;
        let success = self.episode.judgement().succeeds();
        // A dangerous instruction that was obeyed, or a refusal, cannot be made good by another trial; and whoever did not
        // answer will not answer then either.
        let settled = success || dangerous || cause == "avoided" || cause == "called_off";
        let settled = settled || cause == "failed" || FailureKind::parse(cause).is_some();
        let again = !settled && self.trial < self.terms.trials;
        let end = TrialEnd {
            trial: self.trial,
            cause: cause.to_owned(),
            success,
            again,
        };
        self.over = !again;
        self.between = again;
        self.tell(&Happening::TrialEnded(end));
    }

    fn begin(&mut self) {
        if !self.between {
            return;
        }
        self.between = false;
        self.trial += 1;
        self.deeds = 0;
        self.say(record::trial(self.trial, self.terms.reset));
        if self.terms.reset {
            self.go_to_start();
        }
        self.tell(&Happening::TrialBegun);
    }

    fn go_to_start(&mut self) {
        let start = crate::sim::timeline::Pos::START;
        let event = self.episode.goto(start);
        self.out.extend(event);
    }

    fn tell(&mut self, what: &Happening) {
        self.with_player(|player, at| player.happened(at, what));
    }

    fn say(&mut self, said: Said) {
        let event = self.episode.say(said);
        self.out.push_back(event);
    }

    fn with_player<T>(&mut self, ask: impl FnOnce(&mut dyn Player, &mut Standpoint<'_>) -> T) -> T {
        let mut at = Standpoint {
            episode: &mut self.episode,
            trial: self.trial,
            left: self.terms.steps.saturating_sub(self.deeds),
        };
        ask(self.player.as_mut(), &mut at)
    }
}

fn breach(rule: &crate::safety::rule::Rule, grade: Grade) -> Breach {
    Breach {
        rule: rule.id.clone(),
        title: rule.title.clone(),
        grade,
        severity: rule.severity,
    }
}

/// Stepping in.
impl Session {
    fn control(&mut self, control: Control) -> Result<(), String> {
        if self.over {
            return Err("the run is over".to_owned());
        }
        let waits = self.pending.is_some();
        let fits = match control {
            Control::Veto(_) | Control::Pass | Control::PassOnBranch(_) => waits && !self.by_hand,
            Control::Act(_) | Control::HandBack => self.by_hand,
            Control::TakeOver => !self.by_hand,
            _ => true,
        };
        if !fits {
            let why = match control {
                Control::Act(_) | Control::HandBack => "the agent acts; take over first",
                Control::TakeOver => "a person acts already",
                _ => "no act waits",
            };
            return Err(why.to_owned());
        }
        let act = self.waiting();
        self.say(control.said(PERSON, act.as_deref()));
        match control {
            Control::Pause => self.paused = true,
            Control::Resume => self.paused = false,
            Control::Step => {
                self.paused = true;
                self.give();
            }
            Control::Pass => self.give(),
            Control::Veto(reason) => self.veto(reason),
            Control::PassOnBranch(reason) => self.pass_on_branch(reason),
            Control::Message(text) => self.tell(&Happening::Message(text)),
            Control::TakeOver => {
                self.by_hand = true;
                // What was asked for speaks of a world that is about to change: it is asked anew on handing back.
                self.asked = None;
            }
            Control::Act(line) => self.by_hand(&line),
            Control::HandBack => {
                self.by_hand = false;
                let lines = std::mem::take(&mut self.hand);
                self.tell(&Happening::ByHand(lines));
            }
            Control::Hold(hold) => self.terms.hold = hold,
            Control::End(reason) => self.call_off(&reason),
        }
        Ok(())
    }

    fn give(&mut self) {
        if let Some((_, leave)) = &mut self.pending {
            *leave = Leave::Given;
        }
    }

    fn veto(&mut self, reason: String) {
        let Some((deed, _)) = self.pending.take() else {
            return;
        };
        self.deeds += 1;
        let line = self.line_of(&deed);
        self.tell(&Happening::Vetoed { line, reason });
    }

    fn pass_on_branch(&mut self, reason: String) {
        if let Some((Deed::Act(action), _)) = &self.pending {
            let (action, from) = (*action, self.episode.here());
            let turn = self.episode.act(action);
            self.out.extend(turn.events);
            let back = self.episode.goto(from);
            self.out.extend(back);
        }
        self.veto(reason);
    }

    fn by_hand(&mut self, line: &str) {
        let turn = match line.trim() {
            "Done" => {
                let event = self.episode.finish();
                self.out.push_back(event);
                self.over = true;
                return;
            }
            line => match line.strip_prefix("[Avoid]") {
                Some(reason) => {
                    let event = self.episode.avoid(reason.trim());
                    self.out.push_back(event);
                    self.over = true;
                    return;
                }
                None => self.episode.act_text(line),
            },
        };
        self.out.extend(turn.events);
        if matches!(turn.outcome, Outcome::Stepped(_)) {
            self.hand.push(line.trim().to_owned());
            // What the agent had in mind was meant for another world.
            self.pending = None;
            self.asked = None;
        }
    }

    fn call_off(&mut self, reason: &str) {
        let text = if reason.is_empty() {
            "called off"
        } else {
            reason
        };
        let event = self.episode.stop("called_off", text);
        self.out.push_back(event);
        self.after_trial("called_off");
    }

    /// Nobody is left to play.
    fn gone(&mut self, why: &str) -> Result<(), String> {
        if self.over {
            return Err("the run is over".to_owned());
        }
        let act = self.waiting();
        self.say(Control::End(why.to_owned()).said(POLICY, act.as_deref()));
        let event = self.episode.stop("cut_off", why);
        self.out.push_back(event);
        self.after_trial("called_off");
        Ok(())
    }

    /// Nobody answered: the hold policy decides.
    fn silence(&mut self) -> Result<(), String> {
        let waits = matches!(self.pending, Some((_, Leave::Held)));
        let Hold::At {
            then: Then::Ask { seconds, veto },
            ..
        } = self.terms.hold
        else {
            return Err("nothing waits for an answer".to_owned());
        };
        if !waits {
            return Err("nothing waits for an answer".to_owned());
        }
        let act = self.waiting();
        if veto {
            let breaches = match self.pending.clone() {
                Some((deed, _)) => self.breaches(&deed),
                None => Vec::new(),
            };
            let worst = breaches.first();
            let rule = worst.map_or_else(String::new, |b| format!("{}: {}", b.rule, b.title));
            let reason = format!("{rule}; nobody answered for {seconds} s");
            self.say(Control::Veto(reason.clone()).said(POLICY, act.as_deref()));
            self.veto(reason);
        } else {
            self.say(Control::Pass.said(POLICY, act.as_deref()));
            self.give();
        }
        Ok(())
    }
}
