//! Whoever plays instead of a person: what it is asked, what it answered, and what is done with the answer.
//!
//! Everything here is a value or a state machine fed with values: no network, no clock, no files. What a request
//! becomes on the wire is the business of `llm`; when it is sent, of `runtime`.

pub mod card;
pub mod chat;
pub mod critic;
pub mod feedback;
pub mod hold;
pub mod observe;
pub mod planner;
pub mod player;
pub mod players;
pub mod prompt;
pub mod random;
pub mod reply;
pub mod scripted;
pub mod session;
pub mod sign;
pub mod strategy;
