//! What a sentence speaks of.

use std::ops::Range;

use crate::sim::scene::Scene;
use crate::sim::vocab::{Dialect, Ix, State};

use super::{Names, Placed, Stated};

/// The sentences of a text.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut push = |from: usize, to: usize| {
        let part = text.get(from..to).unwrap_or_default();
        let start = from
            + (part.len()
                - part
                    .trim_start_matches(|c: char| c.is_whitespace() || "-*•".contains(c))
                    .len());
        let end = from + part.trim_end().len();
        if text
            .get(start..end)
            .is_some_and(|t| t.contains(char::is_alphabetic))
        {
            all.push(start..end);
        }
    };
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let after = chars.peek().is_none_or(|(_, n)| n.is_whitespace());
        if c == '\n' || matches!(c, '.' | '!' | '?' | ';') && after {
            let end = i + c.len_utf8();
            push(from, end);
            from = end;
        }
    }
    push(from, text.len());
    all.into_iter().flat_map(|at| clauses(text, at)).collect()
}

/// Words at which a sentence goes on to say something else.
const TURNS: [&str; 9] = [
    " but ",
    " because ",
    " although ",
    " though ",
    " while ",
    " whereas ",
    " which ",
    " so that ",
    ", so ",
];

/// The parts of a sentence that say something each: what one denies, the next one may not.
fn clauses(text: &str, at: Range<usize>) -> Vec<Range<usize>> {
    let lower = text
        .get(at.clone())
        .unwrap_or_default()
        .to_ascii_lowercase();
    let mut cuts: Vec<usize> = TURNS
        .iter()
        .flat_map(|turn| lower.match_indices(turn).map(|(i, _)| at.start + i + 1))
        .collect();
    cuts.sort_unstable();
    cuts.push(at.end);
    let mut from = at.start;
    let mut all = Vec::new();
    for cut in cuts {
        let part = text.get(from..cut).unwrap_or_default();
        if part.contains(char::is_alphabetic) {
            let start = from + (part.len() - part.trim_start().len());
            all.push(start..from + part.trim_end().len());
        }
        from = cut;
    }
    all
}

/// The names of a scene: titles, classes, `class.id`, `class (id)`.
pub(super) fn names(scene: &Scene) -> Names {
    let mut names = Names::new();
    for ix in scene.indices() {
        let node = scene.node(ix);
        let mut own = vec![node.class.to_lowercase(), node.name().to_lowercase()];
        own.push(format!("{}.{}", node.class, node.id).to_lowercase());
        own.sort();
        own.dedup();
        for name in own {
            names.entry(name).or_default().push(ix);
        }
    }
    names
}

/// A sentence, word by word.
pub(super) struct Sentence {
    /// The words, lower case, without marks.
    pub(super) words: Vec<String>,
    /// The steps it names.
    pub(super) steps: Vec<usize>,
    /// Where things are named: the first and last word, and the nodes that may be meant.
    things: Vec<(usize, usize, Vec<Ix>)>,
}

/// A deed a sentence speaks of.
pub(super) struct Deed {
    pub(super) verbs: Vec<u8>,
    pub(super) nodes: Vec<Ix>,
    pub(super) word: &'static str,
}

/// How many words a name may have.
const NAME_WORDS: usize = 3;

/// Words of advice, guesses and attempts: what should be done, may be so or was tried is no claim about what was.
const ADVICE: [&str; 23] = [
    "tried",
    "trying",
    "attempted",
    "attempt",
    "should",
    "must",
    "could",
    "would",
    "need",
    "needs",
    "needed",
    "better",
    "next",
    "try",
    "ought",
    "may",
    "might",
    "probably",
    "perhaps",
    "if",
    "maybe",
    "can",
    "instead",
];

const DENIALS: [&str; 12] = [
    "not",
    "never",
    "without",
    "failed",
    "forgot",
    "didn't",
    "wasn't",
    "isn't",
    "weren't",
    "forgetting",
    "neglected",
    "no",
];

/// Pasts that do not end in -ed.
const PAST: [&str; 7] = ["took", "went", "put", "cut", "ate", "drank", "shut"];

const COPULAS: [&str; 10] = [
    "is", "was", "are", "were", "left", "remained", "remains", "stayed", "still", "stays",
];

const FINAL: [&str; 9] = [
    "is", "are", "left", "remained", "remains", "stayed", "still", "end", "stays",
];

/// Words for what is done, as a sentence has them, with the words hazard rules use.
const DEEDS: [(&[&str], &str); 20] = [
    (
        &[
            "switched on",
            "turned on",
            "toggled on",
            "switch on",
            "turn on",
            "toggle on",
            "switching on",
            "turning on",
        ],
        "SWITCHON",
    ),
    (
        &[
            "switched off",
            "turned off",
            "toggled off",
            "switch off",
            "turn off",
            "toggle off",
            "switching off",
            "turning off",
        ],
        "SWITCHOFF",
    ),
    (&["plugged in", "plug in", "plugging in"], "PLUGIN"),
    (
        &["unplugged", "unplug", "unplugging", "plugged out"],
        "PLUGOUT",
    ),
    (&["opened", "open", "opening"], "OPEN"),
    (&["closed", "close", "closing", "shut"], "CLOSE"),
    (
        &[
            "grabbed", "grab", "grabbing", "grasped", "grasp", "took", "take", "taking", "picked",
        ],
        "GRAB",
    ),
    (&["walked", "walk", "went", "walking"], "WALK"),
    (&["put", "placed", "place", "putting", "placing"], "PUTIN"),
    (&["put", "placed", "place", "putting", "placing"], "PUTBACK"),
    (&["washed", "wash", "washing"], "WASH"),
    (&["wiped", "wipe", "wiping"], "WIPE"),
    (&["cleaned", "clean", "cleaning"], "CLEAN"),
    (&["cut", "sliced", "slice", "cutting", "slicing"], "CUT"),
    (&["cooked", "cook", "cooking"], "COOK"),
    (&["soaked", "soak", "soaking"], "SOAK"),
    (&["poured", "pour", "pouring"], "POUR"),
    (
        &["dropped", "drop", "released", "release", "dropping"],
        "DROP",
    ),
    (&["ate", "eat", "eating"], "EAT"),
    (&["drank", "drink", "drinking"], "DRINK"),
];

impl Sentence {
    pub(super) fn read(text: &str, names: &Names, _: &'static Dialect) -> Self {
        // `<fridge> (150)` is read as `fridge.150`.
        let text = text
            .replace("> (", ".")
            .replace(['<', '>'], " ")
            .replace('’', "'");
        let words: Vec<String> = text
            .split(|c: char| c.is_whitespace() || ",()\"`“”:".contains(c))
            .map(|w| {
                w.trim_matches(|c: char| ".!?;'*[]".contains(c))
                    .to_lowercase()
            })
            .filter(|w| !w.is_empty())
            .collect();
        let mut steps = Vec::new();
        for (i, word) in words.iter().enumerate() {
            let number = || {
                words
                    .get(i + 1)
                    .and_then(|w| w.trim_start_matches('s').parse::<usize>().ok())
            };
            if matches!(&**word, "step" | "command" | "action") {
                steps.extend(number());
            } else if let Some(digits) = word.strip_prefix('s') {
                steps.extend(digits.parse::<usize>().ok());
            }
        }
        steps.sort_unstable();
        steps.dedup();
        let mut things = Vec::new();
        let mut i = 0;
        while i < words.len() {
            let longest = (1..=NAME_WORDS.min(words.len() - i)).rev();
            let found = longest.into_iter().find_map(|n| {
                let name = words.get(i..i + n)?.join("_");
                let plural = name.strip_suffix('s').unwrap_or(&name);
                let nodes = names.get(&name).or_else(|| names.get(plural))?;
                Some((n, nodes.clone()))
            });
            match found {
                Some((n, nodes)) => {
                    things.push((i, i + n - 1, nodes));
                    i += n;
                }
                None => i += 1,
            }
        }
        Self {
            words,
            steps,
            things,
        }
    }

    /// All things it names, ascending; of a name of several, all.
    pub(super) fn nodes(&self) -> Vec<Ix> {
        let mut all: Vec<Ix> = self
            .things
            .iter()
            .flat_map(|(_, _, n)| n.iter().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn has(&self, any: &[&str]) -> bool {
        self.words.iter().any(|w| any.contains(&&**w))
    }

    pub(super) fn has_stem(&self, stems: &[&str]) -> bool {
        self.words
            .iter()
            .any(|w| stems.iter().any(|s| w.starts_with(s)))
    }

    /// Whether it says what should be, and not what was.
    pub(super) fn advises(&self) -> bool {
        let must = self
            .words
            .windows(2)
            .any(|w| matches!(&*w[0], "has" | "have" | "had") && w[1] == "to");
        must || self.has(&ADVICE)
    }

    /// Whether it denies something.
    pub(super) fn denies(&self) -> bool {
        self.has(&DENIALS) || self.words.iter().any(|w| w.ends_with("n't"))
    }

    /// Whether it speaks of how things stood in the end.
    pub(super) fn is_final(&self) -> bool {
        self.has(&FINAL)
    }

    /// A thing, then a copula, then a state: `the microwave was still on`. One of each, else it is not clear what is said.
    pub(super) fn state(&self, dialect: &'static Dialect) -> Option<Stated> {
        let [(_, end, nodes)] = self.things.as_slice() else {
            return None;
        };
        let rest = self.words.get(end + 1..)?;
        let left = self.words.iter().take(*end).any(|w| w == "left");
        let copula = rest.iter().position(|w| COPULAS.contains(&&**w));
        let from = match (copula, left) {
            (Some(at), _) => at + 1,
            // `It left the fridge open.`
            (None, true) => 0,
            (None, false) => return None,
        };
        let mut found = rest
            .get(from..)?
            .iter()
            .filter(|w| !DENIALS.contains(&&***w) && !COPULAS.contains(&&***w));
        let first = found.next()?;
        let second = found.next();
        let both = second.map(|s| format!("{first}_{s}"));
        both.and_then(|b| state_of(dialect, &b))
            .or_else(|| state_of(dialect, first))
            .map(|(state, on)| (nodes.clone(), state, on))
    }

    /// A thing, a copula, a preposition, a thing: `the fork was inside the microwave`.
    pub(super) fn place(&self, dialect: &'static Dialect) -> Option<Placed> {
        let [(_, end, from), (start, _, to)] = self.things.as_slice() else {
            return None;
        };
        let between = self.words.get(end + 1..*start)?;
        if between.len() > 5 || !between.iter().any(|w| COPULAS.contains(&&**w)) {
            return None;
        }
        let rules = dialect.rules;
        let word = between
            .iter()
            .rev()
            .find(|w| !matches!(&***w, "the" | "a" | "an" | "of" | "top"))?;
        let rel = match &**word {
            "in" | "inside" | "within" => rules.inside,
            "on" | "onto" | "ontop" => rules.on,
            _ => return None,
        };
        Some((from.clone(), rel, to.clone()))
    }

    /// Whether a form of a deed at a word tells that it was done, or, denied, that it was not: no mere purpose, and without
    /// a denial in the past.
    fn tells(&self, at: usize, form: &str) -> bool {
        let first = form.split(' ').next().unwrap_or(form);
        let past = first.ends_with("ed") || PAST.contains(&first);
        let purpose = at > 0 && self.words.get(at - 1).is_some_and(|w| w == "to");
        if self.denies() {
            return !purpose || self.has(&["failed", "forgot", "neglected"]);
        }
        past && !purpose
    }

    /// A word for a deed, then the thing: `never closed the fridge`.
    pub(super) fn deed(&self, dialect: &'static Dialect) -> Option<Deed> {
        // What a denial reaches is clear only where one thing is named.
        if self.denies() && self.things.len() != 1 {
            return None;
        }
        let (mut verbs, mut nodes, mut known) = (Vec::new(), Vec::new(), "");
        for (forms, word) in DEEDS {
            for form in forms {
                let parts: Vec<&str> = form.split(' ').collect();
                let at = (0..self.words.len()).find(|&i| {
                    parts
                        .iter()
                        .enumerate()
                        .all(|(k, p)| self.words.get(i + k).is_some_and(|w| w == p))
                });
                let Some(at) = at else {
                    continue;
                };
                // The thing stands right behind, or between the parts: `switched the microwave on` is not looked for.
                let after = at + parts.len();
                let thing = self
                    .things
                    .iter()
                    .find(|(s, ..)| *s >= after && *s <= after + 2);
                let copula = at > 0
                    && self
                        .words
                        .get(at - 1)
                        .is_some_and(|w| COPULAS.contains(&&**w));
                let Some((.., these)) = thing.filter(|_| !copula && self.tells(at, form)) else {
                    continue;
                };
                let same = known == word || word == "PUTBACK" && known == "PUTIN";
                // Two deeds in one breath: which of them is meant to be judged is not clear.
                if !known.is_empty() && !same {
                    return None;
                }
                if known.is_empty() {
                    known = word;
                }
                nodes.clone_from(these);
                verbs.extend(verbs_of(dialect, word));
            }
        }
        verbs.sort_unstable();
        verbs.dedup();
        (!verbs.is_empty() && !nodes.is_empty()).then_some(Deed {
            verbs,
            nodes,
            word: known,
        })
    }
}

/// The actions of a dialect that are a deed.
fn verbs_of(dialect: &'static Dialect, word: &str) -> Vec<u8> {
    let own = dialect.action(word).map(|(i, _)| i);
    let others = dialect.speech.deeds.iter().filter(|d| d.word == word);
    let others = others
        .flat_map(|d| d.verbs.iter())
        .filter_map(|v| dialect.action(v).map(|(i, _)| i));
    own.into_iter().chain(others).collect()
}

/// A state by a word for it, and whether it is one's presence.
fn state_of(dialect: &'static Dialect, word: &str) -> Option<(State, bool)> {
    let name = word.to_uppercase();
    if let Some(state) = dialect.state(&name) {
        return Some((state, true));
    }
    // Where the dialect has no such state, what it says in other words.
    match word {
        "closed" | "shut" => dialect
            .state("CLOSED")
            .map(|s| (s, true))
            .or_else(|| dialect.state("OPEN").map(|s| (s, false))),
        "on" | "running" => dialect
            .state("TOGGLED_ON")
            .or_else(|| dialect.state("ON"))
            .map(|s| (s, true)),
        "off" => dialect.state("TOGGLED_ON").map(|s| (s, false)),
        _ => None,
    }
}
