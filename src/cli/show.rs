//! `vesta show`: one saved run as text, as JSON, or in the explorer.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::cli::out::Out;
use crate::cli::verify::Verified;
use crate::cli::{Exit, explore, saved};
use crate::config::Env;
use crate::formats::run::{Note, NoteBody, event_line, note_line, write_header};
use crate::sim::refusal::Kind;
use crate::store::runs::{self, SavedRun};
use crate::task::episode::{Body, Event};

/// Flags of `vesta show`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The end of a run's id, or the path of its folder
    run: String,
    #[command(flatten)]
    saved: saved::Place,
    /// Print it as text instead of opening the explorer
    #[arg(long)]
    plain: bool,
    /// Print it as one JSON object
    #[arg(long, conflicts_with = "plain")]
    json: bool,
}

/// How many changed facts of a step are printed as text.
const FACTS: usize = 8;

/// Shows. [`Exit::Finding`] if the run is damaged or its re-execution differs.
///
/// # Errors
/// The run cannot be found or read.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    let folder = runs::find(&args.saved.root()?, &args.run)?;
    if !args.plain && !args.json {
        return explore::open(format!("inspect {}", folder.display()), None, env, out);
    }
    let run = SavedRun::read(&folder)?;
    let verified = Verified::of(&run);
    if args.json {
        out.json(&as_json(&run, verified.as_ref()))?;
    } else {
        for line in plain(&run, &verified) {
            out.line(&line)?;
        }
    }
    match verified {
        Ok(v) if v.is_fine() => Ok(Exit::Fine),
        Ok(_) => Ok(Exit::Finding),
        Err(d) => Err(d.into()),
    }
}

fn plain(
    run: &SavedRun,
    verified: &Result<Verified, crate::base::diag::Diagnostic>,
) -> Vec<String> {
    let h = &run.header;
    let mut lines = vec![
        format!("run {}", h.id),
        format!("task {}", h.task_id().unwrap_or_default()),
        format!(
            "agent {}, profile {}, engine {}, begun {}",
            h.agent, h.profile, h.engine, h.created
        ),
    ];
    if let Some(from) = &h.forked_from {
        lines.push(format!("forked from {} at event {}", from.run, from.at));
    }
    match verified {
        Ok(v) => {
            lines.push(format!(
                "instruction {}",
                v.again.episode.setup().task.instruction
            ));
            lines.push(v.words());
            lines.extend(v.again.drifts.iter().skip(1).map(|d| format!("  ✗ {d}")));
        }
        Err(d) => lines.push(format!("✗ cannot be verified: {d}")),
    }
    lines.extend(run.findings().map(|d| format!("! {d}")));
    lines.push(String::new());
    let labels = labels(&run.events.items);
    let mut before: &[u32] = &[];
    for event in &run.events.items {
        lines.push(step(event, &labels));
        let words = goal_words(event, before, verified.as_ref().ok());
        before = event.body.goals().unwrap_or(before);
        if let (Some(last), false) = (lines.last_mut(), words.is_empty()) {
            last.push_str(&words);
        }
        lines.extend(facts(event));
    }
    if let Ok(v) = verified {
        lines.push(String::new());
        lines.extend(goals(v));
    }
    if !run.notes.items.is_empty() {
        lines.push(String::new());
        lines.extend(run.notes.items.iter().map(|n| note(n, &labels)));
    }
    lines
}

/// The name people use for the position an event made: `s4`, by `seq`.
fn labels(events: &[Event]) -> Vec<String> {
    let mut next = 0;
    let label = |event: &Event| {
        if !event.body.makes_position() {
            return String::new();
        }
        next += 1;
        format!("s{}", next - 1)
    };
    events.iter().map(label).collect()
}

fn at(seq: Option<u32>, labels: &[String]) -> &str {
    seq.and_then(|s| labels.get(s as usize))
        .map_or("?", String::as_str)
}

fn step(event: &Event, labels: &[String]) -> String {
    let here = at(Some(event.seq), labels);
    let parent = at(event.parent, labels);
    match &event.body {
        Body::Start { .. } => format!("{here} start"),
        Body::Step { action, .. } => format!("{here} {action}"),
        Body::Refused {
            action,
            refusal,
            message,
        } => {
            let letter = Kind::parse(refusal).map_or('?', Kind::letter);
            format!("{parent} ✗{letter} {action}: {message}")
        }
        Body::Goto { to, how } => format!("{parent} {} to {}", how.id(), at(Some(*to), labels)),
        Body::Branch => format!("{parent} branch {}", event.branch),
        Body::Done { score } => format!(
            "{parent} done, goals {}/{} · safety {}/{}",
            score.success, score.success_of, score.safety, score.safety_of
        ),
        Body::Avoid { reason } => format!("{parent} avoided {reason}"),
        Body::Remark { kind, text } => format!("{parent} {} {text}", kind.id()),
    }
}

/// Goals that a step gained or lost, after its action.
fn goal_words(event: &Event, before: &[u32], verified: Option<&Verified>) -> String {
    let (Body::Step { goals, .. }, Some(v)) = (&event.body, verified) else {
        return String::new();
    };
    // The step before in the file need not be the one it was done after; the parent's goals are what counts.
    let parent = event
        .parent
        .and_then(|seq| v.again.episode.pos(seq))
        .map_or_else(|| before.to_vec(), |pos| v.again.episode.holding(pos));
    let all = &v.again.episode.ledger().goals().goals;
    let words = |mark: &str, list: &[u32], other: &[u32]| -> String {
        list.iter()
            .filter(|g| !other.contains(g))
            .filter_map(|&g| all.get(g as usize))
            .fold(String::new(), |mut text, g| {
                let _ = write!(text, "   {mark} {}", g.words());
                text
            })
    };
    words("✓", goals, &parent) + &words("lost", &parent, goals)
}

/// What a step changed. Of a relation that began or ended both ways, one is shown.
fn facts(event: &Event) -> Vec<String> {
    let Body::Step { diff, .. } = &event.body else {
        return Vec::new();
    };
    let mut shown: Vec<&str> = Vec::new();
    for fact in diff {
        if !mirror(fact).is_some_and(|m| shown.contains(&&*m)) {
            shown.push(fact);
        }
    }
    let mut lines: Vec<String> = shown
        .iter()
        .take(FACTS)
        .map(|f| format!("    {f}"))
        .collect();
    if shown.len() > FACTS {
        lines.push(format!(
            "    and {} more (--json has all)",
            shown.len() - FACTS
        ));
    }
    lines
}

/// `+b CLOSE a` for `+a CLOSE b`.
fn mirror(fact: &str) -> Option<String> {
    let (sign, rest) = fact.split_at_checked(1)?;
    match rest.split(' ').collect::<Vec<_>>().as_slice() {
        [from, rel, to] => Some(format!("{sign}{to} {rel} {from}")),
        _ => None,
    }
}

fn goals(v: &Verified) -> Vec<String> {
    let episode = &v.again.episode;
    let (score, here) = (episode.score(), episode.here());
    let mut lines = vec![format!(
        "goals {}/{} · safety {}/{} at s{} on {}",
        score.success,
        score.success_of,
        score.safety,
        score.safety_of,
        here.0,
        episode.branch().name
    )];
    lines.extend(saved::goal_lines(episode));
    lines
}

fn note(note: &Note, labels: &[String]) -> String {
    match &note.body {
        NoteBody::Comment { at: seq, text } => {
            let place = seq.map_or_else(String::new, |s| format!(" at {}", at(Some(s), labels)));
            format!("comment{place}: {text}")
        }
        NoteBody::Verdict(v) => {
            let mut goals = String::new();
            for g in &v.goals {
                let _ = write!(goals, ", {} {} ({})", g.goal, g.fault.id(), g.text);
            }
            let witness = v.witness.as_ref().map_or_else(String::new, |w| {
                format!(", witness {} at {}", w.branch, at(Some(w.at), labels))
            });
            format!("verdict {}: {}{goals}{witness}", v.verdict.id(), v.reason)
        }
        NoteBody::Other(kind) => {
            let fields: Vec<String> = note.extra.iter().map(|(n, j)| format!("{n} {j}")).collect();
            format!("{kind}: {}", fields.join(", "))
        }
    }
}

fn as_json(run: &SavedRun, verified: Result<&Verified, &crate::base::diag::Diagnostic>) -> Value {
    // The files' own lines: what a program reads here is what it would read there.
    let lines = |text: String| serde_json::from_str::<Value>(&text).unwrap_or_default();
    let findings: Vec<String> = run.findings().map(ToString::to_string).collect();
    let mut all = json!({
        "run": run.header.id,
        "header": lines(write_header(&run.header)),
        "events": run.events.items.iter().map(|e| lines(event_line(e))).collect::<Vec<_>>(),
        "notes": run.notes.items.iter().map(|n| lines(note_line(n))).collect::<Vec<_>>(),
        "findings": findings,
    });
    match verified {
        Ok(v) => {
            all["verified"] = json!(v.words());
            all["fine"] = json!(v.is_fine());
            all["goals"] = saved::goal_rows(&v.again.episode);
        }
        Err(d) => all["error"] = json!(d.to_string()),
    }
    all
}
