//! `vesta agents`: who can play, and how models are led.

use serde_json::{Value, json};

use crate::agent::players::{KINDS, Kind};
use crate::agent::strategy::{Entry, STRATEGIES};
use crate::base::text::pad;
use crate::cli::Exit;
use crate::cli::out::Out;

/// Flags of `vesta agents`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Lists.
///
/// # Errors
/// Standard output fails.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    if args.json {
        let agents: Vec<Value> = KINDS.iter().map(agent).collect();
        let strategies: Vec<Value> = STRATEGIES.iter().map(|e| strategy(e)).collect();
        out.json(&json!({"agents": agents, "strategies": strategies}))?;
        return Ok(Exit::Fine);
    }
    out.line("--agent")?;
    let names: Vec<String> = KINDS.iter().map(named).collect();
    rows(names.iter().zip(KINDS.iter().map(|k| k.what)), out)?;
    out.line("")?;
    out.line("--strategy, for chat models")?;
    let names: Vec<String> = STRATEGIES.iter().map(|e| asked(e)).collect();
    rows(names.iter().zip(STRATEGIES.iter().map(|e| e.what)), out)?;
    Ok(Exit::Fine)
}

fn rows<'r>(
    rows: impl Iterator<Item = (&'r String, &'r str)> + Clone,
    out: &mut Out,
) -> std::io::Result<()> {
    let width = rows.clone().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, what) in rows {
        out.line(&format!("  {}  {what}", pad(name, width)))?;
    }
    Ok(())
}

/// A kind as it is written: `exec:COMMAND`.
fn named(kind: &Kind) -> String {
    match kind.takes {
        Some(what) => format!("{}:{what}", kind.id),
        None => kind.id.to_owned(),
    }
}

/// A strategy as it is written: `critic(N)`.
fn asked(entry: &Entry) -> String {
    if entry.rounds.is_some() {
        format!("{}(N)", entry.id)
    } else {
        entry.id.to_owned()
    }
}

fn agent(kind: &Kind) -> Value {
    json!({"id": kind.id, "takes": kind.takes, "model": kind.talks, "what": kind.what})
}

fn strategy(entry: &Entry) -> Value {
    json!({
        "id": entry.id,
        "title": entry.title,
        "what": entry.what,
        "number": entry.rounds,
        "one_go": entry.one_go,
        "critic": entry.critic,
    })
}
