//! Rules that say nothing: those that can never be broken in a scene, and those that repeat another one.

use std::collections::BTreeMap;

use super::book::Book;
use super::formula::{Binder, Bound, Formula, Guard, GuardId, Slot, Term};
use super::ontology::members;
use super::rule::Rule;
use crate::sim::scene::Scene;
use crate::sim::vocab::{Dialect, Ix};

/// Why a rule can never be broken in a scene; `None` where it may be.
pub fn never(book: &Book, rule: &Rule, scene: &Scene) -> Option<String> {
    let bound = match book.bind(rule, scene.dialect()) {
        Ok(bound) => bound,
        Err(why) => return Some(why.to_string()),
    };
    let mut sets = Sets {
        book,
        scene,
        known: BTreeMap::new(),
        ranges: BTreeMap::new(),
    };
    for binder in &bound.outer {
        let range = sets.members(binder.guard);
        if range.is_empty() {
            let guard = words(book.guard(binder.guard));
            return Some(format!("nothing in {} is {guard}", scene.name()));
        }
        sets.ranges.insert(binder.slot, range);
    }
    let always = sets.value(&bound.body) == Some(true);
    always.then(|| format!("nothing in {} can break it", scene.name()))
}

fn words(guard: &Guard) -> String {
    guard.0.join(" or ")
}

struct Sets<'s> {
    book: &'s Book,
    scene: &'s Scene,
    known: BTreeMap<GuardId, Vec<Ix>>,
    ranges: BTreeMap<Slot, Vec<Ix>>,
}

impl Sets<'_> {
    fn members(&mut self, guard: GuardId) -> Vec<Ix> {
        let (book, scene) = (self.book, self.scene);
        let found = self.known.entry(guard);
        found
            .or_insert_with(|| members(book.guard(guard), &book.ontology, scene))
            .clone()
    }

    /// The value a formula has whatever happens, where the scene's sets alone decide it.
    fn value(&mut self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::True => Some(true),
            Formula::Same(a, b) if a == b => Some(true),
            Formula::Is(guard, Term::Var(slot)) => {
                let set = self.members(*guard);
                let range = self.ranges.get(slot)?;
                let inside = range.iter().filter(|n| set.binary_search(n).is_ok());
                match inside.count() {
                    0 => Some(false),
                    n if n == range.len() => Some(true),
                    _ => None,
                }
            }
            Formula::Not(f) => self.value(f).map(|v| !v),
            Formula::And(all) => self.joined(all, false),
            Formula::Or(all) => self.joined(all, true),
            Formula::Prev(f) | Formula::Once(f) if self.value(f) == Some(false) => Some(false),
            Formula::Hist(f) if self.value(f) == Some(true) => Some(true),
            Formula::Since(_, g) if self.value(g) == Some(false) => Some(false),
            Formula::Run(f, _) if self.value(f) == Some(false) => Some(true),
            Formula::Some(binders, f) => self.quantified(binders, f, false),
            Formula::All(binders, f) => self.quantified(binders, f, true),
            _ => None,
        }
    }

    /// `decides` is the value that one operand suffices for.
    fn joined(&mut self, all: &[Formula], decides: bool) -> Option<bool> {
        let values: Vec<Option<bool>> = all.iter().map(|f| self.value(f)).collect();
        if values.contains(&Some(decides)) {
            Some(decides)
        } else if values.iter().all(Option::is_some) {
            Some(!decides)
        } else {
            None
        }
    }

    /// `empty` is the value over no node at all.
    fn quantified(&mut self, binders: &[Binder], f: &Formula, empty: bool) -> Option<bool> {
        let mut is_empty = false;
        for binder in binders {
            let range = self.members(binder.guard);
            is_empty |= range.is_empty();
            self.ranges.insert(binder.slot, range);
        }
        if is_empty {
            return Some(empty);
        }
        self.value(f)
    }
}

/// Rules that say the same as an earlier one up to the names of variables and the order of `&`, `|` and variables:
/// the later, then the earlier.
pub fn repeated<'b>(book: &'b Book, dialect: &'static Dialect) -> Vec<(&'b Rule, &'b Rule)> {
    let mut first: BTreeMap<String, &Rule> = BTreeMap::new();
    let mut found = Vec::new();
    for rule in &book.rules {
        let Ok(bound) = book.bind(rule, dialect) else {
            continue;
        };
        let key = canonical(&bound);
        match first.get(&key) {
            Some(earlier) => found.push((&**rule, *earlier)),
            None => {
                first.insert(key, rule);
            }
        }
    }
    found
}

/// A text that is the same for all ways to write a rule.
fn canonical(bound: &Bound) -> String {
    let n = bound.outer.len();
    let mut best: Option<String> = None;
    for order in orders(n) {
        // The i-th outer variable gets the place that `order` gives it.
        let place = |slot: Slot| {
            let old = usize::from(slot.0);
            order.get(old).map_or(slot, |new| Slot(*new as u8))
        };
        let mut guards = vec![GuardId(0); n];
        for (binder, new) in bound.outer.iter().zip(&order) {
            if let Some(to) = guards.get_mut(*new) {
                *to = binder.guard;
            }
        }
        let text = format!("{guards:?} {}", sorted(&bound.body, &place));
        best = Some(best.map_or(text.clone(), |b| b.min(text)));
    }
    best.unwrap_or_default()
}

/// All orders of `n` things.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for i in 0..n {
        all = all
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                (0..=i).map(move |at| {
                    let mut order = order.clone();
                    order.insert(at, i);
                    order
                })
            })
            .collect();
    }
    all
}

/// A formula as text, operands of `&` and `|` sorted.
fn sorted(formula: &Formula, place: &dyn Fn(Slot) -> Slot) -> String {
    let term = |t: &Term| match t {
        Term::Me => Term::Me,
        Term::Var(slot) => Term::Var(place(*slot)),
    };
    let terms = |all: &[Term; 2]| format!("{:?}", [term(&all[0]), term(&all[1])]);
    let many = |all: &[Formula]| {
        let mut all: Vec<String> = all.iter().map(|f| sorted(f, place)).collect();
        all.sort();
        all.join(",")
    };
    let one = |f: &Formula| sorted(f, place);
    match formula {
        Formula::True | Formula::Start | Formula::End => format!("{formula:?}"),
        Formula::Same(a, b) => {
            let (a, b) = (term(a), term(b));
            format!("same {:?} {:?}", a.min(b), a.max(b))
        }
        Formula::Is(guard, x) => format!("is {guard:?} {:?}", term(x)),
        Formula::Base(read, of) => format!("base {read:?} {}", terms(of)),
        Formula::Tracked(id, of) => format!("tracked {id:?} {}", terms(of)),
        Formula::Act(verbs, of) => {
            let of = [of[0].as_ref().map(term), of[1].as_ref().map(term)];
            format!("act {verbs} {of:?}")
        }
        Formula::Not(f) => format!("not({})", one(f)),
        Formula::And(all) => format!("and({})", many(all)),
        Formula::Or(all) => format!("or({})", many(all)),
        Formula::Prev(f) => format!("prev({})", one(f)),
        Formula::Once(f) => format!("once({})", one(f)),
        Formula::Hist(f) => format!("hist({})", one(f)),
        Formula::Since(f, g) => format!("since({})({})", one(f), one(g)),
        Formula::Run(f, most) => format!("run({}) {most}", one(f)),
        Formula::All(binders, f) => format!("all {binders:?} ({})", one(f)),
        Formula::Some(binders, f) => format!("some {binders:?} ({})", one(f)),
    }
}
