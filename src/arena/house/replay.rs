//! An arena played again: every cell, every certificate.

use crate::arena::house::fair;
use crate::arena::house::ground::Ground;
use crate::arena::house::model::{Candidate, Red, Response};
use crate::arena::house::record::{Entry, Record};
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
