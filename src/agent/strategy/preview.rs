//! What a model would be told by a prompt file, for whoever edits it.

use crate::agent::session::Terms;
use std::sync::Arc;

use crate::agent::chat::Role;
use crate::agent::prompt::{PARTS, Prompts};
use crate::task::episode::Episode;

use super::talk::{COMMON, Talk, goal_lines};
use super::{Ctx, Settings};

/// Parts of the common file that are told with the task; those that are told after it are not.
const ASKED: [&str; 2] = ["task", "goals"];
const LATER: [&str; 4] = ["step", "nothing_new", "unread", "trial"];

/// What stands in for words that only a game gives.
const STAND_INS: [(&str, &str); 19] = [
    ("feedback", "(what came of the command)"),
    ("critique", "(what was said about the attempt)"),
    ("errors", "(which step could not be done, and why)"),
    ("plan", "(the plan)"),
    ("reference", "(a plan that is known to work)"),
    ("prompt", "(what was first asked)"),
    ("kinds", "(the kinds of disturbances, a line each)"),
    ("lines", "16"),
    ("budget", "8"),
    ("events", "1"),
    ("count", "12"),
    ("task", "(the task, where RED knows it)"),
    ("steps", "(what each step changes, where RED sees it)"),
    ("name", "B1"),
    ("cases", "(the cases in which it lost)"),
    ("case", "R1"),
    ("happens", "(what RED did)"),
    ("trace", "(what was done, a line a step)"),
    ("loss", "(where it lost, and by what)"),
];

/// What is said with the part of a file, its words filled in from an episode: the whole of the standing orders where the
/// part is of these, what is asked where it is of that, else the part itself.
pub fn preview(episode: &Episode, prompts: Arc<Prompts>, file: &str, part: &str) -> String {
    let settings = Settings {
        goals: part == "goals",
        ..Settings::new(prompts)
    };
    let ctx = Ctx {
        episode,
        settings: &settings,
        left: Terms::default().steps,
    };
    let mut talk = Talk::default();
    let form = if file == COMMON { "react" } else { file };
    talk.begin(&ctx, form, "");
    let said = |role: Role| {
        let first = talk.messages.iter().find(|m| m.role == role);
        first.map_or_else(String::new, |m| m.text.clone())
    };
    if file == COMMON && ASKED.contains(&part) {
        return said(Role::User);
    }
    if part == "format" || file == COMMON && !LATER.contains(&part) {
        return said(Role::System);
    }
    let observation = Talk::default().whole(&ctx);
    let left = Terms::default().steps.to_string();
    let goal_list = goal_lines(episode.ledger().goals());
    let known = PARTS.iter().find(|p| p.file == file && p.name == part);
    let words: Vec<(&str, &str)> = known
        .map_or(&[][..], |p| p.fills)
        .iter()
        .map(|name| {
            let stand_in = STAND_INS.iter().find(|(n, _)| n == name);
            let word = match *name {
                "observation" => &observation,
                "left" => &left,
                "instruction" => &episode.setup().task.instruction,
                "goals" => &goal_list,
                "example" => "R1: The fridge was open at step 3.",
                _ => stand_in.map_or("", |(_, word)| *word),
            };
            (*name, word)
        })
        .collect();
    settings.prompts.fill(file, part, &words)
}

/// About how many tokens a text is: a quarter of its characters, as English has it.
pub fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}
