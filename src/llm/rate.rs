//! How fast calls may follow each other. No I/O: the time is passed in.

use std::time::Duration;

/// A bucket of tokens that fills steadily: each call takes one, and waits for it where there is none. A tenth of a
/// minute's calls may come at once, at least one.
#[derive(Clone, Debug)]
pub struct Bucket {
    /// The time in which one token comes.
    every: Duration,
    /// How far ahead of the steady pace calls may run.
    ahead: Duration,
    /// When the next call would be due at the steady pace.
    due: Duration,
    /// No call before.
    held: Duration,
}

impl Bucket {
    /// A bucket for so many calls a minute; `None` is no limit.
    pub fn new(per_minute: Option<u32>) -> Self {
        let per_minute = per_minute.map_or(0, |n| n.max(1));
        let every = Duration::from_mins(1)
            .checked_div(per_minute)
            .unwrap_or_default();
        Self {
            every,
            ahead: every * (per_minute / 10).saturating_sub(1),
            due: Duration::ZERO,
            held: Duration::ZERO,
        }
    }

    /// Takes a token at `now`; how long the call must wait for it.
    pub fn take(&mut self, now: Duration) -> Duration {
        let due = self.due.max(now);
        self.due = due + self.every;
        due.saturating_sub(self.ahead)
            .max(self.held)
            .saturating_sub(now)
    }

    /// Lets no call go before `until`: the endpoint has asked one of them to wait.
    pub fn hold(&mut self, until: Duration) {
        self.held = self.held.max(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The waits in milliseconds of calls made at the given milliseconds.
    fn waits(bucket: &mut Bucket, at: &[u64]) -> Vec<u128> {
        at.iter()
            .map(|ms| bucket.take(Duration::from_millis(*ms)).as_millis())
            .collect()
    }

    #[test]
    fn calls_are_spread() {
        assert_eq!(waits(&mut Bucket::new(None), &[0, 0, 0, 5]), [0, 0, 0, 0]);
        assert_eq!(
            waits(&mut Bucket::new(Some(6)), &[0, 0, 0]),
            [0, 10_000, 20_000]
        );
        assert_eq!(
            waits(
                &mut Bucket::new(Some(30)),
                &[0, 0, 0, 0, 7000, 60_000, 60_000, 60_000, 60_000]
            ),
            [0, 0, 0, 2000, 0, 0, 0, 0, 2000]
        );
        assert_eq!(waits(&mut Bucket::new(Some(0)), &[0, 0]), [0, 60_000]);
    }

    #[test]
    fn one_that_must_wait_holds_the_others() {
        let mut bucket = Bucket::new(None);
        bucket.hold(Duration::from_secs(3));
        bucket.hold(Duration::from_secs(2));
        assert_eq!(
            waits(&mut bucket, &[1000, 2500, 3000, 4000]),
            [2000, 500, 0, 0]
        );
    }
}
