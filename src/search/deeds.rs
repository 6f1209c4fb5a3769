//! What begins and ends a tracked fact: the actions its formulas wait for, and the facts that bring it about.

use crate::safety::book::{Book, Shadow};
use crate::safety::formula::{Binder, Formula, GuardId, Term, TrackedId};
use crate::search::mend::Mender;
use crate::search::need::Need;
use crate::search::table_of;
use crate::sim::vocab::{Dialect, Ix};
use crate::sim::world::{Action, World};

/// One way to begin or end a tracked fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The action; none where facts alone do it.
    pub action: Option<Action>,
    /// What must hold then.
    pub needs: Vec<Need>,
}

/// How many nodes of a set an action is tried on.
const FEW: usize = 8;

/// What begins and ends one tracked fact.
#[derive(Debug)]
pub(super) struct Turns {
    /// Its one parameter, if it has any.
    param: Option<Binder>,
    /// Actions that end (first list) and begin (second list) it.
    acts: [Vec<Pattern>; 2],
    /// What brings it about besides.
    causes: Vec<Formula>,
    /// What holds it up.
    during: Option<Formula>,
    /// Whether it ends by itself.
    passes: bool,
}

/// Actions by number with what their targets must be.
#[derive(Clone, Debug)]
struct Pattern {
    verbs: u64,
    args: [Arg; 2],
}

/// What an action's target must be.
#[derive(Clone, Copy, Debug)]
enum Arg {
    Any,
    Me,
    /// The fact's first parameter.
    Param,
    Guard(GuardId),
}

impl Turns {
    /// Of one fact; `None` if the dialect has no words for it.
    pub(super) fn new(book: &Book, id: TrackedId, dialect: &'static Dialect) -> Option<Self> {
        let fact = book.bind_fact(id, dialect).ok()?;
        let collect = |formula: &Option<Formula>| {
            let mut found = Vec::new();
            if let Some(formula) = formula {
                patterns(formula, &fact.params, &mut Vec::new(), &mut found);
            }
            found
        };
        Some(Self {
            acts: [collect(&fact.reset), collect(&fact.set)],
            param: fact.params.first().copied(),
            causes: fact.set.into_iter().chain(fact.during.clone()).collect(),
            during: fact.during,
            passes: fact.lasts.is_some(),
        })
    }
}

impl Mender {
    /// What begins or ends a tracked fact of a node.
    pub fn deeds(
        &self,
        (world, shadow): (&World, &dyn Shadow),
        book: &Book,
        (want, fact, of): (bool, u8, Ix),
    ) -> Vec<Deed> {
        let Some(Some(turns)) = self.turns.get(usize::from(fact)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for pattern in &turns.acts[usize::from(want)] {
            self.fill(world, book, (pattern, of), &mut found);
        }
        let causes = |f: &Formula, so: bool| {
            let param = turns.param.as_ref();
            self.causes((world, shadow), book, (f, so), (param, of))
        };
        if want {
            let all = turns.causes.iter().flat_map(|f| causes(f, true));
            found.extend(all.map(|needs| Deed {
                action: None,
                needs,
            }));
        } else if turns.passes
            && let Some(wait) = table_of(world.dialect()).and_then(|t| (t.wait)(world))
        {
            let over = turns.during.as_ref().map(|f| causes(f, false));
            let over = over.unwrap_or_else(|| vec![Vec::new()]);
            found.extend(over.into_iter().map(|needs| Deed {
                action: Some(wait),
                needs,
            }));
        }
        found
    }

    /// The actions of a pattern.
    fn fill(
        &self,
        world: &World,
        book: &Book,
        (pattern, of): (&Pattern, Ix),
        found: &mut Vec<Deed>,
    ) {
        let all = world.dialect().actions.iter().enumerate();
        for (verb, def) in all.filter(|(verb, _)| pattern.verbs & (1 << verb) != 0) {
            let nodes = |n: usize| -> Vec<Ix> {
                if usize::from(def.arity) <= n {
                    return vec![Ix::NONE];
                }
                match pattern.args[n] {
                    Arg::Any => Vec::new(),
                    Arg::Me => vec![world.me()],
                    Arg::Param => vec![of],
                    Arg::Guard(g) => {
                        let range = self.range(book, world, g).iter().copied();
                        range.take(FEW).collect()
                    }
                }
            };
            for a in nodes(0) {
                found.extend(nodes(1).into_iter().map(|b| Deed {
                    action: Some(Action {
                        verb: verb as u8,
                        a,
                        b,
                    }),
                    needs: Vec::new(),
                }));
            }
        }
    }
}

/// The actions a formula waits for.
fn patterns(f: &Formula, params: &[Binder], inner: &mut Vec<Binder>, found: &mut Vec<Pattern>) {
    match f {
        Formula::Act(verbs, args) => {
            let arg = |t: &Option<Term>| match t {
                None => Arg::Any,
                Some(Term::Me) => Arg::Me,
                Some(Term::Var(slot)) => {
                    if params.first().is_some_and(|p| p.slot == *slot) {
                        return Arg::Param;
                    }
                    let binder = inner.iter().find(|b| b.slot == *slot);
                    binder.map_or(Arg::Any, |b| Arg::Guard(b.guard))
                }
            };
            found.push(Pattern {
                verbs: *verbs,
                args: [arg(&args[0]), arg(&args[1])],
            });
        }
        // What is denied is no deed.
        Formula::Not(_) => {}
        Formula::All(binders, f) | Formula::Some(binders, f) => {
            let before = inner.len();
            inner.extend_from_slice(binders);
            patterns(f, params, inner, found);
            inner.truncate(before);
        }
        _ => {
            for part in f.parts() {
                patterns(part, params, inner, found);
            }
        }
    }
}
