//! Actions on facts: what is allowed, why not, and what changes.

use std::sync::Arc;

use crate::base::diag::Diagnostic;
use crate::base::fold::{Key, StateHash};
use crate::sim::graph::{Base, Change, Delta, Graph, Item, Tx};
use crate::sim::happen::{self, Effect, Happening};
use crate::sim::refusal::{Kind, Pre, Refusal};
use crate::sim::scene::Scene;
use crate::sim::vocab::{Dialect, Ix, NodeId, Profile};

/// One registered action of a dialect.
#[derive(Debug)]
pub struct ActionDef {
    /// The published name, upper case.
    pub name: &'static str,
    /// How many targets it takes: 0, 1 or 2.
    pub arity: u8,
    /// What it does, one sentence.
    pub doc: &'static str,
    /// What the published code does when a target's id is unknown.
    pub unknown: Unknown,
    /// What it does in [`Profile::Eai`].
    pub eai: Law,
    /// What it does in [`Profile::Strict`].
    pub strict: Law,
}

/// What an action does under one profile.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Whether it is allowed now. Reads only.
    pub check: fn(&Ctx<'_>, Ix, Ix) -> Result<Pass, Refusal>,
    /// Writes what it changes: the acting character, then the targets. Called only after `check` passed.
    pub effects: fn(&mut Tx<'_>, Ix, Ix, Ix),
}

impl ActionDef {
    /// What the action does under a profile.
    #[inline]
    pub const fn law(&self, profile: Profile) -> &Law {
        match profile {
            Profile::Eai => &self.eai,
            Profile::Strict => &self.strict,
        }
    }
}

/// What happens to an action whose target does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Code 3 and a message.
    Coded,
    /// A message without a code.
    Uncoded,
    /// An exception.
    Crash,
}

/// What an action sees when it is checked.
#[derive(Clone, Copy, Debug)]
pub struct Ctx<'w> {
    /// The facts.
    pub graph: &'w Graph,
    /// The acting character.
    pub me: Ix,
    /// The semantics in force.
    pub profile: Profile,
}

/// An allowed action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// A message and code that the published code leaves although the step succeeds.
    pub note: Option<Refusal>,
    /// Whether the step succeeds without doing anything.
    pub idle: bool,
}

impl Pass {
    /// Allowed, nothing to say.
    pub const YES: Self = Self {
        note: None,
        idle: false,
    };
}

/// An action with its targets bound to nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    /// Index into [`Dialect::actions`].
    pub verb: u8,
    /// The first target, or [`Ix::NONE`].
    pub a: Ix,
    /// The second target, or [`Ix::NONE`].
    pub b: Ix,
}

/// A target as written. The published code looks at the id alone, `strict` at the class too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The class as written.
    pub class: String,
    /// The id.
    pub id: NodeId,
}

/// The running simulator.
#[derive(Clone, Debug)]
pub struct World {
    graph: Graph,
    profile: Profile,
    me: Ix,
    happenings: Arc<[Happening]>,
}

impl World {
    /// A world at the start of a scene.
    ///
    /// # Errors
    /// The scene has no acting character.
    pub fn new(scene: &Arc<Scene>, profile: Profile) -> Result<Self, Diagnostic> {
        let rules = scene.dialect().rules;
        let base = Base::new(scene.clone(), profile);
        let Some(me) = base.agent else {
            return Err(Diagnostic::error(
                "nodes",
                format!("no node has the class {}", rules.agent_class),
            )
            .help("add the node that acts, with that class_name")
            .in_file(scene.name()));
        };
        Ok(Self {
            graph: Graph::new(Arc::new(base)),
            profile,
            me,
            happenings: Arc::new([]),
        })
    }

    /// The same world, still at its start, in which these things will come to pass.
    #[must_use]
    pub fn with_happenings(mut self, happenings: Arc<[Happening]>) -> Self {
        self.rescript(happenings);
        self
    }

    /// Gives a world that stands at its start another script: these things will come to pass, and no others.
    pub fn rescript(&mut self, happenings: Arc<[Happening]>) {
        let clocks = happenings.iter().map(Happening::begin).collect();
        self.graph.wind(clocks);
        self.happenings = happenings;
    }

    /// Lets effects come to pass at once, by no step: a start that is not the scene's. [`Graph::last_items`] then holds what
    /// changed, by which [`Self::take_back`] takes it back.
    pub fn bring(&mut self, effects: &[Effect]) {
        let mut tx = self.graph.change();
        happen::bring(&mut tx, effects);
        tx.finish();
    }

    /// What may come to pass by itself.
    pub fn happenings(&self) -> &[Happening] {
        &self.happenings
    }

    /// Which happenings came to pass in a step, by index, when the world stands after it.
    pub fn happened<'a>(&'a self, items: &'a [Item]) -> impl Iterator<Item = usize> + 'a {
        Graph::ticks(items).filter(|&i| happen::is_past(self.graph.clock(i)))
    }

    /// This world, which stands at its start, in the state that differs so from it.
    #[must_use]
    pub fn with_delta(&self, delta: &Delta) -> Self {
        Self {
            graph: self.graph.with_delta(delta),
            happenings: self.happenings.clone(),
            ..*self
        }
    }

    /// The facts.
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The scene as loaded.
    pub fn scene(&self) -> &Arc<Scene> {
        self.graph.scene()
    }

    /// The dialect's words.
    pub fn dialect(&self) -> &'static Dialect {
        self.graph.dialect()
    }

    /// The semantics in force.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The acting character.
    pub const fn me(&self) -> Ix {
        self.me
    }

    /// The hash of all facts.
    pub fn hash(&self) -> StateHash {
        self.graph.hash()
    }

    /// The hash of everything that decides what can follow: the facts, and how far happenings have come.
    pub fn key(&self) -> StateHash {
        let mut key = self.graph.hash();
        for (i, &clock) in self.graph.clocks().iter().enumerate() {
            key.toggle(Key::of_number((i as u64 + 1) << 32 | u64::from(clock)));
        }
        key
    }

    /// What an action sees.
    pub const fn ctx(&self) -> Ctx<'_> {
        Ctx {
            graph: &self.graph,
            me: self.me,
            profile: self.profile,
        }
    }

    /// The definition of an action.
    pub fn def(&self, action: Action) -> &'static ActionDef {
        self.dialect().actions[usize::from(action.verb)]
    }

    /// Binds written targets to nodes.
    ///
    /// # Errors
    /// The refusal that the published code gives for an unknown object, or for a wrong number of targets. In `strict` a
    /// target whose written class is not that of the node with its id is unknown too.
    pub fn bind(&self, verb: u8, targets: &[Target]) -> Result<Action, Refusal> {
        let def = self.dialect().actions[usize::from(verb)];
        if targets.len() != usize::from(def.arity) {
            let mut r = Refusal::new(Kind::WrongArity, Pre::Readable, "{w}", [Ix::NONE; 2]);
            r.written = Some(wrong_arity(def, targets.len()).into());
            return Err(r);
        }
        let mut bound = [Ix::NONE; 2];
        for (slot, target) in bound.iter_mut().zip(targets) {
            *slot = self
                .scene()
                .find(target.id)
                .ok_or_else(|| self.unknown(def, target))?;
            if self.profile == Profile::Strict && *self.scene().node(*slot).class != *target.class {
                return Err(self.unknown(def, target));
            }
        }
        Ok(Action {
            verb,
            a: bound[0],
            b: bound[1],
        })
    }

    /// The refusal of an object that is not there: in `strict` always the published code for that.
    fn unknown(&self, def: &ActionDef, target: &Target) -> Refusal {
        let (kind, template) = match (self.profile, def.unknown) {
            (Profile::Strict, _) | (_, Unknown::Coded) => (Kind::Unseen, "{w} cannot be found"),
            (_, Unknown::Uncoded) => (Kind::Uncoded, "{w} cannot be found"),
            (_, Unknown::Crash) => (Kind::Crash, "AttributeError"),
        };
        let mut r = Refusal::new(kind, Pre::Exists, template, [Ix::NONE; 2]);
        r.written = Some(format!("<{}> ({})", target.class, target.id).into());
        r
    }

    /// Whether an action is allowed now.
    ///
    /// # Errors
    /// The refusal, before any test of the order of steps (see [`crate::sim::timeline::Timeline::judge`]).
    #[inline]
    pub fn check(&self, action: Action) -> Result<Pass, Refusal> {
        let law = self.def(action).law(self.profile);
        (law.check)(&self.ctx(), action.a, action.b)
    }

    /// Does an action; [`Graph::last_items`] then holds what changed.
    ///
    /// # Errors
    /// As [`Self::check`]; the world is then unchanged.
    #[inline]
    pub fn apply(&mut self, action: Action) -> Result<Option<Refusal>, Refusal> {
        let law = self.def(action).law(self.profile);
        let pass = (law.check)(&self.ctx(), action.a, action.b)?;
        let me = self.me;
        let mut tx = self.graph.change();
        if !pass.idle {
            (law.effects)(&mut tx, me, action.a, action.b);
        }
        if !self.happenings.is_empty() {
            happen::pass(&mut tx, &self.happenings);
        }
        tx.finish();
        Ok(pass.note)
    }

    /// Gives the items of the last step away into a list whose room is used for the next one's.
    #[inline]
    pub const fn hand_over(&mut self, items: &mut Vec<Item>) {
        self.graph.hand_over(items);
    }

    /// Undoes or redoes a step by its items.
    #[inline]
    pub fn toggle(&mut self, items: &[Item]) {
        self.graph.toggle(items);
    }

    /// Undoes a step by its items and puts back the hash before it.
    #[inline]
    pub fn take_back(&mut self, items: &[Item], hash: StateHash) {
        self.graph.take_back(items, hash);
    }

    /// What the last applied step changed, sorted.
    pub fn last_changes(&self) -> Vec<Change> {
        self.graph.changes(self.graph.last_items())
    }

    /// What an action would change, leaving the world as it is.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn preview<T>(
        &mut self,
        action: Action,
        look: impl FnOnce(&Self, &[Item]) -> T,
    ) -> Result<T, Refusal> {
        let hash = self.hash();
        self.apply(action)?;
        let seen = look(self, self.graph.last_items());
        self.graph.take_back_last(hash);
        Ok(seen)
    }

    /// What an action would change if nothing stood in its way, leaving the world as it is.
    pub fn suppose<T>(&mut self, action: Action, look: impl FnOnce(&Self, &[Item]) -> T) -> T {
        let hash = self.hash();
        let law = self.def(action).law(self.profile);
        let me = self.me;
        let mut tx = self.graph.change();
        (law.effects)(&mut tx, me, action.a, action.b);
        tx.finish();
        let seen = look(self, self.graph.last_items());
        self.graph.take_back_last(hash);
        seen
    }

    /// The action as a published program line, `[PUTIN] <milk> (231) <fridge> (150)`.
    pub fn line(&self, action: Action) -> String {
        let mut text = format!("[{}]", self.def(action).name);
        for ix in [action.a, action.b] {
            if ix.is_some() {
                text.push(' ');
                text.push_str(&self.scene().node(ix).published());
            }
        }
        text
    }
}

/// The published sentence about a wrong number of targets.
pub fn wrong_arity(def: &ActionDef, got: usize) -> String {
    format!(
        "Wrong number of parameters for {:?}. Got {got}, expected {}",
        def.name, def.arity
    )
}
