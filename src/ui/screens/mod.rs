//! One view a screen; each is given its screen, what it may read, and the body to write on.

mod arena;
mod attach;
mod contest;
mod home;
mod inspect;
mod page;
mod play;
mod prompt;
mod report;
mod settings;
mod tasks;
mod watch;

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
        Screen::Contest(contest) => contest::draw(contest, view, canvas),
        Screen::Arena(arena) => arena::draw(arena, view, canvas),
        Screen::Prompt(editor) => prompt::draw(editor, view, canvas),
        Screen::Settings(settings) => settings::draw(settings, view, canvas),
        Screen::Watch(watch) => watch::draw(watch, view, canvas),
        Screen::Attach(attach) => attach::draw(attach, view, canvas),
    }
}
