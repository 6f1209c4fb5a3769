//! Which failures are tried again and after how long. No I/O: chance and the time are passed in.

use std::time::{Duration, SystemTime};

use crate::agent::chat::FailureKind;

/// How patiently a call is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How often at most, after the first attempt.
    pub retries: u32,
    /// The wait before the second attempt; each further one doubles it.
    pub first: Duration,
    /// The longest wait between two attempts. An endpoint that asks for more is given up.
    pub longest: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            retries: 5,
            first: Duration::from_millis(500),
            longest: Duration::from_mins(1),
        }
    }
}

/// A small generator of chance, the same for the same seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// A generator.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    const fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A duration between half of `most` and `most`.
    fn upper_half(&mut self, most: Duration) -> Duration {
        let half = u64::try_from(most.as_micros() / 2).unwrap_or(u64::MAX);
        let more = if half == 0 {
            0
        } else {
            self.roll() % (half + 1)
        };
        Duration::from_micros(half.saturating_add(more))
    }
}

/// Whether a call that failed so can succeed when it is made again as it is.
pub const fn again(kind: FailureKind) -> bool {
    matches!(
        kind,
        FailureKind::RateLimited
            | FailureKind::Server
            | FailureKind::Unreachable
            | FailureKind::CutOff
    )
}

impl Patience {
    /// The wait after the `failed`-th failure (from 1): doubling, with chance so that many callers do not come back
    /// at the same moment. If the endpoint `asked` for a longer wait, that is never cut short. `None` gives the call
    /// up: the tries are used up, or the endpoint asks for more than is allowed.
    pub fn wait(&self, failed: u32, asked: Option<Duration>, dice: &mut Dice) -> Option<Duration> {
        let asked = asked.unwrap_or_default();
        if failed > self.retries || asked > self.longest {
            return None;
        }
        let doubled = self
            .first
            .saturating_mul(2_u32.saturating_pow(failed.saturating_sub(1)));
        let own = dice.upper_half(doubled.min(self.longest));
        // A little on top of what is asked, again so that not all come at once.
        let late = dice.upper_half(Duration::from_millis(200).min(asked / 4));
        Some(own.max(asked.saturating_add(late)))
    }
}

/// How long an endpoint asks to wait: `retry-after-ms` in milliseconds, else `retry-after` in seconds or as a date.
/// A date is compared with the endpoint's own clock (`date`) where it tells it, else with `now`. What cannot be read
/// counts as not said.
pub fn asked<'h>(header: impl Fn(&str) -> Option<&'h str>, now: SystemTime) -> Option<Duration> {
    if let Some(ms) = header("retry-after-ms").and_then(number) {
        return Duration::try_from_secs_f64(ms / 1000.0).ok();
    }
    let after = header("retry-after")?.trim();
    if let Some(seconds) = number(after) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let then = httpdate::parse_http_date(after).ok()?;
    let now = header("date")
        .and_then(|date| httpdate::parse_http_date(date.trim()).ok())
        .unwrap_or(now);
    Some(then.duration_since(now).unwrap_or_default())
}

fn number(text: &str) -> Option<f64> {
    text.trim()
        .parse()
        .ok()
        .filter(|n: &f64| n.is_finite() && *n >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Headers, and the milliseconds they ask for.
    type Row<'a> = (&'a [(&'a str, &'a str)], Option<u64>);

    #[test]
    fn endpoints_ask_in_many_ways() {
        let now = httpdate::parse_http_date("Mon, 30 Nov 2026 12:00:00 GMT").unwrap();
        let table: &[Row<'_>] = &[
            (&[], None),
            (&[("retry-after", "3")], Some(3000)),
            (&[("retry-after", " 0.25 ")], Some(250)),
            (&[("retry-after-ms", "1500")], Some(1500)),
            (&[("retry-after-ms", "20"), ("retry-after", "9")], Some(20)),
            (
                &[("retry-after-ms", "soon"), ("retry-after", "9")],
                Some(9000),
            ),
            (
                &[("retry-after", "Mon, 30 Nov 2026 12:00:07 GMT")],
                Some(7000),
            ),
            (
                &[("retry-after", "Monday, 30-Nov-26 12:00:07 GMT")],
                Some(7000),
            ),
            (&[("retry-after", "Mon Nov 30 12:00:07 2026")], Some(7000)),
            (&[("retry-after", "Mon, 30 Nov 2026 11:00:00 GMT")], Some(0)),
            (
                &[
                    ("retry-after", "Mon, 30 Nov 2026 12:00:07 GMT"),
                    ("date", "Mon, 30 Nov 2026 12:00:05 GMT"),
                ],
                Some(2000),
            ),
            (&[("retry-after", "-4")], None),
            (&[("retry-after", "later")], None),
            (&[("retry-after", "1e300")], None),
            (&[("retry-after", "NaN")], None),
        ];
        for (headers, expected) in table {
            let header = |name: &str| {
                headers
                    .iter()
                    .find(|(n, _)| *n == name)
                    .map(|(_, value)| *value)
            };
            assert_eq!(
                asked(header, now).map(|d| d.as_millis() as u64),
                *expected,
                "{headers:?}"
            );
        }
    }

    #[test]
    fn waits_double_with_chance_up_to_a_limit() {
        let patience = Patience {
            retries: 4,
            first: Duration::from_millis(100),
            longest: Duration::from_millis(500),
        };
        let waits = |seed| {
            let mut dice = Dice::new(seed);
            (1..=5)
                .map(|failed| patience.wait(failed, None, &mut dice))
                .collect::<Vec<_>>()
        };
        assert_eq!(waits(7), waits(7));
        assert_ne!(waits(7), waits(8));
        for seed in 0..50 {
            let waits = waits(seed);
            assert_eq!(waits.get(4), Some(&None));
            for (wait, most) in waits.iter().flatten().zip([100, 200, 400, 500]) {
                let ms = wait.as_millis();
                assert!((most / 2..=most).contains(&ms), "{ms} of {most}");
            }
        }
    }

    #[test]
    fn what_is_asked_for_is_kept_or_given_up() {
        let patience = Patience::default();
        let wait = |failed, ms| {
            let asked = Some(Duration::from_millis(ms));
            let wait = patience.wait(failed, asked, &mut Dice::new(1));
            wait.map(|wait| wait.as_millis() as u64)
        };
        // An endpoint that asks for no wait gets the usual one.
        for (failed, asked, from, to) in [
            (1, 0, 250, 500),
            (3, 10, 1000, 2000),
            (1, 2000, 2100, 2200),
            (5, 60_000, 60_100, 60_200),
        ] {
            let wait = wait(failed, asked).unwrap();
            assert!((from..=to).contains(&wait), "{wait} for {asked}");
        }
        assert_eq!(wait(1, 60_001), None);
        assert_eq!(wait(6, 10), None);
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let kinds: Vec<&str> = FailureKind::ALL
            .into_iter()
            .filter(|kind| again(*kind))
            .map(FailureKind::id)
            .collect();
        assert_eq!(kinds, ["rate_limited", "server", "unreachable", "cut_off"]);
    }
}
