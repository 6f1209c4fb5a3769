//! RED: what it knows, what it draws, what it keeps.
//!
//! A level of knowledge is one file here and one line in [`LEVELS`]. RED gets as many simulated responses as its budget
//! says, whatever it knows, and none beside them; the responses of a smaller budget are the first ones of a larger, so that a curve over budgets
//! is one series of draws. Every draw has a stream of its own, made from the seed, the task, the half, the level and the
//! number of the draw: nothing depends on order or threads, and every candidate meets the same draws. Of two halves, told
//! apart by a hash of kind and facts, one can be kept from RED while plans are chosen and be used for the final figure.

use std::collections::BTreeSet;

use crate::arena::house::disturb::{KINDS, Proposal, Sight, propose};
use crate::arena::house::fair::{Fair, Fairness, Why};
use crate::arena::house::ground::{At, Ground};
use crate::arena::house::model::{
    Candidate, Cell, Certificate, Disturbance, Outcome, Payoffs, Red, Response,
};
use crate::base::chance::Chance;
use crate::base::fold::{Key, StateHash};
use crate::plan::branching::Program;
use crate::safety::book::Book;
use crate::sim::vocab::Ix;
use crate::sim::world::Action;

mod blind;
mod count;
pub mod given;
mod plan;
mod reactive;
mod task;

/// A level of knowledge.
#[derive(Debug)]
pub struct Level {
    /// Its id, as in files and flags.
    pub id: &'static str,
    /// What RED knows, one sentence.
    pub doc: &'static str,
    /// One more disturbance to a response; `None` where there is nothing more to do.
    more: fn(&mut Mind<'_>, &[Disturbance], &mut Draw) -> Option<Disturbance>,
}

/// All levels, from the least knowing up.
pub const LEVELS: &[Level] = &[
    blind::LEVEL,
    count::LEVEL,
    task::LEVEL,
    plan::LEVEL,
    reactive::LEVEL,
];

/// The level of that id.
pub fn level(id: &str) -> Option<&'static Level> {
    LEVELS.iter().find(|l| l.id == id)
}

/// Which disturbances RED may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Half {
    /// All of them.
    #[default]
    All,
    /// Those that plans may be chosen and revised against.
    Design,
    /// Those kept back for the final figure.
    HeldOut,
}

impl Half {
    /// All halves.
    pub const ALL: [Self; 3] = [Self::All, Self::Design, Self::HeldOut];

    /// The word used in files and flags.
    pub const fn id(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Design => "design",
            Self::HeldOut => "held-out",
        }
    }

    /// The half of that word.
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|h| h.id() == id)
    }

    /// Whether a disturbance of that kind and with these facts belongs to it, whenever it strikes.
    pub fn takes(self, kind: &str, facts: &[String]) -> bool {
        let key = Key::of(&format!("{kind}\n{}", facts.join("\n")));
        let mut hash = StateHash::default();
        hash.toggle(key);
        match self {
            Self::All => true,
            Self::Design => hash.bucket() & 1 == 0,
            Self::HeldOut => hash.bucket() & 1 == 1,
        }
    }
}

/// How RED is set.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What it knows.
    pub level: &'static Level,
    /// How many responses it may simulate against each candidate.
    pub budget: u32,
    /// How many disturbances a response may have.
    pub events: u32,
    /// Where its streams begin.
    pub seed: u64,
    /// Which disturbances it may use.
    pub half: Half,
    /// What outcomes are worth: RED wants little of it.
    pub payoffs: Payoffs,
}

impl Settings {
    /// A level with the usual settings: sixteen responses of one disturbance each, seed 0.
    pub fn of(level: &'static Level) -> Self {
        Self {
            level,
            budget: 16,
            events: 1,
            seed: 0,
            half: Half::All,
            payoffs: Payoffs::default(),
        }
    }
}

/// A response that was tried against a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The response as it was drawn.
    pub response: Response,
    /// What RED did in the end.
    pub red: Red,
    /// Why it passed, in words; empty unless it did.
    pub why: String,
    /// What came of it: of the plan alone, where RED passed.
    pub outcome: Outcome,
    /// That the task stayed safely achievable.
    pub certificates: Vec<Certificate>,
    /// What it is worth to BLUE.
    pub payoff: f64,
}

/// What RED found against a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The candidate alone.
    pub alone: Outcome,
    /// What that is worth to BLUE.
    pub payoff: f64,
    /// The responses in the order of the draws; with the candidate alone that is all RED simulates.
    pub tried: Vec<Tried>,
}

impl Answer {
    /// RED's best among its first responses, the first of equals; `None` where doing nothing is as good.
    pub fn best(&self, budget: usize) -> Option<usize> {
        let mut best = None;
        let mut least = self.payoff;
        for (i, it) in self.tried.iter().enumerate() {
            // A draw that found nothing to do spent its part of the budget too.
            if (it.response.draw as usize) < budget && it.payoff < least {
                (best, least) = (Some(i), it.payoff);
            }
        }
        best
    }

    /// What the candidate is worth to BLUE against RED's best of so many responses.
    pub fn worst(&self, budget: usize) -> f64 {
        let best = self.best(budget).and_then(|i| self.tried.get(i));
        best.map_or(self.payoff, |it| it.payoff)
    }

    /// The cell of a response that was tried.
    pub fn cell(&self, candidate: &Candidate, tried: &Tried) -> Cell {
        Cell {
            candidate: candidate.name.clone(),
            response: tried.response.id.clone(),
            outcome: tried.outcome.clone(),
            red: tried.red,
            certificates: tried.certificates.clone(),
        }
    }
}

/// One draw: its number and its stream.
#[derive(Debug)]
pub struct Draw {
    number: u32,
    chance: Chance,
}

impl Draw {
    /// A draw's own stream.
    fn new(settings: &Settings, task: &str, number: u32) -> Self {
        let Settings { seed, half, .. } = settings;
        let text = format!("{seed}/{task}/{}/{}/{number}", half.id(), settings.level.id);
        let mut hash = StateHash::default();
        hash.toggle(Key::of(&text));
        Self {
            number,
            chance: Chance::new(hash.bucket()),
        }
    }

    /// A number below `n`.
    fn below(&mut self, n: u32) -> u32 {
        self.chance.below(n as usize) as u32
    }
}

/// What RED knows and thinks while it answers one candidate.
pub struct Mind<'a> {
    ground: &'a mut Ground,
    program: &'a Program,
    settings: Settings,
    /// How many actions the plan has.
    actions: u32,
    /// How many steps it executes when it is left alone.
    steps: u32,
    /// The actions it executes then.
    way: Vec<Action>,
    /// What could be done to the task's start, by kind, the half already left out.
    sheet: Vec<Vec<Proposal>>,
    /// What came of the responses it has simulated.
    met: Vec<Met>,
}

/// What came of a response, as RED sees it.
struct Met {
    disturbances: Vec<Disturbance>,
    /// What it is worth to BLUE.
    payoff: f64,
    /// How much harm it did, also where that changed no payoff.
    harm: u32,
}

impl Met {
    fn of(tried: &Tried, alone: &Outcome) -> Self {
        let it = &tried.outcome;
        let broken = it.broken.len().saturating_sub(alone.broken.len()) as u32;
        let refused = u32::from(it.refused.is_some() && alone.refused.is_none());
        let lost = alone.safety.held.saturating_sub(it.safety.held);
        let undone = alone.success.held.saturating_sub(it.success.held);
        Self {
            disturbances: tried.response.disturbances.clone(),
            payoff: tried.payoff,
            harm: 8 * broken + 4 * refused + 2 * lost + undone,
        }
    }
}

impl Mind<'_> {
    /// One of these proposals: a kind, each equally likely, then one of it; a kind without any gives way to the next.
    fn pick(sheet: &[Vec<Proposal>], draw: &mut Draw) -> Option<Proposal> {
        let first = draw.chance.below(sheet.len());
        let which = draw.chance.bits();
        let turned = sheet.iter().skip(first).chain(sheet.iter().take(first));
        let all = turned.into_iter().find(|all| !all.is_empty())?;
        let at = ((u128::from(which) * all.len() as u128) >> 64) as usize;
        all.get(at).cloned()
    }

    /// What could be done with these where the plan stands when nothing happens.
    fn seen(&mut self, moment: u32, focus: &BTreeSet<Ix>) -> Vec<Vec<Proposal>> {
        let nothing = self.ground.undisturbed();
        let (setup, half) = (self.ground.setup().clone(), self.settings.half);
        let seen = self.ground.at(self.program, &nothing, moment, |at| {
            sheet(&setup.book, at, half, Some(focus))
        });
        seen.unwrap_or_default()
    }
}

/// What could be done where a plan stands, by kind, of the half that RED may use.
fn sheet(book: &Book, at: &At<'_>, half: Half, focus: Option<&BTreeSet<Ix>>) -> Vec<Vec<Proposal>> {
    let scene = at.world.scene();
    let sight = Sight {
        world: at.world,
        shadow: at.lookout.monitor(),
        book,
        focus,
    };
    let kinds = KINDS.iter().map(|kind| {
        let mut all = propose(kind, &sight);
        all.retain(|p| half == Half::All || half.takes(p.kind, &p.facts(scene)));
        all
    });
    kinds.collect()
}

/// Lets RED answer a candidate. `fair` keeps the certificates of this ground.
pub fn answer(
    ground: &mut Ground,
    fair: &mut Fair,
    candidate: &Candidate,
    settings: &Settings,
) -> Answer {
    let program = Program::new(&candidate.plan);
    let nothing = ground.undisturbed();
    let alone = ground.outcome(&program, &nothing);
    let payoff = settings.payoffs.of(&alone);
    let setup = ground.setup().clone();
    let start = ground.at(&program, &nothing, 0, |at| {
        sheet(&setup.book, at, settings.half, None)
    });
    let way = ground.done(&program, &nothing);
    let mut mind = Mind {
        ground,
        program: &program,
        settings: *settings,
        actions: candidate.plan.len() as u32,
        steps: alone.steps,
        way,
        sheet: start.unwrap_or_default(),
        met: Vec::new(),
    };
    let mut tried = Vec::new();
    for number in 0..settings.budget {
        let mut draw = Draw::new(settings, &setup.task.id, number);
        let mut disturbances: Vec<Disturbance> = Vec::new();
        for _ in 0..settings.events {
            match (settings.level.more)(&mut mind, &disturbances, &mut draw) {
                Some(more) => disturbances.push(more),
                None => break,
            }
        }
        if disturbances.is_empty() {
            continue;
        }
        disturbances.sort_by_key(|d| d.at);
        let response = Response {
            id: format!("{}-{number}", settings.level.id),
            level: settings.level.id.to_owned(),
            draw: number,
            disturbances,
        };
        let one = attempt(mind.ground, fair, (&program, &alone), response, settings);
        mind.met.push(Met::of(&one, &alone));
        tried.push(one);
    }
    Answer {
        alone,
        payoff,
        tried,
    }
}

/// Plays a response against a candidate whose outcome alone is known, and asks whether it is fair.
pub fn attempt(
    ground: &mut Ground,
    fair: &mut Fair,
    (program, alone): (&Program, &Outcome),
    response: Response,
    settings: &Settings,
) -> Tried {
    let passed = |red, why, response| Tried {
        response,
        red,
        why,
        outcome: alone.clone(),
        certificates: Vec::new(),
        payoff: settings.payoffs.of(alone),
    };
    let bound = match ground.bind(&response) {
        Ok(bound) => bound,
        Err(why) => return passed(Red::Passed, Why::Wrong(why).words(ground), response),
    };
    let outcome = ground.outcome(program, &bound);
    match fair.judge(ground, (program, outcome.is_good()), &response) {
        Fairness::Fair(certificates) => Tried {
            response,
            red: Red::Acted,
            why: String::new(),
            payoff: settings.payoffs.of(&outcome),
            outcome,
            certificates,
        },
        Fairness::Unfair(why) => passed(Red::Passed, why.words(ground), response),
        Fairness::Idle => passed(Red::Idle, String::new(), response),
    }
}
