//! Views of what several screens share, see `app::parts`.

pub mod lines;
pub mod map;
pub mod verdict;
pub mod warnings;
