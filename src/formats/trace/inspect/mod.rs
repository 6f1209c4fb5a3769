//! Logs of Inspect (UK AISI), version 2: one JSON file, or an archive with a member a sample (its `docs/eval-logs.qmd` and
//! `log/_recorders/eval.py`). Each sample is a conversation of its own; what the log says about all of them goes along
//! with each.
//!
//! Messages that stand in a pool and are referred to by ranges are put in their places, and so are texts that stand in
//! `attachments`.

use super::Format;
use super::peek::{Peek, Shape};

mod read;
mod write;

/// The archive.
pub const FORMAT: Format = Format {
    id: "inspect",
    title: "Inspect log, archive",
    version: "2",
    extension: "eval",
    sniff: sniff_packed,
    read: Some(read::packed),
    write: Some(write::packed),
    keeps: "messages, reasoning, calls and answers, scores, totals, every further field",
    loses: "times and tokens of a turn, world states: kept in metadata.vesta",
};

/// The single file.
pub const JSON: Format = Format {
    id: "inspect-json",
    title: "Inspect log, JSON",
    extension: "json",
    sniff,
    read: Some(read::json),
    write: Some(write::json),
    ..FORMAT
};

/// The fields of the log that stand outside of samples and are kept with each of them.
const LOG: &str = "log";

/// The fields of a sample that have no place in a trace.
const SAMPLE: &str = "sample";

fn sniff(bytes: &[u8]) -> u8 {
    let peek = Peek::of(bytes);
    let fits = peek.shape == Shape::Object
        && peek.top("eval")
        && (peek.top("status") || peek.top("version"));
    if fits { 90 } else { 0 }
}

fn sniff_packed(bytes: &[u8]) -> u8 {
    let names = ["header.json", "_journal/start.json"];
    let has = |name: &&str| bytes.windows(name.len()).any(|w| w == name.as_bytes());
    // The list of members stands at the end; where it is cut off, the first member still tells.
    if bytes.starts_with(b"PK\x03\x04") && names.iter().any(has) {
        95
    } else {
        0
    }
}
