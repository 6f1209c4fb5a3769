//! The same work on many things, on several threads: the answers come in the order of the things, whoever was faster.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does the work on every thing, on so many threads (one at least, one a thing at most).
///
/// A panic in the work goes on in the caller, as if there were one thread.
pub fn each<T: Sync, R: Send>(
    threads: usize,
    things: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(place) else {
                return done;
            };
            done.push((place, work(thing)));
        }
    };
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let hands: Vec<_> = (1..threads.clamp(1, things.len().max(1)))
            .map(|_| scope.spawn(take))
            .collect();
        let mut all = take();
        for hand in hands {
            match hand.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn answers_come_in_order_on_any_number_of_threads() {
        let things: Vec<u64> = (0..500).collect();
        let slow = |n: &u64| (0..*n % 7 * 1000).fold(*n, |a, b| a ^ b ^ b);
        assert_eq!(each(1, &things, slow), things);
        assert_eq!(each(4, &things, slow), things);
        assert_eq!(each(usize::MAX, &things[..3], slow), things[..3]);
        assert_eq!(each(3, &[] as &[u64], slow), [0u64; 0]);
    }
}
