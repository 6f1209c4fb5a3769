//! Goals: facts that must hold, and actions that must have been done in order.

use std::sync::Arc;

use crate::plan::bddl::{self, Bound, Disagreement, Progress};
use crate::plan::fact::{Body, Fact};
use crate::plan::names;
use crate::safety::book::{Book, Shadow};
use crate::sim::graph::{Change, Graph};
use crate::sim::scene::Scene;
use crate::sim::vocab::Ix;

/// One goal of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// As the task file writes it.
    pub text: String,
    /// What it asks.
    pub ask: Ask,
}

/// What a goal asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// A fact about the current state.
    Fact(Fact),
    /// These facts hold together in the current state. Written `mug INSIDE kitchen_cabinet & mug:CLEAN`.
    All(Vec<Fact>),
    /// A formula of the definition language holds in the current state. Written in brackets: `(not (open ?fridge_40))`.
    Formula(Arc<Bound>),
    /// A deed was done, after the action goals before it (Evolving Graph §6: in order). Written `DO LOOKAT|WATCH`, or
    /// `DO [SWITCHON] <microwave> WHILE bowl INSIDE microwave`.
    Done(Deed),
    /// These facts hold together at no position, from the start on. Written `fork INSIDE microwave & microwave:ON`.
    Never(Vec<Fact>),
}

/// What an action goal asks to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// One of these occurs in the executed program line (substring search).
    pub texts: Vec<String>,
    /// Facts that hold together right after it: a microwave that ran empty has warmed nothing.
    pub given: Vec<Fact>,
}

impl Deed {
    /// Whether an executed line, after which the world stands like this, is the deed.
    pub fn is_done_by(&self, line: &str, seen: Seen<'_>) -> bool {
        self.texts.iter().any(|t| line.contains(t.as_str()))
            && self.given.iter().all(|f| f.holds(seen.graph, seen.shadow))
    }
}

/// Between a deed and what must hold as it is done.
const WHILE: &str = " WHILE ";

impl Goal {
    /// Reads a goal against a scene.
    ///
    /// # Errors
    /// What is wrong with the fact.
    pub fn read(scene: &Scene, book: &Book, text: &str) -> Result<Self, String> {
        if text.trim_start().starts_with('(') {
            let bound = Bound::read(scene, text).map_err(|d| d.to_string())?;
            return Ok(Self {
                text: text.trim().to_owned(),
                ask: Ask::Formula(Arc::new(bound)),
            });
        }
        let ask = match text.trim().strip_prefix("DO ") {
            Some(rest) => {
                let (deed, given) = match rest.split_once(WHILE) {
                    Some((deed, given)) => (deed, joined(scene, book, given)?),
                    None => (rest, Vec::new()),
                };
                let texts = deeds(scene, deed)?;
                Ask::Done(Deed { texts, given })
            }
            None if text.contains('&') => Ask::All(joined(scene, book, text)?),
            None => Ask::Fact(Fact::read(scene, book, text)?),
        };
        Ok(Self {
            text: text.trim().to_owned(),
            ask,
        })
    }

    /// The goal that a formula is.
    pub fn of(bound: Bound) -> Self {
        Self {
            text: bound.formula.to_string(),
            ask: Ask::Formula(Arc::new(bound)),
        }
    }

    /// The same goal, of which this verdict counts if it is a formula.
    #[must_use]
    pub fn counted_by(self, reading: bddl::Reading) -> Self {
        match self.ask {
            Ask::Formula(bound) => Self {
                text: self.text,
                ask: Ask::Formula(Arc::new(Bound::clone(&bound).counted_by(reading))),
            },
            ask => Self { ask, ..self },
        }
    }

    /// How far a quantified goal has come: "2 of 4 plates".
    pub fn progress(&self, graph: &Graph) -> Option<Progress> {
        match &self.ask {
            Ask::Formula(bound) => bound.progress(graph),
            _ => None,
        }
    }

    /// Where the verdicts on a formula differ, with a witness.
    pub fn disagreement(&self, graph: &Graph) -> Option<Disagreement> {
        match &self.ask {
            Ask::Formula(bound) => bound.disagreement(graph),
            _ => None,
        }
    }

    /// Reads what must never hold against a scene: facts joined by `&`.
    ///
    /// # Errors
    /// What is wrong with a fact.
    pub fn read_never(scene: &Scene, book: &Book, text: &str) -> Result<Self, String> {
        Ok(Self {
            text: text.trim().to_owned(),
            ask: Ask::Never(joined(scene, book, text)?),
        })
    }

    /// The goal in the words screens use: `fork not INSIDE microwave`, `microwave OFF`.
    pub fn words(&self) -> String {
        if let Ask::Formula(bound) = &self.ask {
            return bound.words().to_owned();
        }
        let together = |facts: &str| {
            let facts: Vec<String> = facts.split('&').map(in_words).collect();
            facts.join(" and ")
        };
        if let Some(rest) = self.text.strip_prefix("DO ") {
            let (deed, given) = rest.split_once(WHILE).unwrap_or((rest, ""));
            let ways: Vec<String> = deed.split('|').map(deed_in_words).collect();
            let ways = ways.join(" or ");
            return match given {
                "" => format!("done {ways}"),
                given => format!("done {ways} while {}", together(given)),
            };
        }
        let facts = together(&self.text);
        match self.ask {
            Ask::Never(_) => format!("never {facts}"),
            Ask::Fact(_) | Ask::All(_) | Ask::Done(_) | Ask::Formula(_) => facts,
        }
    }

    /// Whether the goal speaks of this node.
    pub fn mentions(&self, node: Ix) -> bool {
        self.facts().iter().any(|f| f.mentions(node))
    }

    /// The facts it speaks of; those of a formula are not denied here even where it denies them.
    pub fn facts(&self) -> &[Fact] {
        match &self.ask {
            Ask::Fact(fact) => std::slice::from_ref(fact),
            Ask::All(facts) | Ask::Never(facts) => facts.as_slice(),
            Ask::Formula(bound) => bound.atoms(),
            Ask::Done(deed) => deed.given.as_slice(),
        }
    }

    /// Whether it reads facts that only rules keep.
    pub fn is_tracked(&self) -> bool {
        let kept = |fact: &Fact| matches!(fact.body, Body::Tracked(..));
        self.facts().iter().any(kept)
    }

    /// Whether a change may make it true or false.
    pub fn is_touched(&self, change: Change) -> bool {
        match &self.ask {
            Ask::Formula(bound) => bound.is_touched(change),
            _ => self.facts().iter().any(|f| f.is_touched(change)),
        }
    }
}

/// How many ways an action goal may be met.
const MOST_WAYS: usize = 32;

/// The ways an action goal may be met: parts of program lines that some action of the scene can print.
fn deeds(scene: &Scene, text: &str) -> Result<Vec<String>, String> {
    let ways: Vec<String> = text.split('|').map(|w| w.trim().to_owned()).collect();
    if ways.len() > MOST_WAYS {
        let n = ways.len();
        return Err(format!(
            "it may be met in {n} ways; the limit is {MOST_WAYS}"
        ));
    }
    for way in &ways {
        deed(scene, way)?;
    }
    Ok(ways)
}

fn deed(scene: &Scene, way: &str) -> Result<(), String> {
    let actions = || scene.dialect().actions.iter().map(|a| a.name);
    let unknown = |verb: &str| {
        let near = names::nearest(&verb.to_uppercase(), actions());
        let hint = near.map_or_else(
            || "write an action such as [GRAB]".to_owned(),
            |n| format!("did you mean {n}?"),
        );
        Err(format!("no action is called {verb}; {hint}"))
    };
    let rest = match way.strip_prefix('[').and_then(|w| w.split_once(']')) {
        Some((verb, rest)) if scene.dialect().action(verb).is_some() => rest,
        Some((verb, _)) => return unknown(verb),
        // A part of a name will do: published goals write no brackets.
        None if way.chars().all(|c| c.is_ascii_uppercase() || c == '_') => {
            if way.is_empty() || !actions().any(|a| a.contains(way)) {
                return unknown(way);
            }
            ""
        }
        None => way,
    };
    let named = rest.split('<').skip(1);
    for (class, after) in named.filter_map(|t| t.split_once('>')) {
        let id = after.trim_start().strip_prefix('(');
        match id.and_then(|t| t.split_once(')')) {
            Some((id, _)) => names::all(scene, &format!("{class}.{id}"))?,
            None => names::all(scene, class)?,
        };
    }
    Ok(())
}

/// Facts joined by `&`.
fn joined(scene: &Scene, book: &Book, text: &str) -> Result<Vec<Fact>, String> {
    text.split('&')
        .map(|fact| Fact::read(scene, book, fact))
        .collect()
}

/// A line or a part of one in words: `putin bowl.203 microwave` for `[PUTIN] <bowl> (203) <microwave>`.
fn deed_in_words(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let inner = |open, close| word.strip_prefix(open)?.strip_suffix(close);
        match (inner('[', ']'), inner('<', '>'), inner('(', ')')) {
            (Some(verb), ..) => words.push(verb.to_lowercase()),
            (_, Some(class), _) => words.push(class.to_owned()),
            (_, _, Some(id)) if !words.is_empty() => {
                if let Some(class) = words.last_mut() {
                    class.push('.');
                    class.push_str(id);
                }
            }
            _ => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

/// A fact in words: `fork not INSIDE microwave`.
fn in_words(fact: &str) -> String {
    let fact = fact.trim();
    let (not, text) = fact
        .strip_prefix('!')
        .map_or(("", fact), |t| ("not ", t.trim_start()));
    match text.rsplit_once(':') {
        Some((node, state)) => format!("{node} {not}{state}"),
        None => match text.split_once(' ') {
            Some((from, rest)) => format!("{from} {not}{rest}"),
            None => text.to_owned(),
        },
    }
}

/// What goals are read from.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The facts.
    pub graph: &'a Graph,
    /// Tracked facts.
    pub shadow: &'a dyn Shadow,
}

impl std::fmt::Debug for Seen<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seen").finish_non_exhaustive()
    }
}

/// The goals of a task: success first, then safety, then what must never hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalSet {
    /// All goals, in display order.
    pub goals: Vec<Goal>,
    /// How many of them are success goals.
    pub success: usize,
}

impl GoalSet {
    /// The same goals, of whose formulas this verdict counts.
    #[must_use]
    pub fn counted_by(self, reading: bddl::Reading) -> Self {
        let goals = self.goals.into_iter().map(|g| g.counted_by(reading));
        Self {
            goals: goals.collect(),
            ..self
        }
    }

    /// By which verdict formulas are judged that the verdicts may differ about; `None` where there are none.
    pub fn reading(&self) -> Option<bddl::Reading> {
        self.goals.iter().find_map(|g| match &g.ask {
            Ask::Formula(bound) if bound.conjunction().is_none() => Some(bound.reading),
            _ => None,
        })
    }

    /// Whether the `i`-th goal is a success goal (else a safety goal).
    pub const fn is_success(&self, i: usize) -> bool {
        i < self.success
    }

    /// How many safety goals there are.
    pub fn safety(&self) -> usize {
        self.goals.len() - self.success
    }

    /// Which goals hold in a state, given how far the ordered action goals have come, and which goals held before it
    /// (what was never to hold and did stays broken).
    pub fn eval<'a>(
        &'a self,
        seen: Seen<'a>,
        progress: usize,
        before: impl Fn(usize) -> bool + 'a,
    ) -> impl Iterator<Item = bool> + 'a {
        let mut nth_action = 0;
        self.goals
            .iter()
            .enumerate()
            .map(move |(i, g)| match &g.ask {
                Ask::Fact(f) => f.holds(seen.graph, seen.shadow),
                Ask::All(facts) => facts.iter().all(|f| f.holds(seen.graph, seen.shadow)),
                Ask::Formula(bound) => bound.holds(seen.graph),
                Ask::Done(_) => {
                    nth_action += 1;
                    nth_action <= progress
                }
                Ask::Never(facts) => {
                    before(i) && !facts.iter().all(|f| f.holds(seen.graph, seen.shadow))
                }
            })
    }

    /// How far the ordered action goals have come after one more executed line, after which the world stands like
    /// this. A line may meet several in turn.
    pub fn advance(&self, progress: usize, line: &str, seen: Seen<'_>) -> usize {
        let deeds = self.goals.iter().filter_map(|g| match &g.ask {
            Ask::Done(deed) => Some(deed),
            _ => None,
        });
        let met = deeds.skip(progress);
        progress + met.take_while(|d| d.is_done_by(line, seen)).count()
    }

    /// Whether any goal is an action goal.
    pub fn has_actions(&self) -> bool {
        self.goals.iter().any(|g| matches!(g.ask, Ask::Done(_)))
    }
}
