//! The keyboard: a thread that waits for bytes and hands on what they mean.
//!
//! Waiting is done with `poll` on the terminal itself, because that tells a terminal that has hung up from
//! one that is silent. Nothing wakes the thread while nobody types.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::sync::mpsc::Sender;

use crate::app::msg::{Msg, Signal};
use crate::runtime::decode::Decoder;

/// How long the rest of a key's bytes may take, in nanoseconds: over slow lines an arrow's escape can
/// arrive before its letter.
const REST: i64 = 25_000_000;

/// Whether keys are read: another program may have the terminal.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    fn set(&self, closed: bool) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = closed;
        self.0.1.notify_all();
    }

    /// No key is read from now on.
    pub fn close(&self) {
        self.set(true);
    }

    /// Keys are read again.
    pub fn open(&self) {
        self.set(false);
    }

    /// Waits while it is closed; whether it was.
    fn pass(&self) -> bool {
        let closed = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !*closed {
            return false;
        }
        let open = self.0.1.wait_while(closed, |closed| *closed);
        drop(open.unwrap_or_else(PoisonError::into_inner));
        true
    }
}

/// Starts listening; ends when the terminal or the loop is gone.
pub fn listen(to: Sender<Msg>, gate: Gate) -> io::Result<()> {
    let thread = thread::Builder::new().name("keyboard".to_owned());
    thread.spawn(move || {
        // Whatever ends the keyboard ends the program: it could not be left any more.
        let _ = serve(&to, &gate);
        let _ = to.blocking_send(Msg::Signal(Signal::Hangup));
    })?;
    Ok(())
}

/// What waiting came to.
enum Waited {
    /// There are bytes.
    Ready,
    /// The time is over.
    Late,
    /// The terminal is gone.
    Gone,
}

fn serve(to: &Sender<Msg>, gate: &Gate) -> io::Result<()> {
    let mut decoder = Decoder::default();
    let mut buffer = vec![0; 16 * 1024];
    let mut out = Vec::new();
    loop {
        let waited = wait(decoder.is_waiting())?;
        // What came meanwhile was for whoever had the terminal.
        if gate.pass() {
            continue;
        }
        match waited {
            Waited::Gone => return Ok(()),
            Waited::Late => decoder.flush(&mut out),
            Waited::Ready => match rustix::io::read(io::stdin(), buffer.as_mut_slice()) {
                Ok(0) => return Ok(()),
                Ok(n) => decoder.feed(buffer.get(..n).unwrap_or_default(), &mut out),
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
                Err(err) => return Err(err.into()),
            },
        }
        for msg in out.drain(..) {
            if to.blocking_send(msg).is_err() {
                return Ok(());
            }
        }
    }
}

fn wait(is_short: bool) -> io::Result<Waited> {
    let stdin = io::stdin();
    let short = Timespec {
        tv_sec: 0,
        tv_nsec: REST,
    };
    loop {
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut fds, is_short.then_some(&short)) {
            Ok(0) => return Ok(Waited::Late),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(err) => return Err(err.into()),
        }
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        let is_gone = fds.iter().any(|fd| fd.revents().intersects(gone));
        return Ok(if is_gone { Waited::Gone } else { Waited::Ready });
    }
}
