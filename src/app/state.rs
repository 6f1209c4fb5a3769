//! Everything the program knows, and who has the keys.

use std::collections::BTreeMap;

use crate::app::commands::{self, Availability};
use crate::app::games::RunKey;
use crate::app::jobs::Jobs;
use crate::app::key::Key;
use crate::app::keymap::Keymap;
use crate::app::layer::Layer;
use crate::app::library::Library;
use crate::app::msg::{Millis, Size};
use crate::app::notice::{Notice, Notices};
use crate::app::overlays::Overlay;
use crate::app::places::{Numbered, Places};
use crate::app::screens::Screen;
use crate::app::settings::Settings;

/// How long a prefix key waits before the popup of its continuations opens, in milliseconds.
pub const WHICH_KEY_AFTER: Millis = 300;

/// Which signs the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Symbols {
    /// The signs of the screen book.
    #[default]
    Unicode,
    /// Their ASCII stand-ins.
    Ascii,
}

/// Which colours the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colours {
    /// The sixteen colours and modifiers.
    #[default]
    Ansi16,
    /// Bold, underline and reverse only.
    None,
}

/// What the screens may show at all; decided once by `config`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// Signs.
    pub symbols: Symbols,
    /// Colours.
    pub colours: Colours,
}

/// What the program starts with.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// The terminal's size.
    pub size: Size,
    /// Signs and colours.
    pub look: Look,
    /// The shipped keys with the user's over them.
    pub keymap: Keymap,
    /// What is set.
    pub settings: Settings,
    /// What the reading of the configuration had to say.
    pub notices: Vec<Notice>,
}

/// What every layer may read, and change where it says so.
#[derive(Debug, Clone, Default)]
pub struct Shared {
    /// The terminal's size.
    pub size: Size,
    /// The time of the last tick.
    pub now: Millis,
    /// Signs and colours.
    pub look: Look,
    /// The keys.
    pub keymap: Keymap,
    /// What is set.
    pub settings: Settings,
    /// Tasks and runs.
    pub library: Library,
    /// Notices and the log; layers add through `Act::Notice`.
    pub notices: Notices,
    /// Command lines that were run, oldest first.
    pub history: Vec<String>,
    /// What was left on the command line.
    pub draft: String,
    /// Prompt files that were changed and not saved, text by name.
    pub drafts: BTreeMap<String, String>,
    /// The agent and the model a prompt was last tried with; empty before that.
    pub tried_with: String,
    /// Tasks that are played one after another for a verdict on each, by name.
    pub verdicts: Vec<String>,
    /// Games opened so far.
    pub games: u64,
    /// Whether the bell rings when a run that is watched needs somebody.
    pub notify: bool,
}

impl Shared {
    /// The place of a task among those that are played one after another, from 1, and how many there are.
    pub fn place_in_queue(&self, task: &str) -> Option<(usize, usize)> {
        let at = self.verdicts.iter().position(|name| name == task)?;
        Some((at + 1, self.verdicts.len()))
    }

    /// A key no other game of this window has.
    pub const fn new_game(&mut self) -> RunKey {
        self.games += 1;
        RunKey(self.games)
    }

    /// Changes what is set; signs and colours follow at once.
    pub fn reset<T>(&mut self, change: impl FnOnce(&mut Settings) -> T) -> T {
        let before = self.settings.look();
        let told = change(&mut self.settings);
        let look = self.settings.look();
        if look != before {
            self.look = look;
        }
        told
    }

    /// Sets a value until the program ends, as it is typed: `hold core !3`; what came of it.
    pub fn set(&mut self, args: &str) -> Notice {
        let (key, text) = args.split_once(' ').unwrap_or((args, ""));
        match self.reset(|settings| settings.choose(key, text.trim())) {
            Ok(()) => Notice::info(self.settings.told(key)),
            Err(cure) => Notice::warn(format!("set {args}: {cure}")),
        }
    }

    /// Rows a list shows at most, for page keys.
    pub fn page(&self) -> usize {
        usize::from(self.size.h).saturating_sub(6).max(2)
    }
}

/// Who runs a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// The program itself.
    App,
    /// The screen in front.
    Screen,
    /// The overlay on top.
    Overlay,
}

/// The whole program.
#[derive(Debug)]
pub struct State {
    /// What every layer may read.
    pub shared: Shared,
    pub(super) places: Places,
    pub(super) overlays: Vec<Numbered<Overlay>>,
    pub(super) pending: Vec<Key>,
    pub(super) pending_since: Millis,
    pub(super) jobs: Jobs,
    pub(super) serial: u64,
    pub(super) dirty: bool,
}

impl State {
    /// The screen in front.
    pub const fn screen(&self) -> &Screen {
        &self.places.here().it
    }

    /// The number of the place in front; views keep scroll positions by it.
    pub const fn place_id(&self) -> u64 {
        self.places.here().id
    }

    /// The overlays, bottom first.
    pub fn overlays(&self) -> impl ExactSizeIterator<Item = &Overlay> {
        self.overlays.iter().map(|overlay| &overlay.it)
    }

    /// The overlay on top.
    pub fn overlay(&self) -> Option<&Overlay> {
        self.overlays.last().map(|overlay| &overlay.it)
    }

    /// The layer that has the keys.
    pub fn top(&self) -> &dyn Layer {
        match self.overlay() {
            Some(overlay) => overlay.layer(),
            None => self.screen().layer(),
        }
    }

    /// The contexts active now, nearest first, with who runs their commands.
    pub fn contexts(&self) -> Vec<(&'static str, Who)> {
        let who = if self.overlays.is_empty() {
            Who::Screen
        } else {
            Who::Overlay
        };
        let mut contexts: Vec<_> = self
            .top()
            .contexts()
            .into_iter()
            .map(|c| (c, who))
            .collect();
        if self.overlays.is_empty() {
            contexts.push(("global", Who::App));
        }
        contexts.push(("always", Who::App));
        contexts
    }

    /// Who runs a command by name now, if anybody.
    pub fn who(&self, command: &str) -> Option<Who> {
        let (context, _) = commands::find(command)?;
        self.contexts()
            .into_iter()
            .find(|(id, _)| *id == context.id)
            .map(|(_, who)| who)
    }

    /// Whether a command can be run by name now, and if not, why.
    pub fn availability(&self, command: &str, args: &str) -> Availability {
        match self.who(command) {
            Some(who) => self.availability_for(who, command, args),
            None => match commands::find(command) {
                Some((context, _)) => {
                    Availability::blocked(format!("belongs to: {}", context.title))
                }
                None => Availability::blocked("there is no such command"),
            },
        }
    }

    /// Whether a command can be run now by whoever claims its context.
    pub fn availability_for(&self, who: Who, command: &str, args: &str) -> Availability {
        match who {
            Who::App => super::update::global_when(self, command, args),
            Who::Screen => self.screen().layer().when(command, args, &self.shared),
            Who::Overlay => self.top().when(command, args, &self.shared),
        }
    }

    /// The keys of a chord typed so far.
    pub fn pending(&self) -> &[Key] {
        &self.pending
    }

    /// Whether the popup of continuations is open.
    pub fn shows_which_key(&self) -> bool {
        !self.pending.is_empty() && self.shared.now >= self.pending_since + WHICH_KEY_AFTER
    }

    /// The next time something changes by itself; runtime sleeps until then and not shorter.
    pub fn deadline(&self) -> Option<Millis> {
        let which_key = (!self.pending.is_empty() && !self.shows_which_key())
            .then_some(self.pending_since + WHICH_KEY_AFTER);
        let layers = [
            self.screen().layer().deadline(),
            self.overlay().and_then(|o| o.layer().deadline()),
        ];
        [which_key, self.shared.notices.deadline()]
            .into_iter()
            .chain(layers)
            .flatten()
            .min()
    }

    /// Whether anything may look different since the last call.
    pub fn take_dirty(&mut self) -> bool {
        std::mem::take(&mut self.dirty)
    }

    /// Whether anything may look different.
    pub const fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// Whether jobs are on their way.
    pub fn is_busy(&self) -> bool {
        !self.jobs.is_empty()
    }
}
