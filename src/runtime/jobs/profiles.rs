//! The job that plays the examples of the differences between the profiles.

use std::sync::Arc;

use crate::app::jobs::Reply;
use crate::app::profiles::{Contrast, Line, Played};
use crate::formats::DIALECTS;
use crate::sim::profile::{Difference, Profile};
use crate::sim::scene::Scene;
use crate::store::shipped;
use crate::task::contrast::{Shown, show};

/// Every difference with its example played under both profiles.
pub(super) fn contrasts() -> Result<Reply, String> {
    let mut all = Vec::new();
    for dialect in DIALECTS {
        let base = shipped::sample(dialect).map_err(|d| d.to_string())?;
        for it in dialect.differences() {
            all.push(contrast(it, &base)?);
        }
    }
    Ok(Reply::Contrasts(Arc::new(all)))
}

fn contrast(it: &'static Difference, base: &Scene) -> Result<Contrast, String> {
    let played: Result<Vec<Played>, String> = Profile::ALL
        .iter()
        .map(|&profile| show(it, base, profile).map(played))
        .collect();
    Ok(Contrast {
        id: it.id,
        title: it.title,
        eai: it.eai,
        strict: it.strict,
        why: it.why,
        given: it.example.init,
        played: played?,
    })
}

fn played(shown: Shown) -> Played {
    let step = |told: crate::task::contrast::Told| Line {
        good: told.done,
        text: told.line.to_owned(),
        note: told.said.map_or_else(String::new, |(kind, why)| {
            if why.is_empty() {
                kind.words().to_owned()
            } else {
                format!("{} {why}", kind.letter())
            }
        }),
    };
    let fact = |(text, holds): (&str, bool)| Line {
        good: holds,
        text: text.to_owned(),
        note: String::new(),
    };
    Played {
        profile: shown.profile.id(),
        steps: shown.steps.into_iter().map(step).collect(),
        facts: shown.facts.into_iter().map(fact).collect(),
    }
}
