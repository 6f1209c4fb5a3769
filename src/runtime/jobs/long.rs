//! Jobs about long runs: looking through the file, playing it again, reading windows, finding words.

use std::path::Path;
use std::sync::Arc;

use super::Control;
use crate::app::jobs::Reply;
use crate::app::long::{AFTER, At, BEFORE, LongJob, LongReply, LongRun, WindowAsked};
use crate::app::runs::{Again, LoadedRun, Window};
use crate::base::diag::Diagnostic;
use crate::formats::run::survey::Place;
use crate::store::runs::window::{self, Followed, Listener};
use crate::store::runs::{self, SavedRun};
use crate::task::episode::{Episode, Moment, replay_from};

impl Listener for Control {
    fn is_cancelled(&self) -> bool {
        Self::is_cancelled(self)
    }

    fn read(&self, bytes: u64, of: u64) {
        self.progress(bytes, of);
    }
}

/// Does one of them.
pub(super) fn perform(job: LongJob, control: &Control) -> Result<Reply, String> {
    let reply = match job {
        LongJob::Survey(folder) => {
            let survey = window::survey(&folder, control).map_err(say)?;
            LongReply::Surveyed(Arc::new(survey.unwrap_or_default()))
        }
        LongJob::Follow(folder) => LongReply::Ended(follow(&folder, control)?),
        LongJob::Window(asked) => {
            let (run, at) = read(&asked).map_err(say)?;
            LongReply::Window(Arc::new(run), at)
        }
        LongJob::Find(asked) => {
            let words = (asked.words.as_str(), asked.from, asked.forward);
            let found = window::find(&asked.folder, &asked.survey, words, control);
            LongReply::Found(found.map_err(say)?)
        }
    };
    Ok(Reply::Long(reply))
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is handed to map_err, which gives its error away"
)]
fn say(d: Diagnostic) -> String {
    d.to_string()
}

/// The first window of a run, read at once: nothing is known of the rest.
pub(super) fn begun(folder: &Path, bytes: u64) -> Result<LongRun, Diagnostic> {
    let window = Window {
        event: 0,
        step: 0,
        ends: false,
    };
    Ok(LongRun {
        folder: folder.to_owned(),
        bytes,
        window: Arc::new(part(folder, window, None, AFTER)?),
    })
}

/// What is said where the run was not followed yet.
const STILL: &str =
    "the run is played again in the background; what the world was here is known then";

fn read(asked: &WindowAsked) -> Result<(LoadedRun, u32), Diagnostic> {
    let (folder, survey) = (asked.folder.as_path(), &asked.survey);
    let last = survey.events().saturating_sub(1);
    let wanted = match asked.at {
        At::Event(seq) => seq.min(last),
        At::Step(step) => window::event_of(folder, survey.before_step(step), step)?.unwrap_or(last),
    };
    let moment = asked
        .from
        .as_ref()
        .and_then(|(_, moment)| moment.as_deref());
    let first = match (moment, &asked.from) {
        (Some(moment), _) => moment.made(),
        (None, Some(_)) => 0,
        (None, None) => wanted.saturating_sub(BEFORE),
    };
    let end = wanted.saturating_add(AFTER).min(survey.events());
    let place = survey.before(first);
    let window = Window {
        event: first,
        step: 0,
        ends: end == survey.events(),
    };
    let from = asked
        .from
        .as_ref()
        .map(|(start, _)| (start.as_ref(), moment));
    let run = part_from(folder, window, place, from, end - first)?;
    Ok((run, wanted))
}

fn part(
    folder: &Path,
    window: Window,
    from: Option<(&Episode, Option<&Moment>)>,
    count: u32,
) -> Result<LoadedRun, Diagnostic> {
    part_from(folder, window, Place::default(), from, count)
}

fn part_from(
    folder: &Path,
    window: Window,
    place: Place,
    from: Option<(&Episode, Option<&Moment>)>,
    count: u32,
) -> Result<LoadedRun, Diagnostic> {
    let (header, notes) = SavedRun::peek(folder)?;
    let (lines, positions) = window::events(folder, place, (window.event, count))?;
    let again = match from {
        None => Err(STILL.to_owned()),
        Some((start, moment)) => {
            let skipped = moment.map_or(0, |moment| moment.events - window.event);
            let events = lines.items.get(skipped as usize..).unwrap_or_default();
            replay_from(start, moment, events)
                .map(|(episode, drifts)| Again { episode, drifts })
                .map_err(|d| d.to_string())
        }
    };
    let run = SavedRun::unread(folder, header);
    Ok(LoadedRun {
        read_only: runs::read_only(&run),
        findings: lines.findings.iter().map(Diagnostic::to_string).collect(),
        is_cut: !lines.findings.is_empty(),
        again,
        spent: Vec::new(),
        folder: run.folder,
        header: run.header,
        window: Some(Window {
            step: positions,
            ..window
        }),
        events: lines.items,
        notes,
    })
}

/// Plays the run again and hands out what is found.
fn follow(folder: &Path, control: &Control) -> Result<Option<String>, String> {
    let (header, _) = SavedRun::peek(folder).map_err(say)?;
    let run = SavedRun::unread(folder, header);
    let (setup, _) = run.setup().map_err(say)?;
    let start = Episode::awaiting(setup, run.profile().map_err(say)?).map_err(say)?;
    control.part(Reply::Long(LongReply::Start(Arc::new(start.clone()))));
    let hand = |part: Followed| {
        let moments = part.moments.into_iter().map(Arc::new).collect();
        let reply = LongReply::Followed(moments, part.marks, part.events);
        control.part(Reply::Long(reply));
    };
    window::follow(folder, &start, control, hand).map_err(say)
}
