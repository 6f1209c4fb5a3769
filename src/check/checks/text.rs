//! Whether the instruction asks for what a goal denies, as far as its words tell.
//!
//! No language is understood here, only two patterns that hardly mean anything else: *put the newspapers on the floor* beside a
//! goal that wants them not there, and *close the door* beside one that wants it open. A clause with a word of denial in it is
//! left alone, and a thing must be named by its class.

use crate::check::checks::counted;
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};
use crate::plan::fact::{Body, Fact};
use crate::plan::goal::{Ask, Goal};
use crate::sim::vocab::Ix;

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "text",
    title: "no goal denies what the instruction asks",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    if case.is_refusal() || case.goals().success == 0 {
        return Outcome::NotAsked("there are no success goals".to_owned());
    }
    let clauses = clauses(&case.task().instruction);
    let success = case.goals().success;
    let mut found = Vec::new();
    for (i, goal) in case.goals().goals.iter().enumerate().take(success) {
        let said = literals(goal)
            .into_iter()
            .find_map(|fact| clauses.iter().find_map(|c| denied(case, c, &fact)));
        if let Some(said) = said {
            let text = format!(
                "the instruction says \"{said}\", and {} wants the contrary",
                case.words(i)
            );
            found.push(
                Finding::new(Kind::TextDisagrees, text)
                    .about("instruction")
                    .about(case.field(i)),
            );
        }
    }
    Outcome::of(found, counted(clauses.len(), "clause"))
}

/// The clauses of a text, each as its words in lower case.
fn clauses(text: &str) -> Vec<Vec<String>> {
    let text = text.to_lowercase();
    let parts = text.split(['.', ',', ';', ':', '!', '?']);
    parts
        .flat_map(|part| {
            // A new verb after "and" begins a new clause; the rest of a list of things does not.
            let words = part.split_whitespace().map(|w| {
                let own = |c: char| !c.is_alphanumeric() && c != '-' && c != '\'';
                w.trim_matches(own).to_owned()
            });
            let words: Vec<String> = words.collect();
            let mut all = vec![Vec::new()];
            for (i, word) in words.iter().enumerate() {
                let verb = words.get(i + 1).is_some_and(|next| is_verb(next));
                if matches!(word.as_str(), "and" | "then") && verb {
                    all.push(Vec::new());
                } else if let Some(last) = all.last_mut() {
                    last.push(word.clone());
                }
            }
            all
        })
        .filter(|words| !words.is_empty())
        .collect()
}

fn is_verb(word: &str) -> bool {
    let of_state = ORDERS.iter().any(|(verb, ..)| *verb == word);
    of_state
        || matches!(
            word,
            "put" | "open" | "place" | "leave" | "clean" | "make" | "take" | "bring" | "use"
        )
}

/// Words that turn a clause into its contrary, or say where a thing is and not where it is to be.
const DENIALS: &[&str] = &[
    "not", "no", "never", "without", "off", "out", "from", "remove", "away", "unless", "don't",
    "nothing", "that", "which", "instead", "stop", "prevent", "avoid",
];

/// What a verb asks for: a state, and whether a thing is to have it. Opening is a means more often than an end: what is
/// opened on the way and shut in the end denies nothing.
const ORDERS: &[(&str, &str, bool)] = &[
    ("close", "OPEN", false),
    ("shut", "OPEN", false),
    ("lock", "OPEN", false),
    ("freeze", "FROZEN", true),
    ("thaw", "FROZEN", false),
    ("defrost", "FROZEN", false),
    ("cook", "COOKED", true),
    ("slice", "SLICED", true),
    ("chop", "SLICED", true),
    ("soak", "SOAKED", true),
    ("close", "CLOSED", true),
    ("shut", "CLOSED", true),
];

/// How a relation is said.
const PLACES: &[(&str, &[&str])] = &[
    ("ONFLOOR", &["on", "onto"]),
    ("ONTOP", &["on", "onto"]),
    ("ON", &["on", "onto"]),
    ("INSIDE", &["in", "into", "inside"]),
    ("NEXTTO", &["beside"]),
    ("UNDER", &["under"]),
];

/// The facts that a goal asks for or denies; of a formula those that it asks for, or denies, in all its ways alike.
fn literals(goal: &Goal) -> Vec<Fact> {
    match &goal.ask {
        Ask::Fact(fact) => vec![fact.clone()],
        Ask::All(facts) => facts.clone(),
        Ask::Formula(bound) => {
            let mut ways: Vec<Fact> = bound.ways().take(WAYS).flatten().collect();
            let all = ways.clone();
            let both = |fact: &Fact| {
                let contrary = |f: &Fact| f.body == fact.body && f.negated != fact.negated;
                all.iter().any(contrary)
            };
            ways.retain(|fact| !both(fact));
            ways
        }
        Ask::Done(_) | Ask::Never(_) => Vec::new(),
    }
}

/// Ways to meet a goal that are looked at.
const WAYS: usize = 64;

/// The clause, if it asks for the contrary of a fact that is wanted.
fn denied(case: &Case<'_>, clause: &[String], fact: &Fact) -> Option<String> {
    if clause.iter().any(|w| DENIALS.contains(&w.as_str())) {
        return None;
    }
    let dialect = case.setup.scene.dialect();
    let asks = match &fact.body {
        // Put the newspapers on the floor: the goal wants them elsewhere.
        Body::Edge(x, rel, y) if fact.negated => {
            let (_, ways) = PLACES.iter().find(|(r, _)| *r == dialect.rel_name(*rel))?;
            x.iter().any(|&x| names(case, clause, x).is_some())
                && y.iter().any(|&y| {
                    let at = names(case, clause, y);
                    at.is_some_and(|at| is_place(clause.get(..at).unwrap_or_default(), ways))
                })
        }
        // Close the door: the goal wants it open.
        Body::State(x, state) => {
            let wanted = !fact.negated;
            let contrary = |(_, s, to): &&(&str, &str, bool)| {
                *s == dialect.state_name(*state) && *to != wanted
            };
            let orders = ORDERS.iter().filter(contrary);
            orders.into_iter().any(|(verb, ..)| {
                let object = clause.split_first().filter(|(first, _)| first == verb);
                object.is_some_and(|(_, rest)| {
                    x.iter()
                        .any(|&x| names(case, rest, x).is_some_and(|at| at < NEAR))
                })
            })
        }
        Body::Edge(..) | Body::Tracked(..) => false,
    };
    asks.then(|| clause.join(" "))
}

/// How far behind its verb a thing is named.
const NEAR: usize = 3;

/// Whether these words end with one of place, and an article: `on the`.
fn is_place(before: &[String], ways: &[&str]) -> bool {
    let mut back = before.iter().rev().map(String::as_str);
    let last = back.find(|w| !matches!(*w, "the" | "a" | "an" | "its" | "your"));
    last.is_some_and(|w| ways.contains(&w))
}

/// Where a clause names a thing by the last word of its class or of what it is called, in the singular or plural.
fn names(case: &Case<'_>, clause: &[String], x: Ix) -> Option<usize> {
    let node = case.setup.scene.node(x);
    let category = node.category.as_deref().unwrap_or_default();
    let words = [&*node.class, category.split('.').next().unwrap_or_default()];
    let lasts = words.map(|w| w.rsplit('_').next().unwrap_or_default());
    clause.iter().position(|word| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        lasts
            .iter()
            .any(|last| !last.is_empty() && (last == word || *last == singular))
    })
}
