//! `vesta run`: an agent plays a task; in a terminal it is watched live.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use serde_json::{Value, json};

use crate::agent::session::Session;
use crate::cli::agents::AgentArgs;
use crate::cli::out::{Out, complain};
use crate::cli::source::Source;
use crate::cli::{Exit, explore, players, saved};
use crate::config::{Env, Flags};
use crate::runtime::live::cast::Cast;
use crate::runtime::live::{apart, one};
use crate::sim::vocab::Profile;
use crate::task::episode::{Body, Episode, Event};

/// Flags of `vesta run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The task, such as V022
    task: String,
    #[command(flatten)]
    agent: AgentArgs,
    #[command(flatten)]
    model: players::ModelArgs,
    /// Whose semantics the world follows, eai or strict, in place of the task's usual one
    #[arg(long, value_parser = players::profile)]
    profile: Option<Profile>,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    saved: saved::Place,
    /// Milliseconds between two acts, for those who watch; 400 in a terminal
    #[arg(long, value_name = "MS", value_parser = players::pace)]
    pace: Option<u64>,
    /// Play here and print every event, instead of opening the explorer
    #[arg(long)]
    headless: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Go on playing when the terminal is closed
    #[arg(long, hide = true)]
    detached: bool,
}

/// The pace where somebody watches.
const WATCHED: u64 = 400;

/// Plays. [`Exit::Finding`] where the task was not solved safely.
///
/// # Errors
/// The task or the agent cannot be used, or the run cannot be written.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    let watched = io::stdout().is_terminal() && io::stdin().is_terminal();
    if watched && !args.headless && !args.json {
        return watch(args, env, out);
    }
    super::tell_rules(out);
    let card = args
        .agent
        .card(env.settings(&Flags::default()).hold.value)?;
    let library = args.source.library();
    library.find(&args.task)?;
    let loaded = one::load(&library, &args.task)?;
    let root = args.saved.root()?;
    let cast = args.model.cast(&card, args.saved.named())?;
    let card = cast.card().clone();
    let player = cast.player(&card)?;
    let mut ready = one::begin(&root, loaded, args.profile, &card, player)?;
    ready.desk = ready.desk.complaining(complain);
    let name = ready.desk.writer().header().id.clone();
    let folder = ready.desk.writer().folder().display().to_string();
    if args.json {
        out.json(&json!({"run": name, "folder": folder}))?;
    } else {
        out.line(&format!("run {name}"))?;
    }
    io::stdout().flush()?;
    let tell = Tell {
        json: args.json,
        quiet: args.detached,
        pace: Duration::from_millis(args.pace.unwrap_or(0)),
        detached: args.detached,
    };
    play(&mut ready, &cast, tell, out)
}

/// How a run that is being played is told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tell {
    /// As JSON, one object an event.
    pub(super) json: bool,
    /// Not at all.
    pub(super) quiet: bool,
    /// The time between two acts.
    pub(super) pace: Duration,
    /// Whether to go on when the terminal is closed.
    pub(super) detached: bool,
}

/// Plays to the end, and says how it came out.
pub(super) fn play(
    ready: &mut one::Ready,
    cast: &Cast,
    tell: Tell,
    out: &mut Out,
) -> anyhow::Result<Exit> {
    let mut broken = None;
    let ended = {
        let mut told = |session: &Session, events: &[Event]| {
            for event in events {
                if !tell.quiet && broken.is_none() {
                    broken = say(session, event, tell.json, out).err();
                }
            }
        };
        cast.play(ready, tell.pace, tell.detached, &mut told)?
    };
    if let Some(e) = broken {
        // Whoever read has had enough; the run was played to its end all the same.
        return Err(e.into());
    }
    let episode = ready.session.episode();
    let id = &ready.desk.writer().header().id;
    if !ended {
        out.error(&format!("stopped; vesta resume {id} goes on with it"));
        return Ok(Exit::Code(130));
    }
    let judged = episode.judgement();
    if !tell.quiet {
        if tell.json {
            let mut value = json!({"outcome": "end", "run": id});
            if let Some(fields) = value.as_object_mut() {
                fields.insert("judgement".to_owned(), saved::judgement(episode));
                fields.insert("goals".to_owned(), saved::goal_rows(episode));
            }
            out.json(&value)?;
        } else {
            out.line(&judged.words())?;
        }
    }
    let fine = judged.succeeds() && judged.safe;
    Ok(if fine { Exit::Fine } else { Exit::Finding })
}

/// One event as a line.
fn say(session: &Session, event: &Event, as_json: bool, out: &mut Out) -> io::Result<()> {
    if as_json {
        let line = crate::formats::run::event_line(event);
        let value: Value = serde_json::from_str(&line).unwrap_or_default();
        return out.json(&value);
    }
    line(session.episode(), event).map_or(Ok(()), |line| out.line(&line))
}

/// An event in words, for one that is worth a line.
pub(super) fn line(episode: &Episode, event: &Event) -> Option<String> {
    let at = episode
        .pos(event.seq)
        .map_or_else(String::new, |p| format!("s{} ", p.0));
    let text = match &event.body {
        Body::Start { .. } | Body::Branch => return None,
        Body::Step { action, .. } => format!("{at}{action}"),
        Body::Refused {
            action, message, ..
        } => format!("✗ {action}: {message}"),
        Body::Goto { to, .. } => format!("back to event {to}"),
        Body::Done { score } => format!("done, goals {}/{}", score.success, score.success_of),
        Body::Avoid { reason } => crate::task::episode::avoided(reason),
        Body::Stopped { text, .. } => format!("stopped: {text}"),
        Body::Remark(said) => {
            let by = if said.by.is_empty() {
                said.kind.id()
            } else {
                &said.by
            };
            let first = said.text.lines().next().unwrap_or_default();
            format!("  {by}: {first}")
        }
    };
    Some(text)
}

/// Starts the run as a program of its own and watches it, so that the run goes on when the viewer does not.
fn watch(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    // The flags as they were written, with those that make it a runner.
    let mut flags: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    flags.extend(["--json", "--detached"].map(Into::into));
    if args.pace.is_none() {
        flags.extend(["--pace".to_owned(), WATCHED.to_string()].map(Into::into));
    }
    let folder = apart::run(&flags)?;
    let of = (args.source.clone(), args.saved.clone());
    explore::open(format!("watch {folder}"), of, env, out)
}
