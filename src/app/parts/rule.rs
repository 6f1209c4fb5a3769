//! Why a rule stands as it does: verdict in words, bindings, each fact with value and since, what would break or mend
//! it, the rail of its states, formula and source.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::parts::why::{Follow, Line, Why, labelled, offer};
use crate::app::parts::{action, cause, name, warnings};
use crate::base::text;
use crate::plan::options::Focus;
use crate::safety::monitor::About;
use crate::safety::rule::Rule;
use crate::safety::verdict::{Instance, Standing};
use crate::sim::timeline::Pos;
use crate::sim::vocab::Ix;
use crate::sim::world::{Action, World};
use crate::task::episode::{Episode, Part, Warning};

/// Columns of a sentence or formula, so that no line is cut on 80 columns.
const WIDE: usize = 62;

/// Why a rule stands as it does for these nodes; `None` if it is no rule of this scene.
pub fn why(episode: &mut Episode, instance: &Instance) -> Option<Why> {
    let rule = episode.rule(instance)?;
    let near = episode.candidates(&Focus::default());
    episode.heed(&near);
    let all = episode.warnings_ahead();
    let warning = all.iter().find(|w| w.instance == *instance);
    let standing = warning.map_or(Standing::Idle, |w| w.standing);
    let mut lines = head(&rule, standing, warning.map(|w| w.since));
    lines.extend(bindings(episode, instance, warning));
    lines.extend(ways(&episode.parts(instance)));
    lines.extend(labelled("steps", witness(episode, warning)));
    if standing == Standing::Violated {
        let causes = episode.causes_of_rule(instance);
        let world = episode.timeline().world();
        lines.extend(labelled("because", cause::lines(world, &causes)));
    }
    lines.extend(labelled("breaks", breaks(episode, warning)));
    let cures = episode.cures_of(instance, &near);
    let world = episode.timeline().world();
    // Where no act helps, nothing is said of what only might; what was broken can be taken back.
    let broken = cures.is_empty() && standing == Standing::Violated;
    lines.extend(labelled(
        "cure",
        cures.into_iter().map(|it| offer(world, it)),
    ));
    if broken {
        lines.push(Line::new(
            "cure",
            "going back before it: u takes a step back",
        ));
    }
    let history = episode.history(instance);
    lines.extend(labelled("rail", rail(episode, &history)));
    lines.extend(labelled("formula", wrapped(&rule.text)));
    lines.extend(labelled(
        "source",
        rule.sources
            .iter()
            .map(|(who, place)| Line::new("", who.clone()).note(place.clone())),
    ));
    lines.extend(others(&all, instance));
    Some(Why {
        heading: format!("W  {}  {}", rule.id, rule.title),
        lines,
    })
}

fn wrapped(words: &str) -> Vec<Line> {
    let lines = words.lines().flat_map(|line| text::wrap(line.trim(), WIDE));
    lines.map(|line| Line::new("", line)).collect()
}

/// The verdict and what the rule is.
fn head(rule: &Rule, standing: Standing, since: Option<Pos>) -> Vec<Line> {
    let words = match standing {
        Standing::Idle => "idle: nothing it speaks of is so".to_owned(),
        Standing::Armed => "armed: one more fact or action breaks it".to_owned(),
        Standing::Pending(Some(_)) => format!("{}: it must be made good", warnings::word(standing)),
        Standing::Pending(None) => "pending: it must be made good before the end".to_owned(),
        Standing::Discharged => "made good in time".to_owned(),
        Standing::Violated => "violated by this run".to_owned(),
        Standing::StandingHazard => {
            "standing hazard: so before the first step, not your doing".to_owned()
        }
        Standing::Silenced => "silenced by a goal, a grade or a rule that says the same".to_owned(),
    };
    let verdict = Line::new("verdict", format!("{} {words}", warnings::sign(standing)));
    let verdict = match since {
        Some(pos) => verdict
            .note(format!("since s{}", pos.0))
            .to(Follow::Step(pos)),
        None => verdict,
    };
    let mut about = vec![
        format!("{} !{}", warnings::severity(rule.severity), rule.severity),
        rule.grade.id().to_owned(),
        rule.risk.clone(),
        rule.kind.id().to_owned(),
    ];
    about.retain(|word| !word.is_empty());
    let mut lines = vec![verdict, Line::new("rule", about.join(" · "))];
    lines.extend(wrapped(&rule.sentence));
    lines.extend(wrapped(&rule.remark));
    if let Some(of) = &rule.duplicate_of {
        lines.push(Line::new("", format!("says the same as {of}")));
    }
    lines
}

/// The nodes it is about; by variable where the names are known.
fn bindings(episode: &Episode, instance: &Instance, warning: Option<&Warning>) -> Vec<Line> {
    let world = episode.timeline().world();
    let named = warning.map(|w| w.bindings.as_slice()).unwrap_or_default();
    let line = |var: &str, ix: Ix| {
        let full = world.scene().node(ix).name();
        let text = if var.is_empty() {
            full
        } else {
            format!("{var} = {full}")
        };
        let states = crate::app::parts::scene_tree::states(world, world.graph().states(ix));
        Line::new("", text).note(states).to(Follow::Node(ix))
    };
    let lines: Vec<Line> = if named.is_empty() {
        let nodes = instance.tuple.iter().filter(|ix| ix.is_some());
        nodes.map(|&ix| line("", ix)).collect()
    } else {
        named.iter().map(|(var, ix)| line(var, *ix)).collect()
    };
    labelled("for", lines)
}

/// Ways a rule is broken that are told; one that is far from it says little.
const WAYS: usize = 3;

/// The ways the rule is broken, the nearest first: of each what holds and what is missing.
fn ways(ways: &[Vec<Part>]) -> Vec<Line> {
    let mut ways: Vec<&Vec<Part>> = ways.iter().filter(|way| !way.is_empty()).collect();
    ways.sort_by_key(|way| way.iter().filter(|part| !part.value).count());
    let each = ways.into_iter().take(WAYS).enumerate();
    each.flat_map(|(at, way)| {
        let label = if at == 0 { "facts" } else { "or" };
        labelled(label, way.iter().map(part))
    })
    .collect()
}

/// One fact of a way: in words, its value and since when.
fn part(part: &Part) -> Line {
    let value = match (part.about, part.value) {
        (About::Facts, true) => "true",
        (About::Facts, false) => "false",
        (About::Act | About::End, true) => "so",
        (About::Act | About::End, false) => "not yet",
    };
    let decides = if part.decides && !part.value {
        "would break it · "
    } else {
        ""
    };
    let since = match part.since {
        Some(pos) if part.about == About::Facts => format!(" since s{}", pos.0),
        _ => String::new(),
    };
    let line = Line::new("", part.words.clone()).note(format!("{decides}{value}{since}"));
    let node = part.nodes.first().map(|node| Follow::Node(*node));
    let step = part
        .since
        .filter(|pos| *pos != Pos::START)
        .map(Follow::Step);
    match step.or(node) {
        Some(follow) => line.to(follow),
        None => line,
    }
}

/// The steps that made it so.
fn witness(episode: &Episode, warning: Option<&Warning>) -> Vec<Line> {
    let timeline = episode.timeline();
    let world = timeline.world();
    let witness = warning.map(|w| w.witness.as_slice()).unwrap_or_default();
    let steps = witness.iter().map(|&pos| {
        let did = timeline
            .action(pos)
            .map_or_else(|| "start".to_owned(), |did| action(world, did));
        Line::new("", format!("s{} {did}", pos.0)).to(Follow::Step(pos))
    });
    steps.collect()
}

/// Actions that would break it next. They are told, not offered.
fn breaks(episode: &Episode, warning: Option<&Warning>) -> Vec<Line> {
    let world = episode.timeline().world();
    let breaks = warning.map(|w| w.breaks.as_slice()).unwrap_or_default();
    let lines = breaks.iter().map(|&it| {
        let note = match world.check(it) {
            Ok(_) => "⚠ would break it now".to_owned(),
            Err(r) => format!("⚠ as an attempt, too; now refused {}", r.kind.letter()),
        };
        Line::new("", action(world, it)).note(note)
    });
    lines.collect()
}

/// How it stood along the way, steps of one standing taken together: `s0–s3 ◇ ─ ●s4 ✗`.
fn rail(episode: &Episode, history: &[(Pos, Standing)]) -> Vec<Line> {
    let mut parts: Vec<(Pos, Pos, Standing)> = Vec::new();
    for &(pos, standing) in history {
        let same = |a: Standing, b: Standing| warnings::id(a) == warnings::id(b);
        match parts.last_mut() {
            Some((_, to, known)) if same(*known, standing) => (*to, *known) = (pos, standing),
            _ => parts.push((pos, pos, standing)),
        }
    }
    let here = episode.here();
    let earlier = history.first().filter(|(pos, _)| *pos != Pos::START);
    let earlier = earlier.map(|(pos, _)| format!("before s{} …", pos.0));
    let stood = parts.iter().map(|&(from, to, standing)| {
        let sign = warnings::sign(standing);
        let now = if to == here { "●" } else { "" };
        if from == to {
            format!("{now}s{} {sign}", to.0)
        } else {
            format!("s{}–{now}s{} {sign}", from.0, to.0)
        }
    });
    let mut lines: Vec<String> = Vec::new();
    for word in earlier.into_iter().chain(stood) {
        match lines.last_mut() {
            Some(line) if text::width(line) + 3 + text::width(&word) <= WIDE => {
                line.push_str(" ─ ");
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    let turned = parts.last().map(|(from, ..)| *from);
    let to = |line: Line| match turned {
        Some(pos) => line.to(Follow::Step(pos)),
        None => line,
    };
    lines
        .into_iter()
        .map(|line| to(Line::new("", line)))
        .collect()
}

/// Which of several bindings this is.
fn others(all: &[Warning], instance: &Instance) -> Vec<Line> {
    let same = siblings(all, instance);
    if same.len() < 2 {
        return Vec::new();
    }
    let at = same.iter().position(|it| it == instance).unwrap_or(0);
    let text = format!("{} of {}   n shows the next", at + 1, same.len());
    vec![Line::new("binding", text)]
}

/// The instances of the same rule that have something to say, this one among them.
fn siblings(all: &[Warning], instance: &Instance) -> Vec<Instance> {
    let of_rule = |w: &&Warning| w.instance.rule == instance.rule;
    let mut same: Vec<Instance> = all.iter().filter(of_rule).map(|w| w.instance).collect();
    if !same.contains(instance) {
        same.push(*instance);
    }
    same.sort_unstable();
    same
}

/// The binding after or before this one; `None` if there is no other.
pub fn beside(all: &[Warning], instance: &Instance, forward: bool) -> Option<Instance> {
    let same = siblings(all, instance);
    let at = same.iter().position(|it| it == instance)?;
    let by = if forward { 1 } else { same.len() - 1 };
    let next = same.get((at + by) % same.len())?;
    (next != instance).then_some(*next)
}

/// The rules that speak of a node where the episode stands, for its detail.
pub fn about_node(episode: &mut Episode, node: Ix) -> Vec<Line> {
    let all = episode.warnings_ahead();
    let world = episode.timeline().world();
    let speaks = |w: &&Warning| {
        let loud = !matches!(w.standing, Standing::Idle | Standing::Silenced);
        loud && w.bindings.iter().any(|(_, ix)| *ix == node)
    };
    let rows = all.iter().filter(speaks).map(|w| {
        let rule: &Arc<Rule> = &w.rule;
        let text = format!(
            "{} {}  {}",
            warnings::sign(w.standing),
            rule.id,
            warnings::title(rule)
        );
        Line::new("", text)
            .note(note(world, node, w))
            .to(Follow::Rule(w.instance))
    });
    labelled("rules", rows)
}

/// `!4 with fork, s0`: weight, the other nodes, since when.
fn note(world: &World, node: Ix, warning: &Warning) -> String {
    let others: Vec<&str> = warning
        .bindings
        .iter()
        .filter(|(_, ix)| *ix != node)
        .map(|(_, ix)| name(world, *ix))
        .collect();
    let with = if others.is_empty() {
        String::new()
    } else {
        format!("with {} ", others.join(", "))
    };
    format!("!{} {with}s{}–", warning.rule.severity, warning.since.0)
}

/// The rules a refused attempt would break all the same.
pub fn attempt(episode: &mut Episode, it: Action) -> Vec<Line> {
    let beside = warnings::Beside {
        all: &episode.warnings(),
        near: &[],
        muted: &BTreeSet::new(),
    };
    let told = warnings::told(episode, it, beside);
    let breaches = told.iter().filter(|t| t.is_breach());
    let lines = breaches.map(|t| {
        Line::new("", format!("{} !{}", t.short(), t.severity))
            .note(t.reason())
            .to(Follow::Rule(t.instance))
    });
    labelled("breaks", lines)
}

/// What must still be made good before the run may be called done; the first line ends it all the same.
pub fn before_the_end(episode: &Episode, open: &[Warning]) -> Why {
    let world = episode.timeline().world();
    let n = open.len();
    let stand = if n == 1 {
        "1 rule stands"
    } else {
        "rules stand"
    };
    let count = if n == 1 {
        String::new()
    } else {
        format!("{n} ")
    };
    let mut lines = vec![
        Line::new("done", "end the run here all the same")
            .note("Enter")
            .to(Follow::Finish),
        Line::new(
            "",
            format!("{count}{stand} open and would be broken by the end:"),
        ),
    ];
    lines.extend(open.iter().map(|w| {
        let rule = &w.rule;
        let text = format!(
            "{} {} !{} {}",
            warnings::sign(w.standing),
            rule.id,
            rule.severity,
            warnings::title(rule)
        );
        Line::new("", text)
            .note(warnings::nodes(world, &w.bindings))
            .to(Follow::Rule(w.instance))
    }));
    Why {
        heading: "Done?".to_owned(),
        lines,
    }
}
