//! BLUE's committee: propose, let RED answer, judge, hear the critic, revise, judge again, choose.
//!
//! Every candidate gets the same number of RED's responses from the same streams. S is read off the matrix of all plans
//! against everything that beat one of them, so that a revision is judged by what its parent was judged by. The choice is
//! then met by a RED whose disturbances no plan was made against ([`Half::HeldOut`]).

use std::fmt::Write as _;

use crate::arena::house::agents::{Agents, Seat, unheard};
use crate::arena::house::fair::Fair;
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Cell, Origin, Outcome, Red, Response};
use crate::arena::house::record::{
    Choice, Claim, Entry, Finding, Phase, Played, Record, Round, Scored, Settings, Unheard,
};
use crate::arena::house::red::{self, Answer, Half, Level, attempt, given};
use crate::plan::branching::{Program, print};

pub mod critic;
pub mod loss;
pub mod remedy;
mod revise;
pub mod score;
mod spoken;
#[cfg(test)]
mod tests;

use revise::Advice;
use score::{terms, varieties};

/// A proposal: a candidate and what it does in a few words.
pub type Proposal = (Candidate, String);

/// An arena being held.
pub struct Committee<'g, 'a> {
    ground: &'g mut Ground,
    fair: Fair,
    red: red::Settings,
    members: Vec<Member>,
    record: Record,
    simulations: u64,
    agents: Option<&'g mut Agents<'a>>,
}

/// RED could not be asked: nothing that follows would be worth anything.
struct Failed;

/// A candidate at the table.
struct Member {
    candidate: Candidate,
    program: Program,
    answer: Answer,
    /// The ids of the responses tried, in their order.
    ids: Vec<String>,
    /// Its round's number.
    round: u32,
    /// Whether the critic has spoken of it.
    heard: bool,
}

impl<'g, 'a> Committee<'g, 'a> {
    /// An arena on a ground, before anything was played. `level` is that of the settings.
    pub fn new(ground: &'g mut Ground, settings: &Settings, level: &'static Level) -> Self {
        let task = &ground.setup().task;
        let record = Record {
            suite: task.suite.clone(),
            task: task.id.clone(),
            profile: ground.world().profile().id().to_owned(),
            settings: settings.clone(),
            agents: Vec::new(),
            candidates: Vec::new(),
            responses: vec![Response::nothing()],
            cells: Vec::new(),
            claims: Vec::new(),
            unheard: Vec::new(),
            rounds: Vec::new(),
            choice: None,
        };
        Self {
            ground,
            fair: Fair::default(),
            red: red::Settings {
                level,
                budget: settings.budget,
                events: settings.events,
                seed: settings.seed,
                half: Half::Design,
                payoffs: settings.payoffs,
            },
            members: Vec::new(),
            record,
            simulations: 0,
            agents: None,
        }
    }

    /// The same with agents in the seats they have. What BLUE's agent proposes is a proposal like others. The RED that is
    /// kept back for the final figure is the offline one of the same level, whoever sits there.
    #[must_use]
    pub fn with(mut self, agents: &'g mut Agents<'a>) -> Self {
        self.record.agents.clone_from(&agents.seated);
        self.agents = Some(agents);
        self
    }

    /// Notes what agents said that does not count.
    #[must_use]
    pub fn noting(mut self, unheard: Vec<Unheard>) -> Self {
        self.record.unheard.extend(unheard);
        self
    }

    /// What has been played so far.
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// Holds the whole arena. `tell` sees the record after every candidate and round; `false` stops it there. Where RED's
    /// agent cannot be asked it ends there too, and [`Agents::failed`] tells why.
    pub fn hold(
        mut self,
        proposals: Vec<Proposal>,
        tell: &mut dyn FnMut(&Record) -> bool,
    ) -> Record {
        for (candidate, words) in proposals {
            let seated = self.seat(candidate, words, 0);
            if seated.is_err() || !tell(&self.record) {
                return self.record;
            }
        }
        if self.members.is_empty() {
            return self.record;
        }
        for round in 0..=self.record.settings.rounds {
            let scores = self.judge();
            let width = self.record.settings.width as usize;
            let last = round == self.record.settings.rounds;
            let mut revised = Vec::new();
            let mut next = Vec::new();
            for it in scores.iter().take(if last { 0 } else { width }) {
                let found = self
                    .members
                    .iter()
                    .position(|m| m.candidate.name == it.candidate);
                if let Some(at) = found {
                    next.extend(self.improve(at, round + 1));
                    revised.push(it.candidate.clone());
                }
            }
            self.record.rounds.push(Round {
                round,
                scores,
                revised,
                simulations: self.simulations,
            });
            if !tell(&self.record) {
                return self.record;
            }
            if next.is_empty() {
                // Nothing new can come of another round.
                break;
            }
            for (candidate, words) in next {
                if self.seat(candidate, words, round + 1).is_err() {
                    return self.record;
                }
            }
        }
        self.choose();
        self.held_out();
        tell(&self.record);
        self.record
    }

    /// Takes a candidate in and lets RED answer it.
    fn seat(&mut self, candidate: Candidate, words: String, round: u32) -> Result<(), Failed> {
        let scene = self.ground.setup().scene.clone();
        let plan = print(&scene, &candidate.plan);
        self.record.candidates.push(Entry {
            name: candidate.name.clone(),
            origin: candidate.origin.clone(),
            round,
            words,
            plan: plan.lines().map(str::to_owned).collect(),
        });
        let answer = self.answer(&candidate)?;
        self.simulations += answer.tried.len() as u64 + 1;
        self.keep(Phase::Search, nothing(&candidate, &answer.alone));
        let mut ids = Vec::new();
        for tried in &answer.tried {
            let id = self.name(&tried.response);
            let mut cell = answer.cell(&candidate, tried);
            cell.response.clone_from(&id);
            self.keep(Phase::Search, cell);
            ids.push(id);
        }
        self.members.push(Member {
            program: Program::new(&candidate.plan),
            candidate,
            answer,
            ids,
            round,
            heard: false,
        });
        Ok(())
    }

    /// RED's answer to a candidate: the offline one's, or what an agent says.
    fn answer(&mut self, candidate: &Candidate) -> Result<Answer, Failed> {
        let red = self.agents.as_mut().filter(|a| a.who(Seat::Red).is_some());
        let Some(agents) = red else {
            return Ok(red::answer(
                self.ground,
                &mut self.fair,
                candidate,
                &self.red,
            ));
        };
        let question = given::question(self.ground, candidate, &self.red, agents.prompts);
        let said = match agents.ask(question) {
            Ok(said) => said,
            Err(why) => {
                agents.failed = Some(why);
                return Err(Failed);
            }
        };
        let (answer, unheard) =
            given::answer(self.ground, &mut self.fair, candidate, &self.red, &said);
        self.record.unheard.extend(unheard);
        Ok(answer)
    }

    /// Hears a critic that is an agent on a member; what of that was confirmed and tells where to revise.
    fn ask_critic(&mut self, at: usize) -> Vec<Advice> {
        let mut advised = Vec::new();
        let critic = self.agents.as_mut().and_then(|agents| {
            let by = agents.who(Seat::Critic)?.title();
            Some((agents, by))
        });
        let (Some((agents, by)), Some(member)) = (critic, self.members.get(at)) else {
            return advised;
        };
        let candidate = &member.candidate;
        let cases = spoken::cases(self.ground, candidate, &member.answer, &member.ids);
        if cases.is_empty() {
            // Nothing went wrong: there is nothing to be said.
            return advised;
        }
        let question = spoken::question(self.ground, candidate, &cases, agents.prompts);
        // Each case is played again as an ordinary run.
        self.simulations += cases.len() as u64;
        let claims = agents.ask(question).and_then(|said| {
            let shown = (candidate, &cases[..]);
            spoken::claims(self.ground, agents.base, shown, &said, &by)
        });
        match claims {
            Ok(claims) => {
                for mut claim in claims {
                    claim.id = format!("C{}", self.record.claims.len() + 1);
                    advised.extend(advice(&self.record, &claim));
                    self.record.claims.push(claim);
                }
            }
            Err(why) => {
                agents.silent = true;
                let nothing = unheard(Seat::Critic, &candidate.name, "", why);
                self.record.unheard.push(nothing);
            }
        }
        advised
    }

    /// The id of a response in the record: what does the same has the same.
    fn name(&mut self, response: &Response) -> String {
        let all = &mut self.record.responses;
        if let Some(known) = all.iter().find(|r| r.disturbances == response.disturbances) {
            return known.id.clone();
        }
        let id = format!("R{}", all.len());
        all.push(Response {
            id: id.clone(),
            ..response.clone()
        });
        id
    }

    fn keep(&mut self, phase: Phase, cell: Cell) {
        self.record.cells.push(Played { phase, cell });
    }

    /// Plays what is missing of the matrix and scores everybody by it, the best first.
    fn judge(&mut self) -> Vec<Scored> {
        let budget = self.red.budget as usize;
        let mut columns: Vec<String> = Vec::new();
        for it in &self.members {
            let best = it.answer.best(budget).and_then(|i| it.ids.get(i));
            columns.extend(best.filter(|id| !columns.contains(id)).cloned());
        }
        for i in 0..self.members.len() {
            for id in &columns {
                self.play(i, id);
            }
        }
        let plans: Vec<_> = self
            .members
            .iter()
            .map(|m| m.candidate.plan.actions())
            .collect();
        let (payoffs, weights) = (self.record.settings.payoffs, self.record.settings.weights);
        let mut scores: Vec<Scored> = self
            .members
            .iter()
            .zip(varieties(&plans))
            .map(|(m, variety)| {
                let name = &m.candidate.name;
                let cells = columns.iter().filter_map(|id| self.record.cell(name, id));
                let cells: Vec<&Cell> = cells.collect();
                let terms = terms(&payoffs, &m.answer.alone, &cells, variety);
                Scored {
                    candidate: name.clone(),
                    score: weights.score(&terms),
                    terms,
                }
            })
            .collect();
        // Stable: of equals the one that was there first.
        scores.sort_by(|a, b| b.score.total_cmp(&a.score));
        scores
    }

    /// Plays a cell of the matrix unless it was played already.
    fn play(&mut self, at: usize, id: &str) {
        let Some(member) = self.members.get(at) else {
            return;
        };
        let name = &member.candidate.name;
        if self.record.cell(name, id).is_some() {
            return;
        }
        let Some(response) = self.record.response(id).cloned() else {
            return;
        };
        let who = (&member.program, &member.answer.alone);
        let tried = attempt(self.ground, &mut self.fair, who, response, &self.red);
        self.simulations += 1;
        let cell = member.answer.cell(&member.candidate, &tried);
        self.keep(Phase::Matrix, cell);
    }

    /// Hears the critic on a member and revises it.
    fn improve(&mut self, at: usize, round: u32) -> Option<Proposal> {
        let member = self.members.get_mut(at)?;
        if std::mem::replace(&mut member.heard, true) {
            // The same would be said again, and the same revision made.
            return None;
        }
        let payoffs = self.record.settings.payoffs;
        let who = (&member.candidate, &member.answer);
        let said = critic::examine(
            self.ground,
            &mut self.fair,
            who,
            &payoffs,
            &mut self.simulations,
        );
        for it in said {
            let mut claim = it.claim;
            claim.id = format!("C{}", self.record.claims.len() + 1);
            let id = it.tried.and_then(|i| member.ids.get(i));
            claim.response = id.cloned().unwrap_or_default();
            self.record.claims.push(claim);
        }
        let advised = self.ask_critic(at);
        let member = self.members.get(at)?;
        let (plan, followed) = revise::revise(
            self.ground,
            &mut self.fair,
            (&member.candidate.plan, &member.answer),
            (&payoffs, &advised),
            &mut self.simulations,
        )?;
        if self.members.iter().any(|m| m.candidate.plan == plan) {
            return None;
        }
        let name = self.members.get(at).map(|m| m.candidate.name.clone())?;
        let base = name
            .split_once('r')
            .map_or(name.as_str(), |(base, _)| base)
            .to_owned();
        let branches = plan.branches();
        let looks = if branches == 1 { "look" } else { "looks" };
        let candidate = Candidate {
            name: format!("{base}r{round}"),
            origin: Origin::Revision(name.clone()),
            plan,
        };
        for i in followed {
            if let Some(claim) = self.record.claims.get_mut(i) {
                let _ = write!(claim.evidence, "; {} follows it", candidate.name);
            }
        }
        Some((candidate, format!("{name} with {branches} {looks}")))
    }

    fn choose(&mut self) {
        let first_round = |name: &str| {
            let mut all = self.members.iter();
            all.any(|m| m.candidate.name == name && m.round == 0)
        };
        let scores = self.record.scores();
        let selected = scores.first().map(|s| s.candidate.clone());
        let proposal = scores.iter().find(|s| first_round(&s.candidate));
        let single = self.members.first();
        if let (Some(selected), Some(proposal), Some(single)) = (selected, proposal, single) {
            self.record.choice = Some(Choice {
                selected,
                best_proposal: proposal.candidate.clone(),
                single: single.candidate.name.clone(),
            });
        }
    }

    /// Lets a RED that was kept back answer what was chosen, the best proposal, and the single plan.
    fn held_out(&mut self) {
        let Some(choice) = self.record.choice.clone() else {
            return;
        };
        let settings = red::Settings {
            half: Half::HeldOut,
            budget: self.record.settings.held_out,
            ..self.red
        };
        let mut names = vec![choice.selected];
        for name in [choice.best_proposal, choice.single] {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        for name in names {
            let member = self.members.iter().find(|m| m.candidate.name == name);
            let Some(candidate) = member.map(|m| m.candidate.clone()) else {
                continue;
            };
            let answer = red::answer(self.ground, &mut self.fair, &candidate, &settings);
            self.simulations += answer.tried.len() as u64 + 1;
            for tried in &answer.tried {
                let id = self.name(&tried.response);
                let mut cell = answer.cell(&candidate, tried);
                cell.response = id;
                self.keep(Phase::HeldOut, cell);
            }
        }
    }
}

/// Where a claim tells to revise: only one that a replay confirmed and that names a step, or a rule broken at one.
fn advice(record: &Record, claim: &Claim) -> Option<Advice> {
    if claim.finding != Finding::Confirmed || claim.step == 0 {
        return None;
    }
    let response = if claim.response.is_empty() {
        Response::nothing()
    } else {
        record.response(&claim.response)?.clone()
    };
    // What holds after a step can be seen before the next one; what breaks a rule must be seen before.
    let seen = u32::from(claim.broken.is_empty());
    Some(Advice {
        claim: record.claims.len(),
        response,
        before: claim.step + seen,
    })
}

/// The cell of a candidate alone.
fn nothing(candidate: &Candidate, alone: &Outcome) -> Cell {
    Cell {
        candidate: candidate.name.clone(),
        response: Response::nothing().id,
        outcome: alone.clone(),
        red: Red::Idle,
        certificates: Vec::new(),
    }
}
