//! The published expansion of a goal into options (EAI for BEHAVIOR, with `bddl` 1.0.1): lists of facts, of which one must hold
//! in full.
//!
//! `and` multiplies the options of its parts, `or` and `exists` put them one after the other, `not` takes one denied fact of
//! each option of what it denies. Quantifiers are cut short: a product stops after [`PRODUCT`] tries, and of the orderings in
//! which one side of a pairing is put beside the other, the first [`ORDERINGS`] are looked at. `forn` takes every choice of
//! exactly so many objects, which a state with more of them meets as well.

use crate::plan::bddl::bind::{Ground, Literal, Pairs};
use crate::sim::vocab::Ix;

/// Lists of facts.
pub(super) type Options = Vec<Vec<Literal>>;

/// How many index tuples a product of quantified options tries, those out of range included.
const PRODUCT: usize = 20;

/// How many orderings a pairing looks at.
const ORDERINGS: usize = 10;

/// How many facts all expansions on the way to one may hold together; it is not written out beyond.
const MOST: usize = 100_000;

/// The options of a formula, or `None` if there are too many.
pub(super) fn options(ground: &Ground) -> Option<Options> {
    expand(ground, &mut { MOST })
}

fn expand(ground: &Ground, left: &mut usize) -> Option<Options> {
    let options = match ground {
        Ground::Atom(atom) => vec![vec![Literal {
            atom: *atom,
            negated: false,
        }]],
        Ground::Not(one) => denied(&expand(one, left)?)?,
        Ground::And(all) => {
            let parts: Option<Vec<Options>> = all.iter().map(|one| expand(one, left)).collect();
            every(&parts?)?
        }
        Ground::Or(all) => {
            let parts: Option<Vec<Options>> = all.iter().map(|one| expand(one, left)).collect();
            parts?.concat()
        }
        Ground::Imply(a, b) => {
            let mut all = denied(&expand(a, left)?)?;
            all.extend(expand(b, left)?);
            all
        }
        Ground::All(each) => first(&of_each(&each.of, left)?),
        Ground::Any(each) => of_each(&each.of, left)?.concat(),
        Ground::Count(n, each) => counted(*n, &of_each(&each.of, left)?)?,
        Ground::Pairs(pairs) => paired(pairs, left)?,
    };
    *left = left.checked_sub(size(&options))?;
    Some(options)
}

fn size(options: &[Vec<Literal>]) -> usize {
    options.iter().map(|o| o.len() + 1).sum()
}

fn of_each(all: &[(Ix, Ground)], left: &mut usize) -> Option<Vec<Options>> {
    all.iter().map(|(_, one)| expand(one, left)).collect()
}

/// One option of each part, in every combination.
fn every(parts: &[Options]) -> Option<Options> {
    let mut all: Options = vec![Vec::new()];
    for part in parts {
        let pairs = all.iter().flat_map(|a| part.iter().map(move |b| (a, b)));
        let mut grown = Vec::new();
        let mut length = 0;
        for (a, b) in pairs {
            length += a.len() + b.len() + 1;
            if length > MOST {
                return None;
            }
            grown.push([a.as_slice(), b.as_slice()].concat());
        }
        all = grown;
    }
    Some(all)
}

/// One denied fact of each option, in every combination.
fn denied(options: &[Vec<Literal>]) -> Option<Options> {
    let deny = |l: &Literal| {
        vec![Literal {
            atom: l.atom,
            negated: !l.negated,
        }]
    };
    let parts: Vec<Options> = options
        .iter()
        .map(|option| option.iter().map(deny).collect())
        .collect();
    every(&parts)
}

/// The first combinations of one option of each part.
fn first(parts: &[Options]) -> Options {
    let join = |tuple: Vec<&Vec<Literal>>| tuple.into_iter().flatten().copied().collect();
    tuples(parts).into_iter().map(join).collect()
}

/// The truncated product: index tuples by ascending sum, each costing one of the budget whether it is in range or not, and at
/// last, if any of it is left, the tuple of all last indices. (Where a part has no options the published code fails; here
/// there are none then.)
fn tuples(parts: &[Options]) -> Vec<Vec<&Vec<Literal>>> {
    if parts.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let last: usize = parts.iter().map(|p| p.len() - 1).sum();
    let mut found = Vec::new();
    let mut budget = PRODUCT;
    for sum in 0..last {
        let mut at = Some(start(sum, parts.len()));
        while let Some(indices) = at {
            if budget == 0 {
                return found;
            }
            budget -= 1;
            let tuple: Option<Vec<_>> =
                parts.iter().zip(&indices).map(|(p, &i)| p.get(i)).collect();
            found.extend(tuple);
            at = successor(indices);
        }
    }
    if budget > 0 {
        found.push(parts.iter().filter_map(|p| p.last()).collect());
    }
    found
}

/// The first tuple of a sum: all of it in the last place.
fn start(sum: usize, length: usize) -> Vec<usize> {
    let mut indices = vec![0; length];
    if let Some(last) = indices.last_mut() {
        *last = sum;
    }
    indices
}

/// The next tuple of the same sum, in lexicographic order.
fn successor(mut indices: Vec<usize>) -> Option<Vec<usize>> {
    // What stands in the last place that is not empty goes back to the end, but for one that goes one place forward.
    let from = indices.iter().rposition(|&i| i > 0)?;
    let to = from.checked_sub(1)?;
    let rest = indices[from] - 1;
    indices[from] = 0;
    indices[to] += 1;
    if let Some(last) = indices.last_mut() {
        *last += rest;
    }
    Some(indices)
}

/// Every choice of `n` parts of each of the first combinations.
fn counted(n: usize, parts: &[Options]) -> Option<Options> {
    let mut all = Options::new();
    let mut length = 0;
    for tuple in tuples(parts) {
        let mut choice: Vec<usize> = (0..n).collect();
        if n > tuple.len() {
            continue;
        }
        loop {
            let option: Vec<Literal> = choice.iter().flat_map(|&i| tuple[i]).copied().collect();
            length += option.len() + 1;
            if length > MOST {
                return None;
            }
            all.push(option);
            if !next_choice(&mut choice, tuple.len()) {
                break;
            }
        }
    }
    Some(all)
}

/// The next choice of ascending indices below `bound`.
fn next_choice(choice: &mut [usize], bound: usize) -> bool {
    let n = choice.len();
    let Some(i) = (0..n).rev().find(|&i| choice[i] < bound - n + i) else {
        return false;
    };
    choice[i] += 1;
    for j in i + 1..n {
        choice[j] = choice[j - 1] + 1;
    }
    true
}

/// Pairings: the smaller side stays as it is, the larger is put beside it in its first orderings. `fornpairs` keeps the rows and
/// orders the columns.
fn paired(pairs: &Pairs, left: &mut usize) -> Option<Options> {
    let (height, width, n) = (pairs.rows.len(), pairs.width(), pairs.wanted);
    let rows_stay = pairs.numbered || height < width;
    let larger = if rows_stay { width } else { height };
    let mut all = Options::new();
    for ordering in orderings(larger, n) {
        let mut parts = Vec::with_capacity(n);
        for (kept, ordered) in ordering.into_iter().enumerate() {
            let (row, column) = if rows_stay {
                (kept, ordered)
            } else {
                (ordered, kept)
            };
            let (_, cell) = pairs.rows.get(row)?.1.get(column)?;
            parts.push(expand(cell, left)?);
        }
        all.extend(first(&parts));
    }
    Some(all)
}

/// The first orderings of `n` of `of` places, in lexicographic order.
fn orderings(of: usize, n: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut used = vec![false; of];
    let mut current = Vec::with_capacity(n);
    extend(&mut found, &mut current, &mut used, n);
    found
}

fn extend(found: &mut Vec<Vec<usize>>, current: &mut Vec<usize>, used: &mut [bool], n: usize) {
    if current.len() == n {
        found.push(current.clone());
        return;
    }
    for i in 0..used.len() {
        if found.len() >= ORDERINGS {
            return;
        }
        if !used[i] {
            used[i] = true;
            current.push(i);
            extend(found, current, used, n);
            current.pop();
            used[i] = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{next_choice, orderings, start, successor};

    #[test]
    fn tuples_of_a_sum_come_in_order() {
        let mut at = Some(start(2, 3));
        let mut all = Vec::new();
        while let Some(tuple) = at {
            all.push(tuple.clone());
            at = successor(tuple);
        }
        let wanted = [
            [0, 0, 2],
            [0, 1, 1],
            [0, 2, 0],
            [1, 0, 1],
            [1, 1, 0],
            [2, 0, 0],
        ];
        assert_eq!(all, wanted.map(Vec::from));
        assert_eq!(successor(start(0, 2)), None);
        assert_eq!(successor(Vec::new()), None);
    }

    #[test]
    fn the_first_ten_orderings() {
        let all = orderings(4, 4);
        assert_eq!(all.len(), 10);
        assert_eq!(all.first(), Some(&vec![0, 1, 2, 3]));
        assert_eq!(all.last(), Some(&vec![1, 2, 3, 0]));
        assert_eq!(orderings(3, 1), [[0], [1], [2]].map(Vec::from));
        assert_eq!(orderings(2, 0), vec![Vec::<usize>::new()]);
    }

    #[test]
    fn choices_of_two() {
        let mut choice = vec![0, 1];
        let mut count = 1;
        while next_choice(&mut choice, 4) {
            count += 1;
        }
        assert_eq!((count, choice), (6, vec![2, 3]));
        assert!(!next_choice(&mut [], 4));
    }
}
