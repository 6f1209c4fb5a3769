//! What classes are: properties, affordances, start states and hazard tags by class, independent of any scene.

use std::collections::{BTreeMap, BTreeSet};

/// One class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// Hazard tags, such as `heat_source`.
    pub tags: BTreeSet<String>,
    /// Properties a node of this class has by nature, upper case.
    pub properties: BTreeSet<String>,
    /// The states a node of this class has when nothing is amiss, upper case.
    pub start: BTreeSet<String>,
    /// Rooms it belongs to; empty when any.
    pub rooms: Vec<String>,
}

/// All classes by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ontology {
    /// By class name, lower case.
    pub classes: BTreeMap<String, Class>,
    /// Every tag that exists, with its meaning in words.
    pub tags: BTreeMap<String, String>,
}

impl Ontology {
    /// The class, if it is known. An unknown class has no tags.
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.get(name)
    }
}
