//! A run as a recording for asciinema: Inspect from its first row to its last, a marker each.

use std::path::Path;

use crate::app::msg::Size;
use crate::app::screens::Screen;
use crate::app::state::{Colours, Look, Setup, State, Symbols};
use crate::app::update;
use crate::config::Env;
use crate::runtime;
use crate::runtime::jobs::{Sources, Writers};
use crate::ui::{self, cast::Cast};

/// Seconds a row is looked at, and the last one.
const PACE: f64 = 1.2;
const LAST: f64 = 3.0;

/// Records a run by its folder.
///
/// # Errors
/// It cannot be shown: one sentence.
pub(super) fn record(folder: &Path, size: Size, env: &Env) -> anyhow::Result<String> {
    let look = Look {
        symbols: Symbols::Unicode,
        colours: Colours::Ansi16,
    };
    let (keymap, notices) = env.keymap();
    let (mut state, cmds) = State::new(Setup {
        size,
        look,
        keymap,
        notices,
        ..Setup::default()
    });
    let sources = Sources::default();
    let mut writers = Writers::default();
    runtime::settle(&mut state, cmds, &sources, &mut writers);
    let cmds = update::execute(&mut state, &format!("inspect {} s0", folder.display()));
    runtime::settle(&mut state, cmds, &sources, &mut writers);
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let mut cast = Cast::new(size, &format!("vesta inspect {name}"));
    let rows = match state.screen() {
        Screen::Inspect(it) => it.loaded().map_or(0, |it| it.shown.len()),
        _ => 0,
    };
    if rows == 0 {
        anyhow::bail!("{}: it cannot be shown step by step", folder.display());
    }
    for at in 0..rows {
        let command = if at == 0 { "cursor-top" } else { "cursor-down" };
        let cmds = update::execute(&mut state, command);
        runtime::settle(&mut state, cmds, &sources, &mut writers);
        if let Screen::Inspect(it) = state.screen()
            && let Some((loaded, row)) = it.loaded().and_then(|it| Some((it, it.row()?)))
        {
            let (name, words) = loaded.words(row);
            let tail = loaded.tail(row);
            let label = format!("{name} {words}  {tail}");
            cast.mark(label.trim());
        }
        cast.show(&ui::render(&state));
        cast.wait(PACE);
    }
    cast.wait(LAST);
    Ok(cast.end())
}
