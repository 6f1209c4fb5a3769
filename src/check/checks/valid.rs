//! Whether the task's files could be read whole, and every name in them means something.

use crate::base::diag::{Diagnostic, Severity};
use crate::check::finding::{Finding, Kind, Outcome};
use crate::check::{Case, CheckDef};

/// The check.
pub const CHECK: CheckDef = CheckDef {
    id: "valid",
    title: "the file is valid, its names exist",
    run,
};

fn run(case: &Case<'_>) -> Outcome {
    let worth = |d: &&Diagnostic| d.severity >= Severity::Warning;
    let found = case.setup.findings.iter().filter(worth).map(finding);
    Outcome::of(found.collect(), "")
}

/// Lists of names and facts: a fault in one of them is a name that means nothing.
const NAMES: &[&str] = &[
    "init",
    "events",
    "success",
    "safety",
    "never",
    "reference",
    "naive",
];

/// What a file's reader said, as a finding.
pub fn finding(d: &Diagnostic) -> Finding {
    let list = d.field.split(['[', '.']).next().unwrap_or_default();
    let kind = match d.severity {
        _ if NAMES.contains(&list) => Kind::NameUnknown,
        Severity::Error => Kind::FileInvalid,
        _ => Kind::FileDoubtful,
    };
    let mut found = Finding::new(kind, d.to_string());
    if !d.field.is_empty() {
        found = found.about(d.field.clone());
    }
    found
}
