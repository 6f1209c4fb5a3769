//! Reports as screens have them: the tables, the runs they stand on and where these are.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::eval::told::Told;

/// A report that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    /// The folders it was read from, as they are shown.
    pub folders: Vec<String>,
    /// The tables and the runs behind them.
    pub told: Told,
    /// The folders of the runs, by id.
    pub places: BTreeMap<String, PathBuf>,
}
