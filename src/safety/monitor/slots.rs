//! The variables of formulas: which are free, and names that do not depend on how they were written.

use crate::safety::formula::{Binder, Formula, Slot, Term};

use super::atom::DomId;

/// The variables a formula reads but does not bind, in the order they appear.
pub(super) fn free_slots(f: &Formula, bound: &mut Vec<Slot>, found: &mut Vec<Slot>) {
    let mut see = |t: &Term, bound: &[Slot]| {
        if let Term::Var(s) = t
            && !bound.contains(s)
            && !found.contains(s)
        {
            found.push(*s);
        }
    };
    match f {
        Formula::True | Formula::Start | Formula::End => {}
        Formula::Same(a, b) => {
            see(a, bound);
            see(b, bound);
        }
        Formula::Is(_, t) => see(t, bound),
        Formula::Base(_, args) | Formula::Tracked(_, args) => {
            for t in args {
                see(t, bound);
            }
        }
        Formula::Act(_, args) => args.iter().flatten().for_each(|t| see(t, bound)),
        Formula::Not(f)
        | Formula::Prev(f)
        | Formula::Once(f)
        | Formula::Hist(f)
        | Formula::Run(f, _) => {
            free_slots(f, bound, found);
        }
        Formula::And(all) | Formula::Or(all) => {
            for f in all {
                free_slots(f, bound, found);
            }
        }
        Formula::Since(f, g) => {
            free_slots(f, bound, found);
            free_slots(g, bound, found);
        }
        Formula::All(binders, f) | Formula::Some(binders, f) => {
            let before = bound.len();
            bound.extend(binders.iter().map(|b| b.slot));
            free_slots(f, bound, found);
            bound.truncate(before);
        }
    }
}

/// The formula with its variables numbered by appearance, so that equal ones share their cells.
pub(super) fn renamed(f: &Formula, vars: &[(Slot, DomId)], names: &mut Vec<Slot>) -> Formula {
    let f_outer = f;
    if names.is_empty() {
        names.extend(vars.iter().map(|v| v.0));
    }
    let term = |t: &Term, names: &[Slot]| match t {
        Term::Me => Term::Me,
        Term::Var(s) => {
            let at = names
                .iter()
                .rposition(|n| n == s)
                .unwrap_or(usize::from(s.0));
            Term::Var(Slot(at as u8))
        }
    };
    let boxed = |f: &Formula, names: &mut Vec<Slot>| Box::new(renamed(f, vars, names));
    match f {
        Formula::True | Formula::Start | Formula::End => f.clone(),
        Formula::Same(a, b) => Formula::Same(term(a, names), term(b, names)),
        Formula::Is(g, t) => Formula::Is(*g, term(t, names)),
        Formula::Base(r, args) => Formula::Base(*r, args.map(|t| term(&t, names))),
        Formula::Tracked(i, args) => Formula::Tracked(*i, args.map(|t| term(&t, names))),
        Formula::Act(m, args) => Formula::Act(*m, args.map(|t| t.map(|t| term(&t, names)))),
        Formula::Not(f) => Formula::Not(boxed(f, names)),
        Formula::Prev(f) => Formula::Prev(boxed(f, names)),
        Formula::Once(f) => Formula::Once(boxed(f, names)),
        Formula::Hist(f) => Formula::Hist(boxed(f, names)),
        Formula::Run(f, k) => Formula::Run(boxed(f, names), *k),
        Formula::Since(f, g) => Formula::Since(boxed(f, names), boxed(g, names)),
        Formula::And(all) => Formula::And(all.iter().map(|f| renamed(f, vars, names)).collect()),
        Formula::Or(all) => Formula::Or(all.iter().map(|f| renamed(f, vars, names)).collect()),
        Formula::All(binders, f) | Formula::Some(binders, f) => {
            let all = matches!(f_outer, Formula::All(..));
            let before = names.len();
            names.extend(binders.iter().map(|b| b.slot));
            let inner = boxed(f, names);
            names.truncate(before);
            let binders = binders
                .iter()
                .enumerate()
                .map(|(i, b)| Binder {
                    slot: Slot((before + i) as u8),
                    guard: b.guard,
                })
                .collect();
            if all {
                Formula::All(binders, inner)
            } else {
                Formula::Some(binders, inner)
            }
        }
    }
}
