//! `vesta profiles`: in what the profiles differ, each difference with its example played under both.

use anyhow::bail;
use serde_json::{Value, json};

use crate::base::text;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::formats::DIALECTS;
use crate::plan::names::nearest;
use crate::sim::profile::{Difference, Profile};
use crate::store::shipped;
use crate::task::contrast::{Shown, Told, show};

/// Flags of `vesta profiles`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these differences, by id: closed-doors
    ids: Vec<String>,
    /// Print a JSON array, one object and line a difference
    #[arg(long)]
    json: bool,
}

/// Lists and shows. An example that shows no difference is a finding.
///
/// # Errors
/// There is no such difference, or an example does not fit its scene.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    let mut exit = Exit::Fine;
    let mut all = Vec::new();
    let known = || DIALECTS.iter().flat_map(|d| d.differences()).map(|d| d.id);
    if let Some(odd) = args.ids.iter().find(|id| !known().any(|k| k == **id)) {
        match nearest(odd, known()) {
            Some(meant) => bail!("no difference is called {odd:?}; did you mean {meant}?"),
            None => bail!("no difference is called {odd:?}; vesta profiles lists them"),
        }
    }
    for dialect in DIALECTS {
        let base = shipped::sample(dialect)?;
        let wanted = |d: &&Difference| args.ids.is_empty() || args.ids.iter().any(|i| i == d.id);
        for it in dialect.differences().filter(wanted) {
            let both = Profile::ALL
                .iter()
                .map(|&p| show(it, &base, p))
                .collect::<Result<Vec<_>, _>>()
                .map_err(anyhow::Error::msg)?;
            if both.windows(2).any(|pair| pair[0].is_same(&pair[1])) {
                exit = Exit::Finding;
            }
            if args.json {
                all.push(object(dialect.id, it, &both));
            } else {
                print(it, &both, out)?;
            }
        }
        if !args.json && args.ids.is_empty() {
            let n = dialect.differences().count();
            out.line(&format!(
                "{}: strict differs from eai in {n} points",
                dialect.id
            ))?;
        }
    }
    if args.json {
        out.json_list(&all)?;
    }
    Ok(exit)
}

fn print(it: &Difference, both: &[Shown], out: &mut Out) -> std::io::Result<()> {
    let quirks: Vec<String> = it.quirks.iter().map(|q| format!("Q{q}")).collect();
    let quirks = match quirks.as_slice() {
        [] => String::new(),
        some => format!(" ({})", some.join(", ")),
    };
    out.line(&format!("{}: {}{quirks}", it.id, it.title))?;
    let mut row =
        |label: &str, words: &str| out.line(&format!("  {} {words}", text::pad(label, 7)));
    row("eai", it.eai)?;
    row("strict", it.strict)?;
    row("why", it.why)?;
    for fact in it.example.init {
        row("given", fact)?;
    }
    for shown in both {
        row("", &format!("under {}", shown.profile.id()))?;
        for step in &shown.steps {
            row("", &format!("  {}", words(step)))?;
        }
        for (fact, holds) in &shown.facts {
            row("", &format!("  {} {fact}", if *holds { "●" } else { "○" }))?;
        }
    }
    out.line("")
}

fn words(step: &Told) -> String {
    let mark = if step.done { "✓" } else { "✗" };
    match &step.said {
        None => format!("{mark} {}", step.line),
        Some((kind, why)) => format!("{mark} {}: {}, {why}", step.line, kind.words()),
    }
}

fn object(dialect: &str, it: &Difference, both: &[Shown]) -> Value {
    let step = |t: &Told| {
        json!({
            "action": t.line,
            "done": t.done,
            "kind": t.said.as_ref().map(|s| s.0.name()),
            "reason": t.said.as_ref().map(|s| &s.1),
        })
    };
    let mut example = json!({ "init": it.example.init });
    for shown in both {
        example[shown.profile.id()] = json!({
            "steps": shown.steps.iter().map(step).collect::<Vec<_>>(),
            "facts": shown.facts.iter().map(|(fact, holds)| json!({"fact": fact, "holds": holds})).collect::<Vec<_>>(),
        });
    }
    json!({
        "id": it.id,
        "dialect": dialect,
        "title": it.title,
        "quirks": it.quirks,
        "eai": it.eai,
        "strict": it.strict,
        "why": it.why,
        "example": example,
    })
}
