//! Keys as the program knows them: no terminal library, one spelling for files, help and tests.
//!
//! A *key* is written `j`, `Ctrl-P`, `Enter`, `Shift-Tab`; a *chord* is one to three keys with spaces
//! between, `g h`. [`Key`] and [`Chord`] print exactly what they parse from.

use std::fmt;
use std::str::FromStr;

/// The key itself, without its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A printable character, its shift already applied.
    Char(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Tab with shift.
    BackTab,
    /// Delete to the left.
    Backspace,
    /// Delete to the right.
    Delete,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Start of line.
    Home,
    /// End of line.
    End,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// Insert.
    Insert,
    /// A function key; never bound by default.
    F(u8),
}

/// One key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The key.
    pub code: Code,
    /// Whether Ctrl was held.
    pub ctrl: bool,
    /// Whether Alt was held.
    pub alt: bool,
}

/// Named keys: the spelling and the code. Space has a name because a blank cannot be seen.
const NAMES: &[(&str, Code)] = &[
    ("Enter", Code::Enter),
    ("Esc", Code::Esc),
    ("Tab", Code::Tab),
    ("Shift-Tab", Code::BackTab),
    ("Backspace", Code::Backspace),
    ("Delete", Code::Delete),
    ("Up", Code::Up),
    ("Down", Code::Down),
    ("Left", Code::Left),
    ("Right", Code::Right),
    ("Home", Code::Home),
    ("End", Code::End),
    ("PgUp", Code::PageUp),
    ("PgDn", Code::PageDown),
    ("Insert", Code::Insert),
    ("Space", Code::Char(' ')),
];

impl Key {
    /// A key without modifiers.
    pub const fn plain(code: Code) -> Self {
        Self {
            code,
            ctrl: false,
            alt: false,
        }
    }

    /// A printable character.
    pub const fn char(c: char) -> Self {
        Self::plain(Code::Char(c))
    }

    /// A letter with Ctrl.
    pub const fn ctrl(c: char) -> Self {
        Self {
            code: Code::Char(c),
            ctrl: true,
            alt: false,
        }
    }

    /// The character this key types, if it types one.
    pub const fn typed(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown =
            || format!("unknown key \"{text}\": write j, Ctrl-P, Enter, Shift-Tab, PgDn …");
        let (mut rest, mut ctrl, mut alt) = (text, false, false);
        loop {
            if let Some(r) = rest.strip_prefix("Ctrl-").filter(|r| !r.is_empty()) {
                (rest, ctrl) = (r, true);
            } else if let Some(r) = rest.strip_prefix("Alt-").filter(|r| !r.is_empty()) {
                (rest, alt) = (r, true);
            } else {
                break;
            }
        }
        let mut chars = rest.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(c), None) if ctrl => Code::Char(c.to_ascii_lowercase()),
            (Some(c), None) => Code::Char(c),
            (Some('F'), Some(_)) if rest.get(1..).is_some_and(|n| n.parse::<u8>().is_ok()) => {
                Code::F(
                    rest.get(1..)
                        .and_then(|n| n.parse().ok())
                        .ok_or_else(unknown)?,
                )
            }
            _ => {
                NAMES
                    .iter()
                    .find(|(name, _)| *name == rest)
                    .ok_or_else(unknown)?
                    .1
            }
        };
        Ok(Self { code, ctrl, alt })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        if self.alt {
            f.write_str("Alt-")?;
        }
        if let Some((name, _)) = NAMES.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            Code::Char(c) if self.ctrl => write!(f, "{}", c.to_ascii_uppercase()),
            Code::Char(c) => write!(f, "{c}"),
            Code::F(n) => write!(f, "F{n}"),
            _ => Ok(()),
        }
    }
}

/// One to three keys pressed one after the other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chord(Vec<Key>);

impl Chord {
    /// The keys in order.
    pub fn keys(&self) -> &[Key] {
        &self.0
    }
}

impl FromStr for Chord {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let keys = text
            .split_whitespace()
            .map(Key::from_str)
            .collect::<Result<Vec<_>, _>>()?;
        match keys.len() {
            0 => Err("a binding needs a key".to_owned()),
            1..=3 => Ok(Self(keys)),
            n => Err(format!(
                "a binding takes at most three keys, \"{text}\" has {n}"
            )),
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, key) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{key}")?;
        }
        Ok(())
    }
}

/// The keys a script types: `j j Enter / milk Esc`. Words that are no key are typed letter by letter.
pub fn script(text: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    for word in text.split_whitespace() {
        match word.parse() {
            Ok(key) => keys.push(key),
            Err(_) => keys.extend(word.chars().map(Key::char)),
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_parses() {
        for text in [
            "j",
            "G",
            "Ctrl-P",
            "Enter",
            "Shift-Tab",
            "g h",
            "] v",
            "Space",
            "F5",
            "?",
            "Alt-x",
            "Ctrl-Left",
        ] {
            assert_eq!(text.parse::<Chord>().unwrap().to_string(), text);
        }
        assert_eq!("Ctrl-p".parse::<Key>().unwrap(), Key::ctrl('p'));
        assert_eq!("-".parse::<Key>().unwrap(), Key::char('-'));
        assert_eq!("F".parse::<Key>().unwrap(), Key::char('F'));
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for text in ["", "Ctrl-", "Entr", "a b c d", "F99x"] {
            assert!(text.parse::<Chord>().is_err(), "{text}");
        }
    }

    #[test]
    fn scripts_type_words() {
        assert_eq!(script("/ ab Enter").len(), 4);
    }
}
