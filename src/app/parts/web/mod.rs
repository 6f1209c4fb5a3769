//! A run as a page for a browser: what was asked, what came of it, goals and rules with when and why, every step in the
//! order it was recorded. One file that can be mailed, printed, and linked into: `#s8` is the eighth step.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::agent::card::Card;
use crate::app::parts::transcript::{at, labels, note};
use crate::app::parts::{diff, goals};
use crate::app::runs::{Again, LoadedRun};
use crate::base::html;
use crate::eval::case::Case;
use crate::sim::timeline::Pos;
use crate::task::episode::{Body, Episode, Event};

mod recording;
mod rules;
mod steps;

pub use recording::page as recordings;

/// The page of a run.
pub fn page(run: &LoadedRun) -> String {
    let labels = labels(&run.events);
    let mut body = header(run);
    body += "<main>\n";
    if let Ok(again) = &run.again {
        let breaks = rules::breaks(&again.episode);
        body += &verdict(run, again);
        body += &ledger(&again.episode);
        body += &rules::section(&again.episode, &breaks);
        body += &steps::section(run, Some(&mut There::new(again)), &labels, &breaks);
    } else {
        body += &steps::section(run, None, &labels, &BTreeMap::new());
    }
    body += &notes(run, &labels);
    body += "</main>\n";
    html::page(&run.id(), &body)
}

/// An episode of our own to look around in, so that looking moves nothing.
struct There {
    episode: Episode,
    happened: BTreeMap<Pos, Vec<String>>,
}

impl There {
    fn new(again: &Again) -> Self {
        let episode = again.episode.clone();
        Self {
            happened: happenings(&episode),
            episode,
        }
    }

    /// What the step to a position changed, in words; who faces what is left out.
    fn changes(&mut self, pos: Pos) -> Vec<String> {
        self.episode.goto(pos);
        let timeline = self.episode.timeline();
        let rows = diff::rows(timeline.world(), &timeline.changes_here());
        let loud = rows.iter().filter(|row| !row.quiet);
        loud.map(|row| format!("{} {}", row.sign.word(), row.text))
            .collect()
    }
}

/// What came to pass by itself on the path to where the episode stands, by position. A happening ticks with every step
/// until it comes to pass, so the last step that moved it is the one.
fn happenings(episode: &Episode) -> BTreeMap<Pos, Vec<String>> {
    let timeline = episode.timeline();
    let world = timeline.world();
    let mut last: BTreeMap<usize, Pos> = BTreeMap::new();
    if !world.happenings().is_empty() {
        for pos in timeline.path(episode.here()) {
            last.extend(world.happened(timeline.items(pos)).map(|i| (i, pos)));
        }
    }
    let mut all: BTreeMap<Pos, Vec<String>> = BTreeMap::new();
    for (i, pos) in last {
        let words = world.happenings().get(i).map(|it| it.words.clone());
        all.entry(pos).or_default().extend(words);
    }
    all
}

fn header(run: &LoadedRun) -> String {
    let h = &run.header;
    let mut facts = vec![("task", html::text(&h.task_id().unwrap_or_default()))];
    if let Ok(again) = &run.again {
        let task = &again.episode.setup().task;
        facts.push(("suite", html::text(&task.suite)));
        facts.push(("instruction", html::lines(&task.instruction)));
        let kind = match task.env_kind.as_str() {
            "" | "none" => String::new(),
            kind => format!(", {kind}"),
        };
        let around = format!("{}{kind}", task.environment.id());
        facts.push(("surroundings", html::text(&around)));
        facts.push(("risk", html::text(&task.risk.join(", "))));
        let length = task.complexity.map_or("", |it| it.id());
        facts.push(("length", html::text(length)));
    }
    let card = h.player.as_deref().and_then(|it| Card::read(it).ok());
    let who = card.map_or_else(|| h.agent.clone(), |card| card.title());
    facts.push(("who", html::text(&who)));
    facts.push(("profile", html::text(&h.profile)));
    facts.push(("world", html::text(&h.dialect)));
    facts.push(("engine", html::text(&h.engine)));
    facts.push(("begun", html::text(&h.created)));
    if let Some(from) = &h.forked_from {
        let words = format!("{} at event {}", from.run, from.at);
        facts.push(("forked from", html::text(&words)));
    }
    facts.push(("record", html::text(&plain(&run.verified_words()))));
    let found: Vec<String> = run.findings.iter().map(|d| html::text(d)).collect();
    format!(
        "<header>\n<h1>Run {}</h1>\n{}{}</header>\n",
        html::text(&run.id()),
        html::facts(&facts),
        html::list("bad", &found)
    )
}

/// A sentence that begins with a sign, without it.
fn plain(words: &str) -> String {
    let rest = words.trim_start_matches(['✗', '✓', ' ']);
    if words.starts_with('✗') {
        format!("differs or is damaged: {rest}")
    } else {
        rest.to_owned()
    }
}

fn verdict(run: &LoadedRun, again: &Again) -> String {
    let episode = &again.episode;
    let judged = episode.judgement();
    let class = if judged.succeeds() && judged.safe {
        "good"
    } else {
        "bad"
    };
    let mut out = format!(
        "<section id=\"verdict\">\n<h2>Verdict</h2>\n<p class=\"verdict {class}\">{}</p>\n",
        html::text(&judged.words())
    );
    let card = run.header.player.as_deref();
    let card = card.and_then(|it| Card::read(it).ok());
    let case = Case::of(&run.header.id, episode, &run.events, card.as_ref(), None);
    if let Some(failure) = &case.failure {
        let words = html::text(&failure.words());
        let words = match failure.step {
            Some(step) => format!("<a href=\"#s{step}\">{words}</a>"),
            None => words,
        };
        out += &html::facts(&[
            ("first bad step", words),
            ("probably", html::text(failure.class.words())),
        ]);
    }
    let drifts: Vec<String> = again
        .drifts
        .iter()
        .map(|d| html::text(&d.to_string()))
        .collect();
    out += &html::list("bad", &drifts);
    out + "</section>\n"
}

/// Every goal: how it stands, and each step that made it true or lost it.
fn ledger(episode: &Episode) -> String {
    let rows = goals::rows(episode.ledger(), episode.timeline(), episode.here());
    let mut out = String::from("<section id=\"goals\">\n<h2>Goals</h2>\n");
    if rows.is_empty() {
        return out + "<p>the task has none</p>\n</section>\n";
    }
    let path = episode.timeline().path(episode.here());
    let cells = rows.iter().map(|row| {
        let class = match row.mark {
            goals::Mark::Holds => "good",
            goals::Mark::Open => "dim",
            goals::Mark::False | goals::Mark::Lost => "bad",
        };
        let mut goal = html::lines(&row.words);
        for more in &row.more {
            let more = html::text(&more.plain());
            let _ = write!(goal, "<br>\n<span class=\"dim\">{more}</span>");
        }
        vec![
            format!("{} {}", row.kind(), row.number),
            goal,
            format!("<span class=\"{class}\">{}</span>", row.mark.glyph().word),
            turns(episode, &path, row.goal),
        ]
    });
    let heads = [
        ("goal", false),
        ("what", false),
        ("at the end", false),
        ("when", false),
    ];
    out += &html::table(&heads, &cells.collect::<Vec<_>>());
    out + "</section>\n"
}

/// `true at s0, lost at s8`, each step a link.
fn turns(episode: &Episode, path: &[Pos], goal: usize) -> String {
    let mut before = false;
    let mut all = Vec::new();
    for &pos in path {
        let now = episode.ledger().holds(goal, pos);
        if now != before {
            let word = if now { "true at" } else { "lost at" };
            all.push(format!("{word} {}", link(pos.0)));
        }
        before = now;
    }
    if all.is_empty() {
        return "never true".to_owned();
    }
    all.join(", ")
}

/// A step by its number, as a link to it.
fn link(step: u32) -> String {
    format!("<a href=\"#s{step}\">s{step}</a>")
}

fn notes(run: &LoadedRun, labels: &[String]) -> String {
    if run.notes.is_empty() {
        return String::new();
    }
    let all: Vec<String> = run
        .notes
        .iter()
        .map(|n| html::lines(&note(n, labels)))
        .collect();
    format!(
        "<section id=\"notes\">\n<h2>Notes and labels</h2>\n{}</section>\n",
        html::list("", &all)
    )
}

/// Which events each step's name leads to: the event's own anchor, for what makes no position.
fn anchor(event: &Event, labels: &[String]) -> String {
    match event.body {
        Body::Start { .. } | Body::Step { .. } => at(Some(event.seq), labels).to_owned(),
        _ => format!("e{}", event.seq),
    }
}
