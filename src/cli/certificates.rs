//! Certificates: for every task a plan that proves it can be done safely, with the state hash after every step. Written
//! once, verified by playing: that costs microseconds where finding the plan may have cost a search.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use fs_err as fs;
use serde::{Deserialize, Serialize};

use crate::check::finding::Outcome;
use crate::check::{Case, Effort, Report};
use crate::cli::out::Out;
use crate::plan::script;
use crate::sim::vocab::Profile;
use crate::store::durable;
use crate::store::library::Library;

/// The version of the file.
const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct File {
    vesta_certificates: u32,
    tasks: BTreeMap<String, Certificate>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Certificate {
    profile: String,
    steps: Vec<String>,
    /// The start's hash first, then one a step.
    hashes: Vec<String>,
}

/// Writes the certificates of these reports; how many there are.
///
/// # Errors
/// The disk refuses.
pub fn write(path: &Path, reports: &[Report]) -> anyhow::Result<usize> {
    let mut tasks = BTreeMap::new();
    for report in reports {
        let proof = report.lines.iter().find(|line| line.id == "certificate");
        let Some(Outcome::Holds(_, Some(plan))) = proof.map(|line| &line.outcome) else {
            continue;
        };
        let certificate = Certificate {
            profile: report.profile.id().to_owned(),
            steps: plan.steps.clone(),
            hashes: plan.hashes.iter().map(ToString::to_string).collect(),
        };
        tasks.insert(report.task.clone(), certificate);
    }
    let n = tasks.len();
    let file = File {
        vesta_certificates: VERSION,
        tasks,
    };
    let mut text = serde_json::to_string_pretty(&file)?;
    text.push('\n');
    durable::save(path, text.as_bytes())?;
    Ok(n)
}

/// Plays every certificate of a file; whether all of them still prove what they say.
///
/// # Errors
/// The file cannot be read.
pub fn verify(path: &Path, library: &Library, out: &mut Out) -> anyhow::Result<bool> {
    let text = fs::read_to_string(path)?;
    let file: File = serde_json::from_str(&text).map_err(|e| {
        anyhow::anyhow!(
            "{} line {}: this is no file of certificates; name one that vesta check --write made",
            path.display(),
            e.line()
        )
    })?;
    if file.vesta_certificates != VERSION {
        bail!(
            "{}: vesta_certificates: version {} is not known; this program reads version {VERSION}",
            path.display(),
            file.vesta_certificates
        );
    }
    if file.tasks.is_empty() {
        bail!(
            "{}: tasks: there are no certificates; write some with vesta check --all --write",
            path.display()
        );
    }
    let mut agree = 0;
    for (task, certificate) in &file.tasks {
        match play(library, task, certificate) {
            Ok(()) => agree += 1,
            Err(why) => out.line(&format!("✗ {task}: {why}"))?,
        }
    }
    let n = file.tasks.len();
    out.line(&format!("{agree} of {n} certificates verified"))?;
    Ok(agree == n)
}

fn play(library: &Library, task: &str, certificate: &Certificate) -> Result<(), String> {
    let setup = library
        .load(task)
        .map_err(|wrong| wrong.first().map(ToString::to_string).unwrap_or_default())?;
    let profile = Profile::parse(&certificate.profile)
        .ok_or_else(|| format!("there is no profile {}", certificate.profile))?;
    let case =
        Case::new(&setup, profile, Effort::default(), &|| false).map_err(|d| d.to_string())?;
    let read = |line: &String| script::read_line(&setup.scene, line).map_err(|e| e.message);
    let steps: Vec<_> = certificate
        .steps
        .iter()
        .map(read)
        .collect::<Result<_, _>>()?;
    let trace = case.trace("certificate", &steps);
    if !case.is_safe_success(&trace) {
        return Err("its plan is no safe success any more".to_owned());
    }
    let written = trace.lines(trace.end());
    if let Some(step) = written
        .iter()
        .zip(&certificate.steps)
        .position(|(a, b)| a != b)
    {
        return Err(format!(
            "step {} names another thing: it does {}",
            step + 1,
            written.get(step).map_or("", String::as_str)
        ));
    }
    let hashes: Vec<String> = trace.hashes().iter().map(ToString::to_string).collect();
    let differs = hashes
        .iter()
        .zip(&certificate.hashes)
        .position(|(a, b)| a != b);
    match differs {
        Some(step) => Err(format!("the state after step {step} is another one")),
        None if hashes.len() != certificate.hashes.len() => {
            Err("it has another number of hashes than states".to_owned())
        }
        None => Ok(()),
    }
}
