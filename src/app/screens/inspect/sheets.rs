//! What lies over the panes of Inspect: all about a node, how a goal stands, the verdict. Each closes with `Esc` to where
//! one was.

use crate::app::commands::Availability;
use crate::app::jobs::Job;
use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::parts::rule;
use crate::app::parts::verdict::{Draft, Outcome};
use crate::app::parts::why::Follow;
use crate::app::screens::play::sheets::{About, Lines};
use crate::app::state::Shared;
use crate::formats::run::NoteBody;
use crate::safety::verdict::Instance;
use crate::sim::timeline::Pos;

use super::Inspect;

/// One sheet.
#[derive(Clone, Debug)]
pub enum Sheet {
    /// Facts in lines, some of which lead on.
    Facts(Lines),
    /// The verdict; its draft is kept by the screen.
    Verdict,
}

/// The slot of the job that files a comment.
pub(super) const COMMENT: &str = "comment";

/// The slot of the job that files a verdict.
pub(super) const NOTE: &str = "note";

impl Inspect {
    /// Opens the facts about something at the step that is looked at.
    pub(super) fn open_facts(&mut self, about: About) {
        let there = self.loaded_mut().and_then(|it| it.there.as_mut());
        if let Some(facts) = there.and_then(|there| Lines::of(&mut there.episode, about)) {
            self.sheets.push(Sheet::Facts(facts));
        }
    }

    /// How many goals there are.
    fn goal_count(&self) -> usize {
        let there = self.loaded().and_then(|it| it.there.as_ref());
        there.map_or(0, |there| there.goals.len())
    }

    /// The contexts of the topmost sheet.
    pub(super) fn sheet_contexts(&self) -> Option<Vec<&'static str>> {
        Some(match self.sheets.last()? {
            Sheet::Facts(facts) if matches!(facts.about, About::Rule(_)) => {
                vec!["rule", "sheet", "list"]
            }
            Sheet::Facts(_) => vec!["sheet", "list"],
            Sheet::Verdict => self.draft.contexts(),
        })
    }

    /// Whether a command of the topmost sheet can be run.
    pub(super) fn when_sheet(&self, command: &str, args: &str) -> Availability {
        match self.sheets.last() {
            Some(Sheet::Verdict) => self.draft.when(command, args, self.goal_count()),
            Some(Sheet::Facts(facts)) => match command {
                "filter" => Availability::blocked("a sheet has no filter"),
                "follow" => match self.follows() {
                    None => Availability::blocked("this line leads nowhere"),
                    Some(Follow::Do(_) | Follow::Finish) => {
                        Availability::blocked("nothing is done here: F plays on")
                    }
                    Some(_) => Availability::Ready,
                },
                "mute" => Availability::blocked("rules are muted while a run is played"),
                "next-binding" | "previous-binding" => {
                    Availability::when(self.beside(true).is_some(), "it speaks of these nodes only")
                }
                "history" => Availability::when(
                    matches!(facts.about, About::Node(_)),
                    "only nodes have a history",
                ),
                _ => Availability::Ready,
            },
            None => Availability::Ready,
        }
    }

    fn follows(&self) -> Option<Follow> {
        match self.sheets.last()? {
            Sheet::Facts(facts) => facts.lines.get(facts.list.cursor)?.follow,
            Sheet::Verdict => None,
        }
    }

    /// Runs a command of the topmost sheet; `None` if it is none.
    pub(super) fn run_sheet(
        &mut self,
        command: &str,
        args: &str,
        shared: &Shared,
    ) -> Option<Vec<Act>> {
        let goals = self.goal_count();
        match self.sheets.last_mut()? {
            Sheet::Verdict => match self.draft.run(command, args, goals, shared.page())? {
                Outcome::Stay => {}
                Outcome::Close => {
                    self.sheets.pop();
                }
                Outcome::Save => return Some(self.file().into_iter().collect()),
            },
            Sheet::Facts(facts) => match command {
                "close-sheet" => {
                    self.sheets.pop();
                }
                "follow" => self.follow(),
                "history" => {
                    if let About::Node(ix) = facts.about {
                        self.open_facts(About::History(ix));
                    }
                }
                "next-binding" | "previous-binding" => {
                    if let Some(next) = self.beside(command == "next-binding") {
                        self.sheets.pop();
                        self.open_facts(About::Rule(next));
                    }
                }
                "filter" | "mute" => {}
                _ => {
                    let len = facts.lines.len();
                    return facts.list.run(command, len, shared.page()).then(Vec::new);
                }
            },
        }
        Some(Vec::new())
    }

    /// Goes to a position of the world.
    pub(super) fn go_to(&mut self, pos: Pos) {
        if let Some(it) = self.loaded_mut() {
            let at = it.recorded(pos);
            it.goto(at);
        }
        self.moved();
    }

    /// Goes where the line under the cursor leads.
    fn follow(&mut self) {
        match self.follows() {
            Some(Follow::Node(ix)) => self.open_facts(About::Node(ix)),
            Some(Follow::Refused(action)) => self.open_facts(About::Refused(action)),
            Some(Follow::Goal(goal)) => self.open_facts(About::Goal(goal)),
            Some(Follow::Rule(instance)) => self.open_facts(About::Rule(instance)),
            Some(Follow::Step(pos)) => {
                self.go_to(pos);
                self.renew();
            }
            Some(Follow::Do(_) | Follow::Finish) | None => {}
        }
    }

    /// The next nodes the rule that is explained has something to say about.
    fn beside(&self, forward: bool) -> Option<Instance> {
        let Some(Sheet::Facts(Lines {
            about: About::Rule(instance),
            ..
        })) = self.sheets.last()
        else {
            return None;
        };
        let there = self.loaded()?.there.as_ref()?;
        rule::beside(&there.warnings.all, instance, forward)
    }

    /// The sheets say what is so at another step now.
    fn renew(&mut self) {
        let mut sheets = std::mem::take(&mut self.sheets);
        if let Some(there) = self.loaded_mut().and_then(|it| it.there.as_mut()) {
            for sheet in &mut sheets {
                if let Sheet::Facts(facts) = sheet
                    && let Some(fresh) = Lines::of(&mut there.episode, facts.about)
                {
                    let cursor = facts.list.cursor.min(fresh.lines.len().saturating_sub(1));
                    *facts = Lines {
                        list: List { cursor },
                        ..fresh
                    };
                }
            }
        }
        self.sheets = sheets;
    }

    /// Files the verdict with the run, the step that is looked at as its witness.
    fn file(&self) -> Option<Act> {
        let it = self.loaded()?;
        let verdict = self.draft.verdict(&it.there.as_ref()?.episode);
        let job = Job::Note {
            folder: it.run.folder.clone(),
            body: NoteBody::Verdict(verdict),
        };
        Some(Act::Job(NOTE, job))
    }

    /// Writes a remark about the step.
    pub(super) fn comment(&self, text: &str) -> Option<Act> {
        let it = self.loaded()?;
        let job = Job::Note {
            folder: it.run.folder.clone(),
            body: NoteBody::Comment {
                at: it.record.seq(it.pos()),
                text: text.to_owned(),
            },
        };
        Some(Act::Job(COMMENT, job))
    }

    /// The verdict is on the disk.
    pub(super) fn filed(&mut self) {
        self.sheets.retain(|sheet| !matches!(sheet, Sheet::Verdict));
        self.draft = Draft::default();
    }

    /// A note is on the disk: says so, and reads the run again for it.
    pub(super) fn noted(&self, text: &str) -> Vec<Act> {
        let mut acts = self.read();
        acts.push(Act::Notice(Notice::info(text)));
        acts
    }
}
