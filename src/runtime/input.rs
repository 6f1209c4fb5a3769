//! The keyboard: a thread that waits for it, and crossterm's events in our words.
//!
//! crossterm decodes; waiting is done here. Its own reader never returns once the terminal has hung up,
//! so it is only asked when there is something to read and the terminal is still there.

use std::io;
use std::thread;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use rustix::event::{PollFd, PollFlags, poll};
use tokio::sync::mpsc::Sender;

use crate::app::key::{Code, Key};
use crate::app::msg::{Msg, Signal};

/// Starts listening; ends when the terminal or the loop is gone.
pub fn listen(to: Sender<Msg>) -> io::Result<()> {
    let thread = thread::Builder::new().name("keyboard".to_owned());
    thread.spawn(move || {
        // Whatever ends the keyboard ends the program: it could not be left any more.
        let _ = serve(&to);
        let _ = to.blocking_send(Msg::Signal(Signal::Hangup));
    })?;
    Ok(())
}

fn serve(to: &Sender<Msg>) -> io::Result<()> {
    let stdin = io::stdin();
    loop {
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut fds, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(err) => return Err(err.into()),
        }
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        if fds.iter().any(|fd| fd.revents().intersects(gone)) {
            return Ok(());
        }
        while crossterm::event::poll(Duration::ZERO)? {
            let Some(msg) = message(crossterm::event::read()?) else {
                continue;
            };
            if to.blocking_send(msg).is_err() {
                return Ok(());
            }
        }
    }
}

/// What an event means to the program, if anything.
fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) => translate(key).map(Msg::Key),
        Event::Paste(text) => Some(Msg::Paste(text)),
        // Sizes are asked for when the system signals a change.
        Event::Resize(..) | Event::Mouse(_) | Event::FocusGained | Event::FocusLost => None,
    }
}

fn translate(key: KeyEvent) -> Option<Key> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    let shift = key.modifiers.contains(KeyModifiers::SHIFT);
    let code = match key.code {
        KeyCode::Char(c) if ctrl => Code::Char(c.to_ascii_lowercase()),
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab if shift => Code::BackTab,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(n) => Code::F(n),
        _ => return None,
    };
    Some(Key { code, ctrl, alt })
}
