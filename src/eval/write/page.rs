//! A whole report as one page: the tables with their bars, the runs that failed, what is missing.

use crate::base::html;
use crate::eval::case::Case;
use crate::eval::failure::Failure;
use crate::eval::told::Told;

use super::html::part;

/// What is said of the runs that failed beside their tasks.
#[derive(Clone, Copy)]
pub enum Names<'n> {
    /// Nothing: names of runs have times in them, and differ from machine to machine.
    Hidden,
    /// Their names, and for a run the file of its page where that lies beside this one.
    Linked(&'n dyn Fn(&str) -> Option<String>),
}

/// The report as one page.
pub fn page(told: &Told, names: Names<'_>) -> String {
    let agents: std::collections::BTreeSet<&str> =
        told.cases.iter().map(|c| c.who.as_str()).collect();
    let agents: Vec<&str> = agents.into_iter().collect();
    let failed = told.failed();
    let mut body = String::from("<header>\n<h1>Report</h1>\n");
    body += &html::facts(&[
        ("runs", told.cases.len().to_string()),
        ("agents", html::text(&agents.join(", "))),
        ("failed or unsafe", failed.len().to_string()),
    ]);
    body += "</header>\n<main>\n";
    let notes: Vec<String> = told.report.notes.iter().map(|n| html::text(n)).collect();
    let mut notes = notes;
    match names {
        Names::Hidden if !told.faults.is_empty() => {
            notes.push(format!("{} runs cannot be used", told.faults.len()));
        }
        Names::Hidden => {}
        Names::Linked(_) => notes.extend(told.faults.iter().map(|n| html::text(n))),
    }
    if !notes.is_empty() {
        body += "<section id=\"missing\">\n<h2>Missing or left out</h2>\n";
        body += &html::list("bad", &notes);
        body += "</section>\n";
    }
    for table in told.report.tables.iter().filter(|t| !t.rows.is_empty()) {
        body += &part(table);
    }
    body += "<section id=\"failures\">\n<h2>Failures</h2>\n";
    if failed.is_empty() {
        body += "<p>every run succeeds and is safe</p>\n";
    } else {
        body += &failures(&failed, names);
    }
    body += "</section>\n</main>\n";
    html::page("Report", &body)
}

fn failures(failed: &[&Case], names: Names<'_>) -> String {
    let mut heads = vec![("agent", false), ("task", false)];
    if matches!(names, Names::Linked(_)) {
        heads.push(("run", false));
    }
    heads.extend([
        ("success", true),
        ("safety", true),
        ("rules broken", false),
        ("first bad step", false),
        ("class", false),
    ]);
    let rows: Vec<Vec<String>> = failed
        .iter()
        .map(|case| {
            let mut cells = vec![html::text(&case.who), html::text(&case.task)];
            let at = |anchor: &str, file: &str, words: &str| {
                format!(
                    "<a href=\"{}{anchor}\">{}</a>",
                    html::address(file),
                    html::text(words)
                )
            };
            let mut beside = None;
            if let Names::Linked(find) = names {
                beside = find(&case.run);
                cells.push(match &beside {
                    Some(file) => at("", file, &case.run),
                    None => html::text(&case.run),
                });
            }
            let broken: Vec<&str> = case.broken.iter().map(String::as_str).collect();
            let part = |part: crate::eval::case::Part| format!("{}/{}", part.n, part.of);
            cells.extend([
                part(case.success),
                part(case.safety),
                html::text(&broken.join(" ")),
            ]);
            let step = case.failure.as_ref();
            let words = step.map_or_else(String::new, Failure::words);
            cells.push(match (beside, step.and_then(|it| it.step)) {
                (Some(file), Some(step)) => at(&format!("#s{step}"), &file, &words),
                _ => html::text(&words),
            });
            cells.push(html::text(step.map_or("", |it| it.class.words())));
            cells
        })
        .collect();
    html::table(&heads, &rows)
}
