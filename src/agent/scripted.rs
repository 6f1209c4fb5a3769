//! An agent that does what is written down: the lines of a file, or the actions of a run.

use crate::plan::script;

use super::player::{Deed, Happening, Player, Standpoint, Want};

/// Does its lines in order, refused ones too, and goes on. A line is an action in either notation, `Done`, or `[Avoid]` with
/// a reason; blank lines and those that begin with `#` are passed over. A line that is none of these ends the
/// trial. Another trial begins with the first line.
#[derive(Clone, Debug)]
pub struct Scripted {
    lines: Vec<String>,
    at: usize,
    /// What it wants, until it is told something.
    want: Option<Want>,
}

impl Scripted {
    /// One with these lines.
    pub fn new(lines: impl IntoIterator<Item = String>) -> Self {
        Self {
            lines: lines.into_iter().collect(),
            at: 0,
            want: None,
        }
    }

    /// One with the lines of a text.
    pub fn of(text: &str) -> Self {
        Self::new(text.lines().map(str::to_owned))
    }
}

impl Scripted {
    /// What the next line asks for.
    fn line(&mut self, at: &Standpoint<'_>) -> Want {
        while let Some(line) = self.lines.get(self.at) {
            self.at += 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line.eq_ignore_ascii_case("done") || line.eq_ignore_ascii_case("[done]") {
                return Want::Do(Deed::Done);
            }
            if let Some(reason) = avoidance(line) {
                return Want::Do(Deed::Avoid(reason));
            }
            return match script::read_for(at.episode.timeline().world(), line) {
                Ok(action) => Want::Do(Deed::Act(action)),
                Err(error) => Want::Stop {
                    cause: "unreadable".to_owned(),
                    text: format!("line {} of the script cannot be read: {error}", self.at),
                },
            };
        }
        Want::Stop {
            cause: "script_end".to_owned(),
            text: "the script is at its end and does not call the task done".to_owned(),
        }
    }
}

impl Player for Scripted {
    fn next(&mut self, at: &mut Standpoint<'_>) -> Want {
        if let Some(want) = &self.want {
            return want.clone();
        }
        let want = self.line(at);
        self.want.insert(want).clone()
    }

    fn happened(&mut self, _: &mut Standpoint<'_>, what: &Happening) {
        match what {
            Happening::Message(_) => {}
            Happening::TrialEnded(_) => self.want = Some(Want::Begin),
            Happening::TrialBegun => (self.at, self.want) = (0, None),
            _ => self.want = None,
        }
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
