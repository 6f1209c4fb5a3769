//! Runs side by side as text: for reading without a screen, for programs, for tables.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::base::text;
use crate::compare::lane::Names;
use crate::compare::table::{Parting, Relation};
use crate::task::episode::judgement::Judgement;

use super::Compared;
use super::state::{Apart, Line};

/// Columns a step may take in the text form.
const WIDE: usize = 44;

/// The whole comparison of a pair as text: what is compared, where it parts, the rows, the state there, the repairs.
pub fn lines(it: &mut Compared, pair: (usize, usize)) -> Vec<String> {
    let parting = it.parting(pair);
    let mut lines = heading(it, pair, &parting);
    lines.push(String::new());
    lines.extend(rows(it, pair));
    if let Some(row) = parting.first {
        lines.push(String::new());
        lines.extend(apart(it, row, pair));
    }
    for (lane, told) in &it.saved {
        lines.push(String::new());
        lines.push(format!(
            "repair {}: {}",
            Compared::letter(*lane),
            told.short
        ));
        lines.extend(told.lines.iter().map(|line| format!("  {line}")));
    }
    lines
}

/// What is compared and where it parts.
pub fn heading(it: &Compared, pair: (usize, usize), parting: &Parting) -> Vec<String> {
    let mut lines: Vec<String> = (0..it.sides.len())
        .map(|lane| {
            let (steps, refused) = it.sides.get(lane).map_or((0, 0), |s| s.loaded.counts);
            let refused = match refused {
                0 => String::new(),
                n => format!(", {n} refused"),
            };
            let (outcome, _) = it.outcome(lane);
            let ending = if steps == 1 { "" } else { "s" };
            format!(
                "{}: {steps} step{ending}{refused}, {outcome}",
                it.lane_words(lane)
            )
        })
        .collect();
    lines.extend(it.findings.iter().map(|finding| format!("! {finding}")));
    let mut facts = vec![it.first_words(pair, parting)];
    if parting.first.is_some() {
        facts.push(it.again_words(pair, parting));
        facts.push(Compared::choices_words(parting));
    }
    if !it.table.is_exact() {
        facts.push("aligned near the diagonal only".to_owned());
    }
    lines.push(facts.join(", "));
    // Further lanes part from the first of the pair in their own places.
    for lane in (0..it.sides.len()).filter(|l| *l != pair.0 && *l != pair.1) {
        let other = (pair.0, lane);
        let parting = it.parting(other);
        let again = it.again_words(other, &parting);
        let again = if again.is_empty() {
            again
        } else {
            format!(", {again}")
        };
        let first = it.first_words(other, &parting);
        let (a, b) = (Compared::letter(pair.0), Compared::letter(lane));
        lines.push(format!("{a} and {b}: {first}{again}"));
    }
    lines
}

/// A step in a column: `switchon microwave  ✗F05`.
fn step(it: &Compared, (row, lane): (usize, usize), pair: (usize, usize)) -> String {
    let Some(cell) = it.cell(row, lane, pair) else {
        return String::new();
    };
    let number = if cell.number.is_empty() {
        String::new()
    } else {
        format!("s{}", cell.number)
    };
    let tail = match cell.tail() {
        tail if tail.is_empty() => tail,
        tail => format!("  {tail}"),
    };
    format!("{number:<4}{}{tail}", cell.words)
}

/// The rows of a pair and those beside it.
fn rows(it: &Compared, pair: (usize, usize)) -> Vec<String> {
    let lanes = it.sides.len();
    let cells: Vec<Vec<String>> = (0..it.table.len())
        .map(|row| (0..lanes).map(|lane| step(it, (row, lane), pair)).collect())
        .collect();
    let width = |lane: usize| {
        let all = cells.iter().filter_map(|row| row.get(lane));
        all.map(|cell| text::width(cell))
            .max()
            .unwrap_or(0)
            .clamp(8, WIDE)
    };
    let widths: Vec<usize> = (0..lanes).map(width).collect();
    cells
        .iter()
        .enumerate()
        .map(|(row, cells)| {
            let columns: Vec<String> = cells
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(lane, (cell, width))| {
                    let sign = sign(it, row, lane, pair);
                    // What is wider than its column is told whole all the same.
                    let room = (*width).max(text::width(cell));
                    format!("{} {}", text::pad(sign, 2), text::pad(cell, room))
                })
                .collect();
            columns.join(" | ").trim_end().to_owned()
        })
        .collect()
}

/// The sign before a step: how it stands to that of the first of the pair; before a step of that lane itself, how the
/// second stands to it.
pub fn sign(it: &Compared, row: usize, lane: usize, (base, other): (usize, usize)) -> &'static str {
    let relation = if lane == base {
        match it.table.relation(row, (base, other)) {
            Relation::OnlyFirst => Relation::OnlySecond,
            Relation::OnlySecond => Relation::OnlyFirst,
            relation => relation,
        }
    } else {
        it.table.relation(row, (base, lane))
    };
    match relation {
        Relation::Neither | Relation::OnlyFirst => "",
        Relation::Equal => "=",
        Relation::SameAct | Relation::Differs => "≠",
        Relation::Met => "><",
        Relation::OnlySecond => "↓",
    }
}

/// In what two lanes differ in a row.
pub fn apart(it: &mut Compared, row: usize, pair: (usize, usize)) -> Vec<String> {
    let (a, b) = (Compared::letter(pair.0), Compared::letter(pair.1));
    let heading = format!(
        "state at {a} {} | {b} {}",
        it.at(row, pair.0),
        it.at(row, pair.1)
    );
    let told = it.apart(row, pair);
    let mut lines = vec![heading];
    lines.extend(of(&told, (a, b)));
    lines
}

fn of(told: &Apart, (a, b): (char, char)) -> Vec<String> {
    let line = |kind: &str, line: &Line| {
        let (x, y) = &line.said;
        format!("  {kind}{}: {a} {x}; {b} {y}", line.subject)
    };
    let mut lines = Vec::new();
    if !told.why.is_empty() {
        lines.push(format!("  {}", told.why));
    }
    lines.extend(told.facts.iter().map(|it| line("", it)));
    if told.quiet > 0 {
        lines.push(format!("  and {} facts of who faces what", told.quiet));
    }
    lines.extend(told.rules.iter().map(|it| line("rule ", it)));
    lines.extend(told.goals.iter().map(|it| line("goal ", it)));
    if lines.is_empty() {
        lines.push("  the same".to_owned());
    }
    lines
}

/// The same for programs.
pub fn value(it: &mut Compared, pair: (usize, usize)) -> Value {
    let lanes: Vec<Value> = (0..it.sides.len())
        .filter_map(|lane| {
            let side = it.sides.get(lane)?;
            let judged = side.loaded.judged.as_ref();
            Some(json!({
                "lane": Compared::letter(lane).to_string(), "name": side.name, "by": side.by,
                "run": side.loaded.run.id(), "branch": side.loaded.branch(),
                "task": side.loaded.run.header.task_id(), "profile": side.loaded.run.header.profile,
                "steps": side.loaded.counts.0, "refused": side.loaded.counts.1,
                "outcome": judged.map(Judgement::words),
                "broken": judged.map(|j| j.broken.iter().map(|r| r.id.clone()).collect::<Vec<_>>()),
            }))
        })
        .collect();
    let pairs: Vec<Value> = (1..it.sides.len())
        .map(|lane| {
            let parting = it.parting((0, lane));
            json!({
                "lanes": ["A", Compared::letter(lane).to_string()], "first": parting.first,
                "equal": parting.equal, "again": parting.again, "choices": parting.choices,
                "downstream": parting.downstream,
            })
        })
        .collect();
    let rows: Vec<Value> = (0..it.table.len()).map(|row| one(it, row, pair)).collect();
    let parting = it.parting(pair);
    let state = parting.first.map(|row| {
        let told = it.apart(row, pair);
        json!({
            "row": row, "why": told.why,
            "facts": list(&told.facts), "rules": list(&told.rules), "goals": list(&told.goals),
        })
    });
    let saved: Vec<Value> = it
        .saved
        .iter()
        .map(|(lane, told)| {
            json!({
                "lane": Compared::letter(*lane).to_string(), "words": told.short,
                "changes": told.lines, "plan": told.plan,
            })
        })
        .collect();
    json!({
        "lanes": lanes, "findings": it.findings, "by_class": it.names == Names::Classes,
        "exact": it.table.is_exact(), "pairs": pairs, "rows": rows, "state": state, "repair": saved,
    })
}

fn list(lines: &[Line]) -> Vec<Value> {
    let one = |it: &Line| json!({ "what": it.subject, "a": it.said.0, "b": it.said.1 });
    lines.iter().map(one).collect()
}

fn one(it: &Compared, row: usize, pair: (usize, usize)) -> Value {
    let cells: Vec<Value> = (0..it.sides.len())
        .map(|lane| match it.cell(row, lane, pair) {
            None => Value::Null,
            Some(cell) => json!({
                "sign": sign(it, row, lane, pair), "pos": it.pos(row, lane), "text": cell.words,
                "did": cell.did,
            }),
        })
        .collect();
    Value::Array(cells)
}

/// The rows as a Markdown table.
pub fn markdown(it: &mut Compared, pair: (usize, usize)) -> String {
    let parting = it.parting(pair);
    let mut text = String::from("# Runs side by side\n\n");
    for line in heading(it, pair, &parting) {
        let _ = writeln!(text, "- {}", escaped(&line));
    }
    let columns: Vec<String> = (0..it.sides.len())
        .map(|lane| format!(" {} ", escaped(&it.lane_words(lane))))
        .collect();
    let _ = writeln!(
        text,
        "\n|{}|\n|{}",
        columns.join("|"),
        "---|".repeat(columns.len())
    );
    for row in 0..it.table.len() {
        let cells: Vec<String> = (0..it.sides.len())
            .map(|lane| {
                let words = format!(
                    "{} {}",
                    sign(it, row, lane, pair),
                    step(it, (row, lane), pair)
                );
                let words: Vec<&str> = words.split_whitespace().collect();
                format!(" {} ", escaped(&words.join(" ")))
            })
            .collect();
        let _ = writeln!(text, "|{}|", cells.join("|"));
    }
    if let Some(row) = parting.first {
        text.push('\n');
        for line in apart(it, row, pair) {
            let _ = writeln!(text, "- {}", escaped(line.trim()));
        }
    }
    text
}

/// A text within a cell of a table: nothing in it ends the cell, is markup or acts.
fn escaped(words: &str) -> String {
    let clean = text::clean(words);
    let mut safe = String::with_capacity(clean.len());
    for c in clean.chars() {
        if matches!(c, '|' | '\\' | '`' | '*' | '_' | '<' | '[' | '#') {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}

/// The rows as a table with a line a row and a lane: row, lane, sign, position, words, what it did.
pub fn csv(it: &Compared, pair: (usize, usize)) -> String {
    let mut text = String::from("row,lane,name,sign,pos,step,did\n");
    for row in 0..it.table.len() {
        for (lane, side) in it.sides.iter().enumerate() {
            let Some(cell) = it.cell(row, lane, pair) else {
                continue;
            };
            let fields = [
                row.to_string(),
                Compared::letter(lane).to_string(),
                side.name.clone(),
                word(sign(it, row, lane, pair)).to_owned(),
                it.pos(row, lane).to_string(),
                cell.words.clone(),
                cell.tail(),
            ];
            let fields: Vec<String> = fields.iter().map(|f| field(f)).collect();
            text.push_str(&fields.join(","));
            text.push('\n');
        }
    }
    text
}

/// A sign in a word.
fn word(sign: &str) -> &'static str {
    match sign {
        "=" => "equal",
        "><" => "met",
        "≠" => "differs",
        "↓" => "alone",
        _ => "",
    }
}

/// A field of a CSV line; one that a spreadsheet would take for a formula is made a text.
fn field(words: &str) -> String {
    let words = if words.starts_with(['=', '+', '-', '@']) {
        format!("'{words}")
    } else {
        words.to_owned()
    };
    if words.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", words.replace('"', "\"\""))
    } else {
        words
    }
}
