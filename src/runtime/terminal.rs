//! The terminal's modes: taken once, given back whatever happens.
//!
//! Takes raw mode, the alternate screen, bracketed paste and the cursor; nothing else, so that there is
//! little to give back. [`leave`] may be called from anywhere at any time (guard, panic hook, suspend):
//! it acts once per [`enter`], does every step even if one fails, and reports the first failure.

use std::io;
use std::sync::{Mutex, PoisonError};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::queue;
use crossterm::style::{Attribute, SetAttribute};
use crossterm::terminal::{EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen};
use rustix::termios::{OptionalActions, Termios, isatty, tcgetattr, tcgetwinsize, tcsetattr};

use crate::app::msg::Size;

/// The bytes that take the alternate screen, bracketed paste and the cursor.
fn taking() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    queue!(bytes, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
    Ok(bytes)
}

/// The same undone, last first, after an end of an unfinished synchronized update and of colours.
fn giving_back() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    queue!(
        bytes,
        EndSynchronizedUpdate,
        SetAttribute(Attribute::Reset),
        Show,
        DisableBracketedPaste,
        LeaveAlternateScreen
    )?;
    Ok(bytes)
}

/// What the terminal was like before us, while we have it.
static TAKEN: Mutex<Option<Termios>> = Mutex::new(None);

/// Gives the terminal back when dropped.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Takes the terminal.
    pub fn take() -> io::Result<Self> {
        enter()?;
        Ok(Self(()))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // The program is at its end or panicking; there is nobody left to tell.
        let _ = leave();
    }
}

/// Whether there is a terminal to draw on and to read keys from.
pub fn is_terminal() -> bool {
    isatty(io::stdin()) && isatty(io::stdout())
}

/// The terminal's size; 80x24 where it cannot be told.
pub fn size() -> Size {
    match tcgetwinsize(io::stdout()) {
        Ok(size) => Size::new(size.ws_col, size.ws_row),
        Err(_) => Size::new(80, 24),
    }
}

/// Takes the modes, or takes them again after the shell had the terminal. If a step fails those before
/// it are undone.
pub fn enter() -> io::Result<()> {
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let before = match taken.as_ref() {
        Some(before) => before.clone(),
        None => tcgetattr(io::stdin())?,
    };
    let mut raw = before.clone();
    raw.make_raw();
    tcsetattr(io::stdin(), OptionalActions::Drain, &raw)?;
    *taken = Some(before);
    drop(taken);
    taking().and_then(|bytes| write(&bytes)).inspect_err(|_| {
        let _ = leave();
    })
}

/// Gives the modes back. Does nothing if we do not have them.
pub fn leave() -> io::Result<()> {
    let before = match TAKEN.try_lock() {
        Ok(mut taken) => taken.take(),
        Err(std::sync::TryLockError::Poisoned(taken)) => taken.into_inner().take(),
        // The holder is in `enter` on this very thread: it undoes its own steps.
        Err(std::sync::TryLockError::WouldBlock) => None,
    };
    let Some(before) = before else { return Ok(()) };
    let written = giving_back().and_then(|bytes| write(&bytes));
    let set = tcsetattr(io::stdin(), OptionalActions::Drain, &before);
    written.and(set.map_err(io::Error::from))
}

/// Writes the bytes to the terminal, in one system call unless the kernel takes them in parts.
pub fn write(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(io::stdout(), bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => bytes = bytes.get(n..).unwrap_or_default(),
            Err(rustix::io::Errno::INTR) => {}
            // Somebody made the terminal non-blocking; give it time to drain.
            Err(rustix::io::Errno::AGAIN) => {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            Err(err) => return Err(err.into()),
        }
    }
    Ok(())
}

/// The sequence that puts a text on the terminal's clipboard (OSC 52).
pub fn clipboard(text: &str) -> Vec<u8> {
    let mut out = b"\x1b]52;c;".to_vec();
    for chunk in text.as_bytes().chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            out.push(if i > chunk.len() {
                b'='
            } else {
                base64((bits >> (18 - 6 * i)) & 63)
            });
        }
    }
    out.push(7);
    out
}

fn base64(six: u32) -> u8 {
    let six = u8::try_from(six).unwrap_or(0);
    match six {
        0..=25 => b'A' + six,
        26..=51 => b'a' + six - 26,
        52..=61 => b'0' + six - 52,
        62 => b'+',
        _ => b'/',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipboard_is_base64() {
        for (text, coded) in [
            ("", ""),
            ("M", "TQ=="),
            ("Ma", "TWE="),
            ("Man", "TWFu"),
            ("→?", "4oaSPw=="),
        ] {
            assert_eq!(
                clipboard(text),
                format!("\x1b]52;c;{coded}\x07").into_bytes()
            );
        }
    }
}
