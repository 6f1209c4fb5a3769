//! Actions in values: `{"action": "WALK", "object": "fridge"}`, `{"WALK": ["fridge", 150]}`, `["walk fridge", "done"]`,
//! tool calls, plans under any of the usual names.

use std::ops::Range;

use super::lines::{self, Arg, Tier, Written};
use super::literal::{Item, Reader, Value};
use super::words::{Verb, Words};

/// What a value holds.
#[derive(Debug, Default)]
pub(super) struct Got {
    pub(super) actions: Vec<Written>,
    pub(super) thoughts: Vec<String>,
    /// Maps that look like actions and name none.
    pub(super) bad: Vec<Range<usize>>,
}

/// Fields that hold an action's name.
const VERB: [&str; 13] = [
    "action",
    "act",
    "command",
    "verb",
    "next_action",
    "action_name",
    "skill",
    "operation",
    "tool",
    "function",
    "tool_name",
    "primitive",
    "action_type",
];
/// Fields that hold several actions.
const PLAN: [&str; 10] = [
    "actions",
    "plan",
    "steps",
    "action_sequence",
    "action_list",
    "trajectory",
    "output",
    "answer",
    "response",
    "result",
];
/// Fields that hold what was thought.
const THOUGHT: [&str; 11] = [
    "rationale",
    "thought",
    "thoughts",
    "reasoning",
    "reason",
    "explanation",
    "reflection",
    "analysis",
    "thinking",
    "think",
    "why",
];
/// Fields that hold what an action is done with, and in which order they count.
const THINGS: [(&str, u8); 38] = [
    ("object", 0),
    ("objects", 0),
    ("obj", 0),
    ("object_name", 0),
    ("object1", 0),
    ("object_1", 0),
    ("obj1", 0),
    ("arg1", 0),
    ("arg", 0),
    ("args", 0),
    ("argument", 0),
    ("arguments", 0),
    ("action_input", 0),
    ("input", 0),
    ("param", 0),
    ("params", 0),
    ("parameter", 0),
    ("parameters", 0),
    ("item", 0),
    ("items", 0),
    ("thing", 0),
    ("source", 0),
    ("subject", 0),
    ("node", 0),
    ("target", 1),
    ("targets", 1),
    ("object2", 2),
    ("object_2", 2),
    ("obj2", 2),
    ("arg2", 2),
    ("target2", 2),
    ("destination", 2),
    ("receptacle", 2),
    ("container", 2),
    ("surface", 2),
    ("location", 2),
    ("to", 2),
    ("into", 2),
];
/// Fields that hold the id of a thing.
const IDS: [&str; 6] = [
    "id",
    "object_id",
    "obj_id",
    "target_id",
    "node_id",
    "objectid",
];

/// How deep a text may hold a value that holds a text.
const TEXTS: u8 = 2;

/// Collects what a value holds.
pub(super) struct Shapes<'w> {
    pub(super) words: &'w Words,
    pub(super) got: Got,
    texts: u8,
}

impl<'w> Shapes<'w> {
    pub(super) fn new(words: &'w Words) -> Self {
        Self {
            words,
            got: Got::default(),
            texts: 0,
        }
    }

    pub(super) fn value(&mut self, item: &Item) {
        match &item.value {
            Value::Nothing => {}
            Value::Text(text) => self.text(text, item, false),
            Value::Bare(text) => self.text(text, item, true),
            Value::List(items) => self.list(items, item),
            Value::Map(entries) => self.map(entries, item),
        }
    }

    fn push(&mut self, written: Written, item: &Item) {
        self.got.actions.push(Written {
            at: item.at.clone(),
            whole: item.whole,
            ..written
        });
    }

    fn text(&mut self, text: &str, item: &Item, bare: bool) {
        let inner = text.trim();
        if inner.starts_with(['{', '[']) && self.texts < TEXTS && self.nested(inner, item) {
            return;
        }
        let (_, line) = lines::strip(inner);
        if let Some(written) = lines::in_words(line, false, self.words) {
            let tier = if bare { written.tier } else { Tier::Own };
            self.push(Written { tier, ..written }, item);
        }
    }

    /// A text that holds a value of its own, as the arguments of tool calls do.
    fn nested(&mut self, text: &str, outer: &Item) -> bool {
        if lines::bracket(text, self.words).is_some() {
            return false;
        }
        let mut fuel = text.len() * 2;
        let Some(item) = Reader::new(text, 0, &mut fuel).read() else {
            return false;
        };
        let before = self.got.actions.len();
        self.texts += 1;
        self.value(&item);
        self.texts -= 1;
        // Where it stands is told of the text around it.
        for written in self.got.actions.iter_mut().skip(before) {
            written.at = outer.at.clone();
        }
        self.got.actions.len() > before
    }

    /// Actions one by one; or one action with its things: `["WALK", "fridge"]`.
    fn list(&mut self, items: &[Item], whole: &Item) {
        let verb = items
            .first()
            .and_then(|i| text_of(&i.value))
            .and_then(|t| self.words.verb(t));
        if let Some(verb @ Verb::Act(_)) = verb
            && self.words.arity(verb) != Some(0)
        {
            let others = items.iter().skip(1);
            let plain = others.clone().all(|i| {
                text_of(&i.value).is_some_and(|t| lines::in_words(t, false, self.words).is_none())
            });
            if plain && items.len() > 1 {
                let mut args = Vec::new();
                others.for_each(|i| things(i, &mut args));
                let written = made(Ok(verb), args, String::new());
                return self.push(written, whole);
            }
        }
        for item in items {
            self.value(item);
        }
    }

    fn map(&mut self, entries: &[(String, Item)], whole: &Item) {
        let field = |names: &[&str]| {
            entries
                .iter()
                .find(|(key, _)| names.contains(&&*field_name(key)))
                .map(|(_, item)| item)
        };
        let thought = field(&THOUGHT)
            .and_then(|i| text_of(&i.value))
            .unwrap_or_default();
        if !thought.trim().is_empty() {
            self.got.thoughts.push(thought.trim().to_owned());
        }
        let named = |names: &[&str]| {
            entries
                .iter()
                .any(|(k, _)| names.contains(&&*field_name(k)))
        };
        let verb = field(&VERB).or_else(|| {
            let name = field(&["name"])?;
            let known = text_of(&name.value).is_some_and(|t| self.words.verb(t).is_some());
            (known || named(&["arguments", "args", "parameters", "params"])).then_some(name)
        });
        if let Some(verb) = verb {
            return self.action(verb, entries, (thought, whole));
        }
        if let Some(plan) = field(&PLAN) {
            return self.value(plan);
        }
        let mut keyed = false;
        for (key, item) in entries {
            let Some(verb) = self.words.verb(key) else {
                continue;
            };
            keyed = true;
            self.keyed(verb, item, thought);
        }
        if keyed {
            return;
        }
        let before = self.got.actions.len();
        for (key, item) in entries {
            let deep = matches!(item.value, Value::List(_) | Value::Map(_));
            let step = field_name(key)
                .trim_start_matches("step")
                .trim_matches('_')
                .parse::<u32>()
                .is_ok();
            if deep || step {
                self.value(item);
            }
        }
        let things = entries
            .iter()
            .any(|(k, _)| THINGS.iter().any(|(n, _)| *n == field_name(k)));
        if self.got.actions.len() == before && things && whole.whole {
            self.got.bad.push(whole.at.clone());
        }
    }

    /// `{"WALK": ["fridge", 150]}`, `{"avoid": "why"}`.
    fn keyed(&mut self, verb: Verb, item: &Item, thought: &str) {
        let (mut args, mut reason) = (Vec::new(), String::new());
        match verb {
            Verb::Act(_) => things(item, &mut args),
            Verb::Avoid => reason = lines::why(text_of(&item.value).unwrap_or(thought)),
            Verb::Done => {}
        }
        if text_of(&item.value) == Some("false") {
            return;
        }
        if reason == "true" {
            thought.clone_into(&mut reason);
        }
        self.push(made(Ok(verb), args, reason), item);
    }

    fn action(&mut self, verb: &Item, entries: &[(String, Item)], (thought, whole): (&str, &Item)) {
        let text = match &verb.value {
            Value::Text(text) | Value::Bare(text) => text.trim(),
            Value::Nothing if !whole.whole => {
                return self.push(made(Err(String::new()), Vec::new(), String::new()), whole);
            }
            Value::Nothing => return self.got.bad.push(whole.at.clone()),
            Value::List(_) | Value::Map(_) => {
                let before = self.got.actions.len();
                self.value(verb);
                if self.got.actions.len() == before {
                    self.got.bad.push(whole.at.clone());
                }
                return;
            }
        };
        let name = text.trim_matches(['[', ']']);
        let known = self.words.verb(name);
        let mut args = Vec::new();
        let mut sorted: Vec<(u8, &Item)> = Vec::new();
        for (key, item) in entries {
            let rank = THINGS.iter().find(|(n, _)| *n == field_name(key));
            sorted.extend(rank.map(|(_, rank)| (*rank, item)));
        }
        // A tool that takes an action: the action is among its arguments.
        if known.is_none() {
            let inner = sorted.iter().find(|(_, item)| match &item.value {
                Value::Map(inner) => inner.iter().any(|(k, _)| VERB.contains(&&*field_name(k))),
                Value::Text(text) => text.trim_start().starts_with('{'),
                _ => false,
            });
            let before = self.got.actions.len();
            if let Some((_, item)) = inner {
                self.value(item);
            }
            if self.got.actions.len() > before {
                return;
            }
        }
        sorted.sort_by_key(|(rank, _)| *rank);
        for (_, item) in sorted {
            things(item, &mut args);
        }
        let id = entries.iter().find(|(k, _)| IDS.contains(&&*field_name(k)));
        if let Some(id) = id
            .and_then(|(_, i)| text_of(&i.value))
            .and_then(lines::number)
        {
            match args.iter_mut().find(|a| a.id.is_none()) {
                Some(arg) => arg.id = Some(id),
                None => args.push(Arg {
                    id: Some(id),
                    ..Arg::default()
                }),
            }
        }
        let said = |verb| made(verb, args.clone(), String::new());
        let written = match known {
            Some(Verb::Avoid) => {
                let told = args.first().map(|a| a.name.clone());
                let reason = if thought.is_empty() {
                    told.unwrap_or_default()
                } else {
                    thought.to_owned()
                };
                made(Ok(Verb::Avoid), Vec::new(), lines::why(&reason))
            }
            Some(verb) => said(Ok(verb)),
            // A whole line in the field of the name.
            None => match lines::in_words(text, false, self.words) {
                Some(line) if line.args.is_empty() => Written { args, ..line },
                Some(line) if args.is_empty() => line,
                _ => said(Err(text.to_owned())),
            },
        };
        self.push(
            Written {
                tier: Tier::Own,
                ..written
            },
            whole,
        );
    }
}

fn made(verb: Result<Verb, String>, args: Vec<Arg>, reason: String) -> Written {
    Written {
        verb,
        args,
        reason,
        at: 0..0,
        whole: true,
        tier: Tier::Own,
    }
}

/// A field's name in lower case with underscores.
fn field_name(key: &str) -> String {
    key.trim().to_lowercase().replace(['-', ' '], "_")
}

/// The text of a value, if it is one.
fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) | Value::Bare(text) => Some(text.trim()),
        _ => None,
    }
}

/// The things a value names: a text, a list of names, names with their ids in turn, `{"name": "fridge", "id": 150}`.
fn things(item: &Item, into: &mut Vec<Arg>) {
    match &item.value {
        Value::Nothing => {}
        Value::Text(text) | Value::Bare(text) => {
            let text = text.trim();
            if matches!(&*text.to_lowercase(), "" | "none" | "null" | "n/a" | "-") {
                return;
            }
            if text.contains('<') {
                into.extend(lines::args(text));
                return;
            }
            // The arguments of a tool call, as a text that holds a value.
            if text.starts_with(['{', '[']) {
                let mut fuel = text.len() * 2;
                if let Some(inner) = Reader::new(text, 0, &mut fuel).read()
                    && matches!(inner.value, Value::Map(_) | Value::List(_))
                {
                    return things(&inner, into);
                }
            }
            for part in text.split(',').filter(|p| !p.trim().is_empty()) {
                match (lines::number(part), into.last_mut()) {
                    (Some(id), Some(last)) if last.id.is_none() => last.id = Some(id),
                    _ => into.push(lines::named(part)),
                }
            }
        }
        Value::List(items) => items.iter().for_each(|i| things(i, into)),
        Value::Map(entries) => {
            let find = |names: &[&str]| {
                let found = entries
                    .iter()
                    .find(|(k, _)| names.contains(&&*field_name(k)));
                found.and_then(|(_, i)| text_of(&i.value))
            };
            let name = find(&["name", "class", "class_name", "object_name", "label"]);
            let id = find(&IDS).and_then(lines::number);
            if name.is_some() || id.is_some() {
                let arg = lines::named(name.unwrap_or_default());
                into.push(Arg {
                    id: id.or(arg.id),
                    ..arg
                });
            } else {
                for (_, item) in entries {
                    things(item, into);
                }
            }
        }
    }
}
