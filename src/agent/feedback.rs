//! What became of what an agent asked for, and how it is told.

use crate::sim::refusal::Kind;
use crate::sim::scene::Scene;
use crate::sim::world::Action;
use crate::task::episode::Episode;

use super::player::Happening;
use super::reply::Problem;

/// An action as agents are told to write it, by the names observations use: `PUTIN bowl.203, microwave`. Class and id alone
/// would not tell the things of a scene whose things have names of their own.
pub fn spoken(scene: &Scene, action: Action) -> String {
    let def = scene.dialect().actions.get(usize::from(action.verb));
    let mut text = def.map_or("", |d| d.name).to_owned();
    for (ix, joint) in [(action.a, " "), (action.b, ", ")] {
        if ix.is_some() {
            text.push_str(joint);
            text.push_str(scene.short_name(ix));
        }
    }
    text
}

/// What an agent is told after it has spoken, or when somebody speaks to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// The action was done.
    Done {
        /// The command, as [`spoken`] writes it.
        line: String,
    },
    /// The world rejected it.
    Refused {
        /// The command, as [`spoken`] writes it.
        line: String,
        /// The kinds of what is wrong, the first one first.
        kinds: Vec<Kind>,
        /// The reason, one sentence without a full stop.
        reason: String,
    },
    /// The published simulator fails here: no reason can be told.
    Broken {
        /// The command, as [`spoken`] writes it.
        line: String,
        /// What it is said to do instead of answering.
        what: String,
    },
    /// The reply could not be read.
    Unread(Problem),
    /// The person stopped it before it was done.
    Vetoed {
        /// The command, as [`spoken`] writes it.
        line: String,
        /// Why; may be empty.
        reason: String,
    },
    /// The person played for a while and hands back.
    TookOver {
        /// What the person did, as lines.
        lines: Vec<String>,
    },
    /// The person says something.
    Message(String),
}

impl Feedback {
    /// What happened, as an agent hears it; `action` is the one it wanted, if it wanted one. `None` for what is said
    /// otherwise: the beginning and end of trials.
    pub fn of(episode: &Episode, action: Option<Action>, what: &Happening) -> Option<Self> {
        let own = || action.map_or_else(String::new, |a| spoken(&episode.setup().scene, a));
        Some(match what {
            Happening::Done(_) => Self::Done { line: own() },
            Happening::Refused(refusal) => {
                let reason = episode.reason(refusal);
                match refusal.kind {
                    Kind::Crash | Kind::Hang => Self::Broken {
                        line: own(),
                        what: reason,
                    },
                    _ => Self::Refused {
                        line: own(),
                        kinds: refusal.chain().map(|r| r.kind).collect(),
                        reason,
                    },
                }
            }
            Happening::Vetoed { line, reason } => Self::Vetoed {
                line: if action.is_some() {
                    own()
                } else {
                    line.clone()
                },
                reason: reason.clone(),
            },
            Happening::ByHand(lines) => Self::TookOver {
                lines: lines.clone(),
            },
            Happening::Message(text) => Self::Message(text.clone()),
            Happening::TrialEnded(_) | Happening::TrialBegun => return None,
        })
    }

    /// Whether the world changed as asked.
    pub const fn is_done(&self) -> bool {
        matches!(self, Self::Done { .. })
    }

    /// As the agent hears it.
    pub fn text(&self) -> String {
        match self {
            Self::Done { line } => format!("Done: {line}."),
            Self::Refused {
                line,
                kinds,
                reason,
            } => {
                let kinds: Vec<&str> = kinds.iter().map(|k| k.words()).collect();
                format!(
                    "Not done: {line} ({}). The reason: {reason}.",
                    kinds.join(", ")
                )
            }
            Self::Broken { line, .. } => {
                format!("Not done: {line}. The world cannot carry out such a command; try another.")
            }
            Self::Unread(problem) => format!(
                "Your reply was not understood ({}): {}. Nothing was done.",
                problem.kind.id().replace('_', " "),
                problem.message
            ),
            Self::Vetoed { line, reason } if reason.is_empty() => {
                format!("Not done: {line} was stopped. Do something else.")
            }
            Self::Vetoed { line, reason } => {
                format!("Not done: {line} was stopped, for this reason: {reason}")
            }
            Self::TookOver { lines } if lines.is_empty() => {
                "A person took over, did nothing, and hands back to you.".to_owned()
            }
            Self::TookOver { lines } => {
                format!(
                    "A person took over, did {}, and hands back to you.",
                    lines.join(", ")
                )
            }
            Self::Message(text) => format!("A person says: {text}"),
        }
    }
}
