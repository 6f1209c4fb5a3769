//! Arenas of typed plans told and computed anew: a file, or the folder that `vesta advplan bench` wrote.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use crate::arena::advplan::file::again::{Again, again};
use crate::arena::advplan::file::weigh::{Differs, Weighed, differences, fronts};
use crate::arena::advplan::file::{Entry, TypedArena};
use crate::arena::frontier::pareto::Standing;
use crate::base::figures::figure;
use crate::base::text;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::store::typed;

/// The columns of the list: the head and the figure.
const COLUMNS: [(&str, &str); 6] = [
    ("p", "payoff"),
    ("D", "alignment"),
    ("d", "proxy"),
    ("O", "path_optionality"),
    ("P_V", "vertex_parsimony"),
    ("W", "worldline_completion"),
];

/// How many differences are told one by one.
pub(super) const TOLD: usize = 20;

/// Lists the plans of a file with their figures. What the file says otherwise is told below each plan.
///
/// # Errors
/// It cannot be read.
pub(in crate::cli) fn show(path: &Path, as_json: bool, out: &mut Out) -> Result<Exit> {
    let arena = typed::read(path)?;
    let weighed: Vec<Weighed> = arena.plans.iter().map(|e| Weighed::of(&e.plan)).collect();
    let standing = fronts(&arena, &weighed);
    let rows = || arena.plans.iter().zip(&weighed).zip(&standing);
    if as_json {
        let plans = rows().map(|((e, w), s)| object(&arena, e, w, s));
        out.json(&json!({
            "scenario": arena.scenario, "assets": arena.assets, "plans": plans.collect::<Vec<_>>(),
        }))?;
        return Ok(Exit::Fine);
    }
    let differ = rows()
        .map(|((e, w), _)| differences(e, w).len())
        .sum::<usize>();
    out.line(&heading(&arena, differ))?;
    let width = arena.plans.iter().map(|e| e.id.chars().count()).max();
    let width = width.unwrap_or_default().clamp(4, 40);
    let heads: Vec<String> = COLUMNS.iter().map(|(h, _)| format!("{h:>7}")).collect();
    let heads = heads.concat();
    out.line(&format!("   {} side   {heads}", text::pad("plan", width)))?;
    for ((entry, w), standing) in rows() {
        let mark = match standing {
            Standing::Front => '■',
            Standing::Dominated(_) => '□',
            Standing::Unscored => '?',
        };
        let figures: Vec<String> = COLUMNS
            .iter()
            .map(|(_, name)| format!("{:>7}", figure(w.get(name), 3)))
            .collect();
        let figures = figures.concat();
        out.line(&format!(
            " {mark} {} {} {figures}",
            text::pad(&entry.id, width),
            text::pad(entry.plan.force.name(), 7),
        ))?;
        for d in differences(entry, w) {
            out.line(&format!("     ≠ {}", d.words()))?;
        }
    }
    out.line(
        " ■ on the front of p and D among the plans of its side   □ behind   ? not to be compared",
    )?;
    Ok(Exit::Fine)
}

fn heading(arena: &TypedArena, differ: usize) -> String {
    let scenario = match (arena.headed, arena.scenario.as_str()) {
        (true, "") => "typed plans".to_owned(),
        (true, words) => words.to_owned(),
        (false, _) => "typed plans of the benchmark".to_owned(),
    };
    let told = match differ {
        0 => "what the file says follows from the plans".to_owned(),
        n => format!("{n} figures in the file do not follow from the plans (≠)"),
    };
    let (plans, assets) = (arena.plans.len(), arena.assets.len());
    let assets = if assets == 0 {
        String::new()
    } else {
        format!(", {assets} assets")
    };
    format!("{scenario}: {plans} plans{assets}; {told}")
}

/// A score for programs: what is not finite as text.
fn score(x: f64) -> Value {
    match x {
        x if x.is_nan() => "NaN".into(),
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        x => x.into(),
    }
}

fn differing(all: &[Differs]) -> Vec<Value> {
    all.iter()
        .map(|d| json!({"figure": d.name, "said": score(d.said), "computed": score(d.ours)}))
        .collect()
}

fn object(arena: &TypedArena, entry: &Entry, w: &Weighed, standing: &Standing) -> Value {
    let figures: serde_json::Map<String, Value> = COLUMNS
        .iter()
        .map(|(_, name)| ((*name).to_owned(), score(w.get(name))))
        .collect();
    let (on, by) = match standing {
        Standing::Front => ("front", None),
        Standing::Dominated(by) => ("behind", arena.plans.get(*by).map(|e| e.id.as_str())),
        Standing::Unscored => ("unscored", None),
    };
    json!({
        "id": entry.id, "line": entry.line, "side": entry.plan.force,
        "quality": score(entry.plan.quality_score), "figures": figures, "standing": on, "dominated_by": by,
        "differs": differing(&differences(entry, w)),
    })
}

/// Computes every figure of a file anew; plans of the benchmark are made again by their ids. What differs is a finding.
///
/// # Errors
/// It cannot be read.
pub(in crate::cli) fn verify(path: &Path, as_json: bool, out: &mut Out) -> Result<Exit> {
    let arena = typed::read(path)?;
    let made = if arena.headed {
        Vec::new()
    } else {
        again(&arena)
    };
    let mut figures = 0;
    let mut faults: Vec<(&Entry, String)> = Vec::new();
    let mut objects = Vec::new();
    for (at, entry) in arena.plans.iter().enumerate() {
        figures += entry.said.len() + usize::from(entry.plan.components.is_some());
        let found = differences(entry, &Weighed::of(&entry.plan));
        faults.extend(found.iter().map(|d| (entry, d.words())));
        let other = made.get(at).and_then(Again::words);
        if as_json && (other.is_some() || !found.is_empty()) {
            objects.push(json!({
                "id": entry.id, "line": entry.line, "differs": differing(&found), "plan": other,
            }));
        }
        faults.extend(other.map(|words| (entry, words)));
    }
    let plans = arena.plans.len();
    if as_json {
        out.json(&json!({"plans": plans, "figures": figures, "differences": objects}))?;
    } else {
        for (entry, words) in faults.iter().take(TOLD) {
            out.line(&format!("  ≠ line {} {}: {words}", entry.line, entry.id))?;
        }
        if let Some(more) = faults.len().checked_sub(TOLD).filter(|n| *n > 0) {
            out.line(&format!("  and {more} more"))?;
        }
        let what = if arena.headed { "," } else { " made again," };
        let n = faults.len();
        let verdict = if n == 0 {
            "replayed ✓ digits".to_owned()
        } else {
            format!("replayed ✗ {n} differ")
        };
        out.line(&format!(
            "{verdict}: {plans} plans{what} {figures} figures computed anew"
        ))?;
    }
    Ok(if faults.is_empty() {
        Exit::Fine
    } else {
        Exit::Finding
    })
}
