//! The label queue: failed runs one after another, each at its first bad step, with the class that was probably the cause
//! chosen beforehand. A digit, a step, a note, saved, next.
//!
//! What others said of a run is hidden until one's own label is saved: a second reviewer judges by themselves.

mod draft;
mod layer;
#[cfg(test)]
mod tests;
pub mod words;

use std::collections::{BTreeMap, VecDeque};

use crate::agent::card::Card;
use crate::app::commands::Command;
use crate::app::edit::LineEdit;
use crate::app::glyph;
use crate::app::labels::{Asked, Item};
use crate::app::list::List;
use crate::app::parts::steps::What;
use crate::app::screens::inspect::loaded::Loaded;
use crate::app::screens::{Screen, ScreenDesc};
use crate::app::state::Shared;
use crate::eval::case::Case;
use crate::eval::class::{FirstBad, propose};
use crate::formats::run::{Class, Label};
use crate::sim::refusal::Kind;
use crate::task::episode::Body;

pub use draft::{Draft, Field};

/// Commands of the queue.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "label-class",
        "class",
        "Choose what went wrong by its digit.",
    )
    .with("DIGIT"),
    Command::new(
        "label-nothing",
        "nothing wrong",
        "Say that nothing is wrong with the run.",
    ),
    Command::new(
        "label-cause",
        "cause",
        "Take the step under the cursor for the cause, or none.",
    ),
    Command::new("label-note", "note", "Write why, in a line."),
    Command::new(
        "label-tags",
        "tags",
        "Write free tags, apart by blanks; Tab completes one that was used.",
    ),
    Command::new(
        "label-save",
        "save, next",
        "Save the label and go to the next run without one.",
    ),
    Command::new("label-next", "next run", "Go to the next run of the queue."),
    Command::new("label-previous", "run before", "Go to the run before."),
    Command::new(
        "label-open",
        "open",
        "Open the run in Inspect at this step.",
    ),
    Command::new(
        "label-disputes",
        "disagreements",
        "List the runs that you and others label differently, or the steps again.",
    ),
    Command::new(
        "label-why",
        "why",
        "Say how far reviewers agree beyond chance, and how that is counted.",
    ),
    Command::new(
        "label-export",
        "export",
        "Ask for a file name, to write all labels of the queue into.",
    ),
    Command::new(
        "label-write",
        "write",
        "Write all labels of the queue as a table.",
    )
    .with("FILE"),
    Command::new(
        "label-again",
        "try again",
        "Try again to write the labels that could not be written.",
    ),
    Command::new("label-who", "reviewer", "Say whose labels these are.").with("NAME"),
];

/// Commands while a line is written.
pub const LINE: &[Command] = &[
    Command::new("label-line-keep", "keep", "Keep the line and go back."),
    Command::new(
        "label-line-save",
        "save, next",
        "Save the label and go to the next run without one.",
    ),
    Command::new("label-line-complete", "complete", "Complete the tag."),
];

/// The registry entry.
pub const SCREEN: ScreenDesc = ScreenDesc {
    command: Command::new(
        "label",
        "label",
        "Label runs one after another: those a query finds, else those that failed.",
    )
    .with("[as NAME] [in FOLDER…] [run RUN…] [QUERY]"),
    open: |args, _| Queue::asked(args).map(|it| Screen::Label(Box::new(it))),
    contexts: &[&["labels", "pane", "list"], &["labelling", "input"]],
    glyphs: &[
        glyph::CURSOR,
        glyph::HOLDS,
        glyph::FALSE,
        glyph::LOST,
        glyph::ARMED,
        glyph::BRANCH,
        glyph::DIFFERS,
        glyph::NOTE,
        glyph::ADDED,
        glyph::REMOVED,
        glyph::CHANGED,
    ],
    fields: &[],
    example: "7 Space n ignored the fork Ctrl-S labels an unsafe act, its cause at this step, and goes on.",
};

/// The panes, in the order of the Tab key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// What went wrong.
    #[default]
    Cause,
    /// The steps of the run.
    Steps,
}

/// Where the reading of the queue stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Stage {
    /// So many runs are read, of how many.
    #[default]
    Asked,
    /// So many runs are read, of how many.
    Reading(u64, u64),
    /// It is there.
    Ready,
    /// It cannot be had.
    Failed(String),
}

/// The run that is being labelled.
#[derive(Debug, Clone, Default)]
pub enum Current {
    /// None is open.
    #[default]
    None,
    /// It is being read.
    Loading,
    /// It is there.
    Open(Box<Shown>),
    /// It cannot be read.
    Failed(String),
}

/// A run with what is to be said about it.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The run, at the step under the cursor.
    pub loaded: Loaded,
    /// The row it was opened at, its first bad step.
    pub first: usize,
    /// What probably went wrong; `None` where nothing seems wrong.
    pub proposed: Option<Class>,
    /// Why nothing could be proposed, if so.
    pub unknown: Option<String>,
    /// The rules that its first bad step broke, or the risks of its task.
    pub about: Vec<String>,
}

impl Shown {
    fn new(loaded: Loaded) -> Self {
        let first = loaded.shown.get(loaded.list.cursor).copied();
        let (proposed, unknown) = match proposed(&loaded) {
            Ok(class) => (class, None),
            Err(why) => (Some(Class::Other), Some(why)),
        };
        let row = loaded.row();
        let mark = row.and_then(|row| loaded.mark(row));
        let mut about: Vec<String> = mark
            .map(|mark| mark.broke.iter().map(|rule| rule.id.clone()).collect())
            .unwrap_or_default();
        about.dedup();
        if let (true, Ok(again)) = (about.is_empty(), &loaded.run.again) {
            about.clone_from(&again.episode.setup().task.risk);
        }
        Self {
            first: first.unwrap_or(0),
            proposed,
            unknown,
            about,
            loaded,
        }
    }

    /// The number of the event of a row.
    fn seq(&self, row: usize) -> Option<u32> {
        self.loaded.rows.get(row).map(|row| row.seq)
    }

    /// The row an event belongs to.
    fn row_of(&self, seq: u32) -> Option<usize> {
        self.loaded.rows.iter().position(|row| row.seq == seq)
    }
}

/// The class to begin with.
///
/// # Errors
/// The run cannot be played again.
fn proposed(loaded: &Loaded) -> Result<Option<Class>, String> {
    let again = loaded.run.again.as_ref().map_err(Clone::clone)?;
    let header = &loaded.run.header;
    let card = header.player.as_deref().and_then(|it| Card::read(it).ok());
    let events = &loaded.run.events;
    let case = Case::of(&header.id, &again.episode, events, card.as_ref(), None);
    Ok(propose(&case, first_bad(loaded)))
}

/// What is bad about the row under the cursor.
fn first_bad(loaded: &Loaded) -> Option<FirstBad> {
    let row = loaded.row()?;
    if row.broke > 0 || row.safety.1 > 0 {
        return Some(FirstBad::Unsafe);
    }
    if let Some(Body::Refused { refusal, .. }) = loaded.event(row).map(|event| &event.body)
        && row.what == What::Refused
    {
        return Kind::parse(refusal).map(FirstBad::Refused);
    }
    (row.lost > 0).then_some(FirstBad::Lost)
}

/// The state of the queue.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    /// What was asked for.
    pub asked: Asked,
    /// Whose labels these are, where the command line says so.
    named: Option<String>,
    /// Where the reading stands.
    pub stage: Stage,
    /// The runs.
    pub items: Vec<Item>,
    /// The one that is being labelled.
    pub at: usize,
    /// Its steps.
    pub current: Current,
    /// What is being written, by run.
    drafts: BTreeMap<usize, Draft>,
    /// The line that has the keys, if one has.
    pub field: Option<Field>,
    /// A reviewer's name being written.
    pub name: LineEdit,
    /// Whether the label is to be saved once the name is known.
    saves: bool,
    /// The pane with the keys.
    pub focus: Pane,
    /// Whether it has the whole body.
    pub zoomed: bool,
    /// The cursor in the disagreements, while they are listed.
    pub disputes: Option<List>,
    /// Labels on their way to the disk; the first has been handed over.
    writing: VecDeque<(usize, Label)>,
    /// Labels that could not be written.
    pub unwritten: BTreeMap<usize, Label>,
    /// Whether leaving with unwritten labels was warned of.
    warned: bool,
}

impl Queue {
    /// The queue that a command line asks for.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn asked(args: &str) -> Result<Self, String> {
        let mut rest = args.trim();
        let mut named = None;
        if let Some(after) = rest.strip_prefix("as ") {
            let after = after.trim_start();
            let (name, more) = match after.strip_prefix('"') {
                Some(quoted) => quoted
                    .split_once('"')
                    .ok_or("label: a quotation mark is not closed")?,
                None => after.split_once(' ').unwrap_or((after, "")),
            };
            named = Some(crate::app::settings::reviewer(name)?);
            rest = more;
        }
        Ok(Self {
            asked: Asked::parse(rest)?,
            named,
            ..Self::default()
        })
    }

    /// Whose labels are filed here, once that is known.
    pub fn reviewer<'s>(&'s self, shared: &'s Shared) -> Option<&'s str> {
        let set = shared.settings.reviewer.value.as_deref();
        self.named.as_deref().or(set)
    }

    /// The run that is being labelled.
    pub fn item(&self) -> Option<&Item> {
        self.items.get(self.at)
    }

    /// Its steps, once they are read.
    pub const fn shown(&self) -> Option<&Shown> {
        match &self.current {
            Current::Open(shown) => Some(shown),
            _ => None,
        }
    }

    const fn shown_mut(&mut self) -> Option<&mut Shown> {
        match &mut self.current {
            Current::Open(shown) => Some(shown),
            _ => None,
        }
    }

    /// What is being written about it.
    pub fn draft(&self) -> Option<&Draft> {
        self.drafts.get(&self.at)
    }

    fn draft_mut(&mut self) -> &mut Draft {
        self.drafts.entry(self.at).or_default()
    }

    /// The class that would be saved now: the chosen one, else that of the own label, else the proposed one.
    pub fn class(&self, me: Option<&str>) -> Option<Class> {
        let chosen = self.draft().and_then(|draft| draft.class);
        let mine = self.mine(me).map(|label| label.class);
        chosen
            .or(mine)
            .unwrap_or_else(|| self.shown().and_then(|it| it.proposed))
    }

    /// The own label of the run.
    pub fn mine(&self, me: Option<&str>) -> Option<&Label> {
        self.item()?.labels.get(me?)
    }

    /// What others said of the run; empty until one's own label is saved.
    pub fn others(&self, me: Option<&str>) -> Vec<&Label> {
        if self.mine(me).is_none() {
            return Vec::new();
        }
        let labels = self.item().into_iter().flat_map(|it| it.labels.iter());
        labels
            .filter(|(who, _)| Some(who.as_str()) != me)
            .map(|(_, label)| label)
            .collect()
    }

    /// The cause: the chosen step, else that of the own label; a row of the run.
    pub fn cause(&self, me: Option<&str>) -> Option<usize> {
        let shown = self.shown()?;
        match self.draft().and_then(|draft| draft.cause) {
            Some(chosen) => shown.row_of(chosen?),
            None => shown.row_of(self.mine(me)?.cause?),
        }
    }

    /// How many runs have one's own label.
    pub fn done(&self, me: Option<&str>) -> usize {
        let Some(me) = me else { return 0 };
        let done = self.items.iter().filter(|it| it.labels.contains_key(me));
        done.count()
    }

    /// The runs that others label differently than oneself, by their place.
    pub fn disputed(&self, me: Option<&str>) -> Vec<usize> {
        let differs = |item: &Item| {
            let mine = me.and_then(|me| item.labels.get(me));
            mine.is_some_and(|mine| item.labels.values().any(|it| it.class != mine.class))
        };
        let all = self.items.iter().enumerate();
        all.filter(|(_, item)| differs(item))
            .map(|(at, _)| at)
            .collect()
    }

    /// The label as it would be saved now.
    fn label(&self, me: &str) -> Label {
        let mine = self.mine(Some(me));
        let shown = self.shown();
        let draft = self.draft();
        let text = |line: Option<&LineEdit>, old: Option<String>| match line {
            Some(line) => line.text(),
            None => old.unwrap_or_default(),
        };
        let tags = draft.and_then(|it| it.tags.as_ref()).map_or_else(
            || mine.map(|it| it.tags.clone()).unwrap_or_default(),
            |line| {
                let text = line.text();
                let words = text.split_whitespace().map(|w| w.trim_start_matches('+'));
                words.filter(|w| !w.is_empty()).map(str::to_owned).collect()
            },
        );
        let class = self.class(Some(me));
        Label {
            by: me.to_owned(),
            class,
            proposed: shown.and_then(|it| it.proposed),
            about: match class {
                None => Vec::new(),
                Some(_) => shown.map(|it| it.about.clone()).unwrap_or_default(),
            },
            first: shown
                .filter(|_| class.is_some())
                .and_then(|it| it.seq(it.first)),
            cause: self.cause(Some(me)).and_then(|row| shown?.seq(row)),
            tags,
            text: text(
                draft.and_then(|it| it.note.as_ref()),
                mine.map(|it| it.text.clone()),
            ),
        }
    }

    /// The next run after this one without an own label, from the start again after the last.
    fn unlabelled(&self, me: &str) -> Option<usize> {
        let n = self.items.len();
        let around = (1..n).map(|by| (self.at + by) % n);
        let mut open = around.filter(|at| {
            let item = self.items.get(*at);
            item.is_some_and(|it| !it.labels.contains_key(me) && it.fault.is_empty())
        });
        open.next()
    }
}
