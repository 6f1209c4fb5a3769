//! `vesta label`: the label queue; labels as a table, in and out; how far reviewers agree.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use serde_json::{Value, json};

use crate::app::labels::{Asked, Item, reviewers, said};
use crate::cli::out::{Out, complain};
use crate::cli::source::Source;
use crate::cli::{Exit, explore, saved};
use crate::config::Env;
use crate::eval::agreement::agreement;
use crate::formats::run::{Class, Label, Labelled, NoteBody, class_id, read_labels, write_labels};
use crate::runtime::jobs::{Sources, labels};
use crate::store::{durable, files, runs};

/// Flags of `vesta label`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Args {
    /// Which runs, as in vesta runs; else those that failed
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    /// A run by the end of its id or its folder, may be given several times, instead of a query
    #[arg(long, value_name = "RUN", conflicts_with = "query")]
    run: Vec<String>,
    /// A folder of runs, may be given several times; else the usual folder
    #[arg(long, value_name = "DIR")]
    runs: Vec<PathBuf>,
    /// Whose labels are filed, in place of `VESTA_REVIEWER` and the setting
    #[arg(long, value_name = "NAME", value_parser = crate::app::settings::reviewer)]
    reviewer: Option<String>,
    /// Print the labels instead of opening the queue
    #[arg(long, conflicts_with_all = ["export", "import", "agreement"])]
    list: bool,
    /// Write all labels of these runs as comma-separated values; - prints them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["import", "agreement"])]
    export: Option<PathBuf>,
    /// File the labels of a table with the runs they name
    #[arg(long, value_name = "FILE", conflicts_with = "agreement")]
    import: Option<PathBuf>,
    /// Say how far reviewers agree beyond chance
    #[arg(long)]
    agreement: bool,
    /// Print the queue as text
    #[arg(long)]
    plain: bool,
    /// One JSON value
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: Source,
}

/// Labels. [`Exit::Finding`] where no run fits, or a label of a table could not be filed.
///
/// # Errors
/// The query cannot be read, or a file or folder.
pub fn run(args: &Args, env: &Env, out: &mut Out) -> anyhow::Result<Exit> {
    let asked = Asked {
        roots: args.runs.clone(),
        runs: args.run.clone(),
        query: args.query.join(" "),
    };
    if let Some(file) = &args.import {
        return import(args, file, out);
    }
    if args.list || args.agreement || args.json || args.export.is_some() {
        super::tell_rules(out);
        let sources = Sources::new(args.source.places(), args.source.from.clone(), None);
        let items = labels::gather(&sources, &asked, &|_, _| true).map_err(anyhow::Error::msg)?;
        if let Some(file) = &args.export {
            return export(file, &items, out);
        }
        if args.agreement {
            return agree(args, &items, out);
        }
        return list(args, &items, out);
    }
    let plain = args.plain || !(io::stdout().is_terminal() && io::stdin().is_terminal());
    let of = (args.source.clone(), saved::Place::default());
    if plain {
        explore::tell(line(args), of, env, out)
    } else {
        explore::open(line(args), of, env, out)
    }
}

/// The command line of the queue's screen.
fn line(args: &Args) -> String {
    let mut line = "label".to_owned();
    let mut add = |words: String| {
        line.push(' ');
        line.push_str(&words);
    };
    if let Some(name) = &args.reviewer {
        add(format!("as \"{name}\""));
    }
    for folder in &args.runs {
        add(format!("in \"{}\"", folder.display()));
    }
    for run in &args.run {
        add(format!("run \"{run}\""));
    }
    if !args.query.is_empty() {
        add(args.query.join(" "));
    }
    line
}

fn value(label: &Label) -> Value {
    json!({
        "by": label.by, "class": class_id(label.class), "proposed": label.proposed.map(Class::id),
        "about": label.about, "first": label.first, "cause": label.cause, "tags": label.tags,
        "text": label.text,
    })
}

fn list(args: &Args, items: &[Item], out: &mut Out) -> anyhow::Result<Exit> {
    if args.json {
        let all = items.iter().map(|item| {
            let labels: Vec<Value> = item.labels.values().map(value).collect();
            json!({"run": item.id, "task": item.task, "by": item.who, "labels": labels})
        });
        out.json_list(&all.collect::<Vec<_>>())?;
    } else {
        for item in items {
            out.line(&format!("{}  {}  {}", item.id, item.task, item.who))?;
            if !item.fault.is_empty() {
                out.line(&format!("  ! {}", item.fault))?;
            }
            for label in item.labels.values() {
                out.line(&format!("  {}", label.words()))?;
            }
        }
        let labelled = items.iter().filter(|it| !it.labels.is_empty()).count();
        out.line(&format!("{labelled} of {} runs labelled", items.len()))?;
    }
    Ok(if items.is_empty() {
        Exit::Finding
    } else {
        Exit::Fine
    })
}

fn export(file: &std::path::Path, items: &[Item], out: &mut Out) -> anyhow::Result<Exit> {
    let rows = items.iter().flat_map(|item| {
        item.labels.values().map(|label| Labelled {
            run: item.id.clone(),
            task: item.task.clone(),
            created: String::new(),
            label: label.clone(),
        })
    });
    let rows: Vec<Labelled> = rows.collect();
    let text = write_labels(&rows);
    if file.as_os_str() == "-" {
        for line in text.lines() {
            out.line(line)?;
        }
    } else {
        durable::make_room(file)?;
        durable::save(file, text.as_bytes())?;
        out.line(&format!("{}: {} labels", file.display(), rows.len()))?;
    }
    Ok(Exit::Fine)
}

/// Files the labels of a table; one that is there already is not filed twice.
fn import(args: &Args, file: &std::path::Path, out: &mut Out) -> anyhow::Result<Exit> {
    let roots = if args.runs.is_empty() {
        vec![runs::usual_root()?]
    } else {
        args.runs.clone()
    };
    let bytes = files::read(file)?;
    let name = file.display().to_string();
    let (rows, findings) = read_labels(&name, &bytes)?;
    for finding in &findings {
        complain(&finding.to_string());
    }
    let (mut filed, mut known, mut failed) = (0_u32, 0_u32, findings.len());
    for row in rows {
        let found = roots
            .iter()
            .find_map(|root| runs::find(root, &row.run).ok());
        let Some(folder) = found else {
            complain(&format!(
                "{name}: run {:?} is in none of the folders; name its folder with --runs",
                row.run
            ));
            failed += 1;
            continue;
        };
        let mut label = row.label;
        if label.by.is_empty() {
            label.by = args.reviewer.clone().unwrap_or_default();
        }
        if labels::item(&folder).labels.get(&label.by) == Some(&label) {
            known += 1;
            continue;
        }
        match runs::add_note(&folder, NoteBody::Label(label)) {
            Ok(_) => filed += 1,
            Err(d) => {
                complain(&d.to_string());
                failed += 1;
            }
        }
    }
    if args.json {
        out.json(&json!({"filed": filed, "known": known, "failed": failed}))?;
    } else {
        out.line(&format!(
            "{filed} labels filed, {known} were there, {failed} could not be"
        ))?;
    }
    Ok(if failed > 0 {
        Exit::Finding
    } else {
        Exit::Fine
    })
}

fn agree(args: &Args, items: &[Item], out: &mut Out) -> anyhow::Result<Exit> {
    let all = reviewers(items);
    if all.len() < 2 {
        bail!(
            "{} labelled these runs; agreement takes two: vesta label --reviewer NAME",
            match all.first() {
                Some(one) => format!("only {one}"),
                None => "nobody".to_owned(),
            }
        );
    }
    let said = said(items);
    let mut groups = vec![all.clone()];
    if all.len() > 2 {
        for (at, first) in all.iter().enumerate() {
            for second in all.iter().skip(at + 1) {
                groups.push(vec![first.clone(), second.clone()]);
            }
        }
    }
    let mut values = Vec::new();
    for group in groups {
        let found = agreement(&group, &said)
            .ok_or_else(|| anyhow!("two reviewers are needed"))
            .context(group.join(", "))?;
        if args.json {
            values.push(json!({
                "reviewers": found.reviewers, "coefficient": found.coefficient.name(),
                "kappa": found.kappa, "observed": found.observed, "expected": found.expected,
                "runs": found.runs(), "partly": found.partly, "words": found.words,
                "table": found.table, "confusion": found.confusion, "disputed": found.disputed(),
            }));
        } else {
            out.line(&format!("{}: {}", group.join(", "), found.words_line()))?;
            for run in found.disputed() {
                out.line(&format!("  ≠ {run}"))?;
            }
        }
    }
    if args.json {
        out.json_list(&values)?;
    }
    Ok(Exit::Fine)
}
