//! What is said about a trial that failed, held against the record.
//!
//! A critique is split into claims. A claim is *confirmed* or *refuted* only where it speaks of something the simulator
//! knows: a rule that was broken, a step that was or was not done, a state or place of a named thing. Advice, opinions
//! and everything else is *unverifiable*: better no verdict than a wrong one.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Value, json};

use crate::sim::reading;
use crate::sim::scene::Scene;
use crate::sim::timeline::{Pos, Timeline};
use crate::sim::vocab::{Dialect, Ix, Rel, State};
use crate::task::episode::Episode;

#[cfg(test)]
mod tests;
mod words;

use words::{Deed, Sentence};

/// One claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// As it was said.
    pub text: String,
    /// Which bytes of the critique.
    pub at: Range<usize>,
    /// The steps it names, or that decide it.
    pub steps: Vec<Pos>,
    /// The things it names.
    pub nodes: Vec<Ix>,
    /// The rules it names, by id.
    pub rules: Vec<String>,
    /// What the record says to it.
    pub verdict: Verdict,
    /// What decides it, without a full stop.
    pub evidence: String,
}

/// What the record says to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It is so.
    Confirmed,
    /// It is not so.
    Refuted,
    /// The record does not tell.
    Unverifiable,
}

impl Verdict {
    /// The name used in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Refuted => "refuted",
            Self::Unverifiable => "unverifiable",
        }
    }
}

/// How many claims of a critique are looked at.
pub const MOST_CLAIMS: usize = 40;

/// The longest critique that is looked at, in bytes.
const LONGEST: usize = 40_000;

/// Splits a critique of the trial that ended at a position into claims and judges each.
pub fn judge(episode: &Episode, end: Pos, text: &str) -> Vec<Claim> {
    let cut = (0..=LONGEST.min(text.len()))
        .rev()
        .find(|&i| text.is_char_boundary(i));
    let text = text.get(..cut.unwrap_or(0)).unwrap_or_default();
    let scene = &episode.setup().scene;
    let names = words::names(scene);
    let mut bench = Bench {
        episode,
        path: episode.timeline().path(end),
        end,
        timeline: episode.timeline().clone(),
    };
    words::sentences(text)
        .into_iter()
        .take(MOST_CLAIMS)
        .map(|at| {
            let said = text.get(at.clone()).unwrap_or_default();
            let sentence = Sentence::read(said, &names, scene.dialect());
            bench.claim(&sentence, said, at)
        })
        .collect()
}

/// Claims as JSON: what each says, the verdict, the evidence, the steps and rules it is about.
pub fn json(claims: &[Claim]) -> String {
    let all: Vec<Value> = claims
        .iter()
        .map(|c| {
            let steps: Vec<u32> = c.steps.iter().map(|s| s.0).collect();
            json!({
                "text": c.text, "verdict": c.verdict.id(), "evidence": c.evidence, "steps": steps, "rules": c.rules,
                "from": c.at.start, "to": c.at.end,
            })
        })
        .collect();
    Value::from(all).to_string()
}

/// What claims are held against.
struct Bench<'e> {
    episode: &'e Episode,
    /// The positions of the trial, the start first.
    path: Vec<Pos>,
    end: Pos,
    /// Moved about to look.
    timeline: Timeline,
}

/// What decides a claim: whether it is so, the steps, and a sentence.
type Ruling = (bool, Vec<Pos>, String);

impl Bench<'_> {
    fn claim(&mut self, sentence: &Sentence, said: &str, at: Range<usize>) -> Claim {
        let rules = self.rules(sentence);
        let ruling = if sentence.advises() {
            None
        } else {
            self.broken(sentence, &rules)
                .or_else(|| self.state(sentence))
                .or_else(|| self.place(sentence))
                .or_else(|| self.deed(sentence))
        };
        let named: Vec<Pos> = sentence
            .steps
            .iter()
            .filter_map(|&n| self.path.get(n))
            .copied()
            .collect();
        let (verdict, steps, evidence) = match ruling {
            Some((true, steps, evidence)) => (Verdict::Confirmed, steps, evidence),
            Some((false, steps, evidence)) => (Verdict::Refuted, steps, evidence),
            None if sentence.advises() => {
                (Verdict::Unverifiable, named, "this is advice".to_owned())
            }
            None => (
                Verdict::Unverifiable,
                named,
                "the record says nothing to this".to_owned(),
            ),
        };
        Claim {
            text: said.to_owned(),
            at,
            steps,
            nodes: sentence.nodes(),
            rules,
            verdict,
            evidence,
        }
    }

    fn scene(&self) -> &Scene {
        &self.episode.setup().scene
    }

    fn dialect(&self) -> &'static Dialect {
        self.scene().dialect()
    }

    fn rules(&self, sentence: &Sentence) -> Vec<String> {
        let book = &self.episode.setup().book;
        let known = sentence.words.iter().map(|w| w.to_uppercase());
        known.filter(|w| book.rule(w).is_some()).collect()
    }

    /// "It broke F05": whether some step did.
    fn broken(&self, sentence: &Sentence, rules: &[String]) -> Option<Ruling> {
        let [rule] = rules else {
            return None;
        };
        if !sentence.has_stem(&["broke", "break", "violat"]) {
            return None;
        }
        let is_it = |instance: &crate::safety::verdict::Instance| {
            let known = self.episode.rule(instance);
            known.is_some_and(|r| r.id == *rule)
        };
        let by_step = |pos: &&Pos| self.episode.broken_at(**pos).iter().any(is_it);
        let mut steps: Vec<Pos> = self.path.iter().filter(by_step).copied().collect();
        let tried = self.episode.attempts().iter();
        let tried = tried.filter(|a| self.path.contains(&a.at) && a.broken.iter().any(is_it));
        steps.extend(tried.map(|a| a.at));
        let so = !steps.is_empty();
        let evidence = match steps.first() {
            Some(first) => format!("{rule} was broken at s{}", first.0),
            None => format!("no step up to s{} broke {rule}", self.end.0),
        };
        Some((so != sentence.denies(), steps, evidence))
    }

    /// "The fridge was left open": whether it was so, at the end, after the step named, or ever.
    fn state(&mut self, sentence: &Sentence) -> Option<Ruling> {
        let (nodes, state, on) = sentence.state(self.dialect())?;
        let name = self.dialect().state_name(state);
        let some = nodes
            .first()
            .map(|&n| self.scene().short_name(n).to_owned())?;
        let wanted = on != sentence.denies();
        let holds = |graph: &crate::sim::graph::Graph| {
            let any = nodes.iter().any(|&n| reading::has_state(graph, n, state));
            any == wanted
        };
        let not = if wanted { "" } else { "not " };
        self.held(sentence, &format!("{some} {not}{name}"), &holds)
    }

    /// "The fork was inside the microwave".
    fn place(&mut self, sentence: &Sentence) -> Option<Ruling> {
        let (from, rel, to) = sentence.place(self.dialect())?;
        let wanted = !sentence.denies();
        let holds = |graph: &crate::sim::graph::Graph| {
            let any = from
                .iter()
                .any(|&f| to.iter().any(|&t| reading::has_edge(graph, f, rel, t)));
            any == wanted
        };
        let names = (from.first()?, to.first()?);
        let not = if wanted { "" } else { "not " };
        let fact = format!(
            "{} {not}{} {}",
            self.scene().short_name(*names.0),
            self.dialect().rel_name(rel),
            self.scene().short_name(*names.1)
        );
        self.held(sentence, &fact, &holds)
    }

    /// Whether a fact held: after the step named; at the end where the sentence speaks of that; else ever.
    fn held(
        &mut self,
        sentence: &Sentence,
        fact: &str,
        holds: &dyn Fn(&crate::sim::graph::Graph) -> bool,
    ) -> Option<Ruling> {
        let named: Vec<Pos> = sentence
            .steps
            .iter()
            .filter_map(|&n| self.path.get(n))
            .copied()
            .collect();
        let at: Vec<Pos> = match named.as_slice() {
            [] if sentence.is_final() => vec![self.end],
            [] => self.path.clone(),
            some => some.to_vec(),
        };
        if !sentence.steps.is_empty() && named.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        for &pos in &at {
            if self.timeline.here() != pos {
                self.timeline.goto(pos);
            }
            if holds(self.timeline.world().graph()) {
                found.push(pos);
            }
        }
        let span = match at.as_slice() {
            [one] => format!("at s{}", one.0),
            _ => format!("at no position up to s{}", self.end.0),
        };
        Some(match (found.first(), found.last()) {
            (Some(first), Some(last)) => {
                let evidence = format!(
                    "{fact} at s{}",
                    if sentence.is_final() { last.0 } else { first.0 }
                );
                (true, vec![*first], evidence)
            }
            _ if at.len() == 1 => (false, at, format!("not so {span}: {fact}")),
            _ => (false, Vec::new(), format!("{fact} {span}")),
        })
    }

    /// "It never closed the fridge", "it grabbed the bowl": whether a step did.
    fn deed(&self, sentence: &Sentence) -> Option<Ruling> {
        let Deed { verbs, nodes, word } = sentence.deed(self.dialect())?;
        let scene = self.scene();
        let is_it = |action: &crate::sim::world::Action| {
            verbs.contains(&action.verb) && (nodes.contains(&action.a) || nodes.contains(&action.b))
        };
        let steps: Vec<Pos> = self
            .path
            .iter()
            .filter(|&&pos| self.timeline.action(pos).is_some_and(|a| is_it(&a)))
            .copied()
            .collect();
        let name = nodes.first().map(|&n| scene.short_name(n).to_owned())?;
        let named: Vec<Pos> = sentence
            .steps
            .iter()
            .filter_map(|&n| self.path.get(n))
            .copied()
            .collect();
        if !named.is_empty() && !sentence.denies() {
            let so = named.iter().any(|p| steps.contains(p));
            let done = named.first().and_then(|&p| self.timeline.action(p));
            let what = done.map_or_else(String::new, |a| self.timeline.world().line(a));
            let first = named.first().map_or(0, |p| p.0);
            return Some((so, named, format!("s{first} is {what}")));
        }
        let denied = sentence.denies();
        let Some(first) = steps.first() else {
            let evidence = format!("no step up to s{} is {word} {name}", self.end.0);
            return Some((denied, Vec::new(), evidence));
        };
        let action = self.timeline.action(*first);
        let line = action.map(|a| self.timeline.world().line(a));
        let evidence = format!("s{} is {}", first.0, line.unwrap_or_default());
        Some((!denied, steps, evidence))
    }
}

/// The names of things in a scene, lower case, with the nodes each may mean.
type Names = BTreeMap<String, Vec<Ix>>;

/// A state of things, and whether it is said to hold.
type Stated = (Vec<Ix>, State, bool);

/// A place of things.
type Placed = (Vec<Ix>, Rel, Vec<Ix>);
