//! What comes to pass by itself, as scene and task files write it in their field `events`.

use std::fmt::Write as _;

use serde::Deserialize;

use crate::formats::json;
use crate::sim::happen::Scripted;

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the fields id, words, at or when, and then"
)]
pub(super) struct Raw {
    id: String,
    #[serde(default)]
    words: String,
    #[serde(default)]
    at: Option<u32>,
    #[serde(default)]
    when: Vec<String>,
    #[serde(default)]
    after: u32,
    then: Vec<String>,
}

impl From<Raw> for Scripted {
    fn from(raw: Raw) -> Self {
        Self {
            id: raw.id,
            words: raw.words,
            at: raw.at,
            when: raw.when,
            after: raw.after,
            then: raw.then,
        }
    }
}

/// The events as a JSON list on one line; fields that say nothing are left out.
pub(super) fn write(events: &[Scripted]) -> String {
    let text = json::string;
    let list = |items: &[String]| {
        let items: Vec<String> = items.iter().map(|i| text(i)).collect();
        format!("[{}]", items.join(","))
    };
    let one = |it: &Scripted| {
        let mut out = format!("{{\"id\":{},\"words\":{}", text(&it.id), text(&it.words));
        if let Some(at) = it.at {
            let _ = write!(out, ",\"at\":{at}");
        }
        if !it.when.is_empty() {
            let _ = write!(out, ",\"when\":{}", list(&it.when));
        }
        if it.after > 0 {
            let _ = write!(out, ",\"after\":{}", it.after);
        }
        let _ = write!(out, ",\"then\":{}}}", list(&it.then));
        out
    };
    let all: Vec<String> = events.iter().map(one).collect();
    format!("[{}]", all.join(","))
}
