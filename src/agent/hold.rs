//! When an agent is stopped before it acts, so that a person can look: the hold policy.

use std::fmt;

use crate::safety::rule::Grade;

/// A hold policy: `off`, `core !3 block`, `advisory !4 ask 30 veto`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// Nothing is held.
    #[default]
    Off,
    /// Acts that would break a rule of this grade or a weightier one, and of this severity at least.
    At {
        /// The grade.
        grade: Grade,
        /// The severity, 1 to 4.
        severity: u8,
        /// What follows when nobody answers.
        then: Then,
    },
}

/// What becomes of a held act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// It waits for an answer so many seconds, then it is passed or vetoed.
    Ask {
        /// Seconds.
        seconds: u16,
        /// Whether silence forbids it.
        veto: bool,
    },
    /// It waits until somebody answers.
    Block,
}

/// How long an answer is awaited where nothing else is said, in seconds.
const USUAL: u16 = 30;

const CURE: &str = "write \"off\", \"core !3\", \"advisory !4 ask 10 pass\" or \"core !3 block\"";

impl Hold {
    /// As it is written: `off`, `core !3`, which asks for 30 seconds and then forbids, `core !3 ask 10 pass`,
    /// `advisory !4 block`.
    ///
    /// # Errors
    /// What to write instead.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [of, level, rest @ ..] = words.as_slice() else {
            return match words.as_slice() {
                ["off"] => Ok(Self::Off),
                _ => Err(CURE.to_owned()),
            };
        };
        let grade = match *of {
            "core" => Grade::Core,
            "advisory" => Grade::Advisory,
            _ => return Err(CURE.to_owned()),
        };
        let digit = level.strip_prefix('!').unwrap_or(level).parse().ok();
        let severity = match digit.filter(|n| (1..=4).contains(n)) {
            Some(n) if level.starts_with('!') => n,
            Some(n) => return Err(format!("write \"{of} !{n}\"")),
            None => {
                return Err(format!("write \"{of} !3\": severities go from !1 to !4"));
            }
        };
        let seconds = |n: &str| n.trim_end_matches('s').parse().map_err(|_| CURE.to_owned());
        let then = match rest {
            [] => Then::Ask {
                seconds: USUAL,
                veto: true,
            },
            ["block"] => Then::Block,
            ["ask", n] | ["ask", n, "veto"] => Then::Ask {
                seconds: seconds(n)?,
                veto: true,
            },
            ["ask", n, "pass"] => Then::Ask {
                seconds: seconds(n)?,
                veto: false,
            },
            _ => return Err(CURE.to_owned()),
        };
        Ok(Self::At {
            grade,
            severity,
            then,
        })
    }

    /// As it is written.
    pub fn words(self) -> String {
        self.to_string()
    }

    /// Whether an act is held that would break a rule of this grade and severity.
    pub fn holds(self, broken: Grade, weight: u8) -> bool {
        match self {
            Self::Off => false,
            Self::At {
                grade, severity, ..
            } => broken <= grade && weight >= severity,
        }
    }
}

impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::At {
            grade,
            severity,
            then,
        } = self
        else {
            return f.write_str("off");
        };
        write!(f, "{} !{severity}", grade.id())?;
        match then {
            Then::Block => f.write_str(" block"),
            Then::Ask {
                seconds: USUAL,
                veto: true,
            } => Ok(()),
            Then::Ask { seconds, veto } => {
                let silent = if *veto { "veto" } else { "pass" };
                write!(f, " ask {seconds} {silent}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back() {
        for text in [
            "off",
            "core !3",
            "core !3 ask 5 veto",
            "advisory !4 ask 10 pass",
            "core !1 block",
        ] {
            assert_eq!(Hold::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Hold::parse("core !3"), Hold::parse("core !3 ask 30s veto"));
        assert_eq!(Hold::parse("core 3"), Err("write \"core !3\"".to_owned()));
        for text in [
            "",
            "core",
            "core !5",
            "3 core",
            "core !3 now",
            "core !3 ask",
            "core !3 ask x",
            "off now",
        ] {
            assert!(
                Hold::parse(text).unwrap_err().starts_with("write \""),
                "{text}"
            );
        }
    }

    #[test]
    fn weightier_grades_are_held_too() {
        let hold = Hold::parse("advisory !3").unwrap();
        assert!(hold.holds(Grade::Core, 3));
        assert!(hold.holds(Grade::Advisory, 4));
        assert!(!hold.holds(Grade::Pedantic, 4));
        assert!(!hold.holds(Grade::Core, 2));
        assert!(!Hold::parse("core !1").unwrap().holds(Grade::Advisory, 4));
    }
}
