//! What the names and types of a formula mean in a scene.

use rustc_hash::FxHashMap;

use crate::base::diag::Diagnostic;
use crate::base::nearest::nearest;
use crate::plan::bddl::sexp::Word;
use crate::plan::bddl::words::label;
use crate::sim::scene::{Node, Scene};
use crate::sim::vocab::Ix;

/// The objects of a scene by name and by type.
///
/// An object is named by its title (`sink_64`), by the short name people use, as `class.id`, or as the definition does it:
/// type, underscore, and its number among the objects of that type in the order of the scene (`sink.n.01_1`). Types are the
/// nodes' categories; where none has such a category, their classes. Quantifiers run over objects in the scene's order;
/// rooms, the agent, and parts a thing can be cut into are none of them.
#[derive(Debug)]
pub struct Scope<'s> {
    scene: &'s Scene,
    names: FxHashMap<String, Ix>,
    /// Types in the order of their first object.
    types: Vec<(String, Vec<Ix>)>,
    classes: Vec<(String, Vec<Ix>)>,
}

impl<'s> Scope<'s> {
    /// The objects of a scene.
    pub fn new(scene: &'s Scene) -> Self {
        let mut scope = Self {
            scene,
            names: FxHashMap::default(),
            types: Vec::new(),
            classes: Vec::new(),
        };
        let part = scene.dialect().property("PART");
        let is_part = |node: &Node| part.is_some_and(|p| node.props.has(p));
        let is_agent = |node: &Node| &*node.class == scene.dialect().rules.agent_class;
        for ix in scene.indices() {
            let node = scene.node(ix);
            if is_part(node) || is_agent(node) || node.is_room() {
                continue;
            }
            if let Some(category) = &node.category {
                push(&mut scope.types, category, ix);
            }
            push(&mut scope.classes, &node.class, ix);
        }
        for ix in scene.indices().filter(|&ix| !is_agent(scene.node(ix))) {
            scope.name(&scene.node(ix).name(), ix);
            scope.name(
                &format!("{}.{}", scene.node(ix).class, scene.node(ix).id),
                ix,
            );
        }
        for ix in scene.indices().filter(|&ix| !is_agent(scene.node(ix))) {
            let name = scene.short_name(ix).to_lowercase();
            scope.names.entry(name).or_insert(ix);
        }
        let numbered: Vec<(String, Ix)> = scope
            .types
            .iter()
            .flat_map(|(name, all)| {
                let numbers = all.iter().enumerate();
                numbers.map(move |(i, &ix)| (format!("{name}_{}", i + 1), ix))
            })
            .collect();
        for (name, ix) in numbered {
            scope.names.entry(name).or_insert(ix);
        }
        scope
    }

    /// A name in full; one that stands for several objects stands for none.
    fn name(&mut self, name: &str, ix: Ix) {
        let other = self.names.entry(name.to_lowercase()).or_insert(ix);
        if *other != ix {
            *other = Ix::NONE;
        }
    }

    /// The scene.
    pub const fn scene(&self) -> &'s Scene {
        self.scene
    }

    /// The object of that name.
    ///
    /// # Errors
    /// None is called so, or several are; with the nearest name.
    pub fn object(&self, name: &Word) -> Result<Ix, Diagnostic> {
        match self.names.get(&*name.text) {
            Some(&ix) if ix.is_some() => Ok(ix),
            Some(_) => Err(name
                .place
                .error(format!("several objects are called {name}"))
                .help("name one of them as class.id")),
            None => {
                let mut known: Vec<&str> = self.names.keys().map(String::as_str).collect();
                known.sort_unstable();
                let near = nearest(&name.text, known.into_iter());
                Err(name
                    .place
                    .error(format!("no object is called {name}"))
                    .help(near.map_or_else(
                        || "name an object of the scene".to_owned(),
                        |near| format!("did you mean {near}?"),
                    )))
            }
        }
    }

    /// The objects of a type, in the scene's order.
    ///
    /// # Errors
    /// No object is of that type; with the nearest type.
    pub fn objects(&self, category: &Word) -> Result<&[Ix], Diagnostic> {
        let tables = [&self.types, &self.classes];
        let found = tables
            .into_iter()
            .find_map(|table| table.iter().find(|(name, _)| **name == *category.text));
        found.map(|(_, all)| all.as_slice()).ok_or_else(|| {
            let known = self.types.iter().map(|(name, _)| name.as_str());
            let near = nearest(&category.text, known);
            category
                .place
                .error(format!("no object of this scene is of type {category}"))
                .help(near.map_or_else(
                    || "use the type of one of its objects".to_owned(),
                    |near| format!("did you mean {near}?"),
                ))
        })
    }

    /// The name of an object in sentences.
    pub fn say(&self, name: &Word) -> String {
        match self.object(name) {
            Ok(ix) => self.scene.short_name(ix).to_owned(),
            Err(_) => label(&name.text),
        }
    }
}

fn push(table: &mut Vec<(String, Vec<Ix>)>, name: &str, ix: Ix) {
    let name = name.to_lowercase();
    match table.iter_mut().find(|(n, _)| *n == name) {
        Some((_, all)) => all.push(ix),
        None => table.push((name, vec![ix])),
    }
}
