//! The ontology's own format, one line a thing.
//!
//! ```text
//! # a comment
//! tag heat_source = gives off heat that cooks, burns or sets alight
//! property CAN_OPEN = can be opened and closed ; OPEN CLOSE
//! class microwave : CAN_OPEN CONTAINERS HAS_SWITCH HAS_PLUG ; CLOSED OFF PLUGGED_IN ; #heat_source #mains ; kitchen
//! same garbage_can = trashcan
//! ```
//!
//! A class is its properties, the states it has at the start, its hazard tags and the rooms it belongs to, each part
//! separated by `;`, empty parts at the end left out. `same` names a class of another collection that is one of ours.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::diag::Diagnostic;
use crate::base::nearest::nearest;
use crate::safety::ontology::{Class, Ontology, Property};

use super::words;

/// After so many faults no word is looked for that may be meant.
const MOST_MEANT: usize = 200;

/// Reads ontology files, checked against each other: a tag may be declared in one file and used in another.
pub fn read(files: &[(&str, &str)]) -> (Ontology, Vec<Diagnostic>) {
    let mut reader = Reader::default();
    for (file, text) in files {
        for (i, line) in text.lines().enumerate() {
            let place = Place {
                file,
                line: i as u32 + 1,
            };
            reader.line(line.trim(), place);
        }
    }
    reader.finish()
}

/// Where a line stands.
#[derive(Clone, Copy)]
struct Place<'t> {
    file: &'t str,
    line: u32,
}

impl Place<'_> {
    fn error(self, field: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(field, message)
            .in_file(self.file)
            .at(self.line, None)
    }
}

/// States, and the property without which nothing has them.
const NEEDED: &[(&[&str], &str)] = &[
    // A door jamb stands open and cannot be shut.
    (&["CLOSED"], "CAN_OPEN"),
    (&["ON", "OFF"], "HAS_SWITCH"),
    (&["PLUGGED_IN", "PLUGGED_OUT"], "HAS_PLUG"),
];

#[derive(Default)]
struct Reader<'t> {
    ontology: Ontology,
    places: BTreeMap<String, Place<'t>>,
    wrong: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    fn line(&mut self, line: &'t str, place: Place<'t>) {
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match keyword {
            "tag" => self.tag(rest, place),
            "property" => self.property(rest, place),
            "class" => self.class(rest, place),
            "same" => self.same(rest, place),
            other => {
                let known = ["tag", "property", "class", "same"];
                let mean = nearest(other, known.into_iter())
                    .map_or(String::new(), |n| format!("; did you mean {n}?"));
                self.wrong.push(
                    place
                        .error("", format!("\"{other}\" begins no line of an ontology"))
                        .help(format!("lines begin with {}{mean}", known.join(", "))),
                );
            }
        }
    }

    /// Splits `name SIGN rest`, checks the name, and that it is new.
    fn declare(
        &mut self,
        what: &'static str,
        text: &'t str,
        sign: char,
        place: Place<'t>,
    ) -> Option<(&'t str, &'t str)> {
        let Some((name, rest)) = text.split_once(sign) else {
            self.wrong.push(
                place
                    .error(what, format!("there is no \"{sign}\" after the name"))
                    .help(format!("write {what} name {sign} …")),
            );
            return None;
        };
        let name = name.trim();
        let upper = what == "property";
        let fits = !name.is_empty()
            && name.chars().all(|c| {
                "_-".contains(c)
                    || c.is_ascii_digit()
                    || if upper {
                        c.is_ascii_uppercase()
                    } else {
                        c.is_ascii_lowercase()
                    }
            });
        if !fits {
            let case = if upper { "upper" } else { "lower" };
            self.wrong.push(
                place
                    .error(what, format!("\"{name}\" is no name"))
                    .help(format!("names are {case} case letters, digits, _ and -")),
            );
            return None;
        }
        let key = if what == "tag" || what == "property" {
            format!("{what} {name}")
        } else {
            format!("class {name}")
        };
        if let Some(before) = self.places.get(&key) {
            let at = format!("{} line {}", before.file, before.line);
            self.wrong.push(
                place
                    .error(what, format!("{name} is already declared in {at}"))
                    .help("remove one of them"),
            );
            return None;
        }
        self.places.insert(key, place);
        Some((name, rest.trim()))
    }

    fn tag(&mut self, text: &'t str, place: Place<'t>) {
        let Some((name, meaning)) = self.declare("tag", text, '=', place) else {
            return;
        };
        if meaning.is_empty() {
            self.wrong.push(
                place
                    .error("tag", format!("{name} has no meaning"))
                    .help("say after = what it stands for"),
            );
        }
        self.ontology
            .tags
            .insert(name.to_owned(), meaning.to_owned());
    }

    fn property(&mut self, text: &'t str, place: Place<'t>) {
        let Some((name, rest)) = self.declare("property", text, '=', place) else {
            return;
        };
        if !words::is_property(name) {
            let mean = self.near(name, words::properties());
            self.unknown("property", name, mean, place);
        }
        let (meaning, actions) = rest.split_once(';').unwrap_or((rest, ""));
        let mut property = Property {
            words: meaning.trim().to_owned(),
            affords: Vec::new(),
        };
        for action in actions.split_whitespace() {
            if words::is_action(action) {
                property.affords.push(action.to_owned());
            } else {
                self.unknown("action", action, self.near(action, words::actions()), place);
            }
        }
        self.ontology.properties.insert(name.to_owned(), property);
    }

    /// The word that is meant, while there are few enough faults for anybody to read.
    fn near<'w>(&self, word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
        (self.wrong.len() < MOST_MEANT).then(|| nearest(word, known))?
    }

    fn unknown(&mut self, what: &str, word: &str, mean: Option<&str>, place: Place<'t>) {
        let help = mean.map_or_else(
            || {
                let such = match what {
                    "property" => "CAN_OPEN or HAS_SWITCH",
                    "state" => "OPEN or ON",
                    _ => "GRAB or OPEN",
                };
                format!("write one there is, such as {such}")
            },
            |mean| format!("did you mean {mean}?"),
        );
        let d = place.error("", format!("no {what} is called {word}"));
        self.wrong.push(d.help(help));
    }

    fn class(&mut self, text: &'t str, place: Place<'t>) {
        let Some((name, rest)) = self.declare("class", text, ':', place) else {
            return;
        };
        let mut class = Class::default();
        let parts: Vec<&str> = rest.split(';').collect();
        if parts.len() > 4 {
            self.wrong.push(
                place
                    .error(name, "there are more than four parts")
                    .help("write properties ; start states ; #tags ; rooms"),
            );
        }
        let part = |i: usize| parts.get(i).copied().unwrap_or("").split_whitespace();
        for word in part(0) {
            if words::is_property(word) {
                class.properties.insert(word.to_owned());
            } else {
                self.unknown(
                    "property",
                    word,
                    self.near(word, words::properties()),
                    place,
                );
            }
        }
        for word in part(1) {
            if words::is_state(word) {
                class.start.insert(word.to_owned());
            } else {
                self.unknown("state", word, self.near(word, words::states()), place);
            }
        }
        for word in part(2) {
            if let Some(tag) = word.strip_prefix('#') {
                class.tags.insert(tag.to_owned());
            } else {
                self.wrong.push(
                    place
                        .error(name, format!("\"{word}\" is no tag"))
                        .help(format!("tags begin with #: write #{word}")),
                );
            }
        }
        class.rooms = part(3).map(str::to_owned).collect();
        for (one, other) in words::opposites() {
            if class.start.contains(one) && class.start.contains(other) {
                self.wrong.push(
                    place
                        .error(name, format!("it starts {one} and {other}"))
                        .help("keep one of them"),
                );
            }
        }
        self.needs(name, &class, place);
        self.ontology.classes.insert(name.to_owned(), class);
    }

    /// States that only things of a property can have.
    fn needs(&mut self, name: &str, class: &Class, place: Place<'_>) {
        for (states, property) in NEEDED {
            let state = states.iter().find(|s| class.start.contains(**s));
            if let Some(state) = state.filter(|_| !class.properties.contains(*property)) {
                self.wrong.push(
                    place
                        .error(name, format!("it starts {state} without {property}"))
                        .help(format!("add {property}, or leave {state} out")),
                );
            }
        }
    }

    fn same(&mut self, text: &'t str, place: Place<'t>) {
        if let Some((name, ours)) = self.declare("same", text, '=', place) {
            self.ontology.same.insert(name.to_owned(), ours.to_owned());
        }
    }

    /// What can only be checked when all files are read.
    fn finish(mut self) -> (Ontology, Vec<Diagnostic>) {
        let mut ontology = std::mem::take(&mut self.ontology);
        for (name, class) in &mut ontology.classes {
            let unknown: BTreeSet<String> = class
                .tags
                .iter()
                .filter(|t| !ontology.tags.contains_key(*t))
                .cloned()
                .collect();
            class.tags.retain(|t| !unknown.contains(t));
            let Some(&place) = self.places.get(&format!("class {name}")) else {
                continue;
            };
            for tag in unknown {
                if self.wrong.len() >= MOST_MEANT {
                    let d = place.error(name, format!("the tag #{tag} is not declared"));
                    self.wrong.push(d);
                    continue;
                }
                let mean = nearest(&tag, ontology.tags.keys().map(String::as_str)).map_or_else(
                    || format!("declare it: tag {tag} = what it stands for"),
                    |n| format!("did you mean #{n}? else declare it: tag {tag} = …"),
                );
                let d = place.error(name, format!("the tag #{tag} is not declared"));
                self.wrong.push(d.help(mean));
            }
        }
        let classes = &ontology.classes;
        ontology.same.retain(|name, ours| {
            let known = classes.contains_key(ours);
            let told = self.wrong.len() < MOST_MEANT;
            if let (false, Some(place)) = (known, self.places.get(&format!("class {name}"))) {
                let d = place.error(name, format!("no class is called {ours}"));
                let mean = told.then(|| nearest(ours, classes.keys().map(String::as_str)));
                let help = mean.flatten().map_or_else(
                    || format!("declare it: class {ours} : …"),
                    |mean| format!("did you mean {mean}?"),
                );
                self.wrong.push(d.help(help));
            }
            known
        });
        (ontology, self.wrong)
    }
}
