//! Pieces several views share: panes, lists, text lines.

pub mod line;
pub mod list;
pub mod pane;
