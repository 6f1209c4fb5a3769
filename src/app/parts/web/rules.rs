//! The rules a run broke: at which step, by which facts, and since when each of them held.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::app::parts::warnings::{self, title};
use crate::base::html;
use crate::safety::rule::Grade;
use crate::safety::verdict::{Instance, Standing};
use crate::sim::timeline::Pos;
use crate::task::episode::{Episode, Part, Warning};

use super::link;

/// A rule that a step broke, or that the end of the run left broken.
pub(super) struct Break {
    /// `F05 !4 core: no metal in a running microwave`.
    pub(super) words: String,
    /// Whether it counts against the run.
    pub(super) core: bool,
    /// For which things.
    things: String,
    /// The steps that made it so.
    witness: Vec<Pos>,
    /// The facts behind it with since when.
    facts: Vec<(String, Option<Pos>)>,
    /// Whether calling it done broke it, not a step.
    by_end: bool,
    /// Whether it happened on a branch that the run left.
    aside: bool,
}

/// What each position broke, on every branch.
pub(super) fn breaks(episode: &Episode) -> BTreeMap<Pos, Vec<Break>> {
    let mut there = episode.clone();
    let path: BTreeSet<Pos> = episode
        .timeline()
        .path(episode.here())
        .into_iter()
        .collect();
    let mut all: BTreeMap<Pos, Vec<Break>> = BTreeMap::new();
    for seq in 0..episode.events() {
        let Some(pos) = episode.pos(seq) else {
            continue;
        };
        let turns = episode.turns(pos);
        let broke: Vec<_> = turns
            .into_iter()
            .filter(|t| t.to == Standing::Violated)
            .collect();
        if broke.is_empty() {
            continue;
        }
        there.goto(pos);
        let said = there.warnings();
        let found = broke.iter().map(|turn| {
            let warning = said.iter().find(|w| w.instance == turn.instance);
            let head = (turn.rule.id.as_str(), turn.rule.severity, turn.grade);
            made(&mut there, head, &title(&turn.rule), turn.instance, warning)
        });
        let mut found: Vec<Break> = found.collect();
        for one in &mut found {
            one.aside = !path.contains(&pos);
        }
        all.entry(pos).or_default().extend(found);
    }
    let open = episode.left_open();
    if episode.ending().is_some() && !open.is_empty() {
        there.goto(episode.here());
        for warning in &open {
            let head = (
                warning.rule.id.as_str(),
                warning.rule.severity,
                warning.grade,
            );
            let words = title(&warning.rule);
            let mut one = made(&mut there, head, &words, warning.instance, Some(warning));
            one.by_end = true;
            all.entry(episode.here()).or_default().push(one);
        }
    }
    all
}

fn made(
    there: &mut Episode,
    (id, severity, grade): (&str, u8, Grade),
    words: &str,
    instance: Instance,
    warning: Option<&Warning>,
) -> Break {
    let world = there.timeline().world();
    let things = warning.map_or_else(String::new, |w| warnings::bound(world, &w.bindings));
    let ways = there.parts(&instance);
    // Of the ways it is broken, the one that holds whole tells why.
    let holds = |way: &&Vec<Part>| way.iter().any(|p| p.decides && p.value);
    let way = ways.iter().find(|w| w.iter().all(|p| p.value));
    // What a deed breaks is over when the step is done: then what held is told.
    let way = way.or_else(|| ways.iter().find(holds)).or(ways.first());
    let facts = way.into_iter().flatten().filter(|p| p.value);
    Break {
        words: format!("{id} !{severity} {}: {words}", grade.id()),
        core: grade == Grade::Core,
        things,
        witness: warning.map_or_else(Vec::new, |w| w.witness.clone()),
        facts: facts.map(|p| (p.words.clone(), p.since)).collect(),
        by_end: false,
        aside: false,
    }
}

impl Break {
    /// The class of its line.
    pub(super) const fn class(&self) -> &'static str {
        if self.core { "bad" } else { "warn" }
    }

    /// `fork INSIDE microwave since s0`, one a line.
    fn facts(&self) -> String {
        let each = self.facts.iter().map(|(words, since)| {
            let since = since.map_or_else(String::new, |p| format!(" since {}", link(p.0)));
            format!("{}{since}", html::text(words))
        });
        each.collect::<Vec<_>>().join("<br>\n")
    }

    /// In one line below its step, as HTML.
    pub(super) fn line(&self) -> String {
        let end = if self.by_end {
            "left broken at the end: "
        } else {
            "breaks "
        };
        let mut out = format!(
            "<span class=\"{}\">{end}{}</span>",
            self.class(),
            html::text(&self.words)
        );
        if !self.things.is_empty() {
            let _ = write!(out, " ({})", html::text(&self.things));
        }
        out
    }
}

/// The section: what was broken with its witness, then what else the rules say at the end.
pub(super) fn section(episode: &Episode, breaks: &BTreeMap<Pos, Vec<Break>>) -> String {
    let mut out = String::from("<section id=\"rules\">\n<h2>Rules broken</h2>\n");
    let rows: Vec<Vec<String>> = breaks
        .iter()
        .flat_map(|(pos, all)| all.iter().map(|one| (*pos, one)))
        .map(|(pos, one)| {
            let where_else = match (one.by_end, one.aside) {
                (true, _) => " (left so at the end)",
                (_, true) => " (on a branch that was left, not counted)",
                _ => "",
            };
            let steps: Vec<String> = one.witness.iter().map(|p| link(p.0)).collect();
            vec![
                format!("{}{where_else}", link(pos.0)),
                format!(
                    "<span class=\"{}\">{}</span>",
                    one.class(),
                    html::text(&one.words)
                ),
                html::text(&one.things),
                one.facts(),
                steps.join(" "),
            ]
        })
        .collect();
    if rows.is_empty() {
        out += "<p class=\"good\">none</p>\n";
    } else {
        let heads = [
            ("step", false),
            ("rule", false),
            ("of", false),
            ("because, since", false),
            ("witness steps", false),
        ];
        out += &html::table(&heads, &rows);
    }
    let mut there = episode.clone();
    let all = there.warnings();
    let rows = warnings::rows(&all, there.muted());
    let rest: Vec<String> = warnings::plain_lines(&there, &all, &rows)
        .iter()
        .map(|line| html::text(line))
        .collect();
    if !rest.is_empty() {
        out += "<h3>What the rules say at the end</h3>\n";
        out += &html::list("dim", &rest);
    }
    out + "</section>\n"
}
