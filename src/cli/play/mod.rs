//! `vesta play`: a task played by a script, or opened in the explorer.
//!
//! Every line of the script is answered by one line once it is saved, so the answers are an acknowledgement. The run is
//! kept like any other and can be gone on with by its name.

use std::io::{self, BufRead, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};

use crate::base::diag::Diagnostic;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, explore, saved};
use crate::config::Env;
use crate::formats::planner;
use crate::formats::trace::Trace;
use crate::sim::vocab::Profile;
use crate::store::files;
use crate::store::library::Loaded;
use crate::store::runs::{self, Access, NewRun, RunWriter};
use crate::task::episode::Episode;

mod script;
mod session;

use session::Session;

/// Flags of `vesta play`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A task (V022), a scene to act in freely (house), or a saved run to go on with (the end of its id)
    task: String,
    /// Play these lines instead of opening the explorer: actions in either notation, undo, redo, goto N,
    /// done, avoid REASON; - reads them from standard input, as does a pipe without this flag
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Whose semantics the world follows: eai as published, strict with its holes closed. Own tasks run strict,
    /// imported published ones eai
    #[arg(long, value_parser = profile)]
    profile: Option<Profile>,
    /// Who acts, as the run records it
    #[arg(long, value_name = "NAME", default_value = "script")]
    agent: String,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    saved: saved::Place,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Print what Play shows at the start as text, one fact a line, and play nothing
    #[arg(long, conflicts_with_all = ["script", "json"])]
    plain: bool,
    /// Go wrong on purpose: ack-early tells a step before it is written
    #[arg(long, hide = true, value_parser = ["ack-early"])]
    debug_fault: Option<String>,
}

fn profile(text: &str) -> Result<Profile, String> {
    Profile::parse(text).ok_or_else(|| {
        let known: Vec<&str> = Profile::ALL.iter().map(|p| p.id()).collect();
        format!("write one of {}", known.join(", "))
    })
}

/// Plays. [`Exit::Finding`] if anything was refused or the goals do not stand as they should.
///
/// # Errors
/// The task or the script cannot be read, or the run cannot be saved.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    if args.plain {
        return explore::tell(opener(args), of(args), env, out);
    }
    let piped = || (!io::stdin().is_terminal()).then(|| PathBuf::from("-"));
    let Some(script) = &args.script.clone().or_else(piped) else {
        return explore::open(opener(args), of(args), env, out);
    };
    crate::cli::tell_rules(out);
    // The script first: a wrong name must not leave an empty run behind.
    let lines = if script.as_os_str() == "-" {
        None
    } else {
        let bytes = files::read(script)?;
        Some(script::lines(&script.display().to_string(), &bytes)?)
    };
    let (episode, writer) = begin(args, out)?;
    let mut session = Session {
        episode,
        writer,
        out,
        json: args.json,
        early: args.debug_fault.is_some(),
        held: Vec::new(),
        refused: 0,
    };
    match lines {
        Some(lines) => {
            for (i, line) in lines.iter().enumerate() {
                session.order(i + 1, script::Order::read(line))?;
            }
        }
        None => listen(&mut session, io::stdin().lock())?,
    }
    let fine = session.close()?;
    Ok(if fine { Exit::Fine } else { Exit::Finding })
}

/// Plays the plan of a planner into a new run of a task, by the strict semantics it was made for.
///
/// # Errors
/// The task is unknown, a step names nothing in its scene, or the run cannot be saved.
pub(super) fn plan(
    task: &str,
    plan: &Trace,
    saved: &saved::Place,
    json: bool,
    out: &mut Out,
) -> anyhow::Result<Exit> {
    let args = Args {
        task: task.to_owned(),
        script: None,
        profile: Some(Profile::Strict),
        agent: "planner of pddl".to_owned(),
        source: Source::default(),
        saved: saved.clone(),
        json,
        plain: false,
        debug_fault: None,
    };
    let library = args.source.library();
    library.find(task)?;
    let setup = library.load(task).map_err(|wrong| {
        let first = wrong.first().map(ToString::to_string);
        anyhow::anyhow!("{}", first.unwrap_or_default())
    })?;
    // The steps first: a wrong name must not leave an empty run behind.
    let lines = planner::script(&setup.scene, plan)?;
    let (episode, writer) = begin(&args, out)?;
    let mut session = Session {
        episode,
        writer,
        out,
        json,
        early: false,
        held: Vec::new(),
        refused: 0,
    };
    for (i, line) in lines.into_iter().enumerate() {
        session.order(i + 1, Ok(script::Order::Act(line)))?;
    }
    session.order(plan.turns.len() + 1, Ok(script::Order::Done))?;
    let fine = session.close()?;
    Ok(if fine { Exit::Fine } else { Exit::Finding })
}

/// The command that opens what is to be played.
fn opener(args: &Args) -> String {
    match args.profile {
        Some(profile) => format!("play {} {}", args.task, profile.id()),
        None => format!("play {}", args.task),
    }
}

/// Where tasks and runs are.
fn of(args: &Args) -> (Source, saved::Place) {
    (args.source.clone(), args.saved.clone())
}

/// Carries out lines as they come.
fn listen(session: &mut Session<'_>, mut from: impl BufRead) -> anyhow::Result<()> {
    let mut line = Vec::new();
    for n in 1.. {
        line.clear();
        let mut bounded = from.by_ref().take(script::LONGEST as u64 + 1);
        if bounded
            .read_until(b'\n', &mut line)
            .context("standard input")?
            == 0
        {
            break;
        }
        if line.len() > script::LONGEST {
            bail!(
                "line {n} of standard input is longer than {} bytes",
                script::LONGEST
            );
        }
        let text = String::from_utf8_lossy(&line);
        // Some editors put a mark before the first line.
        let text = text.trim_start_matches('\u{feff}');
        session.order(n, script::Order::read(text))?;
    }
    Ok(())
}

/// A new run of a task, or a saved run to go on with.
fn begin(args: &Args, out: &mut Out) -> anyhow::Result<(Episode, RunWriter)> {
    let library = args.source.library();
    let root = args.saved.root()?;
    let Err(no_task) = library.find(&args.task) else {
        let loaded = library
            .load_whole(&args.task)
            .map_err(|all| worst(all, out))?;
        return new_run(args, &root, loaded, out);
    };
    if args.source.from.is_some() {
        // Where nothing could be read, that is the reason.
        let unread = library.problems().first().cloned();
        return Err(unread.unwrap_or(no_task).into());
    }
    let Ok(folder) = runs::find(&root, &args.task) else {
        return Err(Diagnostic {
            message: format!("{}, and no run ends so", no_task.message),
            ..no_task
        }
        .into());
    };
    go_on(args, &folder, out)
}

fn new_run(
    args: &Args,
    root: &Path,
    loaded: Loaded,
    out: &mut Out,
) -> anyhow::Result<(Episode, RunWriter)> {
    for finding in &loaded.setup.findings {
        out.error(&finding.to_string());
    }
    let profile = loaded
        .setup
        .task
        .profile_for(args.profile)
        .map_err(anyhow::Error::msg)?;
    let setup = Arc::new(loaded.setup);
    let (episode, start) = Episode::start(setup.clone(), profile)?;
    tell_costly(&episode, out);
    let new = NewRun {
        agent: &args.agent,
        task: &setup.task,
        base: &loaded.base,
        profile,
        forked_from: None,
        player: None,
    };
    let writer = RunWriter::create(root, new, &[start])?;
    Ok((episode, writer))
}

fn go_on(args: &Args, folder: &Path, out: &mut Out) -> anyhow::Result<(Episode, RunWriter)> {
    let opened = runs::open(folder)?;
    let name = folder.display();
    for finding in opened.run.findings() {
        out.error(&finding.to_string());
    }
    let writer = match opened.access {
        Access::Write(writer) => *writer,
        Access::ReadOnly(why) => bail!("{name}: {why}; it can only be looked at"),
    };
    let recorded = opened.run.profile()?;
    if args.profile.is_some_and(|p| p != recorded) {
        bail!(
            "{name}: the run follows the profile {}; leave --profile out",
            recorded.id()
        );
    }
    let again = opened.run.replay()?;
    if let Some(first) = again.drifts.first() {
        bail!(
            "{name}: this world differs from the recorded one, {first}; it can only be looked at"
        );
    }
    tell_costly(&again.episode, out);
    Ok((again.episode, writer))
}

/// Says which rules are not used in this scene because they would cost too much.
fn tell_costly(episode: &Episode, out: &mut Out) {
    for finding in &episode.lookout().ward().costly {
        out.error(&finding.to_string());
    }
}

/// Says all faults and yields the last one as the error.
fn worst(mut all: Vec<Diagnostic>, out: &mut Out) -> anyhow::Error {
    let last = all.pop();
    for d in all {
        out.error(&d.to_string());
    }
    last.map_or_else(|| anyhow::anyhow!("the task cannot be opened"), Into::into)
}
