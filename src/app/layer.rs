//! What a screen or an overlay must be able to do, and what it may ask for.

use crate::app::cmd::Cmd;
use crate::app::commands::Availability;
use crate::app::jobs::{Job, JobEvent};
use crate::app::msg::Millis;
use crate::app::notice::Notice;
use crate::app::overlays::Overlay;
use crate::app::role::Role;
use crate::app::screens::Screen;
use crate::app::state::Shared;
use crate::eval::table::Table;

/// What a layer asks for after a command, a text or a reply. Executed in order by `update`.
#[derive(Debug)]
pub enum Act {
    /// Something for runtime.
    Cmd(Cmd),
    /// Start a job; its reply comes back to this layer with the slot.
    Job(&'static str, Job),
    /// Let the user edit a text in an editor of their own, a name for its file and the text; it comes back as the reply
    /// of a job in this slot.
    Edit(&'static str, String, String),
    /// Nobody waits any more for the job in this slot.
    Stop(&'static str),
    /// Go to a new place.
    Open(Screen),
    /// Leave this place for the one before it.
    Leave,
    /// Go back to the place before this one, which stays where it is.
    Back,
    /// Go forward to the place after this one.
    Forward,
    /// Lay an overlay on top.
    Show(Overlay),
    /// Close this overlay.
    Close,
    /// Tell the user.
    Notice(Notice),
    /// What was told before, but for errors, is out of date: the world stands elsewhere.
    Outdated,
    /// Look anew what tasks and runs there are.
    Reload,
    /// Run a command line as if it had been typed; after `Close`, in the layer below.
    Run(String),
}

/// A screen or an overlay: it has its own state, and keys while it is on top.
pub trait Layer {
    /// The key contexts active now, nearest first, without `global` and `always`, which are added for
    /// screens (`always` also for overlays). May depend on the focused pane or on a filter being typed.
    fn contexts(&self) -> Vec<&'static str>;

    /// Whether a command of its contexts can be run now, and if not, why.
    fn when(&self, _command: &str, _args: &str, _shared: &Shared) -> Availability {
        Availability::Ready
    }

    /// Runs a command of its contexts. `None` says it does not know the command, which is a mistake in
    /// the tables and reported as such.
    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>>;

    /// Whether printable keys are text now.
    fn takes_text(&self) -> bool {
        false
    }

    /// Text was typed or pasted while [`Layer::takes_text`] holds.
    fn on_text(&mut self, _text: &str, _shared: &mut Shared) -> Vec<Act> {
        Vec::new()
    }

    /// A command line that is no command was typed on this screen; `None` if it means nothing here either.
    fn on_line(&mut self, _line: &str, _shared: &mut Shared) -> Option<Vec<Act>> {
        None
    }

    /// Text was pasted. Where no text is taken it means nothing, unless a screen says otherwise.
    fn on_paste(&mut self, text: &str, shared: &mut Shared) -> Vec<Act> {
        if self.takes_text() {
            self.on_text(text, shared)
        } else {
            Vec::new()
        }
    }

    /// It is gone for good; what still has to be done then.
    fn on_gone(&self) -> Option<Job> {
        None
    }

    /// Another place has come in front, and it stays behind: the slots of its jobs that nobody need wait for until it comes
    /// back.
    fn on_covered(&mut self, _by: &Screen, _shared: &Shared) -> &'static [&'static str] {
        &[]
    }

    /// It has just come on top, by opening or by going back to it.
    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        Vec::new()
    }

    /// `shared.library` was read anew while it is in front.
    fn on_library(&mut self, _shared: &mut Shared) -> Vec<Act> {
        Vec::new()
    }

    /// A job it started in this slot reported.
    fn on_job(&mut self, _slot: &'static str, _event: JobEvent, _shared: &mut Shared) -> Vec<Act> {
        Vec::new()
    }

    /// The row under the cursor as text, for the clipboard.
    fn row_text(&self, _shared: &Shared) -> Option<String> {
        None
    }

    /// When it wants [`Layer::on_tick`]; `None` while nothing moves.
    fn deadline(&self) -> Option<Millis> {
        None
    }

    /// Its deadline has come; `shared.now` tells the time.
    fn on_tick(&mut self, _shared: &mut Shared) -> Vec<Act> {
        Vec::new()
    }

    /// Whether what was asked for could not be opened, so that a script that asked should know.
    fn failed(&self) -> bool {
        false
    }

    /// Its facts as text, one a line, worst first, words instead of signs: what `--plain` prints.
    fn plain(&self, shared: &Shared) -> Vec<String>;
}

/// A screen: a layer with a title and, if it shows a run, a rail.
pub trait Place: Layer {
    /// What it is about, and the facts that qualify everything on it.
    fn title(&self, shared: &Shared) -> Title;

    /// The rows of the pane with the keys as a table, whole values, as many as the filter leaves: what `export` writes.
    /// `None` where it shows no list.
    fn table(&self, _shared: &Shared) -> Option<Table> {
        None
    }

    /// What it shows can be written as one page for a browser: a name for its file.
    fn page_name(&self) -> Option<String> {
        None
    }

    /// That page.
    fn page(&self) -> Option<String> {
        None
    }

    /// The run's steps for the bottom row.
    fn rail(&self, _shared: &Shared) -> Rail {
        Rail::default()
    }
}

/// An overlay: a layer with a heading.
pub trait Overlaid: Layer {
    /// What stands in its frame.
    fn heading(&self) -> String;
}

/// The title bar without the product and the screen's name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Title {
    /// What the screen is about; cut in the middle where there is no room.
    pub subject: String,
    /// Facts that qualify everything below, right aligned; the last ones stay longest.
    pub facts: Vec<Fact>,
}

/// A short fact with its role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The words.
    pub text: String,
    /// What they are.
    pub role: Role,
}

impl Fact {
    /// A fact of that role.
    pub fn new(text: impl Into<String>, role: Role) -> Self {
        Self {
            text: text.into(),
            role,
        }
    }
}

/// The steps of a run on the bottom row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rail {
    /// Steps, first to last.
    pub steps: Vec<RailStep>,
    /// The step the world stands at, an index into `steps`.
    pub now: usize,
    /// What follows the steps: `branch main`.
    pub tail: String,
    /// Whether each is a part of a long run, a sign without a name: they stand side by side, all of them.
    pub dense: bool,
}

/// One step on the rail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RailStep {
    /// `s4 open`, with its sign if it has one: `s8✗`.
    pub text: String,
    /// What it is.
    pub role: Role,
}
