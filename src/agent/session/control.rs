//! How a person steps in while an agent plays. Each of these becomes an event of the run.

use serde_json::{Value, json};

use crate::agent::hold::Hold;
use crate::task::episode::{Remark, Said};

/// Who steps in: a person, or the hold policy when nobody answered in time.
pub const PERSON: &str = "person";

/// See [`PERSON`].
pub const POLICY: &str = "policy";

/// Something a person does to a running session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// Stop before the next act.
    Pause,
    /// Go on.
    Resume,
    /// Let one act pass and stop again.
    Step,
    /// Forbid the act that waits, for this reason; the agent is told.
    Veto(String),
    /// Let the act pass that waits.
    Pass,
    /// Let the act pass on a branch of its own: it is done, looked at and left behind, and the agent is told it was
    /// forbidden, for this reason.
    PassOnBranch(String),
    /// Say something to the agent.
    Message(String),
    /// Act instead of the agent.
    TakeOver,
    /// Do an action by hand, as a line; only after taking over.
    Act(String),
    /// Let the agent act again.
    HandBack,
    /// Another hold policy.
    Hold(Hold),
    /// End the run.
    End(String),
}

impl Control {
    /// The name used in files.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Step => "step",
            Self::Veto(_) => "veto",
            Self::Pass => "pass",
            Self::PassOnBranch(_) => "pass_on_branch",
            Self::Message(_) => "message",
            Self::TakeOver => "take_over",
            Self::Act(_) => "act",
            Self::HandBack => "hand_back",
            Self::Hold(_) => "hold",
            Self::End(_) => "end",
        }
    }

    /// What it carries, as text.
    fn carries(&self) -> String {
        match self {
            Self::Veto(text)
            | Self::PassOnBranch(text)
            | Self::Message(text)
            | Self::Act(text)
            | Self::End(text) => text.clone(),
            Self::Hold(hold) => hold.to_string(),
            _ => String::new(),
        }
    }

    /// The control of that name.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(id: &str, text: &str) -> Result<Self, String> {
        let text = || text.to_owned();
        Ok(match id {
            "pause" => Self::Pause,
            "resume" => Self::Resume,
            "step" => Self::Step,
            "veto" => Self::Veto(text()),
            "pass" => Self::Pass,
            "pass_on_branch" => Self::PassOnBranch(text()),
            "message" => Self::Message(text()),
            "take_over" => Self::TakeOver,
            "act" => Self::Act(text()),
            "hand_back" => Self::HandBack,
            "hold" => Self::Hold(Hold::parse(&text())?),
            "end" => Self::End(text()),
            other => return Err(format!("{other:?} is no way to step in")),
        })
    }

    /// One line of JSON, for a runner in another process.
    pub fn line(&self) -> String {
        json!({"do": self.id(), "text": self.carries()}).to_string()
    }

    /// Reads such a line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let id = text("do").ok_or("the field \"do\" is missing")?;
        Self::parse(id, text("text").unwrap_or_default())
    }

    /// The remark that records it; `act` is the act it decides on, if one waits.
    pub(super) fn said(&self, by: &str, act: Option<&str>) -> Said {
        let mut data = json!({"what": self.id()});
        if let (Some(act), Some(fields)) = (act, data.as_object_mut()) {
            fields.insert("act".to_owned(), act.into());
        }
        let carries = self.carries();
        let bare = matches!(
            self,
            Self::Pause | Self::Resume | Self::Step | Self::Pass | Self::TakeOver | Self::HandBack
        );
        let text = if bare { self.id() } else { &carries };
        Said::by(Remark::Intervention, by, text).with(data.to_string())
    }

    /// The control that such a remark records, with who it came from; `None` for other remarks.
    pub fn of(said: &Said) -> Option<(Self, &str)> {
        let known =
            said.kind == Remark::Intervention && [PERSON, POLICY].contains(&said.by.as_str());
        let data: Value = serde_json::from_str(said.data.as_deref().filter(|_| known)?).ok()?;
        let control = Self::parse(data.get("what")?.as_str()?, &said.text).ok()?;
        Some((control, &said.by))
    }
}
