//! A plan with branches as text: what [`super::read`] reads back as the same plan.

use std::fmt::Write as _;

use crate::plan::branching::{Branching, Step};
use crate::plan::script;
use crate::sim::scene::Scene;
use crate::sim::world::Action;

/// The plan in people's words, one step a line; an action is a program line where its words would not read back.
pub fn print(scene: &Scene, plan: &Branching) -> String {
    let mut text = String::new();
    steps(scene, &plan.steps, 0, &mut text);
    text
}

fn steps(scene: &Scene, all: &[Step], depth: usize, text: &mut String) {
    for step in all {
        let mut line = |words: &str| {
            let indent = 2 * depth;
            let _ = writeln!(text, "{:indent$}{words}", "");
        };
        match step {
            Step::Act(action) => line(&act(scene, *action)),
            Step::Stop => line("stop"),
            Step::Avoid(reason) => {
                // A reason is one line.
                let words: Vec<&str> = reason.split_whitespace().collect();
                line(format!("avoid {}", words.join(" ")).trim_end());
            }
            Step::If {
                all,
                then,
                otherwise,
            } => {
                let facts: Vec<&str> = all.iter().map(|g| g.text.as_str()).collect();
                line(&format!("if {} then", facts.join(" & ")));
                steps(scene, then, depth + 1, text);
                let indent = 2 * depth;
                if !otherwise.is_empty() {
                    let _ = writeln!(text, "{:indent$}else", "");
                    steps(scene, otherwise, depth + 1, text);
                }
                let _ = writeln!(text, "{:indent$}end", "");
            }
        }
    }
}

fn act(scene: &Scene, action: Action) -> String {
    let words = script::say(scene, action);
    if script::read_line(scene, &words) == Ok(action) {
        words
    } else {
        script::print_published(scene, action)
    }
}
