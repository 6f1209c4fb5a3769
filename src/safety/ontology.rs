//! What classes are: properties, affordances, start states and hazard tags by class, independent of any scene.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::base::diag::Diagnostic;
use crate::safety::formula::Guard;
use crate::sim::scene::{Node, Scene};
use crate::sim::vocab::Ix;

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

/// What a property means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Property {
    /// In words.
    pub words: String,
    /// The actions it makes possible.
    pub affords: Vec<String>,
}

/// All classes by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ontology {
    /// By class name, lower case.
    pub classes: BTreeMap<String, Class>,
    /// Every tag that exists, with its meaning in words.
    pub tags: BTreeMap<String, String>,
    /// Properties by name, upper case.
    pub properties: BTreeMap<String, Property>,
    /// Class names of other collections that mean a class of ours.
    pub same: BTreeMap<String, String>,
}

impl Ontology {
    /// The class, if it is known, also by a name of another collection. An unknown class has no tags.
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.get(self.ours(name))
    }

    /// Our name for a class.
    pub fn ours<'a>(&'a self, name: &'a str) -> &'a str {
        self.same.get(name).map_or(name, String::as_str)
    }

    /// What can be done with things of a class: the actions its properties make possible.
    pub fn affords(&self, class: &str) -> BTreeSet<&str> {
        let properties = self.class(class).map(|c| &c.properties);
        properties
            .into_iter()
            .flatten()
            .filter_map(|p| self.properties.get(p))
            .flat_map(|p| p.affords.iter().map(String::as_str))
            .collect()
    }

    /// Whether a node belongs to the set a word names: a tag or class it has, one of its own properties, `room`, `any`.
    /// A word that is both tag and class means both.
    fn fits(&self, word: &str, node: &Node, scene: &Scene) -> bool {
        match word {
            "any" => return true,
            "room" => return node.is_room(),
            _ => {}
        }
        if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            let property = scene.dialect().rules_property(word);
            return property.is_some_and(|p| node.props.has(p));
        }
        *node.class == *word
            || self.ours(&node.class) == word
            || node.tags.iter().any(|t| **t == *word)
            || self
                .class(&node.class)
                .is_some_and(|c| c.tags.contains(word))
    }

    /// The classes of a scene that the ontology does not know, each said once: no rule sees what they are.
    pub fn unknown(&self, scene: &Scene) -> Vec<Diagnostic> {
        let mut unknown: BTreeMap<&str, u32> = BTreeMap::new();
        for node in scene.nodes() {
            if !node.is_room() && self.class(&node.class).is_none() {
                *unknown.entry(&node.class).or_default() += 1;
            }
        }
        unknown
            .into_iter()
            .map(|(class, count)| {
                let nodes = if count == 1 { "node" } else { "nodes" };
                let message = format!(
                    "the ontology does not know the class {class} ({count} {nodes}): it has no hazard tags"
                );
                Diagnostic::warning("class_name", message)
                    .help(format!("add a line class {class} : … to an ontology file"))
                    .in_file(scene.name())
            })
            .collect()
    }
}

/// The nodes of a scene in the set a guard names, ascending. For many guards of one scene see [`Sets`].
pub fn members(guard: &Guard, ontology: &Ontology, scene: &Scene) -> Vec<Ix> {
    scene
        .indices()
        .filter(|&ix| {
            let node = scene.node(ix);
            guard.0.iter().any(|w| ontology.fits(w, node, scene))
        })
        .collect()
}

/// The sets of one scene by word, found once for all guards.
#[derive(Debug)]
pub struct Sets<'a> {
    scene: &'a Scene,
    /// By tag or class.
    words: FxHashMap<&'a str, Vec<Ix>>,
}

impl<'a> Sets<'a> {
    /// Reads every node once.
    pub fn new(ontology: &'a Ontology, scene: &'a Scene) -> Self {
        let mut words: FxHashMap<&str, Vec<Ix>> = FxHashMap::default();
        let mut known: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for ix in scene.indices() {
            let node = scene.node(ix);
            let class = known.entry(&node.class).or_insert_with(|| {
                let of = ontology.class(&node.class);
                let tags = of.into_iter().flat_map(|c| c.tags.iter());
                let names = [&*node.class, ontology.ours(&node.class)];
                names.into_iter().chain(tags.map(String::as_str)).collect()
            });
            for word in class.iter().copied().chain(node.tags.iter().map(|t| &**t)) {
                let set = words.entry(word).or_default();
                if set.last() != Some(&ix) {
                    set.push(ix);
                }
            }
        }
        Self { scene, words }
    }

    /// The nodes in the set a guard names, ascending: what [`members`] says.
    pub fn members(&self, guard: &Guard) -> Vec<Ix> {
        let mut all = Vec::new();
        for word in &guard.0 {
            self.add(word, &mut all);
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn add(&self, word: &str, all: &mut Vec<Ix>) {
        let scene = self.scene;
        let fits = |test: &dyn Fn(&Node) -> bool| {
            let nodes = scene.indices();
            nodes.filter(|&ix| test(scene.node(ix))).collect::<Vec<_>>()
        };
        match word {
            "any" => all.extend(scene.indices()),
            "room" => all.extend(fits(&Node::is_room)),
            _ if word.starts_with(|c: char| c.is_ascii_uppercase()) => {
                if let Some(p) = scene.dialect().rules_property(word) {
                    all.extend(fits(&|n| n.props.has(p)));
                }
            }
            _ => all.extend(self.words.get(word).into_iter().flatten()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::safety::testing;
    use crate::sim;

    #[test]
    fn sets_found_at_once_are_those_found_one_by_one() {
        let book = testing::book();
        let (name, mut nodes, edges) = (*sim::testing::scene()).clone().into_parts();
        nodes[3].tags = vec!["fragile".into(), "heavy".into()];
        let dialect = &sim::virtualhome::DIALECT;
        let scene = Scene::new(dialect, name, nodes, edges).unwrap();
        let sets = Sets::new(&book.ontology, &scene);
        let mut full = 0;
        for guard in &book.guards {
            let all = sets.members(guard);
            assert_eq!(all, members(guard, &book.ontology, &scene), "{guard:?}");
            full += usize::from(!all.is_empty());
        }
        assert!(full > 10, "{full} sets have members");
    }
}
