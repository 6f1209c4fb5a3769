//! `vesta`: the explorer itself, on the terminal or as text.

use std::path::PathBuf;

use anyhow::bail;

use crate::app::commands;
use crate::app::msg::Size;
use crate::app::notice::{Level, Notice};
use crate::app::state::{Setup, State};
use crate::app::update;
use crate::cli::out::Out;
use crate::cli::source::Source;
use crate::cli::{Exit, saved};
use crate::config::{Env, Flags};
use crate::runtime::jobs::{Sources, Writers};
use crate::runtime::{self, FaultAt, Options};
use crate::sim::vocab::Profile;
use crate::store::durable;
use crate::ui::cast::Cast;
use crate::ui::{self, dump, picture};

/// Flags of the explorer.
#[derive(Debug, Default, clap::Args)]
pub struct Args {
    /// Print a screen's facts as text, one a line, instead of opening it
    #[arg(long)]
    plain: bool,
    /// Print the screen as it would be drawn at this size, 80x24
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    saved: saved::Place,
    /// The profile of new runs, eai or strict, in place of each task's usual one
    #[arg(long, value_name = "PROFILE", value_parser = profile)]
    profile: Option<Profile>,
    /// Start with this command line instead of Home: "play V022"
    #[arg(long, value_name = "COMMAND")]
    screen: Option<String>,
    /// Press these keys before printing: "j j Enter / milk Esc"
    #[arg(long, value_name = "KEYS")]
    keys: Option<String>,
    /// Write the screen at --size into this file: a picture (.svg) or text (.txt)
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Dark letters on light, for --picture
    #[arg(long, requires = "picture")]
    light: bool,
    /// Record what --keys do into this file, for asciinema: a marker a key
    #[arg(long, value_name = "FILE")]
    cast: Option<PathBuf>,
    /// Go wrong on purpose at the first key: ui, worker
    #[arg(long, hide = true, value_parser = fault)]
    debug_fault: Option<FaultAt>,
}

fn profile(text: &str) -> Result<Profile, String> {
    Profile::parse(text).ok_or_else(|| "write eai or strict".to_owned())
}

fn fault(text: &str) -> Result<FaultAt, String> {
    match text {
        "ui" => Ok(FaultAt::Ui),
        "worker" => Ok(FaultAt::Worker),
        _ => Err("write ui or worker".to_owned()),
    }
}

/// Opens the explorer, or prints what it would show.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    if let Some(from) = args.source.from.as_ref().filter(|from| !from.exists()) {
        bail!("--from {}: not found; check the name", from.display());
    }
    let (keymap, mut notices) = env.keymap();
    let settings = env.settings(&Flags {
        profile: args.profile.map(|profile| profile.id().to_owned()),
        runs: args.saved.named(),
        from: args.source.from.clone(),
    });
    notices.extend(
        settings
            .faults
            .iter()
            .map(|fault| Notice::warn(fault.clone()).about(settings.place(fault))),
    );
    let setup = Setup {
        size: args.size.unwrap_or(Size::new(80, 24)),
        look: settings.look(),
        keymap,
        settings,
        notices,
    };
    if args.plain || args.size.is_some() || args.picture.is_some() || args.cast.is_some() {
        return print(args, setup, out);
    }
    let options = Options {
        setup,
        source: (args.source.places(), args.source.from.clone()),
        runs: args.saved.named(),
        first: args.screen.clone(),
        fault: args.debug_fault,
    };
    match runtime::run(options)? {
        0 => Ok(Exit::Fine),
        code => Ok(Exit::Code(code)),
    }
}

/// Opens the explorer with a command instead of Home, on the tasks of `from` and a folder of runs.
pub fn open(
    command: String,
    of: (Source, saved::Place),
    env: &Env,
    out: &mut Out,
) -> anyhow::Result<Exit> {
    run(&started(command, of), env, out)
}

/// Prints as text what [`open`] would show.
pub fn tell(
    command: String,
    of: (Source, saved::Place),
    env: &Env,
    out: &mut Out,
) -> anyhow::Result<Exit> {
    let args = Args {
        plain: true,
        ..started(command, of)
    };
    run(&args, env, out)
}

/// Opens the library of runs with a query, on these folders or the usual one.
pub fn library(
    query: &str,
    folders: &[PathBuf],
    source: Source,
    env: &Env,
    out: &mut Out,
) -> anyhow::Result<Exit> {
    let folders: Vec<String> = folders
        .iter()
        .map(|f| format!("in \"{}\" ", f.display()))
        .collect();
    let line = format!("runs {}{query}", folders.concat());
    open(
        line.trim().to_owned(),
        (source, saved::Place::default()),
        env,
        out,
    )
}

fn started(command: String, (source, saved): (Source, saved::Place)) -> Args {
    Args {
        screen: Some(command),
        source,
        saved,
        ..Args::default()
    }
}

/// Seconds between two keys of a recording, and after the last.
const KEY_PACE: f64 = 0.7;
const LAST: f64 = 2.0;

fn print(args: &Args, setup: Setup, out: &mut Out) -> anyhow::Result<Exit> {
    let sources = Sources::new(
        args.source.places(),
        args.source.from.clone(),
        args.saved.named(),
    );
    let mut writers = Writers::default();
    let (mut state, cmds) = State::new(setup);
    runtime::settle(&mut state, cmds, &sources, &mut writers);
    if let Some(line) = &args.screen {
        let command = line.split(' ').next().unwrap_or_default();
        if commands::find(command).is_none() {
            bail!(
                "--screen: there is no command {command:?}; write for example \"tasks\" or \"play V022\""
            );
        }
        let cmds = update::execute(&mut state, line);
        runtime::settle(&mut state, cmds, &sources, &mut writers);
    }
    let mut cast = args.cast.as_ref().map(|_| {
        let title = args.screen.as_deref().unwrap_or("vesta");
        let mut cast = Cast::new(state.shared.size, title);
        cast.show(&ui::render(&state));
        cast
    });
    let keys = args.keys.as_deref().unwrap_or_default();
    for (word, key) in keys.split_whitespace().zip(crate::app::key::script(keys)) {
        let cmds = update::update(&mut state, crate::app::msg::Msg::Key(key));
        runtime::settle(&mut state, cmds, &sources, &mut writers);
        if let Some(cast) = &mut cast {
            cast.wait(KEY_PACE);
            cast.mark(word);
            cast.show(&ui::render(&state));
        }
    }
    if let (Some(path), Some(mut cast)) = (&args.cast, cast) {
        cast.wait(LAST);
        durable::save(path, cast.end().as_bytes())?;
        out.line(&format!("wrote {}", path.display()))?;
    }
    if let Some(path) = &args.picture {
        let screen = ui::render(&state);
        let text = if args.light {
            picture::svg(&screen, picture::Ground::Light)
        } else {
            picture::of(&screen, path)
        };
        durable::save(path, text.as_bytes())?;
        out.line(&format!("wrote {}", path.display()))?;
    }
    if args.picture.is_some() || args.cast.is_some() {
        // What was asked for is in the files.
    } else if args.plain {
        for line in plain(&state) {
            out.line(&line)?;
        }
    } else {
        for line in dump::text(&ui::render(&state)).lines() {
            out.line(line)?;
        }
    }
    // An error on the way (no such task, a file that cannot be read) is one for the caller's script as well.
    let failed = state.top().failed()
        || state
            .shared
            .notices
            .lines()
            .any(|n| n.level == Level::Error);
    Ok(if failed { Exit::Code(2) } else { Exit::Fine })
}

/// The facts of what is in front, then what was reported.
fn plain(state: &State) -> Vec<String> {
    let mut lines = state.spoken();
    lines.extend(
        state
            .shared
            .notices
            .lines()
            .map(|notice| format!("{}: {}", notice.level.word(), notice.text)),
    );
    lines
}
