//! A file that only grows, line by line: what [`Log::append`] has acknowledged is on the disk; what it could not write
//! waits and leaves no torn line behind.

use std::io;

use crate::store::disk::DiskFile;

/// What a log needs of a file; tests put failing ones in its place.
pub(super) trait Lines: std::fmt::Debug {
    /// Writes some of the bytes at an offset; how many.
    fn write_at(&mut self, bytes: &[u8], at: u64) -> io::Result<usize>;
    /// Returns when everything written is on the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Cuts the file to a length.
    fn cut(&mut self, len: u64) -> io::Result<()>;
}

/// The file and what is known of it.
#[derive(Debug)]
pub(super) struct Log<D = DiskFile> {
    disk: D,
    /// Bytes from the start that are whole and on the disk.
    good: u64,
    /// Whether something may follow them that must be cut before the next write.
    unsure: bool,
    /// Whether the last whole line still lacks its line feed.
    open_end: bool,
    /// Whether to sync before acknowledging.
    synced: bool,
    waiting: Vec<u8>,
    lines: usize,
}

impl<D: Lines> Log<D> {
    /// A log that continues after `good` bytes, each append synced. Whatever follows them is cut by the first append.
    pub(super) const fn new(disk: D, good: u64, open_end: bool) -> Self {
        Self {
            disk,
            good,
            unsure: true,
            open_end,
            synced: true,
            waiting: Vec::new(),
            lines: 0,
        }
    }

    /// The same log without syncing, for what may be lost.
    pub(super) const fn unsynced(mut self) -> Self {
        self.synced = false;
        self
    }

    /// Adds whole lines after those that still wait, and tries to write all of them.
    ///
    /// # Errors
    /// Nothing of them counts as written; they wait for the next append or [`Self::flush`].
    pub(super) fn append(&mut self, lines: &str) -> io::Result<()> {
        if self.open_end {
            self.waiting.push(b'\n');
            self.open_end = false;
        }
        self.waiting.extend_from_slice(lines.as_bytes());
        self.lines += lines.bytes().filter(|&b| b == b'\n').count();
        self.flush()
    }

    /// Tries to write what waits.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.settle()?;
        // Until the end is known to be whole, it is not; after a failed sync the disk may hold anything.
        self.unsure = true;
        if let Err(error) = self.write() {
            // Cutting at once gives the space back and leaves the file whole for others; if it fails, the next
            // flush tries again before it writes.
            let _ = self.settle();
            return Err(error);
        }
        self.unsure = false;
        self.good += self.waiting.len() as u64;
        self.waiting.clear();
        self.lines = 0;
        Ok(())
    }

    /// How many lines wait.
    pub(super) const fn waiting(&self) -> usize {
        self.lines
    }

    fn settle(&mut self) -> io::Result<()> {
        if self.unsure {
            self.disk.cut(self.good)?;
            self.unsure = false;
        }
        Ok(())
    }

    fn write(&mut self) -> io::Result<()> {
        let mut done = 0;
        while let Some(rest) = self.waiting.get(done..).filter(|r| !r.is_empty()) {
            match self.disk.write_at(rest, self.good + done as u64) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => done += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        if self.synced {
            self.disk.sync()
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk in memory that holds at most `room` bytes and fails the calls in `fails`.
    #[derive(Debug, Default)]
    struct Fake {
        bytes: Vec<u8>,
        synced: Vec<u8>,
        room: usize,
        calls: usize,
        fails: std::ops::Range<usize>,
    }

    impl Fake {
        fn call(&mut self) -> io::Result<()> {
            self.calls += 1;
            if self.fails.contains(&(self.calls - 1)) {
                return Err(io::Error::other("planted"));
            }
            Ok(())
        }
    }

    impl Lines for &mut Fake {
        fn write_at(&mut self, bytes: &[u8], at: u64) -> io::Result<usize> {
            // A failing write may have written something all the same.
            let fails = self.call();
            let at = at as usize;
            assert!(at <= self.bytes.len(), "a hole in the file");
            let n = if fails.is_err() {
                bytes.len().div_ceil(2)
            } else {
                bytes.len().min(7)
            };
            let n = n.min(self.room.saturating_sub(at));
            let end = self.bytes.len().max(at + n);
            self.bytes.resize(end, 0);
            self.bytes[at..at + n].copy_from_slice(&bytes[..n]);
            fails?;
            if n == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(n)
        }

        fn sync(&mut self) -> io::Result<()> {
            self.call()?;
            self.synced = self.bytes.clone();
            Ok(())
        }

        fn cut(&mut self, len: u64) -> io::Result<()> {
            self.call()?;
            self.bytes.truncate(len as usize);
            Ok(())
        }
    }

    /// Whatever calls fail, for however long: acknowledged lines are on the disk in order, nothing follows them
    /// that is not whole once a later append succeeds, and no line is lost or written twice.
    #[test]
    fn any_failing_calls_lose_nothing() {
        for from in 0..24 {
            for to in from..from + 6 {
                let mut fake = Fake {
                    bytes: b"old\ntorn".to_vec(),
                    room: 1 << 20,
                    fails: from..to,
                    ..Fake::default()
                };
                let mut log = Log::new(&mut fake, 4, false);
                let mut told = "old\n".to_owned();
                let mut acked = told.clone();
                for n in 0..12 {
                    let line = format!("line number {n}\n");
                    told += &line;
                    if log.append(&line).is_ok() {
                        acked = told.clone();
                        assert_eq!(log.waiting(), 0);
                        assert_eq!(log.disk.synced, acked.as_bytes());
                    } else {
                        assert!(log.waiting() > 0);
                        assert!(log.disk.synced.is_empty() || acked.as_bytes() == log.disk.synced);
                    }
                }
                let _ = log.flush();
                assert_eq!(fake.bytes, told.as_bytes(), "calls {from}..{to} fail");
            }
        }
    }

    /// A full disk keeps what was acknowledged, and writing goes on when there is room again.
    #[test]
    fn a_full_disk_leaves_whole_lines_and_is_left_behind() {
        for room in 0..80 {
            let mut fake = Fake {
                room,
                ..Fake::default()
            };
            let mut log = Log::new(&mut fake, 0, false);
            let (mut told, mut acked) = (String::new(), String::new());
            for n in 0..8 {
                let line = format!("line {n}\n");
                told += &line;
                if log.append(&line).is_ok() {
                    acked = told.clone();
                }
                assert_eq!(log.disk.bytes, acked.as_bytes());
            }
            assert_eq!(log.waiting(), told.lines().count() - acked.lines().count());
            log.disk.room = 1 << 20;
            log.flush().unwrap();
            assert_eq!(fake.bytes, told.as_bytes());
        }
    }

    #[test]
    fn a_last_line_without_its_line_feed_gets_it() {
        let mut fake = Fake {
            bytes: b"old".to_vec(),
            room: 99,
            ..Fake::default()
        };
        Log::new(&mut fake, 3, true).append("new\n").unwrap();
        assert_eq!(fake.bytes, b"old\nnew\n");
    }
}
