//! What objects can be, from the hierarchy of the `bddl` package: every category of objects in the scenes belongs to a class,
//! and the abilities of a class tell which states its objects have.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::base::diag::Diagnostic;
use crate::formats::json;

/// Where the hierarchy is in the package.
pub const MEMBER: &str = "hierarchy_owned.json";

/// Abilities and the states they give, as the published simulator has them.
const STATES: &[(&str, &str)] = &[
    ("cookable", "cooked"),
    ("dustyable", "dusty"),
    ("freezable", "frozen"),
    ("openable", "open"),
    ("sliceable", "sliced"),
    ("soakable", "soaked"),
    ("stainable", "stained"),
    ("toggleable", "toggled_on"),
];

/// Abilities by category.
#[derive(Debug)]
pub struct Abilities(BTreeMap<String, Vec<String>>);

#[derive(Debug, Deserialize)]
#[serde(expecting = "a class: an object with name, igibson_categories, abilities and children")]
struct Class {
    #[serde(default)]
    igibson_categories: Vec<String>,
    #[serde(default)]
    abilities: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    children: Vec<Self>,
}

/// What the objects of a category can be.
#[derive(Clone, Copy, Debug)]
pub struct Able<'a>(&'a [String]);

impl Able<'_> {
    fn has(self, ability: &str) -> bool {
        self.0.iter().any(|a| a == ability)
    }

    /// The states its objects have.
    pub fn states(self) -> impl Iterator<Item = &'static str> {
        let has = STATES.iter().filter(move |(ability, _)| self.has(ability));
        has.map(|&(_, state)| state)
    }

    /// Whether it cuts.
    pub fn slices(self) -> bool {
        self.has("slicer")
    }

    /// Whether it is cut into parts.
    pub fn sliceable(self) -> bool {
        self.has("sliceable")
    }

    /// Whether it takes dust and stains away.
    pub fn cleans(self) -> bool {
        self.has("cleaningTool")
    }
}

impl Abilities {
    /// Reads the hierarchy; `name` is its name, for messages.
    ///
    /// # Errors
    /// It is no hierarchy of classes.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Diagnostic> {
        let bytes = json::without_mark(bytes);
        let root: Class =
            serde_json::from_slice(bytes).map_err(|e| json::explain(bytes, &e).in_file(name))?;
        let mut found = BTreeMap::new();
        let mut level = vec![root];
        // A class stands under each of its parents; the uppermost place counts.
        while !level.is_empty() {
            let mut below = Vec::new();
            for class in level {
                let abilities: Vec<String> = class.abilities.into_keys().collect();
                for category in class.igibson_categories {
                    found.entry(category).or_insert_with(|| abilities.clone());
                }
                below.extend(class.children);
            }
            level = below;
        }
        Ok(Self(found))
    }

    /// What the objects of a category can be, if it is known.
    pub fn of(&self, category: &str) -> Option<Able<'_>> {
        self.0.get(category).map(|all| Able(all))
    }
}
