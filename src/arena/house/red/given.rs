//! RED speaks from outside: an agent writes lines, and each is held against the registry and against fairness.
//!
//! What a line says must be what one of the kinds does where the plan stands then; so an agent can do what the offline RED
//! can do and nothing else. It gets as many simulated responses as the budget says, unfair ones included.

use serde_json::{Value, json};

use super::{Answer, Half, LEVELS, Settings, attempt};
use crate::agent::observe::{Form, Scope, View};
use crate::agent::prompt::Prompts;
use crate::agent::strategy::goal_lines;
use crate::arena::house::agents::{Answered, Question, Seat, unheard};
use crate::arena::house::disturb::{self, Change, KINDS, Proposal, Sight};
use crate::arena::house::fair::Fair;
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Disturbance, Moment, Red, Response};
use crate::arena::house::record::Unheard;
use crate::plan::branching::{Program, print};
use crate::plan::fact::{Body, Fact};
use crate::safety::book::Book;
use crate::sim::vocab::Ix;

/// How many lines RED may write for each one that is simulated: about half of what can be done is kept back for the
/// final figure, and RED is not told which.
const SPARE: u32 = 2;

/// How many lines of one answer are looked at.
const MOST_LINES: usize = 1_000;

/// Whether a level of knowledge includes what another one knows.
fn knows(level: &str, other: &str) -> bool {
    // The registry is in order of knowledge.
    let place = |id: &str| LEVELS.iter().position(|l| l.id == id);
    place(level) >= place(other)
}

/// What RED is asked about a candidate, as much as its level of knowledge allows.
pub fn question(
    ground: &mut Ground,
    candidate: &Candidate,
    settings: &Settings,
    prompts: &Prompts,
) -> Question {
    const FILE: &str = Seat::Red.file();
    let setup = ground.setup().clone();
    let level = settings.level.id;
    let kinds: Vec<String> = KINDS
        .iter()
        .map(|k| format!("- {}: {}", k.id, k.doc))
        .collect();
    let lines = settings.budget.saturating_mul(SPARE).to_string();
    let budget = settings.budget.to_string();
    let events = settings.events.to_string();
    let system = prompts.fill(
        FILE,
        "system",
        &[
            ("kinds", &kinds.join("\n")),
            ("lines", &lines),
            ("budget", &budget),
            ("events", &events),
        ],
    );
    let when = |on: bool, part: &str, words: &[(&str, &str)]| {
        if on {
            prompts.fill(FILE, part, words)
        } else {
            String::new()
        }
    };
    let plan = numbered(&print(&setup.scene, &candidate.plan));
    let count = candidate.plan.len().to_string();
    let goals = goal_lines(ground.goals());
    let observation = View::of(ground.world(), Scope::Full).text(Form::Text);
    let sees = knows(level, "reactive");
    let steps = if sees {
        changes(ground, candidate)
    } else {
        String::new()
    };
    let task = when(
        knows(level, "task"),
        "task",
        &[("instruction", &setup.task.instruction), ("goals", &goals)],
    );
    let told = match (knows(level, "plan"), knows(level, "count")) {
        (true, _) => prompts.fill(FILE, "plan", &[("plan", &plan)]),
        (false, counts) => when(counts, "count", &[("count", &count)]),
    };
    let shown = prompts.fill(
        FILE,
        "ask",
        &[
            ("task", &task),
            ("plan", &told),
            ("observation", &observation),
            ("steps", &when(sees, "steps", &[("steps", &steps)])),
        ],
    );
    let some = |on: bool, value: Value| if on { value } else { Value::Null };
    let fields = json!({
        "budget": settings.budget,
        "events": settings.events,
        "level": level,
        "kinds": KINDS.iter().map(|k| json!({"id": k.id, "what": k.doc})).collect::<Vec<_>>(),
        "task": some(knows(level, "task"), setup.task.id.clone().into()),
        "instruction": some(knows(level, "task"), setup.task.instruction.clone().into()),
        "actions": some(knows(level, "count"), candidate.plan.len().into()),
        "plan": some(
            knows(level, "plan"),
            print(&setup.scene, &candidate.plan).lines().collect::<Vec<_>>().into(),
        ),
        "observation": observation,
    });
    Question::new(Seat::Red, system, shown, fields)
}

fn numbered(lines: &str) -> String {
    let all: Vec<String> = lines
        .lines()
        .zip(1..)
        .map(|(line, n)| format!("{n}. {line}"))
        .collect();
    all.join("\n")
}

/// What each step of a plan changes when nothing happens, a paragraph a step.
fn changes(ground: &mut Ground, candidate: &Candidate) -> String {
    let program = Program::new(&candidate.plan);
    let nothing = ground.undisturbed();
    let done = ground.done(&program, &nothing);
    let mut before = View::of(ground.world(), Scope::Full);
    let mut all = Vec::new();
    for (action, k) in done.into_iter().zip(1_u32..) {
        let line = ground.world().line(action);
        let view = ground.at(&program, &nothing, k, |at| View::of(at.world, Scope::Full));
        let Some(view) = view else {
            break;
        };
        let news = view.news(&view.since(&before), Form::Text);
        all.push(format!("{k}. {line}\n{news}").trim_end().to_owned());
        before = view;
    }
    all.join("\n")
}

/// Lets what RED wrote answer a candidate; with it what of that does not count, and why.
pub fn answer(
    ground: &mut Ground,
    fair: &mut Fair,
    candidate: &Candidate,
    settings: &Settings,
    said: &Answered,
) -> (Answer, Vec<Unheard>) {
    let program = Program::new(&candidate.plan);
    let nothing = ground.undisturbed();
    let alone = ground.outcome(&program, &nothing);
    let mut answer = Answer {
        payoff: settings.payoffs.of(&alone),
        alone,
        tried: Vec::new(),
    };
    let mut left_out = Vec::new();
    let mut leave = |line: &str, why: String| {
        left_out.push(unheard(Seat::Red, &candidate.name, line, why));
    };
    for line in said.lines().take(MOST_LINES) {
        let line = bare(line);
        if line.is_empty() {
            continue;
        }
        if answer.tried.len() >= settings.budget as usize {
            leave(line, format!("{} were tried before it", settings.budget));
            continue;
        }
        let disturbances = match response(ground, &program, settings, line) {
            Ok(all) => all,
            Err(why) => {
                leave(line, why);
                continue;
            }
        };
        let same = |t: &super::Tried| t.response.disturbances == disturbances;
        if answer.tried.iter().any(same) {
            leave(line, "it was said before".to_owned());
            continue;
        }
        let number = answer.tried.len() as u32;
        let response = Response {
            id: format!("{}-{number}", settings.level.id),
            level: settings.level.id.to_owned(),
            draw: number,
            disturbances,
        };
        let tried = attempt(ground, fair, (&program, &answer.alone), response, settings);
        match tried.red {
            Red::Acted => {}
            Red::Passed => leave(line, format!("it is not fair: {}", tried.why)),
            Red::Idle => leave(
                line,
                "its moment never comes, or the world is so already".to_owned(),
            ),
        }
        answer.tried.push(tried);
    }
    (answer, left_out)
}

/// A line without fences and the marks of a list.
fn bare(line: &str) -> &str {
    let mut line = line.trim().trim_matches('`').trim();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < line.len() {
        line = digits.strip_prefix(['.', ')']).unwrap_or(line).trim_start();
    }
    line.trim_start_matches(['-', '*', '•']).trim()
}

/// The disturbances of a line, in order of their moments.
fn response(
    ground: &mut Ground,
    program: &Program,
    settings: &Settings,
    line: &str,
) -> Result<Vec<Disturbance>, String> {
    let mut parts = Vec::new();
    for part in line.split('|') {
        parts.push(moment(part.trim())?);
    }
    if parts.len() > settings.events as usize {
        let (some, most) = (parts.len(), settings.events);
        return Err(format!("it has {some} disturbances; {most} may be in one"));
    }
    parts.sort_by_key(|(at, _)| *at);
    let mut all: Vec<Disturbance> = Vec::new();
    for (at, facts) in parts {
        let it = disturbance(ground, program, (&all, at), facts)?;
        let half = settings.half;
        if half != Half::All && !half.takes(&it.kind, &it.facts) {
            return Err(match half {
                Half::Design => "it is kept back for the final figure".to_owned(),
                _ => "it is not kept back for the final figure".to_owned(),
            });
        }
        all.push(it);
    }
    Ok(all)
}

/// `after 3: …` or `start: …`: when, and what.
fn moment(part: &str) -> Result<(Moment, &str), String> {
    let form = || "write after N: FACT; FACT or start: FACT; FACT".to_owned();
    let (when, facts) = part.split_once(':').ok_or_else(form)?;
    let mut words = when.split_whitespace();
    let at = match words.next().map(str::to_ascii_lowercase).as_deref() {
        Some("start") if words.next().is_none() => Moment::Start,
        Some("after") => {
            let rest: Vec<&str> = words.collect();
            let number = match rest[..] {
                [number] | [_, number] => number.trim_start_matches('s').parse().ok(),
                _ => None,
            };
            Moment::after(number.ok_or_else(form)?)
        }
        _ => return Err(form()),
    };
    Ok((at, facts))
}

/// The disturbance of the registry that does what these facts say, where the plan stands then.
fn disturbance(
    ground: &mut Ground,
    program: &Program,
    (so_far, at): (&[Disturbance], Moment),
    facts: &str,
) -> Result<Disturbance, String> {
    let setup = ground.setup().clone();
    let mut wanted = Vec::new();
    for text in facts.split([';', '&']) {
        let text = text.trim().trim_end_matches('.').trim_matches('`').trim();
        if text.is_empty() {
            continue;
        }
        let fact = Fact::read(&setup.scene, &setup.book, text);
        wanted.push(fact.map_err(|why| format!("it is no fact: {why}"))?);
    }
    if wanted.is_empty() {
        return Err("it says no fact".to_owned());
    }
    let before = Response {
        disturbances: so_far.to_vec(),
        ..Response::nothing()
    };
    let bound = ground.bind(&before)?;
    let focus = wanted.iter().flat_map(Fact::nodes).collect();
    let look = ground.at(program, &bound, at.steps(), |at| {
        let shadow = at.lookout.monitor();
        let so = wanted.iter().all(|f| f.holds(at.world.graph(), shadow));
        let sight = Sight {
            world: at.world,
            shadow,
            book: &setup.book,
            focus: Some(&focus),
        };
        (so, disturb::all(&sight))
    });
    let Some((so, proposals)) = look else {
        let steps = ground.roll(program, &bound).steps;
        return Err(format!("the plan ends after {steps} steps"));
    };
    if so {
        return Err("it is so already".to_owned());
    }
    let fits = |p: &&Proposal| {
        let says = |fact: &Fact| p.changes.iter().any(|c| says(fact, *c, &setup.book));
        wanted.iter().all(says)
    };
    let best = proposals
        .iter()
        .filter(fits)
        .min_by_key(|p| p.changes.len());
    let none = || {
        let kinds: Vec<&str> = KINDS.iter().map(|k| k.id).collect();
        format!("none of the kinds does that there: {}", kinds.join(", "))
    };
    Ok(best.ok_or_else(none)?.at(&setup.scene, at))
}

/// Whether a fact says what a change does.
fn says(fact: &Fact, change: Change, book: &Book) -> bool {
    let among = |nodes: &[Ix], n: Ix| nodes.contains(&n);
    match (&fact.body, change) {
        (Body::State(nodes, state), Change::State(n, changed, on)) => {
            *state == changed && among(nodes, n) && fact.negated != on
        }
        (Body::Edge(from, rel, to), Change::Edge(f, changed, t, on)) => {
            *rel == changed && among(from, f) && among(to, t) && fact.negated != on
        }
        (Body::Tracked(id, of, other), Change::Tracked(word, n)) => {
            let known = book.written(word).map(|(id, _)| id);
            known == Some(*id) && among(of, n) && other.is_empty() && !fact.negated
        }
        _ => false,
    }
}
