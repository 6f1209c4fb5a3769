//! What a file is that was handed in as a plan and is none.

use serde_json::Value;

/// What a plan file is.
pub(super) const HELP: &str =
    "give a text file with a step a line, such as walk fridge, and branches such as if FACT then";

/// Fields by which JSON files tell what they are, with what that is.
const FIELDS: [(&str, &str); 9] = [
    ("vesta_arena", "a saved arena (vesta arena show tells it)"),
    ("vesta_scene", "a scene"),
    (
        "vesta_run",
        "the log of a run (--run RUN takes what was attempted in it)",
    ),
    ("vesta_suite", "a suite of tasks"),
    ("vesta_task", "a task"),
    ("instruction", "a task"),
    ("nodes", "a scene"),
    ("plan", "a file of typed plans (vesta arena show tells it)"),
    ("kind", "a file of typed plans (vesta arena show tells it)"),
];

/// What a file without any text of a plan is, with the line that tells; 0 for none. `None` where it may be a plan.
pub(super) fn other(bytes: &[u8]) -> Option<(u32, String)> {
    const MAGIC: [(&[u8], &str); 8] = [
        (b"\x89PNG", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
        (b"GIF8", "a picture"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a zip archive"),
        (b"\x1f\x8b", "a compressed file"),
        (b"\x7fELF", "a program"),
        (b"BM", "a picture"),
    ];
    let magic = MAGIC.iter().find(|(begin, _)| bytes.starts_with(begin));
    if let Some((begin, what)) = magic
        && (begin.len() > 2 || bytes.contains(&0))
    {
        return Some((0, (*what).to_owned()));
    }
    if bytes.contains(&0) {
        return Some((0, "no text".to_owned()));
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.trim_start_matches('\u{feff}');
    let (line, first) = (1_u32..)
        .zip(text.lines())
        .find(|(_, line)| !line.trim().is_empty())?;
    // A program line begins with a bracket too: [WALK] <fridge> (7).
    if !first.trim_start().starts_with(['{', '[']) || first.contains(" <") {
        return None;
    }
    let whole = serde_json::from_str(text.trim());
    let value: Value = match whole {
        Ok(value) => value,
        Err(_) => serde_json::from_str(first).unwrap_or(Value::Null),
    };
    let said = match &value {
        Value::Object(fields) => FIELDS.iter().find(|(name, _)| fields.contains_key(*name)),
        Value::Array(_) => {
            return Some((line, "a JSON list".to_owned()));
        }
        // A torn file: told by its beginning.
        _ => FIELDS
            .iter()
            .find(|(name, _)| first.contains(&format!("\"{name}\""))),
    };
    let words = said.map_or("a JSON file", |(_, what)| *what);
    if said.is_none() && value.is_null() && !first.trim_start().starts_with('{') {
        return None;
    }
    Some((line, words.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::other;

    #[test]
    fn what_is_no_plan_is_named() {
        let said = |bytes: &[u8]| other(bytes).map(|(line, what)| format!("{line} {what}"));
        for (bytes, wanted) in [
            (&b"\x89PNG\r\n\x1a\n"[..], "0 a picture"),
            (b"\x7fELF\x02", "0 a program"),
            (b"walk\0fridge", "0 no text"),
            (b"{\"vesta_scene\": 1, \"nodes\": []}", "1 a scene"),
            (
                b"\n{\n  \"id\": \"V022\",\n  \"instruction\": \"x\"}",
                "2 a task",
            ),
            (
                b"{\"plan\": {}}\n{\"plan\": {}}\n",
                "1 a file of typed plans (vesta arena show tells it)",
            ),
            (
                b"{\"vesta_arena\":1}\n{\"cell\":",
                "1 a saved arena (vesta arena show tells it)",
            ),
            (b"{\"vesta_scene\": 1, \"no", "1 a scene"),
            (b"{\"what\": 1}", "1 a JSON file"),
            (b"[1, 2]", "1 a JSON list"),
        ] {
            assert_eq!(said(bytes).as_deref(), Some(wanted));
        }
        for plan in [
            "walk fridge\n",
            "[WALK] <fridge> (7)\n",
            "",
            "# {\n",
            "[walk]",
            "BM",
        ] {
            assert_eq!(said(plan.as_bytes()), None, "{plan:?}");
        }
    }
}
