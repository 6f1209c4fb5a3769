//! Actions in a line of text: `[WALK] <fridge> (150)`, `walk(fridge)`, `walk to the fridge`, `LEFT_GRASP apple_1`.

use std::ops::Range;

use super::words::{Verb, Words};

/// A thing as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Arg {
    /// Its name; empty where only an id is written.
    pub(super) name: String,
    /// Its id, where one stands beside the name.
    pub(super) id: Option<i64>,
}

/// An action as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// What it asks for; an unknown word as it stands.
    pub(super) verb: Result<Verb, String>,
    pub(super) args: Vec<Arg>,
    /// Why, for an avoidance.
    pub(super) reason: String,
    /// Where it stands.
    pub(super) at: Range<usize>,
    /// Whether it ends before the text does.
    pub(super) whole: bool,
    /// How much it looks like an action.
    pub(super) tier: Tier,
}

/// How much something looks like an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    /// It stands for itself: a value, a program line, a call, a line with a label.
    Own,
    /// A program line within a sentence.
    Inline,
    /// A line of plain words that begins with an action's name.
    Loose,
}

/// What a line begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    None,
    Action,
    Thought,
    Observation,
    Object,
    Reason,
}

const ACTION: [&str; 14] = [
    "action",
    "next action",
    "final action",
    "answer",
    "final answer",
    "final",
    "output",
    "command",
    "act",
    "response",
    "decision",
    "next step",
    "step",
    "action to take",
];
const THOUGHT: [&str; 9] = [
    "thought",
    "thoughts",
    "thinking",
    "think",
    "reasoning",
    "rationale",
    "reflection",
    "analysis",
    "explanation",
];
const OBSERVATION: [&str; 6] = [
    "observation",
    "obs",
    "feedback",
    "environment",
    "user",
    "human",
];
const OBJECT: [&str; 7] = [
    "object",
    "objects",
    "target",
    "targets",
    "item",
    "argument",
    "arguments",
];

/// Where a part of a text begins in it.
pub(super) fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The longest label, in bytes.
const LABEL: usize = 30;

/// A line without list marks, emphasis and label, and what the label was.
pub(super) fn strip(line: &str) -> (Label, &str) {
    let mut rest = bare(line);
    let mut label = Label::None;
    // Marks and labels may alternate: `3. **Action:** walk`.
    for _ in 0..4 {
        let before = rest;
        rest = bare(numbered(rest));
        let head = rest.find(':').filter(|at| *at <= LABEL);
        if let Some(at) = head
            && let Some(found) = label_of(rest.get(..at).unwrap_or_default())
        {
            rest = bare(rest.get(at + 1..).unwrap_or_default());
            label = found;
        }
        if rest == before {
            break;
        }
    }
    (label, rest)
}

fn label_of(head: &str) -> Option<Label> {
    if !head
        .chars()
        .all(|c| c.is_alphanumeric() || " *_#".contains(c))
    {
        return None;
    }
    let word = head.trim_matches(|c: char| !c.is_alphabetic());
    let lower = word.to_lowercase();
    let tables: [(&[&str], Label); 5] = [
        (&ACTION, Label::Action),
        (&THOUGHT, Label::Thought),
        (&OBSERVATION, Label::Observation),
        (&OBJECT, Label::Object),
        (&["reason", "because"], Label::Reason),
    ];
    let known = tables.iter().find(|(all, _)| all.contains(&&*lower));
    known.map(|(_, label)| *label)
}

/// Without blanks, emphasis, quote marks of mail and list marks at the beginning, and emphasis at the end.
fn bare(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || ">*_`#•–—".contains(c));
    let text = text.strip_prefix("- ").unwrap_or(text).trim_start();
    text.trim_end_matches(|c: char| c.is_whitespace() || "*_`".contains(c))
}

/// Without a number at the beginning: `3.`, `3)`, `(3)`, `3:`.
fn numbered(text: &str) -> &str {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 4 {
        return text;
    }
    let after = inner.get(digits..).unwrap_or_default();
    let after = after.strip_prefix(['.', ')', ':']);
    after
        .filter(|a| a.starts_with(char::is_whitespace) || a.starts_with(['[', '{', '"', '*', '`']))
        .unwrap_or(text)
}

/// The action in brackets a text begins with, and what follows.
pub(super) fn bracket<'t>(text: &'t str, words: &Words) -> Option<(Verb, &'t str)> {
    let inner = text.strip_prefix('[')?;
    let end = inner
        .char_indices()
        .take(LABEL)
        .find(|(_, c)| matches!(c, ']' | '\n' | '['))?
        .0;
    let rest = inner.get(end..)?.strip_prefix(']')?;
    Some((words.verb(inner.get(..end)?)?, rest))
}

/// Words that end what an action is done with.
const ENDS: [&str; 11] = [
    "then", "and", "next", "because", "since", "so", "as", "while", "before", "after", "which",
];

/// Words between two names that only please the ear.
const JOINTS: [&str; 20] = [
    "→", "->", "=>", "to", "into", "onto", "in", "on", "at", "from", "with", "inside", "of", "the",
    "a", "an", "my", "your", "over", "toward",
];

/// How many things of one line are looked at.
const MOST_ARGS: usize = 8;

/// The things named in the rest of a line.
pub(super) fn args(text: &str) -> Vec<Arg> {
    let mut found: Vec<Arg> = Vec::new();
    let mut rest = text;
    let angled = text.contains('<');
    while found.len() <= MOST_ARGS {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ",:".contains(c));
        let Some(first) = rest.chars().next() else {
            break;
        };
        match first {
            '<' => {
                let inner = rest.get(1..).unwrap_or_default();
                let Some(end) = inner.find('>') else {
                    break;
                };
                found.push(named(inner.get(..end).unwrap_or_default()));
                rest = inner.get(end + 1..).unwrap_or_default();
            }
            '(' => {
                let inner = rest.get(1..).unwrap_or_default();
                let Some(end) = inner.find(')') else {
                    break;
                };
                let within = inner.get(..end).unwrap_or_default();
                let first = found.is_empty();
                match (number(within), found.last_mut()) {
                    (Some(id), Some(last)) if last.id.is_none() => last.id = Some(id),
                    (Some(id), _) => found.push(Arg {
                        id: Some(id),
                        ..Arg::default()
                    }),
                    (None, _) if angled || !first => break,
                    (None, _) => found.extend(args(within)),
                }
                rest = inner.get(end + 1..).unwrap_or_default();
            }
            ';' | '#' | '/' => break,
            _ => {
                let quoted = ['"', '\'', '`', '“', '‘'].contains(&first);
                let (word, after) = if quoted {
                    quoted_word(rest)
                } else {
                    plain_word(rest)
                };
                rest = after;
                let ended = word.ends_with(['.', '!', '?', ';']) && !quoted;
                let lower = word.to_lowercase();
                let lower = lower.trim_matches(|c: char| ".!?;:\"'`*".contains(c));
                if ENDS.contains(&lower) || lower == "—" || lower == "–" || lower == "-" {
                    break;
                }
                if lower.is_empty() || JOINTS.contains(&lower) && !quoted {
                    if ended {
                        break;
                    }
                    continue;
                }
                // Between program names nothing counts.
                if !angled {
                    match (number(lower), found.last_mut()) {
                        (Some(id), Some(last)) if last.id.is_none() && !last.name.is_empty() => {
                            last.id = Some(id);
                        }
                        _ => found.push(named(&word)),
                    }
                }
                if ended {
                    break;
                }
            }
        }
    }
    found
}

/// A thing from a name with or without an id inside: `fridge`, `150`, `id 150`, `fridge (150)`.
pub(super) fn named(text: &str) -> Arg {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "\"'`*<>,.;!?“”‘’[]".contains(c));
    if let Some(id) = number(text) {
        return Arg {
            name: String::new(),
            id: Some(id),
        };
    }
    if let Some((name, rest)) = text.split_once('(')
        && let Some(id) = rest.split_once(')').and_then(|(id, _)| number(id))
    {
        return Arg {
            name: tidy(name),
            id: Some(id),
        };
    }
    Arg {
        name: tidy(text),
        id: None,
    }
}

fn tidy(name: &str) -> String {
    name.trim_matches(|c: char| c.is_whitespace() || "\"'`<>[]".contains(c))
        .to_owned()
}

/// A whole number, also `id 150` and `id=150`.
pub(super) fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    let text = text
        .strip_prefix("id")
        .map_or(text, |t| t.trim_start_matches([' ', '=', ':']));
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// The word in quotes a text begins with, and the rest.
fn quoted_word(text: &str) -> (String, &str) {
    let mut chars = text.char_indices();
    let shut = match chars.next() {
        Some((_, '“')) => '”',
        Some((_, '‘')) => '’',
        Some((_, c)) => c,
        None => return (String::new(), ""),
    };
    match chars.find(|(_, c)| *c == shut) {
        Some((at, c)) => {
            let from = text.chars().next().map_or(0, char::len_utf8);
            let word = text.get(from..at).unwrap_or_default();
            (
                word.to_owned(),
                text.get(at + c.len_utf8()..).unwrap_or_default(),
            )
        }
        None => plain_word(text.trim_start_matches(['"', '\'', '`', '“', '‘'])),
    }
}

/// The word a text begins with, up to a blank, a comma or a bracket, and the rest.
fn plain_word(text: &str) -> (String, &str) {
    let stops = |c: char| c.is_whitespace() || ",()<".contains(c);
    let end = text
        .find(stops)
        .unwrap_or(text.len())
        .max(text.chars().next().map_or(0, char::len_utf8));
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    (word.to_owned(), rest)
}

/// How many words an action's name may have: `switch on`, `left place next to ontop`.
const VERB_WORDS: usize = 5;

/// The longest line of plain words that may be an action, in words.
const LINE_WORDS: usize = 14;

/// The action a line of words asks for, marks and label taken off before. `labelled` lines are meant as actions.
pub(super) fn in_words(line: &str, labelled: bool, words: &Words) -> Option<Written> {
    let line = line.trim_end_matches([',', ';']);
    let line = line.trim_matches(|c: char| "\"'`“”‘’".contains(c)).trim();
    let written = |verb, args, tier| Written {
        verb,
        args,
        reason: String::new(),
        at: 0..0,
        whole: true,
        tier,
    };
    if let Some((verb, rest)) = bracket(line, words) {
        return Some(of_bracket(verb, rest, Tier::Own));
    }
    if let Some(call) = call(line, words) {
        let (verb, inner) = call;
        return Some(match verb {
            Verb::Avoid => Written {
                reason: tidy(inner),
                ..written(Ok(verb), Vec::new(), Tier::Own)
            },
            _ => written(Ok(verb), args(inner), Tier::Own),
        });
    }
    if let Some(ending) = ending(line, words) {
        return Some(ending);
    }
    // Counted no further than matters: a line may be very long.
    let count = line.split_whitespace().take(LINE_WORDS + 1).count();
    if count == 0 || count > LINE_WORDS {
        return None;
    }
    let starts: Vec<usize> = line
        .split_whitespace()
        .map(|w| offset(line, w) + w.len())
        .take(VERB_WORDS)
        .collect();
    for end in starts.iter().rev() {
        let (head, rest) = line.split_at_checked(*end)?;
        let head = head.trim_end_matches([',', ':']);
        if let Some(verb @ Verb::Act(_)) = words.verb(head) {
            let proper = head == words.name(verb);
            let tier = if labelled || proper {
                Tier::Own
            } else {
                Tier::Loose
            };
            let object = ["object:", "target:", "Object:", "Target:"];
            let rest = object
                .iter()
                .fold(rest.to_owned(), |r, o| r.replace(o, " "));
            return Some(written(Ok(verb), args(&rest), tier));
        }
    }
    // A labelled line, or one in the shape of a program, with a word nobody knows.
    let first = line.split([' ', ',', '(', '<']).next().unwrap_or_default();
    let shouted = first.len() > 2
        && first.contains(|c: char| c.is_ascii_uppercase())
        && first.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    let program = line.starts_with('[') && line.contains('<');
    if program {
        let (head, rest) = line.split_once(']')?;
        let word = head.trim_start_matches('[').to_owned();
        return Some(written(Err(word), args(rest), Tier::Own));
    }
    if labelled || (shouted && count <= 4 && count > 1) {
        let rest = line.get(first.len()..).unwrap_or_default();
        let tier = if labelled { Tier::Own } else { Tier::Loose };
        return Some(written(Err(first.to_owned()), args(rest), tier));
    }
    None
}

/// A program line from its action and what follows it.
pub(super) fn of_bracket(verb: Verb, rest: &str, tier: Tier) -> Written {
    let (args, reason) = match verb {
        Verb::Act(_) => (args(rest), String::new()),
        Verb::Avoid => (Vec::new(), why(rest)),
        Verb::Done => (Vec::new(), String::new()),
    };
    Written {
        verb: Ok(verb),
        args,
        reason,
        at: 0..0,
        whole: true,
        tier,
    }
}

/// `walk(fridge)`, `robot.grab("milk", 246)`: the action and what stands in brackets.
fn call<'t>(line: &'t str, words: &Words) -> Option<(Verb, &'t str)> {
    let (head, rest) = line.split_once('(')?;
    let head = head.rsplit('.').next().unwrap_or(head);
    let inner = rest.trim_end_matches([';', '.', ',']).trim_end();
    let inner = inner.strip_suffix(')')?;
    if head.contains(char::is_whitespace) {
        return None;
    }
    words.verb(head).map(|verb| (verb, inner))
}

/// Phrases that call the task done, lower case.
const DONE: [&str; 14] = [
    "i am done",
    "i'm done",
    "i’m done",
    "we are done",
    "the task is done",
    "task is done",
    "the task is complete",
    "task is complete",
    "the task is completed",
    "the task is finished",
    "task finished",
    "task completed successfully",
    "i have finished",
    "i have completed the task",
];

/// Done or an avoidance as a line of its own.
fn ending(line: &str, words: &Words) -> Option<Written> {
    let plain = line.trim_end_matches(['.', '!', ' ', ')', ']']);
    let plain = plain.trim_start_matches(['[', '(', '<']);
    let made = |verb, reason, tier| Written {
        verb: Ok(verb),
        args: Vec::new(),
        reason,
        at: 0..0,
        whole: true,
        tier,
    };
    let whole = plain.trim_end_matches('>');
    match words.verb(whole) {
        Some(Verb::Done) => return Some(made(Verb::Done, String::new(), Tier::Own)),
        Some(Verb::Avoid) => return Some(made(Verb::Avoid, String::new(), Tier::Own)),
        _ => {}
    }
    if whole.len() <= 40 && DONE.contains(&&*whole.to_lowercase()) {
        return Some(made(Verb::Done, String::new(), Tier::Loose));
    }
    let (head, rest) = plain.split_at_checked("avoid".len())?;
    if !head.eq_ignore_ascii_case("avoid") {
        return None;
    }
    let said = rest.trim_start();
    let apart = said.starts_with([':', '-', '–', '—', ',', '.', ';', ']', '>', '(', '|'])
        || said.to_lowercase().starts_with("because");
    apart.then(|| made(Verb::Avoid, why(rest), Tier::Own))
}

/// The longest reason that is kept, in characters.
const REASON: usize = 2000;

/// The reason in what follows an avoidance.
pub(super) fn why(rest: &str) -> String {
    let text = rest.trim_start_matches(|c: char| c.is_whitespace() || ":-–—,.;]>|(*".contains(c));
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || "\"'`*)".contains(c));
    let lower = text.get(.."because".len()).map(str::to_lowercase);
    let text = match lower.as_deref() {
        Some("because") => text.get("because".len()..).unwrap_or_default().trim_start(),
        _ => text,
    };
    text.chars().take(REASON).collect()
}
