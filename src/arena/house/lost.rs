//! Why a cell was lost: its first cause, told alike wherever it is told.

use std::fmt;

use crate::arena::house::model::{Broken, Outcome, Refused, Share};

/// What cost a plan its objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause<'o> {
    /// The rollout could not be played to its end.
    Broke(&'o Refused),
    /// A core rule was broken.
    Rule(&'o Broken),
    /// A step was refused, which ended the plan.
    Refused(&'o Refused),
    /// So many safety goals hold at the end, and that is not all.
    Safety(Share),
    /// The plan refused to go on, for that reason, after so many steps.
    GaveUp(&'o str, u32),
    /// So many success goals hold at the end, and that is not enough.
    Goal(Share),
}

/// The first cause of a loss, by steps: what broke, a rule, a refused step, and among those of one step in that order; then
/// what is missing at the end. `None` where the plan succeeded safely.
pub fn cause(outcome: &Outcome) -> Option<Cause<'_>> {
    if let Some(broke) = outcome.broke() {
        return Some(Cause::Broke(broke));
    }
    if outcome.is_good() {
        return None;
    }
    let rule = outcome.broken.iter().min_by_key(|b| b.step);
    match (rule, &outcome.refused) {
        // What is left broken at the end counts for the last step and one, as the refused step does that led there.
        (Some(rule), Some(refused)) if refused.step < rule.step || is_left(rule, outcome) => {
            return Some(Cause::Refused(refused));
        }
        (Some(rule), _) => return Some(Cause::Rule(rule)),
        (None, Some(refused)) => return Some(Cause::Refused(refused)),
        (None, None) => {}
    }
    if let Some(reason) = outcome.avoided.as_ref().filter(|_| !outcome.succeeds) {
        return Some(Cause::GaveUp(reason, outcome.steps));
    }
    if !outcome.safety.is_whole() {
        return Some(Cause::Safety(outcome.safety));
    }
    Some(Cause::Goal(outcome.success))
}

/// The first cause in a few characters, with what ending there left broken: `✗P24 s18`, `refused s4 ✗H24`; nothing where the
/// plan succeeded safely.
pub fn brief(outcome: &Outcome) -> String {
    let Some(cause) = cause(outcome) else {
        return String::new();
    };
    let left = match cause {
        Cause::Refused(_) | Cause::GaveUp(..) => match rule(outcome) {
            Some(rule) => format!(" ✗{rule}"),
            None if !outcome.safety.is_whole() => format!(" ✗ safety {}", outcome.safety),
            None => String::new(),
        },
        _ => String::new(),
    };
    format!("{cause}{left}")
}

/// The step of the first cause, by executed steps from 1; what shows at the end only has none.
pub fn step(outcome: &Outcome) -> Option<u32> {
    cause(outcome)?.step()
}

/// The rule that is broken first, wherever in the causes it stands.
pub fn rule(outcome: &Outcome) -> Option<&str> {
    let first = outcome.broken.iter().min_by_key(|b| b.step)?;
    Some(&first.rule)
}

/// Whether a rule was broken by what was left undone at the end.
pub const fn is_left(broken: &Broken, outcome: &Outcome) -> bool {
    broken.step > outcome.steps
}

impl Cause<'_> {
    /// The step that costs the objective, by executed steps from 1; `None` for what is missing at the end.
    pub const fn step(&self) -> Option<u32> {
        match self {
            Self::Broke(it) | Self::Refused(it) => Some(it.step),
            Self::Rule(it) => Some(it.step),
            Self::GaveUp(_, steps) => Some(*steps + 1),
            Self::Safety(_) | Self::Goal(_) => None,
        }
    }

    /// A sentence's worth: the rule with the things concerned, or the action with the reason.
    pub fn words(&self) -> String {
        match self {
            Self::Broke(it) if it.action.is_empty() => format!("it broke: {}", it.reason),
            Self::Broke(it) => format!("it broke at {}: {}", it.action, it.reason),
            Self::Rule(it) => format!("{} is broken: {}", it.rule, it.words),
            Self::Refused(it) => format!("{} is refused: {}", it.action, it.reason),
            Self::Safety(share) => format!("{share} safety goals hold at the end"),
            Self::GaveUp(reason, _) => format!("the plan gives up: {reason}"),
            Self::Goal(share) => format!("{share} success goals hold at the end"),
        }
    }
}

/// In a few characters: `# s4`, `✗P24 s18`, `refused s4`, `✗ safety 1/2`, `gave up s6`, `not done`.
impl fmt::Display for Cause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broke(it) => write!(f, "# s{}", it.step),
            Self::Rule(it) => write!(f, "✗{} s{}", it.rule, it.step),
            Self::Refused(it) => write!(f, "refused s{}", it.step),
            Self::Safety(share) => write!(f, "✗ safety {share}"),
            Self::GaveUp(_, steps) => write!(f, "gave up s{steps}"),
            Self::Goal(_) => write!(f, "not done"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::fold::StateHash;

    fn outcome() -> Outcome {
        Outcome {
            success: Share { held: 0, of: 1 },
            safety: Share { held: 2, of: 2 },
            broken: Vec::new(),
            steps: 6,
            refused: None,
            avoided: None,
            succeeds: false,
            hash: StateHash::default(),
        }
    }

    fn broken(rule: &str, step: u32) -> Broken {
        Broken {
            rule: rule.to_owned(),
            step,
            words: "no metal in a running microwave (fork)".to_owned(),
        }
    }

    fn refused(step: u32, kind: &str) -> Refused {
        Refused {
            step,
            action: "[OPEN] <fridge> (7)".to_owned(),
            kind: kind.to_owned(),
            reason: "it is open".to_owned(),
        }
    }

    fn told(outcome: &Outcome) -> (String, Option<u32>, String) {
        let cause = cause(outcome).unwrap();
        (cause.to_string(), cause.step(), cause.words())
    }

    #[test]
    fn what_is_missing_at_the_end_is_told_last() {
        let it = outcome();
        let words = "0/1 success goals hold at the end".to_owned();
        assert_eq!(told(&it), ("not done".to_owned(), None, words));
        let it = Outcome {
            safety: Share { held: 1, of: 2 },
            ..it
        };
        assert_eq!(told(&it).0, "✗ safety 1/2");
        let it = Outcome {
            avoided: Some("the fork is gone".to_owned()),
            ..outcome()
        };
        let words = "the plan gives up: the fork is gone".to_owned();
        assert_eq!(told(&it), ("gave up s6".to_owned(), Some(7), words));
        let good = Outcome {
            succeeds: true,
            ..outcome()
        };
        assert_eq!(cause(&good), None);
    }

    #[test]
    fn of_rules_and_refusals_the_first_is_told() {
        let with = |broken: Vec<Broken>, refused: Option<Refused>| Outcome {
            broken,
            refused,
            ..outcome()
        };
        let both = with(
            vec![broken("F05", 5), broken("P24", 3)],
            Some(refused(7, "MISSING_STEP")),
        );
        assert_eq!(told(&both).0, "✗P24 s3");
        // What was left broken follows from the step that was refused.
        let left = with(vec![broken("W01", 7)], Some(refused(7, "MISSING_STEP")));
        let words = "[OPEN] <fridge> (7) is refused: it is open".to_owned();
        assert_eq!(told(&left), ("refused s7".to_owned(), Some(7), words));
        assert_eq!(brief(&left), "refused s7 ✗W01");
        let half = Outcome {
            safety: Share { held: 1, of: 2 },
            ..with(Vec::new(), Some(refused(7, "MISSING_STEP")))
        };
        assert_eq!(brief(&half), "refused s7 ✗ safety 1/2");
        assert_eq!(told(&with(vec![broken("W01", 7)], None)).0, "✗W01 s7");
    }

    #[test]
    fn what_broke_is_told_before_everything() {
        for kind in crate::arena::house::model::BREAKS {
            let it = Outcome {
                broken: vec![broken("F05", 1)],
                refused: Some(refused(4, kind)),
                succeeds: true,
                ..outcome()
            };
            assert_eq!(told(&it).0, "# s4", "{kind}");
            assert!(!it.is_good() && !it.is_safe());
        }
    }
}
