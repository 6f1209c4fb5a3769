//! The short way through a list of edges: nine tenths of a scene's bytes are edges written alike, and a scanner for that
//! one shape takes a fifth of the general parser's time. Whatever it does not know it leaves to that parser.

use crate::sim::scene::Edge;
use crate::sim::vocab::{Dialect, NodeId, Rel};

/// The edges of a valid JSON list, if all of them are written plainly: the three fields in the usual order, names in
/// upper case, ids without sign.
pub(super) fn edges(text: &str, dialect: &Dialect) -> Option<Vec<Edge>> {
    // A plain edge takes at least 50 bytes.
    let mut edges = Vec::with_capacity(text.len() / 50);
    let mut at = Scan(text.as_bytes());
    at.token(b"[")?;
    if at.token(b"]").is_some() {
        return Some(edges);
    }
    loop {
        at.token(b"{")?;
        let from = at.field(b"\"from_id\"")?.number()?;
        at.token(b",")?;
        let rel = at.field(b"\"relation_type\"")?.word(dialect.relations)?;
        at.token(b",")?;
        let to = at.field(b"\"to_id\"")?.number()?;
        at.token(b"}")?;
        edges.push(Edge {
            from: NodeId(from),
            rel: Rel(rel),
            to: NodeId(to),
        });
        if at.token(b",").is_none() {
            return Some(edges);
        }
    }
}

/// What is left to read.
struct Scan<'t>(&'t [u8]);

impl Scan<'_> {
    /// Skips blanks.
    fn blanks(&mut self) {
        while let Some((b' ' | b'\n' | b'\r' | b'\t', rest)) = self.0.split_first() {
            self.0 = rest;
        }
    }

    /// Skips blanks and this token. Its length is known when compiling, so that comparing needs no call.
    #[inline]
    fn token<const N: usize>(&mut self, token: &[u8; N]) -> Option<()> {
        self.blanks();
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        if first != token {
            return None;
        }
        self.0 = rest;
        Some(())
    }

    /// Skips a field's name; its value comes next.
    #[inline]
    fn field<const N: usize>(&mut self, name: &[u8; N]) -> Option<&mut Self> {
        self.token(name)?;
        self.token(b":")?;
        self.blanks();
        Some(self)
    }

    /// A whole number of at most 18 digits.
    fn number(&mut self) -> Option<i64> {
        let digits = self.0.iter().take_while(|b| b.is_ascii_digit()).count();
        let (number, rest) = self.0.split_at_checked(digits)?;
        if !(1..=18).contains(&digits) || matches!(rest, [b'.' | b'e' | b'E', ..]) {
            return None;
        }
        self.0 = rest;
        let value = |n: i64, b: &u8| n * 10 + i64::from(b - b'0');
        Some(number.iter().fold(0, value))
    }

    /// One of these words in quotes; its place.
    fn word(&mut self, words: &[&str]) -> Option<u8> {
        let rest = self.0.strip_prefix(b"\"")?;
        let end = rest.iter().position(|b| *b == b'"')?;
        let (word, after) = rest.split_at_checked(end)?;
        let i = words
            .iter()
            .position(|known| known.len() == end && known.as_bytes() == word)?;
        self.0 = after.get(1..)?;
        Some(i as u8)
    }
}
