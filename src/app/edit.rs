//! A line of text being edited: palette, command line, filters, answers.

/// Characters a line takes; a paste beyond it is cut.
const LIMIT: usize = 4_096;

/// The text and where the caret stands, both in characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineEdit {
    chars: Vec<char>,
    caret: usize,
}

impl LineEdit {
    /// A line holding the text, its caret at the end.
    pub fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        Self {
            caret: chars.len(),
            chars,
        }
    }

    /// The text.
    pub fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// The text before and after the caret.
    pub fn halves(&self) -> (String, String) {
        let (before, after) = self.chars.split_at(self.caret.min(self.chars.len()));
        (before.iter().collect(), after.iter().collect())
    }

    /// Whether nothing is typed.
    pub fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }

    /// Types a text at the caret; line breaks become spaces, other controls go.
    pub fn insert(&mut self, text: &str) {
        for c in text.chars() {
            let c = if matches!(c, '\n' | '\r' | '\t') {
                ' '
            } else {
                c
            };
            if c.is_control() || self.chars.len() >= LIMIT {
                continue;
            }
            self.chars.insert(self.caret, c);
            self.caret += 1;
        }
    }

    /// Runs a command of the `input` context. Whether it was one.
    pub fn run(&mut self, command: &str) -> bool {
        match command {
            "text-start" => self.caret = 0,
            "text-end" => self.caret = self.chars.len(),
            "text-left" => self.caret = self.caret.saturating_sub(1),
            "text-right" => self.caret = (self.caret + 1).min(self.chars.len()),
            "text-delete-back" => self.delete(self.caret.saturating_sub(1), self.caret),
            "text-delete" => self.delete(self.caret, (self.caret + 1).min(self.chars.len())),
            "text-delete-word" => self.delete(self.word_start(), self.caret),
            "text-delete-start" => self.delete(0, self.caret),
            "text-delete-end" => self.delete(self.caret, self.chars.len()),
            _ => return false,
        }
        true
    }

    fn word_start(&self) -> usize {
        let before = self.chars.get(..self.caret).unwrap_or_default();
        let word_end = before
            .iter()
            .rposition(|c| *c != ' ')
            .map_or(0, |at| at + 1);
        let word = before.get(..word_end).unwrap_or_default();
        word.iter().rposition(|c| *c == ' ').map_or(0, |at| at + 1)
    }

    fn delete(&mut self, from: usize, to: usize) {
        self.chars.drain(from..to);
        self.caret = from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits() {
        let mut line = LineEdit::new("goto step");
        for (command, before, after) in [
            ("text-left", "goto ste", "p"),
            ("text-delete-back", "goto st", "p"),
            ("text-delete", "goto st", ""),
            ("text-delete-word", "goto ", ""),
            ("text-delete-word", "", ""),
            ("text-delete-back", "", ""),
        ] {
            assert!(line.run(command));
            assert_eq!(
                line.halves(),
                (before.to_owned(), after.to_owned()),
                "{command}"
            );
        }
        line.insert("a\nb\x1bc");
        assert_eq!(line.text(), "a bc");
        assert!(!line.run("cursor-up"));
    }
}
