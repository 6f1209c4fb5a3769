//! A view in words, facts or JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::sim::vocab::{Dialect, Ix, Rel, State};

use super::{Fact, Form, News, View};

impl View {
    /// All of it.
    pub fn text(&self, form: Form) -> String {
        match form {
            Form::Text => self.lines(),
            Form::Facts => {
                let facts: Vec<String> = self.facts().map(|f| self.written(f)).collect();
                facts.join("\n")
            }
            Form::Json => self.json().to_string(),
        }
    }

    /// What is new; empty if nothing is.
    pub fn news(&self, news: &News, form: Form) -> String {
        if news.is_empty() {
            return String::new();
        }
        match form {
            Form::Text => self.news_lines(news),
            Form::Facts => {
                let gained = news.gained.iter().map(|&f| format!("+{}", self.written(f)));
                let lost = news.lost.iter().map(|&f| format!("-{}", self.written(f)));
                let all: Vec<String> = gained.chain(lost).collect();
                all.join("\n")
            }
            Form::Json => {
                let list = |all: &[Fact]| -> Vec<String> {
                    all.iter().map(|&f| self.written(f)).collect()
                };
                json!({ "now": list(&news.gained), "no_longer": list(&news.lost) }).to_string()
            }
        }
    }

    /// What came into sight as things, the rest as facts.
    fn news_lines(&self, news: &News) -> String {
        let is_new = |f: &&Fact| f.nodes().iter().any(|n| news.seen.contains(n));
        let told = news.gained.iter().filter(|f| !is_new(f));
        let mut all: Vec<String> = told.map(|&f| format!("now {}", self.words(f))).collect();
        let lost = news.lost.iter();
        all.extend(lost.map(|&f| format!("no longer {}", self.words(f))));
        let near = self.dialect().near;
        let reach: Vec<&str> = news
            .gained
            .iter()
            .filter(is_new)
            .filter_map(|f| match f {
                Fact::Edge(from, rel, to) if *from == self.me && *rel == near => {
                    Some(self.name(*to))
                }
                _ => None,
            })
            .collect();
        if !reach.is_empty() {
            all.push(format!("now you are close to {}", reach.join(", ")));
        }
        let seen: Vec<String> = news
            .seen
            .iter()
            .filter_map(|&ix| self.line(ix, self.rooms[ix.at()]))
            .collect();
        if !seen.is_empty() {
            all.push(format!("now you see:\n{}", seen.join("\n")));
        }
        all.join("\n")
    }

    fn dialect(&self) -> &'static Dialect {
        self.scene.dialect()
    }

    fn name(&self, ix: Ix) -> &str {
        self.scene.short_name(ix)
    }

    /// A fact as task files write it: `fridge:CLOSED`, `!fridge_0:OPEN`, `milk INSIDE fridge`.
    pub fn written(&self, fact: Fact) -> String {
        match fact {
            Fact::State(n, state, on) => {
                let not = if on { "" } else { "!" };
                format!("{not}{}:{}", self.name(n), self.dialect().state_name(state))
            }
            Fact::Edge(from, rel, to) => {
                format!(
                    "{} {} {}",
                    self.name(from),
                    self.dialect().rel_name(rel),
                    self.name(to)
                )
            }
        }
    }

    /// A fact in words: `fridge is closed`, `fridge_0 is not open`, `milk is inside fridge`, `you hold milk`.
    pub fn words(&self, fact: Fact) -> String {
        let who = |ix: Ix| if ix == self.me { "you" } else { self.name(ix) };
        let is = |ix: Ix| if ix == self.me { "are" } else { "is" };
        match fact {
            Fact::State(n, state, on) => {
                let not = if on { "" } else { "not " };
                format!("{} {} {not}{}", who(n), is(n), self.state(state))
            }
            Fact::Edge(from, rel, to) if self.is_hand(rel) => {
                let hold = if from == self.me { "hold" } else { "holds" };
                format!("{} {hold} {}", who(from), self.name(to))
            }
            Fact::Edge(from, rel, to) => {
                format!(
                    "{} {} {} {}",
                    who(from),
                    is(from),
                    self.relation(rel),
                    who(to)
                )
            }
        }
    }

    fn is_hand(&self, rel: Rel) -> bool {
        self.dialect().rules.hands.contains(&rel)
    }

    fn state(&self, state: State) -> String {
        self.dialect()
            .state_name(state)
            .to_lowercase()
            .replace('_', " ")
    }

    /// A relation in words: the dialect's own where it has them.
    fn relation(&self, rel: Rel) -> String {
        let ends = self.dialect().reading.ends.iter();
        let own = ends.into_iter().find(|e| e.rel == rel && e.out);
        own.map_or_else(
            || {
                let name = self.dialect().rel_name(rel).to_lowercase();
                match &*name {
                    "close" => "close to".to_owned(),
                    "nextto" => "next to".to_owned(),
                    _ => name.replace('_', " "),
                }
            },
            |e| e.label.to_owned(),
        )
    }

    /// Room by room, a line for each thing: `- milk: inside fridge`.
    fn lines(&self) -> String {
        let mut text = String::new();
        match self.room {
            Some(room) => {
                let _ = write!(text, "You are in {}.", self.name(room));
            }
            None => text.push_str("You are in no room."),
        }
        let about = |ix: Ix| {
            self.facts()
                .filter(move |f| matches!(f, Fact::State(n, ..) | Fact::Edge(n, ..) if *n == ix))
        };
        let held: Vec<&str> = about(self.me)
            .filter_map(|f| match f {
                Fact::Edge(_, rel, to) if self.is_hand(rel) => Some(self.name(to)),
                _ => None,
            })
            .collect();
        let _ = match held.as_slice() {
            [] => write!(text, " Your hands are empty."),
            some => write!(text, " You hold {}.", some.join(" and ")),
        };
        let mine: Vec<String> = about(self.me)
            .filter_map(|f| match f {
                Fact::State(_, state, true) => Some(self.state(state)),
                _ => None,
            })
            .collect();
        if !mine.is_empty() {
            let _ = write!(text, " You are {}.", mine.join(", "));
        }
        let near = self.dialect().near;
        let reach: Vec<&str> = about(self.me)
            .filter_map(|f| match f {
                Fact::Edge(_, rel, to) if rel == near => Some(self.name(to)),
                _ => None,
            })
            .collect();
        if !reach.is_empty() {
            let _ = write!(text, " Within reach: {}.", reach.join(", "));
        }
        let mut rooms: Vec<Option<Ix>> = self.rooms.clone();
        rooms.sort_unstable();
        rooms.dedup();
        let (known, none): (Vec<_>, Vec<_>) = rooms.into_iter().partition(Option::is_some);
        for room in known.into_iter().chain(none) {
            let lines: Vec<String> = self
                .scene
                .indices()
                .filter(|&ix| {
                    ix != self.me
                        && Some(ix) != room
                        && self.sees(ix)
                        && self.rooms[ix.at()] == room
                })
                .filter_map(|ix| self.line(ix, room))
                .collect();
            let _ = match (room, lines.is_empty()) {
                (Some(room), false) => {
                    write!(text, "\nIn {}:\n{}", self.name(room), lines.join("\n"))
                }
                (Some(room), true) => write!(text, "\nThere is also {}.", self.name(room)),
                (None, false) => write!(text, "\nElsewhere:\n{}", lines.join("\n")),
                (None, true) => Ok(()),
            };
        }
        text
    }

    /// A thing with its states and places; nothing of what only bounds the room.
    fn line(&self, ix: Ix, room: Option<Ix>) -> Option<String> {
        let near = self.dialect().near;
        let mut said: Vec<String> = Vec::new();
        for fact in self.facts() {
            match fact {
                Fact::State(n, state, on) if n == ix => {
                    let not = if on { "" } else { "not " };
                    said.push(format!("{not}{}", self.state(state)));
                }
                Fact::Edge(n, rel, to)
                    if n == ix
                        && Some(to) != room
                        && (rel != near || self.dialect().reading.approach.is_none()) =>
                {
                    said.push(format!("{} {}", self.relation(rel), self.name(to)));
                }
                _ => {}
            }
        }
        let bare = self.scene.node(ix).props.0 == 0 && said.is_empty();
        if bare {
            return None;
        }
        let name = self.name(ix);
        Some(if said.is_empty() {
            format!("- {name}")
        } else {
            format!("- {name}: {}", said.join(", "))
        })
    }

    fn json(&self) -> Value {
        let near = self.dialect().near;
        let mut things = Vec::new();
        for ix in self.scene.indices().filter(|&ix| self.sees(ix)) {
            let node = self.scene.node(ix);
            let mut thing = Map::new();
            thing.insert("name".to_owned(), self.name(ix).into());
            thing.insert("class".to_owned(), (*node.class).into());
            thing.insert("id".to_owned(), node.id.0.into());
            let (mut states, mut relations) = (Vec::new(), Map::new());
            for fact in self.facts() {
                match fact {
                    Fact::State(n, state, on) if n == ix => {
                        let not = if on { "" } else { "!" };
                        states.push(Value::from(format!(
                            "{not}{}",
                            self.dialect().state_name(state)
                        )));
                    }
                    Fact::Edge(n, rel, to) if n == ix => {
                        let list = relations
                            .entry(self.dialect().rel_name(rel))
                            .or_insert_with(|| json!([]));
                        if let Value::Array(list) = list {
                            list.push(self.name(to).into());
                        }
                    }
                    _ => {}
                }
            }
            thing.insert("states".to_owned(), states.into());
            thing.insert("relations".to_owned(), relations.into());
            things.push(Value::from(thing));
        }
        let list = |wanted: &dyn Fn(Rel) -> bool| -> Vec<&str> {
            let mine = self.facts().filter_map(|f| match f {
                Fact::Edge(n, rel, to) if n == self.me && wanted(rel) => Some(self.name(to)),
                _ => None,
            });
            mine.collect()
        };
        json!({
            "you": self.name(self.me),
            "room": self.room.map(|r| self.name(r)),
            "holds": list(&|rel| self.is_hand(rel)),
            "within_reach": list(&|rel| rel == near),
            "things": things,
        })
    }
}
