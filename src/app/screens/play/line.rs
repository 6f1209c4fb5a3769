//! Completing an action that is being typed: its word, then the names of nodes.

use crate::app::edit::LineEdit;
use crate::app::parts::why::reason;
use crate::sim::world::World;
use crate::task::episode::Episode;

/// The line with its last word completed to the next one that fits; the same line where none does.
pub(super) fn completed(world: &World, line: &LineEdit) -> LineEdit {
    let text = line.text();
    let (before, word) = match text.rsplit_once(' ') {
        Some((before, word)) => (Some(before), word.to_lowercase()),
        None => (None, text.to_lowercase()),
    };
    let fits = candidates(world, before.is_none(), &word);
    let Some(next) = fits.first() else {
        return line.clone();
    };
    LineEdit::new(&match before {
        Some(before) => format!("{before} {next}"),
        None => format!("{next} "),
    })
}

/// What the last word may become: actions for the first word, else nodes within reach before the others.
pub(super) fn candidates(world: &World, first: bool, word: &str) -> Vec<String> {
    if first {
        let names = world
            .dialect()
            .actions
            .iter()
            .map(|a| a.name.to_lowercase());
        return names.filter(|name| name.starts_with(word)).collect();
    }
    let scene = world.scene();
    let near = crate::sim::reading::near(&world.ctx());
    let mut nodes: Vec<_> = scene
        .indices()
        .filter(|&ix| scene.short_name(ix).starts_with(word) && scene.short_name(ix) != word)
        .collect();
    nodes.sort_by_key(|ix| (!near.get(ix.at()).copied().unwrap_or(false), *ix));
    nodes
        .into_iter()
        .map(|ix| scene.short_name(ix).to_owned())
        .collect()
}

/// Words for below the line: what it would do, or what its last word may become.
pub fn suggestions(episode: &Episode, line: &LineEdit) -> Vec<String> {
    let world = episode.timeline().world();
    let text = line.text();
    if text.trim_start().starts_with('[') {
        return vec!["[GRAB] <knife> (12)".to_owned()];
    }
    if let Ok(it) = crate::plan::script::read_for(world, &text) {
        let words = crate::app::parts::action(world, it);
        return vec![match world.check(it) {
            Ok(_) => format!("✓ {words}"),
            Err(r) => format!("✗{} {}", r.kind.letter(), reason(world, &r)),
        }];
    }
    let (first, word) = match text.rsplit_once(' ') {
        Some((_, word)) => (false, word.to_lowercase()),
        None => (true, text.to_lowercase()),
    };
    let mut fits = candidates(world, first, &word);
    fits.truncate(40);
    fits
}
