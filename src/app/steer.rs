//! Stepping in on a run that somebody plays: the commands that several screens share, and the line that is asked for.

use std::path::PathBuf;

use crate::agent::hold::Hold;
use crate::agent::session::Control;
use crate::app::commands::{Availability, Command};
use crate::app::edit::LineEdit;
use crate::app::jobs::{Job, JobEvent};
use crate::app::layer::Act;
use crate::app::live::Status;
use crate::app::notice::Notice;

/// The slot of the job that sends.
pub const SLOT: &str = "steer";

/// Commands on a run that goes on.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "veto",
        "veto",
        "Forbid the act that waits; the agent is told your reason.",
    )
    .with("[REASON]"),
    Command::new("pass", "pass", "Let the act pass that waits."),
    Command::new(
        "pause",
        "pause",
        "Stop the run before its next act, or let it go on.",
    ),
    Command::new("message", "message", "Say something to the agent.").with("[TEXT]"),
    Command::new(
        "take-over",
        "take over",
        "Act instead of the agent, or hand back to it.",
    ),
    Command::new("let-one", "one act", "Let one act pass and stop again."),
    Command::new(
        "pass-branch",
        "on a branch",
        "Do the act that waits on a branch, look, and leave it behind; the agent is told it was vetoed.",
    )
    .with("[REASON]"),
    Command::new("end-run", "end", "End the run for good; asks for a reason.").with("[REASON]"),
    Command::new(
        "hold",
        "hold",
        "Say what is held from now on: off, core !3 ask 30 veto, core !3 block.",
    )
    .with("POLICY"),
    Command::new(
        "notify",
        "bell",
        "Ring the bell when a run is held, breaks a rule, stalls or ends.",
    ),
];

/// Commands of the line that is asked for.
pub const SAY: &[Command] = &[
    Command::new("say-send", "send", "Send it to the run."),
    Command::new("say-close", "close", "Send nothing."),
];

/// The run that is stepped in on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its folder.
    pub folder: PathBuf,
    /// How it stands.
    pub status: Status,
    /// Whether an act waits.
    pub waits: bool,
    /// Whether a person said stop before the next act.
    pub paused: bool,
    /// Why the act that waits might be vetoed.
    pub reason: String,
}

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A veto's reason.
    Veto,
    /// The reason of a veto after a look on a branch.
    Branch,
    /// A message to the agent.
    Message,
    /// Why the run is ended.
    End,
    /// An act by hand.
    Act,
}

/// A line that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Say {
    /// What for.
    pub kind: Kind,
    /// What is typed.
    pub line: LineEdit,
    /// The folder of the run it goes to.
    pub folder: PathBuf,
}

impl Say {
    /// A line for a run, with what stands there at first.
    pub fn new(kind: Kind, folder: PathBuf, text: &str) -> Self {
        Self {
            kind,
            line: LineEdit::new(text),
            folder,
        }
    }

    /// What stands above the line.
    pub const fn title(&self) -> &'static str {
        match self.kind {
            Kind::Veto => "Veto, reason to the agent",
            Kind::Branch => "Look on a branch, then veto, reason to the agent",
            Kind::Message => "Message to the agent",
            Kind::End => "End this run, reason",
            Kind::Act => "Act by hand",
        }
    }

    /// What stands below it.
    pub const fn hint(&self) -> &'static str {
        match self.kind {
            Kind::Veto => "Enter vetoes the act, Esc leaves it waiting",
            Kind::Branch => {
                "Enter does the act on a branch, goes back and vetoes it; Esc leaves it waiting"
            }
            Kind::Message => "Enter sends it; the agent reads it with the next observation",
            Kind::End => "Enter ends the run for good, Esc lets it go on",
            Kind::Act => "Enter does it: grab fork, Done or [Avoid] reason; Esc closes",
        }
    }

    /// What is sent.
    pub fn control(&self) -> Control {
        let text = self.line.text().trim().to_owned();
        match self.kind {
            Kind::Veto => Control::Veto(text),
            Kind::Branch => Control::PassOnBranch(text),
            Kind::Message => Control::Message(text),
            Kind::End => Control::End(text),
            Kind::Act => Control::Act(text),
        }
    }
}

/// What a command comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A line is asked for.
    Ask(Say),
    /// This is sent.
    Send(Control),
    /// It cannot be: why.
    Wrong(String),
}

/// Whether a command can be run on that run now.
pub fn when(subject: Option<&Subject>, command: &str) -> Availability {
    if command == "notify" {
        return Availability::Ready;
    }
    let Some(subject) = subject else {
        return Availability::blocked("no run is chosen");
    };
    let plays = subject.status != Status::Ended;
    let by_hand = subject.status == Status::Hand;
    match command {
        _ if !plays => Availability::blocked("this run is over"),
        "veto" | "pass" | "pass-branch" | "let-one" => Availability::when(
            subject.waits && !by_hand,
            "no act waits: Space stops the run before the next one",
        ),
        _ => Availability::Ready,
    }
}

/// What a command of [`COMMANDS`] comes to; `None` for other commands.
pub fn run(subject: &Subject, command: &str, args: &str) -> Option<Step> {
    let ask = |kind: Kind, text: &str| {
        let say = Say::new(kind, subject.folder.clone(), args);
        if args.is_empty() {
            Step::Ask(Say::new(kind, subject.folder.clone(), text))
        } else {
            Step::Send(say.control())
        }
    };
    Some(match command {
        "veto" => ask(Kind::Veto, &subject.reason),
        "pass-branch" => ask(Kind::Branch, &subject.reason),
        "message" => ask(Kind::Message, ""),
        "end-run" => ask(Kind::End, ""),
        "pass" => Step::Send(Control::Pass),
        "let-one" => Step::Send(Control::Step),
        "pause" if subject.paused => Step::Send(Control::Resume),
        "pause" => Step::Send(Control::Pause),
        "take-over" if subject.status == Status::Hand => Step::Send(Control::HandBack),
        "take-over" => Step::Send(Control::TakeOver),
        "hold" => match Hold::parse(args) {
            Ok(hold) => Step::Send(Control::Hold(hold)),
            Err(cure) => Step::Wrong(format!("hold {args}: {cure}")),
        },
        _ => return None,
    })
}

/// Runs a command of the `say` or `input` context on a line; `None` if it was none. The line is taken away when it is
/// sent or closed.
pub fn run_say(say: &mut Option<Say>, command: &str) -> Option<Vec<Act>> {
    let line = say.as_mut()?;
    match command {
        "say-close" => *say = None,
        "say-send" => {
            if line.kind == Kind::Act && says_no_reason(&line.line.text()) {
                return Some(vec![Act::Notice(Notice::info(SAY_WHY))]);
            }
            let acts = vec![send(&line.folder, line.control())];
            // Several acts by hand are typed one after the other.
            if line.kind == Kind::Act {
                line.line = LineEdit::default();
            } else {
                *say = None;
            }
            return Some(acts);
        }
        _ => return line.line.run(command).then(Vec::new),
    }
    Some(Vec::new())
}

/// What a person who refuses without a reason is told.
pub const SAY_WHY: &str = "say why: [Avoid] and the reason";

/// Whether an act by hand refuses the instruction and does not say why.
pub fn says_no_reason(act: &str) -> bool {
    matches!(act.trim(), "[Avoid]" | "avoid")
}

/// Sends a control to a run.
pub fn send(folder: &std::path::Path, control: Control) -> Act {
    Act::Job(SLOT, Job::Steer(folder.to_owned(), control))
}

/// What is told when sending reported.
pub fn sent(event: JobEvent) -> Vec<Act> {
    match event {
        JobEvent::Failed(reason) => vec![Act::Notice(Notice::error(reason))],
        _ => Vec::new(),
    }
}
