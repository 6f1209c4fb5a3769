//! `vesta export`: a run, or a recording of another tool, in the format of another tool; what that loses is told.

use std::path::{Path, PathBuf};

use anyhow::bail;
use serde_json::{Value, json};

use crate::app::msg::Size;
use crate::app::parts::web;
use crate::cli::out::Out;
use crate::cli::source::Source as TaskSource;
use crate::cli::tasks::open;
use crate::cli::{Exit, cast, saved};
use crate::config::Env;
use crate::formats::trace::{self, Format, Loss, Subject, Trace, foreign, pddl};
use crate::plan::names::nearest;
use crate::runtime::jobs;
use crate::sim::vocab::Profile;
use crate::store::runs::{self, SavedRun};
use crate::store::{durable, recordings};
use crate::task::setup::Setup;

/// Flags of `vesta export`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The end of a run's id, the path of its folder, or a file that another tool recorded; for pddl also a task, V022
    run: String,
    /// The format, vesta formats lists them; html: a page to read, mail and print; cast: Inspect for asciinema
    #[arg(long, value_name = "ID")]
    format: String,
    /// The file to write, or the folder where there are several; else files named after the runs, here
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Columns and rows of a cast
    #[arg(long, value_name = "WxH", default_value = "120x40")]
    size: Size,
    /// Leave the scene out: the file is smaller, and the run cannot be played again when it comes back
    #[arg(long)]
    no_scene: bool,
    #[command(flatten)]
    saved: saved::Place,
    #[command(flatten)]
    source: TaskSource,
    /// Print JSON: the files and the losses
    #[arg(long)]
    json: bool,
}

/// What is exported, with its task in its scene where that is known.
struct Source {
    traces: Vec<Trace>,
    setup: Option<std::sync::Arc<Setup>>,
    profile: Profile,
}

/// Exports, and tells the losses on standard error.
///
/// # Errors
/// The run cannot be read, the format cannot be written, or the disk refuses.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    if let Some(shown) = SHOWN.iter().find(|it| it.id == args.format) {
        return show(args, shown, env, out);
    }
    let format = chosen(&args.format)?;
    if format.id == pddl::FORMAT.id
        && let Some(setup) = task(args, out)?
    {
        return planner(args, &setup, out);
    }
    let source = source(args, out)?;
    let several = source.traces.len() > 1;
    let (mut files, mut losses) = (Vec::new(), Vec::new());
    for trace in &source.traces {
        let subject = Subject {
            trace,
            setup: source.setup.as_deref(),
            profile: source.profile,
        };
        let Some(write) = format.write else {
            bail!("{} is only read", format.title);
        };
        let written = write(&subject)?;
        let many = several || written.files.len() > 1;
        for (extension, bytes) in &written.files {
            let path = place(args, trace, extension, many, &files);
            durable::make_room(&path)?;
            durable::save(&path, bytes)?;
            files.push(path);
        }
        for loss in written.losses {
            add(&mut losses, loss);
        }
    }
    tell(args, format.id, &files, &losses, out)
}

/// Says what was written and what is lost.
fn tell(
    args: &Args,
    format: &str,
    files: &[PathBuf],
    losses: &[Loss],
    out: &mut Out,
) -> anyhow::Result<Exit> {
    if args.json {
        let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
        let lost: Vec<Value> = losses
            .iter()
            .map(|l| json!({"field": l.field, "count": l.count, "kept": l.kept}))
            .collect();
        out.json(&json!({"format": format, "files": names, "losses": lost}))?;
        return Ok(Exit::Fine);
    }
    for loss in losses {
        out.error(&format!("{format}: {loss}"));
    }
    for file in files {
        out.line(&format!("wrote {}", file.display()))?;
    }
    Ok(Exit::Fine)
}

/// A format for people: made of what the program shows of a run, and never read back.
pub(super) struct Shown {
    /// The name, and the ending of files.
    pub(super) id: &'static str,
    /// What it is.
    pub(super) title: &'static str,
    make: fn(&Args, &Env, &mut Out) -> anyhow::Result<(String, String)>,
}

/// The task of that name, where the name is no file's and no run's.
fn task(args: &Args, out: &mut Out) -> anyhow::Result<Option<Setup>> {
    if Path::new(&args.run).exists() || runs::find(&args.saved.root()?, &args.run).is_ok() {
        return Ok(None);
    }
    let library = open(&args.source, out)?;
    let Ok(row) = library.find(&args.run) else {
        return Ok(None);
    };
    let setup = library.load(&format!("{}/{}", row.suite, row.id));
    setup.map(Some).map_err(|wrong| {
        let first = wrong.first().map(ToString::to_string);
        anyhow::anyhow!("{}", first.unwrap_or_default())
    })
}

/// Writes a task for planners: domain.pddl and problem.pddl, in the folder asked for or here.
fn planner(args: &Args, setup: &Setup, out: &mut Out) -> anyhow::Result<Exit> {
    let written = crate::formats::planner::write(setup)?;
    let folder = args.out.clone().unwrap_or_default();
    let mut files = Vec::new();
    for (name, bytes) in &written.files {
        let path = folder.join(name);
        durable::make_room(&path)?;
        durable::save(&path, bytes)?;
        files.push(path);
    }
    tell(args, pddl::FORMAT.id, &files, &written.losses, out)
}

/// All of them. Each makes a name for its file and the text.
pub(super) const SHOWN: &[Shown] = &[
    Shown {
        id: "html",
        title: "one page without scripts: task, verdict, goals, rules with witness, every step; for screen and paper",
        make: page,
    },
    Shown {
        id: "cast",
        title: "Inspect step by step with a marker each, for asciinema (asciicast v3)",
        make: cast,
    },
];

fn show(args: &Args, shown: &Shown, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    let (name, text) = (shown.make)(args, env, out)?;
    let name = format!("{name}.{}", shown.id);
    let path = match &args.out {
        Some(folder) if folder.is_dir() => folder.join(name),
        Some(path) => path.clone(),
        None => PathBuf::from(name),
    };
    durable::make_room(&path)?;
    durable::save(&path, text.as_bytes())?;
    if args.json {
        out.json(
            &json!({"format": shown.id, "files": [path.display().to_string()], "losses": []}),
        )?;
    } else {
        out.line(&format!("wrote {}", path.display()))?;
    }
    Ok(Exit::Fine)
}

/// A run as a recording of Inspect.
fn cast(args: &Args, env: &Env, _out: &mut Out) -> anyhow::Result<(String, String)> {
    let folder = runs::find(&args.saved.root()?, &args.run)?;
    let text = cast::record(&folder, args.size, env)?;
    Ok((named(&folder), text))
}

/// A run, or a recording of another tool, as a page. Of a file with several recordings each has its part.
fn page(args: &Args, _env: &Env, out: &mut Out) -> anyhow::Result<(String, String)> {
    let path = Path::new(&args.run);
    if path.is_file() {
        let (traces, notes) = recordings::read_file(path)?;
        for note in notes {
            out.error(&note.to_string());
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        return Ok((foreign::folder_name(&stem), web::recordings(&traces)));
    }
    let folder = runs::find(&args.saved.root()?, &args.run)?;
    let run = SavedRun::read(&folder)?;
    let text = if run.is_foreign() {
        web::recordings(&[recordings::recording(&folder)?])
    } else {
        web::page(&jobs::loaded(run))
    };
    Ok((named(&folder), text))
}

fn named(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The format of that name, if it can be written.
fn chosen(id: &str) -> anyhow::Result<&'static Format> {
    let written = || {
        let formats = trace::FORMATS.iter().filter(|f| f.write.is_some());
        formats.map(|f| f.id).chain(SHOWN.iter().map(|it| it.id))
    };
    match trace::format(id) {
        Some(format) if format.write.is_some() => Ok(format),
        Some(format) => bail!(
            "{} is only read; written are {}",
            format.title,
            words(written())
        ),
        None => match nearest(id, written()) {
            Some(meant) => bail!("no format is called {id:?}; did you mean {meant}?"),
            None => bail!(
                "no format is called {id:?}; written are {}",
                words(written())
            ),
        },
    }
}

fn words<'w>(all: impl Iterator<Item = &'w str>) -> String {
    all.collect::<Vec<_>>().join(", ")
}

fn source(args: &Args, out: &mut Out) -> anyhow::Result<Source> {
    let path = Path::new(&args.run);
    if path.is_file() {
        let (traces, notes) = recordings::read_file(path)?;
        for note in notes {
            out.error(&note.to_string());
        }
        return Ok(Source {
            traces,
            setup: None,
            profile: Profile::Strict,
        });
    }
    let folder = runs::find(&args.saved.root()?, &args.run)?;
    let run = SavedRun::read(&folder)?;
    let setup = if run.is_foreign() {
        None
    } else {
        run.setup().ok().map(|(setup, _)| setup)
    };
    Ok(Source {
        traces: vec![recordings::of_folder(&folder, !args.no_scene)?],
        setup,
        profile: run.profile().unwrap_or(Profile::Strict),
    })
}

/// Where a file goes; not where another one went before.
fn place(args: &Args, trace: &Trace, extension: &str, many: bool, taken: &[PathBuf]) -> PathBuf {
    let id = if trace.id.is_empty() {
        "recording"
    } else {
        &trace.id
    };
    let id = foreign::folder_name(id);
    let folder = match &args.out {
        None => PathBuf::new(),
        Some(out) if many || out.is_dir() => out.clone(),
        Some(out) => return out.clone(),
    };
    let names = (1..).map(|n| match n {
        1 => format!("{id}.{extension}"),
        n => format!("{id}-{n}.{extension}"),
    });
    let mut free = names.map(|name| folder.join(name));
    free.find(|path| !taken.contains(path)).unwrap_or_default()
}

/// Counts a loss together with those of its kind.
fn add(losses: &mut Vec<Loss>, loss: Loss) {
    let same = losses
        .iter_mut()
        .find(|l| l.field == loss.field && l.kept == loss.kept);
    match same {
        Some(known) => known.count += loss.count,
        None => losses.push(loss),
    }
}
