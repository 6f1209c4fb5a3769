//! Which branch owns which position. A branch is a chain: it begins with the step that left another branch and goes
//! on as long as each position has its first child on it.

use std::sync::Arc;

use crate::sim::timeline::Pos;

/// The name of the branch a run starts on.
pub const MAIN: &str = "main";

/// One branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// `main`, `main-1`, `main-2` … in the order they were opened.
    pub name: Arc<str>,
    /// The position it left; `None` for the first branch.
    pub from: Option<Pos>,
    /// Its positions, oldest first. Empty while its first step is still to come.
    pub positions: Vec<Pos>,
}

impl Branch {
    /// Its last position, or where it leaves the other branch while it has none of its own.
    pub fn tip(&self) -> Pos {
        self.positions
            .last()
            .copied()
            .or(self.from)
            .unwrap_or(Pos::START)
    }
}

/// All branches of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branches {
    all: Vec<Branch>,
    /// Positions before the first that is known.
    before: u32,
    /// Per position: its branch.
    owner: Vec<u32>,
}

impl Default for Branches {
    fn default() -> Self {
        Self {
            all: vec![Branch {
                name: MAIN.into(),
                from: None,
                positions: vec![Pos::START],
            }],
            before: 0,
            owner: vec![0],
        }
    }
}

impl Branches {
    /// The branch of a run that is picked up at a position.
    pub(super) fn from(first: Pos, name: &Arc<str>) -> Self {
        Self {
            all: vec![Branch {
                name: name.clone(),
                from: None,
                positions: vec![first],
            }],
            before: first.0,
            owner: vec![0],
        }
    }

    /// The index of a position.
    const fn at(&self, pos: Pos) -> usize {
        pos.0.saturating_sub(self.before) as usize
    }

    /// All branches, the first one first.
    pub fn all(&self) -> &[Branch] {
        &self.all
    }

    /// The branch that owns a position.
    pub fn of(&self, pos: Pos) -> &Branch {
        let i = self.owner.get(self.at(pos)).copied().unwrap_or(0);
        &self.all[i as usize]
    }

    /// The branch of that name.
    pub fn named(&self, name: &str) -> Option<&Branch> {
        self.all.iter().find(|b| *b.name == *name)
    }

    /// A name no branch has yet.
    pub(super) fn next_name(&self) -> Arc<str> {
        let free = (self.all.len()..).map(|n| format!("{MAIN}-{n}"));
        free.into_iter()
            .find(|name| self.named(name).is_none())
            .unwrap_or_default()
            .into()
    }

    /// Opens a branch, unless one of that name is there.
    pub(super) fn open(&mut self, name: &Arc<str>, from: Pos) {
        if self.named(name).is_none() {
            self.all.push(Branch {
                name: name.clone(),
                from: Some(from),
                positions: Vec::new(),
            });
        }
    }

    /// Gives a new position to a branch, which opens if need be. Positions come in order.
    pub(super) fn own(&mut self, pos: Pos, name: &Arc<str>, from: Pos) {
        if self.at(pos) < self.owner.len() {
            return;
        }
        self.open(name, from);
        let at = self.all.iter().position(|b| b.name == *name).unwrap_or(0);
        self.all[at].positions.push(pos);
        self.owner.push(at as u32);
    }
}
