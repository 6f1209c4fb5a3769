//! The conversation of a strategy with its model.

use std::fmt::Write as _;

use serde_json::json;

use crate::agent::chat::{Finish, Message, Reply, Role, Schema};
use crate::agent::observe::View;
use crate::agent::reply::{self, Deed, Expect, Problem, ProblemKind, Published, Read};
use crate::plan::goal::GoalSet;
use crate::sim::vocab::Dialect;

use super::Ctx;

/// The prompt file of what all strategies say.
pub(super) const COMMON: &str = "common";

/// A conversation, and what of the world was told last.
#[derive(Debug, Default)]
pub(super) struct Talk {
    pub(super) messages: Vec<Message>,
    view: Option<View>,
}

impl Talk {
    pub(super) const fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Begins anew: the standing orders with the form that a file asks for, and the task; then what is to be remembered.
    pub(super) fn begin(&mut self, ctx: &Ctx<'_>, file: &str, remember: &str) {
        let prompts = &ctx.settings.prompts;
        let world = ctx.episode.timeline().world();
        let dialect = world.dialect();
        let of = |part: &str| prompts.fill(COMMON, &format!("{part}.{}", dialect.id), &[]);
        let list = actions(dialect, &of("needs"));
        let kept = |on: bool, part: &str| {
            if on {
                prompts.fill(COMMON, part, &[])
            } else {
                String::new()
            }
        };
        let system = prompts.fill(
            COMMON,
            "system",
            &[
                ("world", &of("world")),
                (
                    "actions",
                    &prompts.fill(COMMON, "actions", &[("actions", &list)]),
                ),
                ("cautions", &of("cautions")),
                ("safety", &kept(ctx.settings.guidelines, "safety")),
                ("avoid", &kept(ctx.settings.avoidance, "avoid")),
                ("format", &prompts.fill(file, "format", &[])),
                ("example", &of("example")),
            ],
        );
        self.messages = vec![Message {
            role: Role::System,
            text: system,
        }];
        let goals = if ctx.settings.goals {
            goals(ctx)
        } else {
            String::new()
        };
        let observation = self.whole(ctx);
        let task = prompts.fill(
            COMMON,
            "task",
            &[
                ("instruction", &ctx.episode.setup().task.instruction),
                ("goals", &goals),
                ("observation", &observation),
            ],
        );
        self.user(&task);
        self.user(remember);
    }

    /// Says something to the model; joined to what was said to it just before.
    pub(super) fn user(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.messages.last_mut() {
            Some(last) if last.role == Role::User => {
                last.text.push_str("\n\n");
                last.text.push_str(text);
            }
            _ => self.messages.push(Message {
                role: Role::User,
                text: text.to_owned(),
            }),
        }
    }

    /// What the model answered; of a long thought before it, nothing is kept in the conversation unless the published
    /// runner is followed.
    pub(super) fn answered(&mut self, ctx: &Ctx<'_>, reply: &Reply) {
        let bare = reply::without_thoughts(&reply.text);
        let whole = ctx.settings.published || bare.is_empty();
        self.assistant(if whole { &reply.text } else { &bare });
    }

    /// What the model said, or is to have said.
    pub(super) fn assistant(&mut self, text: &str) {
        // An endpoint takes no message without a text.
        let text = if text.trim().is_empty() {
            "(nothing)"
        } else {
            text
        };
        match self.messages.last_mut() {
            Some(last) if last.role == Role::Assistant => {
                last.text.push_str("\n\n");
                last.text.push_str(text);
            }
            _ => self.messages.push(Message {
                role: Role::Assistant,
                text: text.to_owned(),
            }),
        }
    }

    /// All that can be perceived.
    pub(super) fn whole(&mut self, ctx: &Ctx<'_>) -> String {
        let observing = ctx.settings.observing;
        let view = View::of(ctx.episode.timeline().world(), observing.scope);
        let text = view.text(observing.form);
        self.view = Some(view);
        text
    }

    /// What is told after a step: nothing, what is new, or all.
    fn news(&mut self, ctx: &Ctx<'_>) -> String {
        let observing = ctx.settings.observing;
        if ctx.settings.silent {
            return String::new();
        }
        let Some(before) = self.view.take().filter(|_| observing.diffs) else {
            return self.whole(ctx);
        };
        let view = View::of(ctx.episode.timeline().world(), observing.scope);
        let news = view.since(&before);
        let text = if news.is_empty() {
            ctx.settings.prompts.fill(COMMON, "nothing_new", &[])
        } else {
            view.news(&news, observing.form)
        };
        self.view = Some(view);
        text
    }

    /// Tells what came of a step.
    pub(super) fn step(&mut self, ctx: &Ctx<'_>, feedback: &str) {
        let observation = self.news(ctx);
        let words = [
            ("feedback", feedback),
            ("observation", &observation),
            ("left", &ctx.left.to_string()),
        ];
        let text = ctx.settings.prompts.fill(COMMON, "step", &words);
        self.user(&text);
    }

    /// Tells that a reply could not be read.
    pub(super) fn unread(&mut self, ctx: &Ctx<'_>, feedback: &str) {
        let words = [("feedback", feedback), ("left", &ctx.left.to_string())];
        let text = ctx.settings.prompts.fill(COMMON, "unread", &words);
        self.user(&text);
    }

    /// Tells that another trial begins, with all that can be perceived.
    pub(super) fn trial(&mut self, ctx: &Ctx<'_>) {
        let observation = self.whole(ctx);
        let words = [
            ("observation", &*observation),
            ("left", &ctx.left.to_string()),
        ];
        let text = ctx.settings.prompts.fill(COMMON, "trial", &words);
        self.user(&text);
    }

    /// What was first asked, for a critic: the standing orders and the task.
    pub(super) fn asked(&self) -> String {
        let first: Vec<&str> = self.messages.iter().take(2).map(|m| &*m.text).collect();
        first.join("\n\n")
    }
}

/// The commands with what they take, do and need, a line each.
fn actions(dialect: &Dialect, needs: &str) -> String {
    let mut text = String::new();
    for def in dialect.actions {
        let takes = match def.arity {
            0 => "",
            1 => " thing",
            _ => " first, second",
        };
        // What follows a semicolon is for people who compare simulators.
        let doc = def
            .doc
            .split(';')
            .next()
            .unwrap_or(def.doc)
            .trim_end_matches('.');
        let need = needs
            .lines()
            .find_map(|l| l.strip_prefix(def.name)?.strip_prefix(": "));
        let _ = match need {
            Some(need) => writeln!(text, "- {}{takes}: {doc}. Needs: {need}.", def.name),
            None => writeln!(text, "- {}{takes}: {doc}.", def.name),
        };
    }
    text
}

/// The success goals, a line each; safety goals are told to nobody who plays.
pub fn goal_lines(goals: &GoalSet) -> String {
    let success = goals.goals.iter().take(goals.success);
    let lines: Vec<String> = success.map(|g| format!("- {}", g.words())).collect();
    lines.join("\n")
}

/// The success goals with what is said around them.
fn goals(ctx: &Ctx<'_>) -> String {
    let list = goal_lines(ctx.episode.ledger().goals());
    if list.is_empty() {
        return String::new();
    }
    ctx.settings
        .prompts
        .fill(COMMON, "goals", &[("goals", &list)])
}

/// The form of one command, or of a plan, as a schema.
pub(super) fn schema(ctx: &Ctx<'_>, rationale: bool, plan: bool) -> Option<Schema> {
    if !ctx.settings.schema {
        return None;
    }
    let dialect = ctx.episode.timeline().world().dialect();
    let mut names: Vec<&str> = dialect.actions.iter().map(|a| a.name).collect();
    names.push("DONE");
    if ctx.settings.avoidance {
        names.push("[Avoid]");
    }
    let (action, text) = (
        json!({ "type": "string", "enum": names }),
        json!({ "type": "string" }),
    );
    let step = if rationale {
        json!({
            "type": "object",
            "properties": { "rationale": text, "action": action, "object": text },
            "required": ["rationale", "action", "object"],
            "additionalProperties": false,
        })
    } else {
        json!({
            "type": "object",
            "properties": { "action": action, "object": text },
            "required": ["action", "object"],
            "additionalProperties": false,
        })
    };
    // Endpoints that enforce a schema want an object outside.
    let whole = if plan {
        json!({
            "type": "object",
            "properties": { "plan": { "type": "array", "items": step } },
            "required": ["plan"],
            "additionalProperties": false,
        })
    } else {
        step
    };
    Some(Schema {
        name: if plan { "plan" } else { "command" }.to_owned(),
        json: whole.to_string(),
    })
}

/// A reply as it is understood. One that ran into a limit of length broke off, whatever can be made of its beginning.
pub(super) fn understood(ctx: &Ctx<'_>, reply: &Reply, expect: Expect) -> Read {
    let mut read = reply::read(&reply.text, ctx.episode.timeline().world(), expect);
    if reply.finish != Finish::Length {
        return read;
    }
    let ended = read
        .deeds
        .last()
        .is_some_and(|d| !matches!(d, Deed::Act { .. }));
    let silent = read
        .problem
        .as_ref()
        .is_some_and(|p| p.kind.published() == Published::Parsing);
    let unfinished = read.problem.is_none() && expect == Expect::Plan && !ended;
    if silent || unfinished {
        read.problem = Some(Problem {
            kind: ProblemKind::CutOff,
            at: 0..reply.text.len(),
            message: "the reply ran into the limit of its length; answer shorter".to_owned(),
            candidates: Vec::new(),
        });
    }
    read
}
