//! The key of an endpoint: where it may come from, and how it is kept out of everything that is shown or written.
//!
//! A key comes from the environment or from a file nobody else can read, never from a flag: flags are seen by every
//! user of the machine. It leaves this module only into the header of a request.

use std::fmt;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::agent::chat::{Failure, FailureKind};
use crate::llm::settings::Settings;

/// The longest key file read, in bytes.
const LONGEST: u64 = 16 * 1024;

/// Every key that was loaded: what a fault in the program says must not hold any of them.
static LOADED: Mutex<Vec<Key>> = Mutex::new(Vec::new());

/// What is written in place of a word that tells something of the key.
pub const MASK: &str = "[key]";

/// The shortest stretch of a key, in bytes, that gives it away when an endpoint quotes it.
const STRETCH: usize = 6;

/// A key and where it came from. Printing one shows that it is set, not what it is.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    secret: String,
    from: String,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("set, not shown")
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("set, not shown")
    }
}

impl Key {
    /// The key in the environment variable `name`, whose value the caller has read.
    ///
    /// # Errors
    /// It is empty or holds what no header can carry.
    pub fn of_variable(name: &str, value: &str) -> Result<Self, Failure> {
        Self::checked(value, name.to_owned())
    }

    /// The key in a file: its only line. The file must be readable by its owner alone.
    ///
    /// # Errors
    /// It cannot be read, others can read it, or it holds no key.
    pub fn of_file(path: &Path) -> Result<Self, Failure> {
        let shown = shown(path);
        let unread = |err: &std::io::Error| {
            no_key(format!(
                "{shown}: the key cannot be read: {err}; check the name of the file"
            ))
        };
        // Permissions are asked of what was opened, not of the name: it may change in between.
        let file = std::fs::File::open(path).map_err(|err| unread(&err))?;
        let about = file.metadata().map_err(|err| unread(&err))?;
        if !about.is_file() {
            return Err(no_key(format!(
                "{shown}: a key is read from a plain file; name one"
            )));
        }
        if about.permissions().mode() & 0o077 != 0 {
            return Err(no_key(format!(
                "{shown}: others can read this key file; run chmod 600 {shown}"
            )));
        }
        if about.len() > LONGEST {
            return Err(no_key(format!(
                "{shown}: too long for a key; put the key alone into it"
            )));
        }
        let mut text = String::new();
        file.take(LONGEST)
            .read_to_string(&mut text)
            .map_err(|err| unread(&err))?;
        Self::checked(&text, shown)
    }

    /// The key these settings name: that of the file, else that of the variable, which `read` looks up; `None` where
    /// neither is set.
    ///
    /// # Errors
    /// As [`Key::of_file`] and [`Key::of_variable`].
    pub fn find(
        settings: &Settings,
        read: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, Failure> {
        if let Some(path) = &settings.key_file {
            return Self::of_file(path).map(Some);
        }
        let name = settings.variable();
        read(name)
            .map(|value| Self::of_variable(name, &value))
            .transpose()
    }

    fn checked(text: &str, from: String) -> Result<Self, Failure> {
        let secret = text.trim();
        if secret.is_empty() {
            return Err(no_key(format!("{from}: the key is empty; put a key there")));
        }
        if !secret.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(no_key(format!(
                "{from}: a key is one word of plain characters; put the key alone there"
            )));
        }
        let key = Self {
            secret: secret.to_owned(),
            from,
        };
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if !loaded.contains(&key) {
            loaded.push(key.clone());
        }
        Ok(key)
    }

    /// Where it came from: the name of a variable or of a file.
    pub fn from(&self) -> &str {
        &self.from
    }

    /// The key itself, for a header and nothing else.
    pub(super) fn secret(&self) -> &str {
        &self.secret
    }
}

/// The name of a key file in messages, unless it looks as if somebody wrote the key itself in its place.
fn shown(path: &Path) -> String {
    let name = path.display().to_string();
    if name.len() >= 20 && !name.contains(['/', '.']) {
        return "the key file".to_owned();
    }
    name
}

fn no_key(message: String) -> Failure {
    Failure {
        kind: FailureKind::NoKey,
        message,
    }
}

/// The text without anything that tells of the key: every word that holds a stretch of it, or that begins or ends like
/// it and is starred out in between, as endpoints like to quote keys.
pub fn scrub(text: &str, key: Option<&Key>) -> String {
    let Some(key) = key else {
        return text.to_owned();
    };
    let whole = text.replace(&key.secret, MASK);
    let mut out = String::with_capacity(whole.len());
    for piece in whole.split_inclusive(breaks) {
        let word = piece.trim_end_matches(breaks);
        let end = piece.get(word.len()..).unwrap_or_default();
        out.push_str(if tells(word, &key.secret) { MASK } else { word });
        out.push_str(end);
    }
    out
}

/// The text without anything that tells of a key that was loaded. Never waits: it is asked while the program fails.
pub fn scrub_loaded(text: &str) -> String {
    match LOADED.try_lock() {
        Ok(loaded) => loaded
            .iter()
            .fold(text.to_owned(), |text, key| scrub(&text, Some(key))),
        Err(_) => "what went wrong is not shown, for it may hold a key".to_owned(),
    }
}

/// Whether a character stands between words. Signs that occur within keys do not.
fn breaks(c: char) -> bool {
    c.is_whitespace() || "\"'`<>(){}[],;:=&?".contains(c)
}

/// Whether a word tells something of the key.
fn tells(word: &str, secret: &str) -> bool {
    let (word, secret) = (word.as_bytes(), secret.as_bytes());
    let stretch = secret.len().min(STRETCH);
    let shares = |n: usize| {
        secret
            .windows(n)
            .any(|part| word.windows(n).any(|w| w == part))
    };
    if word.len() >= stretch && shares(stretch) {
        return true;
    }
    let masked = word
        .windows(2)
        .any(|w| w == b"**" || w == b".." || w == b"xx" || w == b"XX")
        || String::from_utf8_lossy(word).contains(['…', '•', '*']);
    // The last character may be the full stop of the sentence.
    let ends = |word: &[u8]| {
        secret
            .get(secret.len().saturating_sub(2)..)
            .is_some_and(|end| word.ends_with(end))
    };
    let begins = secret
        .get(..secret.len().min(3))
        .is_some_and(|start| word.starts_with(start));
    masked && (begins || ends(word) || ends(word.strip_suffix(b".").unwrap_or(word)))
}

/// How much of the beginning of a key is shown before it is clear that it is one. Words often begin like a key, and
/// holding each of them back would tear pieces apart.
const SHOWN: usize = 3;

/// Takes the key out of text that comes in pieces, also where it lies across several. What may be the beginning of the
/// key is held back until more is known, but for its first characters.
#[derive(Debug, Default)]
pub(super) struct Veil {
    /// The end of what was shown, as far as it may begin the key.
    told: String,
    /// What follows it and was not shown.
    held: String,
}

impl Veil {
    /// The part of what came so far that can be shown.
    pub(super) fn pass(&mut self, text: &str, key: Option<&Key>) -> String {
        let Some(key) = key else {
            return text.to_owned();
        };
        let secret = key.secret.as_str();
        let told = self.told.len();
        let whole = format!("{}{}{text}", self.told, self.held);
        let mut out = String::new();
        let (mut from, mut at) = (0, told);
        for (start, _) in whole.match_indices(secret) {
            // Empty where the key begins in what was shown.
            out.push_str(whole.get(at..start).unwrap_or_default());
            out.push_str(MASK);
            at = start + secret.len();
            from = at;
        }
        let rest = whole.get(from..).unwrap_or_default();
        let begun = whole.len() - begins(rest, secret);
        // Keys are plain characters, so no cut falls within one.
        let cut = if whole.len() - begun > SHOWN {
            begun.max(at)
        } else {
            whole.len()
        };
        out.push_str(whole.get(at..cut).unwrap_or_default());
        whole
            .get(begun..cut)
            .unwrap_or_default()
            .clone_into(&mut self.told);
        whole
            .get(cut..)
            .unwrap_or_default()
            .clone_into(&mut self.held);
        out
    }

    /// What was held back, once nothing more can come.
    pub(super) fn rest(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// The bytes at the end of a text that may be the beginning of the key.
fn begins(text: &str, secret: &str) -> usize {
    (1..secret.len())
        .rev()
        .find(|n| secret.get(..*n).is_some_and(|start| text.ends_with(start)))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests;
