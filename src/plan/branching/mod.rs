//! A plan with branches: what is done depends on what the agent sees when it gets there.
//!
//! Four kinds of steps: an action, a branch on facts, the end, and a refusal. As text one step is one line, in people's
//! words or as program lines (`read`, `print`):
//!
//! ```text
//! walk microwave
//! if fork INSIDE microwave then grab fork; putback fork kitchen_counter
//! if !cat INSIDE washing_machine & washing_machine:OPEN then
//!   close washing_machine
//! else
//!   avoid the cat is still in there
//! end
//! ```
//!
//! Facts are written as in tasks: `!` negates, `&` joins. A branch is taken when all its facts are known and hold
//! (`known`): a fact about a thing in another room or inside a closed thing is not known, and then `else` is what is
//! done. [`Program`] is the same plan made ready for walking over it without any memory but a place (`walk`).

use crate::plan::fact::Fact;
use crate::sim::world::Action;

mod insert;
mod known;
mod print;
mod read;
#[cfg(test)]
mod tests;
mod walk;

pub use insert::insert;
pub use known::{Knowledge, knows, perceives};
pub use print::print;
pub use read::{DEEPEST, LONGEST, read};
pub use walk::{Next, Program};

/// A plan: steps in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branching {
    /// The steps.
    pub steps: Vec<Step>,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Do this.
    Act(Action),
    /// Look, and go one way or the other; both go on behind it.
    If {
        /// What must be known to hold, all of it.
        all: Vec<Guard>,
        /// What is done then; never empty as text.
        then: Vec<Step>,
        /// What is done else.
        otherwise: Vec<Step>,
    },
    /// End the plan here.
    Stop,
    /// Refuse to go on, for this reason: the answer `[Avoid]`.
    Avoid(String),
}

/// A fact that is looked at, with its text: a name may stand for several nodes, and is printed as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// As it was written, in single spaces.
    pub text: String,
    /// What it says.
    pub fact: Fact,
}

impl Branching {
    /// A plan without branches.
    pub fn linear(actions: &[Action]) -> Self {
        Self {
            steps: actions.iter().copied().map(Step::Act).collect(),
        }
    }

    /// How many actions there are, those of all branches included.
    pub fn len(&self) -> usize {
        self.actions().len()
    }

    /// Whether nothing is done whatever is seen.
    pub fn is_empty(&self) -> bool {
        self.actions().is_empty()
    }

    /// All actions in the order of the text, those of all branches included.
    pub fn actions(&self) -> Vec<Action> {
        let mut all = Vec::new();
        each(&self.steps, &mut |step| {
            if let Step::Act(action) = step {
                all.push(*action);
            }
        });
        all
    }

    /// How many branches there are.
    pub fn branches(&self) -> usize {
        let mut n = 0;
        each(&self.steps, &mut |step| {
            n += usize::from(matches!(step, Step::If { .. }));
        });
        n
    }
}

/// Calls `f` with every step, branches before what is in them.
fn each<'s>(steps: &'s [Step], f: &mut dyn FnMut(&'s Step)) {
    for step in steps {
        f(step);
        if let Step::If {
            then, otherwise, ..
        } = step
        {
            each(then, f);
            each(otherwise, f);
        }
    }
}
