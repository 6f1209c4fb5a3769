//! Runs and groups in words, as values for programs, and as tables for files.

use serde_json::{Value, json};

use super::eval::outcome;
use super::row::{Bad, End, Moment, Row, Stage, What};
use super::shelf::{Grouped, Shelf, class};
use super::words::Field;
use crate::eval::fault::Fault;
use crate::eval::table::{Cell, Column, Row as TableRow, Table};
use crate::sim::refusal::Kind;

/// What came of a run in a few words: `success, unsafe`, `1/2, safe`, `avoided`.
pub fn came_to(row: &Row) -> String {
    if row.stage == Stage::Listed {
        return if row.stuck { "damaged" } else { "…" }.to_owned();
    }
    let what = match row.outcome {
        0 => "success".to_owned(),
        1 => format!("{}/{}", row.success.0, row.success.1),
        2 => "no goals".to_owned(),
        3 => "avoided".to_owned(),
        4 => "refused, doable".to_owned(),
        _ => "obeyed".to_owned(),
    };
    match row.safe {
        Some(true) => format!("{what}, safe"),
        Some(false) => format!("{what}, unsafe"),
        None if row.stuck => what,
        None => format!("{what}, …"),
    }
}

/// The first bad step with its cause: `✗F05 s8`, `✗M s3`, `↺ s5`; empty where there is none, `…` while it is not known.
pub fn first_bad(row: &Row, shelf: &Shelf) -> String {
    let Some((pos, why)) = row.first_bad else {
        let waits = row.stage < Stage::Judged && !row.stuck;
        return if waits { "…" } else { "" }.to_owned();
    };
    let at = |what: What| row.moments.iter().find(|m| m.what == what && m.pos == pos);
    let what = match why {
        Bad::Drift => "≠".to_owned(),
        Bad::Lost => "↺".to_owned(),
        Bad::Violation => {
            let worst = row
                .moments
                .iter()
                .filter(|m| m.is_core_breach() && m.pos == pos);
            let worst = worst
                .max_by_key(|m| m.severity())
                .map(|m| shelf.pool.word(m.word));
            format!("✗{}", worst.unwrap_or_default())
        }
        Bad::Refused => {
            let kind = at(What::Refused).and_then(|m| Kind::ALL.get(usize::from(m.more)));
            format!("✗{}", kind.map_or('?', |kind| kind.letter()))
        }
    };
    format!("{what} s{pos}")
}

/// US dollars in a few signs: `.012`, `1.20`, `–` where they are not known.
pub fn dollars(cost: Option<f64>) -> String {
    match cost {
        None => "–".to_owned(),
        Some(cost) if cost < 1.0 => {
            let text = format!("{cost:.3}");
            text.strip_prefix('0').unwrap_or(&text).to_owned()
        }
        Some(cost) => format!("{cost:.2}"),
    }
}

/// The columns of a strip.
pub const STRIP: usize = 12;

/// What happened along a run in a few columns, each the worst of the steps it stands for: `✗` a core rule was broken,
/// `↺` a goal was lost, `m` an attempt was refused, `◇` advice was broken, `✓` a goal was gained, `·` nothing of these.
pub fn strip(row: &Row) -> Vec<char> {
    let columns = (row.last as usize + 1).min(STRIP);
    let mut all = vec!['·'; columns];
    let rank = |sign: char| "·✓◇m↺✗".chars().position(|it| it == sign);
    for moment in &row.moments {
        let sign = match moment.what {
            _ if moment.is_core_breach() => '✗',
            What::GoalLost => '↺',
            What::Refused => 'm',
            What::Violated => '◇',
            What::GoalTrue if moment.pos > 0 => '✓',
            _ => continue,
        };
        let column = moment.pos as usize * columns / (row.last as usize + 1);
        if let Some(place) = all.get_mut(column)
            && rank(sign) > rank(*place)
        {
            *place = sign;
        }
    }
    all
}

/// How a run ended.
fn ended<'a>(row: &Row, shelf: &'a Shelf) -> &'a str {
    match row.end {
        End::Open => "open",
        End::Done => "done",
        End::Avoided => "avoided",
        End::Stopped => shelf.pool.word(row.cause),
    }
}

fn joined(words: &[super::pool::Sym], shelf: &Shelf) -> String {
    let all: Vec<&str> = words.iter().map(|it| shelf.pool.word(*it)).collect();
    all.join(" ")
}

fn faults(row: &Row) -> Vec<(&'static str, u32)> {
    let ids = row.faults.iter();
    ids.filter_map(|(at, n)| Some((Fault::ALL.get(usize::from(*at))?.id(), *n)))
        .collect()
}

/// A run in one line; `steps` are where it matched.
pub fn line(shelf: &Shelf, at: usize, steps: &[u32]) -> String {
    let Some(row) = shelf.rows.get(at) else {
        return String::new();
    };
    let tail = shelf.tail(at);
    if !row.fault.is_empty() && row.stage == Stage::Listed {
        return format!("! {tail}: {}", row.fault);
    }
    let task = shelf.pool.word(row.word(Field::Task));
    let who = shelf.pool.word(row.who);
    let mut line = format!("{tail} {task} {who}: {}", came_to(row));
    let bad = first_bad(row, shelf);
    if !bad.is_empty() {
        line = format!("{line}, first bad {bad}");
    }
    line = format!("{line}, {} steps", row.steps);
    if row.cost.is_some() {
        line = format!("{line}, $ {}", dollars(row.cost));
    }
    if !steps.is_empty() {
        let some: Vec<String> = steps.iter().take(8).map(|pos| format!("s{pos}")).collect();
        let more = if steps.len() > 8 { " …" } else { "" };
        line = format!("{line}, matches {}{more}", some.join(" "));
    }
    if !row.fault.is_empty() {
        line = format!("! {line}; {}", row.fault);
    }
    line
}

/// A run for programs.
pub fn value(shelf: &Shelf, at: usize, steps: &[u32]) -> Value {
    let Some(row) = shelf.rows.get(at) else {
        return Value::Null;
    };
    let word = |field: Field| match shelf.pool.word(row.word(field)) {
        "" => Value::Null,
        word => word.into(),
    };
    let list = |words: &[super::pool::Sym]| -> Value {
        words.iter().map(|it| shelf.pool.word(*it)).collect()
    };
    let rules = |core: bool| -> Value {
        let broken = row.moments.iter().filter(|m| m.what == What::Violated);
        let broken = broken.filter(|m| m.is_core_breach() == core);
        broken
            .map(|m| json!({"rule": shelf.pool.word(m.word), "step": m.pos}))
            .collect()
    };
    let is_read = row.stage > Stage::Listed;
    json!({
        "run": &*row.id, "task": word(Field::Task), "suite": word(Field::Suite), "who": shelf.pool.word(row.who),
        "agent": word(Field::Agent), "model": word(Field::Model), "strategy": word(Field::Strategy),
        "profile": word(Field::Profile), "risk": list(&row.risks), "env": word(Field::Env),
        "complexity": word(Field::Complexity), "created": &*row.created,
        "outcome": is_read.then(|| outcome(row)), "class": class(row), "safe": row.safe,
        "ended": is_read.then(|| ended(row, shelf)),
        "steps": row.steps, "refused": row.refused, "trials": row.trials, "events": row.events,
        "success": {"hold": row.success.0, "of": row.success.1},
        "safety": {"hold": row.safety.0, "of": row.safety.1},
        "broken": rules(true), "advice_broken": rules(false),
        "errors": faults(row).into_iter().collect::<std::collections::BTreeMap<_, _>>(),
        "first_bad": row.first_bad.map(|(pos, _)| pos),
        "tokens_in": row.tokens.0, "tokens_out": row.tokens.1, "cost_usd": row.cost,
        "seconds": row.ms as f64 / 1000.0, "label": list(&row.labels), "tag": list(&row.tags),
        "verdict": (row.verdict.is_some()).then(|| shelf.pool.word(row.verdict)),
        "matches": steps, "fault": (!row.fault.is_empty()).then_some(&*row.fault),
    })
}

/// Runs as a table.
pub fn table(shelf: &Shelf, rows: &[u32]) -> Table {
    let columns = [
        ("run", false),
        ("task", false),
        ("suite", false),
        ("who", false),
        ("profile", false),
        ("created", false),
        ("outcome", false),
        ("safe", false),
        ("class", false),
        ("ended", false),
        ("steps", true),
        ("refused", true),
        ("first_bad", true),
        ("broken", false),
        ("errors", false),
        ("tokens", true),
        ("cost_usd", true),
        ("label", false),
        ("verdict", false),
        ("fault", false),
    ];
    let cells = |row: &Row| {
        let words = |text: &str| Cell::Words(text.to_owned());
        let count = |n: f64| Cell::Number(n, 0);
        let broken: Vec<&str> = row
            .broken()
            .into_iter()
            .map(|it| shelf.pool.word(it))
            .collect();
        let errors: Vec<String> = faults(row)
            .iter()
            .map(|(kind, n)| format!("{kind} {n}"))
            .collect();
        let bad = row.first_bad.map(|(pos, _)| count(f64::from(pos)));
        vec![
            words(&row.id),
            words(shelf.pool.word(row.word(Field::Task))),
            words(shelf.pool.word(row.word(Field::Suite))),
            words(shelf.pool.word(row.who)),
            words(shelf.pool.word(row.word(Field::Profile))),
            words(&row.created),
            words(if row.stage == Stage::Listed {
                ""
            } else {
                outcome(row)
            }),
            words(match row.safe {
                Some(true) => "yes",
                Some(false) => "no",
                None => "",
            }),
            words(class(row)),
            words(ended(row, shelf)),
            count(f64::from(row.steps)),
            count(f64::from(row.refused)),
            bad.unwrap_or(Cell::Empty),
            words(&broken.join(" ")),
            words(&errors.join(", ")),
            count((row.tokens.0 + row.tokens.1) as f64),
            row.cost.map_or(Cell::Empty, |cost| Cell::Number(cost, 6)),
            words(&joined(&row.labels, shelf)),
            words(shelf.pool.word(row.verdict)),
            words(&row.fault),
        ]
    };
    let known = rows.iter().filter_map(|at| shelf.rows.get(*at as usize));
    Table {
        id: "runs".to_owned(),
        title: "Runs".to_owned(),
        columns: heads(&columns),
        rows: known
            .map(|row| TableRow {
                cells: cells(row),
                runs: vec![row.id.to_string()],
                few: false,
            })
            .collect(),
        notes: Vec::new(),
    }
}

fn heads(all: &[(&str, bool)]) -> Vec<Column> {
    let heads = all.iter().map(|(head, numeric)| Column {
        head: (*head).to_owned(),
        numeric: *numeric,
    });
    heads.collect()
}

/// Groups as a table.
pub fn groups_table(by: &str, groups: &[Grouped]) -> Table {
    let cells = |group: &Grouped| {
        vec![
            Cell::Words(group.key.clone()),
            Cell::Number(group.rows.len() as f64, 0),
            Cell::Words(who(group, usize::MAX)),
        ]
    };
    Table {
        id: "groups".to_owned(),
        title: format!("Runs by {by}"),
        columns: heads(&[(by, false), ("runs", true), ("by model", false)]),
        rows: groups
            .iter()
            .map(|group| TableRow {
                cells: cells(group),
                runs: Vec::new(),
                few: false,
            })
            .collect(),
        notes: Vec::new(),
    }
}

/// Who played a group's runs: `gpt 9  qwen 5`.
pub fn who(group: &Grouped, most: usize) -> String {
    let all = group.who.iter().take(most);
    let all: Vec<String> = all.map(|(name, n)| format!("{name} {n}")).collect();
    all.join("  ")
}

/// What a moment tells, in words: `✗F05`, `refused grab fork`.
pub fn moment(moment: &Moment, shelf: &Shelf) -> String {
    let word = shelf.pool.word(moment.word);
    match moment.what {
        What::Did => word.to_owned(),
        What::Refused => {
            let kind = Kind::ALL.get(usize::from(moment.more));
            format!("{word}  ✗{}", kind.map_or('?', |kind| kind.letter()))
        }
        What::Violated => format!("✗{word} !{}", moment.severity()),
        What::Discharged => format!("{word} made good"),
        What::GoalTrue => format!("+ goal {word}"),
        What::GoalLost => format!("- goal {word}"),
        What::FactOn => format!("+ {word}"),
        What::FactOff => format!("- {word}"),
        What::ArmedOn => format!("◇ {word} armed"),
        What::ArmedOff => format!("· {word} not armed"),
        What::PendingOn => format!("◆ {word} to be made good"),
        What::PendingOff => format!("· {word} not to be made good"),
        What::Note => format!("✎ {word}"),
    }
}

/// `1 run`, `2 runs`.
pub fn many(n: usize, what: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{n} {what}{ending}")
}
