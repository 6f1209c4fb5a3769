//! A difference between profiles, shown: its example played under each of them.

use std::sync::Arc;

use crate::plan::fact::Fact;
use crate::plan::script;
use crate::safety::book::Book;
use crate::sim::explain::sentence;
use crate::sim::profile::{Difference, Profile};
use crate::sim::refusal::{Kind, Refusal};
use crate::sim::scene::Scene;
use crate::sim::timeline::Timeline;
use crate::sim::world::World;
use crate::task::Task;
use crate::task::setup::prepare;

/// What became of an example under one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The profile.
    pub profile: Profile,
    /// Its steps in order.
    pub steps: Vec<Told>,
    /// The facts asked for, and whether they hold at the end.
    pub facts: Vec<(&'static str, bool)>,
}

/// What became of one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The step as written.
    pub line: &'static str,
    /// Whether it was done.
    pub done: bool,
    /// The kind and reason of its refusal, or of the note a done step leaves.
    pub said: Option<(Kind, String)>,
}

impl Shown {
    /// Whether the example comes to the same end: the same steps done with the same codes, the same facts.
    pub fn is_same(&self, other: &Self) -> bool {
        let codes = |it: &Self| -> Vec<_> {
            let kind = |t: &Told| (t.done, t.said.as_ref().map(|s| s.0));
            it.steps.iter().map(kind).collect()
        };
        codes(self) == codes(other) && self.facts == other.facts
    }
}

/// Plays a difference's example under a profile, in the scene its dialect names for that.
///
/// # Errors
/// The example does not fit the scene: one sentence.
pub fn show(it: &Difference, base: &Scene, profile: Profile) -> Result<Shown, String> {
    let fault = |what: &str, why: &str| format!("{}: {what}: {why}", it.id);
    let mut task = Task::blank(it.id, "profiles", base.dialect().id, base.name());
    task.init = it.example.init.iter().map(|t| (*t).to_owned()).collect();
    // Examples speak of the graph alone, so a book without rules and tracked facts will do.
    let book = Arc::new(Book::default());
    let setup = prepare(Arc::new(task), base, book.clone()).map_err(|all| {
        let first = all.first().map(|d| d.message.clone()).unwrap_or_default();
        fault("init", &first)
    })?;
    let world = World::new(&setup.scene, profile).map_err(|d| fault("scene", &d.message))?;
    let mut timeline = Timeline::new(world);
    let mut steps = Vec::new();
    for &line in it.example.steps {
        let (done, said) = match script::read_for(timeline.world(), line) {
            Err(e) if e.kind == Kind::Unseen => (false, Some((e.kind, e.message))),
            Err(e) => return Err(fault(line, &e.message)),
            Ok(action) => {
                let result = timeline.step(action);
                let world = timeline.world();
                let name = |ix| world.scene().short_name(ix).to_owned();
                let words = |r: &Refusal| (r.kind, sentence(world, r, &name));
                match &result {
                    Ok(done) => (true, done.note.as_ref().map(words)),
                    Err(refusal) => (false, Some(words(refusal))),
                }
            }
        };
        steps.push(Told { line, done, said });
    }
    let mut facts = Vec::new();
    for &text in it.example.tell {
        let fact = Fact::read(base, &book, text).map_err(|why| fault(text, &why))?;
        facts.push((text, fact.holds(timeline.world().graph(), &())));
    }
    Ok(Shown {
        profile,
        steps,
        facts,
    })
}
