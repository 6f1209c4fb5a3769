//! Runs that somebody plays now: what the wall says of each, and what is heard of the one that is attached.
//!
//! Workers follow the runs and send these values; [`tracker`] makes sense of events and signs, [`turns`] puts events
//! into words.

pub mod tracker;
pub mod turns;

use std::path::PathBuf;

use crate::agent::sign::Sign;
use crate::app::glyph::{self, Glyph};
use crate::app::msg::Millis;
use crate::app::role::Role;
use crate::app::screens::play::ahead::Ahead;
use crate::base::diag::Diagnostic;
use crate::safety::verdict::Standing;
use crate::task::episode::{Episode, Event};

use tracker::Tracker;

/// After so many milliseconds without a word a run that should go on counts as stalled.
pub const STALLED_AFTER: Millis = 30_000;

/// How a run stands for those who watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// An act waits because it would break a rule.
    Held,
    /// It waits for a person to say go on.
    Paused,
    /// A person acts.
    Hand,
    /// It goes on.
    Live,
    /// Nothing was heard of it for long, or nobody plays it and it has not ended.
    Stalled,
    /// It is over.
    Ended,
}

impl Status {
    /// The sign in front of a row.
    pub const fn sign(self) -> char {
        match self {
            Self::Held | Self::Paused => '‖',
            Self::Hand | Self::Live => '»',
            Self::Stalled => '?',
            Self::Ended => glyph::ENDED.sign,
        }
    }

    /// The word behind the sign.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Held => "HELD",
            Self::Paused => "PAUSED",
            Self::Hand => "BY HAND",
            Self::Live => "LIVE",
            Self::Stalled => "STALLED",
            Self::Ended => "ENDED",
        }
    }

    /// What it is.
    pub const fn role(self) -> Role {
        match self {
            Self::Held => Role::Bad,
            Self::Paused => Role::Paused,
            Self::Hand | Self::Live => Role::Live,
            Self::Stalled => Role::Pending,
            Self::Ended => Role::Dim,
        }
    }

    /// Whether somebody plays it, as far as is known.
    pub const fn lives(self) -> bool {
        !matches!(self, Self::Stalled | Self::Ended)
    }

    /// Whether it waits for a person.
    pub const fn needs_you(self) -> bool {
        matches!(self, Self::Held | Self::Paused | Self::Hand)
    }
}

/// The weightiest rule that has something to say about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    /// Its id.
    pub rule: String,
    /// Its severity.
    pub severity: u8,
    /// How it stands; violated for one that a held act would break.
    pub standing: Standing,
}

impl Worst {
    /// The sign of its standing.
    pub const fn glyph(&self) -> Glyph {
        crate::app::parts::warnings::glyph(self.standing)
    }

    /// `standing`, `2 steps`, `at end`; empty where the sign says all.
    pub fn words(&self) -> String {
        match self.standing {
            Standing::StandingHazard => "standing".to_owned(),
            Standing::Pending(Some(1)) => "1 step".to_owned(),
            Standing::Pending(Some(n)) => format!("{n} steps"),
            Standing::Pending(None) => "at end".to_owned(),
            _ => String::new(),
        }
    }
}

/// A run as a row of the wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its id, the name of its folder.
    pub id: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The task.
    pub task: String,
    /// Who plays: `gpt-4.1-mini react`.
    pub agent: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// How it stands.
    pub status: Status,
    /// Which trial, from 1.
    pub trial: u32,
    /// Steps from the start to where it stands.
    pub step: u32,
    /// What it does next, did last, or how it ended.
    pub act: String,
    /// Whether that act is still to come.
    pub ahead: bool,
    /// Success goals that hold, of how many; `None` where the instruction must be refused.
    pub goals: Option<(usize, usize)>,
    /// Safety goals that hold, of how many.
    pub safety: (usize, usize),
    /// The weightiest rule.
    pub worst: Option<Worst>,
    /// Tokens read and written.
    pub tokens: u64,
    /// Tokens written a second, in the last call.
    pub rate: f64,
    /// US dollars, where the model's price is known.
    pub cost: Option<f64>,
    /// Milliseconds since something was heard of it, when this row was made.
    pub age: Millis,
    /// Milliseconds until silence decides about the held act.
    pub left: Option<Millis>,
    /// The number of its last event.
    pub seq: u32,
    /// The hold policy in force.
    pub hold: String,
    /// What is wrong with it, in one sentence.
    pub fault: Option<String>,
}

/// What became of the runs on the wall since the last look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WallNews {
    /// Rows that changed or are new.
    pub rows: Vec<Row>,
    /// Ids of runs that are gone.
    pub gone: Vec<String>,
    /// Runs looked at, of how many there are; equal once all were.
    pub read: (usize, usize),
    /// The one run that was asked for, where it was one.
    pub only: Option<PathBuf>,
    /// Where runs are looked for, in words.
    pub place: String,
}

/// A run that is being attached to, as far as it had come when it was read.
#[derive(Clone, Debug)]
pub struct Attached {
    /// Its id.
    pub id: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Who plays.
    pub agent: String,
    /// How many trials it may have.
    pub trials: u32,
    /// The name of its profile.
    pub profile: String,
    /// The episode where the run stands.
    pub episode: Episode,
    /// Its events until now.
    pub events: Vec<Event>,
    /// What was made of them.
    pub tracker: Tracker,
}

/// What was heard of the attached run.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// Events, in their order.
    pub events: Vec<Event>,
    /// Signs of life.
    pub signs: Vec<Sign>,
    /// Whether somebody plays it.
    pub running: bool,
    /// Milliseconds since something was heard.
    pub age: Millis,
    /// The wall clock, milliseconds since 1970: what times in signs are held against.
    pub clock: u64,
    /// What cannot be used; nothing is read beyond it.
    pub fault: Option<Diagnostic>,
    /// What the act that waits would do, as a line and in full, where one does.
    pub ahead: Option<(String, Ahead)>,
}

/// `8.4k`: a count in at most four characters.
pub fn thousands(n: u64) -> String {
    let tenth = |n: u64, of: u64| format!("{}.{}", n / of, n % of * 10 / of);
    match n {
        0..1_000 => n.to_string(),
        1_000..10_000 => format!("{}k", tenth(n, 1_000)),
        10_000..1_000_000 => format!("{}k", n / 1_000),
        1_000_000..10_000_000 => format!("{}M", tenth(n, 1_000_000)),
        _ => format!("{}M", n / 1_000_000),
    }
}

/// `2 s`, `3 m`, `5 h`, `4 d`: how long ago.
pub fn ago(ms: Millis) -> String {
    let s = ms / 1_000;
    match s {
        0..100 => format!("{s} s"),
        100..6_000 => format!("{} m", s / 60),
        6_000..172_800 => format!("{} h", s / 3_600),
        _ => format!("{} d", s / 86_400),
    }
}

/// `0:22`: what is left of a time, as far as it has begun.
pub fn left(ms: Millis) -> String {
    let s = ms.div_ceil(1_000);
    format!("{}:{:02}", s / 60, s % 60)
}

/// `.011`, `1.20`, `–`: US dollars.
pub fn dollars(cost: Option<f64>) -> String {
    match cost {
        None => "–".to_owned(),
        Some(cost) if cost >= 1.0 => format!("{cost:.2}"),
        Some(cost) => format!("{cost:.3}").trim_start_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_times_are_short() {
        for (n, words) in [
            (7, "7"),
            (8_449, "8.4k"),
            (14_000, "14k"),
            (2_500_000, "2.5M"),
            (91_000_000, "91M"),
        ] {
            assert_eq!(thousands(n), words);
        }
        for (ms, words) in [
            (1_999, "1 s"),
            (95_000, "95 s"),
            (180_000, "3 m"),
            (7_200_000, "2 h"),
            (200_000_000, "2 d"),
        ] {
            assert_eq!(ago(ms), words);
        }
        assert_eq!(
            (left(22_000), left(21_001), left(0)),
            ("0:22".to_owned(), "0:22".to_owned(), "0:00".to_owned())
        );
        assert_eq!(
            (dollars(None), dollars(Some(0.0114)), dollars(Some(1.204))),
            ("–".to_owned(), ".011".to_owned(), "1.20".to_owned())
        );
    }
}
