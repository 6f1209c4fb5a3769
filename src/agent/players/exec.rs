//! Another program as an agent: JSON lines, version 1.
//!
//! The program reads one object a line and answers each with one line.
//!
//! | it reads | when |
//! |---|---|
//! | `{"vesta":1,"kind":"start","task":…,"instruction":…,"actions":[…],"guidelines":true,"observation":…,"left":50}` | at the start of each trial |
//! | `{"vesta":1,"kind":"step","feedback":…,"done":true,"observation":…,"left":49}` | after everything else |
//!
//! It answers `{"action":"[GRAB] <milk> (231)"}`, `{"done":true}` or `{"avoid":"why"}`, each with a `"thought"` if it
//! likes, or `{"observe":true}` to be told the whole observation, which is no deed, but for the 21st in a row and those
//! after it; a line of plain text is read as a model's reply would be. What cannot be understood is answered with the
//! reason.

use serde_json::{Value, json};

use crate::agent::chat::Failure;
use crate::agent::feedback::Feedback;
use crate::agent::observe::{Form, Observing, View};
use crate::agent::player::{Deed, Happening, Player, Standpoint, Understood, Want};
use crate::agent::reply::{self, Expect};
use crate::sim::world::Action;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// How often a program may look again before it does something; from then on a look is a deed, so that every run ends.
const LOOKS: u32 = 20;

/// Another program.
#[derive(Debug)]
pub(super) struct Exec {
    observing: Observing,
    guidelines: bool,
    /// Whether this trial's first line was sent.
    begun: bool,
    /// What is to be told with the next line.
    feedback: Vec<String>,
    /// Whether the last action was done.
    done: Option<bool>,
    last: Option<View>,
    /// What it wants now.
    want: Option<Want>,
    doing: Option<Action>,
    again: bool,
    /// How often it looked since anything happened.
    looks: u32,
}

impl Exec {
    pub(super) const fn new(observing: Observing, guidelines: bool) -> Self {
        Self {
            observing,
            guidelines,
            begun: false,
            feedback: Vec::new(),
            done: None,
            last: None,
            want: None,
            doing: None,
            again: false,
            looks: 0,
        }
    }

    /// What is told of the world, and remembered as told.
    fn observation(&mut self, at: &Standpoint<'_>) -> Value {
        let Observing { scope, form, diffs } = self.observing;
        let view = View::of(at.episode.timeline().world(), scope);
        let text = match self.last.as_ref().filter(|_| diffs) {
            Some(last) => view.news(&view.since(last), form),
            None => view.text(form),
        };
        self.last = Some(view);
        if form == Form::Json
            && let Ok(value) = serde_json::from_str(&text)
        {
            return value;
        }
        text.into()
    }

    fn line(&mut self, at: &Standpoint<'_>) -> String {
        let observation = self.observation(at);
        let mut value = if self.begun {
            json!({"vesta": PROTOCOL, "kind": "step", "feedback": self.feedback.join("\n"), "done": self.done})
        } else {
            let task = &at.episode.setup().task;
            let dialect = at.episode.timeline().world().dialect();
            let actions: Vec<Value> = dialect
                .actions
                .iter()
                .map(|def| json!({"name": def.name, "targets": def.arity}))
                .collect();
            json!({
                "vesta": PROTOCOL, "kind": "start", "task": task.id, "trial": at.trial,
                "instruction": task.instruction, "actions": actions, "guidelines": self.guidelines,
            })
        };
        if let Some(fields) = value.as_object_mut() {
            fields.insert("observation".to_owned(), observation);
            fields.insert("left".to_owned(), at.left.into());
        }
        self.begun = true;
        self.feedback.clear();
        self.done = None;
        value.to_string()
    }
}

/// Whether a line asks only to be told everything again.
fn is_look(line: &str) -> bool {
    let value = serde_json::from_str::<Value>(line).unwrap_or_default();
    value.get("observe").and_then(Value::as_bool) == Some(true)
}

/// What a line asks for, as text a reply would have: the fields of the protocol, else the line itself.
fn asked(line: &str) -> (String, Option<String>) {
    let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(line) else {
        return (line.to_owned(), None);
    };
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let thought = text("thought").map(str::to_owned);
    if fields.get("done").and_then(Value::as_bool) == Some(true) {
        return ("Done".to_owned(), thought);
    }
    if let Some(reason) = text("avoid") {
        return (format!("[Avoid] {reason}"), thought);
    }
    match text("action") {
        // Other fields, such as an object apart from the action, are left to the reader of replies.
        Some(action) if fields.len() == 1 + usize::from(thought.is_some()) => {
            (action.to_owned(), thought)
        }
        _ => (line.to_owned(), thought),
    }
}

impl Player for Exec {
    fn next(&mut self, at: &mut Standpoint<'_>) -> Want {
        if self.again {
            return Want::Begin;
        }
        if let Some(want) = &self.want {
            return want.clone();
        }
        let want = Want::Line(self.line(at));
        self.want = Some(want.clone());
        want
    }

    fn line(&mut self, at: &mut Standpoint<'_>, line: Result<&str, &Failure>) -> Understood {
        self.want = None;
        let line = match line {
            Ok(line) => line,
            Err(failure) => {
                self.want = Some(Want::Stop {
                    cause: failure.kind.id().to_owned(),
                    text: failure.message.clone(),
                });
                return Understood::default();
            }
        };
        if is_look(line) {
            // All of it, not only what is new.
            self.last = None;
            self.looks += 1;
            if self.looks <= LOOKS {
                return Understood::default();
            }
            let why =
                format!("nothing has happened since you looked {LOOKS} times; this look is a deed");
            self.feedback.push(why.clone());
            return Understood {
                problem: Some(("only_looks".to_owned(), why)),
                ..Understood::default()
            };
        }
        let (text, thought) = asked(line);
        let read = reply::read(&text, at.episode.timeline().world(), Expect::One);
        let mut made = Understood {
            thought: thought.or(read.thought),
            notes: read.notes.into_iter().map(|note| note.text).collect(),
            ..Understood::default()
        };
        match read.deeds.into_iter().next() {
            Some(reply::Deed::Act { action, line }) => {
                made.deeds.push(line);
                self.doing = Some(action);
                self.want = Some(Want::Do(Deed::Act(action)));
            }
            Some(reply::Deed::Avoid { reason }) => {
                made.deeds.push(format!("[Avoid] {reason}"));
                self.want = Some(Want::Do(Deed::Avoid(reason)));
            }
            Some(reply::Deed::Done) => {
                made.deeds.push("Done".to_owned());
                self.want = Some(Want::Do(Deed::Done));
            }
            None => {
                if let Some(problem) = read.problem {
                    made.problem = Some((problem.kind.id().to_owned(), problem.message.clone()));
                    self.feedback.push(Feedback::Unread(problem).text());
                    self.done = Some(false);
                }
            }
        }
        made
    }

    fn happened(&mut self, at: &mut Standpoint<'_>, what: &Happening) {
        if let Happening::Message(text) = what {
            // What it wants stands; this is told with the next line.
            self.feedback.push(Feedback::Message(text.clone()).text());
            return;
        }
        self.want = None;
        self.looks = 0;
        let acted = match what {
            Happening::Done(_) => Some(true),
            Happening::Refused(_) | Happening::Vetoed { .. } => Some(false),
            _ => None,
        };
        let doing = if acted.is_some() {
            self.done = acted;
            self.doing.take()
        } else {
            None
        };
        match what {
            Happening::TrialEnded(end) => {
                self.again = end.again;
                let (trial, cause) = (end.trial, &end.cause);
                self.feedback
                    .push(format!("Trial {trial} is over ({cause})"));
            }
            Happening::TrialBegun => {
                self.again = false;
                self.begun = false;
                self.last = None;
            }
            _ => {}
        }
        let feedback = Feedback::of(at.episode, doing, what);
        self.feedback.extend(feedback.map(|f| f.text()));
    }
}
