//! Where tasks are taken from: the flags that commands share.

use std::path::PathBuf;

use crate::store::library::{Library, Places};

/// `--from` and what belongs to it.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Source {
    /// Take the tasks of this folder, task or scene file, VestaBench-B50 file, eai-eval installation or wheel, or the BDDL
    /// definitions of this package, folder or file, instead of the usual ones
    #[arg(long, value_name = "PATH")]
    pub from: Option<PathBuf>,
    /// The folder of initial graphs that belong to a VestaBench-B50 file; or, one each, the eai-eval 1.0.5 wheel and the
    /// bddl 1.0.1 archive that they are built from; the latter also tells the types of a definition file
    #[arg(long, value_name = "PATH", requires = "from")]
    pub graphs: Vec<PathBuf>,
}

impl Source {
    /// The usual places, with those of graphs.
    pub fn places(&self) -> Places {
        Places {
            graphs: self.graphs.clone(),
            ..Places::usual()
        }
    }

    /// What there is to open.
    pub fn library(&self) -> Library {
        Library::open_in(self.places(), self.from.as_deref())
    }
}
