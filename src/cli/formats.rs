//! `vesta formats`: what is read and written, and what each format loses.

use serde_json::json;

use crate::cli::Exit;
use crate::cli::export::SHOWN;
use crate::cli::out::Out;
use crate::eval::write::FORMATS as TABLES;
use crate::formats::{BDDL, FORMATS as FILES, trace};

/// Flags of `vesta formats`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print a JSON array, one object and line a format
    #[arg(long)]
    json: bool,
}

/// Lists.
///
/// # Errors
/// Standard output is gone.
pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<Exit> {
    if args.json {
        let mut all = Vec::new();
        for f in trace::FORMATS {
            all.push(json!({
                "id": f.id, "title": f.title, "kind": "recording", "version": f.version, "extension": f.extension,
                "read": f.read.is_some(), "write": f.write.is_some(), "keeps": f.keeps, "loses": f.loses,
            }));
        }
        for f in SHOWN {
            all.push(json!({
                "id": f.id, "title": f.title, "kind": "page", "extension": f.id, "read": false, "write": true,
            }));
        }
        for f in TABLES {
            all.push(json!({
                "id": f.id, "title": f.title, "kind": "table", "extension": f.id, "read": false, "write": true,
            }));
        }
        for f in FILES {
            all.push(json!({
                "id": f.id, "title": f.title, "kind": "file", "extension": f.extensions.first(), "read": true,
            }));
        }
        all.push(
            json!({"id": "bddl", "title": BDDL, "kind": "file", "extension": "bddl", "read": true}),
        );
        out.json_list(&all)?;
        return Ok(Exit::Fine);
    }
    out.line("recordings: vesta import, vesta show FILE, vesta export --format")?;
    for f in trace::FORMATS {
        let does = match (f.read.is_some(), f.write.is_some()) {
            (true, true) => "read, written",
            (true, false) => "read",
            (false, _) => "written",
        };
        out.line(&format!(
            "  {:<13} {} ({}); {does}",
            f.id, f.title, f.version
        ))?;
        out.line(&format!("                keeps {}", f.keeps))?;
        out.line(&format!("                loses {}", f.loses))?;
    }
    out.line("to look at: vesta export --format")?;
    for f in SHOWN {
        out.line(&format!("  {:<13} {}; written", f.id, f.title))?;
    }
    out.line("tables: E on any list, vesta report --format")?;
    for f in TABLES {
        out.line(&format!("  {:<13} {}; written", f.id, f.title))?;
    }
    out.line("files: vesta tasks --from, vesta import --out")?;
    for f in FILES {
        out.line(&format!("  {:<13} {}", f.id, f.title))?;
    }
    out.line(&format!("  {:<13} {BDDL}", "bddl"))?;
    Ok(Exit::Fine)
}
