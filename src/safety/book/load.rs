//! Files to a book: everything read, checked against everything else, put in an order that works.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Book, Derived, Tracked};
use crate::base::diag::Diagnostic;
use crate::base::nearest::nearest;
use crate::safety::ast::{Ast, Name};
use crate::safety::formula::MAX_SLOTS;
use crate::safety::lang::bind::{self, Size, size};
use crate::safety::lang::check::{self, Words};
use crate::safety::lang::file::{self, Item};
use crate::safety::lang::parse::MAX_DEPTH;
use crate::safety::lang::{block, ont, words};
use crate::safety::rule::Rule;
use crate::safety::verdict::MAX_OUTER;

/// How many operators and facts a formula may have, derived facts written out.
const MAX_PARTS: usize = 5_000;

/// How many tracked facts there may be: their number is a byte.
const MAX_TRACKED: usize = 64;

impl Book {
    /// Reads files by name and text: `.ont` files are parts of the ontology, all others hold rules and facts. What has
    /// a fault is left out and said; the rest can be used.
    pub fn load(files: &[(&str, &str)]) -> (Self, Vec<Diagnostic>) {
        let (classes, others): (Vec<_>, Vec<_>) = files
            .iter()
            .copied()
            .partition(|(name, _)| is_ontology(name));
        let (ontology, wrong) = ont::read(&classes);
        let mut loader = Loader {
            book: Self {
                ontology: Arc::new(ontology),
                ..Self::default()
            },
            wrong,
            sizes: BTreeMap::new(),
        };
        let mut items = Vec::new();
        for (name, text) in others {
            let mut found = Vec::new();
            let blocks = block::blocks(text, &mut found);
            for block in &blocks {
                items.extend(file::item(block, name, &mut found));
                // One more than are told says that there are more.
                found.truncate(MOST_FAULTS + 1);
            }
            loader
                .wrong
                .extend(found.into_iter().map(|d| d.in_file(name)));
        }
        loader.items(items);
        (loader.book, few(loader.wrong))
    }
}

/// How many faults of one file are told in full.
const MOST_FAULTS: usize = 100;

/// The first faults of each file, and that it has more: a file that is no rule file has one a line.
fn few(wrong: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for d in wrong {
        let n = told.entry(d.file.clone()).or_default();
        *n += 1;
        if *n <= MOST_FAULTS {
            all.push(d);
        }
    }
    for (file, _) in told.into_iter().filter(|(_, n)| *n > MOST_FAULTS) {
        let d = Diagnostic::error(
            "",
            format!("there are more faults than these {MOST_FAULTS}"),
        )
        .help("mend them and read the file again")
        .in_file(&file);
        all.push(d);
    }
    all
}

fn is_ontology(name: &str) -> bool {
    std::path::Path::new(name)
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("ont"))
}

struct Loader {
    book: Book,
    wrong: Vec<Diagnostic>,
    sizes: BTreeMap<String, Size>,
}

impl Loader {
    fn items(&mut self, items: Vec<Item>) {
        let ontology = self.book.ontology.clone();
        let mut names = Words {
            ontology: &ontology,
            facts: BTreeMap::new(),
            broken: BTreeSet::new(),
        };
        let (mut rules, mut derived, mut tracked) = (Vec::new(), Vec::new(), Vec::new());
        // In the order of files and lines: of two facts of one name the later is wrong.
        for item in items {
            match item {
                Item::Rule(rule) => rules.push(*rule),
                Item::Derived(f) => {
                    let sound = self.declare(&f.name, f.params.len(), &f.place, &mut names);
                    derived.extend(sound.then_some(f));
                }
                Item::Tracked(f) => {
                    let sound = self.declare(&f.name, f.params.len(), &f.place, &mut names);
                    tracked.extend(sound.then_some(*f));
                }
            }
        }
        self.derived(derived, &mut names);
        self.tracked(tracked, &mut names);
        self.rules(rules, &names);
        self.guards();
    }

    /// Adds findings about a block.
    fn tell(&mut self, found: Vec<Diagnostic>, field: &str, place: &(String, u32)) {
        for mut d in found {
            if d.field.is_empty() {
                field.clone_into(&mut d.field);
            }
            if d.line.is_none() {
                d.line = Some(place.1);
            }
            self.wrong.push(d.in_file(&place.0));
        }
    }

    fn declare(
        &mut self,
        name: &str,
        params: usize,
        place: &(String, u32),
        names: &mut Words<'_>,
    ) -> bool {
        let taken = if names.facts.contains_key(name) || words::base_fact(name).is_some() {
            Some("there is a fact of that name already")
        } else if names.is_set(name) || words::is_action(name) {
            Some("this is the name of a class, tag, property or action")
        } else if crate::safety::lang::parse::RESERVED.contains(&name) {
            Some("this is a word of the language")
        } else if params > 2 {
            Some("a fact speaks of at most 2 nodes")
        } else {
            None
        };
        let Some(taken) = taken else {
            names.facts.insert(name.to_owned(), params);
            return true;
        };
        let d = Diagnostic::error("", taken).help("choose another name or fewer parameters");
        self.tell(vec![d], &format!("fact {name}"), place);
        false
    }

    /// Checks derived facts and sorts them so that each uses only those before it.
    fn derived(&mut self, mut waiting: Vec<Derived>, names: &mut Words<'_>) {
        for fact in &waiting {
            let params: Vec<&str> = fact.params.iter().map(String::as_str).collect();
            let mut found = Vec::new();
            check::formula(&fact.body, &params, names, &mut found);
            if !found.is_empty() {
                names.broken.insert(fact.name.clone());
                self.tell(found, &format!("fact {}", fact.name), &fact.place);
            }
        }
        waiting.retain(|f| !names.broken.contains(&f.name));
        loop {
            let open: BTreeSet<String> = waiting.iter().map(|f| f.name.clone()).collect();
            let (ready, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|f| {
                let mut read = Vec::new();
                facts(&f.body, &mut read);
                !read.iter().any(|n| open.contains(*n))
            });
            waiting = rest;
            if ready.is_empty() {
                break;
            }
            for fact in ready {
                let field = format!("fact {}", fact.name);
                if self.fits(&fact.body, fact.params.len(), &field, &fact.place) {
                    let size = size(&fact.body, &self.sizes);
                    self.sizes.insert(fact.name.clone(), size);
                    self.book.derived.push(fact);
                } else {
                    names.broken.insert(fact.name);
                }
            }
        }
        for fact in waiting {
            names.broken.insert(fact.name.clone());
            let d = Diagnostic::error("", "the fact is defined by itself, perhaps through others")
                .help("a derived fact may only use facts that do not use it");
            self.tell(vec![d], &format!("fact {}", fact.name), &fact.place);
        }
    }

    /// Whether a formula stays within bounds when derived facts are written out.
    fn fits(&mut self, ast: &Ast, free: usize, field: &str, place: &(String, u32)) -> bool {
        let size = size(ast, &self.sizes);
        let (what, most, is) = if size.slots + free > MAX_SLOTS {
            ("variables at once", MAX_SLOTS, size.slots + free)
        } else if size.depth > MAX_DEPTH * 2 {
            ("levels", MAX_DEPTH * 2, size.depth)
        } else if size.parts > MAX_PARTS {
            ("parts", MAX_PARTS, size.parts)
        } else {
            return true;
        };
        let message = format!("with its derived facts written out it has {is} {what}");
        let d = Diagnostic::error("", message).help(format!("the limit is {most}; split it"));
        self.tell(vec![d], field, place);
        false
    }

    /// Checks tracked facts and sorts them into the order of their updates.
    fn tracked(&mut self, mut waiting: Vec<Tracked>, names: &mut Words<'_>) {
        let mut written: BTreeMap<&str, &str> = BTreeMap::new();
        for fact in waiting.iter().filter(|f| !f.written.is_empty()) {
            if let Some(other) = written.get(fact.written.as_str()) {
                names.broken.insert(fact.name.clone());
                let message = format!("{other} is already written {}", fact.written);
                let d = Diagnostic::error("", message).help("choose another word");
                self.tell(vec![d], &format!("tracked {}", fact.name), &fact.place);
            } else {
                written.insert(&fact.written, &fact.name);
            }
        }
        for fact in &waiting {
            let params: Vec<&str> = fact.params.iter().map(|p| p.var.text.as_str()).collect();
            let field = format!("tracked {}", fact.name);
            let mut found = Vec::new();
            check::params(&fact.params, names, &mut found);
            for ast in formulas(fact) {
                check::formula(ast, &params, names, &mut found);
                if !self.fits(ast, params.len(), &field, &fact.place) {
                    names.broken.insert(fact.name.clone());
                }
            }
            if !found.is_empty() {
                names.broken.insert(fact.name.clone());
                self.tell(found, &field, &fact.place);
            }
        }
        waiting.retain(|f| !names.broken.contains(&f.name));
        let derived = std::mem::take(&mut self.book.derived);
        while !waiting.is_empty() {
            let open: BTreeSet<&str> = waiting.iter().map(|f| f.name.as_str()).collect();
            let ready = waiting.iter().position(|f| {
                let mut read = BTreeSet::new();
                formulas(f).for_each(|ast| reads_now(ast, &derived, &mut read));
                !read.iter().any(|n| open.contains(n.as_str()))
            });
            let Some(i) = ready else {
                break;
            };
            let fact = waiting.remove(i);
            self.book.tracked.push(fact);
        }
        self.book.derived = derived;
        for fact in waiting {
            names.broken.insert(fact.name.clone());
            let d = Diagnostic::error(
                "",
                "its formulas read the fact itself, perhaps through others",
            )
            .help("read it one position earlier: Y and the fact");
            self.tell(vec![d], &format!("tracked {}", fact.name), &fact.place);
        }
        for fact in self
            .book
            .tracked
            .split_off(MAX_TRACKED.min(self.book.tracked.len()))
        {
            names.broken.insert(fact.name.clone());
            let d = Diagnostic::error("", format!("more than {MAX_TRACKED} tracked facts"))
                .help("remove some");
            self.tell(vec![d], &format!("tracked {}", fact.name), &fact.place);
        }
    }

    fn rules(&mut self, rules: Vec<Rule>, names: &Words<'_>) {
        let mut places: BTreeMap<String, (String, u32)> = BTreeMap::new();
        let mut sound: Vec<Rule> = Vec::new();
        for rule in rules {
            let field = format!("rule {}", rule.id);
            let mut found = Vec::new();
            if let Some((file, line)) = places.get(&rule.id.to_lowercase()) {
                let message = format!("the id is already used in {file} line {line}");
                found.push(Diagnostic::error("", message).help("give one of them another id"));
            }
            places
                .entry(rule.id.to_lowercase())
                .or_insert_with(|| rule.place.clone());
            check::formula(&rule.formula, &[], names, &mut found);
            if let Ast::All(outer, _) = &rule.formula
                && let Some(fifth) = outer.get(MAX_OUTER)
            {
                let at = fifth.var.span;
                let message = format!("the rule has more than {MAX_OUTER} outer variables");
                found.push(
                    Diagnostic::error("", message)
                        .help("bind the others inside, with A or E")
                        .at(at.line, Some(at.column)),
                );
            }
            let is_sound = found.is_empty();
            self.tell(found, &field, &rule.place);
            if is_sound && self.fits(&rule.formula, 0, &field, &rule.place) {
                sound.push(rule);
            }
        }
        self.duplicates(&mut sound);
        self.book.rules = sound.into_iter().map(Arc::new).collect();
    }

    /// A duplicate is silent beside the rule it repeats; so that rule must be there, and not be silent for its sake.
    fn duplicates(&mut self, sound: &mut [Rule]) {
        let key = |id: &str| id.to_lowercase();
        let ids: Vec<String> = sound.iter().map(|r| r.id.clone()).collect();
        let mut of: BTreeMap<String, Option<String>> = sound
            .iter()
            .map(|r| (key(&r.id), r.duplicate_of.as_deref().map(key)))
            .collect();
        for rule in sound {
            let Some(other) = &rule.duplicate_of else {
                continue;
            };
            let own = key(&rule.id);
            let (message, help) = if !of.contains_key(&key(other)) || key(other) == own {
                let known = ids.iter().map(String::as_str).filter(|id| *id != rule.id);
                let mean = nearest(other, known).map_or_else(
                    || "leave it out".to_owned(),
                    |n| format!("did you mean {n}?"),
                );
                (format!("duplicate names no other rule: {other}"), mean)
            } else if repeats_itself(&own, &of) {
                let message = format!("it and {other} name each other as duplicates");
                (message, "leave one of them out".to_owned())
            } else {
                continue;
            };
            let d = Diagnostic::error("", message).help(help);
            let (field, place) = (format!("rule {}", rule.id), rule.place.clone());
            rule.duplicate_of = None;
            of.insert(own, None);
            self.tell(vec![d], &field, &place);
        }
    }

    /// Collects every guard that occurs.
    fn guards(&mut self) {
        let mut all = BTreeSet::new();
        let book = &self.book;
        let ontology = &book.ontology;
        let is_set = |n: &Name| {
            words::SETS.contains(&n.text.as_str())
                || words::is_property(&n.text)
                || ontology.tags.contains_key(&n.text)
                || ontology.classes.contains_key(&n.text)
                || ontology.same.contains_key(&n.text)
        };
        let mut add = |names: &[Name]| {
            all.insert(bind::guard(names));
        };
        for rule in &book.rules {
            each_set(&rule.formula, &is_set, &mut add);
        }
        for fact in &book.derived {
            each_set(&fact.body, &is_set, &mut add);
        }
        for fact in &book.tracked {
            for binder in &fact.params {
                add(&binder.guards);
            }
            for ast in formulas(fact) {
                each_set(ast, &is_set, &mut add);
            }
        }
        all.extend(words::said());
        self.book.guards = all.into_iter().collect();
        if self.book.guards.len() > usize::from(u16::MAX) {
            // Only generated files come near this; the first guards stay usable, rules with others do not bind.
            self.book.guards.truncate(usize::from(u16::MAX));
            self.wrong.push(
                Diagnostic::error("", "more than 65,535 different guards")
                    .help("use fewer combinations of tags"),
            );
        }
    }
}

/// Whether the rules that one repeats lead back to it.
fn repeats_itself(id: &str, of: &BTreeMap<String, Option<String>>) -> bool {
    let mut at = id;
    for _ in 0..=of.len() {
        match of.get(at) {
            Some(Some(next)) if next == id => return true,
            Some(Some(next)) => at = next,
            _ => return false,
        }
    }
    false
}

/// All formulas of a tracked fact.
fn formulas(fact: &Tracked) -> impl Iterator<Item = &Ast> {
    [&fact.set, &fact.reset, &fact.during, &fact.start]
        .into_iter()
        .flatten()
}

/// The formulas a formula is made of.
fn parts(ast: &Ast) -> Vec<&Ast> {
    match ast {
        Ast::True | Ast::Start | Ast::End | Ast::Same(..) | Ast::Fact(..) | Ast::Act(..) => {
            Vec::new()
        }
        Ast::Not(f)
        | Ast::Prev(f)
        | Ast::Once(f)
        | Ast::Hist(f)
        | Ast::Run(f, _)
        | Ast::All(_, f)
        | Ast::Some(_, f) => vec![f],
        Ast::And(all) | Ast::Or(all) => all.iter().collect(),
        Ast::Implies(a, b) | Ast::Since(a, b) => vec![a, b],
    }
}

/// The names of all facts, tags and classes in a formula.
fn facts<'a>(ast: &'a Ast, into: &mut Vec<&'a str>) {
    if let Ast::Fact(name, _) = ast {
        into.push(&name.text);
    }
    for part in parts(ast) {
        facts(part, into);
    }
}

/// The facts a formula reads at the position it is evaluated at: not those below `Y`. Derived facts are looked into.
fn reads_now(ast: &Ast, derived: &[Derived], into: &mut BTreeSet<String>) {
    match ast {
        Ast::Prev(_) => {}
        Ast::Fact(name, _) => {
            if into.insert(name.text.clone())
                && let Some(fact) = derived.iter().find(|d| d.name == name.text)
            {
                reads_now(&fact.body, derived, into);
            }
        }
        other => {
            for part in parts(other) {
                reads_now(part, derived, into);
            }
        }
    }
}

/// Calls `add` with the words of every binder and of every unary atom that names a set.
fn each_set(ast: &Ast, is_set: &impl Fn(&Name) -> bool, add: &mut impl FnMut(&[Name])) {
    match ast {
        Ast::Fact(name, _) if is_set(name) => add(std::slice::from_ref(name)),
        Ast::All(binders, _) | Ast::Some(binders, _) => {
            for binder in binders {
                add(&binder.guards);
            }
        }
        _ => {}
    }
    for part in parts(ast) {
        each_set(part, is_set, add);
    }
}
