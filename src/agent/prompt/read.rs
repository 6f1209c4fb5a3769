//! Reading a prompt file.

use std::collections::BTreeMap;

use crate::base::diag::Diagnostic;
use crate::base::nearest::nearest;

use super::{ENDING, FOLDER, File, PARTS, Part, Piece, SHIPPED, Text, version};

/// Reads a prompt file; its name is without the ending.
///
/// # Errors
/// All that is wrong with it: a name no file has, a part that does not belong to it, comes twice or is missing, a word in
/// double braces that is not filled in there.
pub fn read(name: &str, text: &str) -> Result<File, Vec<Diagnostic>> {
    let path = format!("{FOLDER}/{name}{ENDING}");
    let mut reader = Reader {
        file: name,
        parts: BTreeMap::new(),
        wrong: Vec::new(),
    };
    if !SHIPPED.iter().any(|(known, _)| *known == name) {
        let known = SHIPPED.iter().map(|(known, _)| *known);
        let hint = nearest(name, known.clone()).map_or_else(
            || format!("known are {}", known.collect::<Vec<_>>().join(", ")),
            |n| format!("did you mean {n}{ENDING}?"),
        );
        let wrong = Diagnostic::error("", "no prompt file has this name").help(hint);
        return Err(vec![wrong.in_file(&path)]);
    }
    reader.all(text);
    let wrong = reader.wrong;
    if wrong.is_empty() {
        return Ok(File {
            name: name.to_owned(),
            version: version(text.as_bytes()),
            parts: reader.parts,
        });
    }
    Err(wrong.into_iter().map(|d| d.in_file(&path)).collect())
}

struct Reader<'t> {
    file: &'t str,
    parts: BTreeMap<String, Text>,
    wrong: Vec<Diagnostic>,
}

/// How many faults of one file are told.
const MOST: usize = 20;

impl Reader<'_> {
    fn known(&self) -> impl Iterator<Item = &'static Part> + use<'_> {
        let file = self.file;
        PARTS.iter().filter(move |p| p.file == file)
    }

    fn fault(
        &mut self,
        (line, column): (usize, usize),
        field: &str,
        message: String,
        help: String,
    ) {
        if self.wrong.len() < MOST {
            let wrong = Diagnostic::error(field, message).help(help);
            self.wrong.push(wrong.at(line as u32, Some(column as u32)));
        }
    }

    fn all(&mut self, text: &str) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // The part that is being read: its name, the words it may use, its text so far.
        let mut now: Option<(String, &'static [&'static str], Text)> = None;
        for (i, line) in text.lines().enumerate() {
            if let Some(name) = header(line) {
                self.close(now.take());
                now = self.open(i + 1, name);
                continue;
            }
            if let Some((name, fills, into)) = &mut now {
                let (name, fills) = (name.clone(), *fills);
                self.line((i + 1, line), (&name, fills), into);
            }
        }
        self.close(now.take());
        let missing: Vec<&Part> = self
            .known()
            .filter(|p| !p.name.ends_with('.') && !self.parts.contains_key(p.name))
            .collect();
        let last = text.lines().count().max(1);
        for part in missing {
            let help = format!("add it; it is: {}", part.what.trim_end_matches('.'));
            self.fault(
                (last, 1),
                "",
                format!("the part [{}] is missing", part.name),
                help,
            );
        }
    }

    fn open(&mut self, line: usize, name: &str) -> Option<(String, &'static [&'static str], Text)> {
        let fits = |p: &&Part| p.name == name || p.name.ends_with('.') && name.starts_with(p.name);
        let known = self.known().find(fits);
        let Some(part) = known else {
            let names: Vec<&str> = self.known().map(|p| p.name).collect();
            let help = nearest(name, names.iter().copied()).map_or_else(
                || format!("this file has {}", names.join(", ")),
                |n| format!("did you mean [{n}]?"),
            );
            self.fault((line, 1), "", format!("no part is called [{name}]"), help);
            return None;
        };
        if self.parts.contains_key(name) {
            let message = format!("the part [{name}] comes twice");
            self.fault((line, 1), "", message, "keep one of them".to_owned());
        }
        Some((name.to_owned(), part.fills, Text::default()))
    }

    fn close(&mut self, part: Option<(String, &'static [&'static str], Text)>) {
        if let Some((name, _, text)) = part {
            self.parts.entry(name).or_insert(text);
        }
    }

    fn line(
        &mut self,
        (number, line): (usize, &str),
        (part, fills): (&str, &[&str]),
        into: &mut Text,
    ) {
        let mut plain = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("{{") {
            plain.push_str(&before.replace("\\[", "["));
            let column = line.chars().count() - after.chars().count() - 1;
            let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            let (name, tail) = after
                .split_at_checked(end.unwrap_or(after.len()))
                .unwrap_or((after, ""));
            let named = name.starts_with(|c: char| c.is_ascii_alphabetic());
            match tail.strip_prefix("}}") {
                Some(tail) if named => {
                    if !fills.contains(&name) {
                        let help = nearest(name, fills.iter().copied()).map_or_else(
                            || match fills {
                                [] => "nothing is filled in here".to_owned(),
                                some => format!("known here are {}", braced(some)),
                            },
                            |n| format!("{{{{{n}}}}}?"),
                        );
                        let message = format!("{{{{{name}}}}} unknown");
                        self.fault((number, column), part, message, help);
                    }
                    into.0.push(Piece::Plain(std::mem::take(&mut plain)));
                    into.0.push(Piece::Fill(name.to_owned()));
                    rest = tail;
                }
                None if named => {
                    let message = format!("{{{{{name} has no end");
                    let help = format!("write {{{{{name}}}}}");
                    self.fault((number, column), part, message, help);
                    rest = tail;
                }
                // Two braces that begin no word are text, as in JSON.
                _ => {
                    plain.push_str("{{");
                    rest = after;
                }
            }
        }
        plain.push_str(&rest.replace("\\[", "["));
        plain.push('\n');
        into.0.push(Piece::Plain(plain));
    }
}

fn braced(names: &[&str]) -> String {
    let all: Vec<String> = names.iter().map(|n| format!("{{{{{n}}}}}")).collect();
    all.join(", ")
}

/// The name of the part that a line of a file stands in, from 0; none above the first.
pub fn part_at(text: &str, line: usize) -> Option<&str> {
    let until = text.lines().take(line.saturating_add(1));
    until.filter_map(header).last()
}

/// The name in the heading of a part.
fn header(line: &str) -> Option<&str> {
    let name = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_.-".contains(c);
    (!name.is_empty() && name.chars().all(fits)).then_some(name)
}
