//! `vesta watch`: the runs that agents play now, in the explorer or as lines.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::bail;
use serde_json::{Value, json};

use crate::agent::sign::Sign;
use crate::app::live::{Row, Status, WallNews};
use crate::app::parts::warnings;
use crate::app::screens::watch::{Seen, plain_row};
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, explore, run as told, saved};
use crate::config::Env;
use crate::formats::run::event_line;
use crate::runtime::jobs::watch::{Attach, Wall};

/// Flags of `vesta watch`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder of runs, or runs by the ends of their ids or their folders; else the usual folder
    #[arg(value_name = "DIR|RUN")]
    what: Vec<String>,
    /// Outside a terminal: go on, a line for each event, until no run goes on
    #[arg(long)]
    follow: bool,
    /// One JSON object a line instead of the explorer
    #[arg(long)]
    json: bool,
    /// Text instead of the explorer
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    saved: saved::Place,
}

/// Between two looks.
const LOOK: Duration = Duration::from_millis(100);

/// Watches.
///
/// # Errors
/// There is no such folder or run.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    let asked = args.what.join(" ");
    let terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    if terminal && !args.json && !args.plain {
        let of = (args.source.clone(), args.saved.clone());
        let line = format!("watch {asked}");
        return explore::open(line.trim().to_owned(), of, env, out);
    }
    let root = args.saved.root().ok();
    let mut wall = Wall::open(root.as_deref(), &asked).map_err(anyhow::Error::msg)?;
    let first = wall.look_whole();
    if let (Some(only), true) = (&first.only, first.rows.is_empty()) {
        bail!(
            "{}: no agent plays this run; vesta inspect opens it",
            only.display()
        );
    }
    let mut rows = first.rows.clone();
    rows.sort_by(|a, b| (a.status, &b.created).cmp(&(b.status, &a.created)));
    for row in &rows {
        tell(row, args.json, out)?;
    }
    if rows.is_empty() && !args.json {
        out.line(&format!("nothing runs in {}", first.place))?;
    }
    if args.follow {
        follow(&mut wall, &first, args.json, out)?;
    }
    Ok(Exit::Fine)
}

/// A row as a line.
fn tell(row: &Row, as_json: bool, out: &mut Out) -> io::Result<()> {
    if as_json {
        return out.json(&value(row));
    }
    let seen = Seen {
        row: row.clone(),
        at: 0,
    };
    out.line(&plain_row(&seen, 0))
}

fn value(row: &Row) -> Value {
    let worst = row.worst.as_ref().map(|w| {
        let standing = if row.status == Status::Held {
            "held"
        } else {
            warnings::id(w.standing)
        };
        json!({"rule": w.rule, "severity": w.severity, "standing": standing})
    });
    let goals = row.goals.map(|(held, of)| json!({"hold": held, "of": of}));
    json!({
        "run": row.id, "folder": row.folder.display().to_string(), "task": row.task, "agent": row.agent,
        "status": row.status.word().to_lowercase(), "trial": row.trial, "step": row.step,
        "act": row.act, "act_waits": row.ahead, "goals": goals,
        "safety": {"hold": row.safety.0, "of": row.safety.1}, "worst": worst, "tokens": row.tokens,
        "cost_usd": row.cost, "age_ms": row.age, "left_ms": row.left, "event": row.seq, "hold": row.hold,
        "fault": row.fault,
    })
}

/// Tells every event of the runs that go on, and every run that comes, until none goes on.
fn follow(wall: &mut Wall, first: &WallNews, as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    let mut live: BTreeMap<String, Attach> = BTreeMap::new();
    let mut rows: Vec<Row> = first.rows.clone();
    loop {
        for row in &rows {
            if row.status.lives() && !live.contains_key(&row.id) {
                // A run that cannot be played again is told of by its rows.
                if let Ok((attach, _)) = Attach::open(&row.folder) {
                    live.insert(row.id.clone(), attach);
                }
            } else if !row.status.lives() && live.contains_key(&row.id) {
                if let Some(mut attach) = live.remove(&row.id) {
                    heard(&row.id, &mut attach, as_json, out)?;
                }
                tell(row, as_json, out)?;
            }
        }
        for (id, attach) in &mut live {
            heard(id, attach, as_json, out)?;
        }
        if live.is_empty() && !wall.lives() {
            return Ok(());
        }
        thread::sleep(LOOK);
        rows = wall.look().rows;
    }
}

/// Tells what was heard of a run.
fn heard(id: &str, attach: &mut Attach, as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    let Some(heard) = attach.look() else {
        return Ok(());
    };
    for event in &heard.events {
        if as_json {
            let mut value: Value = serde_json::from_str(&event_line(event)).unwrap_or_default();
            if let Some(fields) = value.as_object_mut() {
                fields.insert("run".to_owned(), id.into());
            }
            out.json(&value)?;
        } else if let Some(line) = told::line(attach.episode(), event) {
            out.line(&format!("{} {line}", tail(id)))?;
        }
    }
    for sign in &heard.signs {
        let Sign::Held { act, until } = sign else {
            continue;
        };
        let left = until.map(|until| until.saturating_sub(heard.clock));
        if as_json {
            out.json(&json!({"run": id, "sign": "held", "act": act, "left_ms": left}))?;
        } else {
            let left =
                left.map_or_else(String::new, |ms| format!(", {} s left", ms.div_ceil(1_000)));
            out.line(&format!("{} ‖ waits for a person: {act}{left}", tail(id)))?;
        }
    }
    if let Some(fault) = &heard.fault {
        out.error(&fault.to_string());
    }
    Ok(())
}

/// The end of an id.
fn tail(id: &str) -> &str {
    Path::new(id)
        .file_name()
        .and_then(|name| name.to_str())
        .and_then(|name| name.rsplit('-').next())
        .unwrap_or(id)
}
