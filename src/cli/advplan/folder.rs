//! A folder that `vesta advplan bench` wrote, computed anew: every cell, every plan, every detail as text.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::typed::TOLD;
use crate::arena::advplan::details::details;
use crate::arena::advplan::file::PLANS_FILE;
use crate::arena::advplan::study::Study;
use crate::arena::advplan::table::Table;
use crate::arena::advplan::tables::Tables;
use crate::arena::advplan::traces;
use crate::cli::Exit;
use crate::cli::out::Out;
use crate::formats::quote;
use crate::store::files;
use crate::store::typed::Lines;

/// What was compared in a file, and where it differs.
struct Compared {
    file: &'static str,
    equal: usize,
    all: usize,
    faults: Vec<String>,
}

impl Compared {
    const fn new(file: &'static str) -> Self {
        Self {
            file,
            equal: 0,
            all: 0,
            faults: Vec::new(),
        }
    }

    fn add(&mut self, equal: bool, fault: impl FnOnce() -> String) {
        self.all += 1;
        if equal {
            self.equal += 1;
        } else {
            self.fault(fault);
        }
    }

    /// Keeps what is told; a file that differs everywhere is not told twice in memory.
    fn fault(&mut self, fault: impl FnOnce() -> String) {
        if self.faults.len() < TOLD {
            self.faults.push(fault());
        }
    }

    const fn is_fine(&self) -> bool {
        self.equal == self.all && self.faults.is_empty()
    }
}

/// Whether a folder is one of these.
pub(in crate::cli) fn is(dir: &Path) -> bool {
    dir.is_dir() && dir.join("rows.csv").is_file()
}

/// Computes the benchmark of as many base seeds as the folder has and compares everything. What differs is a finding.
///
/// # Errors
/// A file cannot be read, or the number of base seeds cannot be told.
pub(in crate::cli) fn verify(dir: &Path, as_json: bool, out: &mut Out) -> Result<Exit> {
    let n_seeds = base_seeds(&dir.join("rows.csv"))?;
    let study = Study::new(n_seeds);
    let tables = Tables::of(&study);
    let more = [
        traces::candidates(&study),
        traces::choices(&study),
        traces::intermediates(&study),
    ];
    let mut all = Vec::new();
    for table in tables.all().into_iter().chain(&more) {
        all.push(cells(dir, table)?);
    }
    all.push(detail(dir, &details(&study, &tables))?);
    all.push(plans(dir, &study)?);
    let fine = all.iter().all(Compared::is_fine);
    if as_json {
        let file = |c: &Compared| json!({"file": c.file, "equal": c.equal, "of": c.all, "differences": c.faults});
        out.json(&json!({
            "n_seeds": n_seeds, "fine": fine, "files": all.iter().map(file).collect::<Vec<_>>(),
        }))?;
    } else {
        let mut left = TOLD;
        for c in &all {
            let mark = if c.is_fine() { '✓' } else { '✗' };
            out.line(&format!("{mark} {:<24} {}/{}", c.file, c.equal, c.all))?;
            for fault in c.faults.iter().take(left) {
                out.line(&format!("    ≠ {fault}"))?;
            }
            left = left.saturating_sub(c.faults.len());
        }
        let differ: usize = all
            .iter()
            .map(|c| (c.all - c.equal).max(c.faults.len()))
            .sum();
        let n = study.played.len();
        out.line(&if fine {
            format!("replayed ✓ digits: {n} scenarios played again")
        } else {
            format!("replayed ✗ {differ} differ: {n} scenarios played again")
        })?;
    }
    Ok(if fine { Exit::Fine } else { Exit::Finding })
}

/// How many base seeds a table of scenarios has.
fn base_seeds(path: &Path) -> Result<usize> {
    let bytes = files::read(path)?;
    let lines = bytes.split(|b| *b == b'\n');
    let rows = lines
        .filter(|l| !l.trim_ascii().is_empty())
        .count()
        .saturating_sub(1);
    if rows == 0 || !rows.is_multiple_of(5) || rows > 5000 {
        bail!(
            "{}: has {rows} rows; five for each of 1 to 1000 base seeds are expected",
            path.display()
        );
    }
    Ok(rows / 5)
}

/// The bytes of a file as text; what is none is shown as such and differs. `None`, and a fault, where it is not there.
fn text_of(dir: &Path, c: &mut Compared) -> Result<Option<String>> {
    let path = dir.join(c.file);
    if !path.is_file() {
        c.fault(|| format!("{} is not there", c_name(&path)));
        return Ok(None);
    }
    let bytes = files::read(&path)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn c_name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// The fields of a line; quotes are taken off as they were put on.
fn fields(line: &str) -> Vec<Cow<'_, str>> {
    let mut all = Vec::new();
    let mut rest = line;
    loop {
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut field = String::new();
            let mut tail = quoted;
            while let Some((before, after)) = tail.split_once('"') {
                field.push_str(before);
                tail = after;
                match tail.strip_prefix('"') {
                    Some(more) => {
                        field.push('"');
                        tail = more;
                    }
                    None => break,
                }
            }
            all.push(Cow::Owned(field));
            match tail.split_once(',') {
                Some((_, after)) => rest = after,
                None => return all,
            }
        } else {
            let Some((field, after)) = rest.split_once(',') else {
                all.push(Cow::Borrowed(rest));
                return all;
            };
            all.push(Cow::Borrowed(field));
            rest = after;
        }
    }
}

fn cells(dir: &Path, table: &Table) -> Result<Compared> {
    let mut c = Compared::new(table.file);
    let Some(text) = text_of(dir, &mut c)? else {
        return Ok(c);
    };
    let mut lines = text.lines();
    let heads = fields(lines.next().unwrap_or_default());
    if heads.iter().map(|h| &**h).ne(table.columns.iter().copied()) {
        c.fault(|| "line 1: other columns than the benchmark has".to_owned());
    }
    for (n, row) in (2..).zip(&table.rows) {
        let theirs = lines.next().map(fields).unwrap_or_default();
        if theirs.len() > row.len() {
            c.fault(|| format!("line {n}: {} fields for {}", theirs.len(), row.len()));
        }
        for (i, (head, cell)) in table.columns.iter().zip(row).enumerate() {
            let (ours, said) = (cell.text(), theirs.get(i).map_or("", |t| &**t));
            c.add(ours == said, || {
                format!(
                    "line {n} {head}: the file says {}, computed {ours}",
                    plain(said)
                )
            });
        }
    }
    let more = lines.filter(|l| !l.trim().is_empty()).count();
    if more > 0 {
        c.fault(|| format!("{more} lines more than the benchmark has"));
    }
    Ok(c)
}

/// What a file says, for a message: nothing, a number, or words in quotes.
fn plain(said: &str) -> Cow<'_, str> {
    match said {
        "" => "nothing".into(),
        _ if said.parse::<f64>().is_ok() => said.into(),
        _ => quote(said).into(),
    }
}

fn detail(dir: &Path, ours: &Value) -> Result<Compared> {
    let mut c = Compared::new("details.json");
    if let Some(text) = text_of(dir, &mut c)? {
        match serde_json::from_str::<Value>(&text) {
            Ok(theirs) => values("", &theirs, ours, &mut c),
            Err(e) => c.fault(|| format!("not valid JSON: {e}")),
        }
    }
    Ok(c)
}

/// Compares two values leaf by leaf.
fn values(place: &str, theirs: &Value, ours: &Value, c: &mut Compared) {
    match (theirs, ours) {
        (Value::Object(a), Value::Object(b)) => {
            for (name, own) in b {
                let place = format!("{place}.{name}");
                values(&place, a.get(name).unwrap_or(&Value::Null), own, c);
            }
            for name in a.keys().filter(|n| !b.contains_key(*n)) {
                c.fault(|| format!("{}: there is no such field", quote(name)));
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                values(&format!("{place}[{i}]"), a, b, c);
            }
        }
        (a, b) => c.add(a == b, || {
            let place = place.trim_start_matches('.');
            let [a, b] = [a, b].map(short);
            format!("{place}: the file says {a}, computed {b}")
        }),
    }
}

/// A value, cut when long.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        None => text,
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

fn plans(dir: &Path, study: &Study) -> Result<Compared> {
    let mut c = Compared::new(PLANS_FILE);
    let path = dir.join(PLANS_FILE);
    if !path.is_file() {
        c.fault(|| format!("{PLANS_FILE} is not there"));
        return Ok(c);
    }
    let mut lines = Lines::open(&path, u64::MAX)?;
    let mut n = 0_u64;
    for played in &study.played {
        for ours in traces::plan_lines(played).lines() {
            n += 1;
            let Some(theirs) = lines.next_line()? else {
                c.add(false, || format!("the file ends before line {n}"));
                continue;
            };
            if theirs == ours.as_bytes() {
                c.add(true, String::new);
                continue;
            }
            // A line counts once; where in it the plans part is told.
            let mut inside = Compared::new(PLANS_FILE);
            match (
                serde_json::from_slice::<Value>(theirs),
                serde_json::from_str(ours),
            ) {
                (Ok(theirs), Ok(ours)) => values("", &theirs, &ours, &mut inside),
                _ => inside.fault(|| "not valid JSON".to_owned()),
            }
            let same = inside.is_fine();
            c.add(same, || {
                let first = inside.faults.into_iter().next().unwrap_or_default();
                format!("line {n} {first}")
            });
        }
    }
    if lines
        .next_line()?
        .is_some_and(|l| !l.trim_ascii().is_empty())
    {
        c.fault(|| format!("more than {n} lines"));
    }
    Ok(c)
}
