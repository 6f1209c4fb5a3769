//! Recordings on disk: files of other tools read, runs of ours handed out as conversations, and both taken in as runs.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};

use crate::base::diag::Diagnostic;
use crate::formats::Read;
use crate::formats::run::{
    EVENTS_FILE, HEADER_FILE, NOTES_FILE, event_line, read_events, read_header, write_header,
};
use crate::formats::trace::foreign::{self, TRACE_FILE};
use crate::formats::trace::{self, Recorded, Trace, neutral};
use crate::store::runs::{SCENE_FILE, TIMING_FILE, put_whole};
use crate::store::{clock, files};

/// The largest file of a recording that is read, in bytes.
const LARGEST: u64 = 2 << 30;

/// How much of a file is looked at to tell what it is, from its beginning; of archives all of it is.
const HEAD: usize = 64 << 10;

/// How many folders deep recordings are looked for.
const DEEPEST: usize = 8;

/// The recordings of a file, whatever format it has.
///
/// # Errors
/// It cannot be read, or no format is recognised in it.
pub fn read_file(path: &Path) -> Result<Read<Vec<Trace>>, Diagnostic> {
    let bytes = files::read_up_to(path, LARGEST)?;
    trace::read(&path.display().to_string(), &bytes)
}

/// The format of a file by its first and last bytes, with how sure that is; `None` for what is no recording.
pub fn sniff_file(path: &Path) -> Option<(&'static trace::Format, u8)> {
    let head = files::head(path, HEAD).ok()?;
    let length = std::fs::metadata(path).ok()?.len();
    if length <= head.len() as u64 {
        return trace::sniff(&head);
    }
    // What tells some formats apart stands at the end: of archives the list of members, of others the version.
    let ends = files::ends(path, HEAD, HEAD).ok()?;
    trace::sniff(&ends)
}

/// The files below a folder that are recordings, in the order of their names.
///
/// # Errors
/// A folder cannot be read.
pub fn below(folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let mut found = Vec::new();
    let mut waiting = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        // A run of ours is no file of somebody else's.
        if folder.join(HEADER_FILE).is_file() {
            continue;
        }
        let (files, folders) = files::entries(&folder)?;
        found.extend(files.into_iter().filter(|f| sniff_file(f).is_some()));
        if depth < DEEPEST {
            let real = folders.into_iter().filter(|f| !f.is_symlink());
            waiting.extend(real.map(|f| (f, depth + 1)));
        }
    }
    found.sort();
    Ok(found)
}

/// What a run's folder holds, as a conversation: one of ours with its files, or the recording it was made from.
///
/// # Errors
/// It cannot be read.
pub fn of_folder(folder: &Path, with_scene: bool) -> Result<Trace, Diagnostic> {
    let text = |file: &str| -> Result<String, Diagnostic> {
        let path = folder.join(file);
        let bytes = files::read_up_to(&path, LARGEST)?;
        String::from_utf8(bytes).map_err(|e| {
            Diagnostic::error(
                "",
                format!("byte {} is not UTF-8", e.utf8_error().valid_up_to()),
            )
            .in_file(&path.display().to_string())
        })
    };
    let optional = |file: &str| -> Result<String, Diagnostic> {
        if folder.join(file).is_file() {
            text(file)
        } else {
            Ok(String::new())
        }
    };
    let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let header = text(HEADER_FILE)?;
    let place = |d: Diagnostic| Diagnostic {
        file: folder.join(HEADER_FILE).display().to_string(),
        ..d
    };
    if foreign::is_foreign(&read_header(header.as_bytes()).map_err(place)?) {
        return recording(folder);
    }
    let scene = if with_scene && folder.join(SCENE_FILE).is_file() {
        BASE64.encode(files::read(&folder.join(SCENE_FILE))?)
    } else {
        String::new()
    };
    let recorded = Recorded {
        header,
        events: lines(text(EVENTS_FILE)?),
        notes: lines(optional(NOTES_FILE)?),
        timing: lines(optional(TIMING_FILE)?),
        scene,
    };
    trace::of_run(recorded).map_err(place)
}

/// The recording kept in the folder of a run that others recorded.
///
/// # Errors
/// It is missing or damaged.
pub fn recording(folder: &Path) -> Result<Trace, Diagnostic> {
    let path = folder.join(TRACE_FILE);
    let name = path.display().to_string();
    let packed = files::read_up_to(&path, LARGEST)?;
    let mut bytes = Vec::new();
    let mut unpacked = GzDecoder::new(packed.as_slice()).take(LARGEST + 1);
    unpacked.read_to_end(&mut bytes).map_err(|e| {
        Diagnostic::error("", format!("it cannot be unpacked: {e}"))
            .help("import the recording again")
            .in_file(&name)
    })?;
    let (traces, _) = neutral::read(&name, &bytes)?;
    traces
        .into_iter()
        .next()
        .ok_or_else(|| Diagnostic::error("", "it holds nothing").in_file(&name))
}

/// A recording taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The run's id.
    pub id: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Whether it was there already.
    pub known: bool,
    /// Whether it is a run of ours that came back.
    pub ours: bool,
}

/// Makes a run of a recording, in a folder of runs. What is there already is left as it is.
///
/// # Errors
/// It cannot be written, or holds a run of ours that is damaged.
pub fn take_in(root: &Path, trace: &Trace) -> Result<Taken, Diagnostic> {
    match &trace.run {
        Some(run) => ours(root, run),
        None => others(root, trace),
    }
}

fn ours(root: &Path, run: &Recorded) -> Result<Taken, Diagnostic> {
    let wrong = |message: String| {
        Diagnostic::error("vesta.run", message).help("export the run again where it was recorded")
    };
    let header = read_header(run.header.as_bytes()).map_err(|d| wrong(d.to_string()))?;
    if foreign::folder_name(&header.id) != header.id {
        return Err(wrong(format!("{:?} is no name for a run", header.id)));
    }
    let join = |lines: &[String]| {
        lines
            .iter()
            .fold(String::new(), |out, line| out + line + "\n")
    };
    let events = join(&run.events);
    let found = read_events(events.as_bytes());
    if let Some(d) = found.findings.first() {
        return Err(wrong(format!("it is damaged: {d}")));
    }
    let scene = BASE64
        .decode(&run.scene)
        .map_err(|e| wrong(format!("its scene is damaged: {e}")))?;
    let mut parts = vec![
        (HEADER_FILE, run.header.clone().into_bytes()),
        (EVENTS_FILE, events.into_bytes()),
        (TIMING_FILE, join(&run.timing).into_bytes()),
    ];
    if !run.notes.is_empty() {
        parts.push((NOTES_FILE, join(&run.notes).into_bytes()));
    }
    if !scene.is_empty() {
        parts.push((SCENE_FILE, scene));
    }
    put(root, &header.id, &parts, true)
}

fn others(root: &Path, trace: &Trace) -> Result<Taken, Diagnostic> {
    let text = neutral::text(trace);
    let id = foreign::id_of(trace, &text);
    let made = foreign::run_of(
        trace,
        &id,
        &clock::now().to_string(),
        env!("CARGO_PKG_VERSION"),
    );
    let events: String = made.events.iter().map(event_line).collect();
    let timing: String = made
        .timing
        .iter()
        .flat_map(|line| {
            [
                line.as_str(),
                "
",
            ]
        })
        .collect();
    let mut packed = GzBuilder::new().write(Vec::new(), Compression::default());
    let packed = packed
        .write_all(text.as_bytes())
        .and_then(|()| packed.finish())
        .map_err(|e| files::failed(&e))?;
    let parts = [
        (TRACE_FILE, packed),
        (EVENTS_FILE, events.into_bytes()),
        (TIMING_FILE, timing.into_bytes()),
        (HEADER_FILE, write_header(&made.header).into_bytes()),
    ];
    put(root, &id, &parts, false)
}

fn put(root: &Path, id: &str, parts: &[(&str, Vec<u8>)], ours: bool) -> Result<Taken, Diagnostic> {
    let folder = root.join(id);
    let known = folder.exists();
    if !known {
        put_whole(root, id, parts)?;
    }
    Ok(Taken {
        id: id.to_owned(),
        folder,
        known,
        ours,
    })
}
