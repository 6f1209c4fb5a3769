//! The beginning of a tree's row: its depth and whether it is folded.

use crate::app::role::Role;
use crate::ui::canvas::Span;

/// Whether a tree row has rows below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// Its rows are shown.
    Open,
    /// Its rows are hidden.
    Closed,
    /// It has none.
    Leaf,
}

/// The margin sign (`+ - ~` or a space), the indent and the fold sign of a row. The row's own spans follow.
pub fn lead(margin: Span, depth: usize, fold: Fold) -> Vec<Span> {
    let sign = match fold {
        Fold::Open => "▾ ",
        Fold::Closed => "▸ ",
        Fold::Leaf => "· ",
    };
    // Deep trees must leave room for names: beyond this depth rows are no longer moved right.
    let indent = "  ".repeat(depth.min(12));
    vec![margin, Span::plain(indent), Span::new(sign, Role::Dim)]
}
