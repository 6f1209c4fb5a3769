//! Chat models over HTTP: requests of [`crate::agent::chat`] to endpoints and back.
//!
//! ```text
//! Request --kind::body--> HTTP --sse--> events --kind::event--> Heard --Draft--> Piece, Piece, … Reply
//! ```
//!
//! [`client`] is the only part that waits; [`key`], [`price`] and [`cassette`] read or write files; the rest is pure:
//! [`sse`] cuts bytes into events, [`retry`] and [`rate`] are told the time. Nothing here spawns: a call is one future,
//! and dropping it closes its socket.
//!
//! **A new kind of endpoint** is one file in [`kind`] and one line in its list. **A new setting** is one line in
//! [`settings::FIELDS`].
//!
//! What must stay true: a key goes into the header of a request and nowhere else. Every text of an endpoint passes
//! [`key::scrub`] before it is part of a failure, and a veil before it is part of a reply. Proxies come from
//! `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, certificates of the user's own from `SSL_CERT_FILE` and
//! `SSL_CERT_DIR`.

pub mod cassette;
pub mod client;
mod fault;
mod heard;
pub mod key;
pub mod kind;
pub mod price;
pub mod rate;
pub mod retry;
pub mod settings;
pub mod sse;

/// The longest reply taken, and the longest event of a stream, in bytes.
pub const LONGEST: usize = 10 * 1024 * 1024;
