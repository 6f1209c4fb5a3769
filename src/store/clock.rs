//! The wall clock and the stop watch of saved runs. Nothing here reaches `events.jsonl`.

use std::time::Instant;

use jiff::Timestamp;

/// The time now, in UTC, cut to whole seconds.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the wall clock for saved runs"
)]
pub fn now() -> Timestamp {
    let now = std::time::SystemTime::now();
    let seconds = Timestamp::try_from(now).map_or(0, Timestamp::as_second);
    Timestamp::from_second(seconds).unwrap_or_default()
}

/// A moment the disk tells, RFC 3339 in UTC, cut to whole seconds; empty where it is out of range.
pub fn text(at: std::time::SystemTime) -> String {
    let at = Timestamp::try_from(at).map(Timestamp::as_second);
    let at = at.and_then(Timestamp::from_second);
    at.map_or_else(|_| String::new(), |at| at.to_string())
}

/// Milliseconds of the wall clock since 1970, for signs of life; nothing that lasts depends on them.
#[expect(
    clippy::disallowed_methods,
    reason = "viewers count down to the moment a held act is decided"
)]
pub fn unix_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}

/// Milliseconds since a run was begun, steady while it is open.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    started: Instant,
    before: u64,
}

impl Watch {
    /// A watch for a run begun at `created` (RFC 3339; anything else counts as now).
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the steady clock for saved runs"
    )]
    pub fn since(created: &str) -> Self {
        let begun: Timestamp = created.parse().unwrap_or_else(|_| now());
        let before = now().as_millisecond() - begun.as_millisecond();
        Self {
            started: Instant::now(),
            // A clock that was set back must not make time negative.
            before: u64::try_from(before).unwrap_or(0),
        }
    }

    /// The milliseconds.
    pub fn ms(&self) -> u64 {
        let here = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.before.saturating_add(here)
    }
}
