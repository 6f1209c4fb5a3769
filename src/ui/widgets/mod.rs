//! Pieces several views share: panes, lists, trees, text lines, running text.

pub mod dots;
pub mod line;
pub mod list;
pub mod pane;
pub mod paragraph;
pub mod tree;
