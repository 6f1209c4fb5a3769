//! Jobs that start runs. They are played by runners of their own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::agent::card::Card;
use crate::app::jobs::Reply;
use crate::app::launch::Launch;
use crate::formats::run::{HEADER_FILE, read_header};
use crate::runtime::live::apart;
use crate::store::files;

use super::Sources;

/// Milliseconds between two acts of a run that was started here: somebody may watch.
const PACE: &str = "400";

/// Starts what is wanted; what is told of it.
pub(super) fn start(sources: &Sources, wanted: &Launch) -> Result<Reply, String> {
    let told = match wanted {
        Launch::Task(task, who) => {
            let mut flags = words(&["run", task]);
            flags.extend(who.flags().into_iter().map(OsString::from));
            flags.extend(words(&["--json", "--detached", "--pace", PACE]));
            add_places(sources, &mut flags);
            if let Some(root) = &sources.runs {
                flags.extend(["--runs".into(), root.clone().into_os_string()]);
            }
            let folder = apart::run(&flags).map_err(|e| format!("{e:#}"))?;
            let id = Path::new(&folder).file_name().unwrap_or_default();
            format!("{} has begun", id.to_string_lossy())
        }
        Launch::Suite(suite, who) => {
            let root = sources.runs().map_err(|d| d.to_string())?;
            let mut flags = words(&["eval", "--json", "--suite", suite]);
            flags.extend(who.flags().into_iter().map(OsString::from));
            flags.extend(["--out".into(), root.clone().into_os_string()]);
            apart::suite(&flags).map_err(|e| format!("{e:#}"))?;
            format!("{} goes on in {}", wanted.words(), root.display())
        }
        Launch::Missing { suite, tasks, like } => {
            let root = beside(like)?;
            let bytes = files::read(&like.join(HEADER_FILE)).map_err(|d| d.to_string())?;
            let header = read_header(&bytes).map_err(|d| d.to_string())?;
            let json = header.player.as_deref().ok_or("a person played these")?;
            let card = Card::read(json)?;
            let mut flags = words(&["eval", "--json", "--suite", suite]);
            flags.extend(card.flags().into_iter().map(OsString::from));
            flags.extend(words(&["--profile", &header.profile]));
            flags.extend(words(&["--only", &tasks.join(",")]));
            flags.extend(["--out".into(), root.clone().into_os_string()]);
            apart::suite(&flags).map_err(|e| format!("{e:#}"))?;
            format!("{} go on in {}", wanted.words(), root.display())
        }
    };
    Ok(Reply::Launched(format!("{told}; g w watches")))
}

fn words(all: &[&str]) -> Vec<OsString> {
    all.iter().map(OsString::from).collect()
}

/// The flags that name the tasks this program was started with.
fn add_places(sources: &Sources, flags: &mut Vec<OsString>) {
    let Some(from) = &sources.from else {
        return;
    };
    flags.extend(["--from".into(), from.clone().into_os_string()]);
    for graphs in &sources.places.graphs {
        flags.extend(["--graphs".into(), graphs.clone().into_os_string()]);
    }
}

/// The folder a run lies in.
fn beside(run: &Path) -> Result<PathBuf, String> {
    let parent = run.parent().filter(|p| p.is_dir());
    parent
        .map(Path::to_owned)
        .ok_or_else(|| format!("{}: the folder of this run is gone", run.display()))
}
