//! A text of several lines being edited.
//!
//! The lines, the caret and the way back are kept by the text model of `tui-textarea`. Its widget is not used: it would put
//! characters that act on a terminal into cells; the view draws the lines through its canvas.

use tui_textarea::{CursorMove, TextArea};

/// Characters a text takes; a paste beyond it is left out.
const LIMIT: usize = 1 << 18;

/// Steps that can be taken back.
const UNDO: usize = 500;

/// The text and where the caret stands.
#[derive(Clone, Debug)]
pub struct TextEdit {
    area: TextArea<'static>,
}

impl TextEdit {
    /// A text with the caret at its beginning.
    pub fn new(text: &str) -> Self {
        let mut area = TextArea::new(text.lines().map(str::to_owned).collect());
        area.set_max_histories(UNDO);
        Self { area }
    }

    /// The lines.
    pub fn lines(&self) -> &[String] {
        self.area.lines()
    }

    /// The text, every line with its end.
    pub fn text(&self) -> String {
        let mut text = self.lines().join("\n");
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    /// The line and the character the caret stands before, from 0.
    pub fn caret(&self) -> (usize, usize) {
        let at = self.area.cursor();
        (at.0, at.1)
    }

    /// Puts the caret at a line and a character, from 0, or the nearest there is.
    pub fn go(&mut self, line: usize, character: usize) {
        let short = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        self.area
            .move_cursor(CursorMove::Jump(short(line), short(character)));
    }

    /// Types a text at the caret; controls but for line breaks go, tabs become spaces.
    pub fn insert(&mut self, text: &str) {
        let held: usize = self.lines().iter().map(|l| l.chars().count() + 1).sum();
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let safe: String = text
            .replace('\t', "    ")
            .chars()
            .filter(|c| *c == '\n' || !c.is_control())
            .take(LIMIT.saturating_sub(held))
            .collect();
        self.area.insert_str(safe);
    }

    /// Puts another text in place of all of it, as one who types would: it can be taken back.
    pub fn replace(&mut self, text: &str) {
        if text.strip_suffix('\n').unwrap_or(text) == self.lines().join("\n") {
            return;
        }
        let at = self.caret();
        self.area.select_all();
        self.area.cut();
        self.insert(text.strip_suffix('\n').unwrap_or(text));
        self.go(at.0, at.1);
    }

    /// Runs a command of the `input` or `editor` context. Whether it was one.
    pub fn run(&mut self, command: &str, page: usize) -> bool {
        let (line, character) = self.caret();
        match command {
            "text-start" => self.area.move_cursor(CursorMove::Head),
            "text-end" => self.area.move_cursor(CursorMove::End),
            "text-left" => self.area.move_cursor(CursorMove::Back),
            "text-right" => self.area.move_cursor(CursorMove::Forward),
            "editor-up" => self.area.move_cursor(CursorMove::Up),
            "editor-down" => self.area.move_cursor(CursorMove::Down),
            "editor-page-up" => self.go(line.saturating_sub(page), character),
            "editor-page-down" => self.go(line.saturating_add(page), character),
            "editor-newline" => self.area.insert_newline(),
            "text-delete-back" => drop(self.area.delete_char()),
            "text-delete" => drop(self.area.delete_next_char()),
            "text-delete-word" => drop(self.area.delete_word()),
            "text-delete-start" => drop(self.area.delete_line_by_head()),
            "text-delete-end" => drop(self.area.delete_line_by_end()),
            "editor-undo" => drop(self.area.undo()),
            "editor-redo" => drop(self.area.redo()),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_and_takes_back() {
        let mut edit = TextEdit::new("[format]\nSay it.\n");
        edit.go(1, 7);
        for (command, text) in [
            ("editor-newline", "[format]\nSay it.\n\n"),
            ("text-delete-back", "[format]\nSay it.\n"),
            ("text-delete-word", "[format]\nSay it\n"),
            ("editor-undo", "[format]\nSay it.\n"),
            ("editor-redo", "[format]\nSay it\n"),
            ("text-delete-start", "[format]\n\n"),
        ] {
            assert!(edit.run(command, 10), "{command}");
            assert_eq!(edit.text(), text, "{command}");
        }
        edit.insert("a\r\nb\u{1b}[2J\tc");
        assert_eq!(edit.text(), "[format]\na\nb[2J    c\n");
        assert_eq!(edit.caret(), (2, 9));
        assert!(edit.run("editor-page-up", 10));
        assert_eq!(edit.caret().0, 0);
        assert!(!edit.run("cursor-up", 10));
    }
}
