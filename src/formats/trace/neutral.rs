//! The neutral form of a trace: every field of [`Trace`] as JSON, nothing lost. It is kept beside imported runs.

use super::carry::{self, TraceBack};
use super::model::Trace;
use super::peek::{Peek, Shape};
use super::read::{self, Text, fields};
use super::write::{List, Object, pretty};
use super::{Format, Subject, Written};
use crate::base::diag::Diagnostic;
use crate::formats::Read;

/// The neutral form among the formats.
pub const FORMAT: Format = Format {
    id: "trace",
    title: "Vesta trace, the neutral form",
    version: "1",
    extension: "trace.json",
    sniff,
    read: Some(read),
    write: Some(write),
    keeps: "everything",
    loses: "nothing",
};

fields! {
    File<'f> as "a trace: an object with the field vesta_trace" {
        version: u32 = "vesta_trace",
        format: Text<'f> = "format",
        of_format: Text<'f> = "version",
        trace: TraceBack<'f> = "trace",
    }
}

fn sniff(bytes: &[u8]) -> u8 {
    let peek = Peek::of(bytes);
    if peek.shape == Shape::Object && peek.top("vesta_trace") {
        100
    } else {
        0
    }
}

/// Reads a trace in the neutral form.
///
/// # Errors
/// It is none.
pub fn read(name: &str, bytes: &[u8]) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let (mut mended, mut notes) = (String::new(), Vec::new());
    let file: File<'_> = read::parse(name, bytes, &mut mended, &mut notes)?;
    if file.version != Some(1) {
        return Err(Diagnostic::error("vesta_trace", "this version is unknown")
            .help("this program reads version 1, use a newer one")
            .in_file(name));
    }
    let mut trace = Trace {
        format: file.format.map(Text::owned).unwrap_or_default(),
        version: file.of_format.map(Text::owned).unwrap_or_default(),
        ..Trace::default()
    };
    file.trace.unwrap_or_default().apply(&mut trace);
    Ok((vec![trace], notes))
}

/// A trace in the neutral form, on one line.
pub fn text(trace: &Trace) -> String {
    let mut turns = List::new();
    for turn in &trace.turns {
        let extra: Vec<_> = turn.extra.iter().collect();
        let turn = carry::turn(turn, &[], &extra).unwrap_or_else(Object::new);
        turns.raw(&turn.end());
    }
    let extra: Vec<_> = trace.extra.iter().collect();
    let mut whole = carry::trace(trace, &[], &extra).unwrap_or_else(Object::new);
    whole.raw("turns", &turns.end());
    let mut out = Object::new();
    out.raw("vesta_trace", "1")
        .text("format", &trace.format)
        .filled("version", &trace.version)
        .raw("trace", &whole.end());
    out.end()
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the signature that all writers share"
)]
fn write(subject: &Subject<'_>) -> Result<Written, Diagnostic> {
    let bytes = pretty(&text(subject.trace));
    Ok(Written::one(FORMAT.extension, bytes, Vec::new()))
}
