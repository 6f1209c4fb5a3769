//! One run from its beginning to its end, or from where it was cut: everything that a command that plays needs.

use std::path::Path;
use std::sync::Arc;

use crate::agent::card::Card;
use crate::agent::chat::Request;
use crate::agent::player::Player;
use crate::agent::session::Session;
use crate::agent::session::again::Caught;
use crate::base::diag::Diagnostic;
use crate::sim::vocab::Profile;
use crate::store::library::{Library, Loaded};
use crate::store::runs::{self, Access, NewRun, RunWriter};
use crate::task::episode::Episode;

use super::Desk;

/// A run that is about to be played.
#[derive(Debug)]
pub struct Ready {
    /// The session.
    pub session: Session,
    /// The desk.
    pub desk: Desk,
}

/// Opens a task.
///
/// # Errors
/// The first of its faults.
pub fn load(library: &Library, name: &str) -> Result<Loaded, Diagnostic> {
    library.load_whole(name).map_err(|all| {
        let first = all.into_iter().next();
        first.unwrap_or_else(|| Diagnostic::error("", format!("{name} cannot be opened")))
    })
}

/// Begins a run.
///
/// # Errors
/// The card's terms cannot be read, the task does not run in the profile, or the run cannot be written.
pub fn begin(
    root: &Path,
    loaded: Loaded,
    profile: Option<Profile>,
    card: &Card,
    player: Box<dyn Player>,
) -> Result<Ready, Diagnostic> {
    let wrong = |message: String| Diagnostic::error("", message);
    let terms = card.terms().map_err(wrong)?;
    let Loaded { setup, base, .. } = loaded;
    let profile = setup.task.profile_for(profile).map_err(wrong)?;
    let setup = Arc::new(setup);
    let (episode, start) = Episode::start(setup.clone(), profile)?;
    let json = card.json();
    let new = NewRun {
        agent: &card.name(),
        task: &setup.task,
        base: &base,
        profile,
        forked_from: None,
        player: Some(&json),
    };
    let writer = RunWriter::create(root, new, &[start])?;
    Ok(Ready {
        session: Session::new(episode, player, terms),
        desk: Desk::new(writer),
    })
}

/// Opens a run to go on with it from its last recorded event; with it the requests whose answers are recorded.
///
/// # Errors
/// It cannot be written now, no agent played it, or the agent would have done otherwise: another version of the program
/// or of its prompts.
pub fn go_on(
    folder: &Path,
    make: impl FnOnce(&Card) -> Result<Box<dyn Player>, Diagnostic>,
) -> Result<(Ready, Vec<Request>), Diagnostic> {
    let opened = runs::open(folder)?;
    let wrong =
        |message: String| Diagnostic::error("", message).in_file(&folder.display().to_string());
    let writer = match opened.access {
        Access::Write(writer) => *writer,
        Access::ReadOnly(why) => return Err(wrong(why)),
    };
    let run = opened.run;
    let Some(json) = &run.header.player else {
        return Err(wrong("a person played this run, no agent".to_owned())
            .help("vesta play goes on with it"));
    };
    let card = Card::read(json).map_err(wrong)?;
    let (setup, _) = run.setup()?;
    let (episode, _) = Episode::start(setup, run.profile()?)?;
    let terms = card.terms().map_err(wrong)?;
    let mut session = Session::new(episode, make(&card)?, terms);
    let Caught { fresh, answered } = session.catch_up(&run.events.items).map_err(|differs| {
        let message = format!("event {}: {}", differs.seq, differs.why);
        wrong(message).help("the run can be inspected, but not gone on with by this program")
    })?;
    let mut desk = Desk::new(writer);
    desk.writer
        .append(&fresh)
        .map_err(|e| wrong(e.to_string()))?;
    desk.last = fresh
        .last()
        .or_else(|| run.events.items.last())
        .map(|e| e.seq);
    Ok((Ready { session, desk }, answered))
}
