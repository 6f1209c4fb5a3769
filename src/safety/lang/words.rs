//! The words formulas may use because some dialect has them.

use crate::safety::formula::Guard;
use crate::sim::vocab::Dialect;
use crate::sim::{behavior, virtualhome};

/// Dialects whose words are known when files are read. Whether a rule can be used in one is told when it is bound.
const DIALECTS: &[&Dialect] = &[&virtualhome::DIALECT, &behavior::DIALECT];

/// Guards that are neither tag, class nor property: rooms, and every node.
pub const SETS: [&str; 2] = ["room", "any"];

/// How many nodes the base fact of that name speaks of.
pub fn base_fact(name: &str) -> Option<u8> {
    DIALECTS
        .iter()
        .flat_map(|d| d.facts)
        .find(|f| f.name == name)
        .map(|f| f.arity)
}

/// All base facts.
pub fn base_facts() -> impl Iterator<Item = &'static str> {
    DIALECTS.iter().flat_map(|d| d.facts).map(|f| f.name)
}

/// The sets that dialects need to say in their own words what rules read.
pub fn said() -> impl Iterator<Item = Guard> {
    DIALECTS.iter().flat_map(|d| {
        let mut properties = Vec::new();
        for saying in d.speech.facts {
            saying.means.properties(&mut properties);
        }
        let name = |p| Guard(vec![d.prop_name(p).to_owned()]);
        properties.into_iter().map(name)
    })
}

/// All actions.
pub fn actions() -> impl Iterator<Item = &'static str> {
    DIALECTS.iter().flat_map(|d| d.actions).map(|a| a.name)
}

/// Whether some dialect has the action.
pub fn is_action(name: &str) -> bool {
    actions().any(|a| a == name)
}

/// How many targets the action takes, the most where dialects differ.
pub fn action_arity(name: &str) -> Option<u8> {
    DIALECTS
        .iter()
        .flat_map(|d| d.actions)
        .filter(|a| a.name == name)
        .map(|a| a.arity)
        .max()
}

/// All properties.
pub fn properties() -> impl Iterator<Item = &'static str> {
    DIALECTS.iter().flat_map(|d| d.properties).copied()
}

/// Whether some dialect has the property.
pub fn is_property(name: &str) -> bool {
    properties().any(|p| p == name)
}

/// All states.
pub fn states() -> impl Iterator<Item = &'static str> {
    DIALECTS.iter().flat_map(|d| d.states).copied()
}

/// Whether some dialect has the state.
pub fn is_state(name: &str) -> bool {
    states().any(|s| s == name)
}

/// Whether tasks of a household already mean a state or a relation by this word.
pub fn is_taken_in_tasks(word: &str) -> bool {
    let home = &virtualhome::DIALECT;
    home.states.contains(&word) || home.relations.contains(&word)
}

/// States that exclude each other in a household.
pub fn opposites() -> impl Iterator<Item = (&'static str, &'static str)> {
    let home = &virtualhome::DIALECT;
    let name = |s: crate::sim::vocab::State| home.states.get(usize::from(s.0)).copied();
    let pairs = home.opposites.iter();
    pairs.filter_map(move |(a, b)| Some((name(*a)?, name(*b)?)))
}
