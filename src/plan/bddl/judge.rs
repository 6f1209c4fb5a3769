//! The three verdicts on a state, and where they differ and why.

use crate::plan::bddl::bind::{Bound, Ground, Literal, Pairs};
use crate::plan::fact::Body;
use crate::sim::graph::Graph;
use crate::sim::reading::{has_edge, has_state};
use crate::sim::vocab::Ix;

/// By which rules a formula is judged; see the module above for what each means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// The published expansion into options. It counts unless something else is asked for: scores are to equal the
    /// published ones.
    #[default]
    Published,
    /// The rules of the `bddl` package.
    Logic,
    /// As logic, with true pairs.
    Matching,
}

impl Reading {
    /// It in words: `quantified goals by true pairs`.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Published => "quantified goals by the published verdict",
            Self::Logic => "quantified goals by bddl's own rules",
            Self::Matching => "quantified goals by true pairs",
        }
    }
}

/// All verdicts on one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// By the published expansion; `None` where that is too large to be told.
    pub published: Option<bool>,
    /// By bddl's own rules.
    pub logic: bool,
    /// By true pairs.
    pub matching: bool,
}

impl Verdicts {
    /// Whether they are not all the same.
    pub fn differ(self) -> bool {
        self.logic != self.matching || self.published.is_some_and(|p| p != self.logic)
    }
}

/// Where the verdicts differ, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The verdicts.
    pub verdicts: Verdicts,
    /// The pairs that were found, an object of the first type beside one of the second; empty where it is not about pairs.
    pub pairs: Vec<(Ix, Ix)>,
    /// Objects that are left without a partner.
    pub open: Vec<Ix>,
    /// Why they differ, as a sentence with the witness.
    pub why: String,
}

/// Which facts hold.
pub(super) struct Truth(Vec<bool>);

impl Truth {
    /// Of so many facts those hold that literals want present.
    pub(super) fn of(atoms: usize, literals: &[Literal]) -> Self {
        let wanted = |atom: usize| {
            literals
                .iter()
                .any(|l| l.atom as usize == atom && !l.negated)
        };
        Self((0..atoms).map(wanted).collect())
    }

    pub(super) fn atom(&self, atom: u32) -> bool {
        self.0.get(atom as usize).copied().unwrap_or(false)
    }
}

impl Bound {
    /// Whether it holds by the verdict that counts for it. Where the published expansion is too large, bddl's own rules
    /// count in its place.
    pub fn holds(&self, graph: &Graph) -> bool {
        let truth = self.truth(graph);
        match self.reading {
            Reading::Published => self
                .published(&truth)
                .unwrap_or_else(|| judge(&self.ground, &truth, false)),
            Reading::Logic => judge(&self.ground, &truth, false),
            Reading::Matching => judge(&self.ground, &truth, true),
        }
    }

    /// All three verdicts.
    pub fn verdicts(&self, graph: &Graph) -> Verdicts {
        self.all(&self.truth(graph))
    }

    fn all(&self, truth: &Truth) -> Verdicts {
        Verdicts {
            published: self.published(truth),
            logic: judge(&self.ground, truth, false),
            matching: judge(&self.ground, truth, true),
        }
    }

    pub(super) fn truth(&self, graph: &Graph) -> Truth {
        let holds = |body: &Body| match body {
            Body::State(x, state) => x.iter().all(|&x| has_state(graph, x, *state)),
            Body::Edge(x, rel, y) => x.iter().zip(y).all(|(&x, &y)| has_edge(graph, x, *rel, y)),
            Body::Tracked(..) => false,
        };
        Truth(self.atoms.iter().map(|fact| holds(&fact.body)).collect())
    }

    pub(super) fn published(&self, truth: &Truth) -> Option<bool> {
        let options = self.options.as_ref()?;
        Some(
            options
                .iter()
                .any(|option| option.iter().all(|l| truth.atom(l.atom) != l.negated)),
        )
    }

    /// Whether it holds in a sub-formula's place by the verdict that counts; the published one has no parts, so that bddl's
    /// rules stand in for it.
    pub(super) fn part_holds(&self, ground: &Ground, truth: &Truth) -> bool {
        judge(ground, truth, self.reading == Reading::Matching)
    }

    /// Where the verdicts differ, with a witness.
    pub fn disagreement(&self, graph: &Graph) -> Option<Disagreement> {
        let truth = self.truth(graph);
        let verdicts = self.all(&truth);
        if !verdicts.differ() {
            return None;
        }
        let scene = graph.scene();
        let name = |ix: Ix| scene.short_name(ix);
        let mut told = Disagreement {
            verdicts,
            pairs: Vec::new(),
            open: Vec::new(),
            why: String::new(),
        };
        let mut why = Vec::new();
        if let Some(pairs) = telling(&self.ground, &truth) {
            let matched = matched(pairs, &truth);
            told.open = unmatched(pairs, &matched);
            told.pairs = matched;
            let shown: Vec<String> = told
                .pairs
                .iter()
                .map(|&(a, b)| format!("{} with {}", name(a), name(b)))
                .collect();
            let open: Vec<&str> = told.open.iter().map(|&ix| name(ix)).collect();
            let left = if open.is_empty() {
                String::new()
            } else {
                format!("; without a partner: {}", open.join(", "))
            };
            why.push(format!(
                "{} of {} pairs: {}{left}",
                told.pairs.len(),
                pairs.wanted,
                shown.join(", ")
            ));
        } else if let Ground::Count(n, each) = &self.ground {
            let count = each
                .of
                .iter()
                .filter(|(_, one)| judge(one, &truth, false))
                .count();
            why.push(format!(
                "it holds of {count}, and exactly {n} are asked for"
            ));
        }
        why.extend(reasons(verdicts).map(str::to_owned));
        told.why = why.join("; ");
        Some(told)
    }
}

/// What sets the verdicts apart.
fn reasons(v: Verdicts) -> impl Iterator<Item = &'static str> {
    let missed = v.published == Some(false) && v.logic;
    let taken = v.published == Some(true) && !v.logic;
    let each = v.logic && !v.matching;
    [
        missed.then_some(
            "the published verdict looks at some combinations only and does not find this one",
        ),
        taken.then_some("the published verdict takes more than was asked for as well"),
        each.then_some("bddl's own rules ask for some partner, not for one of its own"),
    ]
    .into_iter()
    .flatten()
}

/// bddl's rules, or those with true pairs.
pub(super) fn judge(ground: &Ground, truth: &Truth, matching: bool) -> bool {
    let on = |one: &Ground| judge(one, truth, matching);
    match ground {
        Ground::Atom(atom) => truth.atom(*atom),
        Ground::Not(one) => !on(one),
        Ground::And(all) => all.iter().all(on),
        Ground::Or(all) => all.iter().any(on),
        Ground::Imply(a, b) => !on(a) || on(b),
        Ground::All(each) => each.of.iter().all(|(_, one)| on(one)),
        Ground::Any(each) => each.of.iter().any(|(_, one)| on(one)),
        Ground::Count(n, each) => each.of.iter().filter(|(_, one)| on(one)).count() == *n,
        Ground::Pairs(pairs) if matching => matched(pairs, truth).len() >= pairs.wanted,
        Ground::Pairs(pairs) => {
            let rows = pairs.rows.iter();
            let rows = rows.filter(|(_, row)| row.iter().any(|(_, one)| on(one)));
            let columns = (0..pairs.width()).filter(|&c| {
                let mut cells = pairs.rows.iter().filter_map(|(_, row)| row.get(c));
                cells.any(|(_, one)| on(one))
            });
            rows.count() >= pairs.wanted && columns.count() >= pairs.wanted
        }
    }
}

/// As many pairs as can be made of true cells, no object on its side in two of them; rows ascending.
pub(super) fn matched(pairs: &Pairs, truth: &Truth) -> Vec<(Ix, Ix)> {
    let can: Vec<Vec<Ix>> = pairs
        .rows
        .iter()
        .map(|(_, row)| {
            let fits = row.iter().filter(|(_, one)| judge(one, truth, true));
            fits.map(|&(ix, _)| ix).collect()
        })
        .collect();
    let mut taken: Vec<(Ix, usize)> = Vec::new();
    for row in 0..can.len() {
        let _ = find_partner(row, &can, &mut taken, &mut Vec::new());
    }
    let mut found: Vec<(Ix, Ix)> = taken
        .into_iter()
        .filter_map(|(column, row)| Some((pairs.rows.get(row)?.0, column)))
        .collect();
    found.sort_unstable();
    found
}

/// Gives a row a column, moving others to another one where that helps (an augmenting path).
fn find_partner(
    row: usize,
    can: &[Vec<Ix>],
    taken: &mut Vec<(Ix, usize)>,
    seen: &mut Vec<Ix>,
) -> bool {
    for &column in &can[row] {
        if seen.contains(&column) {
            continue;
        }
        seen.push(column);
        let Some(i) = taken.iter().position(|&(c, _)| c == column) else {
            taken.push((column, row));
            return true;
        };
        if find_partner(taken[i].1, can, taken, seen) {
            taken[i].1 = row;
            return true;
        }
    }
    false
}

/// The objects of the smaller side that have no partner.
pub(super) fn unmatched(pairs: &Pairs, matched: &[(Ix, Ix)]) -> Vec<Ix> {
    if pairs.rows.len() <= pairs.width() {
        let rows = pairs.rows.iter().map(|&(ix, _)| ix);
        return rows
            .filter(|ix| !matched.iter().any(|(a, _)| a == ix))
            .collect();
    }
    let columns = pairs.rows.first().into_iter().flat_map(|(_, row)| row);
    let columns = columns.map(|&(ix, _)| ix);
    columns
        .filter(|ix| !matched.iter().any(|(_, b)| b == ix))
        .collect()
}

/// The outermost pairing; the verdicts differ there if they differ about pairs.
fn telling<'g>(ground: &'g Ground, truth: &Truth) -> Option<&'g Pairs> {
    match ground {
        Ground::Pairs(pairs) => Some(pairs),
        Ground::Atom(_) => None,
        Ground::Not(one) => telling(one, truth),
        Ground::And(all) | Ground::Or(all) => {
            best(all.iter().filter_map(|one| telling(one, truth)), truth)
        }
        Ground::Imply(a, b) => telling(a, truth).or_else(|| telling(b, truth)),
        Ground::All(each) | Ground::Any(each) | Ground::Count(_, each) => best(
            each.of.iter().filter_map(|(_, one)| telling(one, truth)),
            truth,
        ),
    }
}

/// Of several pairings the one with the most pairs, the first of equals.
fn best<'g>(all: impl Iterator<Item = &'g Pairs>, truth: &Truth) -> Option<&'g Pairs> {
    let mut found: Option<(usize, &Pairs)> = None;
    for pairs in all {
        let count = matched(pairs, truth).len();
        if found.is_none_or(|(most, _)| count > most) {
            found = Some((count, pairs));
        }
    }
    found.map(|(_, pairs)| pairs)
}
