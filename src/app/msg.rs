//! Everything that can happen to the program, as values.

use crate::app::jobs::{JobEvent, JobId};
use crate::app::key::Key;
use crate::app::notice::Level;

/// Milliseconds since the program started; only runtime reads a clock.
pub type Millis = u64;

/// Columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// Columns.
    pub w: u16,
    /// Rows.
    pub h: u16,
}

impl Size {
    /// Columns and rows.
    pub const fn new(w: u16, h: u16) -> Self {
        Self { w, h }
    }
}

/// The most cells a printed screen may have.
const LARGEST: u32 = 1_000_000;

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = |(w, h): (&str, &str)| Some(Self::new(w.parse().ok()?, h.parse().ok()?));
        let size = text
            .split_once('x')
            .and_then(parse)
            .ok_or_else(|| format!("\"{text}\" is no size: write 80x24"))?;
        if u32::from(size.w) * u32::from(size.h) > LARGEST {
            return Err(format!(
                "\"{text}\" is larger than any terminal: at most 1000x1000"
            ));
        }
        Ok(size)
    }
}

/// A signal of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// SIGTERM or SIGINT: leave in order.
    Terminate,
    /// SIGHUP: the terminal is gone.
    Hangup,
    /// SIGCONT: the shell has given the terminal back.
    Continue,
}

/// One thing that happened. Closed on purpose: a screen's own events arrive as keys or job replies.
#[derive(Debug, Clone)]
pub enum Msg {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted.
    Paste(String),
    /// The terminal has this size now.
    Resize(Size),
    /// It is this late; sent before every batch of messages and when a deadline has come.
    Tick(Millis),
    /// A job reported.
    Job(JobId, JobEvent),
    /// The system signalled.
    Signal(Signal),
    /// Something outside the screens reported a line for the log.
    Log(Level, String),
    /// Something outside the screens is to be told.
    Tell(Level, String),
}
