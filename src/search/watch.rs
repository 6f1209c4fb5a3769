//! What watches a search besides the goals: hazard rules, as memory that moves with the world.

use crate::safety::book::Shadow;
use crate::search::deeds::Deed;
use crate::search::need::{Need, Want};
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};

/// What a step did to the watched rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// A rule that must hold was broken: a safe search leaves this step alone.
    pub violated: bool,
}

/// How tracked facts stand: none holds where nobody watches.
pub(super) fn shadow<'a>(watcher: Option<&'a (dyn Watcher + '_)>) -> &'a dyn Shadow {
    match watcher {
        Some(watcher) => watcher.shadow(),
        None => &(),
    }
}

/// Rules as a search sees them. It stands at the same position as the search's world.
pub trait Watcher {
    /// Is told what the goals name, ascending: of many things that would keep a rule those come first.
    fn mind(&mut self, named: &[Ix]);

    /// Everything it remembers that matters for what it will say, as one number: states that differ in it differ.
    fn word(&self) -> u64;

    /// The same without how much time is left: states that differ in nothing else are nearly alike.
    fn shape(&self) -> u64;

    /// Follows a step; the world stands after it.
    fn step(&mut self, world: &World, action: Action) -> Flags;

    /// Goes back one step.
    fn undo(&mut self);

    /// How tracked facts stand.
    fn shadow(&self) -> &dyn Shadow;

    /// Whether a plan may end here: nothing is pending, and what was to be broken is.
    fn may_end(&self, world: &World) -> bool;

    /// What must still happen before the plan may end, as needs that count like goals.
    fn wants(&self, world: &World, out: &mut Vec<Want>);

    /// What the step just done, which broke rules, would have needed beforehand so that it broke none: for each rule
    /// lists of needs, any of which would have done.
    fn why(&self, world: &World, out: &mut Vec<Vec<Vec<Need>>>);

    /// What brings about a need the dialect's table knows nothing of.
    fn deeds(&self, world: &World, need: Need) -> Vec<Deed>;
}
