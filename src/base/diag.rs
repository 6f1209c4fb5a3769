//! One shape for everything that is wrong with an input: a sentence that names file, line, field and cure.

use std::borrow::Cow;
use std::fmt;

/// How much a [`Diagnostic`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input was used, and this is worth knowing.
    Note,
    /// The input was used in part or repaired; what was lost is named.
    Warning,
    /// The input cannot be used.
    Error,
}

/// A finding about an input, printed as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// The file as the user named it; empty when the text came from elsewhere.
    pub file: String,
    /// One-based line, where known.
    pub line: Option<u32>,
    /// One-based column, where known.
    pub column: Option<u32>,
    /// The field or item concerned, such as `nodes[3].id`; empty when the whole file is meant.
    pub field: String,
    /// What is wrong, lower case, without a full stop.
    pub message: String,
    /// What to do about it, without a full stop; empty when obvious.
    pub help: String,
}

impl Diagnostic {
    /// An error about `field`.
    pub fn error(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, field.into(), message.into())
    }

    /// A warning about `field`.
    pub fn warning(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, field.into(), message.into())
    }

    fn new(severity: Severity, field: String, message: String) -> Self {
        Self {
            severity,
            file: String::new(),
            line: None,
            column: None,
            field,
            message,
            help: String::new(),
        }
    }

    /// The same finding with a cure.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// The same finding placed in `file`, unless it already names one.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        if self.file.is_empty() {
            file.clone_into(&mut self.file);
        }
        self
    }

    /// The same finding at a one-based line and column.
    #[must_use]
    pub fn at(mut self, line: u32, column: Option<u32>) -> Self {
        self.line = Some(line);
        self.column = column;
        self
    }
}

/// The longest part of a sentence that is repeated, in characters; texts of inputs may have millions.
const LONGEST: usize = 600;

/// The beginning of a text that is too long for a sentence, and how long it is.
fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            let head = text.get(..end).unwrap_or_default();
            Cow::Owned(format!("{head}… ({} characters)", text.chars().count()))
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sep = "";
        if !self.file.is_empty() {
            write!(f, "{}", self.file)?;
            sep = ": ";
        }
        if let Some(line) = self.line {
            write!(
                f,
                "{}line {line}",
                if self.file.is_empty() { "" } else { " " }
            )?;
            if let Some(column) = self.column {
                write!(f, " column {column}")?;
            }
            sep = ": ";
        }
        if !self.field.is_empty() {
            write!(f, "{sep}{}", short(&self.field))?;
            sep = ": ";
        }
        write!(f, "{sep}{}", short(&self.message))?;
        if !self.help.is_empty() {
            write!(f, "; {}", short(&self.help))?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

#[cfg(test)]
mod tests {
    use super::Diagnostic;

    #[test]
    fn a_sentence_names_file_line_field_and_cure() {
        let d = Diagnostic::error("nodes[3].id", "5 is used twice")
            .help("give one of them another id")
            .in_file("a.json")
            .at(14, Some(2));
        assert_eq!(
            d.to_string(),
            "a.json line 14 column 2: nodes[3].id: 5 is used twice; give one of them another id"
        );
        assert_eq!(Diagnostic::warning("", "empty").to_string(), "empty");
        let long = Diagnostic::error("x", "é".repeat(1_000_000)).to_string();
        assert!(long.ends_with("é… (1000000 characters)"), "{}", long.len());
        assert!(long.len() < 1_300);
    }
}
