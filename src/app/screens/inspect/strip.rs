//! The strip below the panes: what each step of the path took, in milliseconds, tokens or dollars.

use std::collections::BTreeMap;

use crate::agent::sign::Spent;
use crate::app::runs::LoadedRun;
use crate::task::episode::{Body, Event};

use super::loaded::Loaded;

/// What the strip shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strip {
    /// Nothing.
    #[default]
    Off,
    /// How long the calls of models took that led to each step.
    Latency,
    /// Tokens read and written for it.
    Tokens,
    /// US dollars for it.
    Cost,
}

impl Strip {
    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Latency => "latency",
            Self::Tokens => "tokens",
            Self::Cost => "cost",
        }
    }

    /// The one after it.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Off => Self::Latency,
            Self::Latency => Self::Tokens,
            Self::Tokens => Self::Cost,
            Self::Cost => Self::Off,
        }
    }

    /// Its measure of what was spent; `None` where that is not known.
    fn of(self, spent: &Spent) -> Option<f64> {
        // Milliseconds and tokens of a run are far below what a float holds exactly.
        #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
        let float = |n: u64| n as f64;
        match self {
            Self::Off => None,
            Self::Latency => Some(float(spent.total_ms)),
            Self::Tokens => Some(float(spent.tokens_in + spent.tokens_out)),
            Self::Cost => spent.cost,
        }
    }

    /// An amount in words: `850 ms`, `5.1 s`, `1240 tokens`, `$0.0031`.
    fn words(self, amount: f64) -> String {
        match self {
            Self::Latency if amount < 1000.0 => format!("{amount:.0} ms"),
            Self::Latency => format!("{:.1} s", amount / 1000.0),
            Self::Off | Self::Tokens => format!("{amount:.0} tokens"),
            Self::Cost => format!("${amount:.4}"),
        }
    }
}

/// What was spent on every act of a run: a call counts for the first step, refusal or end after it. By the number of the
/// act's event.
pub(super) fn by_act(run: &LoadedRun) -> BTreeMap<u32, Spent> {
    let mut calls = run.spent.clone();
    calls.sort_by_key(|(seq, _)| *seq);
    let mut calls = calls.into_iter().peekable();
    let mut by: BTreeMap<u32, Spent> = BTreeMap::new();
    let acts = run.events.iter().filter(|event| is_act(event));
    for act in acts {
        while let Some((_, spent)) = calls.next_if(|(seq, _)| *seq <= act.seq) {
            let sum = by.entry(act.seq).or_default();
            *sum = sum.plus(spent);
        }
    }
    // What was spent after the last act led to nothing, but it was spent.
    if let Some(last) = run.events.last() {
        for (_, spent) in calls {
            let sum = by.entry(last.seq).or_default();
            *sum = sum.plus(spent);
        }
    }
    by
}

const fn is_act(event: &Event) -> bool {
    matches!(
        event.body,
        Body::Step { .. }
            | Body::Refused { .. }
            | Body::Done { .. }
            | Body::Avoid { .. }
            | Body::Stopped { .. }
    )
}

/// Columns of the digits at most.
const BARS: usize = 160;

/// The strip as a line of so many columns: its name, a digit a row around the cursor, then what is spent here, most and in
/// all. A digit is a ninth of the largest, rounded up; `.` where nothing is known.
pub fn line(it: &Loaded, strip: Strip, width: usize) -> String {
    let told = words(it, strip);
    let name = format!(" {}  ", strip.word());
    let amounts = amounts(it, strip);
    if amounts.iter().all(|(_, amount)| amount.is_none()) {
        return format!("{name}{told}");
    }
    let most = amounts.iter().filter_map(|(_, n)| *n).fold(0.0, f64::max);
    let room = width
        .saturating_sub(name.len() + told.chars().count() + 4)
        .min(BARS);
    let here = it.row_index();
    let at = amounts
        .iter()
        .position(|(row, _)| *row >= here)
        .unwrap_or(0);
    let from = at
        .saturating_sub(room / 2)
        .min(amounts.len().saturating_sub(room));
    let mut bars = String::new();
    for (i, (_, amount)) in amounts.iter().enumerate().skip(from).take(room) {
        let digit = digit(*amount, most);
        if i == at && room > 4 {
            bars.push('[');
            bars.push(digit);
            bars.push(']');
        } else {
            bars.push(digit);
        }
    }
    format!("{name}{bars}  {told}")
}

fn digit(amount: Option<f64>, most: f64) -> char {
    let Some(amount) = amount else { return '.' };
    if most <= 0.0 {
        return '0';
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 9"
    )]
    let ninth = (amount / most * 9.0).ceil().clamp(0.0, 9.0) as u32;
    char::from_digit(ninth, 10).unwrap_or('.')
}

/// What each act of the path took, by its row.
fn amounts(it: &Loaded, strip: Strip) -> Vec<(usize, Option<f64>)> {
    let rows = it.rows.iter().enumerate();
    let acts = rows.filter(|(_, row)| it.event(row).is_some_and(is_act) && row.is_own());
    acts.map(|(at, row)| {
        let spent = it.spent.get(&row.seq);
        (at, spent.and_then(|spent| strip.of(spent)))
    })
    .collect()
}

/// What is spent here, most and in all, in words.
pub fn words(it: &Loaded, strip: Strip) -> String {
    let amounts = amounts(it, strip);
    let known: Vec<(usize, f64)> = amounts
        .iter()
        .filter_map(|(row, amount)| Some((*row, (*amount)?)))
        .collect();
    let most = known.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    let Some((most, largest)) = most else {
        return match strip {
            Strip::Cost if !it.spent.is_empty() => "no price is known".to_owned(),
            _ => "no call of a model was recorded".to_owned(),
        };
    };
    let all: f64 = known.iter().map(|(_, amount)| amount).sum();
    let here = it.row_index();
    let here = known.iter().find(|(row, _)| *row == here);
    let here = here.map_or_else(|| "nothing".to_owned(), |(_, n)| strip.words(*n));
    let name = it
        .rows
        .get(most)
        .map_or_else(String::new, |row| format!("s{}", row.pos));
    format!(
        "here {here} · most {} at {name} · all {}",
        strip.words(largest),
        strip.words(all)
    )
}
