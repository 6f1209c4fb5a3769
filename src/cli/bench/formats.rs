//! `vesta bench formats`: how fast recordings of other tools are read, against a plain skip of the same bytes.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Result, anyhow};
use serde::de::IgnoredAny;

use crate::cli::Exit;
use crate::cli::bench::pty::Session;
use crate::cli::out::Out;
use crate::formats::trace::{self, Subject};
use crate::sim::vocab::Profile;

/// Flags of `vesta bench formats`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Messages of the conversation
    #[arg(long, default_value_t = 20_020)]
    messages: usize,
    /// Characters of what a tool answers; an agent says a fourth of it
    #[arg(long, default_value_t = 3_400)]
    chars: usize,
    /// The best of this many times counts
    #[arg(long, default_value_t = 3)]
    times: usize,
    /// Print a JSON array, one object and line a format
    #[arg(long)]
    json: bool,
}

/// One format.
struct Row {
    id: &'static str,
    bytes: usize,
    read: Duration,
    /// `None` where the file is no JSON.
    skip: Option<Duration>,
    /// From the start of the program to its first screen.
    open: Duration,
    /// The longest of the keys pressed there.
    key: Duration,
}

/// Measures every format that a conversation without a world can be written in.
///
/// # Errors
/// A conversation made up here cannot be read.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let chat = conversation(args, false);
    let told = |d: crate::base::diag::Diagnostic| anyhow!("{d}");
    let (mut traces, _) = trace::read("openai.json", chat.as_bytes()).map_err(told)?;
    let trace = traces.pop().unwrap_or_default();
    let mut rows = Vec::new();
    for format in trace::FORMATS {
        let bytes = match (format.id, format.write) {
            ("openai", _) => chat.clone().into_bytes(),
            ("mini-swe", _) => conversation(args, true).into_bytes(),
            (_, Some(write)) => {
                let subject = Subject {
                    trace: &trace,
                    setup: None,
                    profile: Profile::Strict,
                };
                // Some tell of a world, which this conversation has not.
                let Ok(written) = write(&subject) else {
                    continue;
                };
                written
                    .files
                    .into_iter()
                    .next()
                    .map(|(_, bytes)| bytes)
                    .unwrap_or_default()
            }
            (_, None) => continue,
        };
        let Some(read) = format.read else { continue };
        // One that keeps only what was done in a world of ours finds nothing to read.
        if read(format.id, &bytes).is_err() {
            continue;
        }
        let (open, key) = opened(format.extension, &bytes)?;
        rows.push(Row {
            open,
            key,
            id: format.id,
            bytes: bytes.len(),
            read: best(args.times, || read(format.id, &bytes).is_ok()),
            skip: serde_json::from_slice::<IgnoredAny>(&bytes)
                .is_ok()
                .then(|| {
                    best(args.times, || {
                        serde_json::from_slice::<IgnoredAny>(&bytes).is_ok()
                    })
                }),
        });
    }
    let long = with_long();
    let (open, key) = opened("json", long.as_bytes())?;
    rows.push(Row {
        id: "one of 6 MB",
        bytes: long.len(),
        read: best(args.times, || {
            trace::read("long.json", long.as_bytes()).is_ok()
        }),
        skip: None,
        open,
        key,
    });
    tell(args, &rows, out)
}

/// A conversation with one message of six megabytes, on one line.
fn with_long() -> String {
    let long = "the bowl must be warmed before the dinner is served ".repeat(120_000);
    let said = serde_json::Value::from(long);
    format!(
        "{{\"messages\":[{{\"role\":\"user\",\"content\":\"begin\"}},{{\"role\":\"assistant\",\"content\":{said}}}]}}"
    )
}

/// Opens a file in a pseudo terminal and goes through it: to its first screen, and the longest key.
fn opened(extension: &str, bytes: &[u8]) -> Result<(Duration, Duration)> {
    const PATIENCE: Duration = Duration::from_secs(20);
    const QUIET: Duration = Duration::from_millis(60);
    let dir = std::env::temp_dir().join(format!("vesta-formats-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    let path = dir.join(format!("recording.{extension}"));
    std::fs::write(&path, bytes)?;
    let me = std::env::current_exe()?;
    let name = path.display().to_string();
    let mut all = Vec::new();
    let mut longest = Duration::ZERO;
    for _ in 0..3 {
        let mut session = Session::start(&me, &["inspect", &name], &dir)?;
        let (at, _) = session.wait(b"recording without", PATIENCE)?;
        all.push(at - session.started());
        session.settle(QUIET);
        for key in [
            &b"j"[..],
            b"\x04",
            b"\x04",
            b"G",
            b"gg",
            b"\x04",
            b"k",
            b"G",
            b"gg",
        ] {
            let pressed = session.press(key)?;
            if let Some(last) = session.settle(QUIET) {
                longest = longest.max(last - pressed);
            }
        }
        session.press(b"qq")?;
    }
    std::fs::remove_dir_all(&dir)?;
    all.sort();
    Ok((all.get(1).copied().unwrap_or_default(), longest))
}

fn tell(args: &Args, rows: &[Row], out: &mut Out) -> Result<Exit> {
    if args.json {
        let all: Vec<_> = rows
            .iter()
            .map(|row| {
                serde_json::json!({
                    "id": row.id, "bytes": row.bytes, "read_ms": ms(row.read), "mb_per_s": rate(row),
                    "open_ms": ms(row.open), "longest_key_ms": ms(row.key),
                    "skip_ms": row.skip.map(ms), "ratio": row.skip.map(|skip| ms(row.read) / ms(skip)),
                })
            })
            .collect();
        out.json_list(&all)?;
        return Ok(Exit::Fine);
    }
    out.line(&format!(
        "{} messages, read and made turns of",
        args.messages
    ))?;
    for row in rows {
        let skip = row.skip.map_or_else(
            || "no JSON as a whole".to_owned(),
            |skip| {
                let ratio = ms(row.read) / ms(skip);
                format!("a skip {:>6.1} ms   ratio {ratio:.2}", ms(skip))
            },
        );
        out.line(&format!(
            "{:<15} {:>6.1} MB   on screen {:>6.1} ms   longest key {:>5.1}   read {:>7.1} ms   {:>6.0} MB/s   {skip}",
            row.id,
            row.bytes as f64 / 1e6,
            ms(row.open),
            ms(row.key),
            ms(row.read),
            rate(row),
        ))?;
    }
    Ok(Exit::Fine)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn rate(row: &Row) -> f64 {
    row.bytes as f64 / 1e6 / row.read.as_secs_f64().max(1e-9)
}

fn best(times: usize, mut work: impl FnMut() -> bool) -> Duration {
    let mut least = Duration::MAX;
    for _ in 0..times.max(1) {
        let begun = super::pty::now();
        std::hint::black_box(work());
        least = least.min(begun.elapsed());
    }
    least
}

/// A conversation as OpenAI's messages, or as the trajectory of mini-swe-agent: an agent calls, a tool answers.
fn conversation(args: &Args, mini: bool) -> String {
    let answer = words(args.chars);
    let thought = words(args.chars / 4);
    let mut out = String::with_capacity(args.messages * args.chars);
    out.push_str("{\"messages\":[");
    for n in 0..args.messages {
        let sep = if n == 0 { "" } else { "," };
        // Writing to a text cannot fail.
        let _ = match (n % 2 == 1, mini) {
            (true, false) => write!(
                out,
                r#"{sep}{{"role":"assistant","content":"{thought}","tool_calls":[{{"id":"c{n}","type":"function","function":{{"name":"act","arguments":"{{\"n\":{n}}}"}}}}]}}"#
            ),
            (false, false) if n > 0 => write!(
                out,
                r#"{sep}{{"role":"tool","tool_call_id":"c{}","content":"{answer}"}}"#,
                n - 1
            ),
            (true, true) => write!(
                out,
                r#"{sep}{{"role":"assistant","content":"{thought}","extra":{{"actions":[{{"command":"act {n}"}}],"cost":0.001,"timestamp":{n}.5}}}}"#
            ),
            (false, true) if n > 0 => write!(
                out,
                r#"{sep}{{"role":"user","content":"{answer}","extra":{{"returncode":0,"timestamp":{n}.75}}}}"#
            ),
            _ => write!(out, r#"{sep}{{"role":"user","content":"{thought}"}}"#),
        };
    }
    out.push(']');
    if mini {
        out.push_str(
            r#","info":{"model_stats":{"instance_cost":1.5,"api_calls":10},"exit_status":"Submitted","submission":""},"trajectory_format":"mini-swe-agent-1.1""#,
        );
    }
    out.push('}');
    out
}

/// About so many characters of text as it stands between quotes, in lines of sixty.
fn words(chars: usize) -> String {
    const LINE: &str = "the microwave is closed; on the counter are a bowl, a fork.\\n";
    LINE.repeat(chars.div_ceil(LINE.len()))
}
