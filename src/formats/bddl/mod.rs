//! Problem files of BDDL, BEHAVIOR's definition language: the objects of an activity, the facts it begins with, its goal.
//!
//! ```text
//! (define (problem making_tea_0) (:domain igibson)
//!     (:objects teapot.n.01_1 - teapot.n.01 …)
//!     (:init (inside teapot.n.01_1 cabinet.n.01_1) (not (open cabinet.n.01_1)) (inroom floor.n.01_1 kitchen) …)
//!     (:goal (and (soaked ?tea_bag.n.01_1) …)))
//! ```
//!
//! [`read()`] takes a file, [`Problem::check`] holds it against itself, [`hierarchy::Hierarchy`] knows the types there are, and
//! [`package`] tells which members of the published package are problems. What a world can judge of a goal is told by
//! [`Problem::unjudged`]; a goal is bound to a scene by `plan::bddl`.

use std::collections::BTreeMap;
use std::fmt;

use crate::base::diag::Diagnostic;
use crate::base::nearest::nearest;
use crate::formats::{Read, json};
use crate::plan::bddl::sexp::{self, Place, Sexp, Word};
use crate::plan::bddl::{Formula, judges, of_sexp};
use crate::sim::vocab::Dialect;

pub mod hierarchy;
pub mod package;

/// The type of the agent, which no hierarchy lists.
pub const AGENT: &str = "agent.n.01";

/// A problem file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its name, such as `making_tea_0`.
    pub name: Word,
    /// The simulator it is for, such as `igibson`.
    pub domain: Word,
    /// The objects by type, in file order, which is the order quantifiers go in.
    pub objects: Vec<Group>,
    /// The facts it begins with.
    pub init: Vec<Start>,
    /// Its goals: what an `and` around all of them joins, each by itself.
    pub goals: Vec<Formula>,
}

/// Objects of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The objects.
    pub names: Vec<Word>,
    /// Their type.
    pub category: Word,
}

/// A fact at the start, or one that does not hold then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Whether it does not hold.
    pub negated: bool,
    /// The predicate; `inroom` only says where a thing is to be found.
    pub predicate: Word,
    /// What it is said of.
    pub names: Vec<Word>,
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.negated {
            ("(not ", ")")
        } else {
            ("", "")
        };
        write!(f, "{open}({}", self.predicate)?;
        self.names.iter().try_for_each(|n| write!(f, " {n}"))?;
        write!(f, "){close}")
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "(define (problem {})", self.name)?;
        writeln!(f, "    (:domain {})", self.domain)?;
        writeln!(f, "    (:objects")?;
        for group in &self.objects {
            write!(f, "       ")?;
            group.names.iter().try_for_each(|n| write!(f, " {n}"))?;
            writeln!(f, " - {}", group.category)?;
        }
        writeln!(f, "    )\n    (:init")?;
        self.init
            .iter()
            .try_for_each(|s| writeln!(f, "        {s}"))?;
        writeln!(f, "    )\n    (:goal\n        (and")?;
        self.goals
            .iter()
            .try_for_each(|g| writeln!(f, "            {g}"))?;
        writeln!(f, "        )\n    )\n)")
    }
}

/// Reads a problem file; `name` is the file's, for messages. What is odd in it, but can be used, comes beside it.
///
/// # Errors
/// The text is no problem, or names an object twice or one that is not there; with line and column.
pub fn read(name: &str, bytes: &[u8]) -> Result<Read<Problem>, Diagnostic> {
    let placed = |d: Diagnostic| d.in_file(name);
    let text = json::text(json::without_mark(bytes)).map_err(placed)?;
    let problem = of_text(text).map_err(placed)?;
    let notes = problem.check().map_err(placed)?;
    let notes = notes.into_iter().map(|d| d.in_file(name));
    Ok((problem, notes.collect()))
}

fn of_text(text: &str) -> Result<Problem, Diagnostic> {
    let whole = sexp::read(text)?;
    let sections = match whole.list() {
        Some([head, rest @ ..]) if is(head, "define") => rest,
        _ => {
            return Err(whole
                .place()
                .error("this is no problem file")
                .help("begin it with (define (problem name)"));
        }
    };
    let found = sectioned(sections)?;
    let section = |name: &str, example: &str| {
        found.get(name).copied().ok_or_else(|| {
            whole
                .place()
                .error(format!("the part ({name} …) is missing"))
                .help(format!("add {example}"))
        })
    };
    let (goal_at, goal) = section(":goal", "(:goal (and …))")?;
    let [goal] = goal else {
        return Err(goal_at
            .error(format!(
                "a goal is one formula, and here are {}",
                goal.len()
            ))
            .help("join them: (:goal (and …))"));
    };
    let goals = match of_sexp(goal)? {
        Formula::And(goals) => goals,
        one => vec![one],
    };
    Ok(Problem {
        name: one_word(section("problem", "(problem name)")?)?,
        domain: one_word(section(":domain", "(:domain igibson)")?)?,
        objects: groups(section(":objects", "(:objects a.n.01_1 - a.n.01)")?.1)?,
        init: section(":init", "(:init …)")?
            .1
            .iter()
            .map(start)
            .collect::<Result<_, _>>()?,
        goals,
    })
}

/// A part of the file: where it stands and what follows its word.
type Section<'s> = (Place, &'s [Sexp]);

/// The parts of the file by their first word.
fn sectioned(sections: &[Sexp]) -> Result<BTreeMap<&str, Section<'_>>, Diagnostic> {
    const PARTS: [&str; 6] = [
        "problem",
        ":domain",
        ":objects",
        ":init",
        ":goal",
        ":requirements",
    ];
    let mut found = BTreeMap::new();
    for section in sections {
        let head = match section.list() {
            Some([head, rest @ ..]) => head.word().map(|h| (h, rest)),
            _ => None,
        };
        let Some((head, rest)) = head.filter(|(h, _)| PARTS.contains(&&*h.text)) else {
            return Err(section
                .place()
                .error("this is no part of a problem")
                .help(format!("known are {}", PARTS.join(", "))));
        };
        if found.insert(&*head.text, (section.place(), rest)).is_some() {
            return Err(section
                .place()
                .error(format!("the part ({head} …) is there twice"))
                .help("keep one of them"));
        }
    }
    Ok(found)
}

fn is(at: &Sexp, word: &str) -> bool {
    at.word().is_some_and(|w| &*w.text == word)
}

fn one_word((place, rest): Section<'_>) -> Result<Word, Diagnostic> {
    match rest {
        [one] => one.word().cloned(),
        _ => None,
    }
    .ok_or_else(|| {
        place
            .error("one name is wanted here")
            .help("write for example (:domain igibson)")
    })
}

fn need_word(at: &Sexp) -> Result<&Word, Diagnostic> {
    at.word().ok_or_else(|| {
        at.place()
            .error("a name is wanted here, not brackets")
            .help("write names, as in a.n.01_1 a.n.01_2 - a.n.01")
    })
}

fn groups(items: &[Sexp]) -> Result<Vec<Group>, Diagnostic> {
    let mut groups = Vec::new();
    let mut names: Vec<Word> = Vec::new();
    let mut items = items.iter();
    while let Some(item) = items.next() {
        let word = need_word(item)?;
        if &*word.text != "-" {
            names.push(word.clone());
            continue;
        }
        let category = items.next().map(need_word).transpose()?;
        let Some(category) = category.filter(|c| &*c.text != "-") else {
            return Err(word
                .place
                .error("a type is missing after this -")
                .help("write for example - plate.n.04"));
        };
        if names.is_empty() {
            return Err(word
                .place
                .error(format!("no object is named before the type {category}"))
                .help("name objects before the -"));
        }
        groups.push(Group {
            names: std::mem::take(&mut names),
            category: category.clone(),
        });
    }
    match names.first() {
        None => Ok(groups),
        Some(name) => Err(name
            .place
            .error(format!("{name} has no type"))
            .help(format!("write {name} - and its type"))),
    }
}

fn start(at: &Sexp) -> Result<Start, Diagnostic> {
    let wrong = || {
        at.place()
            .error("this is no fact")
            .help("write for example (inside a.n.01_1 b.n.01_1) or (not (open b.n.01_1))")
    };
    let (negated, fact) = match at.list().ok_or_else(wrong)? {
        [head, one] if is(head, "not") => (true, one.list().ok_or_else(wrong)?),
        fact => (false, fact),
    };
    let words: Option<Vec<&Word>> = fact.iter().map(Sexp::word).collect();
    match words.ok_or_else(wrong)?.as_slice() {
        [predicate, names @ ..] if matches!(names.len(), 1 | 2) => Ok(Start {
            negated,
            predicate: (*predicate).clone(),
            names: names.iter().map(|n| n.bare()).collect(),
        }),
        _ => Err(wrong()),
    }
}

impl Problem {
    /// All objects with their types, in file order.
    pub fn instances(&self) -> impl Iterator<Item = (&Word, &Word)> {
        self.objects
            .iter()
            .flat_map(|g| g.names.iter().map(move |n| (n, &g.category)))
    }

    /// Holds the file against itself. What can be used all the same is told in the answer: a type that is there twice.
    ///
    /// # Errors
    /// An object is there twice, a fact or a goal names an object that is not there, or a quantifier a type without
    /// objects; with line and column.
    pub fn check(&self) -> Result<Vec<Diagnostic>, Diagnostic> {
        let mut seen: BTreeMap<&str, Place> = BTreeMap::new();
        for (name, _) in self.instances() {
            if let Some(before) = seen.insert(&name.text, name.place) {
                return Err(name
                    .place
                    .error(format!(
                        "the object {name} is there twice, first in line {}",
                        before.line
                    ))
                    .help("remove one or give it another number"));
            }
        }
        let mut notes = Vec::new();
        let mut types: BTreeMap<&str, Place> = BTreeMap::new();
        for group in &self.objects {
            let category = &group.category;
            if let Some(before) = types.insert(&category.text, category.place) {
                let mut note = category
                    .place
                    .error(format!("the type {category} is there twice, first in line {}", before.line))
                    .help("the published reader keeps only the objects of the later one; put them together");
                note.severity = crate::base::diag::Severity::Warning;
                notes.push(note);
            }
        }
        for fact in &self.init {
            let names = if &*fact.predicate.text == "inroom" {
                1
            } else {
                2
            };
            for name in fact.names.iter().take(names) {
                self.need_object(name, &seen)?;
            }
        }
        for goal in &self.goals {
            self.check_goal(goal, &mut Vec::new(), &seen, &types)?;
        }
        Ok(notes)
    }

    fn need_object(&self, name: &Word, known: &BTreeMap<&str, Place>) -> Result<(), Diagnostic> {
        if known.contains_key(&*name.text) {
            return Ok(());
        }
        let near = nearest(&name.text, known.keys().copied());
        Err(name
            .place
            .error(format!("{name} is none of the objects of {}", self.name))
            .help(near.map_or_else(
                || "add it to (:objects …)".to_owned(),
                |near| format!("did you mean {near}?"),
            )))
    }

    fn check_goal<'g>(
        &self,
        goal: &'g Formula,
        open: &mut Vec<&'g str>,
        objects: &BTreeMap<&str, Place>,
        types: &BTreeMap<&str, Place>,
    ) -> Result<(), Diagnostic> {
        if let Formula::Atom { terms, .. } = goal {
            for term in terms.iter().filter(|t| !open.contains(&&*t.name.text)) {
                self.need_object(&term.name, objects)?;
            }
        }
        let before = open.len();
        for variable in goal.variables() {
            if !types.contains_key(&*variable.category.text) {
                let category = &variable.category;
                let near = nearest(&category.text, types.keys().copied());
                return Err(category
                    .place
                    .error(format!("no object of {} is of type {category}", self.name))
                    .help(near.map_or_else(
                        || "use a type of (:objects …)".to_owned(),
                        |near| format!("did you mean {near}?"),
                    )));
            }
            open.push(&variable.name.text);
        }
        for part in goal.parts() {
            self.check_goal(part, open, objects, types)?;
        }
        open.truncate(before);
        Ok(())
    }

    /// Which predicates of which goals the world of a dialect cannot judge: the goal's number and the predicate, each once.
    pub fn unjudged(&self, dialect: &Dialect) -> Vec<(usize, &Word)> {
        let mut found: Vec<(usize, &Word)> = Vec::new();
        for (i, goal) in self.goals.iter().enumerate() {
            goal.each(&mut |part| {
                if let Formula::Atom { predicate, .. } = part
                    && !judges(dialect, &predicate.text)
                    && !found.contains(&(i, predicate))
                {
                    found.push((i, predicate));
                }
            });
        }
        found
    }
}

#[cfg(test)]
mod tests;
