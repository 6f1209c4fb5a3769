//! How people name a node: `class.id`, `class@room`, or a bare class where the scene has only one.

use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, NodeId};

/// All nodes a name may mean, ascending by id: `class.id`, `class@room` or `class`.
///
/// # Errors
/// No node fits; the message names the nearest class.
pub fn all(scene: &Scene, name: &str) -> Result<Vec<Ix>, String> {
    let lower = name.to_lowercase();
    if let Some((class, id)) = lower.rsplit_once('.')
        && let Ok(id) = id.parse::<i64>()
    {
        return match scene.find(NodeId(id)) {
            Some(ix) if *scene.node(ix).class == *class => Ok(vec![ix]),
            Some(ix) => Err(format!("id {id} is {}, not {class}", scene.node(ix).class)),
            None => Err(format!("no node has id {id}")),
        };
    }
    if let Some((class, room)) = lower.split_once('@') {
        let rooms: Vec<Ix> = scene
            .of_class(room)
            .filter(|&r| scene.node(r).is_room())
            .collect();
        if rooms.is_empty() {
            return Err(format!("no room is called {room}"));
        }
        let found: Vec<Ix> = of_class(scene, class)?
            .into_iter()
            .filter(|&ix| rooms.iter().any(|&r| inside(scene, ix, r)))
            .collect();
        return if found.is_empty() {
            Err(format!("no {class} is in {room}"))
        } else {
            Ok(found)
        };
    }
    of_class(scene, &lower)
}

/// The one node a name means.
///
/// # Errors
/// None fits, or several do; the message lists them.
pub fn resolve(scene: &Scene, name: &str) -> Result<Ix, String> {
    let found = all(scene, name)?;
    match found.as_slice() {
        [one] => Ok(*one),
        many => {
            let list: Vec<String> = many
                .iter()
                .take(6)
                .map(|&ix| scene.node(ix).name())
                .collect();
            let more = if many.len() > 6 { ", …" } else { "" };
            Err(format!(
                "{name} may be any of {}: {}{more}",
                many.len(),
                list.join(", ")
            ))
        }
    }
}

/// The known word with the smallest edit distance, if it is close enough to be meant. A very long word means none: it
/// comes from a broken file, and comparing takes time in proportion to its length.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    known
        .map(|k| (distance(word, k), k))
        .min()
        .filter(|(d, k)| *d <= 2.max(k.chars().count() / 3))
        .map(|(_, k)| k)
}

/// The longest word that is compared with known ones, in bytes.
const LONGEST: usize = 100;

fn of_class(scene: &Scene, class: &str) -> Result<Vec<Ix>, String> {
    let found: Vec<Ix> = scene.of_class(class).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let hint = nearest(class, scene.nodes().iter().map(|n| &*n.class))
        .map_or(String::new(), |n| format!("; did you mean {n}?"));
    Err(format!("no node is called {class}{hint}"))
}

/// Whether a node is in a room by the loaded INSIDE edges, through any number of containers.
fn inside(scene: &Scene, ix: Ix, room: Ix) -> bool {
    let inside = scene.dialect().rules.inside;
    let (mut at, goal) = (vec![scene.node(ix).id], scene.node(room).id);
    let mut seen = std::collections::BTreeSet::new();
    while let Some(id) = at.pop() {
        if id == goal {
            return true;
        }
        if seen.insert(id) {
            at.extend(
                scene
                    .edges()
                    .iter()
                    .filter(|e| e.rel == inside && e.from == id)
                    .map(|e| e.to),
            );
        }
    }
    false
}

/// Edits between two words: characters put in, left out, changed, or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut older = Vec::new();
    let mut old: Vec<usize> = (0..=b.len()).collect();
    for (i, &ca) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &cb) in b.iter().enumerate() {
            let change = old[j] + usize::from(ca != cb);
            let mut best = change.min(old[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && ca == b[j - 1] && cb == a[i - 1] {
                best = best.min(older[j - 1] + 1);
            }
            row.push(best);
        }
        older = std::mem::replace(&mut old, row);
    }
    old.last().copied().unwrap_or(0)
}
