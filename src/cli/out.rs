//! Text printed outside the screen: every line passes the sanitiser.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use crate::app::glyph;
use crate::app::state::Symbols;
use crate::base::text;

/// Standard output for people.
#[derive(Debug)]
pub struct Out {
    symbols: Symbols,
}

impl Out {
    /// Output with the signs the terminal can show.
    pub const fn new(symbols: Symbols) -> Self {
        Self { symbols }
    }

    /// The signs the terminal can show.
    pub const fn symbols(&self) -> Symbols {
        self.symbols
    }

    /// Prints one line. Line breaks in it are shown, not made: data cannot forge lines.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        let line = self.safe(line);
        writeln!(io::stdout().lock(), "{line}")
    }

    /// Prints a value as one line of JSON, its controls escaped by JSON's own rules.
    pub fn json(&mut self, value: &serde_json::Value) -> io::Result<()> {
        writeln!(io::stdout().lock(), "{}", escape_json(&value.to_string()))
    }

    /// Prints a list as a JSON array, one value a line.
    pub fn json_list(&mut self, values: &[serde_json::Value]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "[")?;
        for (i, value) in values.iter().enumerate() {
            let comma = if i + 1 < values.len() { "," } else { "" };
            writeln!(out, "{}{comma}", escape_json(&value.to_string()))?;
        }
        writeln!(out, "]")
    }

    /// Prints an error: one line on standard error.
    pub fn error(&mut self, line: &str) {
        // Nothing can be done if standard error is gone.
        let _ = writeln!(io::stderr().lock(), "vesta: {}", self.safe(line));
    }

    fn safe(&self, line: &str) -> String {
        let clean = text::clean(line);
        match self.symbols {
            Symbols::Unicode => clean.into_owned(),
            Symbols::Ascii => clean.chars().map(glyph::ascii).collect(),
        }
    }
}

/// Says on standard error what a command that goes on must not keep to itself.
pub fn complain(text: &str) {
    Out::new(Symbols::Unicode).error(text);
}

/// JSON leaves DEL, C1 controls, bidirectional and zero-width characters as they are; inside a string they can
/// be written as `\u` escapes instead, which means the same and acts on no terminal.
fn escape_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        let mut buf = [0; 4];
        let one: &str = c.encode_utf8(&mut buf);
        if (c.is_ascii() && c != '\x7f')
            || text::clean(&format!("a{one}")).strip_prefix('a') == Some(one)
        {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

/// Whether an error is only that the reader of our output has gone.
pub fn is_broken_pipe(err: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|err| err.kind() == io::ErrorKind::BrokenPipe)
    };
    err.chain().any(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_acts_on_no_terminal() {
        let value = serde_json::json!("a\u{1b}\u{7f}\u{9b}\u{202e}é\u{301}\u{e0041}");
        let text = escape_json(&value.to_string());
        assert_eq!(
            text,
            "\"a\\u001b\\u007f\\u009b\\u202eé\u{301}\\udb40\\udc41\""
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            value
        );
    }

    #[test]
    fn ascii_terminals_get_ascii() {
        assert_eq!(Out::new(Symbols::Ascii).safe("✓ a→b\x1b日"), "y a>b[?");
        assert_eq!(Out::new(Symbols::Unicode).safe("✓\n"), "✓␊");
    }
}
