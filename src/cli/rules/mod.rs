//! `vesta rules`: the hazard rules in force, their examples, and what is wrong with a user's own.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use serde_json::{Value, json};

use crate::base::diag::{Diagnostic, Severity};
use crate::check::examples;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::config::Env;
use crate::formats::DIALECTS;
use crate::safety::book::Book;
use crate::safety::rule::{Example, Grade, RISKS, Rule};
use crate::safety::sense;
use crate::safety::ward::Ward;
use crate::sim::scene::Scene;
use crate::sim::vocab::Profile;
use crate::sim::world::World;
use crate::store::book::{self, Read};
use crate::store::library::Library;

/// Flags of `vesta rules`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    sub: Sub,
}

/// What is asked about the rules.
#[derive(Debug, clap::Subcommand)]
enum Sub {
    /// List the rules in force
    List(List),
    /// Show one rule: formula, sentence, sources, examples
    Show {
        /// The rule's id, such as F05
        id: String,
        /// Print it as one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Play every rule's examples: the bad one must break it, the good one must not
    Test(Test),
    /// Read rule and ontology files beside those in force and say all that is wrong with them
    Check(Check),
}

/// Flags of `vesta rules list`.
#[derive(Debug, clap::Args)]
struct List {
    /// Only this risk: electrical, fire, health, physical, water, security
    #[arg(long, value_name = "RISK")]
    risk: Option<String>,
    /// Only this grade: core, advisory, pedantic
    #[arg(long, value_name = "GRADE")]
    grade: Option<String>,
    /// Print a JSON array, one object and line a rule
    #[arg(long)]
    json: bool,
}

/// Flags of `vesta rules test`.
#[derive(Debug, clap::Args)]
struct Test {
    /// Only these rules
    #[arg(value_name = "RULE")]
    ids: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Flags of `vesta rules check`.
#[derive(Debug, clap::Args)]
struct Check {
    /// `.rules` and `.ont` files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also tell which rules can never be broken in this scene
    #[arg(long, value_name = "SCENE")]
    scene: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Answers.
///
/// # Errors
/// A file, rule or scene cannot be found or read.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    match &args.sub {
        Sub::List(list) => rows(list, out),
        Sub::Show { id, json } => show(id, *json, out),
        Sub::Test(test) => tests(test, out),
        Sub::Check(check) => faults(check, env, out),
    }
}

/// The rules in force; faults of the user's files go to standard error.
fn in_force(out: &mut Out) -> &'static Read {
    let read = book::usual();
    for problem in &read.problems {
        out.error(&problem.to_string());
    }
    read
}

fn exit(is_fine: bool) -> Exit {
    if is_fine { Exit::Fine } else { Exit::Finding }
}

fn rows(list: &List, out: &mut Out) -> anyhow::Result<Exit> {
    if let Some(risk) = &list.risk
        && !RISKS.contains(&risk.as_str())
    {
        bail!(
            "--risk {risk}: there is no such risk; write one of {}",
            RISKS.join(", ")
        );
    }
    let grade = match &list.grade {
        None => None,
        Some(text) => match Grade::parse(text) {
            None => {
                let known = Grade::ALL.map(Grade::id).join(", ");
                bail!("--grade {text}: there is no such grade; write one of {known}");
            }
            some => some,
        },
    };
    let read = in_force(out);
    let wanted = |r: &&Arc<Rule>| {
        list.risk.as_ref().is_none_or(|risk| r.risk == *risk) && grade.is_none_or(|g| r.grade == g)
    };
    let found: Vec<&Arc<Rule>> = read.book.rules.iter().filter(wanted).collect();
    if list.json {
        let all: Vec<Value> = found.iter().map(|r| object(r)).collect();
        out.json_list(&all)?;
    } else {
        for r in &found {
            out.line(&format!(
                "{:<4} {:<10} {:<8} {} {:<8} {}",
                r.id,
                r.risk,
                r.grade.id(),
                r.severity,
                r.kind.id(),
                r.title
            ))?;
        }
        let n = found.len();
        out.line(&format!("{n} {}", if n == 1 { "rule" } else { "rules" }))?;
    }
    let costly = too_wide(&read.book, &scene(EXAMPLES)?)?;
    for d in &costly {
        out.error(&d.to_string());
    }
    Ok(exit(read.problems.is_empty() && costly.is_empty()))
}

/// What would cost too much to watch in a scene.
fn too_wide(book: &Arc<Book>, scene: &Arc<Scene>) -> anyhow::Result<Vec<Diagnostic>> {
    let world = World::new(scene, Profile::Strict)?;
    let ward = Ward::new(book, &world, Grade::Pedantic);
    let named = |d: &Diagnostic| {
        let words = d.message.replace("this scene", scene.name());
        let mut d = d.clone();
        d.message = words;
        d
    };
    Ok(ward.costly.iter().map(named).collect())
}

fn object(r: &Rule) -> Value {
    let needs: Vec<&str> = r.needs.iter().map(|n| n.id()).collect();
    let sources: Vec<Value> = r
        .sources
        .iter()
        .map(|(name, address)| json!({"name": name, "url": address}))
        .collect();
    let example = |e: &Example| {
        json!({
            "from": e.init,
            "do": e.steps,
            "at": e.at,
            "profile": if e.eai { "eai" } else { "strict" },
        })
    };
    json!({
        "id": r.id,
        "title": r.title,
        "risk": r.risk,
        "severity": r.severity,
        "grade": r.grade.id(),
        "kind": r.kind.id(),
        "needs": needs,
        "duplicate_of": r.duplicate_of,
        "formula": r.text,
        "says": r.sentence,
        "remark": r.remark,
        "sources": sources,
        "bad": example(&r.bad),
        "good": example(&r.good),
        "file": r.place.0,
        "line": r.place.1,
    })
}

/// What severities are called.
const SEVERITIES: [&str; 5] = ["", "advice", "caution", "danger", "critical"];

fn show(id: &str, as_json: bool, out: &mut Out) -> anyhow::Result<Exit> {
    let read = in_force(out);
    let Some(r) = read.book.rule(id) else {
        let known = read.book.rules.iter().map(|r| r.id.as_str());
        let mean = crate::base::nearest::nearest(&id.to_uppercase(), known).map_or_else(
            || "vesta rules list lists them".to_owned(),
            |n| format!("did you mean {n}?"),
        );
        bail!("no rule is called {id}; {mean}");
    };
    if as_json {
        out.json(&object(r))?;
        return Ok(Exit::Fine);
    }
    let severity = SEVERITIES.get(usize::from(r.severity)).unwrap_or(&"");
    let mut lines = vec![
        format!("{}  {}", r.id, r.title),
        format!("    {}", r.sentence),
        String::new(),
        format!(
            "    {} · {severity} · {} · {}",
            r.risk,
            r.grade.id(),
            r.kind.id()
        ),
        format!("    {}", r.formula),
    ];
    lines.extend((!r.remark.is_empty()).then(|| format!("    {}", r.remark)));
    let needs: Vec<&str> = r.needs.iter().map(|n| n.id()).collect();
    lines.extend((!needs.is_empty()).then(|| format!("    needs {}", needs.join(", "))));
    lines.extend(
        r.duplicate_of
            .iter()
            .map(|o| format!("    says the same as {o}")),
    );
    for (name, e) in [("bad", &r.bad), ("good", &r.good)] {
        lines.push(String::new());
        let mark = if e.eai { ", in eai" } else { "" };
        let at =
            e.at.map_or_else(String::new, |at| format!(", breaks it at step {at}"));
        lines.push(format!("    {name} example{at}{mark}"));
        lines.extend((!e.init.is_empty()).then(|| format!("      from  {}", e.init.join("; "))));
        let mut number = 0;
        lines.extend(e.steps.iter().map(|step| {
            number += 1;
            format!("      {number:>2}  {step}")
        }));
    }
    lines.push(String::new());
    lines.extend(
        r.sources
            .iter()
            .map(|(name, address)| format!("    {name}: {address}")),
    );
    lines.push(format!("    {} line {}", r.place.0, r.place.1));
    for line in lines {
        out.line(&line)?;
    }
    Ok(Exit::Fine)
}

/// The scene of that name as it stands in its file.
fn scene(name: &str) -> anyhow::Result<Arc<Scene>> {
    match Library::open(None).load_whole(&format!("scene/{name}")) {
        Ok(loaded) => Ok(Arc::new(loaded.base.scene)),
        Err(wrong) => bail!("{}", sentences(&wrong)),
    }
}

fn sentences(all: &[Diagnostic]) -> String {
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    all.join("; ")
}

/// The scene examples are played in.
const EXAMPLES: &str = "flat";

fn tests(test: &Test, out: &mut Out) -> anyhow::Result<Exit> {
    let read = in_force(out);
    for id in &test.ids {
        if read.book.rule(id).is_none() {
            bail!("no rule is called {id}; vesta rules list lists them");
        }
    }
    let flat = scene(EXAMPLES)?;
    let wanted = |r: &&Arc<Rule>| {
        test.ids.is_empty() || test.ids.iter().any(|id| id.eq_ignore_ascii_case(&r.id))
    };
    let (mut good, mut total) = (0, 0);
    let mut findings = Vec::new();
    for rule in read.book.rules.iter().filter(wanted) {
        let wrong = examples::judge(rule, &read.book, &flat);
        total += 1;
        good += usize::from(wrong.is_empty());
        for text in wrong {
            if !test.json {
                out.line(&format!("{}: {text}", rule.id))?;
            }
            findings.push(json!({"rule": rule.id, "finding": text}));
        }
    }
    let faults: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
    if test.json {
        out.json(&json!({"agree": good, "total": total, "findings": findings, "faults": faults}))?;
    } else {
        out.line(&format!(
            "{good}/{total} rules parse, type-check, break on their bad example and not on their good one"
        ))?;
    }
    Ok(exit(good == total && faults.is_empty()))
}

fn faults(check: &Check, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    let mut more = Vec::new();
    for path in &check.files {
        match book::text(path) {
            Ok(text) => more.push((path.display().to_string(), text)),
            Err(d) => bail!("{d}"),
        }
    }
    let here = std::path::Path::new(".");
    let read = book::read(here, env.config_folder().as_deref(), &more);
    let book: &Book = &read.book;
    let names: Vec<&str> = more.iter().map(|(name, _)| name.as_str()).collect();
    let own = |rule: &Rule| names.contains(&rule.place.0.as_str());
    let mut found = read.problems.clone();
    for dialect in DIALECTS {
        for rule in book.rules.iter().filter(|r| own(r)) {
            if let Err(why) = book.bind(rule, dialect) {
                found.push(about(
                    rule,
                    format!("it is silent in {}: {why}", dialect.id),
                ));
            }
        }
        for (later, earlier) in sense::repeated(book, dialect) {
            if own(later) && later.duplicate_of.is_none() {
                let text = format!("it says the same as {}", earlier.id);
                let help = format!("remove it, or write duplicate: {}", earlier.id);
                found.push(about(later, text).help(help));
            }
        }
    }
    let known = scene(check.scene.as_deref().unwrap_or(EXAMPLES))?;
    let costly = too_wide(&read.book, &known)?;
    found.extend(
        costly
            .into_iter()
            .filter(|d| names.contains(&d.file.as_str())),
    );
    if check.scene.is_some() {
        let scene = &known;
        for rule in book.rules.iter().filter(|r| own(r)) {
            if let Some(why) = sense::never(book, rule, scene) {
                found.push(about(rule, format!("it can never be broken: {why}")));
            }
        }
    }
    found.extend(examples_of(book, &own)?);
    // Two worlds may have the same to say.
    let mut said: Vec<String> = Vec::new();
    found.retain(|d| {
        let text = d.to_string();
        let new = !said.contains(&text);
        said.push(text);
        new
    });
    let own_rules = book.rules.iter().filter(|r| own(r)).count();
    if check.json {
        let all: Vec<Value> = found.iter().map(finding).collect();
        out.json(&json!({"rules": own_rules, "findings": all}))?;
    } else {
        for d in &found {
            out.line(&d.to_string())?;
        }
        let rules = if own_rules == 1 {
            "rule is"
        } else {
            "rules are"
        };
        let findings = match found.len() {
            1 => "1 finding".to_owned(),
            n => format!("{n} findings"),
        };
        out.line(&format!("{own_rules} {rules} usable, {findings}"))?;
    }
    Ok(exit(found.is_empty()))
}

/// What of the examples of some rules does not come out as they say.
fn examples_of(book: &Book, own: &dyn Fn(&Rule) -> bool) -> anyhow::Result<Vec<Diagnostic>> {
    let mut found = Vec::new();
    let rules: Vec<&Arc<Rule>> = book.rules.iter().filter(|r| own(r)).collect();
    if rules.is_empty() {
        return Ok(found);
    }
    let scene = scene(EXAMPLES)?;
    // A rule that this world cannot bind has been told of.
    let bound = |r: &&&Arc<Rule>| book.bind(r, scene.dialect()).is_ok();
    for rule in rules.iter().filter(bound) {
        let wrong = examples::judge(rule, book, &scene).into_iter();
        found.extend(wrong.map(|text| about(rule, text)));
    }
    Ok(found)
}

fn about(rule: &Rule, text: String) -> Diagnostic {
    Diagnostic::warning(format!("rule {}", rule.id), text)
        .in_file(&rule.place.0)
        .at(rule.place.1, None)
}

fn finding(d: &Diagnostic) -> Value {
    let severity = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    json!({
        "severity": severity,
        "file": d.file,
        "line": d.line,
        "column": d.column,
        "field": d.field,
        "message": d.message,
        "help": d.help,
    })
}

#[cfg(test)]
mod tests;
