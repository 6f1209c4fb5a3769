//! Small changes to a task file that leave every other byte as it is.

use serde_json::value::RawValue;

use crate::base::diag::Diagnostic;
use crate::formats::json;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Leave out an item of a list, by its place from 0.
    Drop(String, usize),
    /// Put an item at the end of a list.
    Append(String, String),
    /// Write another text into a field.
    Set(String, String),
}

impl Edit {
    /// The field it changes.
    fn field(&self) -> &str {
        match self {
            Self::Drop(field, _) | Self::Append(field, _) | Self::Set(field, _) => field,
        }
    }
}

/// The file with these changes. Places in lists are those of the file as it is; items are left out from the back.
///
/// # Errors
/// A field or an item is not there, or the file would be no task any more.
pub fn apply(name: &str, bytes: &[u8], edits: &[Edit]) -> Result<Vec<u8>, Diagnostic> {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| match edit {
        Edit::Drop(_, at) => std::cmp::Reverse(*at),
        _ => std::cmp::Reverse(0),
    });
    let mut text = json::text(bytes).map_err(|d| d.in_file(name))?.to_owned();
    for edit in &edits {
        let (start, end, new) = change(&text, edit).map_err(|d| d.in_file(name))?;
        text.replace_range(start..end, &new);
    }
    super::read(name, text.as_bytes())?;
    Ok(text.into_bytes())
}

/// Which bytes are replaced, and by what.
fn change(text: &str, edit: &Edit) -> Result<(usize, usize, String), Diagnostic> {
    let field = edit.field();
    let bare = text.trim_start_matches('\u{feff}');
    let json::Fields(all) =
        serde_json::from_str(bare).map_err(|e| json::explain(text.as_bytes(), &e))?;
    let raw = all.iter().find(|(name, _)| name == field);
    let Some((_, raw)) = raw else {
        return Err(Diagnostic::error(field, "the file has no such field").help("add it by hand"));
    };
    let (start, end) = span(text, raw);
    if let Edit::Set(_, new) = edit {
        return Ok((start, end, json::string(new)));
    }
    let items: Vec<&RawValue> =
        serde_json::from_str(raw.get()).map_err(|_| Diagnostic::error(field, "this is no list"))?;
    let spans: Vec<(usize, usize)> = items.iter().map(|item| span(text, item)).collect();
    match edit {
        Edit::Drop(_, at) => {
            let Some(&(from, to)) = spans.get(*at) else {
                let there = format!("the list has {} items", spans.len());
                return Err(Diagnostic::error(format!("{field}[{at}]"), there));
            };
            let before = at.checked_sub(1).and_then(|i| spans.get(i));
            Ok(match (spans.get(at + 1), before) {
                (Some(next), _) => (from, next.0, String::new()),
                (None, Some(before)) => (before.1, to, String::new()),
                (None, None) => (start, end, "[]".to_owned()),
            })
        }
        _ => Ok(append(text, (start, end), &spans, edit)),
    }
}

/// An item more, set off as the last one is.
fn append(
    text: &str,
    (start, end): (usize, usize),
    spans: &[(usize, usize)],
    edit: &Edit,
) -> (usize, usize, String) {
    let item = match edit {
        Edit::Append(_, item) => json::string(item),
        _ => String::new(),
    };
    let Some(&last) = spans.last() else {
        return (start, end, format!("[{item}]"));
    };
    let before = spans.len().checked_sub(2).and_then(|i| spans.get(i));
    let joint = if let Some(before) = before {
        text.get(before.1..last.0).unwrap_or(", ").to_owned()
    } else {
        let lead = text.get(start + 1..last.0).unwrap_or_default();
        let blank = if lead.is_empty() { " " } else { lead };
        format!(",{blank}")
    };
    (last.1, last.1, format!("{joint}{item}"))
}

/// Where a value that was read from the text stands in it.
fn span(text: &str, raw: &RawValue) -> (usize, usize) {
    let start = raw.get().as_ptr().addr() - text.as_ptr().addr();
    (start, start + raw.get().len())
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiffLine {
    /// Where the lines that follow stand: `@@ line 14 @@`.
    Place(usize),
    /// In both.
    Same(String),
    /// Only in the old text.
    Old(String),
    /// Only in the new text.
    New(String),
}

impl DiffLine {
    /// As a line of a unified difference.
    pub fn text(&self) -> String {
        match self {
            Self::Place(line) => format!("@@ line {line} @@"),
            Self::Same(text) => format!(" {text}"),
            Self::Old(text) => format!("-{text}"),
            Self::New(text) => format!("+{text}"),
        }
    }
}

/// Lines shown around a change.
const AROUND: usize = 2;

/// The difference between two texts, line by line, with a few lines around every change.
pub fn diff(old: &str, new: &str) -> Vec<DiffLine> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let all = aligned(&old, &new);
    let changed = |line: &DiffLine| !matches!(line, DiffLine::Same(_));
    let near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        all.iter()
            .skip(from)
            .take(at - from + AROUND + 1)
            .any(changed)
    };
    let (mut shown, mut number, mut gap) = (Vec::new(), 0, true);
    for (at, line) in all.iter().enumerate() {
        number += usize::from(!matches!(line, DiffLine::New(_)));
        if !near(at) {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) {
            shown.push(DiffLine::Place(number.max(1)));
        }
        shown.push(line.clone());
    }
    shown
}

/// Both texts in one, by their longest common sequence of lines. Task files have a few hundred lines at most.
fn aligned(old: &[&str], new: &[&str]) -> Vec<DiffLine> {
    let mut longest = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            longest[i][j] = if a == b {
                longest[i + 1][j + 1] + 1
            } else {
                longest[i + 1][j].max(longest[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut all) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        let (a, b) = (old.get(i), new.get(j));
        match (a, b) {
            (Some(a), Some(b)) if a == b => {
                all.push(DiffLine::Same((*a).to_owned()));
                (i, j) = (i + 1, j + 1);
            }
            (Some(a), _) if b.is_none() || longest[i + 1][j] >= longest[i][j + 1] => {
                all.push(DiffLine::Old((*a).to_owned()));
                i += 1;
            }
            (_, Some(b)) => {
                all.push(DiffLine::New((*b).to_owned()));
                j += 1;
            }
            (_, None) => break,
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tasks/vh/V022.json"));

    fn patched(edits: &[Edit]) -> String {
        String::from_utf8(apply("t.json", FILE.as_bytes(), edits).unwrap()).unwrap()
    }

    fn told(edits: &[Edit]) -> Vec<String> {
        let lines = diff(FILE, &patched(edits));
        let changed = |line: &&DiffLine| matches!(line, DiffLine::Old(_) | DiffLine::New(_));
        lines.iter().filter(changed).map(DiffLine::text).collect()
    }

    #[test]
    fn only_what_is_meant_changes() {
        let drop = |at| Edit::Drop("safety".to_owned(), at);
        assert_eq!(told(&[drop(0)]), ["-    \"microwave:OFF\","]);
        assert_eq!(
            told(&[drop(1)]),
            [
                "-    \"microwave:OFF\",",
                "-    \"!fork INSIDE microwave\"",
                "+    \"microwave:OFF\""
            ]
        );
        let both = patched(&[drop(0), drop(1)]);
        assert!(both.contains("\"safety\": [],"), "{both}");
        assert_eq!(
            told(&[Edit::Set("complexity".to_owned(), "low".to_owned())]),
            [
                "-  \"complexity\": \"medium\",",
                "+  \"complexity\": \"low\","
            ]
        );
    }

    #[test]
    fn an_item_is_added_as_the_others_stand() {
        let add = |list: &str| Edit::Append(list.to_owned(), "DO \"x\"".to_owned());
        let text = patched(&[add("success")]);
        assert!(text.contains(",\n    \"DO \\\"x\\\"\"\n  ]"), "{text}");
        let text = patched(&[add("never")]);
        assert!(
            text.contains("\"never\": [\"DO \\\"x\\\"\"]") || text.contains("DO"),
            "{text}"
        );
    }

    #[test]
    fn what_is_not_there_is_said() {
        let fault = |edit: Edit| {
            apply("t.json", FILE.as_bytes(), &[edit])
                .unwrap_err()
                .to_string()
        };
        let text = fault(Edit::Drop("safety".to_owned(), 9));
        assert_eq!(text, "t.json: safety[9]: the list has 2 items");
        assert!(fault(Edit::Set("colour".to_owned(), "red".to_owned())).contains("no such field"));
        assert!(fault(Edit::Drop("id".to_owned(), 0)).contains("no list"));
        let text = fault(Edit::Set("complexity".to_owned(), "tiny".to_owned()));
        assert!(text.contains("complexity"), "{text}");
    }

    #[test]
    fn a_difference_shows_lines_around() {
        let lines: Vec<String> = diff("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nX\ne\nf\n")
            .iter()
            .map(DiffLine::text)
            .collect();
        assert_eq!(lines, ["@@ line 2 @@", " b", " c", "-d", "+X", " e", " f"]);
        assert_eq!(diff("a\n", "a\n"), []);
    }
}
