//! What the panes of the councils say, as rows; drawn by the view, printed by `--plain`.

use crate::app::overlays::computed::Row;
use crate::app::role::Role;
use crate::arena::advplan::council::{Council, WEIGHTS};
use crate::arena::advplan::doubts::{doctrine, spoken, terms};
use crate::arena::advplan::payoff::{advantage, nash_gap, payoff};
use crate::arena::advplan::study::Played;
use crate::arena::advplan::traces::council_id;
use crate::arena::frontier::game;
use crate::base::figures::{figure, signed};
use crate::base::text::pad;

use super::{Aside, Councils};

/// The id of a scenario.
pub fn id(p: &Played) -> &str {
    &p.scenario.profile.scenario_id
}

/// Whether another candidate would be selected without what was given.
pub fn gift_decides(council: &Council) -> bool {
    let bare = council.ranking(council.last_round(), false);
    bare.first().is_some_and(|first| *first != council.selected)
}

/// A scenario in a line, with the words its filter looks at.
pub fn scenario(p: &Played) -> String {
    let council = &p.council;
    let score = council.chosen().map_or(f64::NAN, |c| c.score);
    let gift = if gift_decides(council) { "  gift" } else { "" };
    format!(
        "{}  {}  S {}  advantage {}  {} wins{gift}",
        pad(id(p), 18),
        pad(&council.name(council.selected), 4),
        figure(score, 4),
        figure(advantage_of(p), 3),
        p.selected.answer.outcome.word(),
    )
}

/// BLUE's advantage with the selected candidate.
pub fn advantage_of(p: &Played) -> f64 {
    advantage(p.selected.quality, p.selected.answer.quality)
}

/// A field of a scenario, for its filter.
pub fn field(p: &Played, name: &str) -> Option<String> {
    Some(match name {
        "terrain" => p.scenario.profile.terrain_type.to_owned(),
        "wins" => p.selected.answer.outcome.word().to_owned(),
        "round" => p.selected.round.to_string(),
        "gift" => if gift_decides(&p.council) {
            "decides"
        } else {
            "no"
        }
        .to_owned(),
        _ => return None,
    })
}

/// What a candidate can be exploited by when it is played alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exploited {
    /// The value of the game minus its worst case, an advantage from 0 to 1.
    pub by: f64,
    /// The published "Nash gap".
    pub gap: f64,
    /// Plans in the game.
    pub plans: usize,
    /// Replies in the game.
    pub replies: usize,
}

impl Councils {
    /// The formula of S with its weights.
    pub fn formula() -> String {
        let [alpha, beta, gamma, rho] = WEIGHTS.map(|w| figure(w, 2));
        format!("S = {alpha} p + {beta} d + {gamma} V − {rho} P")
    }

    /// What is to be said below the candidates.
    pub fn verdict(&self) -> String {
        let Some(council) = self.council() else {
            return String::new();
        };
        let ranking = self.ranking();
        let (Some(&first), second) = (ranking.first(), ranking.get(1)) else {
            return String::new();
        };
        let ahead = second.map_or(0.0, |second| {
            council.score(first, self.gifts) - council.score(*second, self.gifts)
        });
        let margin = figure(ahead, 4);
        let other = council.ranking(self.round, !self.gifts).first().copied();
        let gift = signed(council.gift(first), 3);
        let name = |at: Option<usize>| at.map(|at| council.name(at)).unwrap_or_default();
        match (self.gifts, other == Some(first)) {
            (true, true) => format!("◉ selected, margin {margin}; without the {gift} gift as well"),
            (true, false) => format!(
                "◉ selected, margin {margin}; without the {gift} gift {} would win (←)",
                name(other)
            ),
            (false, true) => format!(
                "without gifts: {} leads by {margin}, as with them",
                name(Some(first))
            ),
            (false, false) => format!(
                "without gifts: {} leads by {margin}; with them {} was selected (◉)",
                name(Some(first)),
                name(other)
            ),
        }
    }

    /// What the candidate with that place can really be exploited by, beside what is published: of the game of the candidates
    /// shown against every reply found to any of them, the value minus its worst case, as advantages; the published "Nash
    /// gap" of its p and P; how many plans and replies there are. `None` where a score is not finite.
    pub fn exploited(&self, at: usize) -> Option<Exploited> {
        let council = self.council()?;
        let ranking = self.ranking();
        let quality = |at: usize| -> Option<f64> {
            let q = council.candidates.get(at)?.plan.quality_score;
            Some(if self.gifts { q } else { q - council.gift(at) })
        };
        let shown = ranking.iter().filter_map(|at| council.candidates.get(*at));
        let replies: Vec<f64> = shown
            .flat_map(|c| &c.reds)
            .map(|r| r.quality_score)
            .collect();
        let row = |at: &usize| -> Option<Vec<f64>> {
            let own = quality(*at)?;
            Some(replies.iter().map(|red| advantage(own, *red)).collect())
        };
        let rows: Option<Vec<Vec<f64>>> = ranking.iter().map(row).collect();
        let game = game::solve(&rows?)?;
        let by = game::exploitable(&game, &row(&at)?)?;
        let red = council.candidates.get(at)?.worst()?.quality_score;
        Some(Exploited {
            // Sums of rounded figures may leave a trace below nothing.
            by: by.max(0.0),
            gap: nash_gap(quality(at)?, red),
            plans: ranking.len(),
            replies: replies.len(),
        })
    }

    /// The council's choice, or the leader of the round shown, beside what it can be exploited by.
    pub fn exploited_words(&self) -> Option<String> {
        let council = self.council()?;
        let ranking = self.ranking();
        let chosen = Some(council.selected).filter(|at| ranking.contains(at));
        let at = chosen.or_else(|| self.leader())?;
        let it = self.exploited(at)?;
        Some(format!(
            "{} alone: exploitable by {}, published “Nash gap” {} (W)",
            council.name(at),
            figure(it.by, 4),
            figure(it.gap, 3)
        ))
    }

    /// The heading of RED's pane.
    pub fn red_title(&self) -> String {
        let Some((council, c)) = self.council().zip(self.candidate()) else {
            return "RED".to_owned();
        };
        format!(
            "RED {} replies to {}",
            c.reds.len(),
            council.name(self.at())
        )
    }

    /// RED's replies to the candidate under the cursor, as they were drawn.
    pub fn replies(&self) -> Vec<Row> {
        let (Some(p), Some(c)) = (self.played(), self.candidate()) else {
            return Vec::new();
        };
        let own = council_id(p, self.at());
        let reply = |(j, red): (usize, &crate::arena::advplan::model::Plan)| {
            let (sign, role) = if j == c.red {
                ("▲", Role::SideRed)
            } else {
                ("△", Role::Text)
            };
            Row {
                label: format!("{sign}R{}", j + 1),
                text: spoken(red),
                note: format!(
                    "q {} P {}",
                    figure(red.quality_score, 3),
                    figure(payoff(red.quality_score), 3)
                ),
                role,
                run: Some(format!("council-show {own}/red/{j}")),
            }
        };
        c.reds.iter().enumerate().map(reply).collect()
    }

    /// What is to be known about RED.
    pub fn red_notes(&self) -> Vec<String> {
        let Some(blind) = self.doubts().iter().find(|d| d.id == "blind") else {
            return Vec::new();
        };
        let reads = if blind.holds {
            "RED reads only how many actions there are"
        } else {
            "RED reads the plan"
        };
        vec![format!(
            "▲ the best is P. {reads}: {} (:audit)",
            blind.shows
        )]
    }

    /// The heading of the last pane.
    pub fn aside_title(&self) -> String {
        match self.aside {
            Aside::Why => self.why_title(),
            Aside::Critic => {
                let proven = self.doubts().iter().filter(|d| d.holds).count();
                format!("Critic {proven} of {} doubts proven", self.doubts().len())
            }
            Aside::Budget => "Budget: the best of k replies to the fixed plan".to_owned(),
        }
    }

    fn why_title(&self) -> String {
        let (Some(council), Some(rival)) = (self.council(), self.rival()) else {
            return "W".to_owned();
        };
        let of = |at: usize| council.score(at, self.gifts);
        let ahead = of(self.at()) - of(rival);
        let (own, other) = (council.name(self.at()), council.name(rival));
        let gifts = if self.gifts { "" } else { " without gifts" };
        if self.leader() == Some(self.at()) {
            format!("W  {own} ahead of {other} by {}{gifts}", figure(ahead, 4))
        } else {
            format!("W  {own} lost to {other} by {}{gifts}", figure(-ahead, 4))
        }
    }

    /// The rows of the last pane.
    pub fn aside_rows(&self) -> Vec<Row> {
        match self.aside {
            Aside::Why => self.why(),
            Aside::Critic => self.critic(),
            Aside::Budget => self.budget(),
        }
    }

    /// Term by term what puts the candidate under the cursor before or behind its rival.
    pub fn why(&self) -> Vec<Row> {
        let (Some(council), Some(rival)) = (self.council(), self.rival()) else {
            return Vec::new();
        };
        let own = council.parts(self.at(), self.gifts);
        let other = council.parts(rival, self.gifts);
        let (Some(own), Some(other)) = (own, other) else {
            return Vec::new();
        };
        let name = council.name(self.at());
        let plan = |at: usize| council.candidates.get(at).map(|c| &c.plan);
        let mut rows = Vec::new();
        let mut sum = 0.0;
        for term in terms(&own, &other) {
            sum += term.share();
            let words = format!(
                "{} {} − {}  x {}",
                term.letter,
                figure(term.own, 3),
                figure(term.other, 3),
                figure(term.weight, 2)
            );
            rows.push(Row {
                label: term.name.to_owned(),
                text: words,
                note: signed(term.share(), 4),
                role: sided(term.share()),
                run: Some(format!("council-made {name} {}", term.letter)),
            });
            match term.letter {
                "p" if self.gifts => {
                    let given = council.gift(self.at()) - council.gift(rival);
                    if given != 0.0 {
                        let words = format!(
                            "gift {} / {}",
                            signed(council.gift(self.at()), 3),
                            signed(council.gift(rival), 3)
                        );
                        let share = term.weight * given / 2.0;
                        let note = format!("({})", signed(share, 4));
                        rows.push(Row::new("", words).note(note).role(Role::Dim));
                    }
                }
                "d" => {
                    if let Some((a, b)) = plan(self.at()).zip(plan(rival)) {
                        for (part, weight, a, b) in doctrine(a, b) {
                            let words = format!("{part} {} / {}", figure(a, 2), figure(b, 2));
                            let share = term.weight * weight * (a - b);
                            let note = format!("({})", signed(share, 4));
                            rows.push(Row::new("", words).note(note).role(Role::Dim));
                        }
                    }
                }
                _ => {}
            }
        }
        rows.push(
            Row::new("sum", "S")
                .note(signed(sum, 4))
                .run(format!("council-made {name} S")),
        );
        if let Some(it) = self.exploited(self.at()) {
            let run = format!("council-made {name} alone");
            let (by, gap) = (figure(it.by, 4), figure(it.gap, 4));
            rows.push(
                Row::new("alone", "exploitable by")
                    .note(by)
                    .run(run.clone()),
            );
            let published = Row::new("", "published “Nash gap”").note(gap);
            rows.push(published.role(Role::Dim).run(run));
        }
        rows
    }

    /// The doubts, each with what shows it.
    fn critic(&self) -> Vec<Row> {
        let row = |d: &crate::arena::advplan::doubts::Doubt| Row {
            label: if d.holds { "✓" } else { "✗" }.to_owned(),
            text: format!("{}: {}", d.claim, d.shows),
            note: String::new(),
            role: if d.holds { Role::Text } else { Role::Dim },
            run: Some(format!("council-made critic {}", d.id)),
        };
        self.doubts().iter().map(row).collect()
    }

    /// The budget curve: this scenario, and the mean of all.
    fn budget(&self) -> Vec<Row> {
        let (Some(p), Some(study)) = (self.played(), self.study()) else {
            return Vec::new();
        };
        let ahead = |p: &Played, at: usize| {
            let red = p.reds.get(p.budgets.get(at)?.best)?;
            Some(advantage(p.fixed()?.quality_score, red.quality_score))
        };
        let row = |(at, b): (usize, &crate::arena::advplan::study::Budget)| {
            let all: Vec<f64> = study.played.iter().filter_map(|p| ahead(p, at)).collect();
            let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
            let red = p.reds.get(b.best).map_or(f64::NAN, |r| r.quality_score);
            let own = ahead(p, at).unwrap_or(f64::NAN);
            Row {
                label: format!("k {}", b.k),
                text: format!(
                    "advantage {}  RED q {}  front {}",
                    figure(own, 3),
                    figure(red, 3),
                    b.pareto
                ),
                note: format!("all {}", figure(mean, 3)),
                role: Role::Text,
                run: Some(format!("council-replies {}", b.k)),
            }
        };
        let mut rows: Vec<Row> = p.budgets.iter().enumerate().map(row).collect();
        rows.push(
            Row::new(
                "",
                "smaller budgets are the beginning of larger ones: the curve cannot rise",
            )
            .role(Role::Dim),
        );
        rows
    }

    /// The advantage by budget, of this scenario and the mean of all, for a plot.
    pub fn curve(&self) -> Vec<(f64, f64, f64)> {
        let (Some(p), Some(study)) = (self.played(), self.study()) else {
            return Vec::new();
        };
        let ahead = |p: &Played, at: usize| {
            let red = p.reds.get(p.budgets.get(at)?.best)?;
            Some(advantage(p.fixed()?.quality_score, red.quality_score))
        };
        let point = |(at, b): (usize, &crate::arena::advplan::study::Budget)| {
            let all: Vec<f64> = study.played.iter().filter_map(|p| ahead(p, at)).collect();
            let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
            Some(((b.k as f64).log2(), ahead(p, at)?, mean))
        };
        p.budgets.iter().enumerate().filter_map(point).collect()
    }

    /// A candidate in a line.
    pub fn candidate_words(&self, at: usize) -> String {
        let Some(council) = self.council() else {
            return String::new();
        };
        let Some(c) = council.candidates.get(at) else {
            return String::new();
        };
        let mut marks = Vec::new();
        if council.front(self.round).contains(&at) {
            marks.push("on the front of p and d");
        }
        if at == council.selected {
            marks.push("selected");
        }
        let role = if c.round == 0 { c.role } else { "revised" };
        let marks = if marks.is_empty() {
            String::new()
        } else {
            format!(", {}", marks.join(", "))
        };
        format!(
            "{} {role}: p {} d {} V {} P {} S {}, without gift {}{marks}",
            council.name(at),
            figure(c.parts.quality, 3),
            figure(c.parts.rubric, 3),
            figure(c.parts.variety, 3),
            figure(c.parts.pressure, 3),
            figure(c.score, 4),
            figure(council.score(at, false), 4),
        )
    }
}

/// What a share of a difference is.
const fn sided(share: f64) -> Role {
    if share > 0.0 {
        Role::Good
    } else if share < 0.0 {
        Role::Refused
    } else {
        Role::Text
    }
}
