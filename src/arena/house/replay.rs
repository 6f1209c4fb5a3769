//! An arena played again: every cell, every certificate.

use crate::arena::house::committee::Committee;
use crate::arena::house::fair;
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Red, Response};
use crate::arena::house::record::{Entry, Record};
use crate::arena::house::red;
use crate::plan::branching::{Program, read};

/// What does not come out as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The candidate.
    pub candidate: String,
    /// The response; empty where the candidate itself cannot be played.
    pub response: String,
    /// What is different.
    pub what: String,
}

/// What was played again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Cells.
    pub cells: usize,
    /// Certificates.
    pub certificates: usize,
    /// What came out differently.
    pub differences: Vec<Difference>,
}

/// The candidate of an entry, its plan read against the scene.
///
/// # Errors
/// What is wrong with the plan, with its line.
pub fn candidate(ground: &Ground, entry: &Entry) -> Result<Candidate, String> {
    let setup = ground.setup();
    let plan = read(&setup.scene, &setup.book, &entry.plan.join("\n"));
    Ok(Candidate {
        name: entry.name.clone(),
        origin: entry.origin.clone(),
        plan: plan.map_err(|d| format!("the plan of {}: {d}", entry.name))?,
    })
}

/// What decided an arena, held again: which parts of the record come out differently, by name. Scores, claims and the choice
/// are not cells, and a cell that was taken out leaves none behind; this sees both. `None` where agents sat at the table or a
/// plan was handed in that cannot be read: then only cells can be played again.
///
/// # Errors
/// RED's level is not known.
pub fn again(ground: &mut Ground, record: &Record) -> Result<Option<Vec<&'static str>>, String> {
    let level = red::level(&record.settings.level)
        .ok_or_else(|| format!("RED has no level {:?}", record.settings.level))?;
    if !record.agents.is_empty() {
        return Ok(None);
    }
    let first = record.candidates.iter().filter(|e| e.round == 0);
    let proposals: Result<Vec<_>, String> = first
        .map(|e| Ok((candidate(ground, e)?, e.words.clone())))
        .collect();
    let Ok(proposals) = proposals else {
        return Ok(None);
    };
    let committee = Committee::new(ground, &record.settings, level);
    let held = committee.hold(proposals, &mut |_| true);
    let parts = [
        ("candidates", held.candidates == record.candidates),
        ("responses", held.responses == record.responses),
        ("cells", held.cells == record.cells),
        ("claims", held.claims == record.claims),
        ("rounds", held.rounds == record.rounds),
        ("choice", held.choice == record.choice),
    ];
    let differ = parts.iter().filter(|(_, same)| !same);
    Ok(Some(differ.map(|(name, _)| *name).collect()))
}

/// Plays all cells of a record again, and its certificates.
pub fn replay(ground: &mut Ground, record: &Record) -> Replayed {
    let mut all = Replayed::default();
    let mut programs: Vec<(&str, Program)> = Vec::new();
    for entry in &record.candidates {
        match candidate(ground, entry) {
            Ok(it) => programs.push((&entry.name, Program::new(&it.plan))),
            Err(what) => all.differences.push(Difference {
                candidate: entry.name.clone(),
                response: String::new(),
                what,
            }),
        }
    }
    let silent = Response::nothing();
    for cell in record.cells.iter().map(|p| &p.cell) {
        let program = programs.iter().find(|(name, _)| *name == cell.candidate);
        let (Some((_, program)), Some(response)) = (program, record.response(&cell.response))
        else {
            continue;
        };
        all.cells += 1;
        let mut differ = |what: String| {
            all.differences.push(Difference {
                candidate: cell.candidate.clone(),
                response: cell.response.clone(),
                what,
            });
        };
        // Where RED passed, the outcome is that of the plan alone.
        let played = if cell.red == Red::Passed {
            &silent
        } else {
            response
        };
        match ground.bind(played) {
            Err(why) => differ(why),
            Ok(bound) => {
                let outcome = ground.outcome(program, &bound);
                if outcome != cell.outcome {
                    let (was, is) = (&cell.outcome, &outcome);
                    differ(format!(
                        "recorded {} of success, {} of safety, {} steps, hash {}; played {}, {}, {}, {}",
                        was.success,
                        was.safety,
                        was.steps,
                        was.hash,
                        is.success,
                        is.safety,
                        is.steps,
                        is.hash
                    ));
                }
            }
        }
        for certificate in &cell.certificates {
            all.certificates += 1;
            if !fair::holds(ground, program, response, certificate) {
                all.differences.push(Difference {
                    candidate: cell.candidate.clone(),
                    response: cell.response.clone(),
                    what: format!("its certificate {} does not hold", certificate.at),
                });
            }
        }
    }
    all
}
