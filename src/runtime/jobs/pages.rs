//! Jobs about texts to look at: finding them, reading some lines, counting, searching, painting.

use std::path::Path;
use std::sync::Arc;

use super::{Control, Sources};
use crate::app::jobs::Reply;
use crate::app::pages::{Ask, Opened, PageJob, PageReply, RunPart, WINDOW, around};
use crate::app::parts::recording::whole;
use crate::base::diag::Diagnostic;
use crate::formats::page::{Body, Index, Mark};
use crate::formats::run::{EVENTS_FILE, HEADER_FILE, NOTES_FILE};
use crate::formats::syntax;
use crate::store::library::Text;
use crate::store::runs::SCENE_FILE;
use crate::store::{pages, recordings, runs};

/// Does one of them.
pub(super) fn perform(job: PageJob, control: &Control, sources: &Sources) -> Result<Reply, String> {
    let stop = || control.is_cancelled();
    let say = |d: Diagnostic| d.to_string();
    let reply = match job {
        PageJob::Open(ask) => PageReply::Opened(Box::new(open(sources, &ask).map_err(say)?)),
        PageJob::Read { body, index, first } => {
            let mark = index.map_or_else(Mark::default, |index| index.before(first));
            let window = pages::window(&body, mark, first, WINDOW).map_err(say)?;
            PageReply::Read(Arc::new(window))
        }
        PageJob::Index(body) => {
            let index = pages::index(&body, &stop).map_err(say)?;
            PageReply::Indexed(Arc::new(index.unwrap_or_else(Index::default)))
        }
        PageJob::Find {
            body,
            words,
            from,
            forward,
        } => {
            let search = pages::Search {
                words: &words,
                from,
                forward,
            };
            PageReply::Found(pages::find(&body, &search, &stop).map_err(say)?)
        }
        PageJob::Paint { language, window } => {
            let pieces = syntax::paint(language, &window.rows, &stop);
            PageReply::Painted(Arc::new(pieces))
        }
    };
    Ok(Reply::Page(reply))
}

/// Finds a text and reads the lines around the one that is asked for.
fn open(sources: &Sources, ask: &Ask) -> Result<Opened, Diagnostic> {
    let (text, line) = find(sources, ask)?;
    let at_fault = text.fault.as_ref().and_then(|d| d.line);
    let line = line
        .or(at_fault.map(u64::from))
        .unwrap_or(1)
        .saturating_sub(1);
    let window = pages::window(&text.body, Mark::default(), around(line), WINDOW)?;
    Ok(Opened {
        size: pages::size(&text.body)?,
        line: line.min(window.end().saturating_sub(1)),
        name: text.name,
        body: text.body,
        fault: text.fault.map(|d| d.to_string()),
        window: Arc::new(window),
    })
}

/// What others recorded, as a text; what could not be read of it is told as a fault.
fn recording(path: &Path) -> Result<Text, Diagnostic> {
    let (traces, notes) = if path.is_dir() {
        (vec![recordings::recording(path)?], Vec::new())
    } else {
        recordings::read_file(path)?
    };
    let format = traces.first().map_or("", |trace| trace.format.as_str());
    let mut name = format!("{} from {format}", path.display());
    if !notes.is_empty() {
        name = format!("{name}, {} not read", notes.len());
    }
    let texts: Vec<String> = traces.iter().map(whole).collect();
    Ok(Text {
        name,
        body: Body::Bytes(texts.join("\n").into_bytes().into()),
        fault: notes.into_iter().next(),
    })
}

fn find(sources: &Sources, ask: &Ask) -> Result<(Text, Option<u64>), Diagnostic> {
    let file = |path: &std::path::Path| -> Result<Text, Diagnostic> {
        Ok(Text {
            name: path.display().to_string(),
            body: pages::open(path)?,
            fault: None,
        })
    };
    match ask {
        Ask::Path(path, line) => Ok((file(path)?, *line)),
        Ask::Recording(path) => Ok((recording(path)?, None)),
        Ask::Task(name) => Ok((sources.library().task_text(name)?, None)),
        Ask::Scene(name) => Ok((sources.library().scene_text(name)?, None)),
        Ask::Run(name, part, line) => {
            let folder = runs::find(&sources.runs()?, name)?;
            let name = match part {
                RunPart::Events => EVENTS_FILE,
                RunPart::Header => HEADER_FILE,
                RunPart::Notes => NOTES_FILE,
                RunPart::Scene => SCENE_FILE,
            };
            Ok((file(&folder.join(name))?, *line))
        }
    }
}
