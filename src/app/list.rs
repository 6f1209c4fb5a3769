//! A cursor in a list of rows: the one way all lists move.

/// The cursor; rows belong to whoever owns it. Where the window stands is the view's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct List {
    /// The row under the cursor.
    pub cursor: usize,
}

impl List {
    /// Runs a command of the `list` context on `len` rows shown `page` at a time. Whether it was one.
    pub fn run(&mut self, command: &str, len: usize, page: usize) -> bool {
        let page = page.max(2);
        let last = len.saturating_sub(1);
        let to = match command {
            "cursor-down" => self.cursor.saturating_add(1),
            "cursor-up" => self.cursor.saturating_sub(1),
            "half-page-down" => self.cursor.saturating_add(page / 2),
            "half-page-up" => self.cursor.saturating_sub(page / 2),
            "page-down" => self.cursor.saturating_add(page - 1),
            "page-up" => self.cursor.saturating_sub(page - 1),
            "cursor-top" => 0,
            "cursor-bottom" => last,
            _ => return false,
        };
        self.cursor = to.min(last);
        true
    }

    /// Keeps the cursor on a row there is.
    pub fn clamp(&mut self, len: usize) {
        self.cursor = self.cursor.min(len.saturating_sub(1));
    }
}
