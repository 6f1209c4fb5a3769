//! The attached run in words: its title, its numbers, and all of it as text.

use crate::app::layer::{Fact, Title};
use crate::app::live::{self, Status};
use crate::app::parts::{goals, warnings};
use crate::app::role::Role;
use crate::app::screens::play::ahead::{Ahead, outcome};
use crate::app::screens::play::you;

use super::Run;

/// What it is about, and how it stands.
pub(super) fn title(run: &Run, narrow: bool) -> Title {
    let task = &run.episode.setup().task;
    let status = run.status();
    let tail: String = {
        let skip = run.id.chars().count().saturating_sub(4);
        run.id.chars().skip(skip).collect()
    };
    let mut facts = Vec::new();
    if let Some(until) = run.until.filter(|_| status == Status::Held) {
        let left = live::left(until.saturating_sub(run.now));
        let then = if run.tracker.hold.ends_with("pass") {
            "pass"
        } else {
            "veto"
        };
        facts.push(Fact::new(format!("{left} to {then}"), Role::Pending));
    }
    let badge = run.badge();
    let badge = match status {
        Status::Held | Status::Paused => format!("{badge} before s{}", run.step() + 1),
        Status::Stalled => format!("{badge} since event {}", run.tracker.seq),
        _ => badge,
    };
    facts.push(Fact::new(badge, status.role()));
    if !narrow {
        facts.push(Fact::new(run.profile.clone(), Role::Text));
    }
    Title {
        subject: format!("{} {}  run {tail}", task.id, run.agent),
        facts,
    }
}

/// The numbers of the run, a label and its value each.
pub fn numbers(run: &Run) -> Vec<(&'static str, String)> {
    let t = &run.tracker;
    let spent = &t.spent;
    let mut all = vec![
        ("turns", format!("{}   refused {}", t.turns, t.refused)),
        (
            "tokens",
            format!(
                "{} in {} out",
                live::thousands(spent.tokens_in),
                live::thousands(spent.tokens_out)
            ),
        ),
        ("cost", {
            let cost = match spent.cost {
                None => "–".to_owned(),
                Some(cost) => format!("${cost:.3}"),
            };
            match spent.total_ms.checked_div(t.calls.into()) {
                None => cost,
                Some(each) => format!("{cost}   {}.{} s/turn", each / 1_000, each % 1_000 / 100),
            }
        }),
        ("vetoes", format!("{}   messages {}", t.vetoes, t.messages)),
        ("trial", format!("{} of {}", t.trial, run.trials)),
        ("hold", t.hold.clone()),
    ];
    if run.status() == Status::Live {
        let age = run.now.saturating_sub(run.heard);
        all.push(("heard", format!("{} ago", live::ago(age))));
    }
    all
}

/// What the agent does now, where no act waits: `thinking 2 s`, or what has come of its reply.
pub fn now(run: &Run) -> Option<String> {
    let t = &run.tracker;
    let age = run.now.saturating_sub(run.heard);
    match run.status() {
        Status::Hand => {
            Some("you act: a types an act, Tab goes to what can be done, T hands back".to_owned())
        }
        Status::Stalled if run.running => Some(format!(
            "silent for {}, after event {}",
            live::ago(age),
            t.seq
        )),
        Status::Stalled => Some(format!(
            "nobody plays it, after event {}: vesta resume {} goes on",
            t.seq, run.id
        )),
        Status::Ended => Some(format!("{}   q leaves", outcome(&run.episode))),
        Status::Live if t.asking && t.stream().is_empty() => {
            Some(format!("thinking {}", live::ago(age)))
        }
        _ => None,
    }
}

/// All of it as text, what waits first.
pub(super) fn plain(run: &Run) -> Vec<String> {
    let task = &run.episode.setup().task;
    let mut lines = vec![format!(
        "attach {} {}, run {}, {}, step {}, profile {}",
        task.id,
        run.agent,
        run.id,
        run.status().word().to_lowercase(),
        run.step(),
        run.profile
    )];
    if let Some(act) = run.pending() {
        lines.push(format!("waits: {act}"));
    }
    if let Some((_, ahead)) = &run.ahead {
        match ahead {
            Ahead::Would(would) => {
                let changes = would.rows.iter().filter(|row| !row.quiet);
                lines.extend(
                    changes.map(|row| format!("would {} {}", row.sign.glyph().word, row.text)),
                );
            }
            Ahead::Refused(refused) => lines.push(format!("would be refused: {}", refused.reason)),
            Ahead::End(end) => lines.push(end.words.clone()),
            Ahead::Nothing => {}
        }
        lines.extend(ahead.told().iter().map(warnings::Told::plain));
    }
    lines.extend(now(run));
    let of = |success: bool| run.goals.iter().filter(|g| g.success == success).count();
    lines.extend(run.goals.iter().map(|goal| goal.plain(of(goal.success))));
    lines.push(format!("goals {}", goals::count(&run.goals)));
    lines.extend(run.rows.iter().filter(|row| !row.muted).map(|row| {
        format!(
            "{} {} !{}: {}",
            warnings::word(row.standing),
            row.rule.id,
            row.rule.severity,
            row.words()
        )
    }));
    lines.push(you(run.shown()));
    lines.extend(
        numbers(run)
            .into_iter()
            .map(|(label, text)| format!("{label} {text}")),
    );
    lines.extend(run.turns.iter().map(|turn| {
        let text = format!("{} {}   {}", turn.at, turn.text, turn.mark);
        text.trim().to_owned()
    }));
    lines.extend(run.fault.iter().map(|fault| format!("error: {fault}")));
    lines
}
