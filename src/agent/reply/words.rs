//! The words a reply may use for an action, whatever their case and joints.

use std::collections::BTreeMap;

use crate::plan::names;
use crate::sim::vocab::Dialect;

/// What a word asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// An action of the dialect, by its number.
    Act(u8),
    Avoid,
    Done,
}

/// The words of a dialect by their letters.
pub(super) struct Words {
    by_letters: BTreeMap<String, Verb>,
    pub(super) dialect: &'static Dialect,
}

/// Words that call a task done, by their letters.
const DONE: [&str; 9] = [
    "DONE",
    "FINISH",
    "FINISHED",
    "COMPLETE",
    "COMPLETED",
    "TASKDONE",
    "TASKCOMPLETE",
    "TASKCOMPLETED",
    "ALLDONE",
];

/// The longest word that is looked up, in bytes.
const LONGEST: usize = 60;

impl Words {
    pub(super) fn of(dialect: &'static Dialect) -> Self {
        let mut by_letters: BTreeMap<String, Verb> =
            DONE.iter().map(|w| ((*w).to_owned(), Verb::Done)).collect();
        by_letters.insert("AVOID".to_owned(), Verb::Avoid);
        for (i, def) in dialect.actions.iter().enumerate() {
            by_letters.insert(letters(def.name), Verb::Act(i as u8));
        }
        Self {
            by_letters,
            dialect,
        }
    }

    /// What a word asks for; blanks, joints and case make no difference: `switch on`, `SwitchOn`, `SWITCH_ON`.
    pub(super) fn verb(&self, word: &str) -> Option<Verb> {
        if word.len() > LONGEST {
            return None;
        }
        self.by_letters.get(&letters(word)).copied()
    }

    /// How an action is properly written.
    pub(super) fn name(&self, verb: Verb) -> &'static str {
        match verb {
            Verb::Act(i) => self
                .dialect
                .actions
                .get(usize::from(i))
                .map_or("", |a| a.name),
            Verb::Avoid => "Avoid",
            Verb::Done => "Done",
        }
    }

    /// How many things it takes; `None` where that does not matter.
    pub(super) fn arity(&self, verb: Verb) -> Option<usize> {
        match verb {
            Verb::Act(i) => {
                let def = self.dialect.actions.get(usize::from(i));
                def.map(|a| usize::from(a.arity))
            }
            Verb::Avoid | Verb::Done => None,
        }
    }

    /// The action that may be meant by a word that names none.
    pub(super) fn nearest(&self, word: &str) -> Option<&'static str> {
        let written = word.trim().to_uppercase().replace([' ', '-'], "_");
        names::nearest(&written, self.dialect.actions.iter().map(|a| a.name))
    }
}

/// The letters and digits of a word, upper case.
fn letters(word: &str) -> String {
    let kept = word.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_uppercase).collect()
}
