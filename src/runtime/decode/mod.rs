//! From the bytes a terminal sends to keys and pastes. Pure: bytes in, messages out.
//!
//! Knows what terminals send without being asked for more: UTF-8, control characters, `CSI` and `SS3` keys
//! with modifiers, bracketed paste, and the `CSI u` form some send anyway. Whatever else comes is taken
//! off the stream whole and dropped, so that the rest of an unknown sequence is never typed.

use crate::app::key::{Code, Key};
use crate::app::msg::Msg;

/// The longest paste that is taken; the rest of a longer one is left out.
const PASTE: usize = 1 << 20;

/// The longest sequence that is waited for; longer ones are dropped.
const SEQUENCE: usize = 64;

const ESC: u8 = 0x1B;

/// What starts and what ends a paste.
const PASTE_START: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// Bytes that are not yet a whole key, and the paste being taken.
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    paste: Option<Vec<u8>>,
}

/// What stands at the beginning of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    /// A key of so many bytes.
    Key(Key, usize),
    /// Something of so many bytes that means nothing to us.
    Unknown(usize),
    /// A paste begins behind so many bytes.
    Paste(usize),
    /// The beginning of something; the rest may come.
    Partial,
}

impl Decoder {
    /// Takes bytes; what they complete is added to `out`.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<Msg>) {
        self.bytes.extend_from_slice(bytes);
        self.take(out, Ending::Open);
    }

    /// Whether an incomplete key waits: the caller should [`Self::flush`] if nothing comes for a moment.
    pub const fn is_waiting(&self) -> bool {
        !self.bytes.is_empty() && self.paste.is_none()
    }

    /// Nothing more came: a lone escape is the Esc key, an unfinished sequence is dropped.
    pub fn flush(&mut self, out: &mut Vec<Msg>) {
        if self.paste.is_none() {
            self.take(out, Ending::Closed);
            self.bytes.clear();
        }
    }

    fn take(&mut self, out: &mut Vec<Msg>, ending: Ending) {
        let bytes = std::mem::take(&mut self.bytes);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            if self.paste.is_some() {
                rest = self.take_paste(rest, out);
                if self.paste.is_some() {
                    break;
                }
                continue;
            }
            let used = match token(rest, ending) {
                Token::Partial if rest.len() < SEQUENCE && ending == Ending::Open => break,
                Token::Partial => rest.len(),
                Token::Unknown(used) => used,
                Token::Paste(used) => {
                    self.paste = Some(Vec::new());
                    used
                }
                Token::Key(key, used) => {
                    out.push(Msg::Key(key));
                    used
                }
            };
            rest = rest.get(used..).unwrap_or_default();
        }
        self.bytes = rest.to_vec();
    }

    /// Moves bytes into the paste up to its end; what stands behind it, or what may be its end's beginning.
    fn take_paste<'a>(&mut self, rest: &'a [u8], out: &mut Vec<Msg>) -> &'a [u8] {
        let Some(paste) = self.paste.as_mut() else {
            return rest;
        };
        let end = rest
            .windows(PASTE_END.len())
            .position(|window| window == PASTE_END);
        // Without an end, its last bytes may still be the beginning of one.
        let upto = end.unwrap_or_else(|| rest.len().saturating_sub(PASTE_END.len() - 1));
        let room = PASTE.saturating_sub(paste.len()).min(upto);
        paste.extend_from_slice(rest.get(..room).unwrap_or_default());
        if end.is_some() {
            let text = String::from_utf8_lossy(paste).into_owned();
            self.paste = None;
            out.push(Msg::Paste(text));
            return rest.get(upto + PASTE_END.len()..).unwrap_or_default();
        }
        rest.get(upto..).unwrap_or_default()
    }
}

/// Whether more bytes may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Open,
    Closed,
}

fn token(bytes: &[u8], ending: Ending) -> Token {
    match bytes {
        [ESC] if ending == Ending::Closed => Token::Key(Key::plain(Code::Esc), 1),
        [] | [ESC] => Token::Partial,
        [ESC, ESC, ..] => Token::Key(Key::plain(Code::Esc), 1),
        [ESC, b'[', rest @ ..] => csi(bytes, rest, ending),
        [ESC, b'O', rest @ ..] => ss3(rest, ending),
        [ESC, b']' | b'P' | b'_' | b'^' | b'X', rest @ ..] => string(bytes, rest, ending),
        [ESC, rest @ ..] => match plain(rest) {
            Token::Key(key, used) => Token::Key(Key { alt: true, ..key }, used + 1),
            Token::Unknown(used) => Token::Unknown(used + 1),
            other => other,
        },
        _ => plain(bytes),
    }
}

/// A character or a control character.
fn plain(bytes: &[u8]) -> Token {
    let Some(first) = bytes.first().copied() else {
        return Token::Partial;
    };
    let ctrl = |c: u8| Key::ctrl(char::from(c));
    let key = match first {
        b'\r' => Key::plain(Code::Enter),
        b'\t' => Key::plain(Code::Tab),
        0x7F => Key::plain(Code::Backspace),
        0 => Key::ctrl(' '),
        1..=0x1A => ctrl(first - 1 + b'a'),
        0x1C..=0x1F => ctrl(first - 0x1C + b'4'),
        _ => return character(bytes, first),
    };
    Token::Key(key, 1)
}

fn character(bytes: &[u8], first: u8) -> Token {
    let len = match first {
        0x20..=0x7E => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return Token::Unknown(1),
    };
    let Some(encoded) = bytes.get(..len) else {
        let fine = bytes.iter().skip(1).all(|b| (0x80..0xC0).contains(b));
        return if fine {
            Token::Partial
        } else {
            Token::Unknown(1)
        };
    };
    match std::str::from_utf8(encoded)
        .ok()
        .and_then(|text| text.chars().next())
    {
        Some(c) => Token::Key(Key::char(c), len),
        None => Token::Unknown(1),
    }
}

/// `ESC O x`: arrows, Home, End and F1 to F4 in application mode.
fn ss3(rest: &[u8], ending: Ending) -> Token {
    match rest.first().copied() {
        None if ending == Ending::Closed => Token::Key(
            Key {
                alt: true,
                ..Key::char('O')
            },
            2,
        ),
        None => Token::Partial,
        Some(last) => match letter(last) {
            Some(code) => Token::Key(Key::plain(code), 3),
            None => Token::Unknown(3),
        },
    }
}

/// `CSI parameters final`.
fn csi(bytes: &[u8], rest: &[u8], ending: Ending) -> Token {
    if rest.is_empty() && ending == Ending::Closed {
        return Token::Key(
            Key {
                alt: true,
                ..Key::char('[')
            },
            2,
        );
    }
    if bytes.starts_with(PASTE_START) {
        return Token::Paste(PASTE_START.len());
    }
    // The Linux console's F1 to F5: CSI [ A.
    if rest == b"[" {
        return Token::Partial;
    }
    if let [b'[', last @ b'A'..=b'E', ..] = rest {
        return Token::Key(Key::plain(Code::F(last - b'A' + 1)), 4);
    }
    let Some(end) = rest.iter().position(|b| (0x40..=0x7E).contains(b)) else {
        // A byte that belongs into no sequence ends it.
        let broken = rest.iter().position(|b| !(0x20..0x40).contains(b));
        return broken.map_or(Token::Partial, |at| Token::Unknown(at + 2));
    };
    let (parameters, last) = rest.split_at(end);
    let used = end + 3;
    if parameters.iter().any(|b| !(0x20..0x40).contains(b)) {
        return Token::Unknown(2);
    }
    let parameters = std::str::from_utf8(parameters).unwrap_or_default();
    match last.first().and_then(|last| csi_key(parameters, *last)) {
        Some(key) => Token::Key(key, used),
        None => Token::Unknown(used),
    }
}

fn csi_key(parameters: &str, last: u8) -> Option<Key> {
    let mut numbers = parameters.split(';').map(|part| {
        // `CSI u` may carry more behind colons; only the first of them matters here.
        part.split(':')
            .next()
            .unwrap_or_default()
            .parse::<u32>()
            .ok()
    });
    let first = numbers.next().flatten();
    let modifiers = numbers.next().flatten().unwrap_or(1).saturating_sub(1);
    let (shift, alt, ctrl) = (modifiers & 1 != 0, modifiers & 2 != 0, modifiers & 4 != 0);
    let code = match last {
        b'Z' => Code::BackTab,
        b'~' => numbered(first?)?,
        b'u' => unicode(first?)?,
        // `CSI 24;80 R` is an answer, `CSI 1;5 R` a key.
        _ if first.is_some_and(|n| n != 1) => return None,
        _ => letter(last)?,
    };
    let code = match code {
        Code::Tab if shift => Code::BackTab,
        Code::Char(c) if shift => Code::Char(c.to_uppercase().next().unwrap_or(c)),
        code => code,
    };
    Some(Key { code, ctrl, alt })
}

/// The key of `CSI x` and `SS3 x`.
const fn letter(last: u8) -> Option<Code> {
    Some(match last {
        b'A' => Code::Up,
        b'B' => Code::Down,
        b'C' => Code::Right,
        b'D' => Code::Left,
        b'H' => Code::Home,
        b'F' => Code::End,
        b'P' => Code::F(1),
        b'Q' => Code::F(2),
        b'R' => Code::F(3),
        b'S' => Code::F(4),
        _ => return None,
    })
}

/// The key of `CSI n ~`.
fn numbered(n: u32) -> Option<Code> {
    Some(match n {
        1 | 7 => Code::Home,
        2 => Code::Insert,
        3 => Code::Delete,
        4 | 8 => Code::End,
        5 => Code::PageUp,
        6 => Code::PageDown,
        11..=15 => Code::F(u8::try_from(n - 10).ok()?),
        17..=21 => Code::F(u8::try_from(n - 11).ok()?),
        23 | 24 => Code::F(u8::try_from(n - 12).ok()?),
        _ => return None,
    })
}

/// The key of `CSI n u`.
fn unicode(n: u32) -> Option<Code> {
    Some(match n {
        9 => Code::Tab,
        13 => Code::Enter,
        27 => Code::Esc,
        127 => Code::Backspace,
        _ => Code::Char(char::from_u32(n).filter(|c| !c.is_control())?),
    })
}

/// An answer or a string of the terminal, `ESC ] … BEL`: never asked for, dropped whole. Without its end it
/// is Alt and the letter.
fn string(bytes: &[u8], rest: &[u8], ending: Ending) -> Token {
    let bell = rest.iter().position(|b| *b == 7).map(|at| at + 3);
    let terminator = rest
        .windows(2)
        .position(|w| w == b"\x1b\\")
        .map(|at| at + 4);
    if let Some(used) = bell.into_iter().chain(terminator).min() {
        return Token::Unknown(used);
    }
    if ending == Ending::Open {
        return Token::Partial;
    }
    if !rest.is_empty() {
        return Token::Unknown(bytes.len());
    }
    match plain(bytes.get(1..).unwrap_or_default()) {
        Token::Key(key, used) => Token::Key(Key { alt: true, ..key }, used + 1),
        other => other,
    }
}

#[cfg(test)]
mod tests;
