//! The screens: one file each, one line each in the list below. See [`crate::app`] for how to add one.

pub mod arena;
pub mod attach;
pub mod compare;
pub mod council;
pub mod home;
pub mod inspect;
pub mod label;
pub mod page;
pub mod play;
pub mod prompt;
pub mod report;
pub mod runs;
pub mod settings;
pub mod tasks;
pub mod watch;

use crate::app::commands::Command;
use crate::app::glyph::Glyph;
use crate::app::layer::{Layer, Place};
use crate::app::state::Shared;

/// A screen's entry in the registry.
#[derive(Debug, Clone, Copy)]
pub struct ScreenDesc {
    /// Its opener: a command of the `global` context, its id is the screen's id.
    pub command: Command,
    /// Makes the screen for the arguments of its command, or says in one sentence why it cannot.
    pub open: fn(&str, &mut Shared) -> Result<Screen, String>,
    /// Every stack of contexts it can have, for the conflict test.
    pub contexts: &'static [&'static [&'static str]],
    /// The signs it uses.
    pub glyphs: &'static [Glyph],
    /// The fields of its filter: `risk:fire`.
    pub fields: &'static [(&'static str, &'static str)],
    /// One thing worth trying, for help.
    pub example: &'static str,
}

impl ScreenDesc {
    /// The screen's name in title bar, files and commands.
    pub const fn id(&self) -> &'static str {
        self.command.id
    }
}

/// Writes the `Screen` enum, the table of descriptors and the way from one to the other.
macro_rules! screens {
    ($($variant:ident($state:ty) = $desc:path;)+) => {
        /// Any screen, with its own state.
        #[derive(Debug)]
        pub enum Screen {
            $(#[doc = concat!("The screen of [`", stringify!($state), "`].")] $variant(Box<$state>),)+
        }

        /// Every screen, in the order help and palette list them.
        pub const SCREENS: &[ScreenDesc] = &[$($desc),+];

        impl Screen {
            /// The screen as a place.
            pub fn place(&self) -> &dyn Place {
                match self { $(Self::$variant(it) => it.as_ref(),)+ }
            }

            /// The screen as a layer.
            pub fn layer(&self) -> &dyn Layer {
                match self { $(Self::$variant(it) => it.as_ref(),)+ }
            }

            /// The screen as a layer that may change.
            pub fn layer_mut(&mut self) -> &mut dyn Layer {
                match self { $(Self::$variant(it) => it.as_mut(),)+ }
            }

            /// Its descriptor.
            pub fn desc(&self) -> &'static ScreenDesc {
                match self { $(Self::$variant(_) => &$desc,)+ }
            }
        }
    };
}

screens! {
    Home(home::Home) = home::SCREEN;
    Tasks(tasks::Tasks) = tasks::SCREEN;
    Inspect(inspect::Inspect) = inspect::SCREEN;
    Play(play::Play) = play::SCREEN;
    Page(page::Page) = page::SCREEN;
    Report(report::Report) = report::SCREEN;
    Runs(runs::Runs) = runs::SCREEN;
    Arena(arena::Arena) = arena::SCREEN;
    Council(council::Councils) = council::SCREEN;
    Prompt(prompt::Editor) = prompt::SCREEN;
    Settings(settings::Settings) = settings::SCREEN;
    Watch(watch::Watch) = watch::SCREEN;
    Attach(attach::Attach) = attach::SCREEN;
    Compare(compare::Compare) = compare::SCREEN;
    Label(label::Queue) = label::SCREEN;
}

/// The descriptor with that id.
pub fn find(id: &str) -> Option<&'static ScreenDesc> {
    SCREENS.iter().find(|screen| screen.id() == id)
}
