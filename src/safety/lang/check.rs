//! What is wrong with the names of a formula: one sentence each, with the place and the cure.

use std::collections::{BTreeMap, BTreeSet};

use super::parse::RESERVED;
use super::words;
use crate::base::diag::Diagnostic;
use crate::base::nearest::nearest;
use crate::safety::ast::{Ast, Binder, Name};
use crate::safety::ontology::Ontology;

/// The names that may be used.
#[derive(Debug)]
pub struct Words<'b> {
    /// Classes, tags, properties.
    pub ontology: &'b Ontology,
    /// Derived and tracked facts with their number of parameters.
    pub facts: BTreeMap<String, usize>,
    /// Declared facts that cannot be used because of a fault of their own.
    pub broken: BTreeSet<String>,
}

impl Words<'_> {
    /// Whether a word names a set of nodes.
    pub fn is_set(&self, word: &str) -> bool {
        words::SETS.contains(&word)
            || words::is_property(word)
            || self.ontology.tags.contains_key(word)
            || self.ontology.classes.contains_key(word)
            || self.ontology.same.contains_key(word)
    }

    fn is_fact(&self, word: &str) -> bool {
        self.facts.contains_key(word) || words::base_fact(word).is_some()
    }

    fn sets(&self) -> Vec<&str> {
        let mut all: Vec<&str> = words::SETS.to_vec();
        for property in words::properties() {
            all.push(property);
        }
        all.extend(self.ontology.tags.keys().map(String::as_str));
        all.extend(self.ontology.classes.keys().map(String::as_str));
        all.extend(self.ontology.same.keys().map(String::as_str));
        all
    }

    /// How many nodes a word speaks of.
    fn arity(&self, word: &str) -> Option<usize> {
        if let Some(n) = self.facts.get(word) {
            return Some(*n);
        }
        words::base_fact(word)
            .map(usize::from)
            .or_else(|| self.is_set(word).then_some(1))
    }

    fn mean(&self, word: &str) -> String {
        let mut known = self.sets();
        known.extend(self.facts.keys().map(String::as_str));
        for fact in words::base_facts() {
            known.push(fact);
        }
        nearest(word, known.into_iter()).map_or_else(
            || "see the facts in facts.rules and the tags in the ontology".to_owned(),
            |n| format!("did you mean {n}?"),
        )
    }
}

/// Checks a formula in which `params` may occur free.
pub fn formula(ast: &Ast, params: &[&str], words: &Words<'_>, wrong: &mut Vec<Diagnostic>) {
    let mut check = Check {
        words,
        vars: params.iter().map(|p| (*p).to_owned()).collect(),
        wrong,
    };
    check.formula(ast);
}

/// Checks names that parameters of a fact may have, and their guards.
pub fn params(all: &[Binder], words: &Words<'_>, wrong: &mut Vec<Diagnostic>) {
    let mut check = Check {
        words,
        vars: Vec::new(),
        wrong,
    };
    check.binders(all);
}

struct Check<'c, 'b> {
    words: &'c Words<'b>,
    vars: Vec<String>,
    wrong: &'c mut Vec<Diagnostic>,
}

impl Check<'_, '_> {
    fn error(&mut self, name: &Name, message: String, help: &str) {
        self.wrong.push(
            Diagnostic::error("", message)
                .help(help)
                .at(name.span.line, Some(name.span.column)),
        );
    }

    fn formula(&mut self, ast: &Ast) {
        match ast {
            Ast::True | Ast::Start | Ast::End => {}
            Ast::Same(a, b) => {
                self.var(a);
                self.var(b);
            }
            Ast::Fact(name, args) => self.fact(name, args),
            Ast::Act(verbs, args) => self.act(verbs, args),
            Ast::Not(f) | Ast::Prev(f) | Ast::Once(f) | Ast::Hist(f) | Ast::Run(f, _) => {
                self.formula(f);
            }
            Ast::And(all) | Ast::Or(all) => all.iter().for_each(|f| self.formula(f)),
            Ast::Implies(a, b) | Ast::Since(a, b) => {
                self.formula(a);
                self.formula(b);
            }
            Ast::All(binders, body) | Ast::Some(binders, body) => {
                let before = self.vars.len();
                self.binders(binders);
                self.formula(body);
                self.vars.truncate(before);
            }
        }
    }

    fn binders(&mut self, all: &[Binder]) {
        for binder in all {
            let var = &binder.var;
            if RESERVED.contains(&var.text.as_str()) {
                let message = format!("{} is a word of the language, no variable", var.text);
                self.error(var, message, "choose another letter");
            } else if self.vars.contains(&var.text) {
                let message = format!("the variable {} is bound twice", var.text);
                self.error(var, message, "give the inner one another name");
            }
            self.vars.push(var.text.clone());
            binder.guards.iter().for_each(|g| self.guard(g));
        }
    }

    fn guard(&mut self, guard: &Name) {
        let word = guard.text.as_str();
        if self.words.is_set(word) {
            return;
        }
        if self.words.is_fact(word) {
            let message = format!("{word} is a fact and changes: it cannot be a guard");
            let help = format!("guard with a tag or class and test {word} in the formula");
            self.error(guard, message, &help);
            return;
        }
        let mean = nearest(word, self.words.sets().into_iter()).map_or_else(
            || "see the tags and classes of the ontology".to_owned(),
            |n| format!("did you mean {n}?"),
        );
        let message = format!("no tag, class or property is called {word}");
        self.error(guard, message, &mean);
    }

    fn var(&mut self, name: &Name) {
        if name.text == "me" || self.vars.contains(&name.text) {
            return;
        }
        let known = self.vars.iter().map(String::as_str).filter(|v| v.len() > 1);
        let help = nearest(&name.text, known).map_or_else(
            || format!("bind it: A {0}:TAG. … or E {0}:TAG. …", name.text),
            |n| format!("did you mean {n}?"),
        );
        self.error(name, format!("the variable {} is free", name.text), &help);
    }

    fn fact(&mut self, name: &Name, args: &[Name]) {
        let word = name.text.as_str();
        if self.words.broken.contains(word) {
            let message = format!("the fact {word} has a fault of its own");
            self.error(name, message, "correct that one first");
        } else if let Some(arity) = self.words.arity(word) {
            if arity != args.len() {
                let message = format!("{word} speaks of {}, not {}", nodes(arity), args.len());
                let help = match arity {
                    0 => format!("write {word}"),
                    1 => format!("write {word}(x)"),
                    _ => format!("write {word}(x,y)"),
                };
                self.error(name, message, &help);
            }
        } else if words::is_action(word) {
            let message = format!("{word} is an action, no fact");
            self.error(name, message, &format!("write act({word}, …)"));
        } else if args.is_empty() && self.vars.iter().any(|v| v == word) {
            let message = format!("the variable {word} is no formula");
            self.error(name, message, "name a fact about it");
        } else {
            let mean = self.words.mean(word);
            self.error(
                name,
                format!("no fact, tag or class is called {word}"),
                &mean,
            );
        }
        for arg in args {
            self.var(arg);
        }
    }

    fn act(&mut self, verbs: &[Name], args: &[Name]) {
        for verb in verbs {
            match words::action_arity(&verb.text) {
                None => {
                    let mean = nearest(&verb.text.to_uppercase(), words::actions()).map_or_else(
                        || "write one there is, such as GRAB or OPEN".to_owned(),
                        |n| format!("did you mean {n}?"),
                    );
                    let message = format!("no action is called {}", verb.text);
                    self.error(verb, message, &mean);
                }
                Some(n) if usize::from(n) < args.len() => {
                    let n = usize::from(n);
                    let message = format!("{} has {}, not {}", verb.text, targets(n), args.len());
                    self.error(verb, message, "leave the others out");
                }
                Some(_) => {}
            }
        }
        for arg in args {
            self.var(arg);
        }
    }
}

fn nodes(n: usize) -> String {
    match n {
        0 => "no node".to_owned(),
        1 => "1 node".to_owned(),
        n => format!("{n} nodes"),
    }
}

fn targets(n: usize) -> String {
    match n {
        0 => "no target".to_owned(),
        1 => "1 target".to_owned(),
        n => format!("{n} targets"),
    }
}
