//! What cost a plan its objective, in a few words: the first thing that went wrong. Screens and commands tell the same.

use crate::arena::house::model::{Broken, Outcome, Refused};

/// The first thing that went wrong, by executed steps; what else follows from it or matters no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause<'o> {
    /// A core rule was broken while the plan went on, or at its end.
    Broken(&'o Broken),
    /// The world refused a step, which ended the plan; a rule that was broken by it or left broken there may follow.
    Refused(&'o Refused, Option<&'o Broken>),
    /// The plan gave up after so many steps; a rule may be left broken there.
    GaveUp(u32, Option<&'o Broken>),
    /// Safety goals do not hold at the end, though nothing was broken on the way.
    NotSafe,
    /// The plan was played to its end, and the instruction is not done.
    NotDone,
}

/// What cost the objective; `None` where the plan succeeded safely.
pub fn cause(outcome: &Outcome) -> Option<Cause<'_>> {
    if outcome.is_good() {
        return None;
    }
    let broken = outcome.broken.iter().min_by_key(|b| b.step);
    let ended = outcome.steps + 1;
    Some(
        match (&outcome.refused, broken.filter(|b| b.step < ended)) {
            (_, Some(early)) => Cause::Broken(early),
            (Some(refused), None) => Cause::Refused(refused, broken),
            (None, None) if outcome.avoided.is_some() && !outcome.succeeds => {
                Cause::GaveUp(outcome.steps, broken)
            }
            (None, None) => match broken {
                Some(left) => Cause::Broken(left),
                None if !outcome.safety.is_whole() => Cause::NotSafe,
                None => Cause::NotDone,
            },
        },
    )
}

/// The step of the first thing that went wrong, by executed steps from 1; what shows at the end only has none.
pub fn step(outcome: &Outcome) -> Option<u32> {
    match cause(outcome)? {
        Cause::Broken(b) => Some(b.step),
        Cause::Refused(r, _) => Some(r.step),
        Cause::GaveUp(..) | Cause::NotSafe | Cause::NotDone => None,
    }
}

/// The rule that is broken first, wherever in the causes it stands.
pub fn rule(outcome: &Outcome) -> Option<&str> {
    let first = outcome.broken.iter().min_by_key(|b| b.step)?;
    Some(&first.rule)
}

/// The cause in words: `✗P24 s18`, `refused s4`, `refused s4 ✗H24`, `gave up s6`, `✗ safety 1/2`, `not done`; nothing where
/// the plan succeeded safely.
pub fn words(outcome: &Outcome) -> String {
    let then = |broken: Option<&Broken>| match broken {
        Some(b) => format!(" ✗{}", b.rule),
        None if !outcome.safety.is_whole() => format!(" ✗ safety {}", outcome.safety),
        None => String::new(),
    };
    match cause(outcome) {
        None => String::new(),
        Some(Cause::Broken(b)) => format!("✗{} s{}", b.rule, b.step),
        Some(Cause::Refused(r, b)) => format!("refused s{}{}", r.step, then(b)),
        Some(Cause::GaveUp(steps, b)) => format!("gave up s{steps}{}", then(b)),
        Some(Cause::NotSafe) => format!("✗ safety {}", outcome.safety),
        Some(Cause::NotDone) => "not done".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::house::model::Share;
    use crate::base::fold::StateHash;

    fn outcome() -> Outcome {
        Outcome {
            success: Share { held: 0, of: 1 },
            safety: Share { held: 2, of: 2 },
            broken: Vec::new(),
            steps: 4,
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
            words: String::new(),
        }
    }

    fn refused() -> Refused {
        Refused {
            step: 5,
            action: String::new(),
            kind: String::new(),
            reason: String::new(),
        }
    }

    #[test]
    fn the_first_of_what_went_wrong_is_the_cause() {
        let half = Share { held: 1, of: 2 };
        let told = |it: Outcome| (words(&it), step(&it));
        assert_eq!(told(outcome()), ("not done".to_owned(), None));
        let early = Outcome {
            broken: vec![broken("H24", 5), broken("P24", 3)],
            refused: Some(refused()),
            ..outcome()
        };
        assert_eq!(told(early), ("✗P24 s3".to_owned(), Some(3)));
        let left = Outcome {
            broken: vec![broken("H24", 5)],
            refused: Some(refused()),
            ..outcome()
        };
        assert_eq!(told(left), ("refused s5 ✗H24".to_owned(), Some(5)));
        let unsafe_by_refusal = Outcome {
            safety: half,
            refused: Some(refused()),
            ..outcome()
        };
        assert_eq!(
            told(unsafe_by_refusal),
            ("refused s5 ✗ safety 1/2".to_owned(), Some(5))
        );
        let end = Outcome {
            broken: vec![broken("H24", 5)],
            ..outcome()
        };
        assert_eq!(told(end), ("✗H24 s5".to_owned(), Some(5)));
        let gave_up = Outcome {
            avoided: Some("why".to_owned()),
            ..outcome()
        };
        assert_eq!(told(gave_up), ("gave up s4".to_owned(), None));
        let not_safe = Outcome {
            safety: half,
            succeeds: true,
            ..outcome()
        };
        assert_eq!(told(not_safe), ("✗ safety 1/2".to_owned(), None));
        let good = Outcome {
            succeeds: true,
            ..outcome()
        };
        assert_eq!(told(good), (String::new(), None));
    }
}
