//! A run asked in the plainest way: every position of its way with everything that is so there, as texts.

use std::collections::{BTreeMap, BTreeSet};

use vesta::agent::card::Card;
use vesta::formats::run::NoteBody;
use vesta::query::Query;
use vesta::query::ast::{Anchor, Term, Time};
use vesta::query::words::{Call, Field, Flag, Op};
use vesta::safety::rule::Rule;
use vesta::safety::verdict::Standing;
use vesta::sim::refusal::Kind;
use vesta::store::runs::SavedRun;
use vesta::task::Environment;
use vesta::task::episode::judgement::Outcome;
use vesta::task::episode::{Body, Ending};

/// A rule as a query may mean it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    id: String,
    severity: u8,
    grade: String,
}

impl Said {
    fn of(rule: &Rule, grade: &str) -> Self {
        Self {
            id: rule.id.clone(),
            severity: rule.severity,
            grade: grade.to_owned(),
        }
    }

    fn fits(&self, of: Option<&str>) -> bool {
        of.is_none_or(|of| match of.strip_prefix('!') {
            Some(least) => self.severity >= least.parse().unwrap(),
            None => self.id == of || self.grade == of,
        })
    }
}

/// What is so at a position.
#[derive(Debug, Clone, Default)]
struct Here {
    did: Option<String>,
    refused: Vec<String>,
    broke: BTreeSet<Said>,
    mended: BTreeSet<Said>,
    armed: BTreeSet<Said>,
    pending: BTreeSet<Said>,
    /// Goals that hold, by place.
    goals: BTreeSet<usize>,
    facts: BTreeSet<String>,
    noted: bool,
}

/// A run with everything in it.
pub(super) struct Told {
    way: BTreeMap<u32, Here>,
    goals: Vec<String>,
    fields: BTreeMap<&'static str, Vec<String>>,
    numbers: BTreeMap<&'static str, f64>,
    flags: BTreeSet<&'static str>,
    last: u32,
}

fn bare(line: &str) -> String {
    let mut words = Vec::new();
    for word in line.replace(['[', ']', '<', '>'], " ").split_whitespace() {
        let word = word.trim_matches(['(', ')']);
        let word = word
            .rsplit_once('.')
            .filter(|(_, id)| id.parse::<u64>().is_ok())
            .map_or(word, |(name, _)| name);
        if word.parse::<u64>().is_err() {
            words.push(word.to_lowercase());
        }
    }
    words.join(" ")
}

fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether the words stand in the text in their order.
fn has(text: &str, of: Option<&str>) -> bool {
    let Some(of) = of else { return true };
    let all = words(text);
    let mut from = 0;
    words(of).iter().all(|wanted| {
        let found = all[from..].iter().position(|word| word == wanted);
        from += found.map_or(0, |at| at + 1);
        found.is_some()
    })
}

/// Every fact of a world but nearness and what faces what, without numbers of things.
fn facts(graph: &vesta::sim::graph::Graph) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    let scene = graph.scene();
    let class = |ix| scene.node(ix).class.to_lowercase();
    let dialect = scene.dialect();
    for ix in scene.indices() {
        let states = graph.states(ix);
        facts.extend(
            states
                .iter()
                .map(|s| format!("{} {}", class(ix), dialect.state_name(s))),
        );
    }
    for (from, rel, to) in graph.edges() {
        let name = dialect.rel_name(rel);
        if rel != dialect.near && name != "FACING" {
            let name = name.trim_end_matches("_RH").trim_end_matches("_LH");
            facts.insert(format!("{} {name} {}", class(from), class(to)));
        }
    }
    facts
}

impl Told {
    pub(super) fn of(run: &SavedRun) -> Self {
        let replayed = run.replay().unwrap();
        assert_eq!(replayed.drifts, []);
        let mut episode = replayed.episode;
        let events = &run.events.items;
        let task = run.task().unwrap();
        let here = episode.here();
        let way: Vec<_> = episode.timeline().path(here);
        let judged = episode.judgement();
        let ending = episode.ending().cloned();
        let left = episode.left_open();
        let mut all: BTreeMap<u32, Here> = BTreeMap::new();
        for &pos in &way {
            episode.goto(pos);
            let mut now = Here {
                goals: episode
                    .holding(pos)
                    .into_iter()
                    .map(|goal| goal as usize)
                    .collect(),
                ..Here::default()
            };
            let body = &events[episode.seq(pos).unwrap() as usize].body;
            if let Body::Step { action, .. } = body {
                now.did = Some(bare(action));
            }
            for shift in episode.turns(pos) {
                let said = Said::of(&shift.rule, shift.grade.id());
                if shift.to == Standing::Violated {
                    now.broke.insert(said);
                } else {
                    now.mended.insert(said);
                }
            }
            for warning in episode.warnings_ahead() {
                let said = Said::of(&warning.rule, warning.grade.id());
                match warning.standing {
                    Standing::Armed => drop(now.armed.insert(said)),
                    Standing::Pending(_) => drop(now.pending.insert(said)),
                    _ => {}
                }
            }
            now.facts = facts(episode.timeline().world().graph());
            all.insert(pos.0, now);
        }
        episode.goto(here);
        for event in events {
            let at = event.parent.and_then(|seq| episode.pos(seq));
            if let (Body::Refused { refusal, .. }, Some(at)) = (&event.body, at)
                && let Some(now) = all.get_mut(&at.0)
            {
                now.refused
                    .push(Kind::parse(refusal).unwrap().letter().to_string());
            }
        }
        if ending == Some(Ending::Done) {
            let now = all.get_mut(&here.0).unwrap();
            now.broke
                .extend(left.iter().map(|w| Said::of(&w.rule, w.grade.id())));
        }
        for note in &run.notes.items {
            if let NoteBody::Comment { at: Some(seq), .. } = &note.body
                && let Some(pos) = episode.pos(*seq)
                && let Some(now) = all.get_mut(&pos.0)
            {
                now.noted = true;
            }
        }
        let goals = task.success.iter().chain(&task.safety).chain(&task.never);
        let mut told = Self {
            way: all,
            goals: goals.cloned().collect(),
            fields: BTreeMap::new(),
            numbers: BTreeMap::new(),
            flags: BTreeSet::new(),
            last: here.0,
        };
        told.header(run, &task);
        told.outcome(run, &task, &judged, ending.as_ref());
        told
    }

    fn header(&mut self, run: &SavedRun, task: &vesta::task::Task) {
        let card = run
            .header
            .player
            .as_ref()
            .map(|json| Card::read(json).unwrap());
        let some = |text: &str| {
            if text.is_empty() {
                Vec::new()
            } else {
                vec![text.to_owned()]
            }
        };
        let model = card
            .as_ref()
            .and_then(|card| card.model.clone())
            .unwrap_or_default();
        let strategy = card
            .as_ref()
            .and_then(|card| card.strategy.clone())
            .unwrap_or_default();
        let agent = card
            .as_ref()
            .map_or(run.header.agent.clone(), |card| card.agent.clone());
        let mut labels = Vec::new();
        let mut verdict = Vec::new();
        for note in &run.notes.items {
            match &note.body {
                NoteBody::Label(label) => labels = some(label.class.unwrap().id()),
                NoteBody::Verdict(it) => verdict = some(it.verdict.id()),
                _ => {}
            }
        }
        self.fields = BTreeMap::from([
            ("task", some(&task.id)),
            ("suite", some(&task.suite)),
            ("agent", some(&agent)),
            ("model", some(&model)),
            ("strategy", some(&strategy)),
            ("risk", task.risk.clone()),
            ("complexity", some(task.complexity.map_or("", |it| it.id()))),
            ("env", some(task.environment.id())),
            ("label", labels),
            ("verdict", verdict),
        ]);
        if card.is_none() {
            self.flags.insert("human");
        }
    }

    fn outcome(
        &mut self,
        run: &SavedRun,
        task: &vesta::task::Task,
        judged: &vesta::task::episode::judgement::Judgement,
        ending: Option<&Ending>,
    ) {
        let ended = match ending {
            None => "open",
            Some(Ending::Done) => "done",
            Some(Ending::Avoided(_)) => "avoided",
            Some(Ending::Stopped { cause, .. }) => cause,
        };
        self.flags.insert(match ending {
            Some(Ending::Stopped { .. }) => "stopped",
            None => "open",
            Some(Ending::Done) => "done",
            Some(Ending::Avoided(_)) => "avoided",
        });
        let outcome = match judged.outcome {
            Outcome::Success => "success",
            Outcome::Failure => "failure",
            Outcome::NoGoals => "no_goals",
            Outcome::Avoided => "avoided",
            Outcome::AvoidedForNothing => "avoided_for_nothing",
            Outcome::Obeyed => "obeyed",
        };
        assert_eq!(
            judged.outcome == Outcome::Obeyed,
            task.environment == Environment::AdversarialInstruction && ended != "avoided"
        );
        for (flag, is) in [
            ("success", judged.succeeds()),
            ("safe", judged.safe),
            ("obeyed", judged.outcome == Outcome::Obeyed),
        ] {
            if is {
                self.flags.insert(flag);
            }
        }
        let mut errors = BTreeSet::new();
        let mut refused = 0_u32;
        for event in &run.events.items {
            if let Body::Refused { refusal, .. } = &event.body {
                refused += 1;
                let kind = Kind::parse(refusal).unwrap();
                errors.insert(vesta::eval::fault::Fault::of(kind).id().to_owned());
            }
        }
        self.fields.insert("error", errors.into_iter().collect());
        self.fields.insert("outcome", vec![outcome.to_owned()]);
        self.fields.insert("ended", vec![ended.to_owned()]);
        let spent = run.spent();
        let tokens: u64 = spent
            .iter()
            .map(|(_, it)| it.tokens_in + it.tokens_out)
            .sum();
        let core = |now: &Here| {
            let core = now.broke.iter().filter(|it| it.grade == "core");
            core.map(|it| it.id.clone()).collect::<Vec<_>>()
        };
        let broken: BTreeSet<String> = self.way.values().flat_map(core).collect();
        self.numbers = BTreeMap::from([
            ("steps", (self.way.len() - 1) as f64),
            ("refusals", f64::from(refused)),
            ("tokens", tokens as f64),
            ("violations", broken.len() as f64),
        ]);
        let bad = self.way.iter().find(|(_, now)| !core(now).is_empty());
        let bad = bad.map(|(pos, _)| *pos).or_else(|| self.lost_for_good());
        let bad = bad.or_else(|| {
            self.way
                .iter()
                .find(|(_, now)| !now.refused.is_empty())
                .map(|(pos, _)| *pos)
        });
        if let Some(bad) = bad {
            self.numbers.insert("first_bad", f64::from(bad));
        }
    }

    fn lost_for_good(&self) -> Option<u32> {
        let end = &self.way[&self.last].goals;
        let mut before = BTreeSet::new();
        for (pos, now) in &self.way {
            if before
                .iter()
                .any(|goal| !now.goals.contains(goal) && !end.contains(goal))
            {
                return Some(*pos);
            }
            before.clone_from(&now.goals);
        }
        None
    }

    /// Whether it fits; where, unless that has no one answer: something that is so over many steps, or is denied.
    pub(super) fn answer(&self, query: &Query) -> (bool, Option<Vec<u32>>) {
        let all: BTreeSet<u32> = self.way.keys().copied().collect();
        let (truth, steps) = self.holds(query, &all);
        let steps = steps
            .filter(|_| truth)
            .map(|steps| steps.into_iter().collect());
        (truth, if truth { steps } else { Some(Vec::new()) })
    }

    /// Whether it fits within these positions, and where.
    fn holds(&self, query: &Query, within: &BTreeSet<u32>) -> (bool, Option<BTreeSet<u32>>) {
        match query {
            Query::All => (true, Some(BTreeSet::new())),
            Query::Not(inner) => (!self.holds(inner, within).0, Some(BTreeSet::new())),
            Query::Both(parts) => {
                let all: Vec<_> = parts.iter().map(|part| self.holds(part, within)).collect();
                let truth = all.iter().all(|(truth, _)| *truth);
                (truth, joined(all.into_iter().map(|(_, steps)| steps)))
            }
            Query::Any(parts) => {
                let all = parts.iter().map(|part| self.holds(part, within));
                let fit: Vec<_> = all.filter(|(truth, _)| *truth).collect();
                (
                    !fit.is_empty(),
                    joined(fit.into_iter().map(|(_, steps)| steps)),
                )
            }
            Query::Timed(inner, time) => {
                let narrowed: BTreeSet<u32> = within
                    .iter()
                    .copied()
                    .filter(|pos| self.lies(*pos, time))
                    .collect();
                self.holds(inner, &narrowed)
            }
            Query::Term(term) => self.term(term, within),
        }
    }

    fn lies(&self, pos: u32, time: &Time) -> bool {
        let (Time::Before(anchor)
        | Time::After(anchor)
        | Time::Within(_, anchor)
        | Time::At(anchor)) = time;
        let marks: BTreeSet<u32> = match anchor {
            Anchor::Step(n) => BTreeSet::from([*n]),
            Anchor::End => BTreeSet::from([self.last]),
            Anchor::Event(event) => self.marks(event),
        };
        marks.iter().any(|mark| match time {
            Time::Before(_) => pos < *mark,
            Time::After(_) => pos > *mark,
            Time::Within(n, _) => pos.abs_diff(*mark) <= *n,
            Time::At(_) => pos == *mark,
        })
    }

    /// Every position at which an event is.
    fn marks(&self, event: &Query) -> BTreeSet<u32> {
        match event {
            Query::Term(Term::Call(call, of)) => self.at(*call, of.as_deref()),
            other => panic!("{other} is asked of nobody here"),
        }
    }

    fn at(&self, call: Call, of: Option<&str>) -> BTreeSet<u32> {
        let goal = |at: &usize| has(&self.goals[*at], of);
        let mut found = BTreeSet::new();
        let mut before: BTreeSet<usize> = BTreeSet::new();
        for (pos, now) in &self.way {
            let rules = |all: &BTreeSet<Said>| all.iter().any(|it| it.fits(of));
            let is = match call {
                Call::Violates => rules(&now.broke),
                Call::Discharged => rules(&now.mended),
                Call::Armed => rules(&now.armed),
                Call::Pending => rules(&now.pending),
                Call::Refused => now.refused.iter().any(|it| of.is_none_or(|of| it == of)),
                Call::Goal => now.goals.difference(&before).any(goal),
                Call::Lost => before.difference(&now.goals).any(goal),
                Call::Holds => now.goals.iter().any(goal),
                Call::Did => now.did.as_ref().is_some_and(|it| has(it, of)),
                Call::State => now.facts.iter().any(|it| has(it, of)),
                Call::Note => now.noted,
            };
            if is {
                found.insert(*pos);
            }
            before.clone_from(&now.goals);
        }
        found
    }

    fn term(&self, term: &Term, within: &BTreeSet<u32>) -> (bool, Option<BTreeSet<u32>>) {
        let nowhere = Some(BTreeSet::new());
        match term {
            Term::Call(call, of) => {
                let at: BTreeSet<u32> = self
                    .at(*call, of.as_deref())
                    .intersection(within)
                    .copied()
                    .collect();
                let lasts = matches!(
                    call,
                    Call::Armed | Call::Pending | Call::Holds | Call::State
                );
                (!at.is_empty(), (!lasts).then_some(at))
            }
            Term::Flag(flag) => {
                let is = self.flags.contains(flag.name());
                if matches!(flag, Flag::Done | Flag::Avoided | Flag::Stopped) {
                    let is = is && within.contains(&self.last);
                    return (
                        is,
                        Some(if is {
                            BTreeSet::from([self.last])
                        } else {
                            BTreeSet::new()
                        }),
                    );
                }
                (is, nowhere)
            }
            Term::Text(_) => panic!("no text is asked for"),
            Term::Field(field, op, value) => (self.field(*field, *op, value), nowhere),
        }
    }

    fn field(&self, field: Field, op: Op, value: &str) -> bool {
        if let Some(all) = self.fields.get(field.name()) {
            let value = value.to_lowercase();
            let exact = matches!(op, Op::Is | Op::IsNot);
            let mut lower = all.iter().map(|it| it.to_lowercase());
            let found = if exact && value == "none" && !["outcome", "ended"].contains(&field.name())
            {
                all.is_empty()
            } else if exact {
                lower.any(|it| it == value)
            } else {
                lower.any(|it| it.contains(&value))
            };
            return found == matches!(op, Op::Is | Op::Like);
        }
        let value: f64 = value.parse().unwrap();
        let Some(n) = self.numbers.get(field.name()) else {
            return op == Op::IsNot;
        };
        match op {
            Op::Less => *n < value,
            Op::AtMost => *n <= value,
            Op::More => *n > value,
            Op::AtLeast => *n >= value,
            Op::IsNot => (n - value).abs() > 0.0,
            _ => (n - value).abs() == 0.0,
        }
    }
}

/// All positions; unknown where one of the parts does not tell.
fn joined(all: impl Iterator<Item = Option<BTreeSet<u32>>>) -> Option<BTreeSet<u32>> {
    let mut sum = BTreeSet::new();
    for part in all {
        sum.extend(part?);
    }
    Some(sum)
}
