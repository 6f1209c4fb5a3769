//! A critic that is an agent: what it is shown, and what the simulator says to each of its claims.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::agent::critic::{self, Verdict};
use crate::agent::prompt::Prompts;
use crate::agent::strategy::goal_lines;
use crate::arena::house::agents::{Answered, Question, Seat};
use crate::arena::house::committee::critic::MOST;
use crate::arena::house::committee::loss::{Loss, loss};
use crate::arena::house::ground::{Ground, variant};
use crate::arena::house::model::{Candidate, Outcome, Response};
use crate::arena::house::record::{Claim, Finding};
use crate::arena::house::red::Answer;
use crate::plan::branching::{Program, print};
use crate::sim::scene::Scene;
use crate::task::episode::Episode;
use crate::task::setup::prepare;

/// A case the critic is shown: a response under which the candidate lost.
pub(super) struct Case {
    /// The response's id in the record.
    id: String,
    response: Response,
    outcome: Outcome,
    loss: Loss,
}

/// What a candidate lost, the worst first: alone, and under what RED tried. `ids` are the ids of what was tried.
pub(super) fn cases(
    ground: &mut Ground,
    candidate: &Candidate,
    answer: &Answer,
    ids: &[String],
) -> Vec<Case> {
    let program = Program::new(&candidate.plan);
    let mut lost: Vec<(f64, &String, &Response, &Outcome)> = answer
        .tried
        .iter()
        .zip(ids)
        .filter(|(t, _)| t.payoff < answer.payoff)
        .map(|(t, id)| (t.payoff, id, &t.response, &t.outcome))
        .collect();
    lost.sort_by(|a, b| a.0.total_cmp(&b.0));
    let nothing = Response::nothing();
    let alone = [(answer.payoff, &nothing.id, &nothing, &answer.alone)];
    let mut all: Vec<Case> = Vec::new();
    for (_, id, response, outcome) in alone.into_iter().chain(lost) {
        if all.len() >= MOST {
            break;
        }
        if all.iter().any(|c| c.id == *id) {
            continue;
        }
        let Ok(bound) = ground.bind(response) else {
            continue;
        };
        if let Some(loss) = loss(ground, (&program, &bound), outcome) {
            all.push(Case {
                id: id.clone(),
                response: response.clone(),
                outcome: outcome.clone(),
                loss,
            });
        }
    }
    all
}

/// What the critic is asked about a candidate.
pub(super) fn question(
    ground: &mut Ground,
    candidate: &Candidate,
    cases: &[Case],
    prompts: &Prompts,
) -> Question {
    const FILE: &str = Seat::Critic.file();
    let setup = ground.setup().clone();
    let plan = print(&setup.scene, &candidate.plan);
    let mut told = Vec::new();
    let mut fields = Vec::new();
    for it in cases {
        let trace = trace(ground, candidate, it);
        let words = it.response.words();
        told.push(prompts.fill(
            FILE,
            "case",
            &[
                ("case", &it.id),
                ("happens", &words),
                ("trace", &trace.join("\n")),
                ("loss", &it.loss.words),
            ],
        ));
        fields.push(json!({
            "case": it.id, "happens": words, "trace": trace, "step": it.loss.step,
            "broken": it.loss.broken, "loss": it.loss.words,
        }));
    }
    let first = cases.first().map_or("R1", |c| c.id.as_str());
    let example = format!("{first}: The fridge was open at step 3.");
    let goals = goal_lines(ground.goals());
    let shown = prompts.fill(
        FILE,
        "ask",
        &[
            ("instruction", &setup.task.instruction),
            ("goals", &goals),
            ("name", &candidate.name),
            ("plan", plan.trim_end()),
            ("cases", &told.join("\n\n")),
        ],
    );
    let lines: Vec<&str> = plan.lines().collect();
    let fields = json!({
        "task": setup.task.id, "instruction": setup.task.instruction, "candidate": candidate.name, "plan": lines,
        "cases": Value::from(fields),
    });
    let system = prompts.fill(FILE, "system", &[("example", &example)]);
    Question::new(Seat::Critic, system, shown, fields)
}

/// What was done in a case, a line a step, with what RED did and what was broken where it was.
fn trace(ground: &mut Ground, candidate: &Candidate, case: &Case) -> Vec<String> {
    let Ok(bound) = ground.bind(&case.response) else {
        return Vec::new();
    };
    let taken = ground.played(&Program::new(&candidate.plan), &bound);
    let mut all = Vec::new();
    let red = |all: &mut Vec<String>, steps: u32| {
        let now = case.response.disturbances.iter();
        let now = now.filter(|d| d.at.steps() == steps);
        all.extend(now.map(|d| format!("RED: {}", d.words)));
    };
    red(&mut all, 0);
    for (i, (action, (steps, _))) in taken.attempts.iter().zip(&taken.places).enumerate() {
        let next = taken.places.get(i + 1).map_or(case.outcome.steps, |p| p.0);
        let line = ground.world().line(*action);
        if next == *steps {
            let why = case
                .outcome
                .refused
                .as_ref()
                .filter(|_| i + 1 == taken.attempts.len());
            let why = why.map_or("it is so already", |r| r.reason.as_str());
            all.push(format!("refused: {line}: {why}"));
            continue;
        }
        let mut text = format!("step {next}: {line}");
        for it in case.outcome.broken.iter().filter(|b| b.step == next) {
            let _ = write!(text, " (breaks {}: {})", it.rule, it.words);
        }
        all.push(text);
        red(&mut all, next);
    }
    let end = case.outcome.broken.iter();
    let end = end.filter(|b| b.step > case.outcome.steps);
    all.extend(end.map(|b| format!("at the end: {} is broken: {}", b.rule, b.words)));
    all
}

/// The claims of an answer, each held against the run of the case it speaks of. A claim without a case speaks of the one
/// named before it, the first else. `Err` tells why no case can be played as a run.
pub(super) fn claims(
    ground: &mut Ground,
    base: &Scene,
    (candidate, cases): (&Candidate, &[Case]),
    said: &Answered,
    by: &str,
) -> Result<Vec<Claim>, String> {
    let lines: Vec<&str> = said.lines().collect();
    let text = lines.join("\n");
    let mut judged = Vec::new();
    for case in cases {
        let episode = episode(ground, base, candidate, &case.response)?;
        let end = episode.here();
        let claims = critic::judge(&episode, end, &text);
        judged.push((case, episode, claims));
    }
    let mut all = Vec::new();
    let mut here = 0;
    let count = judged.first().map_or(0, |(.., claims)| claims.len());
    for i in 0..count {
        let Some(text) = judged.first().and_then(|(.., c)| c.get(i)) else {
            break;
        };
        if let Some(named) = cases.iter().position(|c| names(&text.text, &c.id)) {
            here = named;
        }
        let Some((case, episode, claims)) = judged.get(here) else {
            break;
        };
        let Some(claim) = claims.get(i) else {
            break;
        };
        let step = claim.steps.first();
        let alone = case.response.is_nothing();
        all.push(Claim {
            id: String::new(),
            by: by.to_owned(),
            candidate: candidate.name.clone(),
            response: if alone {
                String::new()
            } else {
                case.id.clone()
            },
            step: step.map_or(0, |p| episode.timeline().depth(*p) as u32),
            broken: claim.rules.first().cloned().unwrap_or_default(),
            text: claim.text.clone(),
            remedy: Vec::new(),
            before: 0,
            finding: match claim.verdict {
                Verdict::Confirmed => Finding::Confirmed,
                Verdict::Refuted => Finding::Refuted,
                Verdict::Unverifiable => Finding::Unverifiable,
            },
            evidence: claim.evidence.clone(),
        });
    }
    Ok(all)
}

/// Whether a sentence names a case: at its beginning before a colon, or, but for the one of the plan alone, anywhere.
fn names(text: &str, id: &str) -> bool {
    let head = text.split(':').next().unwrap_or_default().trim();
    let head = head.trim_start_matches("Case ").trim_start_matches("case ");
    if head.eq_ignore_ascii_case(id) {
        return true;
    }
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    id != Response::nothing().id && words.any(|w| w.eq_ignore_ascii_case(id))
}

/// A cell as an ordinary run, played to its end.
fn episode(
    ground: &mut Ground,
    base: &Scene,
    candidate: &Candidate,
    response: &Response,
) -> Result<Episode, String> {
    let task = variant(ground, response)?;
    let book = ground.setup().book.clone();
    let first = |all: Vec<crate::base::diag::Diagnostic>| {
        let first = all.first().map(ToString::to_string);
        first.unwrap_or_else(|| "the task cannot be prepared".to_owned())
    };
    let setup = prepare(Arc::new(task), base, book).map_err(first)?;
    let profile = ground.world().profile();
    let bound = ground.bind(response)?;
    let taken = ground.played(&Program::new(&candidate.plan), &bound);
    let (mut episode, _) = Episode::start(Arc::new(setup), profile).map_err(|d| d.to_string())?;
    for action in taken.attempts {
        episode.act(action);
    }
    match taken.avoided {
        Some(reason) => episode.avoid(&reason),
        None => episode.finish(),
    };
    Ok(episode)
}
