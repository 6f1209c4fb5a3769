//! Recorded draws: of the generator alone, of resampling, and every call of one base seed in order.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use serde_json::{Value, json};

use crate::arena::advplan::bootstrap::Resampler;
use crate::arena::advplan::corpus::{FIRST, corpus};
use crate::arena::advplan::council;
use crate::arena::advplan::offline;
use crate::arena::advplan::python::{Call, Dice, Draw, Random};
use crate::arena::advplan::respond::Responder;
use crate::cli::conform::Report;
use crate::cli::conform::advplan::{Count, json as read};

/// What a recorded list of draws is made by, from its name.
fn draw(name: &str, g: &mut Random) -> Option<Value> {
    let (kind, rest) = name.split_once('_').unwrap_or((name, ""));
    let ends = || rest.split_once('_');
    let whole = |text: &str| text.parse::<u32>().ok();
    let float = |text: &str| text.parse::<f64>().ok();
    Some(match kind {
        "getrandbits32" => json!(g.word()),
        "random" => json!(g.random()),
        "uniform" => {
            let (a, b) = ends()?;
            json!(g.uniform(float(a)?, float(b)?))
        }
        "randint" => {
            let (a, b) = ends()?;
            json!(g.randint(whole(a)?, whole(b)?))
        }
        "choice" => json!(g.choice(whole(rest.strip_prefix("index_range")?)? as usize)),
        "sample" => {
            let (n, k) = ends()?;
            json!(g.sample(
                whole(n.strip_prefix("range")?)?,
                whole(k.strip_prefix('k')?)?
            ))
        }
        "mixed" => json!([
            g.choice(5),
            g.choice(6),
            g.uniform(0.0, 100.0),
            g.randint(1, 10)
        ]),
        _ => return None,
    })
}

/// The whole list a recording's name stands for.
fn drawn(name: &str, n: usize, seed: u64) -> Option<Vec<Value>> {
    let mut g = Random::new(seed);
    if let Some(range) = name.strip_prefix("shuffle_range") {
        let mut items: Vec<u32> = (0..range.parse().ok()?).collect();
        g.shuffle(&mut items);
        return Some(items.into_iter().map(Value::from).collect());
    }
    (0..n).map(|_| draw(name, &mut g)).collect()
}

/// Equal as numbers; a whole number equals the float of the same value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| same(x, y))
        }
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// Compares `rng.json`.
pub(super) fn generator(dir: &Path, report: &mut Report) -> Result<()> {
    let Some((shown, value)) = read(dir, "rng.json", report)? else {
        return Ok(());
    };
    let mut count = Count::default();
    for (seed, lists) in value.as_object().into_iter().flatten() {
        let number: u64 = seed
            .parse()
            .with_context(|| format!("{shown}: seed {seed:?}"))?;
        for (name, theirs) in lists.as_object().into_iter().flatten() {
            let theirs = theirs.as_array().map(Vec::as_slice).unwrap_or_default();
            let ours = drawn(name, theirs.len(), number)
                .ok_or_else(|| anyhow!("{shown} {seed}.{name}: is no draw we know"))?;
            for (i, (x, y)) in theirs.iter().zip(&ours).enumerate() {
                if !count.add(same(x, y)) {
                    report.differ(|| format!("{shown} {seed}.{name}[{i}]: recorded {x}, got {y}"));
                }
            }
        }
    }
    count.told(report, "rng.json", "draws");
    Ok(())
}

/// Compares `bootstrap_rng.json`: names are `n50_first40_indices`.
pub(super) fn resampling(dir: &Path, report: &mut Report) -> Result<()> {
    let Some((shown, value)) = read(dir, "bootstrap_rng.json", report)? else {
        return Ok(());
    };
    let (mut count, mut resampler) = (Count::default(), Resampler::default());
    for (name, theirs) in value.as_object().into_iter().flatten() {
        // The length of a sample is in the name, or there is only a remark.
        let n = name.strip_prefix('n').and_then(|rest| rest.split_once('_'));
        let Some(n) = n.and_then(|(n, _)| n.parse().ok()) else {
            continue;
        };
        let ours = resampler.draws(n);
        let theirs = theirs.as_array().map(Vec::as_slice).unwrap_or_default();
        for (i, x) in theirs.iter().enumerate() {
            let y = ours.get(i).copied();
            if !count.add(x.as_u64() == y.map(u64::from)) {
                report.differ(|| format!("{shown} {name}[{i}]: recorded {x}, got {y:?}"));
            }
        }
    }
    count.told(report, "bootstrap_rng.json", "indices");
    Ok(())
}

/// A draw as the recordings write it.
fn written(draw: &Draw) -> Value {
    let n = draw.generator;
    match draw.call {
        Call::Seed(seed) => json!([n, "seed", [seed], null]),
        Call::Uniform(a, b, x) => json!([n, "uniform", [a, b], x]),
        Call::Choice(len, index) => json!([n, "choice", [len], index]),
        Call::Randint(a, b, x) => json!([n, "randint", [a, b], x]),
    }
}

/// Compares `rng_calltrace_seed100.json`: every call of the corpus, and per scenario of two responses, the contract and
/// the council.
pub(super) fn calls(dir: &Path, report: &mut Report) -> Result<()> {
    let Some((shown, value)) = read(dir, "rng_calltrace_seed100.json", report)? else {
        return Ok(());
    };
    let mut count = Count::default();
    let dice = Dice::listening();
    let scenarios = corpus(&dice, FIRST);
    let mut parts = vec![(format!("make_scenario_corpus({FIRST})"), dice.heard())];
    for s in &scenarios {
        let (id, red) = (&s.profile.scenario_id, &s.game_state.red_assets);
        let blue = s
            .seed_coas
            .first()
            .ok_or_else(|| anyhow!("{id} has no plan"))?;
        Responder::new(blue, red).samples(&mut dice.open(FIRST), 2);
        parts.push((format!("{id}/red_k2"), dice.heard()));
        offline::respond(&dice, FIRST, blue, red);
        parts.push((format!("{id}/llm"), dice.heard()));
        council::hold(&dice, FIRST, &s.seed_coas, red);
        parts.push((format!("{id}/council"), dice.heard()));
    }
    for (name, theirs) in value.as_object().into_iter().flatten() {
        let ours = parts.iter().find(|(own, _)| own == name);
        let ours = ours.map(|(_, draws)| draws.as_slice()).unwrap_or_default();
        let theirs = theirs.as_array().map(Vec::as_slice).unwrap_or_default();
        for i in 0..theirs.len().max(ours.len()) {
            let x = theirs.get(i).unwrap_or(&Value::Null);
            let y = ours.get(i).map_or(Value::Null, written);
            if !count.add(same(x, &y)) {
                report.differ(|| format!("{shown} {name}[{i}]: recorded {x}, got {y}"));
            }
        }
    }
    count.told(report, "rng_calltrace_seed100.json", "calls");
    Ok(())
}
