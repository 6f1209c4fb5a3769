//! `vesta prompts`: what models are told: lists the files in force, shows one, checks one before it is used.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Subcommand;
use serde_json::{Value, json};

use crate::agent::prompt::{self, PARTS, version};
use crate::base::diag::Diagnostic;
use crate::base::nearest::nearest;
use crate::base::text::pad;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::store::{book, files, prompts};

/// Flags of `vesta prompts`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The files in force, with their versions and where they come from
    List {
        /// A JSON array, one object and line a file
        #[arg(long)]
        json: bool,
    },
    /// One file with its parts
    Show {
        /// The name of the file: react
        name: String,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Read a file as it would be read in the place of the shipped one of its name
    Check {
        /// The file: my/react.txt
        file: PathBuf,
    },
}

/// Lists, shows or checks. [`Exit::Finding`] where the file that was checked has faults.
///
/// # Errors
/// There is no such file, or it cannot be read.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    match &args.what {
        What::List { json } => list(*json, out),
        What::Show { name, json } => show(name, *json, out),
        What::Check { file } => check(file, out),
    }
}

fn object(file: &prompts::InForce) -> Value {
    let parts = PARTS.iter().filter(|p| p.file == file.name);
    let parts: Vec<Value> = parts
        .map(|p| json!({"name": p.name, "what": p.what, "fills": p.fills}))
        .collect();
    json!({
        "name": file.name,
        "version": version(file.text.as_bytes()),
        "file": file.path.as_ref().map(|p| p.display().to_string()),
        "parts": parts,
    })
}

fn list(as_json: bool, out: &mut Out) -> anyhow::Result<Exit> {
    let all = prompts::in_force()?;
    if as_json {
        out.json_list(&all.iter().map(object).collect::<Vec<_>>())?;
        return Ok(Exit::Fine);
    }
    for file in all {
        let from = file.path.as_ref().map(|p| p.display().to_string());
        out.line(&format!(
            "{}  {}  {}",
            pad(&file.name, 12),
            version(file.text.as_bytes()),
            from.as_deref().unwrap_or("shipped")
        ))?;
    }
    Ok(Exit::Fine)
}

fn show(name: &str, as_json: bool, out: &mut Out) -> anyhow::Result<Exit> {
    let all = prompts::in_force()?;
    let Some(file) = all.iter().find(|f| f.name == name) else {
        let names: Vec<&str> = all.iter().map(|f| f.name.as_str()).collect();
        match nearest(name, names.iter().copied()) {
            Some(meant) => bail!("no prompt file is called {name}; did you mean {meant}?"),
            None => bail!(
                "no prompt file is called {name}; there are {}",
                names.join(", ")
            ),
        }
    };
    if as_json {
        let mut value = object(file);
        if let Some(fields) = value.as_object_mut() {
            fields.insert("text".to_owned(), file.text.clone().into());
        }
        out.json(&value)?;
        return Ok(Exit::Fine);
    }
    for line in file.text.lines() {
        out.line(line)?;
    }
    Ok(Exit::Fine)
}

fn check(path: &Path, out: &mut Out) -> anyhow::Result<Exit> {
    let name = files::stem(path);
    let text = book::text(path)?;
    match prompt::read(&name, &text) {
        Ok(file) => {
            let parts = file.parts.len();
            out.line(&format!(
                "{}: fine, {parts} parts, version {}",
                path.display(),
                file.version
            ))?;
            Ok(Exit::Fine)
        }
        Err(all) => {
            for fault in all {
                // It is named by its place, not by the one it would be put in.
                let file = path.display().to_string();
                out.line(&Diagnostic { file, ..fault }.to_string())?;
            }
            Ok(Exit::Finding)
        }
    }
}
