//! How people name a node: by its title, `class.id`, `class@room`, or a bare class where the scene has only one.

pub use crate::base::nearest::nearest;
use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, NodeId};

/// All nodes a name may mean, ascending by id: its title, `class.id`, `class@room` or `class`.
///
/// # Errors
/// No node fits; the message names the nearest class.
pub fn all(scene: &Scene, name: &str) -> Result<Vec<Ix>, String> {
    let titled: Vec<Ix> = scene
        .indices()
        .filter(|&ix| scene.node(ix).title.as_deref() == Some(name))
        .collect();
    if !titled.is_empty() {
        return Ok(titled);
    }
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
