//! What the figures of a council are made of, and plans step by step.

use crate::app::overlays::computed::{Computed, Row};
use crate::app::role::Role;
use crate::arena::advplan::audit::Moved;
use crate::arena::advplan::council::{Candidate, Council};
use crate::arena::advplan::doubts::{spoken, terms, words};
use crate::arena::advplan::file::again::Replayed;
use crate::arena::advplan::model::{Action, Components, Plan};
use crate::arena::advplan::payoff::payoff;
use crate::arena::advplan::rubric::{PROXY, Rubric, TERMS, WEIGHTS, proxy, proxy_terms};
use crate::arena::advplan::structure::Structure;
use crate::arena::advplan::study::Played;
use crate::arena::advplan::traces::{council_id, plans};
use crate::base::figures::{figure, signed};

use super::{COLUMNS, Councils};

impl Councils {
    /// A plan by its id: its steps, then what is said of it.
    ///
    /// # Errors
    /// No plan of the scenario shown has that id.
    pub fn plan(&self, id: &str) -> Result<Computed, String> {
        let found = self.played().and_then(|p| {
            let all = plans(p).into_iter();
            all.into_iter().find(|(known, _)| known == id)
        });
        let Some((id, plan)) = found else {
            return Err(format!(
                "no plan of this scenario is called {id:?}; an id is like urban-100/council/5/red/2"
            ));
        };
        Ok(Computed::new(id, steps(plan)))
    }

    /// What a figure of a candidate is made of; a doubt of the critic by `critic` and its id.
    ///
    /// # Errors
    /// There is no such candidate or figure.
    pub fn made(&self, name: &str, what: &str) -> Result<Computed, String> {
        if name == "critic" {
            return self
                .doubt(what)
                .ok_or_else(|| format!("the critic has no doubt called {what:?}"));
        }
        let (Some(p), Some(council)) = (self.played(), self.council()) else {
            return Err("the benchmark is not played yet".to_owned());
        };
        let at = (0..council.candidates.len()).find(|at| council.name(*at) == name);
        let Some((at, c)) = at.and_then(|at| Some((at, council.candidates.get(at)?))) else {
            return Err(format!(
                "this council has no candidate {name:?}; B1 is the first"
            ));
        };
        let rows = match what {
            "plan" => return self.plan(&council_id(p, at)),
            "p" => quality(p, council, at, c),
            "d" => doctrine(p, at, c),
            "V" => variety(council, at, c),
            "P" => pressure(p, at, c),
            "S" => score(council, at, true),
            "gift" => score(council, at, false),
            "alone" => self.alone(at),
            _ => {
                return Err(format!(
                    "a candidate has no figure {what:?}; there are {}",
                    COLUMNS.join(" ")
                ));
            }
        };
        let heading = match what {
            "gift" => format!("S of {name} without what it was given"),
            "alone" => format!("{name} played alone"),
            _ => format!("{what} of {name}"),
        };
        Ok(Computed::new(heading, rows))
    }

    /// What a candidate can be exploited by when it is played alone, and what is published in its place.
    fn alone(&self, at: usize) -> Vec<Row> {
        let Some(it) = self.exploited(at) else {
            return vec![Row::new("", "a quality is not finite: there is no game")];
        };
        let dim = |words: &str| Row::new("", words).role(Role::Dim);
        vec![
            Row::new("alone", "exploitable by, as an advantage").note(scored(it.by)),
            dim("the value of the game less this plan’s worst case in it"),
            Row::new(
                "game",
                format!(
                    "{} plans x {} replies found to any of them",
                    it.plans, it.replies
                ),
            ),
            dim("0: RED gains nothing by knowing that this plan is played"),
            dim("replies do not depend on the plan: only p decides it here"),
            Row::new("“gap”", "|p + P − 1|, published as “Nash gap”").note(scored(it.gap)),
            dim("0 where both sides are worthless, more as either is better"),
            dim("it says nothing of what RED could gain"),
        ]
    }

    /// The figures behind a doubt.
    fn doubt(&self, id: &str) -> Option<Computed> {
        let doubt = self.doubts().iter().find(|d| d.id == id)?;
        let verdict = if doubt.holds { "proven" } else { "not here" };
        let council = self.council()?;
        let row = |(label, words): &(String, String)| {
            let row = Row::new(label.clone(), words.clone());
            let at = (0..council.candidates.len()).find(|at| council.name(*at) == *label);
            match (at, id) {
                (Some(_), "gifts") => row.run(format!("council-made {label} gift")),
                (Some(_), "luck") => row.run(format!("council-made {label} P")),
                (Some(_), _) => row.run(format!("council-made {label} plan")),
                _ => row,
            }
        };
        let mut rows = vec![Row::new(verdict, doubt.shows.clone()).role(if doubt.holds {
            Role::Title
        } else {
            Role::Dim
        })];
        rows.extend(doubt.evidence.iter().map(row));
        let way = match id {
            "blind" => Some(("audit", "every field of twenty scenarios", "council-audit")),
            "gifts" => Some(("t", "rank without gifts", "council-gifts")),
            "rounds" => Some(("budget", "what more samples do", "council-budget")),
            _ => None,
        };
        rows.extend(way.map(|(label, words, line)| Row::new(label, words).run(line)));
        Some(Computed::new(format!("Critic: {}", doubt.claim), rows))
    }

    /// The first replies to the fixed plan.
    pub fn first_replies(&self, k: usize) -> Option<Computed> {
        let p = self.played()?;
        let best = p.budgets.iter().find(|b| b.k == k).map(|b| b.best);
        let own = &p.scenario.profile.scenario_id;
        let row = |(at, red): (usize, &Plan)| {
            let is_best = Some(at) == best;
            let sign = if is_best { "▲" } else { "△" };
            let words = if is_best {
                format!("{}  the best", spoken(red))
            } else {
                spoken(red)
            };
            Row::new(format!("{sign}R{}", at + 1), words)
                .note(format!("q {}", figure(red.quality_score, 4)))
                .role(if is_best { Role::SideRed } else { Role::Text })
                .run(format!("council-show {own}/red/{at}"))
        };
        let rows = p.reds.iter().take(k).enumerate().map(row).collect();
        Some(Computed::new(
            format!("The first {k} replies to the fixed plan"),
            rows,
        ))
    }
}

/// What the audit found.
pub fn audited(moved: &[Moved], of: usize) -> Computed {
    let row = |m: &Moved| {
        let moves: Vec<String> = m
            .metrics
            .iter()
            .map(|(name, n)| format!("{name} {n}"))
            .collect();
        let (words, role) = if moves.is_empty() {
            (format!("{}: nothing moves", m.edit.doc), Role::Armed)
        } else {
            (format!("{}: {}", m.edit.doc, moves.join(", ")), Role::Text)
        };
        Row::new(m.edit.id, words).role(role)
    };
    let inert = moved.iter().filter(|m| m.metrics.is_empty()).count();
    let heading = format!(
        "Audit: {inert} of {} fields move nothing in {of} scenarios",
        moved.len()
    );
    Computed::new(heading, moved.iter().map(row).collect())
}

/// Where the plans of a file differ from those that their ids make; `None` where none does.
pub fn differing(replayed: &Replayed) -> Option<Computed> {
    let all = &replayed.differences;
    if all.is_empty() {
        return None;
    }
    let row = |(id, words): &(String, String)| Row::new(id.clone(), words.clone()).role(Role::Bad);
    let places = if all.len() == 1 { "place" } else { "places" };
    let heading = format!(
        "The file differs in {} {places}; shown is what the ids make",
        all.len()
    );
    Some(Computed::new(heading, all.iter().map(row).collect()))
}

fn scored(x: f64) -> String {
    figure(x, 4)
}

/// p: half of q and one; q of what it is made of.
fn quality(p: &Played, council: &Council, at: usize, c: &Candidate) -> Vec<Row> {
    let q = c.plan.quality_score;
    let mut rows = vec![
        Row::new("p", format!("(q + 1) / 2 with q {}", scored(q))).note(scored(c.parts.quality)),
    ];
    let (from, run) = if c.round == 0 {
        let seed = p.scenario.seed_coas.get(c.origin);
        let id = &p.scenario.profile.scenario_id;
        (seed, format!("council-show {id}/blue/{}", c.origin))
    } else {
        let before = council.candidates.get(c.origin).map(|b| &b.plan);
        (before, format!("council-made {} p", council.name(c.origin)))
    };
    if let Some(from) = from {
        let words = if c.round == 0 {
            format!("q of seed plan {}", c.origin + 1)
        } else {
            format!("q of {}, which it revises", council.name(c.origin))
        };
        rows.push(
            Row::new("q", words)
                .note(scored(from.quality_score))
                .run(run),
        );
        if let Some(parts) = from.components {
            rows.push(components(parts));
        }
    }
    let given = if c.round == 0 {
        format!("given for the role of {}", c.role)
    } else {
        "given for being a revision".to_owned()
    };
    rows.push(
        Row::new("gift", given)
            .note(signed(c.bonus, 4))
            .role(Role::Armed),
    );
    if c.round == 0 {
        rows.push(Row::new("chance", "added by chance").note(signed(c.jitter, 4)));
    }
    let all = council.gift(at);
    rows.push(
        Row::new("less", format!("p without all gifts, {}", signed(all, 3)))
            .note(scored(payoff(q - all))),
    );
    rows
}

fn components(of: Components) -> Row {
    let words = format!(
        ".5 x good {} − .3 x cost {} − .2 x risk {}, all drawn",
        figure(of.effectiveness, 3),
        figure(of.cost, 3),
        figure(of.risk, 3)
    );
    Row::new("", words)
        .note(scored(of.quality()))
        .role(Role::Dim)
}

/// d: four weighted terms.
fn doctrine(p: &Played, at: usize, c: &Candidate) -> Vec<Row> {
    let mut rows = vec![Row::new("d", "four terms, weighted").note(scored(proxy(&c.plan)))];
    let values = proxy_terms(&c.plan);
    for ((name, weight), value) in PROXY.into_iter().zip(values) {
        let words = format!("{} x {}", figure(weight, 2), figure(value, 3));
        rows.push(Row::new(name, words).note(scored(weight * value)));
    }
    rows.push(
        Row::new("plan", "the steps these are read from")
            .run(format!("council-show {}", council_id(p, at))),
    );
    rows
}

/// V: how far its words are from those of the others of its round.
fn variety(council: &Council, at: usize, c: &Candidate) -> Vec<Row> {
    let own = words(&c.plan);
    let round = council.candidates.iter().enumerate();
    let others = round.filter(|(i, o)| *i != at && o.round == c.round);
    let mut others: Vec<&str> = others.flat_map(|(_, o)| words(&o.plan)).collect();
    others.sort_unstable();
    others.dedup();
    let (shared, alone): (Vec<&str>, Vec<&str>) =
        own.iter().copied().partition(|w| others.contains(w));
    let either = own.len() + others.len() - shared.len();
    vec![
        Row::new(
            "V",
            format!("1 − {} shared types of {either} in the round", shared.len()),
        )
        .note(scored(c.parts.variety)),
        Row::new("alone", alone.join(" ")).note(alone.len().to_string()),
        Row::new("shared", shared.join(" ")).note(shared.len().to_string()),
        Row::new("others", others.join(" ")).note(others.len().to_string()),
    ]
}

/// P: the payoff of the best of RED's replies.
fn pressure(p: &Played, at: usize, c: &Candidate) -> Vec<Row> {
    let mut rows = vec![
        Row::new(
            "P",
            format!("the best of {} replies, (q + 1) / 2", c.reds.len()),
        )
        .note(scored(c.parts.pressure)),
    ];
    let own = council_id(p, at);
    rows.extend(c.reds.iter().enumerate().map(|(j, red)| {
        let best = j == c.red;
        Row::new(
            format!("{}R{}", if best { "▲" } else { "△" }, j + 1),
            spoken(red),
        )
        .note(scored(payoff(red.quality_score)))
        .role(if best { Role::SideRed } else { Role::Text })
        .run(format!("council-show {own}/red/{j}"))
    }));
    rows
}

/// S: the four terms.
fn score(council: &Council, at: usize, gifts: bool) -> Vec<Row> {
    let Some(parts) = council.parts(at, gifts) else {
        return Vec::new();
    };
    let nothing = crate::arena::advplan::council::Parts {
        quality: 0.0,
        rubric: 0.0,
        variety: 0.0,
        pressure: 0.0,
    };
    let name = council.name(at);
    let mut rows = vec![Row::new("S", Councils::formula()).note(scored(council.score(at, gifts)))];
    rows.extend(terms(&parts, &nothing).into_iter().map(|t| {
        let words = format!(
            "{}  {} x {}",
            t.letter,
            figure(t.weight, 2),
            figure(t.own, 4)
        );
        Row::new(t.name, words)
            .note(signed(t.share(), 4))
            .run(format!("council-made {name} {}", t.letter))
    }));
    if !gifts {
        let words = format!("{} of q is left out of p", figure(council.gift(at), 3));
        rows.push(Row::new("gift", words).role(Role::Armed));
    }
    rows
}

/// A plan: its steps, then every measure of it.
pub(super) fn steps(plan: &Plan) -> Vec<Row> {
    let mut rows = vec![Row::new("for", plan.objective.to_string()).role(Role::Title)];
    for step in &plan.chain {
        let after: Vec<String> = step.depends_on.iter().map(ToString::to_string).collect();
        let after = if after.is_empty() {
            String::new()
        } else {
            format!("after {}", after.join(" "))
        };
        let mut label = step.step_index.to_string();
        if let Some(action) = &step.action {
            let note = [after.as_str(), &figures(action)].join("  ");
            rows.push(Row::new(std::mem::take(&mut label), told(action)).note(note.trim()));
        }
        if let Some(branch) = &step.branch {
            let condition = format!("if {}", branch.condition);
            rows.push(Row::new(std::mem::take(&mut label), condition).note(after.clone()));
            for (word, side) in [
                ("then", &branch.true_actions),
                ("else", &branch.false_actions),
            ] {
                let side = side
                    .iter()
                    .map(|a| Row::new("", format!("{word} {}", told(a))).note(figures(a)));
                rows.extend(side);
            }
        }
        if !label.is_empty() {
            rows.push(Row::new(label, "nothing").note(after).role(Role::Dim));
        }
    }
    rows.push(Row::new("q", "synthetic, from −1 to 1").note(scored(plan.quality_score)));
    rows.extend(plan.components.map(components));
    let rubric = Rubric::of(plan);
    rows.push(Row::new("D", "six terms, weighted").note(scored(rubric.alignment())));
    for ((name, weight), value) in TERMS.into_iter().zip(WEIGHTS).zip(rubric.0) {
        let words = format!("{} x {}", figure(weight, 2), name.replace('_', " "));
        rows.push(Row::new("", words).note(figure(value, 3)).role(Role::Dim));
    }
    rows.push(Row::new("d", "the proxy of D").note(scored(proxy(plan))));
    let structure = Structure::of(plan);
    for (label, words, value) in [
        ("O", "branches per step", structure.path_optionality),
        (
            "P_V",
            "different actions of all named",
            structure.vertex_parsimony,
        ),
        (
            "W",
            "assets with a beginning and an end",
            structure.worldline_completion,
        ),
    ] {
        rows.push(Row::new(label, words).note(figure(value, 3)));
    }
    rows
}

/// An action in words.
fn told(action: &Action) -> String {
    let before: Vec<&str> = action.preconditions.iter().map(|p| &**p).collect();
    let before = if before.is_empty() {
        String::new()
    } else {
        format!("  needs {}", before.join(" "))
    };
    let tool = action.tool_call.as_ref();
    let tool = tool.map_or_else(String::new, |t| format!("  tool {}", t.tool_name));
    format!(
        "{}  {}  {}{before}{tool}",
        action.action_type,
        action.category.name(),
        action.asset_id
    )
}

/// The figures of an action.
fn figures(action: &Action) -> String {
    format!("{:.0} s  !{}", action.expected_duration_s, action.priority)
}
