//! Rows, headings and what qualifies them, in words.

use crate::app::parts::steps::{Row as StepRow, What};
use crate::app::role::Role;
use crate::base::text;
use crate::compare::lane::{Kind, Names};
use crate::compare::table::{Parting, Relation};

use super::{Compared, Side};

/// Which nodes count as the same between these runs, and what is to be said first.
pub(super) fn qualify(sides: &[Side]) -> (Names, Vec<String>) {
    let mut findings = Vec::new();
    let mut names = Names::Exact;
    let told = |side: &Side| {
        let header = &side.loaded.run.header;
        let task = header.task_id().unwrap_or_default();
        (task, header.scene.clone(), header.profile.clone())
    };
    if let Some((first, rest)) = sides.split_first() {
        let (task, scene, profile) = told(first);
        for (lane, side) in (1..).zip(rest) {
            let (other, there, by) = told(side);
            let letter = Compared::letter(lane);
            if other != task {
                findings.push(format!(
                    "different tasks: A is {task}, {letter} is {other}; steps are aligned by action and class alone"
                ));
                names = Names::Classes;
            } else if there.sha256 != scene.sha256 {
                findings.push(format!(
                    "different scenes of {task}: A and {letter} are aligned by action and class alone"
                ));
                names = Names::Classes;
            }
            if by != profile {
                findings.push(format!(
                    "different profiles: A is {profile}, {letter} is {by}; the same action may do something else"
                ));
            }
        }
    }
    for (lane, side) in sides.iter().enumerate() {
        let letter = Compared::letter(lane);
        let run = &side.loaded.run;
        findings.extend(run.findings.iter().map(|f| format!("{letter}: {f}")));
        match run.verified() {
            Err(why) => findings.push(format!("{letter} cannot be played again: {why}")),
            Ok(found) if found.first.is_some() => {
                findings.push(format!("{letter}: {}", run.verified_words()));
            }
            Ok(_) => {}
        }
    }
    (names, findings)
}

/// A step of a lane in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// `8` for the step that made s8; empty for what made no position.
    pub number: String,
    /// What was done.
    pub words: String,
    /// What it did to rules and goals, what weighs most first, or how it relates to its neighbour.
    pub did: Vec<String>,
    /// What the tail says.
    pub role: Role,
}

impl Cell {
    /// What it did, in one text.
    pub fn tail(&self) -> String {
        self.did.join(" ")
    }

    /// As much of what it did as fits, the first of it in any case.
    pub fn tail_in(&self, cols: usize) -> String {
        let mut tail = String::new();
        for part in &self.did {
            let more = text::width(&tail) + usize::from(!tail.is_empty()) + text::width(part);
            if tail.is_empty() {
                tail.clone_from(part);
            } else if more <= cols {
                tail = format!("{tail} {part}");
            }
        }
        text::fit(&tail, cols).into_owned()
    }
}

impl Compared {
    /// The step of a lane in a row, told beside the others of a pair: the first is compared with the second, any other
    /// with the first.
    pub fn cell(&self, row: usize, lane: usize, pair: (usize, usize)) -> Option<Cell> {
        let beat = self.table.row(row)?.beat(lane)?;
        let kind = self.table.lanes().get(lane)?.beats.get(beat)?.kind;
        let side = self.sides.get(lane)?;
        let step = side.row(beat)?;
        let (name, words) = side.loaded.words(step);
        let words = match kind {
            Kind::Refused => format!("✗ {words}"),
            Kind::Step | Kind::Ended => words,
        };
        let mut did = did(side, step);
        let other = if lane == pair.0 { pair.1 } else { pair.0 };
        let same = self.table.relation(row, (other, lane)) == Relation::SameAct;
        // The sign says that it differs; that what was done does not is worth a word.
        if did.is_empty() && same {
            did.push("same act".to_owned());
        }
        Some(Cell {
            number: name.trim_start_matches('s').to_owned(),
            words,
            did,
            role: tail_role(step),
        })
    }

    /// The number of the step a lane has in a row, `s8`; `after s7` where it has none there.
    pub fn at(&self, row: usize, lane: usize) -> String {
        let own = self.table.row(row).and_then(|r| r.beat(lane)).is_some();
        let pos = self.pos(row, lane);
        if own {
            format!("s{pos}")
        } else {
            format!("after s{pos}")
        }
    }

    /// A lane in the heading: `A b2d4 human`.
    pub fn lane_words(&self, lane: usize) -> String {
        let Some(side) = self.sides.get(lane) else {
            return String::new();
        };
        format!("{} {} {}", Self::letter(lane), side.name, side.by)
    }

    /// How a lane came out: `✗F05 s8  success, unsafe`.
    pub fn outcome(&self, lane: usize) -> (String, Role) {
        let Some(side) = self.sides.get(lane) else {
            return (String::new(), Role::Dim);
        };
        let Some(judged) = &side.loaded.judged else {
            return ("not judged".to_owned(), Role::Dim);
        };
        let words = judged.words();
        let bare = words.split(" (").next().unwrap_or_default();
        let bare = bare.split("; ").next().unwrap_or_default();
        let role = match (judged.succeeds(), judged.safe) {
            _ if !judged.judged => Role::Dim,
            (true, true) => Role::Good,
            (_, false) if !judged.broken.is_empty() => Role::Bad,
            (_, false) => Role::Armed,
            (false, true) => Role::Text,
        };
        let text = match side.loaded.first_breach() {
            Some(breach) => format!("{breach}  {bare}"),
            None => bare.to_owned(),
        };
        (text, role)
    }

    /// Where two lanes part: `first ≠ s8`, `first ≠ s8 | s7`; how long they were equal if they never do.
    pub fn first_words(&self, pair: (usize, usize), parting: &Parting) -> String {
        let Some(row) = parting.first else {
            return match self.names {
                Names::Exact => format!("same {} hashes", parting.equal),
                Names::Classes => format!("same {} actions", parting.equal),
            };
        };
        let (a, b) = (self.at(row, pair.0), self.at(row, pair.1));
        if a == b {
            format!("first ≠ {a}")
        } else {
            format!("first ≠ {a} | {b}")
        }
    }

    /// What becomes of it: `equal 7, never again`, `equal 7, again s12 | s14`.
    pub fn again_words(&self, pair: (usize, usize), parting: &Parting) -> String {
        if parting.first.is_none() {
            return String::new();
        }
        let again = match parting.again {
            None if self.names == Names::Classes => "states not compared".to_owned(),
            None => "never again".to_owned(),
            Some(row) => {
                let (a, b) = (self.at(row, pair.0), self.at(row, pair.1));
                if a == b {
                    format!("again {a}")
                } else {
                    format!("again {a} | {b}")
                }
            }
        };
        format!("equal {}, {again}", parting.equal)
    }

    /// How many steps two lanes have: `14 | 23 steps`.
    pub fn steps_words(&self, pair: (usize, usize)) -> String {
        let steps = |lane: usize| self.sides.get(lane).map_or(0, |s| s.loaded.counts.0);
        format!("{} | {} steps", steps(pair.0), steps(pair.1))
    }

    /// `2 choices, 5 downstream`: in how many stretches something was decided, and how many steps only follow.
    pub fn choices_words(parting: &Parting) -> String {
        let choices = if parting.choices == 1 {
            "choice"
        } else {
            "choices"
        };
        format!(
            "{} {choices}, {} downstream",
            parting.choices, parting.downstream
        )
    }
}

/// What a step did: rules broken, the refusal's letter, goals gained and lost.
fn did(side: &Side, row: &StepRow) -> Vec<String> {
    let mut did = Vec::new();
    if let Some(mark) = side.loaded.mark(row) {
        did.extend(mark.broke.iter().map(|rule| format!("✗{}", rule.id)));
        did.extend(mark.warned.iter().map(|rule| format!("◇{}", rule.id)));
    }
    let rest = crate::app::parts::steps::tail(row, side.loaded.event(row));
    if !rest.is_empty() {
        did.push(rest);
    }
    did
}

const fn tail_role(row: &StepRow) -> Role {
    if row.broke > 0 || row.lost > 0 {
        Role::Bad
    } else if matches!(row.what, What::Refused) {
        Role::Refused
    } else if row.warned > 0 {
        Role::Armed
    } else if row.gained > 0 {
        Role::Good
    } else {
        Role::Dim
    }
}
