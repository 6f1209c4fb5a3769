//! What the commands of the sheets do.

use crate::app::layer::Act;
use crate::app::list::List;
use crate::app::notice::Notice;
use crate::app::parts::rule;
use crate::app::parts::verdict::Outcome;
use crate::app::parts::why::Follow;
use crate::app::state::Shared;
use crate::formats::run::{Fault, NoteBody};
use crate::plan::script;
use crate::safety::verdict::Instance;
use crate::task::episode::Ending;

use super::game::Game;
use super::run::READ_ONLY;
use super::sheets::{About, Lines, Sheet, branches};

impl Game {
    pub(super) fn run_sheet(
        &mut self,
        command: &str,
        args: &str,
        shared: &Shared,
    ) -> Option<Vec<Act>> {
        match command {
            "close-sheet" | "line-close" | "reason-close" | "annotate-close" => {
                self.sheets.pop();
                return Some(Vec::new());
            }
            "follow" => return Some(self.follow()),
            "history" => {
                if let Some(Sheet::Lines(lines)) = self.sheets.last()
                    && let About::Node(ix) = lines.about
                {
                    self.open_lines(Some(About::History(ix)));
                }
                return Some(Vec::new());
            }
            "branch-go" => return Some(self.go_to_branch()),
            "next-binding" | "previous-binding" => {
                self.beside(command == "next-binding");
                return Some(Vec::new());
            }
            "mute" => return Some(self.mute(self.explained())),
            _ => {}
        }
        match self.sheets.last_mut()? {
            Sheet::Lines(lines) => {
                let len = lines.lines.len();
                lines.list.run(command, len, shared.page()).then(Vec::new)
            }
            Sheet::Branches(list) => {
                let len = self.episode.branches().all().len();
                list.run(command, len, shared.page()).then(Vec::new)
            }
            Sheet::Line(line) => match command {
                "line-do" => {
                    let text = line.text();
                    // Which of several is meant is asked where it is written.
                    if let Err(error) = script::read_for(self.episode.timeline().world(), &text)
                        && error.open
                    {
                        let text = format!("{error}; which one?");
                        return Some(vec![Act::Notice(Notice::info(text))]);
                    }
                    self.sheets.pop();
                    Some(self.play_lines(&text))
                }
                "line-complete" => {
                    *line = super::line::completed(self.episode.timeline().world(), line);
                    Some(Vec::new())
                }
                _ => line.run(command).then(Vec::new),
            },
            Sheet::Reason(line) => match command {
                "reason-avoid" => {
                    let reason = line.text().trim().to_owned();
                    self.sheets.pop();
                    Some(self.end(&Ending::Avoided(reason)))
                }
                _ => line.run(command).then(Vec::new),
            },
            Sheet::Annotate(goal) => {
                let (goal, fault) = (*goal, Fault::parse(args));
                (command == "fault").then(|| {
                    self.draft.mark(goal, fault);
                    self.sheets.pop();
                    Vec::new()
                })
            }
            Sheet::Verdict => {
                let goals = self.goals.len();
                match self.draft.run(command, args, goals, shared.page())? {
                    Outcome::Stay => Some(Vec::new()),
                    Outcome::Close => {
                        self.sheets.pop();
                        Some(Vec::new())
                    }
                    Outcome::Save => {
                        let verdict = self.draft.verdict(&self.episode);
                        Some(vec![self.saver.file(NoteBody::Verdict(verdict))])
                    }
                }
            }
        }
    }

    fn go_to_branch(&mut self) -> Vec<Act> {
        let Some(Sheet::Branches(list)) = self.sheets.pop() else {
            return Vec::new();
        };
        let tip = branches(&self.episode).get(list.cursor).map(|row| row.tip);
        let event = tip.and_then(|pos| self.episode.goto(pos));
        self.went(event, None)
    }

    /// Goes where the line under the cursor leads.
    fn follow(&mut self) -> Vec<Act> {
        match self.follows() {
            None => Vec::new(),
            Some(Follow::Node(ix)) => {
                self.open_lines(Some(About::Node(ix)));
                Vec::new()
            }
            Some(Follow::Refused(action)) => {
                self.open_lines(Some(About::Refused(action)));
                Vec::new()
            }
            Some(Follow::Goal(goal)) => {
                self.open_lines(Some(About::Goal(goal)));
                Vec::new()
            }
            Some(Follow::Rule(instance)) => {
                self.open_lines(Some(About::Rule(instance)));
                Vec::new()
            }
            Some(Follow::Finish) => {
                self.sheets.clear();
                self.end(&Ending::Done)
            }
            Some(Follow::Step(pos)) => {
                let event = self.episode.goto(pos);
                let acts = self.went(event, None);
                self.refresh_sheets();
                acts
            }
            Some(Follow::Do(action)) => {
                self.sheets.clear();
                if self.saver.read_only.is_some() {
                    return vec![Act::Notice(Notice::info(READ_ONLY))];
                }
                self.act(action)
            }
        }
    }

    /// The instance of a rule that the topmost sheet explains.
    pub(super) fn explained(&self) -> Option<Instance> {
        match self.sheets.last() {
            Some(Sheet::Lines(Lines {
                about: About::Rule(instance),
                ..
            })) => Some(*instance),
            _ => None,
        }
    }

    /// Explains the rule for the next nodes it is in force for.
    fn beside(&mut self, forward: bool) {
        let next = self
            .explained()
            .and_then(|it| rule::beside(&self.warnings.all, &it, forward));
        if let Some(next) = next {
            self.sheets.pop();
            self.open_lines(Some(About::Rule(next)));
        }
    }

    /// The sheets say what is so at another position now.
    fn refresh_sheets(&mut self) {
        let mut sheets = std::mem::take(&mut self.sheets);
        for sheet in &mut sheets {
            if let Sheet::Lines(lines) = sheet
                && let Some(fresh) = Lines::of(&mut self.episode, lines.about)
            {
                let cursor = lines.list.cursor.min(fresh.lines.len().saturating_sub(1));
                *lines = Lines {
                    list: List { cursor },
                    ..fresh
                };
            }
        }
        // A refusal that is none any more has nothing to say.
        let stands = |sheet: &Sheet, episode: &mut crate::task::episode::Episode| match sheet {
            Sheet::Lines(Lines {
                about: About::Refused(action),
                ..
            }) => episode.preview(*action).is_err(),
            _ => true,
        };
        sheets.retain(|sheet| stands(sheet, &mut self.episode));
        self.sheets = sheets;
    }
}
