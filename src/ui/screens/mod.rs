//! One view a screen; each is given its screen, what it may read, and the body to write on.

mod arena;
mod attach;
mod compare;
mod council;
mod home;
mod inspect;
mod label;
mod page;
mod play;
mod prompt;
mod report;
mod runs;
mod settings;
mod tasks;
mod watch;

use ratatui::layout::Rect;

use crate::app::screens::Screen;
use crate::ui::View;
use crate::ui::canvas::Canvas;

/// Draws the screen.
pub fn draw(screen: &Screen, view: &View<'_>, canvas: &mut Canvas<'_>) {
    match screen {
        Screen::Home(home) => home::draw(home, view, canvas),
        Screen::Tasks(tasks) => tasks::draw(tasks, view, canvas),
        Screen::Inspect(inspect) => inspect::draw(inspect, view, canvas),
        Screen::Play(play) => play::draw(play, view, canvas),
        Screen::Page(page) => page::draw(page, view, canvas),
        Screen::Report(report) => report::draw(report, view, canvas),
        Screen::Runs(runs) => runs::draw(runs, view, canvas),
        Screen::Arena(arena) => arena::draw(arena, view, canvas),
        Screen::Council(it) => council::draw(it, view, canvas),
        Screen::Prompt(editor) => prompt::draw(editor, view, canvas),
        Screen::Settings(settings) => settings::draw(settings, view, canvas),
        Screen::Watch(watch) => watch::draw(watch, view, canvas),
        Screen::Label(queue) => label::draw(queue, view, canvas),
        Screen::Compare(compare) => compare::draw(compare, view, canvas),
        Screen::Attach(attach) => attach::draw(attach, view, canvas),
    }
}

/// Panes below each other that share border lines: the one with the keys takes what the folded others leave.
pub(super) fn stacked<P: Copy + PartialEq>(
    body: Rect,
    order: &[P],
    focus: P,
    folded: impl Fn(P) -> u16,
) -> Vec<(P, Rect)> {
    let others: u16 = order
        .iter()
        .filter(|p| **p != focus)
        .map(|p| folded(*p))
        .sum();
    let open = body.height.saturating_sub(others);
    let mut y = body.y;
    let mut areas = Vec::new();
    for &pane in order {
        let height = if pane == focus {
            open
        } else {
            // Neighbours share a border line.
            folded(pane) + 1
        };
        let height = height.min(body.bottom().saturating_sub(y));
        areas.push((pane, Rect::new(body.x, y, body.width, height)));
        y += height.saturating_sub(1);
    }
    areas
}
