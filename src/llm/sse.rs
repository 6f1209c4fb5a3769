//! Server-sent events out of bytes, however the bytes are cut. No I/O.

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// What kind it says it is; empty for the usual one.
    pub name: String,
    /// Its data; several lines are joined by newlines.
    pub data: String,
}

/// An event longer than the decoder takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

/// Collects bytes into events. Lines end in LF, CR or CRLF; comments, `id` and `retry` are passed over. Bytes that are
/// no UTF-8 become replacement characters, but only once their line is whole: a character cut in two stays itself.
#[derive(Clone, Debug)]
pub struct Decoder {
    limit: usize,
    line: Vec<u8>,
    name: String,
    data: Option<String>,
    after_cr: bool,
    begun: bool,
}

impl Decoder {
    /// A decoder for events of at most `limit` bytes.
    pub const fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            name: String::new(),
            data: None,
            after_cr: false,
            begun: false,
        }
    }

    /// Takes in bytes; the events that are whole now.
    ///
    /// # Errors
    /// An event is longer than the limit. Nothing can be read after it.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut events = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            if std::mem::take(&mut self.after_cr)
                && let Some(after) = rest.strip_prefix(b"\n")
            {
                rest = after;
                continue;
            }
            let Some(end) = rest.iter().position(|b| matches!(b, b'\n' | b'\r')) else {
                self.hold(rest)?;
                break;
            };
            let (line, after) = rest.split_at(end);
            self.hold(line)?;
            self.after_cr = after.first() == Some(&b'\r');
            rest = after.get(1..).unwrap_or_default();
            events.extend(self.end_line());
        }
        Ok(events)
    }

    /// The last event, where the stream ends without the empty line that should follow it.
    pub fn finish(mut self) -> Option<Event> {
        if !self.line.is_empty()
            && let Some(event) = self.end_line()
        {
            return Some(event);
        }
        self.end_event()
    }

    fn hold(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
        if held + bytes.len() > self.limit {
            return Err(TooLong);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    /// Reads the line; the event it ends, if it is empty.
    fn end_line(&mut self) -> Option<Event> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let mut line = line.as_ref();
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        if line.is_empty() {
            return self.end_event();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => self.add(value),
            // Some servers write a failure so, between the events.
            "error" => {
                field.clone_into(&mut self.name);
                self.add(value);
            }
            _ => {}
        }
        None
    }

    fn add(&mut self, value: &str) {
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
    }

    fn end_event(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        self.data.take().map(|data| Event { name, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of a text fed in pieces of `size` bytes.
    fn events(bytes: &[u8], size: usize) -> Vec<(String, String)> {
        let mut decoder = Decoder::new(1000);
        let mut found = Vec::new();
        for piece in bytes.chunks(size) {
            found.extend(decoder.feed(piece).unwrap());
        }
        found.extend(decoder.finish());
        found.into_iter().map(|e| (e.name, e.data)).collect()
    }

    #[test]
    fn events_are_the_same_however_they_are_cut() {
        type Case<'a> = (&'a [u8], &'a [(&'a str, &'a str)]);
        let cases: &[Case<'_>] = &[
            (b"", &[]),
            (b"\n\n\n", &[]),
            (b"data: a\n\n", &[("", "a")]),
            (b"data: a\r\n\r\ndata: b\r\n\r\n", &[("", "a"), ("", "b")]),
            (b"data: a\r\rdata: b\r\r", &[("", "a"), ("", "b")]),
            (b"data: a\n\r\ndata: b\r\n\n", &[("", "a"), ("", "b")]),
            (b"data:a\ndata:  b\ndata\n\n", &[("", "a\n b\n")]),
            (
                b": hello\nid: 4\nretry: 10\nwhat: no\n\ndata: a\n\n",
                &[("", "a")],
            ),
            (b"event: ping\n\ndata: a\n\n", &[("", "a")]),
            (b"event: x\ndata: {\"a\":1}\n\n", &[("x", "{\"a\":1}")]),
            (b"data: a\n\ndata: [DONE]", &[("", "a"), ("", "[DONE]")]),
            (b"data: a\n\ndata: b\n", &[("", "a"), ("", "b")]),
            (b"\xef\xbb\xbfdata: a\n\n", &[("", "a")]),
            (
                "data: \u{1f375} tea \u{e9}\n\ndata: \u{feff}\n\n".as_bytes(),
                &[("", "\u{1f375} tea \u{e9}"), ("", "\u{feff}")],
            ),
            (b"data: \xff\xfe\n\n", &[("", "\u{fffd}\u{fffd}")]),
            (b"error: {\"code\":500}\n\n", &[("error", "{\"code\":500}")]),
            (b"data:\n\n", &[("", "")]),
        ];
        for (bytes, expected) in cases {
            let expected: Vec<_> = expected
                .iter()
                .map(|(n, d)| ((*n).to_owned(), (*d).to_owned()))
                .collect();
            for size in 1..=bytes.len().max(1) {
                let text = String::from_utf8_lossy(bytes);
                assert_eq!(
                    events(bytes, size),
                    expected,
                    "{text:?} in pieces of {size}"
                );
            }
        }
    }

    #[test]
    fn what_is_too_long_is_refused_before_it_is_held() {
        let mut decoder = Decoder::new(10);
        assert_eq!(decoder.feed(b"data: 1234\n\n").map(|e| e.len()), Ok(1));
        assert_eq!(decoder.feed(b"data: 12345"), Err(TooLong));
        let mut decoder = Decoder::new(10);
        assert_eq!(decoder.feed(b"data: 1234\n"), Ok(vec![]));
        assert_eq!(decoder.feed(b"data: 12"), Err(TooLong));
    }
}
