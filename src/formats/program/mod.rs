//! VirtualHome program text: a title, a description, then one `[ACTION] <class> (id)` a line.
//!
//! Data sets write ids as `(1.319)`, scene and node; published readers of whole files keep what follows the last dot,
//! while the reader of single lines ([`crate::plan::script::read_published`]) refuses them. That difference ends here.

use crate::base::diag::Diagnostic;
use crate::formats::{Document, Format, Read, json};

/// Programs among the kinds of file.
pub const FORMAT: Format = Format {
    id: "program",
    title: "VirtualHome program",
    extensions: &["txt"],
    sniff: |bytes| {
        std::str::from_utf8(bytes).is_ok_and(|text| text.lines().any(|line| is_action(line.trim())))
    },
    read: |name, bytes| {
        let (program, notes) = read(name, bytes)?;
        Ok((Document::Program(program), notes))
    },
};

/// Whether a line starts with a word in brackets.
fn is_action(line: &str) -> bool {
    let word = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    word.is_some_and(|(word, _)| {
        !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == '_')
    })
}

/// A program as read. Its lines are not checked: a world does that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The first line.
    pub title: String,
    /// The lines up to the first action, blank ones left out.
    pub description: Vec<String>,
    /// The actions, ids as plain numbers.
    pub lines: Vec<String>,
}

impl Program {
    /// Title and description as one instruction.
    pub fn instruction(&self) -> String {
        let text = self.description.join(" ");
        match (self.title.is_empty(), text.is_empty()) {
            (_, true) => self.title.clone(),
            (true, false) => text,
            (false, false) => format!("{}: {text}", self.title),
        }
    }
}

/// Reads a program; `name` is the file's, for messages.
///
/// # Errors
/// The bytes are no text, or hold no action.
pub fn read(name: &str, bytes: &[u8]) -> Result<Read<Program>, Diagnostic> {
    let bytes = json::without_mark(bytes);
    let text = json::text(bytes).map_err(|d| d.in_file(name))?;
    let mut program = Program::default();
    let mut notes = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            program.lines.push(plain_ids(line));
        } else if i == 0 {
            line.clone_into(&mut program.title);
        } else if line.is_empty() {
        } else if program.lines.is_empty() {
            program.description.push(line.to_owned());
        } else {
            notes.push(
                Diagnostic::warning("", format!("{} is skipped", json::quote(line)))
                    .help("an action starts with [")
                    .at(i as u32 + 1, None)
                    .in_file(name),
            );
        }
    }
    if program.lines.is_empty() {
        return Err(Diagnostic::error("", "no line is an action")
            .help("write one action a line, such as [WALK] <kitchen> (11)")
            .in_file(name));
    }
    Ok((program, notes))
}

/// Writes a program, with the two blank lines published files have before the actions.
pub fn write(program: &Program) -> String {
    let mut out = format!("{}\n", program.title);
    for line in &program.description {
        out.push_str(line);
        out.push('\n');
    }
    out.push_str("\n\n");
    for line in &program.lines {
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// The line with `(1.319)` written as `(319)`.
pub fn plain_ids(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, inner)) = rest.split_once('(') {
        out.push_str(before);
        out.push('(');
        let Some((id, after)) = inner.split_once(')') else {
            rest = inner;
            continue;
        };
        let dotted = id.contains('.') && id.chars().all(|c| c.is_ascii_digit() || c == '.');
        let plain = id.rsplit('.').next().filter(|_| dotted).unwrap_or(id);
        out.push_str(plain);
        out.push(')');
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
