//! Whether a chain can be followed: its steps have their own numbers, wait for steps that are there, and in no circle.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::arena::advplan::model::ChainStep;
use crate::base::diag::Diagnostic;

/// The most steps of a circle that a message names.
const SHOWN: usize = 12;

/// Checks a chain.
///
/// # Errors
/// The first thing that keeps it from being followed, with its field.
pub(super) fn check(chain: &[ChainStep]) -> Result<(), Diagnostic> {
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    for (at, step) in chain.iter().enumerate() {
        let number = step.step_index;
        if let Some(first) = places.insert(number, at) {
            return Err(Diagnostic::error(
                format!("chain[{at}].step_index"),
                format!("chain[{first}] has the number {number} as well"),
            )
            .help("number the steps from 0, each once"));
        }
    }
    let mut waits: Vec<Vec<usize>> = Vec::with_capacity(chain.len());
    for (at, step) in chain.iter().enumerate() {
        let mut for_these = Vec::with_capacity(step.depends_on.len());
        for (k, number) in step.depends_on.iter().enumerate() {
            let Some(place) = places.get(number) else {
                return Err(Diagnostic::error(
                    format!("chain[{at}].depends_on[{k}]"),
                    format!("no step has the number {number}"),
                )
                .help("name the step_index of a step of this plan"));
            };
            for_these.push(*place);
        }
        waits.push(for_these);
    }
    let Some(circle) = circle(&waits) else {
        return Ok(());
    };
    let number = |at: &usize| chain.get(*at).map_or(0, |s| s.step_index);
    let mut told = String::new();
    for at in circle.iter().take(SHOWN) {
        let _ = write!(told, "{} → ", number(at));
    }
    if circle.len() > SHOWN {
        let _ = write!(told, "… ({} steps) → ", circle.len());
    }
    let first = circle.first().copied().unwrap_or_default();
    let _ = write!(told, "{}", number(&first));
    Err(Diagnostic::error(
        format!("chain[{first}].depends_on"),
        format!("the steps wait for each other: {told}"),
    )
    .help("take one of these dependencies away"))
}

/// The first circle among places that wait for places, begun where it is entered. No recursion: chains may be long.
fn circle(waits: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut done = vec![false; waits.len()];
    let mut open = vec![false; waits.len()];
    for start in 0..waits.len() {
        if done.get(start).copied().unwrap_or(true) {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        if let Some(flag) = open.get_mut(start) {
            *flag = true;
        }
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            let Some(&to) = waits.get(at).and_then(|w| w.get(*next)) else {
                path.pop();
                if let (Some(open), Some(done)) = (open.get_mut(at), done.get_mut(at)) {
                    (*open, *done) = (false, true);
                }
                continue;
            };
            *next += 1;
            if open.get(to).copied().unwrap_or_default() {
                let steps = path.iter().map(|(at, _)| *at);
                return Some(steps.skip_while(|at| *at != to).collect());
            }
            if !done.get(to).copied().unwrap_or(true) {
                if let Some(flag) = open.get_mut(to) {
                    *flag = true;
                }
                path.push((to, 0));
            }
        }
    }
    None
}
