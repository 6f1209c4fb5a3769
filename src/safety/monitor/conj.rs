//! From drafts to conjunctions: variables get their places, and what is fixed for the scene goes into their ranges.

use super::atom::{Arg, Atom, Conj, DomId, FamIx, Lit, MAX_VARS, Part, When};
use super::norm::{Norm, Unfit};
use super::tree::{Draft, DraftPart};

impl Norm {
    /// Gives variables their places and takes what is fixed for the scene into their ranges.
    pub(super) fn finish(
        &mut self,
        drafts: &[Draft],
        outer: &[(u16, DomId)],
    ) -> Result<Vec<Conj>, Unfit> {
        let mut all = Vec::new();
        for draft in drafts {
            if let Some(conj) = self.finish_one(draft, outer)? {
                all.push(conj);
            }
        }
        Ok(all)
    }

    fn finish_one(&mut self, draft: &Draft, outer: &[(u16, DomId)]) -> Result<Option<Conj>, Unfit> {
        let mut used = Vec::new();
        super::tree::free_args(
            &[Draft {
                vars: Vec::new(),
                parts: draft.parts.clone(),
            }],
            &mut used,
        );
        let mut vars = outer.to_vec();
        // A variable nothing reads only needs a range that is not empty.
        vars.extend(draft.vars.iter().filter(|(v, _)| used.contains(v)));
        if vars.len() > MAX_VARS {
            return Err("it binds too many variables at once".into());
        }
        let mut parts = Vec::new();
        let first_own = if self.sub_depth == 0 { 0 } else { outer.len() };
        for part in &draft.parts {
            if let DraftPart::Lit(Lit {
                atom: Atom::Is(dom, Arg::Var(v)),
                neg,
                ..
            }) = part
                && let Some(at) = vars.iter().position(|(uid, _)| uid == v)
                && at >= first_own
            {
                vars[at].1 = self.doms.narrow(vars[at].1, *dom, !neg);
                continue;
            }
            parts.push(part);
        }
        self.same_range(&parts, &mut vars);
        if vars.iter().any(|v| self.doms.len(v.1) == 0) || never(&parts) {
            return Ok(None);
        }
        let mut placed = Vec::new();
        for part in parts {
            placed.push(match part {
                DraftPart::Lit(l) => Part::Lit(place(l, &vars)),
                DraftPart::Sub { neg, drafts } => {
                    let conjs = self.finish_sub(drafts, &vars)?;
                    match (conjs.is_empty(), *neg) {
                        (true, true) => continue,
                        (true, false) => return Ok(None),
                        _ => Part::Sub { neg: *neg, conjs },
                    }
                }
            });
        }
        Ok(Some(conj(placed, &vars, outer.len())))
    }

    /// Two variables that stand for the same node range over what both may be.
    fn same_range(&mut self, parts: &[&DraftPart], vars: &mut [(u16, DomId)]) {
        for part in parts {
            if let DraftPart::Lit(Lit {
                atom: Atom::Same(Arg::Var(a), Arg::Var(b)),
                neg: false,
                ..
            }) = part
                && self.sub_depth == 0
                && let Some(a) = vars.iter().position(|v| v.0 == *a)
                && let Some(b) = vars.iter().position(|v| v.0 == *b)
            {
                let both = self.doms.narrow(vars[a].1, vars[b].1, true);
                vars[a].1 = both;
                vars[b].1 = both;
            }
        }
    }

    fn finish_sub(&mut self, drafts: &[Draft], vars: &[(u16, DomId)]) -> Result<Vec<Conj>, Unfit> {
        self.sub_depth += 1;
        let conjs = self.finish(drafts, vars);
        self.sub_depth -= 1;
        conjs
    }
}

fn place(lit: &Lit, vars: &[(u16, DomId)]) -> Lit {
    let mut at = |arg: Arg| match arg {
        Arg::Me => Arg::Me,
        Arg::Var(uid) => Arg::Var(vars.iter().position(|v| v.0 == uid).unwrap_or(0) as u16),
    };
    Lit {
        atom: lit.atom.map(&mut at),
        neg: lit.neg,
        prev: lit.prev,
    }
}

/// Whether it needs an action at the start, where none was done.
fn never(parts: &[&DraftPart]) -> bool {
    let has = |test: fn(&Atom) -> bool| {
        let fits =
            |p: &&DraftPart| matches!(p, DraftPart::Lit(l) if !l.neg && !l.prev && test(&l.atom));
        parts.iter().any(fits)
    };
    has(|a| matches!(a, Atom::Act(..))) && has(|a| matches!(a, Atom::Start))
}

fn conj(parts: Vec<Part>, vars: &[(u16, DomId)], base: usize) -> Conj {
    let has = |test: fn(&Lit) -> bool| parts.iter().any(|p| matches!(p, Part::Lit(l) if test(l)));
    Conj {
        doms: vars.iter().map(|v| v.1).collect(),
        base,
        when: if has(|l| matches!(l.atom, Atom::End) && !l.neg) {
            When::End
        } else if has(|l| matches!(l.atom, Atom::Start) && !l.neg && !l.prev) {
            When::Start
        } else if has(|l| matches!(l.atom, Atom::Act(..)) && !l.neg && !l.prev) {
            When::Act
        } else {
            When::Any
        },
        needs: parts.iter().filter_map(needed).collect(),
        ends: parts.iter().any(ends),
        settled: parts.iter().all(settled),
        early: parts.iter().map(early).max().unwrap_or(0),
        parts,
        full: Vec::new(),
        scan: Vec::new(),
    }
}

/// The cells a part needs.
fn needed(part: &Part) -> Option<(FamIx, bool)> {
    match part {
        Part::Lit(Lit {
            atom: Atom::Cell(fam, _),
            neg: false,
            prev,
        }) => Some((*fam, *prev)),
        _ => None,
    }
}

fn ends(part: &Part) -> bool {
    match part {
        Part::Lit(l) => matches!(l.atom, Atom::End),
        Part::Sub { conjs, .. } => conjs.iter().any(|c| c.ends),
    }
}

/// Whether it reads no cell of the position itself.
fn settled(part: &Part) -> bool {
    match part {
        Part::Lit(l) => l.prev || !matches!(l.atom, Atom::Cell(..)),
        Part::Sub { conjs, .. } => conjs.iter().all(|c| c.settled),
    }
}

fn early(part: &Part) -> u32 {
    match part {
        Part::Lit(l) => u32::from(l.prev) + u32::from(matches!(l.atom, Atom::Start)),
        Part::Sub { conjs, .. } => conjs.iter().map(|c| c.early).max().unwrap_or(0),
    }
}
