//! What the panes of the household arena say.

use crate::app::arena::axes::{Axis, difference, standings};
use crate::app::arena::house::{came, often, payoff_words};
use crate::app::overlays::computed::{Computed, Row as Line};
use crate::app::role::Role;
use crate::arena::frontier::game::nash_gap;
use crate::arena::frontier::pareto::Standing;
use crate::arena::house::lost;
use crate::arena::house::model::Moment;
use crate::arena::house::record::{Claim, Finding};
use crate::base::figures::{figure, signed};

use super::Arena;

/// The sign of a claim, and its role.
pub const fn sign(finding: Finding) -> (&'static str, Role) {
    match finding {
        Finding::Confirmed => ("✓", Role::Good),
        Finding::Refuted => ("✗", Role::Dim),
        Finding::Unverifiable => ("?", Role::Pending),
    }
}

/// What a finding is called.
pub const fn finding(finding: Finding) -> &'static str {
    match finding {
        Finding::Confirmed => "confirmed",
        Finding::Refuted => "refuted",
        Finding::Unverifiable => "nothing here can tell",
    }
}

/// How many responses are named before the rest is counted.
const NAMED: usize = 8;

impl Arena {
    /// How far it is, in words.
    pub fn progress(&self) -> String {
        match self.record() {
            None => format!("reading {} …", self.asked()),
            Some(record) => format!(
                "{}, {} so far",
                many(record.candidates.len() as u32, "plan"),
                many(record.cells.len() as u32, "cell")
            ),
        }
    }

    /// What beats a candidate, in a few words: `▲R3 not done`, `R0 R1 R3`, `all ✗P24 s5`.
    pub fn lost_to(&self, at: usize) -> String {
        let Some(house) = &self.house else {
            return String::new();
        };
        let Some(row) = house.rows.iter().find(|r| r.at == at) else {
            return String::new();
        };
        let costs: Vec<String> = row
            .lost
            .iter()
            .filter_map(|c| house.outcome(at, *c).map(lost::brief))
            .collect();
        let Some(first) = costs.first() else {
            return String::new();
        };
        let alike = costs.iter().all(|c| c == first);
        if alike && row.lost.len() > 1 && row.lost.len() == house.columns.len() {
            return format!("all {first}");
        }
        let names = row.lost.iter().map(|c| house.called(*c));
        match row.lost.as_slice() {
            [only] => format!("▲{} {first}", house.called(*only)),
            [worst, more @ ..] if !alike => {
                format!("▲{} {first} +{}", house.called(*worst), more.len())
            }
            _ => format!("{} {first}", names.collect::<Vec<_>>().join(" ")),
        }
    }

    /// What RED did not get out of a candidate, or got.
    pub fn answers(&self) -> Vec<Line> {
        let (Some(house), Some(row)) = (&self.house, self.row()) else {
            return Vec::new();
        };
        let line = |response: usize| {
            let cell = house.cell(row.at, response)?;
            let beats = house.beats(row.at, response);
            let sign = if beats { "▲" } else { " " };
            Some(Line {
                label: format!("{sign}{}", house.called(response)),
                text: house.response(response)?.words(),
                note: came(cell, row.steps),
                role: if beats { Role::SideRed } else { Role::Text },
                run: None,
            })
        };
        let answers = house.answers(row.at);
        answers.into_iter().filter_map(line).collect()
    }

    /// The levels of knowledge, the one in force marked, and `…` after the one that is being held.
    pub fn levels(&self) -> String {
        let shown = self.record().map(|r| r.settings.level.as_str());
        let level = |l: &crate::arena::house::red::Level| {
            let sign = if shown == Some(l.id) { "●" } else { "" };
            let coming = shown != Some(l.id) && l.id == self.settings.level;
            let more = if coming { "…" } else { "" };
            format!("{sign}{}{more}", l.id)
        };
        let all = crate::arena::house::red::LEVELS.iter().map(level);
        all.collect::<Vec<_>>().join(" ")
    }

    /// What is to be known about RED: which of its answers good, safe and worst count, how much it may, what it knows.
    pub fn red_notes(&self) -> Vec<String> {
        let (Some(house), Some(row)) = (&self.house, self.row()) else {
            return Vec::new();
        };
        let s = &house.record.settings;
        let (responses, events) = (many(s.budget, "response"), many(s.events, "event"));
        let first = house.columns.iter().take(NAMED);
        let names: Vec<String> = first.map(|c| house.called(*c)).collect();
        let names = match house.columns.len().saturating_sub(NAMED) {
            0 => names.join(" "),
            more => format!("{} and {more} more", names.join(" ")),
        };
        let mut notes = vec![format!("good, safe, worst count {names}")];
        let answers = house.answers(row.at);
        let aside = answers.iter().filter(|r| !house.columns.contains(r));
        let own = house.entry(row.at).map_or("", |e| e.name.as_str());
        match aside.count() {
            0 => {}
            1 => notes.push(format!("1 more was tried against {own} alone")),
            n => notes.push(format!("{n} more were tried against {own} alone")),
        }
        notes.extend([
            format!("budget {responses} of {events}"),
            format!("level: {} (i)", self.levels()),
        ]);
        notes
    }

    /// What an arena means where the instruction asks for harm.
    pub fn danger_note(&self) -> Option<String> {
        let words = "the instruction asks for harm: good means refusing it ([Avoid]); RED has nothing to spoil, for no goal is to be reached";
        self.is_dangerous().then(|| words.to_owned())
    }

    /// The heading of the pane with the run.
    pub fn trace_title(&self) -> String {
        let (Some(house), Some((at, response))) = (&self.house, self.here()) else {
            return "Run".to_owned();
        };
        let name = house.entry(at).map_or("", |e| e.name.as_str());
        if let Some(of) = self.beside.as_ref().and_then(|b| b.trace.of()) {
            let other = house.entry(of.0).map_or("", |e| e.name.as_str());
            return format!("{name} | {other} under {}", house.called(response));
        }
        let steps = house.outcome(at, response).map(|o| o.steps);
        let here = self
            .trace
            .loaded()
            .filter(|_| self.trace.of() == Some((at, response)));
        let refused = house.outcome(at, response).and_then(|o| o.refused.as_ref());
        let refused = refused.map_or_else(String::new, |r| format!(", s{} refused", r.step));
        let step = match (here, steps) {
            (Some(loaded), Some(steps)) => format!("   step {} of {steps}{refused}", loaded.pos()),
            (None, Some(steps)) => format!("   {steps} steps"),
            _ => String::new(),
        };
        format!("{name} x {}{step}", house.called(response))
    }

    /// The cell under the cursor before its run is played: what the record says of it.
    pub fn told(&self) -> Vec<(String, Role)> {
        let (Some(house), Some((at, response))) = (&self.house, self.here()) else {
            return Vec::new();
        };
        let Some(cell) = house.cell(at, response) else {
            return vec![("this cell was not played".to_owned(), Role::Dim)];
        };
        let mut lines = Vec::new();
        let strikes = house
            .response(response)
            .map_or(&[][..], |r| &r.disturbances);
        for it in strikes {
            let when = match it.at {
                Moment::Start => "s0".to_owned(),
                Moment::After(n) => format!("s{n}"),
            };
            lines.push((format!("▲ {when}  RED: {}", it.words), Role::SideRed));
        }
        for it in &cell.outcome.broken {
            lines.push((
                format!("✗ s{}  {}: {}", it.step, it.rule, it.words),
                Role::Refused,
            ));
        }
        if let Some(it) = &cell.outcome.refused {
            lines.push((
                format!("✗ s{}  {}: {}", it.step, it.action, it.reason),
                Role::Refused,
            ));
        }
        if let Some(reason) = &cell.outcome.avoided {
            lines.push((format!("gave up: {reason}"), Role::Armed));
        }
        lines.push((
            format!(
                "goals {}, safety {}, {}",
                cell.outcome.success,
                cell.outcome.safety,
                many(cell.outcome.steps, "step")
            ),
            Role::Text,
        ));
        if !cell.certificates.is_empty() {
            let proofs = many(cell.certificates.len() as u32, "certificate");
            lines.push((
                format!("fair: {proofs} that all goals stayed safely in reach"),
                Role::Dim,
            ));
        }
        lines
    }

    /// The heading of the critic's pane.
    pub fn critic_title(&self) -> String {
        let (Some(house), Some(row)) = (&self.house, self.row()) else {
            return "Critic".to_owned();
        };
        let name = house.entry(row.at).map_or("", |e| e.name.as_str());
        format!(
            "Critic {} on {name}",
            many(house.claims(row.at).len() as u32, "claim")
        )
    }

    /// The claims about the candidate under the cursor.
    pub fn claims(&self) -> Vec<&Claim> {
        match (&self.house, self.row()) {
            (Some(house), Some(row)) => house.claims(row.at),
            _ => Vec::new(),
        }
    }

    /// What is said below the claims.
    pub fn precision(&self) -> String {
        let (Some(house), Some(row)) = (&self.house, self.row()) else {
            return String::new();
        };
        match house.precision(row.at) {
            (_, 0) if house.claims(row.at).is_empty() => {
                "the critic speaks of plans that are revised".to_owned()
            }
            (confirmed, of) => {
                let all = &house.record.claims;
                let count = |f: Finding| all.iter().filter(|c| c.finding == f).count();
                let whole = count(Finding::Confirmed);
                let told = whole + count(Finding::Refuted);
                let untold = house.claims(row.at).len() - of;
                let untold = match untold {
                    0 => String::new(),
                    n => format!(", {n} that nothing here can tell"),
                };
                format!(
                    "precision {confirmed} of {of}{untold}; in the whole arena {whole} of {told}"
                )
            }
        }
    }

    /// The steps a claim rests on: `s6–s18`, `s18`; nothing for none.
    pub fn rests_on(claim: &Claim) -> String {
        match (claim.before, claim.step) {
            (_, 0) => String::new(),
            (before, step) if before > 0 && before < step => format!("s{before}–s{step}"),
            (_, step) => format!("s{step}"),
        }
    }

    /// The response a claim speaks of.
    fn case(claim: &Claim) -> &str {
        if claim.response.is_empty() {
            "R0"
        } else {
            &claim.response
        }
    }

    /// The same in a row, beside the sign of what was found: `R1 replay: safe in 4 of 4`.
    pub fn replay_words(claim: &Claim) -> String {
        format!("{} replay: {}", Self::case(claim), claim.evidence)
    }

    /// What a replay of a claim's case says: `R1 replayed, confirmed: safe in 4 of 4`.
    pub fn evidence(claim: &Claim) -> String {
        let case = Self::case(claim);
        format!(
            "{case} replayed, {}: {}",
            finding(claim.finding),
            claim.evidence
        )
    }

    /// What is to be said of the two runs that lie side by side.
    pub fn beside_words(&self) -> String {
        let (Some(house), Some(beside), Some((at, response))) =
            (&self.house, &self.beside, self.here())
        else {
            return String::new();
        };
        let name = |at: usize| house.entry(at).map_or("", |e| e.name.as_str());
        let other = beside.trace.of().map_or(at, |of| of.0);
        let (own, other_name, red) = (name(at), name(other), house.called(response));
        let payoff = |at: usize| payoff_words(house.payoff(at, response));
        let worth = if beside.met {
            format!("{} | {}", payoff(at), payoff(other))
        } else {
            format!("{other_name} did not meet {red}: played now")
        };
        match (&beside.trace, beside.first()) {
            (super::Trace::Failed(_, why), _) => {
                format!("{other_name} cannot be played under {red}: {why}")
            }
            _ if beside.pairs.is_empty() => format!("playing {other_name} under {red} …"),
            (_, None) => {
                format!("{own} and {other_name} do the same under {red}, step by step ({worth})")
            }
            (_, Some(first)) => {
                let same = beside.pairs.iter().filter(|p| p.same).count();
                let differ = beside.pairs.len() - same;
                let step = first.max(1);
                format!("{worth}   first ≠ at s{step}: {same} rows are the same, {differ} differ")
            }
        }
    }

    /// A claim with all there is to it.
    pub fn claim(&self, at: usize) -> Option<Computed> {
        let it = *self.claims().get(at)?;
        let (sign, role) = sign(it.finding);
        let mut rows = vec![
            Line::new(format!("{sign} {}", it.id), it.text.clone()).role(Role::Title),
            Line::new("by", it.by.clone()),
            Line::new(
                "played",
                format!("{}: {}", finding(it.finding), it.evidence),
            )
            .role(role),
        ];
        if it.step > 0 {
            let cell = format!("arena-cell {} {}", it.candidate, it.response);
            let line = Line::new("step", format!("s{} {}", it.step, it.broken));
            rows.push(if it.response.is_empty() {
                line.run(format!("arena-cell {} nothing", it.candidate))
            } else {
                line.note(it.response.clone()).run(cell)
            });
        }
        for (i, line) in it.remedy.iter().enumerate() {
            let label = if i == 0 {
                format!("before s{}", it.before)
            } else {
                String::new()
            };
            rows.push(Line::new(label, line.clone()).role(Role::Add));
        }
        Some(Computed::new(
            format!("Claim {} on {}", it.id, it.candidate),
            rows,
        ))
    }

    /// What the figures of the candidate under the cursor are made of.
    pub fn why(&self) -> Option<Computed> {
        let (house, row) = (self.house.as_ref()?, self.row()?);
        let entry = house.entry(row.at)?;
        let mut rows = vec![
            Line::new("plan", entry.words.clone())
                .note(entry.origin.to_string())
                .role(Role::Title),
        ];
        rows.push(
            Line::new("worst", format!("the least of {} payoffs", row.good.of))
                .note(payoff_words(row.worst)),
        );
        for &column in &house.columns {
            let payoff = house.payoff(row.at, column);
            let cell = house.cell(row.at, column);
            let words = cell.map_or_else(|| "not played yet".to_owned(), |c| came(c, row.steps));
            let id = house.response(column).map_or("", |r| r.id.as_str());
            rows.push(
                Line::new(format!("  {}", house.called(column)), words)
                    .note(payoff_words(payoff))
                    .run(format!("arena-cell {} {id}", entry.name)),
            );
        }
        if let Some(scored) = house.scored(row.at) {
            let w = &house.record.settings.weights;
            let t = &scored.terms;
            rows.push(
                Line::new("S", "α Q + β D + γ V − ρ P, every term played")
                    .note(figure(scored.score, 4)),
            );
            for (name, words, weight, value) in [
                ("Q", "the payoff when nothing happens", w.alpha, t.quality),
                ("D", "safety kept over all responses", w.beta, t.discipline),
                ("V", "how far from the other plans", w.gamma, t.variety),
                ("P", "what the worst response costs", -w.rho, t.pressure),
            ] {
                let words = format!("{words}: {} x {}", figure(weight, 2), figure(value, 3));
                rows.push(Line::new(format!("  {name}"), words).note(signed(weight * value, 4)));
            }
        }
        let curve = house.budget(row.at);
        if !curve.is_empty() {
            let points = curve
                .iter()
                .map(|(k, x)| format!("k {k}: {}", payoff_words(Some(*x))));
            let words = points.collect::<Vec<_>>().join("   ");
            rows.push(
                Line::new(
                    "budget",
                    "its worth against the best of RED’s first k tries",
                )
                .note(words),
            );
        }
        if let Some(value) = &house.value {
            rows.push(
                Line::new(
                    "value",
                    "of the game of the plans and responses found; another plan or response may change it",
                )
                .note(value.words()),
            );
            if let Some(by) = house.exploitable(row) {
                rows.push(Line::new("", "alone, exploitable by").note(figure(by, 3)));
            }
            let worst = row.worst.unwrap_or(f64::NAN);
            let gap = nash_gap(worst, house.record.settings.payoffs.good - worst);
            rows.push(
                Line::new("", "the published “Nash gap” of it, which measures neither")
                    .note(figure(gap, 3))
                    .role(Role::Dim),
            );
        }
        rows.push(Line::new("steps", "").role(Role::Title));
        let numbered = (1..).zip(&entry.plan);
        rows.extend(
            numbered.map(|(n, line): (u32, &String)| Line::new(format!("  {n}"), line.clone())),
        );
        let heading = format!("{}: what it is made of", entry.name);
        Some(Computed::new(heading, rows))
    }

    /// What is said below the matrix.
    pub fn matrix_notes(&self) -> Vec<String> {
        let Some(house) = &self.house else {
            return Vec::new();
        };
        let Some(value) = &house.value else {
            return vec![
                "the game has no value: a payoff is not finite, or nothing is played".to_owned(),
            ];
        };
        let alone = self.row().and_then(|row| {
            let name = &house.entry(row.at)?.name;
            let worst = figure(row.worst?, 3);
            let by = house.exploitable(row)?;
            Some(if by > 5e-4 {
                format!("{name} alone {worst}, exploitable by {}", figure(by, 3))
            } else {
                format!("{name} alone earns it")
            })
        });
        if value.blue.is_empty() {
            let within = if value.is_exact() { "" } else { "within " };
            return vec![format!(
                "value {within}{}, whatever the missing cells are",
                value.words()
            )];
        }
        let exact = if value.is_exact() {
            "exact, only"
        } else {
            "bounds, only"
        };
        let mut notes = vec![format!(
            "value {} {exact} over the plans and responses found",
            value.words()
        )];
        notes.extend(alone);
        notes.push(format!(
            "against RED’s mix no plan here earns more than {}",
            figure(value.high, 3)
        ));
        if !self.broken.is_empty() {
            let n = many(u32::try_from(self.broken.len()).unwrap_or(u32::MAX), "cell");
            notes.push(format!("# {n} cannot be played: Enter says why"));
        }
        notes
    }

    /// How often BLUE plays the row with that place, in words.
    pub fn plays(&self, row: usize, ascii: bool) -> String {
        let value = self.house.as_ref().and_then(|h| h.value.as_ref());
        let share = value.and_then(|v| v.blue.get(row));
        share.map_or_else(String::new, |s| often(*s, ascii))
    }

    /// How often RED plays the column with that place, in words.
    pub fn answers_with(&self, column: usize, ascii: bool) -> String {
        let value = self.house.as_ref().and_then(|h| h.value.as_ref());
        let share = value.and_then(|v| v.red.get(column));
        share.map_or_else(String::new, |s| often(*s, ascii))
    }

    /// What the frontier says of the plan under the cursor: who dominates it, or in what which other one is better; which
    /// step cost it its objective.
    pub fn frontier_notes(&self) -> Vec<String> {
        let (Some(house), Some(row)) = (&self.house, self.row()) else {
            return Vec::new();
        };
        let axes = self.compared();
        let all = standings(house, &axes);
        let place = house.rows.iter().position(|r| r.at == row.at);
        let name = |at: usize| house.entry(at).map_or("", |e| e.name.as_str());
        let own = name(row.at);
        let mut lines = Vec::new();
        if let Some(moved) = &self.moved {
            let (came, left) = (moved.came.join(" "), moved.left.join(" "));
            let word = |what: &str, names: &str| {
                if names.is_empty() {
                    String::new()
                } else {
                    format!("   {what} {names}")
                }
            };
            lines.push(format!(
                "front of round {}{}{}{}",
                house.round,
                word("came", &came),
                word("left", &left),
                word("stayed", &moved.stayed.join(" "))
            ));
        }
        match place.and_then(|p| all.get(p)) {
            Some(Standing::Dominated(by)) => {
                if let Some(by) = house.rows.get(*by) {
                    let words = difference(house, &axes, by, row);
                    lines.push(format!("□ {own}: {} is better: {words}", name(by.at)));
                }
            }
            Some(Standing::Unscored) => {
                lines.push(format!(
                    "{own} has no score on an axis yet, or one that is not finite"
                ));
            }
            _ => {
                lines.push(format!("■ {own}: no plan is better in everything"));
                let others = house.rows.iter().zip(&all);
                let others = others.filter(|(r, s)| r.at != row.at && **s == Standing::Front);
                for (other, _) in others.take(3) {
                    let words = difference(house, &axes, other, row);
                    lines.push(format!("  {}: {words}", name(other.at)));
                }
            }
        }
        if let Some(worst) = row.lost.first()
            && let Some(outcome) = house.outcome(row.at, *worst)
        {
            let step = lost::step(outcome).map_or_else(String::new, |s| format!(" at s{s}"));
            lines.push(format!(
                "  lost{step} under {}: {}   Enter opens it",
                house.called(*worst),
                lost::brief(outcome)
            ));
        }
        lines
    }

    /// The heading of the first pane.
    pub fn main_title(&self) -> String {
        let Some(house) = &self.house else {
            return "BLUE".to_owned();
        };
        let plans = many(house.rows.len() as u32, "plan");
        match self.view {
            super::View::Plans => {
                let columns = many(house.columns.len() as u32, "response");
                format!("BLUE {plans} against {columns}")
            }
            super::View::Matrix => {
                let p = &house.record.settings.payoffs;
                format!(
                    "Payoff {} x {}   {} safe success · {} safe only · {} unsafe",
                    house.rows.len(),
                    house.columns.len(),
                    payoff_words(Some(p.good)),
                    payoff_words(Some(p.safe)),
                    payoff_words(Some(p.not_safe))
                )
            }
            super::View::Frontier => {
                let axes: Vec<&str> = self.compared().into_iter().map(Axis::word).collect();
                let hidden = if self.hides {
                    "   dominated hidden"
                } else {
                    ""
                };
                format!("Frontier {plans}  {}{hidden}", axes.join(" x "))
            }
        }
    }

    /// A candidate in a line.
    pub fn row_words(&self, place: usize) -> String {
        let Some(house) = &self.house else {
            return String::new();
        };
        let Some((row, entry)) = house
            .rows
            .get(place)
            .and_then(|r| Some((r, house.entry(r.at)?)))
        else {
            return String::new();
        };
        let front = match row.standing {
            Standing::Front => "on the front",
            Standing::Dominated(_) => "dominated",
            Standing::Unscored => "not scored",
        };
        let lost = self.lost_to(row.at);
        let lost = if lost.is_empty() {
            String::new()
        } else {
            format!(", lost to {lost}")
        };
        let chosen = if house.is_chosen(row.at) {
            ", chosen"
        } else {
            ""
        };
        format!(
            "{} {}: good {}, safe {}, worst {}, steps {}, {front}{chosen}{lost}",
            entry.name,
            entry.words,
            row.good,
            row.safe,
            payoff_words(row.worst),
            row.steps.map_or_else(|| "…".to_owned(), |n| n.to_string()),
        )
    }
}

/// `1 plan`, `2 plans`.
fn many(count: u32, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}
