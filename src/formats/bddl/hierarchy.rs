//! The hierarchy of types: synsets, each with those below it, with what objects of it can be and what a simulator calls it.
//! Reads `hierarchy_owned.json` and `hierarchy_all.json` of `bddl` 1.0.1 and `output_hierarchy.json` of later versions.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::base::diag::Diagnostic;
use crate::base::nearest::nearest;
use crate::formats::bddl::{AGENT, Problem};
use crate::formats::json;

/// The types there are.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    types: BTreeMap<String, Synset>,
}

/// A type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synset {
    /// The types directly above; a type may stand in several places.
    pub above: Vec<String>,
    /// What objects of it can be, such as `sliceable`.
    pub abilities: Vec<String>,
    /// What a simulator calls objects of it, such as `bottom_cabinet`.
    pub categories: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a type: an object with name and children")]
struct Raw {
    name: String,
    #[serde(default)]
    children: Vec<Self>,
    #[serde(default)]
    abilities: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    igibson_categories: Vec<String>,
}

impl Hierarchy {
    /// Reads a hierarchy; `name` is the file's, for messages.
    ///
    /// # Errors
    /// The bytes are no hierarchy.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Diagnostic> {
        let root: Raw = serde_json::from_slice(json::without_mark(bytes))
            .map_err(|e| json::explain(bytes, &e).in_file(name))?;
        let mut hierarchy = Self::default();
        let mut left = vec![(root, None::<String>)];
        while let Some((raw, above)) = left.pop() {
            let synset = hierarchy.types.entry(raw.name.clone()).or_default();
            if let Some(above) = above
                && !synset.above.contains(&above)
            {
                synset.above.push(above);
            }
            let abilities = raw.abilities.into_keys();
            push_new(&mut synset.abilities, abilities);
            push_new(&mut synset.categories, raw.igibson_categories.into_iter());
            let name = raw.name;
            left.extend(raw.children.into_iter().map(|c| (c, Some(name.clone()))));
        }
        Ok(hierarchy)
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The type of that name.
    pub fn get(&self, name: &str) -> Option<&Synset> {
        self.types.get(name)
    }

    /// The type a simulator's category belongs to, the first by name.
    pub fn of_category(&self, category: &str) -> Option<(&str, &Synset)> {
        let mut all = self.types.iter();
        all.find(|(_, s)| s.categories.iter().any(|c| c == category))
            .map(|(name, s)| (name.as_str(), s))
    }

    /// The kinds of things of all types below one, in the order of the types' names.
    pub fn kinds_below(&self, name: &str) -> Vec<&str> {
        let below = self
            .types
            .iter()
            .filter(|(other, _)| self.is_a(other, name));
        let kinds = below.flat_map(|(_, s)| s.categories.iter());
        kinds.map(String::as_str).collect()
    }

    /// Whether a type is another one or below it.
    pub fn is_a(&self, name: &str, other: &str) -> bool {
        let mut left = vec![name];
        let mut seen = Vec::new();
        while let Some(at) = left.pop() {
            if at == other {
                return true;
            }
            if seen.contains(&at) {
                continue;
            }
            seen.push(at);
            let above = self.get(at).map_or(&[][..], |s| &s.above);
            left.extend(above.iter().map(String::as_str));
        }
        false
    }

    /// The types of a problem that are not here, as findings with line and column.
    pub fn unknown(&self, problem: &Problem) -> Vec<Diagnostic> {
        let types = problem.objects.iter().map(|g| &g.category);
        types
            .filter(|c| &*c.text != AGENT && self.get(&c.text).is_none())
            .map(|c| {
                let near = nearest(&c.text, self.types.keys().map(String::as_str));
                c.place
                    .error(format!("unknown type {c}"))
                    .help(near.map_or_else(
                        || "use a type of the hierarchy".to_owned(),
                        |near| format!("did you mean {near}?"),
                    ))
            })
            .collect()
    }
}

fn push_new(list: &mut Vec<String>, more: impl Iterator<Item = String>) {
    for one in more {
        if !list.contains(&one) {
            list.push(one);
        }
    }
}
