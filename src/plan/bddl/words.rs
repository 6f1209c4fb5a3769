//! Predicates: those of the definition language and those a world can judge; and formulas as sentences.

use rustc_hash::FxHashMap;

use crate::base::diag::Diagnostic;
use crate::base::nearest::nearest;
use crate::plan::bddl::formula::{Formula, Term, Typed};
use crate::plan::bddl::scope::Scope;
use crate::plan::bddl::sexp::Word;
use crate::sim::vocab::{Dialect, Rel, State};

/// The predicates of the published definitions (`bddl` 1.0.1 and 3.6.0), whichever world can judge them.
pub const KNOWN: &[&str] = &[
    "assembled",
    "attached",
    "broken",
    "burnt",
    "contains",
    "cooked",
    "covered",
    "draped",
    "dusty",
    "filled",
    "folded",
    "frozen",
    "future",
    "grasped",
    "hot",
    "inroom",
    "inside",
    "insource",
    "nextto",
    "on_fire",
    "onfloor",
    "ontop",
    "open",
    "overlaid",
    "perished",
    "real",
    "saturated",
    "screwed",
    "sliced",
    "soaked",
    "stained",
    "timeset",
    "toggled_on",
    "touching",
    "under",
    "unfolded",
];

/// Whether the definition language has the predicate.
pub fn is_known(predicate: &str) -> bool {
    KNOWN.contains(&predicate)
}

/// What a predicate means in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Meaning {
    /// A state of one object.
    State(State),
    /// A relation of two.
    Relation(Rel),
}

/// The state a predicate means in a dialect, in lower case there.
pub fn judged_unary(dialect: &Dialect, predicate: &str) -> Option<State> {
    dialect
        .state(&predicate.to_uppercase())
        .filter(|s| s.0 < dialect.published_states)
}

/// The relation a predicate means: hands and the parts of a thing are no matter of goals.
fn judged_binary(dialect: &Dialect, predicate: &str) -> Option<Rel> {
    dialect
        .relation(&predicate.to_uppercase())
        .filter(|r| !dialect.rules.hands.contains(r) && dialect.rel_name(*r) != "PART_OF")
}

/// Whether the world of a dialect can judge a predicate.
pub fn judges(dialect: &Dialect, predicate: &str) -> bool {
    judged_unary(dialect, predicate).is_some() || judged_binary(dialect, predicate).is_some()
}

/// What an atom's predicate means.
///
/// # Errors
/// The world cannot judge it, nobody knows it, or it is said of another number of objects.
pub(super) fn meaning(
    dialect: &Dialect,
    predicate: &Word,
    arity: usize,
) -> Result<Meaning, Diagnostic> {
    let state = judged_unary(dialect, &predicate.text);
    let relation = judged_binary(dialect, &predicate.text);
    match (state, relation, arity) {
        (Some(state), _, 1) => Ok(Meaning::State(state)),
        (_, Some(relation), 2) => Ok(Meaning::Relation(relation)),
        (None, None, _) => Err(unjudged(dialect, predicate)),
        (state, ..) => {
            let right = if state.is_some() {
                "one object"
            } else {
                "two objects"
            };
            let message = format!("{predicate} is said of {right}, and here are {arity}");
            Err(predicate.place.error(message).help(format!("name {right}")))
        }
    }
}

/// The finding about a predicate that a world cannot judge.
fn unjudged(dialect: &Dialect, predicate: &Word) -> Diagnostic {
    let can = judged(dialect);
    if is_known(&predicate.text) {
        return predicate
            .place
            .error(format!(
                "the world {} cannot judge {predicate}, so this goal can be neither met nor missed",
                dialect.id
            ))
            .help(format!("it judges {}", can.join(", ")));
    }
    let known = can.iter().map(String::as_str).chain(KNOWN.iter().copied());
    let near = nearest(&predicate.text, known);
    predicate
        .place
        .error(format!("unknown predicate {predicate}"))
        .help(near.map_or_else(
            || format!("known are {}", can.join(", ")),
            |near| format!("did you mean {near}?"),
        ))
}

/// The predicates a world judges.
fn judged(dialect: &Dialect) -> Vec<String> {
    let states = dialect.published().iter();
    let relations = dialect.relations.iter();
    let lower = states.chain(relations).map(|w| w.to_lowercase());
    lower.filter(|w| judges(dialect, w)).collect()
}

/// A type or name in words: `hot tub` for `hot_tub.n.02`.
pub(super) fn label(name: &str) -> String {
    let stem = name.split('.').next().unwrap_or(name);
    stem.replace('_', " ")
}

/// A predicate in words.
fn predicate_words(predicate: &str) -> String {
    match predicate {
        "nextto" => "next to".to_owned(),
        "ontop" | "onfloor" => "on".to_owned(),
        _ => predicate.replace('_', " "),
    }
}

/// A formula as a sentence: `every plate inside cabinet_0`.
pub(super) fn sentence(scope: &Scope<'_>, formula: &Formula) -> String {
    let names = FxHashMap::default();
    Speaker { scope, names }.say(formula)
}

struct Speaker<'s> {
    scope: &'s Scope<'s>,
    /// What variables are called.
    names: FxHashMap<Box<str>, String>,
}

impl Speaker<'_> {
    fn say(&mut self, formula: &Formula) -> String {
        match formula {
            Formula::Atom { predicate, terms } => self.atom(predicate, terms, ""),
            Formula::And(all) => self.joined(all, " and "),
            Formula::Or(all) => self.joined(all, " or "),
            Formula::Not(one) => match &**one {
                Formula::Atom { predicate, terms } => self.atom(predicate, terms, "not "),
                Formula::Exists(v, body) => self.each(v, "no", body),
                other => format!("not ({})", self.say(other)),
            },
            Formula::Imply(a, b) => format!("if {} then {}", self.within(a), self.within(b)),
            Formula::ForAll(v, body) => self.each(v, "every", body),
            Formula::Exists(v, body) => self.each(v, "some", body),
            Formula::ForN(n, v, body) => self.each(v, &n.to_string(), body),
            Formula::ForPairs(a, b, body) => self.pairs("each", a, b, body),
            Formula::ForNPairs(n, a, b, body) => self.pairs(&n.to_string(), a, b, body),
        }
    }

    /// A formula as part of another.
    fn within(&mut self, formula: &Formula) -> String {
        let text = self.say(formula);
        match formula {
            Formula::And(_) | Formula::Or(_) | Formula::Imply(..) => format!("({text})"),
            _ => text,
        }
    }

    fn joined(&mut self, all: &[Formula], with: &str) -> String {
        let parts: Vec<String> = all.iter().map(|one| self.within(one)).collect();
        if parts.is_empty() {
            let text = if with == " and " { "always" } else { "never" };
            return text.to_owned();
        }
        parts.join(with)
    }

    fn atom(&self, predicate: &Word, terms: &[Term], not: &str) -> String {
        let name = |t: &Term| {
            let own = self.names.get(&*t.name.text).cloned();
            own.unwrap_or_else(|| self.scope.say(&t.name))
        };
        let words = predicate_words(&predicate.text);
        match terms {
            [x, y] => format!("{} {not}{words} {}", name(x), name(y)),
            all => {
                let names: Vec<String> = all.iter().map(name).collect();
                format!("{} {not}{words}", names.join(" "))
            }
        }
    }

    /// A quantifier: at the place of its variable if that stands there once, else before the rest.
    fn each(&mut self, v: &Typed, how_many: &str, body: &Formula) -> String {
        let what = label(&v.category.text);
        let phrase = format!("{how_many} {what}");
        let once = occurrences(&v.name, body) == 1 && is_simple(body, how_many == "every");
        let called = if once { phrase.clone() } else { what };
        let before = self.names.insert(v.name.text.clone(), called);
        let text = if once {
            self.say(body)
        } else {
            format!("{phrase}: {}", self.within(body))
        };
        self.forget(&v.name, before);
        text
    }

    fn pairs(&mut self, how_many: &str, a: &Typed, b: &Typed, body: &Formula) -> String {
        let (first, second) = (label(&a.category.text), label(&b.category.text));
        let head = format!("{how_many} pair of {first} and {second}");
        let one = self.names.insert(a.name.text.clone(), first);
        let two = self.names.insert(b.name.text.clone(), second);
        let text = format!("{head}: {}", self.within(body));
        self.forget(&b.name, two);
        self.forget(&a.name, one);
        text
    }

    fn forget(&mut self, name: &Word, before: Option<String>) {
        match before {
            Some(old) => self.names.insert(name.text.clone(), old),
            None => self.names.remove(&name.text),
        };
    }
}

/// How often a variable is named in a formula.
fn occurrences(name: &Word, formula: &Formula) -> usize {
    let mut count = 0;
    formula.each(&mut |part| {
        if let Formula::Atom { terms, .. } = part {
            count += terms.iter().filter(|t| t.name == *name).count();
        }
    });
    count
}

/// Whether a formula is a fact, a denied fact, or a chain of quantifiers before one, of which none for all follows one for
/// some: in one phrase the two would read as the other way round.
fn is_simple(formula: &Formula, all: bool) -> bool {
    match formula {
        Formula::Atom { .. } => true,
        Formula::Not(one) => matches!(**one, Formula::Atom { .. }),
        Formula::ForAll(_, one) => all && is_simple(one, true),
        Formula::Exists(_, one) => is_simple(one, false),
        _ => false,
    }
}
