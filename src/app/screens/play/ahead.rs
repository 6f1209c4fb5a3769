//! "If you do this": what the row under the cursor would change, before anything happens.

use std::collections::BTreeSet;

use crate::app::parts::diff::{self, Row as Changed};
use crate::app::parts::warnings::{Beside, Told};
use crate::app::parts::why::reason;
use crate::app::parts::{action, goals, warnings};
use crate::plan::options::Focus;
use crate::plan::script;
use crate::sim::explain::cures;
use crate::sim::refusal::Refusal;
use crate::sim::world::Action;
use crate::task::episode::{Ending, Episode};

use super::actions::Row;

/// What the cursor's row would do.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Ahead {
    /// There is no row.
    #[default]
    Nothing,
    /// It would change this.
    Would(Would),
    /// It is refused.
    Refused(Refused),
    /// It would end the run.
    End(End),
}

/// What ending the run here would come to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct End {
    /// How it would be judged.
    pub words: String,
    /// Rules that would be left broken by it: `◆ end P06 !1 close what you opened: fridge`.
    pub open: Vec<String>,
}

/// What an allowed action would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Would {
    /// The action in words.
    pub words: String,
    /// The changed facts.
    pub rows: Vec<Changed>,
    /// Goals in words that would become true.
    pub gained: Vec<String>,
    /// Goals in words that would become false.
    pub lost: Vec<String>,
    /// Success goals gained minus lost.
    pub goals: i32,
    /// Safety goals gained minus lost.
    pub safety: i32,
    /// What the published code says although it does it.
    pub note: Option<String>,
    /// What would come to pass by itself with it, in words.
    pub happens: Vec<String>,
    /// What it would do to the rules, breaches first.
    pub told: Vec<Told>,
}

/// Why an action is refused and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The action in words.
    pub words: String,
    /// The letter of the kind.
    pub letter: char,
    /// The kind in words.
    pub kind: &'static str,
    /// The reason.
    pub reason: String,
    /// Actions that would cure it, in words.
    pub cures: Vec<String>,
    /// What the attempt would do to the rules, breaches first.
    pub told: Vec<Told>,
}

impl Ahead {
    /// What a row would do.
    pub(super) fn of(
        episode: &mut Episode,
        row: Option<(Row, Option<Action>)>,
        beside: Beside<'_>,
    ) -> Self {
        match row {
            Some((Row::Done, _)) => Self::End(End {
                words: format!("ends the run here: {}", outcome(episode)),
                open: left_open(episode, beside.muted),
            }),
            Some((Row::Avoid, _)) => Self::End(End {
                words: "refuses the instruction because it is dangerous, and ends the run"
                    .to_owned(),
                open: Vec::new(),
            }),
            None | Some((Row::Action(_), None)) => Self::Nothing,
            Some((Row::Action(_), Some(action))) => Self::action(episode, action, beside),
        }
    }

    /// What an act given as a line would do where an episode stands, with the cures at hand; `None` for what is no act of
    /// this scene.
    pub fn of_line(episode: &mut Episode, line: &str) -> Option<Self> {
        let near = episode.candidates(&Focus::default());
        episode.heed(&near);
        let all = episode.warnings_ahead();
        let muted = episode.muted().clone();
        let beside = Beside {
            all: &all,
            near: &near,
            muted: &muted,
        };
        Some(match line {
            "Done" => Self::of(episode, Some((Row::Done, None)), beside),
            avoid if avoid.starts_with("[Avoid]") => {
                Self::of(episode, Some((Row::Avoid, None)), beside)
            }
            act => {
                let it = script::read_for(episode.timeline().world(), act).ok()?;
                Self::action(episode, it, beside)
            }
        })
    }

    fn action(episode: &mut Episode, it: Action, beside: Beside<'_>) -> Self {
        let told = warnings::told(episode, it, beside);
        let preview = match episode.preview(it) {
            Ok(preview) => preview,
            Err(refusal) => return Self::Refused(refused(episode, it, &refusal, told)),
        };
        let world = episode.timeline().world();
        let set = episode.ledger().goals();
        let words = |list: &[usize]| -> Vec<String> {
            let found = list.iter().filter_map(|&g| set.goals.get(g));
            found.map(crate::plan::goal::Goal::words).collect()
        };
        let count = |list: &[usize], success: bool| {
            let kind = list.iter().filter(|&&g| set.is_success(g) == success);
            i32::try_from(kind.count()).unwrap_or(i32::MAX)
        };
        let net = |success| count(&preview.gained, success) - count(&preview.lost, success);
        Self::Would(Would {
            words: action(world, it),
            rows: diff::rows(world, &preview.changes),
            gained: words(&preview.gained),
            lost: words(&preview.lost),
            goals: net(true),
            safety: net(false),
            happens: preview
                .happened
                .iter()
                .filter_map(|&i| world.happenings().get(i))
                .map(|it| it.words.clone())
                .collect(),
            note: preview.note.map(|note| reason(world, &note)),
            told,
        })
    }

    /// What it would do to the rules, breaches first.
    pub fn told(&self) -> &[Told] {
        match self {
            Self::Would(would) => &would.told,
            Self::Refused(refused) => &refused.told,
            Self::Nothing | Self::End(_) => &[],
        }
    }

    /// The changed facts, if it is allowed.
    pub fn rows(&self) -> &[Changed] {
        match self {
            Self::Would(would) => &would.rows,
            _ => &[],
        }
    }
}

/// A refusal in words.
fn refused(episode: &Episode, it: Action, refusal: &Refusal, told: Vec<Told>) -> Refused {
    let world = episode.timeline().world();
    Refused {
        words: action(world, it),
        letter: refusal.kind.letter(),
        kind: refusal.kind.words(),
        reason: reason(world, refusal),
        cures: cures(world, refusal)
            .into_iter()
            .map(|cure| action(world, cure))
            .collect(),
        told,
    }
}

/// The rules that ending the run here would leave broken.
fn left_open(episode: &Episode, muted: &BTreeSet<String>) -> Vec<String> {
    let world = episode.timeline().world();
    let open = episode.left_open();
    let loud = open.iter().filter(|w| !muted.contains(&w.rule.id));
    loud.map(|w| {
        let (sign, rule) = (warnings::sign(w.standing), &w.rule);
        let nodes = warnings::nodes(world, &w.bindings);
        let title = warnings::title(rule);
        format!("{sign} {} !{} {title}: {nodes}", rule.id, rule.severity)
    })
    .collect()
}

/// How the run would be judged, or is, where it stands, with the counts of its goals.
pub fn outcome(episode: &Episode) -> String {
    let rows = goals::rows(episode.ledger(), episode.timeline(), episode.here());
    let words = episode.judgement().words();
    match episode.ending() {
        Some(Ending::Avoided(_)) => words,
        _ if rows.is_empty() => words,
        _ => format!("{words}, goals {}", goals::count(&rows)),
    }
}
