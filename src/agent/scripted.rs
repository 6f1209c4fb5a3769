//! An agent that does what is written down: the lines of a file, or the actions of a run.

use crate::plan::script;

use super::chat::{Failure, Reply};
use super::feedback::Feedback;
use super::strategy::{After, Ctx, Said, Strategy, TrialEnd, Want, Why};

/// Does its lines in order, refused ones too, and goes on. A line is an action in either notation, `Done`, or `[Avoid]` with
/// a reason; blank lines and those that begin with `#` are passed over. A line that is none of these ends the trial.
#[derive(Clone, Debug)]
pub struct Scripted {
    lines: Vec<String>,
    at: usize,
}

impl Scripted {
    /// One with these lines.
    pub fn new(lines: impl IntoIterator<Item = String>) -> Self {
        Self {
            lines: lines.into_iter().collect(),
            at: 0,
        }
    }

    /// One with the lines of a text.
    pub fn of(text: &str) -> Self {
        Self::new(text.lines().map(str::to_owned))
    }
}

impl Strategy for Scripted {
    fn next(&mut self, ctx: &Ctx<'_>) -> Want {
        while let Some(line) = self.lines.get(self.at) {
            self.at += 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line.eq_ignore_ascii_case("done") || line.eq_ignore_ascii_case("[done]") {
                return Want::EndTrial(Why::Done);
            }
            if let Some(reason) = avoidance(line) {
                return Want::EndTrial(Why::Avoided { reason });
            }
            let world = ctx.episode.timeline().world();
            return match script::read_for(world, line) {
                Ok(action) => Want::Do {
                    action,
                    line: world.line(action),
                },
                Err(error) => {
                    let said = format!("line {} of the script cannot be read: {error}", self.at);
                    self.at = self.lines.len();
                    Want::EndTrial(Why::GivenUp(said))
                }
            };
        }
        Want::EndTrial(Why::PlanEnd)
    }

    fn heard(&mut self, _: &Ctx<'_>, _: Result<Reply, Failure>) -> Vec<Said> {
        Vec::new()
    }

    fn happened(&mut self, _: &Ctx<'_>, _: &Feedback) {}

    fn trial_ended(&mut self, _: &Ctx<'_>, _: &TrialEnd) -> After {
        After::Over
    }
}

/// The reason of a line that refuses.
fn avoidance(line: &str) -> Option<String> {
    let bare = line.strip_prefix('[').unwrap_or(line);
    let (head, rest) = bare.split_at_checked("avoid".len())?;
    let rest = rest.strip_prefix(']').unwrap_or(rest);
    let apart = rest.is_empty() || rest.starts_with([' ', ':', '\t']);
    (head.eq_ignore_ascii_case("avoid") && apart)
        .then(|| rest.trim_matches([' ', ':', '\t']).to_owned())
}
