//! Prompt as a layer and a place.

use std::sync::Arc;

use crate::agent::prompt::version;
use crate::agent::strategy::tokens;
use crate::app::commands::Availability;
use crate::app::jobs::{Job, JobEvent, LoadedTask, Reply};
use crate::app::layer::{Act, Fact, Layer, Place, Title};
use crate::app::msg::Millis;
use crate::app::notice::Notice;
use crate::app::role::Role;
use crate::app::state::Shared;
use crate::task::episode::Episode;

use super::{Draft, Editor, Stage, TRY, Trial, Trying, USUAL, fault_words};

/// The slots of the jobs.
const READ: &str = "read";
const TASK: &str = "task";
const SAVE: &str = "save";
const EDIT: &str = "edit";

impl Editor {
    fn load(&self) -> Act {
        let name = self.task.clone().unwrap_or_else(|| USUAL.to_owned());
        Act::Job(TASK, Job::LoadTask(name))
    }

    fn opened(loaded: &LoadedTask) -> Result<Box<Episode>, String> {
        let setup = loaded.setup.clone();
        let profile = setup.task.profile_for(None)?;
        let begun = Episode::start(Arc::new(setup), profile);
        begun
            .map(|(episode, _)| Box::new(episode))
            .map_err(|d| d.to_string())
    }

    /// The file and the draft that can be written.
    fn unsaved(&self) -> Option<&Draft> {
        let file = self.file()?;
        let draft = self.draft.as_ref().filter(|d| d.name == file.name)?;
        self.is_changed(file).then_some(draft)
    }

    fn when_save(&self) -> Availability {
        match self.unsaved() {
            None => Availability::blocked("nothing was changed"),
            Some(draft) => match draft.faults.as_slice() {
                [] => Availability::Ready,
                [first, ..] => Availability::blocked(format!("mend {}", fault_words(first))),
            },
        }
    }

    /// Puts the caret on the first fault behind it, or on the first of all.
    fn seek_fault(&mut self) {
        let Some(draft) = &mut self.draft else {
            return;
        };
        let place = |fault: &crate::base::diag::Diagnostic| {
            let line = fault.line.unwrap_or(1).saturating_sub(1) as usize;
            (line, fault.column.unwrap_or(1).saturating_sub(1) as usize)
        };
        let here = draft.edit.caret();
        let mut places = draft.faults.iter().map(place);
        let first = places.clone().next();
        if let Some((line, column)) = places.find(|at| *at > here).or(first) {
            draft.edit.go(line, column);
        }
    }
}

impl Layer for Editor {
    fn contexts(&self) -> Vec<&'static str> {
        if self.editing {
            vec!["editor", "input"]
        } else {
            vec!["prompts", "pane", "list"]
        }
    }

    fn when(&self, command: &str, args: &str, shared: &Shared) -> Availability {
        match command {
            "prompt-edit" | "prompt-diff" => {
                Availability::when(self.file().is_some(), "the files are not read yet")
            }
            "editor-save" => self.when_save(),
            "editor-fault" => Availability::when(
                self.draft.as_ref().is_some_and(|d| !d.faults.is_empty()),
                "nothing is wrong",
            ),
            "prompt-try" => Availability::when(self.file().is_some(), "the files are not read yet"),
            "editor-try" => self.when_try(args, shared),
            "editor-less" => Availability::when(self.below > 0, "this is its beginning"),
            "editor-task" if args.split_whitespace().count() > 1 => {
                Availability::blocked("name one task: editor-task V022")
            }
            "filter" => Availability::blocked("there is little to narrow here"),
            "next-pane" | "previous-pane" => Availability::blocked("Enter goes into the text"),
            "zoom-in" | "zoom-out" => Availability::blocked("the text has the room it needs"),
            _ => Availability::Ready,
        }
    }

    fn run(&mut self, command: &str, args: &str, shared: &mut Shared) -> Option<Vec<Act>> {
        match command {
            "prompt-edit" => self.edit(&shared.drafts),
            "prompt-diff" | "editor-diff" => {
                self.diff = !self.diff;
                self.below = 0;
            }
            "prompt-try" => {
                self.edit(&shared.drafts);
                return Some(vec![Act::Run("editor-try".to_owned())]);
            }
            "editor-try" => return Some(self.try_turn(args, shared)),
            "editor-outside" => {
                let draft = self.draft.as_ref()?;
                let edit = Act::Edit(EDIT, draft.name.clone(), draft.edit.text());
                return Some(vec![edit]);
            }
            "editor-out" if self.tried.is_some() => return Some(self.stop_trying()),
            "editor-out" => {
                self.editing = false;
                self.keep(&mut shared.drafts);
            }
            "editor-fault" => {
                self.seek_fault();
                self.look();
            }
            "editor-more" => self.below = self.below.saturating_add(shared.page() / 2),
            "editor-less" => self.below = self.below.saturating_sub(shared.page() / 2),
            "editor-save" => {
                let save = self.unsaved().map(|draft| {
                    let job = Job::SavePrompt(draft.name.clone(), draft.edit.text());
                    Act::Job(SAVE, job)
                });
                return Some(save.into_iter().collect());
            }
            "editor-task" if args.is_empty() => {
                let now = self.task.as_deref().unwrap_or("V022");
                return Some(vec![Act::Run(format!("command-line editor-task {now}"))]);
            }
            "editor-task" => {
                self.task = Some(args.to_owned());
                return Some(vec![self.load()]);
            }
            "out" => return Some(vec![Act::Leave]),
            "filter" | "next-pane" | "previous-pane" | "zoom-in" | "zoom-out" => {}
            _ if self.editing => {
                let draft = self.draft.as_mut()?;
                let (line, page) = (draft.edit.caret().0, shared.page());
                if !draft.edit.run(command, page) {
                    return None;
                }
                if draft.edit.caret().0 != line {
                    self.below = 0;
                }
                self.look();
            }
            _ => {
                let len = self.files().len();
                let before = self.list.cursor;
                if !self.list.run(command, len, shared.page()) {
                    return None;
                }
                if self.list.cursor != before {
                    self.below = 0;
                }
            }
        }
        Some(Vec::new())
    }

    fn takes_text(&self) -> bool {
        self.editing
    }

    fn on_text(&mut self, text: &str, _shared: &mut Shared) -> Vec<Act> {
        if let Some(draft) = &mut self.draft {
            draft.edit.insert(text);
        }
        self.look();
        Vec::new()
    }

    fn on_open(&mut self, _shared: &mut Shared) -> Vec<Act> {
        let mut acts = vec![Act::Job(READ, Job::Prompts)];
        if !matches!(self.episode, Some(Ok(_))) {
            acts.push(self.load());
        }
        acts
    }

    fn on_job(&mut self, slot: &'static str, event: JobEvent, shared: &mut Shared) -> Vec<Act> {
        match event {
            JobEvent::Progress { done, .. } if slot == TRY => {
                if let Some(Trial {
                    stage: Trying::Asking(_, came),
                    ..
                }) = &mut self.tried
                {
                    *came = done;
                }
            }
            JobEvent::Progress { .. } | JobEvent::Part(_) => {}
            JobEvent::Failed(reason) if slot == TRY => self.tried_to(Trying::Failed(reason)),
            JobEvent::Failed(reason) if slot == READ => self.stage = Stage::Failed(reason),
            JobEvent::Failed(reason) if slot == TASK => {
                self.episode = Some(Err(reason.clone()));
                return vec![Act::Notice(Notice::warn(reason))];
            }
            JobEvent::Failed(reason) => return vec![Act::Notice(Notice::error(reason))],
            JobEvent::Done(reply) => match *reply {
                Reply::Prompts(files) => {
                    let named = self.wanted.take();
                    let at = files.iter().position(|f| Some(&f.name) == named.as_ref());
                    self.stage = Stage::Done(files);
                    if let Some(at) = at {
                        self.list.cursor = at;
                        self.edit(&shared.drafts);
                    }
                    self.list.clamp(self.files().len());
                    self.keep(&mut shared.drafts);
                    self.look();
                }
                Reply::Tried(tried) => self.tried_to(Trying::Done(tried)),
                Reply::Edited(text) => {
                    if let Some(draft) = &mut self.draft {
                        draft.edit.replace(&text);
                    }
                    self.look();
                }
                Reply::Task(loaded) => {
                    self.episode = Some(Self::opened(&loaded));
                    self.look();
                }
                Reply::PromptSaved(path) => {
                    let read = Act::Job(READ, Job::Prompts);
                    let told = format!("{path}: saved; runs begun from now on use it");
                    let told = Notice::info(told).about(Some(format!("{path}:1")));
                    return vec![read, Act::Notice(told)];
                }
                _ => {}
            },
        }
        Vec::new()
    }

    fn deadline(&self) -> Option<Millis> {
        let trial = self.tried.as_ref()?;
        matches!(trial.stage, Trying::Asking(..)).then_some(self.ticked + 1_000)
    }

    fn on_tick(&mut self, shared: &mut Shared) -> Vec<Act> {
        self.ticked = shared.now;
        Vec::new()
    }

    fn row_text(&self, _shared: &Shared) -> Option<String> {
        let file = self.file()?;
        Some(format!("{} {}", file.name, version(file.text.as_bytes())))
    }

    fn failed(&self) -> bool {
        matches!(self.stage, Stage::Failed(_))
    }

    fn plain(&self, _shared: &Shared) -> Vec<String> {
        match &self.stage {
            Stage::Reading => return vec!["prompts: reading the files …".to_owned()],
            Stage::Failed(reason) => return vec![format!("prompts: {reason}")],
            Stage::Done(_) => {}
        }
        if let Some(draft) = self.draft.as_ref().filter(|_| self.editing) {
            let faults = draft.faults.iter().map(|f| format!("fault {f}"));
            let mut lines: Vec<String> = faults.collect();
            lines.push(format!(
                "{} part {}, about {} tokens",
                draft.name,
                draft.part,
                tokens(&draft.told)
            ));
            lines.extend(draft.told.lines().map(|line| format!("told: {line}")));
            lines.extend(self.tried.as_ref().map(Trial::lines).unwrap_or_default());
            return lines;
        }
        self.files()
            .iter()
            .map(|file| {
                let version = version(file.text.as_bytes());
                format!("{} version {version}, {}", file.name, file.source())
            })
            .collect()
    }
}

impl Place for Editor {
    fn title(&self, _shared: &Shared) -> Title {
        let Some(file) = self.file() else {
            return Title::default();
        };
        let mut facts = Vec::new();
        if self.is_changed(file) {
            facts.push(Fact::new("✎ not saved", Role::Armed));
        }
        let faults = self.draft.as_ref().map_or(0, |d| d.faults.len());
        if faults > 0 && self.editing {
            let ending = if faults == 1 { "" } else { "s" };
            facts.push(Fact::new(format!("{faults} fault{ending}"), Role::Error));
        }
        facts.push(Fact::new(file.source(), Role::Dim));
        Title {
            subject: format!("{} {}", file.name, version(file.text.as_bytes())),
            facts,
        }
    }
}
