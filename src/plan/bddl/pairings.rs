//! The ways to share things out that a pairing speaks of, and which of them the published verdict finds.

use crate::plan::bddl::bind::{Bound, Ground, Literal, Pairs};
use crate::plan::bddl::judge::Truth;
use crate::plan::fact::Fact;
use crate::sim::vocab::Ix;

/// How many ways are looked at: all of seven things on seven places.
const MOST: usize = 5_040;

/// All ways to give each thing of the smaller side one of its own on the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairings {
    /// How many ways there are. In all of them every pair that is made is a true one.
    pub all: usize,
    /// How many of them the published verdict accepts.
    pub passing: usize,
    /// The first that it accepts.
    pub pass: Option<Pairing>,
    /// The first that it does not.
    pub fail: Option<Pairing>,
}

/// One way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The pairs: an object of the first type beside one of the second.
    pub pairs: Vec<(Ix, Ix)>,
    /// The facts that it takes.
    pub facts: Vec<Fact>,
}

impl Bound {
    /// The ways to meet a formula that is one pairing of facts. `None` where it is something else, where the published
    /// expansion is too large, or where there are too many ways.
    pub fn pairings(&self) -> Option<Pairings> {
        let Ground::Pairs(pairs) = &self.ground else {
            return None;
        };
        self.options.as_ref()?;
        let mut found = Pairings {
            all: 0,
            passing: 0,
            pass: None,
            fail: None,
        };
        self.share(pairs, &mut Vec::new(), &mut found)?;
        Some(found)
    }

    /// Gives the next of the smaller side each one that is left, and goes on.
    fn share(
        &self,
        pairs: &Pairs,
        chosen: &mut Vec<(usize, usize)>,
        found: &mut Pairings,
    ) -> Option<()> {
        if chosen.len() == pairs.wanted {
            return self.count(pairs, chosen, found);
        }
        let rows_lead = pairs.rows.len() <= pairs.width();
        let others = if rows_lead {
            pairs.width()
        } else {
            pairs.rows.len()
        };
        let lead = chosen.len();
        for other in 0..others {
            let cell = if rows_lead {
                (lead, other)
            } else {
                (other, lead)
            };
            let used = chosen.iter().any(|&(row, column)| {
                if rows_lead {
                    column == other
                } else {
                    row == other
                }
            });
            if used {
                continue;
            }
            chosen.push(cell);
            self.share(pairs, chosen, found)?;
            chosen.pop();
        }
        Some(())
    }

    fn count(&self, pairs: &Pairs, chosen: &[(usize, usize)], found: &mut Pairings) -> Option<()> {
        found.all += 1;
        if found.all > MOST {
            return None;
        }
        let mut way = Pairing {
            pairs: Vec::new(),
            facts: Vec::new(),
        };
        let mut literals: Vec<Literal> = Vec::new();
        for &(row, column) in chosen {
            let (x, cells) = pairs.rows.get(row)?;
            let (y, cell) = cells.get(column)?;
            literals.extend(super::bind::conjunction(cell)?);
            way.pairs.push((*x, *y));
        }
        way.pairs.sort_unstable();
        let truth = Truth::of(self.atoms.len(), &literals);
        way.facts = literals.into_iter().map(|l| self.fact(l)).collect();
        if self.published(&truth)? {
            found.passing += 1;
            found.pass.get_or_insert(way);
        } else {
            found.fail.get_or_insert(way);
        }
        Some(())
    }
}
