//! The two letters each class is drawn with: unique in a scene, and the same whatever happens in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::sim::scene::Scene;

/// Two letters for every class; what cannot be carried away chooses first.
pub(super) fn labels(scene: &Scene) -> BTreeMap<String, String> {
    let mut classes: BTreeMap<&str, bool> = BTreeMap::new();
    let carried = scene.dialect().reading.carried;
    for node in scene.nodes() {
        let carried = carried.is_some_and(|p| node.props.has(p));
        let all = classes.entry(&node.class).or_insert(true);
        *all &= carried;
    }
    // Classes of two words have their initials, so those of one word choose before them.
    let mut order: Vec<(bool, bool, &str)> = classes
        .iter()
        .map(|(class, carried)| (*carried, class.contains('_'), *class))
        .collect();
    order.sort_unstable();
    let mut used = BTreeSet::new();
    order
        .into_iter()
        .map(|(_, _, class)| {
            let label = candidates(class)
                .into_iter()
                .find(|label| !used.contains(label))
                .unwrap_or_else(|| "??".to_owned());
            used.insert(label.clone());
            (class.to_owned(), label)
        })
        .collect()
}

/// The letters a class could have, the most telling first: `coffee_table` Ct Co Cf …
fn candidates(class: &str) -> Vec<String> {
    let letters: Vec<char> = class.chars().filter(char::is_ascii_alphanumeric).collect();
    let Some(first) = letters.first().map(char::to_ascii_uppercase) else {
        return Vec::new();
    };
    let words = class.split('_').skip(1).filter_map(|w| w.chars().next());
    words
        .chain(letters.iter().skip(1).copied())
        .chain('a'..='z')
        .chain('0'..='9')
        .filter(char::is_ascii_alphanumeric)
        .map(|second| format!("{first}{}", second.to_ascii_lowercase()))
        .collect()
}
