//! Published steps: an action's name and its objects by title, as the published runner calls them.

use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::scene::Scene;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, wrong_arity};

/// Binds an action to objects, which a comma separates.
///
/// # Errors
/// What the published code raises: a `KeyError` for an unknown action or object, then a `TypeError` for a wrong number of
/// objects.
pub fn bind(scene: &Scene, action: &str, objects: &str) -> Result<Action, Refusal> {
    let unknown = |written: &str| {
        let mut r = Refusal::crash("KeyError", Pre::Exists, Ix::NONE);
        r.written = Some(written.into());
        r
    };
    let (verb, def) = scene
        .dialect()
        .action(action)
        .ok_or_else(|| unknown(action))?;
    let mut bound = [Ix::NONE; 2];
    let mut count = 0;
    for name in objects.split(',').map(str::trim) {
        let found = find(scene, name).ok_or_else(|| unknown(name))?;
        if let Some(slot) = bound.get_mut(count) {
            *slot = found;
        }
        count += 1;
    }
    if count != usize::from(def.arity) {
        let mut r = Refusal::new(Kind::WrongArity, Pre::Readable, "{w}", [Ix::NONE; 2]);
        r.written = Some(wrong_arity(def, count).into());
        return Err(r);
    }
    Ok(Action {
        verb,
        a: bound[0],
        b: bound[1],
    })
}

/// The object of that title.
pub fn find(scene: &Scene, title: &str) -> Option<Ix> {
    scene
        .indices()
        .find(|&ix| scene.node(ix).title.as_deref() == Some(title))
}
