//! Trying the text for one turn.

use crate::agent::players;
use crate::app::commands::Availability;
use crate::app::jobs::Job;
use crate::app::layer::Act;
use crate::app::state::Shared;
use crate::app::tries::Try;

use super::{Editor, Trial, Trying, fault_words};

/// What is offered where nothing was tried yet.
const OFFERED: &str = "openai gpt-4.1-mini";

impl Editor {
    /// The agent and the model that are named, or those of the last time.
    fn whom(args: &str, shared: &Shared) -> Option<(String, String)> {
        let named = if args.trim().is_empty() {
            shared.tried_with.as_str()
        } else {
            args
        };
        let (agent, model) = named.trim().split_once(' ')?;
        Some((agent.to_owned(), model.trim().to_owned()))
    }

    pub(super) fn when_try(&self, args: &str, shared: &Shared) -> Availability {
        let Some(draft) = self.draft.as_ref() else {
            return Availability::blocked("no file is edited");
        };
        if let Some(first) = draft.faults.first() {
            return Availability::blocked(format!("mend {}", fault_words(first)));
        }
        match Self::whom(args, shared) {
            None if args.trim().is_empty() => Availability::Ready,
            None => {
                Availability::blocked(format!("name an agent and its model: editor-try {OFFERED}"))
            }
            Some((agent, _)) => match players::find(&agent) {
                Err(why) => Availability::blocked(why),
                Ok(kind) => Availability::when(kind.talks, "only chat models are told prompts"),
            },
        }
    }

    /// Asks the model, or who it is to be.
    pub(super) fn try_turn(&mut self, args: &str, shared: &mut Shared) -> Vec<Act> {
        let (Some((agent, model)), Some(draft)) = (Self::whom(args, shared), &self.draft) else {
            return vec![Act::Run(format!("command-line editor-try {OFFERED}"))];
        };
        let text = |file: &crate::app::prompts::PromptFile| {
            let text = if file.name == draft.name {
                draft.edit.text()
            } else {
                file.text.clone()
            };
            (file.name.clone(), text)
        };
        let asked = Try {
            agent,
            model,
            task: self.task.clone().unwrap_or_else(|| super::USUAL.to_owned()),
            file: draft.name.clone(),
            texts: self.files().iter().map(text).collect(),
        };
        shared.tried_with = asked.who();
        self.below = 0;
        self.ticked = shared.now;
        self.tried = Some(Trial {
            who: asked.who(),
            stage: Trying::Asking(shared.now, 0),
        });
        vec![Act::Job(super::TRY, Job::Try(Box::new(asked)))]
    }

    /// What came of the turn that is tried.
    pub(super) fn tried_to(&mut self, stage: Trying) {
        if let Some(trial) = &mut self.tried {
            trial.stage = stage;
        }
    }

    /// Nobody waits any more for the turn, or looks at it.
    pub(super) fn stop_trying(&mut self) -> Vec<Act> {
        self.tried = None;
        self.below = 0;
        vec![Act::Stop(super::TRY)]
    }
}

impl Trial {
    /// All of it as text.
    pub fn lines(&self) -> Vec<String> {
        let who = &self.who;
        match &self.stage {
            Trying::Asking(_, came) => vec![format!("asking {who}: {came} characters so far")],
            Trying::Failed(why) => vec![format!("{who} gave no reply: {why}")],
            Trying::Done(tried) => {
                let mut lines = vec![format!("tried with {who}, {}", tried.took())];
                let made = tried.lines().into_iter();
                lines.extend(made.map(|line| format!("understood: {line}")));
                lines.extend(tried.thought().map(|text| format!("thought: {text}")));
                let reply = tried.reply.text.lines();
                lines.extend(reply.map(|line| format!("reply: {line}")));
                lines
            }
        }
    }
}
