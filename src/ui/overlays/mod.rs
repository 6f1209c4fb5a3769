//! One view an overlay; each is given its overlay, what it may read, and its own area, cleared.

mod behind;
mod check;
pub(in crate::ui) mod computed;
mod formula;
mod help;
mod launch;
mod log;
mod palette;
mod patch;
mod prompt;
mod runs;

use crate::app::overlays::Overlay;
use crate::ui::View;
use crate::ui::canvas::Canvas;

/// Draws the overlay.
pub fn draw(overlay: &Overlay, view: &View<'_>, canvas: &mut Canvas<'_>) {
    match overlay {
        Overlay::Behind(behind) => behind::draw(behind, view, canvas),
        Overlay::Computed(computed) => computed::draw(computed, view, canvas),
        Overlay::Check(check) => check::draw(check, view, canvas),
        Overlay::Formula(formula) => formula::draw(formula, view, canvas),
        Overlay::Help(help) => help::draw(help, view, canvas),
        Overlay::Launch(launch) => launch::draw(launch, view, canvas),
        Overlay::Palette(palette) => palette::draw(palette, view, canvas),
        Overlay::Patch(patch) => patch::draw(patch, view, canvas),
        Overlay::Prompt(prompt) => prompt::draw(prompt, canvas),
        Overlay::Log(log) => log::draw(log, view, canvas),
        Overlay::Runs(runs) => runs::draw(runs, view, canvas),
    }
}
