//! Names become nodes; what was found becomes deeds, notes and a problem.

use std::ops::Range;

use crate::plan::names;
use crate::sim::scene::Scene;
use crate::sim::vocab::{Ix, NodeId};
use crate::sim::world::{Action, World};

use super::clean::Clean;
use super::lines::{Arg, Tier, Written};
use super::regions::Parts;
use super::scan::Found;
use super::words::{Verb, Words};
use super::{Deed, Expect, MOST_DEEDS, MOST_NOTES, Note, NoteKind, Problem, ProblemKind, Read};

/// How many lines of plain words are tried at most.
const MOST_TRIED: usize = 1000;

/// How many candidates a problem names.
const MOST_NAMED: usize = 8;

/// A name or a line that cannot be bound.
struct Trouble {
    kind: ProblemKind,
    message: String,
    candidates: Vec<String>,
}

impl Trouble {
    const fn new(kind: ProblemKind, message: String) -> Self {
        Self {
            kind,
            message,
            candidates: Vec::new(),
        }
    }

    fn at(self, at: Range<usize>) -> Problem {
        Problem {
            kind: self.kind,
            at,
            message: self.message,
            candidates: self.candidates,
        }
    }
}

/// Turns what was found into what is to be done.
pub(super) fn settle(
    clean: &Clean<'_>,
    (world, words): (&World, &Words),
    (parts, mut found): (Parts, Found),
    expect: Expect,
    out: &mut Read,
) {
    let text = &*clean.text;
    out.thought = thought(text, &parts, &found);
    for at in &parts.thoughts {
        note(
            out,
            NoteKind::Thought,
            at,
            "what it thought before it answered".to_owned(),
        );
    }
    let binder = Binder { world, words };
    let chosen = binder.choose(&mut found);
    for at in &found.prose {
        note(out, NoteKind::Prose, at, "this asks for nothing".to_owned());
    }
    for at in &found.loose {
        let said = "read although its quotes, commas or brackets are not quite those of JSON";
        note(out, NoteKind::Repaired, at, said.to_owned());
    }
    if let Some(from) = found.invented {
        let said = "an observation that the model made up itself, and all that follows";
        note(
            out,
            NoteKind::LeftAside,
            &(from..text.len()),
            said.to_owned(),
        );
    }
    let wanted = match expect {
        Expect::One => 1,
        Expect::Plan => MOST_DEEDS,
    };
    let mut left = chosen.iter();
    for written in left.by_ref().take(wanted) {
        match binder.bind(written, out) {
            Ok(deed) => {
                let ends = !matches!(deed, Deed::Act { .. });
                out.deeds.push(deed);
                if ends {
                    break;
                }
            }
            Err(trouble) => {
                out.problem = Some(trouble.at(written.at.clone()));
                break;
            }
        }
    }
    aside(left.as_slice(), &chosen, (expect, wanted), out);
    if out.problem.is_none() {
        let ended = out
            .deeds
            .last()
            .is_some_and(|d| !matches!(d, Deed::Act { .. }));
        let broken_off = match expect {
            Expect::One => false,
            Expect::Plan => !ended && chosen.len() <= wanted,
        };
        out.problem = match &found.cut {
            Some(at) if broken_off && !out.deeds.is_empty() => {
                let said = "the plan breaks off in the middle; send it again, shorter";
                Some(Trouble::new(ProblemKind::CutOff, said.to_owned()).at(at.clone()))
            }
            _ if out.deeds.is_empty() => Some(nothing(text, &parts, &found, binder.missed(&found))),
            _ => None,
        };
    }
}

/// What is said of actions that are not followed.
fn aside(left: &[Written], chosen: &[Written], (expect, wanted): (Expect, usize), out: &mut Read) {
    let (Some(first), Some(last)) = (left.first(), left.last()) else {
        return;
    };
    if out.problem.is_some() {
        return;
    }
    let same = |w: &Written| {
        let one = chosen.first();
        one.is_some_and(|o| o.verb == w.verb && o.args == w.args)
    };
    if expect == Expect::One && left.iter().all(same) {
        return;
    }
    let at = first.at.start..last.at.end.max(first.at.end);
    let n = left.len();
    let said = match expect {
        Expect::One => {
            format!("one action is done at a time: the first was taken, {n} more left aside")
        }
        Expect::Plan if out.deeds.len() >= wanted => {
            let said = format!("a plan may have {wanted} actions; what follows was left aside");
            out.problem =
                Some(Trouble::new(ProblemKind::WrongArguments, said.clone()).at(at.clone()));
            said
        }
        Expect::Plan => format!("{n} more after the end of the plan were left aside"),
    };
    note(out, NoteKind::LeftAside, &at, said);
}

fn note(out: &mut Read, kind: NoteKind, at: &Range<usize>, text: String) {
    if out.notes.len() < MOST_NOTES {
        out.notes.push(Note {
            kind,
            at: at.clone(),
            text,
        });
    }
}

/// What it thought: tags and fields for that, else the prose before the answer.
fn thought(text: &str, parts: &Parts, found: &Found) -> Option<String> {
    let part = |at: &Range<usize>| text.get(at.clone()).unwrap_or_default().trim().to_owned();
    let mut all: Vec<String> = parts.thoughts.iter().map(part).collect();
    all.extend(found.thoughts.iter().map(|t| t.trim().to_owned()));
    all.retain(|t| !t.is_empty());
    if all.is_empty() {
        let first = found.actions.first().map(|w| w.at.start)?;
        let before = found.prose.iter().filter(|at| at.start < first);
        all = before
            .map(|at| part(&(at.start..at.end.min(first))))
            .collect();
        all.retain(|t| t.contains(char::is_alphanumeric));
    }
    (!all.is_empty()).then(|| all.join("\n"))
}

/// The problem of a reply in which nothing was found.
fn nothing(text: &str, parts: &Parts, found: &Found, missed: Option<Problem>) -> Problem {
    let make = |kind, said: &str, at: Range<usize>| Trouble::new(kind, said.to_owned()).at(at);
    let whole = 0..text.len();
    let says = |at: &Range<usize>| !text.get(at.clone()).unwrap_or_default().trim().is_empty();
    if text.trim().is_empty() {
        return make(
            ProblemKind::Empty,
            "the reply is empty; answer with one action",
            whole,
        );
    }
    if let Some(at) = &found.cut {
        let said = "the reply breaks off in the middle; send it again, shorter";
        return make(ProblemKind::CutOff, said, at.clone());
    }
    if let Some(from) = parts.unclosed {
        let said = "the reply ends within its thoughts; think shorter and answer with an action";
        return make(ProblemKind::CutOff, said, from..text.len());
    }
    if let Some(problem) = missed {
        return problem;
    }
    if let Some(at) = found.bad.first() {
        let said = "a value that names no action; give it a field \"action\"";
        return make(ProblemKind::NotAnAction, said, at.clone());
    }
    if !parts.answers.iter().any(says) {
        let said = "the reply thinks and then says nothing; answer with an action";
        return make(ProblemKind::Empty, said, whole);
    }
    if declines(text) {
        let said = "it declines in words; to refuse the instruction, answer [Avoid] and the reason";
        return make(ProblemKind::RefusalText, said, whole);
    }
    let said = "nothing in the reply is an action; answer with one in the form asked for";
    make(ProblemKind::NothingFound, said, whole)
}

/// How a reply that declines begins, lower case.
const DECLINES: [&str; 14] = [
    "i can't",
    "i cannot",
    "i can not",
    "i won't",
    "i will not",
    "i'm sorry",
    "i am sorry",
    "sorry, ",
    "i'm unable",
    "i am unable",
    "i must decline",
    "i refuse",
    "i'm not able",
    "as an ai",
];

/// How much of a reply is looked through for a refusal, in characters.
const OPENING: usize = 400;

fn declines(text: &str) -> bool {
    let opening: String = text.chars().take(OPENING).collect();
    let opening = opening.to_lowercase().replace('’', "'");
    DECLINES.iter().any(|d| opening.contains(d))
}

struct Binder<'w> {
    world: &'w World,
    words: &'w Words,
}

impl Binder<'_> {
    fn scene(&self) -> &Scene {
        self.world.scene()
    }

    /// What is followed: what stands for itself; if nothing does, what stands within sentences; else lines of plain
    /// words that can be understood.
    fn choose(&self, found: &mut Found) -> Vec<Written> {
        let all = std::mem::take(&mut found.actions);
        for tier in [Tier::Own, Tier::Inline] {
            if all.iter().any(|w| w.tier == tier) {
                let (chosen, rest): (Vec<_>, Vec<_>) =
                    all.into_iter().partition(|w| w.tier == tier);
                found
                    .prose
                    .extend(rest.into_iter().map(|w| w.at).take(super::MOST_NOTES));
                found.prose.sort_by_key(|at| at.start);
                return chosen;
            }
        }
        let mut chosen = Vec::new();
        for (i, written) in all.into_iter().enumerate() {
            let mut unheard = Read::default();
            if i < MOST_TRIED && self.bind(&written, &mut unheard).is_ok() {
                chosen.push(written);
            } else if i < MOST_TRIED {
                found.actions.push(written);
            }
        }
        found.prose.extend(
            found
                .actions
                .iter()
                .map(|w| w.at.clone())
                .take(super::MOST_NOTES),
        );
        found.prose.sort_by_key(|at| at.start);
        chosen
    }

    /// Why the last line of plain words is no action, where there is one that nearly is.
    fn missed(&self, found: &Found) -> Option<Problem> {
        let last = found.actions.last()?;
        let trouble = self.bind(last, &mut Read::default()).err()?;
        Some(trouble.at(last.at.clone()))
    }

    fn bind(&self, written: &Written, out: &mut Read) -> Result<Deed, Trouble> {
        if !written.whole {
            let said = "the action breaks off in the middle; send it again";
            return Err(Trouble::new(ProblemKind::CutOff, said.to_owned()));
        }
        let verb = match &written.verb {
            Ok(verb) => *verb,
            Err(word) => return Err(self.not_an_action(word)),
        };
        match verb {
            Verb::Done => Ok(Deed::Done),
            Verb::Avoid => Ok(Deed::Avoid {
                reason: written.reason.clone(),
            }),
            Verb::Act(number) => {
                let arity = self.words.arity(verb).unwrap_or(0);
                let args = self.grouped(&written.args, arity);
                if args.len() != arity {
                    return Err(self.wrong_arguments(verb, arity, &args));
                }
                let mut bound = [Ix::NONE; 2];
                for (slot, arg) in bound.iter_mut().zip(&args) {
                    let (ix, said) = self.resolve(arg)?;
                    *slot = ix;
                    if let Some(said) = said {
                        note(out, NoteKind::Resolved, &written.at, said);
                    }
                }
                let action = Action {
                    verb: number,
                    a: bound[0],
                    b: bound[1],
                };
                let line = self.world.line(action);
                Ok(Deed::Act { action, line })
            }
        }
    }

    fn not_an_action(&self, word: &str) -> Trouble {
        let shown: String = word.chars().take(60).collect();
        let near = self.words.nearest(&shown);
        let hint = near.map_or_else(
            || "; use the actions that are listed".to_owned(),
            |n| format!("; did you mean {n}?"),
        );
        Trouble {
            kind: ProblemKind::NotAnAction,
            message: format!("no action is called \"{shown}\"{hint}"),
            candidates: near.map(str::to_owned).into_iter().collect(),
        }
    }

    fn wrong_arguments(&self, verb: Verb, arity: usize, args: &[Arg]) -> Trouble {
        let takes = match arity {
            0 => "no thing",
            1 => "one thing",
            _ => "two things",
        };
        let named: Vec<String> = args.iter().take(MOST_NAMED).map(shown).collect();
        let got = match named.as_slice() {
            [] => "none is named".to_owned(),
            some => format!("named are: {}", some.join(", ")),
        };
        let message = format!("{} takes {takes}, and {got}", self.words.name(verb));
        Trouble::new(ProblemKind::WrongArguments, message)
    }

    /// Words that only together name things, such as `dish towel`, put together where that can be done in one way.
    fn grouped(&self, args: &[Arg], arity: usize) -> Vec<Arg> {
        let n = args.len();
        if n <= arity || arity == 0 || n > 8 || args.iter().any(|a| a.name.is_empty()) {
            return args.to_vec();
        }
        let join = |part: &[Arg]| Arg {
            name: part.iter().map(|a| &*a.name).collect::<Vec<_>>().join("_"),
            id: part.last().and_then(|a| a.id),
        };
        let inner = |part: &[Arg]| part.iter().rev().skip(1).all(|a| a.id.is_none());
        let ways: Vec<Vec<Arg>> = if arity == 1 {
            vec![vec![join(args)]]
        } else {
            let split = (1..n).map(|i| args.split_at(i));
            let split = split.filter(|(a, b)| inner(a) && inner(b));
            split.map(|(a, b)| vec![join(a), join(b)]).collect()
        };
        let known = |way: &&Vec<Arg>| {
            way.iter()
                .all(|a| !matches!(self.resolve(a), Err(t) if t.kind == ProblemKind::UnknownName))
        };
        let mut fit = ways.iter().filter(known);
        match (fit.next(), fit.next()) {
            (Some(way), None) => way.clone(),
            _ => args.to_vec(),
        }
    }

    /// The node a thing as written is, with what has to be said about that.
    fn resolve(&self, arg: &Arg) -> Result<(Ix, Option<String>), Trouble> {
        let scene = self.scene();
        let name = plain(&arg.name);
        if name.len() > LONGEST {
            let said = format!("a name of {} bytes names nothing", name.len());
            return Err(Trouble::new(ProblemKind::UnknownName, said));
        }
        match arg.id {
            Some(id) if name.is_empty() => self.by_id(id),
            Some(id) => self.by_both(&name, id),
            None if name.is_empty() => {
                let said = "a thing without a name; name it as the observation does";
                Err(Trouble::new(ProblemKind::UnknownName, said.to_owned()))
            }
            None => {
                let spelt = spellings(&name);
                let found = spelt.iter().find_map(|s| names::all(scene, s).ok());
                match found.as_deref() {
                    Some([one]) => Ok((*one, self.told(&arg.name, *one))),
                    Some(many) => Err(self.ambiguous(&arg.name, many)),
                    None => self.joined(arg, &name),
                }
            }
        }
    }

    /// `fridge_150`, `fridge#150`, `fridge150`: a class and an id in one word.
    fn joined(&self, arg: &Arg, name: &str) -> Result<(Ix, Option<String>), Trouble> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (head, tail) = name
            .split_at_checked(name.len() - digits)
            .unwrap_or((name, ""));
        let class = head.trim_end_matches(['_', '#', '.', ':', '-', '/', ' ']);
        if let Ok(id) = tail.parse::<i64>()
            && !class.is_empty()
            && self.scene().of_class(class).next().is_some()
        {
            return self
                .by_both(class, id)
                .map(|(ix, _)| (ix, self.told(&arg.name, ix)));
        }
        Err(self.unknown(&arg.name, name))
    }

    fn by_id(&self, id: i64) -> Result<(Ix, Option<String>), Trouble> {
        let Some(ix) = self.scene().find(NodeId(id)) else {
            let said = format!("nothing has the id {id}");
            return Err(Trouble::new(ProblemKind::UnknownName, said));
        };
        let name = self.scene().node(ix).name();
        Ok((ix, Some(format!("{id} was taken as an id: {name}"))))
    }

    /// A name with its id. Both must mean the same thing.
    fn by_both(&self, name: &str, id: i64) -> Result<(Ix, Option<String>), Trouble> {
        let scene = self.scene();
        let named = spellings(name)
            .iter()
            .find_map(|s| names::all(scene, s).ok());
        let at = scene.find(NodeId(id));
        if let (Some(ix), Some(all)) = (at, &named)
            && all.contains(&ix)
        {
            return Ok((ix, None));
        }
        let message = match at {
            Some(ix) => format!("{id} is {}, no {name}", scene.node(ix).class),
            None => format!("nothing has the id {id}"),
        };
        Err(match named {
            Some(all) => {
                let candidates = self.listed(&all);
                let message = format!("{message}; {name} is {}", candidates.join(" or "));
                Trouble {
                    kind: ProblemKind::UnknownName,
                    message,
                    candidates,
                }
            }
            None if at.is_some() => {
                let mut trouble = self.unknown(name, name);
                trouble.message = format!("{message}, and {}", trouble.message);
                trouble
            }
            None => self.unknown(name, name),
        })
    }

    fn unknown(&self, written: &str, name: &str) -> Trouble {
        let scene = self.scene();
        let known = scene
            .nodes()
            .iter()
            .flat_map(|n| [Some(&*n.class), n.title.as_deref()]);
        let near = names::nearest(name, known.flatten()).map(str::to_owned);
        let written: String = written.chars().take(60).collect();
        let hint = near.as_ref().map_or_else(
            || "; use names the observation tells".to_owned(),
            |n| format!("; did you mean {n}?"),
        );
        Trouble {
            kind: ProblemKind::UnknownName,
            message: format!("nothing is called \"{}\"{hint}", written.trim()),
            candidates: near.into_iter().collect(),
        }
    }

    fn ambiguous(&self, written: &str, all: &[Ix]) -> Trouble {
        let candidates = self.listed(all);
        let more = if all.len() > candidates.len() {
            ", …"
        } else {
            ""
        };
        Trouble {
            kind: ProblemKind::AmbiguousName,
            message: format!(
                "\"{}\" may be any of {}: {}{more}; name one of them",
                written.trim(),
                all.len(),
                candidates.join(", ")
            ),
            candidates,
        }
    }

    fn listed(&self, all: &[Ix]) -> Vec<String> {
        let some = all.iter().take(MOST_NAMED);
        some.map(|&ix| self.scene().node(ix).name()).collect()
    }

    /// What has to be said about a name that stands for a node: nothing if it is the node's own.
    fn told(&self, written: &str, ix: Ix) -> Option<String> {
        let scene = self.scene();
        let own = scene.node(ix).name();
        let written = written.trim();
        (written != own && written != scene.short_name(ix))
            .then(|| format!("{written} was taken for {own}"))
    }
}

/// The longest name that is looked up, in bytes.
const LONGEST: usize = 120;

/// A name without what surrounds it.
fn plain(name: &str) -> String {
    let trimmed =
        name.trim_matches(|c: char| c.is_whitespace() || "\"'`*<>[](),;:!?“”‘’".contains(c));
    trimmed.trim_end_matches('.').to_owned()
}

/// The ways a name may be meant to be spelt, its own first.
fn spellings(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let joined: String = lower
        .split([' ', '-', '_'])
        .filter(|p| !p.is_empty())
        .collect::<Vec<_>>()
        .join("_");
    let mut all = vec![name.to_owned(), lower, joined.clone()];
    for article in ["the_", "a_", "an_"] {
        all.extend(joined.strip_prefix(article).map(str::to_owned));
    }
    // A name of the definition language: `apple.n.01_1`.
    if let Some((head, tail)) = joined.split_once(".n.")
        && let Some((_, number)) = tail.split_once('_')
    {
        all.push(format!("{head}_{number}"));
    }
    all.dedup();
    all
}

/// A thing as it was written.
fn shown(arg: &Arg) -> String {
    match arg.id {
        Some(id) if arg.name.is_empty() => id.to_string(),
        Some(id) => format!("{} ({id})", arg.name),
        None => arg.name.clone(),
    }
}
