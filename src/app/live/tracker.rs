//! Making sense of events and signs as they come: what waits, who acts, what was spent.
//!
//! Events decide; signs only add what is not recorded, such as the end of a countdown, and may be late or lost.

use serde_json::Value;

use crate::agent::session::{Control, PERSON};
use crate::agent::sign::{Sign, Spent};
use crate::task::episode::{Body, Event, Remark, Said, avoided};

use super::Status;

/// The longest end of a reply that is kept while it comes, in bytes.
const STREAM: usize = 16 << 10;

/// An act that is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldAct {
    /// As a line.
    pub act: String,
    /// Rules it would break with their severity, the worst first.
    pub breaks: Vec<(String, u8)>,
}

/// What is known of a run that goes on.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a state of its own that events turn on and off"
)]
pub struct Tracker {
    /// The trial, from 1.
    pub trial: u32,
    /// Replies of the agent.
    pub turns: u32,
    /// Refused acts.
    pub refused: u32,
    /// Vetoed acts.
    pub vetoes: u32,
    /// Messages of persons.
    pub messages: u32,
    /// What calls of models took.
    pub spent: Spent,
    /// Calls of models.
    pub calls: u32,
    /// Tokens written a second, in the last call.
    pub rate: f64,
    /// The act that is held.
    pub held: Option<HeldAct>,
    /// When silence decides, milliseconds since 1970, and about which act.
    pub until: Option<(String, Option<u64>)>,
    /// The act that waits because a person said stop.
    pub waits: Option<String>,
    /// Whether a person said stop before the next act.
    pub paused: bool,
    /// Whether a person acts.
    pub by_hand: bool,
    /// Whether a model is being asked.
    pub asking: bool,
    /// What has come of its thought.
    pub thought: String,
    /// What has come of its answer.
    pub text: String,
    /// Trouble of the runner: a retry, or events that are not on the disk.
    pub trouble: Option<String>,
    /// The hold policy in force.
    pub hold: String,
    /// The last event that ended the trial, if nothing was done since: its kind, and words.
    pub ending: Option<(&'static str, String)>,
    /// Whether the runner said that it is over.
    pub over: bool,
    /// The number of the last event.
    pub seq: u32,
}

impl Tracker {
    /// A run at its start, under this hold policy.
    pub fn new(hold: &str) -> Self {
        Self {
            trial: 1,
            turns: 0,
            refused: 0,
            vetoes: 0,
            messages: 0,
            spent: Spent::default(),
            calls: 0,
            rate: 0.0,
            held: None,
            until: None,
            waits: None,
            paused: false,
            by_hand: false,
            asking: false,
            thought: String::new(),
            text: String::new(),
            trouble: None,
            hold: hold.to_owned(),
            ending: None,
            over: false,
            seq: 0,
        }
    }

    /// The act that waits for a person, as a line.
    pub fn pending(&self) -> Option<&str> {
        let held = self.held.as_ref().map(|held| held.act.as_str());
        held.or(self.waits.as_deref())
    }

    /// How the run stands, where somebody holds it or not, so many milliseconds after the last word.
    pub fn status(&self, running: bool, age: u64) -> Status {
        if self.over || (!running && self.ending.is_some()) {
            Status::Ended
        } else if !running {
            Status::Stalled
        } else if self.by_hand {
            Status::Hand
        } else if self.held.is_some() {
            Status::Held
        } else if self.waits.is_some() {
            Status::Paused
        } else if age >= super::STALLED_AFTER {
            Status::Stalled
        } else {
            Status::Live
        }
    }

    /// Milliseconds until silence decides, where the wall clock says `now`.
    pub fn left(&self, now: u64) -> Option<u64> {
        let (act, until) = self.until.as_ref()?;
        self.held.as_ref().filter(|held| held.act == *act)?;
        until.map(|until| until.saturating_sub(now))
    }

    /// Takes in what is kept of all calls until now. Signs tell only of those since they were begun anew.
    pub fn spent_before(&mut self, calls: &[Spent]) {
        let all = calls.iter().fold(Spent::default(), |sum, it| sum.plus(*it));
        let tokens = |of: &Spent| of.tokens_in + of.tokens_out;
        if tokens(&all) > tokens(&self.spent) {
            self.spent = all;
            self.calls = u32::try_from(calls.len()).unwrap_or(u32::MAX);
        }
    }

    /// Takes an event in.
    pub fn event(&mut self, event: &Event) {
        self.seq = event.seq;
        self.trouble = None;
        match &event.body {
            Body::Step { .. } => {
                self.settled();
                self.ending = None;
            }
            Body::Refused { .. } => {
                self.refused += 1;
                self.settled();
            }
            Body::Done { score } => self.ended(
                "done",
                format!("Done, goals {}/{}", score.success, score.success_of),
            ),
            Body::Avoid { reason } => self.ended("avoid", avoided(reason)),
            Body::Stopped { cause, text } => {
                let kind = if cause == "called_off" {
                    "called_off"
                } else {
                    "stopped"
                };
                self.ended(kind, format!("stopped: {text}"));
            }
            Body::Remark(said) => self.remark(said),
            Body::Start { .. } | Body::Goto { .. } | Body::Branch => {}
        }
    }

    fn remark(&mut self, said: &Said) {
        match said.kind {
            Remark::Message | Remark::Critic => {
                // What was streaming is recorded now.
                if said.by == "agent" || said.kind == Remark::Critic {
                    self.turns += u32::from(said.kind == Remark::Message);
                    self.streamed();
                }
            }
            Remark::Trial => {
                let data = data(said);
                let n = data.get("trial").and_then(Value::as_u64);
                self.trial = n.and_then(|n| n.try_into().ok()).unwrap_or(self.trial + 1);
                self.ending = None;
            }
            Remark::Intervention => match Control::of(said) {
                Some((control, by)) => self.control(&control, by == PERSON),
                None => {
                    if let Some(held) = held(said) {
                        self.held = Some(held);
                    }
                }
            },
        }
    }

    fn control(&mut self, control: &Control, person: bool) {
        match control {
            Control::Pause => self.paused = true,
            Control::Resume => {
                self.paused = false;
                self.waits = None;
            }
            Control::Step => {
                self.paused = true;
                self.settled();
            }
            Control::Veto(_) | Control::PassOnBranch(_) => {
                self.vetoes += 1;
                self.settled();
            }
            Control::Pass => self.settled(),
            Control::Message(_) => self.messages += u32::from(person),
            Control::TakeOver => self.by_hand = true,
            Control::HandBack => self.by_hand = false,
            Control::Hold(hold) => self.hold = hold.to_string(),
            Control::Act(_) | Control::End(_) => {}
        }
    }

    /// No act waits any more.
    fn settled(&mut self) {
        self.held = None;
        self.until = None;
        self.waits = None;
    }

    fn ended(&mut self, kind: &'static str, words: String) {
        self.settled();
        self.streamed();
        self.ending = Some((kind, words));
    }

    fn streamed(&mut self) {
        self.asking = false;
        self.thought.clear();
        self.text.clear();
    }

    /// Takes a sign in.
    pub fn sign(&mut self, sign: &Sign) {
        match sign {
            Sign::Asking(_) => {
                self.streamed();
                self.asking = true;
                self.trouble = None;
            }
            Sign::Text(text) => push(&mut self.text, text),
            Sign::Thought(text) => push(&mut self.thought, text),
            Sign::Retry { ms, why } => {
                self.streamed();
                self.asking = true;
                self.trouble = Some(format!("asked again in {ms} ms: {why}"));
            }
            Sign::Held { act, until } => self.until = Some((act.clone(), *until)),
            Sign::Paused(act) => {
                if self.paused {
                    self.waits = Some(act.clone());
                }
            }
            Sign::Hand => {}
            Sign::Spent(spent) => {
                self.spent = self.spent.plus(*spent);
                self.calls += 1;
                self.rate = if spent.total_ms == 0 {
                    0.0
                } else {
                    spent.tokens_out as f64 * 1000.0 / spent.total_ms as f64
                };
            }
            Sign::Unfit(why) => self.trouble = Some(format!("not used: {why}")),
            Sign::NotSaved(why) => self.trouble = Some(format!("not saved: {why}")),
            Sign::Over => self.over = true,
        }
    }

    /// What has come of the reply so far, as one text.
    pub fn stream(&self) -> &str {
        if self.text.is_empty() {
            &self.thought
        } else {
            &self.text
        }
    }
}

/// Adds to a text of which only the end is kept.
fn push(text: &mut String, more: &str) {
    text.push_str(more);
    if text.len() > STREAM {
        let cut = text.len() - STREAM / 2;
        let cut = (cut..text.len()).find(|&i| text.is_char_boundary(i));
        text.drain(..cut.unwrap_or(0));
    }
}

/// The data of a remark.
pub(super) fn data(said: &Said) -> Value {
    let data = said.data.as_deref();
    data.and_then(|data| serde_json::from_str(data).ok())
        .unwrap_or(Value::Null)
}

/// The act that such a remark says is held.
pub(super) fn held(said: &Said) -> Option<HeldAct> {
    let data = data(said);
    if data.get("what").and_then(Value::as_str) != Some("held") {
        return None;
    }
    let rule = |value: &Value| {
        let rule = value.get("rule")?.as_str()?.to_owned();
        let severity = value.get("severity")?.as_u64()?.try_into().ok()?;
        Some((rule, severity))
    };
    let breaks = data.get("breaks").and_then(Value::as_array);
    Some(HeldAct {
        act: data.get("act")?.as_str()?.to_owned(),
        breaks: breaks.map_or_else(Vec::new, |all| all.iter().filter_map(rule).collect()),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::base::fold::StateHash;

    fn event(seq: u32, body: Body) -> Event {
        Event {
            seq,
            parent: Some(0),
            branch: Arc::from("main"),
            body,
            hash: StateHash::default(),
        }
    }

    fn remark(kind: Remark, by: &str, text: &str, data: &str) -> Body {
        let said = Said::by(kind, by, text);
        Body::Remark(if data.is_empty() {
            said
        } else {
            said.with(data.to_owned())
        })
    }

    const HELD: &str =
        r#"{"what":"held","act":"SWITCHON","breaks":[{"rule":"F05","grade":"core","severity":4}]}"#;

    #[test]
    fn a_held_act_waits_until_it_is_decided() {
        let mut run = Tracker::new("core !3 ask 30 veto");
        // The sign may be read before the event it goes with, and after the event that settles it.
        let sign = Sign::Held {
            act: "SWITCHON".to_owned(),
            until: Some(5_000),
        };
        run.sign(&sign);
        assert_eq!(run.left(1_000), None);
        assert_eq!(run.status(true, 0), Status::Live);
        run.event(&event(
            7,
            remark(Remark::Intervention, "policy", "F05", HELD),
        ));
        assert_eq!(run.left(1_000), Some(4_000));
        assert_eq!(run.status(true, 60_000), Status::Held);
        assert_eq!(run.pending(), Some("SWITCHON"));
        let veto = r#"{"what":"veto","act":"SWITCHON"}"#;
        run.event(&event(
            8,
            remark(Remark::Intervention, "person", "no", veto),
        ));
        run.sign(&sign);
        assert_eq!(
            (run.pending(), run.left(1_000), run.vetoes),
            (None, None, 1)
        );
        assert_eq!(run.status(true, 0), Status::Live);
        assert_eq!(run.status(true, 30_000), Status::Stalled);
        assert_eq!(run.status(false, 0), Status::Stalled);
    }

    #[test]
    fn a_pause_waits_with_its_act() {
        let mut run = Tracker::new("off");
        run.sign(&Sign::Paused("WALK".to_owned()));
        assert_eq!(run.pending(), None, "nobody said stop");
        let of = |what: &str| {
            let data = format!("{{\"what\":\"{what}\"}}");
            remark(Remark::Intervention, "person", what, &data)
        };
        run.event(&event(1, of("pause")));
        run.sign(&Sign::Paused("WALK".to_owned()));
        assert_eq!(
            (run.pending(), run.status(true, 0)),
            (Some("WALK"), Status::Paused)
        );
        run.event(&event(2, of("step")));
        assert_eq!((run.pending(), run.paused), (None, true));
        run.event(&event(3, of("take_over")));
        assert_eq!(run.status(true, 99_000), Status::Hand);
        run.event(&event(4, of("hand_back")));
        run.event(&event(5, of("resume")));
        assert_eq!((run.paused, run.status(true, 0)), (false, Status::Live));
    }

    #[test]
    fn a_reply_streams_until_it_is_recorded() {
        let mut run = Tracker::new("off");
        run.sign(&Sign::Asking(crate::agent::chat::Seat::Actor));
        run.sign(&Sign::Thought("hm".to_owned()));
        assert_eq!(run.stream(), "hm");
        run.sign(&Sign::Text("walk".to_owned()));
        assert_eq!((run.stream(), run.asking), ("walk", true));
        run.sign(&Sign::Text("é".repeat(20_000)));
        assert!(run.text.len() <= STREAM && run.text.ends_with('é'));
        run.event(&event(3, remark(Remark::Message, "agent", "walk", "")));
        assert_eq!((run.stream(), run.asking, run.turns), ("", false, 1));
        let trial = r#"{"trial":2,"mode":"reset"}"#;
        run.event(&event(4, remark(Remark::Trial, "", "trial 2", trial)));
        assert_eq!(run.trial, 2);
        let stopped = Body::Stopped {
            cause: "limit".to_owned(),
            text: "50 steps".to_owned(),
        };
        run.event(&event(5, stopped));
        assert_eq!(
            run.status(true, 0),
            Status::Live,
            "another trial may follow"
        );
        assert_eq!(run.status(false, 0), Status::Ended);
        run.sign(&Sign::Over);
        assert_eq!(run.status(true, 0), Status::Ended);
    }
}
