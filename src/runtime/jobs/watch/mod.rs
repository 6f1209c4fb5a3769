//! Watching runs that somebody else plays: all of them for the wall, one of them whole.
//!
//! Both jobs go on for as long as somebody waits. They look often while something lives and seldom while nothing does.

mod attach;
mod wall;

pub use attach::Attach;
pub use wall::Wall;

use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Control, Sources};
use crate::app::jobs::Reply;
use crate::base::diag::Diagnostic;
use crate::formats::run::{HEADER_FILE, Header, read_header};
use crate::store::files;

/// Between two looks while something lives.
const SOON: Duration = Duration::from_millis(50);

/// Between two looks while nothing lives.
const LATER: Duration = Duration::from_secs(1);

/// Follows every run of a place, or those that are named.
pub(super) fn wall(sources: &Sources, control: &Control, asked: &str) -> Result<Reply, String> {
    let mut wall = Wall::open(sources.runs().ok().as_deref(), asked)?;
    if control.to.is_none() {
        return Ok(Reply::Wall(wall.look_whole()));
    }
    // Also a place with nothing in it is told of once.
    let mut first = true;
    while !control.is_cancelled() {
        let news = wall.look();
        if first || !news.rows.is_empty() || !news.gone.is_empty() || news.read.0 < news.read.1 {
            first = news.read.0 < news.read.1;
            control.part(Reply::Wall(news));
        }
        wait(control, if wall.lives() { SOON } else { LATER });
    }
    Ok(Reply::Done)
}

/// Follows one run.
pub(super) fn attach(sources: &Sources, control: &Control, asked: &str) -> Result<Reply, String> {
    let root = sources.runs().map_err(|d| d.to_string());
    let folder = match crate::store::runs::find(root.as_deref().unwrap_or(Path::new("")), asked) {
        Ok(folder) => folder,
        Err(d) => return Err(root.err().unwrap_or_else(|| d.to_string())),
    };
    let (mut attach, attached) = Attach::open(&folder).map_err(|d| d.to_string())?;
    let attached = Reply::Attached(Box::new(attached));
    if control.to.is_none() {
        return Ok(attached);
    }
    control.part(attached);
    while !control.is_cancelled() {
        if let Some(heard) = attach.look() {
            control.part(Reply::Heard(Box::new(heard)));
        }
        wait(control, if attach.lives() { SOON } else { LATER });
    }
    Ok(Reply::Done)
}

/// Sleeps, but not beyond the moment nobody waits any more.
fn wait(control: &Control, time: Duration) {
    let mut left = time;
    while !left.is_zero() && !control.is_cancelled() {
        let now = left.min(SOON);
        thread::sleep(now);
        left -= now;
    }
}

/// Milliseconds since something was written; 0 where nothing is known of it.
fn age(written: Option<SystemTime>) -> u64 {
    let since = written.and_then(|written| written.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| {
        let then = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        crate::store::clock::unix_ms().saturating_sub(then)
    })
}

/// The header of a run.
fn header(folder: &Path) -> Result<Header, Diagnostic> {
    let path = folder.join(HEADER_FILE);
    let place = |d: Diagnostic| d.in_file(&path.display().to_string());
    read_header(&files::read(&path)?).map_err(place)
}
